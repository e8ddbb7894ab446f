"""The tree of a Claude Code session: which lines are on the active branch, and which of them make one message."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memory.conversation.transcripts.records import Records

_SAID = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class Line:
    """What the tree needs to know of a line.

    Attributes:
        number: its line number.
        kind: "user", "assistant", "prompt" (typed while the agent was busy) or "other".
        uuid: its own id, its number as text where it has none.
        parent: the id of the line before it on its branch; None for a root.
        group: assistant: the message id that its sibling lines share.
        calls: ids of the calls it makes.
        answers: ids of the calls it answers.
        sidechain: a sub-agent's.
        goes_on: a root that continues what stands before it in the file (a compaction).
        preserved: of a compaction: the lines before it that stand behind its summary from then on, in order.
        anchor: of a compaction: the line that they stand behind, "" where it does not say.
    """

    number: int
    kind: str
    uuid: str
    parent: str | None
    group: str
    calls: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    sidechain: bool = False
    goes_on: bool = False
    preserved: tuple[str, ...] = ()
    anchor: str = ""


def index_lines(records: Records) -> list[Line]:
    """Read what the tree needs to know of every line; notes session id and directory."""
    lines: list[Line] = []
    linked = False
    for number, record in records:
        linked = linked or "parentUuid" in record
        records.findings.note(record.get("sessionId") or record.get("session_id"), record.get("cwd"))
        uuid = record.get("uuid")
        kind = _kind(record)
        if kind != "other" or isinstance(uuid, str):
            lines.append(_line(number, record, kind, uuid if isinstance(uuid, str) else f"line {number}"))
    return lines if linked else list(_linked_in_order(lines))


def _kind(record: Mapping[str, Any]) -> str:
    kind = record.get("type")
    if isinstance(kind, str) and kind in _SAID and isinstance(record.get("message"), dict):
        return "other" if record.get("isApiErrorMessage") is True else kind
    attachment = record.get("attachment")
    if (
        isinstance(attachment, dict)
        and attachment.get("type") == "queued_command"
        and attachment.get("prompt")
    ):
        return "prompt"
    return "other"


def _line(number: int, record: Mapping[str, Any], kind: str, uuid: str) -> Line:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    calls: list[str] = []
    answers: list[str] = []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                calls.append(block["id"])
            elif block.get("type") == "tool_result" and isinstance(block.get("tool_use_id"), str):
                answers.append(block["tool_use_id"])
    parent = record.get("parentUuid") or record.get("logicalParentUuid")
    group = message.get("id") if isinstance(message, dict) else None
    return Line(
        number,
        kind,
        uuid,
        parent if isinstance(parent, str) else None,
        group if isinstance(group, str) and kind == "assistant" else uuid,
        tuple(calls),
        tuple(answers),
        record.get("isSidechain") is True or bool(record.get("parent_tool_use_id")),
        record.get("isCompactSummary") is True or record.get("subtype") == "compact_boundary",
        *_preserved(record.get("compactMetadata")),
    )


def _preserved(compaction: Any) -> tuple[tuple[str, ...], str]:
    """Read which lines a compaction left in force, and behind which line."""
    held = compaction.get("preservedMessages") if isinstance(compaction, dict) else None
    if not isinstance(held, dict):
        return (), ""
    uuids = held.get("uuids") or held.get("allUuids")
    anchor = held.get("anchorUuid")
    named = tuple(one for one in uuids if isinstance(one, str)) if isinstance(uuids, list) else ()
    return named, anchor if isinstance(anchor, str) else ""


def _linked_in_order(lines: Iterable[Line]) -> Iterator[Line]:
    """Link lines that name no parents (the stream of a headless run), each to the one before it."""
    before: dict[bool, str] = {}
    for line in lines:
        yield Line(
            line.number,
            line.kind,
            line.uuid,
            before.get(line.sidechain),
            line.group,
            line.calls,
            line.answers,
            line.sidechain,
        )
        before[line.sidechain] = line.uuid


def planned_messages(lines: list[Line], records: Records, *, sidechains: bool) -> list[list[Line]]:
    """Return the lines of every message of the active branch, in the order of the conversation.

    A session of a sub-agent alone is read as a main conversation. The sub-agents' messages come last where asked for.
    """
    lines = _with_preserved_moved(lines)
    main = [line for line in lines if not line.sidechain]
    beside = [line for line in lines if line.sidechain]
    if not any(line.kind in _SAID for line in main):
        main, beside = beside, []
    plan = _messages(_branch(main, records), main)
    if sidechains:
        plan += _messages(beside, beside)
    return plan


def _with_preserved_moved(lines: list[Line]) -> list[Line]:
    """Link the lines that compactions preserved behind their summaries, where they are in force; none stands twice."""
    by_uuid = {line.uuid: line for line in lines}
    for boundary in [line for line in lines if line.preserved]:
        moved = [
            one for one in boundary.preserved if one in by_uuid and by_uuid[one].number < boundary.number
        ]
        later = (line for line in lines if line.number > boundary.number)
        summary = next((line.uuid for line in later if line.kind == "user" and line.goes_on), "")
        anchor = boundary.anchor if boundary.anchor in by_uuid else summary
        if not moved or not anchor or anchor in moved:
            continue
        before, held = by_uuid[moved[0]].parent, frozenset(moved)
        for line in lines:
            parent = by_uuid[line.uuid].parent
            if line.number <= boundary.number and parent in held:
                by_uuid[line.uuid] = replace(by_uuid[line.uuid], parent=before)
            elif line.number > boundary.number and parent == anchor:
                by_uuid[line.uuid] = replace(by_uuid[line.uuid], parent=moved[-1])
        for one, parent in zip(moved, (anchor, *moved), strict=False):
            by_uuid[one] = replace(by_uuid[one], parent=parent)
    return [by_uuid[line.uuid] for line in lines]


def _branch(lines: list[Line], records: Records) -> list[Line]:
    """Return the active branch, from its root to the last line that somebody said."""
    by_uuid = {line.uuid: line for line in lines}
    before: dict[str, Line] = {}
    for one, following in pairwise(lines):
        before.setdefault(following.uuid, one)
    line = next((line for line in reversed(lines) if line.kind != "other"), None)
    branch: list[Line] = []
    seen: set[str] = set()
    while line is not None and line.uuid not in seen:
        seen.add(line.uuid)
        branch.append(line)
        if line.parent is not None and line.parent in by_uuid:
            line = by_uuid[line.parent]
        elif line.parent is not None or line.goes_on:
            lost = before.get(line.uuid)
            if line.parent is not None and lost is not None:
                records.warn("its parent is not in the file; the line before it takes its place", line.number)
            line = lost
        else:
            line = None
    branch.reverse()
    return branch


def _messages(branch: list[Line], lines: list[Line]) -> list[list[Line]]:
    """Group the lines of a branch into messages, with what belongs to them from its side branches."""
    on_branch = {line.uuid for line in branch}
    siblings: dict[str, list[Line]] = defaultdict(list)
    answers: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if line.kind == "assistant":
            siblings[line.group].append(line)
        for call in line.answers:
            answers[call].append(line)
    plan: list[list[Line]] = []
    used: set[str] = set()
    for line in branch:
        if line.uuid in used or line.kind == "other":
            continue
        if line.kind != "assistant":
            used.add(line.uuid)
            plan.append([line])
            continue
        group = _one_response(siblings[line.group], on_branch)
        results = _answers_to(group, answers, on_branch, used)
        used.update(one.uuid for one in (*group, *results))
        plan.append(group)
        if results:
            plan.append(results)
    return plan


def _one_response(siblings: list[Line], on_branch: set[str]) -> list[Line]:
    """Return the lines of one response: those on the branch, and others whose calls are not there yet."""
    made = {call for line in siblings if line.uuid in on_branch for call in line.calls}
    kept: list[Line] = []
    for line in siblings:
        if line.uuid in on_branch:
            kept.append(line)
        elif made.isdisjoint(line.calls):
            made.update(line.calls)
            kept.append(line)
    return kept


def _answers_to(
    group: list[Line], answers: Mapping[str, list[Line]], on_branch: set[str], used: set[str]
) -> list[Line]:
    """Return one line for every answered call, those on the branch before others, the later before the earlier."""
    chosen: dict[str, Line] = {}
    for call in (call for line in group for call in line.calls):
        candidates = [line for line in answers.get(call, ()) if line.uuid not in used]
        if candidates:
            best = max(candidates, key=lambda line: (line.uuid in on_branch, line.number))
            chosen[best.uuid] = best
    return sorted(chosen.values(), key=lambda line: line.number)
