"""A growing conversation seen through its compactions, with hysteresis: nothing happens below the trigger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense.compaction.applying import as_they_came, replacement
from condense.compaction.live_history import Tracked, awaits_results, continues_well
from condense.compaction.repairing import repair
from condense.compaction.repeated_outputs import Echoes
from condense.compaction.validity import violations
from condense.costs import compaction_saves, expected_remaining_calls
from condense.errors import ViewError
from memory.conversation import Message, parse_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from condense.compaction.plans import CompactionRecord, Condensation
    from condense.config import CondenseConfig
    from condense.errors import Swallowed
    from memory.conversation import Form, TokenCounter

RESERVE = 0.05
"""Share of the window in which a compaction no longer waits until it pays; chosen."""
COOLDOWN = 0.05
"""After a compaction that could not be made the next one waits until the history grew by this share; chosen."""


class LiveView:
    """The state behind `Condenser.view`: the conversation so far, its records, and the one in force.

    Args:
        config: of the condenser.
        count: the token counter.
        condense: makes one compaction of the whole history.
        swallowed: told of compactions that could not be made.
    """

    def __init__(
        self,
        config: CondenseConfig,
        count: TokenCounter,
        condense: Callable[[Sequence[Message]], Condensation],
        swallowed: Swallowed,
    ) -> None:
        self._config = config
        self._condense = condense
        self._swallowed = swallowed
        self._tracked = Tracked(count)
        self.records: list[CompactionRecord] = []
        self._applies: dict[tuple[str, int], bool] = {}
        self._mending = False
        self._wait_until = 0
        self._calls = 0
        self._echoes = Echoes(count) if config.reduce_at_once else None

    def undo(self) -> CompactionRecord | None:
        """Drop the newest record; the history is left alone until it has grown a little."""
        if not self.records:
            return None
        self._wait_until = int(self._tracked.size() * (1 + COOLDOWN))
        return self.records.pop()

    def step(
        self, messages: Sequence[Message | Mapping[str, Any]], form: Form | None = None
    ) -> Sequence[Any]:
        """Take the history in and return what to send.

        Raises:
            WireError: a message that does not fit its form.
            ViewError: what would be sent is not valid.
        """
        tracked = self._tracked
        turned = tracked.turned
        fresh = tracked.follow(messages, form)
        if tracked.turned != turned:
            self._applies.clear()
            self._mending, fresh = False, len(tracked.messages)
        self._calls += bool(fresh)
        self._notice(fresh)
        record = self._record()
        if self._echoes is not None:
            since = record.length if record is not None else 0
            self._echoes.notice(tracked.messages, len(tracked.messages) - fresh, since)
        size = self._size(record)
        if self._is_due(size) and not awaits_results(tracked.messages):
            record = self._compacted(size) or record
        return self._assembled(messages, record, form)

    def _compacted(self, size: int) -> CompactionRecord | None:
        """Compact what was tracked; where that fails, say so and wait until there is a little more."""
        done = self._condense(self._tracked.messages)
        if done.record is not None and done.new_context_tokens < size:
            self.records.append(done.record)
            return done.record
        self._wait_until = int(size * (1 + COOLDOWN))
        reason = done.error or f"it would leave {done.new_context_tokens} tokens"
        error = ViewError(f"{size} tokens are above the trigger, and no compaction was made: {reason}")
        error.__cause__ = done.cause
        self._swallowed.keep(error)
        return None

    def _is_due(self, size: int) -> bool:
        """Whether to compact now: above the trigger, and it pays or the window is about to overflow."""
        config = self._config
        budget = config.budget
        if size <= budget.trigger or (size <= self._wait_until and size <= budget.window):
            return False
        if not config.weigh_costs or size > (1 - RESERVE) * budget.window:
            return True
        calls = expected_remaining_calls(self._calls)
        return compaction_saves(size, budget.target, calls, config.rates) > 0

    def _notice(self, fresh: int) -> None:
        """Look at new messages only: once something is out of order, every view is mended."""
        messages = self._tracked.messages
        self._mending = self._mending or not continues_well(messages, len(messages) - fresh)

    def _record(self) -> CompactionRecord | None:
        tracked = self._tracked
        for record in reversed(self.records):
            key = (record.id, tracked.turned)
            if key not in self._applies:
                fits = record.length <= len(tracked.messages)
                self._applies[key] = fits and tracked.digest(record.length) == record.digest
            if self._applies[key]:
                return record
        return None

    def _size(self, record: CompactionRecord | None) -> int:
        start = record.length if record is not None else 0
        saved = self._echoes.saved(start) if self._echoes is not None else 0
        before = record.tokens_after if record is not None else 0
        return before + self._tracked.size(start) - saved

    def _assembled(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        record: CompactionRecord | None,
        form: Form | None,
    ) -> Sequence[Any]:
        """Put together what to send, and check it as somebody would who sees nothing else: its form is told anew."""
        start = record.length if record is not None else 0
        echoes = self._echoes.since(start) if self._echoes is not None else {}
        if record is None and not self._mending and not echoes:
            return messages
        values: list[Any] = list(messages)
        for i, message in echoes.items():
            values[i] = message.raw
        if record is not None:
            values = [*replacement(record, messages), *values[start:]]
        read = isinstance(messages[0], Message)
        parsed = parse_messages(values, self._tracked.form if read else form)
        mended, notes = repair(parsed)
        broken = violations(mended) if notes else ()
        if broken:
            if record is not None:
                self.records.remove(record)
            raise ViewError(
                f"nothing valid to send: {broken[0].rule} at {broken[0].index}: {broken[0].detail}"
            )
        if mended is parsed and record is None and not echoes:
            return messages
        return as_they_came(mended, parsed, values, read=read)
