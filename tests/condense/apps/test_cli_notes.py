"""`holdfast notes`: MEMORY.md of the project that a folder lies in."""

from __future__ import annotations

import json

import pytest

from condense.apps.cli import main


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "src").mkdir()
    return folder


@pytest.fixture
def notes(repository, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(repository / "src")
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))

    def run(*arguments, code=0):
        assert main(["notes", *arguments]) == code
        said = capfd.readouterr()
        return said.out + said.err

    return run


def test_notes_are_added_shown_found_and_removed(notes, repository):
    file = f"holdfast: {repository / 'memory' / 'MEMORY.md'}\n"
    assert notes("show") == f"there are no notes yet in {file[10:-1]}; holdfast notes add TEXT writes one\n"
    assert notes("add", "用户偏好Python；用FastAPI") == f"已写入记忆第 1 行（共 1 条）\n{file}"
    assert json.loads(notes("add", "cache is Redis", "--source", "me", "--json"))["line"] == 2
    assert notes("show").startswith("[1] ")
    assert notes("show", "2").endswith(f"|me|cache is Redis\n{file}")
    assert notes("search", "REDIS", "cache", "--and").startswith("[2] ")
    assert "memory/MEMORY.md#L2" in notes("search", "redis", "--passages")
    assert json.loads(notes("stats", "--json"))["sources"] == {"cli": 1, "me": 1}
    assert notes("delete", "1") == "removed: 1\n"
    assert notes("recent", "5").startswith("[1] ")
    assert (repository / "memory" / "MEMORY.md").exists()


def test_passages_are_found_by_meaning_with_a_model(notes, repository, model_folder, monkeypatch):
    (repository / "memory").mkdir()
    (repository / "memory" / "people.md").write_text("users log in with a password\n", "utf-8")
    (repository / "memory" / "cake.md").write_text("flour, butter, sugar\n", "utf-8")
    model = ("--model-dir", str(model_folder))
    assert "nothing found" in notes("search", "with a", "--passages")
    found = json.loads(notes("search", "with a", "--passages", *model, "--json"))["results"]
    assert [row["path"] for row in found] == ["memory/people.md"]
    monkeypatch.setenv("HOLDFAST_MODEL_DIR", str(model_folder))
    assert "memory/people.md" in notes("search", "with a", "--passages")
    line = notes("search", "x", "--passages", "--model-dir", str(repository), code=2)
    assert "no model in" in line
    assert line.count("\n") == 1


def test_what_a_search_found_is_data_for_machines(notes):
    for number in range(3):
        notes("add", f"cache {number} is Redis")
    found = json.loads(notes("search", "redis", "--max", "2", "--json"))
    assert [row["line"] for row in found["lines"]] == [1, 2]
    assert (found["matches"], found["total"]) == (3, 3)


def test_without_a_command_the_commands_are_shown(notes):
    assert "\n  search " in notes()


def test_a_whole_file_is_written_and_shown_as_json(notes, tmp_path):
    (tmp_path / "new.md").write_text("2026-01-02|me|x；y\n\nfree words\n", "utf-8")
    notes("write", str(tmp_path / "new.md"))
    assert json.loads(notes("show", "--json"))["lines"] == [
        {"line": 1, "date": "2026-01-02", "source": "me", "items": ["x", "y"]},
        {"line": 3, "date": "", "source": "", "items": ["free words"]},
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("delete", "9"), "none of the lines 9"),
        (("add", "  "), "should not be blank"),
        (("search", ""), "the query is empty"),
        (("search", " ", "--passages"), "the query is empty"),
        (("show", "--workspace", "/nowhere/at/all"), "is not a folder"),
        (("search", "x", "--max", "0"), "--max"),
    ],
)
def test_refusals_are_one_line(notes, arguments, said):
    line = notes(*arguments, code=2)
    assert said in line
    assert line.count("\n") == 1
