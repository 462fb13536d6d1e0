"""Compiles a workload for a system, and finds the libraries that it runs against."""

import functools
import glob
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass

from guest import qemu
from runner import bundle, peers, quota, variants, wheels
from runner.definitions import BENCH, ROOT
from runner.machine import output
from runner.problem import Problem

BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
COMPILERS = {"gcc": ("CC", "gcc"), "clang": ("CLANG", "clang"), "ghc": ("GHC", "ghc"), "cabal": ("CABAL", "cabal")}
C_FLAGS = ["-O2", "-fopenmp", "-pthread"]
GHC_FLAGS = ["-O2", "-threaded", "-rtsopts", "-optc-O2"]


@dataclass
class Program:
    path: str
    command: list      # that compiled the program
    environment: dict  # to run the program with
    library: str       # the file that the program loads as libgomp.so.1 (or by another name, see System.stands_for), or None
    origin: str        # where the runtime of a peer comes from, with its version; None: unknown
    guests: object = None  # in which the program runs (guest.guests.Guests); None: it runs here


class Missing(Problem):
    """This machine lacks what the system needs: the row is left out, and is not a failure."""


def compiler(kind):
    variable, usual = COMPILERS[kind]
    if bundle.PLACE:
        return usual
    found = os.environ.get(variable, usual)
    if shutil.which(found) is None:
        raise Missing(f"{found} is not installed")
    return found


@functools.cache
def is_there(command):
    return subprocess.run(["sh", "-c", command], capture_output=True).returncode == 0


def check_requirements(workload):
    """Checks what a workload needs besides compilers and an OpenMP runtime."""
    if (workload.requires or workload.wheels or workload.guest) and bundle.PLACE:
        raise Missing("a bundle has no program for it")
    lacking = [package for package, command in workload.requires.items() if not is_there(command)]
    if lacking:
        raise Missing(f"it needs packages that are not installed; on Debian, as root: apt-get install {' '.join(lacking)}")
    if workload.quota:
        try:
            quota.group(workload.quota)
        except Problem as problem:
            raise Missing(str(problem)) from problem


def sources_of(workload, system):
    paths = [os.path.join(BENCH, "workloads", name) for name in workload.sources]
    if workload.kind == "rows":
        return paths
    drivers = [os.path.join(BENCH, "drivers", name) for name in (*system.driver, "harness.c", "counters.c")]
    if system.compiler != "ghc":
        drivers.append(os.path.join(BENCH, "drivers", "main.c"))
    return paths + drivers


def command_for(workload, system, program):
    sources = sources_of(workload, system)
    if sources[0].endswith(".py"):
        return ["install", "-m", "755", sources[0], program]
    if workload.haskell:
        return [compiler("ghc"), *GHC_FLAGS, "-optc-fopenmp", "-optl-fopenmp", "-package", "containers", "-outputdir", program + ".objects",
                *(os.path.relpath(source, BENCH) for source in sources), "-lm", "-o", program]
    if system.compiler == "ghc":
        # GHC writes the object of a C file that is named by an absolute path into that file's folder.
        return [compiler(system.compiler), *GHC_FLAGS, "-outputdir", program + ".objects", "-idrivers",
                *(os.path.relpath(source, BENCH) for source in sources), "-lm", "-ldl", "-o", program]
    flags = [flag for flag in C_FLAGS if flag != "-fopenmp" or not workload.wheels] # if the program were linked with a runtime, all libraries would use it
    return [workload.compiler or compiler(system.compiler), *flags, *sources, "-lm", "-ldl", "-o", program]


def compile_alone(source):
    """A C program that is the same for all systems, or None if there is no source."""
    if not source:
        return None
    program = os.path.join(BUILD, "bench", os.path.splitext(os.path.basename(source))[0])
    if bundle.PLACE:
        return program
    os.makedirs(os.path.dirname(program), exist_ok=True)
    command = [os.environ.get("CC", "gcc"), "-O2", "-pthread", os.path.join(BENCH, "workloads", source), "-lm", "-o", program]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Problem(f"cannot compile {source}: {done.stderr[-2000:]}")
    return program


def compile_floor(workload):
    """The program that measures the machine's own limit."""
    return compile_alone(workload.floor)


DEMOS = os.path.join(ROOT, "demos", "haskell", "run")


@functools.cache
def compile_demos():
    """All of them, at once."""
    return subprocess.run([DEMOS, "--build"], capture_output=True, text=True)


def compile_demo(workload, system):
    """A program of the Haskell demos."""
    if bundle.PLACE:
        program = os.path.join(BUILD, "bench", workload.demo)
        if not os.path.exists(program):
            raise Missing("the bundle has no program for it")
        return program, bundle.stored("commands")[workload.demo]
    compiler(system.compiler)
    done, command = compile_demos(), [DEMOS, "--build", workload.demo]
    found = [path for path in glob.glob(os.path.join(BUILD, "cabal", "build", "**", "ghc-openmp-demos-*", "**", workload.demo), recursive=True)
             if os.path.isfile(path) and os.access(path, os.X_OK)]
    if done.returncode != 0 or not found:
        raise Missing(f"the demo {workload.demo} cannot be built: {(done.stdout + done.stderr).strip()[-300:]}")
    return found[0], command


def newest(paths):
    return max(os.path.getmtime(path) for path in paths)


def without_openmp(system, errors):
    """The reason if Clang is installed without its OpenMP library; None: the errors have another cause."""
    return Missing("clang is here without its OpenMP library") if system.compiler == "clang" and "omp" in errors else None


def compile_program(workload, system):
    folder = os.path.join(BUILD, "bench")
    os.makedirs(folder, exist_ok=True)
    stem = os.path.splitext(os.path.basename(workload.sources[0]))[0]
    driver = "" if workload.kind == "rows" else "-" + os.path.splitext(system.driver[0])[0]
    program = os.path.join(folder, f"{stem}{driver}-{workload.compiler or system.compiler}")
    if bundle.PLACE:
        if not os.path.exists(program):
            raise Missing("the bundle has no program for it")
        return program, bundle.stored("commands")[os.path.basename(program)]
    command = command_for(workload, system, program)
    headers = [found for path in {*sources_of(workload, system), os.path.join(BENCH, "drivers", "")} for found in glob.glob(os.path.join(os.path.dirname(path), "*.h*"))]
    inputs = sources_of(workload, system) + headers
    if not os.path.exists(program) or os.path.getmtime(program) < newest(inputs):
        done = subprocess.run(command, capture_output=True, text=True, cwd=BENCH)
        if done.returncode != 0:
            raise without_openmp(system, done.stderr) or Problem(f"cannot compile {workload.name} for {system.name}: {' '.join(command)}\n{done.stderr[-2000:]}")
    return program, command


def library_of(system, fetching=True):
    """The file of the system's runtime; None: the program uses its own."""
    brought = os.path.join(BUILD, "bench", "lib-" + system.name, system.stands_for[0])
    if bundle.PLACE and os.path.exists(brought):
        return brought
    if system.wheel:
        return peer_of(system, fetching)[0]
    if system.variant:
        return variant_of(system, fetching)
    places = [pattern.format(build=BUILD, before=os.environ.get("GHCOMP_BENCH_BEFORE", "$GHCOMP_BENCH_BEFORE")) for pattern in system.library]
    for place in places:
        found = sorted(filter(os.path.isfile, glob.glob(place)))
        if found:
            return os.path.abspath(found[-1])
    if places:
        raise Missing(f"no file is at {' or '.join(places)}")
    return None


@functools.cache
def build_variant(constants):
    return variants.build(dict(constants), BUILD)


def variant_of(system, building):
    if bundle.PLACE:
        raise Missing("a bundle has no variants of the library")
    if not building:
        raise Missing("RUN builds it")
    return build_variant(tuple(system.variant.items()))


def peer_of(system, fetching=True):
    """The library of a system that has a wheel, and where it comes from."""
    if bundle.PLACE and not os.environ.get(peers.NAMED):
        raise Missing(f"not available: the licence of {system.wheel} does not let a bundle contain it; {peers.NAMED} may name a release build of libomp")
    try:
        return peers.find(system.wheel, system.file, fetching)
    except Problem as problem:
        raise Missing(str(problem)) from problem


def origin_of(system, program):
    """Where a peer's runtime comes from.  Without a library of its own a system has the one that the program finds."""
    if bundle.PLACE or not system.peer:
        return None
    if system.wheel:
        return peer_of(system)[1]
    try:
        return peers.of_package(wheels.runtime_of(program))
    except Problem: # a program without a runtime, which loads libraries that the compiler has linked with its own
        found = output(compiler(system.compiler), f"-print-file-name={system.stands_for[0]}")
        return peers.of_package(os.path.realpath(found)) if found else None


def folder_for(system, library):
    """A folder in which the library has the names by which programs load it."""
    if os.path.basename(library) == "libgomp.so.1" and not system.wheel:
        return os.path.dirname(library)
    folder = os.path.join(BUILD, "bench", "lib-" + system.name)
    os.makedirs(folder, exist_ok=True)
    for name in system.stands_for:
        link = os.path.join(folder, name)
        if os.path.lexists(link):
            os.remove(link)
        os.symlink(os.path.realpath(library), link)
    return folder


def with_wheels(workload, system, program, library):
    """The environment with the folder of the libraries.  A system that replaces libgomp.so.1 is preloaded, as `ghcomp run` does."""
    sources = [os.path.join(BENCH, "workloads", source) for source in workload.wheels]
    instead = "libgomp.so.1" in system.stands_for
    try:
        folder = wheels.build(sources, compiler(system.compiler), C_FLAGS, program + ".wheels", None if instead else library)
    except Problem as problem:
        raise without_openmp(system, str(problem)) or problem from problem
    if library is None or not instead:
        return {"WHEELS": folder}
    preloaded = os.path.join(folder_for(system, library), "libgomp.so.1")
    if any(mark in preloaded for mark in ": ;"):
        raise Problem(f"{preloaded} has a colon, semicolon or space in it, which LD_PRELOAD cannot express")
    return {"WHEELS": folder, "LD_PRELOAD": preloaded}


def compiled(workload, system):
    """The program, whatever it is to run with, and the command that has built it."""
    if bool(workload.demo) != (system.compiler == "cabal"):
        raise Missing("it is for programs of another kind")
    if system.inside and not workload.guest:
        raise Missing("it is for workloads that run in guests")
    if workload.compiler and system.compiler != "gcc":
        raise Missing(f"its programs are compiled by {workload.compiler}, which calls GCC")
    lacking = [need for need in workload.needs if need not in system.has]
    if lacking:
        raise Missing(f"it has no {' and no '.join(lacking)}")
    check_requirements(workload)
    return compile_demo(workload, system) if workload.demo else compile_program(workload, system)


def check_peer(program, folder, library):
    """A program that asks for another name would silently have the system's library."""
    try:
        found = wheels.runtime_of(program, folder)
    except Problem: # it loads a runtime later, or is no binary
        return
    if found != os.path.realpath(library):
        raise Missing(f"not available: the program would run with {found} in place of {library}")


def build(workload, system):
    path, command = compiled(workload, system)
    library = library_of(system)
    environment = dict(system.environment)
    if system.inside:
        return of_guest(system, path, command, library)
    if library is not None:
        environment["LD_LIBRARY_PATH"] = folder_for(system, library)
        if system.wheel and not bundle.PLACE:
            check_peer(path, environment["LD_LIBRARY_PATH"], library)
    if workload.wheels:
        environment.update(with_wheels(workload, system, path, library))
    if workload.client:
        environment["CLIENT"] = compile_alone(workload.client)
    return Program(path, command, environment, library, origin_of(system, path))


PLACE_OF_RUNTIMES = "/runtimes"  # in a guest


def check_guest(system):
    """Whether QEMU is here, if the system needs it."""
    if not system.inside:
        return
    try:
        qemu.find()
    except Problem as problem:
        raise Missing(str(problem)) from problem


def of_guest(system, path, command, library):
    """A program that will run in a guest, where each system's runtime has a folder of its own."""
    check_guest(system)
    environment = {**system.environment, "LD_LIBRARY_PATH": f"{PLACE_OF_RUNTIMES}/{system.name}"}
    return Program(path, command, environment, library, origin_of(system, path))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def tools():
    """Versions of the compilers."""
    if bundle.PLACE:
        return bundle.stored("tools")
    found = {}
    for name, (variable, usual) in COMPILERS.items():
        answer = output(os.environ.get(variable, usual), "--version")
        found[name] = answer.splitlines()[0] if answer else None
    answer = output("ldd", "--version")
    found["libc"] = answer.splitlines()[0] if answer else None
    return found


def source():
    """The commit that is measured, and whether the tree has no changes.  Nothing if the tree is a copy without history, or
    lies inside another repository."""
    if bundle.PLACE:
        return bundle.stored("source")
    top = output("git", "-C", ROOT, "rev-parse", "--show-toplevel")
    if top is None or os.path.realpath(top) != os.path.realpath(ROOT):
        return {"commit": None, "clean": None, "changes": None}
    commit = output("git", "-C", ROOT, "rev-parse", "HEAD")
    changes = output("git", "-C", ROOT, "status", "--porcelain")
    return {"commit": commit, "clean": changes == "" if commit else None, "changes": changes or None}
