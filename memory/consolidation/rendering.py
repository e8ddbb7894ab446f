"""The summary of memories as text: grouped, in the language of the conversation, within a token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memory.consolidation.normalizing import main_language
from memory.consolidation.partial_superseding import marked_text
from memory.entries import MemoryPriority, MemoryType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memory.config import SummaryConfig
    from memory.entries import MemoryEntry

_TITLES: Final = """
title|Important context|重要上下文记忆
critical|Critical instructions:|关键指令：
high|Important decisions:|重要决策：
technologies|Technologies:|技术栈：
more|({} more)|（另有 {} 条）
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
            decisions.append("- " + titles["more"].format(len(high) - len(shown)))
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
    """The entries to show, most important first: asked for, standing, often used, recent."""
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
