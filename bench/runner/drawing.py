"""The shapes of charts, and a substitute that draws nothing."""

import sys

from runner.problem import Problem

# Okabe and Ito's colours, which people who are colour-blind can tell apart.
COLOURS = {"ours-ghc": "#0072b2", "ours-pthreads": "#56b4e9", "haskell": "#0072b2", "libgomp": "#e69f00", "libomp-gomp": "#009e73",
           "libomp-kmpc": "#999999", "linux-pthreads": "#cc79a7", "ghc-forkio": "#d55e00", "ghc-sparks": "#8c564b"}


def bars(axes, groups, series, value):
    """value(group, key) is None, a number, or (median, p10, p90); series: key -> (label, colour)."""
    width, named = 0.8 / len(series), set()
    for k, (key, (label, colour)) in enumerate(series.items()):
        for g, group in enumerate(groups):
            found = value(group, key)
            if found is None:
                continue
            middle, low, high = found if isinstance(found, tuple) else (found, found, found)
            axes.bar(g + (k + 0.5) * width - 0.4, middle, width * 0.92, color=colour,
                     yerr=[[middle - low], [high - middle]] if high > low else None,
                     error_kw={"elinewidth": 0.8, "ecolor": "#333333"}, label=None if key in named else label)
            named.add(key)
    axes.set_xticks(range(len(groups)))
    axes.legend(frameon=False, fontsize=8)


def lines(axes, points, label, colour, marker="o"):
    """points: [(x, (median, p10, p90))]."""
    points = sorted(points)
    axes.plot([x for x, _ in points], [y[0] for _, y in points], color=colour, marker=marker, markersize=4, label=label)
    axes.fill_between([x for x, _ in points], [y[1] for _, y in points], [y[2] for _, y in points], color=colour, alpha=0.2, linewidth=0)


def log_log(axes, across, up, title):
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)


class Nothing:
    """A substitute for everything that draws, if only the names of the records are needed."""

    def __getattr__(self, name):
        return Nothing()

    def __call__(self, *arguments, **named):
        return Nothing()


def load_pyplot():
    try:
        import matplotlib
    except ImportError as error:
        raise Problem(f"charts need matplotlib, which {sys.executable} does not have (Debian: python3-matplotlib)") from error
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "ghc-openmp", "svg.fonttype": "none", "font.size": 9, "figure.facecolor": "white"})
    from matplotlib import pyplot
    return pyplot
