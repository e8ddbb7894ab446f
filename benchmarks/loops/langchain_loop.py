"""LangChain: `create_agent` with a checkpointer, an ask a run, all runs in one thread."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from pydantic import Field

from benchmarks.journeys import Call
from benchmarks.loops import (
    SUMMARY,
    SYSTEM,
    TARGET,
    TRIGGER,
    WINDOW,
    Recorder,
    System,
    extractive,
    tool_result,
    tool_use,
)
from benchmarks.texts import count_tokens, size_of
from condense import CondenseConfig, TokenBudget

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain.agents import create_agent
    from langchain.agents.middleware import SummarizationMiddleware
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver

    from condense.adapters import HoldfastMiddleware

FRAMEWORK, PACKAGES = "LangChain", ("langchain", "langgraph")
_OPENING = "Here is a summary of the conversation to date:"


class _Model(BaseChatModel):
    """Says what the journey says."""

    recorder: Any = Field(default=None)

    @property
    def _llm_type(self) -> str:
        return "fake"

    def bind_tools(self, tools: Any, **_: Any) -> _Model:
        del tools
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        said = self.recorder.step(lambda: _written(messages))
        if isinstance(said, Call):
            message = AIMessage(said.says, tool_calls=[{"id": said.id, "name": said.name, "args": said.arguments}])
        else:
            message = AIMessage(said)
        return ChatResult(generations=[ChatGeneration(message=message)])


def _written(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for message in messages:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": message.text}] if message.text else []
        if isinstance(message, ToolMessage):
            out.append({"role": "user", "content": [tool_result(message.tool_call_id, message.text)]})
        elif isinstance(message, AIMessage):
            calls = [tool_use(c["id"] or "", c["name"], c["args"]) for c in message.tool_calls]
            out.append({"role": "assistant", "content": [*blocks, *calls]})
        else:
            out.append({"role": "system" if isinstance(message, SystemMessage) else "user", "content": blocks})
    return out


def _count(messages: Any) -> int:
    return size_of(_written(list(messages)))


def _run(make: Any, recorder: Recorder) -> None:
    def read(key: str, about: str) -> str:
        """Run a tool."""
        del about
        return recorder.run_tool(key)

    tools = [tool(name)(read) for name in ("read_file", "search", "run_tests", "run_command")]
    middleware = make(recorder)
    agent: Any = create_agent(
        _Model(recorder=recorder),
        tools,
        system_prompt=SYSTEM,
        middleware=[middleware] if middleware else [],
        checkpointer=InMemorySaver(),
    )
    for ask in recorder.journey.asks:
        recorder.begin()
        agent.invoke(
            {"messages": [HumanMessage(ask)]}, {"configurable": {"thread_id": "a"}, "recursion_limit": 100}
        )
    if error := getattr(middleware, "last_error", None):
        raise error


def _summarizing(
    recorder: Recorder, *, every_third: bool, limit: int, **given: Any
) -> SummarizationMiddleware[Any, Any, Any]:
    """Theirs, with the stub in the model's place; what the stub reads is billed, too."""

    def summarize(messages: Any) -> str:
        recorder.summaries += _count(messages)
        said = [m for m in messages if isinstance(m, HumanMessage | AIMessage)]
        old = "\n".join(m.text.removeprefix(_OPENING) for m in said if m.text.startswith(_OPENING))
        new = [m.text for m in said if not m.text.startswith(_OPENING)]
        return extractive(old, new, every_third=every_third, limit=limit)

    return SummarizationMiddleware(
        _Model(recorder=recorder),
        trigger=("tokens", TRIGGER),
        token_counter=_count,
        summarizer=summarize,
        **given,
    )


def _holdfast(_: Recorder) -> HoldfastMiddleware:
    made = HoldfastMiddleware(config=CondenseConfig(budget=TokenBudget.for_window(WINDOW)))
    made.conversations.count = count_tokens
    return made


def systems() -> list[System]:
    """Return what is driven: nothing; theirs by its defaults, with room for all, with a better stub; ours."""
    roomy: dict[str, Any] = {"keep": ("tokens", TARGET - SUMMARY), "trim_tokens_to_summarize": None}
    copier: dict[str, Any] = {"keep": ("tokens", TARGET - 2 * SUMMARY), "trim_tokens_to_summarize": None}
    return [
        System(FRAMEWORK, "nothing", partial(_run, lambda _: None)),
        System(FRAMEWORK, "SummarizationMiddleware, stub A, its defaults",
               partial(_run, partial(_summarizing, every_third=True, limit=SUMMARY))),
        System(FRAMEWORK, "SummarizationMiddleware, stub A",
               partial(_run, partial(_summarizing, every_third=True, limit=SUMMARY, **roomy))),
        System(FRAMEWORK, "SummarizationMiddleware, stub B",
               partial(_run, partial(_summarizing, every_third=False, limit=2 * SUMMARY, **copier))),
        System(FRAMEWORK, "HoldfastMiddleware", partial(_run, _holdfast)),
    ]  # fmt: skip
