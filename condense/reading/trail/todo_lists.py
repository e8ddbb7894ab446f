"""To-do lists read off the arguments of planning tools: objects, steps, Markdown, single tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from condense.reading.trail.trails import PlanItem, PlanStatus

_STATUS = {
    word: status
    for status, words in (
        (PlanStatus.IN_PROGRESS, "in_progress active doing - ~"),
        (PlanStatus.COMPLETED, "completed complete done x"),
        (PlanStatus.CANCELLED, "cancelled canceled deleted skipped"),
    )
    for word in words.split()
}
"""Words and Markdown boxes; all others mean PENDING."""
_TEXTS = ("content", "step", "text", "title", "description", "subject", "task", "name")
_LINE = re.compile(r"^\s{0,12}(?:[-*+]|\d{1,3}[.)])?\s{0,3}\[([ xX~-])\]\s{0,3}(.{1,2000})$", re.MULTILINE)
_NUMBER = re.compile(r"#(\d{1,6})\b")
_MOST = 300


def read_plan(items: Any) -> tuple[PlanItem, ...] | None:
    """Return the entries of a list of objects or strings, or Markdown with `[ ]`, `[-]`, `[x]` boxes; None without."""
    plan: list[PlanItem] = []
    if isinstance(items, str):
        plan = [PlanItem(m[2].strip(), _status(m[1])) for m in _LINE.finditer(items[:200_000])]
    elif isinstance(items, Sequence):
        for item in items[:_MOST]:
            given = item if isinstance(item, Mapping) else {"content": item}
            texts = (given[k].strip() for k in _TEXTS if isinstance(given.get(k), str))
            if text := next(filter(None, texts), ""):
                plan.append(PlanItem(text, _status(given.get("status")), str(given.get("id", ""))))
    return tuple(plan[:_MOST]) or None


def _status(value: Any) -> PlanStatus:
    word = str(value).strip().lower().replace(" ", "_")
    return _STATUS.get(word) or _STATUS.get(word.replace("-", "_"), PlanStatus.PENDING)


def merge_plan(plan: Sequence[PlanItem], changes: Sequence[PlanItem]) -> tuple[PlanItem, ...]:
    """Return a plan with some entries changed or added, matched by id (Cursor's `merge`)."""
    by_id = {item.id: item for item in changes if item.id}
    kept = [by_id.pop(item.id, item) if item.id else item for item in plan]
    return (*kept, *by_id.values(), *(item for item in changes if not item.id))


def change_task(plan: Sequence[PlanItem], task: Mapping[str, Any], result: str) -> tuple[PlanItem, ...]:
    """Return a plan with one task created or changed (Claude Code's); `result` names the number of a new one."""
    text = str(task.get("subject") or "").strip()
    number = str(task.get("taskId") or task.get("id") or "")
    if not number:
        m = _NUMBER.search(result[:300])
        text = text or str(task.get("content") or task.get("description") or "").strip()
        made = PlanItem(text, PlanStatus.PENDING, m[1] if m else str(len(plan) + 1))
        return (*plan, made) if text else tuple(plan)
    status = _status(task["status"]) if "status" in task else None
    changed = (PlanItem(text or item.text, status or item.status, number) for item in plan)
    return tuple(new if item.id == number else item for item, new in zip(plan, changed, strict=True))
