"""Runs one row on one machine, from one seed."""

import json
import os
import subprocess
from dataclasses import dataclass

from simulator.problem import Problem
from simulator.topologies import Topology

BEYOND = 5  # the engine's exit status: too many accesses, threads or lines


@dataclass(frozen=True)
class Row:
    name: str
    shows: str
    unit: str
    family: str
    setting: str  # NAME=value of our runtime, or empty: then the row is one of any runtime


@dataclass(frozen=True)
class Run:
    runtime: str
    row: Row
    topology: Topology
    threads: int
    seed: int
    noise: float = 0.2
    most: float = 0      # millions of accesses
    more: str = ""       # other costs, as in SCALE_SET
    processors: int = 0  # fewer than threads; 0: one for each


def settings(run, runtime, report=None):
    """The whole environment: what the one who calls has set would change the numbers."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    own = {name: value for name, value in os.environ.items() if name.startswith(("OMP_", "GHCOMP_", "GOMP_", "KMP_"))}
    costs = f"processors={run.processors or run.threads},noise={run.noise},seed={run.seed},most={run.most}" + (f",{run.more}" if run.more else "")
    return {**kept, **own, **runtime.settings, **dict([run.row.setting.split("=")] if run.row.setting else []), "SCALE_TOPOLOGY": run.topology.path, "SCALE_SET": costs,
            **({"SCALE_REPORT": report} if report else {})}


def perform(program, run, runtime, report=None):
    """What the row prints, or None: it is more than the engine simulates."""
    done = subprocess.run([program, run.row.name, str(run.threads)], env=settings(run, runtime, report), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode == BEYOND:
        return None
    if done.returncode != 0:
        raise Problem(f"{run.runtime}, {run.row.name}, {run.threads} threads, seed {run.seed}: exit status {done.returncode}: "
                      f"{(done.stdout + done.stderr).strip()[-600:]}")
    return result_of(done.stdout)


def result_of(text):
    return json.loads(text.splitlines()[-1])


def rows_of(program):
    """name -> Row, in the table's order."""
    text = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    return {row.name: row for row in (Row(*line.split("\t")) for line in text.splitlines())}
