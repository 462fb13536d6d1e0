"""Taskloops, and reductions in which tasks participate."""

import loops
import operators
import space
from tasks import SIMPLE_CLAUSES, choose_clauses, clauses, in_task
from tree import Statement, between, draw


class TaskLoop(loops._Loop):
    frequency = 10
    in_frame_of_its_own = True
    simplest = {**space.SIMPLEST, **SIMPLE_CLAUSES, "nogroup": False, "reduction": None, "last": False,
                "first": False, "size": ""}

    @classmethod
    def fits(cls, ctx):
        return Statement.fits.__func__(cls, ctx)

    @classmethod
    def choose(cls, rng, ctx):
        most = max(4, 500 // ctx.weight)
        size = draw(rng, "", "grainsize({})", "num_tasks({})", "grainsize(strict: {})", "num_tasks(strict: {})")
        return {**space.choose(rng, most), **choose_clauses(rng), "nogroup": rng.random() < 0.3,
                "condition": draw(rng, (8, ""), "if(0)", "if(taskloop: 1)"),
                "reduction": draw(rng, (2, None), rng.randrange(len(operators.OPERATORS))),
                "last": rng.random() < 0.3, "first": rng.random() < 0.3, "size": size.format(between(rng, 1, most))}

    def tasks(self):
        return self.space_count()

    def inner(self, ctx, index):
        count = self.space_count()
        return in_task(self, ctx.alone(grouped=True, close=False, weight=ctx.weight * max(1, count)),
                       times=count)

    def ascends(self):
        return False

    def emit(self, out, ctx):
        if self.nogroup:
            out.closed(ctx, lambda: out.kept(self, ctx, lambda f: self.write(out, ctx, f)))
        else:
            out.on_stack(self, ctx, lambda f: self.write(out, ctx, f))

    def write(self, out, ctx, frame):
        s, k, r, x = self.space(out), out.name("k", self), out.name("r", self), out.name("x", self)
        op = self.operator() if not self.nogroup and (ctx.parallel or ctx.beyond) else None
        last = self.last and not self.nogroup
        both = last and self.first and s.count and not ctx.clang  # Clang 14's code does not write such a variable back
        if op:
            out.line(f"{op.type} {r} = {op.initial()};")
        if both:
            out.line(f"long {x}[2] = {{-1, -2}};")
        elif last:
            out.line(f"long {x} = -1;")
        size = self.size.replace("strict: ", "") if ctx.clang else self.size
        if ctx.clang and not s.count and "grainsize" in size:
            size = ""  # Clang 14's code asks for 2^32 iterations where there are none, which then do nothing, with libomp, too
        out.pragma("taskloop", *clauses(self), size, "nogroup" if self.nogroup else "",
                   f"reduction({op.op}: {r})" if op else "", f"lastprivate({x})" if last else "",
                   f"firstprivate({x})" if both else "", f"firstprivate({frame.name})")
        out.open(s.head() + " {")
        self.write_iteration(out, ctx.but(times=1, frame=frame), s, k)
        if op:
            out.line(op.update(r, k, self.number))
        if both:  # no other task's copy has the last one's values
            out.line(f'same("{x}", {x}[1], -2);')
            out.line(f"{x}[0] = {k};")
            out.line(f"if ({k} == {s.count - 1}) {x}[1] = {k};")
        elif last:
            out.line(f"{x} = {k};")
        out.block(self.blocks[0], self.inner(ctx, 0).but(frame=frame))
        out.close()
        if op:
            out.line(op.same(f'"{r}"', r, op.result(range(s.count), self.number)))
        for value in [f"{x}[0]", f"{x}[1]"] if both else [x] if last and s.count else []:
            out.line(f'same("{value}", {value}, {s.count - 1});')


class TaskReduction(Statement):
    """Tasks that participate in a reduction: of a taskgroup, a region, a loop, or sections."""
    frequency = 6
    simplest = {"nested": False, "untied": False, "how": "taskgroup"}
    smallest = {"count": 1}

    @classmethod
    def fits(cls, ctx):
        # Clang 14's code crashes where a taskgroup in an untied task reduces something, with libomp, too.
        return super().fits(ctx) and ctx.level < 3 and (ctx.parallel or ctx.beyond) and not (ctx.clang and ctx.task)

    @classmethod
    def choose(cls, rng, ctx):
        return {"op": rng.randrange(len(operators.OPERATORS)), "nested": rng.random() < 0.4,
                "untied": rng.random() < 0.2, "threads": rng.randint(1, (9, 3, 2)[ctx.level]),
                "count": between(rng, 1, max(3, 200 // ctx.weight)),
                "how": draw(rng, (2, "taskgroup"), "taskloop", "parallel", "for", "sections")}

    def tasks(self):
        return self.count * (1 + self.nested)

    def emit(self, out, ctx):
        out.tick(ctx, 1)
        op, r = operators.OPERATORS[self.op], out.name("r", self)
        out.open()
        out.line(f"{op.type} {r} = {op.initial()};")
        getattr(self, "write_" + self.how)(out, op, r)
        rounds = range(self.count * (1 + self.nested))
        out.line(op.same(f'"{r}"', r, op.result(rounds, self.number)))
        out.close()

    def task(self, out, op, r):
        untied = "untied" if self.untied else ""
        out.pragma(f"task in_reduction({op.op}: {r}) firstprivate(i)", untied)
        out.open()
        out.line(op.update(r, "i", self.number))
        if self.nested:
            out.pragma(f"task in_reduction({op.op}: {r}) firstprivate(i)", untied)
            out.line("{ " + op.update(r, f"(i + {self.count})", self.number) + " }")
        out.close()

    def creators(self, out, op, r):
        out.open(f"for (long i = 0; i < {self.count}; i++) {{")
        self.task(out, op, r)
        out.close()

    def write_taskgroup(self, out, op, r):
        out.pragma(f"taskgroup task_reduction({op.op}: {r})")
        out.open()
        self.creators(out, op, r)
        out.close()

    def write_taskloop(self, out, op, r):
        out.pragma(f"taskgroup task_reduction({op.op}: {r})")
        out.open()
        out.pragma(f"taskloop in_reduction({op.op}: {r})")
        out.open(f"for (long i = 0; i < {self.count * (1 + self.nested)}; i++) {{")
        out.line(op.update(r, "i", self.number))
        out.close()
        out.close()

    def write_parallel(self, out, op, r):
        out.pragma(f"parallel num_threads({self.threads}) reduction(task, {op.op}: {r})")
        out.open()
        out.pragma("single")
        out.open()
        self.creators(out, op, r)
        out.close()
        out.close()

    def write_for(self, out, op, r):
        out.pragma(f"parallel num_threads({self.threads})")
        out.pragma(f"for reduction(task, {op.op}: {r}) schedule(dynamic)")
        self.creators(out, op, r)

    def write_sections(self, out, op, r):
        out.pragma(f"parallel num_threads({self.threads})")
        out.pragma(f"sections reduction(task, {op.op}: {r})")
        out.open()
        out.pragma("section")
        out.open()
        self.creators(out, op, r)
        out.close()
        out.pragma("section")
        out.line("spin(10);")
        out.close()
