"""Computes with NumPy on the BLAS whose folder the argument names."""

import hashlib
import sys

import numpy
import numpy.linalg

if sys.argv[1] not in open("/proc/self/maps").read():
    sys.exit(f"numpy does not use {sys.argv[1]}")
only_products = sys.argv[2:] == ["products"]
random = numpy.random.default_rng(1)
a, b = random.random((900, 900)), random.random((900, 900))


def show(name, value):
    print(name, hashlib.sha256(numpy.ascontiguousarray(value).tobytes()).hexdigest())


show("matmul", a @ b)
show("float32", a.astype("f") @ b.astype("f"))
if not only_products:
    show("solve", numpy.linalg.solve(a, b))
    show("svd", numpy.linalg.svd(a[:300, :300])[1])
    show("eigh", numpy.linalg.eigh(a[:300, :300] + a[:300, :300].T)[0])
