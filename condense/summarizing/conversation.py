"""`summarize_conversation`: what the person said goes into the request; what comes back is checked and mended.

One compaction with a model: asked, checked, mended, planned; never fatal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from condense.compaction import Condenser, Request, plan_compaction, repair, watched
from condense.ledger import History, within
from condense.reading import by_size, language_of
from condense.summarizing.narrating import Account, Narrator, plain_plan, settle
from condense.summarizing.requests import Question, SummarizingConfig, adrive, blocking, finished
from condense.summarizing.transcribing import Transcript, cut_to, transcribe
from condense.verifying import reject_reason
from memory.consolidation import marked_text
from memory.conversation import parse_messages, typed_text
from memory.engine import ConversationMemory
from memory.entries import MemoryEntry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.compaction import Archive, CompactionPlan, Condensation
    from condense.config import CondenseConfig
    from condense.summarizing.requests import AsyncSummarizer, Flow, Pacing, Summarizer
    from memory.conversation import Message, TokenCounter

BY_HAND = 0.4
"""Share of the context that a compaction comes down to where that is less than the budget's target; chosen."""
NARRATIVE_SHARE = ((4000, 0.6), (8000, 0.4), (16_000, 0.25))
"""Share of a compaction's target for the narrative, by target: readers answered most out of it (graded)."""
MEMORY_SHARE = 0.1
"""Share of the condensing model's window for the summary of memories, and for each other thing that stands before the
transcript (twice that for the summary so far); chosen."""
MORE_SHOWN, ROOMY = (8, 3, 1), 0.7
"""How many times the least of calls and results a model is shown where all is within a share of its window; chosen."""


def summarize_conversation(  # noqa: PLR0913, PLR0917  # the documented parameters
    messages: Sequence[Message | Mapping[str, Any]],
    llm: Summarizer | None,
    system_prompt: str = "",
    task_id: str = "",
    prev_context_tokens: int = 0,
    automatic: bool = False,  # noqa: FBT001, FBT002  # the documented order of parameters
    custom_prompt: str | None = None,
    condensing_llm: Summarizer | None = None,
    conversation_memory: ConversationMemory | None = None,
    use_memory_enhancement: bool = True,  # noqa: FBT001, FBT002  # the documented order of parameters
    *,
    target: int | None = None,
    condense_config: CondenseConfig | None = None,
    config: SummarizingConfig | None = None,
    count_tokens: TokenCounter | None = None,
    archive: Archive | None = None,
    project_memories: Sequence[str | MemoryEntry] = (),
    pacing: Pacing | None = None,
    overhead: int = 0,
    whole: bool = False,
) -> Condensation:
    """Compact a conversation with a narrative that a model writes and we check.

    What the person said is extracted from all messages and put into the request; the answer is held against the
    conversation: lost rules and errors, the latest request, and what the person named or the work changed are added
    verbatim, what nobody said is marked. An answer that is no summary is asked for once more and then done without.
    Costs one call of the model (more for a history longer than its window, or an answer over its limit).

    Args:
        messages: dicts of one API form, or `Message` values; never written to.
        llm, condensing_llm: the summariser, and one used in its place; None compacts without a model.
        system_prompt, overhead: only counted, into the target too: what stays, and tokens of what else is sent (tools).
        task_id: names the conversation's memory where none is given.
        prev_context_tokens: tokens of the last request as the provider counted them; 0: we count.
        automatic, pacing: no person asked for it, so what is remembered of the last such compaction is heeded.
        custom_prompt: the person's own wishes in place of our sections.
        conversation_memory, project_memories: what the person said so far (updated from the messages), and what
            earlier tasks of the project left that is relevant here.
        use_memory_enhancement: False gives the model's summary alone, checked only for being one: for comparison.
        target: tokens to come down to; by default the budget's, the messages to 40 % at most.
        condense_config, config: settings of the compaction, and of the summary.
        count_tokens, archive: the token counter, and where originals go.
        whole: all of the conversation goes into the summary, none of it stays as messages (as `Condenser.summarize`).

    Returns:
        `messages` valid and complete in any case; `cost` of the model's calls, None where a price is unknown;
        `error` says what went wrong, "" never. `report.notes` tells what was checked and mended.
    """
    given = locals()
    model = condensing_llm if condensing_llm is not None else llm
    given |= {"llm": None if model is None else blocking(model), "condensing_llm": None}
    return finished(asummarize_conversation(**given))


async def asummarize_conversation(  # noqa: PLR0913, PLR0917  # the documented parameters
    messages: Sequence[Message | Mapping[str, Any]],
    llm: AsyncSummarizer | Summarizer | None,
    system_prompt: str = "",
    task_id: str = "",
    prev_context_tokens: int = 0,
    automatic: bool = False,  # noqa: FBT001, FBT002  # the documented order of parameters
    custom_prompt: str | None = None,
    condensing_llm: AsyncSummarizer | Summarizer | None = None,
    conversation_memory: ConversationMemory | None = None,
    use_memory_enhancement: bool = True,  # noqa: FBT001, FBT002  # the documented order of parameters
    *,
    target: int | None = None,
    condense_config: CondenseConfig | None = None,
    config: SummarizingConfig | None = None,
    count_tokens: TokenCounter | None = None,
    archive: Archive | None = None,
    project_memories: Sequence[str | MemoryEntry] = (),
    pacing: Pacing | None = None,
    overhead: int = 0,
    whole: bool = False,
) -> Condensation:
    """Do the same with an async summariser; see `summarize_conversation`."""
    model = condensing_llm if condensing_llm is not None else llm
    memory = None
    if use_memory_enhancement:
        memory = conversation_memory or ConversationMemory(task_id or "conversation")
    condenser = Condenser(condense_config, count_tokens=count_tokens, archive=archive)
    task = _Task(
        messages=messages,
        condenser=condenser,
        memory=memory,
        config=config or SummarizingConfig(),
        beside=overhead + (condenser.count(system_prompt) if system_prompt else 0),
        prev_context_tokens=prev_context_tokens,
        custom_prompt=custom_prompt or "",
        project=tuple(marked_text(m) if isinstance(m, MemoryEntry) else m for m in project_memories),
        target=target,
        pacing=pacing if automatic else None,
        has_model=model is not None,
        whole=whole,
    )
    return await adrive(task.flow(), model or _nobody)


def _nobody(request: object) -> str:
    raise LookupError(f"there is no model to ask {request!r}")


@dataclass(frozen=True, slots=True)
class _Task:
    """What one call is given: `memory` None without enhancement, `pacing` where a person asked, `beside` tokens."""

    messages: Sequence[Message | Mapping[str, Any]]
    condenser: Condenser
    memory: ConversationMemory | None
    config: SummarizingConfig
    beside: int
    prev_context_tokens: int
    custom_prompt: str
    project: tuple[str, ...]
    target: int | None
    pacing: Pacing | None
    has_model: bool
    whole: bool

    def flow(self) -> Flow[Condensation]:
        """The whole compaction, watched."""
        with watched("summarize_conversation") as tell:
            return tell((yield from self._flow()))

    def _flow(self) -> Flow[Condensation]:
        """The whole compaction; whatever fails in it, the offline compaction comes back and the error is told."""
        account = Account()
        try:
            done = yield from self._condensed(account)
        except Exception as error:  # noqa: BLE001  # a defect of ours or of a plug-in never costs the history
            offline = self.condenser.condense(
                self.messages, memory=self.memory, target=self.target, overhead=self.beside
            )
            told = f"{type(error).__name__}: {error}"
            done = replace(offline, error="; ".join(filter(None, (told, offline.error))))
        before = self.prev_context_tokens or done.prev_context_tokens
        return replace(done, cost=account.cost, prev_context_tokens=before)

    def _condensed(self, account: Account) -> Flow[Condensation]:
        apply, config, count = self.condenser.apply, self.config, self.condenser.count
        parsed = parse_messages(self.messages)
        history = History.of(repair(parsed)[0], count)
        request = self._request(history, parsed)
        base = plan_compaction(history, request)
        waiting = self._waiting(history) if base.error is None else ""
        if waiting:
            base = replace(base, error=waiting, pieces=())
        if base.error is not None or not self.has_model:
            return apply(self.messages, base)
        room = request.target - request.overhead
        share = by_size(NARRATIVE_SHARE, room) if config.share is None else config.share
        limit = max(1, min(config.most, int(share * room)))
        language = language_of(typed_text(m) for m in parsed)
        question, entries = self._asked(history, limit, language)
        narrator = Narrator(
            question, config, count, lambda text: reject_reason(text, history.messages, count=count), account
        )
        narrative = yield from narrator.narrate(entries)
        problems = [f"{p} ({n} times)" if n > 1 else p for p, n in Counter(account.problems).items()]
        if narrative is None:
            return self._offline(base, "; ".join(problems))
        if self.memory is None:
            plan = plain_plan(history, request, narrative)
            return self._offline(base, plan.error) if plan.error else apply(self.messages, plan)
        settled = settle(history, request, narrative, limit, config.invented)
        if settled is None:
            return self._offline(base, "there is no room for the model's summary")
        done = apply(self.messages, settled[0])
        checked = settled[1]
        told = (
            "the model's summary beside the record: {retained} facts in sight, {recoverable} within reach, "
            "{lost} lost, {invented} made up"
        )
        mended = ("mending added {mended} tokens".format_map(checked),) if checked["mended"] else ()
        notes = (*done.report.notes, *problems, told.format_map(checked), *mended)
        return replace(done, report=replace(done.report, notes=notes, checked=checked))

    def _request(self, history: History, parsed: Sequence[Message]) -> Request:
        entries: tuple[MemoryEntry, ...] = ()
        if self.memory is not None:
            self.memory.extract_memories(parsed)
            entries = tuple(entry for entry in self.memory.get_all_memories() if not entry.is_proposal)
        by_hand = min(self.condenser.config.budget.target, self.beside + int(BY_HAND * history.total))
        return Request(
            target=by_hand if self.target is None else self.target,
            config=self.condenser.config,
            count=self.condenser.count,
            memories=entries,
            project=self.project if self.memory is not None else (),
            overhead=self.beside,
            whole=self.whole,
        )

    def _asked(self, history: History, limit: int, language: str) -> tuple[Question, Sequence[str]]:
        window, count = self.config.window, self.condenser.count
        room = int(MEMORY_SHARE * window)
        least, written = min(self.config.result_tokens, window // 8), Transcript("", ())
        for more in MORE_SHOWN:
            written = transcribe(history.messages, count=count, result_tokens=more * least, language=language)
            if sum(map(count, written.entries)) <= ROOMY * window:
                break
        memories, project = "", tuple[str, ...]()
        if self.memory is not None:
            memories = self.memory.generate_memory_summary(room, language, count_tokens=count)
            project = within(self.project, room, count, newest_last=False)[0]
        question = Question(
            language,
            limit,
            window,
            memories,
            project,
            custom=cut_to(self.custom_prompt, room, count),
            previous=cut_to(written.previous, 2 * room, count),
            alone=self.memory is None,
        )
        return question, written.entries

    def _waiting(self, history: History) -> str:
        size = self.prev_context_tokens or history.total + self.beside
        due = self.pacing.waits_for(self.config.growth) if self.pacing is not None else 0
        if size >= due:
            return ""
        return f"too little was added since the last compaction: {size} tokens, the next one is due at {due}"

    def _offline(self, base: CompactionPlan, error: str) -> Condensation:
        done = self.condenser.apply(self.messages, base)
        return replace(done, error=f"{error}; compacted without a model")
