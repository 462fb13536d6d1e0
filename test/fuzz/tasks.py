"""Explicit tasks: single ones, many at once, chains in which each task creates its successor, trees, groups, and the
constructs that wait for them."""

from tree import Statement, between, creates_tasks, draw


def choose_clauses(rng):
    return {"condition": draw(rng, (8, ""), "if(0)", "if(task: OPAQUE(int, 1))"),
            "final": draw(rng, (8, ""), "final(0)", "final(1)"),
            "untied": rng.random() < 0.2, "mergeable": rng.random() < 0.15,
            "priority": draw(rng, (4, 0), rng.randint(1, 12))}


SIMPLE_CLAUSES = {"condition": "", "final": "", "untied": False, "mergeable": False, "priority": 0}


def clauses(s):
    return [s.condition, s.final, "untied" if s.untied else "", "mergeable" if s.mergeable else "",
            f"priority({s.priority})" if s.priority else ""]


def in_task(s, ctx, **changes):
    """The context inside an explicit task: what belongs to the creating thread is not available."""
    return ctx.deeper(team=False, task=True, joins=True, graph=False,
                      final=ctx.final or s.final == "final(1)", **changes)


def deferred_for_sure(ctx):
    """Whether a task here is neither included nor possibly executed by its creator at once."""
    return ctx.parallel and not ctx.final and (ctx.beyond or not (ctx.crowded or ctx.awaits))


def by_child(out, ctx, event):
    """A child fulfils the event of this task.  A taskwait of libgomp, for example one of this task's parent,
    does not execute grandchildren."""
    out.pragma(f"task firstprivate({event})")
    out.line(f"omp_fulfill_event({event});")
    if not ctx.beyond:
        out.pragma("taskwait")


def outside(out, ctx, event):
    """A native thread fulfils the event.  With libgomp 12 a team sometimes sleeps for ever if that happens
    while the team waits at the end of its region."""
    out.line(f"fulfill_outside({event}, {int(ctx.beyond)});")


PAYLOADS = {"none": None, "small": "char {p}[24]", "large": "char {p}[300]",
            "aligned": "_Alignas(64) char {p}[200]", "variable": "char {p}[OPAQUE(int, 500)]"}


class Task(Statement):
    """One task; its data may be large, aligned, or of a size that is known only at run time."""
    frequency = 25
    blocks_wanted = 1
    tasks = 1
    simplest = {**SIMPLE_CLAUSES, "payload": "none"}

    @classmethod
    def choose(cls, rng, ctx):
        return {**choose_clauses(rng), "payload": draw(rng, (8, "none"), *PAYLOADS)}

    def inner(self, ctx, index):
        return in_task(self, ctx)

    def emit(self, out, ctx):
        p = out.name("p", self)
        # Clang refuses firstprivate data of a size that is known only at run time.
        payload = PAYLOADS["large" if ctx.clang and self.payload == "variable" else self.payload]
        out.open()
        if payload:
            out.line(f"{payload.format(p=p)}; memset({p}, {self.number % 100}, sizeof {p});")
        out.pragma("task", *clauses(self), f"firstprivate({p})" if payload else "")
        out.open()
        if payload:
            out.line(f'same("{p}", {p}[0] + {p}[sizeof {p} - 1], {2 * (self.number % 100)});')
            if self.payload == "aligned":
                out.line(f'same("{p} alignment", (long)((uintptr_t){p} % 64), 0);')
        out.block(self.blocks[0], self.inner(ctx, 0))
        if ctx.close and creates_tasks(self.blocks[0]):
            out.pragma("taskwait")
        out.close()
        out.close()


class TaskScope(Statement):
    """A group of tasks whose results are checked when all are complete."""
    frequency = 14
    blocks_wanted = 1
    in_frame_of_its_own = True
    simplest = {"how": "taskwait"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"how": draw(rng, "taskwait", "taskgroup")}

    def waits(self, ctx):
        return self.how == "taskwait" and ctx.joins

    def inner(self, ctx, index):
        return ctx.alone(close=self.waits(ctx), grouped=ctx.grouped or not self.waits(ctx))

    def emit(self, out, ctx):
        def write(frame):
            inner = self.inner(ctx, 0).but(frame=frame)
            if self.waits(ctx):
                out.block(self.blocks[0], inner)
                out.pragma("taskwait")
            else:
                out.taskgroup(ctx, frame, lambda: out.block(self.blocks[0], inner))
        out.on_stack(self, ctx, write)


class TaskWait(Statement):
    frequency = 10

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and ctx.joins

    def emit(self, out, ctx):
        out.pragma("taskwait")


DEPENDS = {"": "", "own": "depend(out: places[{base} + i % 5000])",
           "chain": "depend(inout: places[{base}])",
           "mixed": "depend(in: places[{base} + i % 7]) depend(out: places[{base} + i % 11 + 7])",
           "exclusive": "depend(mutexinoutset: places[{base}])"}


def base(statement):
    """Addresses for dependences that no other statement uses."""
    return 1000 + statement.number % 200 * 1200


class Fan(Statement):
    """Many tasks of one creator."""
    frequency = 8
    simplest = {"condition": "", "untied": False, "priority": 0, "depend": "", "detach": False, "spins": 0}
    smallest = {"count": 1}

    @classmethod
    def choose(cls, rng, ctx):
        most = 20000 if ctx.weight <= 4 and rng.random() < 0.1 else max(3, 300 // ctx.weight)
        return {"count": between(rng, 2, most), "condition": draw(rng, (8, ""), "if(i % 3 != 0)"),
                "untied": rng.random() < 0.2, "priority": draw(rng, (2, 0), rng.randint(2, 9)),
                "depend": draw(rng, (4, ""), *DEPENDS), "detach": rng.random() < 0.15,
                "spins": draw(rng, (3, 0), rng.randint(1, 500))}

    def tasks(self):
        return self.count

    def awaits(self):
        return bool(self.condition and self.depend)

    def emit(self, out, ctx):
        def write():
            detach = self.detach and not self.condition
            out.open(f"for (long i = 0; i < {self.count}; i++) {{")
            if detach:
                out.line("omp_event_handle_t event;")
            depend = "" if self.condition and not ctx.joins else DEPENDS[self.depend]
            out.pragma("task firstprivate(i)", self.condition, "untied" if self.untied else "",
                       f"priority(i % {self.priority})" if self.priority else "",
                       depend.format(base=base(self)),
                       "detach(event)" if detach else "")
            out.open()
            out.tick(ctx.but(times=ctx.times * self.count), 1)
            if self.spins:
                out.line(f"spin({self.spins});")
            if detach:
                out.line("omp_fulfill_event(event);")
            out.close()
            out.close()
        out.closed(ctx, write)


class Chain(Statement):
    """Each task creates some leaves and its successor, and ends."""
    frequency = 8
    simplest = {"leaves": 0, "local": 0, "depend": "", "detach": "", "untied": False, "priority": 0}
    smallest = {"links": 1}

    @classmethod
    def choose(cls, rng, ctx):
        leaves = draw(rng, (3, 0), rng.randint(1, 30))
        # On one processor a link with leaves may take 360 bytes until the chain ends (docs/limits.md); running.MEMORY bears that.
        most = 80000 // (1 + leaves) if ctx.weight <= 9 else max(5, 400 // ctx.weight)
        return {"links": between(rng, 3, most), "leaves": leaves,
                "local": draw(rng, (3, 0), 200, 2000, 8000),
                "depend": draw(rng, (3, ""), "depend(inout: places[{base}])"),
                "detach": draw(rng, (5, ""), "itself", "successor"),
                "untied": rng.random() < 0.1, "priority": draw(rng, (4, 0), rng.randint(1, 9))}

    def tasks(self):
        return 1 + self.leaves

    def grouping(self, ctx):
        """Whether each link needs a taskgroup.  Otherwise a link that is only complete after its grandchild is a child of the creator."""
        return ctx.close or (self.detach == "successor" and not ctx.beyond)

    def settled(self, ctx):
        """(links, local): small enough for the stack of a runtime that nests these bodies."""
        if deferred_for_sure(ctx) and not (self.leaves and (ctx.grouped or self.grouping(ctx))):
            return self.links, self.local
        if ctx.final:  # each runtime nests these, on the stack of whichever thread it is
            return min(self.links, 12), min(self.local, 200)
        return min(self.links, 150), min(self.local, 200)

    def emit(self, out, ctx):
        name, frame = out.name("chain", self), ctx.frame.name
        links, local = self.settled(ctx)
        ctx.frame.account(links * (1 + self.leaves), ctx)
        out.function(f"__attribute__((noinline)) void {name}(struct {frame} *{frame}, long i, "
                     "omp_event_handle_t former)", lambda: self.link(out, ctx, links, local, name), ctx)
        out.closed(ctx.but(close=self.grouping(ctx)),
                   lambda: out.line(f"{name}({frame}, 1, (omp_event_handle_t)0);"))

    def link(self, out, ctx, links, local, name):
        frame = ctx.frame.name
        detach = self.detach if deferred_for_sure(ctx) else "itself" if self.detach else ""
        if local:
            out.line(f"volatile char local[{local}]; local[i % {local}] = 1;")
        out.line(f"tick(&{frame}->sum, 1);")
        out.line("(void)former;")
        if self.leaves:
            out.line(f"for (int k = 0; k < {self.leaves}; k++) {{")
            out.pragma("task")
            out.line(f"tick(&{frame}->sum, 1);")
            out.line("}")
        out.open(f"if (i >= {links}) {{")
        if detach == "successor":
            out.line("if (i > 1) omp_fulfill_event(former);")
        out.line("return;")
        out.close()
        out.line("omp_event_handle_t event = (omp_event_handle_t)0; (void)event;")
        out.pragma("task", "detach(event)" if detach else "", self.depend.format(base=base(self)),
                   "untied" if self.untied else "", f"priority({self.priority})" if self.priority else "")
        out.open()
        if detach == "successor":
            out.line("if (i > 1) omp_fulfill_event(former);")
        out.line(f"{name}({frame}, i + 1, event);")
        if detach == "itself":
            out.line("omp_fulfill_event(event);")
        out.close()


class Tree(Statement):
    """Recursion with tasks; they return a result, or are counted."""
    frequency = 8
    simplest = {"final": False, "condition": False, "untied": False, "mergeable": False}
    smallest = {"deep": 1, "wide": 1}

    @classmethod
    def choose(cls, rng, ctx):
        wide = rng.randint(1, 4)
        deep = 1
        while wide ** (deep + 1) * ctx.weight < 2000 and deep < 12 and rng.random() < 0.9:
            deep += 1
        return {"wide": wide, "deep": deep, "waits": rng.random() < 0.6, "final": rng.random() < 0.2,
                "condition": rng.random() < 0.2, "untied": rng.random() < 0.2,
                "mergeable": rng.random() < 0.1}

    def size(self):
        return sum(self.wide ** d for d in range(self.deep + 1))

    def tasks(self):
        return self.size() - 1

    def emit(self, out, ctx):
        name, frame = out.name("tree", self), ctx.frame.name
        waits = self.waits and ctx.joins
        out.function(f"long {name}(struct {frame} *{frame}, int deep)",
                     lambda: self.node(out, frame, name, waits), ctx)
        if waits:
            out.line(f'same("{name}", {name}({frame}, {self.deep}), {self.size()});')
        else:
            ctx.frame.account(self.size(), ctx)
            out.closed(ctx, lambda: out.line(f"{name}({frame}, {self.deep});"))

    def node(self, out, frame, name, waits):
        clause = ["final(deep < 3)" if self.final else "", "if(deep > 2)" if self.condition else "",
                  "untied" if self.untied else "", "mergeable" if self.mergeable else ""]
        if not waits:
            out.line(f"tick(&{frame}->sum, 1);")
        out.line("if (deep == 0) return 1;")
        out.line(f"long below[{self.wide}], all = 1;")
        for i in range(self.wide):
            out.pragma("task", *clause, "shared(below)" if waits else "")
            call = f"{name}({frame}, deep - 1);"
            out.line(f"  below[{i}] = {call}" if waits else f"  {call}")
        if waits:
            out.pragma("taskwait")
            out.line(f"for (int i = 0; i < {self.wide}; i++) all += below[i];")
        out.line("(void)below; return all;")
