"""Packages from PyPI in one process; the wheel of each brings or loads a libgomp.
usage: wheels.py [--threads | --forked] PACKAGE...   --threads: twice, each package in its own Python thread;
--forked: once here, and again in a child that is forked afterwards"""

import hashlib
import os
import sys
import threading

import numpy

THREADS = int(os.environ["OMP_NUM_THREADS"])
DRAW = numpy.random.default_rng(7)
X = DRAW.random((6000, 12))
Y = (X[:, 0] + X[:, 1] * X[:, 2] > 0.8).astype(int)


def sklearn():
    from sklearn.ensemble import HistGradientBoostingClassifier
    return HistGradientBoostingClassifier(max_iter=8, random_state=1).fit(X, Y).predict_proba(X)


def xgboost():
    import xgboost
    model = xgboost.XGBClassifier(n_estimators=12, max_depth=5, tree_method="hist", n_jobs=THREADS, random_state=1)
    return model.fit(X, Y).predict_proba(X)


def lightgbm():
    import lightgbm
    model = lightgbm.LGBMClassifier(n_estimators=12, n_jobs=THREADS, deterministic=True, force_row_wise=True, random_state=1, verbose=-1)
    return model.fit(X, Y).predict_proba(X)


def faiss():
    import faiss
    faiss.omp_set_num_threads(THREADS)
    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X.astype("f"))
    return index.search(X.astype("f"), 5)[1]


PACKAGES = {"sklearn": sklearn, "xgboost": xgboost, "lightgbm": lightgbm, "faiss": faiss}


def show(name):
    print(name, hashlib.sha256(numpy.ascontiguousarray(PACKAGES[name]()).tobytes()).hexdigest()[:24], flush=True)


def in_threads(names):
    """Imports all packages first, because Python's imports in threads are not what is tested."""
    found = {}
    for name in names:
        PACKAGES[name]()
    def work(key):
        found[key] = hashlib.sha256(numpy.ascontiguousarray(PACKAGES[key[0]]()).tobytes()).hexdigest()[:24]
    threads = [threading.Thread(target=work, args=((name, number),)) for name in names for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, number in sorted(found):
        print(name, found[name, number])


def forked(names):
    for name in names:
        show(name)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        for name in names:
            show(name)
        sys.exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        sys.exit(128 + os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    modes = [word for word in sys.argv[1:] if word.startswith("--")]
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    if modes == ["--threads"]:
        in_threads(names)
    elif modes == ["--forked"]:
        forked(names)
    else:
        for name in names:
            show(name)
