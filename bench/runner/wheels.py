"""Builds libraries that bring their own copy of the compiler's OpenMP runtime under another name, as libraries in Python's wheels
do.  The program that loads them is not linked with a runtime.  WHEELS names the folder with the libraries 1.so, 2.so and so on."""

import os
import re
import subprocess

from runner.problem import Problem


def run(command, what):
    done = subprocess.run(command, capture_output=True, text=True, env={k: v for k, v in os.environ.items() if not k.startswith("LD_")})
    if done.returncode != 0:
        raise Problem(f"{what}: {' '.join(command)}\n{done.stderr[-2000:]}")
    return done.stdout


def runtime_of(library):
    """The file of the OpenMP runtime that a library was linked with."""
    found = re.search(r"lib(?:g|i)?omp\.so\S* => (/\S+)", run(["ldd", library], "what is it linked with"))
    if not found:
        raise Problem(f"{library}: it is not linked with an OpenMP runtime")
    return os.path.realpath(found[1])


def own_name(path):
    """The SONAME of a library."""
    found = re.search(r"\(SONAME\).*\[(.*)\]", run(["readelf", "-dW", path], "what is it called"))
    if not found:
        raise Problem(f"{path}: it has no SONAME")
    return found[1]


def copy_renamed(path, folder, number):
    """Makes a copy that the loader does not take for a loaded library: libgomp.so.1 becomes libgom1.so.1."""
    name = own_name(path)
    stem, dot, rest = name.partition(".")
    other = f"{stem[:-1]}{number}{dot}{rest}"
    with open(path, "rb") as file:
        contents = file.read()
    old, new = (b"\0" + text.encode() + b"\0" for text in (name, other))
    if old not in contents:
        raise Problem(f"{path}: its name {name} is not where it was expected")
    with open(os.path.join(folder, other), "wb") as file:
        file.write(contents.replace(old, new))
    return os.path.join(folder, other)


def build(sources, compiler, flags, folder):
    """The folder with one library for each source."""
    os.makedirs(folder, exist_ok=True)
    for number, source in enumerate(sources, 1):
        made, out = (os.path.join(folder, f"{number}.{kind}") for kind in ("o", "so"))
        what = f"cannot compile {source} as a library"
        run([compiler, *flags, "-fPIC", "-c", source, "-o", made], what)
        run([compiler, *flags, "-shared", made, "-o", out], what)
        renamed = copy_renamed(runtime_of(out), folder, number)
        run([compiler, "-shared", made, renamed, "-Wl,-rpath,$ORIGIN", "-o", out], what)
    return folder
