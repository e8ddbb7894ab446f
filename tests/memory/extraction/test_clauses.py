"""Cutting typed text into clauses."""

from __future__ import annotations

import pytest
from examples import examples
from hypothesis import given, strategies as st

from memory.extraction.clauses import clauses_of
from memory.extraction.pasted_errors import identifying_lines
from memory.extraction.text.line_kinds import LineKind


def texts(text):
    return [clause.text for clause in clauses_of(text)]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Use tabs. Keep it short!", ["Use tabs.", "Keep it short!"]),
        ("先备份。再迁移！", ["先备份。", "再迁移！"]),
        ("まず試す。次に直して", ["まず試す。", "次に直して"]),
        ("Сначала тест. Потом код.", ["Сначала тест.", "Потом код."]),
        (
            "Open src/app.py e.g. with vim, version 3.11 please",
            ["Open src/app.py e.g. with vim, version 3.11 please"],
        ),
        ("See https://x.dev/a?b=c&d=e. Then stop.", ["See https://x.dev/a?b=c&d=e.", "Then stop."]),
        ("- one thing\n- another thing", ["one thing", "another thing"]),
        ("1. first\n2) second", ["first", "second"]),
        ("I want 1) red rows 2) blue rows", ["I want", "1) red rows", "2) blue rows"]),
        ("don't use MySQL, use PostgreSQL", ["don't use MySQL", "use PostgreSQL"]),
        ("不要用 MySQL，改用 PostgreSQL", ["不要用 MySQL", "改用 PostgreSQL"]),
        ("[Image #1] the menu is cut off [Image #2]", ["the menu is cut off"]),
    ],
)
def test_clauses_are_sentences_and_items(text, clauses):
    assert texts(text) == clauses


def test_long_sentences_are_cut_at_commas_but_not_inside_brackets():
    text = (
        "When the person opens the settings page for the first time, show the short tour with three cards "
        "(welcome, account, privacy), and store that it was seen"
    )
    assert texts(text)[0] == "When the person opens the settings page for the first time"
    assert any("(welcome, account, privacy)" in piece for piece in texts(text))


def test_items_know_their_list_and_heading():
    clauses = clauses_of("Requirements:\n- rows are sorted\n- columns are fixed\n\nThanks")
    items = [clause for clause in clauses if clause.kind is LineKind.ITEM]
    assert [clause.run for clause in items] == [2, 2]
    assert {clause.heading for clause in items} == {"Requirements:"}


@examples(100)
@given(st.text(alphabet="ab .!?,;:()[]'\"`-*#>1\n。，！字かT", max_size=200))
def test_spans_are_verbatim_and_in_order(text):
    last = 0
    for clause in clauses_of(text):
        said = text[clause.start : clause.end]
        assert clause.text in (said, " ".join(said.split()))
        assert clause.text == clause.text.strip()
        assert clause.start >= last
        last = clause.start


TRACE = """Traceback (most recent call last):
  File "/w/app.py", line 9, in <module>
    run()
KeyError: 'port'
"""
BUILD = """[INFO] compiling
[ERROR] Failed to read pom.xml: no such file
[ERROR] Re-run with the -X switch to enable full debug logging.
[ERROR] For more information about the errors, please read the following articles:
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (TRACE, ["KeyError: 'port'"]),
        (BUILD, ["[ERROR] Failed to read pom.xml: no such file"]),
        ('{\n  "status": 500,\n  "message": "queue is full"\n}', ['"message": "queue is full"']),
        ("2024-01-01 10:00:00 INFO all good\n2024-01-01 10:00:01 INFO still good", []),
        ("```js\nthrow new Error('boom');\n```", []),
        ("Error: x1 timed out\n" * 30, ["Error: x1 timed out"]),
    ],
)
def test_the_identifying_line_of_a_pasted_error(text, lines):
    clauses = clauses_of(text)
    assert [clauses[at].text for at in identifying_lines(clauses)] == lines
