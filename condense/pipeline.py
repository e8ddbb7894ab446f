"""`Condenser`: read, plan, apply, check; and `view`, which does so only when a growing history needs it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from condense.applying import keep_originals, record_of
from condense.archive import Archive, MemoryArchive
from condense.checking import violations
from condense.config import CondenseConfig
from condense.errors import PlanMismatchError
from condense.histories import History, digest_chain
from condense.history_readings import ArtifactCollector
from condense.planning import Request, plan_compaction
from condense.plans import CompactionPlan, CompactionRecord, Condensation, Piece, Report
from condense.receipts import report_of
from condense.repairing import repair
from condense.viewing import LiveView
from memory import ConversationMemory
from memory.messages import Message
from memory.provenance import typed_text
from memory.tokens import count_message, default_counter
from memory.wire import parse_messages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.tokens import TokenCounter


PROJECT_SHARE = 0.05
"""Share of the target for what earlier tasks of the project said; chosen."""


REMEMBERED = 20_000
"""Messages whose tokens are remembered; beyond, all are counted anew (chosen: about 3 MB)."""


class ProjectRecall(Protocol):
    """What a condenser asks of a project's memory."""

    def relevant_memories(
        self, latest_ask: str, budget: int, *, count_tokens: TokenCounter, task_id: str = ""
    ) -> tuple[str, ...]:
        """Return lines that have to do with a request, within a budget of tokens."""
        ...


class Condenser:
    """Brings conversations under a token budget and keeps what the agent needs again.

    Args:
        config: settings; the defaults are for a window of 200,000 tokens.
        count_tokens: text -> tokens; by default exact where tiktoken's ranks are at hand, else estimated.
        memory: what the person said, kept across compactions; by default one of its own.
        project_memory: what earlier tasks of the same project said (a `PersistentMemoryManager`, say); what has to do
            with the latest request is offered to the ledger, marked as such.
        archive: where originals of what is folded are kept; by default in this process's memory.

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
    ) -> None:
        self.config = config or CondenseConfig()
        self.count = count_tokens or default_counter()
        self.memory = memory or ConversationMemory("condenser")
        self.project_memory = project_memory
        self.archive: Archive = archive or MemoryArchive()
        self._collector = ArtifactCollector()
        self._sizes: dict[str, int] = {}
        self._live = LiveView(self)

    @property
    def records(self) -> tuple[CompactionRecord, ...]:
        """The compactions that `view` has made of its conversation, oldest first."""
        return tuple(self._live.records)

    def condense(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        overhead: int = 0,
    ) -> Condensation:
        """Bring a conversation down to a target; above it or not, what comes back is valid to send.

        Args:
            messages: dicts of one API form, or `Message` values; never written to.
            memory: what the person said; extracted from the messages first.
            target: tokens to come down to, by default the budget's.
            overhead: tokens of what is sent beside the messages: system prompt, tools (`memory.transcripts.count_frame`
                counts them); they count into the target and into the tokens before and after.

        Returns:
            The compacted messages in the form that came in; the input itself where nothing was to be done or
            anything went wrong, with `error` saying what.

        Raises:
            TypeError, ValueError: `messages` is no list, `target` no number of tokens above 0 or `overhead` none.
        """
        check_arguments(messages, target, overhead)
        try:
            parsed = parse_messages(messages)
            mended, notes = repair(parsed)
            history = self._history(mended)
            plan = self._plan(history, parsed, memory, target, overhead)
            return self._apply(messages, parsed, history, plan, notes)
        except Exception as error:  # noqa: BLE001  # whatever fails, plug-ins included, the history comes back
            return self._untouched(messages, f"{type(error).__name__}: {error}")

    def plan(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        memory: ConversationMemory | None = None,
        target: int | None = None,
        overhead: int = 0,
    ) -> CompactionPlan:
        """Decide a compaction without doing anything; print the plan to read it.

        Raises:
            WireError: a message that fits no form.
            TypeError, ValueError: `messages` is no list, `target` no number of tokens above 0 or `overhead` none.
        """
        check_arguments(messages, target, overhead)
        parsed = parse_messages(messages)
        mended, _ = repair(parsed)
        return self._plan(self._history(mended), parsed, memory, target, overhead)

    def apply(self, messages: Sequence[Message | Mapping[str, Any]], plan: CompactionPlan) -> Condensation:
        """Carry out a plan made for these messages.

        Raises:
            WireError: a message that fits no form.
            PlanMismatchError: the plan was made for other messages.
            ArchiveError: the originals could not be kept; nothing was done.
        """
        parsed = parse_messages(messages)
        mended, notes = repair(parsed)
        history = self._history(mended)
        digest = digest_chain(history.messages)[-1] if history.messages else ""
        if (plan.length, plan.digest) != (len(history.messages), digest):
            raise PlanMismatchError(
                f"the plan is for {plan.length} messages named {plan.digest!r}; these are others"
            )
        return self._apply(messages, parsed, history, plan, notes)

    def view(self, messages: Sequence[Message | Mapping[str, Any]]) -> Sequence[Any]:
        """Return what to send of a growing conversation; call it with the whole history before each model call.

        Below the trigger the input itself comes back; above it one compaction goes down to the target, and its
        result is byte-stable until the next.  Cost below the trigger: linear in what is new.
        """
        try:
            return self._live.step(messages)
        except Exception:  # noqa: BLE001  # a middleware never breaks the call it stands before
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

    def _plan(
        self,
        history: History,
        parsed: Sequence[Message],
        memory: ConversationMemory | None,
        target: int | None,
        overhead: int,
    ) -> CompactionPlan:
        memory = memory or self.memory
        memory.extract_memories(parsed)
        wanted = self.config.budget.target if target is None else target
        request = Request(
            target=wanted,
            config=self.config,
            count=self.count,
            memories=tuple(entry for entry in memory.get_all_memories() if not entry.is_proposal),
            project=self._from_project(parsed, memory, wanted),
            collector=self._collector,
            overhead=overhead,
        )
        return plan_compaction(history, request)

    def _history(self, messages: Sequence[Message]) -> History:
        return History.of(messages, self.count, list(map(self._size, messages)))

    def _size(self, message: Message) -> int:
        """Tokens of a message; each is counted once, by the digest of its content."""
        size = self._sizes.get(message.digest)
        if size is None:
            if len(self._sizes) >= REMEMBERED:
                self._sizes.clear()
            size = self._sizes[message.digest] = count_message(message, self.count)
        return size

    def _from_project(
        self, parsed: Sequence[Message], memory: ConversationMemory, target: int
    ) -> tuple[str, ...]:
        """Lines of earlier tasks that have to do with the latest request, within their share."""
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
    ) -> Condensation:
        before = sum(map(self._size, parsed)) + plan.overhead
        if plan.error is not None or not plan.pieces:
            mended = list(history.messages)
            same = not notes or bool(violations(mended))
            error = None if plan.tokens_before <= plan.target else plan.error
            out = messages if same else self._in_form(mended, messages)
            return Condensation(
                out, "", None, plan, 0.0, before, plan.tokens_before, error, Report(notes=tuple(notes))
            )
        keep_originals(plan, history.messages, self.archive)
        places = {id(m): i for i, m in enumerate(parsed)}
        pieces = [_rebased(piece, history, places) for piece in plan.pieces]
        digest = digest_chain(parsed)[-1]
        record = record_of(plan, pieces, length=len(parsed), digest=digest)
        out = parse_messages(
            [parsed[p.kept] if p.kept is not None else p.made or {} for p in pieces], history.messages[0].form
        )
        broken = violations(out)
        if broken:
            return self._untouched(
                messages, f"the result would not be valid: {broken[0].rule}: {broken[0].detail}"
            )
        typed = [text for m in parsed if (text := typed_text(m))]
        report = report_of(plan, typed, "\n".join(m.text for m in out), notes)
        return Condensation(
            self._in_form(out, messages),
            plan.summary,
            record,
            plan,
            0.0,
            before,
            plan.tokens_after,
            None,
            report,
        )

    @staticmethod
    def _in_form(out: Sequence[Message], like: Sequence[Message | Mapping[str, Any]]) -> list[Any]:
        if like and isinstance(like[0], Message):
            return list(out)
        return [m.raw for m in out]

    def _untouched(self, messages: Sequence[Message | Mapping[str, Any]], error: str) -> Condensation:
        plan = CompactionPlan("", len(messages), "", 0, 0, 0, error=error)
        return Condensation(messages, "", None, plan, 0.0, 0, 0, error, Report())


def check_arguments(messages: object, target: object, overhead: object = 0) -> None:
    """Refuse what can be neither a history nor a target.

    Raises:
        TypeError, ValueError: naming the argument and what it was.
    """
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise TypeError(f"messages should be a list of messages, not {type(messages).__name__}")
    if target is not None and (not isinstance(target, int) or isinstance(target, bool)):
        raise TypeError(f"target should be a whole number of tokens, not {target!r}")
    if target is not None and target <= 0:
        raise ValueError(f"target should be above 0 tokens, not {target}")
    if not isinstance(overhead, int) or isinstance(overhead, bool):
        raise TypeError(f"overhead should be a whole number of tokens, not {overhead!r}")
    if overhead < 0:
        raise ValueError(f"overhead should be 0 tokens or more, not {overhead}")


def _rebased(piece: Piece, history: History, places: Mapping[int, int]) -> Piece:
    """Name a kept message by its index in the history as it came in; one that was mended is a made one."""
    if piece.kept is None:
        return piece
    message = history.messages[piece.kept]
    at = places.get(id(message))
    return Piece(kept=at) if at is not None else replace(piece, kept=None, made=message.raw)


def read_json(content: bytes) -> Any:
    """Read an archived original; lone surrogates and large integers, which orjson refuses, take the slower road."""
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return json.loads(content.decode("utf-8", "surrogatepass"))
