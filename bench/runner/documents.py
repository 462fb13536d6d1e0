"""Puts tables into documents, between markers, from stored records:

    <!-- record: constructs -->
    …
    <!-- /record -->

Where no record of a workload is stored yet, the page says so there."""

import glob
import os
import re

from runner import definitions, records, tables
from runner.definitions import ROOT
from runner.problem import Problem

MARKED = re.compile(r"(<!-- record: (\w+) -->\n).*?(<!-- /record -->)", re.DOTALL)


def table_of(name, page):
    """Lines for a page, from the newest stored record of the workload."""
    try:
        path = records.newest(name, only_stored=True)
    except Problem:
        if name not in definitions.workloads():
            raise
        return [f"No record of `{name}` is stored yet: `build/bin/ghcomp bench RUN {name}` measures it."]
    source = os.path.relpath(path, os.path.dirname(page))
    return tables.summary(records.load_any(path)) + ["", f"Record: [{os.path.basename(path)}]({source})."]


def filled(text, page):
    return MARKED.sub(lambda marker: marker[1] + "\n" + "\n".join(table_of(marker[2], page)) + "\n" + marker[3], text)


def fill_all(only_check):
    """The documents that were (or, only checked, are) not what the records say."""
    changed = []
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)):
        with open(path) as file:
            text = file.read()
        new = filled(text, path)
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
