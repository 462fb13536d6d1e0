"""The machines that can be simulated: files of topologies/, which the engine reads as well."""

import os
import tomllib
from dataclasses import dataclass

from simulator.problem import Problem

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "topologies")


@dataclass(frozen=True)
class Topology:
    name: str
    path: str
    title: str
    processors: int


def names():
    return sorted(file[:-5] for file in os.listdir(FOLDER) if file.endswith(".toml"))


def load(name):
    """A name of topologies/, or the path of such a file."""
    path = name if os.path.sep in name else os.path.join(FOLDER, name + ".toml")
    try:
        with open(path, "rb") as file:
            values = tomllib.load(file)
    except OSError as error:
        raise Problem(f"there is no topology '{name}': expected a file, or one of {', '.join(names())}") from error
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{path}: {error}") from error
    if "title" not in values or "processors" not in values:
        raise Problem(f"{path}: a topology has a title and processors")
    return Topology(os.path.basename(path).removesuffix(".toml"), os.path.abspath(path), values["title"], values["processors"])
