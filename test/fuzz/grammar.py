"""Random programs.  The statements say where they may stand (tree.py); this file decides how many
statements a program has, how deeply they nest, and how large they are."""

import random

import cancel  # noqa: F401 (each of these adds its statements to KINDS)
import depend  # noqa: F401
import events  # noqa: F401
import leaves  # noqa: F401
import loops  # noqa: F401
import meet  # noqa: F401
import persist  # noqa: F401
import regions  # noqa: F401
import scan  # noqa: F401
import taskloops  # noqa: F401
import tasks  # noqa: F401
import teams  # noqa: F401
from tree import KINDS, Program, draw

DEEPEST = 6
HEAVIEST = 3000  # after about this many executions of a statement nothing more is put inside it
FULL = 60        # statements of a program


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numbers = 0

    def statement(self, ctx):
        full = self.numbers > FULL or ctx.depth >= DEEPEST or ctx.weight > HEAVIEST
        kinds = [k for k in KINDS.values() if k.fits(ctx) and (not full or self.ends(k, ctx))]
        kind = self.rng.choices(kinds, [k.frequency for k in kinds])[0]
        return self.make(kind, ctx)

    @staticmethod
    def ends(kind, ctx):
        return kind.blocks_wanted == 0 and kind.__mro__[1].__name__ in ("_Leaf", "_Excluded") or (
            ctx.graph and ctx.depth < DEEPEST + 3)

    def make(self, kind, ctx):
        self.numbers += 1
        number = self.numbers
        params = kind.choose(self.rng, ctx)
        made = kind(number, params, [[] for _ in range(kind.count_blocks(params))])
        for i in range(len(made.blocks)):
            made.blocks[i] = self.block(made.inner(ctx, i))
        return made

    def block(self, ctx):
        most = 6 if ctx.depth < 2 or ctx.graph else 3
        return [self.statement(ctx) for _ in range(self.rng.randint(1, most))]

    def program(self, mixed=False):
        """Mostly regions, one after the other."""
        made = Program()
        made.mixed = mixed
        made.beyond = self.rng.random() < 0.1
        for _ in range(self.rng.randint(1, 3)):
            kind = draw(self.rng, (15, "Parallel"), (2, "Lasting"), (2, "Teams"), (3, None))
            made.append(self.make(KINDS[kind], made.context()) if kind else self.statement(made.context()))
        return made
