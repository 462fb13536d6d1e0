"""Finds the file of a peer that does not come with the compiler: a wheel of PyPI, fetched once into the build folder, or the file
that the user names.  A build with LLVM's own checks (KMP_DEBUG), as Debian's libomp is, does not count as a peer: it is slow."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from runner.definitions import ROOT
from runner.machine import output
from runner.problem import Problem

PLACE = os.path.join(ROOT, os.environ.get("BUILD", "build"), "peers")
NAMED = "GHCOMP_BENCH_LIBOMP"
DEBUG_MARK = b"KMP_A_DEBUG\0"  # the variable that only a build with KMP_DEBUG reads
failures = {}


def folder_of(wheel):
    return os.path.join(PLACE, wheel.replace("==", "-"))


def pip():
    """The command pip, of this Python or of an environment of its own."""
    if output(sys.executable, "-m", "pip", "--version"):
        return [sys.executable, "-m", "pip"]
    own = os.path.join(PLACE, "venv")
    if not os.path.exists(os.path.join(own, "bin", "pip")):
        done = subprocess.run([sys.executable, "-m", "venv", own], capture_output=True, text=True)
        if done.returncode != 0:
            raise Problem("there is no pip (Debian: python3-pip or python3-venv)")
    return [os.path.join(own, "bin", "pip")]


def fetch(wheel, name):
    """Downloads a wheel, and keeps the library of this name and the licence."""
    print(f"fetching {wheel} from PyPI, once; its own licence holds for it: {os.path.relpath(folder_of(wheel), ROOT)}/LICENSE.txt", file=sys.stderr)
    os.makedirs(PLACE, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=PLACE) as work:
        try:
            done = subprocess.run([*pip(), "download", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "30", "--no-deps",
                                   "--only-binary", ":all:", "--dest", work, wheel], capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired as error:
            raise Problem("pip has not ended after ten minutes") from error
        if done.returncode != 0:
            raise Problem((done.stderr.strip().splitlines() or ["pip failed"])[-1])
        kept = os.path.join(work, "kept")
        os.makedirs(kept)
        with zipfile.ZipFile(glob.glob(os.path.join(work, "*.whl"))[0]) as packed:
            for member in packed.namelist():
                if os.path.basename(member) in (name, "LICENSE.txt"):
                    with packed.open(member) as source, open(os.path.join(kept, os.path.basename(member)), "wb") as target:
                        shutil.copyfileobj(source, target)
        if not os.path.exists(os.path.join(kept, name)):
            raise Problem(f"the wheel has no {name}")
        try:
            os.rename(kept, folder_of(wheel))
        except OSError:  # another run has just done so
            if not os.path.exists(os.path.join(folder_of(wheel), name)):
                raise


def is_debug(path):
    with open(path, "rb") as file:
        return DEBUG_MARK in file.read()


def find(wheel, name, fetching=True):
    """(path, where it comes from).  Fails with a reason that a table can show."""
    named = os.environ.get(NAMED)
    if named:
        if not os.path.isfile(named):
            raise Problem(f"not available: {NAMED}={named} is no file")
        if is_debug(named):
            raise Problem(f"not available: {named} is a build with KMP_DEBUG, which is slow; expected a release build")
        return os.path.abspath(named), os.path.abspath(named)
    path = os.path.join(folder_of(wheel), name)
    if not os.path.exists(path):
        if not fetching:
            raise Problem(f"not fetched yet: RUN fetches {wheel} from PyPI")
        if wheel not in failures:
            try:
                fetch(wheel, name)
            except (Problem, OSError) as problem:
                failures[wheel] = str(problem)
        if wheel in failures:
            raise Problem(f"not available: {wheel} cannot be fetched from PyPI ({failures[wheel]}); {NAMED} may name a release build of libomp")
    return path, f"PyPI: {wheel}"


def of_package(path):
    """The Debian package that a file belongs to, with its version; otherwise its path."""
    for name in (path, path.removeprefix("/usr")):  # where /lib is a link, dpkg knows one of the two
        package = (output("dpkg-query", "-S", name) or "").partition(": ")[0]
        if package:
            return f"Debian: {package} {output('dpkg-query', '-W', '-f=${Version}', package.split(',')[0])}"
    return path
