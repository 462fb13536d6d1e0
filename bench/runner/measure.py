"""One run of one row: the program's samples, verified."""

import os
import shutil
import subprocess
import time

from guest import qemu
from runner import booting, bundle, quota

TIMEOUT_S = 600
OTHERS = ("OMP_", "GOMP_", "KMP_", "GHCOMP_", "LIBOMP_", "GHCRTS", "LD_LIBRARY_PATH", "LD_PRELOAD", "PARENT_WAIT")
EVENTS = "task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,cache-misses"


def environment_for(program, workers, settings, case):
    """The caller's environment without settings of any runtime, and with those of the row: the number of threads, or the case's settings."""
    found = {} if program.guests else {k: v for k, v in os.environ.items() if not k.startswith(OTHERS)}
    if bundle.PLACE:
        found.pop("PYTHONHOME", None)
    own = {"OMP_NUM_THREADS": "{workers}", "OMP_DYNAMIC": "false"} if case is None else case.environment
    found.update({name: text.format(workers=workers) for name, text in own.items()}, **program.environment)
    if settings.get("PARENT_WAIT") == "spin":
        found.update({"PARENT_WAIT": "spin", "OMP_WAIT_POLICY": "active"})
    if settings.get("PROFILE"):
        found["HARNESS_COSTS"] = "1"
    if settings.get("MEASURE") and program.guests:
        found["HARNESS_COUNTERS"] = "1"
    return found


def is_demo(system):
    """A program that gets the number of workers by GHC's own option only."""
    return system.compiler == "cabal"


def command_for(program, workload, system, workers, parameters, settings, case):
    own = ["{workers}"] * (not is_demo(system)) + (case.arguments if case else [])
    words = [*own, *(f"{k}={v}" for k, v in parameters.items()), *workload.arguments, *system.arguments]
    if program.guests:
        return [booting.in_guest(program), *(word.format(workers=workers) for word in words)]
    command = [*(case.launcher if case else []), *bundle.start(program.path, program.environment.get("LD_LIBRARY_PATH")), *(word.format(workers=workers) for word in words)]
    if settings.get("PROFILE") and shutil.which("perf"):
        return ["perf", "stat", "-x", ",", "-o", program.path + ".perf", "-e", EVENTS, "--", *command]
    return command


def parse_phases(text):
    found = {"phases": {}, "results": {}, "costs": {}}
    for line in text.splitlines():
        words = line.split()
        if len(words) != 3 or words[0] not in ("phase", "result", "cost"):
            raise ValueError(f"the program printed '{line[:80]}'")
        found[words[0] + "s"][words[1]] = int(words[2])
    for name in ("spawn_ready", "work", "shutdown", "total"):
        if name not in found["phases"]:
            raise ValueError(f"the program did not report the phase {name}")
    return found


def parse_rows(text):
    """Reads lines `name: number number…`, or `name: ` and what is wrong with the row."""
    found = {"values": {}, "wrong": {}}
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        try:
            found["values"][name] = [float(word) for word in rest.split()]
        except ValueError:
            found["wrong"][name] = rest.strip()
    return found


def profile_of(program):
    path = program.path + ".perf"
    if not os.path.exists(path):
        return None
    with open(path) as file:
        text = file.read()
    os.remove(path)
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def remove(path):
    if os.path.exists(path):
        os.remove(path)


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError as error:
        raise ValueError(f"the program left no samples: {error.strerror}") from error


def floor(program):
    """Samples of the machine's own limit in nanoseconds; None: it cannot be measured here."""
    if program is None:
        return None
    done = subprocess.run(bundle.start(program, None), capture_output=True, text=True, timeout=TIMEOUT_S)
    words = done.stdout.partition(":")[2].split()
    return [float(word) for word in words if word[0].isdigit()] or None


def run(workload, system, program, workers, processors, parameters, settings, expected):
    """A sample: {"status": "ok" or "failed", …}.  Raises no exception for a failure of the program."""
    if not workload.cases:
        return run_process(workload, system, program, workers, processors, parameters, settings, expected, None)
    whole = {"began": time.time(), "status": "ok", "process_ns": 0, "values": {}, "wrong": {}}
    for case in workload.cases:
        sample = run_process(workload, system, program, workers, processors, parameters, settings, expected, case)
        if sample["status"] != "ok":
            return {**sample, "reason": f"{case.name}: {sample['reason']}"}
        add_case(whole, case.name, sample)
    return whole


def add_case(whole, name, sample):
    whole["process_ns"] += sample["process_ns"]
    for kind in ("values", "wrong"):
        whole[kind].update((f"{name}, {row}", found) for row, found in sample[kind].items())
    if "perf" in sample:
        whole["perf"] = whole.get("perf", []) + [f"{name}: {line}" for line in sample["perf"] or []]


def place(workload, processors):
    os.sched_setaffinity(0, processors)
    if workload.quota:
        quota.join(quota.group(workload.quota))


def run_process(workload, system, program, workers, processors, parameters, settings, expected, case):
    """The sample of one process."""
    sample = {"began": time.time(), "status": "failed"}
    environment = environment_for(program, workers, settings, case)
    leaves_samples = workload.demo or workload.haskell
    if leaves_samples:
        environment["DEMO_SAMPLES"] = program.path + ".samples"
        remove(environment["DEMO_SAMPLES"])
    command, limit = command_for(program, workload, system, workers, parameters, settings, case), settings.get("TIMEOUT", TIMEOUT_S)
    start = time.monotonic_ns()
    try:
        if program.guests:
            done, used = program.guests.run(workers, processors, environment, command, limit)
            sample["process_ns"] = done.nanoseconds
        else:
            done = subprocess.run(command, text=True, capture_output=True, errors="replace", timeout=limit, env=environment,
                                  stdin=subprocess.DEVNULL, preexec_fn=lambda: place(workload, processors))
            sample["process_ns"] = time.monotonic_ns() - start
    except subprocess.TimeoutExpired:
        return {**sample, "reason": f"not finished after {settings.get('TIMEOUT', TIMEOUT_S)} s"}
    except qemu.Failed as failed:
        return {**sample, "reason": str(failed)}
    except OSError as error:
        return {**sample, "reason": f"cannot be started: {error}"}
    if settings.get("PROFILE") and program.guests:
        sample["host_threads"] = used
    elif settings.get("PROFILE"):
        sample["perf"] = profile_of(program)
    if done.returncode != 0:
        how = f"killed by signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        return {**sample, "reason": how, "stderr": done.stderr[-1000:]}
    try:
        text = read(environment["DEMO_SAMPLES"]) if leaves_samples else done.stdout
        sample.update(parse_rows(text) if workload.kind == "rows" else parse_phases(text))
    except ValueError as error:
        return {**sample, "reason": str(error), "stdout": done.stdout[-1000:]}
    if workload.kind != "rows" and sample["results"] != expected:
        return {**sample, "reason": f"the verifier got {sample['results']}, expected {expected}"}
    sample["status"] = "ok"
    return sample
