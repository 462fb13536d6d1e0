"""Compiles programs, runs them, and reports what went wrong.

An Outcome's kind is "right", or how it failed: "wrong" (a check of the program), "crash"
(a signal), "hang" (a time limit far above what the program takes), "noise" (something on
standard error), "status" (another exit status), "memory"."""

import collections
import os
import re
import shutil
import signal
import subprocess
import time

import program
import settings

Outcome = collections.namedtuple("Outcome", "kind text peak traces")
MEMORY = 1.5, 8 * 1024  # a peak is a failure if it is above both: this multiple of the other runtime's, and this many KiB


def system_runtime():
    """The folder of the compiler's own libgomp."""
    found = subprocess.run([os.environ.get("CC", "gcc"), "-print-file-name=libgomp.so.1"],
                           stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return os.path.dirname(os.path.realpath(found))


def clang():
    return os.environ.get("CLANG", "clang")


def compile_commands(programs, path, optimise):
    """(text, its file, commands): Clang links what it has a part of, with LLVM's names, under which both compilers' code calls
    the runtime."""
    common = ["-w", "-fopenmp", optimise]
    texts = program.file_texts(programs)
    if len(texts) == 1:
        return [(texts[0], path + ".c")], [[os.environ.get("CC", "gcc"), *common, path + ".c", "-o", path, "-lm"]]
    return ([(texts[0], path + ".c"), (texts[1], path + "-clang.c")],
            [[os.environ.get("CC", "gcc"), *common, "-fPIC", "-c", path + ".c", "-o", path + ".o"],
             [clang(), *common, "-fopenmp-version=51", path + "-clang.c", path + ".o", "-o", path, "-lm"]])


def compile_programs(programs, path, optimise, alone=False):
    """Writes PATH.c and compiles PATH; returns the compiler's message, or nothing.  ALONE: the file contains our headers."""
    texts, commands = compile_commands(programs, path, optimise)
    for text, name in texts:
        with open(name, "w") as file:
            file.write(program.with_headers(text) if alone else text)
    for words in commands:
        done = subprocess.run([*words, "-I", program.HERE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return done.stdout or "no message"
    return ""


def compiler_failed(message):
    """True: the compiler has an error of its own; GCC and Clang say so in these words."""
    return "internal compiler error" in message or "PLEASE ATTACH THE FOLLOWING FILES" in message


def remove(path):
    for end in ("", ".c", ".o", "-clang.c"):
        if os.path.exists(path + end):
            os.remove(path + end)


def stacks(pid):
    """The stacks of a process that hangs, if gdb is installed."""
    if not shutil.which("gdb"):
        return ""
    try:
        done = subprocess.run(["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt 12"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return ""
    return "\n".join(line for line in done.stdout.splitlines() if re.match(r"#|Thread", line))


class Runner:
    """Runs programs under one runtime; LIMIT is in seconds."""

    def __init__(self, runtime, limit, without=()):
        """WITHOUT: settings with which this runtime fails."""
        self.without = without
        self.runtime = os.path.abspath(runtime)
        self.limit = limit
        self.runs = 0
        self.longest = 0.0, ""

    def run(self, path, which, s, limit=None, traces=False):
        """Runs programs WHICH of the file, in this order."""
        s = {name: value for name, value in s.items() if name not in self.without}
        began = time.monotonic()
        process = subprocess.Popen(settings.command(s, path, which), env=settings.environment(s, self.runtime),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, errors="replace")
        self.runs += 1
        found = ""
        try:
            output, noise = process.communicate(timeout=limit or self.limit)
        except subprocess.TimeoutExpired:
            found = stacks(process.pid) if traces else ""
            process.kill()
            output, noise = process.communicate()
            return Outcome("hang", f"still runs after {limit or self.limit} s", 0, found)
        took = time.monotonic() - began
        self.longest = max(self.longest, (took, settings.shell(s, "", os.path.basename(path), which)))
        return judge(process.returncode, output, noise, s)


ENDED = 7  # the status with which a handler ends a program (disturb.h)


def judge(status, output, noise, s):
    text = (output + noise).strip()[-600:]
    peak = re.search(r"right, peak (\d+) KiB", output)
    if status == ENDED and "exit" in s.get("disturb", "") and not output + noise:
        return Outcome("right", "", 0, "")
    if status < 0:
        return Outcome("crash", f"{signal.Signals(-status).name}: {text}", 0, "")
    if status == 1 and "wrong:" in output:
        return Outcome("wrong", text, 0, "")
    if status != 0 or not peak:
        return Outcome("status", f"exit status {status}: {text}", 0, "")
    if noise:
        return Outcome("noise", text, 0, "")
    return Outcome("right", "", int(peak[1]), "")


def too_much(peak, other):
    """Whether the peak is above what the other runtime's peak explains."""
    times, more = MEMORY
    return other and peak > times * other + more
