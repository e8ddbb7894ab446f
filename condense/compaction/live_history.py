"""Follow one growing conversation: only what is new is read and counted, whatever the length of the rest."""

from __future__ import annotations

from copy import deepcopy
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from condense.compaction.validity import violations
from condense.ledger import digest_chain
from memory.conversation import Form, FormReading, Message, Role, count_message, parse_messages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import TokenCounter


class Tracked:
    """A conversation seen before and seen again, usually a little longer.

    Attributes:
        messages: it, parsed.
        tokens: of each message.
        form: the wire form it is read in: as far as the messages show it, so it may turn out to be another.
        turned: how often the history changed behind us (rewind, branch, edit), or its form did.
    """

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self._copies: list[Any] = []
        self._sums: list[int] = [0]
        self._chain: list[str] = []
        self._shown = FormReading()
        self.messages: list[Message] = []
        self.tokens: list[int] = []
        self.form = self._shown.form
        self.turned = 0

    def follow(self, values: Sequence[Message | Mapping[str, Any]], form: Form | None = None) -> int:
        """Take in the history as it is now and return how many of its messages are new.

        Cost: linear in what is new; a comparison with copies for the rest, which also shows what was changed in place
        (texts are compared by identity; 1 ms for 4,000 messages).

        Args:
            values: the whole history.
            form: its form where the caller knows it.

        Raises:
            WireError: a message that does not fit its form; what was known before still is.
        """
        same = self._common(values)
        if same < len(self._copies):
            self._forget(same)
        shown = self._shown.after(values[same:], same)
        wanted = form or shown.form
        if wanted is not self.form and self.messages:
            self._forget(0)
            same = 0
        fresh = parse_messages(values[same:], wanted, first=same)
        tokens = [count_message(message, self._count) for message in fresh]
        self._shown, self.form = shown, wanted
        self._copies += map(_copied, values[same:])
        self.messages += fresh
        self.tokens += tokens
        self._sums += list(accumulate(tokens, initial=self._sums[-1]))[1:]
        return len(fresh)

    def _forget(self, start: int) -> None:
        """Go back to the first `start` messages."""
        self.turned += 1
        del self._copies[start:], self.messages[start:], self.tokens[start:], self._sums[start + 1 :]
        del self._chain[start:]
        self._shown = FormReading().after(self._copies)

    def _common(self, values: Sequence[Any]) -> int:
        """How many messages are still what they were when they were read; what only decorates may differ."""
        known = self._copies
        n = min(len(known), len(values))
        head = values[:n]
        if known[:n] == (head if isinstance(head, list) else list(head)):
            return n
        for i in range(n):
            if known[i] == values[i]:
                continue
            old, new = (parse_messages([value], self.form, first=i)[0] for value in (known[i], values[i]))
            if old.digest != new.digest:
                return i
            known[i], self.messages[i] = _copied(values[i]), new
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


def _copied(value: Any) -> Any:
    """Copy a value as far as it could be changed in place; what cannot be is shared, so that comparing is quick."""
    if isinstance(value, dict):
        return {key: _copied(held) for key, held in value.items()}
    if isinstance(value, list):
        return list(map(_copied, value))
    return deepcopy(value) if hasattr(type(value), "model_dump") else value


def awaits_results(messages: Sequence[Message]) -> bool:
    """Say whether the newest calls are not all answered yet: such a history cannot be sent, and soon goes on."""
    at = len(messages)
    answered: set[str | None] = set()
    while at and messages[at - 1].results:
        at -= 1
        answered.update(part.call_id for part in messages[at].results)
    while at and messages[at - 1].calls:
        at -= 1
        if any(part.call_id not in answered for part in messages[at].calls):
            return True
        if messages[at].form is not Form.OPENAI_RESPONSES:
            break
    return False


def continues_well(messages: Sequence[Message], start: int) -> bool:
    """Say whether the messages from `start` on continue a valid history; looks back one turn at most."""
    while start > 0 and messages[start - 1].results:
        start -= 1
    while start > 0 and messages[start - 1].role is Role.ASSISTANT:
        start -= 1
    found = violations(messages[start:]) if start < len(messages) else ()
    return all(v.rule == "first-role" and start > 0 for v in found)
