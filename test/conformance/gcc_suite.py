#!/usr/bin/env python3
"""Runs GCC's own tests of libgomp under any libgomp.so.1.

The suite comes from Debian's package gcc-N-source and is unpacked into the build
folder; it is never part of this project.  Each test is compiled once, plainly (gcc
-fopenmp, against the system's library, so that it needs libgomp.so.1), and the program is
kept there.  It runs with the folder that --runtime names first in LD_LIBRARY_PATH.
--compiler clang-14 compiles it with Clang, so that it needs libomp.so.5; a test that
Clang rejects is skipped.

The tests that count are those that GCC's own harness would run or link on a host without an
accelerator: of libgomp.c, libgomp.c++, libgomp.fortran and, in C and again in C++,
libgomp.c-c++-common, with their subfolders.  Tests that are only compiled, and scans of the
compiler's dumps, do not test a runtime.  A link test passes when it links and the loader
finds every symbol that it needs, with its version, in the runtime.  Fortran tests run once,
at -O2, and with --torture at each of the six levels of GCC's own list.

GCC 12.2 has 1364 of these on x86-64 (567 in C, 436 in C++, 361 in Fortran), and plain
libgomp passes all.  Earlier counts give 543 of 544 in C and 533 of 536 in the others.  The
four failures are most likely directives that were not followed: libgomp.c/pr95620.c is a
link test, which loops for ever when it is executed, and three Fortran tests need
-DMEM_SHARED, because offload_device_shared_as holds on a host that is its own device.
README.md, beside this file, explains other differences of the counts.

Exit status: 0, 1 if a test failed, 2 if nothing could be run."""

# One file, although it is long, so that it can be copied and run alone.  Its parts, in
# order: Tcl, the host, the directives, the suite, compiling, running, results, choosing.

import argparse
import collections
import concurrent.futures
import dataclasses
import fnmatch
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

# ------------------------------------------------------------------- Tcl, as far as needed

ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def unescape(text):
    """Replaces backslash escapes as Tcl does in a quoted word."""
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text, flags=re.S)


def closing_brace(text, start):
    """The position after the brace that closes the one at START."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return len(text)


def words(text):
    """The words of a Tcl list: {braced} words unchanged, "quoted" and bare ones unescaped."""
    result, position = [], 0
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text[position] == "{":
            end = closing_brace(text, position)
            result.append(text[position + 1:end - 1])
            position = end
        else:
            match = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s{]+)', re.S).match(text, position)
            if not match:
                break
            result.append(unescape(match[1] if match[1] is not None else match[2]))
            position = match.end()
    return result


# ----------------------------------------------------------------------- the host, as seen

MACHINE = os.uname().machine
TRIPLET = MACHINE + "-pc-linux-gnu"
X86 = MACHINE == "x86_64"


def processor_flags():
    with open("/proc/cpuinfo") as file:
        return set(re.findall(r"^flags\s*:\s*(.*)$", file.read(), re.M)[0].split()) if X86 else set()


FLAGS = processor_flags()
# GCC's "effective targets".  A name in neither line does not hold, and the reason for the skip says so.
HOLDS = {
    "avx_runtime": "avx" in FLAGS, "sse2_runtime": "sse2" in FLAGS,
    "__float128": X86, "large_long_double": X86, "vect_simd_clones": X86,
    "run_expensive_tests": bool(os.environ.get("GCC_TEST_RUN_EXPENSIVE")),
    # The host is the only device: it shares its memory with itself.
    "offload_device_shared_as": True,
    **dict.fromkeys("alias fd_truncate fopenmp fpic lp64 lto pthread shared size32plus "
                    "sync_int_long tls tls_runtime".split(), True),
    **dict.fromkeys("aarch64_tiny ia32 offload_device offload_device_any_intel_mic "
                    "offload_device_nonshared_as offload_target_amdgcn offload_target_nvptx "
                    "skip-all-targets".split(), False),
}


def atom_holds(name, language):
    if name.count("-") >= 2 and name != "skip-all-targets":
        return fnmatch.fnmatchcase(TRIPLET, name)
    if name in ("c", "c++", "fortran"):
        return name == language
    return HOLDS.get(name, False)


def holds(selector, language):
    """The value of a target selector: an atom, ! A, A && B, A || B, or a list (any of them)."""
    items = words(selector)
    if len(items) == 1 and items[0] == selector.strip():
        return atom_holds(items[0], language)
    if items and items[0] == "!":
        return not holds(" ".join("{%s}" % item for item in items[1:]), language)
    if len(items) >= 3 and items[1] in ("&&", "||"):
        left, rest = holds(items[0], language), " ".join("{%s}" % item for item in items[2:])
        return (left and holds(rest, language)) if items[1] == "&&" else (left or holds(rest, language))
    return any(holds(item, language) for item in items)


# -------------------------------------------------------------------- what a test asks for

@dataclasses.dataclass
class Test:
    path: str
    name: str
    language: str
    options: list               # the default options, until dg-options replaces them
    level: list = dataclasses.field(default_factory=list)  # Fortran's optimisation level
    action: str = "run"
    sources: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    output: str = ""            # one regular expression: the dg-output texts, one after the other
    should_fail: bool = False
    expected_to_fail: bool = False
    skip: str = ""
    timeout: float = 0
    timeout_factor: float = 1


def selected(test, arguments, position):
    """Whether the { target ... } or { xfail ... } at that position, if there is one, holds."""
    if len(arguments) <= position:
        return True
    kind, _, selector = arguments[position].strip().partition(" ")
    return kind not in ("target", "xfail") or holds(selector, test.language)


def flags_match(test, arguments):
    """The third and fourth argument of dg-skip-if and similar directives: options that must and must not be there."""
    flags = test.level + test.options

    def any_of(patterns):
        return any(fnmatch.fnmatchcase(flag, p) for p in words(patterns) if p for flag in flags + [""])

    wanted = any_of(arguments[2]) if len(arguments) > 2 else True
    return wanted and not (len(arguments) > 3 and any_of(arguments[3]))


def dg_do(test, arguments):
    test.action = arguments[0].strip()
    if not selected(test, arguments, 1):
        test.skip = "dg-do %s %s" % (arguments[0], arguments[1])


def dg_options(test, arguments):
    if selected(test, arguments, 1):
        test.options = arguments[0].split()


def dg_additional_options(test, arguments):
    if selected(test, arguments, 1):
        test.options = test.options + arguments[0].split()


def dg_require_effective_target(test, arguments):
    if selected(test, arguments, 1) and not holds(arguments[0], test.language):
        known = "" if arguments[0] in HOLDS else " (not known to this runner)"
        test.skip = test.skip or "needs " + arguments[0] + known


def dg_skip_if(test, arguments):
    if holds(arguments[1], test.language) and flags_match(test, arguments):
        test.skip = test.skip or "dg-skip-if " + arguments[1]


def dg_xfail_run_if(test, arguments):
    test.expected_to_fail |= holds(arguments[1], test.language) and flags_match(test, arguments)


def dg_shouldfail(test, arguments):
    test.should_fail = len(arguments) < 2 or (holds(arguments[1], test.language) and flags_match(test, arguments))


def dg_output(test, arguments):
    if selected(test, arguments, 1):
        test.output += arguments[0]


def dg_set_target_env_var(test, arguments):
    test.environment[arguments[0]] = arguments[1]


def dg_additional_sources(test, arguments):
    if selected(test, arguments, 1):
        test.sources = test.sources + arguments[0].split()


def dg_timeout(test, arguments):
    if selected(test, arguments, 1):
        test.timeout = float(arguments[0])


def dg_timeout_factor(test, arguments):
    if selected(test, arguments, 1):
        test.timeout_factor = float(arguments[0])


DIRECTIVES = {function.__name__.replace("_", "-"): function for function in (
    dg_do, dg_options, dg_additional_options, dg_require_effective_target, dg_skip_if, dg_xfail_run_if,
    dg_shouldfail, dg_output, dg_set_target_env_var, dg_additional_sources, dg_timeout, dg_timeout_factor)}
DIRECTIVE = re.compile(r"\{[ \t]+(dg-[-a-z]+)[ \t]+(.*)[ \t]+\}[^}]*$")  # DejaGnu's own expression: one in a line


def read_test(test):
    """The test, with the settings of the directives in its source."""
    with open(test.path, errors="replace") as file:
        for line in file:
            match = DIRECTIVE.search(line.rstrip("\n"))
            if match and match[1] in DIRECTIVES:
                DIRECTIVES[match[1]](test, words(match[2]))
    return test


# ----------------------------------------------------------------------- the suite's files

SETS = {  # folders with the endings of their tests
    "c": [("libgomp.c", "c"), ("libgomp.c-c++-common", "c")],
    "c++": [("libgomp.c++", "C"), ("libgomp.c-c++-common", "c")],
    "fortran": [("libgomp.fortran", "[fF]|[fF](90|95|03|08)")],
}
TORTURE = ["-O0", "-O1", "-O2",
           "-O3 -fomit-frame-pointer -funroll-loops -fpeel-loops -ftracer -finline-functions", "-O3 -g", "-Os"]
PARTS = re.compile(r"[^/]+/(libgomp/[^/]+\.h|include/gomp-constants\.h|"
                   r"libgomp/testsuite/libgomp\..*)$")
CONFIG = "".join("#define %s 1\n" % name for name in (
    "HAVE_ALLOCA_H HAVE_PTHREAD_AFFINITY_NP HAVE_STRING_H HAVE_UNISTD_H").split())


def stop(message):
    print("gcc_suite: " + message, file=sys.stderr)
    sys.exit(2)


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError):
        return stop("there is no working " + command[0])


def find_tarball():
    """The tarball of the compiler's own version; otherwise the newest."""
    found = glob.glob("/usr/src/gcc-*/gcc-*.tar.xz")
    if not found:
        stop("there is no /usr/src/gcc-*/gcc-*.tar.xz: install the package gcc-12-source")
    major = first_line("gcc", "-dumpversion").split(".")[0]
    return max(found, key=lambda path: ("/gcc-%s/" % major in path, [int(n) for n in re.findall(r"\d+", path)]))


def unpack(tarball, build):
    """The folder libgomp/ of the suite; unpacks it if necessary."""
    target = os.path.join(build, os.path.basename(tarball).replace(".tar.xz", ""))
    if not os.path.isdir(target):
        scratch = tempfile.mkdtemp(prefix="unpack-", dir=build)
        with tarfile.open(tarball) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # newer Pythons require a choice
            for member in archive:
                if member.isfile() and PARTS.match(member.name):
                    member.name = member.name.split("/", 1)[1]
                    archive.extract(member, scratch)
        # The files that libgomp's configure would write.
        for name, text in (("config.h", CONFIG), ("gstdint.h", "#include <stdint.h>\n")):
            with open(os.path.join(scratch, "libgomp", name), "w") as file:
                file.write(text)
        try:
            os.rename(scratch, target)
        except OSError:  # another run has created it first
            shutil.rmtree(scratch)
    return target


def tests_of_set(language, source, torture):
    suite = os.path.join(source, "libgomp", "testsuite")
    levels = TORTURE if torture and language == "fortran" else ["-O2"]
    for folder, ending in SETS[language]:
        for path in sorted(glob.glob(os.path.join(suite, folder, "**", "*"), recursive=True)):
            if not re.search(r"\.(%s)$" % ending, path):
                continue
            label = os.path.relpath(path, suite) + ("@c++" if language == "c++" and folder.endswith("common") else "")
            for level in levels:
                suffix = "@" + level.split(" -f")[0].replace(" ", "") if len(levels) > 1 else ""
                if language == "fortran":
                    yield read_test(Test(path, label + suffix, language, [], level.split()))
                else:
                    yield read_test(Test(path, label, language, level.split()))


# ---------------------------------------------------------------------------- compiling

@dataclasses.dataclass
class Compiler:
    commands: dict  # by language
    flags: list
    library: str    # the library that -fopenmp links

    def version(self, language):
        return first_line(self.commands[language][0], "--version")


# A compiler for an accelerator, if one is installed, must not change the results.
GCC = Compiler({"c": ["gcc"], "c++": ["g++", "-x", "c++"], "fortran": ["gfortran"]}, ["-foffload=disable"], "libgomp.so.1")


def compiler_of(text):
    if text == "gcc":
        return GCC
    before, name, after = text.rpartition("clang")
    if not name:
        raise argparse.ArgumentTypeError("gcc or a clang is wanted")
    return Compiler({"c": [text], "c++": [before + "clang++" + after, "-x", "c++"]}, [], "libomp.so.5")


def compile_command(test, source, compiler):
    includes = ["-I" + os.path.join(source, part) for part in ("include", "libgomp")]
    # A program that calls no function of the library needs it too, for what OMP_DISPLAY_ENV prints.
    return (compiler.commands[test.language] + includes + ["-fopenmp", *compiler.flags, "-Wl,--no-as-needed"]
            + test.level + test.options)


def program_path(test, build, source, compiler, versions):
    """Where the program is kept: the name contains everything that it was made from."""
    folder = os.path.dirname(test.path)
    digest = hashlib.sha256(repr((versions[test.language], os.path.basename(source), compile_command(test, "", compiler),
                                  test.sources)).encode())
    for path in [test.path] + [os.path.join(folder, name) for name in test.sources]:
        with open(path, "rb") as file:
            digest.update(file.read())
    return os.path.join(build, test.language, test.name.replace("/", "_") + "-" + digest.hexdigest()[:12])


def compile_test(test, build, source, compiler, versions):
    """The program's path, or None with the reason in test.skip."""
    program = program_path(test, build, source, compiler, versions)
    if os.path.exists(program):
        return program
    folder = os.path.dirname(test.path)
    files = [test.path] + [os.path.join(folder, name) for name in test.sources]
    tail = ["-x", "none", "-lm"] if test.language == "c++" else ["-lm"]
    with tempfile.TemporaryDirectory(dir=os.path.dirname(program)) as scratch:  # modules and dumps stay in this folder
        made = os.path.join(scratch, "program")
        result = subprocess.run(compile_command(test, source, compiler) + files + ["-o", made] + tail, cwd=scratch,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                                env={**os.environ, "LC_ALL": "C"})
        if result.returncode != 0:
            errors = [line for line in result.stdout.splitlines() if re.search("error|undefined", line, re.I)]
            test.skip = "does not compile: " + (errors or ["no message"])[0].replace(source, "")[:200]
            return None
        os.rename(made, program)
    return program


def compile_all(tests, options, source):
    """[(test, program)] of the tests that the compiler accepts; the others are reported as skipped."""
    versions = {}
    for language in {test.language for test in tests}:
        versions[language] = options.compiler.version(language)
        os.makedirs(os.path.join(options.build, language), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(pool.map(lambda test: compile_test(test, options.build, source, options.compiler, versions), tests))
    for test, program in zip(tests, programs):
        if not program:
            print("SKIP %s: %s" % (test.name, test.skip))
    return [(test, program) for test, program in zip(tests, programs) if program]


# ------------------------------------------------------------------------------ running

# status: pass, fail, timeout; known (a failure that is expected); skip
Outcome = collections.namedtuple("Outcome", "name status seconds code output")


def environment_of(test, options):
    environment = {**os.environ, "LC_ALL": "C", "LANG": "C"}
    environment.pop("LD_LIBRARY_PATH", None)
    if options.runtime != "system":
        environment["LD_LIBRARY_PATH"] = os.path.abspath(options.runtime)
    environment.update(pair.split("=", 1) for pair in options.env)
    environment.update(test.environment)
    return environment


def limit_of(test, options):
    return min(test.timeout or options.timeout, options.timeout) * test.timeout_factor


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)  # also the children that a test leaves behind
    except ProcessLookupError:
        pass


def run_process(command, environment, limit):
    """(exit status or None after the limit, output), in its own scratch directory and session."""
    with tempfile.TemporaryDirectory(prefix="gcc-suite-") as scratch, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        kill_group(process)
        process.wait()
        output.seek(0)
        return code, output.read(4 << 20).decode(errors="replace")


def loads(program, environment):
    """(exit status, output) of the loader, asked for every symbol that the program needs, without running the program."""
    code, output = run_process(["ldd", "-r", program], environment, 60)
    return code or int(bool(re.search(r"not found|undefined symbol", output))), output


def output_matches(test, text, prefix):
    if prefix:  # turns the runtime's messages into the form of libgomp's
        text = re.sub(r"(?m)^%s: " % re.escape(prefix), "\nlibgomp: ", text)
    return re.search(test.output, text, re.S) is not None


def run_once(test, program, options):
    start = time.monotonic()
    environment = environment_of(test, options)
    if test.action == "link":
        code, output = loads(program, environment)
    else:
        code, output = run_process([program], environment, limit_of(test, options))
    good = code is not None and (code != 0) == test.should_fail
    if good and test.output and test.action == "run":
        good = output_matches(test, output, options.prefix)
        output += "" if good else "\n(the output does not match)"
    status = "pass" if good else "timeout" if code is None else "fail"
    return Outcome(test.name, status, time.monotonic() - start, code, output)


def settle(test, outcome, known):
    """The outcome, or `known` if its failure is expected."""
    if outcome.status != "pass" and (test.expected_to_fail or test.name in known):
        return outcome._replace(status="known")
    if outcome.status == "pass" and test.name in known:
        print("NOTE %s: listed as known to fail, but passes" % test.name)
    return outcome


def report(outcome):
    if outcome.status == "pass":
        return
    cause = "timed out after %.0f s" % outcome.seconds if outcome.code is None else "exit status %d" % outcome.code
    print("%s %s: %s" % ("KNOWN" if outcome.status == "known" else "FAIL", outcome.name, cause))
    for line in outcome.output.strip().splitlines()[-5:]:
        print("    " + line[:200])
    sys.stdout.flush()


def run_round(ready, options, known):
    """One outcome for each program.  Each thread of the pool sets its processors, and its child inherits them."""
    cpus = {int(n) for n in options.cpus.split(",")} if options.cpus else os.sched_getaffinity(0)
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs, initializer=os.sched_setaffinity,
                                               initargs=(0, cpus)) as pool:
        for (test, _), outcome in zip(ready, pool.map(lambda p: run_once(p[0], p[1], options), ready)):
            outcomes.append(settle(test, outcome, known))
            report(outcomes[-1])
    return outcomes


def check_runtime(ready, options):
    """Stops if the programs would not load the requested library."""
    if options.runtime == "system":
        return
    library = options.compiler.library
    wanted = os.path.join(os.path.abspath(options.runtime), library)
    if not os.path.exists(wanted):
        stop("there is no " + wanted)
    for test, program in ready:  # the first program that needs the library
        output = loads(program, environment_of(test, options))[1]
        if library in output:
            return None if "=> %s " % wanted in output else stop("%s does not load %s" % (program, wanted))


# ------------------------------------------------------------------------------ results

SEVERITY = ["pass", "known", "fail", "timeout"]


def worst_of(rounds):
    """The worst outcome of each test: a test passes if it passed in every round."""
    return [max(outcomes, key=lambda o: SEVERITY.index(o.status)) for outcomes in zip(*rounds)]


def write_json(path, options, source, rounds, skipped):
    tests = [{"name": worst.name, "status": worst.status, "seconds": round(worst.seconds, 3), "code": worst.code,
              "rounds": [outcome.status for outcome in outcomes]}
             for worst, outcomes in zip(worst_of(rounds), zip(*rounds))]
    tests += [{"name": test.name, "status": "skip", "reason": test.skip} for test in skipped]
    record = {"suite": os.path.basename(source), "compiler": options.compiler.version(options.set.split(",")[0]),
              "environment": options.env, "cpus": options.cpus, "tests": tests}
    with open(path, "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")


def compare(path, outcomes):
    with open(path) as file:
        before = {test["name"]: test["status"] for test in json.load(file)["tests"]}
    for outcome in outcomes:
        if before.get(outcome.name, "absent") != outcome.status:
            print("CHANGED %s: %s, now %s" % (outcome.name, before.get(outcome.name, "absent"), outcome.status))


def summary(outcomes, skipped):
    counts = collections.Counter(outcome.status for outcome in outcomes)
    failed = counts["fail"] + counts["timeout"]
    return failed, "%d passed, %d failed, %d skipped" % (counts["pass"], failed, skipped + counts["known"])


# ------------------------------------------------------------------------------ choosing

def read_list(path):
    with open(path) as file:
        names = (line.split("#")[0].strip() for line in file)
        return [name for name in names if name]


def choose(tests, options):
    listed = set(read_list(options.list)) if options.list else None
    for name in sorted((listed or set()) - {test.name for test in tests}):
        if options.set == ",".join(SETS):
            print("NOTE %s: listed, but not in the suite" % name)
    return [test for test in tests if (listed is None or test.name in listed)
            and (not options.only or any(fnmatch.fnmatchcase(test.name, pattern) for pattern in options.only))]


def sets_of(text):
    names = text.split(",")
    if set(names) <= set(SETS):
        return text
    raise argparse.ArgumentTypeError("the sets are " + ", ".join(SETS))


def pair_of(text):
    if "=" in text:
        return text
    raise argparse.ArgumentTypeError("NAME=VALUE is wanted")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--runtime", default="build/lib", metavar="DIR", help="folder of libgomp.so.1 (build/lib), or 'system'")
    add("--compiler", default=GCC, type=compiler_of, metavar="NAME", help="gcc, or a Clang: clang-14")
    add("--set", type=sets_of, metavar="NAMES", help="c,c++,fortran; Clang has no Fortran")
    add("--only", action="append", default=[], metavar="GLOB", help="tests whose name matches; repeatable")
    add("--list", metavar="FILE", help="tests named in FILE, one on a line; # starts a comment")
    add("--expect", metavar="FILE", help="tests known to fail under libgomp itself, in the same format")
    add("--env", action="append", default=[], type=pair_of, metavar="NAME=VALUE",
        help="for the programs; a test's own setting overrides it; repeatable")
    add("--cpus", default="", metavar="LIST", help="processors to run on, as 0 or 0,1")
    add("--timeout", type=float, default=60, metavar="S", help="seconds for one test (60)")
    add("--jobs", type=int, default=1, metavar="N", help="tests that run at a time (1)")
    add("--repeat", type=int, default=1, metavar="N", help="rounds; a test passes if it passes in each (1)")
    add("--torture", action="store_true", help="Fortran at each of GCC's optimisation levels")
    add("--prefix", default="", metavar="NAME",
        help="NAME: at the start of the runtime's messages, where libgomp's have an empty line and libgomp:")
    add("--build", default="build/gcc-suite", metavar="DIR", help="where the suite and the programs are kept")
    add("--tarball", metavar="FILE", help="GCC's sources, where they are not in /usr/src")
    add("--json", metavar="FILE", help="write name, status, seconds and exit status of every test")
    add("--compare", metavar="FILE", help="print the tests whose status differs from an earlier --json")
    add("--verbose", action="store_true", help="print why each skipped test is skipped")
    options = parser.parse_args()
    options.set = options.set or ",".join(options.compiler.commands)
    if not set(options.set.split(",")) <= set(options.compiler.commands):
        parser.error("this compiler has only the sets " + ", ".join(options.compiler.commands))
    return options


def main():
    options = read_arguments()
    options.build = os.path.abspath(options.build)
    os.makedirs(options.build, exist_ok=True)
    source = unpack(options.tarball or find_tarball(), options.build)
    tests = choose([t for name in options.set.split(",") for t in tests_of_set(name, source, options.torture)], options)
    for test in tests:
        if not test.skip and test.action not in ("run", "link"):
            test.skip = "only to be compiled"
        if test.skip and options.verbose:
            print("SKIP %s: %s" % (test.name, test.skip))
    known = set(read_list(options.expect)) if options.expect else set()
    ready = compile_all([test for test in tests if not test.skip], options, source)
    if not ready:
        stop("no test to run")
    check_runtime(ready, options)
    rounds = []
    for number in range(options.repeat):
        rounds.append(run_round(ready, options, known))
        if options.repeat > 1:
            print("round %d: %s" % (number + 1, summary(rounds[-1], len(tests) - len(ready))[1]), flush=True)
    skipped = [test for test in tests if test.skip]
    if options.json:
        write_json(options.json, options, source, rounds, skipped)
    if options.compare:
        compare(options.compare, worst_of(rounds))
    failed, line = summary(worst_of(rounds), len(skipped))
    print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
