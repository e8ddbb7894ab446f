"""Which results still say something: stale, superseded, repeated and duplicate ones do not."""

from __future__ import annotations

import pytest
from examples import examples
from hypothesis import given, strategies as st

from condense.reading.trail.collecting import collect_artifacts
from condense.reading.trail.stale_reads import WORKING_SET, stale_results
from tests.tool_exchanges import conversation, exchange

LONG = "\n".join(f"{i}\tline {i} of the file" for i in range(40))


def read(path, text=LONG, **rest):
    return exchange("Read", {"file_path": path, **rest}, text)


def edit(path):
    return exchange("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, f"{path} updated")


def others(count=WORKING_SET):
    return [read(f"/r/other{i}.py", f"{i}\n{LONG}") for i in range(count)]


def states(*parts):
    """Whether each result still says something ("fresh") or not ("stale"), in order."""
    messages = conversation(*parts)
    stale = stale_results(collect_artifacts(messages).exchanges)
    results = [(m.digest, k) for m in messages for k, part in enumerate(m.parts) if part in m.results]
    return ["stale" if result in stale else "fresh" for result in results]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([read("/r/a.py", "one"), read("/r/a.py", "two")], ["stale", "fresh"]),
        ([read("/r/a.py", "1", offset=1, limit=20), read("/r/a.py", "2")], ["stale", "fresh"]),
        ([read("/r/a.py", "1"), read("/r/a.py", "2", offset=1, limit=20)], ["fresh", "fresh"]),
        ([read("/r/a.py", "1", offset=1, limit=20), read("/r/a.py", "2", offset=15, limit=20)], ["fresh", "fresh"]),
        ([read("/r/a.py", "1", offset=5, limit=30), read("/r/a.py", "2", offset=1, limit=20),
          read("/r/a.py", "3", offset=21, limit=20)], ["stale", "fresh", "fresh"]),
        ([read("/r/a.py", "1"), edit("/r/a.py")], ["fresh", "fresh"]),
        ([read("/r/a.py", "1"), edit("/r/a.py"), *others()], ["stale", "fresh", *["fresh"] * WORKING_SET]),
        ([read("/r/a.py", "1"), edit("/r/a.py"), read("/r/a.py", "2", offset=3, limit=9)], ["stale", "fresh", "fresh"]),
        ([read("/r/a.py", "1"), exchange("Write", {"file_path": "/r/a.py", "content": "x"}, "ok")], ["stale", "fresh"]),
        ([read("/r/a.py", "1"), exchange("Bash", {"command": "rm /r/a.py"}, "")], ["stale", "fresh"]),
        ([read("/r/a.py", "1"), exchange("Bash", {"command": "cat /r/a.py | sort > /r/a.py"}, "")], ["fresh", "fresh"]),
        ([exchange("Bash", {"command": "sed -n 1,9p /r/a.py"}, "x"), read("/r/a.py", "1")], ["stale", "fresh"]),
        ([exchange("Bash", {"command": "cat /r/a.py; make"}, "x"), read("/r/a.py", "1")], ["fresh", "fresh"]),
        ([exchange("Bash", {"command": "make"}, "one"), exchange("Bash", {"command": "make"}, "two")],
         ["stale", "fresh"]),
        ([exchange("Bash", {"command": "make", "description": "first"}, "one"),
          exchange("Bash", {"command": "make", "description": "again"}, "two")], ["stale", "fresh"]),
        ([exchange("Grep", {"pattern": "x"}, "one"), exchange("Grep", {"pattern": "x"}, "two")], ["stale", "fresh"]),
        ([exchange("Bash", {"command": "make a"}, LONG), exchange("Bash", {"command": "make b"}, LONG)],
         ["stale", "fresh"]),
        ([exchange("Bash", {"command": "make a"}, "ok"), exchange("Bash", {"command": "make b"}, "ok")],
         ["fresh", "fresh"]),
        ([read("/r/a.py", "1"), exchange("Read", {"file_path": "/r/a.py"}, "File does not exist", is_error=True)],
         ["fresh", "fresh"]),
        ([exchange("write_stdin", {"session_id": 1, "chars": ""}, "a"),
          exchange("write_stdin", {"session_id": 1, "chars": ""}, "b")], ["fresh", "fresh"]),
    ],
)  # fmt: skip
def test_what_later_messages_make_of_a_result(parts, expected):
    assert states(*parts) == expected


def test_a_window_of_the_line_editor_is_superseded_by_the_next_one():
    def window(first):
        lines = "\n".join(f"{i}:line {i}" for i in range(first, first + 20))
        return f"[File: /r/a.py (90 lines total)]\n{lines}\n(70 more lines below)"

    parts = [
        exchange("bash", {"command": "open a.py"}, window(1)),
        exchange("bash", {"command": "edit 3:3\nx\nend_of_edit"}, window(1)),
        exchange("bash", {"command": "goto 40"}, window(40)),
    ]
    assert states(*parts) == ["stale", "fresh", "fresh"]


def test_unpaired_results_are_not_judged():
    lonely = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "?", "content": "x"}]}
    assert stale_results(collect_artifacts(conversation([lonely])).exchanges) == set()


SCENES = st.sampled_from(
    [
        read("/r/a.py", "one"),
        read("/r/a.py", "two", offset=3, limit=5),
        read("/r/a.py"),
        edit("/r/a.py"),
        exchange("Bash", {"command": "cat /r/a.py /r/b.py"}, "both"),
        exchange("Bash", {"command": "make"}, LONG),
        exchange("Bash", {"command": "rm /r/b.py"}, ""),
    ]
)


@examples(80)
@given(st.lists(SCENES, min_size=1, max_size=10))
def test_the_newest_result_always_says_something(scenes):
    parts = [
        exchange(s[0]["content"][0]["name"], s[0]["content"][0]["input"], s[1]["content"][0]["content"])
        for s in scenes
    ]
    assert states(*parts)[-1] == "fresh"
