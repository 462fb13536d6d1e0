"""What a guest boots: a kernel, and an archive with the programs, their libraries and init.c."""

import atexit
import hashlib
import os
import subprocess
from dataclasses import dataclass

from guest import archive, kernel
from runner.problem import Problem

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "init.c")


@dataclass
class Image:
    kernel: str
    archive: str
    files: list     # where they are in the guest
    sha256: str     # of the archive


def compile_init():
    program = os.path.join(kernel.place(), "init")
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(SOURCE):
        done = subprocess.run([os.environ.get("CC", "gcc"), "-O2", "-Wall", SOURCE, "-o", program], capture_output=True, text=True)
        if done.returncode != 0:
            raise Problem(f"cannot compile the guest's first process: {done.stderr[-2000:]}")
    return program


def make(files, named_kernel=None):
    """An image with these files (place in the guest: path here)."""
    found = kernel.find(named_kernel)
    os.makedirs(kernel.place(), exist_ok=True)
    every = archive.whole({"/init": compile_init(), **files})
    contents = archive.pack({place: archive.read(path) for place, path in every.items()})
    digest = hashlib.sha256(contents).hexdigest()
    path = os.path.join(kernel.place(), f"archive-{os.getpid()}-{digest[:12]}")
    with open(path, "wb") as file:
        file.write(contents)
    atexit.register(os.remove, path)
    return Image(found, path, sorted(every), digest)


def with_runtime(folder, library):
    """The files of a runtime in a folder of the guest.  Beside ours lie those of GHC's runtime system."""
    beside = os.path.dirname(library)
    others = [name for name in sorted(os.listdir(beside)) if name == "libghcomp_rts.so" or name.startswith("libOMrts")]
    return {f"{folder}/libgomp.so.1": library, **{f"{folder}/{name}": os.path.join(beside, name) for name in others}}
