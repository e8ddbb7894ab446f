"""What holds on, told from what passes by its words: messages of one short line, and answers to a question.

A statement has no word that says it holds on ("money in cents"); what tells it from an order of the moment is how
it is put. Weighed are its words, pairs of neighbours, and threes where they are Chinese or Japanese, beside the
evidence that other clauses are weighed by. Every word in both tables comes from messages that were written for the
fit; people's real messages only moved the weights (`benchmarks.fit statements`).
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from memory.conversation import LazyPattern
from memory.extraction.cue_tables import read_table

if TYPE_CHECKING:
    from collections.abc import Iterable

BIAS = "bias"
"""The name in the tables of what is added to all."""
DURABLE, DURABLE_ANSWER, DURABLE_CHOICE, DURABLE_VALUE = 0.65, 0.7, 0.5, 0.15
"""How likely a short message must hold on to be kept for that; an answer; one to a question that a tool put; and one
that names a known sort of value (chosen on messages left out)."""
LASTING = 0.93
"""How likely a short message must hold on to hold beyond its task (chosen on sessions, by what they would share)."""
LONGEST_RUN, LONGEST_WEIGHED = 3, 1200
"""Words that are weighed together, and characters of a text that are weighed, from its end (chosen)."""

FAR = 30.0  # logits beyond which nothing changes
_WORD = LazyPattern(r"[^\W\d_\u2e80-\uffff]+(?:['’][a-z]+)?|\d+|[\u2e80-\uffff]|[^\w\s]")
_FIRST_WIDE = "\u2e80"
_QUESTION = LazyPattern(r"[^.!?。！？\n]{0,300}[?？]")


def runs_of(text: str, mark: str = "") -> set[str]:
    """Return the words of a text and their runs, in lower case, each behind `mark`; numbers are all alike."""
    words = [word if not word[0].isdigit() else "#" for word in _WORD.findall(text[-LONGEST_WEIGHED:].lower())]
    row = ["^", *words, "$"]
    found = {mark + word for word in words}
    for size in range(2, LONGEST_RUN + 1):
        for run in zip(*(row[at:] for at in range(size)), strict=False):
            if size == 2 or any(word > _FIRST_WIDE for word in run):  # noqa: PLR2004
                found.add(mark + " ".join(run))
    return found


def runs_of_answer(question: str, answer: str) -> set[str]:
    """Return the runs of an answer, of what was said before it, and of the last question in that."""
    asked = _QUESTION.findall(question)
    found = runs_of(answer, "a:") | runs_of(question, "q:") | runs_of(asked[-1] if asked else "", "l:")
    return found | {f"length:{min(len(_WORD.findall(answer)), 8)}"}


def durable_of(evidence: Iterable[str], strength: float, text: str) -> float:
    """Return how likely a short message says what holds on, 0 to 1, by its evidence, strength and words."""
    names = {BIAS, *map("=".__add__, evidence), *runs_of(text)}
    return _chance("statements.txt", names, math.log(strength / (1 - strength)))


def durable_answer(question: str, answer: str) -> float:
    """Return how likely an answer to what was said before it decides something that holds on, 0 to 1."""
    return _chance("answers.txt", {BIAS, *runs_of_answer(question, answer)})


def _chance(table: str, names: Iterable[str], logit: float = 0.0) -> float:
    weights = weights_in(table)
    known = logit + sum(weights.get(name, 0) for name in names) / 100
    return 1 / (1 + math.exp(-max(-FAR, min(FAR, known))))


@cache
def weights_in(table: str) -> dict[str, int]:
    """Return the weights of a table, in hundredths of a logit: rows of a weight and all that has it, between tabs."""
    rows = (line.split("\t") for line in read_table(table).splitlines())
    return {name: int(row[0]) for row in rows for name in row[1:]}


def table_of(weights: dict[str, int], width: int = 116) -> str:
    """Return the text of a table of weights, as `weights_in` reads it."""
    found: list[str] = []
    for weight in sorted(set(weights.values())):
        row = str(weight)
        for name in sorted(name for name, one in weights.items() if one == weight):
            if len(row) + len(name) >= width and "\t" in row:
                found.append(row)
                row = str(weight)
            row += f"\t{name}"
        found.append(row)
    return "\n".join(found) + "\n"
