"""SWE-agent trajectories (`.traj`): the history with its actions and observations made calls and results.

Older files have the action as text in the history and the observation as the user message that follows; newer ones
have tool calls and tool messages. Both become Anthropic messages. The demonstration, and what the agent's frame
answers when it ran no action, are flagged as meta: no person typed them.

Source: the trajectory files of SWE-agent 0.x and 1.x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message
from memory.conversation.wire import blocks_text, parse_message, read_arguments
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.transcripts.records import Records

_TOOL = "shell"  # chosen: older actions are a line for the agent's own shell


def read(records: Records) -> Iterator[Message]:
    """Yield the conversation of the one trajectory that `records` holds.

    Raises:
        TranscriptError: history or trajectory is no list, or a message is of a wrong type.
    """
    for number, value in records:
        history = value.get("history") or []
        steps = value.get("trajectory") or []
        for name, held in (("history", history), ("trajectory", steps)):
            if not isinstance(held, list) or not all(isinstance(item, dict) for item in held):
                raise records.failure(f"{name!r} should be a list of objects", number)
        records.findings.note(value.get("instance_id"), None)
        for raw in _batched(_from_history(history, steps) if history else _from_steps(steps)):
            try:
                yield parse_message(raw, Form.ANTHROPIC)
            except WireError as error:
                raise records.failure(str(error), number) from error


def _batched(values: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Join results that follow each other, those of one batch of calls, into one message."""
    results: list[dict[str, Any]] = []
    for value in values:
        if value["role"] == "user" and isinstance(value["content"], list):
            results.extend(value["content"])
            continue
        if results:
            yield {"role": "user", "content": results}
            results = []
        yield value
    if results:
        yield {"role": "user", "content": results}


def _from_steps(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a trajectory without a history: each step is an action and its observation."""
    for at, step in enumerate(steps):
        call = _call(step, f"action_{at}")
        yield _said(
            _text(step.get("thought") or (None if call else step.get("response"))), [call] if call else []
        )
        if call:
            yield _answered(call["id"], step.get("observation"))


def _from_history(history: list[dict[str, Any]], steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    waiting: list[str] = []
    asked = False
    for at, item in enumerate(history):
        role = item.get("role")
        if role == "assistant":
            calls = _calls(item) or ([call] if (call := _call(item, f"action_{at}")) else [])
            thought = item.get("thought")
            yield _said(_text(thought if calls and thought else item.get("content")), calls)
            waiting = [call["id"] for call in calls]
        elif role == "system":
            yield {"role": "system", "content": _text(item.get("content"))}
        elif waiting and not item.get("is_demo"):
            ids = item.get("tool_call_ids") or waiting[:1]
            yield from (_answered(one, item.get("content")) for one in ids if one in waiting)
            waiting = [one for one in waiting if one not in ids]
        else:
            demonstrates = item.get("is_demo") is True or item.get("message_type") == "demonstration"
            meta = {"isMeta": True} if demonstrates or asked else {}
            asked = asked or not demonstrates
            yield {"role": "user", "content": _text(item.get("content")), **meta}
    last = steps[-1].get("observation") if steps else None
    if len(waiting) == 1 and isinstance(last, str) and last:
        yield _answered(waiting[0], last)


def _calls(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Read the tool calls of a newer history item."""
    made = []
    for call in item.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(call.get("id"), str):
            arguments = read_arguments(function.get("arguments"))
            made.append(
                {"type": "tool_use", "id": call["id"], "name": function.get("name"), "input": arguments}
            )
    return made


def _call(item: Mapping[str, Any], call_id: str) -> dict[str, Any] | None:
    """Read the action of an older history item or of a step."""
    action = item.get("action")
    if not isinstance(action, str) or not action.strip():
        return None
    return {"type": "tool_use", "id": call_id, "name": _TOOL, "input": {"command": action.strip("\n")}}


def _said(text: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    if not calls:
        return {"role": "assistant", "content": text}
    texts = [{"type": "text", "text": text.strip("\n")}] if text.strip() else []
    return {"role": "assistant", "content": [*texts, *calls]}


def _answered(call_id: str, observation: Any) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": call_id, "content": _text(observation)}
    return {"role": "user", "content": [result]}


def _text(content: Any) -> str:
    """Read a text, or the texts of a list of blocks; anything else as "" or its own words."""
    if content is None or isinstance(content, (str, list)):
        return blocks_text(content)
    return str(content)
