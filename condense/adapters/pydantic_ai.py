"""Compact what a pydantic-ai agent sends, by a capability; extra `pydantic-ai`.

    agent = Agent("anthropic:claude-sonnet-4-5", capabilities=[Holdfast()])

The request alone is compacted: the run's own history stays whole, and `result.all_messages()` has every message of it.
"""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from condense.adapters.conversations import Conversations
from condense.adapters.items import Part, Writing
from condense.adapters.limits import WINDOW
from condense.config import CondenseConfig, TokenBudget
from memory.conversation import Form, count_frame

try:
    from pydantic_ai import messages as kinds
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import (
        ModelMessagesTypeAdapter,
        ModelRequest,
        ModelResponse,
        ToolAvailabilityDeltaPart,
        ToolReturn,
        ToolReturnPart,
        UserPromptPart,
    )
    from pydantic_ai.tools import RunContext  # noqa: TC002  # pydantic-ai reads the annotations of a tool
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as missing:
    raise ImportError(
        "condense.adapters.pydantic_ai needs pydantic-ai: pip install 'holdfast-context[pydantic-ai]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
    from pydantic_ai.run import AgentRunResult

    from memory import PersistentMemoryManager
    from memory.entries import ProjectStore

REMEMBERED = 20_000
"""Texts that tools sent beside their results, remembered so that none of them passes for a person's (chosen)."""


class Holdfast(AbstractCapability[Any]):
    """Sends the compacted view of each conversation; never raises into a run (`last_error` holds what went wrong).

    Args:
        config: settings; by default the window is what the profile of the run's model says, else 200,000 tokens.
        memory, store, on_error: as `Conversations` takes them.
        recall: offer the model a tool `recall_memory`, which fetches back what was folded.

    Conversations are told apart by `ctx.conversation_id`, so one instance serves any number of agents and runs.
    `conversations` has their records, `undo` and `recall`.
    """

    def __init__(
        self,
        config: CondenseConfig | None = None,
        *,
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
        recall: bool = True,
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        self._config = config
        self._recall = recall
        self._sent_by_tools: dict[int, None] = {}
        self._writing = Writing(Form.ANTHROPIC, self._written, self._rebuilt)
        self.conversations = Conversations(config, memory=memory, store=store, on_error=on_error)

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that was swallowed, None as long as there was none."""
        return self.conversations.last_error

    def get_toolset(self) -> FunctionToolset[Any] | None:
        """Offer `recall_memory`, if it is wanted."""
        return FunctionToolset([self.recall_memory]) if self._recall else None

    async def recall_memory(self, ctx: RunContext[Any], query: str) -> str:
        """Look up what was said or done earlier and is no longer shown: a question, or a handle (hf_...).

        Args:
            query: what to look for, or the handle of an original from the summary.
        """
        try:
            return await asyncio.to_thread(self.conversations.recall, ctx.conversation_id or "", query)
        except Exception as error:  # noqa: BLE001  # a tool that raises ends the run
            self.conversations.failed(error)
            return f"That could not be looked up: {type(error).__name__}"

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Put the view in the place of the history; a suspended response that is resumed goes on as it stands."""
        messages = request_context.messages
        if not messages or messages[-1].kind != "request":
            return request_context
        sent = await self._viewed(ctx, messages, request_context)
        return request_context if sent is messages else replace(request_context, messages=list(sent))

    async def compact(self, messages: list[ModelMessage], ctx: RunContext[Any]) -> list[ModelMessage]:
        """Compact now, whatever the trigger: what pydantic-ai-harness asks of a compaction."""
        return list(await self._viewed(ctx, messages, due=True))

    async def after_tool_execute(self, ctx: RunContext[Any], *, result: Any, **more: Any) -> Any:
        """Remember what a tool sends beside its result: it will stand in the user role."""
        del ctx, more
        content = result.content if isinstance(result, ToolReturn) else None
        for item in content if isinstance(content, list | tuple) else [content]:
            text = item if isinstance(item, str) else getattr(item, "content", None)
            if isinstance(text, str):
                self._sent_by_tools[hash(text)] = None
        while len(self._sent_by_tools) > REMEMBERED:
            del self._sent_by_tools[next(iter(self._sent_by_tools))]
        return result

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Keep what the person said in the project's memory, where there is one."""
        if self.conversations.memory is not None:
            values = (value for message in result.all_messages() for value in self._written(message))
            save = partial(self.conversations.save, ctx.conversation_id or "", values, form=Form.ANTHROPIC)
            await asyncio.to_thread(save)
        return result

    def _written(self, message: ModelMessage) -> list[dict[str, Any]]:
        return [value for value, _ in _pieces(message, self._sent_by_tools)]

    def _rebuilt(self, item: ModelMessage | None, parts: Sequence[Part]) -> ModelMessage:
        """Make a message of what is sent of one; parts that stay are the very objects."""
        if item is None:
            return _made(parts[0].value)
        pieces = _pieces(item, self._sent_by_tools)
        sent = {part.place: part.value for part in parts if part.place is not None}
        if isinstance(item, ModelResponse):
            blocks: Sequence[Any] = sent[0]["content"]
            left = zip(item.parts, pieces[0][0]["content"], strict=True)
            return replace(item, parts=[part for part, block in left if block in blocks])
        kept: dict[int, Any] = {id(part): _changed(part, sent[k]) for k in sent for part in pieces[k][1]}
        written = {id(part) for _, own in pieces for part in own}
        stay: list[Any] = [part for part in item.parts if id(part) in kept or id(part) not in written]
        return replace(item, parts=[kept.get(id(part), part) for part in stay])

    async def _viewed(
        self,
        ctx: RunContext[Any],
        messages: Sequence[ModelMessage],
        request: ModelRequestContext | None = None,
        *,
        due: bool | None = None,
    ) -> Sequence[ModelMessage]:
        try:
            sent = await self.conversations.view_items_async(
                ctx.conversation_id or "",
                messages,
                self._writing,
                config=self._config or self._config_of(request.model if request else ctx.model),
                overhead=self._overhead(request.model_request_parameters, messages[-1]) if request else 0,
                due=due,
            )
            return sent if sent is messages else _completed(sent, messages)
        except Exception as error:  # noqa: BLE001  # a capability never breaks the request it stands before
            self.conversations.failed(error)
            return messages

    def _config_of(self, model: object) -> CondenseConfig:
        models = (model, *getattr(model, "models", ()))  # those that a fallback has
        windows = [known for one in models if (known := getattr(one, "context_window", None))]
        budget = TokenBudget.for_window(min(windows, default=WINDOW))
        return CondenseConfig(budget=budget, reach="recall_memory" if self._recall else "")

    def _overhead(self, parameters: ModelRequestParameters, newest: ModelMessage) -> int:
        """Count instructions and tools."""
        tools = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters_json_schema}
            for tool in (*parameters.function_tools, *parameters.output_tools)
        ]
        frame = {"instructions": getattr(newest, "instructions", None), "tools": tools}
        return count_frame(frame, self.conversations.count)


def _completed(sent: Sequence[ModelMessage], messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Say again what only messages that are gone said: instructions, tools and capabilities that were loaded."""
    completed = list(sent)
    newest, last = messages[-1], completed[-1]
    if last is not newest and isinstance(last, ModelRequest) and isinstance(newest, ModelRequest):
        completed[-1] = replace(last, instructions=newest.instructions)
    lost = [
        [name for name in before if name not in after]
        for before, after in zip(_loaded(messages), _loaded(completed), strict=True)
    ]
    deltas: list[Any] = []
    if lost[0] and hasattr(kinds, "CapabilityLoadDeltaPart"):  # since 2.64; before, the model loads them again
        deltas.append(kinds.CapabilityLoadDeltaPart(loaded=lost[0]))
    if lost[1]:
        deltas.append(ToolAvailabilityDeltaPart(tools_added=lost[1]))
    own = {id(message) for message in messages}
    for k, message in enumerate(completed):
        if deltas and id(message) not in own and isinstance(message, ModelRequest):
            completed[k] = replace(message, parts=[*message.parts, *deltas])
            break
    return completed


def _loaded(messages: Iterable[ModelMessage]) -> tuple[list[str], list[str]]:
    """Return the capabilities and the tools that messages say were loaded."""
    capabilities: dict[str, None] = {}
    tools: dict[str, None] = {}
    asked: dict[str, str | None] = {}
    parts: Iterable[Any] = (part for message in messages for part in message.parts)
    for part in parts:
        found = getattr(part, "discovered_tools", ())
        if getattr(part, "tool_kind", None) == "capability-load":
            if part.part_kind == "tool-call":
                asked[part.tool_call_id] = getattr(part, "capability_id", None)
            elif name := asked.get(part.tool_call_id):
                capabilities[name] = None
        capabilities |= dict.fromkeys(getattr(part, "loaded", ()))
        tools |= dict.fromkeys([*getattr(part, "tools_added", ()), *(match["name"] for match in found)])
    return list(capabilities), list(tools)


def _pieces(message: ModelMessage, sent_by_tools: Collection[int]) -> list[tuple[dict[str, Any], list[Any]]]:
    """Write a message in the Anthropic form, as wire messages with the parts they stand for.

    A request's results are one message, before what a person says. Feedback of the framework, and what tools sent
    beside their results, is marked as typed by nobody. What changes the request alone is not written.
    """
    if isinstance(message, ModelResponse):
        blocks = [_block(part) for part in message.parts]
        return [({"role": "assistant", "content": blocks}, list(message.parts))] if blocks else []
    system: list[tuple[dict[str, Any], list[Any]]] = []
    said: list[tuple[dict[str, Any], list[Any]]] = []
    results: list[Any] = []
    parts: Sequence[Any] = message.parts
    for part in parts:
        kind, content = part.part_kind, getattr(part, "content", None)
        if kind == "system-prompt":
            system.append(({"role": "system", "content": content}, [part]))
        elif kind == "tool-return" or (kind == "retry-prompt" and part.tool_name is not None):
            results.append(part)
        elif kind in ("retry-prompt", "retry-feedback", "compaction"):
            text = content if kind == "compaction" else part.model_response()
            said.append(({"role": "user", "content": text or "", "isMeta": True}, [part]))
        elif kind == "user-prompt":
            told = _content([content] if isinstance(content, str) else content or ())
            by_tool = any(hash(text.get("text")) in sent_by_tools for text in told if "text" in text)
            said.append(({"role": "user", "content": told, "isMeta": by_tool}, [part]))
        elif kind == "speech":
            said.append(({"role": "user", "content": part.transcript or [_block(part)]}, [part]))
    if results:
        system.append(({"role": "user", "content": [_result(part) for part in results]}, results))
    return [*system, *said]


def _result(part: Any) -> dict[str, Any]:
    text = part.model_response_str() if part.part_kind == "tool-return" else part.model_response()
    files = getattr(part, "files", ())
    content = [{"type": "text", "text": text}, *_content(files)] if files else text
    block = {"type": "tool_result", "tool_use_id": part.tool_call_id, "content": content}
    failed = part.part_kind == "retry-prompt" or part.outcome in ("failed", "retried")
    return {**block, "is_error": True} if failed else block


def _content(items: Iterable[Any]) -> list[dict[str, Any]]:
    return [block for item in items if (block := _said(item)) is not None]


def _said(item: Any) -> dict[str, Any] | None:
    """Write one item of what a person says or a tool gives back: a text, or a file by its data or address."""
    kind = getattr(item, "kind", "text")
    if kind == "cache-point":
        return None
    if kind == "binary":
        data, is_image = b64encode(item.data).decode(), item.media_type.startswith("image/")
        source = {"type": "base64", "media_type": item.media_type, "data": data}
        return {"type": "image" if is_image else "document", "source": source}
    if kind.endswith("-url"):
        source = {"type": "url", "url": item.url}
        return {"type": "image" if kind == "image-url" else "document", "source": source}
    if kind == "uploaded-file":
        return {"type": "document", "source": {"type": "file", "file_id": item.file_id}}
    return {"type": "text", "text": item if isinstance(item, str) else item.content}


def _block(part: Any) -> dict[str, Any]:
    """Write a part of a response; what only its provider understands goes whole, and is carried."""
    kind = part.part_kind
    if kind == "text":
        return {"type": "text", "text": part.content}
    if kind == "thinking":
        return {"type": "thinking", "thinking": part.content, "signature": part.signature or ""}
    if kind == "tool-call":
        called = {"id": part.tool_call_id, "name": part.tool_name}
        return {"type": "tool_use", **called, "input": _arguments(part.args)}
    whole = ModelMessagesTypeAdapter.dump_python([ModelResponse(parts=[part])], mode="json")
    return {"type": kind, "part": whole[0]["parts"][0]}


def _arguments(args: str | dict[str, Any] | None) -> Any:
    if not isinstance(args, str):
        return args or {}
    try:
        read = json.loads(args)
    except ValueError:
        return args
    return read if isinstance(read, dict) else args


def _changed(part: Any, value: Any) -> Any:
    """Give a tool's result the text that is left of it; a typed result, and all else, stays as it is."""
    if type(part) is not ToolReturnPart and part.part_kind != "retry-prompt":
        return part
    before = _result(part)
    after = next((b for b in value["content"] if b.get("tool_use_id") == part.tool_call_id), before)
    if after == before:
        return part
    text = _text(after["content"])
    files = getattr(part, "files", ())
    return replace(part, content=[text, *files] if files else text)


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(b["text"] for b in content if "text" in b)


def _made(value: Any) -> ModelMessage:
    content = value["content"]
    if value["role"] == "assistant":  # blocks that are carried, of a response that is gone
        message = {"kind": "response", "parts": [block["part"] for block in content if "part" in block]}
        return ModelMessagesTypeAdapter.validate_python([message])[0]
    results = [b for b in content if not isinstance(b, str) and b["type"] == "tool_result"]
    made: list[Any] = [ToolReturnPart("unknown", _text(b["content"]), b["tool_use_id"]) for b in results]
    return ModelRequest(parts=made or [UserPromptPart(_text(content))])
