"""The lines that go to a guest and come from it (init.c)."""

import re
from dataclasses import dataclass, field

from runner.problem import Problem

READY = re.compile(r"ready (\S+) (\d+) (\S+)")
ENDS = re.compile(r"(exit|signal) (\d+) (\d+)")
MOST_WORDS, LONGEST_LINE = 100, 16384  # as in init.c


class Garbled(Exception):
    """A guest has said something that no guest says."""


@dataclass
class Answer:
    """How a program has ended; as subprocess has it, a negative status is the number of a signal."""
    returncode: int = 0
    nanoseconds: int = 0
    left: int = 0          # processes that it has left behind
    out: list = field(default_factory=list)
    err: list = field(default_factory=list)

    @property
    def stdout(self):
        return "".join(line + "\n" for line in self.out)

    @property
    def stderr(self):
        return "".join(line + "\n" for line in self.err)


def command(environment, words):
    """The line that has the guest execute a program."""
    line = "\t".join(["run", *(f"{name}={value}" for name, value in environment.items()), "--", *words])
    if re.search(r"[\n\r\0]", line) or len(line.split("\t")) != len(environment) + len(words) + 2:
        raise Problem(f"the guest cannot be told {line!r}: expected no tab and no end of a line in a word; it runs nothing")
    if len(environment) + len(words) > MOST_WORDS or len(line.encode()) >= LONGEST_LINE - 1:
        raise Problem(f"the guest cannot be told {line[:60]!r}…: expected at most {MOST_WORDS} words and {LONGEST_LINE} characters; it runs nothing")
    return line + "\n"


def read_ready(line):
    """The guest's kernel, its processors and its clock."""
    found = READY.fullmatch(line)
    if not found:
        raise Garbled(f"the guest began with '{line[:80]}'")
    return {"release": found[1], "processors": int(found[2]), "clock": found[3]}


def take(answer, line):
    """Adds a line to an answer; true: it was the last one."""
    kind, _, rest = line.partition(" ")
    if kind in ("out", "err"):
        getattr(answer, kind).append(rest)
    elif kind == "left" and rest.isdigit():
        answer.left = int(rest)
    elif found := ENDS.fullmatch(line):
        answer.returncode = -int(found[2]) if found[1] == "signal" else int(found[2])
        answer.nanoseconds = int(found[3])
        return True
    else:
        raise Garbled(f"the guest said '{line[:80]}'")
    return False
