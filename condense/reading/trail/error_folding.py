"""The part of the fold that follows errors: where each came from, how often, and whether it went away."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from condense.reading.calls import ToolAction, ToolUse
from condense.reading.outputs import Outcome, Sheet
from condense.reading.shell import Purpose, looks_only
from condense.reading.text import ends_with_path, is_absolute, normal_path
from condense.reading.trail.trails import ErrorTrail, Place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

LONGEST_SUBJECT, LONGEST_COMPARED = 200, 2000  # characters of a subject, and of a compared command; chosen
LOOKING = frozenset({ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST})  # what fails without harm
_SAVING = frozenset({ToolAction.CREATE, ToolAction.EDIT})
_NOT_RUN = frozenset({124, 126, 127, 130, 137, 143})
"""Exit codes of commands that did not run, or not to their end: they say nothing of earlier errors."""
_CUT_OFF = re.compile(r"timed out|command not found|not recognized as|Killed|Terminated")
_CALLED_OFF = re.compile(r"\s{0,4}<tool_use_error>(?:Cancelled: parallel tool call|Sibling tool call errored)")
"""How Claude Code answers a call beside one that failed: it never ran."""
_ABSENT = re.compile(r"No such file|cannot find|not find|does not exist|找不到|不存在", re.IGNORECASE)
_NOT_FOUND = re.compile(f"no matches found|{_ABSENT.pattern}", re.IGNORECASE)
_FILE = re.compile(r"\.\w{1,8}['\"`]?$")
_AROUND = re.compile(
    r"\A(?:(?:(?:CI|FORCE_COLOR|NO_COLOR|TERM|LANG|LC_ALL|DISPLAY|COLUMNS|PYTHONUNBUFFERED)=[^\s;&|\"']{0,100}"
    r"|sudo|time|nohup|env|timeout(?:\s+-\S+){0,4}\s+[\d.]{1,8}[smhd]?)\s+)+(?=\S)"
)
"""What stands before a command and changes nothing of what it does."""
FEWEST_WORDS, SCRIPT = 2, 5  # by which a command, one that holds a script, is known again; chosen
_GONE_TO = re.compile(r"cd\s[^;&]{1,300}(?:&&|;)")
_SPLIT = re.compile(r"[\s'\"()]+|[=<>~]=|[<>|;&]+")
_VERSION_END = re.compile(r"(?<=[a-z])\d[\d.]*\Z")
_WRAPPERS = frozenset("sudo time nohup env timeout".split())


class ErrorFold:
    """Errors seen so far, by what failed and how."""

    def __init__(self) -> None:
        self._errors: dict[tuple[str, str], ErrorTrail] = {}
        self._subjects: dict[str, set[str]] = {}

    def value(self) -> tuple[ErrorTrail, ...]:
        """The errors, in the order they were last seen."""
        return tuple(self._errors.values())

    def take(self, use: ToolUse, at: Place, outcome: Outcome, purpose: Purpose | None, text: str = "") -> None:
        """Note how a call ended: a failure is an error seen, anything else resolves the errors of the same subject.

        `purpose` is a command's; an error that stands in `text`, the output, has not gone.
        """
        subject = subject_of(use, purpose)
        if outcome.refused or outcome.running or not subject or _CALLED_OFF.match(outcome.error):
            return
        runs = use.action is ToolAction.RUN
        same = [e for e in self._open() if plain_command(e.subject) == plain_command(subject)]
        if outcome.failed:
            if runs and outcome.error and outcome.exit_code not in _NOT_RUN and not _CUT_OFF.search(text):
                other = [e for e in same if e.kind is ToolAction.RUN and e.line and e.line not in text]
                self._change([e for e in other if _as_root(e.subject) == _as_root(subject)], gave_way=True)
            self._seen(subject, outcome.error, use, at)
            return
        self._change(same, resolved_by=at)
        lacked = [e for e in same if _as_root(subject) > _as_root(e.subject)]  # more rights
        self._change(lacked, resolved_by=at, done_by=subject)
        if runs and purpose is not Purpose.TEST:
            words, done_by = _words(use.subject), _shortened(use.subject.split("\n", 1)[0])
            done = [e for e in self._open() if _is_done(e, words, text)]
            if done and (outcome.failed is not None or max(Sheet(text).trouble.values(), default=0.0) < 1.0):
                self._change(done, resolved_by=at, done_by=done_by)
        if use.action in _SAVING and use.paths:
            path, saved = use.paths[0], _shortened(use.paths[0])
            tried = [e for e in self._open() if e.kind in _SAVING and e.subject.partition(" ")[2] == path]
            self._change([*tried, *(e for e in self._open() if e.subject == saved)], resolved_by=at)
            if outcome.problems:
                self._seen(outcome.problems_in or saved, outcome.problems, use, at)

    def shown(self, paths: Collection[str], at: Place, use: ToolUse) -> None:
        """Files were shown: looks at them that failed before (a name with brackets, say) are over."""
        by, files = subject_of(use, None), [normal_path(path) for path in paths]
        for e in self._open():
            looked = e.kind is ToolAction.READ or (e.kind is ToolAction.RUN and looks_only(e.subject, None))
            again = e.at == at or plain_command(e.subject) == plain_command(by)
            if looked and not again and _NOT_FOUND.search(e.line) and _names_one_of(e.subject, files):
                self._change([e], resolved_by=at, done_by=by)

    def printed(self, command: str, line: str, at: Place) -> None:
        """Note an error that a program which runs on has printed, but where a call has told of it."""
        subject = _shortened(command.split("\n", 1)[0])
        if self._subjects.get(line, set()) <= {subject}:
            self._seen(subject, line, ToolUse(command, ToolAction.RUN, subject=command), at)

    def _seen(self, subject: str, line: str, use: ToolUse, at: Place) -> None:
        known = self._errors.pop((subject, line), None)
        self._subjects.setdefault(line, set()).add(subject)
        times = known.times + 1 if known else 1
        self._errors[subject, line] = ErrorTrail(line, subject, use.action, at, times)

    def _open(self) -> list[ErrorTrail]:
        return [error for error in self._errors.values() if not error.resolved]

    def _change(self, errors: Iterable[ErrorTrail], **changes: Any) -> None:
        for error in errors:
            self._errors[error.subject, error.line] = replace(error, **changes)


def _as_root(command: str) -> bool:
    around = _AROUND.match(command)
    return around is not None and "sudo" in around[0].split()


def _is_done(error: ErrorTrail, words: Collection[str], output: str) -> bool:
    """Whether a command that succeeded has the words of one that failed; what is absent no other look shows."""
    if error.kind is not ToolAction.RUN or error.line in output:
        return False
    failed, least = _words(error.subject), SCRIPT if re.search(" -[ce] ", error.subject) else FEWEST_WORDS
    if len(failed) < least or not all(word.startswith("-") for word in failed.difference(words)):
        return False
    return not (_ABSENT.search(error.line) and looks_only(error.subject, None))


def _names_one_of(subject: str, files: Iterable[str]) -> bool:
    """Whether the only file that a subject names is one of some: written alike, or with fewer folders."""
    named = [normal_path(word.strip("'\"`")) for word in subject.split() if _FILE.search(word)]
    return len(named) == 1 and any(_is_one(path, named[0]) for path in files)


def _is_one(path: str, name: str) -> bool:
    """Whether two normal paths are one file: the same, or one absolute, the other with a folder at least."""
    if path == name:
        return True
    long, short = sorted((path, name), key=len, reverse=True)
    return is_absolute(long) and not is_absolute(short) and "/" in short and ends_with_path(long, short)


def subject_of(use: ToolUse, purpose: Purpose | None) -> str:
    """Name what a call was about, so that doing the same again is known: a test run of any kind is one subject."""
    if use.action is not ToolAction.RUN:
        return _shortened(f"{use.name} {use.paths[0]}") if use.paths else use.name
    line = use.subject.split("\n", 1)[0]
    gone = _GONE_TO.match(line)
    tested = " ".join([*line[: gone.end()].split(), *line[gone.end() :].split()[:3]] if gone else line.split()[:3])
    return tested if purpose is Purpose.TEST else _shortened(line)


@lru_cache(maxsize=4096)
def plain_command(subject: str) -> str:
    """A command without what only says how it is run: `CI=1 sudo timeout 9 make` is `make`."""
    return _AROUND.sub("", subject, count=1)


@lru_cache(maxsize=4096)
def _words(command: str) -> frozenset[str]:
    """What a command is about, in whatever order and quotes: its words without versions, numbers, folders gone to."""
    first = _GONE_TO.sub("", command.split("\n", 1)[0][:LONGEST_COMPARED])
    words = [word.strip("'\"`.,;:&|()") for word in _SPLIT.split(first)]
    whole = words[:-1] if first.endswith("…") else words
    return frozenset(_VERSION_END.sub("", w) for w in whole if any(map(str.isalpha, w))) - _WRAPPERS


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST_SUBJECT else f"{line[:LONGEST_SUBJECT]}…"
