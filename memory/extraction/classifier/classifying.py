"""Weighing evidence: how likely a clause is worth keeping, what type it is, how much it matters, whether it stands."""

from __future__ import annotations

import math
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING

from memory.entries import MemoryPriority, MemoryType
from memory.extraction.classifier.weights import BIAS, TYPE_BIAS, TYPE_ORDER, strength_weights, type_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

THRESHOLDS = {"few": 0.64, "mid": 0.4, "many": 0.36}
"""Strength from which a clause is kept (measured: close to the best F1, with noise under 0.25, on people left out)."""

RUN_SHARE = 0.5
"""How much the items of one list agree on their type (measured)."""


class _Packed(dict[str, int]):
    """Weights by evidence, each row packed in one number; nought for evidence without weights.

    Rows are added by adding their numbers: strength and the types, in `TYPE_ORDER`, take 16 bits each.
    """

    def __missing__(self, name: str) -> int:
        return 0


_FIELD = 16
_FIELDS = Struct(f"<{1 + len(TYPE_ORDER)}H")
_NOUGHT = 1 << (_FIELD - 1)
"""What is added to each field of a sum, so that none is negative."""


def _pack(strength: int, types: Iterable[int]) -> int:
    return sum(weight << (_FIELD * at) for at, weight in enumerate((strength, *types)))


_BIAS = _pack(BIAS + _NOUGHT, [bias + _NOUGHT for bias in TYPE_BIAS])


@cache
def _packed_weights(size: str) -> _Packed:
    """The weights of a message of one size."""
    strengths, types = strength_weights(size), type_weights()
    none = (0,) * len(TYPE_ORDER)
    return _Packed(
        (name, _pack(strengths.get(name, 0), types.get(name, none)))
        for name in strengths.keys() | types.keys()
    )


def weigh(evidence: Iterable[str], size: str) -> int:
    """Add the weights of a clause's evidence; `strength_of` and `type_scores` read the sum."""
    return sum(map(_packed_weights(size).__getitem__, evidence), _BIAS)


def strength_of(weighed: int) -> float:
    """Return how likely a clause is worth keeping, 0 to 1, from what `weigh` says of it."""
    total = weighed % (1 << _FIELD) - _NOUGHT
    return 1 / (1 + math.exp(-total / 100))


def type_scores(weighed: int) -> list[int]:
    """Return what speaks for each type, in `TYPE_ORDER`, in hundredths of a logit, from what `weigh` says."""
    _, *types = _FIELDS.unpack(weighed.to_bytes(_FIELDS.size, "little"))
    return [score - _NOUGHT for score in types]


def best_type(own: Sequence[float], run: Sequence[Sequence[float]] = ()) -> MemoryType:
    """Return the type that has most in its favour: for the clause itself and, by half, for its whole list."""
    if len(run) > 1:
        mean = [sum(column) / len(run) for column in zip(*run, strict=True)]
        own = [(1 - RUN_SHARE) * a + RUN_SHARE * b for a, b in zip(own, mean, strict=True)]
    return TYPE_ORDER[own.index(max(own))]


_INSTRUCTION, _CONTEXT, _DECISION = (
    MemoryType.USER_INSTRUCTION,
    MemoryType.PROJECT_CONTEXT,
    MemoryType.TECHNICAL_DECISION,
)
_HIGH, _MEDIUM, _CRITICAL = MemoryPriority.HIGH, MemoryPriority.MEDIUM, MemoryPriority.CRITICAL
_HARD = frozenset(("cue:must", "cue:never", "cue:keep", "cue:only", "has:capitals"))
_NO_SENTENCE = frozenset(("question", "bold-only", "bare-name", "ends:colon"))
_STANDING = frozenset(("cue:from-now-on", "cue:remember"))
_STANDING_TYPES = (MemoryType.CONFIGURATION, _CONTEXT)


def priority_of(evidence: set[str], kind: MemoryType) -> MemoryPriority:
    """Return how much it would hurt to lose a clause, from its evidence and type.

    Prohibitions and obligations that lead the clause or shout are critical; facts, what is optional, and items of
    long lists that order nothing are medium; everything else is high.
    """
    if "lead:permission" in evidence:
        return _MEDIUM
    if kind is _INSTRUCTION and _NO_SENTENCE.isdisjoint(evidence):
        if "has:capitals" in evidence and ("cue:never" in evidence or "cue:only" in evidence):
            return _CRITICAL
        if "lead:never" in evidence or "lead:must" in evidence:
            return _CRITICAL
    if kind is _CONTEXT:
        return _MEDIUM
    if "long-run" in evidence and _HARD.isdisjoint(evidence) and kind is _INSTRUCTION:
        return _MEDIUM
    return _HIGH


def stands(evidence: set[str], kind: MemoryType) -> bool:
    """Tell whether a clause holds beyond the task at hand: settings, facts, and what is said to hold from now on.

    Decisions stand when they name a technology.
    """
    if kind in _STANDING_TYPES or not _STANDING.isdisjoint(evidence):
        return True
    return kind is _DECISION and "has:tech" in evidence
