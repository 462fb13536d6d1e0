"""C text: several programs in one file, because each call of the compiler takes long."""

import os

from emit import Frame, Writer

PRELUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prelude.h")


def program_text(statements, index):
    """Definitions, functions and the function of one program."""
    out = Writer(str(index))
    frame = Frame(f"main{index}")
    out.line(f"struct main{index} room, *main{index} = main{index}_begin(&room);")
    out.line("long rep = 0; (void)rep;")
    # No region or barrier surrounds the program, and a taskwait would not wait for grandchildren.
    out.line("#pragma omp taskgroup")
    out.line("{")
    out.block(statements, statements.context(frame=frame))
    out.line("}")
    out.line(f"main{index}_end(main{index});")
    body = "\n".join(out.lines)
    definitions = "\n".join(out.definitions + [frame.definition()])
    return f"{definitions}\n" + "\n".join(out.functions) + f"\nstatic void program{index}(void)\n{{\n{body}\n}}\n"


def file_text(programs, prelude=False):
    """With PRELUDE the header is included as text, so that the file can be compiled alone."""
    head = '#include "prelude.h"\n'
    if prelude:
        with open(PRELUDE) as file:
            head = file.read()
    names = ", ".join(f"program{i}" for i in range(len(programs)))
    return (head + "\n" + "\n".join(program_text(p, i) for i, p in enumerate(programs)) +
            f"\nstatic program *const programs[] = {{{names}}};\n\n"
            "int main(int count, char **words)\n{\n  return run_programs(programs, count, words);\n}\n")
