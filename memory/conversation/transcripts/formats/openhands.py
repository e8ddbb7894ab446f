"""OpenHands event streams: actions and observations, older (`action`, `observation`) and newer (`kind`) ones.

They become Anthropic messages: actions of one model response one assistant message, each observation the result of
the action it names as its cause. Events that the model does not see (state changes, recalls, hooks) are left out.

Source: `openhands/events` and the event classes of the OpenHands SDK.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message
from memory.conversation.wire import blocks_text, parse_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.transcripts.records import Records

_NO_ARGUMENTS = frozenset(
    {"thought", "security_risk", "confirmation_state", "hidden", "is_confirmed", "blocking"}
)
# No sets: what is looked up may be unhashable.
_ANSWERS = ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation")
_SPEECH = ("message", "system")
_UNSEEN = frozenset(
    {"recall", "change_agent_state", "null", "system", "message", "condensation", "loop_recovery"}
)


def read(records: Records) -> Iterator[Message]:
    """Yield the conversation; keeps the events in memory, for an observation may stand behind other actions."""
    events = [event for _, event in records]
    answers = {cause: event for event in events if (cause := _cause(event)) is not None}
    batch: list[dict[str, Any]] = []
    for event in events:
        if _is_action(event):
            if batch and _response_of(event) != _response_of(batch[0]):
                yield from _turn(batch, answers)
                batch = []
            batch.append(event)
        elif (said := _message(event)) is not None:
            yield from _turn(batch, answers)
            batch = []
            yield parse_message(said, Form.ANTHROPIC)
    yield from _turn(batch, answers)


def _cause(event: Mapping[str, Any]) -> str | None:
    """Return what names the action that an observation answers, None for other events."""
    if event.get("kind") in _ANSWERS:
        return str(event.get("tool_call_id"))
    if "observation" in event and event.get("cause") is not None:
        return f"event_{event['cause']}"
    return None


def _is_action(event: Mapping[str, Any]) -> bool:
    if event.get("kind") == "ActionEvent":
        return True
    action = event.get("action")
    return isinstance(action, str) and event.get("source") == "agent" and action not in _UNSEEN


def _response_of(event: Mapping[str, Any]) -> Any:
    """Return what the actions of one model response share; the event itself where nothing does."""
    metadata = _object(event.get("tool_call_metadata"))
    return (
        event.get("llm_response_id") or _object(metadata.get("model_response")).get("id") or event.get("id")
    )


def _message(event: Mapping[str, Any]) -> dict[str, Any] | None:
    extras = {"timestamp": event["timestamp"]} if "timestamp" in event else {}
    spoken = _object(event.get("llm_message"))
    if event.get("kind") == "MessageEvent" and spoken:
        return {"role": _role(event), "content": blocks_text(_held(spoken.get("content"))), **extras}
    if event.get("kind") == "SystemPromptEvent":
        prompt = _object(event.get("system_prompt"))
        return {"role": "system", "content": str(prompt.get("text", "")), **extras}
    text = _object(event.get("args")).get("content")
    if event.get("action") in _SPEECH and isinstance(text, str):
        role = "system" if event["action"] == "system" else _role(event)
        return {"role": role, "content": text, **extras}
    return None


def _role(event: Mapping[str, Any]) -> str:
    return "assistant" if event.get("source") == "agent" else "user"


def _turn(batch: list[dict[str, Any]], answers: Mapping[str, dict[str, Any]]) -> Iterator[Message]:
    """Yield the assistant message of a batch of actions, and the user message of their results."""
    blocks: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for event in batch:
        thought = _thought(event)
        if thought:
            blocks.append({"type": "text", "text": thought})
        key, call = _call(event)
        blocks.append(call)
        if key in answers:
            results.append({"type": "tool_result", "tool_use_id": call["id"], **_observed(answers[key])})
    for role, content, held in (("assistant", blocks, batch[:1]), ("user", results, batch[-1:])):
        if content:
            extras = {"timestamp": held[0]["timestamp"]} if "timestamp" in held[0] else {}
            yield parse_message({"role": role, "content": content, **extras}, Form.ANTHROPIC)


def _thought(event: Mapping[str, Any]) -> str:
    if "kind" in event:
        return blocks_text(_held(event.get("thought")))
    thought = _object(event.get("args")).get("thought")
    return thought if isinstance(thought, str) else ""


def _call(event: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what its observation names the action by, and the call."""
    metadata = _object(event.get("tool_call_metadata"))
    if "kind" in event:
        key = call_id = str(event.get("tool_call_id"))
        name = event.get("tool_name")
        arguments = {k: v for k, v in _object(event.get("action")).items() if k != "kind"}
    else:
        key = f"event_{event.get('id')}"
        call_id = str(metadata.get("tool_call_id") or key)
        name = metadata.get("function_name") or event.get("action")
        arguments = {k: v for k, v in _object(event.get("args")).items() if k not in _NO_ARGUMENTS}
    return key, {"type": "tool_use", "id": call_id, "name": str(name), "input": arguments}


def _observed(event: Mapping[str, Any]) -> dict[str, Any]:
    observation = _object(event.get("observation")) if "kind" in event else event
    held = observation.get(
        "content", observation.get("output", event.get("error", event.get("rejection_reason")))
    )
    failed = event.get("kind") == "AgentErrorEvent" or observation.get("is_error") is True
    failed = failed or event.get("observation") == "error"
    content = {"content": blocks_text(_held(held))}
    return {**content, "is_error": True} if failed else content


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _held(content: Any) -> Any:
    """Make what is neither text nor blocks the text of its JSON."""
    if content is None or isinstance(content, (str, list)):
        return content
    return json.dumps(content, ensure_ascii=False)
