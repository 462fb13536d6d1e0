"""The smallest stack that a program needs: of the first thread (its limit), of native threads, of fibers, of workers."""

KINDS = ["main", "thread", "fiber", "worker"]
SMALLEST_KIB = 16  # PTHREAD_STACK_MIN
LARGEST_KIB = 2048
SURE = 3           # right runs under libgomp
MORE_KIB = 8       # than libgomp needs


def sizes(rng):
    """Sizes in KiB, each about a quarter larger than the one before; odd ones, too."""
    kib = SMALLEST_KIB
    while kib < LARGEST_KIB:
        yield kib
        kib += max(1, int(kib * rng.uniform(0.1, 0.4)))


def with_stack(s, kind, kib):
    """The same settings with such a stack."""
    s = {name: value for name, value in s.items() if name != "OMP_STACKSIZE"}
    if kind == "worker":
        return {**s, "OMP_STACKSIZE": f"{kib * 1024 + 1}B"}
    return {**s, "stack": f"{kind}:{kib}"}
