"""The cue tables: every row's own examples, and how cues are found."""

from __future__ import annotations

import re

import pytest
from clock import cpu_seconds
from examples import examples
from hypothesis import given, strategies as st

from memory.extraction.cue_tables import CUES
from memory.extraction.cues import all_cues, find_cues, words_of


@pytest.mark.parametrize("row", all_cues(), ids=lambda row: row.name)
def test_a_cue_hits_and_misses_its_own_examples(row):
    assert row.hits
    assert row.misses
    for text in row.hits:
        assert row.name in find_cues(text), text
    for text in row.misses:
        assert row.name not in find_cues(text), text


def test_every_row_is_read_and_no_name_stands_for_two():
    names = [row.name for row in all_cues()]
    assert len(names) == len(re.findall(r"(?m)^\S+: ", CUES)) == len(re.findall(r";\s\+\s", CUES))
    assert len(names) == len(set(names))


def test_phrases_match_whole_words_in_any_case():
    assert "ensure" in find_cues("MAKE SURE the door is shut")
    assert "ensure" not in find_cues("remake surely")


def test_the_place_of_a_cue_is_the_place_of_its_first_word():
    assert find_cues("please make sure of it")["ensure"] == 1
    assert find_cues("请确保备份")["ensure"] == -1


def test_typographic_apostrophes_are_apostrophes():
    assert find_cues("don’t rename it").keys() == find_cues("don't rename it").keys()


@examples(60)
@given(st.text(max_size=200))
def test_any_text_can_be_searched(text):
    places = find_cues(text)
    count = len(words_of(text))
    assert all(-1 <= place < max(count, 1) for place in places.values())


@pytest.mark.timing
def test_searching_takes_linear_time():
    def seconds(size):
        text = "please make sure you never use it " * size
        return cpu_seconds(lambda: find_cues(text))

    seconds(10)
    assert seconds(4000) < 40 * max(seconds(400), 1e-4)
