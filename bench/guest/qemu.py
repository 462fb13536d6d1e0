"""One running guest: QEMU's process, its two channels, and its threads, of which each virtual processor's is bound.

QEMU begins with the virtual processors stopped, so that their threads are bound before they execute anything.  It ends with this process."""

import ctypes
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from guest import talk, threads
from runner.problem import Problem

PROGRAM = "qemu-system-x86_64"
# A kernel that has failed starts anew at once, and QEMU ends then.  TCG's time stamp counter is one for all virtual processors, although
# the kernel's check finds it too slow; the clock that it would take instead costs a call of the kernel and of QEMU each time.
COMMAND_LINES = {"kvm": "console=ttyS0 panic=-1", "tcg": "console=ttyS0 panic=-1 tsc=reliable"}
ACCELERATORS = {"kvm": "kvm", "tcg": "tcg,thread=multi"}
MEMORY_MIB = 1024
BOOT_S = 120      # of a busy machine without KVM: it usually takes 3 to 10
CONTROL_S = 20    # QEMU answers at once, if it has a processor
PR_SET_PDEATHSIG = 1


class Failed(OSError):
    """The guest has not begun, has ended, or has said something strange: it is ended."""


def find():
    found = shutil.which(PROGRAM)
    if found is None:
        raise Problem("QEMU is not installed; on Debian, as root: apt-get install --no-install-recommends qemu-system-x86")
    return found


def version():
    done = subprocess.run([find(), "--version"], capture_output=True, text=True)
    return (done.stdout.splitlines() or [None])[0]


def command(kernel, archive, accelerator, processors, console, control, port):
    return [find(), "-S", "-nodefaults", "-no-reboot", "-display", "none", "-machine", "q35", "-cpu", "max", "-name", "guest,debug-threads=on",
            "-accel", ACCELERATORS[accelerator], "-smp", str(processors), "-m", str(MEMORY_MIB), "-kernel", kernel, "-initrd", archive,
            "-append", COMMAND_LINES[accelerator], "-serial", f"file:{console}", "-chardev", f"socket,id=port,fd={port}", "-serial", "chardev:port",
            "-chardev", f"socket,id=control,fd={control}", "-mon", "chardev=control,mode=control"]


class Lines:
    """Whole lines from a socket, within a time."""

    def __init__(self, end):
        self.socket, self.rest = end, b""

    def next(self, until):
        while b"\n" not in self.rest:
            readable, _, _ = select.select([self.socket], [], [], max(0.0, until - time.monotonic()))
            if not readable:
                raise TimeoutError
            try:
                more = self.socket.recv(65536)
            except ConnectionResetError:
                more = b""
            if not more:
                raise EOFError
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")


class Guest:
    def __init__(self, kernel, archive, accelerator, processors, host, console, boot_s=BOOT_S):
        """Boots a guest with that many virtual processors, which share the host's processors evenly, each on one."""
        self.console, self.host = console, host
        ours, theirs = zip(socket.socketpair(), socket.socketpair())
        self.control, self.port = map(Lines, ours)
        prctl = ctypes.CDLL(None).prctl

        def prepare():
            os.sched_setaffinity(0, host)
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        fds = [end.fileno() for end in theirs]
        self.command = command(kernel, archive, accelerator, processors, console, *fds)
        self.messages = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(self.command, pass_fds=fds, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=self.messages, preexec_fn=prepare)
        for end in theirs:
            end.close()
        try:
            self.begin(processors, boot_s)
        except BaseException:
            self.end()
            raise

    def begin(self, processors, boot_s):
        try:
            self.ask("qmp_capabilities", greeting=True)
            self.bind(self.ask("query-cpus-fast"))
            self.ask("cont")
            self.about = talk.read_ready(self.port.next(time.monotonic() + boot_s))
        except TimeoutError:
            raise Failed(f"a guest with {processors} processor{'s' * (processors > 1)} has not begun within {boot_s} s{self.last_line()}") from None
        except EOFError:
            raise Failed(f"QEMU has ended before its guest began: {self.why_ended()}") from None
        except talk.Garbled as garbled:
            raise Failed(str(garbled)) from None
        if self.about["processors"] != processors:
            raise Failed(f"the guest has {self.about['processors']} processors, expected {processors}")

    def bind(self, virtual):
        self.pins = {}
        for processor in virtual:
            number = processor["cpu-index"]
            self.pins[number] = self.host[number % len(self.host)]
            os.sched_setaffinity(processor["thread-id"], [self.pins[number]])

    def ask(self, what, greeting=False):
        """A command of QEMU's control protocol (docs/interop/qmp-spec.txt of QEMU) and its answer."""
        until = time.monotonic() + CONTROL_S
        if greeting:
            self.control.next(until)
        try:
            self.control.socket.sendall(json.dumps({"execute": what}).encode() + b"\n")
        except OSError:
            raise EOFError from None
        while True:
            said = json.loads(self.control.next(until))
            if "return" in said:
                return said["return"]
            if "error" in said:
                raise Failed(f"QEMU refuses {what}: {said['error'].get('desc')}")

    def pause(self):
        """Its virtual processors use no time while it waits for its next program."""
        self.asked("stop")

    def go_on(self):
        self.asked("cont")

    def asked(self, what):
        try:
            self.ask(what)
        except TimeoutError:
            raise Failed(f"QEMU has not answered '{what}' within {CONTROL_S} s") from None
        except EOFError:
            raise Failed(f"QEMU has ended: {self.why_ended()}") from None

    def run(self, environment, words, limit_s):
        """Executes a program there.  subprocess.TimeoutExpired: it has not ended within the limit, and the guest is ended."""
        line, answer = talk.command(environment, words), talk.Answer()
        until = time.monotonic() + limit_s
        try:
            self.port.socket.sendall(line.encode())
            while not talk.take(answer, self.port.next(until)):
                pass
        except TimeoutError:
            self.end()
            raise subprocess.TimeoutExpired(words, limit_s) from None
        except (EOFError, OSError):
            why = self.why_ended()
            self.end()
            raise Failed(f"the guest has ended: {why}") from None
        except talk.Garbled as garbled:
            self.end()
            raise Failed(str(garbled)) from None
        return answer

    def threads(self):
        return threads.all_of(self.process.pid)

    def last_line(self):
        try:
            with open(self.console, errors="replace") as file:
                lines = [line.strip() for line in file if line.strip()]
        except OSError:
            lines = []
        return f"; its last line was '{lines[-1][:200]}'" if lines else ", and has said nothing"

    def why_ended(self):
        try:
            self.process.wait(timeout=CONTROL_S)
        except subprocess.TimeoutExpired:
            return "its channel is closed" + self.last_line()
        self.messages.seek(0)
        said = self.messages.read().strip().splitlines()
        return (said[-1] if said else f"status {self.process.returncode}") + self.last_line()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.messages.close()
        for channel in (self.control, self.port):
            channel.socket.close()
