"""A growing conversation seen through its compactions, with hysteresis: nothing happens below the trigger."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from condense.compaction.validity import repair, violations
from condense.costs import compaction_saves, expected_remaining_calls
from condense.errors import ViewError
from condense.ledger import digest_chain
from memory.conversation import Form, FormReading, Message, Role, count_message, parse_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from condense.compaction.plans import CompactionRecord, Condensation
    from condense.config import CondenseConfig
    from condense.errors import Swallowed
    from memory.conversation import TokenCounter

    Due = bool | Callable[[int, int], int] | None

RESERVE = COOLDOWN = 0.05
"""Share of the window in which a compaction no longer waits until it pays; share by which the history grows before the
next is tried after one that could not be made; chosen."""


class Tracked:
    """A conversation seen again, a little longer: messages, their tokens, the wire `form` they show so far."""

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self._copies: list[Any] = []
        self._chain: list[str] = []
        self._shown = FormReading()
        self.messages: list[Message] = []
        self.tokens: list[int] = []
        self.form = self._shown.form

    def follow(self, values: Sequence[Message | Mapping[str, Any]], form: Form | None) -> int:
        """Take in the whole history as it is now; return from which message on it is new or another.

        Linear in what is new, the rest is compared with copies. After a `WireError` what was known before still is.
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
        return same

    def _forget(self, start: int) -> None:
        for kept in (self._copies, self.messages, self.tokens, self._chain):
            del kept[start:]
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

    def leads_to(self, values: Sequence[Any]) -> bool:
        """Say whether all that was read still begins this history."""
        return self._common(values) == len(self._copies)

    def digest(self, length: int) -> str:
        """Name the first `length` messages; linear in what was not named before."""
        done = len(self._chain)
        if done < length:
            self._chain += digest_chain(self.messages[done:length], self._chain[-1] if self._chain else "")
        return self._chain[length - 1] if length else ""


class LiveView:
    """The state behind `Condenser.view`: the conversation so far, and the records of its compactions."""

    def __init__(
        self,
        config: CondenseConfig,
        count: TokenCounter,
        condense: Callable[..., Condensation],
        swallowed: Swallowed,
    ) -> None:
        self._config = config
        self._condense = condense
        self._swallowed = swallowed
        self._count = count
        self._tracked = Tracked(count)
        self._sizes: dict[str, int] = {}
        self.records: list[CompactionRecord] = []
        self._mending = False
        self._wait_until = 0
        self._calls = 0

    def continues(self, values: Sequence[Any]) -> bool:
        """Say whether a history goes on from what was seen last."""
        return self._tracked.leads_to(values)

    def undo(self) -> CompactionRecord | None:
        """Drop the newest record; the history is left alone until it has grown a little."""
        if not self.records:
            return None
        self._wait_until = int(sum(self._tracked.tokens) * (1 + COOLDOWN))
        return self.records.pop()

    def step(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        form: Form | None = None,
        *,
        overhead: int = 0,
        keep: int = 0,
        due: Due = None,
    ) -> Sequence[Any]:
        """Take the history in and return what to send; `ViewError` where that is not valid.  See `Condenser.view`."""
        tracked = self._tracked
        known = len(tracked.messages)
        start = tracked.follow(messages, form)
        if start < known:
            self._mending, start = False, 0
        self._calls += start < len(tracked.messages)
        # once something is out of order, every view is mended
        self._mending = self._mending or not _continues_well(tracked.messages, start)
        record = self._record()
        size = sum(tracked.tokens[record.length if record else 0 :]) + self._size(record)
        number = len(messages) - (record.length - len(record.pieces) if record else 0)
        aim = self._aim(size, number, overhead, due=due)
        if aim and not _awaits_results(tracked.messages):
            record = self._compacted(size, aim, overhead, keep) or record
        return self._assembled(messages, record, form)

    def _record(self) -> CompactionRecord | None:
        """Return the record that stands for most of the history; the newest of several."""
        tracked, known = self._tracked, len(self._tracked.messages)
        found = [r for r in self.records if r.length <= known and tracked.digest(r.length) == r.digest]
        return max(reversed(found), key=lambda record: record.length, default=None)

    def _size(self, record: CompactionRecord | None) -> int:
        """Count what stands in the place of a record's prefix."""
        if record is None:
            return 0
        if record.id not in self._sizes:
            made = parse_messages(
                [piece.made for piece in record.pieces if piece.made is not None], Form(record.form)
            )
            kept = (self._tracked.tokens[piece.kept] for piece in record.pieces if piece.kept is not None)
            self._sizes[record.id] = sum(count_message(message, self._count) for message in made) + sum(kept)
        return self._sizes[record.id]

    def _aim(self, size: int, number: int, overhead: int, *, due: Due) -> int:
        """Return the tokens to come down to now, 0 where there is nothing to be done; `number` messages would go."""
        config = self._config
        budget = config.budget
        size += overhead
        aim = due(size, number) if callable(due) else budget.target
        if size > budget.window:
            return aim or budget.target
        if size - overhead <= self._wait_until or due is False:
            return 0
        if callable(due):
            return aim
        if due:
            return aim if size > aim else 0
        if size <= budget.trigger:
            return 0
        if not config.weigh_costs or size > (1 - RESERVE) * budget.window:
            return aim
        calls = expected_remaining_calls(self._calls)
        return aim if compaction_saves(size, aim, calls, config.rates) > 0 else 0

    def _compacted(self, size: int, aim: int, overhead: int, keep: int) -> CompactionRecord | None:
        """Compact what was tracked; where that fails, say so and wait until there is a little more."""
        done = self._condense(self._tracked.messages, target=aim, overhead=overhead, keep=keep)
        if done.record is not None and done.new_context_tokens - overhead < size:
            self.records.append(done.record)
            return done.record
        self._wait_until = int(size * (1 + COOLDOWN))
        reason = done.error or f"it would leave {done.new_context_tokens} tokens"
        error = ViewError(f"{size} tokens are above the trigger, and no compaction was made: {reason}")
        error.__cause__ = done.cause
        self._swallowed.keep(error)
        return None

    def _assembled(
        self, messages: Sequence[Message | Mapping[str, Any]], record: CompactionRecord | None, form: Form | None
    ) -> Sequence[Any]:
        """Put together what to send, and check it as somebody would who sees nothing else: its form is told anew."""
        if record is None and not self._mending:
            return messages
        values = [*record.replacement(messages), *messages[record.length :]] if record else messages
        read = isinstance(messages[0], Message)
        parsed = parse_messages(values, self._tracked.form if read else form)
        mended, notes = repair(parsed)
        broken = violations(mended) if notes else ()
        if broken:
            if record is not None:
                self.records.remove(record)
            raise ViewError(f"nothing valid to send: {broken[0].rule} at {broken[0].index}: {broken[0].detail}")
        if mended is parsed and record is None:
            return messages
        return as_they_came(mended, parsed, values, read=read)


def as_they_came(
    messages: Sequence[Message], parsed: Sequence[Message], values: Sequence[Any], *, read: bool
) -> list[Any]:
    """Write messages as a history (`parsed`, `values`) came, `Message` values if `read`; unchanged ones the same."""
    if read:
        return list(messages)
    came = {id(message): value for message, value in zip(parsed, values, strict=True)}
    return [came.get(id(message), message.raw) for message in messages]


def _copied(value: Any) -> Any:
    """Copy a value as far as it could be changed in place; what cannot be is shared, so that comparing is quick."""
    if isinstance(value, dict):
        return {key: _copied(held) for key, held in value.items()}
    if isinstance(value, list):
        return list(map(_copied, value))
    return deepcopy(value) if hasattr(type(value), "model_dump") else value


def _awaits_results(messages: Sequence[Message]) -> bool:
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


def _continues_well(messages: Sequence[Message], start: int) -> bool:
    """Say whether the messages from `start` on continue a valid history; looks back one turn at most."""
    while start > 0 and messages[start - 1].results:
        start -= 1
    while start > 0 and messages[start - 1].role is Role.ASSISTANT:
        start -= 1
    found = violations(messages[start:]) if start < len(messages) else ()
    return all(v.rule == "first-role" and start > 0 for v in found)
