"""Documents to go by: those that say how to work or what is wanted, and their lines that bind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.lines.model import file_key
from condense.lines.sources import LineKind
from condense.reading import VENDORED, ToolAction, ends_with_path, is_order, normal_path, row_of
from memory.extraction import BINDING, STRONG

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from condense.lines.model import HistoryView

MOST_GUIDES = 4
"""Documents whose lines are looked for: those that were named in a request first, then the newest; chosen."""
NAMED = 2.0
"""Share of a document that was named, beside one that was not; chosen."""
SHORT_REQUEST = 600
"""Characters up to which a request hands over to the documents that it names; a longer one says itself what is asked,
and commands of a harness name all they might touch (chosen; 3,000 costs .002 of the names and of the copied text)."""
LINE = 2.0
"""Tokens that a line costs beside its text; chosen."""
SHORTEST = 12
"""UTF-8 bytes below which a line says nothing by itself; chosen."""
DOCUMENT = re.compile(r"\.(?:md|mdx|mdc|markdown|txt|rst|adoc)$|^\.\w+rules$")
"""Names of files of prose."""
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
_ARGUMENT = re.compile(r"^\w+: ")
"""The name of an argument before its first line."""
_NO_GUIDE = re.compile(r"requirements?\b.*\.txt$|template")
"""Lists of Python packages, and forms that are still to be filled in."""
_LISTED = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|`?\$|[│|\s]{0,40}[├└]─{1,3})\s|[A-Z][A-Z0-9_]{3,40}=")
"""An entry of a list, of a tree of files, or of an environment; a command to type."""


def is_guide(path: str, said: str) -> bool:
    """Whether a file is a document that says how to work or what is wanted: by its name, or named in `said`.

    Args:
        path: of the file.
        said: what the person typed and the project's instructions, in lower case.
    """
    name = _name_of(path)
    if not _is_prose(path):
        return False
    whole = path.replace("\\", "/").lower()
    in_folder = _GUIDE_FOLDER.search(whole) is not None and _NO_RULES.search(whole) is None
    return in_folder or _is_named(name, said) or _GUIDE.search(name) is not None


def _is_prose(path: str) -> bool:
    """Whether a file is a document of the project, by its name."""
    name = _name_of(path)
    return bool(DOCUMENT.search(name)) and not _NO_GUIDE.search(name) and not VENDORED.search(path)


def commissioned(
    view: HistoryView, asked: Iterable[str], rewritten: Mapping[str, int]
) -> dict[int, tuple[str, ...]]:
    """Documents that a short request names, by where they were read: such a document is a part of what is asked.

    Args:
        view: the history.
        asked: what the person typed.
        rewritten: the message in which a file was last written anew or removed, by its path.

    Returns:
        The paths by source, of the newest `MOST_GUIDES` sources, without documents that were written anew since.
    """
    typed = "\n".join(text for text in asked if len(text) <= SHORT_REQUEST).lower()

    def is_there(path: str, at: int) -> bool:
        message = view.sources[at].message
        return not any(message < last and is_same_file(path, other) for other, last in rewritten.items())

    found: dict[int, tuple[str, ...]] = {}
    for path, places in _readings(
        view, lambda path: _is_prose(path) and _is_named(_name_of(path), typed), is_there
    ).items():
        for at in places:
            found[at] = (*found.get(at, ()), path)
    return dict(sorted(found.items())[-MOST_GUIDES:])


def commissioned_keys(view: HistoryView, documents: Mapping[int, tuple[str, ...]], room: float) -> list[str]:
    """The lines of documents that are a part of what is asked, by their keys; what binds first, where not all fit.

    Args:
        view: the history.
        documents: them, from `commissioned`.
        room: tokens for the lines, in characters / 4; shared alike, what one leaves goes to the longer ones.
    """
    lines = {
        at: _still_there(view, at, {file_key(path) for path in paths}) for at, paths in documents.items()
    }
    costs = {at: sum(_cost(key) for key in keys) for at, keys in lines.items()}
    out: dict[str, None] = {}
    for n, at in enumerate(sorted(costs, key=costs.__getitem__)):
        taken = _fitting(sorted(lines[at], key=_rank), room / (len(costs) - n), out)
        room -= sum(_cost(key) for key in taken)
        out |= dict.fromkeys(taken)
    return list(out)


def guide_keys(view: HistoryView, said: Iterable[str], room: float, but: Collection[int] = ()) -> list[str]:
    """The lines of documents to go by as they were read last, by their keys: what binds first, then lists and orders.

    Args:
        view: the history.
        said: what the person typed, and the project's instructions.
        room: tokens for the lines, in characters / 4; the documents share them alike.
        but: sources that are looked after elsewhere.
    """
    typed = "\n".join(said).lower()
    shown: dict[int, bool] = {}
    for path, places in _readings(view, lambda path: is_guide(path, typed)).items():
        for at in places:
            if at not in but and view.edited.get(file_key(path), -1) < at:
                shown[at] = shown.get(at, False) or _is_named(_name_of(path), typed)
    found = [(named, at) for at, named in shown.items()]
    newest = sorted(found, reverse=True)[:MOST_GUIDES]
    shares = [NAMED if named else 1.0 for named, _ in newest]
    out: dict[str, None] = {}
    for share, (_, at) in zip(shares, newest, strict=True):
        keys = [key for key in _telling(view.sources[at].read.keys) if _rank(key) < _OTHER]
        out |= dict.fromkeys(_fitting(sorted(keys, key=_rank), room * share / sum(shares), out))
    return list(out)


def _readings(
    view: HistoryView,
    is_wanted: Callable[[str], bool],
    is_there: Callable[[str, int], bool] = lambda _path, _at: True,
) -> dict[str, list[int]]:
    """Where the wanted files were read, by path: the last whole reading of each, or its parts."""
    read: dict[str, list[int]] = {}
    for at, source in enumerate(view.sources):
        if not source.failed:
            for path in source.shows:
                if is_wanted(path) and is_there(path, at):
                    _note(read, path.replace("\\", "/").removeprefix("./"), at, view)
    return read


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
        if source.kind is LineKind.PATCH:
            signed = zip(source.lines, source.read.keys, strict=True)
            changed = [(line[:1], text) for line, text in signed if line.startswith(("-", "+"))]
            back.update(text for sign, text in changed if sign == "+")
            gone.update(text for sign, text in changed if sign == "-")
        elif source.kind in (LineKind.OLD, LineKind.NEW):
            lines = source.read.keys
            texts = [_ARGUMENT.sub("", lines[0]), *lines[1:]] if lines else []
            (gone if source.kind is LineKind.OLD else back).update(texts)
    return [key for key in _telling(view.sources[at].read.keys) if key not in gone or key in back]


def _telling(keys: Iterable[str]) -> list[str]:
    """Lines that say something by themselves, each once."""
    return [key for key in dict.fromkeys(keys) if len(key.encode(errors="replace")) >= SHORTEST]


def _fitting(keys: Iterable[str], room: float, taken: Collection[str]) -> list[str]:
    """The lines, in order, that fit and are not taken yet."""
    out = []
    for key in keys:
        if key not in taken and (cost := _cost(key)) <= room:
            room -= cost
            out.append(key)
    return out


def _cost(key: str) -> float:
    return len(key) / 4 + LINE


PART = 0.8
"""Share of the lines of a reading that stand in earlier ones where it shows nothing else; chosen."""
AGAIN = 0.9
"""Share of the lines of the earlier ones that it then has where it is the whole again; chosen."""
MUCH = 0.5
"""Share of their number above which what a shell shows can be another part, or the file anew; chosen."""


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


MOST_PARTS = 8
"""Parts of a file that are looked at; chosen."""


def _rank(key: str) -> int:
    """How soon a line is taken: what a list lays down, what is laid down, what binds, entries and orders."""
    if key.endswith(_CODE):
        return _OTHER
    listed = _LISTED.match(key) is not None
    if BINDING.search(key):
        return (0 if listed else 1) if STRONG.search(key) else 2
    return 3 if listed or is_order(key) else _OTHER


_OTHER = 4
_CODE = (";", "{", "}", "(", "[", ",")
"""How a line of code ends, which binds nobody."""


def _is_named(name: str, said: str) -> bool:
    """Whether the name of a file stands in a text by itself, not as the end of another's."""
    return name in said and re.search(rf"(?<![a-z0-9_.-]){re.escape(name)}(?![a-z0-9_])", said) is not None


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()
