"""The text of a line much like one that is kept is worth less than of one that says something else."""

from __future__ import annotations

from hypothesis import given, strategies as st

from condense.lines.line_chooser import KNOWN, Novelty


def test_what_was_told_is_worth_little_and_what_was_not_all():
    told = Novelty()
    told.cover("uv run pytest tests/test_cart.py --maxfail 1")
    assert told.of("uv run pytest tests/test_cart.py --maxfail 1") == KNOWN
    assert told.of("docker compose restart billing worker queue") == 1


def test_a_line_that_differs_at_its_end_is_worth_what_differs():
    told = Novelty()
    told.cover("find the totals that the cart rounds twice")
    longer = told.of("find the totals that the cart rounds twice and why nobody tested that")
    assert KNOWN < longer < 1


def test_short_lines_are_always_new():
    told = Novelty()
    told.cover("return None")
    assert told.of("return None") == 1


@given(lines=st.lists(st.text("ab c", max_size=60), max_size=8), line=st.text("ab c", max_size=60))
def test_the_more_is_told_the_less_is_new(lines: list[str], line: str):
    told, last = Novelty(), 1.0
    for other in [*lines, line]:
        now = told.of(line)
        assert KNOWN <= now <= last
        told.cover(other)
        last = now
