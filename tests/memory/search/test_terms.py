"""What texts can be found by: stems, identifiers, notions, bigrams; and how answers are ranked."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.search.bm25 import MOST_HOLDERS, KeywordIndex
from memory.search.stemming import stem
from memory.search.synonyms import notions
from memory.search.terms import MOST_ASKED, asked_by, terms_of


@pytest.mark.parametrize(
    "family",
    [
        "configure configured configures configuring configuration configurations configurable",
        "deploy deployed deploys deploying",
        "validate validation validator validates validated",
        "dependency dependencies depends dependent",
        "migrate migration migrations migrating",
        "test tests tested testing",
        "run runs running ran",
        "commit commits committed committing",
        "cache caches cached caching",
        "query queries querying queried",
        "use uses used using",
        "build builds building built",
        "настройка настройки настройку",
    ],
)
def test_forms_of_a_word_meet(family):
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "others",
    ["server service", "user use", "general generate", "status state", "port portable", "import important",
     "policy police", "test text", "color colour", "event even"],
)  # fmt: skip
def test_other_words_stay_apart(others):
    words = others.split()
    assert len({stem(word) for word in words[:2]}) == 2


@given(st.text(max_size=40))
def test_any_word_has_a_stem(word):
    assert isinstance(stem(word), str)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getUserName", {"get", "user", "name"}),
        ("user_name", {"user", "name"}),
        ("HTTPServer", {"http", "server"}),
        ("src/api/chat.py", {"src", "api", "chat", "py"}),
        ("front-end", {"front", "end", "frontend"}),
        ("C++", {"c++"}),
        ("port 3001", {"port", "3001"}),
        ("café", {"cafe"}),
        ("don't", {"dont"}),
    ],
)
def test_identifiers_are_found_by_their_parts(text, words):
    assert words <= set(terms_of(text).words)


def test_chinese_and_japanese_are_found_by_bigrams():
    assert set(terms_of("数据库端口").grams) == {"数据", "据库", "库端", "端口"}
    assert terms_of("改").grams == ("改",)
    assert "テス" in terms_of("必ずテストを書く").grams
    assert set(terms_of("使用FastAPI框架").words) >= {"fast", "api", "fastapi"}


def test_words_of_like_meaning_share_a_notion_across_languages():
    for one, other in (
        ("database", "数据库"),
        ("port", "端口"),
        ("sign in", "登录"),
        ("bug", "报错"),
        ("db", "PostgreSQL"),
    ):
        assert set(terms_of(one).notions) & set(terms_of(other).notions), (one, other)
    assert not set(terms_of("database").notions) & set(terms_of("button").notions)


def test_stop_words_count_only_alone():
    assert terms_of("the port").words == ("port",)
    assert terms_of("to be").words != ()
    assert [one.term for one in asked_by("what is the port")] == ["port"]
    assert asked_by("who are you") != ()


def test_a_long_query_is_asked_by_its_ends():
    asked = asked_by(" ".join(f"word{n}" for n in range(500)))
    assert len(asked) == MOST_ASKED


def test_the_table_of_notions_reads_well():
    table = notions()
    assert len(table.rows) > 2000
    assert all(name.isascii() for name in table.names)


@given(st.text(max_size=300))
def test_any_text_is_found_by_itself(text):
    index = KeywordIndex()
    index.add(1, text)
    found = index.search(asked_by(text))
    assert [row for row, _, _ in found] == ([1] if asked_by(text) else [])
    assert all(0 < score <= 1 for _, score, _ in found)


def test_rare_words_weigh_more_and_a_text_can_be_taken_out():
    index = KeywordIndex()
    for row in range(50):
        index.add(row, f"the widget number {row}")
    index.add(99, "the walrus number")
    (first, score, matched), *rest = index.search(asked_by("walrus widget"))
    assert (first, matched) == (99, ("walrus",))
    assert all(other < score for _, other, _ in rest)
    index.remove(99)
    index.remove(99)
    assert 99 not in [row for row, _, _ in index.search(asked_by("walrus widget"))]


def test_common_words_find_the_newest():
    index = KeywordIndex()
    for row in range(MOST_HOLDERS + 200):
        index.add(row, "gizmo words")
    assert index.search(asked_by("gizmo"))[0][0] == MOST_HOLDERS + 199
