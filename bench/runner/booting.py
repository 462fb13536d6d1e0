"""What a guest (bench/guest) gets of the programs of a run, and how guests run here."""

import os

from guest import guests, image
from runner import wheels
from runner.building import Missing
from runner.problem import Problem


def in_guest(program):
    """Where a guest has the program."""
    return f"/programs/{os.path.basename(program.path)}"


def runtime_for(program):
    """The file of the OpenMP runtime; None: the program is not linked with one."""
    try:
        return program.library or wheels.runtime_of(program.path)
    except Problem:
        return None


def files_of(programs):
    """Where a guest has what these programs need (place in the guest: path here)."""
    files = {}
    for program in programs.values():
        files[in_guest(program)] = program.path
        if runtime := runtime_for(program):
            files.update(image.with_runtime(program.environment["LD_LIBRARY_PATH"], runtime))
    return files


def boot(programs, settings):
    """Finds out how guests run here, so that these programs can; what the record says about it.  Missing: none runs."""
    try:
        made = image.make(files_of(programs), settings.get("KERNEL"))
    except Problem as problem:
        raise Missing(str(problem)) from problem
    wanted = settings.get("ACCELERATOR")
    accelerator, about, why = guests.choose(made, wanted)
    if accelerator is None and wanted:
        raise Problem(f"ACCELERATOR={wanted}: expected one with which a guest begins here ({why}); nothing was run")
    if accelerator is None:
        raise Missing(f"no guest begins here: {why}")
    shared = guests.Guests(made, accelerator)
    for program in programs.values():
        program.guests = shared
    return guests.describe(made, accelerator, about, why)
