"""Creates a cgroup with a CPU quota for programs that must run in one: of version 2 or version 1."""

import atexit
import functools
import os

from runner.problem import Problem

PERIOD_US = 100000
NAME = f"ghc-openmp-bench-{os.getpid()}"


def own_group(controllers):
    """The path of this process's group in the hierarchy with these controllers ("": version 2)."""
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(":", 2) for line in file]
    return next((path for _, names, path in lines if controllers in names.split(",")), None)


def limits(processors):
    """Where a group may be created, and the files that set its limit, with their contents."""
    of_v2, of_v1 = own_group(""), own_group("cpu")
    if of_v1 is not None:
        yield "/sys/fs/cgroup/cpu" + of_v1, {"cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": int(processors * PERIOD_US)}
    if of_v2 is not None:
        yield "/sys/fs/cgroup" + of_v2, {"cpu.max": f"{int(processors * PERIOD_US)} {PERIOD_US}"}


@functools.cache
def group(processors):
    """The folder of a group with that many processors' time; it is removed when this program ends."""
    reasons = []
    for parent, files in limits(processors):
        folder = os.path.join(parent, NAME)
        try:
            os.mkdir(folder)
            atexit.register(os.rmdir, folder)
            for name, value in files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(str(value))
            return folder
        except OSError as error:
            reasons.append(str(error))
    raise Problem(f"no cgroup with a CPU quota can be made here: {'; '.join(reasons) or 'there are no cgroups'}")


def join(folder):
    """Puts the calling process, and all processes that it starts later, into the group."""
    with open(os.path.join(folder, "cgroup.procs"), "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
