"""Threads in LangGraph: `ThreadMemoryMiddleware`, the state pruned into a store; extras `langchain` and `sql`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from condense.adapters.items import rejoined
from condense.adapters.langchain import WRITING, HoldfastMiddleware
from condense.adapters.threads.checkpoints import delete_checkpoints, prune_checkpoints
from condense.adapters.threads.keeping import ThreadMemory
from memory.conversation import Form
from memory.entries import ThreadMessage

try:
    from langchain.tools import ToolRuntime  # noqa: TC002  # LangChain reads the tool's annotations
    from langchain_core.messages import RemoveMessage
    from langchain_core.tools import StructuredTool
    from langgraph.config import get_config
except ImportError as missing:
    raise ImportError(
        "condense.adapters.threads.langgraph needs LangChain: pip install 'holdfast-context[langchain]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain.agents.middleware.types import ModelRequest
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from condense.adapters.threads.keeping import Strategy

__all__ = ["ThreadMemoryMiddleware", "delete_thread", "prune_checkpoints"]
RECALL = (
    "Look up what was said or done earlier in this conversation and is no longer shown: the recallable topics, or "
    "anything else. Ask in a few words: names, files, errors."
)


class ThreadMemoryMiddleware(HoldfastMiddleware):
    """Prunes a long thread's state into a store, and sends summary, topics and what fits of the rest.

    Before a run, a thread of more than 200 messages (`MEMORY_MAX_MESSAGES_PER_THREAD`) loses its oldest: their topics,
    searchable pieces and summary are in the store before they leave the state. What one call is sent changes neither
    state nor store. The model is offered `recall_memory`. Old checkpoints still hold what was removed, until
    `prune_checkpoints`. Graphs without a `thread_id` are left as they are.

    Args:
        threads: a `ThreadMemory`; by default the one that the documented environment variables name.
        strategy: "planner" or "tiers"; a run's `configurable["memory_strategy"]` goes before it.
        more: see `HoldfastMiddleware`; its limits count for graphs without a thread.
    """

    def __init__(
        self, threads: ThreadMemory | None = None, *, strategy: Strategy | None = None, **more: Any
    ) -> None:
        self.threads = threads or ThreadMemory.from_environment()
        self._strategy = strategy
        super().__init__(**{"on_error": self.threads.failed, **more})

    def before_agent(self, state: Mapping[str, Any], runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002
        """Note that the thread is in use, and prune it where it is too long."""
        thread = _thread()
        if not thread:
            return None
        try:
            self.threads.touch(thread)
            wires = [(m.id, WRITING.write(m)) for m in state["messages"]]
            given = [
                ThreadMessage(f"{name}#{k}" if k else str(name), value)
                for name, values in wires
                for k, value in enumerate(values)
            ]
            pruned = self.threads.prune(thread, given, form=Form.OPENAI_CHAT)
            gone = [name for name in pruned.removable if "#" not in name]
        except Exception as error:  # noqa: BLE001  # pruning can wait; the run it stands before cannot
            self.conversations.failed(error)
            return None
        return {"messages": [RemoveMessage(id=name) for name in gone]} if gone else None

    async def abefore_agent(self, state: Mapping[str, Any], runtime: Any) -> dict[str, Any] | None:
        """Do the same in a thread of the process."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def _smaller(self, request: ModelRequest[Any], refused: ModelRequest[Any] | None = None) -> ModelRequest[Any]:
        thread = _thread()
        if not thread or refused is not None:
            return super()._smaller(request, refused)
        try:
            messages: list[Any] = request.messages
            wires = [tuple(WRITING.write(message)) for message in messages]
            flat = [value for wire in wires for value in wire]
            sent = self.threads.view(
                thread,
                flat,
                strategy=_told("memory_strategy") or self._strategy,
                system=self._overhead(request),
                form=Form.OPENAI_CHAT,
            )
            if sent is flat:
                return request
            smaller: list[Any] = rejoined(messages, wires, sent, WRITING, {})
            return request.override(messages=smaller)
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            self.conversations.failed(error)
            return request

    def _recall_tool(self) -> StructuredTool:
        def recall_memory(query: str, runtime: ToolRuntime) -> str:  # noqa: ARG001
            thread = _thread()
            return self.threads.recall(thread, query) if thread else "This conversation has no memory."

        return StructuredTool.from_function(recall_memory, description=RECALL)


def delete_thread(threads: ThreadMemory, saver: BaseCheckpointSaver[Any] | None, thread_id: str) -> dict[str, int]:
    """Remove all of a thread, in the store and in the checkpointer's tables; return how many rows of what went.

    In the loop of an async saver call it by `asyncio.to_thread`. `CondenseFailure` where anything is left afterwards:
    the rows of both are counted again.
    """
    gone = {} if saver is None else delete_checkpoints(saver, thread_id)
    return {**gone, **threads.delete(thread_id)}


def _told(name: str) -> Any:
    try:
        return get_config().get("configurable", {}).get(name)
    except RuntimeError:  # not called by a graph
        return None


def _thread() -> str:
    return str(_told("thread_id") or "")
