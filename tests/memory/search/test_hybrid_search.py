"""Search by words and meaning together: what decides where, and that it never costs an answer."""

from __future__ import annotations

import pytest

from memory.search.embeddings import HashingEmbedder, unit
from memory.search.glossing import GlossedEmbedder, gloss, glossed, known_scripts, script_of
from memory.search.hybrid import HybridIndex, crowding, fuse

TOPICS = ("port", "cat", "deploy", "tea")


class Meanings:
    """Knows what a text is about from a list of words, in the languages it is given."""

    name, dimension = "meanings", 4

    def __init__(self, words):
        self._words = words

    def __call__(self, texts):
        return [unit([0.01 + any(w in t for w in self._words[topic]) for topic in TOPICS]) for t in texts]


ENGLISH = Meanings(
    {"port": ("port", "listen"), "cat": ("cat",), "deploy": ("deploy", "release"), "tea": ("tea", "brew")}
)


def filled(embedder):
    index = HybridIndex(embedder)
    texts = [
        "the server will listen on 4000",
        "we release on Fridays",
        "brew it for three minutes",
        "部署在周五",
    ]
    for row, text in enumerate(texts):
        index.add(row, text)
    return index


def test_meaning_finds_what_words_do_not():
    assert filled(None).search("how long does tea take") == []
    assert filled(ENGLISH).search("how long does tea take")[0][0] == 2


def test_words_decide_where_the_model_does_not_know_the_script():
    assert filled(ENGLISH).search("什么时候部署")[0][0] == 3


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("端口改为 3001", "port change 3001"),
        ("数据库用PostgreSQL", "database PostgreSQL"),
        ("サーバーにデプロイする", "server deploy"),
        ("порт сервера 80", "port server 80"),
        ("use PostgreSQL", "use PostgreSQL"),
        ("你好吗", ""),
        ("서버 포트", "서버 포트"),
    ],
)
def test_a_gloss_says_in_english_what_the_table_knows(text, english):
    assert gloss(text) == english


def test_a_question_in_one_language_finds_an_answer_in_another_by_meaning():
    index = HybridIndex(ENGLISH)
    for row, text in enumerate(("猫在睡觉", "部署在周五", "端口是 4000", "the cat sleeps")):
        index.add(row, text)
    assert index.search("when is the release")[0][0] == 1
    assert index.search("where does it listen")[0][0] == 2


def test_a_model_that_knows_a_script_is_given_its_texts_as_they_are():
    given = []

    class Polyglot(Meanings):
        def __call__(self, texts):
            given.extend(texts)
            return [unit([float(ord(c) % 7 + 1) for c in f"{text:4.4}"]) for text in texts]

    embedder = GlossedEmbedder(Polyglot({}))
    embedder._scripts = frozenset({"latin", "han"})
    embedder(["端口是 4000", "порт 80", "你好吗"])
    assert given == ["端口是 4000", "port 80", "你好吗"]
    assert embedder.name != "meanings"
    assert glossed(HashingEmbedder()).name == HashingEmbedder().name
    assert glossed(None) is None
    assert glossed(embedder) is embedder


def test_scores_are_between_0_and_1_and_in_range_of_rank():
    found = filled(ENGLISH).search("release on fridays")
    assert found[0][0] == 1
    assert all(0 <= score <= 1 for _, score in found)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("use PostgreSQL", "latin"),
        ("数据库用PostgreSQL", "han"),
        ("データベースを使う", "kana"),
        ("порт 80", "cyrillic"),
        ("서버 포트", "hangul"),
        ("", "latin"),
        ("42", "latin"),
        ("rename 表 to users_table please", "latin"),
    ],
)
def test_the_script_of_a_text(text, script):
    assert script_of(text) == script


def test_a_model_shows_which_scripts_it_knows():
    assert known_scripts(HashingEmbedder()) == {"latin"}

    def russian(texts):
        places = {"развернуть": 0, "выкатить": 0, "тесты": 1, "проверка": 1, "кошек": 2, "коты": 2}
        return [unit([float(any(places.get(w) == n for w in t.split())) for n in range(3)] + [0.1]) for t in texts]

    assert known_scripts(russian) == {"latin", "cyrillic"}


def test_a_text_near_to_everything_is_crowded():
    others = [unit(v) for v in ([1, 0.1, 0], [1, 0, 0.1], [1, 0.1, 0.1], [1, 0.2, 0], [1, 0, 0.2])]
    assert crowding(unit([1, 0.05, 0.05]), others) > crowding(unit([0, 1, 1]), others)
    assert crowding(unit([1, 0, 0]), []) == 0


def test_fusing_without_vectors_is_the_ranking_by_words():
    assert fuse({3: 0.5, 1: 0.9, 2: 0.5}, {}) == [(1, 0.9), (2, 0.5), (3, 0.5)]


def test_texts_come_and_go():
    index = filled(ENGLISH)
    index.add(1, "the cat sleeps")
    assert all(row != 1 for row, _ in index.search("release"))
    index.remove(0)
    index.remove(0)
    assert len(index) == 3
    assert all(row != 0 for row, _ in index.search("which port"))


def test_an_embedder_that_fails_costs_no_answer():
    def broken(_texts):
        raise TimeoutError("slow")

    index = filled(broken)
    assert index.search("release on Fridays")[0][0] == 1
    assert index.embedder_error == "TimeoutError: slow"
