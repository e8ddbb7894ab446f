"""A project's memories as JSON, complete and back again, and as Markdown for people."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from memory.consolidation import marked_text
from memory.entries import MemoryStatus, MemoryType, StoredMemory, without_secrets
from memory.errors import SnapshotError
from memory.projects.recalling import day_of

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = "holdfast-project-memory"
VERSION = 1

_TITLES = {
    "en": {
        "title": "Project memory",
        MemoryType.USER_INSTRUCTION: "Instructions",
        MemoryType.TECHNICAL_DECISION: "Technical decisions",
        MemoryType.CONFIGURATION: "Configuration",
        MemoryType.IMPORTANT_ERROR: "Errors",
        MemoryType.PROJECT_CONTEXT: "Project context",
        MemoryType.WORKFLOW_PATTERN: "Workflow",
        "retired": "No longer valid",
        "pinned": "pinned",
        "pending": "pending",
    },
    "zh": {
        "title": "项目记忆",
        MemoryType.USER_INSTRUCTION: "用户指令",
        MemoryType.TECHNICAL_DECISION: "技术决策",
        MemoryType.CONFIGURATION: "配置",
        MemoryType.IMPORTANT_ERROR: "重要错误",
        MemoryType.PROJECT_CONTEXT: "项目背景",
        MemoryType.WORKFLOW_PATTERN: "工作流程",
        "retired": "已失效",
        "pinned": "已置顶",
        "pending": "待确认",
    },
}


@cache
def _adapter() -> TypeAdapter[tuple[StoredMemory, ...]]:
    return TypeAdapter(tuple[StoredMemory, ...])


def export_json(memories: Iterable[StoredMemory]) -> str:
    """Return memories as JSON, indented; without the project's key, so that they can be taken into another."""
    plain = tuple(without_secrets(replace(memory, project=None)) for memory in memories)
    rows = [_with_times(row, 0.0, None) for row in _adapter().dump_python(plain)]
    value = {"format": FORMAT, "version": VERSION, "memories": rows}
    return json.dumps(value, indent=1, ensure_ascii=not _is_clean(plain)) + "\n"


def import_json(text: str | bytes) -> tuple[StoredMemory, ...]:
    """Return the memories of an export; `PersistentMemoryManager.import_memories` takes them in.

    Raises:
        SnapshotError: it is no export, or damaged.
    """
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"the import is not JSON ({error}); it should be what an export wrote") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise SnapshotError(f"the import is no export of memories; its 'format' should be {FORMAT!r}")
    if value.get("version") != VERSION:
        raise SnapshotError(f"the export has version {value.get('version')!r}; this release reads {VERSION}")
    rows = value.get("memories")
    try:
        return _adapter().validate_python(
            [_with_times(r, None, 0.0) for r in rows] if isinstance(rows, list) else rows
        )
    except (ValidationError, RecursionError) as error:
        raise SnapshotError(f"the export is damaged: {error}") from error


def _with_times(row: Any, was: float | None, now: float | None) -> Any:
    """Return a memory as plain values with unknown times written otherwise: null in files, 0.0 inside."""
    if not isinstance(row, dict) or not isinstance(row.get("entry"), dict):
        return row
    entry = {k: now if k in _TIMES and v == was else v for k, v in row["entry"].items()}
    seen = row.get("sightings")
    if isinstance(seen, (list, tuple)) and all(isinstance(one, dict) for one in seen):
        seen = [{k: now if k in _TIMES and v == was else v for k, v in one.items()} for one in seen]
    return {**row, "entry": entry, "sightings": seen}


_TIMES = ("created_at", "last_accessed_at", "seen_at")


def export_markdown(memories: Iterable[StoredMemory], language: str = "en") -> str:
    """Return memories as Markdown: a heading for each type, a line for each memory, retired ones struck out.

    Args:
        memories: in the order they shall have under each heading.
        language: "en" or "zh", of the headings.

    Raises:
        ValueError: there are no headings in that language.
    """
    titles: Any = _TITLES.get(language)
    if titles is None:
        raise ValueError(f"language is {language!r}; it should be 'en' or 'zh'")
    listed = [without_secrets(memory) for memory in memories]
    lines = [f"# {titles['title']}"]
    for kind in MemoryType:
        mine = [memory for memory in listed if memory.entry.type is kind and memory.entry.is_active]
        if mine:
            lines += ["", f"## {titles[kind]}", "", *(_line(memory, titles) for memory in mine)]
    retired = [memory for memory in listed if not memory.entry.is_active]
    if retired:
        lines += ["", f"## {titles['retired']}", "", *(_line(memory, titles) for memory in retired)]
    return "\n".join(lines) + "\n"


def _line(memory: StoredMemory, titles: dict[str, str]) -> str:
    entry = memory.entry
    words = " ".join(marked_text(entry).split())
    said = f"- {words}" if entry.is_active else f"- ~~{words}~~"
    notes = [entry.priority.value] if entry.is_active else []
    notes += [titles["pinned"]] if memory.pinned else []
    notes += [titles["pending"]] if entry.status is MemoryStatus.PENDING else []
    notes += [day_of(entry.created_at)] if entry.created_at > 0 else []
    return f"{said} ({', '.join(notes)}) `{entry.id}`"


def _is_clean(memories: tuple[StoredMemory, ...]) -> bool:
    """Tell whether all texts can be written as UTF-8 (a lone surrogate can't, and is escaped)."""
    try:
        repr(memories).encode()
        "".join(memory.entry.content for memory in memories).encode()
    except UnicodeEncodeError:
        return False
    return True
