"""The official SDKs' calls give through the proxy what they give directly, and the provider sees the same requests."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import anthropic
import openai
import pytest
from agent_clients import proxied
from pydantic import BaseModel

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Callable

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ASK = [{"role": "user", "content": "Hello."}]
CLAUDE = {"model": "claude-opus-5-5", "max_tokens": 64}
TOOL = {"name": "look", "description": "Look.", "input_schema": {"type": "object", "properties": {}}}
FUNCTION = {
    "type": "function",
    "function": {"name": "look", "parameters": {"type": "object", "properties": {}}},
}


class Place(BaseModel):
    name: str


def claude(url: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=url, api_key="sk-test-0", max_retries=0)


def gpt(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="sk-test-0", max_retries=0)


def image_for_claude() -> list[dict]:
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    return [{"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": "What?"}]}]


def image_for_gpt() -> list[dict]:
    url = {"url": f"data:image/png;base64,{PIXEL}"}
    return [{"role": "user", "content": [{"type": "image_url", "image_url": url}]}]


def streamed_by_claude(url: str) -> Any:
    with claude(url).messages.stream(**CLAUDE, messages=ASK) as stream:
        return [*stream.text_stream], stream.get_final_message().model_dump()


async def later_by_claude(url: str) -> Any:
    async with anthropic.AsyncAnthropic(base_url=url, api_key="sk-test-0", max_retries=0) as client:
        whole = await client.messages.create(**CLAUDE, messages=ASK)
        async with client.messages.stream(**CLAUDE, messages=ASK) as stream:
            return whole.model_dump(), [piece async for piece in stream.text_stream]


async def later_by_gpt(url: str) -> Any:
    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="sk-test-0", max_retries=0) as client:
        whole = await client.responses.create(model="gpt-5.1", input="Hello.")
        stream = await client.chat.completions.create(model="gpt-5.1", messages=ASK, stream=True)
        return whole.model_dump(), [chunk.model_dump() async for chunk in stream]


def batch(url: str) -> Any:
    request = {"custom_id": "one", "params": {**CLAUDE, "messages": ASK}}
    return claude(url).messages.batches.create(requests=[request]).model_dump()


def refused(url: str) -> Any:
    try:
        claude(url).messages.create(**CLAUDE, messages=ASK)
    except anthropic.APIStatusError as error:
        return type(error).__name__, error.status_code, error.body, error.response.headers["retry-after"]
    raise AssertionError


BATCH = {
    "id": "batch_1",
    "type": "message_batch",
    "processing_status": "in_progress",
    "request_counts": {"processing": 1, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
    "created_at": "2026-01-01T00:00:00Z",
    "expires_at": "2026-01-02T00:00:00Z",
}
SAYS = Reply("Hello, you.")
CALLS = Reply(call=("look", {"at": "zebra"}))
CASES: dict[str, tuple[Reply, Callable[[str], Any]]] = {
    "anthropic create": (SAYS, lambda url: claude(url).messages.create(**CLAUDE, messages=ASK).model_dump()),
    "anthropic stream": (SAYS, streamed_by_claude),
    "anthropic events": (
        SAYS,
        lambda url: [e.model_dump() for e in claude(url).messages.create(**CLAUDE, messages=ASK, stream=True)],
    ),
    "anthropic raw": (
        SAYS,
        lambda url: claude(url).messages.with_raw_response.create(**CLAUDE, messages=ASK).http_response.content,
    ),
    "anthropic tools": (
        CALLS,
        lambda url: claude(url).messages.create(**CLAUDE, messages=ASK, tools=[TOOL]).model_dump(),
    ),
    "anthropic image": (
        SAYS,
        lambda url: claude(url).messages.create(**CLAUDE, messages=image_for_claude()).model_dump(),
    ),
    "anthropic async": (SAYS, lambda url: asyncio.run(later_by_claude(url))),
    "anthropic count": (
        Reply(body=b'{"input_tokens": 12}'),
        lambda url: claude(url).messages.count_tokens(model="claude-opus-5-5", messages=ASK).model_dump(),
    ),
    "anthropic batch": (Reply(body=json.dumps(BATCH).encode()), batch),
    "anthropic models": (
        Reply(body=b'{"data": [], "has_more": false, "first_id": null, "last_id": null}'),
        lambda url: claude(url).models.list().model_dump(),
    ),
    "anthropic refused": (Reply(status=429, headers={"retry-after": "7"}), refused),
    "openai chat": (
        SAYS,
        lambda url: gpt(url).chat.completions.create(model="gpt-5.1", messages=ASK).model_dump(),
    ),
    "openai chat stream": (
        SAYS,
        lambda url: [
            c.model_dump() for c in gpt(url).chat.completions.create(model="gpt-5.1", messages=ASK, stream=True)
        ],
    ),
    "openai chat tools": (
        CALLS,
        lambda url: gpt(url).chat.completions.create(model="gpt-5.1", messages=ASK, tools=[FUNCTION]).model_dump(),
    ),
    "openai chat image": (
        SAYS,
        lambda url: gpt(url).chat.completions.create(model="gpt-5.1", messages=image_for_gpt()).model_dump(),
    ),
    "openai raw": (
        SAYS,
        lambda url: gpt(url).chat.completions.with_raw_response.create(model="gpt-5.1", messages=ASK).text,
    ),
    "openai responses": (
        SAYS,
        lambda url: gpt(url).responses.create(model="gpt-5.1", input="Hello.").model_dump(),
    ),
    "openai responses stream": (
        SAYS,
        lambda url: [e.model_dump() for e in gpt(url).responses.create(model="gpt-5.1", input="Hi", stream=True)],
    ),
    "openai parse": (
        Reply('{"name": "Bern"}'),
        lambda url: gpt(url).responses.parse(model="gpt-5.1", input="Hi", text_format=Place).output_parsed,
    ),
    "openai async": (SAYS, lambda url: asyncio.run(later_by_gpt(url))),
    "openai models": (
        Reply(body=b'{"object": "list", "data": []}'),
        lambda url: gpt(url).models.list().model_dump(),
    ),
}


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    replies: list[Reply] = []
    with ScriptedServer(choose=lambda *_: replies[-1]) as server:
        kept = tmp_path_factory.mktemp("kept")
        with proxied(server.url, kept) as (address, _):
            yield server, address, replies


def same(value: Any) -> Any:
    """Return a result without the number that the stand-in gives each of its replies."""
    text = value.decode() if isinstance(value, bytes) else json.dumps(value, default=repr)
    numbers = sorted(
        {part for part in text.replace('"', " ").split() if part[-1:].isdigit() and "_" in part}, key=len
    )
    for part in reversed(numbers):
        text = text.replace(part, part.rstrip("0123456789"))
    return text


@pytest.mark.parametrize("name", CASES)
def test_a_call_through_the_proxy_is_the_call(places, name):
    server, address, replies = places
    reply, call = CASES[name]
    replies.append(reply)
    seen = len(server.requests)
    direct = call(server.url)
    between = len(server.requests)
    through = call(address)
    assert same(through) == same(direct)
    assert server.requests[between:] == server.requests[seen:between]
    ours, theirs = server.headers[between:], server.headers[seen:between]
    assert [of_the_request(one) for one in ours] == [of_the_request(one) for one in theirs]


def of_the_request(headers: dict[str, str]) -> dict[str, str]:
    """Return headers without those of one connection."""
    return {name: value for name, value in headers.items() if name not in {"host", "connection"}}
