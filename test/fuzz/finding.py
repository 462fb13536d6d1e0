"""A failure: the printed report, and the folder that keeps the program."""

import dataclasses
import os

import program
import running
import settings
from reduce import Reducer
from tree import Program, walk


@dataclasses.dataclass
class Case:
    """Programs of consecutive seeds that run in one process; the file numbers its programs."""
    seed: int
    programs: list
    which: list
    path: str
    optimise: str

    def beyond(self):
        return any(p.beyond for p in self.programs)


def describe(case, s, outcome, where):
    many = len(case.programs)
    return (f"FAIL seed {case.seed}: {outcome.kind} {where}\n  {outcome.text}\n"
            f"  with {settings.shell(s)} {case.optimise}, {s['masters']} masters\n"
            f"  again: test/fuzz/fuzz --seed {case.seed} --programs {many}")


def store(case, s, outcome, runners, options):
    """Reduces the program, keeps both versions, and returns the line that says where."""
    folder = os.path.join(options.build, "found", f"{case.seed}-{len(case.programs)}")
    os.makedirs(folder, exist_ok=True)
    keep(folder, "program.c", program.file_text(case.programs, prelude=True))
    keep(folder, "outcome.txt", f"{outcome.kind}: {outcome.text}\n{settings.shell(s)}\n\n{outcome.traces}\n")
    path = os.path.join(folder, "reduced")
    statements = Program(statement for p in case.programs for statement in renumbered(p))
    statements.beyond = case.beyond()
    reducer = Reducer(runners, statements, s, outcome.kind, case.optimise, path, options.reduce)
    reduced = reducer.reduce()
    if reduced is None:
        return f"  not seen again; kept in {folder}"
    statements, s = reduced
    text = program.file_text([statements], prelude=True)
    running.compile_text(text, path, case.optimise)
    runner = runners[0]
    last = runner.run(path, [0], s, traces=True)
    command = f"env {settings.shell(s, runner.runtime)} {path} {s['masters']} 0"
    keep(folder, "again", f"#!/bin/sh\n# fails about once in {max(1, reducer.tries // 3)} runs: {outcome.kind}\n"
         f"gcc -w -fopenmp {case.optimise} {path}.c -o {path} && {command}\n")
    keep(folder, "traces.txt", last.traces or outcome.traces)
    return (f"  reduced to {len(program.program_text(statements, 0).splitlines())} lines: {path}.c\n"
            f"  {command}\n" + program.program_text(statements, 0))


COUNTER = [100000]


def renumbered(statements):
    """Statements of several programs get distinct numbers."""
    for s in walk(statements):
        COUNTER[0] += 1
        s.number = COUNTER[0]
    return statements


def keep(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)
