"""What is measured, the most telling first: with little time the first rows have numbers, and the last ones none."""

from dataclasses import dataclass

# Rows in the order of what they decide.  Those of bench/scale/rows that are not named here come last.
ORDER = """fork barrier late late-5ms tasks tasks-10us dynamic asleep serial-1ms critical single reduction-double reduction-long
late-30us late-60us late-100us late-300us serial-50us serial-200us serial-20ms
tasks-300ns tasks-3us tasks-100us tasks-join all-produce all-produce-join fib tree tree-join taskloop chains taskgroup
monotonic guided loops loops-nowait static dynamic-10us monotonic-10us guided-10us
coarse-static coarse-dynamic coarse-monotonic coarse-guided coarse-tasks uneven sections
critical-empty critical-200ns critical-longest ordered doacross
masters library-calls library-longest library-calls-turns-off library-longest-turns-off
first growth nested-first nested-hot idle triad sweeps""".split()
BETWEEN = (6, 9, 12, 24, 48, 96)  # team sizes at which a tree begins, or grows
FINE = ("fork", "barrier")
TIMES_PROCESSORS = (2, 4, 8)      # more threads than processors
CROWDED = ("fork", "barrier", "dynamic", "first", "growth")
MOST_THREADS = 512                # of bench/scale/rows
LEAST_TREE = 5


@dataclass(frozen=True)
class Variant:
    name: str
    environment: tuple  # of pairs
    ours_only: bool
    least: int          # threads


VARIANTS = (Variant("GHCOMP_TREE=0", (("GHCOMP_TREE", "0"),), True, LEAST_TREE),
            Variant(f"GHCOMP_TREE={LEAST_TREE}", (("GHCOMP_TREE", str(LEAST_TREE)),), True, LEAST_TREE),
            Variant("GHCOMP_SUBSTRATE=pthread", (("GHCOMP_SUBSTRATE", "pthread"),), True, 1),
            Variant("OMP_PROC_BIND=close", (("OMP_PROC_BIND", "close"),), False, 2),
            Variant("OMP_PROC_BIND=spread", (("OMP_PROC_BIND", "spread"),), False, 2))


@dataclass(frozen=True)
class Place:
    """A row at a number of threads, which all systems run in turns."""
    row: str
    threads: int
    variant: Variant = None


def sizes(processors):
    """1, 2, 4 … and all processors."""
    found = [1]
    while 2 * found[-1] < processors:
        found.append(2 * found[-1])
    return found + [processors] if processors > 1 else found


def places_of(row, processors, only=None):
    usual = only or sizes(processors)
    if only:
        return [Place(row, threads) for threads in usual]
    found = usual + ([between for between in BETWEEN if between < processors and between not in usual] if row in FINE else [])
    found = sorted(found) + ([times * processors for times in TIMES_PROCESSORS if times * processors <= MOST_THREADS] if row in CROWDED else [])
    return [Place(row, threads) for threads in found]


def variants_of(row, processors, only=None):
    return [Place(row, threads, variant) for variant in VARIANTS for threads in only or sizes(processors)
            if variant.least <= threads <= processors]


def places(rows, processors, only=None):
    """All, in order."""
    ordered = [row for row in ORDER if row in rows] + [row for row in rows if row not in ORDER]
    found = []
    for row in ordered:
        found += places_of(row, processors, only)
        found += variants_of(row, processors, only) if row in FINE else []
    return found
