"""What the checks of this folder share: what they expect, and the way to bench/scale's modules."""

import ctypes
import os
import platform
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.join(os.path.dirname(os.path.dirname(HERE)), "bench")
sys.path.insert(0, os.path.join(BENCH, "scale"))

AT_HWCAP2, FSGSBASE = 26, 2
results = {"passed": 0, "failed": 0}


def expect(what, condition, shown=""):
    results["passed" if condition else "failed"] += 1
    if not condition:
        print(f"FAIL {what}: {str(shown)[-800:]}")


def run(check, usage):
    """Ends the program with what `check` has found, if the engine can run here."""
    run_anywhere(check, usage, needs_engine=True)


def run_anywhere(check, usage, needs_engine=False):
    if len(sys.argv) > 1:
        print(usage)
        sys.exit(sys.argv[1] != "--help")
    if needs_engine and (platform.machine() != "x86_64" or not ctypes.CDLL(None).getauxval(AT_HWCAP2) & FSGSBASE):
        print("not run: the processor or the kernel lacks FSGSBASE")
        return
    check()
    print(f"{results['passed']} passed, {results['failed']} failed")
    sys.exit(results["failed"] != 0)
