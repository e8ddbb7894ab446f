"""OpenHands SDK: its summarizing condenser with a stub for the model (its condensers without a model are gone).

It forgets events until half of `max_tokens` remains, so `max_tokens` is twice the budget; where whole events leave more
than the budget it is asked again with less.
"""

from __future__ import annotations

import json
import os
from typing import Any

os.environ.update({"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENHANDS_SUPPRESS_BANNER": "1"})

from openhands.sdk.context.condenser import LLMSummarizingCondenser  # the environment comes first
from openhands.sdk.context.view import View
from openhands.sdk.event import ActionEvent, MessageEvent, ObservationEvent
from openhands.sdk.event.condenser import Condensation
from openhands.sdk.llm import LLM, Message, MessageToolCall, TextContent
from openhands.sdk.tool.schema import Observation
from serving import blocks_of, count_tokens, result_text, serve, size_of

_STUB = "(Here a model would have written a summary.)"


class _Shown(Observation):
    """What a tool printed."""


class _Answer:
    """What the stub answers with."""

    id = "stub"
    message = Message(role="assistant", content=[TextContent(text=_STUB)])


class _Stub(LLM):
    """A model that writes one line and counts as the benchmark does."""

    def generate(self, *_: Any, **__: Any) -> Any:
        return _Answer()

    def get_token_count(self, messages: list[Message], *_: Any, **__: Any) -> int:
        total = 0
        for message in messages:
            texts = [c.text for c in message.content if isinstance(c, TextContent)]
            texts += [f"{c.name} {c.arguments}" for c in message.tool_calls or ()]
            total += count_tokens("\n".join(texts)) + 4
        return total


class _Events:
    """A conversation as events, and the blocks that each stands for."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self.events: list[Any] = []
        self._blocks: dict[str, tuple[int, str, dict[str, Any]]] = {}
        names: dict[str, str] = {}
        acts: dict[str, str] = {}
        for number, message in enumerate(messages):
            for block in blocks_of(message):
                event = self._event(number, message["role"], block, names, acts)
                if event is not None:
                    self.events.append(event)
                    self._blocks[event.id] = (number, message["role"], block)

    @staticmethod
    def _event(number: int, role: str, block: dict[str, Any], names: dict[str, str], acts: dict[str, str]) -> Any:
        kind = block.get("type")
        if kind == "tool_use":
            call, name = str(block.get("id")), str(block.get("name") or "tool")
            given = json.dumps(block.get("input") or {}, ensure_ascii=False)
            made = ActionEvent(
                thought=[],
                tool_name=name,
                tool_call_id=call,
                tool_call=MessageToolCall(id=call, name=name, arguments=given, origin="completion"),
                llm_response_id=f"response-{number}",
            )
            names[call], acts[call] = name, made.id
            return made
        if kind == "tool_result":
            call = str(block.get("tool_use_id"))
            return ObservationEvent(
                observation=_Shown.from_text(result_text(block)),
                action_id=acts.get(call, "none"),
                tool_name=names.get(call, "tool"),
                tool_call_id=call,
            )
        if kind == "text" and (block.get("text") or "").strip():
            source = "agent" if role == "assistant" else "user"
            said = Message(
                role="assistant" if role == "assistant" else "user",
                content=[TextContent(text=block["text"])],
            )
            return MessageEvent(source=source, llm_message=said)
        return None

    def write(self, events: list[Any]) -> list[dict[str, Any]]:
        """Return the blocks of the events that are left, as messages; ours for a summary."""
        out: list[dict[str, Any]] = []
        last: tuple[int, str] | None = None
        for event in events:
            number, role, block = self._blocks.get(
                event.id, (-1, "user", {"type": "text", "text": getattr(event, "summary", "") or _STUB})
            )
            if last is not None and last[1] == role and (role == "user" or last[0] == number):
                out[-1]["content"].append(block)
            else:
                out.append({"role": role, "content": [block]})
            last = (number, role)
        return out


def _summarize(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    conversation = _Events(messages)
    model = _Stub(model="stub", usage_id="stub")
    view = View.from_events(conversation.events)
    limit = 2 * budget
    out = conversation.write(list(view.events))
    for _ in range(6):
        if size_of(out) <= budget:
            break
        condenser = LLMSummarizingCondenser(llm=model, max_size=100_000, max_tokens=limit)
        done = condenser.condense(view, agent_llm=model)
        if isinstance(done, Condensation):
            view = View.from_events([*view.events, done])
            out = conversation.write(list(view.events))
        limit = int(limit * 0.8)
    return out


if __name__ == "__main__":
    serve({"summarize": _summarize}, ["openhands-sdk"])
