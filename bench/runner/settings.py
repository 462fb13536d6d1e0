"""Settings in the environment: GHCOMP_<WORKLOAD>_<SETTING>, for example GHCOMP_THREAD_SCALE_RUNS=5.

RUNS, WARMUP      the number of counted and of warm-up runs of each row
WORKERS           1,2,4
SYSTEMS           libgomp,ours-ghc
TASKSET_CPUS      0,1 or 0-3: the processors of all rows
INCLUDE_SMT       1: adds rows that use the second threads of cores
PARENT_WAIT       join or spin
TIMEOUT           seconds for one run of a program (600)
BESIDE            the number of other processes that compute meanwhile
PROFILE           1: with `perf stat`, and with the kernel's scheduler statistics
SUMMARY_ONLY      1: runs nothing, and prints the summary of the newest record; a file: of that record
Workloads whose name ends in _guest have more settings (bench/guest/README.md):
MEASURE           1: the guest's kernel counts by phase; the times of such a run are not those of others
KERNEL            the file of the guest's kernel; it can be a copy where /boot cannot be read
ACCELERATOR       kvm or tcg; without it KVM is tried, and TCG taken if no guest begins there
With PROFILE a guest's rows have what QEMU's threads use on the host, in place of `perf stat`.
Each parameter of the workload is a setting too, in capitals, for example TOTAL_BLOCKS.
A setting without the workload's name (GHCOMP_BENCH_RUNS) holds for all workloads.
GHCOMP_BENCH_BEFORE is an earlier state's libgomp.so.1, which the system ours-before runs.
GHCOMP_BENCH_LIBOMP is a release build of libomp, in place of the one that is fetched from PyPI."""

import os

from guest import kernel
from runner import definitions
from runner.placement import parse_list
from runner.problem import Problem


def number(text, least=1):
    if not text.isdigit() or int(text) < least:
        raise ValueError(f"a whole number, {least} at least")
    return int(text)


def flag(text):
    if text not in ("0", "1"):
        raise ValueError("0 or 1")
    return text == "1"


def one_of(*words):
    def parse(text):
        if text not in words:
            raise ValueError(" or ".join(words))
        return text
    return parse


def record_or_flag(text):
    """False, True (the newest record), or the path of a record."""
    if text in ("0", "1"):
        return text == "1"
    if not os.path.isfile(text):
        raise ValueError("0, 1, or the file of a record")
    return text


def numbers(text):
    return [number(word.strip()) for word in text.split(",")]


def names(text):
    return [word.strip() for word in text.split(",") if word.strip()]


KNOWN = {
    "RUNS": number, "WARMUP": lambda text: number(text, 0), "WORKERS": numbers, "SYSTEMS": names,
    "TASKSET_CPUS": parse_list, "INCLUDE_SMT": flag, "PARENT_WAIT": one_of("join", "spin"),
    "TIMEOUT": number, "BESIDE": lambda text: number(text, 0), "PROFILE": flag, "SUMMARY_ONLY": record_or_flag,
}
OF_GUESTS = {"MEASURE": flag, "KERNEL": kernel.checked, "ACCELERATOR": one_of("kvm", "tcg")}


def check_common(workloads):
    """GHCOMP_BENCH_* may name a parameter of any workload; a name that no workload knows is refused."""
    known = {*KNOWN, *OF_GUESTS, *(name.upper() for w in workloads for name in w.parameters), "NAME", "RECORDS", "BUNDLE", "BEFORE", "LIBOMP"}
    for variable in os.environ:
        if variable.startswith("GHCOMP_BENCH_") and variable.removeprefix("GHCOMP_BENCH_") not in known:
            raise Problem(f"{variable}: unknown setting: expected GHCOMP_BENCH_ and one of {', '.join(sorted(known))}; nothing was run")


def prefix_of(name):
    return f"GHCOMP_{name.upper()}_"


def of_longer_name(variable, own, every_name):
    """Is it a variable of another workload, whose name begins with this one's?"""
    return any(variable.startswith(other) and other.startswith(own) and other != own for other in map(prefix_of, every_name))


def of_workload(workload):
    """Setting -> value, from GHCOMP_BENCH_* and from the variables of the workload itself."""
    known = {**KNOWN, **(OF_GUESTS if workload.guest else {}), **{name.upper(): number for name in workload.parameters}}
    own, every, names_of_all = prefix_of(workload.name), "GHCOMP_BENCH_", definitions.names_of("workloads")
    found = {"BESIDE": workload.beside} if workload.beside else {}
    for prefix in (every, own):
        for variable, text in os.environ.items():
            if not variable.startswith(prefix) or of_longer_name(variable, prefix, names_of_all):
                continue
            setting = variable[len(prefix):]
            if setting not in known:
                if prefix == every:
                    continue
                raise Problem(f"{variable}: unknown setting: expected {own} and one of {', '.join(known)}; nothing was run")
            try:
                found[setting] = known[setting](text)
            except (ValueError, Problem) as error:
                raise Problem(f"{variable}={text}: expected {error}; nothing was run") from error
    return found
