"""SWE-agent trajectories (`.traj`): the history with its actions and observations made calls and results.

Older files have the action as text in the history and the observation as the user message that follows; newer ones
have tool calls and tool messages. Both become Anthropic messages. The demonstration, and what the agent's frame
answers when it ran no action, are flagged as meta: no person typed them.

Source: the trajectory files of SWE-agent 0.x and 1.x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.transcripts.values import call_block, mapping, objects, result_block
from memory.conversation.wire import blocks_text, read_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memory.conversation.transcripts.values import Records, Values


def shows(record: Mapping[str, Any]) -> bool:
    """Tell whether a record can only be of this format."""
    history = objects(record.get("history"))[:1]
    return isinstance(record.get("trajectory"), list) or any("role" in item for item in history)


def read(records: Records) -> Values:
    """Yield the conversation of a trajectory.

    Raises:
        TranscriptError: history or trajectory is no list of objects.
    """
    for number, value in records:
        history, steps = (value.get(name) or [] for name in ("history", "trajectory"))
        for name, held in (("history", history), ("trajectory", steps)):
            if not isinstance(held, list) or objects(held) != held:
                raise records.failure(f"{name!r} should be a list of objects", number)
        records.findings.note(value.get("instance_id"), None)
        for message in _batched(_from_history(history, steps) if history else _from_steps(steps)):
            yield number, message, None


def _batched(values: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Join results that follow each other, those of one batch of calls, into one message."""
    results: list[dict[str, Any]] = []
    for value in values:
        if "role" not in value:
            results.append(value)
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
        calls = _calls(step, at)
        yield _said(step.get("thought") or (None if calls else step.get("response")), calls)
        for call in calls:
            yield result_block(call["id"], blocks_text(step.get("observation")))


def _from_history(history: list[dict[str, Any]], steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    waiting: list[str] = []
    asked = False
    for at, item in enumerate(history):
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            calls = _calls(item, at)
            yield _said(item.get("thought") if calls and item.get("thought") else content, calls)
            waiting = [call["id"] for call in calls]
        elif role == "system":
            yield {"role": "system", "content": blocks_text(content)}
        elif waiting and not item.get("is_demo"):
            ids = item.get("tool_call_ids") or waiting[:1]
            yield from (result_block(one, blocks_text(content)) for one in ids if one in waiting)
            waiting = [one for one in waiting if one not in ids]
        else:
            demonstrates = item.get("is_demo") is True or item.get("message_type") == "demonstration"
            meta = {"isMeta": True} if demonstrates or asked else {}
            asked = asked or not demonstrates
            yield {"role": "user", "content": blocks_text(content), **meta}
    last = steps[-1].get("observation") if steps else None
    if len(waiting) == 1 and isinstance(last, str) and last:
        yield result_block(waiting[0], last)


def _calls(item: Mapping[str, Any], at: int) -> list[dict[str, Any]]:
    """Read the tool calls of a newer item, or the action of an older one: a line for the agent's own shell."""
    made = []
    for call in objects(item.get("tool_calls")):
        function = mapping(call.get("function"))
        if function and isinstance(call.get("id"), str):
            made.append(call_block(call["id"], function.get("name"), read_arguments(function.get("arguments"))))
    action = item.get("action")
    if not made and isinstance(action, str) and action.strip():
        made.append(call_block(f"action_{at}", "shell", {"command": action.strip("\n")}))
    return made


def _said(words: Any, calls: list[dict[str, Any]]) -> dict[str, Any]:
    text = blocks_text(words)
    if not calls:
        return {"role": "assistant", "content": text}
    texts = [{"type": "text", "text": text.strip("\n")}] if text.strip() else []
    return {"role": "assistant", "content": [*texts, *calls]}
