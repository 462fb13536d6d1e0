"""What lasts from region to region of a master: each thread's threadprivate data, and the attributes that it gives itself."""

from tree import Statement, draw


class Lasting(Statement):
    """Active regions of one size, one after the other.  In the first one each thread sets what must last; in the last one it
    takes the attributes back.  Between two there is no other active region, and no dynamic adjustment."""
    frequency = 5
    blocks_wanted = 1
    region = True
    in_frame_of_its_own = True
    simplest = {"between": "", "attributes": 0}
    smallest = {"regions": 2}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and ctx.level == 0 and not ctx.task

    @classmethod
    def choose(cls, rng, ctx):
        return {"threads": rng.randint(1, 9), "regions": rng.randint(2, 6), "attributes": rng.randint(0, 7),
                "between": draw(rng, (3, ""), "task", "serial", "pause")}

    def inner(self, ctx, index):
        return ctx.deeper(team=True, each=True, parallel=True, level=1, task=False, joins=True, final=False, close=False,
                          grouped=False, times=1, frame=None, crowded=True, weight=ctx.weight * self.threads * self.regions)

    def emit(self, out, ctx):
        state = out.name("s", self)
        out.open()
        out.line(f"struct lasting {state}[{self.threads}]; int {state}_size = 0, was = omp_get_dynamic();")
        out.line("omp_set_dynamic(0);")
        out.open(f"for (int region = 0; region < {self.regions}; region++) {{")
        self.write_between(out)
        out.on_stack(self, ctx.but(times=ctx.times * self.regions), lambda frame: self.write_region(out, ctx, frame, state))
        out.close()
        out.line("omp_set_dynamic(was);")
        out.close()

    def write_between(self, out):
        if self.between == "task":
            out.pragma("task")
            out.line("spin(100);")
        elif self.between == "serial":
            out.pragma("parallel if(0)")
            out.line("spin(100);")
        elif self.between == "pause":
            out.line("sleep_us(300);")

    def write_region(self, out, ctx, frame, state):
        out.pragma(f"parallel num_threads({self.threads})")
        out.open()
        out.line("long rep = 0; (void)rep;")
        out.line("int me = omp_get_thread_num();")
        out.line(f"if (me == 0) {frame.name}->n = omp_get_num_threads();")
        out.line(f"if (region == 0) begin_lasting(&{state}[me], {self.number} * 100L + me, {self.attributes}, me);")
        out.line(f"if (region > 0 && {state}_size == omp_get_num_threads()) check_lasting(&{state}[me]);")
        out.block(self.blocks[0], self.inner(ctx, 0).but(frame=frame))
        out.line(f"if (region == {self.regions - 1}) end_lasting(&{state}[me]);")
        out.close()
        out.line(f"{state}_size = {frame.name}->n;")
