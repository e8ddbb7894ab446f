"""Documents to go by: those that say how to work or what is wanted, and their lines that bind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.lines import DOCUMENT, LineKind, file_key
from condense.reading import VENDORED, ToolAction, ends_with_path, is_order, normal_path, row_of
from memory.extraction import BINDING, STRONG

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from condense.lines import HistoryView

MOST_GUIDES, MOST_PARTS = 4, 8
"""Documents whose lines are looked for, and parts of one that were read apart; chosen."""
NAMED = 2.0
"""Share of the room for a document that was named, beside one that was not; chosen."""
SHORT_REQUEST = 600
"""Characters up to which a request hands over to the documents that it names; a longer one says itself what is asked;
chosen."""
LINE, SHORTEST = 2.0, 12
"""Tokens that a line costs beside its text, and UTF-8 bytes below which one says nothing by itself; chosen."""
PART, AGAIN, MUCH = 0.8, 0.9, 0.5
"""Shares of lines: of a reading that stand in earlier ones where it shows nothing else; of the earlier ones that it
then has where it is the whole again; of their number above which what a shell shows can be more than a part; chosen."""
_GUIDE = re.compile(
    r"^(?:agents?|readme|skill|claude|gemini|copilot-instructions|contributing|feedback|conventions?|guidelines?|rules)\b|rules$"
    r"|requirements?\b|constitution|\bspecs?\b|\bprd\b|assignment"
)
"""Names of documents that say how to work, or what is wanted."""
_GUIDE_FOLDER = re.compile(
    r"(?:^|/)(?:\.[\w.-]{2,30}/(?:[\w.-]{1,60}/){0,3})(?:skills|rules|instructions|steering|commands)/|(?:^|/)\.clinerules/"
)
"""Folders of such documents below those of agents (`.claude/skills/`): a skill's references bind like the skill."""
_NO_RULES = re.compile(r"(?:^|/)(?:changelog|license|licence)\b|/(?:tests?|evals?|tmp|node_modules)/")
_NO_GUIDE = re.compile(r"requirements?\b.*\.txt$|template")
"""Lists of Python packages, and forms that are still to be filled in."""
_ARGUMENT = re.compile(r"^\w+: ")
_LISTED = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|`?\$|[│|\s]{0,40}[├└]─{1,3})\s|[A-Z][A-Z0-9_]{3,40}=")
"""An entry of a list, of a tree of files, or of an environment; a command to type."""
_CODE, _OTHER = (";", "{", "}", "(", "[", ","), 4
"""How a line of code ends, which binds nobody, and the rank of a line that neither binds nor is listed."""


def is_guide(path: str, said: str) -> bool:
    """Whether a file says how to work or what is wanted: by its name, or named in `said`, a text in lower case."""
    whole = path.replace("\\", "/").lower()
    in_folder = _GUIDE_FOLDER.search(whole) is not None and _NO_RULES.search(whole) is None
    name = file_key(whole)
    return _is_prose(path) and (in_folder or _is_named(name, said) or _GUIDE.search(name) is not None)


def _is_prose(path: str) -> bool:
    """Whether a file is a document of the project, by its name."""
    name = file_key(path.lower())
    return bool(DOCUMENT.search(name)) and not _NO_GUIDE.search(name) and not VENDORED.search(path)


def _is_named(name: str, said: str) -> bool:
    """Whether the name of a file stands in a text by itself, not as the end of another's."""
    return name in said and re.search(rf"(?<![a-z0-9_.-]){re.escape(name)}(?![a-z0-9_])", said) is not None


def commissioned(
    view: HistoryView, asked: Iterable[str], rewritten: Mapping[str, int]
) -> dict[int, tuple[str, ...]]:
    """The newest documents that a short request names, which are a part of it: their paths by where they were read.

    Args:
        view: the history.
        asked: what the person typed.
        rewritten: the message in which a file was last written anew or removed, by its path; it is left out.
    """
    typed = "\n".join(text for text in asked if len(text) <= SHORT_REQUEST).lower()

    def is_wanted(path: str, at: int) -> bool:
        message = view.sources[at].message
        is_there = not any(message < last and is_same_file(path, other) for other, last in rewritten.items())
        return _is_prose(path) and _is_named(file_key(path.lower()), typed) and is_there

    return dict(sorted(_readings(view, is_wanted).items())[-MOST_GUIDES:])


def commissioned_keys(view: HistoryView, documents: Mapping[int, tuple[str, ...]], room: float) -> list[str]:
    """The keys of lines of documents from `commissioned`; what binds first, where not all fit.

    The room (characters / 4) is shared alike; what one leaves goes to the longer ones.
    """
    lines = {at: _still_there(view, at, {file_key(path) for path in paths}) for at, paths in documents.items()}
    costs = {at: sum(map(_cost, keys)) for at, keys in lines.items()}
    out: dict[str, None] = {}
    for n, at in enumerate(sorted(costs, key=costs.__getitem__)):
        taken = _fitting(lines[at], room / (len(costs) - n), out)
        room -= sum(map(_cost, taken))
        out |= dict.fromkeys(taken)
    return list(out)


def guide_keys(view: HistoryView, said: Iterable[str], room: float, but: Collection[int] = ()) -> list[str]:
    """The keys of lines of documents to go by, as they were read last: what binds first, then lists and orders.

    Args:
        view: the history.
        said: what the person typed, and the project's instructions.
        room: tokens for the lines, in characters / 4; the documents share them alike.
        but: sources that are looked after elsewhere.
    """
    typed = "\n".join(said).lower()
    found: list[tuple[bool, int]] = []
    for at, paths in _readings(view, lambda path, _: is_guide(path, typed)).items():
        names = [file_key(path) for path in paths if view.edited.get(file_key(path), -1) < at]
        if names and at not in but:
            found.append((any(_is_named(name.lower(), typed) for name in names), at))
    newest = sorted(found, reverse=True)[:MOST_GUIDES]
    shares = [NAMED if named else 1.0 for named, _ in newest]
    out: dict[str, None] = {}
    for share, (_, at) in zip(shares, newest, strict=True):
        keys = [key for key in _telling(view.sources[at].read.keys) if _rank(key) < _OTHER]
        out |= dict.fromkeys(_fitting(keys, room * share / sum(shares), out))
    return list(out)


def _readings(view: HistoryView, is_wanted: Callable[[str, int], bool]) -> dict[int, tuple[str, ...]]:
    """The sources in which wanted files were read, the last whole reading of each or its parts, with their paths."""
    read: dict[str, list[int]] = {}
    for at, source in enumerate(view.sources):
        for path in source.shows if not source.failed else ():
            if is_wanted(path, at):
                _note(read, path.replace("\\", "/").removeprefix("./"), at, view)
    found: dict[int, tuple[str, ...]] = {}
    for path, places in read.items():
        for at in places:
            found[at] = (*found.get(at, ()), path)
    return found


def _note(read: dict[str, list[int]], path: str, at: int, view: HistoryView) -> None:
    """Note where a document was read: again as a whole, another part of it, or less of it, which changes nothing."""
    source = view.sources[at]
    same = next((p for p in read if p == path or p.endswith("/" + path) or path.endswith("/" + p)), path)
    lines = source.read.different
    known = frozenset[str]().union(*(view.sources[k].read.different for k in read.get(same, ())))
    by_shell = row_of(source.tool).action is not ToolAction.READ
    if len(lines & known) >= PART * len(lines):
        if len(lines) >= AGAIN * len(known):
            read[same] = [at]
    elif known and by_shell and len(lines) <= MUCH * len(known):
        return
    elif known and (source.read.first > 1 or (by_shell and not lines & known)):
        read[same] = [*read[same], at][-MOST_PARTS:]
    else:
        read[same] = [at]


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths can mean one file: the end of one is the other."""
    one, other = normal_path(one), normal_path(other)
    return ends_with_path(one, other) or ends_with_path(other, one)


def _still_there(view: HistoryView, at: int, files: Collection[str]) -> list[str]:
    """The lines of a reading of some files that no edit has replaced since."""
    failed = {source.call for source in view.sources if source.failed}
    gone: set[str] = set()
    back: set[str] = set()
    for key, source in zip(view.keys[at + 1 :], view.sources[at + 1 :], strict=True):
        if key not in files or source.message in failed:
            continue
        keys = source.read.keys
        if source.kind is LineKind.PATCH:
            for line, text in zip(source.lines, keys, strict=True):
                if line.startswith(("-", "+")):
                    (back if line[0] == "+" else gone).add(text)
        elif source.kind in (LineKind.OLD, LineKind.NEW) and keys:
            (gone if source.kind is LineKind.OLD else back).update((_ARGUMENT.sub("", keys[0]), *keys[1:]))
    return [key for key in _telling(view.sources[at].read.keys) if key not in gone or key in back]


def _telling(keys: Iterable[str]) -> list[str]:
    """Lines that say something by themselves, each once."""
    return [key for key in dict.fromkeys(keys) if len(key.encode(errors="replace")) >= SHORTEST]


def _fitting(keys: Iterable[str], room: float, taken: Collection[str]) -> list[str]:
    """The lines, what binds first, that fit and are not taken yet."""
    out = []
    for key in sorted(keys, key=_rank):
        if key not in taken and _cost(key) <= room:
            room -= _cost(key)
            out.append(key)
    return out


def _cost(key: str) -> float:
    return len(key) / 4 + LINE


def _rank(key: str) -> int:
    """How soon a line is taken: what a list lays down, what is laid down, what binds, entries and orders."""
    if key.endswith(_CODE):
        return _OTHER
    listed = _LISTED.match(key) is not None
    if BINDING.search(key):
        return (0 if listed else 1) if STRONG.search(key) else 2
    return 3 if listed or is_order(key) else _OTHER
