"""OpenHands event streams: actions and observations, older (`action`, `observation`) and newer (`kind`) ones.

They become Anthropic messages: actions of one model response one assistant message, each observation the result of
the action it names as its cause. Events that the model does not see (state changes, recalls, hooks) are left out.

Source: `openhands/events` and the event classes of the OpenHands SDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.transcripts.values import call_block, mapping, result_block, text
from memory.conversation.wire import blocks_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.transcripts.values import Records, Values

    Numbered = tuple[int, Mapping[str, Any]]

_NO_ARGUMENTS = frozenset("thought security_risk confirmation_state hidden is_confirmed blocking".split())
# No sets: what is looked up may be unhashable.
_ANSWERS = ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation")
_UNSEEN = "recall change_agent_state null system message condensation loop_recovery".split()


def shows(record: Mapping[str, Any]) -> bool:
    """Tell whether a record can only be of this format."""
    kind = record.get("kind")
    if isinstance(kind, str) and kind.endswith("Event"):
        return True
    return "source" in record and ("action" in record or "observation" in record) and "role" not in record


def read(records: Records) -> Values:
    """Yield the conversation; keeps the events in memory, for an observation may stand behind other actions."""
    events: list[Numbered] = list(records)
    answers = {cause: event for _, event in events if (cause := _cause(event)) is not None}
    batch: list[Numbered] = []
    for number, event in events:
        said = None
        if _is_action(event):
            same = not batch or _response_of(event) == _response_of(batch[0][1])
        else:
            said = _spoken(event)
            same = said is None
        if not same:
            yield from _turn(batch, answers)
            batch = []
        if said is not None:
            yield number, _message(*said, event), None
        elif _is_action(event):
            batch.append((number, event))
    yield from _turn(batch, answers)


def _cause(event: Mapping[str, Any]) -> str | None:
    """Return what names the action that an observation answers, None for other events."""
    if event.get("kind") in _ANSWERS:
        return str(event.get("tool_call_id"))
    if "observation" in event and event.get("cause") is not None:
        return f"event_{event['cause']}"
    return None


def _is_action(event: Mapping[str, Any]) -> bool:
    action = event.get("action")
    older = isinstance(action, str) and event.get("source") == "agent" and action not in _UNSEEN
    return older or event.get("kind") == "ActionEvent"


def _response_of(event: Mapping[str, Any]) -> Any:
    """Return what the actions of one model response share; the event's own id where nothing does."""
    response = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
    return event.get("llm_response_id") or response.get("id") or event.get("id")


def _message(role: str, content: Any, event: Mapping[str, Any]) -> dict[str, Any]:
    extras = {"timestamp": event["timestamp"]} if "timestamp" in event else {}
    return {"role": role, "content": content, **extras}


def _spoken(event: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return role and words of an event that is a message, None for others."""
    role = "assistant" if event.get("source") == "agent" else "user"
    spoken = mapping(event.get("llm_message"))
    if event.get("kind") == "MessageEvent" and spoken:
        return role, blocks_text(spoken.get("content"))
    if event.get("kind") == "SystemPromptEvent":
        return "system", str(mapping(event.get("system_prompt")).get("text", ""))
    action, words = event.get("action"), mapping(event.get("args")).get("content")
    if action in ("message", "system") and isinstance(words, str):
        return "system" if action == "system" else role, words
    return None


def _turn(batch: list[Numbered], answers: Mapping[str, Mapping[str, Any]]) -> Iterator[Any]:
    """Yield the assistant message of a batch of actions, and the user message of their results."""
    blocks: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for _, event in batch:
        arguments, metadata = mapping(event.get("args")), mapping(event.get("tool_call_metadata"))
        key = call_id = str(event.get("tool_call_id"))
        name, thought = event.get("tool_name"), event.get("thought")
        if "kind" in event:
            arguments = {k: v for k, v in mapping(event.get("action")).items() if k != "kind"}
        else:
            key = f"event_{event.get('id')}"
            call_id = str(metadata.get("tool_call_id") or key)
            name = metadata.get("function_name") or event.get("action")
            thought = text(arguments.get("thought"))
            arguments = {k: v for k, v in arguments.items() if k not in _NO_ARGUMENTS}
        if words := blocks_text(thought):
            blocks.append({"type": "text", "text": words})
        blocks.append(call_block(call_id, name, arguments))
        if key in answers:
            results.append(_observed(call_id, answers[key]))
    if blocks:
        yield batch[0][0], _message("assistant", blocks, batch[0][1]), None
    if results:
        yield batch[-1][0], _message("user", results, batch[-1][1]), None


def _observed(call_id: str, event: Mapping[str, Any]) -> dict[str, Any]:
    seen = mapping(event.get("observation")) if "kind" in event else event
    held = seen.get("content", seen.get("output", event.get("error", event.get("rejection_reason"))))
    failed = event.get("kind") == "AgentErrorEvent" or event.get("observation") == "error"
    return result_block(call_id, blocks_text(held), failed=failed or seen.get("is_error") is True)
