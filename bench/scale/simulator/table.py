"""The table of rows and machines, as Markdown and as data for curves."""

import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import sys

from simulator import running
from simulator.problem import Problem


def cells(runs, programs, runtimes):
    """(runtime, row, topology, threads) -> what each seed gave, and the problems.  Cells of which a seed is more
    than the engine simulates are left out."""
    found, done, failed, beyond = {}, 0, [], set()

    def perform(run, cell):
        return None if cell in beyond else running.perform(programs[run.runtime], run, runtimes[run.runtime])

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        waiting = {}
        for run in runs:
            cell = run.runtime, run.row.name, run.topology.name, run.threads
            waiting[pool.submit(perform, run, cell)] = cell, run.seed
        for future in concurrent.futures.as_completed(waiting):
            (cell, seed), done = waiting[future], done + 1
            try:
                result = future.result()
            except Problem as problem:
                failed.append(str(problem))
                continue
            if result is None:
                beyond.add(cell)
            else:
                found.setdefault(cell, {})[seed] = result
            if sys.stderr.isatty():
                print(f"\r{done} of {len(waiting)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return {cell: [results[seed] for seed in sorted(results)] for cell, results in found.items() if cell not in beyond}, failed


def shown(ns):
    us = ns / 1000
    return f"{us:.0f}" if us >= 99.5 else f"{us:.3g}" if us >= 1 else f"{us:.2f}"


def cell_text(results):
    """The median, and the worst if it's a tenth more."""
    if not results:
        return "–"
    ns = [r["ns"] for r in results]
    middle, worst = statistics.median(ns), max(ns)
    return shown(middle) + (f" ({shown(worst)})" if worst > 1.1 * middle else "")


def markdown(found, rows, machines, runtimes):
    order = " / ".join(r.title for r in runtimes.values())
    lines = [f"Simulated µs, {order}: median of the seeds (the worst one, if it is more than a tenth above it). –: not simulated, because it takes too long or makes too many threads.", ""]
    lines.append("| row | " + " | ".join(f"{threads}, {topology.title}" for topology, threads in machines) + " |")
    lines.append("|---|" + "---|" * len(machines))
    for row in rows.values():
        texts = [" / ".join(cell_text(found.get((runtime, row.name, topology.name, threads))) for runtime in runtimes) for topology, threads in machines]
        lines.append(f"| {row.name}: {row.shows}; {row.unit} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def commit():
    """None where there is no git, or no repository."""
    if shutil.which("git") is None:
        return None
    done = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "describe", "--always", "--dirty", "--abbrev=12"],
                          capture_output=True, text=True)
    return done.stdout.strip() or None


def data(found, rows, machines, runtimes, seeds, noise):
    """One entry for each cell, with every seed's numbers: ns, transfers of lines, system calls, and those that woke somebody, for
    one unit."""
    titles = {topology.name: topology.title for topology, _ in machines}
    return {"simulated": True, "commit": commit(), "seeds": list(seeds), "noise": noise, "topologies": titles,
            "rows": {row.name: {"shows": row.shows, "unit": row.unit} for row in rows.values()},
            "runtimes": {name: r.title for name, r in runtimes.items()},
            "cells": [{"row": row, "runtime": runtime, "topology": topology, "threads": threads,
                       **{key: [r[key] for r in results] for key in ("ns", "transfers", "calls", "wakes")}}
                      for (runtime, row, topology, threads), results in sorted(found.items())]}


def write_data(path, contents):
    with open(path + ".new", "w") as file:
        json.dump(contents, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)
