"""Memories that say several things, of which some no longer hold: marked, with a link to what was said later.

The words stay as they were typed. What was overtaken is data beside them (`Overtaken`), and a mark behind them wherever
they are shown: "Use PostgreSQL on port 3001 (port: later 4000)".
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.consolidation.normalizing import main_language
from memory.entries import Overtaken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memory.entries import MemoryEntry, Slot

_NAMES: Final = """
port=端口 database=数据库 package manager=包管理器 frontend framework=前端框架 backend framework=后端框架
test tool=测试工具 test command=测试命令 linter=检查工具 model=模型 cloud=云 answer language=回答语言 branch=分支
theme=主题 color=颜色 font=字体 background=背景 style=样式 timeout=超时
timezone=时区 log level=日志级别 chinese=中文 english=英文
"""
_CHINESE: Final[dict[str, str]] = dict(re.findall(r"([a-z ]+)=(\S+)\s", _NAMES))
_MARK: Final = re.compile(
    r" ?(?:\([^()（）\n:]{1,90}: (?:later |no longer )|（[^()（）\n：]{1,90}：(?:后改为|已不用) )[^\n]{1,600}?[)）]"
    r"(?=\Z| \(\d{4}-\d\d-\d\d\)\Z)"
)
_BREAKING: Final = re.compile(r"[()（）:：\n]")


def answers_of(entry: MemoryEntry) -> tuple[Slot, ...]:
    """Return all answers in a memory's words, those that a later one has overtaken included."""
    return (*entry.slots, *(mark.slot for mark in entry.overtaken))


def chinese_name(question: str) -> str:
    """Return what a question is called in Chinese, "端口" for "port"; the question itself where no name is known."""
    return _CHINESE.get(question, question)


def overtake(entry: MemoryEntry, slots: Iterable[Slot], heir: MemoryEntry | None) -> MemoryEntry:
    """Return a memory without some of its answers in force; they are marked as overtaken by `heir`, if that is kept."""
    gone = [slot for slot in slots if slot in entry.slots]
    left = tuple(slot for slot in entry.slots if slot not in gone)
    marks = (_mark(slot, heir) for slot in gone)
    return replace(entry, slots=left, overtaken=(*entry.overtaken, *marks)) if gone else entry


def passed_on(
    entry: MemoryEntry, older: str, heir: MemoryEntry | None, slots: Collection[str] | None = None
) -> MemoryEntry:
    """Return a memory whose marks name `heir` instead of the `older` memory, itself retired, or no memory for None.

    An answer that holds again loses its mark. `slots` restricts it to the marks of these questions.
    """
    moving = [m for m in entry.overtaken if m.by == older and (slots is None or m.slot.name in slots)]
    if not moving:
        return entry
    moved = {mark: _mark(mark.slot, heir) for mark in moving}
    back = [mark.slot for mark, new in moved.items() if new.later == mark.slot.value]
    marks = (moved.get(mark, mark) for mark in entry.overtaken)
    left = tuple(mark for mark in marks if mark.later != mark.slot.value)
    return replace(entry, slots=(*entry.slots, *back), overtaken=left)


def lifted(entry: MemoryEntry, by: str) -> MemoryEntry:
    """Return a memory without the marks that a later one left, because that one never held."""
    back = [mark.slot for mark in entry.overtaken if mark.by == by]
    marks = tuple(mark for mark in entry.overtaken if mark.by != by)
    return replace(entry, slots=(*entry.slots, *back), overtaken=marks) if back else entry


def unlinked(entry: MemoryEntry, ids: Collection[str]) -> MemoryEntry:
    """Return a memory without links to these, which are gone for good; what its marks say stays."""
    return replace(
        entry,
        supersedes=tuple(older for older in entry.supersedes if older not in ids),
        superseded_by=None if entry.superseded_by in ids else entry.superseded_by,
        overtaken=tuple(replace(mark, by=None) if mark.by in ids else mark for mark in entry.overtaken),
    )


def marked_text(entry: MemoryEntry) -> str:
    """Return a memory's words, and behind them what no longer holds: "Use pnpm on port 3001 (port: later 4000)"."""
    if not entry.overtaken:
        return entry.content
    if main_language((entry.content,)) == "zh":
        return (
            f"{entry.content.rstrip()}（{'；'.join(_said(mark, chinese=True) for mark in entry.overtaken)}）"
        )
    return f"{entry.content.rstrip()} ({'; '.join(_said(mark, chinese=False) for mark in entry.overtaken)})"


def unmarked(text: str) -> str:
    """Return the words that `marked_text` was given, of a line that may have the day they were said at its end."""
    return _MARK.sub("", text, count=1) if text.endswith((")", "）")) else text


def _mark(slot: Slot, heir: MemoryEntry | None) -> Overtaken:
    if heir is None:
        return Overtaken(slot, None, "")
    return Overtaken(slot, heir.id, next((new.value for new in heir.slots if new.name == slot.name), ""))


def _said(mark: Overtaken, *, chinese: bool) -> str:
    names = _CHINESE if chinese else {}
    name = mark.slot.name.removeprefix("setting:")
    if name.startswith("replaces:"):
        name = ("替代 " if chinese else "instead of ") + name.removeprefix("replaces:")
    name = " ".join(_BREAKING.sub(" ", names.get(name, name)).split())
    value = mark.later or mark.slot.value
    if chinese:
        return f"{name}：{'后改为' if mark.later else '已不用'} {names.get(value, value)}"
    return f"{name}: {'later' if mark.later else 'no longer'} {value}"
