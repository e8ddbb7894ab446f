"""Claude Code sessions: JSON lines that form a tree, read as the conversation of its active branch.

Every line names its parent. The active branch is what leads to the last line; branches that were rewound are left
out, sub-agents (sidechains) too. Across a compaction boundary the branch goes on through `logicalParentUuid`, so
the messages before it are there, and the summary behind them is flagged; what the compaction preserved of them
(`preservedMessages`) stands behind the summary. One assistant message is written as a line
a block: lines of one message id become one message, the results of its calls, which may stand on side branches, one
user message right behind it. Prompts typed while the agent was busy (`queued_command` attachments) are user messages.

Source: the session files themselves, versions 1.0 to 2.1 (the format is not documented).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, MessageMeta
from memory.conversation.transcripts.formats.claude_code_tree import Line, index_lines, planned_messages
from memory.conversation.wire import parse_message, read_timestamp
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.conversation.transcripts.records import Records

_Pieces = dict[int, dict[str, Any]]


def read(records: Records, *, sidechains: bool = False) -> Iterator[Message]:
    """Yield the messages of the active branch.

    Args:
        records: the lines.
        sidechains: also yield the sub-agents' messages, in the order of the file, behind the main conversation.

    Reads the file twice, one line at a time; keeps about 300 bytes a line, and a message until its last line is read.
    A message that does not fit the form is left out with a warning.
    """
    plan = planned_messages(index_lines(records), records, sidechains=sidechains)
    place = {line.number: at for at, lines in enumerate(plan) for line in lines}
    missing = [len(lines) for lines in plan]
    pieces: dict[int, _Pieces] = {}
    at = 0
    for number, record in records:
        where = place.get(number)
        if where is not None:
            pieces.setdefault(where, {})[number] = record
            missing[where] -= 1
        while at < len(plan) and not missing[at]:
            yield from _message(records, plan[at], pieces.pop(at))
            at += 1


def _message(records: Records, lines: list[Line], pieces: _Pieces) -> Iterator[Message]:
    """Make one message of its lines."""
    first = pieces[lines[0].number]
    values = [_value(pieces[line.number]) for line in lines]
    content: Any = values[0]["content"] if len(values) == 1 else _joined(values)
    try:
        message = parse_message({"role": values[0]["role"], "content": content}, Form.ANTHROPIC)
    except WireError as error:
        records.warn(f"{error}; left out", lines[0].number)
        return
    yield Message(message.role, message.parts, message.form, message.raw, _meta(first))


def _value(record: dict[str, Any]) -> dict[str, Any]:
    """Return role and content of a line; of an attachment the prompt that was typed."""
    attachment = record.get("attachment")
    if isinstance(attachment, dict):
        return {"role": "user", "content": attachment.get("prompt")}
    message = record["message"]
    return {"role": message.get("role", record.get("type")), "content": message.get("content")}


def _joined(values: list[dict[str, Any]]) -> list[Any]:
    """Join the blocks of the lines of one message, the results of calls first where it has any."""
    blocks: list[Any] = []
    for value in values:
        content = value["content"]
        if content is not None:
            blocks.extend(content if isinstance(content, list) else [{"type": "text", "text": content}])
    if values[0]["role"] == "user":
        blocks.sort(key=lambda block: not isinstance(block, dict) or block.get("type") != "tool_result")
    return blocks


def _meta(record: dict[str, Any]) -> MessageMeta:
    uuid = record.get("uuid")
    attachment = record.get("attachment")
    notified = isinstance(attachment, dict) and attachment.get("commandMode", "prompt") != "prompt"
    return MessageMeta(
        timestamp=read_timestamp(record.get("timestamp")),
        uuid=uuid if isinstance(uuid, str) else None,
        is_meta=record.get("isMeta") is True or notified,
        is_sidechain=record.get("isSidechain") is True or bool(record.get("parent_tool_use_id")),
        is_compact_summary=record.get("isCompactSummary") is True,
    )
