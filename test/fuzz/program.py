"""C text: several programs in one file, because each call of the compiler takes long.  Programs of both compilers are two
files, of which the second is Clang's."""

import os
import re

from emit import Frame, Writer

HERE = os.path.dirname(os.path.abspath(__file__))


def program_texts(statements, index):
    """Definitions, functions and the function of one program, for each compiler."""
    out = Writer(str(index))
    frame = Frame(f"main{index}")
    out.line(f"struct main{index} room, *main{index} = main{index}_begin(&room);")
    out.line("long rep = 0; (void)rep;")
    ctx = statements.context(frame=frame)
    grouped = []
    for s in list(statements) + [None]:
        if s is not None and s.grouped:
            grouped.append(s)
            continue
        if grouped:
            # No region or barrier surrounds the program, and a taskwait would not wait for grandchildren.
            out.pragma("taskgroup")
            out.body(grouped, ctx)
            grouped = []
        if s is not None:
            s.emit(out, ctx)
    out.line(f"main{index}_end(main{index});")
    body = f"\nstatic void program{index}(void)\n{{\n" + "\n".join(out.lines) + "\n}\n"
    shared = "\n".join(out.definitions + [frame.definition()] + out.heads) + "\n"
    return [shared + "\n".join(out.functions[False]) + body, shared + "\n".join(out.functions[True])]


def included(match):
    with open(os.path.join(HERE, match[1])) as file:
        return with_headers(file.read())


def with_headers(text):
    """Our headers as text, so that the file can be compiled alone."""
    return re.sub(r'^#include "(.*)"$', included, text, flags=re.M)


def file_texts(programs):
    """One text, or two."""
    head = '#include "prelude.h"\n\n'
    texts = [program_texts(p, i) for i, p in enumerate(programs)]
    names = ", ".join(f"program{i}" for i in range(len(programs)))
    made = [head + '#include "masters.h"\n' + "\n".join(t[0] for t in texts) +
            f"\nstatic program *const programs[] = {{{names}}};\n\n"
            "int main(int count, char **words)\n{\n  return run_programs(programs, count, words);\n}\n"]
    if any(p.mixed for p in programs):
        made.append("#define SECOND_PART\n" + head + "\n".join(t[1] for t in texts))
    return made
