"""Outputs that say again what an earlier one still says: replaced by a line that names it, before they are sent.

Safe at once: the text was never sent, so no cached prefix breaks; the earlier output stands whole in the same view.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from condense.reading import content_handle
from memory.conversation import Message, PartKind, canonical_json, count_message, replace_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import TokenCounter

SMALL = 200
"""Outputs below this many tokens are left alone: the line would cost what it saves. Chosen."""
LINE = "[the same output, word for word, as that of call {call} above; {handle}]"


class Echoes:
    """Which messages of a growing conversation repeat an output; a decision once made stays, so views stay stable."""

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self._first: dict[bytes, tuple[int, str]] = {}
        self._made: dict[int, Message] = {}
        self._saved: dict[int, int] = {}

    def notice(self, messages: Sequence[Message], start: int, since: int) -> None:
        """Look at the messages from `start` on; earlier outputs count where they stand at or after `since`."""
        for known in [i for i in self._made if i >= start]:
            del self._made[known], self._saved[known]
        self._first = {k: v for k, v in self._first.items() if v[0] < start}
        for i in range(start, len(messages)):
            self._look(messages[i], i, since)

    def _look(self, message: Message, index: int, since: int) -> None:
        changes = {}
        for k, part in enumerate(message.parts):
            if part.kind is not PartKind.TOOL_RESULT or self._count(part.text) < SMALL:
                continue
            name = blake2b(part.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            earlier = self._first.get(name)
            if earlier is None or earlier[0] < since:
                self._first[name] = (index, part.call_id or "")
            else:
                line = LINE.format(call=earlier[1], handle=content_handle(canonical_json(message.raw)))
                changes[k] = replace(part, text=line)
        if changes:
            made = replace_parts(message, changes)
            self._made[index] = made
            self._saved[index] = count_message(message, self._count) - count_message(made, self._count)

    def since(self, start: int) -> Mapping[int, Message]:
        """The replaced messages from `start` on, by index."""
        return {i: m for i, m in self._made.items() if i >= start}

    def saved(self, start: int) -> int:
        """Tokens saved from `start` on."""
        return sum(tokens for i, tokens in self._saved.items() if i >= start)
