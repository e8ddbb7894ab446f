"""Files, commands and test runs while a trail is being folded; a file has one key, however its path is written."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.outputs import Outcome, TestTally, read_tally, running_session
from condense.reading.shell import Purpose, opens_shell, purpose_of, read_shell, without_prefix
from condense.reading.text import (
    base_name,
    ends_with_path,
    home_path,
    is_absolute,
    is_windows,
    join_path,
    normal_path,
)
from condense.reading.trail.trails import CommandTrail, FileTrail

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense.reading.calls import ToolUse
    from condense.reading.shell import Effect, ShellReading
    from condense.reading.trail.trails import FileOperation, Place

_MOST_FOLDERS, _MOST_NAMES = (40, 40)  # newest folders tried for a relative path, names kept of one file; chosen
_CLEANED = re.compile(r"^Removing (.+)$", re.MULTILINE)
_ELSEWHERE = re.compile(r"/(?:tmp|var|private|etc|opt)/|~/\.|\.\./")  # no place of a project


class FileKeys:
    """Gives paths their keys, and learns from each.

    An absolute path is its own key, its home directory written as `~`. A relative one is joined to the folder that its
    command ran in; where that is not known, it is the one known file whose path ends with it (two parts at least), else
    it stands for itself until an absolute path ends with it; `renamed` then tells its new key.
    """

    def __init__(self) -> None:
        self.workdirs: list[str] = []
        self.renamed: dict[str, str] = {}
        self._known: set[str] = set()
        self._by_base: dict[tuple[bool, str], list[str]] = {}

    def key_of(self, path: str, workdir: str | None) -> str:
        """Return the key of a file, its path as a call has it, seen from a folder (None where unknown)."""
        if workdir and workdir not in self.workdirs:
            self.workdirs.append(workdir)
        key = home_path(join_path(workdir, path))
        if key in self._known:
            return key
        found = self._absolute(key) if is_absolute(key) else self._relative(key)
        if found not in self._known:
            self._enter(found)
        return found

    def _absolute(self, key: str) -> str:
        relatives = self._by_base.get((False, base_name(key)), [])
        old = next((k for k in relatives if ends_with_path(key, k) and self._same(key, k)), None)
        if old is not None:
            self.renamed[old] = key
            self._known.discard(old)
            relatives.remove(old)
        return key

    def _relative(self, key: str) -> str:
        joined = (home_path(join_path(w, key)) for w in reversed(self.workdirs[-_MOST_FOLDERS:]))
        found = next((path for path in joined if path in self._known), None)
        if found is not None or "/" not in key:
            return found or key
        tails = [k for k in self._by_base.get((True, base_name(key)), []) if ends_with_path(k, key)]
        return tails[0] if len(tails) == 1 else key

    def _same(self, absolute: str, relative: str) -> bool:
        folder = absolute[: -len(relative) - 1]
        return "/" in relative or any(home_path(normal_path(w)) == folder for w in self.workdirs)

    def _enter(self, key: str) -> None:
        self._known.add(key)
        self._by_base.setdefault((is_absolute(key), base_name(key)), []).append(key)


class FileFold:
    """Trails of files by key, growing, in order of first touch."""

    def __init__(self) -> None:
        self.trails: dict[str, FileTrail] = {}
        self._keys = FileKeys()
        self._open: set[FileOperation] = set()  # changes that were not committed
        self._aside: set[FileOperation] = set()  # those in the newest stash
        self._added: set[str] = set()  # keys of files that git was told of

    def add(self, path: str, workdir: str | None, operation: FileOperation, old_names: Iterable[str] = ()) -> None:
        """Add an operation to the trail of a file, seen from a folder; `old_names` are those of the replaced text."""
        renamed = len(self._keys.renamed)
        key = self._keys.key_of(path, workdir)
        if len(self._keys.renamed) > renamed:  # kept under a relative path until now
            old = next(reversed(self._keys.renamed))
            self.trails = {key if k == old else k: file for k, file in self.trails.items()}
        file = self.trails.get(key, FileTrail(path.strip(), key, ()))
        names = file.names
        if operation.happened and operation.action is not ToolAction.READ:
            gone = set(old_names) - set(operation.names)
            kept = [n for n in names if n not in gone] if operation.action is ToolAction.EDIT else []
            names = tuple(dict.fromkeys([*kept, *operation.names]))[:_MOST_NAMES]
            self._open.add(operation)
        for inner in self._meant(key) if operation.action is ToolAction.DELETE and operation.happened else ():
            lost = self.trails.pop(inner) if inner != key else file
            if operation.moved_to and lost is not file:
                path = f"{operation.moved_to}/{f'/{inner}/'.partition(f'/{key}/')[2]}".rstrip("/")
                new = self._keys.key_of(path, workdir)
                self.trails[new] = replace(lost, path=path, key=new)
        self.trails[key] = FileTrail(file.path, key, (*file.operations, operation), names)

    def _meant(self, key: str) -> list[str]:
        """Keys of the known files that are meant by a key, or stand in that folder, where only one place fits."""
        places = {k: f"/{k}/".partition(f"/{key}/")[0] for k in self.trails if key in k and f"/{key}/" in f"/{k}/"}
        if "" in places.values():
            return [k for k, above in places.items() if not above]
        plain = "/" in key or all(self.trails[k].is_changed for k in places)
        return list(places) if plain and len({*places.values()}) == 1 else []

    def git(self, effect: Effect, workdir: str | None, operation: FileOperation, text: str) -> None:
        """What git does to changes: it hears of files, commits, sets aside, brings back, and throws away."""
        if effect.how == "git commit":
            self._open.clear()
            return
        key, own = self._keys.key_of(effect.target, workdir), len(self._keys.workdirs) <= 1
        held = self._meant(key)
        if effect.target == ".":  # what is no path of this folder is of the project if it can be
            held += [k for k in self.trails if own and not (workdir and is_absolute(k)) and not _ELSEWHERE.match(k)]
        changed = (k for k in held if not self._open.isdisjoint(self.trails[k].operations))
        every = effect.how == "git stash -u"
        known = (k for k in changed if every or k in self._added or self.trails[k].state is not ToolAction.CREATE)
        match effect.how:
            case "git add":
                self._added.update(held)
            case "git stash" | "git stash -u":
                self._aside = self._open & {o for k in known for o in self.trails[k].operations}
                self._open -= self._aside
            case "git stash pop" | "git stash apply":
                self._open, self._aside = self._open | self._aside, set()
            case "git stash drop" | "git stash clear" if operation.happened:
                self._discard(held, self._aside, operation)
            case "git clean" if operation.happened:
                for path in _CLEANED.findall(text):
                    self.add(join_path(effect.target, path), workdir, replace(operation, action=ToolAction.DELETE))
            case _ if effect.action is ToolAction.DISCARD and operation.happened:
                self._discard(known, self._open, operation)
                if not held and effect.how in ("git checkout", "git restore") and effect.target != ".":
                    self.add(effect.target, workdir, operation)

    def _discard(self, keys: Iterable[str], changes: set[FileOperation], operation: FileOperation) -> None:
        for key in keys:
            file = self.trails[key]
            if changes.isdisjoint(file.operations):
                continue
            kept = tuple(o for o in file.operations if o not in changes)
            names = dict.fromkeys(n for o in kept for n in o.names if n in file.names)
            left = replace(file, operations=kept, names=tuple(names))
            made = file.state is ToolAction.CREATE and not left.is_changed
            done = replace(operation, action=ToolAction.DELETE) if made else operation
            self.trails[key] = replace(left, operations=(*kept, done))


Key = tuple[str | None, str]  # a command's folder and text
_LONGEST_COMMAND = 8000
_MOVES = re.compile(
    r"git (?:reset .*--hard|stash(?! (?:list|show|drop))|(?:checkout|switch)(?! -[bcBC] \S+$)|restore(?! --staged)"
    r"|merge|revert|pull|rebase|cherry-pick|am|clean|apply)\b(?!-)"
)
_STAYED = re.compile(
    r"Already up.to.date|Already on '|No local changes|is up to date\.$|(?m:^(?:fatal|error): (?!could))"
)
"""What git does that changes the files of a tree, and what it says where it changed none."""


class CommandFold:
    """Trails of commands, growing."""

    def __init__(self) -> None:
        self.commands: dict[Key, CommandTrail] = {}
        self.sessions: dict[str, Key] = {}  # what runs on, by the session's id (Codex)

    def run(self, use: ToolUse, at: Place, outcome: Outcome, text: str) -> tuple[Effect, ...]:
        """Count one run of a command; returns its effects on files and addresses.

        What is typed into a running session is a command where that is a shell; what is typed into any other program
        is none, and may be a secret. Of what is typed, files are seen where their path is whole.
        """
        command, session = use.subject.strip(), use.session
        if session is not None:
            typed = self.is_shell(session) and command.isprintable()
            self._went_on(session, outcome, text)
            if not typed:
                return ()
            outcome = Outcome() if outcome.running else outcome  # the session runs on, not the line
        if not command:
            return ()
        windows = True if session is None and is_windows(use.workdir) else None
        reading = read_shell(command, windows=windows)
        tally = read_tally(text) if text and not reading.looks_only else None
        if tally is None and reading.purpose is Purpose.TEST:
            tally = TestTally()
        own = command if tally is None else _test_command(reading, command)
        moves = any(_MOVES.match(" ".join(without_prefix(c.words))) for c in reading.commands)
        key = use.workdir, own[:_LONGEST_COMMAND]
        before = self.commands.get(key)
        self.commands[key] = CommandTrail(
            command=key[1],
            workdir=use.workdir,
            purpose=reading.purpose,
            looks_only=reading.looks_only,
            runs=(before.runs if before else 0) + 1,
            failures=(before.failures if before else 0) + (outcome.failed is True and not outcome.refused),
            last=at,
            outcome=outcome,
            tally=tally,
            moved=moves and not (outcome.refused or _STAYED.search(text)),
        )
        if outcome.running and (started := running_session(text)):
            self.sessions[started] = key
        return tuple(e for e in reading.effects if session is None or is_absolute(e.target))

    def is_shell(self, session: str) -> bool:
        """Whether what runs in a session is an open shell, so that what is typed into it are commands."""
        key = self.sessions.get(session)
        return key is not None and opens_shell(key[1].split())

    def _went_on(self, session: str, outcome: Outcome, text: str) -> None:
        """More output of a command that was still running; the last of it says how it ended."""
        if not outcome.running and outcome.exit_code is not None:
            self.ended(session, outcome, text)

    def ended(self, session: str, outcome: Outcome, text: str = "") -> None:
        """Close a session, where it was still running, with how it ended and the last that it printed."""
        before = self.commands.get(self.sessions.pop(session, (None, "")))
        if before is not None:
            failures = before.failures + (outcome.failed is True)
            tally = read_tally(text) or before.tally if not before.looks_only else None
            key = before.workdir, before.command
            self.commands[key] = replace(before, outcome=outcome, failures=failures, tally=tally)


def _test_command(reading: ShellReading, text: str) -> str:
    """The test command itself, without what stands around it."""
    tests = (c.words for c in reading.commands if purpose_of(without_prefix(c.words)) is Purpose.TEST)
    words = next(tests, None)
    return text.split("\n", 1)[0] if words is None else " ".join(words)
