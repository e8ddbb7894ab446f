"""The ledger: the summary that needs no model.  A value, its text, and the value read back from that text.

Every section is a list of lines or of quoted blocks; a quoted block carries its length, so that a text that looks
like our own marks cannot break it.  Reading our own text back is what makes repeated compaction incremental: the
older ledger's contents compete again, it is never nested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
        narrative: what a model wrote of the folded part, checked and mended; "" without one.
        rules, project: verbatim memories of this task, and of earlier ones.
        asked: verbatim orders of requests that later ones followed.
        earlier: older requests, verbatim.
        notes: texts in the user role that no person typed (instructions of skills, say), verbatim.
        unshown: older requests that no longer fit, by handle.
        standing: where the work on the latest request stands.
        plan, files, commands, tests, urls, errors, media: lines computed from the tool calls.
        answers: what the assistant reported at the end of its turns.
        names: names likely needed again that stand nowhere else here, by file or message (`outline`).
        excerpts: lines of what was done.
    """

    language: str = "en"
    folded: int = 0
    reach: str = ""
    brief: Said | None = None
    latest: Said | None = None
    narrative: str = ""
    rules: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    earlier: tuple[Said, ...] = ()
    notes: tuple[Said, ...] = ()
    unshown: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    answers: tuple[Excerpt, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()

    def render(self) -> str:
        """Write the ledger; `read_ledger` gives the same value back."""
        out = [f'{OPENING} v="1" folded="{self.folded}" language="{self.language}">']
        intro = phrase(self.language, "intro", count=self.folded)
        out.append(intro + (phrase(self.language, "reach", reach=self.reach) if self.reach else ""))
        for name, said in (("brief", self.brief), ("latest", self.latest)):
            if said is not None:
                out += [self._title(name), quoted(said)]
        for name in ("rules", "asked", "project"):
            self._lines(name, out)
        if self.narrative:
            out += [self._title("narrative"), f"({len(self.narrative)})\n{self.narrative}"]
        if self.earlier or self.unshown:
            out.append(self._title("earlier"))
            if self.unshown:
                out.append(phrase(self.language, "unshown", handles=" ".join(self.unshown)))
            out += [quoted(said) for said in self.earlier]
        if self.notes:
            out.append(self._title("notes"))
            out += [quoted(said) for said in self.notes]
        for name in LINE_SECTIONS:
            self._lines(name, out)
        for name in EXCERPT_SECTIONS:
            excerpts: tuple[Excerpt, ...] = getattr(self, name)
            if excerpts:
                out.append(self._title(name))
                out += [quoted_block(e) for e in excerpts]
        out.append(CLOSING)
        return "\n".join(out)

    def _title(self, name: str) -> str:
        return f"\n# {phrase(self.language, name)}"

    def _lines(self, name: str, out: list[str]) -> None:
        lines: tuple[str, ...] = getattr(self, name)
        if lines:
            out.append(self._title(name))
            out += [f"- {line}" for line in lines]


CRITICAL_MARK = "! "
"""Before a critical rule, so that the next compaction knows it again."""
ANSWERING = "↩ "
"""Before the line that a short reply leans on."""
LINE_SECTIONS = ("standing", "plan", "files", "tests", "commands", "urls", "errors", "media", "names")
EXCERPT_SECTIONS = ("answers", "excerpts")


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
_SAID = re.compile(r"\[(\d{1,9})\](?: (hf_[0-9a-f]{12}))? \((\d{1,9})\)\n")
_ANSWERS = re.compile(rf"{ANSWERING}([^\n]*)\n")
_TOLD = re.compile(r"\((\d{1,9})\)\n")
_EXCERPT = re.compile(r"## ([^\n]*?)(?: (hf_[0-9a-f]{12}))? \((\d{1,9})\)\n")
_REACH = re.compile(r"(?:hf_\.\.\.\) with |hf_\.\.\.）可用 )([^\s.。]{1,80})")
_TITLES = {
    text: (language, name)
    for language, table in PHRASES.items()
    for name, text in table.items()
    if "{" not in text
}


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
    reading = _Reading(text, opened.end())
    return reading.ledger(language=opened[2], folded=int(opened[1])), min(reading.end, len(text))


class _Reading:
    """One pass over a ledger's text."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._section = ""
        self._said: dict[str, list[Said]] = {"brief": [], "latest": [], "earlier": [], "notes": []}
        self._excerpts: dict[str, list[Excerpt]] = {name: [] for name in EXCERPT_SECTIONS}
        self._lines: dict[str, list[str]] = {
            name: [] for name in ("rules", "asked", "project", *LINE_SECTIONS)
        }
        self._unshown: list[str] = []
        self._narrative = ""
        self._reach = ""

    @property
    def end(self) -> int:
        """Where reading stopped: behind the closing line."""
        return self._at

    def ledger(self, *, language: str, folded: int) -> Ledger:
        while self._at < len(self._text) and self._step():
            pass
        brief, latest = self._said["brief"], self._said["latest"]
        lines = {name: tuple(values) for name, values in self._lines.items()}
        return Ledger(
            language=language,
            folded=folded,
            reach=self._reach,
            brief=brief[0] if brief else None,
            latest=latest[0] if latest else None,
            narrative=self._narrative,
            earlier=tuple(self._said["earlier"]),
            notes=tuple(self._said["notes"]),
            unshown=tuple(self._unshown),
            answers=tuple(self._excerpts["answers"]),
            excerpts=tuple(self._excerpts["excerpts"]),
            rules=lines["rules"],
            asked=lines["asked"],
            project=lines["project"],
            standing=lines["standing"],
            plan=lines["plan"],
            files=lines["files"],
            tests=lines["tests"],
            commands=lines["commands"],
            urls=lines["urls"],
            errors=lines["errors"],
            media=lines["media"],
            names=lines["names"],
        )

    def _step(self) -> bool:
        """Read one line or one quoted block; False at the end."""
        text, at, section = self._text, self._at, self._section
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop]
        self._at = stop + 1
        if line == CLOSING:
            self._at = stop
            return False
        if line.startswith("# ") and line[2:] in _TITLES:
            self._section = _TITLES[line[2:]][1]
        elif section in self._said and (said := _SAID.match(text, at)):
            end = said.end() + int(said[3])
            answers = _ANSWERS.match(text, end + 1)
            leans_on = answers[1] if answers else ""
            self._said[section].append(Said(int(said[1]), text[said.end() : end], said[2] or "", leans_on))
            self._at = answers.end() if answers else end + 1
        elif section == "narrative" and not self._narrative and (told := _TOLD.match(text, at)):
            end = told.end() + int(told[1])
            self._narrative = text[told.end() : end]
            self._at = end + 1
        elif section in self._excerpts and (block := _EXCERPT.match(text, at)):
            end = block.end() + int(block[3])
            self._excerpts[section].append(Excerpt(block[1], text[block.end() : end], block[2] or ""))
            self._at = end + 1
        else:
            self._take_line(line)
        return True

    def _take_line(self, line: str) -> None:
        lines = self._lines.get(self._section)
        if lines is not None and line.startswith("- "):
            lines.append(line[2:])
        elif lines and line:
            lines[-1] += "\n" + line
        elif self._section == "earlier":
            self._unshown += HANDLE.findall(line)
        elif not self._section and (reach := _REACH.search(line)):
            self._reach = reach[1]
