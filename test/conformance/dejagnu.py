"""What a test of GCC's suite says about itself in its dg- directives.

Only what the OpenMP run-time tests use is understood; the host is taken to be
x86-64 or aarch64 Linux without an accelerator."""

import fnmatch
import re
from dataclasses import dataclass, field

# Effective targets that hold on such a host.  What is not listed does not hold.
TRUE_TARGETS = {
    "tls", "tls_runtime", "pthread", "lp64", "sync_int_long", "sync_char_short", "alloca",
    "vect_simd_clones", "fortran_real_16", "fortran_integer_16", "fortran_real_10",
    "large_long_double", "lto", "shared", "avx_runtime", "native", "int32plus", "size32plus", "cas_int",
    "cas_char", "nonlocal_goto", "c99_runtime", "freorder",
}
TRIPLET = "x86_64-pc-linux-gnu"

DIRECTIVE = re.compile(r"\{\s*(dg-[a-z-]+)((?:[^{}\"]|\"(?:[^\"\\]|\\.)*\"|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}")
WORD = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})|([^\s{}\"]+)")


def words(text):
    """Tcl words: "quoted", {braced} (braces kept) and bare."""
    result = []
    for quoted, braced, bare in WORD.findall(text):
        result.append(braced or bare or quoted.replace('\\"', '"'))
    return result


def holds(selector, language):
    """The value of a target selector: names, globs of triplets, !, &&, ||."""
    text = selector.strip().strip("{}").strip()
    tokens = re.findall(r"\&\&|\|\||!|\{|\}|[^\s{}!]+", text)

    def one():
        token = tokens.pop(0) if tokens else ""
        if token == "!":
            return not one()
        if token == "{":
            value = either()
            if tokens:
                tokens.pop(0)
            return value
        if "-" in token and "*" in token:
            return fnmatch.fnmatch(TRIPLET, token)
        if token in ("c", "c++", "fortran"):
            return token == language
        return token in TRUE_TARGETS

    def both():
        value = one()
        while tokens and tokens[0] not in ("||", "}"):
            if tokens[0] == "&&":
                tokens.pop(0)
                value = one() and value
            else:  # a plain list means "or"
                value = one() or value
        return value

    def either():
        value = both()
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            value = both() or value
        return value

    return either() if tokens else True


def selected(arguments, language):
    """Is the directive on?  Its last word may be { target … } or { xfail … }."""
    for word in arguments:
        inner = word.strip("{}").strip() if word.startswith("{") else ""
        if inner.startswith("target"):
            return holds(inner[len("target"):], language)
    return True


@dataclass
class Test:
    path: str
    name: str
    language: str
    action: str = "run"
    options: list = field(default_factory=list)
    sources: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    outputs: list = field(default_factory=list)
    should_fail: bool = False
    skip: str = ""
    timeout_factor: float = 1.0


def _do(test, arguments, line):
    if not selected(arguments, test.language):
        test.skip = "dg-do does not select this host"
    test.action = arguments[0]


def _options(test, arguments, line):
    if selected(arguments[1:], test.language):
        test.options = arguments[0].split()


def _additional(test, arguments, line):
    if selected(arguments[1:], test.language):
        test.options += arguments[0].split()


def _require(test, arguments, line):
    if not holds(arguments[0], test.language):
        test.skip = "needs " + arguments[0]


def _environment(test, arguments, line):
    if selected(arguments[2:], test.language):
        test.environment[arguments[0]] = arguments[1] if len(arguments) > 1 else ""


def _output(test, arguments, line):
    if selected(arguments[1:], test.language):
        test.outputs.append(arguments[0].strip("{}") if arguments[0].startswith("{") else arguments[0])


def _should_fail(test, arguments, line):
    if len(arguments) < 2 or selected(arguments[1:], test.language):
        test.should_fail = True


def _sources(test, arguments, line):
    test.sources += arguments[0].split()


def _skip_if(test, arguments, line):
    if len(arguments) > 1 and holds(arguments[1], test.language) and len(arguments) < 3:
        test.skip = "dg-skip-if"


def _xfail_run(test, arguments, line):
    if len(arguments) > 1 and holds(arguments[1], test.language):
        test.skip = "expected to fail"


def _timeout(test, arguments, line):
    test.timeout_factor = float(arguments[0])


HANDLERS = {
    "dg-do": _do, "dg-options": _options, "dg-additional-options": _additional,
    "dg-require-effective-target": _require, "dg-set-target-env-var": _environment,
    "dg-output": _output, "dg-shouldfail": _should_fail, "dg-additional-sources": _sources,
    "dg-skip-if": _skip_if, "dg-xfail-run-if": _xfail_run, "dg-timeout-factor": _timeout,
}


def read(path, name, language):
    """The test in the file."""
    test = Test(path, name, language)
    with open(path, errors="replace") as file:
        for line in file:
            for directive, rest in DIRECTIVE.findall(line):
                arguments = words(rest)
                if directive in HANDLERS and arguments:
                    HANDLERS[directive](test, arguments, line)
    return test
