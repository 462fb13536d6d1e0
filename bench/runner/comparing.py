"""Compares two records of one workload."""

import math

from runner import machine, statistics, tables
from runner.problem import Problem


def series(record):
    """(system, workers, what) -> samples."""
    found = {}
    for row in record["rows"]:
        if row["status"] != "ok":
            continue
        if record["workload"]["kind"] == "rows":
            for name in row["samples"][0]["values"]:
                samples = tables.values(row, name)
                if isinstance(samples, list):
                    found[row["system"], row["workers"], name] = samples
        else:
            for name in ("work", "total"):
                found[row["system"], row["workers"], name] = tables.phase(row, name)
    return found


def is_control(name, a, b):
    """Whether it is a peer with the same library in both records, so that only the machine can make a difference."""
    one, two = a["systems"].get(name), b["systems"].get(name)
    return bool(one and two) and not one["from_tree"] and not two["from_tree"] and one["library_sha256"] == two["library_sha256"]


def drift(compared, a, b, workers=None):
    """The least and the greatest ratio of the controls: how much the machine itself changed.  None: too few controls."""
    ratios = [ratio for key, (ratio, *_) in compared.items()
              if is_control(key[0], a, b) and workers in (None, key[1]) and 0 < ratio < math.inf]
    return (min(1, *ratios), max(1, *ratios)) if len(ratios) > 1 else None


def verdict(key, found, band, a, b):
    """`band`: the ratios of the controls with as many workers."""
    ratio, low, high, shown = found
    if is_control(key[0], a, b):
        return "peer"
    if not shown or (band and not (low > band[1] or high < band[0])):
        return "no difference shown"
    return "slower" if ratio > 1 else "faster"


def compare(a, b):
    """Lines of text; refuses records that measure different things."""
    for key in ("name", "parameters"):
        if a["workload"][key] != b["workload"][key]:
            raise Problem(f"the records measure different things: {key} is {a['workload'][key]} and {b['workload'][key]}")
    one, two = ({case["name"]: case for case in record["workload"].get("cases", [])} for record in (a, b))
    other = [name for name in one if name in two and one[name] != two[name]]
    if other:
        raise Problem(f"the records measure different things: the cases {', '.join(other)}")
    text = []
    if machine.identity(a["machine"]) != machine.identity(b["machine"]):
        text.append("The records are of different machines: a ratio does not show what a change of the code does.")
    one, two = series(a), series(b)
    compared = {key: statistics.compare(one[key], two[key]) for key in one if key in two}
    band = drift(compared, a, b)
    lines, verdicts = [], {}
    for key, found in compared.items():
        verdicts[key] = verdict(key, found, drift(compared, a, b, key[1]), a, b)
        lines.append([key[0], str(key[1]), key[2], tables.spread(one[key]), tables.spread(two[key]),
                      f"{found[0]:.3f} ({found[1]:.3f}–{found[2]:.3f})", verdicts[key]])
    alone = [key for key in {**one, **two} if key not in one or key not in two]
    text += tables.grid(["system", "workers", "what", f"A, {a['workload']['unit']}", f"B, {a['workload']['unit']}", "B to A, 99 % interval", ""], lines)
    if alone:
        text.append(f"Only in one of the two records: {', '.join(' '.join(map(str, key)) for key in alone)}.")
    return text + conclusion(verdicts, band)


def compare_systems(record, names):
    """Two systems of one record: their runs took turns, so that slow minutes of the machine affect both."""
    there = list(dict.fromkeys(row["system"] for row in record["rows"]))
    if len(names) != 2 or not set(names) <= set(there):
        raise Problem(f"--systems {','.join(names)}: expected two of {', '.join(there)}")
    found = series(record)
    of = [{key[1:]: samples for key, samples in found.items() if key[0] == name} for name in names]
    lines, verdicts = [], {}
    for key in of[0]:
        if key in of[1]:
            ratio, low, high, shown = statistics.compare(of[0][key], of[1][key])
            verdicts[key] = ("slower" if ratio > 1 else "faster") if shown else "no difference shown"
            lines.append([str(key[0]), key[1], tables.spread(of[0][key]), tables.spread(of[1][key]), f"{ratio:.3f} ({low:.3f}–{high:.3f})", verdicts[key]])
    unit = record["workload"]["unit"]
    head = ["workers", "what", f"{names[0]}, {unit}", f"{names[1]}, {unit}", "ratio, 99 % interval", ""]
    return tables.grid(head, lines) + [total(list(verdicts.values()))]


def total(own):
    differ = [v for v in own if v != "no difference shown"]
    return f"{len(differ)} of {len(own)} rows differ." if differ else f"No difference shown in {len(own)} rows."


def conclusion(verdicts, band):
    own = [v for v in verdicts.values() if v != "peer"]
    text = [f"The unchanged peers take {band[0]:.3f} to {band[1]:.3f} times as long in B as in A: the machine itself changed by so much." if band
            else "No unchanged peer is in both records, so a difference may come from the machine or from the code."]
    return text + [total(own)]
