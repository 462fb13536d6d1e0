"""Iteration spaces of loops: every type, direction and step, and places near the limits.

A space has five parameters (type, count, step, near, relation).  This file computes everything
else from them, so that a reducer may change any parameter: the values stay within the type, and
no intermediate result that a compiler computes can overflow."""

from tree import between, draw

INTEGERS = {
    "int": (-2**31, 2**31 - 1), "unsigned": (0, 2**32 - 1),
    "long": (-2**63, 2**63 - 1), "unsigned long": (0, 2**64 - 1),
    "long long": (-2**63, 2**63 - 1), "unsigned long long": (0, 2**64 - 1),
    "signed char": (-128, 127), "unsigned char": (0, 255),
    "short": (-2**15, 2**15 - 1), "unsigned short": (0, 2**16 - 1),
}
GROUNDS = {"char *": "ground_char", "long *": "ground_long", "struct odd *": "ground_odd"}

# For a loop that counts down over one of these types, GCC passes the step as a large positive
# number.  Such a loop has no iterations under any runtime.
RISE_ONLY = ("unsigned", "unsigned char", "unsigned short")

SIMPLEST = {"type": "int", "step": 1, "near": "zero", "relation": "<", "opaque": False}


def choose(rng, most):
    kind = draw(rng, (6, "int"), (3, "long"), (2, "unsigned"), (2, "unsigned long long"),
                *[t for t in INTEGERS], *GROUNDS)
    count = draw(rng, (1, 0), (1, 1), (2, rng.randint(2, 9)), (8, between(rng, 2, max(3, most))))
    return {"type": kind, "count": min(count, most),
            "step": draw(rng, (5, 1), (2, -1), rng.randint(2, 9), -rng.randint(2, 9),
                         10 ** rng.randint(2, 18), -10 ** rng.randint(2, 18)),
            "near": draw(rng, (4, "zero"), "low", "high"),
            "relation": draw(rng, (4, "<"), (2, "<="), "!="), "opaque": rng.random() < 0.5}


class Space:
    """Concrete values for the parameters."""

    def __init__(self, params, tag):
        self.var, self.type, self.count = f"i{tag}", params["type"], params["count"]
        self.ground = GROUNDS.get(self.type)
        self.opaque = params["opaque"]
        low, high = (0, 4095) if self.ground else INTEGERS[self.type]
        self._settle(params, low, high)

    def _settle(self, params, low, high):
        room = min(high - low, high if low < 0 and not self.ground else high - low)
        size = min(abs(params["step"]), max(1, room // (self.count + 4)))
        self.count = min(self.count, room // size - 4)
        span = size * (self.count + 1)
        start = {"low": low + size, "high": high - size - span}.get(params["near"], 0)
        start = max(low + size, min(start, high - size - span))
        up = params["step"] > 0 or self.type in RISE_ONLY
        self.step = size if up else -size
        self.first = start if up else start + span
        relation = params["relation"]
        if self.count == 0 or (relation == "!=" and size != 1):
            relation = "<"
        self.end = self.first + self.step * (self.count - (relation == "<="))
        if self.count and size > 1:  # the last value does not meet the bound exactly
            self.end -= (size // 3) * (1 if up else -1) * (1 if relation == "<" else -1)
        self.relation = relation if up else relation.replace("<", ">")

    def literal(self, value, name):
        if self.ground:
            return f"({self.ground} + {value})"
        if self.opaque:
            return f"OPAQUE({self.type}, {plain(value)})"
        return f"({self.type}){plain(value)}"

    def head(self):
        """The loop's header."""
        v = self.var
        step = f"{v} += {plain(self.step)}" if self.step > 0 else f"{v} -= {plain(-self.step)}"
        if abs(self.step) == 1:
            step = f"{v}++" if self.step > 0 else f"{v}--"
        return (f"for ({self.type} {v} = {self.literal(self.first, 'first')}; "
                f"{v} {self.relation} {self.literal(self.end, 'end')}; {step})")

    def index(self):
        """An expression of type long for the number of the iteration: 0, 1, ..."""
        if self.ground:
            distance = f"({self.var} - {self.ground} - {self.first})"
            return f"({distance} / {self.step})"
        here, first = f"(unsigned long){self.var}", f"(unsigned long){plain(self.first)}"
        distance = f"{here} - {first}" if self.step > 0 else f"{first} - {here}"
        return f"(long)(({distance}) / {abs(self.step)}ul)"

    def back(self, steps):
        """The value of the loop variable some iterations earlier, for depend(sink)."""
        offset = self.step * steps
        return f"{self.var} - {plain(offset)}" if offset > 0 else f"{self.var} + {plain(-offset)}"


def plain(value):
    if value == -2**63:
        return "(-9223372036854775807l - 1)"
    return f"{value}" if abs(value) < 2**31 else f"{value}l" if abs(value) < 2**63 else f"{value}ul"
