"""The record of a whole table: the median of the seeds and the worst one of each row, runtime, machine and number of threads
(bench/simulated.schema.json)."""

import statistics
import time

from runner import building, records
from simulator import runtimes


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def short(ns):
    """Four digits: the costs that the engine has been given have two."""
    return float(f"{ns:.4g}")


def series(found, places):
    """One entry for each row, runtime and machine, with a number for each size that was simulated."""
    order = {(topology.name, threads): i for i, (topology, threads) in enumerate(places)}
    lists = {}
    for row, runtime, topology, threads in sorted(found, key=lambda cell: order[cell[2:]]):
        ns = [result["ns"] for result in found[row, runtime, topology, threads]]
        entry = lists.setdefault((row, runtime, topology), {"row": row, "runtime": runtime, "topology": topology,
                                                            "threads": [], "median_ns": [], "worst_ns": []})
        for name, number in (("threads", threads), ("median_ns", short(statistics.median(ns))), ("worst_ns", short(max(ns)))):
            entry[name].append(number)
    return list(lists.values())


def write(found, rows, places, began, seeds, noise, complete):
    """The path of the new record."""
    by_row = {(row, runtime, topology, threads): results for (runtime, row, topology, threads), results in found.items()}
    topologies = {topology.name: topology for topology, _ in places}
    record = {
        "schema": records.SIMULATED, "name": "scale", "complete": complete, "began": began, "ended": now(),
        "source": building.source(), "tools": {name: building.tools()[name] for name in ("gcc", "clang", "libc")},
        "seeds": list(seeds), "noise": noise,
        "topologies": {name: {"title": t.title, "processors": t.processors} for name, t in topologies.items()},
        "runtimes": {name: {"title": r.title, "source": r.source or None} for name, r in runtimes.ALL.items()},
        "rows": {row.name: {"shows": row.shows, "unit": row.unit} for row in rows.values()},
        "series": sorted(series(by_row, places), key=lambda entry: (list(rows).index(entry["row"]), list(runtimes.ALL).index(entry["runtime"])))}
    path = records.new_path("scale")
    records.save(path, record)
    return path
