"""Markdown from a record of clients (test/clients/run): for each program and thread count, our time divided
by libgomp's.  A ratio belongs to one pair of runs, one directly after the other, so that a busy minute of the
machine affects both.  The table shows the median of all pairs, and their quartiles."""

from math import comb
from statistics import median

from runner.statistics import quantile

GOAL = 1.03


def row_of(record, client, threads):
    return next((row for row in record["rows"] if (row["client"], row["threads"]) == (client, threads)), None)


def times(row, runtime):
    return [sample["wall_s"] for sample in row["samples"][runtime] if sample["status"] == "ok"]


def ratios(row):
    return [ours / theirs for theirs, ours in zip(times(row, "libgomp"), times(row, "ghc"))]


def at_least(count, of):
    """The probability that a fair coin falls on one side at least `count` times in `of` throws."""
    return sum(comb(of, k) for k in range(count, of + 1)) / 2 ** of


def shown(row):
    """A sign test of the pairs, 95 %: "slower" than GOAL allows, "not slower", or None: not decided."""
    found = ratios(row)
    above = sum(ratio > GOAL for ratio in found)
    if at_least(above, len(found)) <= 0.05:
        return "slower"
    return "not slower" if at_least(len(found) - above, len(found)) <= 0.05 else None


def short(ended):
    """How libgomp failed, in rows without a time of it."""
    return ended.removeprefix("libgomp: ")


def cell(row):
    if row["status"] == "failed":
        return f"FAILED: {row['reason']}"
    if row["status"] == "missing":
        return "not installed"
    if row["reason"]:
        return f"libgomp: {short(row['reason'])}"
    found = ratios(row)
    if not found:
        return "not timed"
    return f"{median(found):.2f} ({quantile(found, 0.25):.2f}–{quantile(found, 0.75):.2f})"


def seconds(row, runtime):
    found = times(row, runtime) if row else []
    return f"{median(found):.2f}" if found else "–"


def grid(record):
    counts = record["threads"]
    timed = 2 if 2 in counts else counts[-1]
    header = ["program", "what it does", f"libgomp, s, {timed} threads", f"ours, s, {timed} threads",
              *(f"ours ÷ libgomp, {n} thread{'s' if n > 1 else ''}" for n in counts), "compared"]
    lines = []
    for name, client in record["clients"].items():
        rows = [row_of(record, name, n) for n in counts]
        at = row_of(record, name, timed)
        lines.append([client["title"], client["does"], seconds(at, "libgomp"), seconds(at, "ghc"), *map(cell, rows),
                      client["compared"] if client["compared"] == "every byte" else client["varies"]])
    return ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"] + ["| " + " | ".join(line) + " |" for line in lines]


def totals(record):
    """Sentences below the table: how many programs were compared, which outputs differed, which rows were slower."""
    rows = record["rows"]
    compared = {row["client"] for row in rows if row["status"] in ("same", "failed")}
    failed = [f"{row['client']} at {row['threads']}" for row in rows if row["status"] == "failed"]
    missing = sorted({row["client"] for row in rows if row["status"] == "missing"})
    timed = [row for row in rows if row["status"] == "same" and ratios(row)]
    slower = [f"{row['client']} at {row['threads']} ({median(ratios(row)):.3f})" for row in timed if median(ratios(row)) > GOAL]
    found = f"{len(failed)} failed: {', '.join(failed)}" if failed else "all outputs are the same"
    text = [f"Programs compared on both substrates: {len(compared)}, in {sum(row['status'] in ('same', 'failed') for row in rows)} cases (one program at one number of threads); {found}."]
    if timed:
        text.append(f"Median ratio above {GOAL} in {len(slower)} of {len(timed)} timed cases{': ' if slower else ''}{', '.join(slower)}.")
        by_test = {answer: [f"{row['client']} at {row['threads']}" for row in timed if shown(row) == answer] for answer in ("slower", "not slower", None)}
        text.append(f"A sign test of the pairs (95 %): at most {GOAL} in {len(by_test['not slower'])} cases, not decided in {len(by_test[None])}, "
                    f"more in {len(by_test['slower'])}{': ' if by_test['slower'] else ''}{', '.join(by_test['slower'])}.")
    if missing:
        text.append(f"Not installed, and not compared: {', '.join(missing)}.")
    return text


def pairs(record):
    most = record.get("most_runs", record["runs"])
    return f"{record['runs']}" if most == record["runs"] else f"{record['runs']} to {most}"


def origin(record):
    machine, commit = record["machine"], (record["source"]["commit"] or "unknown")[:12]
    clean = "" if record["source"]["clean"] else " with changes"
    return (f"{record['began']}, commit {commit}{clean}, {record['libraries']['libgomp']}; {machine['cpu']['model']}, "
            f"{machine['cores']} cores, processors {machine['online']}, {machine['virtual'] or 'not virtual'}; "
            f"{pairs(record)} pairs of runs, one run of each pair with each library; load before {record['load']['before']['average']}")


def summary(record):
    text = [origin(record) + "."]
    if not record["complete"]:
        text.append("Incomplete: the run was interrupted.")
    return text + ["", *grid(record), "", *totals(record)]
