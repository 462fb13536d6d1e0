"""Loops: of the team, combined with a region, ordered, doacross and collapsed.  Each loop counts the executions of
every iteration in an array, and each thread checks the order of its own iterations."""

import operators
import space
from tree import Statement, between, draw


def choose_schedule(rng):
    kind = draw(rng, (2, ""), (2, "static"), (5, "dynamic"), (3, "guided"), "auto", (2, "runtime"))
    huge = 2**31 - 1 if kind != "static" else 1000  # for static, the compiler's own code overflows
    chunk = draw(rng, 0, rng.randint(1, 5), between(rng, 1, 100), draw(rng, 1000, huge))
    modifier = draw(rng, (4, ""), "monotonic:", "nonmonotonic:")
    return {"kind": kind, "chunk": chunk if kind in ("static", "dynamic", "guided") else 0,
            "modifier": modifier if kind not in ("", "auto") else ""}


def schedule_clause(kind, chunk, modifier):
    return f"schedule({modifier}{kind}{f', {chunk}' if chunk else ''})" if kind else ""


SIMPLE_SCHEDULE = {"kind": "", "chunk": 0, "modifier": ""}


class _Loop(Statement):
    blocks_wanted = 1
    simplest = {**space.SIMPLEST, **SIMPLE_SCHEDULE, "reduction": None}
    smallest = {"count": 0}
    frequency = 14

    @classmethod
    def choose(cls, rng, ctx):
        most = max(4, 1000 // max(1, ctx.weight * ctx.times))
        return {**space.choose(rng, most), **choose_schedule(rng),
                "reduction": draw(rng, (3, None), rng.randrange(len(operators.OPERATORS)))}

    def rounds(self):
        return self.count

    def space(self, out):
        return space.Space(self.params, out.prefix + "_" + str(self.number))

    def iterations(self, ctx):
        count = self.space_count()
        return ctx.deeper(team=False, each=False, times=ctx.times * count,
                          weight=ctx.weight * max(1, count))

    def space_count(self):
        return space.Space(self.params, "").count

    def schedule(self):
        # libgomp multiplies the two; after an overflow the loop has no iterations, or crashes.
        chunk = min(self.chunk, 2**62 // abs(self.step))
        if self.kind == "static" and self.counts_chunks_in_narrow_type():
            chunk = 0
        return schedule_clause(self.kind, chunk, self.modifier)

    def counts_chunks_in_narrow_type(self):
        """The compiler's own code counts chunks in the loop's type."""
        return self.type in ("signed char", "unsigned char")

    def ascends(self):
        """Each thread must see its iterations in their order."""
        return self.modifier == "monotonic:" or (
            self.kind == "static" and self.modifier != "nonmonotonic:")

    def write_iteration(self, out, ctx, s, k):
        """The body of every iteration; K is its number."""
        name = out.name("h", self)
        frame = ctx.frame
        frame.field(f"int {name}[{max(1, s.count)}];")
        frame.check(f"all_same({frame.site(name)}, f->{name}, {s.count}, {ctx.times});")
        out.line(f"long {k} = {s.index()};")
        out.line(f"tick(&{frame.name}->{name}[{k}], 1);")
        if self.ascends():
            out.line(f'at_least("{name} order", {k}, last{k}); last{k} = {k};')

    def operator(self):
        return None if self.reduction is None else operators.OPERATORS[self.reduction]


class For(_Loop):
    """A worksharing loop of the surrounding team."""
    simplest = {**_Loop.simplest, "nowait": True, "twin": False}

    @classmethod
    def fits(cls, ctx):
        return ctx.team and not ctx.leaf and not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        return {**super().choose(rng, ctx), "nowait": rng.random() < 0.5, "twin": rng.random() < 0.3}

    def inner(self, ctx, index):
        return self.iterations(ctx)

    def write_twin(self, out, ctx, s, k, clauses):
        """A second loop with the same static schedule must give the same iterations to the same threads."""
        owner = out.name("o", self)
        ctx.frame.field(f"int {owner}[{max(1, s.count)}];")
        out.pragma("for", *clauses)
        out.open(s.head() + " {")
        out.line(f'same("{owner}", {ctx.frame.name}->{owner}[{s.index()}], omp_get_thread_num());')
        out.close()

    def emit(self, out, ctx):
        s, k, frame = self.space(out), out.name("k", self), ctx.frame
        twin = self.twin and self.kind == "static" and self.modifier != "nonmonotonic:"
        clauses = [self.schedule(), "nowait" if self.nowait else ""]
        out.open()
        if self.ascends():
            out.line(f"long last{k} = -1;")
        op, r = self.operator(), out.name("r", self)
        if op:
            frame.field(f"{op.type} {r}[1];")
            frame.begin.append(op.set(f"f->{r}[0]"))
            result = op.result(list(range(s.count)) * ctx.times, self.number)
            frame.check(op.same(frame.site(r), f"f->{r}[0]", result))
            out.line(f"{op.type} *{r} = {frame.name}->{r};")
        out.pragma("for", *clauses, f"reduction({op.op}: {r}[:1])" if op else "")
        out.open(s.head() + " {")
        self.write_iteration(out, ctx, s, k)
        if twin:
            out.line(f"{frame.name}->{out.name('o', self)}[{k}] = omp_get_thread_num();")
        if op:
            out.line(op.update(f"{r}[0]", k, self.number))
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.close()
        if twin:
            self.write_twin(out, ctx, s, k, clauses)
        out.close()


class ParallelFor(_Loop):
    """A region and its loop in one directive, with the clauses that such a directive allows."""
    region = True
    in_frame_of_its_own = True
    simplest = {**_Loop.simplest, "threads": 0, "last": False}

    @classmethod
    def fits(cls, ctx):
        return not ctx.leaf and not ctx.graph and ctx.level < 3

    @classmethod
    def choose(cls, rng, ctx):
        made = {**super().choose(rng, ctx), "threads": rng.randint(1, (9, 3, 2)[ctx.level]),
                "last": rng.random() < 0.4}
        # If the bounds are constants, GCC starts the region and the loop by one call.  With four threads or more near
        # the largest number libgomp 12 and 16 then execute iterations that do not exist: the counter wraps around.
        if made["near"] != "zero" and made["kind"] in ("dynamic", "runtime") and not ctx.beyond:
            made["opaque"] = True
        return made

    def inner(self, ctx, index):
        return self.iterations(ctx.but(times=1, parallel=True, level=ctx.level + 1, task=False,
                                       joins=True, league=False, final=False, close=False, grouped=False, crowded=True,
                                       frame=None, weight=ctx.weight))

    def conditional(self, ctx):
        """GCC compares values of the loop variable, so lastprivate(conditional:) is only right if the loop counts up.  In Clang 14's
        code it is wrong under libomp, too."""
        return not ctx.mixed and self.last and self.near == "zero" and self.type in ("int", "long") and self.step > 0

    def clauses(self, ctx, op, r, k, x):
        return [f"num_threads({self.threads})" if self.threads else "",
                self.schedule(),
                f"reduction({op.op}: {r})" if op else "",
                f"lastprivate({x})" if self.last else "",
                f"lastprivate(conditional: {x}c)" if self.conditional(ctx) else "",
                f"firstprivate(last{k})" if self.ascends() else ""]

    def emit(self, out, ctx):
        def write(frame):
            s, k, op = self.space(out), out.name("k", self), self.operator()
            r, x, inner = out.name("r", self), out.name("x", self), self.inner(ctx, 0).but(frame=frame)
            out.line("long rep = 0; (void)rep;")
            if self.ascends():
                out.line(f"long last{k} = -1;")
            if op:
                out.line(f"{op.type} {r} = {op.initial()};")
            if self.last:
                out.line(f"long {x} = -1, {x}c = -1;")
            out.pragma("parallel for", *self.clauses(ctx, op, r, k, x))
            out.open(s.head() + " {")
            self.write_iteration(out, ctx.but(times=1, each=False, frame=frame), s, k)
            if op:
                out.line(op.update(r, k, self.number))
            if self.last:
                out.line(f"{x} = {k};" + (f" if ({k} % 3 == 1) {x}c = {k};" if self.conditional(ctx) else ""))
            out.block(self.blocks[0], inner)
            out.close()
            if op:
                out.line(op.same(f'"{r}"', r, op.result(range(s.count), self.number)))
            if self.last and s.count > 0:
                expected = max((k for k in range(s.count) if k % 3 == 1), default=-1)
                out.line(f'same("{x}", {x}, {s.count - 1});')
                if expected >= 0 and self.conditional(ctx):
                    out.line(f'same("{x} conditional", {x}c, {expected});')
        out.on_stack(self, ctx, write)


class Ordered(_Loop):
    """The ordered parts must come in the order of their iterations."""
    simplest = {**_Loop.simplest, "skip": 1}
    frequency = 6

    @classmethod
    def fits(cls, ctx):
        return ctx.team and not ctx.leaf and not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        params = {**super().choose(rng, ctx), "skip": rng.randint(1, 3), "reduction": None}
        return {**params, "modifier": params["modifier"].replace("non", "")}

    def inner(self, ctx, index):
        return self.iterations(ctx).but(leaf=True)

    def emit(self, out, ctx):
        s, k, frame = self.space(out), out.name("k", self), ctx.frame
        turn = out.name("t", self)
        frame.field(f"long {turn};")
        per_round = (s.count + self.skip - 1) // self.skip
        frame.check(f"same({frame.site(turn)}, f->{turn}, {per_round * ctx.times});")
        out.open()
        if self.ascends():
            out.line(f"long last{k} = -1;")
        out.pragma("for ordered", self.schedule())
        out.open(s.head() + " {")
        self.write_iteration(out, ctx, s, k)
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.line(f"if ({k} % {self.skip} == 0) {{")
        out.pragma("ordered")
        variable = f"{frame.name}->{turn}"
        out.line(f'  {{ same("{turn}", {variable} % {max(1, per_round)}, {k} / {self.skip}); {variable}++; }}')
        out.line("}")
        out.close()
        out.close()


class Doacross(_Loop):
    """Each iteration waits for earlier ones, by depend(sink), and must see what they wrote."""
    simplest = {**_Loop.simplest, "second": 0}
    frequency = 6

    @classmethod
    def fits(cls, ctx):
        return ctx.team and not ctx.leaf and not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        params = super().choose(rng, ctx)
        params = {**params, "reduction": None, "back": rng.randint(1, 4),
                  "second": draw(rng, (2, 0), 1), "type": draw(rng, "int", "long"),
                  # A sink before the first iteration needs a value in the array.
                  "near": "zero", "step": max(-1000, min(params["step"], 1000))}
        return {**params, "modifier": params["modifier"].replace("non", "")}

    def inner(self, ctx, index):
        return self.iterations(ctx).but(leaf=True)

    def emit(self, out, ctx):
        s, k, frame = self.space(out), out.name("k", self), ctx.frame
        done = out.name("d", self)
        frame.field(f"long {done}[{max(1, s.count)}];")
        backs = {self.back, self.back + 1} if self.second else {self.back}
        out.open()
        if self.ascends():
            out.line(f"long last{k} = -1;")
        out.pragma("for ordered(1)", self.schedule())
        out.open(s.head() + " {")
        self.write_iteration(out, ctx, s, k)
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.pragma("ordered", *(f"depend(sink: {s.back(b)})" for b in sorted(backs)))
        here = f"{frame.name}->{done}"
        for b in sorted(backs):
            out.line(f'if ({k} >= {b}) same("{done}", {here}[{k} - {b}], {here}[{k}] + 1);')
        out.line(f"{here}[{k}]++;")
        out.pragma("ordered depend(source)")
        out.close()
        out.close()


class Collapse(Statement):
    """Two or three loops as one iteration space, also a triangular one."""
    blocks_wanted = 1
    frequency = 6
    simplest = {**SIMPLE_SCHEDULE, "shape": "box", "nowait": True}
    smallest = {"a": 0, "b": 1, "c": 1}

    @classmethod
    def fits(cls, ctx):
        return ctx.team and not ctx.leaf and not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        most = max(2, int((1000 // max(1, ctx.weight * ctx.times)) ** 0.34))
        return {**choose_schedule(rng), "shape": draw(rng, (2, "box"), "triangle", "doacross"),
                "a": rng.randint(0, most), "b": rng.randint(1, most), "c": rng.randint(1, most),
                "type": draw(rng, "int", "long", "unsigned", "unsigned long long", "short"),
                "nowait": rng.random() < 0.4}

    def size(self):
        return self.a * self.b * self.c

    def rounds(self):
        return self.size()

    def inner(self, ctx, index):
        count = self.a * (self.a + 1) // 2 if self.shape == "triangle" else self.size()
        return ctx.deeper(team=False, each=False, times=ctx.times * count,
                          weight=ctx.weight * max(1, count), leaf=self.shape == "doacross")

    def heads(self):
        t = self.type
        if self.shape == "doacross":
            return [f"for (int i = 3; i < 3 + {self.a} * 2; i += 2)",
                    f"for (int j = 1; j <= {self.b}; j++)", f"for (int k = 0; k < {self.c}; k++)"]
        if self.shape == "triangle":
            return [f"for (int i = 0; i < {self.a}; i++)", f"for (int j = i; j < {self.a}; j++)"]
        return [f"for ({t} i = 3; i < 3 + {self.a} * 2; i += 2)",
                f"for (long j = {self.b}; j > 0; j--)", f"for ({t} k = 0; k < {self.c}; k++)"]

    def emit(self, out, ctx):
        triangle, frame, h = self.shape == "triangle", ctx.frame, out.name("h", self)
        n = self.a * self.a if triangle else self.size()
        index = f"i * {self.a} + j" if triangle else \
            f"((i - 3) / 2 * {self.b} + ({'j - 1' if self.shape == 'doacross' else f'{self.b} - j'})) * {self.c} + k"
        frame.field(f"int {h}[{max(1, n)}];")
        clause = "" if triangle else schedule_clause(self.kind, self.chunk, self.modifier)
        if self.shape == "doacross":
            clause = clause.replace("nonmonotonic:", "") + " ordered(3)"
        out.pragma("for", clause, f"collapse({2 if triangle else 3})" if self.shape != "doacross" else "",
                   "nowait" if self.nowait and self.shape != "doacross" else "")
        heads = self.heads()
        for head in heads:
            out.line(head)
        out.open()
        out.line(f"int *here = &{frame.name}->{h}[{index}];")
        if self.shape == "doacross":
            out.pragma("ordered depend(sink: i - 2, j, k) depend(sink: i, j - 1, k)")
            out.line(f'if (i > 3) same("{h}", here[-{self.b * self.c}], *here + 1);')
            out.line(f'if (j > 1) same("{h}", here[-{self.c}], *here + 1);')
            out.line("++*here;")
            out.pragma("ordered depend(source)")
        else:
            out.line("tick(here, 1);")
        out.block(self.blocks[0], self.inner(ctx, 0))
        out.close()
        if triangle:
            frame.check(f"for (int i = 0; i < {self.a}; i++) "
                        f"all_same({frame.site(h)}, f->{h} + i * {self.a} + i, {self.a} - i, {ctx.times});")
        else:
            frame.check(f"all_same({frame.site(h)}, f->{h}, {n}, {ctx.times});")
