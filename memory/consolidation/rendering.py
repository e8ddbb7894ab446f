"""Memories as text: marks behind what no longer holds, and the summary, grouped, within a token budget.

The words of a memory that says several things stay as they were typed. What was overtaken is data beside them
(`Overtaken`), and a mark wherever they are shown: "Use PostgreSQL on port 3001 (port: later 4000)".
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.entries import MemoryPriority, MemoryType, Overtaken

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from memory.config import SummaryConfig
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
_KANA: Final = re.compile("[\u3040-\u30fa]")
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD: Final = re.compile(r"[^\W\d_]+")
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


def relinked(entry: MemoryEntry, names: Mapping[str, str | None]) -> MemoryEntry:
    """Return a memory with links to these by their new names, or without (None), as they are gone; marks stay."""
    return replace(
        entry,
        supersedes=tuple(new for older in entry.supersedes if (new := names.get(older, older))),
        superseded_by=names.get(entry.superseded_by or "", entry.superseded_by),
        overtaken=tuple(replace(mark, by=names.get(mark.by or "", mark.by)) for mark in entry.overtaken),
    )


def marked_text(entry: MemoryEntry) -> str:
    """Return a memory's words, and behind them what no longer holds: "Use pnpm on port 3001 (port: later 4000)"."""
    if not entry.overtaken:
        return entry.content
    zh = main_language((entry.content,)) == "zh"
    said = ("；" if zh else "; ").join(_said(mark, chinese=zh) for mark in entry.overtaken)
    return entry.content.rstrip() + (f"（{said}）" if zh else f" ({said})")


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


_TITLES: Final = """
title|Important context|重要上下文记忆
critical|Critical instructions:|关键指令：
high|Important decisions:|重要决策：
technologies|Technologies:|技术栈：
more|({} more in all)|（共另有 {} 条）
user_instruction|User instructions|用户指令
technical_decision|Technical decisions|技术决策
configuration|Configuration|配置
important_error|Errors|重要错误
project_context|Project context|项目背景
workflow_pattern|Workflow|工作流程
"""
_ROWS: Final = [row.split("|") for row in _TITLES.strip().split("\n")]
TITLES: Final = {language: {row[0]: row[at] for row in _ROWS} for at, language in ((1, "en"), (2, "zh"))}
"""Headings, by language."""


def render_summary(
    entries: Iterable[MemoryEntry],
    config: SummaryConfig,
    *,
    language: str = "auto",
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] = len,
) -> str:
    """Return the summary of what people said as Markdown; "" when none of it is critical or of high priority.

    All critical entries are in it, the most important high ones (`SummaryConfig` says how many), and one line with the
    technologies of all. Contents stand verbatim, with marks behind them where a part no longer holds. Over
    `max_tokens` (`count_tokens` is called about ten times) go, in this order: technologies, high entries from the
    least important up, group labels, headings; never critical contents, even if they alone exceed it. `entries` are
    active, in order of appearance. Headings are Chinese for "zh...", in the language of the contents for "auto",
    otherwise English.
    """
    known = [entry for entry in entries if not entry.is_proposal]
    critical = [entry for entry in known if entry.priority is MemoryPriority.CRITICAL]
    high = [entry for entry in known if entry.priority is MemoryPriority.HIGH]
    if not critical and not high:
        return ""
    if language == "auto":
        language = main_language(tuple(entry.content for entry in (*critical, *high)))
    titles = TITLES["zh" if language.lower().startswith("zh") else "en"]
    chosen = _most_important(high, config)
    technologies = ", ".join(dict.fromkeys(name for entry in known for name in _technologies(entry)))

    def text(kept: int, *, tech: bool = False) -> str:
        shown = {entry.id for entry in chosen[:kept]}
        decisions = _section(titles, "high", [entry for entry in high if entry.id in shown])
        if shown and len(shown) < len(high):
            decisions += ["", titles["more"].format(len(high) - len(shown))]
        lines = [*_section(titles, "critical", critical), *decisions]
        if tech and technologies and lines:
            lines += ["", f"### {titles['technologies']}", "", technologies]
        return "\n".join([f"## {titles['title']}", *lines]) if lines else ""

    def fits(shown: str) -> bool:
        return max_tokens is None or count_tokens(shown) <= max_tokens

    full = text(len(chosen), tech=True)
    if fits(full):
        return full
    low, top = -1, len(chosen)
    while low < top:  # the most decisions that fit; -1 where none does
        middle = (low + top + 1) // 2
        low, top = (middle, top) if fits(text(middle)) else (low, middle - 1)
    if low > 0 or (low == 0 and critical):
        return text(low)
    items = [_item(entry) for entry in critical]
    titled = "\n".join([f"## {titles['title']}", "", *items])
    return titled if critical and fits(titled) else "\n".join(items)


def _most_important(high: list[MemoryEntry], config: SummaryConfig) -> list[MemoryEntry]:
    ranked = sorted(high, key=lambda e: (e.explicit, e.standing, e.access_count, e.last_accessed_at))
    taken: dict[MemoryType, int] = {}
    chosen: list[MemoryEntry] = []
    for entry in reversed(ranked):
        taken[entry.type] = taken.get(entry.type, 0) + 1
        if taken[entry.type] <= config.max_decisions_per_type:
            chosen.append(entry)
    return chosen[: config.max_decisions]


def _section(titles: dict[str, str], name: str, entries: list[MemoryEntry]) -> list[str]:
    lines = ["", f"### {titles[name]}"] if entries else []
    for kind in MemoryType:
        items = [_item(entry) for entry in entries if entry.type is kind]
        lines += ["", f"**{titles[kind]}**:", "", *items] if items else []
    return lines


def _technologies(entry: MemoryEntry) -> list[str]:
    gone = {mark.slot.value for mark in entry.overtaken}
    return [name for name in entry.related_tech if name not in gone]


def _item(entry: MemoryEntry) -> str:
    return "- " + "\n  ".join(marked_text(entry).strip().split("\n"))


def main_language(texts: tuple[str, ...]) -> str:
    """Return "zh" where Chinese characters (but few kana) are at least as many as other words, otherwise "en"."""
    text = "\n".join(texts)
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    return "zh" if han and han >= len(_WORD.findall(_HAN.sub(" ", text))) and kana * 10 < han else "en"
