"""What the checks by gdb share: how they call it, when they cannot, and what a complete backtrace is."""

import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
WORK, LIBRARY = os.path.join(BUILD, "gdb"), os.path.join(BUILD, "lib")
SCRIPT = os.path.join(ROOT, "tools/gdb/libgomp.so.1-gdb.py")
results = {"passed": 0, "failed": 0}


def result(name, wrong):
    results["failed" if wrong else "passed"] += 1
    if wrong:
        print(f"FAIL {name}: {wrong}", flush=True)


def gdb(commands, program, *files, library=LIBRARY, **variables):
    """The output of gdb and the program."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "GHCOMP_"))}
    environment.update(variables, DEBUGINFOD_URLS="", LC_ALL="C")
    if library:
        environment["LD_LIBRARY_PATH"] = library
    lines = ["set width 0", "set pagination off", "set confirm off", *commands]
    options = [word for line in lines for word in ("-ex", line)]
    done = subprocess.run(["gdb", "-batch", "-nx", *options, program, *files], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120)
    return done.stdout


def broken(trace):
    """What is wrong with a backtrace, or "".  Without debug symbols, frames of the C library have no names."""
    if re.search(r"corrupt|previous frame (inner|identical)", trace):
        return "it breaks off"
    nameless = [line for line in trace.splitlines() if "??" in line and "libc.so" not in line]
    if nameless:
        return "frames without a name: " + "; ".join(nameless)
    if not re.search(r"\bmain \(|start_thread|clone3?\b|from \S*libc\.so", trace.strip().splitlines()[-1]):
        return "it does not come down to the thread's start"
    return ""


def why_not():
    if shutil.which("gdb") is None:
        return "there is no gdb"
    if "3" not in gdb(["python print(1 + 2)"], "/bin/true", library=""):
        return "this gdb has no Python"
    if "exited normally" not in gdb(["run"], "/bin/true", library=""):
        return "gdb may not trace programs here"
    return ""


def finish():
    print(f"{results['passed']} passed, {results['failed']} failed")
    return 1 if results["failed"] else 0
