"""Threads in LangGraph's own agents and checkpointers: pruned, recalled, trimmed, deleted."""

from __future__ import annotations

import asyncio
import sqlite3
import warnings

import pytest

from condense.adapters.threads import ThreadMemory, ThreadMemoryConfig
from condense.errors import CondenseFailure
from memory.stores import InMemoryThreads

pytest.importorskip("langchain")
pytest.importorskip("langgraph.checkpoint.sqlite")
pytestmark = [
    pytest.mark.filterwarnings("ignore:The default value of `allowed_objects`"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:langgraph.*"),
]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from langchain.agents import create_agent
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    from condense.adapters.threads.langgraph import ThreadMemoryMiddleware, delete_thread, prune_checkpoints

MARK = "zebra_importer_0"


class Model(BaseChatModel):
    """Says little, and keeps what it was sent."""

    seen: list = []  # noqa: RUF012  # a field

    @property
    def _llm_type(self):
        return "fake"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.seen.append(list(messages))
        return ChatResult(
            generations=[ChatGeneration(message=AIMessage(f"Part {len(self.seen)} is written."))]
        )


@pytest.fixture(params=["memory", "sqlite"])
def saver(request, tmp_path):
    if request.param == "memory":
        yield InMemorySaver()
        return
    connection = sqlite3.connect(tmp_path / "checkpoints.db", check_same_thread=False)
    yield SqliteSaver(connection)
    connection.close()


def talk(number):
    return [
        message
        for k in range(number)
        for message in (
            HumanMessage(f"Write zebra_importer_{k} with PostgreSQL."),
            AIMessage(f"Done with {k}."),
        )
    ]


def two_hundred():
    """A message is 201st with the next ask; the 22nd is a person's."""
    return [HumanMessage("Hello."), *talk(100)[:-1]]


def agent_of(saver, threads, **more):
    model = Model(seen=[])
    return model, create_agent(
        model, middleware=[ThreadMemoryMiddleware(threads, **more)], checkpointer=saver
    )


def thread(name="t1", **more):
    return {"configurable": {"thread_id": name, **more}}


def threads(**settings):
    return ThreadMemory(InMemoryThreads(), ThreadMemoryConfig(**settings), on_error=pytest.fail)


def messages_of(agent, name="t1"):
    return agent.get_state(thread(name)).values["messages"]


def test_prune_at_201_leaves_180_and_what_went_is_recalled(saver):
    memory = threads()
    model, agent = agent_of(saver, memory)
    agent.update_state(thread(), {"messages": two_hundred()})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    held = messages_of(agent)
    assert len(held) == 181, "180 and the answer"
    assert isinstance(held[0], HumanMessage)
    assert not any(MARK in message.text for message in held)
    sent = "\n".join(message.text for message in model.seen[-1])
    assert "[Conversation Summary]" in sent
    assert "[Recallable Topics]" in sent
    assert MARK in memory.recall("t1", MARK)
    assert memory.store.summary("t1").message_count == 21
    assert memory.store.thread("t1") is not None


def test_200_messages_are_left_alone(saver):
    memory = threads()
    _, agent = agent_of(saver, memory)
    agent.update_state(thread(), {"messages": talk(99)})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    assert len(messages_of(agent)) == 200
    assert memory.store.summary("t1") is None


@pytest.mark.parametrize("strategy", ["planner", "tiers"])
def test_virtual_trimming_leaves_the_checkpoint_whole(saver, strategy):
    model, agent = agent_of(saver, threads(context_window=8_000), strategy=strategy)
    agent.update_state(thread(), {"messages": [m for k in range(60) for m in talk(1 + k % 2)]})
    agent.update_state(
        thread(), {"messages": [HumanMessage("Read this. " + "word " * 4_000), AIMessage("Read.")]}
    )
    before = messages_of(agent)
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    assert [m.id for m in messages_of(agent)][: len(before)] == [m.id for m in before]
    assert len(model.seen[-1]) < len(before)
    assert sum(len(m.text) for m in model.seen[-1]) < 8_000 * 4


def test_a_run_may_choose_its_strategy(saver):
    model, agent = agent_of(saver, threads(context_window=8_000, full_recent_count=2))
    agent.update_state(thread(), {"messages": talk(90)})
    long = {"messages": [HumanMessage("Read this. " + "word " * 6_000)]}
    agent.invoke(long, thread(memory_strategy="tiers"))
    assert "holdfast-context" not in "".join(m.text for m in model.seen[-1])


def test_older_checkpoints_go_and_with_them_what_was_pruned(saver, tmp_path):
    _, agent = agent_of(saver, threads())
    agent.update_state(thread(), {"messages": two_hundred()})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    before = messages_of(agent)
    assert any(MARK in str(kept.checkpoint) for kept in saver.list(thread()))
    prune_checkpoints(saver, "t1")
    assert not any(MARK in str(kept) for kept in saver.list(thread()))
    if isinstance(saver, SqliteSaver):
        for table in ("checkpoints", "writes"):
            rows = saver.conn.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
            assert MARK not in str(rows)
    else:
        assert MARK not in str(saver.blobs) + str(saver.writes)
    assert [m.id for m in messages_of(agent)] == [m.id for m in before]
    agent.invoke({"messages": [HumanMessage("And on.")]}, thread())
    assert len(messages_of(agent)) == len(before) + 2


def test_deletion_of_all_tables_is_verified(saver):
    memory = threads()
    _, agent = agent_of(saver, memory)
    for name in ("t1", "t2"):
        agent.update_state(thread(name), {"messages": two_hundred()})
        agent.invoke({"messages": [HumanMessage("Go on.")]}, thread(name))
    gone = delete_thread(memory, saver, "t1")
    assert gone["thread"] == gone["summary"] == 1
    assert gone["chunks"] > 0
    assert list(saver.list(thread())) == []
    assert len(messages_of(agent, "t2")) == 181
    assert memory.store.chunks("t2")


def test_what_is_left_after_a_deletion_is_said(saver, monkeypatch):
    memory = threads()
    memory.touch("t1")
    monkeypatch.setattr(memory.store, "delete_thread", lambda _: {})
    with pytest.raises(CondenseFailure, match="its entry"):
        delete_thread(memory, saver, "t1")


def test_two_threads_do_not_mix(saver):
    memory = threads()
    model, agent = agent_of(saver, memory)
    agent.update_state(thread("t1"), {"messages": two_hundred()})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread("t1"))
    agent.invoke({"messages": [HumanMessage("Hello.")]}, thread("t2"))
    assert [m.text for m in model.seen[-1]] == ["Hello."]
    assert MARK not in memory.recall("t2", MARK)


def test_a_store_that_fails_changes_nothing(saver):
    class Broken(InMemoryThreads):
        def writing(self):
            raise RuntimeError("the disk is gone")

        def summary(self, thread_id):
            raise RuntimeError("the disk is gone")

    class Unreadable(InMemoryThreads):
        def search_chunks(self, *args, **more):
            raise RuntimeError("the disk is gone")

    told = []
    memory = ThreadMemory(Broken(), on_error=told.append)
    model, agent = agent_of(saver, memory)
    agent.update_state(thread(), {"messages": talk(110)})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    assert len(messages_of(agent)) == 222
    assert len(model.seen[-1]) == 221
    assert "cannot be read" in ThreadMemory(Unreadable(), on_error=told.append).recall("t1", "anything")
    assert told


def test_an_async_agent_prunes_and_streams(tmp_path):
    async def run():
        memory = threads()
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "async.db")) as saver:
            _, agent = agent_of(saver, memory)
            await agent.aupdate_state(thread(), {"messages": two_hundred()})
            async for _ in agent.astream(
                {"messages": [HumanMessage("Go on.")]}, thread(), stream_mode="updates"
            ):
                pass
            return len((await agent.aget_state(thread())).values["messages"])

    assert asyncio.run(run()) == 181


def test_older_checkpoints_of_an_async_saver_go_too(tmp_path):
    async def run():
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "async.db")) as saver:
            _, agent = agent_of(saver, threads())
            await agent.aupdate_state(thread(), {"messages": two_hundred()})
            await agent.ainvoke({"messages": [HumanMessage("Go on.")]}, thread())
            await asyncio.to_thread(prune_checkpoints, saver, "t1")
            return [kept async for kept in saver.alist(thread())]

    (kept,) = asyncio.run(run())
    assert len(kept.checkpoint["channel_values"]["messages"]) == 181
    with sqlite3.connect(tmp_path / "async.db") as connection:
        for table in ("checkpoints", "writes"):
            assert MARK not in str(connection.execute(f"SELECT * FROM {table}").fetchall())  # noqa: S608
    connection.close()
