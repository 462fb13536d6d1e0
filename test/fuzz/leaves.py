"""Statements without blocks: counting under every kind of exclusion, pauses, queries about the region, and
settings."""

from tree import Statement, draw


class _Leaf(Statement):
    @classmethod
    def fits(cls, ctx):
        return not ctx.graph and not ctx.league


class Tick(_Leaf):
    frequency = 25
    smallest = {"value": 1}

    @classmethod
    def fits(cls, ctx):
        return not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        return {"value": rng.randint(1, 9)}

    def emit(self, out, ctx):
        out.tick(ctx, self.value)


class Atomic(_Leaf):
    simplest = {"order": "", "form": "update"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"order": draw(rng, (3, ""), "seq_cst", "relaxed", "acq_rel"),
                "form": draw(rng, (3, "update"), "capture", "double")}

    def emit(self, out, ctx):
        name = out.name("a", self)
        kind = "double" if self.form == "double" else "long"
        ctx.frame.field(f"{kind} {name};")
        ctx.frame.expect(name, 3, ctx)
        variable = f"{ctx.frame.name}->{name}"
        if self.form == "capture":
            out.open()
            out.line("long before;")
            out.pragma("atomic capture", self.order)
            out.line(f"{{ before = {variable}; {variable} += 3; }}")
            out.line(f'at_least("{name}", before, 0);')
            out.close()
        else:
            out.pragma("atomic", "" if self.order == "acq_rel" else self.order)
            out.line(f"{variable} += 3;")


class _Excluded(_Leaf):
    """A plain variable that only one thread at a time may change."""
    simplest = {"spins": 0}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and not ctx.leaf

    def change(self, out, ctx):
        name = out.name("c", self)
        ctx.frame.field(f"long {name};")
        ctx.frame.expect(name, 1, ctx)
        variable = f"{ctx.frame.name}->{name}"
        out.line(f"{{ long value = {variable}; spin({self.spins}); {variable} = value + 1; }}")


class Critical(_Excluded):
    simplest = {"spins": 0, "name": ""}

    @classmethod
    def choose(cls, rng, ctx):
        return {"spins": draw(rng, 0, rng.randint(1, 300)),
                "name": draw(rng, "", "(red)", "(green)", "(blue) hint(omp_sync_hint_contended)")}

    def emit(self, out, ctx):
        out.pragma("critical" + self.name)
        self.change(out, ctx)


class Lock(_Excluded):
    simplest = {"spins": 0, "kind": "plain"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"spins": draw(rng, 0, rng.randint(1, 300)),
                "kind": draw(rng, (3, "plain"), "tested", (2, "nested"), "nested tested")}

    def emit(self, out, ctx):
        name = out.name("l", self)
        nest = "nest_" if "nested" in self.kind else ""
        lock = f"{ctx.frame.name}->{name}.it"
        ctx.frame.field(f"ROOM_FOR(omp_{nest}lock_t) {name};")
        ctx.frame.begin.append(f"omp_init_{nest}lock(&f->{name}.it);")
        ctx.frame.check(f"omp_destroy_{nest}lock(&f->{name}.it);")
        if "tested" in self.kind:
            out.line(f"while (!omp_test_{nest}lock(&{lock})) sched_yield();")
        else:
            out.line(f"omp_set_{nest}lock(&{lock});")
        if nest:
            out.line(f'same("{name}", omp_test_nest_lock(&{lock}), 2); omp_unset_nest_lock(&{lock});')
        self.change(out, ctx)
        out.line(f"omp_unset_{nest}lock(&{lock});")


class Pause(_Leaf):
    simplest = {"how": "spin"}
    smallest = {"spins": 1}

    @classmethod
    def choose(cls, rng, ctx):
        rarely = 1 if ctx.weight < 20 else 0
        return {"how": draw(rng, (8, "spin"), (2, "yield"), (rarely, "sleep")),
                "spins": int(10 ** (rng.random() * (4.5 if ctx.weight < 100 else 2.5)))}

    def emit(self, out, ctx):
        out.line({"spin": f"spin({self.spins});", "yield": "sched_yield();",
                  "sleep": f"sleep_us({min(self.spins, 300)});"}[self.how])


class TaskYield(_Leaf):
    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and not ctx.leaf

    def emit(self, out, ctx):
        out.pragma("taskyield")


class Ask(_Leaf):
    frequency = 5

    def emit(self, out, ctx):
        out.line(f'same("level", omp_get_level(), {ctx.level});')
        out.line('at_most("thread number", omp_get_thread_num(), omp_get_num_threads() - 1);')
        out.line('same("ancestor", omp_get_ancestor_thread_num(omp_get_level()), omp_get_thread_num());')
        out.line('same("size", omp_get_team_size(omp_get_level()), omp_get_num_threads());')


class Settings(_Leaf):
    """Sets one of this task's own settings, and reads it back."""
    frequency = 5
    simplest = {"what": "threads"}

    @classmethod
    def choose(cls, rng, ctx):
        return {"what": draw(rng, "threads", "schedule", "dynamic"), "value": rng.randint(1, 6)}

    def emit(self, out, ctx):
        out.open()
        if self.what == "threads":
            out.line(f"int was = omp_get_max_threads(); omp_set_num_threads({self.value});")
            out.line(f'same("threads", omp_get_max_threads(), {self.value}); omp_set_num_threads(was);')
        elif self.what == "dynamic":
            out.line(f"int was = omp_get_dynamic(); omp_set_dynamic({self.value % 2});")
            out.line(f'same("dynamic", omp_get_dynamic(), {self.value % 2}); omp_set_dynamic(was);')
        else:
            out.line("omp_sched_t was, now; int chunk, size; omp_get_schedule(&was, &chunk);")
            out.line(f"omp_set_schedule(omp_sched_dynamic, {self.value}); omp_get_schedule(&now, &size);")
            out.line(f'same("kind", now, omp_sched_dynamic); same("chunk", size, {self.value});')
            out.line("omp_set_schedule(was, chunk);")
        out.close()


class TaskThreads(_Leaf):
    """Sets the number of threads for the regions that the rest of this task starts."""
    frequency = 3

    @classmethod
    def fits(cls, ctx):
        return ctx.task and not ctx.leaf and not ctx.graph

    @classmethod
    def choose(cls, rng, ctx):
        return {"value": rng.randint(1, 3)}

    def emit(self, out, ctx):
        out.line(f"omp_set_num_threads({self.value});")
