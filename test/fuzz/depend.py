"""Tasks of one parent with dependences of every kind.

The order in which the tasks are created determines what each task must find in the variables:
that is what dependences promise.  Tasks may be detached.  Their events are fulfilled by the task
itself, its child, a later sibling, the creator some statements later, or a native thread."""

from tasks import by_child, choose_clauses, clauses, deferred_for_sure, in_task, outside, SIMPLE_CLAUSES
from tree import Statement, creates_tasks, draw

VARIABLES = 4
KINDS_OF_USE = ["in", "out", "inout", "mutexinoutset", "INOUTSET"]


class Values:
    """The values of the variables where the next task is created."""

    def __init__(self, name):
        self.known = [0] * VARIABLES
        self.more = [0] * VARIABLES      # added by members of the current set
        self.set = [None] * VARIABLES
        self.events = []                 # events that the creator fulfils later: (gap, name)
        self.name = name

    def settle(self, v, kind=None):
        if self.set[v] != kind:
            self.known[v] += self.more[v]
            self.more[v] = 0
            self.set[v] = kind
        return self.known[v]

    def write(self, v, number):
        self.known[v] = (self.settle(v) * 5 + number) % 2**31
        return self.known[v]

    def add(self, v, kind, value):
        self.settle(v, kind)
        self.more[v] += value


class Graph(Statement):
    frequency = 14
    blocks_wanted = 1
    in_frame_of_its_own = True
    simplest = {"how": "taskgroup"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"how": draw(rng, "taskwait", "taskgroup", "open")}

    def waits(self, ctx):
        return self.how == "taskwait" and ctx.joins

    def inner(self, ctx, index):
        return ctx.alone(graph=True, close=self.waits(ctx), grouped=ctx.grouped or not self.waits(ctx))

    def emit(self, out, ctx):
        def write(frame):
            name = out.name("v", self)
            frame.field(f"long {name}[{VARIABLES}];")
            values = Values(name)
            if self.how == "open" or self.waits(ctx):
                self.statements(out, ctx, frame, values)
            if self.waits(ctx):
                out.pragma("taskwait")
            elif self.how != "open":
                out.taskgroup(ctx, frame, lambda: self.statements(out, ctx, frame, values))
            for v in range(VARIABLES):
                frame.check(f"same({frame.site(name)}, f->{name}[{v}], {values.settle(v)});")
        if self.how == "open":
            out.closed(ctx, lambda: out.kept(self, ctx, write))
        else:
            out.on_stack(self, ctx, write)

    def statements(self, out, ctx, frame, values):
        inner = self.inner(ctx, 0).but(frame=frame, graph=values)
        for s in self.blocks[0]:
            s.emit(out, inner)
            values.events = [(gap - 1, e) for gap, e in values.events]
            for _, event in [e for e in values.events if e[0] < 0]:
                out.line(f"omp_fulfill_event({event});")
            values.events = [e for e in values.events if e[0] >= 0]
        for _, event in values.events:
            out.line(f"omp_fulfill_event({event});")
        values.events = []


class GraphTask(Statement):
    """One task of a Graph; USES are pairs of a kind and a variable."""
    blocks_wanted = 1
    tasks = 1
    simplest = {**SIMPLE_CLAUSES, "detach": "", "form": "plain", "spins": 0}

    @classmethod
    def fits(cls, ctx):
        return bool(ctx.graph)

    @classmethod
    def choose(cls, rng, ctx):
        chosen = rng.sample(range(VARIABLES), rng.randint(1, 2))
        return {**choose_clauses(rng), "uses": [(draw(rng, *KINDS_OF_USE), v) for v in chosen],
                "detach": draw(rng, (6, ""), "body", "child", "sibling", "later", "outside", "within"),
                "gap": rng.randint(0, 4), "spins": draw(rng, (2, 0), rng.randint(1, 2000)),
                "form": draw(rng, (6, "plain"), "iterator", "object", "all")}

    def inner(self, ctx, index):
        return in_task(self, ctx, times=1, frame=ctx.frame)

    def awaits(self):
        return self.condition == "if(0)"

    def settled_detach(self, ctx):
        """What fulfils the event, if the creator may have to wait for the task at once."""
        if self.detach in ("", "body") or ctx.awaits and not ctx.beyond:
            return self.detach and "body"
        if deferred_for_sure(ctx) and self.condition != "if(0)":
            return self.detach
        return "within" if self.detach in ("outside", "within") else "body"

    def emit(self, out, ctx):
        values, n, event = ctx.graph, f"{ctx.frame.name}->{ctx.graph.name}", out.name("e", self)
        detach = self.settled_detach(ctx)
        blocking = bool(values.events) and ("if(0)" in self.condition or ctx.final)
        out.line(f"omp_event_handle_t {event}; (void){event};" if detach else "")
        body = self.uses_of(out, values, n)
        # libgomp 13 to 16 does not wait for a task with omp_all_memory in `taskwait depend` and before an undeferred task.
        # Where an event comes later, the task would wait for it.
        all_memory = self.form == "all" and ctx.beyond and ctx.joins
        objects = self.clause_lines(out, ctx, n, detach, event, "" if blocking else self.condition, all_memory)
        out.open()
        for line in body:
            out.line(line)
        out.block(self.blocks[0], self.inner(ctx, 0))
        if ctx.close and creates_tasks(self.blocks[0]):
            out.pragma("taskwait")
        if detach == "child":
            by_child(out, ctx, event)
        elif detach == "body":
            out.line(f"omp_fulfill_event({event});")
        elif detach == "within":
            outside(out, ctx, event)
        out.close()
        for o in objects:
            out.pragma(f"depobj({o}) destroy")
        self.fulfil(out, ctx, detach, event)

    def fulfil(self, out, ctx, detach, event):
        if detach == "sibling":
            out.pragma(f"task firstprivate({event})")
            out.line(f"omp_fulfill_event({event});")
        elif detach == "outside":
            outside(out, ctx, event)
        elif detach == "later":
            ctx.graph.events.append((self.gap, event))

    def everything(self):
        """Whether the task reads or writes all variables: by an iterator, or by omp_all_memory."""
        return self.form in ("iterator", "all")

    def uses_of(self, out, values, n):
        """The body's reads and writes of the variables; updates their values."""
        uses = self.uses
        if self.everything():
            kind = "inout" if self.form == "all" or uses[0][0] == "inout" else "in"
            uses = [(kind, v) for v in range(VARIABLES)]
        lines = []
        for kind, v in uses:
            name = f"{n}[{v}]"
            if kind in ("mutexinoutset", "INOUTSET"):
                values.add(v, kind, self.number)
                lines.append(f"tick(&{name}, {self.number});" if kind == "INOUTSET" else
                             f"{{ long value = {name}; spin({self.spins}); {name} = value + {self.number}; }}")
                continue
            before = values.settle(v)
            lines.append(f'same("{out.name("v", self)} before", {name}, {before});')
            if kind != "in":
                lines.append(f"spin({self.spins}); {name} = {values.write(v, self.number)};")
        return lines

    def clause_lines(self, out, ctx, n, detach, event, condition, all_memory):
        """The directive, and the dependence objects that it needs."""
        depends, objects = [], []
        if self.everything():
            kind = "inout" if self.form == "all" or self.uses[0][0] == "inout" else "in"
            depends = [f"depend(iterator(int it = 0 : {VARIABLES}), {kind}: {n}[it])"]
            if ctx.clang and ctx.task:  # Clang 14's code crashes where an iterator is in an untied task
                depends = [f"depend({kind}: {', '.join(f'{n}[{i}]' for i in range(VARIABLES))})"]
        elif self.form == "object" and "INOUTSET" not in [k for k, _ in self.uses]:
            for kind, v in self.uses:
                o = f"{out.name('o', self)}_{v}"
                out.line(f"omp_depend_t {o};")
                out.pragma(f"depobj({o}) depend({kind}: {n}[{v}])")
                depends.append(f"depend(depobj: {o})")
                objects.append(o)
        else:
            depends = [f"depend({kind}: {n}[{v}])" for kind, v in self.uses]
        other = [condition] + clauses(self)[1:] + ([f"detach({event})"] if detach else [])
        if detach and self.mergeable:  # not allowed together
            other.remove("mergeable")
        if all_memory:
            out.line("#if __GNUC__ >= 13")
            out.pragma("task depend(inout: omp_all_memory)", *other)
            out.line("#else")
        out.pragma("task", *depends, *other)
        if all_memory:
            out.line("#endif")
        return objects


class GraphWait(Statement):
    """The creator waits for the variables that it is going to read."""
    frequency = 2

    @classmethod
    def fits(cls, ctx):
        return bool(ctx.graph) and ctx.joins

    @classmethod
    def choose(cls, rng, ctx):
        return {"variable": rng.randrange(VARIABLES), "kind": draw(rng, "in", "inout")}

    def awaits(self):
        return True

    def emit(self, out, ctx):
        values, v = ctx.graph, self.variable
        if values.events:
            return
        name = f"{ctx.frame.name}->{values.name}[{v}]"
        out.pragma(f"taskwait depend({self.kind}: {name})")
        out.line(f'same("{out.name("v", self)}", {name}, {values.settle(v)});')
