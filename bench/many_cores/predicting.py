"""What the simulator of bench/scale predicts for this machine, from its measured costs alone, beside what was measured."""

import concurrent.futures
import os
import sys
import tempfile
from statistics import median

from many_cores import programs, report
from runner.problem import Problem

sys.path.insert(0, programs.SCALE)
from simulator import problem, running, runtimes, topologies

RUNTIMES = ("ours", "libgomp", "libomp")  # with the same names here and there
NEAR_ENOUGH = (0.7, 1.3)
LOCKED, STEP = 5.0, 0.6  # of the engine, and in each measured round trip
MOST_ACCESSES = 100      # millions, for one cell


def one_way(trip, give_up):
    """The engine's cost of a transfer from the round trip of a line: each way a look, and a change of a line that both have."""
    return max(1.0, (trip / 2 - LOCKED - STEP) / (1 + give_up))


def groups_of(record):
    """processor -> its last cache, and processor -> its socket."""
    sockets = {p["processor"]: p["socket"] for p in record["machine"]["processors"]}
    return {p["processor"]: p["shares_last_cache_with"] or f"socket {sockets[p['processor']]}" for p in record["facts"]["last_caches"]}, sockets


def regular(groups, processors):
    """The size of the groups, if the engine can have them: all alike.  Otherwise one group of all."""
    sizes = {}
    for processor in processors:
        sizes[groups[processor]] = sizes.get(groups[processor], 0) + 1
    return next(iter(sizes.values())) if len(set(sizes.values())) == 1 else len(processors)


def topology(record):
    """A machine for the engine, as text: clusters are processors with one last cache."""
    processors = record["machine"]["affinity"]
    clusters, sockets = groups_of(record)
    cluster, socket = regular(clusters, processors), regular(sockets, processors)
    kinds = {"near": [], "far": [], "remote": []}
    for trip in record["facts"]["trips"]:
        same = clusters[trip["a"]] == clusters[trip["b"]] or cluster == len(processors)
        kind = "near" if same else "far" if sockets[trip["a"]] == sockets[trip["b"]] else "remote"
        kinds[kind].append(one_way(trip["trip_ns"], record["facts"]["costs"].get("give_up", 1)))
    costs = {**record["facts"]["costs"], **{kind: round(median(trips), 1) for kind, trips in kinds.items() if trips}}
    return "\n".join([f'title = "this machine, {len(processors)} processors"', f"processors = {len(processors)}", f"cluster = {cluster}",
                      f"socket = {max(socket, cluster)}", *(f"{name} = {value}" for name, value in costs.items())]) + "\n"


def built(names):
    """name -> its program in the engine and its rows, and what is missing."""
    found, about = {}, []
    for name in names:
        try:
            program = runtimes.build(runtimes.ALL[name])
            found[name] = program, running.rows_of(program)
        except problem.Missing as missing:
            about.append(f"Without a prediction for {name}: {missing}.")
    return found, about


def one(program, row, machine, threads, name):
    """(ns or None, what went wrong or None)."""
    try:
        result = running.perform(program, running.Run(name, row, machine, threads, 1, most=MOST_ACCESSES, more="program=1"), runtimes.ALL[name])
    except problem.Problem as wrong:
        return None, f"Without a prediction: {str(wrong).splitlines()[0]}"
    return result and result["ns"], None


def predictions(record, measured):
    """(row, threads, runtime) -> ns, of those that the engine has, and what it lacks."""
    programs_of, about = built(dict.fromkeys(name for _, _, name in measured))
    cells = [(row, threads, name) for row, threads, name in measured if name in programs_of and row in programs_of[name][1]
             and runtimes.ALL[name].runs(programs_of[name][1][row], threads)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        path = os.path.join(folder, "here.toml")
        with open(path, "w") as file:
            file.write(topology(record))
        machine = topologies.load(path)
        results = list(pool.map(lambda cell: one(programs_of[cell[2]][0], programs_of[cell[2]][1][cell[0]], machine, *cell[1:]), cells))
    return {cell: ns for cell, (ns, _) in zip(cells, results) if ns}, about + [wrong for _, wrong in results if wrong]


def compared(record):
    """Lines: predicted ÷ measured.  The process with the least median counts, because others disturb a machine and not the engine."""
    processors = len(record["machine"]["affinity"])
    if processors < 2 or not record["facts"]["trips"]:
        raise Problem("a prediction needs two processors")
    measured = {(e["row"], e["threads"], e["system"]): min(e["median_ns"]) for e in record["cells"]
                if e["system"] in RUNTIMES and not e["variant"] and not e["failed"] and e["median_ns"] and 2 <= e["threads"] <= processors}
    try:
        predicted, about = predictions(record, measured)
    except problem.Problem as wrong:
        raise Problem(f"the simulator cannot run: {wrong}") from wrong
    names = [name for name in RUNTIMES if any(cell[2] == name for cell in predicted)]
    lines = ["Predicted / measured = ratio, µs; * outside 0.7 to 1.3:", *about, "", "| row, threads | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    hits = 0
    for row, threads in dict.fromkeys(cell[:2] for cell in measured):
        texts = []
        for name in names:
            virtual, real = predicted.get((row, threads, name)), measured.get((row, threads, name))
            if virtual is None or not real:
                texts.append("–")
                continue
            near = NEAR_ENOUGH[0] <= virtual / real <= NEAR_ENOUGH[1]
            hits += near
            texts.append(f"{report.shown(virtual)} / {report.shown(real)} = {virtual / real:.2f}{'' if near else ' *'}")
        if set(texts) != {"–"}:
            lines.append(f"| {row}, {threads} | " + " | ".join(texts) + " |")
    return [*lines, "", f"{hits} of {len(predicted)} within 0.7 to 1.3"]
