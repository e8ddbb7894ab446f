"""Patterns that are compiled at first use do what compiled ones do."""

from __future__ import annotations

import re

import pytest

from memory.conversation.lazy_patterns import LazyPattern


def test_a_lazy_pattern_finds_what_a_compiled_one_finds():
    lazy, compiled = LazyPattern(r"(\w)\d", re.ASCII), re.compile(r"(\w)\d", re.ASCII)
    text = "a1 b2 c"
    assert lazy.search(text).span() == compiled.search(text).span()
    assert lazy.match("x") is None
    assert lazy.fullmatch("z9")[1] == "z"
    assert [m.group() for m in lazy.finditer(text)] == ["a1", "b2"]
    assert lazy.sub("-", text) == "- - c"
    assert lazy.search(text, 2).start() == 3


def test_nothing_is_compiled_before_the_first_use():
    broken = LazyPattern("(")
    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.search("text")


def test_it_has_no_other_attributes():
    with pytest.raises(AttributeError):
        _ = LazyPattern("a").unheard_of
