"""The receipt: what happened to each unit and why, in words a person understands."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from condense.compaction.plans import Action, Level, Report
from condense.ledger import UnitKind
from memory.conversation import PartKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.compaction.plans import CompactionPlan
    from condense.ledger import Filled, History, Tail, Unit

LABEL = 60
"""Characters of a label; chosen to fit a terminal line."""


_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (\S.*)$", re.MULTILINE)
"""A file in a patch as Codex writes them."""
_SHELL = re.compile(
    r"^(?:\S{0,40}/)?(?:(?:ba|z|da)?sh|pwsh|powershell)(?:\.exe)?(?: -[a-z]{1,20}){0,4}? -(?:l?i?c|Command) ",
    re.IGNORECASE,
)
"""A shell that is given a script, as lists of words have it."""


def actions_of(
    history: History, tail: Tail, filled: Filled, merged: Sequence[int] = ()
) -> tuple[Action, ...]:
    """Say for each unit what becomes of it.

    Args:
        history, tail, filled: what there was, what stays, and what is told of the rest.
        merged: kept messages that the summary was put before as one message with them.
    """
    return tuple(_action(history, unit, tail, filled, merged) for unit in history.units)


def _action(history: History, unit: Unit, tail: Tail, filled: Filled, merged: Sequence[int]) -> Action:
    span = range(unit.start, unit.end)
    before = sum(history.tokens[i] for i in span)
    label = label_of(history, unit)
    if all(history.must_stay(i) for i in span):
        return Action(
            unit.start,
            unit.end,
            unit.kind.value,
            Level.VERBATIM,
            "instructions stay",
            before,
            before,
            (),
            label,
        )
    if unit.start >= tail.start:
        cut = [i for i in span if i in tail.reduced]
        after = sum(tail.sizes.get(i, history.tokens[i]) for i in span)
        if not cut:
            reason = "among the newest"
            handles = tuple(history.handle(i) for i in span if i in merged)
            return Action(
                unit.start, unit.end, unit.kind.value, Level.VERBATIM, reason, before, after, handles, label
            )
        handles = tuple(history.handle(i) for i in cut)
        reason = "among the newest, its output too large"
        return Action(
            unit.start, unit.end, unit.kind.value, Level.REDUCED, reason, before, after, handles, label
        )
    shown = sum(filled.shown.get(i, 0) for i in span)
    handles = tuple(history.handle(i) for i in span)
    if unit.kind is UnitKind.TYPED and handles[0] in filled.said:
        level, reason = Level.VERBATIM, "typed by the person: quoted in the summary"
    elif unit.kind is UnitKind.CONTEXT:
        level, reason = Level.REDUCED, "an earlier compaction: taken over into this one"
    elif shown:
        level, reason = Level.LINE, "old: lines likely needed again are kept"
    elif unit.kind is UnitKind.TYPED:
        level, reason = Level.FOLDED, "typed by the person, beyond the share for verbatim text: reachable"
    else:
        level, reason = Level.FOLDED, "old, nothing in it is likely needed again"
    return Action(unit.start, unit.end, unit.kind.value, level, reason, before, shown, handles, label)


def label_of(history: History, unit: Unit) -> str:
    """Name a unit in a few words: its tool and first argument, or how its text begins."""
    for i in range(unit.start, unit.end):
        for part in history.messages[i].parts:
            if part.kind is PartKind.TOOL_CALL:
                return _short(f"{part.name}: {_first_argument(part.arguments)}")
    text = next((p.text for p in history.messages[unit.start].parts if p.text.strip()), "")
    return _short(text)


def _first_argument(arguments: object) -> str:
    """What a call is about: the files of a patch, the command within a shell's, else its first argument."""
    text = ""
    if isinstance(arguments, str):
        text = arguments
    elif isinstance(arguments, dict):
        value = next((value for value in arguments.values() if isinstance(value, str | list)), "")
        text = value if isinstance(value, str) else _SHELL.sub("", " ".join(map(str, value)))
    files = dict.fromkeys(_PATCHED.findall(text))
    return f"patch of {', '.join(files)}" if files else text


def _short(text: str) -> str:
    line = " ".join(text[: 4 * LABEL].split())
    return line if len(line) <= LABEL else line[: LABEL - 1] + "…"


def report_of(plan: CompactionPlan, typed: Sequence[str], result_text: str, notes: Sequence[str]) -> Report:
    """Count a plan's effects; `result_text` is the text of the compacted history."""
    levels: Counter[str] = Counter(a.level.value for a in plan.actions)
    saved: Counter[str] = Counter()
    for action in plan.actions:
        saved[action.kind] += action.tokens_before - action.tokens_after
    return Report(
        units_by_level=dict(levels),
        tokens_saved_by_kind=dict(saved),
        typed_messages=len(typed),
        typed_verbatim=sum(text in result_text for text in typed),
        notes=tuple(notes),
    )
