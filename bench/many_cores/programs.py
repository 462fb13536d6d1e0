"""The runtimes that are compared, and the programs that run on them: the rows of bench/scale/rows on the real machine, and facts.c.
What is newer than its sources stays, so a machine without compilers can use programs that were built elsewhere."""

import glob
import os
import shutil
import subprocess
from dataclasses import dataclass, field

from runner import building, definitions
from runner.problem import Problem

BENCH = definitions.BENCH
OWN = os.path.join(BENCH, "many_cores")
SCALE = os.path.join(BENCH, "scale")
FOLDER = os.path.join(building.BUILD, "many-cores")


@dataclass
class System:
    name: str
    title: str
    compiler: str                  # of the rows
    peer: str = ""                 # its definition in bench/systems, which says where its library comes from
    ours: bool = False
    program: str = ""
    library: str = ""
    origin: str = ""
    environment: dict = field(default_factory=dict)


# With a missing Clang libomp is measured by the names of libgomp.
SYSTEMS = {s.name: s for s in (
    System("ours", "ours", "gcc", ours=True),
    System("libgomp", "libgomp", "gcc"),
    System("libomp", "libomp", "clang", peer="libomp-kmpc"),
    System("libomp-gomp", "libomp, GOMP_*", "gcc", peer="libomp-gomp"),
    System("ours-clang", "ours, Clang's code", "clang", ours=True))}


def sources(pattern):
    return sorted(glob.glob(pattern))


def compiled(name, kind, files, *flags):
    """The path of a program, which is compiled if its sources are newer."""
    target = os.path.join(FOLDER, name)
    inputs = [*files, *sources(os.path.join(SCALE, "*", "*.h"))]
    if os.path.exists(target) and os.path.getmtime(target) >= building.newest(inputs):
        return target
    os.makedirs(FOLDER, exist_ok=True)
    command = [building.compiler(kind), "-D_GNU_SOURCE", "-O2", f"-I{SCALE}/engine", f"-I{SCALE}/rows", *flags, *files, "-o", target + ".new", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        if kind == "clang" and "omp" in done.stderr:
            raise building.Missing("clang is here without its OpenMP library (Debian: libomp-dev)")
        raise Problem(f"cannot compile {name}: {' '.join(command)}\n{done.stderr[-2000:]}")
    os.replace(target + ".new", target)
    return target


REAL = os.path.join(SCALE, "machine", "real.c")


def rows(kind):
    return compiled(f"rows-{kind}", kind, [*sources(os.path.join(SCALE, "rows", "*.c")), os.path.join(OWN, "rows.c"), REAL], "-fopenmp")


def facts():
    return compiled("facts", "gcc", [os.path.join(OWN, "facts.c")])


def calibrate():
    return compiled("calibrate", "gcc", [os.path.join(SCALE, "machine", "calibrate.c"), REAL])


def our_library():
    path = os.path.join(building.BUILD, "lib", "libgomp.so.1")
    if not os.path.exists(path):
        raise Problem(f"{path} is not there: make")
    return path


def loaded_by(program, environment):
    """The file of the OpenMP runtime that the program would load, or None."""
    kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "LD_LIBRARY_PATH")}
    done = subprocess.run(["ldd", program], env={**kept, **environment}, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        words = line.split()
        if words and words[0] in ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so") and len(words) > 2 and words[2].startswith("/"):
            return os.path.realpath(words[2])
    return None


def is_right(system, found, library):
    """Ours has several names in one folder."""
    if found is None or library is None:
        return False
    wanted = os.path.realpath(library)
    return os.path.dirname(found) == os.path.dirname(wanted) if system.ours else found == wanted


def ready(system):
    """The system with its program and library.  building.Missing says what this machine lacks."""
    program = rows(system.compiler)
    if system.ours:
        library, folder, origin = our_library(), os.path.dirname(our_library()), "this tree"
    elif system.peer:
        about = definitions.systems()[system.peer]
        library, origin = building.peer_of(about)
        folder = building.folder_for(about, library)
    else:
        library, folder, origin = loaded_by(program, {}), "", None
    environment = {"LD_LIBRARY_PATH": folder} if folder else {}
    found = loaded_by(program, environment)
    if not is_right(system, found, library):
        raise building.Missing(f"the program would run with {found or 'no OpenMP runtime'} in place of {library or 'libgomp.so.1'}")
    return System(system.name, system.title, system.compiler, system.peer, system.ours, program, library,
                  origin or building.peers.of_package(library), environment)


def chosen(names):
    """name -> System for those that can run here, and name -> what is missing."""
    found, missing = {}, {}
    for name in names:
        try:
            found[name] = ready(SYSTEMS[name])
        except building.Missing as problem:
            missing[name] = str(problem)
    return found, missing


def usual():
    """With Clang, libomp's own entry points; without it those that it has for GCC's code."""
    has_clang = os.path.exists(os.path.join(FOLDER, "rows-clang")) or shutil.which(os.environ.get("CLANG", "clang"))
    return [name for name in SYSTEMS if name != ("libomp-gomp" if has_clang else "libomp")]
