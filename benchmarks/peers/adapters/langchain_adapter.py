"""LangChain: `trim_messages`, `ClearToolUsesEdit`, `SummarizationMiddleware` with a stub for its model.

A stub writes one line where a model would write the summary: the floor of what the middleware keeps by itself.
"""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import ClearToolUsesEdit, SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    ToolMessage,
    trim_messages,
)
from serving import blocks_of, result_text, serve, size_of

_STUB = "(Here a model would have written a summary.)"
_KEPT = (40, 20, 10, 5, 3, 1, 0)


def _parse(messages: list[dict[str, Any]]) -> list[AnyMessage]:
    """Anthropic messages to LangChain's: a message for each tool result, text of a person beside them."""
    out: list[AnyMessage] = []
    for message in messages:
        if message["role"] == "assistant":
            calls = [
                {"name": b.get("name") or "tool", "args": b.get("input") or {}, "id": b.get("id")}
                for b in blocks_of(message)
                if b.get("type") == "tool_use"
            ]
            texts = [b for b in blocks_of(message) if b.get("type") in ("text", "thinking")]
            out.append(AIMessage(content=texts, tool_calls=_plain(calls)))
            continue
        out += [
            ToolMessage(content=result_text(b), tool_call_id=b.get("tool_use_id") or "")
            for b in blocks_of(message)
            if b.get("type") == "tool_result"
        ]
        texts = [b for b in blocks_of(message) if b.get("type") == "text"]
        if texts:
            out.append(HumanMessage(content=texts))
    return out


def _plain(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """LangChain wants arguments to be an object."""
    return [{**c, "args": c["args"] if isinstance(c["args"], dict) else {"input": c["args"]}} for c in calls]


def _write(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    """Back to Anthropic messages: neighbouring results of one turn, and text behind them, in one message."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, RemoveMessage):
            continue
        if isinstance(message, AIMessage):
            blocks = _texts(message)
            blocks += [
                {"type": "tool_use", "id": c["id"], "name": c["name"], "input": c["args"]}
                for c in message.tool_calls
            ]
            out.append({"role": "assistant", "content": blocks})
            continue
        if isinstance(message, ToolMessage):
            block = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.text}
            if out and out[-1]["role"] == "user":
                out[-1]["content"].append(block)
            else:
                out.append({"role": "user", "content": [block]})
            continue
        if out and out[-1]["role"] == "user":
            out[-1]["content"] += _texts(message)
        else:
            out.append({"role": "user", "content": _texts(message)})
    return out


def _texts(message: BaseMessage) -> list[dict[str, Any]]:
    if isinstance(message.content, str):
        return [{"type": "text", "text": message.content}] if message.content else []
    return [b if isinstance(b, dict) else {"type": "text", "text": b} for b in message.content]


def _count(messages: Any) -> int:
    return size_of(_write(list(messages)))


def _trim(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """As documented for chat histories, but for `start_on`: agents' sessions have too few human messages."""
    return _write(trim_messages(_parse(messages), max_tokens=budget, token_counter=_count, strategy="last"))


def _trim_from_human(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    return _write(
        trim_messages(
            _parse(messages),
            max_tokens=budget,
            token_counter=_count,
            strategy="last",
            start_on="human",
            end_on=("human", "tool"),
            include_system=True,
        )
    )


def _clear(messages: list[dict[str, Any]], budget: int, *, inputs: bool) -> list[dict[str, Any]]:
    """Keep as many results as fit: fewer and fewer until the history does."""
    parsed: list[AnyMessage] = []
    for keep in _KEPT:
        parsed = _parse(messages)
        edit = ClearToolUsesEdit(trigger=budget, keep=keep, clear_tool_inputs=inputs)
        edit.apply(parsed, count_tokens=_count)
        if _count(parsed) <= budget:
            break
    return _write(parsed)


def _summarize(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """Keep what fits beside a summary of a tenth of the budget."""
    model = GenericFakeChatModel(messages=iter([AIMessage(content=_STUB)] * 100))
    middleware = SummarizationMiddleware(
        model=model,
        trigger=("tokens", budget),
        keep=("tokens", int(0.9 * budget)),
        token_counter=_count,
    )
    parsed = _parse(messages)
    update = middleware.before_model({"messages": parsed}, None)  # type: ignore[arg-type,typeddict-item]
    return _write(update["messages"] if update else parsed)


if __name__ == "__main__":
    serve(
        {
            "trim": _trim,
            "trim-human": _trim_from_human,
            "clear": lambda messages, budget: _clear(messages, budget, inputs=False),
            "clear-inputs": lambda messages, budget: _clear(messages, budget, inputs=True),
            "summarize": _summarize,
        },
        ["langchain", "langchain-core", "langgraph"],
    )
