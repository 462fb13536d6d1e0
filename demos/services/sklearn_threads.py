#!/usr/bin/python3
"""Ten Python threads that each call scikit-learn, whose OpenMP regions run while Python's lock is released.  Measures the
time of all calls and of each one.  Every answer is compared with the one that a single OpenMP thread computes.

usage: sklearn_threads.py PROCESSORS [threads=N] [calls=N] [--table]
  PROCESSORS   the first argument of every benchmark program; not used
  threads, calls   the number of threads (10), and of calls by each thread (40)
  --table      prints a table instead of a line of numbers for each row"""

import math
import os
import sys
import threading
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a BLAS with its own threads would change what is measured

import numpy as np  # noqa: E402
from sklearn.cluster import KMeans  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor as Boosting  # noqa: E402
from threadpoolctl import threadpool_info, threadpool_limits  # noqa: E402

FEATURES = 8


def predicting(random):
    """One region for each of 40 trees.  One thread adds up each of the 2000 rows, in the order of the trees."""
    x = random.rand(2000, FEATURES)
    model = Boosting(max_iter=40, max_leaf_nodes=15, early_stopping=False, random_state=1)
    model.fit(x, x @ np.arange(FEATURES) + np.sin(9 * x[:, 0]))
    return lambda: model.predict(x)


def fitting(random):
    """Some hundred small regions.  One thread adds up each feature's histogram, in the order of the rows."""
    x = random.rand(500, FEATURES)
    y = x @ np.arange(FEATURES)
    return lambda: Boosting(max_iter=4, max_leaf_nodes=8, early_stopping=False, random_state=1).fit(x, y).predict(x)


def clustering(random):
    """One region for each of at most ten rounds.  Threads add up their parts of the 1800 points, in any order."""
    middles = 20 * random.rand(6, FEATURES)
    points = np.concatenate([m + 0.3 * random.randn(300, FEATURES) for m in middles])
    return lambda: KMeans(6, init=points[::300], n_init=1, max_iter=10, algorithm="lloyd").fit(points).cluster_centers_


# The largest difference that is allowed for each kind, relative to the largest number. 0: sums are always in the same order.
# The groups of k-means lie so far apart that rounding moves no point to another group.  A sum of n positive numbers in another
# order differs by at most n units in its last place, here 300 * 2.2e-16; about a hundred times that is allowed.
KINDS = {"predict": (predicting, 0.0), "fit": (fitting, 0.0), "k-means": (clustering, 1e-11)}


def differs(found, expected, tolerance):
    return not np.array_equal(found.shape, expected.shape) or not np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


def measure(call, expected, tolerance, threads, calls):
    """Seconds for all calls, and for each call; and whether an answer was wrong."""
    times, wrong, gate = [], [], threading.Barrier(threads + 1)

    def work():
        own, bad = [], 0
        gate.wait()
        try:
            for _ in range(calls):
                start = time.perf_counter()
                found = call()
                own.append(time.perf_counter() - start)
                bad += differs(found, expected, tolerance)
        finally:
            times.extend(own)
            wrong.append(bad + calls - len(own))

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    gate.wait()
    start = time.perf_counter()
    for worker in workers:
        worker.join()
    return time.perf_counter() - start, sorted(times), sum(wrong)


def percentile(times, part):
    return times[max(0, math.ceil(part * len(times)) - 1)]


def arguments(words):
    given = {"threads": 10, "calls": 40}
    for word in words:
        name, _, value = word.partition("=")
        if name not in given or not value.isdigit() or int(value) < 1:
            sys.exit(f"{sys.argv[0]}: '{word}': expected threads=N or calls=N")
        given[name] = int(value)
    return given["threads"], given["calls"]


def openmp():
    """The paths of the libraries that serve regions."""
    return ", ".join(library["filepath"] for library in threadpool_info() if library["user_api"] == "openmp")


def main():
    table = "--table" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--table"]
    if not words or not words[0].isdigit():
        sys.exit(__doc__)
    threads, calls = arguments(words[1:])
    if table:
        print(f"OpenMP: {openmp()}")
        print(f"{threads} threads, {calls} calls each; ms           all      p50      p99      max")
    status = 0
    for name, (make, tolerance) in KINDS.items():
        call = make(np.random.RandomState(1))
        with threadpool_limits(1, "openmp"):
            expected = call()
        whole, times, wrong = measure(call, expected, tolerance, threads, calls)
        row = {"all calls": whole, "p50": percentile(times, 0.5), "p99": percentile(times, 0.99), "max": times[-1]} if not wrong else {}
        if wrong:
            print(f"{name}, all calls: wrong, {wrong} of {threads * calls} answers")
            status = 1
        elif table:
            print(f"{name:34}" + "".join(f"{seconds * 1e3:9.2f}" for seconds in row.values()))
        else:
            for what, seconds in row.items():
                print(f"{name}, {what}: {seconds * 1e3:.4f}")
    return status if table else 0


if __name__ == "__main__":
    sys.exit(main())
