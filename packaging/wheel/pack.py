#!/usr/bin/env python3
"""Makes a wheel of a folder with the package: metadata, licences, and a platform tag that is computed
from the versions of glibc's symbols which the library and the command need.  The same files give
the same wheel, byte by byte.
usage: pack.py PACKAGE FOLDER"""

import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
GLIBC = re.compile(r"(libc|libm|libpthread|libdl|librt|libutil|ld-linux-[\w-]+)\.so\.\d+$")
MACHINES = {"i386:x86-64": "x86_64", "aarch64": "aarch64"}
OLD_NAMES = {17: "manylinux2014"}  # what a pip older than 20.3 knows
RUN_EVERYWHERE = ("ghcomp/lib/libgomp.so.1", "ghcomp/bin/ghcomp")

METADATA = """Metadata-Version: 2.4
Name: ghcomp
Version: {version}
Summary: An OpenMP runtime on the threads of GHC's runtime system, in place of libgomp.so.1
Keywords: openmp,libgomp,threads,parallel,haskell,ghc
License-Expression: BSD-3-Clause AND BSD-2-Clause AND MIT
{licences}Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Classifier: Topic :: Software Development :: Libraries
Requires-Python: >=3.7
Description-Content-Type: text/markdown

{description}"""


class Refused(Exception):
    pass


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def version():
    """The project's, which stands in the cabal file."""
    return re.search(r"^version:\s*(\S+)", read(TREE, "ghc-openmp.cabal"), re.MULTILINE)[1]


# ------------------------------------------------------------------------- the tag

def needs(path):
    """What the dynamic linker must find for a file: (machine, libraries, versions of glibc)."""
    text = subprocess.run(["objdump", "-fp", path], stdout=subprocess.PIPE, check=True, text=True,
                          env=dict(os.environ, LC_ALL="C")).stdout
    machine = re.search(r"^architecture: ([^,\s]+)", text, re.MULTILINE)[1]
    libraries = re.findall(r"^\s+NEEDED\s+(\S+)", text, re.MULTILINE)
    references = re.search(r"^Version References:\n((?:\s+.*\n)*)", text, re.MULTILINE)
    names = re.findall(r"0x\S+ 0x\S+ \d+ (\S+)", references[1]) if references else []
    return machine, libraries, names


def glibc_minor(path):
    """The N of the oldest glibc, 2.N, that has all that the file needs."""
    _, libraries, names = needs(path)
    strange = [name for name in libraries if not GLIBC.match(name)]
    strange += [name for name in names if not re.match(r"GLIBC_2(\.\d+)+$", name)]
    if strange:
        raise Refused(f"{path} needs {strange[0]}: expected nothing but numbered versions of glibc")
    return max(int(name.split(".")[1]) for name in names)


def platform(package):
    files = [os.path.join(package, name) for name in RUN_EVERYWHERE]
    minor = max(map(glibc_minor, files))
    machine = MACHINES[needs(files[0])[0]]
    tags = [f"manylinux_2_{minor}_{machine}"]
    if minor in OLD_NAMES:
        tags.append(f"{OLD_NAMES[minor]}_{machine}")
    return tags


# ----------------------------------------------------------------------- the files

def licences():
    """Name and text of each: ours, and those of what else is inside."""
    yield "LICENSE", read(TREE, "LICENSE")
    for name in sorted(os.listdir(os.path.join(HERE, "licenses"))):
        yield name, read(HERE, "licenses", name)


def information(info, tags):
    """The files of the .dist-info folder, apart from RECORD."""
    texts = dict(licences())
    yield f"{info}/METADATA", METADATA.format(
        version=version(), description=read(HERE, "README.md"),
        licences="".join(f"License-File: {name}\n" for name in texts))
    yield f"{info}/WHEEL", ("Wheel-Version: 1.0\nGenerator: ghc-openmp\nRoot-Is-Purelib: false\n"
                            + "".join(f"Tag: py3-none-{tag}\n" for tag in tags))
    yield f"{info}/entry_points.txt", "[console_scripts]\nghcomp = ghcomp.__main__:main\n"
    for name, text in texts.items():
        yield f"{info}/licenses/{name}", text


def package_files(package):
    """Name, content and mode of each."""
    for folder, _, names in os.walk(package):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, package), file.read(), 0o755 if "/bin/" in path else 0o644


def record(files, info):
    """Each file's hash and length, as pip compares them."""
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(data)])
    rows.writerow([f"{info}/RECORD", "", ""])
    return f"{info}/RECORD", table.getvalue().encode(), 0o644


def write(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)


def main(package, folder):
    tags = platform(package)
    info = f"ghcomp-{version()}.dist-info"
    files = sorted(package_files(package))
    files += [(name, text.encode(), 0o644) for name, text in information(info, tags)]
    path = os.path.join(folder, f"ghcomp-{version()}-py3-none-{'.'.join(tags)}.whl")
    write(path, files + [record(files, info)])
    print(f"{os.path.relpath(path)}: {os.path.getsize(path) / 1e6:.1f} MB, for {tags[0]}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(sys.argv[1], sys.argv[2])
    except Refused as refused:
        sys.exit(f"wheel: {refused}")
