"""The headline: one compact table and one plot of the largest run, for the README."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks import plots, verdicts
from benchmarks.markdown import bold, rows_of
from benchmarks.native import NATIVE
from benchmarks.systems import OURS, baselines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    Run = dict[str, Any]

_BUDGETS = ("8000", "16000")
_COLUMNS = {
    "recall": "recall",
    "distant": "distant",
    "copy": "copies",
    "far_copy": "far copies",
    "user": "typed",
}
_OTHERS = 6


def readme_of(results: Run, folder: str, root: Path) -> str:
    """Return the headline in Markdown.

    Args:
        results: all runs; the one of most sessions is shown.
        folder: where the plots are, as the README links them.
        root: the README's folder.
    """
    label, run = max(
        results["runs"].items(), key=lambda item: (item[1].get("about") or {}).get("sessions", 0)
    )
    return "\n".join(_lines(run, f"{folder}/recall-{plots.slug(label)}.svg", root))


def _lines(run: Run, picture: str, root: Path) -> Iterator[str]:
    budgets = run["fidelity"]["budgets"]
    shown = [b for b in _BUDGETS if b in budgets] or [max(budgets, key=int)]
    sizes = " / ".join(f"{int(b):,}" for b in shown)
    cuts = " / ".join(str(max(row["n"] for row in budgets[b].values())) for b in shown)
    replayed = (run.get("replay") or {}).get("systems", {})
    yield f"Each cell: compacted to {sizes} tokens ({cuts} places of {run['about']['sessions']} sessions).\n"
    rows = [
        [
            bold(name),
            *(_pair(budgets, shown, name, measure) for measure in _COLUMNS),
            " / ".join(str(budgets[b][name]["broke"]) for b in shown),
            _two(replayed.get(name, {}).get("cost")),
            _two(replayed.get(name, {}).get("recall")),
        ]
        for name in [OURS, *best_others(budgets, shown)]
    ]
    yield rows_of(["", *_COLUMNS.values(), "made invalid", "replay: cost", "replay: recall"], rows)
    yield _EXPLAINED
    yield from _behind(budgets, shown)
    yield from _native(run)
    over = sorted({n for b in shown for n, row in budgets[b].items() if verdicts.is_over(row)})
    if over:
        yield f"Not shown, since they leave more than 5 % over the budget on average: {'; '.join(over)}.\n"
    if (root / picture).exists():
        yield f"![distant recall against tokens kept]({picture})\n"


_EXPLAINED = """\
Of what the agent went on to use: names (recall), those from far back (distant), runs of 8 words repeated verbatim
(copies, far copies); typed: what the person typed, word for word. Replay: played call by call with prompt caching
billed, cost relative to sending everything. The best way to compact of each system stands here; all of them, how it is
measured, and the plots of cost and time: [benchmarks/results/REPORT.md](benchmarks/results/REPORT.md).
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


def _pair(budgets: Mapping[str, Mapping[str, Run]], shown: list[str], name: str, measure: str) -> str:
    return " / ".join(_two(budgets[b][name][measure]) for b in shown)


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _behind(budgets: Mapping[str, Mapping[str, Run]], shown: list[str]) -> Iterator[str]:
    found = [
        f"{title} at {int(b):,} ({name} {_two(value)})"
        for b in shown
        for title, (name, value) in verdicts.standing(budgets[b]).behind.items()
    ]
    if found:
        yield f"Where another is ahead: {'; '.join(found)}.\n"


def _native(run: Run) -> Iterator[str]:
    rows = (run.get("native") or {}).get("own")
    if rows and OURS in rows:
        theirs, mine = rows[NATIVE], rows[OURS]
        copies = (
            f", {_two(mine['copy'])} against {_two(theirs['copy'])} of the copies" if mine["n_copy"] else ""
        )
        n = mine["n"]
        yield (
            f"Where an agent compacted itself with a model ({n} such place{'s' if n > 1 else ''}), at the size of its "
            f"summary ({theirs['tokens']:,.0f} tokens): {_two(mine['recall'])} against {_two(theirs['recall'])} of the "
            f"names{copies}.\n"
        )
