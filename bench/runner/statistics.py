"""Medians, spread, and whether two sets of samples differ."""

import math
import random
from statistics import median


def quantile(samples, share):
    """Interpolates linearly between the nearest ranks."""
    ordered = sorted(samples)
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def summary(samples):
    return {"count": len(samples), "median": median(samples), "p10": quantile(samples, 0.1),
            "p90": quantile(samples, 0.9), "least": min(samples), "most": max(samples)}


def ratio_interval(a, b, confidence=0.99, rounds=2000):
    """An interval for median(b) / median(a), by resampling (Efron 1979), with the same random numbers each time."""
    draw = random.Random(1)
    ratios = []
    for _ in range(rounds):
        one = median(draw.choices(a, k=len(a)))
        two = median(draw.choices(b, k=len(b)))
        if one > 0:
            ratios.append(two / one)
    tail = (1 - confidence) / 2
    return quantile(ratios, tail), quantile(ratios, 1 - tail)


def compare(a, b):
    """(ratio, low, high, shown).  Shown: the interval excludes 1, and the p10–p90 ranges do not overlap.  If a median of 0
    (a counter, or a loop that was optimised away) becomes positive, the ratio is inf."""
    if median(a) == 0:
        ratio = low = high = 1.0 if median(b) == 0 else math.inf
    else:
        ratio = median(b) / median(a)
        low, high = ratio_interval(a, b)
    apart = quantile(a, 0.9) < quantile(b, 0.1) or quantile(b, 0.9) < quantile(a, 0.1)
    shown = (low > 1 or high < 1) and apart and min(len(a), len(b)) >= 3
    return ratio, low, high, shown
