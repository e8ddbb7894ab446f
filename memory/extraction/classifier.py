"""Weighing evidence: how likely a clause is worth keeping, what type it is, how much it matters, whether it stands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from memory.entries import MemoryPriority, MemoryType
from memory.extraction import weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set as AbstractSet

TYPE_ORDER = tuple(MemoryType)
BIAS = "bias"
"""The name in the tables of what speaks for a clause before anything is known of it."""
THRESHOLDS = dict(weights.THRESHOLDS)
RUN_SHARE = 0.5
"""How much the items of one list agree on their type (measured)."""


def rows_of(table: str) -> dict[str, tuple[int, ...]]:
    """Read a table of weights, "name number number ... name number ...", in hundredths of a logit."""
    found: dict[str, list[int]] = {}
    row: list[int] = []
    for word in table.split():
        if word.lstrip("-").isdigit():
            row.append(int(word))
        else:
            row = found.setdefault(word, [])
    return {name: tuple(numbers) for name, numbers in found.items()}


STRENGTH_WEIGHTS, TYPE_WEIGHTS = rows_of(weights.STRENGTH), rows_of(weights.TYPES)


def strength_of(evidence: Iterable[str], size: str) -> float:
    """Return how likely a clause is worth keeping, 0 to 1, by its evidence and its message's size ("few" to "many")."""
    names = (BIAS, *evidence)
    rows = map(STRENGTH_WEIGHTS.get, (*names, *map(f"{size}/".__add__, names)))
    known = sum(row[0] for row in filter(None, rows))
    return 1 / (1 + math.exp(-known / 100))


def type_scores(evidence: AbstractSet[str]) -> list[int]:
    """Say what the evidence tells of each type in `TYPE_ORDER`, in hundredths of a logit; no error without trouble."""
    rows = [TYPE_WEIGHTS[name] for name in (BIAS, *evidence) if name in TYPE_WEIGHTS]
    scores = [sum(column) for column in zip(*rows, strict=True)]
    if len(scores) == len(TYPE_ORDER) and _TROUBLE.isdisjoint(evidence):
        scores[TYPE_ORDER.index(MemoryType.IMPORTANT_ERROR)] = min(scores)
    return scores


def best_type(own: Sequence[float], run: Sequence[Sequence[float]] = ()) -> MemoryType:
    """Return the type that has most in its favour: for the clause itself and, by half, for its whole list."""
    if len(run) > 1:
        mean = [sum(column) / len(run) for column in zip(*run, strict=True)]
        own = [(1 - RUN_SHARE) * a + RUN_SHARE * b for a, b in zip(own, mean, strict=True)]
    return TYPE_ORDER[own.index(max(own))]


_INSTRUCTION, _CONTEXT = MemoryType.USER_INSTRUCTION, MemoryType.PROJECT_CONTEXT
_HIGH, _MEDIUM, _CRITICAL = MemoryPriority.HIGH, MemoryPriority.MEDIUM, MemoryPriority.CRITICAL
_HARD = frozenset(("cue:must", "cue:never", "cue:keep", "cue:only", "has:capitals"))
_NO_SENTENCE = frozenset(("question", "bold-only", "bare-name", "ends:colon"))
_TROUBLE = frozenset(("cue:broken", "cue:error", "has:exception"))
_STANDING = frozenset(("cue:from-now-on", "cue:remember"))
_STANDING_TYPES = (MemoryType.CONFIGURATION, _CONTEXT)


def priority_of(evidence: set[str], kind: MemoryType) -> MemoryPriority:
    """Return how much it would hurt to lose a clause: critical where it binds first or loudly, medium for facts."""
    if "lead:permission" in evidence:
        return _MEDIUM
    if kind is _INSTRUCTION and _NO_SENTENCE.isdisjoint(evidence):
        shouted = "has:capitals" in evidence and not evidence.isdisjoint(("cue:never", "cue:only"))
        if shouted or not evidence.isdisjoint(("lead:never", "lead:must")):
            return _CRITICAL
    if kind is _CONTEXT:
        return _MEDIUM
    if "long-run" in evidence and _HARD.isdisjoint(evidence) and kind is _INSTRUCTION:
        return _MEDIUM
    return _HIGH


def stands(evidence: set[str], kind: MemoryType) -> bool:
    """Tell whether a clause holds beyond the task: settings, facts, what does from now on, chosen technologies."""
    if kind in _STANDING_TYPES or not _STANDING.isdisjoint(evidence):
        return True
    return kind is MemoryType.TECHNICAL_DECISION and "has:tech" in evidence
