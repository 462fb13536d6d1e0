"""What check, check-litmus and mutate share: the numbered copy of the source, and building."""
import concurrent.futures, os, re, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDERS = ("runtime", "cbits")
OPERATION = re.compile(r"\b((?:load|store|swap|add|sub|or|and|cas)_(relaxed|acquire|release|acq_rel|seq_cst))\(")
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
REPLACED = ("base/atomics.h", "base/cycles.h", "base/inside.h", "machine/clock.h")


class Site:
    def __init__(self, number, name, operation, order):
        self.number, self.name, self.operation, self.order = number, name, operation, order


def without_comments(text):
    """Replaces comments and strings by blanks; length and lines stay the same."""
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
        if re.match(r"[A-Za-z_]\w*[ *]", line) and not line.rstrip().endswith(";") and not line.startswith("typedef"):
            names = [n for n in re.findall(r"(\w+)\(", line) if n not in ("__attribute__", "_Static_assert")]
            names = [n for n in names if n not in ("noinline", "always_inline", "tls_model", "visibility")]
            name = names[0] if names else name
    return name


class Source:
    """A copy of the runtime and cbits/ in which each atomic operation has the number of its place."""

    def __init__(self):
        self.sites, self.files = [], {}
        for folder in FOLDERS:
            for path, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
                for name in sorted(names):
                    file = os.path.relpath(os.path.join(path, name), ROOT).removeprefix("runtime/")
                    if name.endswith((".c", ".h")) and file not in REPLACED:
                        self.files[file] = self.number(file, os.path.join(path, name))

    def number(self, file, path):
        text = open(path).read()
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


def compile_object(build, source, newest):
    """Compiles a source to an object that models share.  `newest`: when a file that it may include last changed."""
    target = os.path.join(build, "objects", re.sub(r"\W", "_", os.path.relpath(source, build)) + ".o")
    if not os.path.exists(target) or os.path.getmtime(target) < max(newest, os.path.getmtime(source)):
        includes = [HERE, os.path.join(HERE, "include"), os.path.join(HERE, "models"), os.path.join(build, "src")]
        # GCC 14 and newer refuse these three, so older ones shall, too.  (-w would switch them off.)
        subprocess.run([os.environ.get("CC", "gcc"), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g",
                        "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types",
                        "-Werror=int-conversion", "-fPIC", "-fno-builtin",
                        "-fno-tree-loop-distribute-patterns", "-fsanitize=thread", "-D_Thread_local=",
                        "-Dmemset=weak_memset", "-Dmemcpy=weak_memcpy", *[f"-I{i}" for i in includes], "-c", source,
                        "-o", target + ".new"], check=True)
        os.replace(target + ".new", target)
    return target


def link(target, objects):
    subprocess.run([os.environ.get("CC", "gcc"), "-shared", "-nostdlib", "-Wl,-z,now", "-Wl,-Bsymbolic", *objects,
                    "-o", target], check=True)


def code_of(model):
    """The runtime's files that a model compiles, from its first comment."""
    return re.search(r"code: ([^*]*?)(?:\.\s|\*/)", open(model).read()).group(1).split()


def missing(library):
    symbols = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    return sorted(set(re.findall(r"U ((?:ghcomp|rts)_\w+)", symbols.stdout)))


def sources_of(build, model):
    return [model, os.path.join(HERE, "harness.c")] + [os.path.join(build, "src", file) for file in code_of(model)]


def build_model(build, model, newest):
    """Links a model with the code that it names.  A call of any other function is a fault."""
    name = os.path.splitext(os.path.basename(model))[0]
    target, stubs = os.path.join(build, name + ".so"), os.path.join(build, name + ".stubs.c")
    objects = [compile_object(build, source, newest) for source in sources_of(build, model)]
    link(target, objects)
    left_out = missing(target)
    if left_out:
        with open(stubs, "w") as out:
            out.write('#include "weak.h"\n')
            for symbol in left_out:
                out.write(f'void {symbol}(void) {{ weak_fail("{symbol} was called, which this model leaves out"); }}\n')
        link(target, objects + [compile_object(build, stubs, newest)])


def newest_header(build):
    """When a file that others may include last changed; models also include C files of the runtime."""
    folders = (os.path.join(build, "src"), os.path.join(HERE, "include"), os.path.join(HERE, "models"))
    return max(os.path.getmtime(os.path.join(path, name)) for folder in folders
               for path, _, names in os.walk(folder) for name in names
               if name.endswith(".h") or folder == folders[0])


def models():
    folder = os.path.join(HERE, "models")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".c")]


def prepare(build, chosen=None):
    """Builds the explorer and the models, and returns the numbered source."""
    build_explorer(build)
    source = Source()
    source.write(os.path.join(build, "src"))
    os.makedirs(os.path.join(build, "objects"), exist_ok=True)
    newest = newest_header(build)
    chosen = chosen or models()
    shared = {path for model in chosen for path in sources_of(build, model)}
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(lambda path: compile_object(build, path, newest), sorted(shared)))
        list(pool.map(lambda model: build_model(build, model, newest), chosen))
    return source


def with_lines(build, name, text):
    """Replaces offsets in the model by lines of the source."""
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
                             capture_output=True, text=True, errors="replace", timeout=timeout)
        return run.returncode, with_lines(build, name, run.stdout + run.stderr)
    except subprocess.TimeoutExpired:
        return 2, f"CANNOT TELL: more than {timeout} seconds\n"
