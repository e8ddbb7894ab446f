"""Salience: the facts of a conversation, with the names that mattered to somebody: paths, identifiers, numbers."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from condense.reading import NameKind, ToolAction, defined_names, names_in, plain_path
from condense.verifying.facts import (
    LONGEST_LINE,
    MOST_OF_KIND,
    MOST_SOURCES,
    SLIGHT,
    Fact,
    FactKind,
    ask_facts,
    error_facts,
    line_at,
    rule_facts,
)
from condense.verifying.sources import Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense.verifying.sources import Ground, Passage
    from memory.entries import MemoryEntry


def facts_of(ground: Ground, memories: Iterable[MemoryEntry] = ()) -> tuple[Fact, ...]:
    """Return the facts of a conversation, most important first; linear in its text."""
    found = [*rule_facts(memories), *ask_facts(ground), *error_facts(ground), *_name_facts(ground)]
    order = list(FactKind)
    return tuple(sorted(found, key=lambda f: (not f.critical, -f.weight, order.index(f.kind), f.text)))


_KINDS = {
    **dict.fromkeys((NameKind.PATH, NameKind.FILE), FactKind.PATH),
    **dict.fromkeys((NameKind.NUMBER, NameKind.VERSION), FactKind.NUMBER),
    **dict.fromkeys((NameKind.IDENTIFIER, NameKind.DOTTED, NameKind.CONSTANT), FactKind.IDENTIFIER),
    **dict.fromkeys((NameKind.FLAG, NameKind.HASH, NameKind.KEBAB), FactKind.IDENTIFIER),
    NameKind.URL: FactKind.URL,
}
MOST_FILES = 5
"""Files that are named for a name; chosen."""
_COUNTED = {
    Voice.TYPED: ("typed", 3),
    Voice.ANSWER: ("typed", 3),
    Voice.SAID: ("said", 2),
    Voice.RESULT: ("shown", 0),
}
"""Which count a voice raises, and how telling its lines are."""
_CHANGES = (ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
_SHORTEST_IDENTIFIER = 5
_GENERATED = re.compile(
    r"(?:\A|/)(?:node_modules|\.?venv|site-packages|\.git|tmp|private|dist|build|__pycache__)/"
)
_CODE = re.compile(r"[_$]|\A[a-z]+[A-Z]|[A-Z][a-z]+[A-Z][a-z]+[A-Z]|\d")
_FILE_END = re.compile(r"\.\w{1,8}\Z")
_TEMPLATE = re.compile(r"[{}$\[\]]|[-/=]\Z")


@dataclass(slots=True)
class _Tally:
    """What is known of one name: how often it was typed, changed, called, said, shown, where, and its best text."""

    text: str
    kind: NameKind
    times: Counter[str] = field(default_factory=Counter)
    messages: list[int] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)
    best: tuple[int, str] = (-1, "")

    def note(self, passage: Passage, column: str, rank: int, files: Iterable[str] = ()) -> None:
        """Count it once in a column; remember where it stands, and the text that says most about it."""
        self.times[column] += 1
        if passage.message not in self.messages[-1:]:
            self.messages.append(passage.message)
        if rank > self.best[0]:
            self.best = (rank, passage.text)
        if len(self.files) < MOST_FILES:
            self.files.update(dict.fromkeys(path for path in files if path != self.text))

    def weight(self, count: int) -> float:
        """How much it matters; chosen: the user's word outweighs all, then changes, calls, reports."""
        times = self.times
        raw = 4.0 * min(times["typed"], 2) + 5.0 * bool(times["changed"]) + min(times["called"], 3)
        raw += 0.8 * min(times["said"], 3) + 0.6 * math.log2(1 + len(self.messages))
        if self.kind in (NameKind.PATH, NameKind.FILE):
            is_slight = _GENERATED.search(self.text) is not None
        else:
            is_slight = self.kind is NameKind.IDENTIFIER and not _CODE.search(self.text)
        return raw * (0.6 + 0.4 * self.messages[-1] / count) * (SLIGHT if is_slight else 1.0)

    @property
    def matters(self) -> bool:
        """Somebody named it on purpose: the user, a change, or call and report together or again."""
        kind, times = self.kind, self.times
        seen = times["called"] + times["shown"] > 0
        is_named = bool(times["typed"] or times["changed"] or (times["said"] and seen))
        match kind:
            case NameKind.NUMBER | NameKind.VERSION:
                return bool(times["typed"]) or (times["said"] > 1 and seen)
            case NameKind.DOTTED | NameKind.IDENTIFIER if len(self.text) < _SHORTEST_IDENTIFIER:
                return False
            case NameKind.KEBAB:
                return f"`{self.text}`" in self.best[1]
            case NameKind.PATH if not _FILE_END.search(self.text):
                return bool(times["changed"] or times["called"])
            case NameKind.URL if _TEMPLATE.search(self.text):
                return False
        is_plain = kind is NameKind.DOTTED or (kind is NameKind.IDENTIFIER and self.text.isalnum())
        return is_named or (not is_plain and times["called"] > 1)


def _name_facts(ground: Ground) -> Iterator[Fact]:
    """Yield the paths, identifiers, addresses and numbers that mattered."""
    tallies: dict[str, _Tally] = {}
    for passage in ground.passages:
        if passage.voice is Voice.CALL:
            _count_call(passage, tallies)
        elif passage.voice in _COUNTED:
            held = [path for use in passage.uses for path in use.paths]
            _count(passage, passage.text, tallies, *_COUNTED[passage.voice], held)
    count = max(1, len(ground.messages))
    for kind in dict.fromkeys(_KINDS.values()):
        own = [(t.weight(count), t) for t in tallies.values() if _KINDS.get(t.kind) is kind and t.matters]
        own.sort(key=lambda item: (-item[0], item[1].text))
        kept = _without_doubles(own) if kind is FactKind.PATH else own
        for weight, tally in kept[: MOST_OF_KIND[kind]]:
            text, line = _line_with(tally.text, tally.best[1])
            messages, files = tuple(tally.messages[-MOST_SOURCES:]), tuple(tally.files)[:MOST_FILES]
            yield Fact(kind, text, weight, line=line, messages=messages, files=files)


def _tally(tallies: dict[str, _Tally], name: str, kind: NameKind) -> _Tally:
    key = plain_path(name) if kind in (NameKind.PATH, NameKind.FILE) else name
    if key not in tallies:
        tallies[key] = _Tally(name, kind)
    return tallies[key]


def _count(
    passage: Passage, text: str, tallies: dict[str, _Tally], column: str, rank: int, held: Sequence[str] = ()
) -> None:
    """Count the names of a text in one column; not as standing in themselves."""
    for name, kind in names_in(text):
        _tally(tallies, name, kind).note(passage, column, rank, () if name in held else held)


def _count_call(passage: Passage, tallies: dict[str, _Tally]) -> None:
    """Count what a call names: its files, its command, and what the text it writes defines."""
    for use in passage.uses:
        for path in use.paths:
            kind = NameKind.PATH if "/" in path or "\\" in path else NameKind.FILE
            if kind is NameKind.PATH or "." in path:
                tally = _tally(tallies, path, kind)
                tally.note(passage, "called", 0)
                tally.times["changed"] += use.action in _CHANGES
        _count(passage, use.subject, tallies, "called", 1, use.paths)
        for name in defined_names(use.new) if use.new else ():
            for _, kind in names_in(name)[:1]:
                tallies.setdefault(name, _Tally(name, kind)).note(passage, "changed", 1, use.paths)


def _without_doubles(weighed: list[tuple[float, _Tally]]) -> list[tuple[float, _Tally]]:
    """Leave out a path that is a shorter or longer form of one that weighs more."""
    kept: list[tuple[float, _Tally]] = []
    by_last: dict[str, list[str]] = {}
    for weight, tally in weighed:
        plain = plain_path(tally.text)
        near = by_last.setdefault(plain.rsplit("/", 1)[-1], [])
        if not any(f"/{one}".endswith(f"/{other}") for k in near for one, other in ((k, plain), (plain, k))):
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
    line = line_at(text, at)
    if len(line) > LONGEST_LINE:
        low = max(0, line.find(name) - LONGEST_LINE // 2)
        line = line[low : low + LONGEST_LINE]
    return name, "" if line.strip("`'\"-*• ") == name else line
