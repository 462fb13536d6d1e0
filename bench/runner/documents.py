"""Puts tables into documents, between markers, from stored records:

    <!-- record: constructs -->
    …
    <!-- /record -->"""

import glob
import os
import re

from runner import records, tables
from runner.definitions import ROOT
from runner.problem import Problem

MARKED = re.compile(r"(<!-- record: (\w+) -->\n).*?(<!-- /record -->)", re.DOTALL)


def filled(text):
    def fill(marker):
        path = records.newest(marker[2], only_stored=True)
        lines = tables.summary(records.load_any(path))
        source = f"Record: [{os.path.basename(path)}](../{os.path.relpath(path, ROOT)})."
        return marker[1] + "\n" + "\n".join(lines) + "\n\n" + source + "\n" + marker[3]
    return MARKED.sub(fill, text)


def fill_all(only_check):
    """The documents that were (or, only checked, are) not what the records say."""
    changed = []
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "*.md"))):
        with open(path) as file:
            text = file.read()
        new = filled(text)
        if new == text:
            continue
        changed.append(os.path.relpath(path, ROOT))
        if not only_check:
            with open(path, "w") as file:
                file.write(new)
    return changed


def keep(paths, folder):
    """Copies complete records of a clean tree to bench/records/FOLDER."""
    if os.path.basename(folder) != folder or folder in ("", ".", ".."):
        raise Problem(f"'{folder}': expected the name of one folder, which is made under bench/records")
    place = os.path.join(records.STORED, folder)
    for path in paths:
        record = records.load_any(path)
        if not record["complete"]:
            raise Problem(f"{path} is of an interrupted run: it is not kept")
        if record["source"]["clean"] is not True:
            raise Problem(f"{path} was measured with changes that no commit has: it is not kept")
        records.save(os.path.join(place, os.path.basename(path)), record)
    return place
