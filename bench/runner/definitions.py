"""Reads bench/workloads/*.toml and bench/systems/*.toml.  A new file adds a workload or a system."""

import glob
import os
import tomllib
from dataclasses import dataclass, field, replace

from runner.problem import Problem

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(BENCH)


@dataclass
class Case:
    """A separate process of a workload with rows; the names of its rows begin with its name."""
    name: str
    arguments: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    launcher: list = field(default_factory=list)  # words before the program, which start several processes of it


@dataclass
class Workload:
    name: str
    title: str
    shows: str                  # printed below the title of its table: what is measured, in whole sentences
    row_names: dict = field(default_factory=dict)  # pattern of a name that the program prints: the name in tables
    sources: list = field(default_factory=list)
    haskell: bool = False       # a Haskell program with C code, for systems of C; it writes samples as the demos do
    wheels: list = field(default_factory=list)  # C sources: each becomes a library with its own copy of the OpenMP runtime, which the program loads
    compiler: str = ""          # instead of GCC, which it calls (MPI's mpicc); for systems of GCC
    client: str = ""            # a C program that the workload's program starts; CLIENT is its path
    requires: dict = field(default_factory=dict)  # a Debian package: a command that succeeds if it, or an equivalent, is installed
    quota: float = 0            # the workload runs in a cgroup with this many processors' time; 0: without a cgroup of its own
    beside: int = 0             # other processes that compute meanwhile, unless the setting BESIDE says otherwise
    demo: str = ""              # the workload is this program of demos/haskell
    systems: list = field(default_factory=list)  # these are measured if none is named; default: all that can run it
    guest: bool = False         # some of its systems run in a QEMU guest (bench/guest)
    least_workers: int = 1
    kind: str = "phases"        # or "rows": the program itself prints rows of samples
    unit: str = "ns"
    needs: list = field(default_factory=list)
    parameters: dict = field(default_factory=dict)
    expected: dict = field(default_factory=dict)
    quick: dict = field(default_factory=dict)
    rate: dict = field(default_factory=dict)
    workers: list = field(default_factory=list)  # default: 1, 2, 4, … up to the number of cores
    scales: bool = False        # also with more workers, if there are more cores
    runs: int = 9
    warmup: int = 1             # runs before the counted ones
    same_compiler: bool = False  # ratios leave out peers whose code another compiler made
    floor: str = ""             # a program that measures the machine's own limit
    arguments: list = field(default_factory=list)  # after the parameters
    cases: list = field(default_factory=list)    # the program runs once for each, with a runtime's defaults except for the settings of the case

    def __post_init__(self):
        try:
            self.cases = [Case(**case) for case in self.cases]
        except TypeError as error:
            raise Problem(f"a case is wrong: {str(error).partition('() ')[2]}") from error
        names = [case.name for case in self.cases]
        if any(":" in name for name in names) or len(set(names)) < len(names):
            raise Problem("names of cases: expected each once, and no colon in them")


@dataclass
class System:
    name: str
    title: str
    driver: list = field(default_factory=list)
    compiler: str = "gcc"
    has: list = field(default_factory=list)
    library: list = field(default_factory=list)
    wheel: str = ""             # instead: a package of PyPI, "name==version", that contains the library `file`
    file: str = ""
    variant: dict = field(default_factory=dict)  # constants of runtime/admission/constants.h: the library is built with these values
    stands_for: list = field(default_factory=lambda: ["libgomp.so.1"])  # the names by which programs load the library
    environment: dict = field(default_factory=dict)
    arguments: list = field(default_factory=list)
    ours: bool = False
    peer: bool = False
    reference: bool = False
    on_request: bool = False    # measured only if it is named
    guest: bool = False         # there is a second system, NAME-guest, which is this one in a QEMU guest
    inside: bool = False        # this is such a second system

    def in_guest(self):
        return replace(self, name=self.name + "-guest", title=self.title + ", in a guest", has=[*self.has, "guest"], on_request=True,
                       guest=False, inside=True)


def read(kind, path):
    with open(path, "rb") as file:
        try:
            fields = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise Problem(f"{path}: {error}") from error
    known = set(kind.__dataclass_fields__) - {"name", "inside"}
    for key in fields:
        if key not in known:
            raise Problem(f"{path}: unknown key '{key}': expected one of {', '.join(sorted(known))}")
    try:
        return kind(name=os.path.basename(path)[:-len(".toml")], **fields)
    except (TypeError, Problem) as error:
        raise Problem(f"{path}: {error}") from error


def names_of(folder):
    return [os.path.basename(path)[:-len(".toml")] for path in sorted(glob.glob(os.path.join(BENCH, folder, "*.toml")))]


def read_all(kind, folder):
    found = {}
    for path in (os.path.join(BENCH, folder, name + ".toml") for name in names_of(folder)):
        item = read(kind, path)
        found[item.name] = item
    return found


def workloads():
    return read_all(Workload, "workloads")


def systems():
    found = read_all(System, "systems")
    return {**found, **{inside.name: inside for inside in (system.in_guest() for system in found.values() if system.guest)}}


def choose(names, known, what):
    for name in names:
        if name not in known:
            raise Problem(f"no {what} is called '{name}': expected one of {', '.join(known)}")
    return {name: known[name] for name in names}
