"""Save what a person said in a session, and prepare what the next start of the agent is told."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from condense.apps import switches
from condense.apps.hooks.texts import (
    EARLIER,
    MOST,
    project_file,
    session_text,
    state_of,
    texts_folder,
)
from condense.apps.saving import save_session as save_to, title_of
from condense.compaction import write_atomically
from memory import PersistentMemoryManager, read_transcript
from memory.consolidation import marked_text
from memory.conversation import redact, typed_text
from memory.entries import MemoryPriority
from memory.stores import (
    has_store,
    made_data_folder,
    open_store,
    stamp_of,
    store_elsewhere,
    store_file,
)
from memory.tools import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memory import ConversationMemory
    from memory.entries import MemoryEntry, StoredMemory

SESSION_SHARE: Final = 0.6
"""Share of what a hook may say for the session itself; the rest is the project's. Chosen."""
LONGEST: Final = 400
"""Characters of a line; what is longer is cut, and recalled whole."""
REQUEST: Final = 1_500
"""Characters of the latest request."""
KEPT_DAYS: Final = 30
"""Days after which a session's prepared text is removed."""
TAG: Final = "holdfast-rules"
LABEL: Final = "The person's own words, verbatim. They hold unless the person says otherwise."
TOUCHED: Final = 0.2
"""Score from which a rule has to do with a prompt; chosen."""
RECALL: Final = (
    "More is remembered; the tool recall_memory of the MCP server holdfast finds it, or "
    "`holdfast memory search WORDS`."
)


def save_session(transcript: str, session: str, folder: str) -> None:
    """Take in a session's transcript: into the project's memory, and into the texts that hooks print.

    Raises:
        TranscriptError, StoreError, OSError: it cannot be read, or not be kept.
    """
    read = read_transcript(transcript)
    typed = [text for message in read.messages if (text := typed_text(message))]
    with closing(open_store()) as store:
        project = PersistentMemoryManager.open(folder if Path(folder).is_dir() else ".", store=store)

        def write_text(memory: ConversationMemory) -> None:
            """Before it is shared: the start after a compaction waits for the text, and only so long."""
            entries = [e for e in memory.get_all_memories() if not e.is_proposal]  # as of its last message
            _write(session_text(session), redact(_of_session(entries, typed[-1] if typed else "")))

        title = title_of(read.messages)
        save_to(project, session, lambda: read.messages, title=title, ready=write_text)
    _tidy(time.time())
    if Path(folder).is_dir():
        prepare_project(folder, session)


def prepare_project(folder: str, session: str) -> str:
    """Write what a project remembers for the next start, and return it; "" outside a project.

    Raises:
        StoreError, OSError: it cannot be read or written.
    """
    with closing(open_store()) as store:
        manager = PersistentMemoryManager.open(folder, store=store)
        if manager.project is None:
            return ""
        # before it is read: what changes meanwhile is seen
        stamp = "" if store_elsewhere() else stamp_of(store_file(), manager.project)
        told = manager.get_project_memories() if switches.is_enhanced(store) else ()
        text: str = _of_project(told, manager, session)
        key = manager.project
    if stamp:  # of another store nobody can tell at once whether it changed since
        _write(project_file(key), json.dumps({"store": state_of(store_file()), "stamp": stamp, "text": text}))
    return text


def touched_rule(prompt: str, folder: str) -> str:
    """Return a reminder of a critical rule of the project that a prompt touches; "" where it touches none."""
    if not prompt.strip() or not Path(folder).is_dir() or not has_store():
        return ""
    with closing(open_store()) as store:
        if not switches.is_enhanced(store):
            return ""
        hits = PersistentMemoryManager.open(folder, store=store).search(prompt, limit=3)
    lines = [
        _line(hit.memory.entry)
        for hit in hits
        if hit.score >= TOUCHED
        and hit.memory.entry.standing
        and hit.memory.entry.priority is MemoryPriority.CRITICAL
    ]
    told = "A rule of this project touches this:\n" + "\n".join(lines)
    return _block(told) if lines else ""


def _of_session(entries: Sequence[MemoryEntry], latest: str) -> str:
    """Return what was said in a session: rules first, then the rest by weight, then the latest request."""
    asked = f"\n\nLatest request:\n{latest[:REQUEST]}" if latest else ""
    room = int(SESSION_SHARE * MOST) - len(asked) - 300
    ranked = sorted(entries, key=lambda e: (-e.standing, -e.priority.rank, -e.created_at))
    lines = _fitting((_line(e) for e in ranked), room)
    if not lines and not asked:
        return ""
    return _block("Said in this session:\n" + "\n".join(lines) + asked)


def _of_project(memories: Sequence[StoredMemory], manager: PersistentMemoryManager, session: str) -> str:
    """Return what a project remembers: pinned first, then standing rules; and what the last session was about."""
    known = [m for m in memories if not m.entry.is_proposal and (m.pinned or m.entry.priority.rank > 0)]
    ranked = sorted(known, key=lambda m: (-m.pinned, -m.entry.standing, -m.entry.priority.rank))
    last = next((c for c in manager.conversations() if c.task_id != session and c.title), None)
    ended = f"\n\nThe session before this one was about: {last.title}" if last else ""
    lines = _fitting((_line(m.entry) for m in ranked), int((1 - SESSION_SHARE) * MOST) - len(ended) - 400)
    if not lines:
        return ""
    kept = "\n".join(lines)
    return redact(_block(f"{EARLIER}\n{kept}{ended}\n\n{RECALL}"))


def _block(text: str) -> str:
    """Put what was said into a block that it cannot close."""
    return f"<{TAG}>\n{LABEL}\n\n{harmless(text)}\n</{TAG}>"


def _line(entry: MemoryEntry) -> str:
    words = " ".join(marked_text(entry).split())
    return f"- {words if len(words) <= LONGEST else words[:LONGEST] + '…'}"


def _fitting(lines: Iterable[str], room: int) -> list[str]:
    kept = []
    for line in dict.fromkeys(lines):
        if len(line) + 1 <= room:
            room -= len(line) + 1
            kept.append(line)
    return kept


def _write(place: Path, text: str) -> None:
    made_data_folder()
    place.parent.mkdir(mode=0o700, exist_ok=True)
    write_atomically(place, text.encode("utf-8", "replace"))


def _tidy(now: float) -> None:
    for place in texts_folder().glob("session-*"):
        if place.stat().st_mtime < now - KEPT_DAYS * 86_400:
            place.unlink(missing_ok=True)
