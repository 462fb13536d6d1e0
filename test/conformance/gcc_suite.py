#!/usr/bin/env python3
"""Runs GCC's own tests of its OpenMP run-time library under any such library.

The suite is taken from Debian's package gcc-12-source and unpacked into the
build folder; it is not part of this project.  Each test is compiled once, plainly
(gcc -fopenmp, so that it needs libgomp.so.1), and then run with the library of
the folder that --runtime names in front of the system's.

Counted are the tests for a host without an accelerator: those that run, and those
that only have to link.  Tests that only compile say nothing about a runtime.  Fortran tests run at one
optimisation level, not at the seven of GCC's own torture list."""

import argparse
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dejagnu  # noqa: E402

SETS = {
    "c": ("c", [("libgomp.c", "*.c"), ("libgomp.c-c++-common", "*.c")]),
    "c++": ("c++", [("libgomp.c++", "*.C"), ("libgomp.c-c++-common", "*.c")]),
    "fortran": ("fortran", [("libgomp.fortran", "*.[fF]*")]),
}
COMPILERS = {"c": ["gcc"], "c++": ["g++", "-x", "c++"], "fortran": ["gfortran"]}


def unpack(build):
    """The suite's folder, unpacked from the package if it is not there yet."""
    target = os.path.join(build, "source")
    done = os.path.join(target, ".unpacked")
    if os.path.exists(done):
        return target
    found = sorted(glob.glob("/usr/src/gcc-1[0-9]/gcc-*.tar.xz"))
    if not found:
        sys.exit("gcc_suite: there is no /usr/src/gcc-*/gcc-*.tar.xz: install the package gcc-12-source")
    os.makedirs(target, exist_ok=True)
    with tarfile.open(found[0]) as archive:
        for member in archive:
            if member.name.endswith("/libgomp/libgomp_g.h"):
                member.name = "libgomp_g.h"  # prototypes, for the tests that call GOMP_* themselves
                archive.extract(member, target)
                continue
            position = member.name.find("libgomp/testsuite/libgomp.")
            if position >= 0 and "oacc" not in member.name and (member.isfile() or member.isdir()):
                member.name = member.name[position + len("libgomp/testsuite/"):]
                archive.extract(member, target)
    with open(os.path.join(target, "gstdint.h"), "w") as header:
        header.write("#include <stdint.h>\n")
    with open(os.path.join(target, "config.h"), "w") as header:
        header.write("#define HAVE_PTHREAD_AFFINITY_NP 1\n#define HAVE_UNISTD_H 1\n"
                     "#define HAVE_ALLOCA_H 1\n#define HAVE_STRING_H 1\n")
    open(done, "w").close()
    return target


def collect(source, sets):
    tests = []
    for name in sets:
        language, folders = SETS[name]
        for folder, pattern in folders:
            for path in sorted(glob.glob(os.path.join(source, folder, pattern))):
                if re.search(r"\.(c|C|f|F|f90|F90|f95|f03|f08)$", path):
                    label = folder + "/" + os.path.basename(path)
                    if name == "c++" and folder.endswith("common"):
                        label += "@c++"
                    tests.append(dejagnu.read(path, label, language))
    return tests


def compile_test(test, build, version):
    """The program's path, or None with the reason in test.skip."""
    folder = os.path.dirname(test.path)
    libraries = ["-lm"] if test.language != "fortran" else []
    command = COMPILERS[test.language] + ["-O2", "-fopenmp", "-foffload=disable", "-I../"] + test.options
    sources = [os.path.basename(test.path)] + test.sources
    key = hashlib.sha1(repr((version, command, sources)).encode()).hexdigest()[:12]
    program = os.path.join(build, "programs", test.name.replace("/", "_") + "-" + key)
    if os.path.exists(program):
        return program
    with tempfile.TemporaryDirectory() as modules:
        extra = ["-J", modules] if test.language == "fortran" else []
        tail = ["-x", "none"] if test.language == "c++" else []
        result = subprocess.run(command + extra + sources + tail + ["-o", program] + libraries,
                                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        test.skip = "does not compile: " + result.stdout.decode(errors="replace")[-300:]
        return None
    return program


def environment_of(test, options):
    environment = dict(os.environ)
    for pair in options.env:
        name, _, value = pair.partition("=")
        environment[name] = value
    environment.update(test.environment)
    if options.runtime != "system":
        environment["LD_LIBRARY_PATH"] = os.path.abspath(options.runtime)
    return environment


def output_matches(test, text):
    position, text = 0, "\n" + text
    for pattern in test.outputs:
        # Messages say whose they are, and ours have no blank line before them.
        pattern = pattern.replace("libgomp:", "(libgomp|ghcomp):")
        pattern = re.sub(r"(\((\\[nr]|\|)+\))+", r"\\s+", pattern)
        found = re.compile(pattern).search(text, position)
        if not found:
            return False
        position = found.end()
    return True


def run_program(program, test, options):
    """(ok, exit status or 'timeout', output)"""
    cpus = {int(c) for c in options.cpus.split(",")} if options.cpus else None

    def prepare():
        os.setsid()
        if cpus:
            os.sched_setaffinity(0, cpus)

    with tempfile.TemporaryDirectory() as scratch:
        process = subprocess.Popen([program], cwd=scratch, env=environment_of(test, options),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, preexec_fn=prepare)
        try:
            output, _ = process.communicate(timeout=options.timeout * test.timeout_factor)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return False, "timeout", output.decode(errors="replace")
    text = output.decode(errors="replace")
    failed = process.returncode != 0
    return failed == test.should_fail and output_matches(test, text), process.returncode, text


def wanted(test, options, listed):
    if listed is not None and test.name not in listed:
        return False
    return not options.only or any(fnmatch.fnmatch(test.name, glob_) for glob_ in options.only)


def read_list(path):
    with open(path) as file:
        return {line.split("#")[0].strip() for line in file if line.split("#")[0].strip()}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", default="build/lib", help="folder of libgomp.so.1, or 'system'")
    parser.add_argument("--set", default="c,c++,fortran")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--cpus", default="", help="processors to run on, as 0 or 0,1")
    parser.add_argument("--timeout", type=float, default=60, help="seconds per test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB")
    parser.add_argument("--list", help="file of test names: run these")
    parser.add_argument("--expect", help="file of tests that fail under libgomp too")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--build", default="build/gcc-suite")
    parser.add_argument("--json", help="write a record of every test")
    parser.add_argument("--verbose", action="store_true", help="say why tests are skipped")
    return parser.parse_args()


def main():
    options = arguments()
    build = os.path.abspath(options.build)
    os.makedirs(os.path.join(build, "programs"), exist_ok=True)
    version = subprocess.run(["gcc", "--version"], capture_output=True).stdout.decode().splitlines()[0]
    listed = read_list(options.list) if options.list else None
    expected = read_list(options.expect) if options.expect else set()
    tests = [t for t in collect(unpack(build), options.set.split(",")) if wanted(t, options, listed)]
    runnable = [t for t in tests if not t.skip and t.action in ("run", "link")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(pool.map(lambda t: compile_test(t, build, version), runnable))
    linked = sum(1 for t, p in zip(runnable, programs) if p and t.action == "link")
    ready = [(t, p) for t, p in zip(runnable, programs) if p and t.action == "run"]
    if options.verbose:
        for test in tests:
            if test.skip:
                print(f"SKIP {test.name}: {test.skip}")

    def execute(pair):
        start = time.time()
        ok, status, text = run_program(pair[1], pair[0], options)
        return pair[0], ok, status, text, time.time() - start

    records, passed, failed, known = [], 0, 0, 0
    for _ in range(options.repeat):
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for test, ok, status, text, seconds in pool.map(execute, ready):
                records.append({"test": test.name, "ok": ok, "status": status,
                                "seconds": round(seconds, 3)})
                if ok:
                    passed += 1
                elif test.name in expected:
                    known += 1
                    print(f"KNOWN {test.name}: {status}")
                else:
                    failed += 1
                    tail = " | ".join(text.strip().splitlines()[-3:])
                    print(f"FAIL {test.name}: {status}; {tail[:300]}", flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(records, file, indent=1)
    passed += linked * options.repeat
    skipped = len(tests) - len(ready) - linked + known
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
