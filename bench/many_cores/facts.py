"""What this machine's own operations cost, whatever the runtime: round trips of a line, crowds at one word, calls of the system."""

import glob
import json
import os
import subprocess

from many_cores import programs
from runner import machine
from runner.problem import Problem

MOST_PAIRS = 130      # a round trip of a pair takes some milliseconds
LONGEST_S = 60


def lines(*command):
    try:
        done = subprocess.run([programs.facts(), *map(str, command)], capture_output=True, text=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired as error:
        raise Problem(f"facts {command[0]} has not ended after {LONGEST_S} s") from error
    if done.returncode != 0:
        raise Problem(f"facts {command[0]}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def pairs(processors):
    """All pairs; on a large machine those of its first processor, of its last, and of neighbours."""
    every = [(a, b) for i, a in enumerate(processors) for b in processors[i + 1:]]
    if len(every) <= MOST_PAIRS:
        return every
    first, last = processors[0], processors[-1]
    far = [(first, b) for b in processors[1:]] + [(last, b) for b in processors[1:-1]] + list(zip(processors, processors[1:]))
    step = -(-len(far) // MOST_PAIRS)
    return list(dict.fromkeys(far[::step]))


def last_caches(processors):
    """The processors that share the last cache of each one, as the system writes them; None where it does not show that."""
    found = []
    for processor in processors:
        shared = None
        for index in sorted(glob.glob(f"/sys/devices/system/cpu/cpu{processor}/cache/index*")):
            shared = machine.text(os.path.join(index, "shared_cpu_list")) or shared
        found.append({"processor": processor, "shares_last_cache_with": shared})
    return found


def costs():
    """What the engine of bench/scale needs to know: name -> ns."""
    done = subprocess.run([programs.calibrate()], capture_output=True, text=True, timeout=LONGEST_S)
    if done.returncode != 0:
        raise Problem(f"calibrate: exit status {done.returncode}: {done.stderr.strip()}")
    return {name: float(value) for name, value in (part.split("=") for part in done.stdout.strip().split(","))}


def found(sizes):
    """Everything; with one processor there are no trips."""
    processors = sorted(os.sched_getaffinity(0))
    crowds = [size for size in sizes if 2 <= size <= len(processors)]
    return {"last_caches": last_caches(processors),
            "trips": lines("trips", *(f"{a}:{b}" for a, b in pairs(processors))) if len(processors) > 1 else [],
            "crowds": lines("crowds", *crowds) if crowds else [], **lines("calls")[0],
            "costs": costs() if len(processors) > 1 else {}}
