"""A whole run: executes rows in turn, round after round, and writes a record."""

import os
import signal
import subprocess
import sys
import time

from runner import booting, building, machine, measure, placement, records
from runner.problem import Problem

QUICK_RUNS = 5


def pick_workers(workload, settings, here, only):
    if "WORKERS" in settings:
        return settings["WORKERS"]
    usual = placement.usual_workers(here, only, settings.get("INCLUDE_SMT", False))
    if workload.workers:
        return sorted({*workload.workers, *(usual if workload.scales else [])})
    return [workers for workers in usual if workers >= workload.least_workers] or usual[-1:]


def build_all(workload, systems):
    """Programs by system, and the reasons for systems without a program."""
    programs, missing = {}, {}
    for system in systems.values():
        try:
            programs[system.name] = building.build(workload, system)
        except building.Missing as reason:
            missing[system.name] = str(reason)
    return programs, missing


def plan_row(name, workers, here, only, missing):
    label, processors = placement.place(here, workers, only)
    state = {"status": "missing", "reason": missing[name]} if name in missing else {"status": "planned"}
    return {"system": name, "workers": workers, "label": label, "processors": processors, "samples": [], "warmup": [], **state}


def expected_results(workload, parameters, systems, settings):
    """The right results, and where they come from: the definition, or a serial run with these parameters."""
    if workload.kind == "rows":
        return None, "the program checks each row"
    if workload.expected and parameters == workload.parameters:
        return workload.expected, "definition"
    reference = next(s for s in systems.values() if s.reference)
    program = building.build(workload, reference)
    sample = measure.run(workload, reference, program, 1, sorted(os.sched_getaffinity(0)), parameters, {}, None)
    if "results" not in sample:
        raise Problem(f"the serial run that computes the expected results has failed: {sample['reason']}")
    return sample["results"], "serial run"


def boot(programs, missing, systems, settings):
    """What the record says about guests, if some of the programs are to run in one.  Where none can be had, these are missing."""
    inside = {name: program for name, program in programs.items() if systems[name].inside}
    if not inside:
        return {}
    try:
        return {"guest": booting.boot(inside, settings)}
    except building.Missing as reason:
        for name in inside:
            missing[name] = str(reason)
            del programs[name]
        return {}


def begin(workload, systems, all_systems, parameters, settings):
    here = machine.describe()
    only = settings.get("TASKSET_CPUS")
    chosen = pick_workers(workload, settings, here, only)
    programs, missing = build_all(workload, systems)
    about_guest = boot(programs, missing, systems, settings)
    rows = [plan_row(name, workers, here, only, missing) for workers in chosen for name in systems]
    expected, said_by = expected_results(workload, parameters, all_systems, settings)
    return {
        "schema": records.SCHEMA, "name": workload.name, "complete": False,
        "began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "ended": None,
        "source": building.source(), "tools": building.tools(), "machine": here,
        "load": {"before": machine.load(), "after": None},
        "workload": {"name": workload.name, "title": workload.title, "kind": workload.kind, "unit": workload.unit,
                     "parameters": parameters, "expected": expected, "expected_from": said_by, "rate": workload.rate,
                     "same_compiler": workload.same_compiler, "cases": [vars(case) for case in workload.cases],
                     "sources": {os.path.basename(s): building.digest(os.path.join(building.BENCH, "workloads", s))
                                 for s in (*workload.sources, *workload.wheels)}},
        "systems": {name: describe_system(systems[name], program) for name, program in programs.items()},
        **about_guest,
        "settings": settings,
        "runs": settings.get("RUNS", workload.runs), "warmup_runs": settings.get("WARMUP", workload.warmup),
        "floor_ns": measure.floor(building.compile_floor(workload)),
        "order": "rows take turns, one run each a round; every other round backwards",
        "rows": rows,
    }, programs


def inside(text):
    """Makes paths relative to the tree's root, because its place does not matter."""
    return text.replace(building.ROOT + os.sep, "")


def describe_system(system, program):
    # A Haskell program that cabal builds contains the package and the runtime.
    from_tree = system.compiler == "cabal" or bool(program.library and program.library.startswith(building.BUILD) and not system.wheel)
    return {"title": system.title, "ours": system.ours, "from_tree": from_tree, "peer": system.peer,
            "compiled_with": [inside(word) for word in program.command], "arguments": system.arguments,
            "environment": {k: inside(v) for k, v in program.environment.items()}, **({"guest": True} if system.inside else {}),
            "library": inside(program.library) if program.library else None, "library_from": program.origin,
            "library_sha256": building.digest(program.library) if program.library else None}


def again(record, workload, systems):
    """Programs for a record that is to be completed, if this machine and tree can complete it."""
    if record["complete"]:
        raise Problem("the record is complete: there is nothing to continue")
    if machine.identity(record["machine"]) != machine.identity(machine.describe()):
        raise Problem("the record was begun on another machine")
    if record["source"]["commit"] != building.source()["commit"]:
        raise Problem(f"the record was begun with commit {record['source']['commit']}, the tree is at {building.source()['commit']}")
    programs = {name: building.build(workload, systems[name]) for name in record["systems"]}
    if "guest" in record:
        boot_again(record, {name: program for name, program in programs.items() if systems[name].inside})
    return programs


def boot_again(record, programs):
    """As in the runs that the record has."""
    before = record["guest"]
    about = booting.boot(programs, {**record["settings"], "ACCELERATOR": before["accelerator"]})
    changed = [key for key in ("qemu", "kernel", "archive_sha256", "release") if about[key] != before[key]]
    if changed:
        raise Problem(f"the record was begun with another guest: {', '.join(changed)} of it are not as now; nothing was run")


class Progress:
    """One line on a terminal, or a line in a log every 15 seconds."""

    def __init__(self, total):
        self.total, self.done, self.began, self.said = total, 0, time.monotonic(), 0.0

    def step(self, what):
        self.done += 1
        now = time.monotonic()
        left = (now - self.began) / self.done * (self.total - self.done)
        line = f"{self.done}/{self.total} {what}, {left:.0f} s left"
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K" + line + ("\n" if self.done == self.total else ""))
        elif now - self.said > 15 or self.done == self.total:
            self.said = now
            print(line, file=sys.stderr)
        sys.stderr.flush()


def settle(record):
    """One failed sample makes its row failed."""
    for row in record["rows"]:
        if row["status"] == "missing" or not row["samples"]:
            continue
        bad = [s for s in row["samples"] + row["warmup"] if s["status"] != "ok"]
        row["status"] = "failed" if bad else "ok"
        if bad:
            row["reason"] = bad[0]["reason"]


def missing_rounds(record):
    """(warm-up?, row) for each run that is still missing, in order."""
    live = [row for row in record["rows"] if row["status"] != "missing"]
    for kind, count in (("warmup", record["warmup_runs"]), ("samples", record["runs"])):
        for number in range(count):
            for row in live if number % 2 == 0 else live[::-1]:
                if len(row[kind]) <= number:
                    yield kind, number, row


def complete(record, path, workload, systems, programs):
    """Executes the missing runs; writes the record after each round."""
    todo = list(missing_rounds(record))
    progress, last = Progress(len(todo)), None
    guests = next((program.guests for program in programs.values() if program.guests), None)
    if guests:
        guests.stem = os.path.splitext(path)[0]
    beside = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(record["settings"].get("BESIDE", 0))]
    ended = []

    def end(*_): # what is raised inside of a destructor is lost, so the loop asks, too
        ended.append(True)
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, end)
    try:
        for kind, number, row in todo:
            if ended:
                raise KeyboardInterrupt
            if last not in (None, (kind, number)):
                settle(record)
                records.save(path, record)
            last = (kind, number)
            system = systems[row["system"]]
            sample = measure.run(workload, system, programs[row["system"]], row["workers"], row["processors"],
                                 record["workload"]["parameters"], record["settings"], record["workload"]["expected"])
            row[kind].append(sample)
            if guests:
                record["guest"]["consoles"] += guests.new_consoles()
            progress.step(f"{workload.name}, {row['system']}, {row['workers']} workers: {sample.get('reason', 'ok')[:60]}")
    except KeyboardInterrupt:
        settle(record)
        records.save(path, record)
        raise Problem(f"interrupted: {progress.done} of {len(todo)} runs are in {path}; continue with `ghcomp bench RUN --resume {path}`") from None
    finally:
        signal.signal(signal.SIGTERM, previous)
        for process in beside:
            process.kill()
            process.wait()
        if guests:
            guests.close()
    settle(record)
    record["load"]["after"] = machine.load()
    record["ended"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    record["complete"] = True
    records.save(path, record)
