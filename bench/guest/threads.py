"""What QEMU's threads do on the host: their processors' time, from /proc."""

import os
import re

SWITCHES = re.compile(r"^(voluntary|nonvoluntary)_ctxt_switches:\s*(\d+)$", re.MULTILINE)
VIRTUAL = re.compile(r"CPU (\d+)/")


def read(path):
    with open(path) as file:
        return file.read()


def one(folder):
    """Nanoseconds on a processor and runnable without one, time slices, and switches from the processor."""
    on, runnable, slices = (int(word) for word in read(f"{folder}/schedstat").split())
    switches = dict(SWITCHES.findall(read(f"{folder}/status")))
    return {"on_processor_ns": on, "runnable_ns": runnable, "slices": slices,
            "voluntary_switches": int(switches["voluntary"]), "involuntary_switches": int(switches["nonvoluntary"])}


def all_of(process):
    """Thread number -> (name, counts).  QEMU's threads may end meanwhile."""
    found = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        folder = f"/proc/{process}/task/{thread}"
        try:
            found[int(thread)] = read(f"{folder}/comm").strip(), one(folder)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def named(name):
    """Virtual processors by their number; QEMU's other threads together."""
    virtual = VIRTUAL.match(name)
    return f"virtual processor {virtual[1]}" if virtual else "other threads"


def between(before, after):
    """What the threads have used between two calls of all_of, by name."""
    found = {}
    for thread, (name, counts) in sorted(after.items()):
        sums = found.setdefault(named(name), dict.fromkeys(counts, 0))
        earlier = before.get(thread, (name, {}))[1]
        for what, count in counts.items():
            sums[what] += count - earlier.get(what, 0)
    return dict(sorted(found.items(), key=lambda item: (item[0] == "other threads", len(item[0]), item[0])))
