"""Text and expected results.

A frame is the struct of variables that the statements of a region, of a group of tasks or
of the whole program share.  While statements are written, the frame adds up their effects:
`account` for additions to the frame's sum, `expect` for a variable.  What each thread of a
team does is counted apart from what the team does once, because the size of the team is only
known at run time.  The checks are at the end of the frame."""


class Frame:
    def __init__(self, name):
        self.name = name
        self.fields = ["long sum;", "int n;"]
        self.begin = []
        self.checks = []
        self.each = 0
        self.once = 0

    def field(self, declaration):
        self.fields.append(declaration)

    def account(self, value, ctx):
        if ctx.each:
            self.each += value * ctx.times
        else:
            self.once += value * ctx.times

    def expect(self, name, value, ctx):
        """Variable NAME ends with VALUE for each execution."""
        count = f"{value * ctx.times}L" + (" * f->n" if ctx.each else "")
        self.check(f"same({self.site(name)}, f->{name}, {count});")

    def check(self, line):
        self.checks.append(line)

    def site(self, name):
        return f'"{self.name}.{name}"'

    def definition(self):
        begin = " ".join(self.begin)
        checks = "\n".join("  " + c for c in self.checks)
        fields = "\n".join("  " + f for f in self.fields)
        n = self.name
        return (f"struct {n} {{\n{fields}\n}};\n\n"
                f"static struct {n} *{n}_begin(struct {n} *f)\n{{\n"
                f"  memset(f, 0, sizeof *f); f->n = 1; {begin}\n  return f;\n}}\n\n"
                f"static void {n}_end(void *frame)\n{{\n  struct {n} *f = frame;\n{checks}\n"
                f"  same({self.site('sum')}, f->sum, {self.each}L * f->n + {self.once}L);\n}}\n")


class Writer:
    """Lines of C: first structs, then functions, then the programs that use them.  In a program of both compilers each
    has its own functions, and both know the structs and the heads."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.definitions = []
        self.heads = []
        self.functions = {False: [], True: []}  # of GCC, of Clang
        self.lines = []
        self.indent = 1
        self.groups = 0

    def name(self, letter, statement):
        return f"{letter}{self.prefix}_{statement.number}"

    def line(self, text):
        self.lines.append(text if text.startswith("#") else "  " * self.indent + text)

    def pragma(self, *words):
        self.line("#pragma omp " + " ".join(w for w in words if w))

    def open(self, text="{"):
        self.line(text)
        self.indent += 1

    def close(self, text="}"):
        self.indent -= 1
        self.line(text)

    def block(self, statements, ctx):
        for s in statements:
            s.emit(self, ctx)

    def body(self, statements, ctx):
        self.open()
        self.block(statements, ctx)
        self.close()

    def function(self, head, write, ctx):
        """A separate function, whose body WRITE writes.  CTX is the context of its body."""
        outer, self.lines, indent, self.indent = self.lines, [], self.indent, 1
        write()
        text = [head, "{"] + self.lines + ["}", ""]
        self.lines, self.indent = outer, indent
        if ctx.mixed:
            self.heads.append(head + ";")
        else:
            text[0] = "static " + head
        self.functions[ctx.clang].append("\n".join(text))

    def tick(self, ctx, value):
        ctx.frame.account(value, ctx)
        self.line(f"tick(&{ctx.frame.name}->sum, {value});")

    def on_stack(self, statement, ctx, write):
        """A frame that ends here and is passed to WRITE.  The outer frame counts it."""
        self.tick(ctx, 1)
        frame = Frame(self.name("f", statement))
        n = frame.name
        self.open()
        self.line(f"struct {n} {n}_room, *{n} = {n}_begin(&{n}_room);")
        write(frame)
        self.line(f"{n}_end({n});")
        self.close()
        self.definitions.append(frame.definition())

    def kept(self, statement, ctx, write):
        """A frame that is checked at the end of the program, because some of its tasks may still run here."""
        self.tick(ctx, 1)
        frame = Frame(self.name("f", statement))
        n = frame.name
        self.open()
        self.line(f"struct {n} *{n} = {n}_begin(keep(sizeof(struct {n}), {n}_end));")
        write(frame)
        self.close()
        self.definitions.append(frame.definition())

    def closed(self, ctx, write):
        """Code that may leave descendants running; in a taskgroup where that is not allowed."""
        if ctx.close:
            self.taskgroup(ctx, ctx.frame, write)
        else:
            write()

    def taskgroup(self, ctx, frame, write):
        """A taskgroup whose body, which WRITE writes, uses FRAME.  Clang 14 forgets the variables that are declared in one in an
        untied task as soon as the task has created another one, so there the group is in a function of its own."""
        def group():
            self.pragma("taskgroup")
            self.open()
            write()
            self.close()
        if not (ctx.clang and ctx.task):
            group()
            return
        self.groups += 1
        name = f"group{self.prefix}_{self.groups}"
        self.function(f"__attribute__((noinline)) void {name}(struct {frame.name} *{frame.name}, long rep)",
                      lambda: (self.line("(void)rep;"), group()), ctx)
        self.line(f"{name}({frame.name}, rep);")
