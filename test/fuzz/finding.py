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
    without_reference: bool = False

    def has_reference(self):
        """Whether the system's runtime executes these programs correctly."""
        return not self.without_reference and not any(p.beyond or p.mixed for p in self.programs)


def describe(case, s, outcome, where, options):
    many = len(case.programs)
    kind = " --disturbed" * options.disturbed + " --stacks" * options.stacks
    return (f"FAIL seed {case.seed}: {outcome.kind} {where}\n  {outcome.text}\n"
            f"  with {settings.shell(s, '', case.path, case.which)} {case.optimise}\n"
            f"  again: test/fuzz/fuzz{kind} --seed {case.seed} --programs {many}")


def store(case, s, outcome, runners, options):
    """Reduces the program, keeps both versions, and returns the line that says where."""
    folder = os.path.join(options.build, "found", f"{case.seed}-{len(case.programs)}")
    os.makedirs(folder, exist_ok=True)
    running.compile_programs(case.programs, os.path.join(folder, "program"), case.optimise, alone=True)
    whole = settings.shell(s, runners[0].runtime, os.path.join(folder, "program"), range(len(case.programs)))
    keep(folder, "outcome.txt", f"{outcome.kind}: {outcome.text}\n{whole}\n\n{outcome.traces}\n")
    path = os.path.join(folder, "reduced")
    statements = Program(statement for p in case.programs for statement in renumbered(p))
    statements.beyond = any(p.beyond for p in case.programs)
    statements.mixed = any(p.mixed for p in case.programs)
    reducer = Reducer(runners, statements, s, outcome.kind, case.optimise, path, options.reduce)
    reduced = reducer.reduce()
    if reduced is None:
        return f"  not seen again; kept in {folder}"
    statements, s = reduced
    running.compile_programs([statements], path, case.optimise, alone=True)
    runner = runners[0]
    last = runner.run(path, [0], s, traces=True)
    command = settings.shell(s, runner.runtime, path, [0])
    compiles = "".join(" ".join(words) + " || exit\n" for words in running.compile_commands([statements], path, case.optimise)[1])
    keep(folder, "again", f"#!/bin/sh\n# fails about once in {max(1, reducer.tries // 3)} runs: {outcome.kind}\n{compiles}{command}\n")
    keep(folder, "traces.txt", last.traces or outcome.traces)
    text = "\n".join(program.program_texts(statements, 0)[:1 + statements.mixed])
    return f"  reduced to {len(text.splitlines())} lines: {path}.c\n  {command}\n{text}"


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
