"""Markdown and numbers from a record of simulated processors (bench/scale)."""

import re


def series(record, row, runtime, topology):
    """threads -> (median, worst), ns; nothing if the cell was left out."""
    for entry in record["series"]:
        if (entry["row"], entry["runtime"], entry["topology"]) == (row, runtime, topology):
            return dict(zip(entry["threads"], zip(entry["median_ns"], entry["worst_ns"])))
    return {}


def median(record, runtime, place, row):
    """µs; `place` is "THREADS MACHINE".  ValueError if there is no such cell."""
    threads, _, topology = place.partition(" ")
    found = series(record, row, runtime, topology).get(int(threads))
    if found is None:
        raise ValueError(f"the record of simulated processors has no row '{row}' of {runtime} with '{place}'")
    return found[0] / 1000


def shown(ns):
    us = ns / 1000
    return f"{us:.0f}" if us >= 99.5 else f"{us:.3g}" if us >= 1 else f"{us:.2f}"


def cell(found):
    """The median, and the worst seed if it is more than a tenth above it."""
    if found is None:
        return "–"
    middle, worst = found
    return shown(middle) + (f" ({shown(worst)})" if worst > 1.1 * middle else "")


def machines(record):
    """(topology, threads), from the ones with most processors and threads down to the smallest."""
    found = {(entry["topology"], threads) for entry in record["series"] for threads in entry["threads"]}
    order = list(record["topologies"])
    return sorted(found, key=lambda place: (order.index(place[0]), place[1]))


def tables_of(record, topology, sizes):
    title = re.sub(r"^\d+, ", "", record["topologies"][topology]["title"])
    header = ["row", *(f"{threads}" for threads in sizes)]
    lines = [f"**{title}**, threads:", "", "| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    for row, about in record["rows"].items():
        every = [series(record, row, runtime, topology) for runtime in record["runtimes"]]
        lines.append(f"| {row}: {about['shows']}; {about['unit']} | "
                     + " | ".join(" / ".join(cell(found.get(threads)) for found in every) for threads in sizes) + " |")
    return [*lines, ""]


def summary(record):
    order = " / ".join(runtime["title"] for runtime in record["runtimes"].values())
    sources = ", ".join(runtime["source"] for runtime in record["runtimes"].values() if runtime["source"])
    commit = (record["source"]["commit"] or "unknown")[:12] + (" with changes" if record["source"]["changes"] else "")
    text = ["### Simulated processors", "",
            f"{record['began']}, commit {commit}, {record['tools']['gcc']}, {record['tools']['clang']}; peers: {sources}.",
            f"µs, {order}: the median of {len(record['seeds'])} seeds, and the worst one if it is more than a tenth above. –: not simulated.", ""]
    text += [] if record["complete"] else ["Incomplete: some cells failed.", ""]
    places = machines(record)
    for topology in record["topologies"]:
        text += tables_of(record, topology, [threads for name, threads in places if name == topology])
    return text[:-1]
