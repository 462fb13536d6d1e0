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
        return super().fits(ctx) and ctx.level < 3 and not (ctx.clang and ctx.task)

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
        self.write(out, hits, ctx)
        self.check(out, hits)
        out.line(f'all_same("{hits} after", {hits}_after, {self.count}, 1);')
        out.close()

    def clause(self):
        return loops.schedule_clause(self.kind, self.chunk, self.modifier)


class CancelFor(_Cancelled):
    def write(self, out, hits, ctx):
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
    def write(self, out, hits, ctx):
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
    def write(self, out, hits, ctx):
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
    def write(self, out, hits, ctx):
        out.pragma("taskgroup")
        out.open()
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.pragma("task shared(" + hits + ") firstprivate(i)", draw_untied(self, ctx))
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


class CancelDetached(_Cancelled):
    """A cancelled group of detached tasks, which waits for the events of those that have begun.  The last one to begin cancels.
    In a larger team another thread fulfils the events; else, and with WITHIN, each task does so itself.

    EARLY: one of the tasks cancels while others have not begun, and the creator gives their events away.  libgomp forgets a
    task that it does not begin, and its event with it."""
    @classmethod
    def choose(cls, rng, ctx):
        return {**super().choose(rng, ctx), "within": rng.random() < 0.3, "early": ctx.beyond and rng.random() < 0.7}

    def write(self, out, hits, ctx):
        out.line(f"unsigned long {hits}_events[{self.count}] = {{0}}; int {hits}_over = 0, {hits}_begun = 0;")
        out.pragma(f"parallel num_threads({self.threads})")
        out.open()
        out.line(f"int alone = {int(self.within)} || omp_get_num_threads() == 1;")
        out.open("if (omp_get_thread_num() == 0) {")
        out.pragma("taskgroup")
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.line("omp_event_handle_t event = (omp_event_handle_t)0;")
        out.pragma("task detach(event) firstprivate(i)", draw_untied(self, ctx))
        out.open()
        out.line(f"tick(&{hits}[i], 1);")
        (self.write_early if self.early else self.write_last)(out, hits)
        out.close()
        if self.early:  # a creator in a cancelled group makes no task
            out.line(f"if (alone && event != 0) omp_fulfill_event(event); else publish(&{hits}_events[i], event);")
        out.close()
        out.line(f"__atomic_store_n(&{hits}_over, 1, __ATOMIC_RELEASE);")
        out.close()
        out.open("if (!alone && omp_get_thread_num() == 1) {")
        out.line(f"fulfil_published({hits}_events, {self.count}, &{hits}_over);")
        out.close()
        out.pragma("barrier")
        self.after(out, hits)
        out.close()

    def write_early(self, out, hits):
        self.cancel(out, "taskgroup")

    def write_last(self, out, hits):
        out.line(f"if (alone) omp_fulfill_event(event); else publish(&{hits}_events[i], event);")
        out.line(f"if (__atomic_add_fetch(&{hits}_begun, 1, __ATOMIC_RELAXED) == {self.count}) {{")
        out.pragma("cancel taskgroup")
        out.line("}")
        if self.points:
            out.pragma("cancellation point taskgroup")

    def check(self, out, hits):
        if self.early:
            super().check(out, hits)
        else:
            out.line(f'all_same("{hits}", {hits}, {self.count}, 1);')


class CancelTaskloop(_Cancelled):
    def write(self, out, hits, ctx):
        out.pragma(f"taskloop num_tasks({self.count}) shared({hits})")
        out.open(f"for (int i = 0; i < {self.count}; i++) {{")
        out.line(f"tick(&{hits}[i], 1);")
        self.cancel(out, "taskgroup")
        out.close()
        self.after(out, hits, f"taskloop shared({hits}_after)")


def draw_untied(statement, ctx):
    """Clang 14's code crashes where an untied task cancels something."""
    return "untied" if statement.chosen % 5 == 0 and not ctx.clang else ""
