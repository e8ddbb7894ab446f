"""LangChain and LangGraph: agents that send less and forget nothing of what was said; extra `langchain`.

`HoldfastMiddleware` stands where `SummarizationMiddleware` stood. Messages become OpenAI's dicts by LangChain's own
converter, to be read; what is sent are the very message objects, so ids, usage, artifacts and signed thinking stay.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from condense.adapters.conversations import RECALL, Conversations
from condense.adapters.items import Part, Writing
from condense.adapters.limits import FULL, LEAST, Limits
from condense.compaction import Condenser
from condense.config import CondenseConfig, TokenBudget
from condense.errors import SummarizerError
from condense.reading import OPENING
from memory.conversation import Form, count_message, default_counter, parse_messages

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain.tools import ToolRuntime  # noqa: TC002  # LangChain reads the tool's annotations
    from langchain_core.exceptions import ContextOverflowError
    from langchain_core.messages import (
        BaseMessage,
        HumanMessage,
        ToolMessage,
        convert_to_messages,
        convert_to_openai_messages,
    )
    from langchain_core.tools import StructuredTool
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langgraph.config import get_config
except ImportError as missing:
    raise ImportError(
        "condense.adapters.langchain needs LangChain: pip install 'holdfast-context[langchain]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from langchain.agents.middleware.types import ModelRequest, ModelResponse
    from langchain_core.language_models import BaseChatModel

    from condense.adapters.limits import Size, Trigger
    from memory import PersistentMemoryManager
    from memory.entries import ProjectStore


MOST_TOOLS = 1_000
"""Tools whose tokens are remembered; where they are made anew for each call, they would pile up (chosen)."""
INSIDE_TOOL = "tools:"
"""Begins the place of a graph that a tool runs, a sub-agent: what it is asked was not typed by a person."""
REFUSED = (
    "no model writes its summaries (holdfast_summarizer is for a SummarizationMiddleware), and what was folded comes "
    "back by recall_memory, not from a backend; its limits are trigger=, keep= and target="
)


def _written(message: BaseMessage) -> list[dict[str, Any]]:
    """Write a message as OpenAI's dicts: to be read and counted, it is not what is sent."""
    if message.additional_kwargs.get("lc_source") == "summarization" and OPENING in message.text:
        return [
            {"role": "user", "content": message.text[message.text.index(OPENING) :]}
        ]  # theirs holds one of ours
    try:
        return convert_to_openai_messages([message])
    except (AttributeError, KeyError, TypeError, ValueError):  # a block that OpenAI's messages do not know
        bare = convert_to_openai_messages([message.model_copy(update={"content": ""})])
        blocks = [b if isinstance(b, str) else {"type": "block", **b} for b in message.content]
        return [{**bare[0], "content": blocks}]


def _rebuilt(message: BaseMessage | None, parts: Sequence[Part]) -> BaseMessage:
    """Make a message of what is sent in its place: a summary, or a result cut down to the lines that count."""
    value = dict(parts[0].value)
    if isinstance(message, ToolMessage):
        return message.model_copy(update={"content": value["content"]})
    if message is not None and len(parts) > 1:
        return message
    made = convert_to_messages([value])[0]
    if message is None and isinstance(made, HumanMessage):
        made.additional_kwargs["lc_source"] = "summarization"  # as LangChain marks its own
    return made


WRITING = Writing(Form.OPENAI_CHAT, _written, _rebuilt)


def _wires(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    return [value for message in messages for value in _written(message)]


class HoldfastMiddleware(AgentMiddleware):
    """Sends a view of the conversation that fits; the state, and what a checkpointer keeps, hold everything.

    What the person said stays word for word, and no model is called for it. One line is enough:
    `create_agent(model, tools, middleware=[HoldfastMiddleware()])`. It has the name of LangChain's
    `SummarizationMiddleware`, so `create_deep_agent(middleware=[...])` takes it in place of its own, for the
    general-purpose sub-agent, too; sub-agents that you describe need it in their own `middleware` (the same object will
    do). Graphs of your own call `view`.

    Conversations are told apart by `thread_id`, without one by how they begin; a sub-agent's is one of its own.
    `last_error` is the newest failure that was swallowed: an agent goes on with all its messages then. A request that
    the model refuses as too long (`ContextOverflowError`) is halved and sent once more.

    Args:
        model: a model whose `profile` tells the window where that of the model called does not; never called itself.
            Where neither tells, the window is 200,000 tokens.
        trigger: when to compact: ("tokens", n), ("messages", n) or ("fraction", f) of the window; a dict of several
            that must all hold; a list of which one must. They look at what would be sent, and at messages alone; what
            the window holds besides is kept free for system prompt and tools. None is ("fraction", 0.8).
        keep: ("messages", n): the newest n stay as they are; ("tokens", n) or ("fraction", f): the same as `target`.
        target: what a compaction leaves of the messages, its summary included: tokens, or a pair as above. None is 0.44
            of the trigger.
        memory: the memory of the project, or a folder in it; what the person says is saved there as it is said, and
            what earlier tasks said is offered to every compaction.
        store: a store, or its file, for compactions and originals; with one, another process goes on byte for byte.
        config: further settings; its budget takes the place of the window, the trigger and the target.
        token_counter: messages -> tokens, in place of ours for `trigger`.
        recall: offer the tool `recall_memory` once something was folded.
        on_error: see `Conversations`.
        others: `trim_tokens_to_summarize` is taken and not needed. What has no meaning here is a `TypeError`.
    """

    def __init__(  # noqa: PLR0913  # theirs, and ours
        self,
        model: str | BaseChatModel | None = None,
        *,
        trigger: Trigger | None = None,
        keep: Size | None = None,
        target: int | Size | None = None,
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
        config: CondenseConfig | None = None,
        token_counter: Callable[[Sequence[BaseMessage]], int] | None = None,
        recall: bool = True,
        on_error: Callable[[Exception], object] | None = None,
        **others: Any,
    ) -> None:
        super().__init__()
        if wrong := others.keys() - {"trim_tokens_to_summarize"}:
            raise TypeError(f"HoldfastMiddleware takes no {', '.join(wrong)}; {REFUSED}")
        self.model = model
        self.token_counter = token_counter
        self._fixed = config is not None
        config = (config or CondenseConfig()).model_copy(update={"reach": "recall_memory" if recall else ""})
        budget = config.budget
        if trigger is None:
            trigger = ("tokens", budget.trigger) if self._fixed else ("fraction", FULL)
            target = budget.target if self._fixed and target is None and keep is None else target
        self._limits = Limits(trigger, keep, target)
        self.conversations = Conversations(config, memory=memory, store=store, on_error=on_error)
        self._count = lru_cache(maxsize=16)(self.conversations.count)
        self._tools: dict[int, tuple[Any, int]] = {}
        self.tools = [self._recall_tool()] if recall else []

    @property
    def name(self) -> str:
        """The name of what it replaces; an agent takes one of each."""
        return "SummarizationMiddleware"

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that was swallowed; None as long as there was none."""
        return self.conversations.last_error

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with what fits."""
        sent = self._smaller(request)
        try:
            return handler(sent)
        except ContextOverflowError:
            again = self._smaller(request, refused=sent)
            if again is sent:
                raise
            return handler(again)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Do the same; what takes time is done in a thread."""
        sent = await asyncio.to_thread(self._smaller, request)
        try:
            return await handler(sent)
        except ContextOverflowError:
            again = await asyncio.to_thread(self._smaller, request, refused=sent)
            if again is sent:
                raise
            return await handler(again)

    def view(
        self, messages: Sequence[BaseMessage], thread_id: str = "", *, model: Any = None, overhead: int = 0
    ) -> list[BaseMessage]:
        """Return what to send of a conversation, in a node of your own graph; never raises.

        The thread is the graph's own, where none is given. `model` tells the window, `overhead` the tokens of what is
        sent besides: a system prompt that is no message, and tools. Bind `self.tools`, or say `recall=False`.
        """
        return list(self._viewed(_place(thread_id)[0], messages, overhead, self._window_of(model)))

    async def aview(self, messages: Sequence[BaseMessage], thread_id: str = "", **more: Any) -> list[BaseMessage]:
        """Do the same in a thread."""
        return await asyncio.to_thread(partial(self.view, messages, thread_id, **more))

    def _smaller(self, request: ModelRequest[Any], refused: ModelRequest[Any] | None = None) -> ModelRequest[Any]:
        """Return the request to send; the one that was refused where no smaller one can be made."""
        try:
            name, in_tool = _place()
            if self.conversations.memory is not None and not in_tool:
                self.conversations.save(name, _wires(request.messages), form=Form.OPENAI_CHAT)
            overhead, window = self._overhead(request), self._window_of(request.model)
            sent: Sequence[Any] = self._viewed(name, request.messages, overhead, window, halve=refused is not None)
            if refused is not None and list(sent) == refused.messages:
                return refused
            useful = sent is not request.messages or self.conversations.memory is not None
            tools = [tool for tool in request.tools if useful or not any(tool is own for own in self.tools)]
            if sent is request.messages and len(tools) == len(request.tools):
                return request
            return request.override(messages=list(sent), tools=tools)
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            self.conversations.failed(error)
            return refused or request

    def _viewed(
        self,
        name: str,
        messages: Sequence[BaseMessage],
        overhead: int,
        window: int,
        *,
        halve: bool = False,
    ) -> Sequence[BaseMessage]:
        def due(tokens: int, number: int, counted: int | None = None) -> int:
            said, room = tokens - overhead, max(window - overhead, window // 10)
            aim = said // 2 if halve else self._limits.aim(said, number, room, counted)
            return aim and overhead + aim

        config = self.conversations.config
        if config.budget.window != window:
            config = config.model_copy(update={"budget": TokenBudget.for_window(window)})
        look = partial(
            self.conversations.view_items, name, messages, WRITING,
            config=config, overhead=overhead, keep=self._limits.keep,
        )  # fmt: skip
        if self.token_counter is None or halve:
            return look(due=due)
        return look(due=partial(due, counted=self.token_counter(look(due=partial(due, counted=0)))))

    def _window_of(self, model: Any) -> int:
        """Return the tokens that a model takes in, as its profile tells."""
        for profile in (getattr(one, "profile", None) for one in (model, self.model)):
            told = profile.get("max_input_tokens") if isinstance(profile, Mapping) else None
            if isinstance(told, int) and not self._fixed:
                return told
        return self.conversations.config.budget.window

    def _overhead(self, request: ModelRequest[Any]) -> int:
        """Count system prompt and tools."""
        system = request.system_message.text if request.system_message else ""
        return self._count(system) + sum(map(self._tool_tokens, request.tools))

    def _tool_tokens(self, tool: Any) -> int:
        """Count a tool, once: writing its schema takes a millisecond."""
        held, tokens = self._tools.get(id(tool), (None, 0))
        if held is not tool:
            written = tool if isinstance(tool, dict) else convert_to_openai_tool(tool)
            tokens = self.conversations.count(json.dumps(written, ensure_ascii=False, default=str))
            if len(self._tools) > MOST_TOOLS:
                self._tools.clear()
            self._tools[id(tool)] = tool, tokens
        return tokens

    def _recall_tool(self) -> StructuredTool:
        def recall_memory(query: str, runtime: ToolRuntime) -> str:
            try:
                name, _ = _place()
                values = _wires(runtime.state["messages"]) if not name or name.endswith("/") else ()
                return self.conversations.recall(name, query, values=values)
            except Exception as error:  # noqa: BLE001  # a tool that raises ends the run
                self.conversations.failed(error)
                return f"Nothing could be looked up: {type(error).__name__}."

        return StructuredTool.from_function(recall_memory, description=RECALL)


def holdfast_summarizer(messages: Sequence[BaseMessage], target: int = 0) -> str:
    """Summarise without a model: `SummarizationMiddleware(summarizer=holdfast_summarizer, ...)`, sync and async.

    Say `trim_tokens_to_summarize=None` there too, or only the last 4,000 tokens are seen here. `target`: tokens of the
    summary (`functools.partial`), by default an eighth of what is summarised, 2,000 to 8,000. `SummarizerError` where
    nothing can be made.
    """
    values, count = _wires(messages), default_counter()
    size = sum(count_message(message, count) for message in parse_messages(values, Form.OPENAI_CHAT))
    target = target or min(max(size // 8, LEAST), 4 * LEAST)
    condenser = Condenser(CondenseConfig(reach=""))
    while True:
        done = condenser.summarize(values, target=target, form=Form.OPENAI_CHAT)
        if done.summary:
            return done.summary
        if target > size:
            raise SummarizerError(f"{size} tokens, to {target}: {done.error}")
        target *= 2


def _place(thread_id: str = "") -> tuple[str, bool]:
    """Name the conversation of the graph that runs here, and say whether a tool runs it, a sub-agent.

    The place of a graph inside another is new in each run, so there the beginning completes the name.
    """
    try:
        told = get_config().get("configurable", {})
    except RuntimeError:  # not called by a graph
        told = {}
    outer = str(told.get("checkpoint_ns") or "").split("|")[:-1]
    thread = str(thread_id or told.get("thread_id") or "")
    return f"{thread}/" if thread and outer else thread, any(part.startswith(INSIDE_TOOL) for part in outer)
