"""The ledger: the summary that needs no model.  A value, its text, and the value read back from that text.

A quoted block carries its length, so that a text that looks like our own marks cannot break it.  Reading our own text
back makes repeated compaction incremental: the older ledger's contents compete again, it is never nested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from condense.reading import CLOSING, HANDLE, OPENING, PHRASES, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CRITICAL_MARK = "! "  # before a critical rule, so that the next compaction knows it again
ANSWERING = "↩ "  # before the line that a short reply leans on
BROKEN_OFF = "interrupted"  # behind the place of a request whose work the person stopped
LINE_SECTIONS = ("standing", "plan", "files", "commands", "errors", "names")
EXCERPT_SECTIONS = ("focus", "answers", "excerpts")


@dataclass(frozen=True, slots=True)
class Said:
    """A message the person typed, verbatim."""

    number: int  # its place among all typed messages, from 1
    text: str
    handle: str = ""  # where the original is, "" where it is not archived
    answers: str = ""  # the line of the assistant's that a short reply leans on
    place: str = ""  # "#12": the number of its message, as in headings of excerpts; "#4 #12" where typed twice

    def __str__(self) -> str:
        """Its text under its number, place, handle and length."""
        answers = f"\n{ANSWERING}{self.answers}" if self.answers else ""
        return _block(f"[{self.number}] {self.place}".rstrip(), self.handle, self.text) + answers


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Verbatim lines of one source, gaps marked."""

    heading: str  # what the source was ("#12 Bash: pytest -q")
    body: str
    handle: str = ""

    def __str__(self) -> str:
        """Its lines under their heading, handle and length."""
        return _block(f"## {self.heading}", self.handle, self.body)


def _block(head: str, handle: str, text: str) -> str:
    return " ".join(filter(None, (head, handle, f"({len(text)})\n{text}")))


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that stands in place of the folded messages; every field may be empty."""

    language: str = "en"  # of headings and markers
    folded: int = 0  # messages it stands for
    reach: str = ""  # how an original is fetched, "" where it can't be
    brief: Said | None = None  # the task as a program gave it, where no person typed one
    latest: Said | None = None  # the newest request, where no kept message holds it
    rules: tuple[str, ...] = ()  # memories of this task, verbatim
    asked: tuple[str, ...] = ()  # orders of requests that later ones followed, verbatim
    focus: tuple[Excerpt, ...] = ()  # what the person asked to be kept, over the passages that speak of it
    project: tuple[str, ...] = ()  # memories of earlier tasks
    narrative: str = ""  # what a model wrote of the folded part, checked and mended
    earlier: tuple[Said, ...] = ()  # older requests
    unshown: tuple[str, ...] = ()  # handles of older requests that no longer fit
    notes: tuple[Said, ...] = ()  # texts in the user role that no person typed (instructions of skills, say)
    standing: tuple[str, ...] = ()  # where the work on the latest request stands
    plan: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # likely needed again and nowhere else here, by file or message
    answers: tuple[Excerpt, ...] = ()  # lines of what the assistant said
    excerpts: tuple[Excerpt, ...] = ()  # lines of what was done

    @property
    def quotes(self) -> tuple[Said, ...]:
        """What the person typed, as far as it is quoted, oldest first."""
        return (*self.earlier, self.latest) if self.latest else self.earlier

    def render(self) -> str:
        """Write the ledger; `read_ledger` gives the same value back."""
        out = [f'{OPENING} v="1" folded="{self.folded}" language="{self.language}">']
        intro = phrase(self.language, "intro", count=self.folded)
        out.append(intro + (phrase(self.language, "reach", reach=self.reach) if self.reach else ""))
        for name, pattern in _PATTERNS.items():
            value = getattr(self, name)
            if name == "narrative":
                value = value and _block("", "", value)
            value = tuple(_grouped(value)) if name == "rules" else value
            entries = value if isinstance(value, tuple) else (value,) if value else ()
            blocks = [str(entry) if pattern else f"- {entry}" for entry in entries]
            if name == "earlier" and self.unshown:
                blocks.insert(0, phrase(self.language, "unshown", handles=" ".join(self.unshown)))
            if blocks:
                out += [f"\n# {phrase(self.language, name)}", *blocks]
        return "\n".join([*out, CLOSING])


LEAST_GROUP, MEMBER = 3, "\n  · "  # rules of one head that are written below it, and what begins each


def _grouped(rules: Iterable[str]) -> Iterator[str]:
    """Rules as they are written: three and more of one head ("Use: a", "Use: b", "Use: c") as entries below it."""
    for head, run in groupby(rules, lambda rule: "" if "\n" in rule else rule.rpartition(": ")[0]):
        alike = list(run)
        if head and len(alike) >= LEAST_GROUP:
            yield MEMBER.join([f"{head}:", *(rule.removeprefix(f"{head}: ") for rule in alike)])
        else:
            yield from alike


def _ungrouped(entries: Iterable[str]) -> Iterator[str]:
    for entry in entries:
        head, *members = entry.split(MEMBER)
        yield from [f"{head} {member}" for member in members] if head.endswith(":") and members else [entry]


_OPEN = re.compile(r'<holdfast-context v="1" folded="(\d{1,9})" language="([a-z]{2})">\n')
_SIZE = r"(?:(?P<handle>hf_[0-9a-f]{12}) )?\((?P<size>\d{1,9})\)\n"
_SAID = re.compile(rf"\[(?P<head>\d{{1,9}})\] (?:(?P<place>(?:#\d{{1,9}} (?:{BROKEN_OFF} )?)+))?{_SIZE}")
_ANSWERS = re.compile(rf"{ANSWERING}([^\n]*)\n")
_TOLD = re.compile(rf"(?P<head>){_SIZE}")
_EXCERPT = re.compile(rf"## (?P<head>[^\n]*?) {_SIZE}")
_REACH = re.compile(r"(?:hf_\.\.\.\) with |hf_\.\.\.）可用 )([^\s.。]{1,80})")
_PATTERNS: dict[str, re.Pattern[str] | None] = {
    **dict.fromkeys(("brief", "latest"), _SAID),
    **dict.fromkeys(("rules", "asked")),
    "focus": _EXCERPT,
    "project": None,
    "narrative": _TOLD,
    **dict.fromkeys(("earlier", "notes"), _SAID),
    **dict.fromkeys(LINE_SECTIONS),
    **dict.fromkeys(EXCERPT_SECTIONS, _EXCERPT),
}
"""The sections in their order, and how a quoted block begins in each; None where they hold lines."""
_TITLES = {text: name for table in PHRASES.values() for name, text in table.items() if name in _PATTERNS}
_TITLES |= {"What the assistant said last (its words, thoughts included)": "answers"}  # of earlier releases
_TITLES |= {"助手最近所说（助手原话，含思考）": "answers"}


def read_ledger(text: str) -> Ledger | None:
    """Read a ledger back from its text; None where it is none or was changed beyond reading.  Linear."""
    start = text.find(OPENING)
    found = ledger_at(text, start) if start >= 0 else None
    return found[0] if found else None


def ledger_at(text: str, start: int) -> tuple[Ledger, int] | None:
    """Read the ledger that begins at a place; return it and where it ends, None where none begins there.  Linear."""
    opened = _OPEN.match(text, start)
    if opened is None:
        return None
    found: dict[str, list[Any]] = {name: [] for name in (*_PATTERNS, "unshown")}
    section, reach, at = "", "", opened.end()
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop]
        if line == CLOSING:
            at = stop
            break
        pattern, entries = _PATTERNS.get(section), found.get(section, [])
        if line.startswith("# ") and line[2:] in _TITLES:
            section, at = _TITLES[line[2:]], stop + 1
        elif pattern and (block := pattern.match(text, at)):
            at = block.end() + int(block["size"]) + 1
            body, handle = text[block.end() : at - 1], block["handle"] or ""
            if pattern is _SAID:
                answers = _ANSWERS.match(text, at)
                at = answers.end() if answers else at
                line = answers[1] if answers else ""
                entries.append(Said(int(block["head"]), body, handle, line, (block["place"] or "").strip()))
            else:
                entries.append(Excerpt(block["head"], body, handle) if pattern is _EXCERPT else body)
        else:
            at = stop + 1
            if section == "earlier":
                found["unshown"] += HANDLE.findall(line)
            elif not section:
                told = _REACH.search(line)
                reach = told[1] if told else reach
            elif pattern is None and line.startswith("- "):
                entries.append(line[2:])
            elif pattern is None and entries and line:
                entries[-1] += f"\n{line}"
    values: dict[str, Any] = {name: tuple(entries) for name, entries in found.items()}
    values |= {name: next(iter(found[name]), None) for name in ("brief", "latest")}
    values["rules"] = tuple(_ungrouped(found["rules"]))
    values["narrative"] = next(iter(found["narrative"]), "")
    return Ledger(opened[2], int(opened[1]), reach, **values), min(at, len(text))
