"""The ledger: the summary that needs no model.  A value, its text, and the value read back from that text.

A quoted block carries its length, so that a text that looks like our own marks cannot break it.  Reading our own text
back makes repeated compaction incremental: the older ledger's contents compete again, it is never nested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from condense.reading import CLOSING, HANDLE, OPENING, PHRASES, phrase


@dataclass(frozen=True, slots=True)
class Said:
    """A message the person typed.

    Attributes:
        number: its place among all typed messages, from 1.
        text: verbatim.
        handle: where the original is, "" where it is not archived.
        answers: the line of the assistant's that a short reply leans on, "" for most.
    """

    number: int
    text: str
    handle: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Verbatim lines of one source.

    Attributes:
        heading: what the source was ("#12 Bash: pytest -q").
        body: its lines, gaps marked.
        handle: where the original is.
    """

    heading: str
    body: str
    handle: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that stands in place of the folded messages; every field may be empty.

    Attributes:
        language: of headings and markers.
        folded: how many messages it stands for.
        reach: how an original is fetched, "" where it can't be.
        brief: the task as a program gave it, where no person typed one.
        latest: the newest request, where no kept message holds it.
        rules, asked, project: verbatim memories of this task, orders of requests that later ones followed, memories of
            earlier tasks.
        narrative: what a model wrote of the folded part, checked and mended; "" without one.
        earlier: older requests, verbatim.
        unshown: older requests that no longer fit, by handle.
        notes: texts in the user role that no person typed (instructions of skills, say), verbatim.
        standing: where the work on the latest request stands.
        plan, files, commands, errors: lines computed from the tool calls.
        names: names likely needed again that stand nowhere else here, by file or message.
        answers: what the assistant reported at the end of its turns.
        excerpts: lines of what was done.
    """

    language: str = "en"
    folded: int = 0
    reach: str = ""
    brief: Said | None = None
    latest: Said | None = None
    rules: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    narrative: str = ""
    earlier: tuple[Said, ...] = ()
    unshown: tuple[str, ...] = ()
    notes: tuple[Said, ...] = ()
    standing: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    answers: tuple[Excerpt, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()

    @property
    def quotes(self) -> tuple[Said, ...]:
        """What the person typed, as far as it is quoted, oldest first."""
        return (*self.earlier, self.latest) if self.latest else self.earlier

    def render(self) -> str:
        """Write the ledger; `read_ledger` gives the same value back."""
        out = [f'{OPENING} v="1" folded="{self.folded}" language="{self.language}">']
        intro = phrase(self.language, "intro", count=self.folded)
        out.append(intro + (phrase(self.language, "reach", reach=self.reach) if self.reach else ""))
        for name in _PATTERNS:
            value = getattr(self, name)
            entries = value if isinstance(value, tuple) else (value,) if value else ()
            blocks = [_written(name, entry) for entry in entries]
            if name == "earlier" and self.unshown:
                blocks.insert(0, phrase(self.language, "unshown", handles=" ".join(self.unshown)))
            if blocks:
                out += [f"\n# {phrase(self.language, name)}", *blocks]
        return "\n".join([*out, CLOSING])


CRITICAL_MARK = "! "
"""Before a critical rule, so that the next compaction knows it again."""
ANSWERING = "↩ "
"""Before the line that a short reply leans on."""
LINE_SECTIONS = ("standing", "plan", "files", "commands", "errors", "names")
EXCERPT_SECTIONS = ("answers", "excerpts")


def _written(name: str, entry: Said | Excerpt | str) -> str:
    if isinstance(entry, Said):
        return quoted(entry)
    if isinstance(entry, Excerpt):
        return quoted_block(entry)
    return f"({len(entry)})\n{entry}" if name == "narrative" else f"- {entry}"


def quoted(said: Said) -> str:
    """Write one quote under its number, handle and length."""
    handle = f" {said.handle}" if said.handle else ""
    answers = f"\n{ANSWERING}{said.answers}" if said.answers else ""
    return f"[{said.number}]{handle} ({len(said.text)})\n{said.text}{answers}"


def quoted_block(excerpt: Excerpt) -> str:
    """Write one excerpt under its heading."""
    handle = f" {excerpt.handle}" if excerpt.handle else ""
    return f"## {excerpt.heading}{handle} ({len(excerpt.body)})\n{excerpt.body}"


_OPEN = re.compile(r'<holdfast-context v="1" folded="(\d{1,9})" language="([a-z]{2})">\n')
_SAID = re.compile(r"\[(?P<head>\d{1,9})\](?: (?P<handle>hf_[0-9a-f]{12}))? \((?P<size>\d{1,9})\)\n")
_ANSWERS = re.compile(rf"{ANSWERING}([^\n]*)\n")
_TOLD = re.compile(r"\((?P<size>\d{1,9})\)\n")
_EXCERPT = re.compile(r"## (?P<head>[^\n]*?)(?: (?P<handle>hf_[0-9a-f]{12}))? \((?P<size>\d{1,9})\)\n")
_REACH = re.compile(r"(?:hf_\.\.\.\) with |hf_\.\.\.）可用 )([^\s.。]{1,80})")
_PATTERNS: dict[str, re.Pattern[str] | None] = {
    **dict.fromkeys(("brief", "latest"), _SAID),
    **dict.fromkeys(("rules", "asked", "project")),
    "narrative": _TOLD,
    **dict.fromkeys(("earlier", "notes"), _SAID),
    **dict.fromkeys(LINE_SECTIONS),
    **dict.fromkeys(EXCERPT_SECTIONS, _EXCERPT),
}
"""The sections in their order, and how a quoted block begins in each; None where they hold lines."""
_TITLES = {text: name for table in PHRASES.values() for name, text in table.items() if name in _PATTERNS}


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
        pattern = _PATTERNS.get(section)
        if line.startswith("# ") and line[2:] in _TITLES:
            section, at = _TITLES[line[2:]], stop + 1
        elif pattern and (block := pattern.match(text, at)):
            entry, at = _block(text, block)
            found[section].append(entry)
        else:
            at = stop + 1
            if section == "earlier":
                found["unshown"] += HANDLE.findall(line)
            elif section and pattern is None:
                _take_line(line, found[section])
            elif not section and (told := _REACH.search(line)):
                reach = told[1]
    values: dict[str, Any] = {name: tuple(entries) for name, entries in found.items()}
    values |= {name: next(iter(found[name]), None) for name in ("brief", "latest")}
    values["narrative"] = next(iter(found["narrative"]), "")
    return Ledger(opened[2], int(opened[1]), reach, **values), min(at, len(text))


def _block(text: str, block: re.Match[str]) -> tuple[Said | Excerpt | str, int]:
    """A quoted block by its first line, and where the next begins."""
    end = block.end() + int(block["size"])
    body = text[block.end() : end]
    if block.re is _TOLD:
        return body, end + 1
    handle = block["handle"] or ""
    if block.re is _EXCERPT:
        return Excerpt(block["head"], body, handle), end + 1
    answers = _ANSWERS.match(text, end + 1)
    said = Said(int(block["head"]), body, handle, answers[1] if answers else "")
    return said, answers.end() if answers else end + 1


def _take_line(line: str, lines: list[str]) -> None:
    if line.startswith("- "):
        lines.append(line[2:])
    elif lines and line:
        lines[-1] += "\n" + line
