"""Cancellation.  A cancelled part may have been executed once or not at all, but not twice.  The part that cancels was
executed, and so is everything that follows in the same team."""

import loops
from tree import Statement


class _Cancelled(Statement):
    """HITS counts executions of each part; part CHOSEN cancels."""
    frequency = 3
    simplest = {"threads": 2, "conditional": False, **loops.SIMPLE_SCHEDULE}
    smallest = {"count": 2}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and ctx.level < 3

    @classmethod
    def choose(cls, rng, ctx):
        schedule = loops.choose_schedule(rng)
        return {**schedule, "threads": rng.randint(1, (9, 3, 2)[ctx.level]),
                "count": rng.randint(2, max(3, 120 // ctx.weight)), "chosen": rng.randint(0, 100),
                "conditional": rng.random() < 0.3, "points": rng.random() < 0.6}

    def cancel(self, out, what, part="i"):
        condition = f"if({part} % 2 == {self.chosen % self.count % 2})" if self.conditional else ""
        out.line(f"if ({part} == {self.chosen % self.count}) {{")
        out.pragma("cancel", what, condition)
        out.line("}")
        if self.points:
            out.pragma("cancellation point", what)

    def check(self, out, hits):
        """Checks bounds if cancellation is on; otherwise each part must be executed exactly once."""
        out.line(f"for (long i = 0; i < {self.count}; i++) {{")
        out.line(f'  at_most("{hits}", {hits}[i], 1);')
        out.line(f'  if (!omp_get_cancellation() || i == {self.chosen % self.count}) '
                 f'same("{hits}", {hits}[i], 1);')
        out.line("}")

    def after(self, out, hits, what="for"):
        """After the cancelled construct, the same construct executes all of its parts."""
        out.pragma(what)
        out.line(f"for (int i = 0; i < {self.count}; i++) tick(&{hits}_after[i], 1);")

    def emit(self, out, ctx):
        hits = out.name("h", self)
        out.tick(ctx, 1)
        out.open()
        out.line(f"int {hits}[{self.count}] = {{0}}, {hits}_after[{self.count}] = {{0}};")
        self.write(out, hits)
        self.check(out, hits)
        out.line(f'all_same("{hits} after", {hits}_after, {self.count}, 1);')
        out.close()

    def clause(self):
        return loops.schedule_clause(self.kind, self.chunk, self.modifier)


class CancelFor(_Cancelled):
    def write(self, out, hits):
        out.pragma(f"parallel num_threads({self.threads})")
        out.open()
        out.pragma("for", self.clause())
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.line(f"tick(&{hits}[i], 1);")
        self.cancel(out, "for")
        out.close()
        self.after(out, hits)
        out.close()


class CancelSections(_Cancelled):
    def write(self, out, hits):
        out.pragma(f"parallel num_threads({self.threads})")
        out.open()
        out.pragma("sections")
        out.open()
        for i in range(min(self.count, 6)):
            out.pragma("section")
            out.open()
            out.line(f"tick(&{hits}[{i}], 1);")
            self.cancel(out, "sections", str(i))
            out.close()
        out.close()
        self.after(out, hits)
        out.close()

    @classmethod
    def choose(cls, rng, ctx):
        return {**super().choose(rng, ctx), "count": rng.randint(2, 6)}


class CancelParallel(_Cancelled):
    def write(self, out, hits):
        out.pragma(f"parallel num_threads({self.threads})")
        out.open()
        out.pragma("for nowait", self.clause())
        out.line(f"for (int i = 0; i < {self.count}; i++) tick(&{hits}[i], 1);")
        out.pragma("single nowait")
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.pragma("task")
        out.line("spin(10);")
        out.close()
        out.line(f"if (omp_get_thread_num() == {self.chosen} % omp_get_num_threads()) {{")
        out.pragma("cancel parallel")
        out.line("}")
        out.pragma("cancellation point parallel" if self.points else "barrier")
        out.line('if (omp_get_cancellation() && omp_get_num_threads() == 1) wrong("cancelled", 0, 1);')
        out.close()
        out.pragma(f"parallel num_threads({self.threads})")
        self.after(out, hits)


class CancelTaskgroup(_Cancelled):
    def write(self, out, hits):
        out.pragma("taskgroup")
        out.open()
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.pragma("task shared(" + hits + ") firstprivate(i)", draw_untied(self))
        out.open()
        self.points_first(out, hits)
        self.cancel(out, "taskgroup")
        out.close()
        out.close()
        out.close()
        out.pragma("taskgroup")
        out.open()
        self.after(out, hits, f"taskloop shared({hits}_after)")
        out.close()

    def points_first(self, out, hits):
        out.line(f"tick(&{hits}[i], 1);")


class CancelTaskloop(_Cancelled):
    def write(self, out, hits):
        out.pragma(f"taskloop num_tasks({self.count}) shared({hits})")
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.line(f"tick(&{hits}[i], 1);")
        self.cancel(out, "taskgroup")
        out.close()
        self.after(out, hits, f"taskloop shared({hits}_after)")


def draw_untied(statement):
    return "untied" if statement.chosen % 5 == 0 else ""
