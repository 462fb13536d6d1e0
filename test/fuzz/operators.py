"""Reductions: each operator and type, the contribution of an iteration, and the result."""

import functools

M64 = 2**64 - 1


def mix(k, salt):
    z = ((k + 1) * 0x9E3779B97F4A7C15 + salt) & M64
    return z ^ (z >> 29)


class Operator:
    """Operator OP of the reduction clause on TYPE; START is the initial value of the variable."""

    def __init__(self, op, ctype, start, contribution, fold, statement="{r} = {r} {op} ({v});"):
        self.op, self.type, self.start, self.fold = op, ctype, start, fold
        self.c_value, self.value = contribution
        self.statement = statement

    def update(self, variable, k, salt):
        """C code that adds the contribution of iteration K."""
        value = self.c_value.format(z=f"mix({k}, {salt})")
        return self.statement.format(r=variable, op=self.op, v=value)

    def result(self, ks, salt):
        return functools.reduce(self.fold, (self.value(mix(k, salt)) for k in ks), self.start)

    def same(self, site, variable, result):
        if self.op == "pairs":
            return (f"same({site}, ({variable}).sum, {result[0]}L); "
                    f"same({site}, ({variable}).most, {result[1]}L);")
        if self.type == "unsigned long":
            return f"same({site}, (long)({variable}), (long){result}ul);"
        return f"same({site}, (long)({variable}), {result}L);"

    def initial(self):
        return "{5, -7}" if self.op == "pairs" else str(self.start)

    def set(self, variable):
        return f"{variable} = (struct pair){{5, -7}};" if self.op == "pairs" else f"{variable} = {self.start};"


SMALL = ("(long)({z} % 1000) - 500", lambda z: z % 1000 - 500)
ODD = ("({z} % 1000) | 1", lambda z: z % 1000 | 1)
BITS = ("{z} % 256", lambda z: z % 256)
MOST_BITS = ("{z} % 256 | 129", lambda z: z % 256 | 129)
TRUTH = ("{z} % 7 != 0", lambda z: int(z % 7 != 0))
FALSITY = ("{z} % 7 == 0", lambda z: int(z % 7 == 0))
LARGER = "if (({v}) > {r}) {r} = ({v});"
SMALLER = "if (({v}) < {r}) {r} = ({v});"
PAIR = "{{ long v_ = ({v}); {r}.sum += v_; if (v_ > {r}.most) {r}.most = v_; }}"


def all_operators():
    for t in ("int", "long", "double", "float", "long long"):
        yield Operator("+", t, 3, SMALL, lambda a, b: a + b)
    yield Operator("-", "long", 3, SMALL, lambda a, b: a + b, "{r} = {r} + ({v});")
    yield Operator("*", "unsigned long", 1, ODD, lambda a, b: a * b & M64)
    for t in ("unsigned char", "int", "unsigned long"):
        yield Operator("|", t, 0, BITS, lambda a, b: a | b)
        yield Operator("^", t, 5, BITS, lambda a, b: a ^ b)
        yield Operator("&", t, 255, MOST_BITS, lambda a, b: a & b)
    for t in ("short", "int", "double", "long"):
        yield Operator("max", t, -600, SMALL, max, LARGER)
        yield Operator("min", t, 600, SMALL, min, SMALLER)
    yield Operator("&&", "int", 1, TRUTH, lambda a, b: int(a and b))
    yield Operator("||", "int", 0, FALSITY, lambda a, b: int(a or b))
    yield Operator("pairs", "struct pair", (5, -7), SMALL,
                   lambda a, b: (a[0] + b, max(a[1], b)), PAIR)


OPERATORS = list(all_operators())
