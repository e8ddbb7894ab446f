"""`Condenser`: read, plan, apply, check; and `view`, which does so only when a growing history needs it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from condense.compaction.archive import Archive, MemoryArchive
from condense.compaction.focusing import focused
from condense.compaction.live_view import LiveView, as_they_came
from condense.compaction.observing import observed
from condense.compaction.planning import Request, plan_compaction
from condense.compaction.plans import CompactionPlan, CompactionRecord, Condensation, Report
from condense.compaction.receipts import record_of, report_of
from condense.compaction.validity import repair, violations
from condense.config import CondenseConfig
from condense.errors import PlanMismatchError, Swallowed, check_type
from condense.ledger import Excerpt, History, carried_over, digest_chain
from memory.conversation import (
    Form,
    Message,
    canonical_json,
    count_message,
    default_counter,
    parse_messages,
    typed_spans,
    typed_text,
)
from memory.engine import ConversationMemory
from memory.errors import ForeignMessageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from condense.compaction.plans import ProjectRecall
    from memory.conversation import TokenCounter
    from memory.entries import MemoryEntry

    Values = Sequence[Message | Mapping[str, Any]]

PROJECT_SHARE = 0.05  # share of the target for what earlier tasks of the project said; chosen
REMEMBERED = 20_000  # messages whose tokens are remembered; beyond, all are counted anew (chosen: about 3 MB)


@dataclass(frozen=True, slots=True)
class _Given:
    values: Values
    parsed: Sequence[Message]
    history: History
    notes: tuple[str, ...]
    form: Form | None


class Condenser:
    """Brings conversations under a token budget and keeps what the agent needs again.

    Args:
        config: settings, by default for a window of 200,000 tokens; a `TypeError` where it (or the next two) is none.
        count_tokens: text -> tokens; by default exact where tiktoken's ranks are at hand, else estimated.
        memory: what the person said, kept across compactions; by default one of its own.
        project_memory: earlier tasks of the project (a `PersistentMemoryManager`, say); the ledger marks what it tells.
        archive: where originals of what is folded are kept; by default in this process's memory.
        on_error: called with what `view` swallows, once for each distinct failure; by default it becomes a
            `RuntimeWarning` (`condense.adapters.failures.log_failure` logs it). What it raises goes through.
        records: what another condenser's `view` made of the conversation, oldest first; the newest that applies holds.

    One condenser follows one conversation where `view` is used; `condense` may be called on any.

    Every call takes `messages` (dicts of one API form, objects of its SDK, that is whatever has `model_dump`, or
    `Message` values; never written to) and `form`, their wire form ("anthropic", "openai-chat", "openai-responses");
    None tells it from them.  All but `view` take `memory` in place of the condenser's own; it is updated first.
    """

    def __init__(
        self,
        config: CondenseConfig | None = None,
        *,
        count_tokens: TokenCounter | None = None,
        memory: ConversationMemory | None = None,
        project_memory: ProjectRecall | None = None,
        archive: Archive | None = None,
        on_error: Callable[[Exception], object] | None = None,
        records: Iterable[CompactionRecord] = (),
    ) -> None:
        check_type("config", config, CondenseConfig, "CondenseConfig(budget=TokenBudget.for_window(200_000))")
        check_type("memory", memory, ConversationMemory, 'ConversationMemory("task")')
        check_type("count_tokens", count_tokens, Callable, "len")
        self.config = config or CondenseConfig()
        self.count = count_tokens or default_counter()
        self.memory = memory or ConversationMemory("condenser")
        self.project_memory = project_memory
        self.archive: Archive = archive or MemoryArchive()
        self._sizes: dict[str, int] = {}
        self.swallowed = Swallowed(on_error)
        self._live = LiveView(self.config, self.count, self.condense, self.swallowed)
        self._live.records += records

    @property
    def records(self) -> tuple[CompactionRecord, ...]:
        """The compactions that `view` has made of its conversation, oldest first."""
        return tuple(self._live.records)

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that `view` swallowed; None as long as there was none."""
        return self.swallowed.last

    @observed("condense")
    def condense(
        self,
        messages: Values,
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        overhead: int = 0,
        keep: int = 0,
        focus: str = "",
        form: Form | str | None = None,
    ) -> Condensation:
        """Bring a conversation down to a target; above it or not, what comes back is valid to send.

        Args:
            target: tokens to come down to, by default the budget's.
            overhead: tokens sent beside the messages (`transcripts.count_frame`), part of target, before and after.
            keep: newest messages that stay as they are, as far as the target leaves room beside the rules.
            focus: what the person wants kept; passages that speak of it come first.

        Returns:
            The compacted messages in the form that came in, the very values where they are kept; the input itself
            where nothing was to be done or anything went wrong, with `error` saying what.

        Raises:
            TypeError: `messages` is no list, one no message (`ForeignMessageError` names it), a number no whole number.
            ValueError: `target` is not above 0, `overhead` or `keep` below 0, or there is no such form.
        """
        form = _checked(messages, form, target, overhead, keep)
        try:
            given = self._read(messages, form)
            kept = self._focused(given, focus, target)
            plan = self._planned(given, memory, target, focus=kept, overhead=overhead, keep=keep)
            return self._apply(given, plan)
        except ForeignMessageError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever fails, plug-ins included, the history comes back
            return _untouched(messages, f"{type(error).__name__}: {error}", error)

    def plan(
        self,
        messages: Values,
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        overhead: int = 0,
        form: Form | str | None = None,
    ) -> CompactionPlan:
        """Decide a compaction as `condense` would, without doing anything; print the plan to read it.

        `WireError`, `TypeError` or `ValueError` where a message fits no form, and as `condense` raises them.
        """
        form = _checked(messages, form, target, overhead)
        return self._planned(self._read(messages, form), memory, target, overhead=overhead)

    @observed("summarize")
    def summarize(
        self,
        messages: Values,
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        focus: str = "",
        form: Form | str | None = None,
    ) -> Condensation:
        """Write the whole conversation as one text, to be sent in its place: `summary`, and `messages` with it alone.

        It has `target` tokens at most, passages that speak of the `focus` the person wants kept first. System messages
        stay beside it; a small conversation stands in it whole. Raises as `plan` does; what else fails `error` tells.
        """
        given = self._read(messages, _checked(messages, form, target))
        kept = self._focused(given, focus, target)
        return self._apply(given, self._planned(given, memory, target, focus=kept, whole=True))

    def apply(self, messages: Values, plan: CompactionPlan) -> Condensation:
        """Carry out a plan made for these messages; originals that can't be kept are an `ArchiveError`, nothing done.

        A message that fits no form is a `WireError`, a plan for other messages a `PlanMismatchError`.
        """
        given = self._read(messages, Form(plan.form) if plan.form else None)
        digest = next(reversed(digest_chain(given.history.messages)), "")
        if (plan.length, plan.digest) != (len(given.history.messages), digest):
            raise PlanMismatchError(
                f"the plan is for {plan.length} messages named {plan.digest!r}; these are others"
            )
        return self._apply(given, plan)

    def view(
        self,
        messages: Values,
        *,
        overhead: int = 0,
        keep: int = 0,
        due: bool | Callable[[int, int], int] | None = None,
        form: Form | str | None = None,
    ) -> Sequence[Any]:
        """Return what to send of a growing conversation; call it with the whole history before each model call.

        Below the trigger the input itself comes back, at a cost linear in what is new; above it one compaction goes
        down to the target, byte-stable until the next. Whatever goes wrong, the input comes back: `last_error` holds
        it, and `on_error` is told. Only no list, form or number is a `TypeError` or a `ValueError`.

        Args:
            overhead, keep: as in `condense`, for this call.
            due: compact now (True), or not while the window holds (False); None leaves it to the budget. A function of
                the tokens and messages that would be sent returns the tokens to come down to, or 0.
        """
        form = _checked(messages, form, None, overhead, keep)
        try:
            return self._live.step(messages, form, overhead=overhead, keep=keep, due=due)
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            observed("view")(_untouched)(messages, f"{type(error).__name__}: {error}", error)
            self.swallowed.keep(error)
            return messages

    def continues(self, messages: Values) -> bool:
        """Say whether a history goes on from what `view` was last given."""
        return self._live.continues(messages)

    def undo(self) -> CompactionRecord | None:
        """Drop the newest compaction that `view` made; the next view shows what stood before it."""
        return self._live.undo()

    def expand(self, handle: str) -> Any:
        """Fetch back the message (a JSON value) that a handle names; else `HandleError` or `ArchiveError`."""
        return json.loads(self.archive.get(handle).decode("utf-8", "surrogatepass"))

    def _read(self, messages: Values, form: Form | None) -> _Given:
        parsed = parse_messages(messages, form)
        mended, notes = repair(parsed)
        history = History.of(mended, self.count, list(map(self._size, mended)))
        return _Given(messages, parsed, history, notes, form)

    def _size(self, message: Message) -> int:
        size = self._sizes.get(message.digest)
        if size is None:
            if len(self._sizes) >= REMEMBERED:
                self._sizes.clear()
            size = self._sizes[message.digest] = count_message(message, self.count)
        return size

    def _focused(self, given: _Given, focus: str, target: int | None) -> tuple[Excerpt, ...]:
        wanted = self.config.budget.target if target is None else target
        return focused(given.history.messages, focus, wanted, self.count)

    def _planned(
        self, given: _Given, memory: ConversationMemory | None, target: int | None, **more: Any
    ) -> CompactionPlan:
        memory = memory or self.memory
        memory.extract_memories(given.parsed)
        wanted = self.config.budget.target if target is None else target
        active = (entry for entry in memory.get_all_memories() if not entry.is_proposal)
        project: tuple[str, ...] = ()
        if self.project_memory is not None:
            latest = next((text for m in reversed(given.parsed) if (text := typed_text(m))), "")
            project = self.project_memory.relevant_memories(
                latest, int(PROJECT_SHARE * wanted), count_tokens=self.count, task_id=memory.task_id
            )
        request = Request(
            target=wanted,
            config=self.config,
            count=self.count,
            memories=(*active, *_only_quoted(given.history, memory)),
            project=project,
            **more,
        )
        return plan_compaction(given.history, request)

    def _apply(self, given: _Given, plan: CompactionPlan) -> Condensation:
        values, parsed, history = given.values, given.parsed, given.history
        before = sum(map(self._size, parsed)) + plan.overhead
        read = bool(values) and isinstance(values[0], Message)
        if plan.error is not None or not plan.pieces:
            broken = violations(history.messages) if given.notes else ()
            error = None if plan.tokens_before <= plan.target else plan.error
            if broken:
                error = f"nothing valid to send: {broken[0].rule}: {broken[0].detail}"
            if given.notes and not broken:
                values = as_they_came(history.messages, parsed, values, read=read)
            report = Report(notes=given.notes)
            return Condensation(values, "", None, plan, 0.0, before, plan.tokens_before, error, report)
        for i in plan.folded:
            self.archive.put(canonical_json(history.messages[i].original))
        record = record_of(plan, history, parsed)
        sent = record.replacement(values)
        out = parse_messages(sent, parsed[0].form if read else given.form)
        if broken := violations(out):
            return _untouched(values, f"the result would not be valid: {broken[0].rule}: {broken[0].detail}")
        typed = [[span.text for span in spans] for m in parsed if (spans := typed_spans(m))]
        report = report_of(plan, typed, "\n".join(m.text for m in out), given.notes)
        result = list(out) if read else sent
        return Condensation(result, plan.summary, record, plan, 0.0, before, plan.tokens_after, None, report)


def _checked(
    messages: object, form: Form | str | None, target: object = None, overhead: object = 0, keep: object = 0
) -> Form | None:
    """Refuse what can be neither a history nor a number of tokens; return the form."""
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise TypeError(f"messages should be a list of messages, not {type(messages).__name__}")
    for name, value in (("target", 1 if target is None else target), ("overhead", overhead), ("keep", keep)):
        unit, least = "messages" if name == "keep" else "tokens", int(name == "target")
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name} should be a whole number of {unit}, not {value!r}")
        if value < least:
            bound = f"above 0 {unit}" if least else f"0 {unit} or more"
            raise ValueError(f"{name} should be {bound}, not {value}")
    return None if form is None else Form(form)


def _untouched(messages: Values, error: str, cause: Exception | None = None) -> Condensation:
    plan = CompactionPlan("", len(messages), "", 0, 0, 0, error=error)
    return Condensation(messages, "", None, plan, 0.0, 0, 0, error, Report(), cause)


def _only_quoted(history: History, memory: ConversationMemory) -> tuple[MemoryEntry, ...]:
    """What a person said that nothing but the quotes of an earlier ledger tells: a quote may not outlive the next."""
    carried = carried_over(history)
    if not carried.ledgers:
        return ()
    quoted = ConversationMemory(memory.task_id)
    quoted.extract_memories([{"role": "user", "content": said.text} for _, said in carried.said])
    known = {entry.content for entry in memory.get_all_memories(include_superseded=True)}
    return tuple(entry for entry in quoted.get_all_memories() if entry.content not in known)
