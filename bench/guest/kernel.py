"""Finds a kernel for the guest: the file that the user names; Debian's kernel for virtual machines, whose package is downloaded once and
unpacked in the build folder, without being installed; or a kernel of /boot."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

from runner.definitions import ROOT
from runner.problem import Problem

PACKAGE = "linux-image-cloud-amd64"
MAGIC_AT, MAGIC = 0x202, b"HdrS"  # Linux, Documentation/x86/boot.rst: the header of an x86 kernel image
failures = []


def place():
    return os.path.join(ROOT, os.environ.get("BUILD", "build"), "guest")


def checked(path):
    """The path of a kernel image; ValueError says what was expected of the file."""
    try:
        with open(path, "rb") as file:
            head = file.read(MAGIC_AT + len(MAGIC))
    except OSError as error:
        raise ValueError(f"a Linux kernel image that can be read ({error.strerror})") from error
    if head[MAGIC_AT:] != MAGIC:
        raise ValueError("a Linux kernel image for x86, such as /boot/vmlinuz-6.1.0-56-cloud-amd64")
    return os.path.abspath(path)


def version(path):
    """For sorting: 6.1.0-56 is after 6.1.0-9."""
    return [int(digits) for digits in re.findall(r"\d+", os.path.basename(path))]


def output(*command, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        raise Problem((done.stderr.strip().splitlines() or [f"{command[0]} failed"])[-1])
    return done.stdout


def fetch():
    """Downloads the package that PACKAGE stands for now, and keeps its kernel."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise Problem("there is no apt-get, which could download Debian's kernel")
    found = re.search(r"Depends: (linux-image-\S+)", output("apt-cache", "depends", PACKAGE))
    if not found:
        raise Problem(f"the lists of packages do not have {PACKAGE}")
    print(f"fetching {found[1]} from Debian, once; it is unpacked and not installed", file=sys.stderr)
    os.makedirs(place(), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place()) as work:
        output("apt-get", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30", "download", found[1], cwd=work)
        output("dpkg-deb", "-x", *glob.glob(os.path.join(work, "*.deb")), os.path.join(work, "tree"))
        for path in glob.glob(os.path.join(work, "tree", "boot", "vmlinuz-*")):
            os.replace(path, os.path.join(place(), os.path.basename(path)))


def newest(folder):
    """The newest kernel image of a folder that can be read, or None."""
    for path in sorted(glob.glob(os.path.join(folder, "vmlinuz-*")), key=version, reverse=True):
        try:
            return checked(path)
        except ValueError:
            continue
    return None


def find(named=None, fetching=True):
    if named:
        return checked(named)
    if not newest(place()) and fetching and not failures:
        try:
            fetch()
        except Problem as problem:
            failures.append(str(problem))
    found = newest(place()) or newest("/boot")
    if not found and not fetching and not failures:
        raise Problem("RUN fetches a kernel")
    if not found:
        raise Problem(f"no kernel for a guest: none in /boot can be read, and Debian's {PACKAGE} cannot be had ({failures[0]}); "
                      "the setting KERNEL may name a file")
    return found


def about(path):
    """What a record says about the kernel's file."""
    with open(path, "rb") as file:
        return {"file": path.replace(ROOT + os.sep, ""), "sha256": hashlib.sha256(file.read()).hexdigest()}
