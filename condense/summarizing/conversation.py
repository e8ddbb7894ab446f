"""`summarize_conversation`: what the person said goes into the request; what comes back is checked and mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense.compaction import Condenser
from condense.summarizing.condensing import Task, condense_flow
from condense.summarizing.config import SummarizingConfig
from condense.summarizing.driving import adrive, drive
from memory.consolidation import marked_text
from memory.engine import ConversationMemory
from memory.entries import MemoryEntry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.compaction import Archive, Condensation
    from condense.config import CondenseConfig
    from condense.summarizing.pacing import Pacing
    from condense.summarizing.requests import AsyncSummarizer, Summarizer
    from memory.conversation import Message, TokenCounter


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
    conversation: lost critical items, paths, numbers and the latest request are added verbatim, what nobody said is
    marked. An answer that is no summary is asked for once more and then done without. Costs one call of the model
    (more for a history longer than its window, or an answer over its limit).

    Args:
        messages: dicts of one API form, or `Message` values; never written to.
        llm: the summariser; None compacts without a model.
        system_prompt: only counted, into the target too: it stays where it is.
        task_id: names the conversation's memory where none is given.
        prev_context_tokens: tokens of the last request as the provider counted them; 0: we count.
        automatic: no person asked for it; then `pacing` is heeded.
        custom_prompt: the person's own wishes in place of our sections.
        condensing_llm: another summariser, used in place of `llm`.
        conversation_memory: what the person said so far; updated from the messages.
        use_memory_enhancement: False gives the model's summary alone, unchecked but for being one: for comparison.
        target: tokens to come down to; by default the budget's, the messages to 40 % at most.
        condense_config: settings of the compaction: budget, language, how originals are reached.
        config: settings of the summary.
        count_tokens: the token counter.
        archive: where originals go.
        project_memories: what earlier tasks of the project left that is relevant here.
        pacing: what is remembered of the last automatic compaction.
        overhead: tokens of what else is sent beside the messages (tools), counted like the system prompt.
        whole: all of the conversation goes into the summary, none of it stays as messages (as `Condenser.summarize`).

    Returns:
        `messages` valid and complete in any case; `cost` of the model's calls, None where a price is unknown;
        `error` says what went wrong, "" never. `report.notes` tells what was checked and mended.
    """
    model = condensing_llm if condensing_llm is not None else llm
    task = Task(
        messages=messages,
        condenser=Condenser(condense_config, count_tokens=count_tokens, archive=archive),
        memory=_memory(conversation_memory, task_id) if use_memory_enhancement else None,
        config=config or SummarizingConfig(),
        system_prompt=system_prompt,
        prev_context_tokens=prev_context_tokens,
        automatic=automatic,
        custom_prompt=custom_prompt or "",
        project=_lines(project_memories),
        target=target,
        pacing=pacing,
        has_model=model is not None,
        overhead=overhead,
        whole=whole,
    )
    return drive(condense_flow(task), model or _nobody)


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
    task = Task(
        messages=messages,
        condenser=Condenser(condense_config, count_tokens=count_tokens, archive=archive),
        memory=_memory(conversation_memory, task_id) if use_memory_enhancement else None,
        config=config or SummarizingConfig(),
        system_prompt=system_prompt,
        prev_context_tokens=prev_context_tokens,
        automatic=automatic,
        custom_prompt=custom_prompt or "",
        project=_lines(project_memories),
        target=target,
        pacing=pacing,
        has_model=model is not None,
        overhead=overhead,
        whole=whole,
    )
    return await adrive(condense_flow(task), model or _nobody)


def _memory(memory: ConversationMemory | None, task_id: str) -> ConversationMemory:
    return memory if memory is not None else ConversationMemory(task_id or "conversation")


def _lines(memories: Sequence[str | MemoryEntry]) -> tuple[str, ...]:
    return tuple(marked_text(m) if isinstance(m, MemoryEntry) else m for m in memories)


def _nobody(request: object) -> str:
    raise LookupError(f"there is no model to ask {request!r}")
