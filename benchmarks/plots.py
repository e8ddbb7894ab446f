"""Plots, where matplotlib is installed: recall against tokens kept, cost against recall, time against size."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from benchmarks.systems import OURS

if TYPE_CHECKING:
    from pathlib import Path

Run = dict[str, Any]
_OURS_COLOR = "#c0392b"
_COLORS = (
    "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf", "#ff7f0e", "#393b79",
    "#637939", "#8c6d31",
)  # fmt: skip
_SIZE = (7.2, 4.4)
_MOST_NAMED = 12
_MOST_POINTS = 80


def slug(label: str) -> str:
    """Return a label as part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "run"


def draw(results: Run, folder: Path) -> dict[str, list[str]]:
    """Draw every run; return file names by run, empty without matplotlib."""
    if find_spec("matplotlib") is None:
        present = {
            label: sorted(p.name for p in folder.glob(f"*-{slug(label)}.svg")) for label in results["runs"]
        }
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


def _style(name: str) -> dict[str, Any]:
    return (
        {"color": _OURS_COLOR, "linewidth": 2.4, "zorder": 5}
        if name == OURS
        else {"linewidth": 1.1, "alpha": 0.85}
    )


def _recall(run: Run) -> Any:
    """Draw far recall against the tokens that are really kept, a line a system."""
    if "fidelity" not in run:
        return None
    figure, axes = _figure("What is kept of what is needed from far back", "tokens kept", "distant recall")
    lines: dict[str, list[tuple[float, float]]] = {}
    for budget, systems in run["fidelity"]["budgets"].items():
        for name, row in systems.items():
            if row["distant"] is not None and row["size"]:
                lines.setdefault(name, []).append((row["size"] * int(budget), row["distant"]))
    order = sorted(lines, key=lambda name: -max(y for _, y in lines[name]))
    axes.set_prop_cycle(color=_COLORS)
    for name in order[:_MOST_NAMED] + [n for n in order[_MOST_NAMED:] if n == OURS]:
        points = sorted(lines[name])
        axes.plot(*zip(*points, strict=True), marker="o", markersize=4, label=name, **_style(name))
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _cost(run: Run) -> Any:
    """Draw recall against cost in the replay, a point a system."""
    if "replay" not in run:
        return None
    figure, axes = _figure(
        f"Replay in a window of {run['replay']['window']:,}",
        "cost, of sending everything (prompt caching)",
        "recall at each call",
    )
    for name, row in run["replay"]["systems"].items():
        if row["cost"] is not None and row["recall"] is not None:
            style = (
                {"color": _OURS_COLOR, "zorder": 5} if name == OURS else {"color": "#34495e", "alpha": 0.8}
            )
            axes.scatter(row["cost"], row["recall"], s=28, **style)
            axes.annotate(
                name, (row["cost"], row["recall"]), xytext=(4, 3), textcoords="offset points", fontsize=7
            )
    return figure


def _time(run: Run) -> Any:
    """Draw time against size: each cut of ours and the strongest others."""
    points = run.get("fidelity", {}).get("seconds_each", {})
    if OURS not in points:
        return None
    figure, axes = _figure("Time of one compaction", "tokens before", "milliseconds")
    systems = run["fidelity"]["budgets"][max(run["fidelity"]["budgets"], key=int)]
    order = sorted((n for n in points if n in systems), key=lambda n: -(systems[n]["distant"] or 0))[:6]
    for name in dict.fromkeys([OURS, *order]):
        xs, ys = zip(
            *((x, max(y / 1000, 0.01)) for x, y in points[name][:: -(-len(points[name]) // _MOST_POINTS)]),
            strict=True,
        )
        style = {"color": _OURS_COLOR, "zorder": 5} if name == OURS else {"alpha": 0.5}
        axes.scatter(xs, ys, s=8, label=name, **style)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
