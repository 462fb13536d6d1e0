"""Which processors the workers of a row get, and the label of the row."""

from runner.problem import Problem


def parse_list(text):
    """'0-2,5' as [0, 1, 2, 5]."""
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise Problem(f"'{text}' is not a list of processors: expected something like 0,2 or 0-3")
        found += range(int(first), int(last if dash else first) + 1)
    return found


def in_order(processors):
    """One thread of each core first, then the second threads, and so on."""
    cores = {}
    for p in processors:
        cores.setdefault((p["socket"], p["siblings"]), []).append(p["processor"])
    threads = list(cores.values())
    return [core[i] for i in range(max(map(len, threads))) for core in threads if i < len(core)], len(threads)


def place(machine, workers, only=None):
    """(label, processors) of a row."""
    usable = machine["processors"]
    if only:
        missing = set(only) - {p["processor"] for p in usable}
        if missing:
            raise Problem(f"processors {sorted(missing)} cannot be used: this process may use {machine['affinity']}")
        usable = [p for p in usable if p["processor"] in only]
    ordered, cores = in_order(usable)
    if workers <= cores:
        return "physical cores", sorted(ordered[:workers])
    if workers <= len(ordered):
        return "SMT", sorted(ordered[:workers])
    return "oversubscribed", sorted(ordered)


def usual_workers(machine, only=None, smt=False):
    """1, 2, 4…, at most the number of cores; with smt, of their threads."""
    return [w for w in (1, 2, 4, 8, 16, 32)
            if place(machine, w, only)[0] in ("physical cores",) + (("SMT",) if smt else ())]
