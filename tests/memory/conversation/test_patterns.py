"""Patterns that are compiled at first use do what compiled ones do."""

from __future__ import annotations

import re

import pytest

from memory.conversation.lazy_patterns import LazyPattern, Signs


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


def test_signs_tell_what_may_be_in_a_text():
    signs = Signs((("port", ("port", "端口"), "port ports"), ("theme", ("theme", "主题"), "theme")))
    assert signs.seen_in("the port and the THEME") == {"port", "theme"}
    assert signs.seen_in("端口是 3001") == {"port"}
    assert signs.seen_in("nothing of it") == set()


def test_a_sign_is_sought_only_where_a_word_of_its_thing_stands():
    signs = Signs((("test", ("test",), "test tests"), ("stop", ("stop ",), "stop")))
    assert signs.seen_in("Run the TESTS, 请") == {"test"}
    assert signs.seen_in("the latest contest") == set()
    assert signs.seen_in("stop!") == set()
    assert signs.seen_in("stop it") == {"stop"}
