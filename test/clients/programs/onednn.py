"""oneDNN, which Intel's compiler built for Intel's OpenMP runtime (libiomp5), called through ctypes; without NumPy, whose
BLAS has its own threads.  Its library does not name the folder of libiomp5.so, so LD_LIBRARY_PATH must."""

import array
import ctypes
import hashlib
import os
import sys

CPU, F32, FORWARD_INFERENCE, CONVOLUTION_DIRECT, IN_ORDER = 1, 3, 96, 1, 1
SOURCE, DESTINATION, WEIGHTS = 1, 17, 33
DIMENSIONS = ctypes.c_int64 * 4


class Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("memory", ctypes.c_void_p)]


class OneDnn:
    def __init__(self):
        path = os.path.join(sys.prefix, "lib", "libdnnl.so.3")
        try:
            self.library = ctypes.CDLL(path)
        except OSError as error:
            sys.exit(f"onednn.py: {path} cannot be loaded ({error}): expected onednn-cpu-iomp there, and libiomp5.so in LD_LIBRARY_PATH; "
                     "nothing was computed")

    def call(self, name, *arguments):
        status = getattr(self.library, "dnnl_" + name)(*arguments)
        if status != 0:
            sys.exit(f"onednn.py: dnnl_{name}: status {status}, expected 0")

    def make(self, name, *arguments):
        made = ctypes.c_void_p()
        self.call(name + "_create", ctypes.byref(made), *arguments)
        return made

    def product(self, n=800):
        """Single precision."""
        a, b, c, one, size = floats(b"a", n * n), floats(b"b", n * n), zeros("f", n * n), ctypes.c_float(1), ctypes.c_int64(n)
        for _ in range(12):
            self.call("sgemm", ctypes.c_char(b"N"), ctypes.c_char(b"T"), size, size, size, one, address(a), size, address(b), size, one,
                      address(c), size)
        return c

    def product_of_bytes(self, n=800):
        a, b, c, size, none = array.array("B", noise(b"a", n * n)), array.array("b", noise(b"b", n * n)), zeros("i", n * n), ctypes.c_int64(n), zeros("i", 1)
        for _ in range(12):
            self.call("gemm_u8s8s32", ctypes.c_char(b"N"), ctypes.c_char(b"N"), ctypes.c_char(b"F"), size, size, size, ctypes.c_float(1), address(a), size,
                      ctypes.c_uint8(3), address(b), size, ctypes.c_int8(-2), ctypes.c_float(0), address(c), size, address(none))
        return c

    def memory(self, engine, shape, content):
        """Four dimensions; elements of the last one are adjacent."""
        strides = [shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1]
        described = ctypes.c_void_p()
        self.call("memory_desc_create_with_strides", ctypes.byref(described), 4, DIMENSIONS(*shape), F32, DIMENSIONS(*strides))
        return described, self.make("memory", described, engine, address(content))

    def convolution(self, images=8, channels=32, side=64):
        """With a kernel of three by three."""
        source, weights, found = (floats(b"s", images * channels * side * side), floats(b"w", channels * channels * 9),
                                  zeros("f", images * channels * side * side))
        engine = self.make("engine", CPU, ctypes.c_size_t(0))
        stream = self.make("stream", engine, IN_ORDER)
        (s, in_memory), (w, weights_memory), (d, out_memory) = (
            self.memory(engine, shape, content) for shape, content in (((images, channels, side, side), source), ((channels, channels, 3, 3), weights),
                                                                      ((images, channels, side, side), found)))
        two = ctypes.c_int64 * 2
        description = ctypes.c_void_p()
        self.call("convolution_forward_primitive_desc_create", ctypes.byref(description), engine, FORWARD_INFERENCE, CONVOLUTION_DIRECT, s, w, None, d,
                  two(1, 1), two(0, 0), two(1, 1), two(1, 1), None)
        primitive = self.make("primitive", description)
        arguments = (Argument * 3)(Argument(SOURCE, in_memory), Argument(WEIGHTS, weights_memory), Argument(DESTINATION, out_memory))
        for _ in range(12):
            self.call("primitive_execute", primitive, stream, 3, arguments)
        self.call("stream_wait", stream)
        return found


def noise(seed, n):
    return hashlib.shake_128(seed).digest(n)


def floats(seed, n):
    """Numbers from 0 to 255.  Their sums are rounded, so another order of additions gives other bits."""
    return array.array("f", list(noise(seed, n)))


def zeros(kind, n):
    return array.array(kind, bytes(4 * n))


def address(values):
    return ctypes.c_void_p(values.buffer_info()[0])


if __name__ == "__main__":
    library = OneDnn()
    for name in ("product", "product_of_bytes", "convolution"):
        print(name, hashlib.sha256(getattr(library, name)()).hexdigest())
