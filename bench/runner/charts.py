"""Draws docs/charts/*.svg from stored records.  The metadata of each chart name the records that it was drawn
from, so it can be checked without drawing it again.  Needs matplotlib (Debian: python3-matplotlib)."""

import os
import re

from runner import records, statistics, tables
from runner.definitions import ROOT
from runner.drawing import COLOURS, Nothing, bars, lines, load_pyplot, log_log

PLACE = os.path.join(ROOT, "docs", "charts")
SOURCE = re.compile(r"<dc:source>\s*(.*?)\s*</dc:source>", re.DOTALL)


class Drawn:
    """The records of one chart, each read once."""

    def __init__(self):
        self.used = {}

    def record(self, name):
        if name not in self.used:
            path = records.newest(name, only_stored=True)
            self.used[name] = os.path.basename(path), records.load(path)
        return self.used[name][1]

    def source(self):
        return " ".join(sorted(name for name, _ in self.used.values()))


# ------------------------------------------------------------------ data from records

def of_rows(record, workers, name):
    """system -> (median, p10, p90) of one row of a program with several rows."""
    found = {}
    for row in record["rows"]:
        samples = tables.values(row, name) if row["workers"] == workers else None
        if isinstance(samples, list):
            s = statistics.summary(samples)
            found[row["system"]] = (s["median"], s["p10"], s["p90"])
    return found


def names_of(record):
    return dict.fromkeys(name for row in record["rows"] for s in row["samples"] if s["status"] == "ok" for name in s["values"])


def workers_of(record, label=None):
    return sorted({row["workers"] for row in record["rows"] if label is None or row["label"] == label})


def matching(record, pattern):
    """(text of the pattern's group, name of the row) for each row whose name matches."""
    pattern = re.compile(pattern)
    return [(found[1], name) for name in names_of(record) if (found := pattern.fullmatch(name))]


def speed_up(record, system):
    """The speed-up of the phase `work` with the most workers that have cores of their own."""
    row = tables.find(record, system, max(workers_of(record, "physical cores")))
    return tables.speedup(record, row, "work") if row else None


# --------------------------------------------------------------------------- drawing

def series_of(record, systems):
    return {s: (tables.title(record, s), COLOURS[s]) for s in systems if s in record["systems"]}


COMPARED = ("libgomp", "libomp-gomp", "libomp-kmpc", "ours-ghc", "ours-pthreads")


def construct(row, title):
    def draw(axes, drawn):
        record = drawn.record("constructs")
        counts = workers_of(record)
        bars(axes, counts, series_of(record, COMPARED), lambda n, s: of_rows(record, n, row).get(s))
        cores = max(workers_of(record, "physical cores"))
        axes.set_xticklabels([f"{n} thread{'s' if n > 1 else ''}" + (f"\non {cores} cores" if n > cores else "") for n in counts])
        axes.set_yscale("log")
        axes.set_ylabel(f"{record['workload']['unit']}, median and p10–p90; log scale")
        axes.set_title(title)
    return draw


def ratios(axes, drawn):
    record = drawn.record("constructs")
    names = list(names_of(record))
    styles = {1: ("#999999", "o"), 2: ("#0072b2", "s"), 4: ("#e69f00", "^"), 8: ("#009e73", "D"), 16: ("#cc79a7", "v"), 32: ("#d55e00", "P")}
    for workers in workers_of(record):
        points = []
        for y, name in enumerate(names):
            found = {s: m for s, (m, _, _) in of_rows(record, workers, name).items()}
            ratio = tables.ratio_to_peers(record, found)
            points += [(float(ratio), y)] if ratio else []
        colour, marker = styles.get(workers, ("#333333", "x"))
        axes.scatter([x for x, _ in points], [y for _, y in points], color=colour, marker=marker, s=28, label=f"{workers} threads" if workers > 1 else "1 thread")
    axes.axvline(1, color="#333333", linewidth=0.8)
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels(names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel("our time (GHC) ÷ fastest peer's; left of 1, ours is faster")
    axes.set_title("Every construct beside libgomp and libomp")
    axes.legend(frameon=False, fontsize=8)


def scaling(names, systems, title):
    def draw(axes, drawn):
        kept = {name: drawn.record(name) for name in names}
        known = {s: series_of(r, systems)[s] for r in kept.values() for s in systems if s in series_of(r, systems)}
        bars(axes, names, known, lambda name, s: speed_up(kept[name], s))
        most = max(max(workers_of(r, "physical cores")) for r in kept.values())
        axes.axhline(most, color="#333333", linewidth=0.8, linestyle="--")
        axes.set_xticklabels([kept[name]["workload"]["title"] for name in names], fontsize=8)
        axes.set_ylabel(f"speed-up of the work with {most} workers")
        axes.set_title(title)
        axes.set_ylim(0, most * 1.3)
        axes.legend(frameon=False, fontsize=8, ncol=3, loc="upper center")
    return draw


def crossover(axes, drawn):
    record = drawn.record("crossover")
    workers = workers_of(record)[-1]
    for kind, colour in (("sequential", "#e69f00"), ("region", "#0072b2")):
        lines(axes, [(int(n), of_rows(record, workers, name)["haskell"])
                     for n, name in matching(record, rf"(\d+) elements, {kind}")],
              f"a region of {workers}" if kind == "region" else kind, colour)
    log_log(axes, "elements", record["workload"]["unit"], "From how many elements on a region is faster")


def batched_calls(axes, drawn):
    record = drawn.record("conventions")
    workers = workers_of(record)[-1]
    lines(axes, [(int(n), of_rows(record, workers, name)["haskell"]) for n, name in matching(record, r"batch of (\d+)")],
          "batched safe calls", "#0072b2")
    for name, colour in (("safe call", "#d55e00"), ("unsafe call", "#e69f00"), ("Cmm primitive", "#009e73")):
        axes.axhline(of_rows(record, workers, name)["haskell"][0], color=colour, linestyle="--", linewidth=1, label=name)
    log_log(axes, "calls in a batch", record["workload"]["unit"], "What a call costs in a batch")


def ffi_overhead(axes, drawn):
    record = drawn.record("conventions")
    workers = workers_of(record)[-1]
    names = ["Cmm primitive", "unsafe call", "batch of 100", "batch of 10", "safe call"]
    bars(axes, names, {"haskell": ("a call from Haskell", COLOURS["haskell"])}, lambda name, s: of_rows(record, workers, name)[s])
    for i, name in enumerate(names):
        middle = of_rows(record, workers, name)["haskell"][0]
        axes.text(i, middle * 1.1, tables.number(middle), ha="center", fontsize=8)
    axes.set_xticklabels(names)
    axes.set_yscale("log")
    axes.set_ylabel(f"{record['workload']['unit']}; log scale")
    axes.set_title("Calling conventions")
    axes.get_legend().remove()


def dgemm(axes, drawn):
    record = drawn.record("blas")
    workers = max(workers_of(record, "physical cores"))
    shown = {("OpenBLAS", "ours-ghc"): ("OpenBLAS on ours", "#0072b2", "o"), ("OpenBLAS", "libgomp"): ("OpenBLAS on libgomp", "#e69f00", "s"),
             ("three loops", "ours-ghc"): ("three loops on ours", "#56b4e9", "^"), ("three loops", "libgomp"): ("three loops on libgomp", "#d55e00", "v")}
    for (what, system), (label, colour, marker) in shown.items():
        points = []
        for n, name in matching(record, rf"{what} (\d+)"):
            found = of_rows(record, workers, name).get(system)
            points += [(int(n), tuple(2e-6 * int(n) ** 3 / ms for ms in (found[0], found[2], found[1])))] if found else []
        lines(axes, points, label, colour, marker)
    axes.set_yscale("log")
    axes.set_xticks([128, 256, 512, 1024])
    axes.set_xlabel("n of an n x n product")
    axes.set_ylabel("GFLOPS")
    axes.set_title(f"Matrix product, {workers} threads")
    axes.legend(frameon=False, fontsize=8)


def small_tasks(axes, drawn):
    record = drawn.record("tasks")
    names = list(names_of(record))
    most = max(workers_of(record, "physical cores"))

    def value(name, system):
        one, many = of_rows(record, 1, name).get(system), of_rows(record, most, name).get(system)
        return one[0] / many[0] if one and many else None
    bars(axes, names, series_of(record, COMPARED), value)
    axes.axhline(1, color="#333333", linewidth=0.8)
    axes.set_xticklabels(names, fontsize=8)
    axes.set_ylabel(f"time on 1 thread divided by time on {most}")
    axes.set_title("Programs of small tasks: above 1, threads help")


KINDS_OF_WORK = ["process_scale", "thread_scale", "map_reduce", "uneven_tasks", "barrier_phases"]

CHARTS = {
    "fork_join": construct("fork/join", "Fork and join of an empty region"),
    "barrier": construct("barrier", "Barrier"),
    "ratios": ratios,
    "small_tasks": small_tasks,
    "scaling": scaling(KINDS_OF_WORK, ("linux-pthreads", "libgomp", "libomp-gomp", "ours-ghc", "ours-pthreads"), "Speed-up by kind of work"),
    "sparks": scaling(["process_scale", "thread_scale", "map_reduce", "uneven_tasks", "sine_sum"], ("ghc-forkio", "ghc-sparks", "ours-ghc"),
                      "GHC's own threads and sparks, and OpenMP on its workers"),
    "crossover": crossover,
    "batched_calls": batched_calls,
    "ffi_overhead": ffi_overhead,
    "dgemm": dgemm,
}


def path_of(name):
    return os.path.join(PLACE, name + ".svg")


def source_of(path):
    """The records that the chart was drawn from; nothing if there is no chart."""
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        found = SOURCE.search(file.read())
    return found[1] if found else ""


def draw(name, pyplot):
    drawn = Drawn()
    figure, axes = pyplot.subplots(figsize=(7.5, 5 if name == "ratios" else 4))
    CHARTS[name](axes, drawn)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    record = next(record for _, record in drawn.used.values())
    machine = record["machine"]
    figure.text(0.01, 0.01, f"{machine['cpu']['model']}, {machine['cores']} cores; {record['began'][:10]}; docs/evidence.md has the table", fontsize=6, color="#666666")
    figure.tight_layout(rect=(0, 0.02, 1, 1))
    figure.savefig(path_of(name), metadata={"Date": None, "Source": drawn.source(), "Title": name})
    pyplot.close(figure)


def stale():
    """Charts that were not drawn from the newest stored records."""
    found = []
    for name, chart in CHARTS.items():
        drawn = Drawn()
        chart(Nothing(), drawn)
        if source_of(path_of(name)) != drawn.source():
            found.append(name)
    return found


def draw_stale():
    names = stale()
    if names:
        os.makedirs(PLACE, exist_ok=True)
        pyplot = load_pyplot()
        for name in names:
            draw(name, pyplot)
    return [os.path.relpath(path_of(name), ROOT) for name in names]
