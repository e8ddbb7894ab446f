"""LangChain's own agents, graphs and checkpointers, with a model that checks what it is sent."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from journey import CONFIG, RULES, Call, Journey
from pydantic import BaseModel, Field

from condense import CondenseConfig
from condense.compaction.validity import violations
from memory import PersistentMemoryManager, SqliteStore
from memory.conversation import Form, parse_messages

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


class Model(BaseChatModel):
    """Says what `answer` says to what it is sent, and keeps it."""

    answer: object
    seen: list = Field(default_factory=list)
    offered: list = Field(default_factory=list)

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

    return Model(answer=answer)


NEWER = "summarizer" in inspect.signature(SummarizationMiddleware).parameters  # came with dicts as triggers
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
    assert len(state) == journey.calls * 2
    assert [m.content for m in state if isinstance(m, HumanMessage)] == journey.asks
    by_id = {m.id: m for m in state}
    sent = [message for messages in model.seen for message in messages]
    results = [m for m in sent if isinstance(m, ToolMessage)]
    assert results
    assert all(m.artifact == by_id[m.id].artifact for m in results)
    assert all(m.tool_call_id == by_id[m.id].tool_call_id for m in results)
    assert any("summarization" in m.additional_kwargs.values() for m in sent)
    own = [m == by_id[m.id] for m in sent if m.id in by_id]
    assert sum(own) > 0.9 * len(own)
    assert any(m.usage_metadata == USAGE for m in sent if isinstance(m, AIMessage))


def test_a_journey_over_several_runs_of_a_thread_and_what_was_folded_is_recalled():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    model, agent = agent_of(journey, middleware, checkpointer=InMemorySaver())
    for ask in journey.asks:
        state = agent.invoke({"messages": [("user", ask)]}, thread("a"))
    checked(journey, model, middleware, state["messages"])
    assert len(middleware.conversations.records("a")) >= 2
    assert "recall_memory" not in model.offered[0]
    assert "recall_memory" in model.offered[-1]
    handle = next(h for record in middleware.conversations.records("a") for h in record.handles)
    asked = iter(["mod_3 north_mod_3_7", handle])

    def answer(messages):
        query = next(asked, None)
        call = {"id": f"r{query}", "name": "recall_memory", "args": {"query": query}}
        return AIMessage("Done.") if query is None else AIMessage("", tool_calls=[call])

    model.answer = answer
    state = asyncio.run(agent.ainvoke({"messages": [HumanMessage("Look it up.")]}, thread("a")))
    told = [m.content for m in state["messages"] if isinstance(m, ToolMessage) and m.name == "recall_memory"]
    assert "north_mod_3_7" in told[0]
    assert "importer" in told[1]


def test_kept_messages_are_the_very_objects():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)
    history = []
    for ask in journey.asks:
        history.append(HumanMessage(ask))
        for k in range(5):
            call = {"id": f"c{len(history)}", "name": "read_file", "args": {"path": f"mod_{k}.py"}}
            result = ToolMessage(
                journey.read_file("mod_1.py"), tool_call_id=call["id"], status="error", artifact=call
            )
            history += [AIMessage("", tool_calls=[call]), result]
    sent = middleware.view(history)
    own = {id(m) for m in history}
    assert len(sent) < len(history)
    assert sum(id(m) in own for m in sent) >= len(sent) - 1


def test_a_journey_async_and_streaming_kept_in_sqlite(tmp_path):
    aio = pytest.importorskip("langgraph.checkpoint.sqlite.aio")
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG)

    async def travel():
        async with aio.AsyncSqliteSaver.from_conn_string(str(tmp_path / "threads.db")) as saver:
            model, agent = agent_of(journey, middleware, checkpointer=saver)
            for k, ask in enumerate(journey.asks):
                given = {"messages": [("user", ask)]}
                if k % 3 == 0:
                    await agent.ainvoke(given, thread("a"))
                    continue
                mode = ("messages", "updates")[k % 3 - 1]
                streamed = [piece async for piece in agent.astream(given, thread("a"), stream_mode=mode)]
                assert "importer is written" in str(streamed)
            state = await agent.aget_state(thread("a"))
        checked(journey, model, middleware, state.values["messages"])

    asyncio.run(travel())


def test_a_journey_streaming_over_processes(tmp_path):
    """Each run has a middleware of its own, as in a process of its own; the store has what the last one did."""
    sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
    journey = Journey()
    for k, ask in enumerate(journey.asks):
        middleware = HoldfastMiddleware(config=CONFIG, store=tmp_path / "store.db")
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "threads.db")) as saver:
            model, agent = agent_of(journey, middleware, checkpointer=saver)
            mode = ("messages", "updates", "values")[k % 3]
            streamed = list(agent.stream({"messages": [("user", ask)]}, thread("a"), stream_mode=mode))
            assert (
                "importer is written" in "".join(chunk.text for chunk, _ in streamed)
                if k % 3 == 0
                else str(streamed)
            )
            state = agent.get_state(thread("a"))
    checked(journey, model, middleware, state.values["messages"])
    assert len(middleware.conversations.records("a")) >= 2


def test_two_threads_at_once_do_not_mix_and_interrupted_runs_go_on():
    journeys, middleware = [Journey("north"), Journey("south")], HoldfastMiddleware(config=CONFIG)
    saver = InMemorySaver()

    def travel(journey):
        human = [HumanInTheLoopMiddleware(interrupt_on={"read_file": True})] if journey.name == "south" else []
        model, tools = travelling(journey), [reader(journey)]
        agent = create_agent(model, tools, middleware=[middleware, *human], checkpointer=saver)
        for ask in journey.asks:
            state = agent.invoke({"messages": [("user", ask)]}, thread(journey.name))
            while state.get("__interrupt__"):
                state = agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), thread(journey.name))
        return model, state["messages"]

    with ThreadPoolExecutor() as pool:
        for journey, (model, messages) in zip(journeys, pool.map(travel, journeys), strict=True):
            checked(journey, model, middleware, messages)


def test_a_graph_of_ones_own_calls_view_and_goes_by_the_beginning():
    journey, middleware = Journey(), HoldfastMiddleware(config=CONFIG, recall=False)
    model, read_file = travelling(journey), reader(journey)

    def call_model(state):
        return {"messages": [model.invoke([SystemMessage("Be brief."), *middleware.view(state["messages"])])]}

    def call_tools(state):
        calls = state["messages"][-1].tool_calls
        return {"messages": [read_file.invoke({**call, "type": "tool_call"}) for call in calls]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", call_model)
    graph.add_node("tools", call_tools)
    graph.add_edge(START, "model")
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("model", lambda s: "tools" if s["messages"][-1].tool_calls else "__end__")
    compiled, messages = graph.compile(), []
    for ask in journey.asks:
        given = {"messages": [*messages, HumanMessage(ask)]}
        messages = compiled.invoke(given, {"recursion_limit": 100})["messages"]
    checked(journey, model, middleware, messages)
    assert len(middleware.conversations._followed) == 2  # before its first answer, and from then on


def test_what_was_said_is_saved_as_it_is_said_but_not_what_a_sub_agent_is_asked(tmp_path):
    project = PersistentMemoryManager(SqliteStore(tmp_path / "store.db"), "importer")
    middleware = HoldfastMiddleware(memory=project)

    def answer(messages):
        assert "pnpm" in "".join(memory.entry.content for memory in project.get_project_memories())
        if isinstance(messages[-1], HumanMessage) and "scout" not in messages[-1].content:
            return AIMessage("", tool_calls=[{"id": "1", "name": "ask_scout", "args": {}}])
        return AIMessage("Fine.")

    model = Model(answer=answer)
    scout = create_agent(model, [], middleware=[middleware])

    @tool
    def ask_scout():
        """Ask the scout."""
        return scout.invoke({"messages": [("user", "You are the scout. Always use Redis.")]})["messages"][
            -1
        ].content

    agent = create_agent(model, [ask_scout], middleware=[middleware], checkpointer=InMemorySaver())
    agent.invoke({"messages": [("user", RULES[4])]}, thread("a"))
    told = "".join(memory.entry.content for memory in project.get_project_memories())
    assert len(model.seen) == 3
    assert "Redis" not in told
    assert "recall_memory" in model.offered[0]
    assert middleware.last_error is None


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
        model = Model(answer=lambda _: AIMessage("Fine."))
        agent = create_agent(model, [], middleware=[middleware])
        state = agent.invoke({"messages": [HumanMessage("Hello")]})
        assert state["messages"][-1].content == "Fine."
        assert asyncio.run(agent.ainvoke({"messages": [HumanMessage("Hello")]}))["messages"][-1].content == "Fine."
        assert type(middleware.last_error) is type(told[-1])
    said = iter(["recall_memory", None])

    def answer(_):
        name = next(said)
        return AIMessage("Fine.", tool_calls=[{"id": "1", "name": name, "args": {"query": "x"}}] if name else [])

    class Lost(PersistentMemoryManager):
        def search(self, *_, **__):
            raise LookupError("no index")

    middleware = HoldfastMiddleware(memory=Lost(SqliteStore(":memory:"), "importer"), on_error=told.append)
    state = create_agent(Model(answer=answer), [], middleware=[middleware]).invoke(
        {"messages": [HumanMessage("Hello")]}
    )
    assert "LookupError" in state["messages"][-2].content
    assert state["messages"][-1].content == "Fine."
    assert [type(e) for e in told] == [RuntimeError, ZeroDivisionError, LookupError]


def talk(number, words=60):
    return [
        kind(f"{k} " + " ".join(f"word_{k}_{j}" for j in range(words)))
        for k in range(number)
        for kind in (HumanMessage, AIMessage)
    ]


@pytest.mark.parametrize(("mode", "refused"), [("sync", 1), ("async", 1), ("async", 2)])
def test_a_refused_request_is_halved_and_sent_once_more(mode, refused):
    sizes = []

    def answer(messages):
        sizes.append(len(str(messages)))
        if len(sizes) <= refused:
            raise ContextOverflowError("too long")
        return AIMessage("Fine.")

    agent = create_agent(Model(answer=answer), [], middleware=[HoldfastMiddleware()])
    given = {"messages": [*talk(30), HumanMessage("Always be kind. Go on.")]}
    try:
        state = agent.invoke(given) if mode == "sync" else asyncio.run(agent.ainvoke(given))
        assert state["messages"][-1].content == "Fine."
    except ContextOverflowError:
        assert refused == 2
    assert len(sizes) == 2
    assert sizes[1] < sizes[0] * 0.7


@pytest.mark.parametrize(
    ("trigger", "number", "words", "due"),
    [
        (("messages", 50), 25, 25, True),
        (("messages", 51), 25, 25, False),
        (("tokens", 3_000), 25, 25, True),
        (("tokens", 9_000), 25, 25, False),
        (("fraction", 0.2), 25, 25, True),
        (("fraction", 0.9), 25, 25, False),
        ({"tokens": 3_000, "messages": 50}, 25, 25, True),
        ({"tokens": 3_000, "messages": 51}, 25, 25, False),
        ([("tokens", 90_000), {"messages": 50, "fraction": 0.2}], 25, 25, True),
        ([("tokens", 90_000), ("messages", 51)], 25, 25, False),
    ],
)
def test_triggers_are_those_of_theirs(trigger, number, words, due):
    model = Model(answer=lambda _: AIMessage("Fine."), profile={"max_input_tokens": 14_000})
    theirs = SummarizationMiddleware(model, trigger=trigger if NEWER else ("messages", 1), keep=("messages", 4))
    said = talk(number, words)
    if NEWER:
        assert bool(theirs.before_model({"messages": list(said)}, None)) is due
    middleware = HoldfastMiddleware(model, trigger=trigger)
    create_agent(model, [], middleware=[middleware]).invoke({"messages": said})
    assert (len(model.seen[-1]) < 30) is due
    assert middleware.last_error is None


def test_after_a_compaction_by_messages_the_next_waits_for_as_many():
    model = Model(answer=lambda _: AIMessage("word " * 150))
    middleware = HoldfastMiddleware(trigger=("messages", 40), keep=("messages", 6))
    agent = create_agent(model, [], middleware=[middleware], checkpointer=InMemorySaver())
    for k in range(50):
        agent.invoke({"messages": [HumanMessage(f"Ask {k}. " + "thing " * 30)]}, thread("a"))
        assert len(model.seen[-1]) <= 40
    assert 2 <= len(middleware.conversations.records("a")) <= 4
    assert [m.content for m in model.seen[-1][-3:]] == [
        "Ask 48. " + "thing " * 30,
        "word " * 150,
        model.seen[-1][-1].content,
    ]


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
        ({"summary_prompt": "Be brief"}, "no model writes"),
        ({"messages_to_keep": 5}, "takes no messages_to_keep"),
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
        told = [{"type": "text", "text": f"line {k} " * 40}, *([image] if k == 11 else [])]
        result = ToolMessage(told, tool_call_id=f"t{k}")
        history += [AIMessage([*begins, use], tool_calls=[call]), result]
    middleware = HoldfastMiddleware(trigger=("tokens", 9_000), target=7_000, keep=("messages", 9))
    sent = middleware.view(history, "a")
    assert middleware.last_error is None
    assert len(sent) < len(history)
    first = next(m for m in sent if isinstance(m, AIMessage))
    assert first.content[0] == thought  # where thinking is on, a running tool loop must begin with it
    assert any(image in m.content for m in sent if isinstance(m, ToolMessage))
    anthropic = pytest.importorskip("langchain_anthropic").ChatAnthropic(model="claude-sonnet-4-5", api_key="x")
    payload = anthropic._get_request_payload(sent)["messages"]
    assert not violations(parse_messages(payload, Form.ANTHROPIC))
    assert thought in payload[1]["content"]
    history += [
        AIMessage([reasoning, {"type": "text", "text": "Both are fine."}], id="msg_1"),
        HumanMessage("Thanks."),
    ]
    sent = middleware.view(history, "a")
    assert sent[-2] is history[-2]
    assert middleware.last_error is None


def test_a_structured_answer_and_parallel_calls():
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
        Model(answer=answer),
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


@pytest.mark.skipif(not NEWER, reason="it takes no summarizer")
@pytest.mark.parametrize("how", ["sync", "async"])
def test_their_summarization_with_our_summary(how):
    journey, messages = Journey(), []
    ours = holdfast_summarizer if how == "sync" else partial(holdfast_summarizer, target=2_500)
    theirs = SummarizationMiddleware(
        travelling(journey),
        trigger=("tokens", 3_500),
        keep=("messages", 6),
        trim_tokens_to_summarize=None,
        summarizer=ours,
    )
    times = 0
    for k, ask in enumerate(journey.asks + journey.asks[:6]):
        call = {"id": f"c{k}", "name": "read_file", "args": {"path": f"mod_{k}.py"}}
        messages += [HumanMessage(ask), AIMessage("", tool_calls=[call])]
        messages.append(ToolMessage(journey.read_file(f"mod_{k}.py") * 3, tool_call_id=call["id"]))
        state = {"messages": messages}
        done = theirs.before_model(state, None) if how == "sync" else asyncio.run(theirs.abefore_model(state, None))
        if done is not None:
            messages = done["messages"][1:]
            times += 1
    assert times >= 2
    assert all(rule in messages[0].content for rule in RULES)


def test_it_takes_the_place_of_theirs_in_deep_agents_and_their_sub_agents():
    deepagents = pytest.importorskip("deepagents")
    middleware = HoldfastMiddleware(config=CondenseConfig.model_validate({"budget": DEEP}))
    main, sub = [], []

    def answer(messages):
        inside = "You are a scout" in str(messages[0].content)
        (sub if inside else main).append(messages)
        mine = sub if inside else main
        count = len(mine)
        if inside and count % 8:
            call = {"id": f"s{count}", "name": "read_file", "args": {"path": f"mod_{count}.py"}}
        elif not inside and count % 2:
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
        Model(answer=answer),
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
    for k in range(2):
        state = agent.invoke({"messages": [HumanMessage(f"Explore part {k}. {RULES[k]}")]}, thread("a"))
    assert len(state["messages"]) == 2 * 4
    assert "_summarization_event" not in state
    assert any("holdfast-context" in str(messages) for messages in sub)
    last = str(sub[-1])
    assert "Scout part 3. Never guess." in last
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
