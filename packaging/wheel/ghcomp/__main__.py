"""Becomes the real command, with what Python changed for itself at its start undone: the program
that `ghcomp run` starts gets the environment and the signals that this process was given."""

import os
import signal
import sys

from ghcomp import command


def _environment():
    """In the C locale Python sets LC_CTYPE for itself and for what it starts (PEP 538)."""
    environment = dict(os.environb)
    try:
        with open("/proc/self/environ", "rb") as given:
            names = {entry.split(b"=", 1)[0] for entry in given.read().split(b"\0")}
    except OSError:  # without /proc the command says itself what it lacks
        return environment
    if b"LC_CTYPE" not in names:
        environment.pop(b"LC_CTYPE", None)
    return environment


def main():
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and exec would pass that on
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(command(), ["ghcomp", *sys.argv[1:]], _environment())
    except OSError as error:
        print(f"ghcomp: {command()} cannot be executed: {error.strerror}", file=sys.stderr)
        return 126


if __name__ == "__main__":
    sys.exit(main())
