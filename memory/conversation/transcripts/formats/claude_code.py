"""Claude Code sessions: JSON lines that form a tree, read as the conversation of its active branch.

Every line names its parent. The active branch leads to the last line; rewound branches and sub-agents (sidechains) are
left out. Across a compaction the branch goes on through `logicalParentUuid`; what it preserved (`preservedMessages`)
stands behind its summary. Lines of one message id become one message, the results of its calls, which may stand on
side branches, one user message right behind it. Prompts typed while the agent was busy (`queued_command` attachments)
are user messages.

Source: the session files themselves, versions 1.0 to 2.1 (the format is not documented).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from memory.conversation.transcripts.values import mapping, objects, text
from memory.conversation.wire import read_meta

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.messages import MessageMeta
    from memory.conversation.transcripts.values import Records, Values

_SAID = ("user", "assistant")
_OTHER_TYPES = ("summary", "file-history-snapshot", "queue-operation", "permission-mode", "last-prompt")


@dataclass(frozen=True, slots=True)
class _Line:
    """What the tree needs to know of a line: `kind` is "user", "assistant", "prompt" (queued) or "other".

    `group` is the message id that sibling lines share; `calls` and `answers` are ids of calls; `goes_on` marks a root
    that continues what stands before it (a compaction); `preserved` lines stand behind `anchor` from then on.
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


def shows(record: Mapping[str, Any]) -> bool:
    """Tell whether a record can only be of this format."""
    kind = record.get("type")
    said = kind in _SAID and isinstance(record.get("message"), dict)
    begins = kind == "system" and "session_id" in record
    return said or begins or "parentUuid" in record or kind in _OTHER_TYPES


def read(records: Records) -> Values:
    """Yield the messages of the active branch, behind them the sub-agents' if asked for; reads the file twice."""
    plan = _planned_messages(_index(records), records)
    place = {line.number: at for at, lines in enumerate(plan) for line in lines}
    missing = [len(lines) for lines in plan]
    pieces: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
    at = 0
    for number, record in records:
        where = place.get(number)
        if where is not None:
            pieces[where][number] = record
            missing[where] -= 1
        while at < len(plan) and not missing[at]:
            held = pieces.pop(at)
            lines = [held[line.number] for line in plan[at]]
            yield plan[at][0].number, _joined([_value(line) for line in lines]), _meta(lines[0])
            at += 1


def _value(record: dict[str, Any]) -> dict[str, Any]:
    """Return role and content of a line; of an attachment the prompt that was typed."""
    attachment = record.get("attachment")
    if isinstance(attachment, dict):
        return {"role": "user", "content": attachment.get("prompt")}
    message = record.get("message")
    message = message if isinstance(message, dict) else {}
    return {"role": message.get("role", record.get("type")), "content": message.get("content")}


def _joined(values: list[dict[str, Any]]) -> dict[str, Any]:
    """Join the blocks of the lines of one message, the results of calls first where it has any."""
    if len(values) == 1:
        return values[0]
    blocks: list[Any] = []
    for value in values:
        content = value["content"]
        if content is not None:
            blocks.extend(content if isinstance(content, list) else [{"type": "text", "text": content}])
    if values[0]["role"] == "user":
        blocks.sort(key=lambda block: mapping(block).get("type") != "tool_result")
    return {"role": values[0]["role"], "content": blocks}


def _meta(record: dict[str, Any]) -> MessageMeta:
    meta = read_meta(record)
    notified = mapping(record.get("attachment")).get("commandMode", "prompt") != "prompt"
    return replace(meta, is_meta=meta.is_meta or notified, is_sidechain=_is_sidechain(record))


def _is_sidechain(record: Mapping[str, Any]) -> bool:
    return record.get("isSidechain") is True or bool(record.get("parent_tool_use_id"))


def _index(records: Records) -> list[_Line]:
    """Read the lines; those of a headless run, which name no parents, are linked each to the one before it."""
    lines: list[_Line] = []
    linked = False
    for number, record in records:
        linked = linked or "parentUuid" in record
        records.findings.note(record.get("sessionId") or record.get("session_id"), record.get("cwd"))
        line = _line(number, record)
        if line.kind != "other" or isinstance(record.get("uuid"), str):
            lines.append(line)
    before: dict[bool, str] = {}
    for at, line in enumerate(() if linked else lines):
        lines[at] = replace(line, parent=before.get(line.sidechain))
        before[line.sidechain] = line.uuid
    return lines


def _line(number: int, record: Mapping[str, Any]) -> _Line:
    message, attachment = mapping(record.get("message")), mapping(record.get("attachment"))
    kind = record.get("type")
    if attachment.get("type") == "queued_command" and attachment.get("prompt"):
        kind = "prompt"
    elif kind not in _SAID or "message" not in record or record.get("isApiErrorMessage") is True:
        kind = "other"
    uuid = record.get("uuid")
    uuid = uuid if isinstance(uuid, str) else f"line {number}"
    blocks = objects(message.get("content"))
    calls = [text(block.get("id")) for block in blocks if block.get("type") == "tool_use"]
    answers = [text(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"]
    kept = mapping(mapping(record.get("compactMetadata")).get("preservedMessages"))
    preserved = kept.get("uuids") or kept.get("allUuids")
    return _Line(
        number,
        kind,
        uuid,
        text(record.get("parentUuid") or record.get("logicalParentUuid")),
        (text(message.get("id")) if kind == "assistant" else None) or uuid,
        tuple(call for call in calls if call),
        tuple(answer for answer in answers if answer),
        _is_sidechain(record),
        record.get("isCompactSummary") is True or record.get("subtype") == "compact_boundary",
        tuple(one for one in preserved if isinstance(one, str)) if isinstance(preserved, list) else (),
        text(kept.get("anchorUuid")) or "",
    )


def _planned_messages(lines: list[_Line], records: Records) -> list[list[_Line]]:
    """Return the lines of every message, in order; a session of a sub-agent alone is read as a main conversation."""
    lines = _with_preserved_moved(lines)
    main = [line for line in lines if not line.sidechain]
    beside = [line for line in lines if line.sidechain]
    if not any(line.kind in _SAID for line in main):
        main, beside = beside, []
    plan = _messages(_branch(main, records), main)
    return plan + _messages(beside, beside) if records.sidechains else plan


def _with_preserved_moved(lines: list[_Line]) -> list[_Line]:
    """Link the lines that compactions preserved behind their summaries, where they are in force; none stands twice."""
    by_uuid = {line.uuid: line for line in lines}
    for boundary in [line for line in lines if line.preserved]:
        earlier = {uuid for uuid, line in by_uuid.items() if line.number < boundary.number}
        moved = [one for one in boundary.preserved if one in earlier]
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
        if by_uuid[boundary.uuid].parent not in by_uuid:  # resumed: it names a line that was never written
            rest = (line for line in reversed(lines) if line.number < boundary.number and not line.sidechain)
            last = next((line.uuid for line in rest if line.uuid not in held), None)
            by_uuid[boundary.uuid] = replace(by_uuid[boundary.uuid], parent=last)
        for one, parent in zip(moved, (anchor, *moved), strict=False):
            by_uuid[one] = replace(by_uuid[one], parent=parent)
    return [by_uuid[line.uuid] for line in lines]


def _branch(lines: list[_Line], records: Records) -> list[_Line]:
    """Return the active branch, from its root to the last line that somebody said."""
    by_uuid = {line.uuid: line for line in lines}
    before: dict[str, _Line] = {}
    for one, following in pairwise(lines):
        before.setdefault(following.uuid, one)
    line = next((line for line in reversed(lines) if line.kind != "other"), None)
    branch: dict[str, _Line] = {}
    while line is not None and line.uuid not in branch:
        branch[line.uuid] = line
        lost = line.parent is not None and line.parent not in by_uuid
        earlier = before.get(line.uuid) if lost or line.goes_on else None
        if lost and earlier is not None:
            records.warn("its parent is not in the file; the line before it takes its place", line.number)
        line = earlier if lost or line.parent is None else by_uuid[line.parent]
    return list(reversed(branch.values()))


def _messages(branch: list[_Line], lines: list[_Line]) -> list[list[_Line]]:
    """Group the lines of a branch into messages, with what belongs to them from its side branches."""
    on_branch = {line.uuid for line in branch}
    siblings: dict[str, list[_Line]] = defaultdict(list)
    answers: dict[str, list[_Line]] = defaultdict(list)
    for line in lines:
        if line.kind == "assistant":
            siblings[line.group].append(line)
        for call in line.answers:
            answers[call].append(line)
    plan: list[list[_Line]] = []
    used: set[str] = set()
    for line in branch:
        if line.uuid in used or line.kind == "other":
            continue
        if line.kind != "assistant":
            used.add(line.uuid)
            plan.append([line])
            continue
        group = list(_one_response(siblings[line.group], on_branch))
        chosen: dict[str, _Line] = {}  # a line for every answered call: on the branch if one is, the latest
        for call in (call for sibling in group for call in sibling.calls):
            candidates = [one for one in answers.get(call, ()) if one.uuid not in used]
            if candidates:
                best = max(candidates, key=lambda one: (one.uuid in on_branch, one.number))
                chosen[best.uuid] = best
        used.update(one.uuid for one in (*group, *chosen.values()))
        plan.append(group)
        if chosen:
            plan.append(sorted(chosen.values(), key=lambda one: one.number))
    return plan


def _one_response(siblings: list[_Line], on_branch: set[str]) -> Iterator[_Line]:
    """Yield the lines of one response: those on the branch, and others whose calls are not there yet."""
    made = {call for line in siblings if line.uuid in on_branch for call in line.calls}
    for line in siblings:
        if line.uuid in on_branch or made.isdisjoint(line.calls):
            made.update(line.calls)
            yield line
