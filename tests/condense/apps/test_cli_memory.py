"""`holdfast memory`: the memories of the project that a folder lies in."""

from __future__ import annotations

import json

import pytest
from cli_sessions import claude_code, codex, plot

from condense.apps.cli import main


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "src").mkdir()
    (folder / "src" / "server.py").write_text("def listen(port): ...\n")
    return folder


@pytest.fixture
def memory(repository, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(repository / "src")
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "120")  # tables break no line
    session = tmp_path / "session.jsonl"
    session.write_bytes(claude_code(plot()))

    def run(*arguments, code=0):
        assert main(["memory", *arguments]) == code
        said = capfd.readouterr()
        return said.out + said.err

    run("save", str(session))
    return run


@pytest.fixture
def ruled(memory, tmp_path):
    """The same, with a rule about printers."""
    session = tmp_path / "rule.jsonl"
    session.write_bytes(claude_code([(("ask", "Always print invoices on the Zebra printer."), ("turn", []))]))
    memory("save", str(session))
    return memory


def ids(memory, *more):
    listed = json.loads(memory("list", "--json", *more))
    return {row["content"]: row["id"] for row in listed["memories"]}


def test_a_sessions_rules_are_saved_once_and_listed(memory, tmp_path):
    listed = memory("list")
    assert "port 9000" in listed
    assert "port 8765" not in listed
    again = json.loads(memory("save", str(tmp_path / "session.jsonl"), "--json"))
    assert (again["new"], again["strengthened"], again["superseded"]) == ([], [], [])


def test_memories_are_found_shown_reviewed(memory):
    name = next(one for words, one in ids(memory).items() if "9000" in words)
    assert json.loads(memory("search", "which", "port", "--json"))["results"][0]["id"] == name
    assert "port" in memory("search", "port")
    assert "nothing found" in memory("search", "zebra")
    shown = memory("show", name[:6])
    assert "replaced  Use port 8765" in shown
    assert memory("accept", name).startswith("persisted: ")
    assert memory("pin", name).startswith("persisted, pinned: ")
    assert memory("pin", name, "--off").startswith("persisted: ")
    assert json.loads(memory("edit", name, "The port is 9100", "--json"))["memory"]["content"] == "The port is 9100"
    assert memory("dismiss", name).startswith("dismissed: ")
    assert "Use port 8765" in " ".join(ids(memory))
    assert name not in ids(memory).values()
    assert name in ids(memory, "--all").values()
    assert memory("forget", name, "--erase").startswith("erased from the store for good: ")
    assert name not in ids(memory, "--all").values()


def test_memories_are_found_through_qdrant_with_a_model(memory, tmp_path, model_folder):
    through = ("--qdrant", str(tmp_path / "qdrant"), "--model-dir", str(model_folder))
    found = json.loads(memory("search", "which", "port", *through, "--json"))["results"]
    assert "9000" in found[0]["content"]
    assert (tmp_path / "qdrant").is_dir()
    again = json.loads(memory("search", "which", "port", *through, "--json"))["results"]
    assert [row["id"] for row in again] == [row["id"] for row in found]


def test_what_the_project_knows_is_offered_to_a_compaction_and_no_other_projects(ruled, repository, tmp_path):
    asked = [
        ("Print the invoices now.", "line\n" * 3000),
        ("Which printer prints the invoices?", "x\n" * 3000),
    ]
    turns = [(("ask", ask), ("turn", [(False, [("cat log", out)], "looking")])) for ask, out in asked]
    for folder, there in ((repository, True), (tmp_path / "elsewhere", False)):
        (folder / ".git").mkdir(parents=True, exist_ok=True)
        file, out = tmp_path / "later.jsonl", tmp_path / "out.json"
        file.write_bytes(codex(turns).replace(b"/home/you/shop", str(folder).encode()))
        assert main(["condense", str(file), "--target", "2k", "-o", str(out)]) == 0
        text = out.read_text("utf-8")
        assert ("From earlier tasks of this project" in text) is there
        assert ("Always print invoices on the Zebra printer" in text) is there


def test_an_export_is_imported_elsewhere(memory, tmp_path, repository):
    out = tmp_path / "export.json"
    memory("export", "-o", str(out))
    assert "## " in memory("export", "--markdown", "--language", "zh")
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert ids(memory, "--workspace", str(other)) == {}
    known = len(ids(memory, "--all"))
    first = memory("import", str(out), "--workspace", str(other))
    assert f"{known} new, 0 strengthened, 0 unchanged" in first
    assert ids(memory, "--workspace", str(other)) == ids(memory)
    again = json.loads(memory("import", str(out), "--workspace", str(other), "--json"))
    assert (again["new"], again["strengthened"], again["unchanged"]) == (0, 0, known)


def test_an_import_never_overwrites_what_is_known_here(ruled, tmp_path):
    out = tmp_path / "export.json"
    ruled("export", "-o", str(out))
    name = next(one for words, one in ids(ruled).items() if "Zebra" in words)
    ruled("forget", name)
    assert "0 new" in ruled("import", str(out))
    assert name not in ids(ruled).values()
    ruled("forget", name, "--erase")
    assert "1 new" in ruled("import", str(out))
    assert name in ids(ruled).values()


def test_a_damaged_session_is_refused_unless_the_rest_is_asked_for(memory, tmp_path):
    session = tmp_path / "damaged.jsonl"
    session.write_bytes(claude_code(plot()) + b'{"type":"user","message":\n')
    refused = memory("save", str(session), code=2)
    assert "--lenient reads the rest" in refused
    assert refused.count("\n") == 1
    assert "session " in memory("save", str(session), "--lenient")


def test_what_was_said_without_a_date_has_none(memory, tmp_path):
    session = tmp_path / "dateless.json"
    session.write_text(json.dumps([{"role": "user", "content": "Always print invoices on the Zebra printer."}]))
    (new,) = json.loads(memory("save", str(session), "--json"))["new"]
    assert new["created_at"] is None
    assert "said      unknown" in memory("show", new["id"])
    assert "1970" not in memory("export", "--markdown")
    exported = json.loads(memory("export"))["memories"]
    assert None in {row["entry"]["created_at"] for row in exported}
    assert 0 not in {row["entry"]["created_at"] for row in exported}


def test_a_part_that_no_longer_holds_is_told_when_a_session_is_saved_and_wherever_it_is_shown(memory, tmp_path):
    said = (["Use PostgreSQL on port 3001."], ["Actually use port 4000."])
    for number, texts in enumerate(said):
        session = tmp_path / str(number) / "request.json"
        session.parent.mkdir()
        session.write_text(json.dumps([{"role": "user", "content": text} for text in texts]))
        told = memory("save", str(session))
    marked = "Use PostgreSQL on port 3001. (port: later 4000)"
    assert f"no longer holds whole: {marked}" in told
    assert marked in memory("search", "postgresql")
    assert marked in memory("list")
    assert marked in memory("graph")
    shown = memory("show", next(name for words, name in ids(memory).items() if "PostgreSQL" in words))
    later = next(name for words, name in ids(memory).items() if "4000" in words)
    assert f"changed   port = 3001 no longer holds: Actually use port 4000. ({later})" in shown
    (found,) = json.loads(memory("search", "postgresql", "--max", "1", "--json"))["results"]
    assert found["overtaken"] == [{"slot": {"name": "port", "value": "3001"}, "by": later, "later": "4000"}]


def test_without_a_command_the_commands_are_shown(memory):
    assert "\n  search " in memory()


def test_the_graph_is_shown(memory):
    assert "nodes" in memory("graph")
    made = json.loads(memory("graph", "--json"))
    assert {"nodes", "edges", "clusters"} <= made.keys()


def test_refusals_are_one_line(memory, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    for arguments, said in (
        (("show", "nobody"), "no memory of this project is called 'nobody'"),
        (("accept", ""), "no memory of this project is called ''"),
        (("list", "--workspace", str(outside)), "no git repository"),
        (("import", str(tmp_path / "missing")), "missing"),
        (("import", str(tmp_path / "session.jsonl")), "session.jsonl: the import is not JSON"),
        (("search", ""), "the query is empty"),
        (("search", " ", ""), "the query is empty"),
        (("export", "--markdown", "--language", "xx"), "language is 'xx'"),
    ):
        line = memory(*arguments, code=2)
        assert said in line
        assert line.count("\n") == 1
