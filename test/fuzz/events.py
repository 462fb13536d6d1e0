"""Detached tasks: their events are fulfilled before or after their bodies end, by the task, a relative of the task,
another thread of the team, a region inside the task, or a native thread."""

from tasks import base, by_child, deferred_for_sure, in_task, outside
from tree import Statement, draw


class Event(Statement):
    """A detached task, what its creator does meanwhile, and the task's successors."""
    frequency = 8
    blocks_wanted = 2
    simplest = {"successors": 0, "untied": False}
    smallest = {"successors": 0}

    @classmethod
    def choose(cls, rng, ctx):
        return {"who": draw(rng, "body", "child", "sibling", "creator", "outside", "region"),
                "early": rng.random() < 0.5, "untied": rng.random() < 0.1,
                "successors": draw(rng, (9, rng.randint(0, 3)), min(600, 600 // ctx.weight))}

    def tasks(self):
        return 3 + self.successors

    final = ""

    def settled(self, ctx):
        """What fulfils the event, if the creator may have to wait for the task at once."""
        if deferred_for_sure(ctx) or self.who == "body":
            return "sibling" if self.who == "region" and not ctx.beyond else self.who
        if ctx.awaits and not ctx.beyond:
            return "body"
        return "within" if self.who == "outside" else "body"

    def inner(self, ctx, index):
        if index == 0:
            return in_task(self, ctx)
        return ctx.deeper(team=False, joins=False)

    def emit(self, out, ctx):
        who, event = self.settled(ctx), out.name("e", self)
        where = f"places[{base(self)}]"
        def write():
            out.line(f"omp_event_handle_t {event};")
            out.pragma(f"task detach({event}) depend(out: {where})", "untied" if self.untied else "")
            out.open()
            self.inside(out, ctx, who, event)
            out.close()
            if self.early:
                self.fulfil(out, ctx, who, event)
            if self.successors:
                out.line(f"for (int k = 0; k < {self.successors}; k++) {{")
                out.pragma(f"task depend(in: {where})")
                out.open()
                out.tick(ctx.but(times=ctx.times * self.successors), 1)
                out.close()
                out.line("}")
            out.block(self.blocks[1], self.inner(ctx, 1))
            if not self.early:
                self.fulfil(out, ctx, who, event)
        out.open()
        out.closed(ctx, write)
        out.close()

    def inside(self, out, ctx, who, event):
        if who == "body" and self.early:
            out.line(f"omp_fulfill_event({event});")
        elif who == "child":
            by_child(out, ctx, event)
        elif who == "within":
            outside(out, ctx, event)
        out.block(self.blocks[0], self.inner(ctx, 0))
        if who == "body" and not self.early:
            out.line(f"omp_fulfill_event({event});")

    def fulfil(self, out, ctx, who, event):
        if who == "creator":
            out.line(f"omp_fulfill_event({event});")
        elif who == "outside":
            outside(out, ctx, event)
        elif who in ("sibling", "region"):
            out.pragma(f"task firstprivate({event})")
            out.open()
            if who == "region":
                out.pragma("parallel num_threads(2)")
                out.pragma("single")
            out.line(f"omp_fulfill_event({event});")
            out.close()


class Duet(Statement):
    """One thread of the team creates detached tasks, another fulfils their events.  In a team of one, the
    same thread does both, one after the other."""
    frequency = 12
    blocks_wanted = 5
    tasks = 2
    simplest = {"successors": 0, "waits": False, "creator": 0}

    @classmethod
    def fits(cls, ctx):
        return ctx.team and ctx.parallel and not ctx.leaf and not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        return {"creator": rng.randint(0, 3), "successors": rng.randint(0, 3),
                "waits": rng.random() < 0.7, "apart": rng.randint(1, 3)}

    final = ""

    def inner(self, ctx, index):
        if index == 4:
            return ctx.deeper(team=False, each=False)
        return ctx.deeper(team=False, each=False, joins=index == 0)

    def emit(self, out, ctx):
        slot, frame = out.name("e", self), ctx.frame.name
        ctx.frame.field(f"unsigned long {slot}[{ctx.times}];")
        here = f"&{frame}->{slot}[rep]"
        out.open()
        out.line("int n = omp_get_num_threads(), me = omp_get_thread_num();")
        out.open(f"if (me == {self.creator} % n) {{")
        out.block(self.blocks[0], self.inner(ctx, 0))
        self.create(out, ctx, here)
        out.block(self.blocks[1], self.inner(ctx, 1))
        if self.waits or ctx.crowded:
            out.line("if (n > 1) {")
            out.pragma("taskwait")
            out.line("}")
        out.close()
        out.open(f"if (me == ({self.creator} + (n > 1 ? 1 + {self.apart - 1} % (n - 1) : 0)) % n) {{")
        out.block(self.blocks[2], self.inner(ctx, 2))
        self.take(out, ctx, here)
        out.block(self.blocks[4], self.inner(ctx, 4))
        out.close()
        out.close()

    def create(self, out, ctx, here):
        """If the creators may execute the tasks themselves, the body publishes its event."""
        where, event = f"places[{base(self)}]", out.name("v", self)
        once = ctx.but(each=False)
        out.line(f"omp_event_handle_t {event};")
        out.pragma(f"task detach({event}) depend(out: {where})")
        out.open()
        out.tick(once, 1)
        if ctx.crowded:
            out.line(f"if (n > 1) publish({here}, {event}); else omp_fulfill_event({event});")
        out.close()
        for _ in range(self.successors):
            out.pragma(f"task depend(in: {where})")
            out.open()
            out.tick(once, 1)
            out.close()
        if not ctx.crowded:
            out.line(f"publish({here}, {event});")

    def take(self, out, ctx, here):
        if ctx.crowded:
            out.open("if (n > 1) {")
        event = out.name("w", self)
        out.line(f"omp_event_handle_t {event} = published({here});")
        if not ctx.crowded:
            out.block(self.blocks[3], self.inner(ctx, 3))
        out.line(f"omp_fulfill_event({event});")
        if ctx.crowded:
            out.close()
            out.block(self.blocks[3], self.inner(ctx, 3))
