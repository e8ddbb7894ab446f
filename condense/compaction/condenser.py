"""`Condenser`: read, plan, apply, check; and `view`, which does so only when a growing history needs it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense.compaction.applying import as_they_came, check_arguments, keep_originals, record_of, replacement
from condense.compaction.archive import Archive, MemoryArchive, read_json
from condense.compaction.focusing import passages_about
from condense.compaction.live_view import LiveView
from condense.compaction.planning import Request, plan_compaction
from condense.compaction.plans import CompactionPlan, CompactionRecord, Condensation, Piece, Report
from condense.compaction.receipts import report_of
from condense.compaction.repairing import repair
from condense.compaction.validity import violations
from condense.config import CondenseConfig
from condense.errors import PlanMismatchError, Swallowed
from condense.ledger import History, carried_over, digest_chain
from memory.conversation import Form, Message, count_message, default_counter, parse_messages, typed_text
from memory.engine import ConversationMemory
from memory.errors import ForeignMessageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from condense.compaction.plans import ProjectRecall
    from memory.conversation import TokenCounter
    from memory.entries import MemoryEntry

PROJECT_SHARE = 0.05
"""Share of the target for what earlier tasks of the project said; chosen."""
FOCUS_SHARE = 0.1
"""Share of the target for passages that speak of what the person wants kept; chosen."""
REMEMBERED = 20_000
"""Messages whose tokens are remembered; beyond, all are counted anew (chosen: about 3 MB)."""


class Condenser:
    """Brings conversations under a token budget and keeps what the agent needs again.

    Args:
        config: settings; the defaults are for a window of 200,000 tokens.
        count_tokens: text -> tokens; by default exact where tiktoken's ranks are at hand, else estimated.
        memory: what the person said, kept across compactions; by default one of its own.
        project_memory: what earlier tasks of the same project said (a `PersistentMemoryManager`, say); what has to do
            with the latest request is offered to the ledger, marked as such.
        archive: where originals of what is folded are kept; by default in this process's memory.
        on_error: called with what `view` swallows, once for each distinct failure; by default it becomes a
            `RuntimeWarning` (`condense.adapters.failures.log_failure` logs it). What it raises goes through.
        records: compactions that another condenser's `view` made of the same conversation, oldest first; `view` goes on
            from the newest that applies.

    One condenser follows one conversation where `view` is used; `condense` may be called on any.
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

    def condense(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        overhead: int = 0,
        form: Form | str | None = None,
    ) -> Condensation:
        """Bring a conversation down to a target; above it or not, what comes back is valid to send.

        Args:
            messages: dicts of one API form, objects of its SDK (whatever has `model_dump`), or `Message` values; never
                written to.
            memory: what the person said; extracted from the messages first.
            target: tokens to come down to, by default the budget's.
            overhead: tokens of what is sent beside the messages: system prompt, tools (`transcripts.count_frame`
                counts them); they count into the target and into the tokens before and after.
            form: wire form of the messages ("anthropic", "openai-chat", "openai-responses"); None tells it from them.

        Returns:
            The compacted messages in the form that came in, the very values where they are kept; the input itself
            where nothing was to be done or anything went wrong, with `error` saying what.

        Raises:
            TypeError: `messages` is no list, or one of them neither a dict nor an object of an SDK that is a message
                (`ForeignMessageError` names its class and place); `target` or `overhead` is no whole number.
            ValueError: `target` is not above 0, `overhead` below 0, or there is no such form.
        """
        check_arguments(messages, target, overhead)
        form = None if form is None else Form(form)
        try:
            parsed = parse_messages(messages, form)
            mended, notes = repair(parsed)
            history = self._history(mended)
            plan = plan_compaction(history, self._request(history, parsed, memory, target, overhead))
            return self._apply(messages, parsed, history, plan, notes, form)
        except ForeignMessageError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever fails, plug-ins included, the history comes back
            return self._untouched(messages, f"{type(error).__name__}: {error}", error)

    def plan(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        overhead: int = 0,
        form: Form | str | None = None,
    ) -> CompactionPlan:
        """Decide a compaction without doing anything; print the plan to read it.

        Raises:
            WireError, TypeError, ValueError: a message fits no form; else as `condense` raises them.
        """
        check_arguments(messages, target, overhead)
        parsed = parse_messages(messages, None if form is None else Form(form))
        history = self._history(repair(parsed)[0])
        return plan_compaction(history, self._request(history, parsed, memory, target, overhead))

    def summarize(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        focus: str = "",
        form: Form | str | None = None,
    ) -> Condensation:
        """Write the whole conversation as one text, to be sent in its place: `summary`, and `messages` with it alone.

        Args:
            messages, memory, form: as for `condense`; system messages stay beside the text.
            target: tokens of the text at most; a small conversation stands in it whole.
            focus: what the person wants kept; passages that speak of it are quoted first.

        Raises:
            WireError, TypeError, ValueError: as `plan` raises them. What else fails is told by `error`.
        """
        check_arguments(messages, target)
        form = None if form is None else Form(form)
        parsed = parse_messages(messages, form)
        mended, notes = repair(parsed)
        history = self._history(mended)
        request = replace(self._request(history, parsed, memory, target), whole=True)
        if focus.strip():
            told = passages_about(focus, mended, int(FOCUS_SHARE * request.target), self.count)
            request = replace(request, narrative=told)
        return self._apply(messages, parsed, history, plan_compaction(history, request), notes, form)

    def apply(self, messages: Sequence[Message | Mapping[str, Any]], plan: CompactionPlan) -> Condensation:
        """Carry out a plan made for these messages.

        Raises:
            WireError: a message that fits no form.
            PlanMismatchError: the plan was made for other messages.
            ArchiveError: the originals could not be kept; nothing was done.
        """
        form = Form(plan.form) if plan.form else None
        parsed = parse_messages(messages, form)
        mended, notes = repair(parsed)
        history = self._history(mended)
        digest = digest_chain(history.messages)[-1] if history.messages else ""
        if (plan.length, plan.digest) != (len(history.messages), digest):
            raise PlanMismatchError(
                f"the plan is for {plan.length} messages named {plan.digest!r}; these are others"
            )
        return self._apply(messages, parsed, history, plan, notes, form)

    def view(
        self, messages: Sequence[Message | Mapping[str, Any]], *, form: Form | str | None = None
    ) -> Sequence[Any]:
        """Return what to send of a growing conversation; call it with the whole history before each model call.

        Below the trigger the input itself comes back; above it one compaction goes down to the target, and its
        result is byte-stable until the next.  Cost below the trigger: linear in what is new.  Whatever goes wrong, a
        message that is none included, the input comes back: `last_error` holds it, and `on_error` is told.

        Args:
            messages: the whole history, as `condense` takes it.
            form: its wire form; None tells it from the messages, anew as long as they would fit several.

        Raises:
            TypeError, ValueError: `messages` is no list at all, or there is no such form.
        """
        check_arguments(messages)
        form = None if form is None else Form(form)
        try:
            return self._live.step(messages, form)
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            self.swallowed.keep(error)
            return messages

    def undo(self) -> CompactionRecord | None:
        """Drop the newest compaction that `view` made; the next view shows what stood before it."""
        return self._live.undo()

    def expand(self, handle: str) -> Any:
        """Fetch an original back: the message (a JSON value) that a handle names.

        Raises:
            HandleError: it names nothing here, or several things.
            ArchiveError: it could not be read.
        """
        return read_json(self.archive.get(handle))

    def _request(
        self,
        history: History,
        parsed: Sequence[Message],
        memory: ConversationMemory | None,
        target: int | None,
        overhead: int = 0,
    ) -> Request:
        memory = memory or self.memory
        memory.extract_memories(parsed)
        wanted = self.config.budget.target if target is None else target
        active = (entry for entry in memory.get_all_memories() if not entry.is_proposal)
        return Request(
            target=wanted,
            config=self.config,
            count=self.count,
            memories=(*active, *_only_quoted(history, memory)),
            project=self._from_project(parsed, memory, wanted),
            overhead=overhead,
        )

    def _history(self, messages: Sequence[Message]) -> History:
        return History.of(messages, self.count, list(map(self._size, messages)))

    def _size(self, message: Message) -> int:
        size = self._sizes.get(message.digest)
        if size is None:
            if len(self._sizes) >= REMEMBERED:
                self._sizes.clear()
            size = self._sizes[message.digest] = count_message(message, self.count)
        return size

    def _from_project(
        self, parsed: Sequence[Message], memory: ConversationMemory, target: int
    ) -> tuple[str, ...]:
        if self.project_memory is None:
            return ()
        latest = next((text for m in reversed(parsed) if (text := typed_text(m))), "")
        return self.project_memory.relevant_memories(
            latest, int(PROJECT_SHARE * target), count_tokens=self.count, task_id=memory.task_id
        )

    def _apply(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        parsed: Sequence[Message],
        history: History,
        plan: CompactionPlan,
        notes: Sequence[str],
        form: Form | None,
    ) -> Condensation:
        before = sum(map(self._size, parsed)) + plan.overhead
        read = bool(messages) and isinstance(messages[0], Message)
        if plan.error is not None or not plan.pieces:
            broken = violations(history.messages) if notes else ()
            same = not notes or bool(broken)
            error = None if plan.tokens_before <= plan.target else plan.error
            if broken:
                error = f"nothing valid to send: {broken[0].rule}: {broken[0].detail}"
            out = messages if same else as_they_came(history.messages, parsed, messages, read=read)
            return Condensation(
                out, "", None, plan, 0.0, before, plan.tokens_before, error, Report(notes=tuple(notes))
            )
        keep_originals(plan, history.messages, self.archive)
        places = {id(m): i for i, m in enumerate(parsed)}
        pieces = [_rebased(piece, history, places) for piece in plan.pieces]
        digest = digest_chain(parsed)[-1]
        record = record_of(plan, pieces, parsed, digest)
        sent = replacement(record, messages)
        out = parse_messages(sent, parsed[0].form if read else form)
        broken = violations(out)
        if broken:
            return self._untouched(
                messages, f"the result would not be valid: {broken[0].rule}: {broken[0].detail}"
            )
        typed = [text for m in parsed if (text := typed_text(m))]
        report = report_of(plan, typed, "\n".join(m.text for m in out), notes)
        return Condensation(
            list(out) if read else sent,
            plan.summary,
            record,
            plan,
            0.0,
            before,
            plan.tokens_after,
            None,
            report,
        )

    def _untouched(
        self, messages: Sequence[Message | Mapping[str, Any]], error: str, cause: Exception | None = None
    ) -> Condensation:
        plan = CompactionPlan("", len(messages), "", 0, 0, 0, error=error)
        return Condensation(messages, "", None, plan, 0.0, 0, 0, error, Report(), cause)


def _rebased(piece: Piece, history: History, places: Mapping[int, int]) -> Piece:
    """Name a kept message by its index in the history as it came in; one that was mended is a made one."""
    if piece.kept is None:
        return piece
    message = history.messages[piece.kept]
    at = places.get(id(message))
    return Piece(kept=at) if at is not None else replace(piece, kept=None, made=message.raw)


def _only_quoted(history: History, memory: ConversationMemory) -> tuple[MemoryEntry, ...]:
    """What a person said that nothing but the quotes of an earlier ledger tells: a quote may not outlive the next."""
    carried = carried_over(history)
    if not carried.ledgers:
        return ()
    quoted = ConversationMemory(memory.task_id)
    quoted.extract_memories([{"role": "user", "content": said.text} for _, said in carried.said])
    known = {entry.content for entry in memory.get_all_memories(include_superseded=True)}
    return tuple(entry for entry in quoted.get_all_memories() if entry.content not in known)
