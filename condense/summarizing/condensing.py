"""One compaction with a model, as a flow: asked, checked, mended, planned; never fatal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from condense.compaction import Request, plan_compaction, repair
from condense.ledger import History, within
from condense.reading import language_of
from condense.summarizing.cleaning import cut_to
from condense.summarizing.composing import Question
from condense.summarizing.narrating import Account, narrate
from condense.summarizing.settling import Settled, plain_plan, settle
from condense.summarizing.transcribing import transcribe
from condense.verifying import reject_reason
from memory.conversation import parse_messages, typed_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.compaction import CompactionPlan, Condensation, Condenser
    from condense.summarizing.config import SummarizingConfig
    from condense.summarizing.pacing import Pacing
    from condense.summarizing.requests import Flow
    from memory.conversation import Message
    from memory.engine import ConversationMemory
    from memory.entries import MemoryEntry

BY_HAND = 0.4
"""Share of the context that a compaction comes down to where that is less than the budget's target; chosen."""
MEMORY_SHARE = 0.1
"""Share of the condensing model's window for the summary of memories, and for each other thing that stands before the
transcript (twice that for the summary so far); chosen."""


@dataclass(frozen=True, slots=True)
class Task:
    """All that one call of `summarize_conversation` is given, beside the summariser.

    Attributes:
        messages: the conversation, as it came in.
        condenser: plans and carries out; brings counter, archive and settings.
        memory: what the person said; None without memory enhancement.
        config: settings of the summary.
        system_prompt, prev_context_tokens, automatic, custom_prompt, project, target, pacing, overhead, whole: given.
        has_model: whether there is a summariser at all.
    """

    messages: Sequence[Message | Mapping[str, Any]]
    condenser: Condenser
    memory: ConversationMemory | None
    config: SummarizingConfig
    system_prompt: str = ""
    prev_context_tokens: int = 0
    automatic: bool = False
    custom_prompt: str = ""
    project: tuple[str, ...] = ()
    target: int | None = None
    pacing: Pacing | None = None
    has_model: bool = True
    overhead: int = 0
    whole: bool = False

    @property
    def beside(self) -> int:
        """Tokens that are sent beside the messages: the system prompt and the overhead."""
        return self.overhead + (self.condenser.count(self.system_prompt) if self.system_prompt else 0)


def condense_flow(task: Task) -> Flow[Condensation]:
    """The whole compaction as a flow; whatever fails in it, the offline compaction comes back and the error is told."""
    account = Account()
    try:
        done = yield from _condensed(task, account)
    except Exception as error:  # noqa: BLE001  # a defect of ours or of a plug-in never costs the history
        offline = task.condenser.condense(
            task.messages, memory=task.memory, target=task.target, overhead=task.beside
        )
        told = f"{type(error).__name__}: {error}"
        done = replace(offline, error="; ".join(filter(None, (told, offline.error))))
    before = task.prev_context_tokens or done.prev_context_tokens
    return replace(done, cost=account.cost, prev_context_tokens=before)


def _condensed(task: Task, account: Account) -> Flow[Condensation]:
    condenser = task.condenser
    parsed = parse_messages(task.messages)
    mended, _ = repair(parsed)
    history = History.of(mended, condenser.count)
    request = _planning(task, history, parsed)
    base = plan_compaction(history, request)
    if base.error is not None:
        return condenser.apply(task.messages, base)
    waiting = _waiting(task, history)
    if waiting:
        return condenser.apply(task.messages, replace(base, error=waiting, pieces=()))
    if not task.has_model:
        return condenser.apply(task.messages, base)
    limit = max(1, min(task.config.most, int(task.config.share * (request.target - request.overhead))))
    language = language_of(typed_text(m) for m in parsed)
    written = transcribe(
        history.messages,
        count=condenser.count,
        result_tokens=min(task.config.result_tokens, task.config.window // 8),
        language=language,
    )
    room = int(MEMORY_SHARE * task.config.window)
    question = Question(
        language=language,
        limit=limit,
        window=task.config.window,
        memories=_memory_summary(task, language),
        project=within(task.project, room, condenser.count, newest_last=False)[0] if task.memory else (),
        custom=cut_to(task.custom_prompt, room, condenser.count),
        previous=cut_to(written.previous, 2 * room, condenser.count),
    )
    narrative = yield from narrate(
        question,
        written.entries,
        task.config,
        count=condenser.count,
        reject=lambda text: reject_reason(text, history.messages, count=condenser.count),
        account=account,
    )
    if narrative is None:
        return _offline(task, base, "; ".join(_once(account.problems)))
    if task.memory is None:
        plan = plain_plan(history, request, narrative)
        return _offline(task, base, plan.error) if plan.error else condenser.apply(task.messages, plan)
    settled = settle(history, request, narrative, limit, task.config)
    if settled is None:
        return _offline(task, base, "there is no room for the model's summary")
    done = condenser.apply(task.messages, settled.plan)
    notes = (*done.report.notes, *_once(account.problems), *_notes(settled))
    return replace(done, report=replace(done.report, notes=notes))


def _planning(task: Task, history: History, parsed: Sequence[Message]) -> Request:
    entries: tuple[MemoryEntry, ...] = ()
    if task.memory is not None:
        task.memory.extract_memories(parsed)
        entries = tuple(entry for entry in task.memory.get_all_memories() if not entry.is_proposal)
    budget = task.condenser.config.budget
    beside = task.beside
    by_hand = beside + int(BY_HAND * history.total)
    return Request(
        target=min(budget.target, by_hand) if task.target is None else task.target,
        config=task.condenser.config,
        count=task.condenser.count,
        memories=entries,
        project=task.project if task.memory is not None else (),
        overhead=beside,
        whole=task.whole,
    )


def _waiting(task: Task, history: History) -> str:
    """Why an automatic compaction waits, or ""."""
    if not task.automatic or task.pacing is None:
        return ""
    size = task.prev_context_tokens or history.total + task.beside
    due = task.pacing.waits_for(task.config.growth)
    if size >= due:
        return ""
    return f"too little was added since the last compaction: {size} tokens, the next one is due at {due}"


def _memory_summary(task: Task, language: str) -> str:
    if task.memory is None:
        return ""
    room = int(MEMORY_SHARE * task.config.window)
    return task.memory.generate_memory_summary(room, language, count_tokens=task.condenser.count)


def _offline(task: Task, base: CompactionPlan, error: str) -> Condensation:
    done = task.condenser.apply(task.messages, base)
    return replace(done, error=f"{error}; compacted without a model")


def _once(problems: Sequence[str]) -> list[str]:
    """Each problem once, with how often it came."""
    return [f"{p} ({n} times)" if n > 1 else p for p, n in Counter(problems).items()]


def _notes(settled: Settled) -> tuple[str, ...]:
    found = settled.verification
    counts = (
        f"the model's summary beside the record: {len(found.retained)} facts in sight, "
        f"{len(found.recoverable)} within reach, {len(found.lost)} lost, {len(found.invented)} made up"
    )
    return (counts, f"mending added {settled.added} tokens") if settled.added else (counts,)
