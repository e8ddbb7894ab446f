"""Facts: what of a conversation a summary must not lose, most important first.

Not every number and name counts, only those that mattered: what the user named, files that were changed, what calls
were made with, what came up again and again, errors that were not seen to go away; above all the rules the user gave
and the latest request.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading import NameKind, ToolAction, collect_artifacts, defined_names, names_in, plain_path, squeezed
from condense.verifying.sources import Voice
from memory.consolidation import marked_text
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import prose_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense.verifying.sources import Ground, Passage
    from memory.entries import MemoryEntry


class Kind(StrEnum):
    """What a fact or finding is; facts in order of how much their loss hurts (quotes and attributions are none)."""

    RULE = "rule"
    ASK = "ask"
    QUOTE = "quote"
    ATTRIBUTION = "attribution"
    ERROR = "error"
    PATH = "path"
    IDENTIFIER = "identifier"
    URL = "url"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a summary should hold."""

    kind: Kind  # what it is
    text: str  # verbatim
    weight: float  # how much it matters; comparable within one conversation only
    critical: bool = False  # a summary without it is not acceptable
    line: str = ""  # the line it stood in, "" where the text says enough by itself
    messages: tuple[int, ...] = ()  # indexes of (the newest twenty) messages that hold it
    files: tuple[str, ...] = ()  # paths of files that hold it


_MOST = {Kind.ERROR: 8, Kind.PATH: 30, Kind.IDENTIFIER: 30, Kind.URL: 8, Kind.NUMBER: 12}
"""Facts of a kind that are compared (a list that can still be read); rules and requests are never cut."""
KIND_OF_NAME = {
    **dict.fromkeys((NameKind.PATH, NameKind.FILE), Kind.PATH),
    **dict.fromkeys((NameKind.NUMBER, NameKind.VERSION), Kind.NUMBER),
    **dict.fromkeys((NameKind.IDENTIFIER, NameKind.DOTTED, NameKind.CONSTANT), Kind.IDENTIFIER),
    **dict.fromkeys((NameKind.FLAG, NameKind.HASH, NameKind.KEBAB), Kind.IDENTIFIER),
    NameKind.URL: Kind.URL,
}
_MOST_MESSAGES, _MOST_FILES, _LONGEST_LINE = 20, 5, 200
"""Messages and files remembered of a fact, and characters of its line."""
_LONGEST_ASK, _ASK_HEAD, _ASK_TAIL = 2_000, 1_400, 560
"""Characters of a request that must be verbatim; of a longer one what is said, at worst its beginning and end."""
_BARE_ASK, _MOST_BARE = 24, 2
"""A last message of fewer letters ("ok, go on") leaves the request before it the one being worked on."""
_SLIGHT = 0.4  # what counts of a failed look, and of names that are mostly found again anyway (all chosen)
_GAP, _ITEM_MARKS = " … ", " \t\n-*•#.)>0123456789"


def facts_of(ground: Ground, memories: Iterable[MemoryEntry] = ()) -> tuple[Fact, ...]:
    """Return the facts of a conversation, most important first; linear in its text."""
    found = [*_rules(memories), *_asks(ground), *_errors(ground), *_names(ground)]
    order = list(Kind)
    return tuple(sorted(found, key=lambda f: (not f.critical, -f.weight, order.index(f.kind), f.text)))


def _rules(memories: Iterable[MemoryEntry]) -> Iterator[Fact]:
    for entry in memories:
        if entry.is_active and not entry.is_proposal:
            is_rule = entry.type is MemoryType.USER_INSTRUCTION or entry.standing or entry.explicit
            weight = 10.0 + 10.0 * entry.priority.rank + (5.0 if is_rule else 0.0)
            critical = entry.priority is MemoryPriority.CRITICAL
            line = marked_text(entry) if entry.overtaken else ""
            yield Fact(Kind.RULE, entry.content, weight, critical=critical, line=line)


def _asks(ground: Ground) -> Iterator[Fact]:
    """The latest request, and the one before it where the latest only says to go on."""
    typed: dict[int, list[str]] = {}
    for passage in ground.passages:
        if passage.voice is Voice.TYPED:
            typed.setdefault(passage.message, []).append(passage.text)
    for rank, (index, texts) in enumerate(reversed(typed.items())):
        text = "\n".join(texts)
        text = _shortened(text) if len(text) > _LONGEST_ASK else text
        yield Fact(Kind.ASK, text, 60.0 - rank, critical=True, messages=(index,))
        if len(squeezed(text)) >= _BARE_ASK or rank >= _MOST_BARE:
            return


def _shortened(text: str) -> str:
    """What a long request says: its sentences without what was pasted between them, at worst its beginning and end."""
    out, last = "", 0
    for start, end in prose_spans(text):
        gap = text[last:start]
        out += (_GAP if gap.strip(_ITEM_MARKS) else gap) if out else ""
        out += text[start:end]
        last = end
    is_short = out.strip() and len(out) <= _LONGEST_ASK
    return out if is_short else f"{text[:_ASK_HEAD]}{_GAP}{text[-_ASK_TAIL:]}"


_LOOKING = (ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST)
_LOOK = re.compile(r"\A(?:ls|cat|stat|find|head|tail|wc|grep|rg|du): .{0,200}No such file or directory")
"""Looking whether something is there is no error that anybody must remember."""


def _errors(ground: Ground) -> Iterator[Fact]:
    places = {message.digest: at for at, message in enumerate(ground.messages)}
    weighed = []
    for error in collect_artifacts(ground.messages).errors:
        is_open = not (error.resolved or error.gave_way or error.done_by)
        if error.line and (is_open or error.times > 1):
            newness = places.get(error.at.message, 0) / len(places)
            weight = (6.0 + 14.0 * newness if is_open else 2.0) + min(error.times, 4)
            is_look = error.kind in _LOOKING or _LOOK.search(error.line)
            weighed.append((-weight * (_SLIGHT if is_look else 1.0), error.line[:_LONGEST_LINE]))
    kinds: dict[str, tuple[float, str]] = {}
    for found in sorted(weighed):
        kinds.setdefault("".join(c for c in squeezed(found[1]) if not c.isdigit())[:40], found)
    for weight, line in list(kinds.values())[: _MOST[Kind.ERROR]]:
        held = (p.message for p in ground.passages if p.voice is not Voice.ANCHOR and line in p.text)
        yield Fact(Kind.ERROR, line, -weight, messages=tuple(dict.fromkeys(held))[:_MOST_MESSAGES])


def _line_at(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : len(text) if end < 0 else end].strip()


_COUNTED = {  # which count a voice raises, and how telling its lines are
    Voice.TYPED: ("typed", 3),
    Voice.ANSWER: ("typed", 3),
    Voice.SAID: ("said", 2),
    Voice.RESULT: ("shown", 0),
}
_CHANGES = (ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
_SHORTEST_IDENTIFIER = 5
_GENERATED = re.compile(r"(?:\A|/)(?:node_modules|\.?venv|site-packages|\.git|tmp|private|dist|build|__pycache__)/")
_CODE = re.compile(r"[_$]|\A[a-z]+[A-Z]|[A-Z][a-z]+[A-Z][a-z]+[A-Z]|\d")
_FILE_END, _TEMPLATE = re.compile(r"\.\w{1,8}\Z"), re.compile(r"[{}$\[\]]|[-/=]\Z")


@dataclass(slots=True)
class _Tally:
    text: str
    kind: NameKind
    times: Counter[str] = field(default_factory=Counter)
    messages: list[int] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)
    best: tuple[int, str] = (-1, "")

    def note(self, passage: Passage, column: str, rank: int, files: Iterable[str]) -> None:
        self.times[column] += 1
        if passage.message not in self.messages[-1:]:
            self.messages.append(passage.message)
        if rank > self.best[0]:
            self.best = (rank, passage.text)
        if len(self.files) < _MOST_FILES:
            self.files.update(dict.fromkeys(path for path in files if path != self.text))

    def weight(self, count: int) -> float:
        """How much it matters; chosen: the user's word outweighs all, then changes, calls, reports."""
        times = self.times
        raw = 4.0 * min(times["typed"], 2) + 5.0 * bool(times["changed"]) + min(times["called"], 3)
        raw += 0.8 * min(times["said"], 3) + 0.6 * math.log2(1 + len(self.messages))
        if KIND_OF_NAME[self.kind] is Kind.PATH:
            is_slight = _GENERATED.search(self.text) is not None
        else:
            is_slight = self.kind is NameKind.IDENTIFIER and not _CODE.search(self.text)
        return raw * (0.6 + 0.4 * self.messages[-1] / count) * (_SLIGHT if is_slight else 1.0)

    @property
    def matters(self) -> bool:
        """Somebody named it on purpose: the user, a change, or call and report together or again."""
        kind, times = self.kind, self.times
        seen = times["called"] + times["shown"] > 0
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
        is_named = times["typed"] or times["changed"] or (times["said"] and seen)
        return bool(is_named) or (not is_plain and times["called"] > 1)


def _names(ground: Ground) -> Iterator[Fact]:
    tallies, count = _tallies_of(ground), max(1, len(ground.messages))
    for kind in dict.fromkeys(KIND_OF_NAME.values()):
        own = [(t.weight(count), t) for t in tallies if KIND_OF_NAME.get(t.kind) is kind and t.matters]
        own.sort(key=lambda item: (-item[0], item[1].text))
        kept = _without_doubles(own) if kind is Kind.PATH else own
        for weight, tally in kept[: _MOST[kind]]:
            text, line = _line_with(tally.text, tally.best[1])
            messages, files = tuple(tally.messages[-_MOST_MESSAGES:]), tuple(tally.files)[:_MOST_FILES]
            yield Fact(kind, text, weight, line=line, messages=messages, files=files)


def _tallies_of(ground: Ground) -> Iterable[_Tally]:
    """Count what is named: in texts, and in calls their files, their command and what they define."""
    tallies: dict[str, _Tally] = {}

    def note(
        passage: Passage, found: tuple[str, NameKind], column: str, rank: int, files: Sequence[str] = ()
    ) -> _Tally:
        name, kind = found
        key = plain_path(name) if KIND_OF_NAME.get(kind) is Kind.PATH else name
        tally = tallies.setdefault(key, _Tally(name, kind))
        tally.note(passage, column, rank, () if name in files else files)
        return tally

    for passage in ground.passages:
        if passage.voice in _COUNTED:
            held = [path for use in passage.uses for path in use.paths]
            for found in names_in(passage.text):
                note(passage, found, *_COUNTED[passage.voice], held)
        for use in passage.uses if passage.voice is Voice.CALL else ():
            for path in use.paths:
                kind = NameKind.PATH if "/" in path or "\\" in path else NameKind.FILE
                if kind is NameKind.PATH or "." in path:
                    note(passage, (path, kind), "called", 0).times["changed"] += use.action in _CHANGES
            for found in names_in(use.subject):
                note(passage, found, "called", 1, use.paths)
            for name in defined_names(use.new) if use.new else ():
                for _, kind in names_in(name)[:1]:
                    note(passage, (name, kind), "changed", 1, use.paths)
    return tallies.values()


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
    line = _line_at(text, at)
    if len(line) > _LONGEST_LINE:
        low = max(0, line.find(name) - _LONGEST_LINE // 2)
        line = line[low : low + _LONGEST_LINE]
    return name, "" if line.strip("`'\"-*• ") == name else line
