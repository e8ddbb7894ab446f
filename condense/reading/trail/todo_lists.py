"""To-do lists read off the arguments of planning tools: objects, steps, Markdown, single tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from condense.reading.trail.trails import PlanItem, PlanStatus

_STATUS = {
    "pending": PlanStatus.PENDING, "todo": PlanStatus.PENDING, "not_started": PlanStatus.PENDING,
    "not-started": PlanStatus.PENDING, "open": PlanStatus.PENDING, "in_progress": PlanStatus.IN_PROGRESS,
    "in-progress": PlanStatus.IN_PROGRESS, "active": PlanStatus.IN_PROGRESS, "doing": PlanStatus.IN_PROGRESS,
    "completed": PlanStatus.COMPLETED, "complete": PlanStatus.COMPLETED, "done": PlanStatus.COMPLETED,
    "cancelled": PlanStatus.CANCELLED, "canceled": PlanStatus.CANCELLED, "deleted": PlanStatus.CANCELLED,
    "skipped": PlanStatus.CANCELLED,
}  # fmt: skip
_TEXTS = ("content", "step", "text", "title", "description", "subject", "task", "name")
_MARKS = {
    " ": PlanStatus.PENDING,
    "x": PlanStatus.COMPLETED,
    "-": PlanStatus.IN_PROGRESS,
    "~": PlanStatus.IN_PROGRESS,
}
_LINE = re.compile(r"^\s{0,12}(?:[-*+]|\d{1,3}[.)])?\s{0,3}\[([ xX~-])\]\s{0,3}(.{1,2000})$", re.MULTILINE)
_NUMBER = re.compile(r"#(\d{1,6})\b")
_MOST = 300


def read_plan(items: Any) -> tuple[PlanItem, ...] | None:
    """Return the entries of a to-do list; None where `items` is none.

    Args:
        items: a list of objects or strings, or Markdown with `[ ]`, `[-]`, `[x]` boxes.
    """
    if isinstance(items, str):
        found = tuple(PlanItem(m[2].strip(), _MARKS[m[1].lower()]) for m in _LINE.finditer(items[:200_000]))
        return found[:_MOST] or None
    if not isinstance(items, Sequence):
        return None
    plan = []
    for item in items[:_MOST]:
        if isinstance(item, str) and item.strip():
            plan.append(PlanItem(item.strip(), PlanStatus.PENDING))
        elif isinstance(item, Mapping):
            text = next(
                (str(item[k]) for k in _TEXTS if isinstance(item.get(k), str) and item[k].strip()), ""
            )
            if text:
                plan.append(PlanItem(text, status_of(item.get("status")), str(item.get("id", ""))))
    return tuple(plan) or None


def status_of(value: Any) -> PlanStatus:
    """Return the status that a tool's word means; PENDING for words unknown."""
    return _STATUS.get(str(value).strip().lower().replace(" ", "_"), PlanStatus.PENDING)


def merge_plan(plan: Sequence[PlanItem], changes: Sequence[PlanItem]) -> tuple[PlanItem, ...]:
    """Return a plan with some entries changed or added, matched by id (Cursor's `merge`)."""
    by_id = {item.id: item for item in changes if item.id}
    kept = [by_id.pop(item.id, item) if item.id else item for item in plan]
    return (*kept, *by_id.values(), *(item for item in changes if not item.id))


def change_task(plan: Sequence[PlanItem], task: Mapping[str, Any], result: str) -> tuple[PlanItem, ...]:
    """Return a plan with one task created or changed (Claude Code's TaskCreate and TaskUpdate).

    Args:
        plan: the tasks so far.
        task: the arguments of the call.
        result: what came back; it names the number of a new task.
    """
    number = str(task.get("taskId") or task.get("id") or "")
    if not number:
        m = _NUMBER.search(result[:300])
        number = m[1] if m else str(len(plan) + 1)
        text = str(task.get("subject") or task.get("content") or task.get("description") or "").strip()
        return (*plan, PlanItem(text, PlanStatus.PENDING, number)) if text else tuple(plan)
    changed = []
    for item in plan:
        if item.id == number:
            text = str(task.get("subject") or item.text)
            status = status_of(task["status"]) if "status" in task else item.status
            changed.append(PlanItem(text, status, number))
        else:
            changed.append(item)
    return tuple(changed)
