"""LangChain's own agents, graphs and checkpointers, with a model that checks what it is sent."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import warnings
from functools import partial

import pytest
from journey import ASKS, CONFIG, RULES, WINDOW, Call, Journey

pytest.importorskip("langchain")
pytestmark = [
    pytest.mark.filterwarnings("ignore:The default value of `allowed_objects`"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:langgraph.*"),
]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
    from langchain_core.exceptions import ContextOverflowError
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import (
        AIMessage,
        AIMessageChunk,
        HumanMessage,
        SystemMessage,
        ToolMessage,
        convert_to_openai_messages,
    )
    from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.types import Command

    from condense.adapters.langchain import HoldfastMiddleware, holdfast_summarizer

from condense import CondenseConfig
from memory import PersistentMemoryManager, SqliteStore


class Model(BaseChatModel):
    """Says what `answer` says to what it is sent, and keeps it."""

    answer: object
    seen: list = []
    offered: list = []

    @property
    def _llm_type(self):
        return "fake"

    def bind_tools(self, tools, **kwargs):
        self.offered.append([getattr(t, "name", None) or t.get("name") for t in tools])
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.seen.append(list(messages))
        return ChatResult(generations=[ChatGeneration(message=self.answer(messages))])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        message = self._generate(messages).generations[0].message
        yield ChatGenerationChunk(message=AIMessageChunk(content=message.content, tool_calls=message.tool_calls))


def travelling(journey):
    """A model that goes on a journey."""

    def answer(messages):
        journey.sent(convert_to_openai_messages(messages), "openai-chat")
        said = journey.step()
        if not isinstance(said, Call):
            return AIMessage(said)
        call = {"id": said.id, "name": said.name, "args": said.arguments}
        return AIMessage("", tool_calls=[call], usage_metadata=USAGE)

    return Model(answer=answer, seen=[], offered=[])


USAGE = {"input_tokens": 7, "output_tokens": 1, "total_tokens": 8}


def reader(journey):
    @tool(response_format="content_and_artifact")
    def read_file(path: str):
        """Read a file."""
        return journey.read_file(path), {"path": path}

    return read_file


def agent_of(journey, middleware, **more):
    model = travelling(journey)
    return model, create_agent(model, [reader(journey)], middleware=[middleware], system_prompt="Be brief.", **more)


def thread(name):
    return {"configurable": {"thread_id": name}, "recursion_limit": 100}


def checked(journey, model, middleware, state):
    """Check the journey, that the state holds everything, and that what was kept are its objects."""
    journey.check()
    assert middleware.last_error is None, middleware.last_error
    assert len(state) == ASKS * 12
    assert [m.content for m in state if isinstance(m, HumanMessage)] == journey.asks
    by_id = {m.id: m for m in state}
    results = [m for m in model.seen[-1] if isinstance(m, ToolMessage)]
    assert results
    for message in results:
        assert message.artifact == by_id[message.id].artifact
        assert message.tool_call_id == by_id[message.id].tool_call_id
    assert sum(m == by_id.get(m.id) for m in model.seen[-1]) > 2
    assert any(m.usage_metadata == USAGE for m in model.seen[-1] if isinstance(m, AIMessage))


def test_a_journey_over_several_runs_of_a_thread():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    model, agent = agent_of(journey, middleware, checkpointer=InMemorySaver())
    for ask in journey.asks:
        state = agent.invoke({"messages": [("user", ask)]}, thread("a"))
    checked(journey, model, middleware, state["messages"])
    assert len(middleware.conversations.records("a")) >= 2
    assert "recall_memory" not in model.offered[0]
    assert "recall_memory" in model.offered[-1]


def test_kept_messages_are_the_very_objects():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    history = []
    for ask in journey.asks:
        history.append(HumanMessage(ask))
        for k in range(5):
            call = {"id": f"c{len(history)}", "name": "read_file", "args": {"path": f"mod_{k}.py"}}
            result = ToolMessage(journey.read_file("mod_1.py"), tool_call_id=call["id"], status="error", artifact=call)
            history += [AIMessage("", tool_calls=[call]), result]
    sent = middleware.view(history)
    own = {id(m) for m in history}
    assert len(sent) < len(history)
    assert sum(id(m) in own for m in sent) >= len(sent) - 1


@pytest.mark.parametrize("mode", ["ainvoke", "messages", "updates", "astream"])
def test_a_journey_async_and_streaming(mode):
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    model, agent = agent_of(journey, middleware, checkpointer=InMemorySaver())

    async def travel():
        for ask in journey.asks:
            given = {"messages": [("user", ask)]}
            if mode == "ainvoke":
                await agent.ainvoke(given, thread("a"))
            elif mode == "astream":
                streamed = [piece async for piece in agent.astream(given, thread("a"), stream_mode="messages")]
                assert "is written" in "".join(chunk.text for chunk, _ in streamed)
            else:
                streamed = list(agent.stream(given, thread("a"), stream_mode=mode))
                assert "is written" in str(streamed[-1])

    asyncio.run(travel())
    checked(journey, model, middleware, agent.get_state(thread("a")).values["messages"])


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_journey_kept_in_sqlite(tmp_path, kind):
    sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
    aio = pytest.importorskip("langgraph.checkpoint.sqlite.aio")
    journey, path = Journey(), str(tmp_path / "threads.db")
    middleware = HoldfastMiddleware(config=CONFIG, store=tmp_path / "store.db")

    async def travel():
        async with aio.AsyncSqliteSaver.from_conn_string(path) as saver:
            model, agent = agent_of(journey, middleware, checkpointer=saver)
            for ask in journey.asks:
                state = await agent.ainvoke({"messages": [("user", ask)]}, thread("a"))
        checked(journey, model, middleware, state["messages"])

    if kind == "async":
        asyncio.run(travel())
        return
    for ask in journey.asks:  # each as if in a process of its own
        fresh = HoldfastMiddleware(config=CONFIG, store=tmp_path / "store.db")
        with sqlite.SqliteSaver.from_conn_string(path) as saver:
            model, agent = agent_of(journey, fresh, checkpointer=saver)
            state = agent.invoke({"messages": [("user", ask)]}, thread("a"))
    checked(journey, model, fresh, state["messages"])
    records = fresh.conversations.records("a")
    assert 2 <= len(records) <= 8


def test_a_journey_without_a_checkpointer_goes_by_its_beginning():
    journey, middleware, messages = Journey(), HoldfastMiddleware(config=CONFIG), []
    model, agent = agent_of(journey, middleware)
    for ask in journey.asks:
        messages = agent.invoke({"messages": [*messages, HumanMessage(ask)]}, {"recursion_limit": 100})["messages"]
    checked(journey, model, middleware, messages)


def test_two_threads_at_once_do_not_mix():
    journeys, middleware = [Journey("north"), Journey("south")], HoldfastMiddleware(config=CONFIG)

    def travel(journey):
        _, agent = agent_of(journey, middleware, checkpointer=InMemorySaver())
        for ask in journey.asks:
            agent.invoke({"messages": [("user", ask)]}, thread(journey.name))

    threads = [threading.Thread(target=travel, args=(journey,)) for journey in journeys]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    for journey in journeys:
        journey.check()
    assert middleware.last_error is None


def test_a_graph_of_ones_own_calls_view():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG, recall=False)
    model, read_file = travelling(journey), reader(journey)

    def call_model(state):
        return {"messages": [model.invoke([SystemMessage("Be brief."), *middleware.view(state["messages"])])]}

    def call_tools(state):
        return {"messages": [read_file.invoke({**call, "type": "tool_call"}) for call in state["messages"][-1].tool_calls]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", call_model)
    graph.add_node("tools", call_tools)
    graph.add_edge(START, "model")
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("model", lambda s: "tools" if s["messages"][-1].tool_calls else "__end__")
    compiled = graph.compile(checkpointer=InMemorySaver())
    for ask in journey.asks:
        state = compiled.invoke({"messages": [("user", ask)]}, thread("a"))
    checked(journey, model, middleware, state["messages"])
    assert middleware.conversations.records("a")


def test_an_interrupted_run_goes_on():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    human = HumanInTheLoopMiddleware(interrupt_on={"read_file": True})
    model = travelling(journey)
    agent = create_agent(
        model, [reader(journey)], middleware=[middleware, human], checkpointer=InMemorySaver()
    )
    for ask in journey.asks:
        state = agent.invoke({"messages": [("user", ask)]}, thread("a"))
        while state.get("__interrupt__"):
            state = agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), thread("a"))
    checked(journey, model, middleware, state["messages"])


def test_the_model_can_recall_what_was_folded():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    _, agent = agent_of(journey, middleware, checkpointer=InMemorySaver())
    for ask in journey.asks:
        state = agent.invoke({"messages": [("user", ask)]}, thread("a"))
    handle = next(h for record in middleware.conversations.records("a") for h in record.handles)
    asked = iter(["mod_3 north_mod_3_7", handle])

    def answer(messages):
        query = next(asked, None)
        call = {"id": f"r{query}", "name": "recall_memory", "args": {"query": query}}
        return AIMessage("Done.") if query is None else AIMessage("", tool_calls=[call])

    again = create_agent(
        Model(answer=answer, seen=[], offered=[]), [reader(journey)], middleware=[middleware], checkpointer=InMemorySaver()
    )
    state = again.invoke({"messages": [*state["messages"], HumanMessage("Look it up.")]}, thread("a"))
    told = [m.content for m in state["messages"] if isinstance(m, ToolMessage) and m.name == "recall_memory"]
    assert "north_mod_3_7" in told[0]
    assert "importer" in told[1]


def test_what_was_said_is_saved_and_comes_to_the_next_task(tmp_path):
    project = PersistentMemoryManager(SqliteStore(tmp_path / "store.db"), "importer")
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG, memory=project)
    model, agent = agent_of(journey, middleware, checkpointer=InMemorySaver())
    for ask in journey.asks[:8]:
        agent.invoke({"messages": [("user", ask)]}, thread("a"))
        assert "recall_memory" in model.offered[-1]
    told = "\n".join(memory.entry.content for memory in project.get_project_memories())
    assert all(word in told for word in ("migrations", "3001", "pnpm", "PostgreSQL"))


def test_a_failure_of_ours_changes_nothing_for_the_agent():
    class Broken(SqliteStore):
        def records(self, *_):
            raise RuntimeError("the disk is gone")

    told = []
    for broken in (
        partial(HoldfastMiddleware, store=Broken(":memory:")),
        partial(HoldfastMiddleware, trigger=("messages", 2), token_counter=lambda _: 1 / 0),
    ):
        middleware = broken(on_error=told.append)
        model = Model(answer=lambda _: AIMessage("Fine."), seen=[], offered=[])
        agent = create_agent(model, [], middleware=[middleware])
        state = agent.invoke({"messages": [HumanMessage("Hello")]})
        assert state["messages"][-1].content == "Fine."
        assert asyncio.run(agent.ainvoke({"messages": [HumanMessage("Hello")]}))["messages"][-1].content == "Fine."
        assert middleware.last_error is told[-1]
    assert [type(e) for e in told] == [RuntimeError, ZeroDivisionError]


def talk(number, words=60):
    return [
        kind(f"{k} " + " ".join(f"word_{k}_{j}" for j in range(words)))
        for k in range(number)
        for kind in (HumanMessage, AIMessage)
    ]


def test_a_refused_request_is_halved_and_sent_once_more():
    sizes = []

    def answer(messages):
        sizes.append(len(str(messages)))
        if len(sizes) == 1 or limit == 0:
            raise ContextOverflowError("too long")
        return AIMessage("Fine.")

    for limit in (1, 0):
        sizes.clear()
        agent = create_agent(
            Model(answer=answer, seen=[], offered=[]), [], middleware=[HoldfastMiddleware()]
        )
        given = {"messages": [*talk(60), HumanMessage("Always be kind. Go on.")]}
        for run in (agent.invoke, lambda g: asyncio.run(agent.ainvoke(g))):
            sizes.clear()
            if limit:
                run(given)
            else:
                with pytest.raises(ContextOverflowError):
                    run(given)
            assert len(sizes) == 2
            assert sizes[1] < sizes[0] * 0.7


@pytest.mark.parametrize(
    ("trigger", "number", "words", "due"),
    [
        (("messages", 50), 25, 60, True),
        (("messages", 51), 25, 60, False),
        (("tokens", 3_000), 25, 20, True),
        (("tokens", 9_000), 25, 20, False),
        (("fraction", 0.3), 25, 20, True),
        (("fraction", 0.9), 25, 20, False),
        ({"tokens": 3_000, "messages": 50}, 25, 20, True),
        ({"tokens": 3_000, "messages": 51}, 25, 20, False),
        ([("tokens", 90_000), {"messages": 50, "fraction": 0.3}], 25, 20, True),
        ([("tokens", 90_000), ("messages", 51)], 25, 20, False),
    ],
)
def test_triggers_are_those_of_theirs(trigger, number, words, due):
    model = Model(answer=lambda _: AIMessage("Fine."), seen=[], offered=[], profile={"max_input_tokens": 14_000})
    theirs = SummarizationMiddleware(model, trigger=trigger, summarizer=lambda _: "short", keep=("messages", 4))
    said = talk(number, words)
    assert bool(theirs.before_model({"messages": list(said)}, None)) is due
    middleware = HoldfastMiddleware(model, trigger=trigger)
    create_agent(model, [], middleware=[middleware]).invoke({"messages": said})
    assert (len(model.seen[-1]) < 30) is due
    assert middleware.last_error is None


def test_after_a_compaction_by_messages_the_next_waits_for_as_many():
    model = Model(answer=lambda _: AIMessage("word " * 150), seen=[], offered=[])
    middleware = HoldfastMiddleware(trigger=("messages", 40), keep=("messages", 6))
    agent = create_agent(model, [], middleware=[middleware], checkpointer=InMemorySaver())
    for k in range(80):
        agent.invoke({"messages": [HumanMessage(f"Ask {k}. " + "thing " * 30)]}, thread("a"))
        assert len(model.seen[-1]) <= 40
    assert 3 <= len(middleware.conversations.records("a")) <= 7
    assert [m.content for m in model.seen[-1][-3:]] == ["Ask 78. " + "thing " * 30, "word " * 150, model.seen[-1][-1].content]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"trigger": ("words", 5)}, "'tokens' or 'fraction'"),
        ({"trigger": ("fraction", 80)}, "at most 1"),
        ({"trigger": {"tokens": True}}, "whole number"),
        ({"trigger": {}}, "a pair or a dict"),
        ({"trigger": 4_000}, "a pair or a dict"),
        ({"keep": ("tokens", 0)}, "above 0"),
        ({"target": ("messages", 5)}, "'tokens' or 'fraction'"),
        ({"summarizer": "openai:gpt"}, "holdfast_summarizer"),
        ({"summary_prompt": "Be brief"}, "no model is asked"),
        ({"messages_to_keep": 5}, "keep=('messages', n)"),
        ({"colour": "red"}, "no such thing"),
    ],
)
def test_what_cannot_be_served_is_refused(given, said):
    with pytest.raises((TypeError, ValueError)) as caught:
        HoldfastMiddleware(**given)
    assert said in str(caught.value)


def test_a_counter_of_ones_own_pulls_the_trigger():
    counted = []

    def count(messages):
        counted.append(len(messages))
        return 5_000 * len(messages)

    middleware = HoldfastMiddleware("any:model", trigger=("tokens", 100_000), target=3_000, token_counter=count)
    assert len(middleware.view(talk(9), "a")) == 18
    sent = middleware.view(talk(30), "a")
    assert len(sent) < 20
    assert counted == [18, 60]
    assert len(middleware.view(talk(30), "a")) == len(sent)


def test_signed_thinking_and_images_stay_as_they_were():
    thought = {"type": "thinking", "thinking": "Which file?", "signature": "sig"}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    video = {"type": "media", "mime_type": "video/mp4", "data": "AAAA"}
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"}
    history = [*talk(30), HumanMessage([{"type": "text", "text": "Look at both."}, image, video])]
    for k in range(12):
        use = {"type": "tool_use", "id": f"t{k}", "name": "read", "input": {}}
        call = {"id": f"t{k}", "name": "read", "args": {}}
        begins = [thought] if k % 4 == 0 else []
        result = ToolMessage([{"type": "text", "text": f"line {k} " * 200}, image], tool_call_id=f"t{k}")
        history += [AIMessage([*begins, use], tool_calls=[call]), result]
    middleware = HoldfastMiddleware(trigger=("tokens", 9_000), target=7_000)
    sent = middleware.view(history, "a")
    assert middleware.last_error is None
    assert len(sent) < len(history)
    first = next(m for m in sent if isinstance(m, AIMessage))
    assert first.content[0] == thought  # where thinking is on, a running tool loop must begin with it
    assert any(image in m.content for m in sent if isinstance(m, ToolMessage))
    history += [AIMessage([reasoning, {"type": "text", "text": "Both are fine."}], id="msg_1"), HumanMessage("Thanks.")]
    sent = middleware.view(history, "a")
    assert sent[-2] is history[-2]
    assert middleware.last_error is None


def test_a_structured_answer_and_parallel_calls():
    from pydantic import BaseModel

    class Verdict(BaseModel):
        fine: bool

    journey, turn = Journey(), []

    def answer(messages):
        journey.sent(convert_to_openai_messages(messages), "openai-chat")
        turn.append(1)
        if len(turn) % 4 == 0:
            return AIMessage("", tool_calls=[{"id": f"v{len(turn)}", "name": "Verdict", "args": {"fine": True}}])
        calls = [{"id": f"p{len(turn)}{x}", "name": "read_file", "args": {"path": f"mod_{x}.py"}} for x in "abc"]
        return AIMessage("", tool_calls=calls)

    middleware = HoldfastMiddleware(config=CONFIG)
    agent = create_agent(
        Model(answer=answer, seen=[], offered=[]),
        [reader(journey)],
        middleware=[middleware],
        response_format=Verdict,
        checkpointer=InMemorySaver(),
    )
    for k in range(8):
        state = agent.invoke({"messages": [HumanMessage(f"Check part {k}. {RULES[k % 5]}")]}, thread("a"))
        assert state["structured_response"] == Verdict(fine=True)
    assert not journey.problems
    assert all(rule in journey.last for rule in RULES)
    assert middleware.last_error is None


def test_their_summarization_with_our_summary():
    for run in ("invoke", "ainvoke"):
        journey = Journey()
        theirs = SummarizationMiddleware(
            travelling(Journey()),
            trigger=("tokens", 3_500),
            keep=("messages", 6),
            trim_tokens_to_summarize=None,
            summarizer=holdfast_summarizer if run == "invoke" else partial(holdfast_summarizer, target=2_500),
        )
        _, agent = agent_of(journey, theirs, checkpointer=InMemorySaver())
        for ask in journey.asks:
            given = {"messages": [("user", ask)]}
            if run == "invoke":
                agent.invoke(given, thread("a"))
            else:
                asyncio.run(agent.ainvoke(given, thread("a")))
        journey.check()


def test_it_takes_the_place_of_theirs_in_deep_agents_and_their_sub_agents():
    deepagents = pytest.importorskip("deepagents")
    middleware = HoldfastMiddleware(config=CondenseConfig.model_validate({"budget": DEEP}))
    main, sub = [], []

    def answer(messages):
        inside = "You are a scout" in str(messages[0].content)
        (sub if inside else main).append(messages)
        mine = sub if inside else main
        count = len(mine)
        if inside and count % 12:
            call = {"id": f"s{count}", "name": "read_file", "args": {"path": f"mod_{count}.py"}}
        elif not inside and count % 4:
            call = {
                "id": f"m{count}",
                "name": "task",
                "args": {"description": f"Scout part {count}. Never guess.", "subagent_type": "scout"},
            }
        else:
            return AIMessage(f"Found {count}.")
        return AIMessage("", tool_calls=[call])

    @tool
    def read_file(path: str):
        """Read a file."""
        return Journey().read_file(path) * 8

    agent = deepagents.create_deep_agent(
        Model(answer=answer, seen=[], offered=[]),
        middleware=[middleware],
        subagents=[
            {
                "name": "scout",
                "description": "Scouts",
                "system_prompt": "You are a scout",
                "tools": [read_file],
                "middleware": [middleware],
            }
        ],
        checkpointer=InMemorySaver(),
    )
    for k in range(4):
        state = agent.invoke({"messages": [HumanMessage(f"Explore part {k}. {RULES[k]}")]}, thread("a"))
    assert len(state["messages"]) == 4 * 8
    assert "_summarization_event" not in state
    assert any("holdfast-context" in str(messages) for messages in sub)
    last = str(sub[-1])
    assert "Scout part 15. Never guess." in last
    assert not any(rule in last for rule in RULES)
    assert middleware.last_error is None


DEEP = {"window": 30_000, "trigger": 6_000, "target": 4_000}


def test_a_missing_package_names_the_extra():
    blocked = (
        "import sys; sys.modules['langchain'] = None\n"
        "try:\n    import condense.adapters.langchain\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, timeout=60, check=True)
    assert "pip install 'holdfast-context[langchain]'" in done.stdout
