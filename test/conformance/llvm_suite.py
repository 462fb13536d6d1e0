#!/usr/bin/env python3
"""Runs LLVM's own tests of libomp under any libomp.so.5.

The suite is openmp/runtime/test of Debian's source package llvm-toolchain-N.  --fetch brings
it with apt-get into the build folder (130 MB, of which 3 stay); it is never part of this
project.  LLVM's own lit and FileCheck run it, with Clang N.  N is the newest version that is
installed with libomp, unless --llvm names another one.  Each test is linked as Clang links a
program, against the installed libomp, so that it needs every name under LLVM's version node.
--link names another folder to link with.  A program runs with the folder that --runtime names
first in LD_LIBRARY_PATH.

All tests count except those of OMPT, the interface of tools.  A test passes if its own RUN
lines succeed within --timeout.  A test that its own REQUIRES or UNSUPPORTED lines exclude
counts as skipped, and so does a failure that --expect lists.

Exit status: 0, 1 if a test failed, 2 if nothing could be run.  If this machine lacks
something, one line that begins with "not run:" says what; then --optional makes the status
0."""

import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

# The tests, and a header of the runtime, which three of them include as ../../src.
PART = re.compile(r"[^/]+/openmp/runtime/(?=test/|src/kmp_platform\.h$)")


class Missing(Exception):
    """What this machine lacks."""


# ------------------------------------------------------------------------------- the suite

def sources_list(folder):
    """The system's own package sources, as sources of source packages; otherwise Debian's usual ones."""
    with open("/etc/os-release") as file:
        name = re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.M)
    suite_here = name[1] if name else "bookworm"
    suites, found = {suite_here + end for end in ("", "-updates", "-security")}, []
    suites |= {"sid", "unstable", "testing"}  # their os-release names the next release
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]:
        if os.path.exists(path):
            found += re.findall(r"^\s*deb(?:-src)?\s+(?:\[[^]]*\]\s*)?(\S+)\s+(\S+)\s", open(path).read(), re.M)
    for path in glob.glob("/etc/apt/sources.list.d/*.sources"):
        for stanza in open(path).read().split("\n\n"):
            keys = dict(re.findall(r"^([\w-]+):\s*(.*)$", stanza, re.M))
            found += [(keys["URIs"].split()[0], suite) for suite in keys.get("Suites", "").split() if "URIs" in keys]
    found = [pair for pair in found if pair[1] in suites] or [("http://deb.debian.org/debian", suite_here)]
    path = os.path.join(folder, "sources.list")
    with open(path, "w") as file:
        for url, suite_name in dict.fromkeys(found):
            file.write(f"deb-src {url} {suite_name} main\n")
    return path


def fetch(version, build):
    """The source package's tarball, in its own folder.  Needs no root, because apt-get keeps its lists there too."""
    folder = tempfile.mkdtemp(prefix="fetch-", dir=build)
    for name in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(folder, name))
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={sources_list(folder)}", "-o", "Dir::Etc::SourceParts=-",
           "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}", "-o", "APT::Sandbox::User=root"]
    log = os.path.join(build, "fetch.log")
    with open(log, "w") as output:
        for command in (["update"], ["source", "--download-only", f"llvm-toolchain-{version}"]):
            subprocess.run(apt + command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, check=False)
    tarballs = glob.glob(f"{folder}/llvm-toolchain-{version}_*.orig.tar.*z*")
    if not tarballs:
        raise Missing(f"apt-get cannot bring the source package llvm-toolchain-{version}; what it said is in {log}")
    return folder, max(tarballs, key=os.path.getsize)


def unpack(tarball, target):
    scratch = tempfile.mkdtemp(prefix="unpack-", dir=os.path.dirname(target))
    with tarfile.open(tarball) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # newer Pythons require a choice
        for member in archive:
            if member.isfile() and PART.match(member.name):
                member.name = PART.sub("", member.name)
                archive.extract(member, scratch)
    os.rename(scratch, target)


def suite(options):
    target = os.path.join(options.build, f"llvm-{options.llvm}")
    tests = os.path.join(target, "test")
    if os.path.isdir(tests):
        return tests
    if options.tarball:
        unpack(options.tarball, target)
    elif options.fetch:
        folder, tarball = fetch(options.llvm, options.build)
        unpack(tarball, target)
        shutil.rmtree(folder)
    else:
        raise Missing(f"LLVM {options.llvm}'s tests are not in {options.build} (make conformance-llvm fetches them)")
    return tests


# ------------------------------------------------------------------------------- the tools

def newest():
    """The newest version of which Clang and libomp are installed; 14, Debian 12's, if there is none."""
    found = [re.search(r"llvm-(\d+)/", path) for path in glob.glob("/usr/lib/llvm-*/lib/libomp.so")]
    return max((int(name[1]) for name in found if name and os.path.exists(f"/usr/lib/llvm-{name[1]}/bin/clang")), default=14)


def tools(version):
    """The compilers, lit, FileCheck and the library to link with, all of the same version."""
    root = f"/usr/lib/llvm-{version}"
    lit = f"{root}/bin/lit"
    if not os.path.exists(lit):  # older packages have it in another place only
        lit = f"{root}/build/utils/lit/lit.py"
    wanted = {"clang": f"{root}/bin/clang", "clang++": f"{root}/bin/clang++", "FileCheck": f"{root}/bin/FileCheck",
              "not": f"{root}/bin/not", "lit": lit, "libomp": f"{root}/lib/libomp.so"}
    missing = [path for path in wanted.values() if not os.path.exists(path)]
    if missing:
        raise Missing(f"{', '.join(missing)} missing: install clang-{version}, llvm-{version}-tools and libomp-{version}-dev")
    headers = glob.glob(f"{root}/lib/clang/*/include/omp.h")
    if not headers:
        raise Missing(f"{root} has no omp.h: install libomp-{version}-dev")
    return wanted, os.path.dirname(headers[0]), f"{root}/lib"


def runtime_folder(name, system):
    """The folder with the libomp.so.5 that the tests must load."""
    folder = system if name == "system" else os.path.abspath(name)
    if not os.path.exists(os.path.join(folder, "libomp.so.5")):
        raise Missing(f"{folder} has no libomp.so.5 (make builds it)")
    return folder


SITE = """
import os
for name, value in {values!r}.items():
    setattr(config, name, value)
try:
    import lit.llvm
    lit.llvm.initialize(lit_config, config)
except Exception:
    pass  # before 15 lit.cfg asks for nothing of it
lit_config.load_config(config, {source!r} + "/lit.cfg")
config.excludes = set(config.excludes) | {{"ompt"}}
config.environment["LD_LIBRARY_PATH"] = {runtime!r}
config.environment.update({environment!r})
config.substitutions = [(name, {limit!r} + " " + value if name == "%libomp-run" else value)
                        for name, value in config.substitutions]
"""


def configure(options, source, runtime, wanted, headers):
    """Writes a lit.site.cfg into the folder of lit's own files."""
    folder = tempfile.mkdtemp(prefix=f"run-{options.llvm}-", dir=options.build)
    major = str(options.llvm)
    values = dict(
        test_c_compiler=wanted["clang"], test_cxx_compiler=wanted["clang++"], test_fortran_compiler="",
        test_compiler_features=["clang", "clang-" + major, f"clang-{major}.0"], test_compiler_has_omp_h=True,
        test_filecheck=wanted["FileCheck"], test_not=wanted["not"], test_openmp_flags="-fopenmp", test_extra_flags="-w",
        libomp_obj_root=folder, library_dir=os.path.dirname(wanted["libomp"]), omp_header_directory=headers, operating_system="Linux",
        target_triple="x86_64-pc-linux-gnu", hwloc_library_dir="", using_hwloc=False, has_ompt=False, has_libm=True,
        has_libatomic=True, has_omit_frame_pointer_flag=True, target_arch="x86_64", compiler_frontend_variant="GNU",
        compiler_simulate_id="", is_standalone_build=True, has_omp_taskgraph_experimental=False, has_ompx_taskgraph=False,
        llvm_tools_dir=os.path.dirname(wanted["FileCheck"]))
    environment = dict(pair.split("=", 1) for pair in options.env)
    limit = f"timeout -k 5 {options.timeout:g}"
    with open(os.path.join(folder, "lit.site.cfg"), "w") as file:
        file.write(SITE.format(values=values, source=source, runtime=runtime, environment=environment, limit=limit))
    return folder


# ----------------------------------------------------------------------------------- running

# lit's words, and the words for them here.
STATUS = {"PASS": "pass", "FLAKYPASS": "pass", "XPASS": "fail", "FAIL": "fail", "XFAIL": "known", "UNSUPPORTED": "skip",
          "TIMEOUT": "timeout", "UNRESOLVED": "fail", "SKIPPED": "skip", "EXCLUDED": "skip"}


def tests_of(options, source):
    """Paths for lit: all tests, or those that --list and --only select."""
    names = read_list(options.list) if options.list else []
    for name in names:
        if not os.path.exists(os.path.join(source, name)):
            print(f"NOTE {name}: listed, but not in the suite")
    return [name for name in names if os.path.exists(os.path.join(source, name))]


def run_round(options, source, folder, wanted):
    """{name: (status, output)}."""
    result = os.path.join(folder, "result.json")
    names = tests_of(options, source)
    if options.list and not names:
        raise Missing(f"none of {options.list} is in the suite")
    filters = ["--filter", "|".join(options.only)] if options.only else []
    command = [sys.executable, wanted["lit"], f"-j{options.jobs}", "-q", "--no-progress-bar", "-o", result,
               *filters, *([os.path.join(folder, name) for name in names] or [folder])]
    with open(os.path.join(folder, "lit.log"), "a") as log:
        subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False)
    if not os.path.exists(result):
        raise Missing(f"lit gives no result; what it said is in {folder}/lit.log")
    with open(result) as file:
        tests = json.load(file)["tests"]
    os.remove(result)
    outcomes = {}
    for test in tests:
        status = STATUS.get(test["code"], "fail")
        if status == "fail" and re.search(r"\b124\b", test["output"]):
            status = "timeout"
        outcomes[test["name"].split(" :: ")[-1]] = (status, test["output"], test.get("elapsed", 0))
    return outcomes


def report(name, status, output, verbose):
    if status in ("pass", "skip") and not verbose:
        return
    print(f"{status.upper()} {name}")
    if status in ("fail", "timeout"):
        for line in output.strip().splitlines()[-8:]:
            print("    " + line[:200])
    sys.stdout.flush()


SEVERITY = ["pass", "skip", "known", "fail", "timeout"]


def summary(outcomes):
    counts = collections.Counter(outcomes.values())
    failed = counts["fail"] + counts["timeout"]
    return failed, f"{counts['pass']} passed, {failed} failed, {counts['skip'] + counts['known']} skipped"


def read_list(path):
    with open(path) as file:
        names = (line.split("#")[0].strip() for line in file)
        return [name for name in names if name]


def write_json(path, options, rounds):
    tests = [{"name": name, "status": max((r[name] for r in rounds), key=SEVERITY.index),
              "rounds": [r[name] for r in rounds]} for name in sorted(rounds[0])]
    with open(path, "w") as file:
        json.dump({"suite": f"llvm-{options.llvm}", "environment": options.env, "tests": tests}, file, indent=1)
        file.write("\n")


def compare(path, outcomes):
    with open(path) as file:
        before = {test["name"]: test["status"] for test in json.load(file)["tests"]}
    for name, status in sorted(outcomes.items()):
        if before.get(name, "absent") != status:
            print(f"CHANGED {name}: {before.get(name, 'absent')}, now {status}")


def pair_of(text):
    if "=" in text:
        return text
    raise argparse.ArgumentTypeError("NAME=VALUE is wanted")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--runtime", default="build/lib", metavar="DIR", help="folder of libomp.so.5 (build/lib), or 'system'")
    add("--link", metavar="DIR", help="folder of the libomp.so that programs are linked with (LLVM's)")
    add("--llvm", type=int, default=newest(), metavar="N", help="version of the suite, of Clang and of lit (%(default)s)")
    add("--only", action="append", default=[], metavar="REGEX", help="tests whose path matches; repeatable")
    add("--list", metavar="FILE", help="tests named in FILE, one on a line; # starts a comment")
    add("--expect", metavar="FILE", help="tests known to fail under libomp itself, in the same format")
    add("--env", action="append", default=[], type=pair_of, metavar="NAME=VALUE", help="for the programs; repeatable")
    add("--timeout", type=float, default=60, metavar="S", help="seconds for one run of a test's program (60)")
    add("--jobs", type=int, default=1, metavar="N", help="tests that run at a time (1)")
    add("--repeat", type=int, default=1, metavar="N", help="rounds; a test passes if it passes in each (1)")
    add("--build", default="build/llvm-suite", metavar="DIR", help="where the suite and the programs are kept")
    add("--fetch", action="store_true", help="fetch the source package if it is not there yet")
    add("--tarball", metavar="FILE", help="LLVM's sources, if they are here already")
    add("--optional", action="store_true", help="do not fail if the machine lacks something")
    add("--json", metavar="FILE", help="write name and status of every test")
    add("--compare", metavar="FILE", help="print the tests whose status differs from an earlier --json")
    add("--verbose", action="store_true", help="name every test")
    return parser.parse_args()


def run(options):
    wanted, headers, system = tools(options.llvm)
    runtime = runtime_folder(options.runtime, system)
    if options.link:
        wanted["libomp"] = os.path.join(os.path.abspath(options.link), "libomp.so")
        if not os.path.exists(wanted["libomp"]):
            raise Missing(f"{wanted['libomp']} is not there (make builds it)")
    source = suite(options)
    folder = configure(options, source, runtime, wanted, headers)
    known = set(read_list(options.expect)) if options.expect else set()
    rounds = []
    for number in range(options.repeat):
        outcomes = run_round(options, source, folder, wanted)
        rounds.append({})
        for name, (status, output, _) in sorted(outcomes.items()):
            status = "known" if status in ("fail", "timeout") and name in known else status
            rounds[-1][name] = status
            report(name, status, output, options.verbose)
        if options.repeat > 1:
            print(f"round {number + 1}: {summary(rounds[-1])[1]}", flush=True)
    if options.json:
        write_json(options.json, options, rounds)
    worst = {name: max((r[name] for r in rounds), key=SEVERITY.index) for name in rounds[0]}
    if options.compare:
        compare(options.compare, worst)
    shutil.rmtree(folder)
    failed, line = summary(worst)
    print(line)
    return 1 if failed else 0


def main():
    options = read_arguments()
    options.build = os.path.abspath(options.build)
    os.makedirs(options.build, exist_ok=True)
    try:
        return run(options)
    except Missing as missing:
        print(f"not run: {missing}")
        return 0 if options.optional else 2


if __name__ == "__main__":
    sys.exit(main())
