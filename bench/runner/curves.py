"""Draws docs/charts/scale_ROW.svg: cost against threads on simulated processors, from the newest stored record of bench/scale.  The
same record gives the same bytes, so a chart is checked by drawing it again.  Needs nothing besides Python."""

import os
from html import escape
from math import ceil, floor, log2, log10

from runner import records, simulated
from runner.definitions import ROOT
from runner.problem import Problem

PLACE = os.path.join(ROOT, "docs", "charts")
# The rows of which docs/performance.md says what they show.
ROWS = ("fork", "asleep", "barrier", "late", "sections", "critical", "ordered", "dynamic", "loops", "reduction-double", "tasks", "tree")
# A machine of more than 64 processors has two sockets.
PANELS = ((("clusters-8x8", "sockets-2x64"), "clusters of 8; 128: two sockets"), (("mesh-64",), "equal distances"), (("flat-16",), "one cluster"))
# Okabe and Ito's colours, as in the other charts; each line has a marker of its own, too.
LINES = {"ours": ("ours", "#0072b2", "circle", ""), "ours-clang": ("ours, Clang's code", "#56b4e9", "diamond", "5 3"),
         "libgomp": ("libgomp", "#e69f00", "square", ""), "libomp": ("libomp", "#009e73", "triangle", "")}
WIDTH, HEIGHT, TOP, BOTTOM, LEFT, GAP = 760, 312, 62, 58, 52, 14
STYLE = """.back { fill: #ffffff } .grid { stroke: #dddddd; stroke-width: 1 } .axis { stroke: #444444; stroke-width: 1 }
    text { fill: #222222; font-size: 11px } .title { font-size: 14px } .small { font-size: 10px; fill: #555555 }
    @media (prefers-color-scheme: dark) {
      .back { fill: #1e2129 } .grid { stroke: #3a3f4b } .axis { stroke: #b0b0b0 } text { fill: #e6e6e6 } .small { fill: #b0b0b0 } }"""


def points_of(record, row, runtime, topologies):
    """(threads, median, worst), µs."""
    found = [(threads, middle / 1000, worst / 1000) for topology in topologies
             for threads, (middle, worst) in simulated.series(record, row, runtime, topology).items()]
    return sorted(found)


class Scale:
    """From values to places on a logarithmic axis."""

    def __init__(self, least, most, begin, end):
        self.low, self.high, self.begin, self.end = log10(least), log10(most), begin, end

    def __call__(self, value):
        return self.begin + (log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)


def ticks(least, most):
    """1, 2 and 5 of each power of ten; only the powers if there are three or more."""
    powers = range(floor(log10(least)), ceil(log10(most)) + 1)
    wanted = (1,) if log10(most / least) >= 3 else (1, 2, 5)
    return [tick for power in powers for tick in (digit * 10 ** power for digit in wanted) if least <= tick <= most]


def bounds(values):
    """A little more than the values need, so that no marker is cut."""
    return min(values) / 1.25, max(values) * 1.25


def number(value):
    return f"{value:g}"


def marker(kind, x, y, colour):
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>'
    shapes = {"square": "M-3 -3H3V3H-3Z", "triangle": "M0 -4L3.8 3H-3.8Z", "diamond": "M0 -4L4 0L0 4L-4 0Z"}
    return f'<path d="{shapes[kind]}" transform="translate({x:.1f} {y:.1f})" fill="{colour}"/>'


def line(points, across, up, style):
    _, colour, kind, dashes = style
    places = [(across(threads), up(middle), up(worst)) for threads, middle, worst in points]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
    text = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.8"' + (f' stroke-dasharray="{dashes}"' if dashes else "") + "/>"]
    for (x, y, far), (_, middle, worst) in zip(places, points):
        if worst > 1.1 * middle:
            text.append(f'<path d="M{x:.1f} {y:.1f}V{far:.1f}M{x - 3:.1f} {far:.1f}H{x + 3:.1f}" stroke="{colour}" stroke-width="1.2"/>')
        text.append(marker(kind, x, y, colour))
    return text


def panel(lines, across, up, title, labelled):
    """One machine: the grid, the axes, the lines."""
    left, right, low, high = across.begin, across.end, up.begin, up.end
    text = [f'<text x="{(left + right) / 2:.1f}" y="{TOP - 8}" text-anchor="middle">{escape(title)}</text>']
    for tick in ticks(10 ** up.low, 10 ** up.high):
        text.append(f'<path class="grid" d="M{left:.1f} {up(tick):.1f}H{right:.1f}"/>')
        if labelled:
            text.append(f'<text x="{left - 6:.1f}" y="{up(tick) + 4:.1f}" text-anchor="end">{number(tick)}</text>')
    for threads in sorted({threads for points in lines.values() for threads, *_ in points}):
        text.append(f'<text x="{across(threads):.1f}" y="{low + 15:.1f}" text-anchor="middle">{threads}</text>')
    text.append(f'<path class="axis" fill="none" d="M{left:.1f} {high:.1f}V{low:.1f}H{right:.1f}"/>')
    text.append(f'<text x="{(left + right) / 2:.1f}" y="{low + 31:.1f}" text-anchor="middle">threads</text>')
    for runtime, points in lines.items():
        text += line(points, across, up, LINES[runtime])
    return text


def legend(y):
    text, x = [], LEFT
    for title, colour, kind, dashes in LINES.values():
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        text += [f'<path d="M{x} {y}H{x + 24}" stroke="{colour}" stroke-width="1.8"{dash}/>', marker(kind, x + 12, y, colour),
                 f'<text x="{x + 30}" y="{y + 4}">{escape(title)}</text>']
        x += 46 + 7 * len(title)
    return text


def drawn(record, name, row):
    """The chart as text; `name` is the record's."""
    about = record["rows"][row]
    panels = [({runtime: points for runtime in LINES if (points := points_of(record, row, runtime, topologies))}, title) for topologies, title in PANELS]
    if not any(lines for lines, _ in panels):
        raise Problem(f"{name} has no numbers of the row {row}")
    every = [value for lines, _ in panels for points in lines.values() for _, *values in points for value in values]
    most = [max(threads for points in lines.values() for threads, *_ in points) for lines, _ in panels]
    room, begin, text = WIDTH - LEFT - 10 - GAP * (len(panels) - 1) - 16 * len(panels), LEFT, []
    up = Scale(*bounds(every), HEIGHT - BOTTOM, TOP)
    for (lines, title), threads in zip(panels, most):
        width = room * log2(threads) / sum(map(log2, most)) + 16
        text += panel(lines, Scale(2 / 1.25, threads * 1.25, begin, begin + width), up, title, labelled=begin == LEFT)
        begin += width + GAP
    title = f"{row}: {about['shows']}"
    origin = f"Simulated, median of {len(record['seeds'])} seeds; strokes: the worst one; commit {record['source']['commit'][:12]}"
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" role="img" aria-label="{escape(title)}">',
            f"<metadata>{escape(name)}</metadata>", f"<style>\n    {STYLE}\n  </style>", f'<rect class="back" width="{WIDTH}" height="{HEIGHT}"/>',
            f'<text class="title" x="{LEFT}" y="18">{escape(title)}</text>',
            f'<text transform="translate(12 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">µs, {escape(about["unit"])}</text>']
    foot = [f'<text class="small" x="{WIDTH - 10}" y="{HEIGHT - 4}" text-anchor="end">{escape(origin)}</text>', "</svg>"]
    return "\n".join([*head, *("  " + part for part in [*legend(35), *text]), *foot]) + "\n"


def wanted():
    """path -> text; nothing if no record is stored."""
    try:
        path = records.newest("scale", only_stored=True)
    except Problem:
        return {}
    record = records.load_of(path, [records.SIMULATED])
    return {os.path.join(PLACE, f"scale_{row.replace('-', '_')}.svg"): drawn(record, os.path.basename(path), row) for row in ROWS}


def differing():
    found = {}
    for path, text in wanted().items():
        before = None
        if os.path.exists(path):
            with open(path) as file:
                before = file.read()
        if before != text:
            found[path] = text
    return found


def stale():
    """Charts that are not what the newest stored record gives."""
    return [os.path.relpath(path, ROOT) for path in differing()]


def draw_stale():
    changed = differing()
    for path, text in changed.items():
        os.makedirs(PLACE, exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    return [os.path.relpath(path, ROOT) for path in changed]
