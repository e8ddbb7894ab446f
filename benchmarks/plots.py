"""Plots, where matplotlib is installed: recall against tokens kept, cost against recall, time against size."""

from __future__ import annotations

import re
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.systems import OURS
from benchmarks.verdicts import is_over

if TYPE_CHECKING:
    from pathlib import Path

Run = dict[str, Any]
_OURS_COLOR = "#c0392b"
_COLORS = ("#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#ff7f0e", "#393b79")
_GREY = "#7f8c8d"
_SIZE = (7.2, 4.4)
_MOST_NAMED = 8
_MOST_OVER = 4
_MOST_POINTS = 80
_BINS = 6


def slug(label: str) -> str:
    """Return a label as part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "run"


def draw(results: Run, folder: Path) -> dict[str, list[str]]:
    """Draw every run; return file names by run, empty without matplotlib."""
    if find_spec("matplotlib") is None:
        present = {label: sorted(p.name for p in folder.glob(f"*-{slug(label)}.svg")) for label in results["runs"]}
        return {label: names for label, names in present.items() if names}
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "benchmarks"
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["font.size"] = 9
    drawn: dict[str, list[str]] = {}
    for label, run in results["runs"].items():
        names = []
        for name, painter in (("recall", _recall), ("cost", _cost), ("time", _time)):
            figure = painter(run)
            if figure is not None:
                file = f"{name}-{slug(label)}.svg"
                figure.savefig(folder / file, metadata={"Date": None}, bbox_inches="tight")
                names.append(file)
        drawn[label] = names
    return drawn


def _figure(title: str, x: str, y: str) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE)
    axes = figure.subplots()
    axes.set_title(title, loc="left")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25)
    return figure, axes


def _plain_ticks(axes: Any, *, y: bool = False) -> None:
    """Write the ticks of logarithmic axes as people do: 8k, not 8 x 10^3."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(FixedLocator([t for t in _TICKS if low <= t <= high]))
    axes.xaxis.set_minor_locator(NullLocator())
    for axis in (axes.xaxis, axes.yaxis) if y else (axes.xaxis,):
        axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
        axis.set_minor_formatter(NullFormatter())


_TICKS = [1000 * 2**k for k in range(12)]


def short(value: float) -> str:
    """Write a number of tokens or milliseconds in few characters."""
    if value >= _THOUSAND:
        return f"{value / _THOUSAND:.3g}k"
    return f"{value:.3g}"


_THOUSAND = 1000


def _recall(run: Run) -> Any:
    """Draw distant recall against the tokens that are really kept, a line a system; dashed who keeps to no budget."""
    if "fidelity" not in run:
        return None
    figure, axes = _figure("What is kept of what is needed from far back", "tokens kept", "distant recall")
    lines: dict[str, list[tuple[float, float]]] = {}
    over: set[str] = set()
    for budget, systems in run["fidelity"]["budgets"].items():
        for name, row in systems.items():
            if row["distant"] is not None and row["size"]:
                lines.setdefault(name, []).append((row["size"] * int(budget), row["distant"]))
                if is_over(row):
                    over.add(name)
    order = sorted(lines, key=lambda name: -max(y for _, y in lines[name]))
    within = [n for n in order if n not in over and n != OURS][:_MOST_NAMED]
    styles = {OURS: {"color": _OURS_COLOR, "linewidth": 2.4, "zorder": 5, "marker": "o"}}
    styles |= {n: {"color": c, "linewidth": 1.2, "marker": "o"} for n, c in zip(within, _COLORS, strict=False)}
    marks = dict(zip([n for n in order if n in over][:_MOST_OVER], "s^Dv", strict=False))
    styles |= {
        n: {"color": _GREY, "linewidth": 0.9, "linestyle": "--", "marker": mark} for n, mark in marks.items()
    }
    for name, style in styles.items():
        label = f"{name} (over its budget)" if name in over else name
        axes.plot(*zip(*sorted(lines[name]), strict=True), markersize=4, label=label, **style)
    axes.set_xscale("log")
    _plain_ticks(axes)
    axes.set_ylim(0, 1.02)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def _cost(run: Run) -> Any:
    """Draw recall against cost in the replay, a point a system, its name in the margin at the end of a thin line."""
    if "replay" not in run:
        return None
    figure, axes = _figure(
        f"Replay in a window of {run['replay']['window']:,}",
        "cost, of sending everything (prompt caching)",
        "recall at each call",
    )
    points = {
        name: (row["cost"], row["recall"])
        for name, row in run["replay"]["systems"].items()
        if row["cost"] is not None and row["recall"] is not None
    }
    order = sorted(points, key=lambda name: (-points[name][1], points[name][0]))
    for place, name in enumerate(order):
        color = _OURS_COLOR if name == OURS else "#34495e"
        height = 1 - (place + 0.5) / len(order)
        axes.scatter(*points[name], s=30, color=color, zorder=5 if name == OURS else 3)
        axes.annotate(
            f"{name}  ({points[name][0]:.2f}, {points[name][1]:.2f})",
            points[name],
            xytext=(1.05, height),
            textcoords="axes fraction",
            fontsize=7,
            va="center",
            color=color,
            weight="bold" if name == OURS else "normal",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": color, "linewidth": 0.5, "alpha": 0.35, "shrinkA": 0, "shrinkB": 2,
                "relpos": (0, 0.5),
            },
        )  # fmt: skip
    return figure


def _time(run: Run) -> Any:
    """Draw time against size: cuts of ours and the strongest others faintly, medians of classes of size as lines."""
    points = run.get("fidelity", {}).get("seconds_each", {})
    if OURS not in points:
        return None
    figure, axes = _figure("Time of one compaction", "tokens before", "milliseconds of processor time")
    systems = run["fidelity"]["budgets"][max(run["fidelity"]["budgets"], key=int)]
    order = sorted((n for n in points if n in systems), key=lambda n: -(systems[n]["distant"] or 0))[:6]
    names = list(dict.fromkeys([OURS, *order]))
    for name, color in zip(names, (_OURS_COLOR, *_COLORS), strict=False):
        each = sorted((x, max(y / 1000, 0.01)) for x, y in points[name])
        faint = each[:: -(-len(each) // _MOST_POINTS)]
        axes.scatter(*zip(*faint, strict=True), s=6, color=color, alpha=0.3, linewidths=0)
        width = -(-len(each) // _BINS)
        classes = [each[i : i + width] for i in range(0, len(each), width)]
        middle = [(median(x for x, _ in one), median(y for _, y in one)) for one in classes]
        thick = 2.4 if name == OURS else 1.2
        axes.plot(*zip(*middle, strict=True), color=color, linewidth=thick, marker="o", markersize=3, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_ticks(axes, y=True)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure
