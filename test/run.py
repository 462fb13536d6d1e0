#!/usr/bin/env python3
"""Builds and runs the project's own test programs.

A file in the folder is a test.  Its leading comment may say, one per line:
  env: NAME=VALUE ...     environment
  each: NAME=VALUE ...    runs once with each of these, and not without them
  wrap: COMMAND           run through the shell as COMMAND with %s for the program
  status: N               expected exit status (default 0)
  stdout: REGEX           must match somewhere in standard output
  stderr: REGEX           the same; without it standard error must be empty
  link: -lfoo ...         further compiler arguments
  gcc: WHY                not with --clang
  storey: NAME            (unit tests) link that storey of the runtime and those below it, and nothing
                          above, instead of the library; a function of the test replaces the runtime's
                          function of that name
Every program checks its own results and returns non-zero when they are wrong.  The system's compiler
builds *.c and *.cpp, which run with the library of --runtime and each substrate; *.sh run with RUNTIME
set.  With --clang only *.c and *.cpp run, and that compiler builds them.  If it is missing, or has no
OpenMP library to link with, nothing runs, and a message says so."""

import argparse
import concurrent.futures
import glob
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time

KEYS = ("env", "each", "wrap", "status", "stdout", "stderr", "link", "storey", "gcc")
SHOWN = 500 # characters of a failed test's output
STOREYS = "build/storeys-checked" # the runtime with its own checks at level 2


def read_keys(path):
    keys = {}
    with open(path) as file:
        for line in file.read(3000).splitlines():
            found = re.match(r"\s*(?:/\*|\*|#)?\s*(%s):\s*(.*?)\s*(?:\*/)?$" % "|".join(KEYS), line)
            if found:
                keys.setdefault(found[1], found[2])
    return keys


def from_storey(name):
    return subprocess.run(["tools/check-layers", "--from", name], capture_output=True, text=True, check=True).stdout.split()


def version():
    with open("ghc-openmp.cabal") as file:
        return re.search(r"^version: *(\S+)", file.read(), re.M)[1]


def make_storeys():
    subprocess.run(["make", "--no-print-directory", "-s", f"-j{len(os.sched_getaffinity(0))}", f"BUILD={STOREYS}", "CHECK=2",
                    "OPTIMISE=-O1 -g", "storeys"], check=True)


def build(path, keys, options):
    name = os.path.splitext(os.path.basename(path))[0]
    program = os.path.join(options.build, name)
    if options.clang:
        compiler = options.clang.replace("clang", "clang++") if path.endswith("pp") else options.clang
    else:
        compiler = os.environ.get("CXX", "g++") if path.endswith("pp") else os.environ.get("CC", "gcc")
    command = [compiler, "-O2", "-g", "-D_GNU_SOURCE", "-Wall", "-Iruntime", path, "-o", program]
    if "storey" in keys:
        command += ["-std=gnu11", "-DGHCOMP_CHECK=2", f'-DGHCOMP_VERSION="{version()}"', "-Wl,--allow-multiple-definition", "-Wl,--start-group"]
        command += [f"{STOREYS}/storeys/{name}.a" for name in from_storey(keys["storey"])] + ["-Wl,--end-group"]
    else:
        command += ["-fopenmp"]
    command += options.cflags.split() + keys.get("link", "").split() + ["-lpthread", "-ldl"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return program, "" if result.returncode == 0 else "does not compile: " + result.stdout[-600:]


def why_no_clang(clang):
    program = "#include <omp.h>\nint main(void) { return omp_get_level(); }\n"
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([clang, "-fopenmp", "-x", "c", "-", "-o", f"{folder}/program"], capture_output=True, text=True,
                                  input=program)
        except FileNotFoundError:
            return f"{clang} is not installed"
    return "" if done.returncode == 0 else f"{clang} has no OpenMP library to link with (Debian: libomp-dev)"


def execute(program, path, keys, options, substrate, setting):
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.abspath(options.runtime),
                       RUNTIME=os.path.abspath(options.runtime), BUILD=os.path.abspath(options.build))
    if substrate:
        environment["GHCOMP_SUBSTRATE"] = substrate
    environment.update(pair.split("=", 1) for pair in keys.get("env", "").split() + setting.split())
    command = ["sh", path] if path.endswith(".sh") else [program]
    if "wrap" in keys:
        command = ["bash", "-c", keys["wrap"].replace("%s", " ".join(command))]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=options.timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"still runs after {options.timeout} s"
    return judge(done, path, keys, options)


def judge(done, path, keys, options):
    """What is wrong with the way in which a test has ended; "": nothing."""
    if done.returncode != int(keys.get("status", 0)):
        text, kept = done.stdout + done.stderr, os.path.join(options.build, os.path.basename(path) + ".output")
        if len(text) > SHOWN:
            with open(kept, "w") as file:
                file.write(text)
        return (f"exit status {done.returncode}, expected {keys.get('status', 0)}: {text[-SHOWN:].rstrip()}"
                + (f"\nall of it is in {kept}" if len(text) > SHOWN else ""))
    for stream, text in (("stdout", done.stdout), ("stderr", done.stderr)):
        if stream in keys and not re.search(keys[stream], text):
            return f"{stream} does not match {keys[stream]!r}: {text[-300:]!r}"
    if "stderr" not in keys and done.stderr:
        return f"unexpected on standard error: {done.stderr[-300:]!r}"
    return ""


def listed(path, folders):
    """The files that a list names, one on a line; a line may end in a comment."""
    with open(path) as file:
        names = [line.split("#")[0].strip() for line in file]
    found = {name: [f for f in (os.path.join(folder, name) for folder in folders) if os.path.exists(f)] for name in names if name}
    absent = [name for name in found if not found[name]]
    if absent:
        sys.exit(f"run.py: {path} names tests that are not in {' or '.join(folders)}: {', '.join(absent)}")
    return set(sum(found.values(), []))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--runtime", default="build/lib")
    parser.add_argument("--build", default="build/test")
    parser.add_argument("--cflags", default="")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--substrates", default="ghc,pthread")
    parser.add_argument("--one-processor", action="store_true", help="all programs share one processor")
    parser.add_argument("--only", default="", help="tests whose path contains this")
    parser.add_argument("--without", metavar="FILE", help="leaves out the tests that this file names")
    parser.add_argument("--times", action="store_true", help="prints the seconds of each test")
    parser.add_argument("--clang", default="")
    options = parser.parse_args()
    if options.one_processor:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    library = os.path.join(os.path.abspath(options.runtime), "libgomp.so.1")
    if not os.path.exists(library):  # otherwise the loader finds the system's library, which would be tested instead
        print(f"run.py: {library}: not there, so no runtime to test; nothing was run (make builds it)",
              file=sys.stderr)
        return 2
    reason = why_no_clang(options.clang) if options.clang else ""
    if reason:
        print(f"not run: {reason}")
        return 0
    left_out = listed(options.without, options.folders) if options.without else set()
    extensions = ("c", "cpp") if options.clang else ("c", "cpp", "sh")
    passed = failed = 0
    for folder in options.folders:
        os.makedirs(options.build, exist_ok=True)
        files = sorted(sum((glob.glob(f"{folder}/*.{e}") for e in extensions), []))
        files = [f for f in files if options.only in f and f not in left_out]
        keys = {f: read_keys(f) for f in files}
        if options.clang:
            for path in [f for f in files if "gcc" in keys[f]]:
                print(f"not by clang: {path}: {keys[path]['gcc']}")
            files = [f for f in files if "gcc" not in keys[f]]
        if any("storey" in keys[f] for f in files):
            make_storeys()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            built = dict(zip(files, pool.map(
                lambda f: ("", "") if f.endswith(".sh") else build(f, keys[f], options), files)))
        for path in files:
            program, problem = built[path]
            plain = "storey" in keys[path] or path.endswith(".sh")
            substrates = [""] if plain else options.substrates.split(",")
            settings = keys[path].get("each", "").split() or [""]
            for substrate, setting in itertools.product(substrates, settings):
                began = time.monotonic()
                why = problem or execute(program, path, keys[path], options, substrate, setting)
                how = ", ".join(filter(None, (substrate, setting)))
                label = path + (f" ({how})" if how else "")
                if options.times:
                    print(f"{time.monotonic() - began:7.2f} s  {label}", flush=True)
                if why:
                    failed += 1
                    print(f"FAIL {label}: {why}", flush=True)
                else:
                    passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
