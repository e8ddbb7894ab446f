"""The filter and the session for the OpenAI Agents SDK, in the SDK's own loop with a model of the tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys

import pytest
from journey import CONFIG, RULES, Call, Journey

pytest.importorskip("agents")

from agents import Agent, ModelResponse, RunConfig, Runner, SQLiteSession, Usage, function_tool, handoff
from agents.models.interface import Model
from agents.run import CallModelData, ModelInputData
from agents.tracing import set_trace_processors, set_tracing_disabled
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)

from condense import CondenseConfig, TokenBudget
from condense.adapters import HoldfastFilter, HoldfastSession
from memory import SqliteStore

set_tracing_disabled(True)


@pytest.fixture(autouse=True)
def _event_loop():
    """`run_sync` takes the thread's event loop, and closes none that it makes."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


def message(text, at=0):
    content = [ResponseOutputText(type="output_text", text=text, annotations=[])]
    return ResponseOutputMessage(
        id=f"msg_{at}", type="message", role="assistant", status="completed", content=content
    )


def tool_call(name, call_id, **arguments):
    return ResponseFunctionToolCall(
        id=f"fc_{call_id}",
        type="function_call",
        call_id=call_id,
        name=name,
        arguments=json.dumps(arguments),
        status="completed",
    )


def thought(at):
    return ResponseReasoningItem(id=f"rs_{at}", type="reasoning", summary=[], encrypted_content=f"sealed {at}")


class FakeModel(Model):
    """Answers with what `answer` gives for what was sent: a list of output items."""

    def __init__(self, answer):
        self.answer = answer

    async def get_response(self, system_instructions, input, *more, **named):  # noqa: A002
        output = self.answer(input, system_instructions)
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    async def stream_response(self, system_instructions, input, *more, **named):  # noqa: A002
        output = self.answer(input, system_instructions)
        response = Response(
            id="r",
            created_at=0,
            model="fake",
            object="response",
            output=output,
            tool_choice="none",
            tools=[],
            parallel_tool_calls=False,
        )
        yield ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)


def model_of(journey):
    def answer(items, _):
        journey.sent(items, "openai-responses")
        at = f"{journey.name}_{journey.calls}"
        said = journey.step()
        if isinstance(said, Call):
            return [thought(at), tool_call(said.name, said.id, **said.arguments)]
        return [message(said, at)]

    return FakeModel(answer)


def agent_of(journey, **more):
    return Agent(
        name="importer",
        instructions="You write importers.",
        model=model_of(journey),
        tools=[function_tool(journey.read_file)],
        **more,
    )


class Watched:
    """A filter around ours: keeps how much of what was sent is of the items that came in."""

    def __init__(self, holdfast):
        self.holdfast, self.own, self.given = holdfast, [], []

    async def __call__(self, data):
        given = list(data.model_data.input)
        done = await self.holdfast(data)
        own = {id(item) for item in given}
        self.own.append((sum(id(item) in own for item in done.input), len(done.input), len(given)))
        return done


async def run(agent, ask, **how):
    await Runner.run(agent, ask, **how)


async def stream(agent, ask, **how):
    streamed = Runner.run_streamed(agent, ask, **how)
    async for _ in streamed.stream_events():
        pass


async def travel(journey, config, way=run, session=None, agent=None):
    session = session or SQLiteSession(journey.name)
    agent = agent or agent_of(journey)
    for ask in journey.asks:
        await way(agent, ask, session=session, run_config=config)
    return session


def config_of(holdfast, **more):
    return RunConfig(call_model_input_filter=holdfast, **more)


def texts(items):
    return [item["content"] for item in items if item.get("role") == "user"]


@pytest.mark.parametrize("way", [run, stream])
def test_a_journey_stays_in_the_window_and_the_session_whole(way):
    journey, holdfast = Journey(), HoldfastFilter(CONFIG)
    watched = Watched(holdfast)

    async def whole():
        session = await travel(journey, config_of(watched), way)
        return await session.get_items()

    items = asyncio.run(whole())
    journey.check()
    assert holdfast.last_error is None
    assert texts(items) == journey.asks
    kept, sent, given = watched.own[-1]
    assert given == len(items) - 1
    assert sent < given / 2
    assert kept >= sent - 3
    name = list(holdfast.conversations._followed)[-1]
    assert len(holdfast.conversations.records(name)) >= 2


def test_a_journey_in_step_with_the_caller_without_a_session():
    journey, holdfast, history = Journey(), HoldfastFilter(CONFIG), []
    agent = agent_of(journey)
    config = config_of(holdfast.filter)
    for ask in journey.asks:
        history.append({"role": "user", "content": ask})
        before = list(history)
        history = Runner.run_sync(agent, history, run_config=config).to_input_list()
        assert history[: len(before)] == before
    journey.check()
    assert texts(history) == journey.asks


def test_two_conversations_at_once_do_not_mix():
    holdfast, journeys = HoldfastFilter(CONFIG), [Journey("north"), Journey("south")]

    async def both():
        await asyncio.gather(*(travel(j, config_of(holdfast)) for j in journeys))

    asyncio.run(both())
    for journey in journeys:
        journey.check()


def test_a_handoff_takes_the_view_along():
    journey, holdfast = Journey(), HoldfastFilter(CONFIG)
    writer = agent_of(journey)
    asked = []

    def front(items, _):
        asked.append(len(items))
        return [tool_call(handoff(writer).tool_name, f"h{len(asked)}")]

    first = Agent(name="front", model=FakeModel(front), handoffs=[writer])
    session = asyncio.run(travel(journey, config_of(holdfast), agent=first))
    journey.check()
    assert max(asked) < 100
    assert len(asyncio.run(session.get_items())) > 150
    assert holdfast.last_error is None


def test_a_conversation_may_be_named_by_the_users_context():
    holdfast = HoldfastFilter(CONFIG, conversation=lambda data: data.context["thread"])
    config = config_of(holdfast)
    agent = Agent(name="a", model=FakeModel(lambda *_: [message("fine")]))
    asyncio.run(Runner.run(agent, "Hello", context={"thread": "t1"}, run_config=config))
    assert list(holdfast.conversations._followed) == ["t1"]
    asyncio.run(Runner.run(agent, "Hello", context={}, run_config=config))
    assert isinstance(holdfast.last_error, KeyError)


@pytest.mark.parametrize("way", [run, stream])
@pytest.mark.parametrize("group", [None, "thread-7"])
def test_the_model_looks_up_what_was_folded_in_its_own_conversation(way, group):
    holdfast, told = HoldfastFilter(CONFIG), []

    def answer(items, _):
        told.append(items)
        last = items[-1]
        if last.get("type") != "function_call_output":
            return [tool_call("recall_memory", f"r{len(told)}", query="Which animal is the mascot?")]
        return [message(last["output"])]

    agent = Agent(name="a", model=FakeModel(answer), tools=[holdfast.recall_memory])

    async def both():
        for animal in ("kangaroo", "walrus"):  # as two conversations of the same run configuration
            asked = [{"role": "user", "content": f"Hello, the mascot of our shop is a {animal}."}]
            await way(agent, [*asked, *planted(extra=LOOK)], run_config=config_of(holdfast, group_id=group))

    with switched_on_tracing():
        asyncio.run(both())
    assert holdfast.last_error is None
    first, second = (items[-1]["output"] for items in told[1::2])
    assert "kangaroo" in first
    assert "walrus" not in first
    assert "walrus" in second
    assert "kangaroo" not in second
    assert "recall_memory" in json.dumps(told[0])


def test_a_recall_that_fails_ends_no_run():
    holdfast = HoldfastFilter(CONFIG)
    agent = Agent(
        name="a",
        model=FakeModel(
            lambda items, _: (
                [message(items[-1]["output"])]
                if items[-1].get("type") == "function_call_output"
                else [tool_call("recall_memory", "r1", query="mascot")]
            )
        ),
        tools=[holdfast.recall_memory],
    )
    result = asyncio.run(Runner.run(agent, "Hello"))  # without the filter
    assert "Nothing could be looked up" in result.final_output
    assert isinstance(holdfast.last_error, LookupError)


@contextlib.contextmanager
def switched_on_tracing():
    """Runs have their group only where they are traced; what is traced goes nowhere."""
    set_tracing_disabled(False)
    set_trace_processors([])
    try:
        yield
    finally:
        set_tracing_disabled(True)


LOOK = [{"role": "user", "content": "Which one was it? Look it up."}]


def planted(rounds=40, extra=()):
    items = [{"role": "user", "content": f"Go on. {RULES[0]}"}]
    for k in range(rounds):
        items += [
            {"type": "reasoning", "id": f"rs_{k}", "summary": [], "encrypted_content": f"sealed {k}"},
            {
                "type": "function_call",
                "call_id": f"c{k}",
                "name": "read_file",
                "arguments": json.dumps({"path": f"mod_{k}.py"}),
            },
            {"type": "function_call_output", "call_id": f"c{k}", "output": f"{k} " + "line\n" * 60},
        ]
    return [*items, *extra]


def filtered(holdfast, items, agent=None):
    data = CallModelData(ModelInputData(list(items), "Be brief."), agent or Agent(name="a"), None)
    return holdfast.filter(data).input


def test_items_of_the_servers_own_tools_and_images_are_carried_whole():
    picture = "data:image/png;base64," + "iVBO" * 100
    extra = [
        {"type": "reasoning", "id": "rs_w", "summary": [], "encrypted_content": "sealed"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}},
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "cc1",
            "action": {"type": "screenshot"},
            "pending_safety_checks": [],
            "status": "completed",
        },
        {
            "type": "computer_call_output",
            "call_id": "cc1",
            "output": {"type": "computer_screenshot", "image_url": picture},
        },
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "And this?"},
                {"type": "input_image", "image_url": picture},
            ],
        },
    ]
    holdfast, items = HoldfastFilter(CONFIG), planted(extra=extra)
    sent = filtered(holdfast, items)
    assert holdfast.last_error is None
    assert len(sent) < len(items)
    assert all(a is b for a, b in zip(sent[-5:], extra, strict=True))


def test_reasoning_is_followed_by_what_it_led_to():
    holdfast, journey = HoldfastFilter(CONFIG), Journey()
    for rounds in range(20, 60):
        journey.sent(filtered(holdfast, planted(rounds)), "openai-responses")
    assert not journey.problems
    assert holdfast.last_error is None


def test_what_goes_to_a_history_on_the_server_is_left_alone():
    items = [{"type": "function_call_output", "call_id": "c1", "output": "line\n" * 20_000}]
    holdfast = HoldfastFilter(CONFIG)
    sent = filtered(holdfast, items)
    assert len(sent) == 1
    assert sent[0] is items[0]


def test_instructions_and_tools_count():
    def weigh(item: str) -> str:
        return item

    weigh.__doc__ = "Weigh an item. " + "Be careful with everything. " * 400
    config = CondenseConfig(budget=TokenBudget(window=6_000, trigger=4_000, target=3_500), weigh_costs=False)
    heavy = Agent(name="a", tools=[function_tool(weigh)])
    items = planted(20)
    assert len(filtered(HoldfastFilter(config), items)) == len(items)
    assert len(filtered(HoldfastFilter(config), items, heavy)) < len(items)


def session_with(items, name="s"):
    session = SQLiteSession(name)
    asyncio.run(session.add_items(items))
    return session


def test_a_session_hands_out_the_view_and_keeps_the_items():
    inner = session_with(planted())
    session = HoldfastSession(inner, CONFIG)
    got = []

    def answer(items, _):
        got.append(list(items))
        return [message("fine")]

    agent = Agent(name="a", model=FakeModel(answer))
    asyncio.run(Runner.run(agent, "Thanks.", session=session))
    assert len(got[0]) < 40
    assert RULES[0] in json.dumps(got[0])
    items = asyncio.run(inner.get_items())
    assert len(items) == len(planted()) + 2
    assert asyncio.run(session.get_items(limit=3)) == items[-3:]
    assert asyncio.run(session.pop_item()) == items[-1]
    asyncio.run(session.clear_session())
    assert asyncio.run(session.get_items()) == []


def test_pruning_removes_what_was_folded_and_its_originals_can_be_fetched(tmp_path):
    inner = session_with([*planted(), {"role": "user", "content": "The mascot is a kangaroo."}, *planted(60)])
    session = HoldfastSession(inner, CONFIG, store=tmp_path / "store.db")
    before = len(asyncio.run(inner.get_items()))
    removed = asyncio.run(session.prune())
    left = asyncio.run(inner.get_items())
    assert removed == before - len(left) > 200
    assert RULES[0] in json.dumps(left)
    assert asyncio.run(session.get_items()) == left
    assert asyncio.run(session.prune()) == 0
    record = session.conversations.records("s")[0]
    other = HoldfastSession(inner, CONFIG, store=tmp_path / "store.db")
    asyncio.run(other.get_items())
    assert "mod_" in other.conversations.recall("s", record.handles[8])
    agent = Agent(name="a", model=FakeModel(lambda *_: [message("fine")]))
    asyncio.run(Runner.run(agent, "Thanks.", session=session))
    assert len(asyncio.run(inner.get_items())) == len(left) + 2


class Failing(SQLiteSession):
    failing = False

    async def add_items(self, items):
        if self.failing:
            Failing.failing = False
            raise OSError("the disk is full")
        await super().add_items(items)


def test_a_session_that_cannot_be_pruned_keeps_its_items():
    inner = Failing("s")
    asyncio.run(inner.add_items(planted()))
    items = asyncio.run(inner.get_items())
    Failing.failing = True
    with pytest.raises(OSError, match="disk is full"):
        asyncio.run(HoldfastSession(inner, CONFIG).prune())
    assert asyncio.run(inner.get_items()) == items


def test_a_limit_of_the_session_hides_nothing_from_pruning():
    settings = pytest.importorskip("agents.memory").__dict__.get("SessionSettings")
    if settings is None:
        pytest.skip("this release has no settings of sessions")
    inner = SQLiteSession("s", session_settings=settings(limit=4))
    asyncio.run(inner.add_items(planted()))
    session = HoldfastSession(inner, CONFIG)
    assert asyncio.run(session.prune()) > 80
    assert RULES[0] in json.dumps(asyncio.run(inner.get_items(limit=1_000)))


class Broken(SqliteStore):
    def records(self, *_):
        raise RuntimeError("the disk is gone")


def test_what_fails_inside_changes_nothing_for_the_agent(tmp_path):
    told, sent = [], []

    def answer(items, _):
        sent.append(items)
        return [message("fine")]

    holdfast = HoldfastFilter(CONFIG, store=Broken(tmp_path / "store.db"), on_error=told.append)
    agent = Agent(name="a", model=FakeModel(answer))
    result = asyncio.run(Runner.run(agent, planted(), run_config=config_of(holdfast)))
    assert result.final_output == "fine"
    assert sent[0] == planted()
    assert str(holdfast.last_error) == "the disk is gone"
    assert told == [holdfast.last_error]
    items = [*planted(), {"type": 7}]
    assert all(a is b for a, b in zip(filtered(holdfast, items), items, strict=True))
    session = HoldfastSession(session_with(planted()), CONFIG, store=Broken(tmp_path / "store.db"))
    assert asyncio.run(session.get_items()) == planted()
    assert str(session.last_error) == "the disk is gone"


def test_without_the_package_the_extra_is_named():
    code = "import sys; sys.modules['agents'] = None; import condense.adapters.openai_agents"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "ImportError" in done.stderr
    assert "holdfast-context[openai-agents]" in done.stderr
