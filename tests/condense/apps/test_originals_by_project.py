"""An original is fetched back by its own project, or outside any by its session; by nobody else, however they ask."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import anyio
import pytest
from cli_sessions import FORMATS, claude_code, holdfast, plot
from mcp import Client, StdioServerParameters

from condense.compaction.archive import DiskArchive, StoreArchive
from condense.errors import HandleError
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.schema import APPLICATION, MIGRATIONS
from memory.stores.sqlite.store import SqliteStore

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git makes the repositories")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def made(folder, *, repository=True):
    folder.mkdir()
    if repository:
        subprocess.run(["git", "init"], cwd=folder, check=True, capture_output=True, timeout=100)
    return folder


def session_of(folder, file):
    """Write a session whose agent worked in a folder."""
    file.write_bytes(claude_code(plot()).replace(b"/home/you/shop", str(folder).encode()))
    return file


def condensed(file, home, cwd):
    done = holdfast("condense", str(file), "--target", "3k", "--json", home=home, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def expanded(handle, home, cwd, *options):
    """Return whether an original came back, and what was said."""
    done = holdfast("expand", handle, *options, home=home, cwd=cwd)
    assert done.returncode in (0, 2)
    return done.returncode == 0, (done.stdout + done.stderr).decode()


def expanded_over_mcp(handle, home, cwd, *options):
    async def ask():
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "condense.apps.cli", "mcp", *options],
            env={"HOLDFAST_HOME": str(home), "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
            cwd=str(cwd),
        )
        async with Client(server, read_timeout_seconds=60) as client:
            done = await client.call_tool("expand", {"handle": handle})
            return not done.is_error, done.content[0].text

    return anyio.run(ask)


def test_another_project_cannot_expand_on_the_command_line_or_over_mcp(home, tmp_path):
    shop, other = made(tmp_path / "shop"), made(tmp_path / "other")
    told = condensed(session_of(shop, tmp_path / "s.jsonl"), home, tmp_path)
    handle = told["handles"][0]
    session = told["originals"]["session"]
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--allow-empty", "-m", "x"],
        cwd=shop, check=True, capture_output=True,
        timeout=100,
    )  # fmt: skip
    subprocess.run(
        ["git", "worktree", "add", tmp_path / "tree"], cwd=shop, check=True, capture_output=True, timeout=100
    )
    (shop / "src").mkdir()
    for given in (handle, handle[:11]):
        for folder in (shop, shop / "src", tmp_path / "tree"):
            assert expanded(given, home, folder)[0]
        assert expanded(given, home, other, "--workspace", str(shop))[0]
        for folder in (other, tmp_path):
            came, said = expanded(given, home, folder)
            assert not came
            assert "--workspace" in said
            assert handle[:15] not in said.replace(given, "")
    assert not expanded(handle, home, other, "--session", session)[0]
    assert expanded_over_mcp(handle, home, shop)[0]
    for given in (handle, handle[:11]):
        came, said = expanded_over_mcp(given, home, other)
        assert not came
        assert "not in this store for this project" in said


def test_outside_a_project_only_the_session_expands(home, tmp_path):
    loose, shop = made(tmp_path / "loose", repository=False), made(tmp_path / "shop")
    told = condensed(session_of(loose, tmp_path / "s.jsonl"), home, loose)
    assert told["originals"]["project"] is None
    handle, mine = told["handles"][0], ("--session", told["originals"]["session"])
    for folder in (loose, shop, tmp_path):
        assert not expanded(handle, home, folder)[0]
        assert not expanded(handle, home, folder, "--session", "another")[0]
        assert expanded(handle, home, folder, *mine)[0]
    assert not expanded_over_mcp(handle, home, loose)[0]
    assert expanded_over_mcp(handle, home, loose, *mine)[0]


def test_the_receipt_says_how_to_expand(home, tmp_path):
    loose, shop = made(tmp_path / "loose", repository=False), made(tmp_path / "a shop")
    for folder, there, options in (
        (shop, shop, ""),
        (shop, loose, f"--workspace '{shop}'"),
        (loose, loose, "--session "),
    ):
        file = session_of(folder, tmp_path / "s.jsonl")
        done = holdfast("condense", str(file), "--target", "3k", home=home, cwd=there, COLUMNS="400")
        line = [line for line in done.stderr.decode().splitlines() if "holdfast expand" in line][-1]
        command = re.search(r"expand hf_[0-9a-f]{12}.*", line)[0]
        assert options in command
        shown = holdfast(*shlex.split(command), home=home, cwd=there)
        assert shown.returncode == 0, shown.stderr


def test_a_session_that_names_no_folder_belongs_where_it_is_condensed(home, tmp_path):
    shop, other = made(tmp_path / "shop"), made(tmp_path / "other")
    for name in ("anthropic request", "codex"):  # without a folder; with one of another machine
        file = tmp_path / "in.json"
        file.write_bytes(FORMATS[name](plot()))
        handle = condensed(file, home, shop)["handles"][0]
        assert expanded(handle, home, shop)[0]
        assert not expanded(handle, home, other)[0]


@pytest.mark.parametrize("make", [InMemoryStore, lambda: SqliteStore(":memory:")], ids=["memory", "file"])
def test_a_store_gives_an_original_to_its_owners_only(make):
    store = make()
    one, two, mine, yours = (
        StoreArchive(store, project="p_one", task_id="t"),
        StoreArchive(store, project="p_two", task_id="t"),
        StoreArchive(store, project=None, task_id="t"),
        StoreArchive(store, project=None, task_id="u"),
    )
    handle = one.put(b"of the project")
    assert StoreArchive(store, project="p_one", task_id="later").get(handle) == b"of the project"
    for stranger in (two, mine, yours, StoreArchive(store, project=None), StoreArchive(store, project="")):
        with pytest.raises(HandleError):
            stranger.get(handle)
    loose = mine.put(b"of the session")
    assert mine.get(loose) == one.get(loose) == b"of the session"  # the same session, gone into a project
    for stranger in (yours, StoreArchive(store, project="p_one"), StoreArchive(store, project=None)):
        with pytest.raises(HandleError):
            stranger.get(loose)
    assert two.put(b"of the project") == handle
    assert two.get(handle[:11]) == b"of the project"
    with pytest.raises(ValueError, match="no project and no task"):
        StoreArchive(store, project=None).put(b"x")


def test_what_an_older_store_kept_is_given_to_whole_handles(tmp_path):
    path = tmp_path / "store.db"
    with sqlite3.connect(path) as connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute("PRAGMA user_version = 1")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.close()
    folder = DiskArchive(tmp_path / "originals")
    handles = []
    for number in range(3):
        handles.append(folder.put(b"old %d" % number))
        packed = sqlite3.connect(path)
        digest = next(p.parent.name + p.name for p in folder.folder.rglob(f"{handles[-1][5:]}*"))
        packed.execute(
            "INSERT INTO originals (digest, redacted, content) VALUES (?, 0, ?)",
            (digest, zlib.compress(b"old %d" % number)),
        )
        packed.commit()
        packed.close()
    with SqliteStore(path) as store:
        for archive in (
            StoreArchive(store, project="p_one"),
            StoreArchive(InMemoryStore(), folder, project="p_one"),
        ):
            assert [archive.get(handle) for handle in handles] == [b"old 0", b"old 1", b"old 2"]
            for handle in handles:
                with pytest.raises(HandleError):
                    archive.get(handle[:14])
        assert store.put_original("p_one", "", b"old 0") == handles[0]
        assert store.get_original("p_one", "", handles[0][:11]) == b"old 0"
