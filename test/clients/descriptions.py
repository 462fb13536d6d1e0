"""Reads test/clients/descriptions/*.toml: one file, one client.  test/clients/README.md explains the keys."""

import glob
import os
import tomllib
from dataclasses import dataclass, field

from runner.problem import Problem

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Client:
    name: str
    title: str
    does: str                                     # what the run computes, for the table
    packages: list                                # Debian's; if all are installed, the client is compared
    run: str                                      # shell; $ghcomp stands before each program that ours shall serve
    order: int = 50                               # its place in the table
    input: str = ""                               # shell, run once, in the folder $in
    pypi: bool = False                            # needs the virtual environment of test/clients/pypi.txt
    environment: dict = field(default_factory=dict)
    reduce: str = ""                              # shell, in the folder of the output: prints what is compared
    varies: str = ""                              # why not every byte can be compared
    expect: str = ""                              # shell: creates the correct output, where libgomp itself may fail
    small: bool = False                           # `make test` runs it
    timeout: int = 120                            # seconds for one run


def read(path):
    name = os.path.basename(path).removesuffix(".toml")
    try:
        with open(path, "rb") as file:
            client = Client(name=name, **tomllib.load(file))
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise Problem(f"{path}: not a description of a client: {error}") from error
    if bool(client.reduce) != bool(client.varies):
        raise Problem(f"{path}: expected both reduce and varies (what is compared, and why not every byte), or neither")
    if "$ghcomp" not in client.run:
        raise Problem(f"{path}: expected $ghcomp in run, before each program that is to be served")
    return client


def all_clients():
    """Name -> client, in the table's order."""
    found = [read(path) for path in glob.glob(os.path.join(HERE, "descriptions", "*.toml"))]
    return {client.name: client for client in sorted(found, key=lambda c: (c.order, c.name))}


def choose(names, known):
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Problem(f"there is no client {', '.join(unknown)}: expected some of {', '.join(known)}")
    return [client for name, client in known.items() if not names or name in names]
