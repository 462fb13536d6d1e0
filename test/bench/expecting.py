"""What the tests of the benchmark runner share: a copy of it that a test may change, and expectations."""

import json
import os
import shutil
import subprocess
import sys

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
SMALL = {"GHCOMP_MAP_REDUCE_COUNT": "3000000", "GHCOMP_MAP_REDUCE_RUNS": "3", "GHCOMP_MAP_REDUCE_WORKERS": "1,2",
         "GHCOMP_MAP_REDUCE_SYSTEMS": "linux-pthreads,ours-pthreads"}
results = {"passed": 0, "failed": 0}


def expect(what, condition, shown=""):
    results["passed" if condition else "failed"] += 1
    if not condition:
        print(f"FAIL {what}: {str(shown)[-1500:]}")


class Place:
    """A copy of bench/, which a test may change, with its own build folder and records."""

    def __init__(self, folder, name):
        self.folder = os.path.join(folder, name)
        self.bench = os.path.join(folder, name, "bench")
        self.records = os.path.join(folder, name, "records")
        self.build = os.path.join(folder, name, "build")
        shutil.copytree(os.path.join(ROOT, "bench"), self.bench, ignore=shutil.ignore_patterns("records", "__pycache__"))
        os.makedirs(self.build)
        os.symlink(os.path.join(BUILD, "lib"), os.path.join(self.build, "lib"))
        os.makedirs(self.records)
        os.symlink(os.path.join(ROOT, "demos"), os.path.join(folder, name, "demos"))

    def environment(self, **settings):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("GHCOMP_")}
        return {**inherited, **SMALL, "BUILD": self.build, "GHCOMP_BENCH_RECORDS": self.records, **settings}

    def run(self, *arguments, before=(), **settings):
        return subprocess.run([*before, sys.executable, os.path.join(self.bench, "run"), *arguments], text=True,
                              capture_output=True, env=self.environment(**settings), timeout=300)

    def spoil(self, old, new, source="map_reduce.c"):
        path = os.path.join(self.bench, "workloads", source)
        with open(path) as file:
            text = file.read()
        assert old in text
        with open(path, "w") as file:
            file.write(text.replace(old, new))

    def forget(self):
        for file in os.listdir(self.records):
            os.remove(os.path.join(self.records, file))

    def only_record(self):
        names = [name for name in os.listdir(self.records) if name.endswith(".json")]
        return os.path.join(self.records, sorted(names)[-1]) if names else None


def load(path):
    with open(path) as file:
        return json.load(file)


def check_schema(what, path):
    with open(os.path.join(ROOT, "bench", "record.schema.json")) as file:
        schema = json.load(file)
    errors = [e.message for e in jsonschema.Draft202012Validator(schema).iter_errors(load(path))]
    expect(f"{what}: the record fits the schema", not errors, errors[:3])


def said(what, done, *words):
    """Expects a refusal in one line that contains these words."""
    lines = done.stderr.strip().splitlines()
    expect(what, done.returncode == 2 and len(lines) == 1 and all(word in lines[0] for word in words), done.stdout + done.stderr)
