"""Compiles the engine, the rows and the runtimes, each with -fsanitize=thread, and links them.  What is newer than all that it
was made from stays."""

import concurrent.futures
import contextlib
import fcntl
import glob
import os
import shutil
import subprocess

from simulator.problem import Missing, Problem

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENGINE, ROWS = os.path.join(HERE, "engine"), os.path.join(HERE, "rows")
HOOKS = os.path.join(ENGINE, "hooks.h")
TRACED = ["-D_GNU_SOURCE", "-O2", "-g", "-w", "-fsanitize=thread", "-include", HOOKS]
# What the engine has in place of the C library's functions.
WRAPPED = """memset memcpy syscall sched_yield sched_getcpu sched_setaffinity sched_getaffinity pthread_getaffinity_np
pthread_setaffinity_np open fopen clock_gettime gettimeofday nanosleep sysconf pthread_create pthread_join pthread_getcpuclockid
pthread_exit pthread_key_create pthread_key_delete
pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_cond_init
pthread_cond_destroy pthread_cond_wait pthread_cond_timedwait pthread_cond_signal pthread_cond_broadcast
__kmp_hardware_timestamp""".split()


def build_folder():
    return os.path.join(ROOT, os.environ.get("BUILD", "build"), "scale")


@contextlib.contextmanager
def alone():
    """One process builds at a time."""
    os.makedirs(build_folder(), exist_ok=True)
    with open(os.path.join(build_folder(), "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def gcc():
    return os.environ.get("CC", "gcc")


def clang():
    found = os.environ.get("CLANG") or shutil.which("clang-14") or shutil.which("clang")
    if found is None or shutil.which(found) is None:
        raise Missing("clang is not installed")
    return found


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Problem(f"{' '.join(command)}\n{done.stderr[-2000:]}")


def newest(paths):
    return max(map(os.path.getmtime, paths), default=0)


def is_older(target, than):
    return not os.path.exists(target) or os.path.getmtime(target) < than


class Objects:
    """Objects of one folder, compiled side by side."""

    def __init__(self, folder, headers=()):
        self.folder, self.orders = os.path.join(build_folder(), folder), []
        self.headers = newest([HOOKS, __file__, *headers])

    def add(self, source, command, name=None, after=()):
        """`after`: commands that change the object."""
        target = os.path.join(self.folder, (name or os.path.basename(source)) + ".o")
        self.orders.append((source, command, target, after))

    def compile_one(self, order):
        source, command, target, after = order
        if is_older(target, max(self.headers, os.path.getmtime(source))):
            run([*command, "-c", source, "-o", target + ".new"])
            for change in after:
                run([*change, target + ".new"])
            os.replace(target + ".new", target)
        return target

    def make(self):
        os.makedirs(self.folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return list(pool.map(self.compile_one, self.orders))


def engine():
    objects = Objects("engine", glob.glob(os.path.join(ENGINE, "*.h")))
    for source in sorted(glob.glob(os.path.join(ENGINE, "*.c"))):
        objects.add(source, [gcc(), "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-fno-stack-protector", "-mfsgsbase"])
    return objects.make()


# The program's code has a section of its own, so that the engine knows the program's accesses.
AS_PROGRAM = ["objcopy", "--rename-section", ".text=text_program", "--rename-section", ".text.startup=text_program",
              "--rename-section", ".text.unlikely=text_program"]


def program(folder, sources, compiler, headers):
    objects = Objects(folder, [*headers, os.path.join(ENGINE, "scale.h")])
    for source in sources:
        objects.add(source, [compiler, *TRACED, "-fopenmp", "-fno-pie", f"-I{ENGINE}"], after=[AS_PROGRAM])
    return objects.make()


def rows(compiler, folder):
    return program(folder, sorted(glob.glob(os.path.join(ROWS, "*.c"))), compiler, glob.glob(os.path.join(ROWS, "*.h")))


def compile_ours(folder, paths):
    runtime = os.path.join(ROOT, "runtime")
    objects = Objects(folder, glob.glob(os.path.join(runtime, "**", "*.h"), recursive=True))
    for path, source in paths.items():
        objects.add(source, [gcc(), "-std=gnu11", *TRACED, "-fPIC", f"-I{runtime}", "-DGHCOMP_CHECK=0", "-DGHCOMP_VERSION=\"simulated\"",
                             "-DGHCOMP_WITHOUT_GHC=1"], name=path.replace(os.path.sep, "_"))
    return objects.make()


def ours():
    runtime = os.path.join(ROOT, "runtime")
    sources = [path for pattern in ("*/*.c", "abi/*/*.c", "threads/pthread/*.c") for path in glob.glob(os.path.join(runtime, pattern))]
    return compile_ours("ours", {os.path.relpath(source, runtime): source for source in sorted(sources)})


def ours_changed(name, path, old, new):
    """The same with another text in one file of the runtime."""
    with open(os.path.join(ROOT, "runtime", path)) as file:
        before, found, after = file.read().partition(old)
    if not found:
        raise Problem(f"runtime/{path} has no '{old}'")
    folder = os.path.join(build_folder(), "changed", name)
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, os.path.basename(path))
    with open(source, "w") as file:
        file.write(before + new + after)
    changed, = compile_ours(folder, {path: source})
    return [changed if os.path.basename(object) == os.path.basename(changed) else object for object in ours()]


def link(name, *parts):
    """A program of objects and the engine's, unless it is newer than they are."""
    target = os.path.join(build_folder(), name)
    objects = [object for part in parts for object in part] + engine()
    if is_older(target, newest(objects)):
        run([gcc(), "-no-pie", "-o", target, *objects, *(f"-Wl,--wrap={name}" for name in WRAPPED), "-lpthread", "-ldl", "-Wl,-z,now"])
    return target
