"""MEMORY.md as lines: documented behaviour, and a person who edits meanwhile."""

from __future__ import annotations

import stat
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from processes import started

from memory.errors import StoreError
from memory.notes.locked_file import SharedFile
from memory.notes.notebook import Notebook

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def notebook(tmp_path):
    return Notebook(tmp_path / "memory", today=lambda: date(2026, 2, 15))


@pytest.fixture
def filled(notebook):
    notebook.append_entry("web-chat", "用户偏好Python；IDE使用VS Code")
    notebook.append_entry("telegram", "每天早上9点发送日报")
    notebook.append_entry("web-chat", "项目使用FastAPI后端；Python 3.11")
    return notebook


def test_an_empty_notebook_answers_everything(notebook):
    assert notebook.read_all() == ""
    assert notebook.get_line_count() == 0
    assert notebook.get_stats() == {"total": 0, "sources": {}, "date_range": ""}
    assert notebook.get_recent() == "there are no memories yet"
    assert notebook.search(["python"]) == "no memory matches"
    assert notebook.search(["数据库"]) == "未找到匹配的记忆"
    assert notebook.delete_lines([1]) == 0
    assert not notebook.path.exists()


def test_append_returns_the_line_number_and_writes_date_source_items(notebook):
    assert notebook.append_entry("web-chat", "用户偏好Python；项目用FastAPI") == 1
    assert notebook.append_entry("cron", "a\nb\r\n\n c ") == 2
    assert notebook.read_all() == "2026-02-15|web-chat|用户偏好Python；项目用FastAPI\n2026-02-15|cron|a；b；c"
    assert [e.items for e in notebook.entries()] == [("用户偏好Python", "项目用FastAPI"), ("a", "b", "c")]
    assert stat.S_IMODE(notebook.path.stat().st_mode) == 0o600


def test_a_bar_stays_in_content_and_leaves_a_source(notebook):
    notebook.append_entry("a|b", "x|y")
    assert notebook.entries()[0].source == "a｜b"
    assert notebook.entries()[0].items == ("x|y",)


@pytest.mark.parametrize(("source", "content"), [(" ", "x"), ("web-chat", " \n ")])
def test_blank_entries_are_refused(notebook, source, content):
    with pytest.raises(ValueError, match="should not be blank"):
        notebook.append_entry(source, content)


def test_reading_by_line_moves_bounds(filled):
    assert filled.read_lines(2) == "[2] 2026-02-15|telegram|每天早上9点发送日报"
    assert filled.read_lines(2, 99).count("\n") == 1
    assert filled.read_lines(-5, 1).startswith("[1] ")
    assert filled.read_lines(9) == "第 9 行起没有记忆（共 3 行）"


def test_search_matches_any_or_all_and_ignores_case(filled):
    assert [line[:3] for line in filled.search(["PYTHON", "telegram"]).split("\n")] == ["[1]", "[2]", "[3]"]
    assert filled.search(["python", "fastapi"], match_mode="and").startswith("[3] ")
    assert "[1]" not in filled.search(["python", "fastapi"], match_mode="and")


def test_search_without_a_match_or_a_keyword_never_returns_everything(filled):
    assert filled.search(["nothing like it"]) == "未找到匹配的记忆"
    assert filled.search([]) == filled.search(["", " "]) == "请提供搜索关键词"


def test_search_shows_fifteen_and_says_how_many_more(notebook):
    for n in range(20):
        notebook.append_entry("web-chat", f"条目 {n}")
    lines = notebook.search(["条目"]).split("\n")
    assert len(lines) == 16
    assert lines[-1] == "共 20 条匹配，仅显示前 15 条"
    assert notebook.search(["条目"], max_results=20).count("\n") == 19


@pytest.mark.parametrize(("kwargs", "said"), [({"match_mode": "xor"}, "'xor'"), ({"max_results": 0}, "1 or more")])
def test_search_refuses_what_it_does_not_know(filled, kwargs, said):
    with pytest.raises(ValueError, match=said):
        filled.search(["x"], **kwargs)


def test_recent_delete_and_statistics(filled):
    assert filled.get_recent(2).split("\n")[0].startswith("[2] ")
    assert filled.get_recent(0) == "暂无记忆"
    assert filled.get_stats() == {
        "total": 3,
        "sources": {"web-chat": 2, "telegram": 1},
        "date_range": "2026-02-15 ~ 2026-02-15",
    }
    assert filled.delete_lines([2, 77]) == 1
    assert filled.read_lines(2).startswith("[2] 2026-02-15|web-chat|项目")


def test_the_language_follows_the_caller(filled, tmp_path):
    english = Notebook(tmp_path / "en", today=lambda: date(2026, 1, 1))
    english.append_entry("web-chat", "prefers tabs；likes Go")
    assert english.get_recent(0) == "there are no memories yet"
    assert english.search(["缓存"]) == "未找到匹配的记忆"
    assert Notebook(tmp_path / "en", today=date.today, language="zh").get_recent(0) == "暂无记忆"
    with pytest.raises(ValueError, match="'fr'"):
        Notebook(tmp_path, today=date.today, language="fr")


def test_secrets_never_reach_the_file(notebook):
    notebook.append_entry("web-chat", "the password is hunter2-Zx91!q")
    notebook.write_all(notebook.read_all() + "\nAPI_KEY=sk-ant-api03-" + "Ab3dEf6hIj9lMn2pQr5t" * 4)
    assert "hunter2" not in notebook.read_all()
    assert "Ab3dEf6h" not in notebook.read_all()


def test_what_a_person_writes_is_kept_as_it_is(notebook):
    notebook.path.parent.mkdir()
    notebook.path.write_bytes("\ufeff# Notes\r\n\r\nfree words\r\n2026-01-02|me|x；y".encode())
    assert notebook.append_entry("web-chat", "z") == 5
    assert notebook.get_stats()["total"] == 4
    assert notebook.delete_lines([3]) == 1
    assert notebook.path.read_bytes() == "\ufeff# Notes\r\n\r\n2026-01-02|me|x；y\n2026-02-15|web-chat|z\n".encode()


def test_bytes_that_are_no_text_survive_a_deletion(notebook):
    notebook.path.parent.mkdir()
    notebook.path.write_bytes(b"caf\xe9\nsecond\n")
    notebook.delete_lines([2])
    assert notebook.path.read_bytes() == b"caf\xe9\n"


def test_a_link_stays_a_link(notebook, tmp_path):
    real = tmp_path / "dotfiles.md"
    real.write_text("one\ntwo\n")
    notebook.path.parent.mkdir()
    notebook.path.symlink_to(real)
    notebook.delete_lines([1])
    notebook.append_entry("web-chat", "three")
    assert notebook.path.is_symlink()
    assert real.read_text() == "two\n2026-02-15|web-chat|three\n"


def test_a_line_written_while_lines_are_deleted_is_not_lost(tmp_path):
    place = tmp_path / "MEMORY.md"
    place.write_text("one\ntwo\n")
    calls = []

    def change(text):
        calls.append(text)
        if len(calls) == 1:
            with place.open("a") as by_hand:
                by_hand.write("three\n")
        return text.replace("one\n", ""), len(calls)

    assert SharedFile(place).edit(change) == 2
    assert place.read_text() == "two\nthree\n"


def test_an_editor_that_replaces_the_file_meanwhile_is_heeded(tmp_path):
    place = tmp_path / "MEMORY.md"
    place.write_text("one\ntwo\n")
    calls = []

    def change(text):
        calls.append(text)
        if len(calls) == 1:
            (tmp_path / "saved").write_text("one\ntwo, edited\n")
            (tmp_path / "saved").replace(place)
        return text.replace("one\n", ""), None

    SharedFile(place).edit(change)
    assert place.read_text() == "two, edited\n"


def test_a_failed_change_leaves_the_file_and_no_litter(tmp_path):
    place = tmp_path / "MEMORY.md"
    place.write_text("one\n")
    with pytest.raises(KeyError):
        SharedFile(place).edit(lambda _: {}["x"])
    assert place.read_text() == "one\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == [".MEMORY.md.lock", "MEMORY.md"]


def test_a_folder_in_the_way_is_a_clear_error(tmp_path):
    (tmp_path / "MEMORY.md").mkdir()
    with pytest.raises(StoreError, match="cannot read"):
        Notebook(tmp_path, today=date.today).read_all()
    with pytest.raises(StoreError, match="cannot write"):
        Notebook(tmp_path, today=date.today).append_entry("web-chat", "x")


def test_a_full_disk_is_a_clear_error_and_nothing_half_written_stays(tmp_path):
    script = (
        "import resource, signal\n"
        "from datetime import date\n"
        "from memory.errors import StoreError\n"
        "from memory.notes.notebook import Notebook\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"book = Notebook({str(tmp_path)!r}, today=lambda: date(2026, 1, 1))\n"
        "book.append_entry('web-chat', 'first')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "for act in (lambda: book.append_entry('web-chat', 'x' * 200), lambda: book.write_all('y' * 200)):\n"
        "    try:\n        act()\n        print('written')\n"
        "    except StoreError as error:\n        print(error)\n"
        "print(book.read_all())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True, timeout=100
    )
    assert done.stdout.count("cannot write") == 2
    assert done.stdout.endswith("2026-01-01|web-chat|first\n")
    assert [p.name for p in tmp_path.iterdir() if "part" in p.name] == []


WRITER = """
import sys
from datetime import date
from memory.notes.notebook import Notebook
book = Notebook(sys.argv[1], today=lambda: date(2026, 1, 1))
for n in range(int(sys.argv[3])):
    line = book.append_entry("web-chat", f"{sys.argv[2]}-{n}")
    print(f"{sys.argv[2]}-{n}", flush=True)
"""


def test_processes_a_reader_and_a_person_at_once_lose_nothing(tmp_path):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(k), "150"], stdout=subprocess.PIPE, cwd=ROOT
        )
        for k in range(4)
    ]
    book = Notebook(tmp_path, today=lambda: date(2026, 1, 1))
    done = threading.Event()
    marks = []

    def person():
        while not done.is_set():
            with book.path.open("a") as by_hand:
                by_hand.write(f"by hand {len(marks)}\n")
            marks.append(f"by hand {len(marks)}")
            doomed = book.append_entry("web-chat", "to be deleted")
            text = book.read_lines(doomed)
            if text.endswith("to be deleted"):
                book.delete_lines([doomed])
            done.wait(0.002)

    hand = threading.Thread(target=person)
    hand.start()
    said = [line for w in writers for line in w.communicate(timeout=100)[0].decode().split()]
    done.set()
    hand.join()
    kept = {e.items[0] for e in book.entries()}
    assert len(said) == 600
    assert set(said) <= kept
    assert set(marks) <= kept


def test_what_was_acknowledged_before_a_kill_is_there(tmp_path):
    for at in (5, 60):
        with started(
            [sys.executable, "-c", WRITER, str(tmp_path), f"k{at}", "100000"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        ) as writer:
            said = [writer.stdout.readline().strip() for _ in range(at)]
            writer.kill()
            said += [line.strip() for line in writer.stdout if line.endswith("\n")]
        lines = Notebook(tmp_path, today=date.today).read_all().split("\n")
        assert set(said) <= {line.rpartition("|")[2] for line in lines}
        assert all(line.startswith("2026-01-01|web-chat|k") for line in lines)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_any_text_is_one_line_that_reads_back(tmp_path_factory, contents):
    book = Notebook(tmp_path_factory.mktemp("n"), today=lambda: date(2026, 2, 15))
    written = 0
    for content in contents:
        try:
            assert book.append_entry("web-chat", content) == written + 1
        except ValueError:
            continue
        written += 1
    assert book.get_line_count() == written
    assert all(e.date == "2026-02-15" and e.source == "web-chat" and e.items for e in book.entries())
