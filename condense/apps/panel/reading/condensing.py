"""A compaction as the panel shows it: what was there, what is sent in its place, and why; nothing is kept."""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from condense.apps.panel.values import BRIEF, action_of, command_of, kind_of
from condense.compaction import Condenser, MemoryArchive, repair
from condense.config import CondenseConfig
from memory import ConversationMemory
from memory.conversation import Message, canonical_json, count_frame, count_message, message_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.apps.panel import shapes
    from condense.compaction import Action, CompactionRecord
    from memory import PersistentMemoryManager
    from memory.conversation import TokenCounter, Transcript


def condensed(read: Transcript, target: int, focus: str, recall: PersistentMemoryManager | None) -> shapes.DryRun:
    """Say what condensing a session would do.

    Args:
        read: the session.
        target: tokens to come down to.
        focus: what should be kept above all.
        recall: memories of its project.
    """
    begun = time.perf_counter()
    condenser = Condenser(CondenseConfig(), archive=MemoryArchive(), project_memory=recall)
    memory = ConversationMemory(read.session_id or "session")
    overhead = count_frame(read.frame, condenser.count)
    done = condenser.condense(read.messages, memory=memory, target=target, overhead=overhead, focus=focus)
    record = done.record
    actions = record.actions if record else ()
    history, _ = repair(read.messages)
    return {
        "tokens_before": done.prev_context_tokens,
        "tokens_after": done.new_context_tokens,
        "target": target,
        "summary": done.summary,
        "error": done.error,
        "before": before_of(history, actions, condenser.count),
        "after": after_of(done.messages, record, condenser.count),
        "receipt": [action_of(action) for action in actions],
        "units_by_level": dict(done.report.units_by_level),
        "tokens_saved_by_kind": dict(done.report.tokens_saved_by_kind),
        "typed_messages": done.report.typed_messages,
        "typed_verbatim": done.report.typed_verbatim,
        "notes": list(done.report.notes),
        "seconds": round(time.perf_counter() - begun, 3),
    }


def before_of(history: Sequence[Message], actions: Sequence[Action], count: TokenCounter) -> list[shapes.Before]:
    """Return the messages of a history with what becomes of each."""
    at: dict[int, Action] = {index: one for one in actions for index in range(one.start, one.end)}
    rows: list[shapes.Before] = []
    for index, message in enumerate(history):
        action = at.get(index)
        rows.append(
            {
                "index": index,
                "role": message.role.value,
                "kind": kind_of(message),
                "text": (command_of(message) or message_text(message))[:BRIEF],
                "tokens": count_message(message, count),
                "level": action.level.value if action else "verbatim",
                "reason": action.reason if action else "",
                "handle": handle_at(action, index) if action else None,
            }
        )
    return rows


def handle_at(action: Action, index: int) -> str | None:
    """Return the handle of one message of a unit."""
    if len(action.handles) == action.end - action.start:
        return action.handles[index - action.start]
    return action.handles[0] if action.handles else None


def after_of(sent: Sequence[Message], record: CompactionRecord | None, count: TokenCounter) -> list[shapes.After]:
    """Return the messages that are sent in place of a history."""
    places: list[int | None] = [piece.kept for piece in record.pieces] if record else list(range(len(sent)))
    rows: list[Any] = []
    for place, message in zip(places, sent, strict=False):
        rows.append(
            {
                "role": message.role.value,
                "kind": kind_of(message),
                "text": (command_of(message) or message_text(message))[: BRIEF if place is not None else None],
                "tokens": count_message(message, count),
                "from": place,
            }
        )
    return rows


def handle_of(message: Message) -> str:
    """Return the handle under which an archive keeps a message."""
    return f"hf_{blake2b(canonical_json(message.original), digest_size=32).hexdigest()[:12]}"
