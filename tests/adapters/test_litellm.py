"""LiteLLM's functions, its Router and its callbacks, on a scripted provider: the view is what is sent."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from journey import CONFIG, Journey
from loops import GPT, Chat, Provider, told

from condense.adapters.conversations import Conversations
from condense.adapters.limits import window_of

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # no look-up on the network
pytest.importorskip("litellm")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecatedSince20"),
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings:UserWarning"),
    pytest.mark.filterwarnings("ignore:Items? .* using the .ReadOnly. qualifier:UserWarning"),
]
LONG = [{"role": "user", "content": "Build it."}] + [
    {"role": role, "content": f"zebra {i} " * 40} for i in range(60) for role in ("assistant", "user")
]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def litellm():
    import litellm

    litellm.suppress_debug_info = True
    yield litellm
    with warnings.catch_warnings():  # it leaves an event loop behind
        warnings.simplefilter("ignore")
        asyncio.set_event_loop(None)
        gc.collect()


@pytest.fixture
def adapter(litellm, monkeypatch):
    from condense.adapters import litellm as adapter

    monkeypatch.setattr(litellm, "callbacks", [])
    return adapter


class Loop(Chat):
    """A loop as written with LiteLLM."""

    def __init__(self, journey, url):
        super().__init__(journey)
        self.arguments |= {"model": f"openai/{GPT}", "api_base": f"{url}/v1", "api_key": "sk-test-0"}


def travel(loop, completion, **more):
    for ask in loop.journey.asks:
        loop.ask(ask)
        while not loop.took(completion(**loop.arguments, **more, messages=loop.history)):
            pass


async def travel_later(loop, completion, **more):
    for ask in loop.journey.asks:
        loop.ask(ask)
        while not loop.took(await completion(**loop.arguments, **more, messages=loop.history)):
            pass


def test_a_streamed_journey_stays_in_the_window(adapter, litellm):
    journey, conversations = Journey(), Conversations(CONFIG)
    completion = adapter.LiteLLMCompletions(conversations).completion

    def streamed(**given):
        return litellm.stream_chunk_builder(list(completion(**given, stream=True)))

    with Provider(journey) as server:
        loop = Loop(journey, server.url)
        travel(loop, streamed)
    journey.check()
    assert conversations.last_error is None
    assert len(loop.history) == 1 + 12 * 12
    assert sum(len(conversations.records(name)) for name in list(conversations._followed)) >= 2


def test_acompletion_sends_the_view_streamed_or_not(adapter):
    conversations = Conversations(CONFIG)

    async def go(url):
        given = Loop(Journey(), url).arguments
        completions = adapter.LiteLLMCompletions(conversations, conversation="a")
        await completions.acompletion(**given, messages=LONG)
        stream = await completions.acompletion(**given, messages=LONG, stream=True)
        return [chunk async for chunk in stream]

    with Provider(Journey()) as server:
        assert asyncio.run(go(server.url))
    (_, whole), (_, streamed) = server.requests
    assert whole["messages"] == streamed["messages"]
    assert len(told(whole)) < len(LONG) / 2
    assert len(conversations.records("a")) == 1


def test_a_callback_serves_acompletion_and_a_router(adapter, litellm):
    journeys, conversations = [Journey("north"), Journey("south")], Conversations(CONFIG)
    litellm.callbacks = [adapter.HoldfastCallback(conversations)]

    async def go(url):
        loops = [Loop(journey, url) for journey in journeys]
        address = {key: loops[1].arguments[key] for key in ("model", "api_base", "api_key")}
        router = litellm.Router(model_list=[{"model_name": "gpt", "litellm_params": address}])
        loops[1].arguments = {key: value for key, value in loops[1].arguments.items() if key not in address} | {
            "model": "gpt"
        }
        await asyncio.gather(
            travel_later(loops[0], litellm.acompletion, metadata={"holdfast_conversation": "a"}),
            travel_later(loops[1], router.acompletion, litellm_session_id="s"),
        )

    with Provider(*journeys) as server:
        asyncio.run(go(server.url))
    for journey in journeys:
        journey.check()
    assert conversations.last_error is None
    assert conversations.records("a")
    assert all(name == "a" or name.startswith("s/unnamed/") for name in conversations._followed)


def sent(adapter, conversations, messages, **more):
    with Provider(Journey()) as server:
        given = Loop(Journey(), server.url).arguments | more
        adapter.LiteLLMCompletions(conversations).completion(**given, messages=messages)
        ((_, body),) = server.requests
    return body


def test_a_conversation_is_named_by_the_call_its_metadata_or_its_session(adapter):
    conversations = Conversations(CONFIG)
    body = sent(adapter, conversations, LONG, holdfast_conversation="x")
    assert "holdfast_conversation" not in str(body)
    assert len(told(body)) < len(LONG) / 2
    sent(adapter, conversations, LONG, metadata={"holdfast_conversation": "y"})
    sent(adapter, conversations, LONG, litellm_session_id="s")
    assert list(conversations._followed)[:2] == ["x", "y"]
    assert [name.partition("/")[0] for name in conversations._followed] == ["x", "y", "s"]


@pytest.mark.parametrize(("model", "tokens"), [("openai/gpt-4o", 96_000), ("openai/unheard-of", 150_000)])
def test_the_window_is_what_litellm_knows_of_the_model(adapter, model, tokens):
    conversations = Conversations()
    sent(adapter, conversations, LONG, model=model)
    (followed,) = conversations._followed.values()
    assert tokens * 0.95 < followed.condenser.config.budget.window <= tokens


def test_no_window_of_ours_is_wider_than_litellm_says(litellm):
    if "claude-opus-5" not in litellm.model_cost:
        pytest.skip("this release has no models of today")
    known = {
        name.rpartition("/")[2]: tokens
        for name, model in litellm.model_cost.items()
        if model.get("litellm_provider") in ("anthropic", "openai", "gemini", "deepseek", "xai", "zai", "moonshot")
        and model.get("mode") in ("chat", "responses")
        and (tokens := model.get("max_input_tokens"))
    }
    assert sum(window_of(name, 0) > 0 for name in known) > 100
    wider = {name: tokens for name, tokens in known.items() if window_of(name, 0) > tokens}
    assert not wider


def test_what_fails_in_ours_changes_no_call(adapter):
    conversations = Conversations(CONFIG, on_error=print)
    conversations._of = lambda name: 1 / 0
    assert told(sent(adapter, conversations, LONG, metadata={"a": 1})) == LONG
    assert isinstance(conversations.last_error, ZeroDivisionError)


def test_the_functions_of_the_module_are_drop_ins(adapter, litellm):
    messages = [{"role": "user", "content": "Hello"}]
    given = {"model": "gpt-4o", "messages": messages, "mock_response": "Hi."}
    assert adapter.completion(**given).choices[0].message.content == "Hi."
    assert asyncio.run(adapter.acompletion("gpt-4o", messages, mock_response="Hi.")).choices
    assert adapter.shared().conversations.last_error is None
    assert isinstance(adapter.callback, litellm.integrations.custom_logger.CustomLogger)
    assert adapter.callback is adapter.callback


IMPORTED = """
import sys, importlib, condense.adapters.litellm as adapter
print("litellm" in sys.modules)
sys.modules["litellm"] = None
importlib.reload(adapter)
"""


def test_litellm_is_imported_by_the_first_call_and_missed_by_name():
    command = [sys.executable, "-c", IMPORTED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "False", done.stderr
    assert "pip install 'holdfast-context[litellm]'" in done.stderr
