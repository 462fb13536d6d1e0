"""The runtimes that the table compares: ours and its peers, each with the code of the compiler that calls it."""

from dataclasses import dataclass
from typing import Callable

from simulator import building, peers


@dataclass(frozen=True)
class Runtime:
    name: str
    title: str
    compiler: Callable  # of the rows
    objects: Callable   # of the runtime
    settings: dict      # in the environment of its programs
    ours: bool = False
    source: str = ""           # of a peer: the version that Debian has
    most_for_tasks: int = 512  # threads; with more, rows of tasks take minutes each

    def runs(self, row, threads):
        return (not row.setting or self.ours) and (row.family != "tasks" or threads <= self.most_for_tasks)


# libomp would ask the real processor for its neighbours.  It spins for 200 ms before it sleeps.
LIBOMP = {"KMP_TOPOLOGY_METHOD": "flat", "DOZE_MS": "250", "COARSE": "100"}
ALL = {r.name: r for r in (
    Runtime("ours", "ours", building.gcc, building.ours, {"GHCOMP_SUBSTRATE": "pthread"}, ours=True),
    Runtime("ours-clang", "ours, Clang's code", building.clang, building.ours, {"GHCOMP_SUBSTRATE": "pthread"}, ours=True),
    Runtime("libgomp", "libgomp", building.gcc, peers.libgomp, {}, source=peers.GCC, most_for_tasks=32),
    Runtime("libomp", "libomp", building.clang, peers.libomp, LIBOMP, source=peers.LLVM))}


def build(runtime):
    """The path of a program that runs any row on this runtime."""
    compiler = runtime.compiler()
    folder = "rows-clang" if runtime.compiler is building.clang else "rows-gcc"
    with building.alone():
        return building.link(f"rows-{runtime.name}", building.rows(compiler, folder), runtime.objects())
