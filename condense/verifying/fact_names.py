"""Names as facts: the paths, identifiers, addresses and numbers that mattered to somebody."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.reading import NameKind, ToolAction, defined_names, names_in, plain_path
from condense.verifying.facts import LONGEST_LINE, MOST_OF_KIND, MOST_SOURCES, Fact, FactKind, line_end
from condense.verifying.sources import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense.verifying.sources import Ground, Passage

_KINDS = {
    NameKind.URL: FactKind.URL,
    NameKind.PATH: FactKind.PATH,
    NameKind.FILE: FactKind.PATH,
    NameKind.IDENTIFIER: FactKind.IDENTIFIER,
    NameKind.DOTTED: FactKind.IDENTIFIER,
    NameKind.CONSTANT: FactKind.IDENTIFIER,
    NameKind.FLAG: FactKind.IDENTIFIER,
    NameKind.HASH: FactKind.IDENTIFIER,
    NameKind.KEBAB: FactKind.IDENTIFIER,
    NameKind.NUMBER: FactKind.NUMBER,
    NameKind.VERSION: FactKind.NUMBER,
}

MOST_FILES = 5
"""Files that are named for a name; chosen."""

_CHANGES = (ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)


@dataclass(slots=True)
class _Tally:
    """What is known of one name while the conversation is read; `messages` are the newest of `spread`."""

    text: str
    kind: NameKind
    typed: int = 0
    changed: int = 0
    called: int = 0
    said: int = 0
    shown: int = 0
    spread: int = 0
    messages: tuple[int, ...] = ()
    files: tuple[str, ...] = ()
    best: tuple[int, str] = (-1, "")

    def note(self, passage: Passage, rank: int) -> None:
        """Remember where it stands, and the text that says most about it."""
        if passage.message not in self.messages[-1:]:
            self.spread += 1
            self.messages = (*self.messages[1 - MOST_SOURCES :], passage.message)
        if rank > self.best[0]:
            self.best = (rank, passage.text)

    def stands_in(self, files: Sequence[str]) -> None:
        """Remember the first files it stands in."""
        if len(self.files) < MOST_FILES:
            self.files = tuple(dict.fromkeys((*self.files, *files)))[:MOST_FILES]

    def weight(self, count: int) -> float:
        """How much it matters; chosen: the user's word outweighs all, then changes, calls, reports."""
        newest = (self.messages[-1] if self.messages else 0) / count
        spread = math.log2(1 + self.spread)
        raw = 4.0 * min(self.typed, 2) + 5.0 * bool(self.changed)
        raw += min(self.called, 3) + 0.8 * min(self.said, 3) + 0.6 * spread
        return raw * (0.6 + 0.4 * newest) * (_SLIGHT if self.is_slight else 1.0)

    @property
    def is_slight(self) -> bool:
        """A name that looks like one but is mostly found again anyway: products, generated folders."""
        if self.kind in (NameKind.PATH, NameKind.FILE):
            return bool(_GENERATED.search(self.text))
        return self.kind is NameKind.IDENTIFIER and not _CODE.search(self.text)

    @property
    def matters(self) -> bool:
        """Somebody named it on purpose: the user, a change, or call and report together or again."""
        kind, typed = self.kind, bool(self.typed)
        if kind in (NameKind.DOTTED, NameKind.IDENTIFIER) and len(self.text) < _SHORTEST_IDENTIFIER:
            return False
        if kind in (NameKind.NUMBER, NameKind.VERSION):
            return typed or (self.said > 1 and self.called + self.shown > 0)
        if kind is NameKind.DOTTED or (kind is NameKind.IDENTIFIER and self.text.isalnum()):
            return typed or bool(self.changed) or bool(self.said and self.called + self.shown)
        if kind is NameKind.KEBAB:
            return f"`{self.text}`" in self.best[1]
        if kind is NameKind.PATH and not _FILE_END.search(self.text):
            return bool(self.changed or self.called)
        if kind is NameKind.URL and _TEMPLATE.search(self.text):
            return False
        return typed or bool(self.changed) or self.called > 1 or bool(self.said and self.called + self.shown)


_SLIGHT = 0.4
_SHORTEST_IDENTIFIER = 5
_GENERATED = re.compile(
    r"(?:\A|/)(?:node_modules|\.?venv|site-packages|\.git|tmp|private|dist|build|__pycache__)/"
)
_CODE = re.compile(r"[_$]|\A[a-z]+[A-Z]|[A-Z][a-z]+[A-Z][a-z]+[A-Z]|\d")
_FILE_END = re.compile(r"\.\w{1,8}\Z")
_TEMPLATE = re.compile(r"[{}$\[\]]|[-/=]\Z")


def name_facts(ground: Ground) -> Iterator[Fact]:
    """Yield the paths, identifiers, addresses and numbers that mattered."""
    tallies: dict[str, _Tally] = {}
    for passage in ground.passages:
        if passage.voice is Voice.CALL:
            _count_call(passage, tallies)
        elif passage.voice in _COUNTED:
            _count(passage, passage.text, tallies, *_COUNTED[passage.voice])
    chosen: dict[FactKind, list[tuple[float, _Tally]]] = {}
    count = max(1, len(ground.messages))
    for tally in tallies.values():
        kind = _KINDS.get(tally.kind)
        if kind is not None and tally.matters:
            chosen.setdefault(kind, []).append((tally.weight(count), tally))
    for kind, weighed in chosen.items():
        weighed.sort(key=lambda item: (-item[0], item[1].text))
        kept = _without_doubles(weighed) if kind is FactKind.PATH else weighed
        for weight, tally in kept[: MOST_OF_KIND[kind]]:
            text, line = _line_with(tally.text, tally.best[1])
            yield Fact(kind, text, weight, line=line, messages=tally.messages, files=tally.files)


_COUNTED = {
    Voice.TYPED: ("typed", 3),
    Voice.ANSWER: ("typed", 3),
    Voice.SAID: ("said", 2),
    Voice.RESULT: ("shown", 0),
}
"""Which count a voice raises, and how telling its lines are."""


def _count(passage: Passage, text: str, tallies: dict[str, _Tally], column: str, rank: int) -> None:
    """Count the names of a text in one column."""
    held = tuple(path for use in passage.uses for path in use.paths)
    for name, kind in names_in(text):
        tally = tallies.setdefault(_key(name, kind), _Tally(name, kind))
        tally.note(passage, rank)
        setattr(tally, column, getattr(tally, column) + 1)
        if name not in held:
            tally.stands_in(held)


def _count_call(passage: Passage, tallies: dict[str, _Tally]) -> None:
    """Count what a call names: its files, its command, and what the text it writes defines."""
    for use in passage.uses:
        changes = use.action in _CHANGES
        for path in use.paths:
            kind = NameKind.PATH if "/" in path or "\\" in path else NameKind.FILE
            if kind is NameKind.PATH or "." in path:
                tally = tallies.setdefault(_key(path, kind), _Tally(path, kind))
                tally.note(passage, 0)
                tally.called += 1
                tally.changed += changes
        _count(passage, use.subject, tallies, "called", 1)
        for name in defined_names(use.new) if use.new else ():
            found = names_in(name)
            if found:
                tally = tallies.setdefault(name, _Tally(name, found[0][1]))
                tally.note(passage, 1)
                tally.changed += 1
                tally.stands_in(use.paths)


def _key(name: str, kind: NameKind) -> str:
    return plain_path(name) if kind in (NameKind.PATH, NameKind.FILE) else name


def _without_doubles(weighed: list[tuple[float, _Tally]]) -> list[tuple[float, _Tally]]:
    """Leave out a path that is a shorter or longer form of one that weighs more."""
    kept: list[tuple[float, _Tally]] = []
    by_last: dict[str, list[str]] = {}
    for weight, tally in weighed:
        plain = plain_path(tally.text)
        near = by_last.setdefault(plain.rsplit("/", 1)[-1], [])
        if not any(k == plain or k.endswith("/" + plain) or plain.endswith("/" + k) for k in near):
            kept.append((weight, tally))
        near.append(plain)
    return kept


def _line_with(name: str, text: str) -> tuple[str, str]:
    """The name as written there (with the slash in front), and its line, cut; "" where that is the name alone."""
    at = text.find(name)
    if at < 0:
        return name, ""
    if at and text[at - 1] == "/" and "/" in name and text[at - 2 : at - 1] not in ("/", "."):
        name, at = "/" + name, at - 1
    start = text.rfind("\n", 0, at) + 1
    line = text[start : line_end(text, at)].strip()
    if len(line) > LONGEST_LINE:
        low = max(0, at - start - LONGEST_LINE // 2)
        line = line[low : low + LONGEST_LINE]
    return name, "" if line.strip("`'\"-*• ") == name else line
