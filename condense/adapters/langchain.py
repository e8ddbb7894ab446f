"""LangChain and LangGraph: agents that send less and forget nothing of what was said; extra `langchain`.

`HoldfastMiddleware` stands where `SummarizationMiddleware` stood. Messages become OpenAI's dicts by LangChain's own
converter, to be read; what is sent are the very message objects, so ids, usage, artifacts and signed thinking stay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from condense.adapters.conversations import Conversations
from condense.adapters.items import Part, Writing
from condense.compaction import Condenser
from condense.config import CondenseConfig, TokenBudget
from condense.errors import SummarizerError
from memory.conversation import Form, count_frame, count_message, default_counter, parse_messages

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain.tools import ToolRuntime  # noqa: TC002  # LangChain reads the tool's annotations
    from langchain_core.exceptions import ContextOverflowError
    from langchain_core.messages import (
        AIMessage,
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

    from memory import PersistentMemoryManager
    from memory.entries import ProjectStore

    Size = tuple[str, float]
    Clause = Mapping[str, float]
    Trigger = Size | Clause | list[Size | Clause]

FULL, SHARE, LEAST, WORTH = 0.8, 0.44, 2_000, 1.1
"""Share of the window that triggers; share of the trigger that a compaction leaves (where messages alone trigger, of what
there is, but not less than so many tokens); and how much more than that there must be.  All chosen."""
INSIDE_TOOL = "tools:"
"""Begins the place of a graph that a tool runs, a sub-agent: what it is asked was not typed by a person."""
REFUSED = {
    "summarizer": "no model is asked here; see holdfast_summarizer for the opposite way",
    "summary_prompt": "no model is asked here: what was said is quoted",
    "max_tokens_before_summary": "it is trigger=('tokens', n) now",
    "messages_to_keep": "it is keep=('messages', n) now",
    "backend": "what was folded comes back by the tool recall_memory",
    "truncate_args_settings": "arguments of older calls are folded with them",
}
RECALL = (
    "Look up what was said or done earlier in this conversation, or in earlier tasks of this project, and is no longer "
    "shown. Ask in a few words (names, files, errors), or give a handle (hf_...) to get one original back in full."
)


def _written(message: BaseMessage) -> list[dict[str, Any]]:
    """Write a message as OpenAI's dicts: to be read and counted, it is not what is sent."""
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


class HoldfastMiddleware(AgentMiddleware[Any, Any, Any]):
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
        for name in others.keys() - {"trim_tokens_to_summarize"}:
            raise TypeError(
                f"HoldfastMiddleware takes no {name!r}: {REFUSED.get(name, 'there is no such thing')}"
            )
        self.model = model
        self.token_counter = token_counter
        self._fixed = config is not None
        config = (config or CondenseConfig()).model_copy(update={"reach": "recall_memory" if recall else ""})
        budget = config.budget
        self._clauses = _clauses(
            trigger or (("tokens", budget.trigger) if self._fixed else ("fraction", FULL))
        )
        aim = ("tokens", target) if isinstance(target, int) else target
        self._keep = 0
        if keep is not None and _sized("keep", keep)[0] == "messages":
            self._keep = int(keep[1])
        elif keep is not None:
            aim = aim or keep
        if aim is None and trigger is None and self._fixed:
            aim = ("tokens", budget.target)
        self._target: Clause = dict([_sized("target", aim, ("tokens", "fraction"))] if aim else ())
        self.conversations = Conversations(config, memory=memory, store=store, on_error=on_error)
        self._framed: tuple[str, list[Any], int] = ("", [], 0)
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
            answer = handler(sent)
        except ContextOverflowError:
            again = self._smaller(request, refused=sent)
            if again is sent:
                raise
            answer = handler(again)
        self._save(request, answer)
        return answer

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Do the same; what takes time is done in a thread."""
        sent = await asyncio.to_thread(self._smaller, request)
        try:
            answer = await handler(sent)
        except ContextOverflowError:
            again = await asyncio.to_thread(self._smaller, request, refused=sent)
            if again is sent:
                raise
            answer = await handler(again)
        await asyncio.to_thread(self._save, request, answer)
        return answer

    def view(
        self, messages: Sequence[BaseMessage], thread_id: str = "", *, model: Any = None, overhead: int = 0
    ) -> list[BaseMessage]:
        """Return what to send of a conversation, in a node of your own graph; never raises.

        The thread is the graph's own, where none is given. `model` tells the window, `overhead` the tokens of what is
        sent besides: a system prompt that is no message, and tools. Bind `self.tools`, or say `recall=False`.
        """
        return list(self._viewed(_place(thread_id)[0], messages, overhead, self._window_of(model)))

    async def aview(
        self, messages: Sequence[BaseMessage], thread_id: str = "", **more: Any
    ) -> list[BaseMessage]:
        """Do the same in a thread."""
        return await asyncio.to_thread(partial(self.view, messages, thread_id, **more))

    def _smaller(
        self, request: ModelRequest[Any], refused: ModelRequest[Any] | None = None
    ) -> ModelRequest[Any]:
        """Return the request to send; the one that was refused where no smaller one can be made."""
        try:
            name, in_tool = _place()
            if refused is None and not in_tool and isinstance(request.messages[-1], HumanMessage):
                self.conversations.save(name, _wires(request.messages), form=Form.OPENAI_CHAT)
            overhead, window = self._overhead(request), self._window_of(request.model)
            sent = self._viewed(name, request.messages, overhead, window, halve=refused is not None)
            if refused is not None and list(sent) == refused.messages:
                return refused
            useful = sent is not request.messages or self.conversations.memory is not None
            tools = [tool for tool in request.tools if useful or not any(tool is own for own in self.tools)]
            if sent is request.messages and len(tools) == len(request.tools):
                return request
            return request.override(messages=cast("list[Any]", list(sent)), tools=tools)
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
            said = tokens - overhead
            room = max(window - overhead, window // 10)
            aim = said // 2 if halve else self._aim(said, said if counted is None else counted, number, room)
            return aim and overhead + aim

        config = self.conversations.config
        if config.budget.window != window:
            config = config.model_copy(update={"budget": TokenBudget.for_window(window)})
        look = partial(
            self.conversations.view_items, name, messages, WRITING,
            config=config, overhead=overhead, keep=self._keep,
        )  # fmt: skip
        if self.token_counter is None or halve:
            return look(due=due)
        return look(due=partial(due, counted=self.token_counter(look(due=partial(due, counted=0)))))

    def _aim(self, said: int, counted: int, number: int, room: int) -> int:
        """Return what `said` tokens of `number` messages should come down to now, 0 where they may stay.

        `counted`: what they are by the counter that triggers go by.
        """
        limits = [(c.get("messages", 0), _tokens(c, room)) for c in self._clauses]
        met = [tokens for least, tokens in limits if number >= least and counted >= tokens]
        if not met and said <= room:
            return 0
        aim = _tokens(self._target, room)
        if not aim:
            aim = int(SHARE * min(met)) if any(met) else max(LEAST, int(SHARE * said))
        aim = min(aim, int(FULL * room))
        return aim if said > WORTH * aim else 0

    def _window_of(self, model: Any) -> int:
        """Return the tokens that a model takes in, as its profile tells."""
        for profile in (getattr(one, "profile", None) for one in (model, self.model)):
            told = profile.get("max_input_tokens") if isinstance(profile, Mapping) else None
            if isinstance(told, int) and not self._fixed:
                return told
        return self.conversations.config.budget.window

    def _overhead(self, request: ModelRequest[Any]) -> int:
        """Count system prompt and tools; they seldom change, and writing a tool's schema takes its time."""
        system, tools = request.system_message.text if request.system_message else "", request.tools
        said, held, tokens = self._framed
        if (
            said != system
            or len(held) != len(tools)
            or any(a is not b for a, b in zip(held, tools, strict=True))
        ):
            written = [tool if isinstance(tool, dict) else convert_to_openai_tool(tool) for tool in tools]
            tokens = count_frame({"system": system, "tools": written}, self.conversations.count)
            self._framed = (system, list(tools), tokens)
        return tokens

    def _save(self, request: ModelRequest[Any], answer: ModelResponse[Any]) -> None:
        """Save what a person said through tools, at the end of a turn; the rest was saved when it came."""
        name, in_tool = _place()
        done = not any(message.tool_calls for message in answer.result if isinstance(message, AIMessage))
        if done and not in_tool and not isinstance(request.messages[-1], HumanMessage):
            self.conversations.save(name, _wires(request.messages), form=Form.OPENAI_CHAT)

    def _recall_tool(self) -> StructuredTool:
        def recall_memory(query: str, runtime: ToolRuntime) -> str:
            name, _ = _place()
            values = _wires(runtime.state["messages"]) if not name or name.endswith("/") else ()
            return self.conversations.recall(name, query, values=values)

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
    while True:
        done = Condenser().summarize(values, target=target, form=Form.OPENAI_CHAT)
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


def _clauses(trigger: Any) -> list[Clause]:
    """Read a trigger: any of these, all of each."""
    clauses: list[Clause] = []
    for item in trigger if isinstance(trigger, list) else [trigger]:
        pairs = item.items() if isinstance(item, Mapping) else [item] if isinstance(item, tuple) else None
        if not pairs:
            raise ValueError(f"trigger: {item!r} should be a pair or a dict, such as ('tokens', 50_000)")
        clauses.append(dict(_sized("trigger", pair) for pair in pairs))
    return clauses


def _sized(name: str, size: Any, kinds: tuple[str, ...] = ("tokens", "fraction", "messages")) -> Size:
    """Check a pair of a kind and a number."""
    kind, value = size if isinstance(size, tuple) and len(size) == 2 else (None, size)  # noqa: PLR2004  # a pair
    if kind not in kinds:
        raise ValueError(f"{name}: {size!r} should be a pair, its first {' or '.join(map(repr, kinds))}")
    whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
    if not (isinstance(value, int | float) and 0 < value <= 1 if kind == "fraction" else whole):
        right = "above 0 and at most 1" if kind == "fraction" else "a whole number above 0"
        raise ValueError(f"{name}: {value!r} of {kind!r} should be {right}")
    return kind, value


def _tokens(clause: Clause, room: int) -> int:
    """Return the most tokens that a clause names, 0 where it names none."""
    return max(int(clause.get("tokens", 0)), int(clause.get("fraction", 0) * room))
