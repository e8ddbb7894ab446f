"""A line around a client of the plain SDKs: real SDKs, real HTTP, a scripted provider that checks every request."""

from __future__ import annotations

import asyncio
import copy
import json

import anthropic
import contracts.test_sdks_through_the_proxy as calls
import openai
import pytest
from journey import CONFIG, RULES, Journey
from loops import CHAT_TOOL, CLAUDE, FORMS, GPT, SYSTEM, TOOL, Chat, Claude, Provider, Responses, told
from pydantic import BaseModel

from condense import CondenseConfig
from condense.adapters.anthropic import AnthropicMiddleware
from condense.adapters.clients import with_holdfast
from condense.adapters.conversations import Conversations
from condense.adapters.limits import window_of
from condense.adapters.requests import HEADER, form_of
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory.conversation import Form, count_message, default_counter, parse_messages
from memory.errors import StoreError


def anthropic_client(url, **more):
    return anthropic.Anthropic(base_url=url, api_key="sk-test-0", max_retries=2, **more)


def openai_client(url, **more):
    return openai.OpenAI(base_url=f"{url}/v1", api_key="sk-test-0", max_retries=2, **more)


def streamed_chat(client, **given):
    completions = client.chat.completions
    asked_as_stream = getattr(completions, "stream", None) or client.beta.chat.completions.stream
    with asked_as_stream(**given) as stream:
        return stream.get_final_completion()


async def streamed_claude_later(client, **given):
    async with client.messages.stream(**given) as stream:
        return await stream.get_final_message()


WAYS = {
    "anthropic": (Claude, anthropic_client, lambda client, **given: client.messages.create(**given)),
    "chat stream": (Chat, openai_client, streamed_chat),
    "responses": (Responses, openai_client, lambda client, **given: client.responses.create(**given)),
}
LATER = {
    "anthropic stream": (Claude, anthropic.AsyncAnthropic, streamed_claude_later),
    "chat": (Chat, openai.AsyncOpenAI, lambda client, **given: client.chat.completions.create(**given)),
}


def travel(loop, client, call):
    for ask in loop.journey.asks:
        loop.ask(ask)
        while True:
            before = list(loop.history)
            done = call(client, **loop.arguments, **{loop.key: loop.history})
            assert all(a is b for a, b in zip(before, loop.history, strict=True))
            if loop.took(done):
                break


async def travel_later(loop, client, call):
    for ask in loop.journey.asks:
        loop.ask(ask)
        while not loop.took(await call(client, **loop.arguments, **{loop.key: loop.history})):
            pass


def check(server, journey, conversations):
    journey.check()
    assert conversations.last_error is None
    assert len(server.requests) == journey.calls
    assert any("hf_" in json.dumps(body) for _, body in server.requests)


@pytest.mark.parametrize("name", WAYS)
def test_a_journey_stays_in_the_window_and_keeps_its_rules(name):
    loop, make, call = WAYS[name]
    journey, conversations = Journey(), Conversations(CONFIG)
    with Provider(journey) as server, make(server.url) as plain:
        client = with_holdfast(plain, conversations)
        assert isinstance(client, type(plain))
        assert type(client).__name__ == type(plain).__name__
        travel(loop(journey), client, call)
    check(server, journey, conversations)


@pytest.mark.parametrize("name", LATER)
def test_two_journeys_at_once_by_one_async_client_do_not_mix(name):
    loop, make, call = LATER[name]
    journeys, conversations = [Journey("north"), Journey("south")], Conversations(CONFIG)

    async def go(url):
        async with make(base_url=url, api_key="sk-test-0") as plain:
            client = with_holdfast(plain, conversations)
            await asyncio.gather(*(travel_later(loop(journey), client, call) for journey in journeys))

    with Provider(*journeys) as server:
        asyncio.run(go(server.url if make is anthropic.AsyncAnthropic else f"{server.url}/v1"))
    for journey in journeys:
        journey.check()
    assert conversations.last_error is None


def long_history(form: str, turns: int = 60) -> list[dict]:
    """What a loop has gathered when it was never made smaller."""
    journey, history = Journey(), []
    for i in range(turns):
        output = journey.read_file(f"mod_{i}.py")
        if form == "anthropic":
            call = {"type": "tool_use", "id": f"toolu_{i}", "name": "read_file", "input": {"path": f"{i}.py"}}
            result = {"type": "tool_result", "tool_use_id": f"toolu_{i}", "content": output}
            history += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        elif form == "openai-chat":
            function = {"name": "read_file", "arguments": f'{{"path": "{i}.py"}}'}
            call = {"id": f"call_{i}", "type": "function", "function": function}
            history += [
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": f"call_{i}", "content": output},
            ]
        else:
            call = {"type": "function_call", "call_id": f"call_{i}", "name": "read_file", "arguments": "{}"}
            history += [call, {"type": "function_call_output", "call_id": f"call_{i}", "output": output}]
    asked = {"role": "user", "content": f"Write the importer. {' '.join(RULES)}"}
    return [asked, *history, {"role": "user", "content": "Go on, please."}]


class Place(BaseModel):
    name: str


LONG = {form: long_history(form) for form in FORMS.values()}
ASKED = {"model": CLAUDE, "max_tokens": 200, "messages": LONG["anthropic"], "tools": [TOOL]}
CHATTED = {"model": GPT, "messages": LONG["openai-chat"], "tools": [CHAT_TOOL]}
RESPONDED = {"model": GPT, "input": LONG["openai-responses"], "instructions": SYSTEM}


def streamed_by_claude(client):
    with client.messages.stream(**ASKED) as stream:
        return stream.get_final_message()


def streamed_by_responses(client):
    with client.responses.stream(**RESPONDED) as stream:
        return stream.get_final_response()


async def later_by_responses(client):
    """Ask by an async client like this one."""
    wrapped = type(client) is not openai.OpenAI
    async with openai.AsyncOpenAI(base_url=client.base_url, api_key="k") as plain:
        later = with_holdfast(plain, Conversations(CONFIG)) if wrapped else plain
        stream = await later.responses.create(**RESPONDED, stream=True)
        return [event async for event in stream]


SMALLER = {
    "anthropic raw": lambda claude, gpt: claude.messages.with_raw_response.create(**ASKED).parse(),
    "anthropic streamed raw": lambda claude, gpt: (
        claude.messages.with_streaming_response.create(**ASKED).__enter__().read()
    ),
    "anthropic parse": lambda claude, gpt: claude.messages.parse(**ASKED, output_format=Place),
    "anthropic stream": lambda claude, gpt: streamed_by_claude(claude),
    "anthropic options": lambda claude, gpt: claude.with_options(max_retries=0).messages.create(**ASKED),
    "anthropic copied": lambda claude, gpt: claude.copy(timeout=9).beta.messages.create(**ASKED, stream=True),
    "anthropic runner": lambda claude, gpt: claude.beta.messages.tool_runner(**ASKED).until_done(),
    "chat raw": lambda claude, gpt: gpt.chat.completions.with_raw_response.create(**CHATTED).parse(),
    "chat streamed raw": lambda claude, gpt: (
        gpt.chat.completions.with_streaming_response.create(**CHATTED).__enter__().read()
    ),
    "chat parse": lambda claude, gpt: gpt.chat.completions.parse(
        **{k: v for k, v in CHATTED.items() if k != "tools"}, response_format=Place
    ),
    "chat options": lambda claude, gpt: gpt.with_options(max_retries=0).chat.completions.create(**CHATTED),
    "chat client raw": lambda claude, gpt: gpt.with_raw_response.chat.completions.create(**CHATTED),
    "responses streamed": lambda claude, gpt: streamed_by_responses(gpt),
    "responses async": lambda claude, gpt: asyncio.run(later_by_responses(gpt)),
    "responses parse": lambda claude, gpt: gpt.responses.parse(**RESPONDED, text_format=Place),
    "responses stream": lambda claude, gpt: list(gpt.responses.create(**RESPONDED, stream=True)),
    "responses raw": lambda claude, gpt: gpt.responses.with_raw_response.create(**RESPONDED).parse(),
}


@pytest.fixture(scope="module")
def provider():
    replies = [Reply('{"name": "Bern"}')]
    with ScriptedServer(choose=lambda *_: replies[-1]) as server:
        server.replies = replies
        yield server


@pytest.fixture
def replies(provider):
    """The last of these is what the provider replies; what a test adds goes with it."""
    yield provider.replies
    del provider.replies[1:]


@pytest.fixture
def asked(provider):
    """Return what the provider saw of a call by two clients."""
    with anthropic_client(provider.url) as claude, openai_client(provider.url) as gpt:

        def of(call, conversations=None, **more):
            seen = len(provider.requests)
            held = conversations or Conversations(CONFIG)
            call(with_holdfast(claude, held, **more), with_holdfast(gpt, held, **more))
            return [body for _, body in provider.requests[seen:]]

        of.plain = (claude, gpt)
        yield of


def since_then(call, *arguments):
    """Call an SDK plainly; skip what this release has not."""
    try:
        return call(*arguments)
    except AttributeError as error:
        pytest.skip(f"this release has no such call: {error}")


@pytest.mark.parametrize("name", SMALLER)
def test_every_way_to_ask_for_an_answer_sends_the_view_and_nothing_else_is_another(asked, provider, name):
    seen = len(provider.requests)
    since_then(SMALLER[name], *asked.plain)
    (direct,) = (body for _, body in provider.requests[seen:])
    (body,) = asked(SMALLER[name])
    field = "input" if "input" in body else "messages"
    assert len(told(body)) < len(told(direct)) / 2
    assert [key for key in body if body[key] != direct[key]] == [field]
    assert list(body) == list(direct)
    kept = [message for message in told(body) if message in told(direct)]
    assert told(body)[-1] == told(direct)[-1]
    assert len(kept) >= len(told(body)) - 2
    assert all(rule in json.dumps(body, ensure_ascii=False) for rule in RULES)


def untouched(claude, gpt):
    claude.messages.count_tokens(**{k: v for k, v in ASKED.items() if k != "max_tokens"})
    claude.messages.batches.create(requests=[{"custom_id": "1", "params": {**ASKED, "tools": []}}])
    gpt.embeddings.create(model="e", input=["zebra"], encoding_format="float")
    gpt.responses.create(**RESPONDED, previous_response_id="resp_0")
    gpt.responses.create(**RESPONDED, conversation="conv_0")
    gpt.responses.create(**RESPONDED, extra_body={"previous_response_id": "resp_0"})
    gpt.responses.create(
        **{**RESPONDED, "input": [{"type": "item_reference", "id": "r"}, *LONG["openai-responses"]]}
    )
    gpt.responses.create(model=GPT, input="zebra " * 9_000)


def test_what_asks_for_no_answer_or_leaves_its_history_with_the_provider_is_as_it_was(asked, provider, replies):
    replies.append(Reply(body=b'{"id": "x", "object": "list", "data": [], "input_tokens": 1, "output": []}'))
    seen = len(provider.requests)
    since_then(untouched, *asked.plain)
    between = len(provider.requests)
    bodies = asked(untouched)
    assert bodies == [body for _, body in provider.requests[seen:between]]
    assert len(bodies) == 8


@pytest.mark.parametrize("name", calls.CASES)
def test_a_call_of_a_short_conversation_is_the_call(provider, replies, monkeypatch, name):
    reply, call = calls.CASES[name]
    replies.append(reply)
    seen = len(provider.requests)
    direct = since_then(call, provider.url)
    between = len(provider.requests)
    for module, made in ((calls, "claude"), (calls, "gpt")):
        plain = getattr(module, made)
        monkeypatch.setattr(module, made, lambda url, plain=plain: with_holdfast(plain(url)))
    for module, made in ((anthropic, "AsyncAnthropic"), (openai, "AsyncOpenAI")):
        plain = getattr(module, made)
        monkeypatch.setattr(module, made, lambda plain=plain, **given: with_holdfast(plain(**given)))
    wrapped = call(provider.url)
    assert calls.same(wrapped) == calls.same(direct)
    assert provider.requests[between:] == provider.requests[seen:between]


def test_an_attempt_again_sends_the_same_bytes_and_compacts_once():
    for call in (SMALLER["anthropic copied"], lambda _, gpt: gpt.chat.completions.create(**CHATTED)):
        conversations = Conversations(CONFIG)
        again = {"retry-after-ms": "1"}
        failures = (Reply(status=529, headers=again), Reply(status=500, headers=again))
        with (
            ScriptedServer(*failures, Reply("ok")) as server,
            anthropic_client(server.url) as claude,
            openai_client(server.url) as gpt,
        ):
            call(with_holdfast(claude, conversations), with_holdfast(gpt, conversations))
        sent = [json.dumps(body) for _, body in server.requests]
        assert len(sent) == 3
        assert len(set(sent)) == 1
        assert "hf_" in sent[0]
        (name,) = conversations._followed
        assert len(conversations.records(name)) == 1


class Broken:
    """A store that fails in whatever it is asked."""

    def __getattr__(self, name):
        def failing(*_, **__):
            raise StoreError(f"no {name} today")

        return failing


def test_what_fails_in_ours_changes_no_call_and_is_told(asked, monkeypatch):
    errors = []
    conversations = Conversations(CONFIG, on_error=errors.append)
    monkeypatch.setattr(conversations, "_of", lambda name: 1 / 0)
    for name in ("anthropic raw", "chat raw", "responses raw"):
        (body,) = asked(SMALLER[name], conversations)
        assert told(body) in LONG.values()
    assert isinstance(conversations.last_error, ZeroDivisionError)
    assert conversations.errors == 3
    counting = Conversations(CONFIG, count_tokens=lambda text: int("none"), on_error=errors.append)
    (body,) = asked(SMALLER["anthropic options"], counting)
    assert told(body) == LONG["anthropic"]
    assert isinstance(counting.last_error, ValueError)
    stored = Conversations(CONFIG, store=Broken(), on_error=errors.append)
    (body,) = asked(SMALLER["anthropic raw"], stored)
    assert told(body) == LONG["anthropic"]
    assert any(isinstance(error, StoreError) for error in errors)
    strange = {**CHATTED, "messages": [*LONG["openai-chat"], {"role": "martian", "content": 7}]}
    odd = Conversations(CONFIG, on_error=errors.append)
    (body,) = asked(lambda _, gpt: gpt.chat.completions.create(**strange), odd)
    assert told(body) == strange["messages"]
    assert odd.last_error is not None


def test_cache_marks_stay_where_they_were_and_are_never_more(asked):
    mark = {"cache_control": {"type": "ephemeral"}}
    messages = copy.deepcopy(LONG["anthropic"])
    for message in (messages[10], messages[-2]):
        message["content"][-1].update(mark)
    messages[-1]["content"] = [{"type": "text", "text": "Go on, please.", **mark}]
    system = [{"type": "text", "text": SYSTEM, **mark}]
    given = {**ASKED, "messages": messages, "system": system}
    (body,) = asked(lambda claude, _: claude.messages.create(**given))
    assert len(messages) > len(body["messages"])
    assert body["system"] == system
    assert body["messages"][-1] == messages[-1]
    assert json.dumps(body).count("cache_control") <= 4


def names_of(asked, *histories, **more):
    conversations = Conversations(CONFIG)
    for messages in histories:
        given = {**ASKED, **more, "messages": messages}
        asked(lambda claude, _, given=given: claude.messages.create(**given), conversations)
    return list(conversations._followed)


def test_a_conversation_is_told_by_its_beginning_whatever_decorates_it(asked):
    marked = copy.deepcopy(LONG["anthropic"])
    marked[0]["content"] = [{"type": "text", "text": marked[0]["content"], "cache_control": {"type": "ephemeral"}}]
    plain = copy.deepcopy(marked)
    del plain[0]["content"][0]["cache_control"]
    other = copy.deepcopy(plain)
    other[0]["content"][0]["text"] = "Something else."
    assert len(names_of(asked, marked, plain, plain[:30])) == 1
    assert len(names_of(asked, plain, other)) == 2


def test_a_call_or_a_client_names_its_conversation(asked, provider):
    conversations = Conversations(CONFIG)
    named = {"extra_headers": {"X-Holdfast-Conversation": "task 1"}}
    asked(lambda claude, _: claude.messages.create(**ASKED, **named), conversations)
    asked(lambda _, gpt: gpt.chat.completions.create(**CHATTED, extra_headers={HEADER: "task 2"}), conversations)
    asked(lambda _, gpt: gpt.responses.create(**RESPONDED), conversations, conversation="task 3")
    assert list(conversations._followed) == ["task 1", "task 2", "task 3"]
    assert all(HEADER not in headers for headers in provider.headers[-3:])


def test_system_prompt_tools_and_answer_leave_the_history_less_room(asked):
    count = default_counter()

    def size(**more):
        given = {**ASKED, "messages": LONG["anthropic"][:38] + LONG["anthropic"][-1:], **more}
        (body,) = asked(lambda claude, _: claude.messages.create(**given), Conversations(CONFIG))
        return sum(count_message(m, count) for m in parse_messages(body["messages"], Form.ANTHROPIC))

    whole = size()
    assert whole < 5_000
    for more in (
        {"system": "zebra " * 2_500},
        {"max_tokens": 3_000},
        {"tools": [{**TOOL, "description": "zebra " * 2_500}]},
    ):
        assert size(**more) < 3_500
    assert size(max_tokens=20_000) < 2_000


def test_the_budget_is_made_for_the_window_of_the_model(asked):
    def room(model, **more):
        conversations = Conversations()
        asked(lambda _, gpt: gpt.chat.completions.create(**{**CHATTED, "model": model}), conversations, **more)
        (followed,) = conversations._followed.values()
        return followed.condenser.config.budget.window

    assert 90_000 < room("gpt-4o-mini") <= 96_000
    assert 190_000 < room("gpt-5.1") <= 204_000
    assert 140_000 < room("llama") <= 150_000
    assert 23_000 < room("llama", window=32_000) <= 24_000
    with pytest.raises(ValueError, match="window=0"):
        asked(untouched, window=0)


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4o-2024-08-06", 128_000),
        ("openai/gpt-5.1-codex", 272_000),
        ("us.anthropic.claude-opus-5-5-v1:0", 1_000_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("gpt-5.4-mini", 272_000),
        ("gpt-5.4-pro", 922_000),
        ("openrouter/anthropic/claude-sonnet-4.6", 1_000_000),
        ("models/gemini-3.1-pro-preview", 1_048_576),
        ("my-gpt-4-turbo", 128_000),
        ("qwen3:8b", 200_000),
    ],
)
def test_windows_of_models(model, tokens):
    assert window_of(model) == tokens


@pytest.mark.parametrize(
    "path", ["/v1/messages/count_tokens", "/threads/t/messages", "/responses/compact", "/files"]
)
def test_only_requests_for_an_answer_have_a_form(path):
    assert form_of(path) is None
    assert form_of("/v1/messages?beta=true") is Form.ANTHROPIC


@pytest.mark.skipif(not hasattr(anthropic, "Middleware"), reason="this release has no middleware")
def test_middleware_is_given_to_a_client_by_its_constructor(provider):
    middleware = AnthropicMiddleware(Conversations(CONFIG))
    with anthropic_client(provider.url, middleware=[middleware]) as client:
        client.messages.create(**ASKED)
    assert len(provider.requests[-1][1]["messages"]) < len(ASKED["messages"]) / 2
    assert middleware.conversations.last_error is None


def test_a_config_of_ones_own_stands(asked):
    conversations = Conversations(CondenseConfig(weigh_costs=False))
    (body,) = asked(lambda _, gpt: gpt.chat.completions.create(**{**CHATTED, "model": "gpt-4o"}), conversations)
    assert told(body) == CHATTED["messages"]


def test_azure_chooses_its_deployment_by_the_model(provider):
    with openai.AzureOpenAI(azure_endpoint=provider.url, api_version="2026-01-01", api_key="k") as azure:
        client = with_holdfast(azure, Conversations(CONFIG))
        client.chat.completions.create(**CHATTED)
    path, body = provider.requests[-1]
    assert path.startswith(f"/openai/deployments/{GPT}/chat/completions")
    assert "hf_" in json.dumps(body)
