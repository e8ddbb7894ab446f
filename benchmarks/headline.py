"""The headline: one compact table, open sessions beside held-out ones, for the README; all systems for the docs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from benchmarks import verdicts
from benchmarks.markdown import bold, rows_of
from benchmarks.systems import OURS, baselines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    Run = dict[str, Any]

SHOWN = "8000"
"""Tokens of the one budget in the README."""
HELD_OUT = "held_out.json"
"""File beside the results: figures of sessions that whoever works on the code has never seen; kept by hand."""
_COLUMNS = {
    "recall": "recall",
    "distant": "distant",
    "copy": "copies",
    "far_copy": "far copies",
    "user": "typed",
}
_OTHERS = 6


def largest_of(results: Run) -> Run:
    """Return the run of most sessions."""
    return max(results["runs"].values(), key=lambda run: (run.get("about") or {}).get("sessions", 0))


def held_out_of(folder: Path) -> Run | None:
    """Return the held-out figures that stand beside the results in a folder; None where there are none."""
    place = folder / HELD_OUT
    return json.loads(place.read_text(encoding="utf-8")) if place.exists() else None


def readme_of(results: Run, folder: str, root: Path) -> str:
    """Return the headline in Markdown.

    Args:
        results: all runs; the one of most sessions is shown.
        folder: where results and held-out figures are, as the README links them.
        root: the README's folder.
    """
    return "\n".join(_lines(largest_of(results), held_out_of(root / folder), folder))


def side_by_side(run: Run, held: Run | None, budget: str, names: list[str]) -> str:
    """Return systems at one budget, each cell a run's figure and the held-out one."""
    sets = [run["fidelity"]["budgets"][budget]]
    sets += [held["budgets"][budget]["systems"]] if held and budget in held["budgets"] else []
    rows = [
        [
            bold(name) + (" †" if verdicts.is_over(sets[0][name]) else ""),
            *(" / ".join(_two(one.get(name, {}).get(measure)) for one in sets) for measure in _COLUMNS),
            " / ".join(str(one.get(name, {}).get("broke", "–")) for one in sets),
        ]
        for name in names
    ]
    return rows_of(["", *_COLUMNS.values(), "made invalid"], rows)


def cells_of(run: Run, held: Run | None, budget: str) -> str:
    """Say in a sentence what stands in the cells of such a table."""
    places = max(row["n"] for row in run["fidelity"]["budgets"][budget].values())
    said = f"{run['about']['sessions']} open sessions ({places} places)"
    if held and budget in held["budgets"]:
        said += f" / {held['sessions']} held-out sessions ({held['budgets'][budget]['n']} places)"
    return f"Compacted to {int(budget):,} tokens. Each cell: {said}.\n"


def _lines(run: Run, held: Run | None, folder: str) -> Iterator[str]:
    budgets = run["fidelity"]["budgets"]
    budget = SHOWN if SHOWN in budgets else max(budgets, key=int)
    yield cells_of(run, held, budget)
    yield side_by_side(run, held, budget, [OURS, *best_others(budgets, [budget])])
    yield _EXPLAINED.format(folder=folder)
    if said := behind_of(run, held, budget):
        yield said
    yield from _not_shown(budgets, [budget])


_EXPLAINED = """\
Of what the agent went on to use: names (recall), names from far back (distant), runs of 8 words repeated verbatim
(copies, far copies). Typed: what the person typed, still there word for word. The best way to compact of each system is
shown; [the report]({folder}/REPORT.md) has all of them.
"""


def best_others(budgets: Mapping[str, Mapping[str, Run]], shown: list[str]) -> list[str]:
    """Return the best way of each other system by distant recall, best first; only those that keep to the budget."""
    plain = {system.name for system in baselines()}
    value = {
        name: sum(budgets[b][name]["distant"] or 0.0 for b in shown)
        for name in budgets[shown[0]]
        if name != OURS and all(name in budgets[b] and not verdicts.is_over(budgets[b][name]) for b in shown)
    }
    best: dict[str, str] = {}
    for name in sorted(value, key=lambda n: -value[n]):
        best.setdefault("plain" if name in plain else name.split()[0].rstrip(","), name)
    return list(best.values())[:_OTHERS]


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def behind_of(run: Run, held: Run | None, budget: str) -> str:
    """Say in which measures another system is ahead of ours, on open and on held-out sessions; "" where in none."""
    sets = {"open": run["fidelity"]["budgets"][budget]}
    if held and budget in held["budgets"]:
        sets["held out"] = held["budgets"][budget]["systems"]
    found = [
        f"{title}, {name} ({other} {_two(value)})"
        for name, systems in sets.items()
        for title, (other, value) in verdicts.standing(systems).behind.items()
    ]
    return f"Where another is ahead: {'; '.join(found)}.\n" if found else ""


def _not_shown(budgets: Mapping[str, Mapping[str, Run]], shown: list[str]) -> Iterator[str]:
    over = sorted({n for b in shown for n, row in budgets[b].items() if verdicts.is_over(row)})
    if over:
        yield f"Not shown, since they leave more than 5 % over the budget on average: {'; '.join(over)}.\n"
