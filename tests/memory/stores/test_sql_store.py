"""The SQL store on real databases: places, migrations, newer schemas, failures, transactions of several processes."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from stored_memories import stored

from memory.entries import MemoryFilter, ThreadChunk, ThreadMessage
from memory.errors import StoreError
from memory.search import MOST_HOLDERS
from memory.stores import SqlStore, open_sql
from memory.stores.in_memory import InMemoryStore
from memory.stores.sql import schema

ROOT = Path(__file__).resolve().parents[3]
ONE = MemoryFilter("p_one")


@pytest.fixture
def engine(sql_url):
    """An engine of the test's own, to look at what is stored."""
    made = sqlalchemy.create_engine(sql_url.replace("postgresql://", "postgresql+psycopg://"))
    yield made
    made.dispose()


def run(engine, statement):
    with engine.begin() as connection:
        result = connection.exec_driver_sql(statement)
        return result.fetchall() if result.returns_rows else []


def forked(work, *arguments):
    """Begin some work in a child of this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of other tests
        child = os.fork()
    if child:
        return child
    code = 1
    try:
        work(*arguments)
        gc.collect()
        code = 0
    finally:
        os._exit(code)


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# ---- places


def test_an_unset_variable_means_a_file_in_the_data_folder_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with open_sql() as store:
        store.touch_thread("a", 1.0)
        files = sorted((tmp_path / "home").iterdir())
        assert files[0].name == "threads.db"
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    with open_sql() as store:
        assert store.thread("a").last_active_at == 1.0


def test_the_variable_names_a_server_in_either_spelling(postgres_url):
    for spelling in ("postgres://", "postgresql://", "postgresql+psycopg://"):
        with open_sql(environment={"DATABASE_URL": postgres_url.replace("postgresql://", spelling)}) as store:
            store.touch_thread(spelling, 1.0)
    with open_sql(postgres_url, environment={"DATABASE_URL": "mysql://elsewhere/x"}) as store:
        assert len(store.threads()) == 3


@pytest.mark.parametrize("place", ["mysql://host/x", "sqlite://", "sqlite:///:memory:", "postgres//:what://"])
def test_what_is_no_place_is_refused(place):
    with pytest.raises(StoreError, match=r"store cannot be in|is no URL"):
        SqlStore(place)


def test_a_server_that_does_not_answer_is_named_without_its_password():
    with pytest.raises(StoreError, match=r"cannot open the store 'memories at 127\.0\.0\.1'") as failure:
        SqlStore("postgresql://me:S3cretPassw0rd@127.0.0.1:1/memories")
    assert "S3cret" not in str(failure.value)
    assert "refused" in str(failure.value)


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "threads.db").write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match=r"threads\.db.*not a database"):
        SqlStore(tmp_path / "threads.db")


@pytest.mark.parametrize(
    ("missing", "place", "extra"),
    [("sqlalchemy", "x.db", "sql"), ("alembic", "x.db", "sql"), ("psycopg", "postgresql://h/x", "postgres")],
)
def test_a_missing_package_names_the_extra(missing, place, extra, tmp_path):
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        f"try: from memory import SqlStore; SqlStore({place!r})\n"
        f"except ImportError as error: print(error)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert f"holdfast-context[{extra}]" in told.stdout


# ---- the schema


def test_the_tables_are_those_of_the_migrations(sql_url, engine):
    SqlStore(sql_url).close()
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "version_table": schema.VERSIONS,
                "include_name": lambda name, kind, _: not (kind == "column" and name == "embedding"),
                "include_object": lambda item, name, *_: name != "idx_memory_vectors_topics",  # PostgreSQL's only
            },
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Did not recognize type 'vector'")
            assert compare_metadata(context, schema.METADATA) == []
    settings = Config()
    settings.set_main_option("script_location", str(ROOT / "memory/stores/sql/migrations"))
    assert ScriptDirectory.from_config(settings).get_heads() == [schema.HEAD]


def test_tables_are_named_as_documented_and_topics_have_an_index(postgres_url, tmp_path):
    documented = {
        "thread_activity",
        "conversation_summaries",
        "memory_vectors",
        "memory_topics",
        "thread_messages",
    }
    for url in (postgres_url, f"sqlite:///{tmp_path}/t.db"):
        with SqlStore(url) as store, store.reading() as connection:
            assert documented <= set(sqlalchemy.inspect(connection).get_table_names())
    with SqlStore(postgres_url) as store, store.reading() as connection:
        found = connection.exec_driver_sql(
            "SELECT indexdef FROM pg_indexes WHERE indexname = 'idx_memory_vectors_topics'"
        )
        assert "USING gin (topics)" in found.scalar_one()


def test_a_store_of_a_newer_release_is_refused_and_left_alone(sql_url, engine):
    with SqlStore(sql_url) as store:
        store.touch_thread("a", 1.0)
    run(engine, "UPDATE holdfast_schema SET version_num = '0999'")
    run(engine, "UPDATE holdfast_settings SET value = '9.9.9' WHERE name = 'store.release'")
    with pytest.raises(
        StoreError, match=r"newer release \(schema 0999, made by holdfast 9\.9\.9; this is .*update"
    ):
        SqlStore(sql_url)
    assert run(engine, "SELECT version_num FROM holdfast_schema") == [("0999",)]


def test_a_schema_that_fails_half_way_leaves_nothing(sql_url, engine):
    run(engine, "CREATE TABLE holdfast_records (x INTEGER)")
    with pytest.raises(StoreError, match=r"cannot write the store .*holdfast_records.* already exists"):
        SqlStore(sql_url)
    with engine.connect() as connection:
        assert sqlalchemy.inspect(connection).get_table_names() == ["holdfast_records"]


@pytest.mark.slow
def test_processes_that_open_a_new_store_at_once_all_get_it(sql_url):
    def work(number):
        with SqlStore(sql_url) as store:
            store.touch_thread(str(number), 1.0)

    assert [ended(child) for child in [forked(work, n) for n in range(4)]] == [0] * 4
    with SqlStore(sql_url) as store:
        assert len(store.threads()) == 4


def test_an_index_of_an_older_analysis_is_made_anew(sql_url, engine):
    with SqlStore(sql_url) as store:
        store.put([stored("a", "the port is 3001")])
        store.put_chunks([ThreadChunk("t", "The database is PostgreSQL.")])
    run(engine, "DELETE FROM holdfast_postings")
    run(engine, "UPDATE holdfast_settings SET value = '1' WHERE name = 'store.analysis'")
    with SqlStore(sql_url) as store:
        assert [hit.memory.id for hit in store.search("port", ONE)] == ["a"]
        assert len(store.search_chunks("database", thread_id="t")) == 1


# ---- transactions


def test_what_others_write_is_noticed(sql_url):
    with SqlStore(sql_url) as mine, SqlStore(sql_url) as theirs:
        before = mine.data_version()
        assert mine.data_version() == before
        theirs.put([stored()])
        assert mine.data_version() != before


def test_a_transaction_keeps_others_out_of_the_same_project(sql_url):
    with SqlStore(sql_url) as store, SqlStore(sql_url) as other:
        store.put([stored("a", "counted 0")])
        read = threading.Event()
        wrote = []

        def write():
            read.wait(10)
            with other.writing():
                wrote.append(other.get("p_one", "a").entry.content)
                other.put([stored("a", "counted 2")])

        thread = threading.Thread(target=write)
        thread.start()
        with store.writing():
            assert store.get("p_one", "a").entry.content == "counted 0"
            read.set()
            thread.join(0.3)
            assert wrote == []
            store.put([stored("a", "counted 1")])
        thread.join(10)
        assert wrote == ["counted 1"]
        assert store.get("p_one", "a").entry.content == "counted 2"


def test_writers_of_a_file_take_turns_in_the_order_in_which_they_came(tmp_path):
    writers, turns, begun = 5, 12, []
    ready = threading.Barrier(writers)

    def work(number):
        with SqlStore(tmp_path / "threads.db") as store:
            ready.wait()
            for _ in range(turns):
                with store.writing():
                    begun.append(number)
                    time.sleep(0.02)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(begun) == writers * turns
    places = [[i for i, number in enumerate(begun) if number == n] for n in range(writers)]
    waits = [later - before for mine in places for before, later in pairwise(mine)]
    assert max(waits) <= 2 * writers, begun


def test_threads_of_one_process_share_a_store(sql_url):
    failures = []

    def work(name):
        try:
            for number in range(5):
                store.append_messages("t", [ThreadMessage(f"{name}-{number}", {"n": number})])
                store.put([stored(f"{name}-{number}", f"port {number}")])
                store.search("port", ONE)
        except StoreError as failure:
            failures.append(failure)

    with SqlStore(sql_url) as store:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len(store.messages("t")) == len(store.find(ONE)) == 30


def test_a_forked_child_has_connections_of_its_own(sql_url):
    with SqlStore(sql_url) as store:
        store.touch_thread("a", 1.0)
        assert ended(forked(store.touch_thread, "child", 2.0)) == 0
        assert [t.thread_id for t in store.threads()] == ["child", "a"]


def test_a_lost_connection_is_replaced(postgres, postgres_url):
    with SqlStore(postgres_url) as store:
        store.touch_thread("a", 1.0)
        postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                     " AND backend_type = 'client backend'")  # fmt: skip
        assert store.thread("a").last_active_at == 1.0
        postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                     " AND backend_type = 'client backend'")  # fmt: skip
        store.touch_thread("a", 2.0)


def test_a_closed_connection_in_a_transaction_undoes_it_and_says_so(postgres, postgres_url):
    with SqlStore(postgres_url) as store:

        def lose():
            with store.writing():
                store.touch_thread("a", 1.0)
                postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                             " AND backend_type = 'client backend'")  # fmt: skip
                store.touch_thread("b", 1.0)

        with pytest.raises(StoreError, match=r"cannot .* the store"):
            lose()
        assert store.threads() == ()


# ---- what is found


def test_a_server_without_pgvector_finds_by_words_and_says_so_once(postgres_url, monkeypatch):
    monkeypatch.setattr("memory.stores.sql.vectors.EXTENSION", "vector_that_is_not_there")
    with pytest.warns(RuntimeWarning, match=r"words alone.*vector_that_is_not_there"):
        store = SqlStore(postgres_url)
    with store:
        store.put_chunks([ThreadChunk("t", "The port is 3001.", vector=(1.0, 0.0))])
        assert store.chunks("t")[0].vector is None
        assert len(store.search_chunks("port", thread_id="t", vector=(1.0, 0.0))) == 1
    monkeypatch.undo()
    with SqlStore(postgres_url) as store:  # installed meanwhile
        store.put_chunks([ThreadChunk("t", "The port is 3001.", vector=(1.0, 0.0))])
        assert store.chunks("t")[0].vector == (1.0, 0.0)


def test_all_threads_are_searched_by_an_index_of_vectors(postgres_url):
    with SqlStore(postgres_url) as store:
        chunks = [ThreadChunk(f"t{n % 7}", f"text {n}", vector=(1.0, n / 100, (n % 5) / 10)) for n in range(200)]
        store.put_chunks(chunks)
        found = store.search_chunks("zebra", vector=(1.0, 1.5, 0.0), limit=3)
        assert found[0].chunk.chunk == "text 150"
        with store.reading() as connection:
            connection.exec_driver_sql("SELECT pg_stat_force_next_flush()")
            used = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'memory_vectors_near_3'"
            assert connection.exec_driver_sql(used).scalar_one() > 0


def test_common_words_are_ranked_as_in_memory(sql_url):
    """More texts hold a word than are looked at: their number is an estimate, and the newest are found."""
    count = MOST_HOLDERS + 200
    memories = [stored(f"m{n}", f"port {n}" + (" of the database" if n % 10 == 0 else "")) for n in range(count)]
    plain = InMemoryStore()
    plain.put(memories)
    with SqlStore(sql_url) as store:
        store.put(memories)
        for query in ("port", "port of the database", "port 7", f"database port {count - 10}"):
            ours, theirs = store.search(query, ONE), plain.search(query, ONE)
            assert [hit.memory.id for hit in ours] == [hit.memory.id for hit in theirs]
            assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=0.01)
            assert [hit.matched for hit in ours] == [hit.matched for hit in theirs]


def test_nothing_of_a_deleted_thread_stays_in_the_index(sql_url, engine):
    with SqlStore(sql_url) as store:
        store.put_chunks([ThreadChunk("t", f"The port {n} is taken.") for n in range(20)])
        store.delete_thread("t")
        store.put([stored("a", "the port is 3001")])
        store.delete("p_one", ["a"])
    assert run(engine, "SELECT * FROM holdfast_postings") == []
    assert run(engine, "SELECT * FROM holdfast_spaces WHERE kind = 'thread'") == []


def test_a_file_of_sqlite_is_closed_to_others_and_logged_ahead(tmp_path):
    with SqlStore(tmp_path / "deep" / "threads.db") as store:
        store.touch_thread("a", 1.0)
    assert (tmp_path / "deep").stat().st_mode & 0o777 == 0o700
    with sqlite3.connect(tmp_path / "deep" / "threads.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
