"""Originals come back byte for byte: in this process, in the next, from many at once; or it is said why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from condense.compaction.archive import DiskArchive, MemoryArchive, StoreArchive, write_atomically
from condense.errors import ArchiveError, HandleError
from condense.reading.text.own_blocks import content_handle
from memory.errors import StoreError
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.store import SqliteStore


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_what_is_put_comes_back_by_its_handle(contents):
    archive = MemoryArchive()
    handles = [archive.put(c) for c in contents]
    assert [archive.get(h) for h in handles] == contents
    assert handles == [content_handle(c) for c in contents]


def test_a_folder_keeps_originals_for_the_next_process(tmp_path):
    handle = DiskArchive(tmp_path / "a").put("内容\n".encode())
    code = (
        "import sys; from condense.compaction.archive import DiskArchive; "
        "sys.stdout.buffer.write(DiskArchive(sys.argv[1]).get(sys.argv[2]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "a", handle], capture_output=True, check=True, timeout=100
    )
    assert done.stdout == "内容\n".encode()


def test_files_are_private_and_putting_twice_keeps_one(tmp_path):
    archive = DiskArchive(tmp_path / "a")
    assert archive.put(b"x") == archive.put(b"x")
    files = [p for p in (tmp_path / "a").rglob("*") if p.is_file()]
    assert len(files) == 1
    assert files[0].stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "archive",
    [
        MemoryArchive(),
        DiskArchive("/nonexistent/holdfast"),
        StoreArchive(InMemoryStore(), project="p_one"),
        StoreArchive(InMemoryStore(), DiskArchive("/nonexistent/holdfast"), project="p_one"),
    ],
    ids=["memory", "folder", "store", "store and folder"],
)
@pytest.mark.parametrize("handle", ["hf_000000000000", "000000000000"])
def test_an_unknown_handle_says_that_asking_again_will_not_help(archive, handle):
    with pytest.raises(HandleError, match="cannot be fetched"):
        archive.get(handle)


@pytest.mark.parametrize("handle", ["", "hf_", "hf_xyz", "../../etc/passwd", "hf_00/../../000000"])
def test_what_is_no_handle_is_refused(handle, tmp_path):
    with pytest.raises(HandleError, match="is no handle"):
        DiskArchive(tmp_path).get(handle)


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_a_store_keeps_originals_under_the_same_handles(contents):
    with SqliteStore(":memory:") as store:
        archive = StoreArchive(store, project="p_one")
        handles = [archive.put(c) for c in contents]
        assert handles == [content_handle(c) for c in contents]
        assert [archive.get(h) for h in handles] == contents


def test_what_a_store_does_not_have_is_looked_for_in_the_older_archive(tmp_path):
    older = DiskArchive(tmp_path / "originals")
    before = older.put(b"kept by an earlier release")
    archive = StoreArchive(InMemoryStore(), older, project="p_one")
    now = archive.put(b"kept now")
    assert [archive.get(before), archive.get(now)] == [b"kept by an earlier release", b"kept now"]
    with pytest.raises(HandleError):
        older.get(now)


def test_a_store_that_fails_is_an_archive_error(tmp_path):
    archive = StoreArchive(SqliteStore(tmp_path / "store.db"), project="p_one")
    handle = archive.put(b"x")
    archive.store.close()
    for ask in (lambda: archive.put(b"y"), lambda: archive.get(handle)):
        with pytest.raises(ArchiveError, match="closed") as failed:
            ask()
        assert isinstance(failed.value.__cause__, StoreError)


def test_a_damaged_original_is_not_passed_off_as_the_original(tmp_path):
    archive = DiskArchive(tmp_path)
    handle = archive.put(b"the truth")
    file = next(p for p in tmp_path.rglob("*") if p.is_file())
    file.write_bytes(b"something else")
    with pytest.raises(ArchiveError, match="damaged"):
        archive.get(handle)


def test_a_folder_that_cannot_be_written_is_an_archive_error(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(ArchiveError, match="cannot keep"):
        DiskArchive(blocked / "inside").put(b"x")


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path, monkeypatch):
    place = tmp_path / "out"
    place.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(place, b"new")
    assert place.read_bytes() == b"old"
    assert [p.name for p in Path(tmp_path).iterdir()] == ["out"]
