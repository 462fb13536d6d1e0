"""Why a row costs what it costs: its critical path, the lines that move most with every place that touches them, and the
system calls."""

import collections
import os
import subprocess
from dataclasses import dataclass, field

from simulator.problem import Problem


@dataclass
class Line:
    took: int = 0
    moved: int = 0
    places: list = field(default_factory=list)  # (place, reads, writes, updates, moved, took)


class Report:
    """The last row of a report file: the engine appends one each time that a row ends its timing."""

    def __init__(self, path):
        self.lines, self.calls, self.steps, self.after = collections.defaultdict(Line), {}, [], 0
        with open(path) as file:
            for line in file:
                kind, *words = line.rstrip("\n").split("\t")
                getattr(self, "read_" + kind)(*words)
        if not hasattr(self, "name"):
            raise Problem("the report is empty")

    def read_row(self, name, rounds, ps):
        self.__dict__.update(lines=collections.defaultdict(Line), calls={}, steps=[], after=0)
        self.name, self.rounds, self.ps = name, float(rounds), int(ps)

    def read_line(self, address, place, *numbers):
        reads, writes, updates, moved, took = map(int, numbers)
        line = self.lines[address]
        line.took, line.moved = line.took + took, line.moved + moved
        line.places.append((place, reads, writes, updates, moved, took))

    def read_call(self, place, made):
        self.calls[place] = int(made)

    def read_end(self, thread, ps):
        self.after = int(ps)

    def read_step(self, how, thread, place, line, took, whole):
        self.steps.append((how, int(thread), place, line, int(took), int(whole)))


class Places:
    """Addresses of code as FILE:LINE FUNCTION.  An address is where a call returns to, so the byte before it counts."""

    def __init__(self, program, addresses, root):
        self.names = {}
        addresses = sorted(set(addresses))
        if not addresses:
            return
        text = subprocess.run(["addr2line", "-f", "-e", program, *(hex(int(a, 16) - 1) for a in addresses)], capture_output=True,
                              text=True, check=True).stdout.splitlines()
        for address, function, where in zip(addresses, text[::2], text[1::2]):
            path, _, line = where.split(" ")[0].rpartition(":")
            self.names[address] = f"{os.path.relpath(path, root) if path.startswith(root) else '/'.join(path.split('/')[-2:])}:{line} {function}"

    def __getitem__(self, address):
        return self.names.get(address, address)


def us(ps):
    return f"{ps / 1e6:.2f} us"


def path_text(report, places, most):
    """The steps of the critical path, from its end: what they are, then the dearest places."""
    kinds, dearest = collections.Counter(), collections.defaultdict(lambda: [0, 0])
    lengths, between = collections.Counter(), report.after
    for how, _, place, _, took, whole in report.steps:
        moved = min(took, whole)
        kinds[how] += 1
        lengths[how] += moved
        between += whole - moved
        dearest[places[place], how][0] += 1
        dearest[places[place], how][1] += moved
    r = report.rounds
    words = {"moved": "a line that the thread needed itself", "saw": "a line that it had waited to see changed",
             "queued": "a line for which it stood in a queue", "woken": "a wake-up"}
    lines = [f"critical path: {us(report.ps / r)} a unit, {sum(kinds.values()) / r:.1f} steps"]
    lines += [f"  {kinds[how] / r:8.1f} × {words[how]}: {us(lengths[how] / r)}" for how in words if kinds[how]]
    lines.append(f"  {'':8}   between them (instructions, pauses, work, calls): {us(between / r)}")
    for (place, how), (count, took) in sorted(dearest.items(), key=lambda item: -item[1][1])[:most]:
        lines.append(f"  {count / r:8.1f} × {us(took / r):>10} {how:7} {place}")
    return lines


def alike(report):
    """Lines of which the same place moves most are lines of the same kind, such as one of each thread."""
    kinds = collections.defaultdict(list)
    for address, line in report.lines.items():
        if line.moved:
            kinds[max(line.places, key=lambda place: place[-1])[0]].append((address, line))
    return sorted(kinds.values(), key=lambda found: -sum(line.took for _, line in found))


def by_place(found, places):
    """The sums of what each place did to these lines: reads, stores, atomic operations, moves, time; the dearest first."""
    sums = collections.defaultdict(lambda: [0] * 5)
    for _, line in found:
        for place, *numbers in line.places:
            sums[places[place]] = [a + b for a, b in zip(sums[places[place]], numbers)]
    return sorted(sums.items(), key=lambda item: -item[1][4])


def lines_text(report, places, most):
    r, lines = report.rounds, ["lines that cost most, of all threads together, with every place that touches them:"]
    for found in alike(report)[:most]:
        took, moved = sum(line.took for _, line in found), sum(line.moved for _, line in found)
        who = f"line {found[0][0]}" if len(found) == 1 else f"{len(found)} lines, such as {found[0][0]}"
        lines.append(f"  {who}: {moved / r:.1f} transfers, {us(took / r)} a unit")
        still = []
        for place, (reads, writes, updates, moves, took) in by_place(found, places):
            kinds = [f"{count / r:.1f} {what}" for count, what in ((reads, "reads"), (writes, "stores"), (updates, "atomic")) if count]
            if moves:
                lines.append(f"      {moves / r:8.1f} moves {us(took / r):>10}  {place}: {', '.join(kinds)}")
            else:
                still.append(place)
        if still:
            lines.append(f"      without a transfer: {', '.join(still)}")
    return lines


def calls_text(report, places):
    if not report.calls:
        return ["no system call"]
    return ["system calls:"] + [f"  {made / report.rounds:8.1f} {places[place]}" for place, made in
                                        sorted(report.calls.items(), key=lambda item: -item[1])]


def text(path, program, root, most):
    report = Report(path)
    places = Places(program, [p for line in report.lines.values() for p, *_ in line.places] + list(report.calls)
                    + [step[2] for step in report.steps], root)
    return "\n".join(path_text(report, places, most) + lines_text(report, places, most) + calls_text(report, places))
