"""Verdicts: where ours is ahead of every peer at the same size, and where not. Computed, so that neither is hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import number
from benchmarks.systems import OURS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MEASURES = {
    "recall": "recall",
    "distant": "distant recall",
    "copy": "copies",
    "far_copy": "far copies",
    "user": "typed messages",
}
"""What is compared, as the report calls it."""

SLOWEST = 10.0
"""Times the fastest peer with half our distant recall that ours may take."""

_OVER = 1.05
_SAME = 0.0005


@dataclass
class Standing:
    """How ours stands at one budget.

    Attributes:
        ahead, level: measures in which no other is better; level where one is as good.
        behind: measure -> the best other and its value.
    """

    ahead: list[str] = field(default_factory=list)
    level: list[str] = field(default_factory=list)
    behind: dict[str, tuple[str, float]] = field(default_factory=dict)


def is_over(row: Mapping[str, Any]) -> bool:
    """Tell whether a system keeps so badly to the budget that it cannot be compared at that size."""
    return (row["size"] or 0.0) > _OVER


def standing(systems: Mapping[str, Mapping[str, Any]]) -> Standing:
    """Compare ours with every system that keeps to the budget, at one budget."""
    mine = systems[OURS]
    others = {n: row for n, row in systems.items() if n != OURS and not is_over(row)}
    found = Standing()
    for measure, title in MEASURES.items():
        own = mine[measure] or 0.0
        best = max(others, key=lambda n: others[n][measure] or 0.0, default=None)
        reached = (others[best][measure] or 0.0) if best is not None else 0.0
        if best is not None and reached > own + _SAME:
            found.behind[title] = (best, reached)
        else:
            (found.level if best is not None and reached > own - _SAME else found.ahead).append(title)
    fewest = min(others, key=lambda n: others[n]["broke"], default=None)
    if mine["broke"]:
        if fewest is not None and others[fewest]["broke"] < mine["broke"]:
            found.behind["validity"] = (fewest, float(others[fewest]["broke"]))
    else:
        found.level.append("validity (no output invalid)")
    return found


def pace(systems: Mapping[str, Mapping[str, Any]]) -> tuple[str, float] | None:
    """Return the fastest peer that reaches half our distant recall, and how many times as long ours takes."""
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
    """Yield a paragraph for each budget, in Markdown."""
    for budget, systems in sorted(run["fidelity"]["budgets"].items(), key=lambda item: int(item[0])):
        if OURS not in systems:
            continue
        others = sum(not is_over(row) for row in systems.values()) - 1
        yield f"**{int(budget):,} tokens**, against {others} others that keep to the budget:\n"
        found = standing(systems)
        if found.ahead:
            yield f"- ahead in {', '.join(found.ahead)};"
        if found.level:
            yield f"- level in {', '.join(found.level)};"
        for title, (name, value) in found.behind.items():
            measure = next((m for m, t in MEASURES.items() if t == title), "broke")
            yield f"- **behind in {title}**: {number(systems[OURS][measure])}, {name} has {number(value)};"
        yield _pace_line(systems) + _over_line(systems[OURS])


def _pace_line(systems: Mapping[str, Mapping[str, Any]]) -> str:
    found = pace(systems)
    if found is None:
        return "- time: no other reaches half its distant recall.\n"
    name, times = found
    verdict = "within" if times <= SLOWEST else "**not within**"
    return (
        f"- time: {times:.1f} times that of {name}, the fastest that reaches half its distant recall "
        f"({verdict} the {SLOWEST:.0f} times we allow ourselves).\n"
    )


def _over_line(mine: Mapping[str, Any]) -> str:
    return f"- **over the budget** at {mine['over']} of {mine['n']} cuts.\n" if mine["over"] else ""
