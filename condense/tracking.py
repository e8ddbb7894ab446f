"""Follow one growing conversation: only what is new is read and counted, whatever the length of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense.checking import violations
from condense.histories import digest_chain
from memory.messages import Role
from memory.tokens import count_message
from memory.wire import parse_messages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.messages import Message
    from memory.tokens import TokenCounter


class Tracked:
    """A conversation seen before and seen again, usually a little longer.

    Attributes:
        messages: it, parsed.
        tokens: of each message.
        turned: how often the history changed behind us (rewind, branch, edit).
    """

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self._values: list[Any] = []
        self._sums: list[int] = [0]
        self._chain: list[str] = []
        self.messages: list[Message] = []
        self.tokens: list[int] = []
        self.turned = 0

    def follow(self, values: Sequence[Message | Mapping[str, Any]]) -> int:
        """Take in the history as it is now and return how many of its messages are new.

        Cost: linear in what is new; a comparison by identity for the rest (microseconds a thousand messages).

        Raises:
            WireError: a message that does not fit its form.
        """
        same = self._common(values)
        if same < len(self._values):
            self.turned += 1
            del self._values[same:], self.messages[same:], self.tokens[same:], self._sums[same + 1 :]
            del self._chain[same:]
        fresh = list(values[same:])
        form = self.messages[0].form if self.messages else None
        self._values += fresh
        for message in parse_messages(fresh, form) if fresh else ():
            self.messages.append(message)
            self.tokens.append(count_message(message, self._count))
            self._sums.append(self._sums[-1] + self.tokens[-1])
        return len(fresh)

    def _common(self, values: Sequence[Any]) -> int:
        known = self._values
        n = min(len(known), len(values))
        head = values[:n]
        if known[:n] == (head if isinstance(head, list) else list(head)):
            return n
        for i in range(n):
            if known[i] is values[i] or known[i] == values[i]:
                continue
            again = parse_messages([values[i]], self.messages[i].form)[0]
            if again.digest != self.messages[i].digest:
                return i
            known[i] = values[i]
            self.messages[i] = again
        return n

    def size(self, start: int = 0) -> int:
        """Tokens of the messages from `start` on; constant time."""
        return self._sums[-1] - self._sums[start]

    def digest(self, length: int) -> str:
        """Name the first `length` messages; linear in what was not named before."""
        done = len(self._chain)
        if done < length:
            self._chain += digest_chain(self.messages[done:length], self._chain[-1] if self._chain else "")
        return self._chain[length - 1] if length else ""


def continues_well(messages: Sequence[Message], start: int) -> bool:
    """Say whether the messages from `start` on continue a valid history; looks back one turn at most."""
    while start > 0 and messages[start - 1].results:
        start -= 1
    while start > 0 and messages[start - 1].role is Role.ASSISTANT:
        start -= 1
    found = violations(messages[start:]) if start < len(messages) else ()
    return all(v.rule == "first-role" and start > 0 for v in found)
