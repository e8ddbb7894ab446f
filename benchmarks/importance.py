"""Importance: does the score of a message predict that it is needed later?

Two questions. `referenced`: at the cuts of `fidelity`, which messages before the cut hold a name or a run of 8 word
tokens that the agent uses in its next 12 messages (those that at most five messages before the cut hold).
`durable`: which labelled messages hold something that must be remembered.

For both presets of weights, for each signal by itself, and for the default without it: ROC-AUC (0.5 is chance) and
precision among the first ten, within each cut, then the mean over cuts. Beside stand weights fitted to both questions
(steps of five from the documented ones, each of which must pay), measured on sessions and persons left out of the fit:
what such weights are worth, and whether the default has it.

usage: python -m benchmarks.importance [--sessions DIR] [--labels FILE] [--quick]
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.about import SEEDS
from benchmarks.figures import Figures, mean, table
from benchmarks.options import Options, parse_options, save
from benchmarks.sessions import cuts_of
from benchmarks.texts import copied_after, count_tokens, names_in, needed_after, runs_in, text_of
from condense.compaction import MEASURED, PRESETS, SEED, calculate_message_importance, score_all_messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.sessions import Session
    from benchmarks.texts import Message
    from condense.compaction import MessageImportanceScore

_RARE = 5
_FIRST = 10
_LEAST = 16_000
_FOLDS = 4
_STEP = 5
_MOST = 30
_PRICE = 0.0008
"""Gain in AUC that a step of five points away from the documented weight must bring (chosen)."""

NAMED = tuple(
    replace(signal, weight=1, reason=f"{signal.name}: {{}}")
    for signal in {signal.name: signal for signal in (*SEED, *MEASURED)}.values()
)
"""Every signal of both presets, one point each time it counts, with a reason that begins with its name."""


@dataclass(frozen=True)
class Sheet:
    """Messages of one place: how often each signal counts in them, and whether they were needed.

    Attributes:
        group: the session or person they are of; folds never share one.
        counts: by signal, one row a message.
        needed: one a message.
        recency, length: what needs no score: place in the conversation, tokens.
    """

    group: str
    counts: list[dict[str, int]]
    needed: list[bool]
    recency: list[float]
    length: list[float]


def counts_of(score: MessageImportanceScore) -> dict[str, int]:
    """Return how often each signal counts in a message, by name."""
    found = (reason.partition(": ") for reason in score.reasons)
    return {name: int(rest.rpartition("(")[2].rstrip(")")) for name, _, rest in found}


def ranked(sheet: Sheet, weights: Mapping[str, float]) -> list[float]:
    """Return the score of each message by some weights, uncut so that ties stay few."""
    return [sum(weights.get(name, 0) * count for name, count in row.items()) for row in sheet.counts]


def weights_of(preset: str) -> dict[str, float]:
    """Return the weights of a preset by name."""
    return {signal.name: float(signal.weight) for signal in PRESETS[preset]}


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
                        [counts_of(score) for score in scores],
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
    """Return labelled messages, place unknown, and which of them hold something durable; one sheet a person."""
    sheets: dict[str, Sheet] = {}
    for number, row in enumerate(rows):
        text = str(row["text"])
        score = calculate_message_importance(
            {"role": "user", "content": text}, count_tokens=count_tokens, signals=NAMED
        )
        group = str(row.get("group", number))
        sheet = sheets.setdefault(group, Sheet(group, [], [], [], []))
        sheet.counts.append(counts_of(score))
        sheet.needed.append(bool(row["memories"]))
        sheet.recency.append(float(number))
        sheet.length.append(float(score.token_count))
    return list(sheets.values())


def joined(sheets: Sequence[Sheet]) -> Sheet:
    """Return the messages of sheets as one."""
    return Sheet(
        "all",
        [row for s in sheets for row in s.counts],
        [flag for s in sheets for flag in s.needed],
        [place for s in sheets for place in s.recency],
        [size for s in sheets for size in s.length],
    )


def table_of(sheets: Sequence[Sheet]) -> dict[str, Figures]:
    """Return the measures of both presets, of the parts of the default, and of the plain alternatives."""
    found = {
        f"{preset} weights": _measured((s, ranked(s, weights_of(preset))) for s in sheets) for preset in PRESETS
    }
    weights = weights_of("measured")
    for name in weights:
        rest = {other: weight for other, weight in weights.items() if other != name}
        found[f"without {name}"] = _measured((s, ranked(s, rest)) for s in sheets)
    for name in (signal.name for signal in NAMED):
        found[f"{name} alone"] = _measured((s, ranked(s, {name: 1})) for s in sheets)
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


def fitted(referenced: Sequence[Sheet], durable: Sequence[Sheet]) -> dict[str, float]:
    """Fit weights by coordinate ascent on the mean of both AUCs, from the documented ones, in steps of five."""
    start = weights_of("seed")
    weights = {signal.name: start.get(signal.name, 0.0) for signal in NAMED}
    whole = joined(durable)

    def value(tried: Mapping[str, float]) -> float:
        moved = sum(abs(tried[name] - start.get(name, 0.0)) for name in tried) / _STEP
        found = (_area(referenced, tried) + _area([whole], tried)) / 2
        return found - _PRICE * moved

    best = value(weights)
    for name in weights:
        for weight in range(-_MOST, _MOST + 1, _STEP):
            tried = {**weights, name: float(weight)}
            if (reached := value(tried)) > best + 1e-9:
                best, weights = reached, tried
    return weights


def _area(sheets: Sequence[Sheet], weights: Mapping[str, float]) -> float:
    return mean(a for s in sheets if (a := auc(ranked(s, weights), s.needed)) is not None) or 0.0


def cross_validated(referenced: Sequence[Sheet], durable: Sequence[Sheet]) -> dict[str, object]:
    """Return weights fitted on everything, and the AUCs of fitted weights where they were not fitted."""
    sessions, persons = ({s.group for s in sheets} for sheets in (referenced, durable))
    if min(len(sessions), len(persons)) < 2 * _FOLDS:
        return {}
    held: list[dict[str, float]] = []
    for fold in range(_FOLDS):
        out = {*_fold(sessions, fold), *_fold(persons, fold)}
        weights = fitted([s for s in referenced if s.group not in out], [s for s in durable if s.group not in out])
        left = [s for s in referenced if s.group in out], [joined([s for s in durable if s.group in out])]
        row = {"referenced": _area(left[0], weights), "durable": _area(left[1], weights)}
        for preset in PRESETS:
            row |= {
                f"referenced {preset}": _area(left[0], weights_of(preset)),
                f"durable {preset}": _area(left[1], weights_of(preset)),
            }
        held.append(row)
    return {
        "held_out": {name: mean(row[name] for row in held) for name in held[0]},
        "folds": _FOLDS,
        "sessions": len(sessions),
        "persons": len(persons),
        "weights": fitted(referenced, durable),
    }


def _fold(groups: Iterable[str], fold: int) -> list[str]:
    order = sorted(groups)
    random.Random(SEEDS["cross-validation"]).shuffle(order)  # noqa: S311  # folds
    return order[fold::_FOLDS]


def run(options: Options) -> dict[str, object]:
    """Measure the sessions and labels of the options; return what goes into `results.json`."""
    sessions = options.load()
    least = _LEAST if any(s.tokens > 2 * _LEAST for s in sessions) else 4_000
    sheets = referenced_sheets(sessions, 1 if options.quick else 2, least)
    durable = durable_sheets(options.labelled())
    found: dict[str, dict[str, Figures]] = {
        "referenced": table_of(sheets),
        "durable": table_of([joined(durable)]),
    }
    for question, figures in found.items():
        rows: list[list[object]] = [
            [name, row["auc"], row["precision_at_10"], row["base_rate"], row["n"]] for name, row in figures.items()
        ]
        print(f"\n{question}")
        print(table(["", "AUC", "precision@10", "base rate", "n"], rows))
    reweighted = cross_validated(sheets[::2], durable) if not options.quick else {}
    if reweighted:
        print("\nfitted weights, on sessions and persons they were not fitted on:", reweighted["held_out"])
        print(reweighted["weights"])
    return {
        **found,
        "fitted": reweighted,
        "messages": sum(len(s.needed) for s in sheets),
        "labelled": sum(len(s.needed) for s in durable),
        "weights": {preset: weights_of(preset) for preset in PRESETS},
    }


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "importance", run(options))


if __name__ == "__main__":
    main()
