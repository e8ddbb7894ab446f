"""The sessions of agents on this machine, and threads of the store.

They are found by their places, known by their beginnings, read when one is opened; what was read is remembered until
the file changes.
"""

from __future__ import annotations

import json
import os
import re
import threading
from base64 import urlsafe_b64encode
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from condense.apps.finding import find_sessions
from condense.apps.handoff import is_written_here
from condense.reading import is_context_block
from memory import read_transcript
from memory.conversation import Transcript, TranscriptFormat, typed_text
from memory.errors import MemoryFailure
from memory.projects import project_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entries import ThreadStore
    from memory.projects import Project

HEAD: Final = 262_144
"""Bytes of a session that are read to tell its name and folder; chosen: Codex begins with tens of kilobytes."""
TITLE: Final = 120
HELD: Final = 3
"""Sessions that are held in memory as they were read last."""
LARGEST_HELD: Final = 64_000_000
LOOKED_INTO: Final = 200
MOST_THREADS: Final = 1_000
THREAD: Final = "thread"
LOOKED_FOR_MODEL: Final = 20
LOOKED_THROUGH: Final = 1_000_000
"""Bytes that are read at once where all of a file is looked through."""
_SUMMARY: Final = re.compile(
    rb'"is(?:Compact)?Summary"\s{0,4}:\s{0,4}true|"compacted"|"(?:context_)?compaction(?:_summary)?"'
)
"""Stands in every file in which an agent left a summary."""
_MODEL: Final = re.compile(rb'"model"\s{0,4}:\s{0,4}"((?:claude|gpt|o\d)[A-Za-z0-9._:/-]{1,80})"')
_FOLDER: Final = re.compile(rb'"cwd"\s{0,4}:\s{0,4}("(?:[^"\\\n]|\\.){1,4000}")')


@dataclass(frozen=True, slots=True)
class Entry:
    """A session in the list: a file of an agent, or a thread (`path` None, `task` its id)."""

    agent: str
    path: Path | None
    size: int
    written: float
    task: str = ""
    label: str = ""

    @property
    def id(self) -> str:
        """Names it in an address."""
        named = str(self.path) if self.path else f"{THREAD} {self.task}"
        digest = blake2b(named.encode("utf-8", "surrogateescape"), digest_size=12).digest()
        return urlsafe_b64encode(digest).decode()

    @property
    def stamp(self) -> tuple[str, int, float]:
        """Changes whenever it does."""
        return str(self.path or self.task), self.size, self.written


@dataclass(frozen=True, slots=True)
class About:
    """What the beginning of a session tells: its own id, folder, title, when it began, whether we copied it."""

    task: str
    folder: str | None = None
    title: str = ""
    started_at: float | None = None
    is_copy: bool = False


class Sessions:
    """All of them.

    Args:
        home: the person's folder.
        claude_code, codex: folders of these agents where they are elsewhere.
        threads: the store of threads, where there is one.
    """

    def __init__(
        self,
        home: Path,
        *,
        claude_code: Path | None = None,
        codex: Path | None = None,
        threads: ThreadStore | None = None,
    ) -> None:
        self._home, self._claude_code, self._codex, self._threads = home, claude_code, codex, threads
        self._about: dict[tuple[str, int, float], About] = {}
        self._summaries: dict[tuple[str, int, float], tuple[bool, ...]] = {}
        self._read: OrderedDict[tuple[str, int, float], Transcript] = OrderedDict()
        self._known: dict[str, Project | None] = {}
        self._folders: dict[str, str | None] = {}
        self._lock = threading.Lock()

    def listed(self) -> list[Entry]:
        """Return all sessions, the one written last first; costs a look at each file's entry."""
        files = find_sessions(self._home, claude_code=self._claude_code, codex=self._codex)
        found = [Entry(one.agent, one.path, one.size, one.written_ns / 1e9) for one in files]
        if self._threads is not None:
            found += [
                Entry(THREAD, None, 0, one.last_active_at, one.thread_id, one.label)
                for one in self._threads.threads(limit=MOST_THREADS)
            ]
            found.sort(key=lambda entry: -entry.written)
        return found

    def named(self, name: str, listed: Sequence[Entry] | None = None) -> Entry | None:
        """Return the session that an address names, or that has this id of its own; None where there is none.

        Agents write a session's own id into the name of its file or folder; of others the newest are looked into.
        """
        files = self.listed() if listed is None else listed
        for entry in files:
            if name in (entry.id, entry.task):
                return entry
        told = [entry for entry in files if name and entry.path is not None]
        likely = [entry for entry in told if name in str(entry.path)]
        others = [entry for entry in told[:LOOKED_INTO] if entry not in likely]
        return next((entry for entry in (*likely, *others) if self.about(entry).task == name), None)

    def about(self, entry: Entry) -> About:
        """Return what the beginning of a session tells; its file's name where it cannot be read."""
        if entry.path is None:
            return About(entry.task, None, entry.label or entry.task)
        known = self._about.get(entry.stamp)
        if known is None:
            known = self._about[entry.stamp] = _about(entry.path, entry.size)
        return known

    def folder_of(self, entry: Entry) -> str | None:
        """Return the folder that a session worked in, read off its first lines; Claude Code's share one by folder."""
        if entry.path is None:
            return None
        place = str(entry.path.parent if entry.agent == "claude-code" else entry.path)
        if place not in self._folders:
            self._folders[place] = _folder_in(entry.path)
        return self._folders[place]

    def places(self) -> list[tuple[str, Path]]:
        """Return the folders in which the two best known agents keep their sessions."""
        claude = (self._claude_code or self._home / ".claude") / "projects"
        return [("claude-code", claude), ("codex", (self._codex or self._home / ".codex") / "sessions")]

    def newest_model(self) -> str | None:
        """Return the model that the newest sessions name."""
        for entry in self.listed()[:LOOKED_FOR_MODEL]:
            try:
                with open(entry.path or os.devnull, "rb") as file:  # noqa: PTH123  # one of both
                    found = _MODEL.search(file.read(HEAD))
            except OSError:
                continue
            if found:
                return found[1].decode()
        return None

    def projects(self) -> dict[str, Project]:
        """Return the projects that sessions on this machine worked in, by key."""
        folders = {folder for entry in self.listed() if (folder := self.folder_of(entry))}
        found = (self._project_of(folder) for folder in sorted(folders))
        return {project.key: project for project in found if project is not None}

    def read(self, entry: Entry) -> Transcript:
        """Return a session as it stands now; one that cannot be read has no messages, and a warning that says why."""
        if (held := self.held(entry)) is not None:
            return held
        read = self._read_anew(entry)
        if read.messages and entry.size <= LARGEST_HELD and entry.path is not None:
            with self._lock:
                self._read[entry.stamp] = read
                while len(self._read) > HELD:
                    self._read.popitem(last=False)
        return read

    def _read_anew(self, entry: Entry) -> Transcript:
        try:
            return read_transcript(entry.path if entry.path is not None else self._thread(entry.task))
        except (MemoryFailure, OSError, RecursionError) as error:
            return Transcript((), TranscriptFormat.ANTHROPIC, warnings=(str(error) or type(error).__name__,))

    def summaries(self, entry: Entry) -> tuple[bool, ...] | None:
        """Return the compactions that an agent left in a session, True for those that hold a summary of ours.

        None where the session is too large to be looked through; of threads none is looked for.
        """
        if entry.path is None:
            return ()
        if entry.size > LARGEST_HELD:
            return None
        known = self._summaries.get(entry.stamp)
        if known is None:
            read = (self.held(entry) or self._read_anew(entry)) if _may_have_summary(entry.path) else ()
            known = tuple(is_context_block(one) for one in read if one.meta.is_compact_summary)
            self._summaries[entry.stamp] = known
        return known

    def held(self, entry: Entry) -> Transcript | None:
        """Return a session where it was read before and has not changed."""
        with self._lock:
            return self._read.get(entry.stamp)

    def key_of(self, folder: str | None) -> str | None:
        """Return the key of the project that a folder lies in."""
        found = self._project_of(folder) if folder else None
        return found.key if found else None

    def _project_of(self, folder: str) -> Project | None:
        if folder not in self._known:
            self._known[folder] = project_of(folder) if Path(folder).is_dir() else None
        return self._known[folder]

    def _thread(self, thread_id: str) -> list[object]:
        return [message.value for message in self._threads.messages(thread_id)] if self._threads else []


def _folder_in(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            found = _FOLDER.search(file.read(HEAD))
        return str(json.loads(found[1])) if found else None
    except (OSError, ValueError):
        return None


def _about(path: Path, size: int) -> About:
    """Read the beginning of a session; whatever it is, some name comes of it."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
        whole = size <= HEAD or b"\n" not in head
        read = read_transcript(head if whole else head[: head.rindex(b"\n") + 1])
    except (MemoryFailure, OSError, RecursionError):
        return About(path.stem)
    typed = next((text for message in read.messages if (text := typed_text(message))), "")
    times = (message.meta.timestamp for message in read.messages)
    began = next((at for at in times if at is not None), None)
    title = " ".join(typed.split())[:TITLE]
    return About(read.session_id or path.stem, read.cwd, title, began, is_written_here(head))


def _may_have_summary(path: Path) -> bool:
    """Tell whether a file may hold a summary that an agent left: by its bytes, for most hold none."""
    before = b""
    try:
        with path.open("rb") as file:
            while more := file.read(LOOKED_THROUGH):
                if _SUMMARY.search(before + more):
                    return True
                before = more[-64:]
    except OSError:
        return False
    return False
