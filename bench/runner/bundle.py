"""What differs in a bundle (tools/bench-bundle), which brings its programs, libraries and loader with it."""

import json
import os

from runner.definitions import BENCH

PLACE = os.environ.get("GHCOMP_BENCH_BUNDLE")


def stored(key):
    with open(os.path.join(BENCH, "bundle.json")) as file:
        return json.load(file)[key]


def start(program, libraries):
    """How a program is started: by the bundle's own loader, so that the machine's C library does not matter."""
    if not PLACE:
        return [program]
    own = os.path.join(PLACE, "lib")
    path = f"{libraries}:{own}" if libraries else own
    return [os.path.join(own, "ld-linux-x86-64.so.2"), "--library-path", path, program]
