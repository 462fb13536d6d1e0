"""What test/packages runs with and without `ghcomp run`: one package does real work, or all of them
do in one process.  Prints results, to so many digits as the order of additions leaves alone,
and on standard error the libraries of OpenMP in the process.
usage: packages.py NAME..."""

import os
import re
import sys

import numpy as np


def data(rows=20000, columns=20):
    random = np.random.RandomState(0)
    points = random.normal(size=(rows, columns)).astype(np.float32)
    target = points[:, 0] * points[:, 1] + np.sin(points[:, 2]) + 0.1 * random.normal(size=rows)
    return points, target


def scikit_learn():
    from sklearn.cluster import KMeans
    from sklearn.ensemble import HistGradientBoostingRegressor
    points, target = data()
    clusters = KMeans(8, n_init=2, random_state=0, max_iter=30).fit(points)
    trees = HistGradientBoostingRegressor(max_iter=30, random_state=0).fit(points, target)
    return f"inertia {clusters.inertia_:.6g} score {trees.score(points, target):.6f}"


def lightgbm():
    import lightgbm
    points, target = data()
    model = lightgbm.train({"deterministic": True, "force_row_wise": True, "seed": 0, "verbose": -1},
                           lightgbm.Dataset(points, target), 30)
    return f"sum {np.abs(model.predict(points)).sum():.6g}"


def xgboost():
    import xgboost
    points, target = data()
    model = xgboost.train({"tree_method": "hist", "seed": 0}, xgboost.DMatrix(points, target), 30)
    return f"sum {np.abs(model.predict(xgboost.DMatrix(points))).sum():.6g}"


def faiss():
    import faiss
    points, _ = data()
    index = faiss.IndexFlatL2(points.shape[1])
    index.add(points)
    distances, neighbours = index.search(points[:500], 5)
    return f"neighbours {neighbours.sum()} distances {distances.sum():.6g}"


def threadpoolctl():
    """Its limits act: the size of a region, asked inside it, through the library that it found."""
    import ctypes
    import sklearn.cluster  # brings a libgomp
    from threadpoolctl import threadpool_info, threadpool_limits
    found = [each for each in threadpool_info() if each["user_api"] == "openmp"]
    first = ctypes.CDLL(None)  # what the program's regions reach
    sizes = []
    body = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: sizes.append(first.omp_get_num_threads()))

    def team():
        sizes.clear()
        first.GOMP_parallel(body, None, 0, 0)
        assert set(sizes) == {len(sizes)}, sizes
        return len(sizes)

    seen = [team()]
    for limit in (1, 3, 2):
        with threadpool_limits(limit, user_api="openmp"):
            seen.append(team())
    seen.append(team())
    for each in found:
        print("found", each["filepath"], each["num_threads"], file=sys.stderr)
    return f"teams {seen}"


def show_libraries():
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if re.search(r"/libgomp[-.]|libghcomp_rts", line)}
    for path in sorted(paths):
        print("library", os.path.realpath(path), file=sys.stderr)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, globals()[name]())
    show_libraries()
