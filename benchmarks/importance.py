"""Importance: does the score of a message predict that it is needed later?

Two questions. `referenced`: at the cuts of `fidelity`, which messages before the cut hold a name or a run of 8 word
tokens that the agent uses in its next 12 messages (those that at most five messages before the cut hold).
`durable`: which labelled messages hold something that must be remembered.

For the score, for each signal by itself, and for the score without it: ROC-AUC (0.5 is chance) and precision among the
first ten, within each cut, then the mean over cuts. Weights fitted by logistic regression stand beside, tested on
sessions that they were not fitted on; the documented ones stay the preset `seed`.

usage: python -m benchmarks.importance [--sessions DIR] [--labels FILE] [--quick]
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.figures import Figures, mean, table
from benchmarks.options import Options, parse_options, save
from benchmarks.sessions import cuts_of
from benchmarks.texts import copied_after, count_tokens, names_in, needed_after, runs_in, text_of
from condense.scoring import calculate_message_importance, score_all_messages
from condense.signals import SEED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.sessions import Session
    from benchmarks.texts import Message
    from condense.scoring import MessageImportanceScore

_RARE = 5
_FIRST = 10
_LEAST = 16_000
_FOLDS = 5
_STEPS = 120
_RATE = 0.5
_WEIGHT_SCALE = 20.0

NAMED = tuple(replace(signal, reason=f"{signal.name}: {{}}") for signal in SEED)
"""The documented signals, whose reasons begin with their names, so that points can be told apart."""

_POINTS = re.compile(r"\A([^:]+):.*\(([+-]\d+)\)\Z", re.DOTALL)


@dataclass(frozen=True)
class Sheet:
    """Messages of one place: the points each signal gave them, and whether they were needed.

    Attributes:
        group: the session they are of; folds never share one.
        points: by signal, one row a message.
        needed: one a message.
        recency, length: what needs no score: place in the conversation, tokens.
    """

    group: str
    points: list[dict[str, int]]
    needed: list[bool]
    recency: list[float]
    length: list[float]


def points_of(score: MessageImportanceScore) -> dict[str, int]:
    """Return what each signal gave, by name."""
    found = (_POINTS.match(reason) for reason in score.reasons)
    return {match.group(1): int(match.group(2)) for match in found if match}


def total_of(points: dict[str, int], without: str | None = None) -> float:
    """Return the documented score, 0 to 100, left unclipped above so that ties stay few."""
    return sum(value for name, value in points.items() if name != without)


def auc(values: Sequence[float], needed: Sequence[bool]) -> float | None:
    """Return the chance that a needed message is ranked above another one; ties count half."""
    positive = sum(needed)
    negative = len(needed) - positive
    if not positive or not negative:
        return None
    ordered = sorted(zip(values, needed, strict=True))
    total = rank = 0.0
    i = 0
    while i < len(ordered):
        j = i
        while j < len(ordered) and ordered[j][0] == ordered[i][0]:
            j += 1
        rank = (i + j + 1) / 2
        total += rank * sum(flag for _, flag in ordered[i:j])
        i = j
    return (total - positive * (positive + 1) / 2) / (positive * negative)


def precision_at(values: Sequence[float], needed: Sequence[bool], first: int = _FIRST) -> float | None:
    """Return the share of needed messages among the first; of ties the later message counts first."""
    if not any(needed):
        return None
    order = sorted(range(len(values)), key=lambda i: (-values[i], -i))[:first]
    return sum(needed[i] for i in order) / len(order)


def referenced_sheets(sessions: Iterable[Session], cuts: int, least: int = _LEAST) -> list[Sheet]:
    """Return the messages before each cut, and which of them are used after it."""
    sheets = []
    for session in sessions:
        for cut in cuts_of(session.messages, cuts, least):
            prefix = session.messages[:cut]
            needed = _referenced(session.messages, cut)
            if any(needed):
                scores = score_all_messages(prefix, count_tokens, signals=NAMED)
                sheets.append(
                    Sheet(
                        session.name,
                        [points_of(score) for score in scores],
                        needed,
                        [float(i) for i in range(cut)],
                        [float(score.token_count) for score in scores],
                    )
                )
    return sheets


def _referenced(messages: Sequence[Message], cut: int) -> list[bool]:
    names = set(needed_after(messages, cut))
    runs = copied_after(messages, cut)
    held: list[set[str | int]] = []
    for message in messages[:cut]:
        text = text_of(message)
        held.append({*(names & set(names_in(text))), *(runs & runs_in(text))})
    common = Counter(item for one in held for item in one)
    return [any(common[item] <= _RARE for item in one) for one in held]


def durable_sheets(rows: Iterable[dict[str, object]]) -> list[Sheet]:
    """Return labelled messages, and which of them hold something durable; one sheet, place unknown."""
    points, needed, length = [], [], []
    for row in rows:
        text = str(row["text"])
        score = calculate_message_importance(
            {"role": "user", "content": text}, count_tokens=count_tokens, signals=NAMED
        )
        points.append(points_of(score))
        needed.append(bool(row["memories"]))
        length.append(float(score.token_count))
    return [Sheet("labels", points, needed, [float(i) for i in range(len(points))], length)]


def table_of(sheets: Sequence[Sheet]) -> dict[str, Figures]:
    """Return the measures of the score, of its parts, and of the plain alternatives."""
    found = {"score": _measured((s, [total_of(p) for p in s.points]) for s in sheets)}
    for name in (signal.name for signal in SEED):
        alone = _measured((s, [float(p.get(name, 0)) for p in s.points]) for s in sheets)
        rest = _measured((s, [total_of(p, name) for p in s.points]) for s in sheets)
        found[f"{name} alone"], found[f"score without {name}"] = alone, rest
    found["recency alone"] = _measured((s, s.recency) for s in sheets)
    found["length alone"] = _measured((s, s.length) for s in sheets)
    return found


def _measured(ranked: Iterable[tuple[Sheet, Sequence[float]]]) -> Figures:
    pairs = list(ranked)
    areas = [area for s, values in pairs if (area := auc(values, s.needed)) is not None]
    firsts = [p for s, values in pairs if (p := precision_at(values, s.needed)) is not None]
    return {
        "auc": mean(areas),
        "precision_at_10": mean(firsts),
        "base_rate": mean(sum(s.needed) / len(s.needed) for s, _ in pairs),
        "n": len(areas),
    }


def fitted(sheets: Sequence[Sheet]) -> dict[str, float]:
    """Fit weights by logistic regression with mild shrinkage; every sheet weighs the same."""
    names = [signal.name for signal in SEED]
    scale = {signal.name: float(signal.weight) for signal in SEED}
    weights = dict.fromkeys(names, 0.0)
    bias = 0.0
    rows = [
        ([(name, value / scale[name]) for name, value in p.items()], needed, 1 / len(s.needed))
        for s in sheets
        for p, needed in zip(s.points, s.needed, strict=True)
    ]
    whole = sum(part for _, _, part in rows) or 1.0
    for _ in range(_STEPS):
        slope = dict.fromkeys(names, 0.0)
        slope_bias = 0.0
        for found, needed, part in rows:
            z = bias + sum(weights[name] * value for name, value in found)
            miss = (1 / (1 + math.exp(-max(-30.0, min(30.0, z)))) - needed) * part
            slope_bias += miss
            for name, value in found:
                slope[name] += miss * value
        bias -= 4 * _RATE * slope_bias / whole
        for name in names:
            weights[name] -= 4 * _RATE * (slope[name] / whole + 0.001 * weights[name])
    return {name: weights[name] * _WEIGHT_SCALE for name in names}


def _weighed(sheet: Sheet, weights: dict[str, float]) -> list[float]:
    scale = {signal.name: signal.weight for signal in SEED}
    return [sum(weights[n] * v / scale[n] for n, v in p.items()) for p in sheet.points]


def cross_validated(sheets: Sequence[Sheet]) -> dict[str, object]:
    """Return weights fitted on everything, and the measures of weights on sessions they were not fitted on."""
    groups = sorted({s.group for s in sheets})
    if len(groups) < _FOLDS:
        return {}
    held: list[tuple[Sheet, Sequence[float]]] = []
    for fold in range(_FOLDS):
        out = set(groups[fold::_FOLDS])
        weights = fitted([s for s in sheets if s.group not in out])
        held += [(s, _weighed(s, weights)) for s in sheets if s.group in out]
    return {"held_out": _measured(held), "weights": fitted(sheets)}


def run(options: Options) -> dict[str, object]:
    """Measure the sessions and labels of the options; return what goes into `results.json`."""
    sessions = options.load()
    least = _LEAST if any(s.tokens > 2 * _LEAST for s in sessions) else 4_000
    sheets = referenced_sheets(sessions, 1 if options.quick else 2, least)
    found: dict[str, object] = {
        "referenced": table_of(sheets),
        "durable": table_of(durable_sheets(options.labelled())),
    }
    for question in ("referenced", "durable"):
        rows: list[list[object]] = [
            [name, row["auc"], row["precision_at_10"], row["base_rate"], row["n"]]
            for name, row in found[question].items()  # type: ignore[attr-defined]  # tables of figures
        ]
        print(f"\n{question}")
        print(table(["", "AUC", "precision@10", "base rate", "n"], rows))
    reweighted = cross_validated(sheets)
    if reweighted:
        print("\nfitted weights, on sessions they were not fitted on:", reweighted["held_out"])
        print({name: round(value) for name, value in reweighted["weights"].items()})  # type: ignore[attr-defined]
    return found | {"fitted": reweighted, "seed": {signal.name: signal.weight for signal in SEED}}


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "importance", run(options))


if __name__ == "__main__":
    main()
