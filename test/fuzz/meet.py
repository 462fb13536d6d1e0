"""Bodies that wait for each other: as many as the team has threads.  They meet only if no thread has two while another has
none."""

from tree import Statement, draw


class Meet(Statement):
    """Barriers before and after keep other tasks of the team away: a thread that executes one might wait for this thread."""
    frequency = 6
    simplest = {"how": "static"}

    @classmethod
    def fits(cls, ctx):
        return super().fits(ctx) and ctx.team

    @classmethod
    def choose(cls, rng, ctx):
        return {"how": draw(rng, "threads", "static", "dynamic", "guided", "sections",
                            "tasks of one", "tasks of each", "tasks and one", "taskloop")}

    def emit(self, out, ctx):
        name = out.name("m", self)
        ctx.frame.field(f"long {name};")
        ctx.frame.expect(name, 1, ctx)
        out.open()
        out.line("int n = omp_get_num_threads(); long all = (rep + 1) * n;")
        out.pragma("barrier")
        # Clang gives each thread a block of the sections.
        how = "dynamic" if self.how == "sections" and ctx.clang else self.how
        # A thread of libgomp 12 that has not left the first barrier yet executes a task of another one, and its own comes too late.
        how = "tasks of one" if how == "tasks of each" and not ctx.beyond else how
        self.write(out, how, f"meet(&{ctx.frame.name}->{name}, all);")
        out.pragma("barrier")
        out.close()

    def write(self, out, how, meet):
        if how == "threads":
            out.line(meet)
        elif how in ("static", "dynamic", "guided"):
            out.pragma(f"for schedule({how}, 1)")
            out.line("for (int i = 0; i < n; i++)")
            out.line("  " + meet)
        elif how == "sections":
            self.write_sections(out, meet)
        elif how == "tasks of each":
            out.pragma("task")
            out.line(meet)
        else:
            out.pragma("single")
            self.write_of_one(out, how, meet)

    def write_of_one(self, out, how, meet):
        out.open()
        if how == "taskloop":
            out.pragma("taskloop num_tasks(n)")
            out.line("for (int i = 0; i < n; i++)")
            out.line("  " + meet)
        else:
            out.line(f"for (int i = {int(how == 'tasks and one')}; i < n; i++) {{")
            out.pragma("task")
            out.line("  " + meet)
            out.line("}")
            if how == "tasks and one":
                out.line(meet)
        out.close()

    MOST_SECTIONS = 9

    def write_sections(self, out, meet):
        """Sections beyond the team's size are empty; larger teams do not wait."""
        out.line(f"if (n > {self.MOST_SECTIONS}) all = 0;")
        out.pragma("sections")
        out.open()
        for i in range(self.MOST_SECTIONS):
            out.pragma("section")
            out.line(f"{{ if (n > {i}) {meet} }}")
        out.close()
