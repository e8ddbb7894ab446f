"""Write the summary that stands in a conversation's place; with a model's narrative where one was asked for."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from condense.apps.switches import compacted_in, is_enhanced
from condense.compaction import PROJECT_SHARE, Archive, Condenser, MemoryArchive, StoreArchive
from condense.config import CondenseConfig, TokenBudget
from condense.errors import SummarizerError
from condense.ledger import read_ledger
from condense.summarizing import SummarizingConfig, SummaryAnswer, summarize_conversation
from memory import ConversationMemory, PersistentMemoryManager
from memory.conversation import parse_messages, typed_text
from memory.errors import StoreError
from memory.projects import project_of
from memory.stores import has_store, open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.apps.proxy.protocols import Call
    from condense.apps.proxy.settings import ProxySettings
    from condense.compaction import CompactionRecord, Condensation
    from condense.summarizing import Summarizer, SummaryRequest
    from memory.entries import ProjectStore


HALF: Final = 0.5
"""Share of a conversation that its summary has at most, where the person's words and rules fit (chosen).

Who asks for a compaction of a conversation near the target wants room; what the target still has room for are lines of
outputs, which `expand` fetches.
"""
REPEATED: Final = 5
"""Quoted lines that differ in their numbers alone, from which they are padding, as those of a log (chosen)."""
_NUMBER: Final = re.compile(r"\d{1,40}")
LEAST: Final = 1 / 16
"""Share below which no summary is asked for (chosen)."""


class Keeping:
    """What outlasts the proxy: the user's store, opened when it is needed; without it everything goes on in memory."""

    def __init__(self) -> None:
        self._store: ProjectStore | None = None

    @property
    def store(self) -> ProjectStore:
        """The user's store.

        Raises:
            StoreError: it cannot be opened.
        """
        if self._store is None:
            self._store = open_store()
        return self._store

    def archive(self, call: Call) -> Archive:
        """Return where originals go: to the conversation's project, or to the conversation alone."""
        if not call.conversation:
            return MemoryArchive()
        project = project_of(call.folder) if call.folder and Path(call.folder).is_dir() else None
        return StoreArchive(
            self.store, project=project.key if project else None, task_id=call.conversation.partition("/")[0]
        )

    def project(self, call: Call) -> PersistentMemoryManager | None:
        """Return the memory of the project that the agent works in; None for none, or where it is switched off."""
        if not call.folder or not Path(call.folder).is_dir() or not has_store():
            return None
        if not is_enhanced(self.store):
            return None
        manager = PersistentMemoryManager.open(call.folder, store=self.store)
        return manager if manager.project is not None else None

    def keep(self, task: str, record: CompactionRecord, folder: str | None) -> None:
        """Keep a record, as the newest of the folder that the agent works in.

        Conversations that part from one another may make the same one, and each has its own.

        Raises:
            StoreError: it cannot be kept.
        """
        self.store.put_record(None, task, f"{record.id}@{task}", record.to_json(), time.time())
        if folder and Path(folder).is_dir():
            self.store.put_setting(compacted_in(folder), task)

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()


def condenser_for(call: Call, settings: ProxySettings, keeping: Keeping) -> tuple[Condenser, str]:
    """Make a condenser for a conversation, and say why where it goes without the store."""
    config = CondenseConfig(
        budget=TokenBudget(window=10**9, trigger=10**9, target=settings.target), minimum_progress=0
    )
    try:
        return (
            Condenser(
                config,
                archive=keeping.archive(call),
                project_memory=keeping.project(call),
                memory=ConversationMemory(call.conversation or "proxy"),
            ),
            "",
        )
    except (StoreError, OSError) as error:
        return Condenser(config), f"without the store: {error}"


def summarized(call: Call, settings: ProxySettings, keeping: Keeping, narrative: str = "") -> Condensation:
    """Summarise the conversation of a compaction request in at most `settings.target` tokens, a short one in fewer.

    Args:
        call: the request.
        settings: of the proxy.
        keeping: store and archive.
        narrative: what a model wrote of it; it is checked, mended, and left out where it is no summary.

    Raises:
        ValueError: nothing came of it; then the request is passed on.
    """
    condenser, told = condenser_for(call, settings, keeping)
    if narrative:
        known: tuple[str, ...] = ()
        if condenser.project_memory is not None:
            latest = next((t for m in reversed(parse_messages(call.history)) if (t := typed_text(m))), "")
            room = int(PROJECT_SHARE * settings.target)
            known = condenser.project_memory.relevant_memories(latest, room, count_tokens=condenser.count)
        done = summarize_conversation(
            call.history,
            _once(narrative),
            conversation_memory=condenser.memory,
            target=settings.target,
            condense_config=condenser.config,
            config=SummarizingConfig(window=10_000_000),
            archive=condenser.archive,
            project_memories=known,
            whole=True,
        )
    else:
        done = _shrunk(call, condenser, settings.target)
    if not done.summary:
        raise ValueError(done.error or "no summary was made")
    if done.record is not None and call.conversation and not told:
        try:
            keeping.keep(call.conversation, done.record, call.folder)
        except StoreError as error:
            told = f"its receipt was not kept: {error}"
    used = "with the model's narrative" if narrative and not done.error else ""
    notes = tuple(filter(None, (used, told, done.error)))
    return replace(done, error="; ".join(notes) or None)


def _shrunk(call: Call, condenser: Condenser, target: int) -> Condensation:
    """Summarise: to half of a short conversation, less where that half is padded, more where words do not fit."""
    summarize = partial(condenser.summarize, call.history, focus=call.focus, form=call.protocol.form)
    done = summarize(target=target)
    size = done.prev_context_tokens
    if not done.summary or done.new_context_tokens <= HALF * size:
        return done
    texts = [message.text for message in parse_messages(call.history, call.protocol.form)]
    rules = [rule for text in texts if (ledger := read_ledger(text)) for rule in ledger.rules]
    best, share = done, HALF
    while share >= LEAST and (best is done or _is_padded(best)):
        smaller = summarize(target=max(int(share * size), 1))
        if not _says_as_much(smaller, done, rules):
            break
        best, share = smaller, share / 2
    if best is done and done.new_context_tokens > size:
        smaller = summarize(target=size)
        best = smaller if _says_as_much(smaller, done, rules) else done  # no word is worth a few tokens
    return best


def _says_as_much(smaller: Condensation, done: Condensation, rules: Sequence[str]) -> bool:
    """Whether a summary holds the person's words and rules, and those of earlier summaries, that another one holds."""
    kept, wanted = read_ledger(smaller.summary), read_ledger(done.summary)
    if kept is None or wanted is None or smaller.report.typed_verbatim < done.report.typed_verbatim:
        return False
    words = [said.text for said in wanted.quotes]
    words += [
        *wanted.rules,
        *wanted.asked,
        *wanted.project,
        *(rule for rule in rules if rule in done.summary),
    ]
    return all(text in smaller.summary for text in words)


def _is_padded(done: Condensation) -> bool:
    """Whether most of the lines that a summary quotes of what was done differ in their numbers alone."""
    ledger = read_ledger(done.summary)
    quoted = [line for one in ledger.excerpts for line in one.body.split("\n")] if ledger else []
    shapes = Counter(_NUMBER.sub("0", line) for line in quoted)
    return 2 * sum(times for times in shapes.values() if times >= REPEATED) > len(quoted)


def _once(narrative: str) -> Summarizer:
    """Return a summariser that has one thing to say; asked again, it fails, and what is there is used or left out."""
    said = iter((narrative,))

    def summarizer(request: SummaryRequest) -> SummaryAnswer:
        del request
        text = next(said, None)
        if text is None:
            raise SummarizerError("the model is asked once", retriable=False)
        return SummaryAnswer(text)

    return summarizer
