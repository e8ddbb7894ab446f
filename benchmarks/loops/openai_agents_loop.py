"""OpenAI Agents SDK: a runner with a session, an ask a run; nothing of its own compacts without a server."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

from agents import Agent, FunctionTool, ModelResponse, RunConfig, Runner, SQLiteSession, Usage
from agents.models.interface import Model
from agents.tracing import set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from benchmarks.journeys import Call
from benchmarks.loops import SYSTEM, WINDOW, Recorder, System, tool_result, tool_use
from benchmarks.texts import count_tokens
from condense import CondenseConfig, TokenBudget
from condense.adapters import HoldfastFilter

FRAMEWORK, PACKAGES = "OpenAI Agents", ("openai-agents",)


class _Model(Model):
    """Says what the journey says."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    async def get_response(
        self,
        system_instructions: str | None,
        input: Any,  # noqa: A002  # theirs
        *_: Any,
        **__: Any,
    ) -> ModelResponse:
        said = self.recorder.step(lambda: _written(input, system_instructions))
        at = len(self.recorder.requests)
        output: list[Any] = []
        if text := said.says if isinstance(said, Call) else said:
            content: list[Any] = [ResponseOutputText(type="output_text", text=text, annotations=[])]
            output.append(
                ResponseOutputMessage(
                    id=f"m{at}", type="message", role="assistant", status="completed", content=content
                )
            )
        if isinstance(said, Call):
            given = json.dumps(said.arguments, ensure_ascii=False)
            output.append(
                ResponseFunctionToolCall(type="function_call", call_id=said.id, name=said.name, arguments=given)
            )
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise TypeError("this loop asks for no stream")


def _written(items: Any, instructions: str | None) -> list[dict[str, Any]]:
    """Write items as Anthropic messages: what one answer held is one message."""
    out: list[dict[str, Any]] = [{"role": "system", "content": instructions}] if instructions else []
    for item in items:
        kind = item.get("type", "message")
        if kind == "function_call":
            block = tool_use(item["call_id"], item["name"], item["arguments"])
            if out and out[-1]["role"] == "assistant" and out[-1]["content"][-1]["type"] == "text":
                out[-1]["content"].append(block)
            else:
                out.append({"role": "assistant", "content": [block]})
        elif kind == "function_call_output":
            out.append({"role": "user", "content": [tool_result(item["call_id"], item["output"])]})
        else:
            content = item["content"]
            text = content if isinstance(content, str) else "\n".join(part["text"] for part in content)
            out.append({"role": item["role"], "content": [{"type": "text", "text": text}]})
    return out


def _run(make: Any, recorder: Recorder) -> None:
    async def invoke(_: Any, given: str) -> str:
        return recorder.run_tool(json.loads(given)["key"])

    schema = {
        "type": "object",
        "properties": {"key": {"type": "string"}, "about": {"type": "string"}},
        "required": ["key", "about"],
        "additionalProperties": False,
    }
    names = ("read_file", "search", "run_tests", "run_command")
    tools: list[Any] = [FunctionTool(name, "Run a tool.", schema, invoke) for name in names]
    agent: Agent[Any] = Agent(name="mender", instructions=SYSTEM, model=_Model(recorder), tools=tools)
    made = make()
    config = RunConfig(call_model_input_filter=made, tracing_disabled=True)

    async def drive() -> None:
        session = SQLiteSession("a")
        for ask in recorder.journey.asks:
            recorder.begin()
            await Runner.run(agent, ask, session=session, run_config=config)
        session.close()

    set_tracing_disabled(True)  # theirs
    asyncio.run(drive())
    if error := getattr(made, "last_error", None):
        raise error


def _holdfast() -> HoldfastFilter:
    made = HoldfastFilter(CondenseConfig(budget=TokenBudget.for_window(WINDOW), reach=""))
    made.conversations.count = count_tokens
    return made


def systems() -> list[System]:
    """Return what is driven."""
    return [
        System(FRAMEWORK, "nothing", partial(_run, lambda: None)),
        System(FRAMEWORK, "HoldfastFilter", partial(_run, _holdfast)),
    ]
