"""From a framework's items to wire messages, and back from what is sent to the very items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from memory.conversation import Form, parse_messages

Item = TypeVar("Item")
Values = Sequence[Mapping[str, Any]]
Place = tuple[int, int]
Known = dict[int, tuple[Mapping[str, Any], Place | None]]
"""By the identity of a changed message: itself, and which message of which item it was; None: it is new."""


class Part(NamedTuple):
    """One wire message of what is sent: which of its item's it is, None where it is new, and if it was changed."""

    value: Mapping[str, Any]
    place: int | None
    changed: bool


@dataclass(frozen=True, slots=True)
class Writing(Generic[Item]):
    """How a framework's items become wire messages, and come back where one was changed or is new.

    Attributes:
        form: the wire form.
        write: item -> its wire messages, none for what is not for the model.
        rebuild: item (None: a new one) and the parts of it that are sent -> an item.
    """

    form: Form
    write: Callable[[Item], Values]
    rebuild: Callable[[Item | None, Sequence[Part]], Item]


def rejoined(
    items: Sequence[Item], wires: Sequence[Values], sent: Values, writing: Writing[Item], known: Known
) -> list[Item]:
    """Make items of what is sent: one for each run of messages of one item, unchanged ones the very objects.

    What changed messages were is told by the ids of their calls and results; a compaction's messages are the same
    objects in every view, so each is looked up once and `known` from then on.
    """
    places = {id(value): (i, k) for i, wire in enumerate(wires) for k, value in enumerate(wire)}
    changed = [value for value in sent if id(value) not in places]
    if any(id(value) not in known or known[id(value)][0] is not value for value in changed):
        here = {id(value) for value in sent}
        gone = [value for wire in wires for value in wire if id(value) not in here]
        by_ids = {ids: places[id(value)] for value in reversed(gone) if (ids := _ids(value, writing.form))}
        now = {id(value): (value, by_ids.get(_ids(value, writing.form))) for value in changed}
        known.clear()
        known.update(now)
    runs: list[tuple[int | None, list[Part]]] = []
    for value in sent:
        kept = places.get(id(value))
        at = kept or known[id(value)][1]
        part = Part(value, at[1] if at else None, kept is None)
        if at and runs and runs[-1][0] == at[0] and (runs[-1][1][-1].place or 0) < at[1]:
            runs[-1][1].append(part)
        else:
            runs.append((at[0] if at else None, [part]))
    return [
        items[i]
        if i is not None and len(parts) == len(wires[i]) and not any(part.changed for part in parts)
        else writing.rebuild(None if i is None else items[i], parts)
        for i, parts in runs
    ]


def _ids(value: Mapping[str, Any], form: Form) -> tuple[tuple[str, str], ...]:
    message = parse_messages([value], form)[0]
    asked = [("call", part.call_id) for part in message.calls if part.call_id]
    return (*asked, *(("result", part.call_id) for part in message.results if part.call_id))
