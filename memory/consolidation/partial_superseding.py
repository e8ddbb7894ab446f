"""Memories that say several things, of which some no longer hold: marked, with a link to what was said later.

The words of such a memory stay as they were typed. What was overtaken is data beside them (`Overtaken`), and a mark
behind them wherever they are shown: "Use PostgreSQL on port 3001 (port: later 4000)". Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.consolidation.normalizing import main_language
from memory.entries import Overtaken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memory.entries import MemoryEntry, Slot

_CHINESE: Final = {
    "port": "端口",
    "database": "数据库",
    "package manager": "包管理器",
    "frontend framework": "前端框架",
    "backend framework": "后端框架",
    "test tool": "测试工具",
    "test command": "测试命令",
    "linter": "检查工具",
    "model": "模型",
    "cloud": "云",
    "answer language": "回答语言",
    "branch": "分支",
    "theme": "主题",
    "color": "颜色",
    "font": "字体",
    "background": "背景",
    "style": "样式",
    "timeout": "超时",
    "timezone": "时区",
    "log level": "日志级别",
    "chinese": "中文",
    "english": "英文",
}
_MARK: Final = re.compile(
    r" ?(?:\([^()（）\n:]{1,90}: (?:later |no longer )|（[^()（）\n：]{1,90}：(?:后改为|已不用) )[^\n]{1,600}?[)）]"
    r"(?=\Z| \(\d{4}-\d\d-\d\d\)\Z)"
)
_BREAKING: Final = re.compile(r"[()（）:：\n]")


def answers_of(entry: MemoryEntry) -> tuple[Slot, ...]:
    """Return all answers in a memory's words, those that a later one has overtaken included."""
    return (*entry.slots, *(mark.slot for mark in entry.overtaken)) if entry.overtaken else entry.slots


def chinese_name(question: str) -> str:
    """Return what a question is called in Chinese, "端口" for "port"; the question itself where no name is known."""
    return _CHINESE.get(question, question)


def overtake(entry: MemoryEntry, slots: Iterable[Slot], heir: MemoryEntry | None) -> MemoryEntry:
    """Return a memory without some of its answers in force; they are marked as overtaken.

    Args:
        entry: the memory.
        slots: which of its answers no longer hold.
        heir: what was said later; None where nothing is kept of it.
    """
    gone = [slot for slot in slots if slot in entry.slots]
    left = tuple(slot for slot in entry.slots if slot not in gone)
    marks = tuple(_mark(slot, heir) for slot in gone)
    return replace(entry, slots=left, overtaken=(*entry.overtaken, *marks)) if gone else entry


def passed_on(
    entry: MemoryEntry, older: str, heir: MemoryEntry | None, slots: Collection[str] | None = None
) -> MemoryEntry:
    """Return a memory whose marks name another later memory; an answer that holds again loses its mark.

    Args:
        entry: a memory with marks.
        older: id of the memory that is named so far, and that was itself retired.
        heir: what took its place; None where nothing is kept of it.
        slots: only the marks of these questions; all of them when left out.
    """
    if not any(mark.by == older for mark in entry.overtaken):
        return entry
    in_force = list(entry.slots)
    marks: list[Overtaken] = []
    for mark in entry.overtaken:
        if mark.by != older or (slots is not None and mark.slot.name not in slots):
            marks.append(mark)
            continue
        moved = _mark(mark.slot, heir)
        if moved.later == mark.slot.value:
            in_force.append(mark.slot)
        else:
            marks.append(moved)
    return replace(entry, slots=tuple(in_force), overtaken=tuple(marks))


def lifted(entry: MemoryEntry, by: str) -> MemoryEntry:
    """Return a memory without the marks that a later one left, because that one never held."""
    back = [mark.slot for mark in entry.overtaken if mark.by == by]
    if not back:
        return entry
    marks = tuple(mark for mark in entry.overtaken if mark.by != by)
    return replace(entry, slots=(*entry.slots, *back), overtaken=marks)


def unlinked(entry: MemoryEntry, ids: Collection[str]) -> MemoryEntry:
    """Return a memory whose marks name no memory of these, which are gone for good; what they say stays."""
    if not any(mark.by in ids for mark in entry.overtaken):
        return entry
    marks = tuple(replace(mark, by=None) if mark.by in ids else mark for mark in entry.overtaken)
    return replace(entry, overtaken=marks)


def marked_text(entry: MemoryEntry) -> str:
    """Return a memory's words, and behind them what no longer holds of them; the bare words for most."""
    if not entry.overtaken:
        return entry.content
    mark = mark_text(entry)
    return f"{entry.content.rstrip()}{'' if mark.startswith('（') else ' '}{mark}"


def mark_text(entry: MemoryEntry) -> str:
    """Return what no longer holds of a memory, in the language of its words: "(port: later 4000)"; "" for most."""
    if not entry.overtaken:
        return ""
    if main_language((entry.content,)) == "zh":
        return f"（{'；'.join(map(_chinese, entry.overtaken))}）"
    return f"({'; '.join(map(_english, entry.overtaken))})"


def unmarked(text: str) -> str:
    """Return the words that `marked_text` was given, of a line that may have the day they were said at its end."""
    return _MARK.sub("", text, count=1) if text.endswith((")", "）")) else text


def _mark(slot: Slot, heir: MemoryEntry | None) -> Overtaken:
    if heir is None:
        return Overtaken(slot, None, "")
    later = next((new.value for new in heir.slots if new.name == slot.name), "")
    return Overtaken(slot, heir.id, later)


def _english(mark: Overtaken) -> str:
    name = _name(mark.slot, "instead of ", {})
    return f"{name}: later {mark.later}" if mark.later else f"{name}: no longer {mark.slot.value}"


def _chinese(mark: Overtaken) -> str:
    name = _name(mark.slot, "替代 ", _CHINESE)
    if mark.later:
        return f"{name}：后改为 {_CHINESE.get(mark.later, mark.later)}"
    return f"{name}：已不用 {_CHINESE.get(mark.slot.value, mark.slot.value)}"


def _name(slot: Slot, instead: str, names: Mapping[str, str]) -> str:
    """Return how a question is called in a mark, without what would break the mark."""
    name = slot.name.removeprefix("setting:")
    if name.startswith("replaces:"):
        name = instead + name.removeprefix("replaces:")
    return " ".join(_BREAKING.sub(" ", names.get(name, name)).split())
