"""What all adapters share: a condenser for each conversation, and the way back to a framework's own objects."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from condense.adapters.items import Item, Known, Values, Writing, rejoined
from condense.adapters.limits import checked
from condense.compaction import CompactionRecord, Condenser, StoreArchive, passages_about
from condense.errors import ArchiveError, HandleError, Swallowed
from memory import ConversationMemory, PersistentMemoryManager, SqliteStore
from memory.conversation import Form, default_counter, parse_messages
from memory.errors import MemoryFailure
from memory.tools import fenced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from condense.config import CondenseConfig
    from memory.conversation import TokenCounter
    from memory.entries import ProjectStore

MOST = 256  # conversations whose condensers are held at once; the longest unused are let go (chosen)
UNNAMED = "unnamed/"
RECALLED = 1_500
"""Tokens of a conversation's own words that one recall quotes (chosen)."""
RECALL = (
    "Look up what was said or done earlier in this conversation, or in earlier tasks of this project, and is no longer "
    "shown. Ask in a few words (names, files, errors), or give a handle (hf_...) to get one original back in full."
)
"""What a tool that calls `recall` tells the model of itself."""


@dataclass(slots=True)
class _Followed:
    """One conversation; `lock` is held while it works.

    `seen` is what its last view was given, for `recall`; `said` what was saved.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    condenser: Condenser | None = None
    said: ConversationMemory | None = None
    known: tuple[str, ...] = ()
    seen: Values = ()
    known_changes: Known = field(default_factory=dict)


class Conversations:
    """Condensers by the name of their conversation.  Safe with several threads; `view` never raises into an agent.

    Args:
        config: settings; the defaults are for a window of 200,000 tokens.
        memory: the memory of the project that the agent works for, or a folder in it: what earlier tasks said is
            offered to every compaction, and `save` keeps what this one said.
        store: where compactions and originals are kept, so that another process goes on byte for byte: a store, its
            file or the URL of its database (`postgresql://...`); None keeps them in this process.
        count_tokens: text -> tokens; see `Condenser`.
        on_error: called with what was swallowed, once for each distinct failure; a `RuntimeWarning` by default.
        most: conversations held at once.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        config: CondenseConfig | None = None,
        *,
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
        count_tokens: TokenCounter | None = None,
        on_error: Callable[[Exception], object] | None = None,
        most: int = MOST,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.config = checked(config, store, memory)
        if isinstance(store, str) and "://" in store:
            from memory import SqlStore  # needs an extra that the adapters do without

            store = SqlStore(store)
        self.store = SqliteStore(Path(store)) if isinstance(store, Path | str) else store
        if isinstance(memory, Path | str):
            memory = PersistentMemoryManager.open(memory, store=self.store, clock=clock)
        self.memory = memory
        self.count = count_tokens or default_counter()
        self._most = most
        self._clock = clock
        self._swallowed = Swallowed(on_error)
        self._lock = threading.Lock()
        self._followed: OrderedDict[str, _Followed] = OrderedDict()

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that was swallowed, of any conversation; None as long as there was none."""
        return self._swallowed.last

    @property
    def errors(self) -> int:
        """How many were swallowed."""
        return self._swallowed.number

    def failed(self, error: Exception) -> None:
        """Keep an error that an adapter swallows."""
        self._swallowed.keep(error)

    def records(self, conversation: str, values: Values = ()) -> tuple[CompactionRecord, ...]:
        """Return the compactions of a conversation, oldest first."""
        with self._held(conversation, values) as (_, followed):
            return followed.condenser.records if followed.condenser is not None else ()

    def view(
        self,
        conversation: str,
        values: Values,
        *,
        form: Form | str | None = None,
        config: CondenseConfig | None = None,
        **more: Any,
    ) -> Sequence[Any]:
        """Return what to send of a conversation; see `Condenser.view`, which `more` goes to.  Never raises.

        Args:
            conversation: its name; "", or one that ends in "/", is completed by how it begins, up to the first answer,
                and holds as long as the history goes on from what was seen.
            values: the whole history so far, in one wire form.
            form: that form; None tells it.
            config: settings in place of the common ones; others than before are taken over from here on.
        """
        try:
            with self._held(conversation, values) as (name, followed):
                return self._viewed(followed, name, values, form, config, more)
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            self.failed(error)
            return values

    def view_items(
        self, conversation: str, items: Sequence[Item], writing: Writing[Item], **more: Any
    ) -> Sequence[Item]:
        """Return what to send, as items: kept ones are the very objects that came in.  Never raises; see `view`."""
        try:
            wires = [tuple(writing.write(item)) for item in items]
            flat = [value for wire in wires for value in wire]
            sent = self.view(conversation, flat, form=writing.form, **more)
            if sent is flat:
                return items
            with self._held(conversation, flat) as (_, followed):
                return rejoined(items, wires, sent, writing, followed.known_changes)
        except Exception as error:  # noqa: BLE001  # a framework's objects that cannot be read or made
            self.failed(error)
            return items

    async def view_items_async(
        self, conversation: str, items: Sequence[Item], writing: Writing[Item], **more: Any
    ) -> Sequence[Item]:
        """Do the same in a thread: a compaction takes about a second of CPU for 200,000 tokens."""
        return await asyncio.to_thread(partial(self.view_items, conversation, items, writing, **more))

    async def view_async(self, conversation: str, values: Values, **more: Any) -> Sequence[Any]:
        """Do as `view` does, in a thread."""
        return await asyncio.to_thread(self.view, conversation, values, **more)

    def save(
        self, conversation: str, values: Iterable[Mapping[str, Any]], *, form: Form | str | None = None
    ) -> None:
        """Keep what the person said in the project's memory, where there is one; may be called at each step.

        Never raises.
        """
        if self.memory is None:
            return
        try:
            history = list(values)
            with self._held(conversation, history) as (name, followed):
                said, followed.said = followed.said or ConversationMemory(name), None
                parsed = parse_messages(history, None if form is None else Form(form))
                if said.extract_memories(parsed).memories or said.taken_back:
                    self.memory.save_task(said)
                followed.said = said  # as far as it was saved
        except Exception as error:  # noqa: BLE001  # the agent's answer is there, and must reach its caller
            self.failed(error)

    def recall(self, conversation: str, query: str, limit: int = 5, *, values: Values = ()) -> str:
        """Answer a question, or a handle from a summary, out of what a conversation and its project hold.

        Memories of the project come first, `limit` at most, then passages of the conversation; marked as recorded.
        `values` tell which it is, where it has no name, as in `view`.
        """
        with self._held(conversation, values) as (_, followed):
            if followed.condenser is not None:
                try:
                    value = followed.condenser.expand(query)
                    return fenced(json.dumps(value, ensure_ascii=False, indent=1), source="recall_memory")
                except HandleError:
                    pass
                except ArchiveError as error:
                    self.failed(error)
            found: list[str] = []
            try:
                hits = self.memory.search(query, limit=limit) if self.memory is not None else ()
                found += [f"- {hit.memory.entry.content}" for hit in hits]
                parsed = parse_messages(followed.seen)
                found += passages_about(query, parsed, RECALLED, self.count).split("\n")
            except MemoryFailure as error:
                self.failed(error)
        told = "\n".join(dict.fromkeys(line for line in found if line))
        return fenced(told, source="recall_memory") if told else "Nothing that was said or done answers that."

    def undo(self, conversation: str) -> CompactionRecord | None:
        """Drop the newest compaction of a conversation, in the store, too; `StoreError` where that fails."""
        followed = self._of(conversation)
        with followed.lock:
            record = followed.condenser.undo() if followed.condenser is not None else None
            if record is not None and self.store is not None:
                self.store.delete_record(None, _stored_id(conversation, record))
                followed.known = self.store.records(None, conversation)
            return record

    def delete(self, conversation: str) -> int:
        """Let a conversation go, and its compactions in the store; return how many went. `StoreError` where that fails.

        Originals that the store keeps stay, unless it deletes them itself (`SqlStore.delete_thread`).
        """
        self.forget(conversation)
        if self.store is None:
            return 0
        kept = self.store.records(None, conversation)
        for text in kept:
            self.store.delete_record(None, CompactionRecord.from_json(text).id)
        return len(kept)

    def forget(self, conversation: str) -> None:
        """Let a conversation go; what a store keeps of it stays."""
        with self._lock:
            self._followed.pop(conversation, None)

    @contextmanager
    def _held(self, conversation: str, values: Values) -> Iterator[tuple[str, _Followed]]:
        """Hold a conversation and tell its name; of several without one that begin alike, the one that went this way.

        What one of them said must not be told to another: their persons may not be the same.
        """
        named = bool(conversation) and not conversation.endswith("/")
        name = first = conversation if named else conversation + beginning(values)
        for number in count(2):
            followed = self._of(name)
            with followed.lock:
                if named or followed.condenser is None or followed.condenser.continues(values):
                    yield name, followed
                    return
            name = f"{first}/{number}"

    def _of(self, conversation: str) -> _Followed:
        with self._lock:
            followed = self._followed.setdefault(conversation, _Followed())
            self._followed.move_to_end(conversation)
            while len(self._followed) > self._most:
                self._followed.popitem(last=False)
            return followed

    def _viewed(
        self,
        followed: _Followed,
        name: str,
        values: Values,
        form: Form | str | None,
        config: CondenseConfig | None,
        more: Mapping[str, Any],
    ) -> Sequence[Any]:
        kept = self._kept(name, followed)
        condenser = followed.condenser
        if condenser is None or kept != followed.known or (config or self.config) != condenser.config:
            condenser = self._condenser(name, config, kept, condenser)
            followed.condenser, followed.known = condenser, kept
        before = condenser.records
        sent = condenser.view(values, form=form, **more)
        followed.seen = values
        made = [record for record in condenser.records if record not in before]
        again = self._keep(name, made) if made else None
        if again is not None:  # as the next process will send it: secrets are gone from it
            followed.known = again
            followed.condenser = self._condenser(name, config, again, None)
            sent = followed.condenser.view(values, form=form, **more)
        return sent

    def _condenser(
        self, name: str, config: CondenseConfig | None, kept: Sequence[str], before: Condenser | None
    ) -> Condenser:
        records = [CompactionRecord.from_json(text) for text in kept]
        if self.store is None and before is not None:
            records = list(before.records)
        project = self.memory.project if self.memory is not None else None
        return Condenser(
            config or self.config,
            count_tokens=self.count,
            memory=ConversationMemory(name),
            project_memory=self.memory,
            archive=StoreArchive(self.store, project=project, task_id=name)
            if self.store is not None
            else before.archive
            if before is not None
            else None,
            on_error=self.failed,
            records=records,
        )

    def _kept(self, name: str, followed: _Followed) -> tuple[str, ...]:
        if self.store is None:
            return ()
        try:
            return self.store.records(None, name)
        except MemoryFailure as error:
            self.failed(error)
            return followed.known

    def _keep(self, name: str, made: Sequence[CompactionRecord]) -> tuple[str, ...] | None:
        """Keep records; return all as they can be read again, None where they are not kept: then memory has them."""
        if self.store is None:
            return None
        try:
            for record in made:
                self.store.put_record(None, name, _stored_id(name, record), record.to_json(), self._clock())
            return self.store.records(None, name)
        except MemoryFailure as error:
            self.failed(error)
            return None


def _stored_id(conversation: str, record: CompactionRecord) -> str:
    """Tell apart what two conversations keep that began alike: a fork's record is its own ("@" marks the proxy's)."""
    return f"{record.id}~{conversation}"


def beginning(values: Values) -> str:
    """Name a conversation by how it begins: all up to its first answer."""
    named = hashlib.blake2b(digest_size=12)
    for value in values:
        named.update(json.dumps(value, sort_keys=True, default=str).encode("utf-8", "surrogatepass"))
        if value.get("role", "assistant") == "assistant":  # items of Responses without a role are the model's
            break
    return UNNAMED + named.hexdigest()
