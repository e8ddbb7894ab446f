"""When to compact and how far, in the words of LangChain's middleware: tokens, messages, shares of the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Size = tuple[str, float]
Clause = Mapping[str, float]
Trigger = Size | Clause | list[Size | Clause]

FULL, SHARE, LEAST, WORTH = 0.8, 0.44, 2_000, 1.1
"""Share of the room that triggers, and that a target has at most; share of the trigger that a compaction leaves (where
messages alone trigger, of what there is, but not less than so many tokens); how much more there must be.  Chosen."""


class Limits:
    """A trigger and a target, checked: a `ValueError` names what is wrong.

    Args:
        trigger: a pair of a kind ("tokens", "messages", "fraction") and a number; a dict of such, which must all hold;
            or a list of these, any of which is enough.
        keep: a pair; of messages, how many of the newest stay as they are, else the same as `target`.
        target: tokens, or a pair of another kind than messages; None: a share of the trigger.
    """

    def __init__(self, trigger: Trigger, keep: Size | None, target: int | Size | None) -> None:
        self._clauses = _clauses(trigger)
        kind, number = _sized("keep", keep) if keep is not None else ("messages", 0)
        self.keep = int(number) if kind == "messages" else 0
        if target is None and kind != "messages":
            target = (kind, number)
        pair = ("tokens", target) if isinstance(target, int) else target
        self._target: Clause = dict([_sized("target", pair, ("tokens", "fraction"))] if pair else ())

    def aim(self, said: int, number: int, room: int, counted: int | None = None) -> int:
        """Return what `said` tokens of `number` messages should come down to now, 0 where they may stay.

        `room` is what the window leaves them; `counted`, what they are by the counter that triggers go by.
        """
        counted = said if counted is None else counted
        limits = [(clause.get("messages", 0), _tokens(clause, room)) for clause in self._clauses]
        met = [tokens for least, tokens in limits if number >= least and counted >= tokens]
        if not met and said <= room:
            return 0
        aim = _tokens(self._target, room)
        if not aim:
            aim = int(SHARE * min(met)) if any(met) else max(LEAST, int(SHARE * said))
        aim = min(aim, int(FULL * room))
        return aim if said > WORTH * aim else 0


def _clauses(trigger: Any) -> list[Clause]:
    clauses: list[Clause] = []
    for item in trigger if isinstance(trigger, list) else [trigger]:
        pairs = item.items() if isinstance(item, Mapping) else [item] if isinstance(item, tuple) else None
        if not pairs:
            raise ValueError(f"trigger: {item!r} should be a pair or a dict, such as ('tokens', 50_000)")
        clauses.append(dict(_sized("trigger", pair) for pair in pairs))
    return clauses


def _sized(name: str, size: Any, kinds: tuple[str, ...] = ("tokens", "fraction", "messages")) -> Size:
    kind, value = size if isinstance(size, tuple) and len(size) == 2 else (None, size)  # noqa: PLR2004  # a pair
    if kind not in kinds:
        raise ValueError(f"{name}: {size!r} should be a pair, its first {' or '.join(map(repr, kinds))}")
    whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
    if not (isinstance(value, int | float) and 0 < value <= 1 if kind == "fraction" else whole):
        right = "above 0 and at most 1" if kind == "fraction" else "a whole number above 0"
        raise ValueError(f"{name}: {value!r} of {kind!r} should be {right}")
    return kind, value


def _tokens(clause: Clause, room: int) -> int:
    """Return the most tokens that a clause names, 0 where it names none."""
    return max(int(clause.get("tokens", 0)), int(clause.get("fraction", 0) * room))
