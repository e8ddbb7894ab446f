"""What the SQLite store survives: kill -9, many processes, a full disk, damaged files, files of newer releases."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from stored_memories import full, stored

from benchmarks import durability  # the benchmark is the long form of these tests
from memory.entries.stored import MemoryFilter
from memory.errors import DamagedStoreError, StoreError
from memory.stores.sqlite import files as sqlite_files
from memory.stores.sqlite.schema import MIGRATIONS
from memory.stores.sqlite.store import SqliteStore

ROOT = Path(__file__).resolve().parents[3]
ONE = MemoryFilter("p_one", statuses=())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "store.db"


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(path):
    acknowledged, lost = durability.kill_rounds(path, 5)
    assert acknowledged > 5
    assert lost == 0


@pytest.mark.slow
def test_processes_write_at_once_and_lose_nothing(path):
    _, kept = durability.write_together(path, 4, 60)
    assert kept == 240


def test_threads_share_a_store(path):
    errors = []

    def work(store, name):
        try:
            for number in range(30):
                store.put([stored(f"{name}-{number}", f"port {number}")])
                store.search("port", ONE)
        except StoreError as error:
            errors.append(error)

    with SqliteStore(path, durability="normal") as store:
        threads = [threading.Thread(target=work, args=(store, n)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(store.find(ONE)) == 120


def test_processes_may_make_the_file_at_the_same_moment(path):
    code = "import sys; from memory.stores.sqlite.store import SqliteStore; SqliteStore(sys.argv[1]).put([])"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT) for _ in range(4)]
    assert [process.wait(100) for process in running] == [0] * 4


def test_only_the_owner_can_read_it(path):
    with SqliteStore(path) as store:
        store.put([stored()])
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o777 == 0o600, file
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o644)
    SqliteStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_folders_made_on_the_way_are_the_owners_only_and_loosened_files_are_taken_back(tmp_path):
    path = tmp_path / "a" / "b" / "c" / "store.db"
    before = os.umask(0)
    try:
        store = SqliteStore(path)
    finally:
        os.umask(before)
    store.put([stored()])
    for folder in path.parents[:3]:
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in path.parent.iterdir():
        file.chmod(0o666)
    with SqliteStore(path):
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    store.close()


def test_it_opens_again_with_everything_in_it(path):
    with SqliteStore(path) as store:
        store.put([full(), stored()])
        handle = store.put_original("p_one", "t", b"original")
        store.put_setting("a", "b")
    with SqliteStore(path) as store:
        assert store.find(ONE) == (full(), stored())
        assert store.get_original("p_one", "t", handle) == b"original"
        assert store.settings()["a"] == "b"


def _fill(path, limit):
    """Write until there is no more room; run in a process of its own, because the limit stays."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = SqliteStore(path)
    store.put([stored("old", "old data")])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        for number in range(10_000):
            store.put([stored(f"n{number}", f"port {number} " + "word " * 50)])
    except StoreError as error:
        print(type(error).__name__, error)
    print(len(store.find(ONE)))


def test_a_full_disk_is_a_clear_error_and_loses_nothing(path):
    places = [str(ROOT), str(ROOT / "tests")]
    code = (
        f"import sys; sys.path[:0] = {places!r}; import tests.memory.stores.test_sqlite_durability as t; "
        "t._fill(sys.argv[1], 300_000)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True, timeout=100
    )
    said, count = out.stdout.strip().split("\n")
    assert said.startswith("StoreError")
    assert "what was stored before is intact" in said
    assert int(count) > 1
    with SqliteStore(path) as store:
        assert len(store.find(ONE)) == int(count)
        assert store.search("old", ONE)[0].memory.id == "old"
        store.put([stored("new")])


def fill(store):
    """Write until there is no more room; return how many were acknowledged, and the error."""
    for number in range(5000):
        try:
            store.put([stored(f"n{number}", "word " * 100)])
        except StoreError as error:
            return number, str(error)
    return 5000, ""


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk")
def test_a_full_tmpfs_is_a_clear_error(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False, timeout=100).returncode:
        pytest.skip("cannot mount here")
    try:
        store = SqliteStore(disk / "store.db")
        kept, said = fill(store)
        assert "what was stored before is intact" in said
        assert len(store.find(ONE)) == kept > 0
        store.close()
    finally:
        subprocess.run(["umount", str(disk)], check=True, timeout=100)


class TestFilesThatCannotBeUsed:
    def refused(self, path, match):
        before = path.read_bytes()
        with pytest.raises(DamagedStoreError, match=match) as caught:
            SqliteStore(path)
        aside = Path(caught.value.set_aside)
        assert aside.read_bytes() == before
        assert not path.exists()
        assert str(aside) in str(caught.value)
        with SqliteStore(path) as store:
            assert store.find(ONE) == ()
        return aside

    def test_something_that_is_no_database(self, path):
        path.parent.mkdir()
        path.write_bytes(b"this is a text, not a database" * 100)
        self.refused(path, "damaged")

    def test_a_cut_off_file(self, path):
        with SqliteStore(path) as store:
            store.put([stored(f"m{n}", "word " * 40) for n in range(500)])
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
        self.refused(path, "damaged")

    def test_overwritten_pages(self, path):
        with SqliteStore(path) as store:
            store.put([stored(f"m{n}", "word " * 40) for n in range(500)])
        content = bytearray(path.read_bytes())
        content[4096 * 3 : 4096 * 9] = os.urandom(4096 * 6)
        path.write_bytes(bytes(content))
        self.refused(path, "damaged")

    def test_a_newer_release(self, path):
        SqliteStore(path).close()
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        connection.close()
        path.chmod(0o644)
        before = self.state(path.parent)
        for _ in range(2):
            with pytest.raises(DamagedStoreError, match="newer release") as caught:
                SqliteStore(path)
            said = str(caught.value)
            assert all(part in said for part in (str(path), f"schema {len(MIGRATIONS) + 1}", "update holdfast"))
            assert f"up to {len(MIGRATIONS)}" in said
            assert "\n" not in said
            assert caught.value.set_aside is None
            assert self.state(path.parent) == before

    def test_a_newer_release_whose_log_is_not_in_the_file_yet(self, path):
        SqliteStore(path).close()
        code = (
            "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
            "c.execute('PRAGMA journal_mode = WAL'); c.execute('CREATE TABLE newer (x)'); "
            "c.execute('PRAGMA user_version = 99'); os._exit(0)"
        )
        subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=60)
        log = path.with_name(f"{path.name}-wal")
        before = path.read_bytes(), log.read_bytes()
        with pytest.raises(DamagedStoreError, match="newer release"):
            SqliteStore(path)
        assert (path.read_bytes(), log.read_bytes()) == before

    def state(self, folder):
        return {p.name: (p.stat().st_mode, p.stat().st_mtime_ns, p.read_bytes()) for p in folder.iterdir()}

    @pytest.mark.parametrize("size", [0, 1, 99, 100, 4096, 81_920, 9_000_000])
    def test_a_zeroed_file(self, path, size):
        with SqliteStore(path) as store:
            store.put([stored()])
        path.write_bytes(b"\0" * size)
        self.refused(path, "damaged|empty")

    def test_several_are_set_aside_under_names_of_their_own(self, path):
        path.parent.mkdir()
        names = set()
        for number in range(3):
            path.write_bytes(b"junk" * (1000 + number))
            with pytest.raises(DamagedStoreError) as caught:
                SqliteStore(path)
            names.add(caught.value.set_aside)
        assert len(names) == 3

    def test_a_database_of_something_else_is_left_alone(self, path):
        path.parent.mkdir()
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE mine (x)")
        connection.commit()
        connection.close()
        before = path.read_bytes()
        with pytest.raises(StoreError, match="something else"):
            SqliteStore(path)
        assert path.read_bytes() == before

    def test_a_folder_in_its_place(self, path):
        path.mkdir(parents=True)
        with pytest.raises(StoreError, match="cannot open"):
            SqliteStore(path)


def test_a_busy_file_is_a_clear_error(path):
    with SqliteStore(path) as holder, SqliteStore(path, patience=0.05) as other, holder.writing():
        with pytest.raises(StoreError, match=r"busy for 0\.05 seconds"):
            other.put([stored()])
        assert other.find(ONE) == ()


def test_a_closed_store_says_so(path):
    store = SqliteStore(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.find(ONE)
    with pytest.raises(StoreError, match="closed"):
        store.put([stored()])


def test_another_analysis_of_texts_builds_the_index_anew(path, monkeypatch):
    with SqliteStore(path) as store:
        store.put([stored("a", "use tabs")])
        store.put_setting("store.analysis", "0")
        with store.writing():
            store._connection.execute("INSERT INTO terms (terms) VALUES ('delete-all')")
        assert store.search("tabs", ONE) == ()
    with SqliteStore(path) as store:
        assert store.search("tabs", ONE)[0].memory.id == "a"


def test_what_is_deleted_leaves_the_file(path):
    with SqliteStore(path) as store:
        store.put([stored("a", "the codename is xylophone")])
        store.delete("p_one", ["a"])
        assert store.search("xylophone", ONE) == ()
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"codename" not in path.read_bytes()


def test_wrong_settings_are_refused(path):
    with pytest.raises(ValueError, match="durability is 'half'"):
        SqliteStore(path, durability="half")
    assert sqlite_files.PATIENCE > 0
