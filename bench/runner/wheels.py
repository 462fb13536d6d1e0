"""Builds libraries that bring their own copy of the compiler's OpenMP runtime under another name, as libraries in Python's wheels
do.  The program that loads them is not linked with a runtime.  WHEELS names the folder with the libraries 1.so, 2.so and so on."""

import os
import re
import shutil
import subprocess

from runner.problem import Problem


def run(command, what, **environment):
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("LD_")}
    done = subprocess.run(command, capture_output=True, text=True, env={**inherited, **environment})
    if done.returncode != 0:
        raise Problem(f"{what}: {' '.join(command)}\n{done.stderr[-2000:]}")
    return done.stdout


def runtime_of(library, folder=None):
    """The file of the OpenMP runtime that a library was linked with, or that it finds in this folder."""
    found = re.search(r"lib(?:gomp|iomp5|omp)\.so\S* => (/\S+)", run(["ldd", library], "what is it linked with", **({"LD_LIBRARY_PATH": folder} if folder else {})))
    if not found:
        raise Problem(f"{library}: it is not linked with an OpenMP runtime")
    return os.path.realpath(found[1])


def own_name(path):
    """The SONAME of a library."""
    found = re.search(r"\(SONAME\).*\[(.*)\]", run(["readelf", "-dW", path], "what is it called"))
    if not found:
        raise Problem(f"{path}: it has no SONAME")
    return found[1]


def rename(path, name, other, target):
    """Writes a copy of a file in which a library has another name."""
    with open(path, "rb") as file:
        contents = file.read()
    old, new = (b"\0" + text.encode() + b"\0" for text in (name, other))
    if old not in contents:
        raise Problem(f"{path}: the name {name} is not where it was expected")
    with open(target, "wb") as file:
        file.write(contents.replace(old, new))


def other_name(name, number):
    """A name that the loader does not take for that of a loaded library: libgomp.so.1 becomes libgom1.so.1."""
    stem, dot, rest = name.partition(".")
    return f"{stem[:-1]}{number}{dot}{rest}"


def with_own_copy(made, out, compiler, runtime, folder, number):
    """Links a library with a copy of the compiler's runtime that has a name of its own."""
    name = own_name(runtime)
    copy = os.path.join(folder, other_name(name, number))
    rename(runtime, name, os.path.basename(copy), copy)
    run([compiler, "-shared", made, copy, "-Wl,-rpath,$ORIGIN", "-o", out], "cannot link with a copy of the runtime")


def with_unchanged_copy(made, out, compiler, runtime, folder, number):
    """The same with a runtime whose file may not be changed: the library asks for it by the name that its copy's file has."""
    name = own_name(runtime)
    copy = os.path.join(folder, other_name(name, number))
    shutil.copyfile(runtime, copy)
    linked = f"{out}.linked"
    run([compiler, "-shared", made, runtime, "-Wl,-rpath,$ORIGIN", "-o", linked], "cannot link with the runtime")
    rename(linked, name, os.path.basename(copy), out)
    os.remove(linked)


def build(sources, compiler, flags, folder, runtime):
    """The folder with one library for each source.  `runtime`: in place of the compiler's, if it is not None."""
    os.makedirs(folder, exist_ok=True)
    for number, source in enumerate(sources, 1):
        made, out = (os.path.join(folder, f"{number}.{kind}") for kind in ("o", "so"))
        what = f"cannot compile {source} as a library"
        run([compiler, *flags, "-fPIC", "-c", source, "-o", made], what)
        run([compiler, *flags, "-shared", made, "-o", out], what)
        if runtime is None:
            with_own_copy(made, out, compiler, runtime_of(out), folder, number)
        else:
            with_unchanged_copy(made, out, compiler, runtime, folder, number)
    return folder
