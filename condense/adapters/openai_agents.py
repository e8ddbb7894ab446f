"""Compact what the OpenAI Agents SDK sends, by a filter of each model call, or a session; extra `openai-agents`.

    holdfast = HoldfastFilter()
    result = await Runner.run(agent, ask, session=session, run_config=RunConfig(call_model_input_filter=holdfast))

The request alone is compacted: the session keeps every item. `HoldfastSession` is for sessions that must not grow.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from condense.adapters.conversations import RECALL, Conversations, beginning
from condense.config import CondenseConfig
from memory.conversation import Form, count_frame

try:
    from agents import FunctionTool, function_tool
    from agents.memory import SessionABC
    from agents.run import ModelInputData
    from agents.tracing import get_current_trace
except ImportError as missing:
    raise ImportError(
        "condense.adapters.openai_agents needs the SDK: pip install 'holdfast-context[openai-agents]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agents import Agent, TResponseInputItem
    from agents.memory import Session
    from agents.run import CallModelData

    from memory import PersistentMemoryManager
    from memory.entries import ProjectStore

EVERY_ITEM = 1_000_000_000
"""A limit that no session reaches: one given in the session's settings must not make pruning lose what it hides."""
TOLD = "name tool_name description tool_description params_json_schema input_json_schema".split()
"""What a tool or handoff tells the model of itself."""
DEFAULTS = CondenseConfig(reach="")
_CALLED: ContextVar[CallModelData[Any]] = ContextVar("called")
"""The newest call of the model in this run: a tool's task is started from there."""


class HoldfastFilter:
    """A `call_model_input_filter`: sends the compacted view of each conversation; an exception never ends the run.

    Args:
        config: settings; the defaults are for a window of 200,000 tokens, as the SDK does not tell a model's.
        conversation: the name of the conversation, or what tells it from the call (`lambda data: data.context.user`);
            by default conversations are told apart by the run's `group_id` and by how they begin.
        memory, store, on_error: as `Conversations` takes them.

    A call is awaited and compacts in a thread; `filter` does the same in step with the caller.  Where the server holds
    the history (`previous_response_id`, `conversation_id`) the calls go out as they are.  `conversations` has records,
    `undo`, `recall` and `save`.

    `recall_memory` is a tool for agents (`Agent(tools=[holdfast.recall_memory])`): it looks up what was folded, or what
    earlier tasks of the project said.
    """

    def __init__(
        self,
        config: CondenseConfig | None = None,
        *,
        conversation: str | Callable[[CallModelData[Any]], str] = "",
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        self._conversation = conversation
        self.conversations = Conversations(config or DEFAULTS, memory=memory, store=store, on_error=on_error)
        self.recall_memory = self._tool()

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that was swallowed, None as long as there was none."""
        return self.conversations.last_error

    async def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """Return what to send, worked out in a thread."""
        _CALLED.set(data)
        return await asyncio.to_thread(self.filter, data)

    def filter(self, data: CallModelData[Any]) -> ModelInputData:
        """Return what to send; items that stay are the very objects that came in."""
        _CALLED.set(data)
        given = data.model_data
        items: list[Any] = given.input
        try:
            if _answers_elsewhere(items):
                return given
            sent = self.conversations.view(
                self._name(data, items),
                items,
                form=Form.OPENAI_RESPONSES,
                config=self._config(data.agent),
                overhead=self._overhead(data.agent, given.instructions),
            )
        except Exception as error:  # noqa: BLE001  # the SDK ends a run whose filter raises
            self.conversations.failed(error)
            return given
        return given if sent is items else ModelInputData(input=list(sent), instructions=given.instructions)

    def _config(self, agent: Agent[Any]) -> CondenseConfig | None:
        """Return settings that name our tool to an agent that has it; None for the common ones."""
        if any(tool is self.recall_memory for tool in agent.tools):
            return self.conversations.config.model_copy(update={"reach": self.recall_memory.name})
        return None

    def _tool(self) -> FunctionTool:
        async def recall_memory(query: str) -> str:
            data = _CALLED.get()
            items: list[Any] = data.model_data.input
            recall = self.conversations.recall
            return await asyncio.to_thread(recall, self._name(data, items), query, values=items)

        def failed(_: Any, error: Exception) -> str:
            self.conversations.failed(error)
            return f"Nothing could be looked up: {type(error).__name__}."

        return function_tool(recall_memory, description_override=RECALL, failure_error_function=failed)

    def _name(self, data: CallModelData[Any], items: Sequence[Any]) -> str:
        if self._conversation:
            named = self._conversation
            return named if isinstance(named, str) else named(data)
        group = getattr(get_current_trace(), "group_id", None)
        # a sub-agent runs in the same group, with a history of its own
        return f"{group}/{beginning(items)}" if group else ""

    def _overhead(self, agent: Agent[Any], instructions: str | None) -> int:
        """Count instructions, tools and handoffs; tools of MCP servers are not known here."""
        held: list[Any] = [*agent.tools, *agent.handoffs]
        tools = [
            {key: told for key in TOLD if isinstance(told := getattr(one, key, None), str | dict)} for one in held
        ]
        return count_frame({"instructions": instructions, "tools": tools}, self.conversations.count)


class HoldfastSession(SessionABC):
    """A session around another: runs begin with the compacted view, and `prune` removes what was folded for good.

    Args:
        inner: the session that holds the items.
        config, memory, store, on_error: as `HoldfastFilter` takes them.

    A view is made where a run begins.  For runs that outgrow the window themselves, use `HoldfastFilter` beside it.
    """

    def __init__(
        self,
        inner: Session,
        config: CondenseConfig | None = None,
        *,
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        self.inner = inner
        self.session_id = inner.session_id
        self.session_settings = getattr(inner, "session_settings", None)
        self.conversations = Conversations(config or DEFAULTS, memory=memory, store=store, on_error=on_error)

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that was swallowed, None as long as there was none."""
        return self.conversations.last_error

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the view of all items; with a limit, the newest items as they are."""
        if limit is not None:
            return await self.inner.get_items(limit)
        return list(await self._view(await self.inner.get_items()))

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items to the inner session."""
        await self.inner.add_items(items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the newest item off the inner session."""
        return await self.inner.pop_item()

    async def clear_session(self) -> None:
        """Clear the inner session."""
        await self.inner.clear_session()

    async def prune(self) -> int:
        """Put the view in the place of the inner session's items; return how many fewer they are.

        Compacts whatever is above the target.  Originals stay in the `store`, or in this process where there is none
        (`conversations.recall` fetches them by their handles).  Call it between runs: what another adds meanwhile is
        lost.  What the inner session raises goes through, with its items put back.
        """
        limited = getattr(self.session_settings, "limit", None) is not None
        items = await self.inner.get_items(EVERY_ITEM if limited else None)
        sent = await self._view(items, due=True)
        if sent is items:
            return 0
        await asyncio.shield(self._replace(items, list(sent)))
        return len(items) - len(sent)

    async def _replace(self, items: list[TResponseInputItem], pruned: list[TResponseInputItem]) -> None:
        await self.inner.clear_session()
        put = False
        try:
            await self.inner.add_items(pruned)
            put = True
        finally:
            if not put:
                await self.inner.clear_session()
                await self.inner.add_items(items)

    async def _view(self, items: list[Any], *, due: bool | None = None) -> Sequence[Any]:
        return await self.conversations.view_async(self.session_id, items, form=Form.OPENAI_RESPONSES, due=due)


def _answers_elsewhere(items: Sequence[Any]) -> bool:
    """Say whether outputs stand without their calls: the server holds the history, and these are what is new."""
    called = {item.get("call_id") for item in items if str(item.get("type")).endswith("_call")}
    outputs = (item for item in items if str(item.get("type")).endswith("_output"))
    return any(item.get("call_id") not in called for item in outputs)
