"""One run of one client: its output, its time, and which runtime served it."""

import contextlib
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
import time

from runner.building import BUILD
from runner.problem import Problem

from installing import PLACE, VENV
from descriptions import HERE

# The caller's settings for these runtimes must not change the comparison.
OTHERS = ("OMP_", "GOMP_", "KMP_", "GHCOMP_", "GHCRTS", "LD_LIBRARY_PATH", "LD_PRELOAD", "OPENBLAS_", "BLIS_", "MKL_", "MAKE", "PYTHON")
GHCOMP = os.path.join(BUILD, "bin", "ghcomp")
LIBGOMP, OURS, OURS_PTHREAD = "libgomp", "ghc", "pthread"
RUNTIMES = (LIBGOMP, OURS, OURS_PTHREAD)
REGIONS = re.compile(r"^ghcomp: regions +(\d+)", re.MULTILINE)


class Folder:
    """The folders of one client.  Its input is made once.  Its output has the same path under each runtime, because
    programs write paths into their output."""

    def __init__(self, client):
        self.client = client
        self.place = os.path.join(PLACE, "work", client.name)
        self.input, self.out, self.errors = (os.path.join(self.place, name) for name in ("in", "out", "stderr"))

    def prepare(self):
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.input)
        if not self.client.input:
            return
        done = subprocess.run(["sh", "-ec", self.client.input], cwd=self.input, env=environment(self, LIBGOMP, 1, False),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            raise Problem(f"{self.client.name}: its input cannot be made: {(done.stderr or done.stdout)[-600:].strip()}")


def environment(folder, runtime, threads, proof):
    found = {k: v for k, v in os.environ.items() if not k.startswith(OTHERS)}
    found.update({"in": folder.input, "out": folder.out, "programs": os.path.join(HERE, "programs"), "venv": VENV, "threads": str(threads),
                  "OMP_NUM_THREADS": str(threads), "HOME": folder.place, "LC_ALL": "C.UTF-8", "TZ": "UTC", "SOURCE_DATE_EPOCH": "1700000000",
                  "PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                  "ghcomp": "" if runtime == LIBGOMP else f"{GHCOMP} run --"})
    found.update({name: text.format(threads=threads) for name, text in folder.client.environment.items()})
    if runtime == OURS_PTHREAD:
        found["GHCOMP_SUBSTRATE"] = "pthread"
    if proof:
        # Only the output of libgomp's run counts here: spinning would take minutes on a busy machine.
        found.update({"GHCOMP_STATS": "1"} if runtime != LIBGOMP else {"GHCOMP_STATS": "1", "OMP_WAIT_POLICY": "passive"})
    return found


def kill_all(process):
    """Ends the run and the processes that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def finish(process, timeout):
    """The exit status; None: killed, because it did not finish in time.  A timer watches, because Python's own wait with
    a limit looks only twenty times a second, which would change the times."""
    late = []
    timer = threading.Timer(timeout, lambda: (late.append(True), kill_all(process)))
    timer.start()
    try:
        status = process.wait()
        return None if late else status
    finally: # also after an interruption
        timer.cancel()
        kill_all(process)
        process.wait()


def execute(folder, shell, runtime, threads, proof, timeout):
    """(exit status or None, wall-clock seconds, processor seconds); the output folder gets what the client prints, as a file."""
    shutil.rmtree(folder.out, ignore_errors=True)
    os.makedirs(folder.out)
    with open(os.path.join(folder.out, "stdout"), "wb") as out, open(folder.errors, "wb") as errors:
        used, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        process = subprocess.Popen(["sh", "-ec", shell], cwd=folder.out, env=environment(folder, runtime, threads, proof),
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=errors, start_new_session=True)
        status = finish(process, timeout)
        wall, now = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def digest(folder):
    """The digest of every output file; for a client with `reduce`, of what that command prints."""
    found = hashlib.sha256()
    if folder.client.reduce:
        done = subprocess.run(["sh", "-ec", folder.client.reduce], cwd=folder.out, env=environment(folder, LIBGOMP, 1, False),
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0 or not done.stdout:
            return None
        found.update(done.stdout)
        with open(os.path.join(folder.place, "reduced"), "wb") as file:
            file.write(done.stdout)
        return found.hexdigest()
    for where, folders, names in os.walk(folder.out):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            found.update(os.path.relpath(path, folder.out).encode() + b"\0")
            with open(path, "rb") as file:
                content = file.read()
            found.update(len(content).to_bytes(8, "little") + content)
    return found.hexdigest()


def errors_of(folder):
    with open(folder.errors, errors="replace") as file:
        return file.read()


def how_it_ended(status, timeout):
    if status is None:
        return f"not finished after {timeout} s"
    # A shell reports a signal as 128 plus its number.
    number = -status if status < 0 else status - 128
    if number in {s.value for s in signal.Signals}:
        return f"killed by {signal.Signals(number).name}"
    return f"exit status {status}"


def run(folder, runtime, threads, proof=False, shell=None):
    """A sample: {"status": "ok" or "failed", …}.  With `proof` the runtime prints its counters, which takes a little
    time, and the sample contains the number of regions."""
    client = folder.client
    began = time.time()
    status, wall, processor = execute(folder, shell or client.run, runtime, threads, proof, client.timeout)
    sample = {"began": began, "status": "ok", "wall_s": wall, "processor_s": processor, "output": None}
    errors = errors_of(folder)
    if proof:
        sample["regions"] = sum(map(int, REGIONS.findall(errors)))
        sample["ours"] = bool(REGIONS.search(errors))
    if status != 0:
        said = "\n".join(line for line in errors.splitlines() if not line.startswith("ghcomp: "))
        return {**sample, "status": "failed", "reason": how_it_ended(status, client.timeout), "stderr": said[-600:]}
    sample["output"] = digest(folder)
    if sample["output"] is None:
        return {**sample, "status": "failed", "reason": "what was to be compared cannot be read from what it put out"}
    return sample


def keep_output(folder, name):
    """Keeps the output of a run for a look at the difference."""
    place = os.path.join(PLACE, "differences", f"{folder.client.name}-{name}")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder.out, place, symlinks=True)
    shutil.copy(folder.errors, place + ".stderr")
    return place
