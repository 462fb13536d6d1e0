"""What is different in a bundle (tools/bench-bundle), which contains its own programs, libraries and loader."""

import json
import os

from runner.definitions import BENCH

PLACE = os.environ.get("GHCOMP_BENCH_BUNDLE")


def stored(key):
    with open(os.path.join(BENCH, "bundle.json")) as file:
        return json.load(file)[key]


def start(program, libraries):
    """The command that starts a program: with the bundle's own loader, so that the machine's C library is not used."""
    if not PLACE:
        return [program]
    own = os.path.join(PLACE, "lib")
    path = f"{libraries}:{own}" if libraries else own
    return [os.path.join(own, "ld-linux-x86-64.so.2"), "--library-path", path, program]
