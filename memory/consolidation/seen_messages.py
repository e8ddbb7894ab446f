"""Which messages have been read before: by content and order, never by their place in a list.

A history that is sent again, lost its head to a compaction or was cut back to an earlier turn tells nothing
new. A message that repeats earlier words after others were said ("use 3001", "use 4000", "use 3001") does: the
messages of a list are matched in order against those that were read, and what has no match is new.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from memory.conversation import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAME_LENGTH = 16
"""Characters of a message's digest that name it here: 64 bits, a collision in about 10^9 messages."""


def name_of(message: Message) -> str | None:
    """Return the short name of a message; None where its content can't be named (cyclic, absurdly deep)."""
    try:
        return message.digest[:NAME_LENGTH]
    except (ValueError, TypeError, RecursionError):
        return None


class Sightings:
    """The messages read so far.

    Attributes:
        told: short names of the messages in which a person or a memory tool call said something, in order.
    """

    def __init__(self, told: Iterable[str] = ()) -> None:
        self.told = list(told)
        self._others: set[str] = set()
        self._latest: list[tuple[object, object, int]] = []
        self._latest_told: list[tuple[int, str]] = []
        self._index()

    def open(self, values: Sequence[object]) -> Reading:
        """Begin to read a list: what it shares with the head of the latest list is passed over at once.

        About 0.1 microseconds a message where the objects are the same as last time, a comparison of their
        contents where they are copies. Of an object that was changed in place, a new `content` and a list of
        another length are seen; a change deep inside is not.
        """
        if not self._latest:
            return Reading(self, values, 0, -1)
        start = 0
        for (old, content, size), value in zip(self._latest, values, strict=False):
            new = value.raw if isinstance(value, Message) else value
            if not _unchanged(old, content, size) or not (new is old or _same(new, old)):
                break
            start += 1
        cursor = -1
        for at, name in self._latest_told:
            if at >= start:
                break
            place = self.next_place(name, cursor)
            cursor = cursor if place is None else place
        return Reading(self, values, start, cursor)

    def next_place(self, name: str, after: int) -> int | None:
        """Return where a message stands for the first time after a place in `told`; None where it does not."""
        places = self._places.get(name)
        if places is None:
            return None
        at = bisect_right(places, after)
        return places[at] if at < len(places) else None

    def know_other(self, name: str) -> bool:
        """Take in a message that told nothing; return whether it was unknown."""
        if name in self._others:
            return False
        self._others.add(name)
        return True

    def close(
        self, values: Sequence[object], start: int, added: list[tuple[int, str]], told: list[tuple[int, str]]
    ) -> None:
        """Keep what a reading found.

        Args:
            values: the list that was read.
            start: how much of it was the same as in the latest list.
            added: new messages with the place in `told` they come after, in order.
            told: place in `values` and name of every telling message from `start` on.
        """
        if added:
            if added[0][0] == len(self.told) - 1:
                for _, name in added:
                    self._places.setdefault(name, []).append(len(self.told))
                    self.told.append(name)
            else:
                self._insert(added)
        del self._latest[start:]
        self._latest += [_print_of(value) for value in values[start:]]
        self._latest_told = [pair for pair in self._latest_told if pair[0] < start] + told

    def _insert(self, added: list[tuple[int, str]]) -> None:
        merged: list[str] = []
        at = 0
        for after, name in added:
            merged += self.told[at : after + 1]
            at = after + 1
            merged.append(name)
        self.told = merged + self.told[at:]
        self._index()

    def _index(self) -> None:
        self._places: dict[str, list[int]] = {}
        for place, name in enumerate(self.told):
            self._places.setdefault(name, []).append(place)


class Reading:
    """One walk over a list of messages, in order.

    Attributes:
        start: index of the first message that is not the same as in the latest list.
    """

    def __init__(self, sightings: Sightings, values: Sequence[object], start: int, cursor: int) -> None:
        self.start = start
        self._sightings = sightings
        self._values = values
        self._cursor = cursor
        self._added: list[tuple[int, str]] = []
        self._told: list[tuple[int, str]] = []

    def is_new(self, at: int, name: str, *, telling: bool) -> bool:
        """Tell whether the message at an index of the list is new; asked once for each, in order.

        Args:
            at: its index.
            name: its short name.
            telling: it holds something that memories are made from.
        """
        if not telling:
            return self._sightings.know_other(name)
        self._told.append((at, name))
        place = self._sightings.next_place(name, self._cursor)
        if place is None:
            self._added.append((self._cursor, name))
            return True
        self._cursor = place
        return False

    def close(self) -> None:
        """Keep what was read; without it the list counts as never seen."""
        self._sightings.close(self._values, self.start, self._added, self._told)


def _print_of(value: object) -> tuple[object, object, int]:
    """What is remembered of a value: its raw object, and what shows that it was changed in place."""
    raw = value if type(value) is dict else value.raw if isinstance(value, Message) else value
    content: Any = raw.get("content") if type(raw) is dict else None
    return raw, content, len(content) if type(content) is list else -1


def _unchanged(value: object, content: object, size: int) -> bool:
    if type(value) is not dict:
        return True
    now: object = value.get("content")
    return now is content and (type(now) is not list or len(now) == size)


def _same(new: object, old: object) -> bool:
    if type(new) is not type(old):
        return False
    try:
        return bool(new == old)
    except (ValueError, TypeError, RecursionError):
        return False
