"""The settings of one run: environment, processors, native threads, stacks and disturbances."""

import os

from tree import draw

# Variables that a run must not inherit from the caller.
OURS = ("OMP_", "GOMP_", "GHCOMP_", "KMP_")

# Options of the program, with their simplest values; see masters.h.
OPTIONS = {"masters": "1", "rounds": "1", "stack": None, "disturb": None, "seed": "1"}

DISTURBANCES = ["count", "count,signalstack", "stop", "cancel", "cancel,stop,count", "region", "region,signalstack", "region,stop",
                "region,cancel", "exit", "exit,region", "exit,region,signalstack", "exit,stop", "exit,cancel"]
# A handler interrupts libgomp where it allocates, and no runtime promises that a region may begin there.
OURS_ONLY = ("region", "exit")


def choose(rng, processors):
    """Environment variables; names in small letters are not variables but further settings."""
    s = {"OMP_CANCELLATION": draw(rng, (3, "true"), "false")}

    def perhaps(likelihood, name, *values):
        if rng.random() < likelihood:
            s[name] = draw(rng, *values)

    perhaps(0.7, "OMP_NUM_THREADS", *(str(n) for n in range(1, 10)), "4,2", "3,3,2")
    perhaps(0.4, "OMP_SCHEDULE", "static", "static,3", "dynamic", "dynamic,7", "guided", "guided,5", "auto",
            "monotonic:dynamic,2", "nonmonotonic:dynamic,2", "monotonic:guided", "nonmonotonic:static,4")
    perhaps(0.4, "OMP_WAIT_POLICY", "active", "passive")
    perhaps(0.2, "OMP_DYNAMIC", "true", "false")
    perhaps(0.4, "OMP_MAX_ACTIVE_LEVELS", "1", "2", "3", "9")
    perhaps(0.15, "OMP_THREAD_LIMIT", "1", "2", "3", "5", "16")
    perhaps(0.2, "OMP_PROC_BIND", "true", "false", "close", "spread,close", "master")
    perhaps(0.15, "OMP_PLACES", "cores", "threads", "sockets")
    perhaps(0.3, "GOMP_SPINCOUNT", "0", "1", "100", "10000", "infinity")
    perhaps(0.3, "OMP_STACKSIZE", "256k", "512k", "1m", "16m")
    perhaps(0.4, "OMP_MAX_TASK_PRIORITY", "1", "5", "100")
    perhaps(0.2, "GHCOMP_TREE", "2", "3", "5", "64")
    perhaps(0.1, "OMP_NUM_TEAMS", "1", "2", "3")
    perhaps(0.1, "OMP_TEAMS_THREAD_LIMIT", "1", "2", "4")
    s["GHCOMP_SUBSTRATE"] = draw(rng, "ghc", "pthread")
    s["cpus"] = draw(rng, (2, ""), str(draw(rng, *processors)))
    s["masters"] = str(draw(rng, (8, 1), 2, 3, 4))
    s["rounds"] = str(draw(rng, (8, 1), 2, 3))
    if s.get("GOMP_SPINCOUNT") == "infinity" and s["cpus"]:
        del s["GOMP_SPINCOUNT"]  # threads that spin for ever would keep the only processor
    return s


def disturbed(rng, s):
    """The same settings with disturbances."""
    return {**s, "disturb": draw(rng, *DISTURBANCES), "seed": str(rng.randrange(10**6)), "masters": str(draw(rng, 1, 2, 3))}


def is_for_ours(s):
    return any(kind in s.get("disturb", "").split(",") for kind in OURS_ONLY)


def simpler(s):
    """The same settings without one of them, each in turn."""
    for name in s:
        if name in OPTIONS:
            if OPTIONS[name] not in (None, s[name]):
                yield {**s, name: OPTIONS[name]}
        elif name == "cpus":
            if s[name]:
                yield {**s, name: ""}
        elif name != "GHCOMP_SUBSTRATE":
            yield {k: v for k, v in s.items() if k != name}


def environment(s, runtime):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
    clean.update({k: v for k, v in s.items() if k.isupper()})
    clean["LD_LIBRARY_PATH"] = runtime
    return clean


def command(s, path, which):
    """The words that start programs WHICH of the file."""
    kind, _, kib = s.get("stack", "").partition(":")
    return [*(["taskset", "-c", s["cpus"]] if s["cpus"] else []),
            *(["prlimit", f"--stack={int(kib) * 1024}:"] if kind == "main" else []),
            path, *(f"{name}={s[name]}" for name in OPTIONS if name in s), *map(str, which)]


def shell(s, runtime, path, which):
    """As a command of a shell."""
    words = [f"{k}={v}" for k, v in s.items() if k.isupper()]
    words += [f"LD_LIBRARY_PATH={runtime}"] if runtime else []
    return " ".join(["env"] + words + command(s, path, which))
