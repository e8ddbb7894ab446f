"""Verdicts: where ours is ahead of every peer at the same size, and where not. Computed, so that neither is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.markdown import number
from benchmarks.systems import OURS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MEASURES = ("recall", "distant", "copy", "far_copy", "user")
SLOWEST = 10.0
"""Times the fastest peer with half our far recall that ours may take."""

_OVER = 1.05


def is_over(row: Mapping[str, Any]) -> bool:
    """Tell whether a system keeps so badly to the budget that it cannot be compared at that size."""
    return (row["size"] or 0.0) > _OVER


def behind(systems: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield where a system within the budget does better than ours, at one budget."""
    mine = systems[OURS]
    others = {n: row for n, row in systems.items() if n != OURS and not is_over(row)}
    for measure in MEASURES:
        better = {
            n: row[measure] for n, row in others.items() if (row[measure] or 0.0) > (mine[measure] or 0.0)
        }
        if better:
            best = max(better, key=lambda n: better[n])
            yield f"{measure.replace('_', ' ')}: {best} {number(better[best])}, ours {number(mine[measure])}"
    fewer = {n: row["broke"] for n, row in others.items() if row["broke"] < mine["broke"]}
    if fewer:
        best = min(fewer, key=lambda n: fewer[n])
        yield f"invalid output: {best} {fewer[best]}, ours {mine['broke']}"
    if mine["over"]:
        yield f"over the budget: ours at {mine['over']} of {mine['n']} cuts"


def pace(systems: Mapping[str, Mapping[str, Any]]) -> tuple[str, float] | None:
    """Return the fastest peer that reaches half our far recall, and how many times as long ours takes."""
    mine = systems[OURS]
    able = {
        n: row["ms_per_100k"]
        for n, row in systems.items()
        if n != OURS and not is_over(row) and (row["distant"] or 0.0) >= (mine["distant"] or 0.0) / 2
    }
    if not able or not mine["ms_per_100k"]:
        return None
    fastest = min(able, key=lambda n: able[n])
    return fastest, mine["ms_per_100k"] / able[fastest]


def verdict_lines(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each budget, in Markdown."""
    for budget, systems in sorted(run["fidelity"]["budgets"].items(), key=lambda item: int(item[0])):
        if OURS not in systems:
            continue
        found = list(behind(systems))
        within = sum(not is_over(row) for row in systems.values()) - 1
        lead = "**not ahead** in " + "; ".join(found) if found else "ahead in all measures"
        yield f"- {int(budget):,} tokens, against {within} others within the budget: {lead}. {_pace_line(systems)}"
    yield ""


def _pace_line(systems: Mapping[str, Mapping[str, Any]]) -> str:
    found = pace(systems)
    if found is None:
        return "No other reaches half its far recall."
    name, times = found
    verdict = "within" if times <= SLOWEST else "**not within**"
    return (
        f"Takes {number(times)} times as long as {name}, the fastest with half its far recall "
        f"({verdict} {SLOWEST:.0f})."
    )
