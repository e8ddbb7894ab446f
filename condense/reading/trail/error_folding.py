"""The part of the fold that follows errors: where each came from, how often, and whether it went away."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from condense.reading.calls import ToolAction, ToolUse
from condense.reading.outputs import Outcome, Sheet, read_tally
from condense.reading.shell import Purpose, looks_only, read_shell
from condense.reading.text import ends_with_path, home_path, is_absolute, join_path, normal_path
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
_GONE_TO = re.compile(r"(?<![\w-])cd\s+['\"]?([^;&|\n]{1,300}?)['\"]?\s*(?:&&|;|\Z)")
_EDGES = "'\"`.,;:&|()"
_SPLIT = re.compile(r"[\s'\"()]+|[=<>~]=|[<>|;&]+")
_VERSION_END = re.compile(r"\A(python|pip|node|ruby|php|gcc|clang)\d[\d.]*\Z")
_WRAPPERS = frozenset("sudo time nohup env timeout".split())
_LESS = re.compile(
    r"(?<!\S)--?(?:dry-?run|help|h\Z|plan|fake|sql|auto|what-?if|no-?op|list|check|collect-only|version|exit-zero|lf"
    r"|no-?verify|skip[\w-]*|ignore[\w-]*|deselect|last-failed|target|only|changed|since)(?![\w-])|-D[\w.]*skip\w*"
    r"|\bbisect\b|\b(?:make|rsync|git)\b[^|;&\n]*?\s-[a-z]*n[a-z]*(?!\S)",
    re.IGNORECASE,
)
"""With what a command only tries or tells, or leaves out some of what it does."""
_ASIDE = re.compile(
    r"\b(?:cd|source|export)\s[^&;]*(?:&&|;)|(?:&&|;)\s*(?:echo|true)\b[^&;]*|\s\d?[|>][^&;]*"
    r"|(?<![\w-])(?:npx|uv|poetry|volta|exec|run|clean)(?=\s|\Z)"
    r"|\s--(?:reporter|tb|color|format|config|mode|features) [^\s-]\S*"
)
_PART = re.compile(
    r"\s(?:--?(?:[pktwFqvxs]|pl|run|package|filter|workspace|project|tests?)[ =]([^\s-]\S*)|(\S*(?:[/.]|::)\S*))"
)
"""What stands around the commands of a line that count, and what chooses a part of all that they are about."""
_PLACE = re.compile(r"--?(?:chdir|cwd|prefix|context|namespace|profile|host|env|environment|region)=")
_ASTRAY = re.compile(r"not a git repository|(?:not (?:find|read)|open) \S*(?:package\.json|Cargo\.toml)")
_GOES_ON = re.compile(r"\b(git (?:rebase|cherry-pick|merge|revert|am)) --continue\b")
_UNTOLD = re.compile(r"\s*(?:if\b.+\belse\b|!\s)|.*>\s?/dev/null\s*(?:;|\|\|)\s*true|.*(?<!&)&\s*\Z", re.DOTALL)
"""A command whose end nobody sees."""
_SAYS_FAILED = re.compile(
    r"(?<!ix )(?<!ixed )(?<![\d.,])(?:[1-9]\d{0,5} (?:\w{1,12} )?(?:errors|failures|failed|failing|violations)|1 error)"
    r"\b(?!.{0,30}(?:fixed|0 remaining|ignored))|\bproblems? \((?!0 errors)|(?<!\d )\b[Aa]borted\b"
    r"|\bexited with code [1-9]"
)


class ErrorFold:
    """Errors seen so far, by what failed and how."""

    def __init__(self) -> None:
        self._errors: dict[tuple[str, str, str], ErrorTrail] = {}
        self._subjects: dict[str, set[str]] = {}
        self._folder = ""  # that a shell which stays open was sent to

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
        runs, line = use.action is ToolAction.RUN, use.subject.split("\n", 1)[0][:LONGEST_COMPARED]
        acts = runs and not looks_only(use.subject, use.workdir)
        where = self._go(use, stays=not outcome.failed) if runs else ""
        here = [e for e in self._open() if _is_one_place(e.where, where) or _ASTRAY.search(e.line)]
        same = [e for e in here if plain_command(e.subject) == plain_command(subject)]
        if outcome.failed:
            if runs and outcome.error and outcome.exit_code not in _NOT_RUN and not _CUT_OFF.search(text):
                other = [e for e in same if e.kind is ToolAction.RUN and e.line and e.line not in text]
                self._change([e for e in other if _as_root(e.subject) == _as_root(subject)], gave_way=True)
            self._seen(subject, outcome.error, use, at, where)
            return
        done = [e for e in here if runs and e not in same and _is_done(e, line, where, text)]
        sure = outcome.failed is not None or not done
        if acts and (same or done) and not _went_well(use.subject, text, sure=sure):
            return
        self._change(same, resolved_by=at)
        lacked = [e for e in same if _as_root(subject) > _as_root(e.subject)]  # more rights
        self._change(lacked, resolved_by=at, done_by=subject)
        self._change(done, resolved_by=at, done_by=_shortened(line))
        if use.action in _SAVING and use.paths:
            path, saved = use.paths[0], _shortened(use.paths[0])
            tried = [e for e in self._open() if e.kind in _SAVING and e.subject.partition(" ")[2] == path]
            self._change([*tried, *(e for e in self._open() if e.subject == saved)], resolved_by=at)
            if outcome.problems:
                self._seen(outcome.problems_in or saved, outcome.problems, use, at)

    def again(self, text: str, at: Place) -> None:
        """Errors that have not gone stand in the output of another command: there they were last seen."""
        for e in [e for e in self._open() if e.line and e.line in text and e.at != at]:
            del self._errors[e.subject, e.line, e.where]
            self._change([e], at=at, gave_way=False)

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

    def _go(self, use: ToolUse, *, stays: bool) -> str:
        """The folder that a command runs in, as far as known; a `cd` alone moves what follows it."""
        gone, where = _GONE_TO.match(use.subject), use.workdir or self._folder
        where = join_path(where, gone[1]) if gone else where
        self._folder = where if gone and stays and gone[0] == use.subject else self._folder
        return home_path(normal_path(where)) if where else ""

    def _seen(self, subject: str, line: str, use: ToolUse, at: Place, where: str = "") -> None:
        known = self._errors.pop((subject, line, where), None)
        self._subjects.setdefault(line, set()).add(subject)
        times = known.times + 1 if known else 1
        self._errors[subject, line, where] = ErrorTrail(line, subject, use.action, at, times, where=where)

    def _open(self) -> list[ErrorTrail]:
        return [error for error in self._errors.values() if not error.resolved]

    def _change(self, errors: Iterable[ErrorTrail], **changes: Any) -> None:
        for error in errors:
            self._errors[error.subject, error.line, error.where] = replace(error, **changes)


def _is_one_place(one: str, other: str) -> bool:
    """Whether two folders may be one: the same, one not known, or one the end of the other."""
    return not one or not other or ends_with_path(one, other) or ends_with_path(other, one)


def _went_well(command: str, text: str, *, sure: bool) -> bool:
    """Whether nothing that a command printed says it failed; its exit code may be that of what stands behind it."""
    if (tally := read_tally(text)) is not None:
        return not (tally.failed or tally.errors)
    joins = [c.joined for c in read_shell(command).commands]
    if re.search(r"\$\?|http_code", command) and re.search(r"(?<!\d)(?:[1-9]\d?|1\d\d|[45]\d\d)\s*\Z", text):
        return False
    if "&" in joins[1:] or _UNTOLD.match(command) or _SAYS_FAILED.search(text):
        return False
    return (sure and {*joins} <= {"", "&&"}) or max(Sheet(text).trouble.values(), default=0.0) < 1.0


def _as_root(command: str) -> bool:
    around = _AROUND.match(command)
    return around is not None and "sudo" in around[0].split()


def _is_done(error: ErrorTrail, command: str, where: str, output: str) -> bool:
    """Whether a command that succeeded does what failed, and no less; what is absent no other look shows."""
    if error.kind is not ToolAction.RUN or error.line in output:
        return False
    if (goes_on := _GOES_ON.search(command)) and goes_on[1] in error.subject:
        return True
    if not {*_LESS.findall(command)} <= {*_LESS.findall(error.subject)}:
        return False
    if (purpose := read_shell(error.subject).purpose) is not Purpose.OTHER:
        tried, ran = (re.split("&&|;", _ASIDE.sub(" ", line)) for line in (error.subject, command))
        known = purpose is not Purpose.TEST or bool(error.where) == bool(where)
        return known and all(any(_covers(run, one) for run in ran) for one in tried)
    failed, least = _words(error.subject), SCRIPT if re.search(" -[ce] ", error.subject) else FEWEST_WORDS
    left = failed.difference(_words(command))
    if len(failed) < least or not all(word.startswith("-") and not _PLACE.match(word) for word in left):
        return False
    return not (_ABSENT.search(error.line) and looks_only(error.subject, None))


def _covers(command: str, failed: str) -> bool:
    """Whether a run of tests, a check or a build takes in one that failed: the same of it, all, or what is above."""
    ran, tried = ({w for w in _words(line) if w[0] != "-"} for line in (command, failed))
    parts = {(a or b).strip(_EDGES) for a, b in _PART.findall(failed)} & tried
    chosen = ran - (tried - parts)
    if tried == parts or not tried - parts <= ran:
        return False
    above = tuple(f"{part}{end}" for part in chosen for end in ("/", "::"))
    return not chosen or (bool(parts) and all(part in chosen or part.startswith(above) for part in parts))


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
    """Name what a call was about, so that doing the same again is known; tests without what they are piped through."""
    if use.action is not ToolAction.RUN:
        return _shortened(f"{use.name} {use.paths[0]}") if use.paths else use.name
    line = use.subject.split("\n", 1)[0]
    return _shortened(re.split(r"\s+\d?[>|]", line, maxsplit=1)[0] if purpose is Purpose.TEST else line)


@lru_cache(maxsize=4096)
def plain_command(subject: str) -> str:
    """A command without what only says how it is run: `CI=1 sudo timeout 9 make` is `make`."""
    return _AROUND.sub("", subject, count=1)


@lru_cache(maxsize=4096)
def _words(command: str) -> frozenset[str]:
    """What a command is about, in whatever order and quotes: its words without versions, numbers, folders gone to."""
    first = _GONE_TO.sub("", command.split("\n", 1)[0][:LONGEST_COMPARED])
    words = [word.strip(_EDGES) for word in _SPLIT.split(first)]
    whole = words[:-1] if first.endswith("…") else words
    return frozenset(_VERSION_END.sub(r"\1", w) for w in whole if any(map(str.isalpha, w))) - _WRAPPERS


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST_SUBJECT else f"{line[:LONGEST_SUBJECT]}…"
