"""Leagues of teams, and loops that are distributed over them."""

import loops
from tree import Statement, draw


class Teams(Statement):
    """Each team's first thread executes the block.  A league is a statement of the program itself: no construct may surround
    it."""
    frequency = 12
    blocks_wanted = 1
    region = True
    grouped = False
    in_frame_of_its_own = True
    simplest = {"limit": 0, "reduction": False}
    smallest = {"count": 1}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and ctx.outermost

    @classmethod
    def choose(cls, rng, ctx):
        return {"count": rng.randint(1, 5), "limit": rng.randint(1, 4) if ctx.beyond else 0, "reduction": rng.random() < 0.3}

    def inner(self, ctx, index):
        return ctx.deeper(team=False, each=True, league=True, frame=None, weight=ctx.weight * self.count)

    def emit(self, out, ctx):
        def write(frame):
            extra = out.name("r", self)
            if self.reduction:
                out.line(f"long {extra} = 5;")
            out.pragma(f"teams num_teams({self.count})", f"thread_limit({self.limit})" if self.limit else "",
                       f"reduction(+: {extra})" if self.reduction else "")
            out.open()
            out.line("long rep = 0; (void)rep;")
            out.line(f"if (omp_get_team_num() == 0) {frame.name}->n = omp_get_num_teams();")
            out.line(f'at_most("number of teams", omp_get_num_teams(), {self.count});')
            out.line('at_most("team", omp_get_team_num(), omp_get_num_teams() - 1);')
            out.block(self.blocks[0], self.inner(ctx, 0).but(frame=frame))
            if self.reduction:
                out.line(f"{extra} += omp_get_team_num() + 1;")
            out.close()
            if self.reduction:
                out.line(f"{{ long n = {frame.name}->n; same(\"{extra}\", {extra}, 5 + n * (n + 1) / 2); }}")
        out.on_stack(self, ctx, write)


class Distribute(loops._Loop):
    """The iterations of a loop, divided among the teams; and among the threads of each, if PARALLEL."""
    simplest = {**loops._Loop.simplest, "threads": 0, "chunk_of_team": 0}
    frequency = 30

    @classmethod
    def fits(cls, ctx):
        return ctx.league and ctx.each  # not inside of another one

    @classmethod
    def choose(cls, rng, ctx):
        return {**super().choose(rng, ctx), "reduction": None, "modifier": "", "parallel": rng.random() < 0.5,
                "chunk_of_team": draw(rng, 0, rng.randint(1, 5)), "threads": rng.randint(0, 5)}

    def ascends(self):
        return False

    def inner(self, ctx, index):
        ctx = self.iterations(ctx)
        return ctx.but(league=False, parallel=True, level=1, crowded=True) if self.parallel else ctx.but(league=True)

    def emit(self, out, ctx):
        s, k = self.space(out), out.name("k", self)
        chunk = 0 if self.counts_chunks_in_narrow_type() else self.chunk_of_team
        team = f"dist_schedule(static, {chunk})" if chunk else ""
        if self.parallel:
            out.pragma("distribute parallel for", team, self.schedule(), f"num_threads({self.threads})" if self.threads else "")
        else:
            out.pragma("distribute", team)
        out.open(s.head() + " {")
        self.write_iteration(out, ctx, s, k)
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.close()
