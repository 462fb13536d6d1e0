"""The tree of a program: statements, and the place where each stands.

A Statement has parameters and blocks of further statements.  Its context describes what its place
allows.  A statement makes the contexts of its own blocks (inner), so that the generator, the
emitter and the reducer agree on which statement may stand where."""

import copy
import dataclasses


@dataclasses.dataclass(frozen=True)
class Context:
    """What holds at the place of a statement."""
    team: bool = True       # every thread of the team arrives here: worksharing is allowed
    each: bool = True       # a count here is made once by each thread
    parallel: bool = False  # a region surrounds this: tasks are deferred
    level: int = 0          # regions around this
    task: bool = False      # in an explicit task
    joins: bool = True      # a taskwait here waits for no event that is fulfilled after it
    leaf: bool = False      # in critical or ordered: only short statements
    final: bool = False     # perhaps in a final task
    close: bool = False     # a task waits for its children before it ends
    crowded: bool = False   # more tasks at once than a runtime may be willing to defer
    awaits: bool = False    # a creator may wait for one single task of its own (Program.awaits)
    beyond: bool = False    # may use features that libgomp does not execute correctly (Program.beyond)
    graph: bool = False     # among the tasks of a Graph
    grouped: bool = False   # in a taskgroup
    outermost: bool = False # a statement of the program itself
    league: bool = False    # directly in a teams construct, which contains few constructs
    mixed: bool = False     # functions that are called are compiled by the other compiler
    clang: bool = False     # Clang compiles this
    depth: int = 0          # statements around this
    times: int = 1          # executions for each frame, by each thread that executes this
    weight: int = 1         # about how often the whole program executes this
    frame: object = None    # the emitter's record of shared variables and their expected values

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    def deeper(self, **changes):
        return dataclasses.replace(self, **{"depth": self.depth + 1, "outermost": False, **changes})

    def alone(self, **changes):
        """The context of code that one thread executes, with its own frame."""
        return self.deeper(**{"team": False, "each": False, "times": 1, "frame": None, **changes})


KINDS = {}


class Statement:
    """One node.  A subclass is one kind of statement of the grammar."""
    blocks_wanted = 0     # how many blocks it has
    frequency = 10        # among the kinds that are allowed
    simplest = {}         # parameters that the reducer may set, with their simplest values
    smallest = {}         # numbers that the reducer may make smaller, with their minimum
    tasks = 0             # tasks that one execution creates, without its blocks
    in_frame_of_its_own = False  # its blocks use another frame than the code around it
    region = False        # its blocks belong to another team
    grouped = True        # where it is a statement of the program itself, a taskgroup may surround it

    def __init_subclass__(cls, **rest):
        super().__init_subclass__(**rest)
        if not cls.__name__.startswith("_"):
            KINDS[cls.__name__] = cls

    def __init__(self, number, params, blocks=()):
        self.number = number
        self.params = params
        self.blocks = [list(block) for block in blocks]

    def __getattr__(self, name):
        try:
            return self.__dict__["params"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __deepcopy__(self, memo):
        return type(self)(self.number, copy.deepcopy(self.params, memo),
                          copy.deepcopy(self.blocks, memo))

    @classmethod
    def fits(cls, ctx):
        return not ctx.leaf and not ctx.graph and not ctx.league

    @classmethod
    def choose(cls, rng, ctx):
        """Random parameters."""
        return {}

    @classmethod
    def count_blocks(cls, params):
        return cls.blocks_wanted

    def inner(self, ctx, index):
        """The context of block INDEX."""
        return ctx.deeper()

    def emit(self, out, ctx):
        raise NotImplementedError

    def awaits(self):
        """Whether its creator waits for some of its tasks and not for all.  libgomp 12 loses events of
        detached tasks that it executes in such a wait."""
        return False

    def rounds(self):
        """How often one execution executes its blocks."""
        return 1


def walk(statements):
    for statement in statements:
        yield statement
        for block in statement.blocks:
            yield from walk(block)


def outstanding(statements):
    """The most tasks of this team that one thread creates here."""
    total = 0
    for s in statements:
        total += s.tasks if not callable(s.tasks) else s.tasks()
        if not s.region:
            total += s.rounds() * sum(outstanding(block) for block in s.blocks)
    return total


class Program(list):
    """Statements of the whole program.  BEYOND: it uses what GCC 12's libgomp does not execute correctly.  MIXED: GCC
    compiles some of its functions, Clang the others.  Both run only under the runtime under test."""
    beyond = False
    mixed = False

    def context(self, **more):
        return Context(beyond=self.beyond or self.mixed, mixed=self.mixed, outermost=True,
                       awaits=any(s.awaits() for s in walk(self)), **more)

    def is_valid(self):
        return is_valid(self, self.context())


def creates_tasks(statements):
    return any(s.tasks for s in walk(statements))


def is_valid(statements, ctx):
    return all(type(s).fits(ctx) and
               all(is_valid(block, s.inner(ctx, i)) for i, block in enumerate(s.blocks))
               for s in statements)


def draw(rng, *choices):
    """One of (weight, value) pairs or plain values, whose weight is 1."""
    pairs = [c if isinstance(c, tuple) else (1, c) for c in choices]
    return rng.choices([v for _, v in pairs], [w for w, _ in pairs])[0]


def between(rng, low, high):
    """A whole number, small ones as likely as large ones."""
    return min(high, int(low * (((high + 1) / low) ** rng.random())))
