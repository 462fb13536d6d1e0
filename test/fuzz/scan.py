"""Loops with a scan: each iteration sees what the iterations before it, or up to it, have added."""

import operators
from tree import Statement, between, draw

USABLE = [i for i, o in enumerate(operators.OPERATORS) if o.op in ("+", "*", "|", "^", "&", "max", "min")]


class Scan(Statement):
    """Clang 14's code for it crashes under any runtime."""
    frequency = 6
    in_frame_of_its_own = True
    simplest = {"form": "parallel for"}
    smallest = {"count": 1, "threads": 1}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and ctx.level < 3 and not ctx.clang

    @classmethod
    def choose(cls, rng, ctx):
        return {"op": draw(rng, *USABLE), "inclusive": rng.random() < 0.5, "threads": rng.randint(1, (9, 3, 2)[ctx.level]),
                "count": between(rng, 1, max(4, 400 // ctx.weight)),
                "form": draw(rng, "parallel for", "for", "parallel for simd", "for simd")}

    def emit(self, out, ctx):
        op, r, p = operators.OPERATORS[self.op], out.name("r", self), out.name("p", self)
        update = op.update(r, "i", self.number)
        find = f"{p}[i] = {r};"
        out.tick(ctx, 1)
        out.open()
        out.line(f"{op.type} {r} = {op.initial()}, {p}[{self.count}];")
        team = f"num_threads({self.threads})"
        if not self.form.startswith("parallel"):
            out.pragma("parallel", team)
        out.pragma(self.form, f"reduction(inscan, {op.op}: {r})", team if self.form.startswith("parallel") else "")
        out.open(f"for (long i = 0; i < {self.count}; i++) {{")
        out.line("{ " + (update if self.inclusive else find) + " }")
        out.pragma("scan", f"{'inclusive' if self.inclusive else 'exclusive'}({r})")
        out.line("{ " + (find if self.inclusive else update) + " }")
        out.close()
        for i in sorted({0, self.count // 3, self.count // 2, self.count - 1}):
            before = op.result(range(i + self.inclusive), self.number)
            out.line(op.same(f'"{p}[{i}]"', f"{p}[{i}]", before))
        out.line(op.same(f'"{r}"', r, op.result(range(self.count), self.number)))
        self.check_each(out, op, p)
        out.close()

    def check_each(self, out, op, p):
        """Every iteration against the serial loop."""
        out.line(f"{op.type} serial = {op.initial()};")
        out.open(f"for (long i = 0; i < {self.count}; i++) {{")
        update = op.update("serial", "i", self.number)
        check = f'same("{p}", {p}[i] == serial, 1);'
        out.line(f"{update} {check}" if self.inclusive else f"{check} {update}")
        out.close()
