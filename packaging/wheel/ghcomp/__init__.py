"""ghc-openmp for Python: an OpenMP runtime that takes the place of GCC's libgomp.so.1.

The command `ghcomp run -- python program.py` (or `python -m ghcomp run ...`) serves a whole program and
all that it starts.  In a process that runs already, a notebook say, load() serves what is imported later."""

import ctypes
import os
import re

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def library():
    """The path of our libgomp.so.1, for LD_PRELOAD in a service's environment, say."""
    return os.path.join(_FOLDER, "lib", "libgomp.so.1")


def command():
    """The path of the command itself, which is no Python program."""
    return os.path.join(_FOLDER, "bin", "ghcomp")


def _loaded_runtimes():
    """The files of libgomp, under any name that wheels give it, in this process."""
    with open("/proc/self/maps") as maps:
        paths = {line.rstrip("\n").split(maxsplit=5)[5] for line in maps if "/" in line}
    return {path for path in paths if re.match(r"libgomp[-.]", os.path.basename(path))}


def load():
    """Serves the OpenMP of every package that this process imports from now on; returns library().

    Processes that this one starts are not served: for those there is `ghcomp run`.
    Raises RuntimeError where a libgomp is loaded already: its users would stay with it."""
    ours = os.path.realpath(library())
    others = sorted(path for path in _loaded_runtimes() if os.path.realpath(path) != ours)
    if others and ours not in map(os.path.realpath, _loaded_runtimes()):
        raise RuntimeError(f"{others[0]} is loaded already, and its users stay with it: call ghcomp.load() "
                           "before the first import of a package that uses OpenMP")
    ctypes.CDLL(library(), mode=os.RTLD_NOW | os.RTLD_GLOBAL)
    return library()
