"""Runs all chosen clients under libgomp and under ours in turn, and writes a record."""

import os
import sys
import time

from runner import building, clients as tables, machine, records

import installing
import trial
from descriptions import HERE
from runner.problem import Problem
from trial import LIBGOMP, OURS, OURS_PTHREAD, RUNTIMES

LIBRARY = os.path.join(building.BUILD, "lib", "libgomp.so.1")


def begin(clients, threads, runs, most_runs):
    return {
        "schema": records.CLIENTS, "name": "clients", "complete": False,
        "began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "ended": None,
        "source": building.source(), "tools": building.tools(), "machine": machine.describe(),
        "load": {"before": machine.load(), "after": None},
        "libraries": {LIBGOMP: f"libgomp1 {installing.version('libgomp1')}", OURS: building.digest(LIBRARY)},
        "runs": runs, "most_runs": most_runs, "threads": threads,
        "order": "one run under each runtime before those that are timed; then rows take turns, one run under each "
                 "runtime a round, in every other round ours first; rounds beyond `runs` only of rows that the sign test "
                 "has not decided",
        "clients": {client.name: describe(client) for client in clients},
        "rows": [plan(client, count) for client in clients for count in threads],
    }


def describe(client):
    return {"title": client.title, "does": client.does, "versions": installing.versions(client),
            "description_sha256": building.digest(os.path.join(HERE, "descriptions", client.name + ".toml")),
            "compared": "reduced" if client.reduce else "every byte", "varies": client.varies or None}


def plan(client, threads):
    lacking = installing.lacking(client)
    return {"client": client.name, "threads": threads, "status": "missing" if lacking else "planned",
            "reason": f"not installed: {', '.join(lacking)}" if lacking else None,
            "expected": None, "proof": {}, "samples": {LIBGOMP: [], OURS: []}}


# ------------------------------------------------------------------------ judging

def fault_of(row, client):
    """The fault of a row; None: it has none."""
    proof = row["proof"]
    if proof[LIBGOMP]["ours"]:
        return "the run for libgomp was served by ours"
    if proof[LIBGOMP]["status"] != "ok" and not client.expect:
        return f"libgomp: {proof[LIBGOMP]['reason']}"
    for runtime in (OURS, OURS_PTHREAD):
        if proof[runtime]["status"] != "ok":
            return f"ours, {runtime}: {proof[runtime]['reason']}"
        if not proof[runtime]["ours"]:
            return f"ours, {runtime}: the program did not load it"
        if proof[runtime]["regions"] == 0 and row["threads"] > 1:
            return f"ours, {runtime}: the program started no region"
    return fault_of_output(row)


def fault_of_output(row):
    proof, samples = row["proof"], row["samples"]
    for runtime in samples:
        bad = [sample for sample in samples[runtime] if sample["status"] != "ok"]
        if bad:
            return f"{runtime}: {bad[0]['reason']}"
    there = {sample["output"] for sample in [proof[LIBGOMP], *samples[LIBGOMP]] if sample["status"] == "ok"}
    if len(there) > 1:
        return f"libgomp: {len(there)} different outputs, so the client's description must say what is invariant"
    expected = row["expected"] or next(iter(there))
    if there and there != {expected}:
        return "libgomp: another output than expected"
    for runtime, found in ((OURS, [proof[OURS], *samples[OURS]]), (OURS_PTHREAD, [proof[OURS_PTHREAD]])):
        if any(sample["output"] != expected for sample in found):
            return f"ours, {runtime}: another output than under libgomp"
    return None


def judge(row, client):
    fault = fault_of(row, client)
    row["status"], row["reason"] = ("failed", fault) if fault else ("same", None)
    if not fault and row["proof"][LIBGOMP]["status"] != "ok":
        row["reason"] = f"libgomp: {row['proof'][LIBGOMP]['reason']}"
    return fault


# ------------------------------------------------------------------------ running

def prove(row, folder):
    """One run under each runtime, with its counters."""
    client = folder.client
    if client.expect:
        expected = trial.run(folder, LIBGOMP, row["threads"], shell=client.expect)
        if expected["status"] != "ok":
            raise Problem(f"{client.name}: the expected output cannot be created: {expected['reason']}: {expected.get('stderr')}")
        row["expected"] = expected["output"]
    for runtime in RUNTIMES:
        row["proof"][runtime] = trial.run(folder, runtime, row["threads"], proof=True)
        if runtime == LIBGOMP:
            reference = row["expected"] or row["proof"][LIBGOMP]["output"]
            kept = trial.keep_output(folder, f"{row['threads']}-{runtime}")
        elif row["proof"][runtime]["output"] != reference:
            other = trial.keep_output(folder, f"{row['threads']}-{runtime}")
            print(f"{client.name}, {row['threads']} threads: {other} is not {kept}", file=sys.stderr)


def round_of(record, number, folders):
    """False: no row needs another round."""
    rows = [row for row in record["rows"] if row["status"] == "same"]
    if number >= record["runs"]:
        rows = [row for row in rows if tables.ratios(row) and tables.shown(row) is None]
    for row in rows:
        for runtime in (LIBGOMP, OURS) if number % 2 == 0 else (OURS, LIBGOMP):
            if row["proof"][runtime]["status"] == "ok":
                row["samples"][runtime].append(trial.run(folders[row["client"]], runtime, row["threads"]))
        judge(row, folders[row["client"]].client)
    return rows != []


def prepare(clients):
    """Name -> folder; makes all inputs before anything is timed."""
    folders = {client.name: trial.Folder(client) for client in clients if not installing.lacking(client)}
    for folder in folders.values():
        folder.prepare()
    return folders


def complete(record, path, clients):
    """Writes the record after each round, so that an interruption loses no finished round."""
    folders = prepare(clients)
    for row in record["rows"]:
        if row["status"] == "planned":
            prove(row, folders[row["client"]])
            fault = judge(row, folders[row["client"]].client)
            say(row, fault)
    records.save(path, record)
    for number in range(record["most_runs"]):
        if not round_of(record, number, folders):
            break
        records.save(path, record)
        print(f"round {number + 1} of {record['runs']}" + (f", at most {record['most_runs']}" if number >= record["runs"] else ""), file=sys.stderr)
    record["load"]["after"] = machine.load()
    record["ended"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    record["complete"] = True
    records.save(path, record)


def say(row, fault):
    proof = row["proof"]
    times = ", ".join(f"{runtime} {proof[runtime]['wall_s']:.2f} s" for runtime in RUNTIMES)
    print(f"{row['client']}, {row['threads']} threads: {'FAIL ' + fault if fault else 'same output'} "
          f"({times}; {proof[OURS]['regions']} regions)", file=sys.stderr)
    if fault:
        for runtime in RUNTIMES:
            if proof[runtime].get("stderr"):
                print(f"  {runtime}: {proof[runtime]['stderr'][-400:]}", file=sys.stderr)
