"""Records: one JSON document for each run of the runner, all in one folder.  They contain the raw
samples, not rounded.  A record is written after every round, whole or not at all, so that an
interruption loses no finished round."""

import glob
import json
import os
import re
import sys
import tempfile
import time

from runner.definitions import BENCH, ROOT
from runner.problem import Problem

SCHEMA = "ghc-openmp/record/1"
CLIENTS = "ghc-openmp/clients/1" # real programs, compared by test/clients/run
SIMULATED = "ghc-openmp/simulated/1" # the table of bench/scale
MANY_CORES = "ghc-openmp/many-cores/1" # one machine, by bench/many-cores
NUMBERS = re.compile(r"\[\s+([-\d.,\s]+?)\s+\]") # a list of numbers, which is written on one line
REQUIRED = ("complete", "began", "source", "tools", "machine", "workload", "systems", "settings", "runs", "warmup_runs", "floor_ns", "rows")
REQUIRED_OF_CLIENTS = ("complete", "began", "source", "tools", "machine", "libraries", "clients", "runs", "rows")
REQUIRED_OF_SIMULATED = ("complete", "began", "source", "tools", "seeds", "topologies", "runtimes", "rows", "series")
REQUIRED_OF_MANY_CORES = ("complete", "began", "source", "tools", "machine", "load", "systems", "rows", "facts", "cells")
KINDS = {SCHEMA: REQUIRED, CLIENTS: REQUIRED_OF_CLIENTS, SIMULATED: REQUIRED_OF_SIMULATED, MANY_CORES: REQUIRED_OF_MANY_CORES}
COMMANDS = {"clients": "make clients", "scale": "make scale-record", "many-cores": "bench/many-cores"} # of records that belong to no workload
STORED = os.path.join(BENCH, "records")


def folder():
    """The folder of new records; the records that the documentation quotes are under bench/records."""
    return os.environ.get("GHCOMP_BENCH_RECORDS") or os.path.join(ROOT, os.environ.get("BUILD", "build"), "records")


def new_path(name):
    stem = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()) + "-" + name
    path, again = os.path.join(folder(), stem + ".json"), 1
    while os.path.exists(path):
        again += 1
        path = os.path.join(folder(), f"{stem}-{again}.json")
    return path


def save(path, record):
    """Replaces the file in one step.  If that fails, prints the record to standard output."""
    text = NUMBERS.sub(lambda found: "[" + " ".join(found[1].split()) + "]", json.dumps(record, indent=1)) + "\n"
    temporary = None
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path), prefix=".record-", delete=False) as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary and os.path.exists(temporary):
            os.remove(temporary)
        print(text)
        sys.stdout.flush()
        raise Problem(f"cannot write the record {path}: {error.strerror}; what was measured so far is on standard output, "
                      "and the run ends here") from error


def load(path):
    """A record of a workload."""
    return load_of(path, [SCHEMA])


def load_any(path):
    return load_of(path, list(KINDS))


def load_of(path, kinds):
    try:
        with open(path) as file:
            record = json.load(file)
    except OSError as error:
        raise Problem(f"cannot read the record {path}: {error.strerror}") from error
    except ValueError as error: # not JSON, or not text
        raise Problem(f"{path} is not a record: {error}") from error
    if not isinstance(record, dict) or record.get("schema") not in kinds:
        expected = " or ".join(f'"schema": "{kind}"' for kind in kinds)
        raise Problem(f"{path} is not a record of this kind: expected {expected}")
    lacking = [key for key in KINDS[record["schema"]] if key not in record]
    if lacking:
        raise Problem(f"{path} is not a record: it has no {', '.join(lacking)}")
    return record


def command(name):
    """The command that makes a record of that name."""
    return COMMANDS.get(name, f"build/bin/ghcomp bench RUN {name}")


def newest(name, only_stored=False):
    """The newest record of a workload, new or stored."""
    places = [os.path.join(STORED, "*")] + ([] if only_stored else [folder()])
    named = re.compile(rf"\d+T\d+Z-{re.escape(name)}(-\d+)?\.json")
    found = [path for place in places for path in glob.glob(os.path.join(place, "*.json"))
             if named.fullmatch(os.path.basename(path))]
    if not found and only_stored:
        raise Problem(f"no record of {name} is stored under bench/records")
    if not found:
        raise Problem(f"there is no record of {name}: make one with `{command(name)}`")
    return max(found, key=os.path.basename)
