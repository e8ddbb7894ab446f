"""How specific a clause is: everyday words of requests against words that say something."""

from __future__ import annotations

import pytest
from clock import cpu_seconds
from examples import examples
from hypothesis import given, strategies as st

from memory.extraction.cues import words_of
from memory.extraction.features.wording import specifics_of


def names(text):
    return set(specifics_of(text, words_of(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Fix all the errors and continue",
        "исправь ошибки пожалуйста",
        "corrige todos los errores",
        "请继续修复所有的错误",
    ],
)
def test_a_request_in_everyday_words_is_not_specific(text):
    assert "everyday-only" in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sidebar width stays 240 pixels, collapsed on phones",
        "侧边栏宽度固定，手机上折叠",
        "Ширина боковой панели фиксирована",
    ],
)
def test_words_that_say_something_are_specific(text):
    assert "everyday-only" not in names(text)


def test_paths_addresses_and_file_names_say_where_not_what():
    assert names("check docs/billing/ledger_rounding.md") == names("check the")
    assert "everyday-only" in names("review https://example.org/very/long/address")


@examples(60)
@given(st.text(max_size=200))
def test_any_text_has_one_name_for_its_count(text):
    found = specifics_of(text, words_of(text))
    assert sum(name.startswith(("specific:", "specific-han:")) for name in found) == 1


@pytest.mark.timing
def test_naming_takes_linear_time():
    def seconds(size):
        text = "a.b/c@d 侧边栏宽度 " * size
        words = words_of(text)
        return cpu_seconds(lambda: specifics_of(text, words), 2)

    seconds(10)
    assert seconds(4000) < 12 * max(seconds(1000), 0.002)
