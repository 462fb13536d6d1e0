"""Parallel regions, constructs without a loop that divide their work, and code around them: repetition, and functions
with orphaned constructs."""

from tree import Statement, between, draw, outstanding

CROWD = 40  # tasks of one thread at a time; a runtime may let the creator execute further ones


class Parallel(Statement):
    frequency = 12
    blocks_wanted = 1
    region = True
    in_frame_of_its_own = True
    simplest = {"threads": 0, "condition": "", "bind": "", "copyin": False, "reduction": False}

    @classmethod
    def fits(cls, ctx):
        return not ctx.leaf and not ctx.graph and ctx.level < 3

    @classmethod
    def choose(cls, rng, ctx):
        most = (9, 3, 2)[ctx.level]
        of_default_size = ctx.level == 0 and rng.random() < 0.3
        return {"threads": 0 if of_default_size else rng.randint(1, most),
                "condition": draw(rng, (8, ""), "if(0)", "if(parallel: 1)"),
                "bind": draw(rng, (8, ""), "proc_bind(close)", "proc_bind(spread)", "proc_bind(master)"),
                "copyin": ctx.level == 0 and not ctx.task and rng.random() < 0.15,
                "reduction": rng.random() < 0.15}

    def inner(self, ctx, index):
        return ctx.deeper(team=True, each=True, parallel=True, level=ctx.level + 1, task=False, joins=True,
                          league=False, final=False, close=False, grouped=False, times=1, frame=None,
                          crowded=outstanding(self.blocks[index] if self.blocks else ()) > CROWD,
                          weight=ctx.weight * (self.threads or 4))

    def emit(self, out, ctx):
        def write(frame):
            extra = out.name("r", self)
            clauses = [f"num_threads({self.threads})" if self.threads else "", self.condition, self.bind]
            if self.copyin:
                out.line(f"own = {self.number};")
                clauses.append("copyin(own)")
            if self.reduction:
                out.line(f"long {extra} = 5;")
                clauses.append(f"reduction(+: {extra})")
            out.pragma("parallel", *clauses)
            out.open()
            out.line("long rep = 0; (void)rep;")
            out.line(f"if (omp_get_thread_num() == 0) {frame.name}->n = omp_get_num_threads();")
            if self.copyin:
                out.line(f'same("copyin", own, {self.number});')
            out.block(self.blocks[0], self.inner(ctx, 0).but(frame=frame))
            if self.reduction:
                out.line(f"{extra} += omp_get_thread_num() + 1;")
            out.close()
            if self.reduction:
                out.line(f"{{ long n = {frame.name}->n; same(\"{extra}\", {extra}, 5 + n * (n + 1) / 2); }}")
        out.on_stack(self, ctx, write)


class _Shared(Statement):
    """Worksharing: all threads of the team reach it."""
    @classmethod
    def fits(cls, ctx):
        return ctx.team and not ctx.leaf and not ctx.graph

    def inner(self, ctx, index):
        return ctx.deeper(team=False, each=False)


class Single(_Shared):
    blocks_wanted = 1
    frequency = 15
    simplest = {"ending": "nowait"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"ending": draw(rng, (3, ""), (3, "nowait"), "copyprivate")}

    def emit(self, out, ctx):
        if self.ending != "copyprivate":
            out.pragma("single", self.ending)
            out.body(self.blocks[0], self.inner(ctx, 0))
            return
        x = out.name("x", self)
        out.open()
        out.line(f"long {x} = -1;")
        out.pragma(f"single copyprivate({x})")
        out.open()
        out.line(f"{x} = 1000 + rep;")
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.close()
        out.line(f'same("{x}", {x}, 1000 + rep);')
        out.close()


class Masked(_Shared):
    blocks_wanted = 1
    simplest = {"who": "master"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"who": draw(rng, "master", "masked", "masked filter(omp_get_num_threads() - 1)")}

    def emit(self, out, ctx):
        out.pragma(self.who)
        out.body(self.blocks[0], self.inner(ctx, 0))


class Sections(_Shared):
    simplest = {"nowait": True}

    @classmethod
    def choose(cls, rng, ctx):
        return {"count": rng.randint(1, 6), "nowait": rng.random() < 0.4}

    @classmethod
    def count_blocks(cls, params):
        return params["count"]

    def emit(self, out, ctx):
        name = out.name("h", self)
        count = max(1, len(self.blocks))
        ctx.frame.field(f"int {name}[{count}];")
        ctx.frame.check(f"all_same({ctx.frame.site(name)}, f->{name}, {len(self.blocks)}, {ctx.times});")
        out.pragma("sections", "nowait" if self.nowait else "")
        out.open()
        for i, block in enumerate(self.blocks):
            out.pragma("section")
            out.open()
            out.line(f"tick(&{ctx.frame.name}->{name}[{i}], 1);")
            out.block(block, self.inner(ctx, i))
            out.close()
        if not self.blocks:
            out.line(";")
        out.close()


class Scope(_Shared):
    blocks_wanted = 1
    frequency = 3
    simplest = {"nowait": True}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and not ctx.clang

    @classmethod
    def choose(cls, rng, ctx):
        return {"nowait": rng.random() < 0.5}

    def inner(self, ctx, index):
        return ctx.deeper(team=False)

    def emit(self, out, ctx):
        out.pragma("scope", "nowait" if self.nowait else "")
        out.body(self.blocks[0], self.inner(ctx, 0))


class Barrier(_Shared):
    """No thread may pass before all have arrived."""
    def emit(self, out, ctx):
        name = out.name("b", self)
        ctx.frame.field(f"long {name};")
        ctx.frame.expect(name, 1, ctx)
        variable = f"{ctx.frame.name}->{name}"
        out.line(f"tick(&{variable}, 1);")
        out.pragma("barrier")
        out.line(f'at_least("{name}", look(&{variable}), (rep + 1) * omp_get_num_threads());')


class Repeat(Statement):
    blocks_wanted = 1
    frequency = 6
    smallest = {"count": 1}

    @classmethod
    def choose(cls, rng, ctx):
        most = 200 if ctx.weight < 20 else 5
        return {"count": between(rng, 2, most)}

    def rounds(self):
        return self.count

    def inner(self, ctx, index):
        return ctx.deeper(times=ctx.times * self.count, weight=ctx.weight * self.count)

    def emit(self, out, ctx):
        r = out.name("r", self)
        out.open(f"for (long {r} = 0; {r} < {self.count}; {r}++) {{")
        out.line(f"long {r}_all = rep * {self.count} + {r};")
        out.open("{")
        out.line(f"long rep = {r}_all; (void)rep;")
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.close()
        out.close()


class Call(Statement):
    """A function whose constructs are orphaned."""
    blocks_wanted = 1
    frequency = 6

    def inner(self, ctx, index):
        return ctx.deeper(clang=ctx.clang != ctx.mixed)

    def emit(self, out, ctx):
        name, frame = out.name("call", self), ctx.frame.name
        inner = self.inner(ctx, 0)
        out.function(f"__attribute__((noinline)) void {name}(struct {frame} *{frame}, long rep)",
                     lambda: (out.line("(void)rep;"), out.block(self.blocks[0], inner)), inner)
        out.line(f"{name}({frame}, rep);")
