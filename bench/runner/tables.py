"""Markdown from records."""

import functools
import os
import re

from many_cores import report
from runner import clients, definitions, inside, records, simulated, statistics


def number(value):
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(samples, scale=1.0):
    s = statistics.summary(samples)
    return f"{number(s['median'] * scale)} ({number(s['p10'] * scale)}–{number(s['p90'] * scale)})"


def phase(row, name):
    return [sample["phases"][name] for sample in row["samples"] if sample["status"] == "ok"]


def title(record, system):
    return record["systems"].get(system, {}).get("title", system)


@functools.cache
def definition(name):
    """The definition of a workload in this tree; None: the record's workload no longer exists."""
    return definitions.workloads().get(name)


def row_title(record, name):
    """The name of a row in tables; its name in the record is the one that the program prints."""
    workload = definition(record["workload"]["name"])
    for pattern, shown in (workload.row_names if workload else {}).items():
        if found := re.fullmatch(pattern, name):
            return found.expand(shown)
    return name


def grid(header, lines):
    text = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    return text + ["| " + " | ".join(line) + " |" for line in lines]


def find(record, system, workers):
    return next((r for r in record["rows"] if r["system"] == system and r["workers"] == workers), None)


def speedup(record, row, name):
    """The speed-up of a row over the row with one worker; None: one of the two is missing, or the two do not show scaling."""
    one = find(record, row["system"], 1)
    if one is None or one["status"] != "ok" or row["status"] != "ok" or row["workers"] == 1 or not inside.shows_scaling(record, row):
        return None
    return statistics.median(phase(one, name)) / statistics.median(phase(row, name))


def shown_speedup(record, row, name):
    ratio = speedup(record, row, name)
    return "" if ratio is None else f"{ratio:.2f}"


def rate(record, row):
    wanted = record["workload"]["rate"]
    if not wanted:
        return []
    return [number(wanted["per_work_ns"] / statistics.median(phase(row, "work")))]


def phases_table(record):
    rate_name = record["workload"]["rate"].get("name")
    header = ["system", "workers", "processors", "work, ms", "speed-up", "total, ms", "speed-up", "ready, ms", "shutdown, ms"]
    header += [rate_name] if rate_name else []
    lines = []
    for row in record["rows"]:
        place = f"{row['label']} {','.join(map(str, row['processors']))}"
        first = [title(record, row["system"]), str(row["workers"]), place]
        if row["status"] != "ok":
            lines.append(first + [f"{row['status']}: {row.get('reason', 'not run')}"] + [""] * (len(header) - 4))
            continue
        lines.append(first + [spread(phase(row, "work"), 1e-6), shown_speedup(record, row, "work"),
                              spread(phase(row, "total"), 1e-6), shown_speedup(record, row, "total"),
                              spread(phase(row, "spawn_ready"), 1e-6), spread(phase(row, "shutdown"), 1e-6)]
                     + rate(record, row))
    return grid(header, lines)


def inside_tables(record):
    """What was counted in guests and around them."""
    text = []
    for found, heading, columns in ((inside.counted(record), ("phase", "What the guest's kernel counted, by phase; median"), inside.COUNTED),
                                    (inside.used(record), ("thread of QEMU", "What QEMU's threads used on the host; median"), inside.USED)):
        lines = [[title(record, system), str(workers), part, *("" if value is None else number(value) for value in medians)]
                 for system, workers, part, medians in found]
        if lines:
            text += ["", heading[1], "", *grid(["system", "workers", heading[0], *columns.values()], lines)]
    return text


def values(row, name):
    """All samples of a row of a program with several rows; or what is wrong."""
    found = []
    for sample in row["samples"]:
        if sample["status"] != "ok":
            return f"failed: {sample['reason']}"
        if name in sample["wrong"]:
            return f"failed: {sample['wrong'][name]}"
        found += sample["values"].get(name, [])
    return found or "not run"


def other_code(record):
    """Peers that do not show the cost of the runtime here, because another compiler made their code."""
    if not record["workload"].get("same_compiler"):
        return []
    systems = record["systems"]
    own = {s["compiled_with"][0] for s in systems.values() if s["ours"]}
    return [name for name, s in systems.items() if s["peer"] and s["compiled_with"][0] not in own]


def last_column(record):
    """The heading of the column that compares ours with the peers; a unit that is not a time has no fastest peer."""
    is_time = re.fullmatch(r"(ns|us|ms)( an? \w+)?", record["workload"]["unit"])
    left_out = ", ".join(title(record, name) for name in other_code(record))
    heading = "our time ÷ fastest peer's" if is_time else "ours ÷ lowest peer's"
    return heading + (f" (left out: {left_out})" if left_out else "")


def about_other_code(record):
    """Lines below a table."""
    left_out = other_code(record)
    named = ", ".join(f"{title(record, name)} ({os.path.basename(record['systems'][name]['compiled_with'][0])})" for name in left_out)
    return [f"\nThe last column leaves out {named}: another compiler generated the code of the work, so the ratio would compare the compilers."] if left_out else []


def ratio_to_peers(record, medians):
    systems, left_out = record["systems"], other_code(record)
    peers = [m for name, m in medians.items() if systems[name]["peer"] and name not in left_out]
    ours = [m for name, m in medians.items() if systems[name]["ours"]]
    return f"{ours[0] / min(peers):.2f}" if peers and ours and min(peers) > 0 else ""


def rows_tables(record):
    text = []
    for workers in dict.fromkeys(row["workers"] for row in record["rows"]):
        rows = {row["system"]: row for row in record["rows"] if row["workers"] == workers}
        label = next(iter(rows.values()))["label"]
        every = dict.fromkeys(name for row in rows.values() for s in row["samples"] if s["status"] == "ok"
                              for name in (*s["values"], *s["wrong"]))
        lines, compared = [], any(s["peer"] for s in record["systems"].values())
        for name in every:
            cells, medians = [row_title(record, name)], {}
            for system, row in rows.items():
                found = values(row, name)
                if isinstance(found, list):
                    medians[system] = statistics.median(found)
                    cells.append(spread(found))
                else:
                    cells.append(found if row["status"] != "missing" else "missing")
            lines.append(cells + ([ratio_to_peers(record, medians)] if compared else []))
        text += ["", f"{workers} thread{'s' if workers > 1 else ''}, {label}; {record['workload']['unit']}, median (p10–p90)", ""]
        text += grid(["row", *(title(record, s) for s in rows), *([last_column(record)] if compared else [])], lines)
        text += about_other_code(record) if compared else []
        without = [row for row in rows.values() if not any(sample["status"] == "ok" for sample in row["samples"])]
        text += [f"\n{title(record, row['system'])}: {row['status']}: {row.get('reason', 'not run')}" for row in without]
    return text


def median(record, system, workers, name):
    """All samples of a row of a table, or of a phase in milliseconds.  ValueError if there are none."""
    row = find(record, system, workers)
    if row is None or row["status"] != "ok":
        raise ValueError(f"the record of {record['workload']['name']} has no row of {system} with {workers} threads")
    if record["workload"]["kind"] != "rows":
        return statistics.median(phase(row, name)) * 1e-6
    found = values(row, name)
    if not isinstance(found, list):
        raise ValueError(f"'{name}' of {system}: {found}")
    return statistics.median(found)


def machine(record):
    about = record["machine"]
    return f"{about['cpu']['model']}, {about['cores']} cores"


def counted(number_of, noun):
    return f"{number_of} {noun}{'' if number_of == 1 else 's'}"


def origin(record):
    about, commit = record["machine"], (record["source"]["commit"] or "unknown")[:12]
    clean = "" if record["source"]["clean"] else " with changes"
    compilers = {s["compiled_with"][0] for s in record["systems"].values()}
    haskell = any("ghc" in c or "haskell" in c for c in compilers)
    tools = f"{record['tools']['gcc']}" + (f", {record['tools']['ghc']}" if haskell else "")
    return (f"{record['began']}, commit {commit}{clean}, {tools}; {about['cpu']['model']}, "
            f"{about['cores']} cores, processors {about['online']}, {about['virtual'] or 'not virtual'}; "
            f"{counted(record['runs'], 'run')} after {counted(record['warmup_runs'], 'warm-up run')}")


def about_libomp(record):
    """Where libomp comes from.  Records without a word about it are from before a release build was measured."""
    found = dict.fromkeys(system.get("library_from", "Debian's build, which is compiled with KMP_DEBUG and slower than a release build")
                          for name, system in record["systems"].items() if name.startswith("libomp-"))
    return [f"libomp: {' and '.join(origin or 'unknown' for origin in found)}."] if found else []


def summary(record):
    if record["schema"] == records.CLIENTS:
        return clients.summary(record)
    if record["schema"] == records.SIMULATED:
        return simulated.summary(record)
    if record["schema"] == records.MANY_CORES:
        return report.summary(record)
    # A heading with "=" would have one anchor on the site and another on GitHub.
    parameters = ", ".join(f"{k}: {v}" for k, v in record["workload"]["parameters"].items())
    workload = definition(record["workload"]["name"])
    text = [f"### {record['workload']['title']}" + (f" ({parameters})" if parameters else ""), ""]
    text += [workload.shows, ""] if workload else []
    text.append(origin(record))
    if record["floor_ns"]:
        text.append(f"Floor: the round trip of a cache line between two processors takes {spread(record['floor_ns'])} ns.")
    text += inside.about(record) + about_libomp(record)
    if record["settings"].get("BESIDE"):
        text.append(f"Measured beside {record['settings']['BESIDE']} other processes that compute.")
    if not record["complete"]:
        text.append("Incomplete: the run was interrupted.")
    return text + (rows_tables(record) if record["workload"]["kind"] == "rows" else ["", *phases_table(record)]) + inside_tables(record)
