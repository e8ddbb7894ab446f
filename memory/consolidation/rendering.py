"""The summary of memories as text: grouped, in the language of the conversation, within a token budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.consolidation.normalizing import main_language
from memory.consolidation.partial_superseding import marked_text
from memory.entries import MemoryPriority, MemoryType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memory.config import SummaryConfig
    from memory.entries import MemoryEntry


@dataclass(frozen=True, slots=True)
class _Labels:
    """The headings of one language."""

    title: str
    critical: str
    decisions: str
    technologies: str
    more: str
    types: dict[MemoryType, str]


_ZH = _Labels(
    "## 重要上下文记忆",
    "### 关键指令：",
    "### 重要决策：",
    "### 技术栈：",
    "- （另有 {} 条）",
    {
        MemoryType.USER_INSTRUCTION: "**用户指令**:",
        MemoryType.TECHNICAL_DECISION: "**技术决策**:",
        MemoryType.CONFIGURATION: "**配置**:",
        MemoryType.IMPORTANT_ERROR: "**重要错误**:",
        MemoryType.PROJECT_CONTEXT: "**项目背景**:",
        MemoryType.WORKFLOW_PATTERN: "**工作流程**:",
    },
)
_EN = _Labels(
    "## Important context",
    "### Critical instructions:",
    "### Important decisions:",
    "### Technologies:",
    "- ({} more)",
    {
        MemoryType.USER_INSTRUCTION: "**User instructions**:",
        MemoryType.TECHNICAL_DECISION: "**Technical decisions**:",
        MemoryType.CONFIGURATION: "**Configuration**:",
        MemoryType.IMPORTANT_ERROR: "**Errors**:",
        MemoryType.PROJECT_CONTEXT: "**Project context**:",
        MemoryType.WORKFLOW_PATTERN: "**Workflow**:",
    },
)


def render_summary(
    entries: Iterable[MemoryEntry],
    config: SummaryConfig,
    *,
    language: str = "auto",
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] = len,
) -> str:
    """Return the summary of what people said as Markdown; "" when none of it is critical or of high priority.

    All critical entries are in it, the most important high ones (`SummaryConfig` says how many), and one line
    with the technologies of all entries. Contents stand verbatim, an item each, with marks behind
    them where a part no longer holds; further lines of one are indented by two blanks.

    Over `max_tokens` go, in this order: the line of technologies, high entries from the least important up,
    the group labels, the headings. Critical contents never go: where they alone exceed `max_tokens`, they are
    returned all the same, bare.

    Args:
        entries: active entries in order of appearance, priorities as they read now.
        config: the limits.
        language: "zh..." for Chinese headings, "auto" for those of the contents' language, otherwise English.
        max_tokens: budget, 0 or more; None for no limit.
        count_tokens: how tokens of a text are counted; called about ten times.
    """
    known = [entry for entry in entries if not entry.is_proposal]
    critical = [entry for entry in known if entry.priority is MemoryPriority.CRITICAL]
    high = [entry for entry in known if entry.priority is MemoryPriority.HIGH]
    if not critical and not high:
        return ""
    labels = _labels(language, [*critical, *high])
    chosen = _most_important(high, config)
    technologies = tuple(dict.fromkeys(name for entry in known for name in _technologies(entry)))

    def text(kept: int, *, tech: bool) -> str:
        shown = {entry.id for entry in chosen[:kept]}
        return _compose(labels, critical, [e for e in high if e.id in shown], len(high), technologies * tech)

    if max_tokens is None:
        return text(len(chosen), tech=True)

    def fits(candidate: str) -> bool:
        return count_tokens(candidate) <= max_tokens

    full = text(len(chosen), tech=True)
    if fits(full):
        return full
    kept = _most_that_fit(len(chosen), lambda count: fits(text(count, tech=False)))
    if kept > 0 or (kept == 0 and critical):
        return text(kept, tech=False)
    bullets = [_item(marked_text(entry)) for entry in critical]
    titled = "\n".join([labels.title, "", *bullets])
    return titled if critical and fits(titled) else "\n".join(bullets)


def _most_that_fit(limit: int, fits: Callable[[int], bool]) -> int:
    """Return the largest count from 0 to `limit` that fits, -1 when none does; logarithmic in `limit`."""
    low, high = -1, limit
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _labels(language: str, shown: list[MemoryEntry]) -> _Labels:
    if language == "auto":
        language = main_language(tuple(entry.content for entry in shown))
    return _ZH if language.lower().startswith("zh") else _EN


def _most_important(high: list[MemoryEntry], config: SummaryConfig) -> list[MemoryEntry]:
    """Return the entries to show, most important first: asked for, standing, often used, recent."""
    ranked = sorted(
        enumerate(high),
        key=lambda pair: (
            pair[1].explicit,
            pair[1].standing,
            pair[1].access_count,
            pair[1].last_accessed_at,
            pair[0],
        ),
        reverse=True,
    )
    taken: dict[MemoryType, int] = {}
    chosen: list[MemoryEntry] = []
    for _, entry in ranked:
        if len(chosen) == config.max_decisions:
            break
        if taken.get(entry.type, 0) < config.max_decisions_per_type:
            taken[entry.type] = taken.get(entry.type, 0) + 1
            chosen.append(entry)
    return chosen


def _compose(
    labels: _Labels,
    critical: list[MemoryEntry],
    decisions: list[MemoryEntry],
    decisions_known: int,
    technologies: Sequence[str],
) -> str:
    if not critical and not decisions:
        return ""
    lines = [labels.title]
    if critical:
        lines += ["", labels.critical, *_grouped(labels, critical)]
    if decisions:
        lines += ["", labels.decisions, *_grouped(labels, decisions)]
        if decisions_known > len(decisions):
            lines.append(labels.more.format(decisions_known - len(decisions)))
    if technologies:
        lines += ["", labels.technologies, "", ", ".join(technologies)]
    return "\n".join(lines)


def _grouped(labels: _Labels, entries: list[MemoryEntry]) -> list[str]:
    """Return the items of a section, grouped by type in the documented order of types."""
    lines: list[str] = []
    for kind in MemoryType:
        items = [_item(marked_text(entry)) for entry in entries if entry.type is kind]
        if items:
            lines += ["", labels.types[kind], "", *items]
    return lines


def _technologies(entry: MemoryEntry) -> list[str]:
    """Return the technologies of an entry that are still in force."""
    gone = {mark.slot.value for mark in entry.overtaken}
    return [name for name in entry.related_tech if name not in gone]


def _item(content: str) -> str:
    return "- " + "\n  ".join(content.strip().split("\n"))
