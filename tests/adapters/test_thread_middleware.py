"""Threads in LangGraph's own agents and checkpointers: pruned, recalled, trimmed, deleted."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import warnings
from typing import Annotated, TypedDict

import pytest

from condense.adapters.threads import ThreadMemory, ThreadMemoryConfig
from condense.errors import CondenseFailure
from memory.conversation import Form
from memory.stores import InMemoryThreads

pytest.importorskip("langchain")
pytest.importorskip("langgraph.checkpoint.sqlite")
pytest.importorskip("langgraph.checkpoint.postgres")
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
    from langgraph.channels.delta import DeltaChannel
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import StateGraph

    from condense.adapters.threads.langgraph import ThreadMemoryMiddleware, delete_thread, prune_checkpoints
    from memory.stores import SqlStore


def grown(held, writes):
    return [*(held or []), *(one for write in writes for one in write)]


class Deltas(TypedDict):
    messages: Annotated[list, DeltaChannel(grown)]


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
        return ChatResult(generations=[ChatGeneration(message=AIMessage(f"Part {len(self.seen)} is written."))])


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def saver(request, tmp_path):
    if request.param == "memory":
        yield InMemorySaver()
    elif request.param == "sqlite":
        connection = sqlite3.connect(tmp_path / "checkpoints.db", check_same_thread=False)
        yield SqliteSaver(connection)
        connection.close()
    else:
        with PostgresSaver.from_conn_string(request.getfixturevalue("postgres_url")) as opened:
            opened.setup()
            yield opened


@pytest.fixture(params=["sqlite", "postgres"])
def async_saver(request, tmp_path):
    """How to open an async saver, in the loop that will use it, and all that its tables hold."""
    if request.param == "sqlite":
        file = str(tmp_path / "async.db")
        return lambda: AsyncSqliteSaver.from_conn_string(file), lambda: sqlite_bytes(file)
    url = request.getfixturevalue("postgres_url")

    @contextlib.asynccontextmanager
    async def opened():
        async with AsyncPostgresSaver.from_conn_string(url) as saver:
            await saver.setup()
            yield saver

    return opened, lambda: postgres_bytes(url)


def sqlite_bytes(file, where="1"):
    with contextlib.closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        asked = [f"SELECT * FROM {name} WHERE {where}" for name in names]  # noqa: S608
        return b"\n".join(repr(row).encode() for one in asked for row in connection.execute(one))


def postgres_bytes(url, where="true"):
    import psycopg

    told = []
    with psycopg.connect(url) as connection:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            for row in connection.execute(f"SELECT * FROM {table} WHERE {where}"):  # noqa: S608
                told += [bytes(one) if isinstance(one, bytes | memoryview) else str(one).encode() for one in row]
    return b"\n".join(told)


def all_bytes(saver):
    if isinstance(saver, InMemorySaver):
        return repr((dict(saver.storage), saver.blobs, dict(saver.writes))).encode()
    if isinstance(saver, SqliteSaver):
        return sqlite_bytes(saver.conn.execute("PRAGMA database_list").fetchone()[2])
    return postgres_bytes(saver.conn.info.dsn)


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
    return model, create_agent(model, middleware=[ThreadMemoryMiddleware(threads, **more)], checkpointer=saver)


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
    agent.update_state(thread(), {"messages": [HumanMessage("Read this. " + "word " * 4_000), AIMessage("Read.")]})
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


def test_older_checkpoints_go_and_with_them_what_was_pruned(saver):
    _, agent = agent_of(saver, threads())
    agent.update_state(thread(), {"messages": two_hundred()})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    before = messages_of(agent)
    assert MARK.encode() in all_bytes(saver)
    prune_checkpoints(saver, "t1")
    assert len(list(saver.list(thread()))) == 1
    assert MARK.encode() not in all_bytes(saver)
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
    tables = {"checkpoints", "checkpoint_blobs", "checkpoint_writes", "writes", "blobs"} & gone.keys()
    assert len(tables) == (2 if isinstance(saver, SqliteSaver) else 3)
    assert all(gone[table] for table in tables)
    assert list(saver.list(thread())) == []
    assert len(messages_of(agent, "t2")) == 181
    assert memory.store.chunks("t2")
    assert not any(delete_thread(memory, saver, "t1").values())


def test_rows_that_a_checkpointer_leaves_behind_are_counted_and_said(saver, monkeypatch):
    memory = threads()
    _, agent = agent_of(saver, memory)
    agent.update_state(thread(), {"messages": two_hundred()})
    agent.invoke({"messages": [HumanMessage("Go on.")]}, thread())
    if isinstance(saver, InMemorySaver):
        halfway = saver.storage.pop
    elif isinstance(saver, SqliteSaver):

        def halfway(name):
            with saver.cursor() as cursor:
                cursor.execute("DELETE FROM checkpoints WHERE thread_id = ?", (name,))

    else:

        def halfway(name):
            saver.conn.execute("DELETE FROM checkpoints WHERE thread_id = %s", (name,))

    monkeypatch.setattr(saver, "delete_thread", halfway)
    with pytest.raises(CondenseFailure, match=r"still has rows of it: \d+ in (checkpoint_)?(writes|blobs)"):
        delete_thread(memory, saver, "t1")


def test_deletion_takes_compactions_and_their_originals_out_of_the_database(sql_url):
    with SqlStore(sql_url) as store:
        told = []
        memory = ThreadMemory(store, ThreadMemoryConfig(context_window=8_000), on_error=told.append)
        saver = InMemorySaver()
        _, agent = agent_of(saver, memory)
        agent.update_state(thread(), {"messages": talk(90)})
        agent.invoke({"messages": [HumanMessage("Read this. " + "word " * 4_000)]}, thread())
        assert store.records(None, "t1"), told
        gone = delete_thread(memory, saver, "t1")
        assert gone["compactions"] == 1
        assert gone["originals"] > 0
        assert store.records(None, "t1") == ()


def test_any_process_goes_on_byte_for_byte_with_what_another_compacted(sql_url):
    spoken = [{"role": ("user", "assistant")[k % 2], "content": f"Part {k}. {'word ' * 90}"} for k in range(93)]
    sent = []
    for number in (91, 91, 93):
        with SqlStore(sql_url) as store:
            memory = ThreadMemory(store, ThreadMemoryConfig(context_window=8_000), on_error=pytest.fail)
            sent.append(memory.view("t1", spoken[:number], form=Form.OPENAI_CHAT))
            assert len(store.records(None, "t1")) == 1
    assert sent[0] == sent[1]
    assert sent[2][: len(sent[0])] == sent[0]
    assert len(sent[0]) < 91


def test_a_graph_of_deltas_is_refused_and_left_whole(saver):
    graph = StateGraph(Deltas)
    graph.add_node("say", lambda state: {"messages": [f"answer {len(state['messages'])}"]})
    graph.set_entry_point("say")
    compiled = graph.compile(checkpointer=saver)
    for k in range(3):
        compiled.invoke({"messages": [f"ask {k}"]}, thread())
    before = compiled.get_state(thread()).values["messages"]
    assert len(before) == 6
    with pytest.raises(CondenseFailure, match="DeltaChannel"):
        prune_checkpoints(saver, "t1")
    assert compiled.get_state(thread()).values["messages"] == before


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


def test_an_async_agent_prunes_and_streams(async_saver):
    opened, _ = async_saver

    async def run():
        memory = threads()
        async with opened() as saver:
            _, agent = agent_of(saver, memory)
            await agent.aupdate_state(thread(), {"messages": two_hundred()})
            async for _ in agent.astream({"messages": [HumanMessage("Go on.")]}, thread(), stream_mode="updates"):
                pass
            return len((await agent.aget_state(thread())).values["messages"])

    assert asyncio.run(run()) == 181


def test_older_checkpoints_of_an_async_saver_go_too(async_saver):
    opened, held = async_saver

    async def run():
        async with opened() as saver:
            memory = threads()
            _, agent = agent_of(saver, memory)
            await agent.aupdate_state(thread(), {"messages": two_hundred()})
            await agent.ainvoke({"messages": [HumanMessage("Go on.")]}, thread())
            before = held()
            with pytest.raises(CondenseFailure, match=r"asyncio\.to_thread"):
                prune_checkpoints(saver, "t1")
            await asyncio.to_thread(prune_checkpoints, saver, "t1")
            after = held()
            kept = len((await agent.aget_state(thread())).values["messages"])
            number = len([one async for one in saver.alist(thread())])
            with pytest.raises(CondenseFailure, match=r"asyncio\.to_thread"):
                delete_thread(memory, saver, "t1")
            gone = await asyncio.to_thread(delete_thread, memory, saver, "t1")
            return before, after, kept, number, gone

    before, after, kept, number, gone = asyncio.run(run())
    assert MARK.encode() in before
    assert MARK.encode() not in after
    assert (kept, number) == (181, 1)
    assert gone["checkpoints"] == 1
    assert b"t1" not in held()
