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


def compile_text(text, path, optimise):
    """Writes PATH.c and compiles PATH; returns the compiler's message, or nothing."""
    with open(path + ".c", "w") as file:
        file.write(text)
    here = os.path.dirname(program.PRELUDE)
    done = subprocess.run([os.environ.get("CC", "gcc"), "-w", "-fopenmp", optimise, "-I", here, path + ".c",
                           "-o", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ""


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
        command = (["taskset", "-c", s["cpus"]] if s["cpus"] else []) + [
            path, s["masters"]] + [str(w) for w in which]
        began = time.monotonic()
        process = subprocess.Popen(command, env=settings.environment(s, self.runtime),
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
        self.longest = max(self.longest, (took, f"{os.path.basename(path)}, programs {which}, {settings.shell(s)}"))
        return judge(process.returncode, output, noise)


def judge(status, output, noise):
    text = (output + noise).strip()[-600:]
    peak = re.search(r"right, peak (\d+) KiB", output)
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
