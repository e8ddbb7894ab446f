"""Which messages have been read before: by content and order, never by their place in a list.

The messages of a list are matched in order against those that were read; what has no match is new. So a history that is
sent again or shortened tells nothing new, but a message that repeats earlier words after others were said does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """The messages read so far. A list is read by `open`, `is_new` for each message in order, `close`.

    `told` are short names of the messages in which a person or a memory tool call said something, in order.
    """

    def __init__(self, told: Iterable[str] = ()) -> None:
        self.told = list(told)
        self._others: set[str] = set()
        self._latest: list[tuple[object, str]] = []  # the latest list; names of what told something
        self._cursor = -1
        self._added: list[tuple[int, str]] = []
        self._telling: dict[int, str] = {}

    def open(self, values: Sequence[object]) -> int:
        """Begin to read a list; return how much of its head is the same as in the latest list.

        Of an object that was changed in place, new values and a `content` of another length are seen; deeper changes
        aren't.
        """
        self._cursor, self._added, self._telling = -1, [], {}
        start = 0
        for (old, name), value in zip(self._latest, values, strict=False):
            if not _same(_raw(value), old):
                break
            start += 1
            place = self._place_of(name) if name else None
            self._cursor = self._cursor if place is None else place
        return start

    def is_new(self, at: int, name: str, *, telling: bool) -> bool:
        """Tell whether the message at an index of the list is new; `telling` ones hold what memories are made from."""
        if not telling:
            new = name not in self._others
            self._others.add(name)
            return new
        self._telling[at] = name
        place = self._place_of(name)
        if place is None:
            self._added.append((self._cursor, name))
            return True
        self._cursor = place
        return False

    def close(self, values: Sequence[object], start: int) -> None:
        """Keep what was read of a list from `start` on; without it the list counts as never seen."""
        told: list[str] = []
        at = 0
        for after, name in self._added:
            told += [*self.told[at : after + 1], name]
            at = after + 1
        self.told = told + self.told[at:]
        fresh = enumerate(values[start:], start)
        self._latest[start:] = [(_kept(_raw(value)), self._telling.get(at, "")) for at, value in fresh]

    def _place_of(self, name: str) -> int | None:
        try:
            return self.told.index(name, self._cursor + 1)
        except ValueError:
            return None


def _raw(value: object) -> object:
    return value.raw if isinstance(value, Message) else value


def _kept(raw: object) -> object:
    """A shallow copy of a message: equal to it as long as nothing of it is replaced, added or removed."""
    if type(raw) is not dict:
        return raw
    content: object = raw.get("content")
    return {**raw, "content": [*content]} if type(content) is list else {**raw}


def _same(new: object, old: object) -> bool:
    try:
        return type(new) is type(old) and bool(new == old)
    except (ValueError, TypeError, RecursionError):
        return False
