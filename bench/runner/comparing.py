"""What two records of one workload show."""

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


def compare(a, b):
    """Lines of text; refuses records that do not measure the same."""
    for key in ("name", "parameters"):
        if a["workload"][key] != b["workload"][key]:
            raise Problem(f"the records measure different things: {key} is {a['workload'][key]} and {b['workload'][key]}")
    text, lines, shown_count = [], [], 0
    if machine.identity(a["machine"]) != machine.identity(b["machine"]):
        text.append("The records are of different machines: ratios say nothing of the code.")
    one, two = series(a), series(b)
    for key in one:
        if key not in two:
            continue
        ratio, low, high, shown = statistics.compare(one[key], two[key])
        shown_count += shown
        verdict = ("slower" if ratio > 1 else "faster") if shown else "no difference shown"
        lines.append([key[0], str(key[1]), key[2], tables.spread(one[key]), tables.spread(two[key]),
                      f"{ratio:.3f} ({low:.3f}–{high:.3f})", verdict])
    alone = [key for key in {**one, **two} if key not in one or key not in two]
    text += tables.grid(["system", "workers", "what", "A, ns", "B, ns", "B to A, 99 % interval", ""], lines)
    if alone:
        text.append(f"Only in one of them: {', '.join(' '.join(map(str, key)) for key in alone)}.")
    text.append(f"{shown_count} of {len(lines)} rows differ." if shown_count else f"No difference shown in {len(lines)} rows.")
    return text
