"""Makes a failing program small.

It removes statements, in halves and one by one; replaces a statement by its contents; makes
parameters simple and numbers small; and removes settings.  A change is kept if the program still
fails in the same way.  A failure may depend on luck, so a change is tried so often that the
failure is missed with a probability of about one in twenty."""

import copy
import math
import time

import running
import settings
from tree import walk


class Reducer:
    def __init__(self, runners, statements, s, kind, optimise, path, seconds):
        """RUNNERS: of the failing runtime, and of the runtime with whose memory it is compared."""
        (self.runner, self.other), self.kind, self.optimise, self.path = runners, kind, optimise, path
        self.best, self.settings = statements, s
        self.end = time.monotonic() + seconds
        self.limit = min(self.runner.limit, 3.0)
        self.tries = 1

    def fails(self, statements, s, tries):
        """How many runs were needed to see the failure again, or 0."""
        if not statements.is_valid():
            return 0
        if running.compile_programs([statements], self.path, self.optimise, alone=True):
            return 0
        for i in range(tries):
            if self.run(s) == self.kind:
                return i + 1
            if time.monotonic() > self.end:
                return 0
        return 0

    def run(self, s):
        """The kind of outcome of one run."""
        outcome = self.runner.run(self.path, [0], s, self.limit)
        if self.kind == "memory" and outcome.kind == "right" and running.too_much(
                outcome.peak, self.other.run(self.path, [0], s, self.limit).peak):
            return "memory"
        return outcome.kind

    def measure(self):
        """How often the program fails; False if it does not."""
        hits, runs = 0, 0
        while hits < 3 and runs < 200 and time.monotonic() < self.end:
            runs += 1
            hits += self.fails(self.best, self.settings, 1) > 0
        if hits:
            self.tries = min(300, math.ceil(3 * runs / hits))
        return hits > 0

    def accept(self, statements, s=None):
        if time.monotonic() > self.end or not self.fails(statements, s or self.settings, self.tries):
            return False
        self.best, self.settings = statements, s or self.settings
        return True

    def reduce(self):
        """(statements, settings), or nothing if the failure was not seen again."""
        if not self.measure():
            return None
        self.settle()
        size = None
        while size != self.size() and time.monotonic() < self.end:
            size = self.size()
            self.by_one_compiler()
            self.fewer()
            self.lift()
            self.simpler()
            if self.measure():
                self.settle()
        return self.best, self.settings

    def size(self):
        return sum(1 + sum(map(len, map(str, s.params.values()))) for s in walk(self.best)), len(self.settings)

    def settle(self):
        """Removes settings."""
        found = True
        while found:
            found = any(self.accept(self.best, s) for s in list(settings.simpler(self.settings)))

    def by_one_compiler(self):
        if self.best.mixed:
            copied = copy.deepcopy(self.best)
            copied.mixed = False
            self.accept(copied)

    # A block is named by its place: indices of statements and blocks in turn.

    @staticmethod
    def block_at(statements, place):
        for statement, block in place:
            statements = statements[statement].blocks[block]
        return statements

    @classmethod
    def places(cls, statements, place=()):
        """Every block, outer blocks first."""
        yield place
        for i, s in enumerate(cls.block_at(statements, place)):
            for b in range(len(s.blocks)):
                yield from cls.places(statements, place + ((i, b),))

    def changed(self, place, change):
        copied = copy.deepcopy(self.best)
        change(self.block_at(copied, place))
        return copied

    def fewer(self):
        """Removes statements: half of a block, a quarter, ..., one."""
        done = set()
        while time.monotonic() < self.end:
            place = next((p for p in self.places(self.best) if p not in done), None)
            if place is None:
                return
            done.add(place)
            self.fewer_in(place, done)

    def fewer_in(self, place, done):
        length = len(self.block_at(self.best, place))
        size = length
        while size >= 1:
            start = 0
            while start < len(self.block_at(self.best, place)):
                def remove(block, start=start, size=size):
                    del block[start:start + size]
                if self.accept(self.changed(place, remove)):
                    done.intersection_update(p for p in done if p[:len(place)] != place or p == place)
                else:
                    start += size
            size //= 2

    def lift(self):
        """Replaces a statement by the statements of its blocks."""
        for place in list(self.places(self.best)):
            try:
                count = len(self.block_at(self.best, place))
            except IndexError:
                continue  # a surrounding statement has been replaced
            for i in reversed(range(count)):
                def replace(block, i=i):
                    block[i:i + 1] = [s for inner in block[i].blocks for s in inner]
                if self.block_at(self.best, place)[i].blocks:
                    self.accept(self.changed(place, replace))

    def simpler(self):
        """Makes parameters simple and numbers small."""
        for number in [s.number for s in walk(self.best)]:
            for change in self.changes(number):
                copied = copy.deepcopy(self.best)
                statement = next((s for s in walk(copied) if s.number == number), None)
                if statement is not None:
                    statement.params.update(change)
                    self.accept(copied)

    def changes(self, number):
        statement = next((s for s in walk(self.best) if s.number == number), None)
        if statement is None:
            return
        for name, value in statement.simplest.items():
            if statement.params.get(name, value) != value:
                yield {name: value}
        for name, least in statement.smallest.items():
            low = least
            while statement.params.get(name, least) > low:
                yield {name: low}
                statement = next(s for s in walk(self.best) if s.number == number)
                if statement.params[name] == low:
                    break
                low = max(low + 1, (low + statement.params[name]) // 2)
