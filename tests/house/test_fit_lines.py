"""Weights of line choice fitted to sessions: what is needed again, and what the refit must be better at."""

from __future__ import annotations

import ast

import pytest

pytest.importorskip("sklearn")

from benchmarks.fit import lines as fit
from benchmarks.sessions import Session, generated_session
from benchmarks.texts import runs_in
from condense.lines import weights
from condense.lines.sources import line_sources
from memory.conversation.wire.parsing import parse_messages

USED = (weights.NAME_BASE, weights.NAME_WEIGHTS)
COPIED = "one two three four five six seven eight nine"


def samples(sessions: int = 5) -> list[fit.Sample]:
    """Samples whose second bucket tells whether they are needed."""
    return [
        fit.Sample(n % sessions, (n % 3, int(n % 4 == 0)), float(n % 4 == 0 and n % 8 < 6), 1.0) for n in range(400)
    ]


def test_a_line_is_repeated_by_the_share_of_its_words_in_copied_runs():
    (source,) = line_sources(
        parse_messages([{"role": "user", "content": f"{COPIED}\nnothing of it\n{COPIED} ten ten ten"}])
    )
    shares = fit._shares(source, runs_in(COPIED))
    assert shares == [1.0, 0.0, 0.75]


def test_a_table_learns_which_bucket_is_needed():
    base, rows = fit.Fit(samples()).fitted(range(400), 1.0)
    assert rows[1][1] > rows[1][0]
    chances = fit.chances_of(fit.Fit(samples()).buckets, (base, rows))
    assert chances[0] > 0.5 > chances[1]


def test_a_table_that_knows_less_is_replaced_and_one_that_knows_it_all_stays():
    ignorant = (0.0, ((0.0,) * 12, (0.0,) * 12))
    knowing = (-9.0, ((0.0,) * 12, (0.0, 10.0, *(0.0,) * 10)))
    rows: list[list[str]] = []
    assert fit.refit("names", samples(), ignorant, rows) is not None
    assert len(rows) == 2
    assert fit.refit("names", samples(), knowing, rows) is None


def test_names_and_lines_are_read_off_sessions_and_too_few_of_them_are_told():
    session = generated_session(30_000)
    names, lines = fit.read_samples([session], 1, USED)
    assert any(sample.goal for sample in names)
    assert any(0 < sample.goal <= 1 for sample in lines)
    assert {len(sample.buckets) for sample in names} == {len(weights.NAME_WEIGHTS)}
    assert {len(sample.buckets) for sample in lines} == {len(weights.LINE_WEIGHTS)}
    assert fit.read_samples([Session("short", session.messages[:6])], 1, USED) == ([], [])
    with pytest.raises(SystemExit, match="1 sessions are long enough"):
        fit.Fit(names)


def test_the_module_that_is_written_holds_the_tables_and_their_origin():
    text = fit.written("Weights.", "Origin: made up.", USED, (weights.LINE_BASE, weights.LINE_WEIGHTS))
    read: dict[str, object] = {}
    exec(compile(ast.parse(text), "weights.py", "exec"), read)  # noqa: S102  # our own text
    assert read["NAME_WEIGHTS"] == weights.NAME_WEIGHTS
    assert read["LINE_WEIGHTS"] == weights.LINE_WEIGHTS
    assert "Origin: made up." in str(read["__doc__"])
