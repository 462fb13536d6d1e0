"""Makes the guest's initial file system: programs, and the libraries that the loader would load for them, in a cpio archive.
Source of the format: Linux, Documentation/driver-api/early-userspace/buffer-format.rst ("newc")."""

import os
import re
import stat
import subprocess

from runner.problem import Problem

SYSTEM = "/lib/x86_64-linux-gnu"  # where the loader looks without a cache
LOADER = "/lib64/ld-linux-x86-64.so.2"


def entry(number, name, mode, data=b""):
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def pack(files):
    """An archive of files (place in the guest: contents), all executable, with the folders above them."""
    folders = sorted({"/".join(parts[:i]) for parts in (name.strip("/").split("/") for name in files) for i in range(1, len(parts))})
    made = [(name, stat.S_IFDIR | 0o755, b"") for name in folders]
    made += [(name.strip("/"), stat.S_IFREG | 0o755, data) for name, data in sorted(files.items())]
    return b"".join(entry(number, *one) for number, one in enumerate([*made, ("TRAILER!!!", 0, b"")], 1))


def libraries_of(path):
    """What the loader finds for a file: name and path; and the names that it does not find."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("LD_")}
    done = subprocess.run(["ldd", path], capture_output=True, text=True, env=environment)
    lacking = re.findall(r"(\S+) => not found", done.stdout)
    return dict(re.findall(r"(\S+) => (/\S+)", done.stdout)), lacking


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Problem(f"cannot read {path} for the guest: {error.strerror}") from error


def whole(files):
    """The files (place in the guest: path here), and with them the system's loader and libraries.  A library whose name is among
    the files is not the system's."""
    named = {os.path.basename(place) for place in files}
    found, lacking = {LOADER: os.path.realpath(LOADER), **files}, set()
    for path in files.values():
        libraries, absent = libraries_of(path)
        lacking |= {name for name in absent if name not in named}
        for name, where in libraries.items():
            if name not in named:
                found.setdefault(f"{SYSTEM}/{name}", where)
    if lacking:
        raise Problem(f"the guest would lack libraries that are not here: {', '.join(sorted(lacking))}")
    return found


def make(files):
    return pack({place: read(path) for place, path in whole(files).items()})
