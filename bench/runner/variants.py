"""Builds the library with other constants, from a copy of the tree, so that a table can show what each of them is for."""

import os
import re
import shutil
import subprocess

from runner.definitions import ROOT
from runner.problem import Problem

CONSTANTS = os.path.join("runtime", "admission", "constants.h")
PARTS = ("Makefile", "runtime", "cbits", "app", "src", "tools", "packaging", "ghc-openmp.cabal", os.path.join("test", "faults", "rules.mk"))


def changed(text, constants):
    for name, value in constants.items():
        text, count = re.subn(rf"(?m)^#define {re.escape(name)} \S+$", f"#define {name} {value}", text)
        if count != 1:
            raise Problem(f"{CONSTANTS} defines {name} {count} times, expected once")
    return text


def build(constants, build_folder):
    """The library's file.  Fails with a reason that a table can show."""
    place = os.path.join(build_folder, "variants", "-".join(f"{name}-{value}" for name, value in constants.items()))
    with open(os.path.join(ROOT, CONSTANTS)) as file:
        text = changed(file.read(), constants)
    for part in PARTS:
        source, copy = os.path.join(ROOT, part), os.path.join(place, part)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        if os.path.isdir(source):
            shutil.rmtree(copy, ignore_errors=True)  # no file is left that the tree has no longer
            shutil.copytree(source, copy)
        elif os.path.exists(source):
            shutil.copy2(source, copy)
    with open(os.path.join(place, CONSTANTS), "w") as file:
        file.write(text)
    shutil.copystat(os.path.join(ROOT, CONSTANTS), os.path.join(place, CONSTANTS))  # make builds anew only what has changed
    done = subprocess.run(["make", "-j", str(os.cpu_count()), "BUILD=build"], cwd=place, capture_output=True, text=True)
    if done.returncode != 0:
        raise Problem(f"cannot build the library in {place}: {done.stderr[-500:]}")
    return os.path.join(place, "build", "lib", "libgomp.so.1")
