"""Writes tables and single figures into documents, between markers, from the newest stored records:

    <!-- record: constructs -->
    …
    <!-- /record -->

    <!-- figure: constructs; fork/join; 2; ours-ghc/libgomp -->0.24<!-- /figure -->

A figure is the median of a row (or of a phase, if the workload has phases) with that many threads, of one system or divided
by that of another.  With "machine" in place of a row it is the machine of the record.  On simulated processors the threads
have a machine, and the unit is µs: "scale; fork; 64 mesh-64; ours".  If no record of a workload is stored yet, the page says
so instead of a table."""

import glob
import os
import re
import shutil

from runner import definitions, records, simulated, tables
from runner.definitions import ROOT
from runner.problem import Problem

MARKED = re.compile(r"(<!-- record: (\w+) -->\n).*?(<!-- /record -->)", re.DOTALL)
FIGURE = re.compile(r"(<!-- figure: (.*?) -->)[^\n]*?(<!-- /figure -->)")


def table_of(name, page):
    """Lines for a page, from the newest stored record of the workload."""
    try:
        path = records.newest(name, only_stored=True)
    except Problem:
        if name not in [*definitions.workloads(), *records.COMMANDS]:
            raise
        return [f"No record of `{name}` is stored yet: `{records.command(name)}` measures it."]
    source = os.path.relpath(path, os.path.dirname(page))
    return tables.summary(records.load_any(path)) + ["", f"Record: [{os.path.basename(path)}]({source})."]


def figure(text):
    """The text for a figure's marker."""
    try:
        workload, row, workers, systems = (part.strip() for part in text.split(";"))
        ours, _, peer = systems.partition("/")
        record = records.load_any(records.newest(workload, only_stored=True))
        if row == "machine":
            return tables.machine(record)
        if record["schema"] == records.SIMULATED:
            medians = [simulated.median(record, system, workers, row) for system in (ours, peer) if system]
        else:
            medians = [tables.median(record, system, int(workers), row) for system in (ours, peer) if system]
    except ValueError as error:
        raise Problem(f"figure: {text}: expected 'workload; row; threads; system' or 'system/system' ({error})") from error
    return tables.number(medians[0] / medians[1] if peer else medians[0])


def filled(text, page):
    def fill(marker):
        return marker[1] + "\n" + "\n".join(table_of(marker[2], page)) + "\n" + marker[3]
    return FIGURE.sub(lambda marker: marker[1] + figure(marker[2]) + marker[3], MARKED.sub(fill, text))


def documents():
    return [*glob.glob(os.path.join(ROOT, "README.md")), *sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))]


def fill_all(only_check):
    """The documents that differed from the records; with `only_check` they are not changed."""
    changed = []
    for path in documents():
        with open(path) as file:
            text = file.read()
        new = filled(text, page=path)
        if new == text:
            continue
        changed.append(os.path.relpath(path, ROOT))
        if not only_check:
            with open(path, "w") as file:
                file.write(new)
    return changed


def keep_beside(path, place):
    """Copies what lies beside a record and belongs to it."""
    os.makedirs(place, exist_ok=True)
    try:
        shutil.copyfile(path, os.path.join(place, os.path.basename(path)))
    except OSError as error:
        raise Problem(f"{path}: expected a guest's console beside the record: {error.strerror}; the record is not kept") from error


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
            raise Problem(f"{path} was measured in a tree with changes that are in no commit: it is not kept")
        for console in record.get("guest", {}).get("consoles", []):
            keep_beside(os.path.join(os.path.dirname(path), console), place)
        records.save(os.path.join(place, os.path.basename(path)), record)
    return place
