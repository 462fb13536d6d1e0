"""Runs all places in rounds until the time is over.  In a round each place has a process of each system, one directly after the other;
each round begins with another system."""

import json
import os
import subprocess
import sys
import time

LONGEST_S = 20        # of a process; then it hangs
DOZE_MS = {"libomp": "250", "libomp-gomp": "250"}  # libomp spins for 200 ms before it sleeps
KEPT = ("PATH", "HOME", "TMPDIR")  # settings of OpenMP that the caller has would change the numbers


def environment(system, place, row, milliseconds):
    own = {"FOR_MS": str(milliseconds), "REPEATS": "1000", "DOZE_MS": DOZE_MS.get(system.name, "50")}
    with_setting = dict([row.setting.split("=")] if row.setting else [])
    return {**{name: os.environ[name] for name in KEPT if name in os.environ}, **own, **system.environment, **with_setting,
            **dict(place.variant.environment if place.variant else ())}


class TimeIsOver(Exception):
    """The process that runs has no time left."""


def once(system, place, row, milliseconds, until):
    """(median ns of the process, least ns, None), or (None, None, the reason)."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeIsOver
    try:
        done = subprocess.run([system.program, place.row, str(place.threads)], env=environment(system, place, row, milliseconds),
                              capture_output=True, text=True, timeout=min(LONGEST_S, left), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        if left < LONGEST_S:
            raise TimeIsOver from error
        return None, None, f"hangs, ended after {LONGEST_S} s"
    if done.returncode != 0:
        return None, None, f"exit status {done.returncode}: {(done.stdout + done.stderr).strip()[-200:]}"
    result = json.loads(done.stdout.splitlines()[-1])
    return result["median_ns"], result["ns"], None


def runs_on(system, place, row):
    return system.ours or not (row.setting or (place.variant and place.variant.ours_only))


class Cells:
    """What has been measured: one entry for each place and system."""

    def __init__(self, places, systems, rows):
        self.entries = {(place, name): {"row": place.row, "threads": place.threads, "variant": place.variant.name if place.variant else None,
                                        "system": name, "median_ns": [], "least_ns": [], "failed": None}
                        for place in places for name, system in systems.items() if runs_on(system, place, rows[place.row])}

    def add(self, place, name, middle, least, failed):
        entry = self.entries[place, name]
        if failed:
            entry["failed"] = failed
        else:
            entry["median_ns"].append(middle)
            entry["least_ns"].append(least)

    def has_failed(self, place, name):
        return self.entries[place, name]["failed"] is not None

    def measured(self):
        return [entry for entry in self.entries.values() if entry["median_ns"] or entry["failed"]]


def tell(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def in_turn(names, round_):
    first = round_ % len(names) if names else 0
    return names[first:] + names[:first]


def run_round(round_, cells, places, systems, rows, until, milliseconds, title):
    for place in places:
        for name in in_turn([name for name in systems if (place, name) in cells.entries], round_):
            tell(f"{title}, {place.row}, {place.threads} threads, {name}, {until - time.monotonic():.0f} s left")
            if not cells.has_failed(place, name):
                cells.add(place, name, *once(systems[name], place, rows[place.row], milliseconds, until))


def run(cells, places, systems, rows, rounds, until, milliseconds):
    """The number of whole rounds, and what has ended them: rounds, time, or interrupted."""
    whole = 0
    try:
        while whole < rounds:
            run_round(whole, cells, places, systems, rows, until, milliseconds, f"round {whole + 1} of {rounds}")
            whole += 1
    except TimeIsOver:
        return whole, "time"
    except KeyboardInterrupt:
        return whole, "interrupted"
    finally:
        tell("")
    return whole, "rounds"
