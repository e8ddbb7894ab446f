"""Pruning: the oldest messages of a long thread become topics, chunks and a summary, before they may be removed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from condense.adapters.threads.config import ThreadMemoryConfig
from condense.adapters.threads.embedding import vectors_of
from condense.compaction import Request, plan_compaction, repair
from condense.config import CondenseConfig
from condense.errors import SummarizerError
from condense.ledger import History, read_ledger
from condense.reading import language_of
from condense.summarizing import (
    Account,
    Narrator,
    Purpose,
    Question,
    SummarizingConfig,
    SummaryRequest,
    cut_to,
    defused,
    drive,
    fenced,
    into_parts,
    prompt,
    transcribe,
)
from condense.verifying import reject_reason
from memory.consolidation import TITLES, chinese_name
from memory.conversation import Form, PartKind, Role, default_counter, make_text, parse_messages, typed_text
from memory.engine import ConversationMemory
from memory.entries import ThreadChunk, ThreadSummary
from memory.extraction import files_in, technology_mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from condense.summarizing import Flow, Summarizer
    from memory.conversation import Message, TokenCounter
    from memory.entries import ThreadMessage, ThreadStore
    from memory.search import Embedder

    Topics = Callable[[Sequence[Message]], Iterable[str]]

BUFFER = 20  # messages that go beyond the excess, so that not every turn prunes (documented)
MOST_TOPICS, MOST_FILES, LONGEST_TOPIC = 12, 4, 60  # of one pruning, and characters of one (chosen)
CHUNK, RESULT_TOKENS = 2_000, 300  # characters of a chunk, tokens of a tool output in it (chosen)
_OUR_TAGS = re.compile(r"</?holdfast-context[^>\n]{0,200}>\n?")
NARRATIVE_SHARE = 3  # part of our summary that a model's earlier one may take (chosen: a third)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What a pruning kept, and the ids of the messages that may now be removed; nothing of either where none was due.

    `messages` were new to the summary: what went before had been summarised by a pruning that was not finished.
    """

    removable: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    topics: tuple[str, ...] = ()
    chunks: int = 0
    summary: ThreadSummary | None = None
    cost: float | None = 0.0  # US dollars of all calls, None where unknown
    problems: tuple[str, ...] = ()  # what failed, and was done without


def prune_thread(  # noqa: PLR0913  # the settings of a call stand apart
    store: ThreadStore,
    thread_id: str,
    messages: Sequence[ThreadMessage],
    now: float,
    config: ThreadMemoryConfig | None = None,
    summarizer: Summarizer | None = None,
    embedder: Embedder | None = None,
    topics: Topics | None = None,
    *,
    count: TokenCounter | None = None,
    form: Form | str | None = None,
) -> Pruned:
    """Keep what the oldest messages of a thread say, in one transaction; remove `Pruned.removable` after that.

    Nothing is due up to `max_messages_per_thread`; above, the excess and 20 more, up to a message of the person. What
    fails of a model or an embedder is done without. `StoreError` where the store fails: then nothing may be removed.

    Args:
        store, thread_id: where to, and whose.
        messages: all of the thread, oldest first.
        now: seconds since 1970 UTC.
        config: settings.
        summarizer: writes summary and topics; without, our extraction and our own summary do.
        embedder: makes vectors of chunks.
        topics: names the topics of messages, in place of both.
        count, form: see `trim_to_tiers`.
    """
    config, count = config or ThreadMemoryConfig(), count or default_counter()
    if len(messages) <= config.max_messages_per_thread:
        return Pruned()
    parsed = parse_messages([m.value for m in messages], Form(form) if form is not None else None)
    cut = _cut(parsed, config.max_messages_per_thread)
    before = store.summary(thread_id)
    done = before.last_summarized_msg_id if before is not None else None
    begin = next((i for i, m in enumerate(messages[:cut], 1) if m.id == done), 0)
    removable = tuple(m.id for m, read in zip(messages[:cut], parsed, strict=False) if read.role is not Role.SYSTEM)
    fresh = [m for m in parsed[begin:cut] if m.role is not Role.SYSTEM]
    if not fresh:
        return Pruned(removable)
    model = summarizer if config.enable_summary and len(messages) >= config.summary_threshold else None
    account = Account()
    writing = _Writing(fresh, config, count, account, language_of(typed_text(m) for m in fresh))
    named = _bounded(topics(fresh)) if topics is not None else writing.asked_topics(model)
    pieces = list(writing.pieces())
    vectors = vectors_of(embedder, pieces, lambda e: account.problems.append(f"the embedder failed: {e}"))
    chunks = [
        ThreadChunk(thread_id, text, _about(text, named), now, vectors[i] if vectors is not None else None)
        for i, text in enumerate(pieces)
    ]
    old = before.summary if before is not None else ""
    text = (drive(writing.told(old), model) if model is not None else None) or writing.offline(old)
    counted = (before.message_count if before is not None else 0) + len(fresh)
    summary = ThreadSummary(thread_id, text or old, counted, now, messages[cut - 1].id)
    problems = tuple(dict.fromkeys(account.problems))
    with store.writing():
        kept = store.put_chunks(chunks)  # from here on nobody else writes to this thread
        if store.summary(thread_id) != before:
            return Pruned(cost=account.cost, problems=(*problems, "another process pruned this thread meanwhile"))
        store.count_topics(thread_id, named, now)
        store.put_summary(summary)
    return Pruned(removable, tuple(fresh), tuple(named), kept, summary, account.cost, problems)


def _cut(messages: Sequence[Message], most: int) -> int:
    """Return where the thread begins from now on: a message of the person near the documented place; 0: none."""
    excess = len(messages) - most
    wanted = min(excess + BUFFER, len(messages))
    human = [i for i, m in enumerate(messages) if i and m.role is Role.USER and not m.results]
    earlier = [i for i in human if excess <= i <= wanted]
    return earlier[-1] if earlier else next((i for i in human if i > wanted), max(human, default=0))


def _bounded(topics: Iterable[str]) -> list[str]:
    flat = (" ".join(topic.strip(" -*•#.。,，").split())[:LONGEST_TOPIC] for topic in topics)
    return list(islice(dict.fromkeys(filter(None, flat)), MOST_TOPICS))


def _about(text: str, topics: Sequence[str]) -> tuple[str, ...]:
    """Return the topics that a chunk speaks of; all of them where it names none."""
    said = text.casefold()
    return tuple(topic for topic in topics if topic.casefold() in said) or tuple(topics)


@dataclass(frozen=True, slots=True)
class _Writing:
    fresh: Sequence[Message]
    config: ThreadMemoryConfig
    count: TokenCounter
    account: Account
    language: str

    def asked_topics(self, model: Summarizer | None) -> list[str]:
        """The topics as a model names them, or our extraction."""
        asked = drive(self._topics(), model) if model is not None else []
        return asked or self.extracted_topics()

    def _topics(self) -> Flow[list[str]]:
        written = transcribe(self.fresh, count=self.count, result_tokens=RESULT_TOKENS, language=self.language)
        text = next(iter(into_parts(written.entries, SummarizingConfig().window // 2, self.count)), "")
        system = [prompt(name, self.language, limit=MOST_TOPICS) for name in ("notes/topics", "security")]
        told = prompt("transcript", self.language, which="", transcript=fenced("transcript", text))
        try:
            answer = yield from self.account.ask(SummaryRequest(Purpose.TOPICS, "\n\n".join(system), told))
        except SummarizerError as error:
            self.account.problems.append(f"the model named no topics: {error.reason}")
            return []
        return _bounded(re.split(r"[\n,，、;；]", defused(answer)))

    def extracted_topics(self) -> list[str]:
        """Technologies and files that are spoken of, questions that were settled, kinds of memories."""
        named: Counter[str] = Counter()
        spelt: dict[str, str] = {}
        files: Counter[str] = Counter()
        for message in self.fresh:
            said = "\n".join(p.text for p in message.of_kind(PartKind.TEXT))
            for mention in technology_mentions(said):
                named[mention.name] += 1
                spelt.setdefault(mention.name, said[mention.start : mention.end])
            files.update(path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] for path in files_in(said))
        memory = ConversationMemory("thread")
        memory.extract_memories(self.fresh)
        entries = memory.get_all_memories()
        slots = [slot.name for entry in entries for slot in entry.slots if ":" not in slot.name]
        chinese = self.language == "zh"
        return _bounded(
            [
                *(spelt[name] for name, _ in named.most_common(MOST_TOPICS // 2)),
                *(name for name, _ in files.most_common(MOST_FILES)),
                *map(chinese_name if chinese else str, slots),
                *(TITLES[self.language][str(entry.type)] for entry in entries),
            ]
        )

    def pieces(self) -> Iterable[str]:
        """The conversation turn by turn, as texts of bounded length."""
        turn: list[Message] = []
        for message in (*self.fresh, None):
            if message is not None and not (turn and message.role is Role.USER and not message.results):
                turn.append(message)
                continue
            said = transcribe(turn, count=self.count, result_tokens=RESULT_TOKENS, language=self.language)
            text = "\n".join(
                re.sub(r"\A\[#\d{1,9} ", "[", entry) for entry in (said.previous, *said.entries) if entry
            )
            while text.strip():
                end = text.rfind("\n", CHUNK // 2, CHUNK) + 1 if len(text) > CHUNK else 0
                if piece := text[: end or CHUNK].strip():
                    yield piece
                text = text[end or CHUNK :]
            turn = [message] if message is not None else []

    def told(self, old: str) -> Flow[str | None]:
        """The summary by a model, an earlier one compressed to a third where both are too much; None where it fails."""
        limit, settings = self.config.max_summary_tokens, SummarizingConfig()
        written = transcribe(self.fresh, count=self.count, result_tokens=RESULT_TOKENS, language=self.language)
        previous = cut_to(written.previous, settings.window // 4, self.count)
        question = Question(self.language, limit, settings.window, previous=previous)
        reject = partial(reject_reason, source=self.fresh, count=self.count)
        narrator = Narrator(question, settings, self.count, reject, self.account)
        new = yield from narrator.narrate(written.entries)
        old = _OUR_TAGS.sub("", old).strip()
        if new is None or not old:
            return new
        if self.count(old) + self.count(new) <= limit:
            return f"{old}\n\n{new}"
        source = [*self.fresh, make_text(self.fresh[0].form, Role.USER, old)]
        once = settings.model_copy(update={"compressions": 1})
        third = replace(question, limit=max(1, self.count(old) // 3))
        reject = partial(reject_reason, source=source, count=self.count)
        old = yield from Narrator(third, once, self.count, reject, self.account).compressed(old)
        whole = Narrator(question, once, self.count, reject, self.account)
        merged = yield from whole.compressed(f"{old}\n\n{new}")
        return cut_to(defused(merged), limit, self.count)

    def offline(self, old: str) -> str:
        """Our own summary, the earlier one in it; "" where there is no room for one."""
        ledger = read_ledger(old)
        earlier = [make_text(self.fresh[0].form, Role.USER, old)] if ledger is not None else []
        told = ledger.narrative if ledger is not None else old
        limit = self.config.max_summary_tokens
        read = repair([*earlier, *self.fresh])[0]
        memory = ConversationMemory("thread")
        memory.extract_memories(read)
        request = Request(
            target=limit,
            config=CondenseConfig(reach=""),
            count=self.count,
            memories=tuple(entry for entry in memory.get_all_memories() if not entry.is_proposal),
            narrative=cut_to(told, limit // NARRATIVE_SHARE, self.count) if told else "",
            whole=True,
        )
        plan = plan_compaction(History.of(read, self.count), request)
        if plan.error is not None:
            self.account.problems.append(f"no summary of our own: {plan.error}")
        return plan.summary if plan.error is None else ""
