"""Packages of others add session formats, stores, summarisers and embedders; broken ones are named and left out."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from installing import repository

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "tests" / "plugin_package"
SAID = (
    ("me", "Build the price list. You must never touch the migrations folder."),
    ("bot", "The price list is in prices.py."),
    ("cat prices.py", "PRICE = 3\n" * 3000),
    ("me", "Use port 8765 for the preview."),
)


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """A folder into which pip installed the package of plug-ins."""
    place = tmp_path_factory.mktemp("site")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    command = [*install, "--disable-pip-version-check", "--target", str(place), str(PACKAGE)]
    subprocess.run(command, check=True, timeout=100)
    return place


@pytest.fixture
def shop(tmp_path) -> Path:
    """A repository with a session of Scribble."""
    folder = repository(tmp_path / "shop")
    records = [
        {"scribble": 1, "session": "s-1", "folder": str(folder), "by": by, "text": text} for by, text in SAID
    ]
    (folder / "session.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def broken(place: Path, **points: str) -> Path:
    """A package whose entry points lead nowhere, in its dist-info alone."""
    info = place / "acme_broken-0.3.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-broken\nVersion: 0.3\n")
    lines = [f"[holdfast.{kind}]\n{point}\n" for kind, point in points.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return place


ALL = """
import json, os, sys
from condense.apps.cli import main
for words in json.loads(sys.argv[1]):
    code = main(words)
    for stream in (sys.stdout, sys.stderr):
        print(f"\\0{code}", file=stream, end="\\0", flush=True)
"""


def run(shop: Path, *commands: str, sites: tuple[Path, ...], **environment: str) -> list[tuple[int, str, str]]:
    """Run commands in one process; gives code, stdout and stderr of each."""
    done = subprocess.run(
        [sys.executable, "-c", ALL, json.dumps([shlex.split(command) for command in commands])],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        cwd=shop,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (*sites, ROOT))),
            "HOLDFAST_HOME": str(shop.parent / "home"),
            **environment,
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told, warned = done.stdout.split("\0"), done.stderr.split("\0")
    return [(int(told[i + 1]), told[i], warned[i]) for i in range(0, len(told) - 1, 2)]


def test_a_session_of_a_plug_in_is_recognised_and_read(site, shop):
    (shop / "plain.json").write_text('[{"role": "user", "content": "Never use tabs."}]')
    told, named, plain = run(
        shop,
        "memories session.jsonl --json",
        "memories session.jsonl --from scribble",
        "memories plain.json --json",
        sites=(site,),
    )
    found = json.loads(told[1])
    assert found["source"]["format"] == "scribble"
    assert any("never touch the migrations folder" in one["content"] for one in found["memories"])
    assert named[0] == 0
    assert json.loads(plain[1])["source"]["format"] == "anthropic"


def test_without_the_plug_in_the_session_is_refused(shop):
    ((code, _, told),) = run(shop, "memories session.jsonl", sites=())
    assert code == 2
    assert "'scribble'" in told


def test_a_store_of_a_plug_in_keeps_memories_and_originals_for_commands_and_hooks(site, shop):
    kept = shop.parent / "kept"
    saved, condensed, listed = run(
        shop,
        f"--store shelf:{kept} memory save session.jsonl",
        "condense session.jsonl --target 2k --json -o smaller.json",
        "memory list --json",
        sites=(site,),
    )
    assert [saved[0], condensed[0], listed[0]] == [0, 0, 0], (saved, condensed, listed)
    assert json.loads(listed[1])["memories"]
    handle = next(h for action in json.loads(condensed[1])["actions"] for h in action["handles"])
    ((code, original, _),) = run(shop, f"expand {handle}", sites=(site,), HOLDFAST_STORE=f"shelf:{kept}")
    assert code == 0
    assert original.strip()
    assert (kept / "shelf.db").exists()
    assert not (shop.parent / "home" / "memory.db").exists()
    told = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", "hook", "SessionStart"],
        input=json.dumps({"cwd": str(shop), "session_id": "other", "source": "startup"}),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (site, ROOT))),
            "HOLDFAST_HOME": str(shop.parent / "home"),
            "HOLDFAST_STORE": f"shelf:{kept}",
        },
    ).stdout
    assert "never touch the migrations folder" in told


def test_a_summariser_of_a_plug_in_writes_the_summary(site, shop):
    words = "condense session.jsonl --target 2k --to markdown -o - --summarizer"
    done, refused = run(shop, f"{words} parrot:grey", f"{words} macaw:red", sites=(site,))
    assert "parrot grey" in done[1]
    assert refused[0] == 2
    assert "parrot:NAME" in refused[2]


def test_an_embedder_of_a_plug_in_searches(site, shop):
    (shop / "memory").mkdir()
    (shop / "memory" / "notes.md").write_text("# Ports\n\nThe preview runs on port 8765.\n")
    words = "notes search --passages preview --embedder"
    done, refused = run(shop, f"{words} letters", f"{words} digits", sites=(site,))
    assert "8765" in done[1]
    assert refused[0] == 2
    assert "'digits'" in refused[2]
    assert "letters:" in refused[2]


def test_a_broken_plug_in_is_named_once_and_left_out(tmp_path, site, shop):
    place = broken(tmp_path / "bad", transcripts="mud = acme_nowhere:FORMAT", stores="mud = os:sep")
    done, again, refused = run(
        shop,
        "memories session.jsonl --json",
        "memories session.jsonl --json",
        "--store mud:x memory list",
        sites=(place, site),
    )
    assert json.loads(done[1])["memories"]
    (line,) = done[2].splitlines()
    assert "'mud'" in line
    assert "acme-broken 0.3" in line
    assert "acme_nowhere" in line
    assert again[2] == ""
    assert refused[0] == 2
    assert "acme-broken 0.3" in refused[2].splitlines()[-1]


def test_a_plug_in_cannot_take_a_name_of_ours(tmp_path, site, shop):
    place = broken(tmp_path / "bad", transcripts="codex = holdfast_scribble:SCRIBBLE")
    code = "import json, memory.stores as s; print(json.dumps([[str(p), p.error] for p in s.list_plugins()]))"
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning:none", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=shop,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (place, site, ROOT)))},
    )
    rows = dict(json.loads(done.stdout))
    assert "taken by holdfast itself" in rows["plug-in 'codex' (transcripts) of acme-broken 0.3"]
    assert rows["plug-in 'scribble' (transcripts) of holdfast-scribble 1.2"] == ""


SICK = """
from memory.conversation import SessionFormat

def shows(record):
    if "sick" in record:
        return True
    raise KeyError("role")

def read(records):
    yield from ()
    raise ZeroDivisionError("at its first line")

SICK = SessionFormat("sick", "Sick", shows, read)
"""


def test_a_format_that_fails_stands_in_no_other_sessions_way_and_is_named_for_its_own(tmp_path, site, shop):
    place = broken(tmp_path / "bad", transcripts="asick = acme_sick:SICK")
    (place / "acme_sick.py").write_text(SICK)
    (shop / "sick.jsonl").write_text('{"sick": 1}\n{"sick": 2}\n')
    done, refused = run(shop, "memories session.jsonl --json", "memories sick.jsonl", sites=(place, site))
    assert json.loads(done[1])["memories"]
    assert "'asick'" in done[2]
    assert refused[0] == 2
    assert "acme-broken 0.3 failed: ZeroDivisionError" in refused[2]


def test_nothing_looks_for_plug_ins_where_none_is_needed(shop):
    code = (
        "import sys; from memory import read_transcript; read_transcript(sys.argv[1])\n"
        "from memory.stores.plugins import _found; print(_found.cache_info().misses)"
    )
    (shop / "claude.jsonl").write_text(
        '{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"Go."}}\n'
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "claude.jsonl"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=shop,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip() == "0"
