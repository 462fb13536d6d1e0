"""Clients of three OpenMP libraries in one process: scikit-learn (whose wheel has a libgomp), MKL (libiomp5), and a library
that Clang built (libomp).  usage: pools.py [--pools] PLUGIN NAME...   NAME: sklearn, mkl or plugin, in the order in which
they are loaded; each is called twice.  PLUGIN: plugin.c as a library.  --pools: also prints, as JSON, the threads and
libraries after each call"""

import ctypes
import hashlib
import json
import os
import sys

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mkl

THREADS = int(os.environ["OMP_NUM_THREADS"])


class Clients:
    """Each is loaded at its first call."""

    def __init__(self, plugin):
        self.path, self.loaded = plugin, {}

    def once(self, name, load):
        if name not in self.loaded:
            self.loaded[name] = load()
        return self.loaded[name]

    def sklearn(self):
        from sklearn.cluster import KMeans
        from sklearn.ensemble import HistGradientBoostingClassifier
        draw = numpy.random.default_rng(7)
        x = draw.random((4000, 12))
        y = (x[:, 0] + x[:, 1] * x[:, 2] > 0.8).astype(int)
        found = HistGradientBoostingClassifier(max_iter=5, random_state=1).fit(x, y).predict_proba(x)
        return found.tobytes() + KMeans(5, n_init=1, random_state=1).fit(x).labels_.tobytes()

    def mkl(self):
        library = self.once("mkl", mkl.Mkl)
        library.begin()
        return bytes(library.product(400)) + bytes(library.factors(400))

    def library(self):
        return self.once("plugin", lambda: ctypes.CDLL(self.path))

    def plugin(self):
        library = self.library()
        library.plugin_sum.restype = ctypes.c_double
        values = numpy.random.default_rng(3).random(1 << 20)
        return repr(library.plugin_sum(ctypes.c_void_p(values.ctypes.data), ctypes.c_long(len(values)))).encode()


def tasks():
    return len(os.listdir("/proc/self/task"))


def mapped():
    """Mapped files with code whose names are those of OpenMP runtimes.  This project's libomp.so and libiomp5.so have names only."""
    with open("/proc/self/maps") as file:
        paths = {line.split(None, 5)[5].strip() for line in file if "/" in line and "x" in line.split(None, 2)[1]}
    return sorted(path for path in paths if os.path.basename(path).startswith(("libgomp", "libomp.", "libiomp5")))


def workers():
    """How many threads this project's runtime has started; None: it is not loaded."""
    try:
        return ctypes.CDLL(None).ghcomp_workers()
    except AttributeError:
        return None


def seen_by_threadpoolctl(clients):
    import threadpoolctl
    with threadpoolctl.threadpool_limits(1, user_api="openmp"):
        limited = clients.library().plugin_threads()
    return {"libraries": [library["filepath"] for library in threadpoolctl.threadpool_info() if library["user_api"] == "openmp"],
            "limited": limited, "afterwards": clients.library().plugin_threads()}


def main():
    modes = [word for word in sys.argv[1:] if word.startswith("--")]
    plugin, *names = [word for word in sys.argv[1:] if not word.startswith("--")]
    clients, before, seen = Clients(plugin), tasks(), []
    for name in [*names, *names]:
        digest = hashlib.sha256(getattr(clients, name)()).hexdigest()[:24]
        seen.append({"after": name, "digest": digest, "threads": tasks() - before, "workers": workers()})
        if not modes:
            print(name, digest)
    if modes:
        print(json.dumps({"wanted": THREADS, "steps": seen, "mapped": mapped(), "threadpoolctl": seen_by_threadpoolctl(clients)}), flush=True)


if __name__ == "__main__":
    main()
