"""MEMORY.md: memories as lines of plain text that a person may edit at any time.

    2026-02-15|web-chat|the user prefers Python；the project uses FastAPI

One line a memory: date, source, and items parted by "；". Format, methods, defaults and Chinese texts are those of
CountBot's documented memory system. Line numbers are the file's own; blank lines have numbers but are no memories.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from memory.conversation import redact
from memory.notes.locked_file import SharedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

FILE_NAME: Final = "MEMORY.md"
SEPARATOR: Final = "；"
DEFAULT_LINES: Final = 15
DEFAULT_RECENT: Final = 10
DEFAULT_SOURCE: Final = "web-chat"
"""Between the items of a line; lines of a search, and of `get_recent`; the source of no channel (all documented)."""

MatchMode = Literal["or", "and"]
Language = Literal["zh", "en", "auto"]

_LINE: Final = re.compile(r"\s{0,8}(\d{4}-\d{2}-\d{2})\s{0,8}\|([^|]{0,200})\|(.*)", re.DOTALL)
_CHINESE: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_BOM: Final = "\ufeff"
TEXTS: Final = {
    "more": ("共 {total} 条匹配，仅显示前 {shown} 条", "{total} matches, only the first {shown} are shown"),
    "nothing": ("未找到匹配的记忆", "no memory matches"),
    "no keywords": ("请提供搜索关键词", "give at least one keyword"),
    "empty": ("暂无记忆", "there are no memories yet"),
    "no lines": (
        "第 {start} 行起没有记忆（共 {lines} 行）",
        "no memories from line {start} on (of {lines} lines)",
    ),
    "written": ("已写入记忆第 {line} 行（共 {total} 条）", "memory written to line {line} ({total} in all)"),
    "total": ("记忆库共 {total} 条", "memories in all: {total}"),
    "range": ("，时间范围: {dates}", ", dates: {dates}"),
}
"""What is said, Chinese (documented where the documents quote it) and English."""


@dataclass(frozen=True, slots=True)
class NotebookLine:
    """One line of MEMORY.md that is a memory: its number in the file, 1-based, and its text without the line end.

    In another form than ours, `date` ("YYYY-MM-DD") and `source` are "", and all of it is one item.
    """

    number: int
    text: str
    date: str = ""
    source: str = ""
    items: tuple[str, ...] = ()


class Notebook:
    """The memories of one MEMORY.md, in a folder that is made when first written to.

    Several processes may write at once and a person may edit meanwhile. Methods raise `StoreError` where the file
    cannot be read or written; nothing is cached. `today` tells the date of a new line. Methods speak `language`: "zh",
    "en", or "auto": Chinese where the question or else the file is.
    """

    def __init__(self, folder: Path | str, *, today: Callable[[], date], language: Language = "auto") -> None:
        if language not in ("zh", "en", "auto"):
            raise ValueError(f"language is {language!r}; it should be 'zh', 'en' or 'auto'")
        self.path = Path(folder) / FILE_NAME
        self.language = language
        self._file = SharedFile(self.path)
        self._today = today

    def append_entry(self, source: str, content: str) -> int:
        """Write one memory of today, secrets redacted, and return its line number; `ValueError` for a blank one.

        In `source`, the channel, line ends and "|" are replaced; "；" or line ends part the items of `content`.
        """
        channel = " ".join(redact(_storable(source)).split()).replace("|", "｜")
        items = SEPARATOR.join(p.strip() for p in redact(_storable(content)).splitlines() if p.strip())
        if not channel or not items:
            name, value = ("source", source) if not channel else ("content", content)
            raise ValueError(f"{name} is {value!r}; it should not be blank")
        return self._file.append(f"{self._today().isoformat()}|{channel}|{items}")

    def delete_lines(self, line_numbers: Iterable[int]) -> int:
        """Remove lines by their numbers; return how many there were. Numbers of no line are no error."""
        doomed = frozenset(line_numbers)

        def without(text: str) -> tuple[str, int]:
            lines = _lines(text)
            kept = [line for number, line in enumerate(lines, 1) if number not in doomed]
            end = "\n" if kept and text.endswith("\n") else ""
            return "\n".join(kept) + end if len(kept) < len(lines) else text, len(lines) - len(kept)

        return self._file.edit(without)

    def write_all(self, content: str) -> None:
        """Put a text in place of the whole file. Secrets are redacted; a line end is added where the last has none."""
        text = redact(_storable(content))
        self._file.edit(lambda _: (text if not text or text.endswith("\n") else text + "\n", None))

    def rewrite(self, seen: str, content: str) -> bool:
        """Put a text in place of the file as `write_all` does, where it still reads `seen`; return whether it did."""
        text = redact(_storable(content))

        def anew(present: str) -> tuple[str, bool]:
            if present.removeprefix(_BOM).removesuffix("\n") != seen:
                return present, False
            return text if not text or text.endswith("\n") else text + "\n", True

        return self._file.edit(anew)

    def read_all(self) -> str:
        """Return the whole file, without the last line end; "" where there is none."""
        return self._file.read().removeprefix(_BOM).removesuffix("\n")

    def entries(self) -> tuple[NotebookLine, ...]:
        """Return all memories, in order."""
        return tuple(_read(number, line) for number, line in enumerate(self._lines(), 1) if line.strip())

    def read_lines(self, start: int, end: int | None = None) -> str:
        """Return the memories of a range of lines, "[number] line" each; one line where `end` is left out."""
        last = start if end is None else end
        shown = _numbered(entry for entry in self.entries() if start <= entry.number <= last)
        return shown or self.say("no lines", start=start, lines=self.get_line_count())

    def get_recent(self, count: int = DEFAULT_RECENT) -> str:
        """Return the newest memories, at most `count`, in the order of the file."""
        known = self.entries()
        newest = known[-count:] if count > 0 else ()
        return _numbered(newest) or self.say("empty")

    def search(
        self, keywords: Sequence[str], max_results: int = DEFAULT_LINES, match_mode: MatchMode = "or"
    ) -> str:
        """Return the memories that hold a keyword ("or") or all of them ("and"), in the order of the file.

        Case does not matter. Where there are more than `max_results` (1 or more), a last line says how many; where
        nothing matches, or there is no keyword, it says so.
        """
        if match_mode not in ("or", "and"):
            raise ValueError(f"match_mode is {match_mode!r}; it should be 'or' or 'and'")
        if max_results < 1:
            raise ValueError(f"max_results is {max_results!r}; it should be 1 or more")
        asked = " ".join(keywords)
        found = self.matches(keywords, match_mode)
        if not found:
            return self.say("nothing" if asked.strip() else "no keywords", asked)
        shown = _numbered(found[:max_results])
        if len(found) <= max_results:
            return shown
        return f"{shown}\n{self.say('more', asked, total=len(found), shown=max_results)}"

    def matches(self, keywords: Sequence[str], match_mode: MatchMode = "or") -> tuple[NotebookLine, ...]:
        """Return all lines that hold a keyword ("or") or all of them ("and"); none where there is no keyword."""
        wanted = [word.casefold() for word in keywords if word.strip()]
        holds = any if match_mode == "or" else all
        known = self.entries() if wanted else ()
        return tuple(e for e in known if holds(word in e.text.casefold() for word in wanted))

    def get_stats(self) -> dict[str, object]:
        """Return "total", "sources" (memories by source) and "date_range" ("first ~ last", "" for none)."""
        known = self.entries()
        dates = sorted(e.date for e in known if e.date)
        sources = Counter(e.source for e in known if e.source)
        span = f"{dates[0]} ~ {dates[-1]}" if dates else ""
        return {"total": len(known), "sources": dict(sources), "date_range": span}

    def get_line_count(self) -> int:
        """Return how many lines the file has, blank ones included."""
        return len(self._lines())

    def language_for(self, asked: str = "") -> Literal["zh", "en"]:
        """Return the language to answer in: the notebook's, or for "auto" that of the question, else of the file."""
        if self.language != "auto":
            return self.language
        return "zh" if _CHINESE.search(asked) or _CHINESE.search(self._file.read()) else "en"

    def say(self, what: str, asked: str = "", **values: object) -> str:
        """Return one of `TEXTS`, in the language for what was asked, filled in."""
        return TEXTS[what][0 if self.language_for(asked) == "zh" else 1].format(**values)

    def _lines(self) -> list[str]:
        return _lines(self._file.read().removeprefix(_BOM))


def _storable(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _lines(text: str) -> list[str]:
    """Split at line feeds only, as editors count; carriage returns stay."""
    return text.removesuffix("\n").split("\n") if text else []


def _read(number: int, line: str) -> NotebookLine:
    text = line.rstrip("\r")
    found = _LINE.fullmatch(text)
    if found is None:
        return NotebookLine(number, text, items=(text.strip(),))
    items = tuple(item.strip() for item in found[3].split(SEPARATOR) if item.strip())
    return NotebookLine(number, text, found[1], found[2].strip(), items)


def _numbered(entries: Iterable[NotebookLine]) -> str:
    return "\n".join(f"[{entry.number}] {entry.text}" for entry in entries)
