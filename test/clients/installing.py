"""Installs real programs: from Debian with apt-get, if this runs as root, and from PyPI into a virtual environment under
the build folder.  The caller names what cannot be installed, and does not compare it."""

import functools
import os
import shutil
import subprocess
import sys

from runner.building import BUILD
from runner.machine import output

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = os.path.join(BUILD, "clients")
VENV = os.path.join(PLACE, "venv")
WANTED = [os.path.join(HERE, name) for name in ("pypi.txt", "pypi-alone.txt")]
FOR_VENV = ["python3-venv"]


@functools.cache
def version(package):
    """Debian's version of an installed package, or None."""
    found = output("dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", package)
    status, _, number = (found or "").partition(" ")
    return number if status == "installed" else None


def lacking(client):
    """What keeps a client from running here; empty if nothing does."""
    missing = [package for package in client.packages if version(package) is None]
    if client.pypi and not venv_is_current():
        missing.append("PyPI's packages of test/clients/pypi.txt")
    return missing


def packages(clients):
    """The Debian packages of these clients."""
    every = [name for client in clients for name in (*client.packages, *(FOR_VENV if client.pypi else []))]
    return list(dict.fromkeys(every))


def install_debian(clients):
    """Prints one line about what it installs.  Without root it only prints what would be installed."""
    missing = [name for name in packages(clients) if version(name) is None]
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(f"not installed, and not compared: as root, apt-get install {' '.join(missing)}", file=sys.stderr)
        return
    print(f"installing: {' '.join(missing)}", file=sys.stderr)
    log = os.path.join(PLACE, "apt.log")
    with open(log, "w") as file:
        apt_get(file, "update", "-qq") # if this fails, package lists from before may still serve
        # apt-get installs nothing if this release of Debian lacks one of the packages.
        there = [name for name in missing if output("apt-cache", "show", "--no-all-versions", name)]
        status = apt_get(file, "install", "-y", "-qq", "--no-install-recommends", *there) if there else 0
    version.cache_clear()
    if status != 0:
        print(f"apt-get failed with status {status}; what it said is in {log}; what is missing is not compared", file=sys.stderr)


def apt_get(log, *words):
    return subprocess.run(["apt-get", "-o", "DPkg::Lock::Timeout=300", *words], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                          env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}).returncode


def wanted():
    found = ""
    for path in WANTED:
        with open(path) as file:
            found += file.read()
    return found


def venv_is_current():
    try:
        with open(os.path.join(VENV, "made-from")) as file:
            return file.read() == wanted()
    except OSError:
        return False


def make_venv():
    """Uses Debian's Python, so that the comparison does not depend on which Python comes first in PATH."""
    if venv_is_current():
        return
    print(f"making {os.path.relpath(VENV)} with: {' '.join(wanted().split())}", file=sys.stderr)
    log = os.path.join(PLACE, "pip.log")
    with open(log, "w") as file:
        pip = [os.path.join(VENV, "bin", "pip"), "install", "--disable-pip-version-check"]
        # The second list's packages need versions of others that contradict the first list.
        for command in (["/usr/bin/python3", "-m", "venv", "--clear", VENV], [*pip, "-r", WANTED[0]], [*pip, "--no-deps", "-r", WANTED[1]]):
            try:
                status = subprocess.run(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL).returncode
            except OSError as error:
                status = error.strerror
            if status != 0:
                print(f"{' '.join(command)}: {status}; what it said is in {log}; PyPI's packages are not compared", file=sys.stderr)
                return
    with open(os.path.join(VENV, "made-from"), "w") as file:
        file.write(wanted())


def install(clients):
    os.makedirs(PLACE, exist_ok=True)
    install_debian(clients)
    if any(client.pypi for client in clients):
        make_venv()


def versions(client):
    """Versions of the client's packages, for the record."""
    found = {name: version(name) for name in client.packages}
    if client.pypi:
        listed = output(os.path.join(VENV, "bin", "pip"), "--disable-pip-version-check", "list", "--format=freeze") or ""
        found.update(line.split("==") for line in listed.splitlines() if "==" in line)
    return found
