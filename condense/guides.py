"""Documents to go by: those that say how to work or what is wanted, and their lines that bind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.binding import BINDING, STRONG
from condense.file_paths import VENDORED
from condense.line_features import file_key
from condense.line_sources import LineKind
from condense.quoting import is_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense.line_features import HistoryView

MOST_GUIDES = 4
"""Documents whose lines are looked for: those that were named in a request first, then the newest; chosen."""
NAMED = 2.0
"""Share of a document that was named, beside one that was not; chosen."""
LINE = 2.0
"""Tokens that a line costs beside its text; chosen."""
SHORTEST = 12
"""UTF-8 bytes below which a line says nothing by itself; chosen."""
DOCUMENT = re.compile(r"\.(?:md|mdx|markdown|txt|rst|adoc)$|^\.\w+rules$")
"""Names of files of prose."""
_GUIDE = re.compile(
    r"^(?:agents?|readme|skill|claude|gemini|copilot-instructions|contributing|feedback|conventions?|guidelines?|rules)\b|rules$"
    r"|requirements?\b|constitution|\bspecs?\b|\bprd\b|assignment"
)
"""Names of documents that say how to work, or what is wanted."""
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
    if not DOCUMENT.search(name) or _NO_GUIDE.search(name) or VENDORED.search(path):
        return False
    return _is_named(name, said) or _GUIDE.search(name) is not None


def guide_keys(view: HistoryView, said: Iterable[str], room: float) -> list[str]:
    """The lines of documents to go by as they were read last, by their keys: what binds first, then lists and orders.

    Args:
        view: the history.
        said: what the person typed, and the project's instructions.
        room: tokens for the lines, in characters / 4; the documents share them alike.
    """
    typed = "\n".join(said).lower()
    read: dict[str, int] = {}
    for at, source in enumerate(view.sources):
        if source.kind is LineKind.READ and not source.failed:
            for path in source.shows:
                if is_guide(path, typed):
                    _note(read, path.replace("\\", "/").removeprefix("./"), at, view)
    shown: dict[int, bool] = {}
    for path, at in read.items():
        if view.edited.get(file_key(path), -1) < at:
            shown[at] = shown.get(at, False) or _is_named(_name_of(path), typed)
    found = [(named, at) for at, named in shown.items()]
    newest = sorted(found, reverse=True)[:MOST_GUIDES]
    shares = [NAMED if named else 1.0 for named, _ in newest]
    out: dict[str, None] = {}
    for share, (_, at) in zip(shares, newest, strict=True):
        lines = dict.fromkeys(view.sources[at].read.keys)
        keys = [key for key in lines if key not in out and len(key.encode(errors="replace")) >= SHORTEST]
        left = room * share / sum(shares)
        for key in sorted((key for key in keys if _rank(key) < _OTHER), key=_rank):
            cost = len(key) / 4 + LINE
            if cost <= left:
                left -= cost
                out[key] = None
    return list(out)


def _note(read: dict[str, int], path: str, at: int, view: HistoryView) -> None:
    """Note where a document was read last; a part that is shown later does not replace a longer reading."""
    same = next((p for p in read if p == path or p.endswith("/" + path) or path.endswith("/" + p)), path)
    if same not in read or len(view.sources[at].lines) >= len(view.sources[read[same]].lines):
        read[same] = at


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
