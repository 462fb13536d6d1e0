"""Intel's MKL with its threading layer for Intel's OpenMP runtime (libiomp5), called through ctypes; without NumPy, whose
own BLAS has its own threads.  MKL's libraries do not name the folder of libiomp5.so, so LD_LIBRARY_PATH must.
usage: mkl.py [--times]   --times: prints the seconds of each call to standard error"""

import ctypes
import hashlib
import os
import sys
import time

PLACE = os.path.join(sys.prefix, "lib")
ROW_MAJOR, NO_TRANSPOSE = 101, 111
DFTI_COMPLEX, DFTI_DOUBLE, DFTI_PLACEMENT, DFTI_NOT_INPLACE = 32, 36, 11, 44


def load():
    """Loads the layers one by one, as the loader does for a program linked with -lmkl_intel_lp64 -lmkl_intel_thread
    -lmkl_core -liomp5.  libmkl_rt would use its layer for libgomp if the process has a libgomp.so.1."""
    opened = ctypes.CDLL(None).dlopen # lazy binding, because the layers need each other
    opened.restype = ctypes.c_void_p
    for layer in ("libiomp5.so", "libmkl_core.so", "libmkl_intel_thread.so", "libmkl_intel_lp64.so"):
        path = layer if layer == "libiomp5.so" else max((name for name in os.listdir(PLACE) if name.startswith(layer)), default=layer)
        path = path if path == "libiomp5.so" else os.path.join(PLACE, path)
        if not opened(path.encode(), os.RTLD_LAZY | os.RTLD_GLOBAL):
            sys.exit(f"mkl.py: {path} cannot be loaded: expected MKL in {PLACE} (pip install mkl), and libiomp5.so in LD_LIBRARY_PATH; "
                     "nothing was computed")
    return ctypes.CDLL(path)


def doubles(n):
    """Aligned as MKL advises, so that results do not depend on addresses."""
    memory = ctypes.create_string_buffer(8 * n + 64)
    return (ctypes.c_double * n).from_buffer(memory, -ctypes.addressof(memory) % 64)


class Mkl:
    def __init__(self):
        self.library = load()
        self.begin()

    def begin(self):
        """Starts the random numbers anew."""
        self.seed = (ctypes.c_int * 4)(1, 2, 3, 5)

    def call(self, name, *arguments, result=0):
        status = getattr(self.library, name)(*arguments)
        if result is not None and status != result:
            sys.exit(f"mkl.py: {name}: status {status}, expected {result}")

    def random(self, n):
        """Uniform in 0 to 1."""
        values = doubles(n)
        self.call("LAPACKE_dlarnv", 1, self.seed, n, values)
        return values

    def product(self, n=900):
        c = doubles(n * n)
        a, b = self.random(n * n), self.random(n * n)
        for _ in range(3):
            self.call("cblas_dgemm", ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, ctypes.c_double(1), a, n, b, n, ctypes.c_double(0.5), c, n,
                      result=None)
        return c

    def solution(self, n=900):
        a, b, pivots = self.random(n * n), self.random(n * 20), (ctypes.c_int * n)()
        self.call("LAPACKE_dgesv", ROW_MAJOR, n, 20, a, n, pivots, b, 20)
        return b

    def factors(self, n=900):
        a, pivots = self.random(n * n), (ctypes.c_int * n)()
        self.call("LAPACKE_dgetrf", ROW_MAJOR, n, n, a, n, pivots)
        return a

    def eigenvalues(self, n=350):
        a, values = self.random(n * n), doubles(n)
        self.call("LAPACKE_dsyev", ROW_MAJOR, ctypes.c_char(b"V"), ctypes.c_char(b"U"), n, a, n, values)
        return values

    def transform(self, n=1 << 19):
        handle, there, back = ctypes.c_void_p(), doubles(2 * n), doubles(2 * n)
        values = self.random(2 * n)
        self.call("DftiCreateDescriptor", ctypes.byref(handle), DFTI_DOUBLE, DFTI_COMPLEX, ctypes.c_long(1), ctypes.c_long(n))
        self.call("DftiSetValue", handle, DFTI_PLACEMENT, DFTI_NOT_INPLACE)
        self.call("DftiCommitDescriptor", handle)
        for _ in range(4):
            self.call("DftiComputeForward", handle, values, there)
            self.call("DftiComputeBackward", handle, there, back)
        self.call("DftiFreeDescriptor", ctypes.byref(handle))
        return there

    def exponentials(self, n=1 << 20):
        values, found = self.random(n), doubles(n)
        for _ in range(8):
            self.call("vdExp", n, values, found, result=None)
        return found


def main():
    mkl, times = Mkl(), sys.argv[1:] == ["--times"]
    for name in ("product", "solution", "factors", "eigenvalues", "transform", "exponentials"):
        began = time.monotonic()
        found = getattr(mkl, name)()
        if times:
            print(f"{name} {time.monotonic() - began:.4f}", file=sys.stderr)
        print(name, hashlib.sha256(found).hexdigest())


if __name__ == "__main__":
    main()
