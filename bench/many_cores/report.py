"""Markdown from a record of bench/many-cores: each row at each number of threads, ours beside the peers."""

from statistics import median


PEERS = ("libgomp", "libomp", "libomp-gomp")


def shown(ns):
    us = ns / 1000
    return f"{us:.0f}" if us >= 99.5 else f"{us:.3g}" if us >= 0.1 else f"{us:.2g}"


def by_place(record):
    """(row, variant) -> threads -> system -> entry."""
    found = {}
    for entry in record["cells"]:
        found.setdefault((entry["row"], entry["variant"]), {}).setdefault(entry["threads"], {})[entry["system"]] = entry
    return found


def middle(entry):
    return median(entry["median_ns"]) if entry and entry["median_ns"] and not entry["failed"] else None


def ratio(systems):
    """Our time divided by the better peer's, or None."""
    ours, peers = middle(systems.get("ours")), [m for name in PEERS if (m := middle(systems.get(name)))]
    return ours / min(peers) if ours and peers else None


def cell(systems, order):
    if not systems:
        return ""
    texts = [("failed" if entry["failed"] else shown(middle(entry))) if (entry := systems.get(name)) else "–" for name in order]
    found = ratio(systems)
    return " / ".join(texts) + (f" **{found:.2f}**" if found is not None else "")


def machine(record):
    about = record["machine"]
    quota = about["quota_processors"]
    return [f"{about['cpu']['model']}, {len(about['affinity'])} processors of {about['cores']} cores, sockets: {about['sockets']}"
            + (f", a quota of {quota:g} processors" if quota else "") + f", {about['virtual'] or 'not virtual'}, Linux {about['kernel']['release']}.",
            f"Load before: {record['load']['before']['average']}."]


def facts(record):
    f = record["facts"]
    trips = sorted(trip["trip_ns"] for trip in f["trips"])
    lines = [f"A pause takes {f['pause_ns']:g} ns, a yield {f['yield_ns']:g}, a futex call {f['futex_ns']:g}, a thread {f['thread_ns'] / 1000:.0f} us; the "
             f"process's clock with 16, 128 and 1024 threads {f['process_clock_of_16_ns']:g}, {f['process_clock_of_128_ns']:g} and {f['process_clock_of_1024_ns']:g} ns."]
    if trips:
        lines.insert(0, f"Round trip of a line between two processors: {trips[0]:.0f} to {trips[-1]:.0f} ns, median {median(trips):.0f}.")
    for crowd in f["crowds"]:
        lines.append(f"{crowd['threads']} threads: an addition to one counter {crowd['addition_ns']:.0f} ns; one writes and all have answered {crowd['readers_ns']:.0f} ns; "
                     f"until the last one woken runs {crowd['wake_by_one_call_ns'] / 1000:.0f} us by one call, {crowd['wake_by_a_call_each_ns'] / 1000:.0f} by a call each.")
    return lines


def table(record):
    order = list(record["systems"])
    found = by_place(record)
    columns = sorted({threads for sizes in found.values() for threads in sizes})
    lines = ["| row | " + " | ".join(map(str, columns)) + " |", "|---" * (len(columns) + 1) + "|"]
    for (row, variant), sizes in found.items():
        about = record["rows"][row]
        name = f"{row}, {variant}" if variant else f"{row}: {about['shows']}; {about['unit']}"
        lines.append(f"| {name} | " + " | ".join(cell(sizes.get(threads), order) for threads in columns) + " |")
    return lines


def failures(record):
    return [f"FAILED {entry['row']}{', ' + entry['variant'] if entry['variant'] else ''}, {entry['threads']} threads, {entry['system']}: {entry['failed']}"
            for entry in record["cells"] if entry["failed"]]


def summary(record):
    order = " / ".join(system["title"] for system in record["systems"].values())
    commit = (record["source"]["commit"] or "unknown")[:12] + (" with changes" if record["source"]["changes"] else "")
    text = ["### Many cores", "", f"{record['began']}, commit {commit}, {record['tools']['gcc'] or 'no compiler'}."] + machine(record)
    text += [f"{system['title']}: {system['origin']}." for system in record["systems"].values() if not system["ours"]]
    text += [f"Without {name}: {why}." for name, why in record["missing"].items()]
    text += ["", *facts(record), ""]
    part = "" if record["ended_by"] == "rounds" else " and a part of one more"
    text.append(f"µs, by threads: {order}, and in bold our time divided by that of the better peer. Median of {record['rounds']} rounds{part}; "
                "a process of each row and system in each round.")
    return [*text, "", *table(record), *([""] + failures(record) if failures(record) else [])]
