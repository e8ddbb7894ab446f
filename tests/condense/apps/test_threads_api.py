"""The documented REST of threads."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from condense.apps.threads_api import threads_app
from memory.entries import ThreadChunk, ThreadMessage, ThreadSummary
from memory.errors import StoreError
from memory.stores import InMemoryThreads


@pytest.fixture
def store():
    kept = InMemoryThreads()
    for name, at in (("thread-a1b2c3", 1_700_000_000.0), ("x/y", 1_700_000_100.5)):
        kept.touch_thread(name, at)
    kept.label_thread("thread-a1b2c3", "会话 1")
    function = {"name": "ls", "arguments": "{}"}
    values = [
        {"role": "user", "content": "What is here?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "a.py"},
    ]
    kept.append_messages("thread-a1b2c3", [ThreadMessage(f"m{i}", v) for i, v in enumerate(values)])
    kept.put_summary(ThreadSummary("thread-a1b2c3", "We talked.", 3))
    kept.put_chunks([ThreadChunk("thread-a1b2c3", "words")])
    return kept


def call(store, method, path, **more):
    settings = {name: more.pop(name) for name in ("history", "delete") if name in more}

    async def asked():
        transport = httpx.ASGITransport(threads_app(store, **settings))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, path, **more)

    return asyncio.run(asked())


def test_conversations_are_listed_the_last_used_first(store):
    answer = call(store, "GET", "/api/conversations")
    assert answer.status_code == 200
    assert answer.json() == [
        {"id": "x/y", "label": "", "lastActiveAt": "2023-11-14T22:15:00.500+00:00"},
        {"id": "thread-a1b2c3", "label": "会话 1", "lastActiveAt": "2023-11-14T22:13:20.000+00:00"},
    ]
    page = call(store, "GET", "/api/conversations?limit=1&offset=1").json()
    assert [one["id"] for one in page] == ["thread-a1b2c3"]


def test_the_history_of_a_conversation(store):
    answer = call(store, "GET", "/api/chat/history?thread_id=thread-a1b2c3").json()
    assert answer["threadId"] == "thread-a1b2c3"
    assert [(m["id"], m["role"], m["text"]) for m in answer["messages"]] == [
        ("m0", "user", "What is here?"),
        ("m1", "assistant", ""),
        ("m2", "tool", "a.py"),
    ]
    assert answer["messages"][1]["value"]["tool_calls"][0]["function"]["name"] == "ls"
    assert call(store, "GET", "/api/chat/history?thread_id=x/y").json()["messages"] == []


def test_the_history_that_a_framework_keeps(store):
    held = {"t": [{"role": "user", "content": "Hello", "id": "h1"}, {"role": "assistant", "content": "Hi"}]}
    answer = call(store, "GET", "/api/chat/history?thread_id=t", history=held.get).json()
    assert [(m["id"], m["text"]) for m in answer["messages"]] == [("h1", "Hello"), ("1", "Hi")]
    assert call(store, "GET", "/api/chat/history?thread_id=no", history=held.get).status_code == 404


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_label_is_changed(store, method):
    answer = call(store, method, "/api/conversations/x/y", json={"label": " Deploys "})
    assert answer.json() == {"id": "x/y", "label": "Deploys", "lastActiveAt": "2023-11-14T22:15:00.500+00:00"}
    assert store.thread("x/y").label == "Deploys"


def test_deleting_takes_all_of_a_conversation(store):
    answer = call(store, "DELETE", "/api/conversations/thread-a1b2c3")
    gone = {"thread": 1, "messages": 3, "summary": 1, "chunks": 1, "topics": 0}
    assert answer.json() == {"id": "thread-a1b2c3", "deleted": gone}
    assert store.messages("thread-a1b2c3") == ()
    assert store.summary("thread-a1b2c3") is None
    assert [t.thread_id for t in store.threads()] == ["x/y"]
    assert call(store, "DELETE", "/api/conversations/thread-a1b2c3").status_code == 404


def test_deleting_can_go_beyond_the_store(store):
    answer = call(store, "DELETE", "/api/conversations/t", delete=lambda thread: {"checkpoints": 7})
    assert answer.json() == {"id": "t", "deleted": {"checkpoints": 7}}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/conversations?limit=none", None, 400),
        ("GET", "/api/conversations?limit=0", None, 400),
        ("GET", "/api/conversations?offset=-1", None, 400),
        ("GET", "/api/chat/history", None, 400),
        ("GET", "/api/chat/history?thread_id=nobody", None, 404),
        ("PUT", "/api/conversations/nobody", b'{"label": "x"}', 404),
        ("PUT", "/api/conversations/x/y", b"no json", 400),
        ("PUT", "/api/conversations/x/y", b"\xff", 400),
        ("PUT", "/api/conversations/x/y", b'["label"]', 400),
        ("PATCH", "/api/conversations/x/y", b'{"label": 7}', 400),
        ("PATCH", "/api/conversations/x/y", b'{"label": "%s"}' % (b"x" * 201), 400),
        ("POST", "/api/conversations", b"{}", 405),
        ("GET", "/api/nothing", None, 404),
    ],
)
def test_errors_are_json_and_say_why(store, method, path, body, status):
    answer = call(store, method, path, content=body)
    assert answer.status_code == status
    assert answer.json()["error"]
    assert store.thread("x/y").label == ""


@pytest.mark.parametrize(
    ("method", "path", "broken"),
    [
        ("GET", "/api/conversations", "threads"),
        ("GET", "/api/chat/history?thread_id=x", "messages"),
        ("DELETE", "/api/conversations/x", "delete_thread"),
        ("PUT", "/api/conversations/x", "label_thread"),
    ],
)
def test_a_store_that_is_away_is_a_503_without_its_address(method, path, broken):
    def away(self, *args, **more):
        raise StoreError("cannot reach postgresql://me:hidden@db")

    store = type("Away", (InMemoryThreads,), {broken: away})()
    answer = call(store, method, path, json={"label": "x"})
    assert answer.status_code == 503
    assert "hidden" not in answer.text
