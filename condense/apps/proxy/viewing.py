"""Smaller requests: each conversation's history goes through `Condenser.view`; its records are kept in the store.

What is sent is what the kept records say, so that a restarted proxy, or a second one on the same store, goes on byte
for byte.  A request is rewritten only where a record is in force.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from condense.compaction import CompactionRecord, Condenser
from condense.config import CondenseConfig, TokenBudget
from condense.costs import CacheRates
from condense.errors import CondenseFailure
from memory import ConversationMemory
from memory.conversation import default_counter, parse_messages
from memory.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.apps.proxy.answering import Keeping
    from condense.apps.proxy.protocols import Call
    from condense.apps.proxy.settings import ProxySettings
    from condense.apps.proxy.status import Status
    from condense.compaction import Archive
    from memory import PersistentMemoryManager

RESERVED = 0.25
"""Share of the window that stays free: the provider may count a third more tokens than we do (chosen)."""
NOTED = 0.1
"""Bytes per token of the window by which system prompt and tools change before that is taken into account (chosen)."""
RESTING = 0.05
"""Share by which a conversation grows after an undo before it is compacted again, as in `Condenser.undo` (chosen)."""
TRIGGER = 0.8
"""Share of what remains above which a history is compacted, where that pays (chosen)."""


@dataclass(slots=True)
class Conversation:
    """One conversation's condenser; `lock` is held while it works; `frame`: bytes of system prompt and tools.

    Until it has `rests` messages no compaction is made where the window holds: a person took the last one back.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    condenser: Condenser | None = None
    known: tuple[str, ...] = ()
    size: int = 0
    frame: int = 0
    rests: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What to send in place of a history; `made` are the compactions that this request brought about."""

    history: Sequence[Any]
    made: tuple[CompactionRecord, ...] = ()


class Views:
    """The conversations that are followed; the longest unused are let go, and come back from the store.

    Args:
        settings: of the proxy.
        keeping: store and archive.
        status: told of what goes wrong.
    """

    def __init__(self, settings: ProxySettings, keeping: Keeping, status: Status) -> None:
        self._settings = settings
        self._keeping = keeping
        self._status = status
        self._count = default_counter()
        self._lock = threading.Lock()
        self._conversations: OrderedDict[str, Conversation] = OrderedDict()

    def __len__(self) -> int:
        """Return how many conversations are held in memory."""
        return len(self._conversations)

    def view(self, call: Call, size: int) -> View:
        """Return what to send of a conversation; costs what is new of it, and about a second where it is compacted.

        Args:
            call: the request.
            size: bytes of its body.

        Raises:
            CondenseFailure: there is nothing valid to send; then the request goes on as it came.
        """
        task = task_of(call)
        conversation = self._conversation(task, size)
        with conversation.lock:
            kept = self._kept(task, conversation)
            frame = len(orjson.dumps(_around(call)))
            grown = abs(frame - conversation.frame) > self._settings.window * NOTED
            if kept != conversation.known:
                undone = set(conversation.known) - set(kept)
                conversation.rests = int(len(call.history) * (1 + RESTING)) + 1 if undone else 0
            due = False if len(call.history) < conversation.rests else None
            if conversation.condenser is None or grown or kept != conversation.known:
                conversation.condenser, conversation.known = self._condenser(call, kept), kept
                conversation.frame = frame
            before = len(conversation.condenser.records)
            sent = conversation.condenser.view(call.history, form=call.protocol.form, due=due)
            made = conversation.condenser.records[before:]
            kept_now = self._keep(task, made, call.folder) if made else None
            if kept_now is not None:
                conversation.known = (*conversation.known, *kept_now)
                conversation.condenser = self._condenser(call, conversation.known)
                sent = conversation.condenser.view(call.history, form=call.protocol.form)
            return View(sent, made)

    def _conversation(self, task: str, size: int) -> Conversation:
        with self._lock:
            conversation = self._conversations.setdefault(task, Conversation())
            conversation.size = size
            self._conversations.move_to_end(task)
            while len(self._conversations) > 1 and (
                len(self._conversations) > self._settings.most_conversations
                or sum(one.size for one in self._conversations.values()) > self._settings.most_kept
            ):
                self._conversations.popitem(last=False)
            return conversation

    def _condenser(self, call: Call, kept: Sequence[str]) -> Condenser:
        overhead = min(self._count(orjson.dumps(_around(call)).decode()), self._settings.window // 2)
        output = call.body.get("max_tokens") or call.body.get("max_output_tokens") or 0
        room = int(self._settings.window * (1 - RESERVED)) - overhead
        room = max(room - min(int(output), room // 4), 2_000)
        trigger = max(int(TRIGGER * room), 1)
        rates = CacheRates.of_model(call.model)
        archive: Archive | None = None
        project: PersistentMemoryManager | None = None
        try:
            archive, project = self._keeping.archive(call), self._keeping.project(call)
        except (StoreError, OSError) as error:
            self._status.failed("the store", error)
        return Condenser(
            CondenseConfig(
                budget=TokenBudget(window=room, trigger=trigger, target=min(self._settings.target, trigger)),
                rates=rates,
            ),
            archive=archive,
            project_memory=project,
            memory=ConversationMemory(call.conversation or "proxy"),
            on_error=lambda error: self._status.failed("view", error),
            records=[CompactionRecord.from_json(text) for text in kept],
        )

    def _kept(self, task: str, conversation: Conversation) -> tuple[str, ...]:
        try:
            return self._keeping.store.records(None, task)
        except StoreError as error:
            self._status.failed("the store", error)
            return conversation.known

    def _keep(self, task: str, made: Sequence[CompactionRecord], folder: str | None) -> tuple[str, ...] | None:
        """Keep records and return them as they can be read again; None where that failed: then memory has them."""
        try:
            for record in made:
                self._keeping.keep(task, record, folder)
            return self._keeping.store.records(None, task)[-len(made) :]
        except (StoreError, CondenseFailure) as error:
            self._status.failed("the store", error)
            return None


def _around(call: Call) -> dict[str, Any]:
    return {k: v for k, v in call.body.items() if k in {"system", "tools", "instructions"}}


def task_of(call: Call) -> str:
    """Name the conversation of a request in the store; one whose client names none goes by how it begins.

    So does a helper that is not named in the conversation of its client.
    """
    name = call.conversation
    if not name or (call.kind == "subagent" and name.endswith("/")):
        first = [m for m in call.history if m.get("role") != "system"][:1]
        begun = [message.digest for message in parse_messages(first, call.protocol.form)]
        name += hashlib.blake2b(orjson.dumps([call.model, begun]), digest_size=12).hexdigest()
    return f"proxy/{name}"
