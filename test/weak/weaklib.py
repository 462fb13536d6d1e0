"""What check, check-litmus and mutate share: the numbered copy of the source, and building."""
import os, re, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDERS = ("base", "core", "substrate", "include")
OPERATION = re.compile(r"\b((?:load|store|swap|add|sub|or|and|cas)_(relaxed|acquire|release|acq_rel|seq_cst))\(")
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
REPLACED = ("base/atomics.h", "base/cycles.h", "base/clock.h")


class Site:
    def __init__(self, number, name, operation, order):
        self.number, self.name, self.operation, self.order = number, name, operation, order


def without_comments(text):
    """The same length and lines, comments and strings blank."""
    return COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def first_argument(code, start):
    depth, end = 0, start
    while depth > 0 or code[end] not in ",)":
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(code[end], 0)
        end += 1
    return " ".join(code[start:end].split())


def function_at(code, position):
    """The name before the first parenthesis of the last line that begins a function."""
    name = "file scope"
    for line in code[:position].split("\n"):
        if re.match(r"[a-z_]", line) and not line.rstrip().endswith(";") and not line.startswith("typedef"):
            names = [n for n in re.findall(r"(\w+)\(", line) if n not in ("__attribute__", "_Static_assert")]
            names = [n for n in names if n not in ("noinline", "always_inline", "tls_model", "visibility")]
            name = names[0] if names else name
    return name


class Source:
    """Copies the runtime, each atomic operation with the number of its place."""

    def __init__(self):
        self.sites, self.files = [], {}
        for folder in FOLDERS:
            for path, _, names in sorted(os.walk(os.path.join(ROOT, "runtime", folder))):
                for name in sorted(names):
                    file = os.path.relpath(os.path.join(path, name), os.path.join(ROOT, "runtime"))
                    if name.endswith((".c", ".h")) and file not in REPLACED:
                        self.files[file] = self.number(file)

    def number(self, file):
        text = open(os.path.join(ROOT, "runtime", file)).read()
        code, out, at, seen = without_comments(text), [], 0, {}
        for m in OPERATION.finditer(code):
            place = f"{file} {function_at(code, m.start())} {m.group(1)}({first_argument(code, m.end())})"
            seen[place] = seen.get(place, 0) + 1
            name = place if seen[place] == 1 else f"{place} #{seen[place]}"
            self.sites.append(Site(len(self.sites) + 1, name, m.group(1), m.group(2)))
            out.append(text[at:m.start()] + f"{m.group(1)}_at({len(self.sites)}, ")
            at = m.end()
        text = "".join(out) + text[at:]
        return text.replace('tls_model("initial-exec"), ', "")

    def write(self, folder):
        for file, text in self.files.items():
            path = os.path.join(folder, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.exists(path) or open(path).read() != text:
                open(path, "w").write(text)
        with open(os.path.join(folder, "sites"), "w") as out:
            for site in self.sites:
                out.write(f"{site.number}\t{site.name}\n")


def build_explorer(build):
    os.makedirs(build, exist_ok=True)
    target = os.path.join(build, "explore")
    folder = os.path.join(HERE, "explore")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder))] + [os.path.join(HERE, "weak.h")]
    if not os.path.exists(target) or any(os.path.getmtime(s) > os.path.getmtime(target) for s in sources):
        parts = [s for s in sources if s.endswith(".cpp")]
        subprocess.run([os.environ.get("CXX", "g++"), "-std=c++17", "-O2", "-flto", "-Wall", "-Wextra", "-rdynamic",
                        "-I", HERE, *parts, "-o", target, "-ldl"], check=True)
    return target


def compile_shared(target, includes, sources, flags=()):
    subprocess.run([os.environ.get("CC", "gcc"), "-std=gnu11", "-O1", "-g", "-w", "-fPIC", "-shared", "-nostdlib",
                    "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-fsanitize=thread", "-Wl,-z,now",
                    "-Wl,-Bsymbolic", "-D_Thread_local=", "-Dmemset=weak_memset", "-Dmemcpy=weak_memcpy",
                    *flags, *[f"-I{i}" for i in includes], *sources, "-o", target], check=True)


def code_of(model):
    """The runtime's files that a model compiles, from its first comment."""
    return re.search(r"code: ([^*]*?)(?:\.\s|\*/)", open(model).read()).group(1).split()


def missing(library):
    symbols = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    return sorted(set(re.findall(r"U (ghcomp_\w+)", symbols.stdout)))


def build_model(build, model):
    """A model with the code that it names.  What that code calls beyond is a fault when it is called."""
    name = os.path.splitext(os.path.basename(model))[0]
    source = os.path.join(build, "src")
    target, stubs = os.path.join(build, name + ".so"), os.path.join(build, name + ".stubs.c")
    sources = [model, os.path.join(HERE, "harness.c")] + [
        os.path.join(source, file) for file in code_of(model)]
    includes = [HERE, os.path.join(HERE, "include"), os.path.join(HERE, "models"), source]
    compile_shared(target, includes, sources)
    left_out = missing(target)
    if left_out:
        with open(stubs, "w") as out:
            out.write('#include "weak.h"\n')
            for symbol in left_out:
                out.write(f'void {symbol}(void) {{ weak_fail("{symbol} was called, which this model leaves out"); }}\n')
        compile_shared(target, includes, sources + [stubs])
    return target


def models():
    folder = os.path.join(HERE, "models")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".c")]


def prepare(build, chosen=None):
    """Returns the numbered source; the models are built when it returns."""
    build_explorer(build)
    source = Source()
    source.write(os.path.join(build, "src"))
    for model in chosen or models():
        build_model(build, model)
    return source


def with_lines(build, name, text):
    """Offsets in the model as lines of the source."""
    def line(m):
        run = subprocess.run(["addr2line", "-e", os.path.join(build, name + ".so"), m.group(1)],
                             capture_output=True, text=True)
        return "near " + run.stdout.strip().replace(os.path.join(build, "src") + "/", "")
    return re.sub(r"near \S*\+(0x[0-9a-f]+)", line, text)


def explore(build, model, *options, timeout=600):
    name = os.path.splitext(os.path.basename(model))[0]
    try:
        run = subprocess.run([os.path.join(build, "explore"), os.path.join(build, name + ".so"), "--sites",
                              os.path.join(build, "src", "sites"), *options],
                             capture_output=True, text=True, timeout=timeout)
        return run.returncode, with_lines(build, name, run.stdout + run.stderr)
    except subprocess.TimeoutExpired:
        return 2, f"CANNOT TELL: more than {timeout} seconds\n"
