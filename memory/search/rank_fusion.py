"""One ranking from two: what keywords found and what vectors found.

Three things were measured on paraphrased questions (`benchmarks/retrieval.py`), and each holds over a wide range of
its constant: words count a fifth beside meaning; a text that is near to everything is near to nothing in particular
(the hubness of nearest neighbours; corrected as by Conneau et al., "Word translation without parallel data", 2018);
and where a model does not know a script it is given glosses (`memory.search.glossing`), and words decide more.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from memory.search.embeddings import cosine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.search.embeddings import Embedder

KEYWORD_SHARE: Final = 0.2
"""What a full match by words counts against one by meaning (measured: 0.1 to 0.3 are as good)."""

GLOSS_SHARE: Final = 0.15
"""What meaning counts against words for a question in a script that the model does not know, which is given to it in
glosses (measured: 0.1 to 0.3 are as good)."""

CROWDING_SHARE: Final = 0.5
"""How much of a text's nearness to its neighbours is taken off (as in the source)."""

NEIGHBOURS: Final = 5
"""Nearest neighbours that make a text crowded (measured: 5 of a sample, 10 or 20 of all do the same)."""

SAME: Final = 0.9999
"""Likeness of a text to itself or a copy, which is no neighbour (1, less what rounding takes)."""

SAMPLE: Final = 256
"""Texts among which neighbours are looked for (measured: 200 do nearly as well as all)."""

CANDIDATES: Final = 50
"""Nearest texts that are corrected for crowding (measured: 20 do as well)."""

LEAST_MEANING: Final = 0.2
"""Likeness below which a text that shares no word is left out (chosen; unlike texts have 0.0 to 0.15)."""

LETTERS: Final = 3
"""Latin letters that a character of Chinese, Japanese or Korean stands for (chosen: names are Latin there, too)."""

_SCRIPTS: Final = {
    "kana": "[\u3040-\u30ff]",
    "hangul": "[\uac00-\ud7af\u1100-\u11ff]",
    "han": "[\u3400-\u4dbf\u4e00-\u9fff]",
    "cyrillic": "[\u0400-\u04ff]",
}

_PROBES: Final = {
    "han": (
        ("怎么部署到服务器", "如何上线发布", "怎么把茶倒到杯里"),
        ("密码保存在哪里", "凭证放置何处", "早饭保存在哪里吃"),
        ("测试没有通过", "用例运行失败了", "火车没有通过桥"),
    ),
    "kana": (
        ("サーバーにデプロイする方法", "本番環境へ公開するやり方", "サーバーにお茶をたのむ方法"),
        ("テストが失敗した", "検証でエラーになった", "テストが終わって昼食にした"),
        ("猫が好きです", "ネコを気に入っている", "海が好きです"),
    ),
    "hangul": (
        ("서버에 배포하는 방법", "운영 환경에 올리는 법", "서버에 커피를 주문하는 방법"),
        ("테스트가 실패했다", "검증 중에 오류가 났다", "테스트가 끝나고 점심을 먹었다"),
        ("고양이를 좋아한다", "냥이가 마음에 든다", "바다를 좋아한다"),
    ),
    "cyrillic": (
        ("как развернуть на сервере", "способ выкатить в продакшен", "как заварить чай на даче"),
        ("тесты не прошли", "проверка завершилась ошибкой", "поезда не прошли мост"),
        ("я люблю кошек", "мне нравятся коты", "я люблю море"),
    ),
}
"""For each script three triples: a text, one that means about the same in other words, and one that shares words with
the first but not the meaning."""


def script_of(text: str) -> str:
    """Return the script that most tells about a text's language: "kana", "hangul", "han", "cyrillic" or "latin"."""
    read = text[:2000]
    counted = {name: len(pattern.findall(read)) for name, pattern in _patterns().items()}
    if counted["kana"] and counted["kana"] * 4 >= counted["han"]:
        counted["kana"] += counted["han"]
    best = max(counted, key=lambda name: counted[name])
    others = sum(character.isalpha() for character in read) - counted[best]
    weight = 1 if best == "cyrillic" else LETTERS
    return best if counted[best] and counted[best] * weight >= others else "latin"


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern) for name, pattern in _SCRIPTS.items()}


def known_scripts(embedder: Embedder) -> frozenset[str]:
    """Return the scripts in which an embedder puts like meanings nearer than like words; "latin" always.

    Costs embedding 36 short texts; ask once. Raises whatever the embedder raises.
    """
    texts = [text for triples in _PROBES.values() for triple in triples for text in triple]
    vectors = iter(embedder(texts))
    known = {"latin"}
    for script, triples in _PROBES.items():
        told = [
            cosine(anchor, like) > cosine(anchor, unlike)
            for anchor, like, unlike in ((next(vectors), next(vectors), next(vectors)) for _ in triples)
        ]
        if all(told):
            known.add(script)
    return frozenset(known)


def crowding(vector: Sequence[float], others: Iterable[Sequence[float]]) -> float:
    """Return how near a text is to its nearest neighbours, 0 to 1; 0.0 where there are none.

    Args:
        vector: of the text.
        others: of other texts, `SAMPLE` of them at most; the text itself among them does not count.
    """
    near = sorted((one for other in others if (one := cosine(vector, other)) < SAME), reverse=True)
    return sum(near[:NEIGHBOURS]) / NEIGHBOURS


def corrected(likeness: float, crowded: float) -> float:
    """Return how near a text is to a question for one as crowded as it is; may be below 0."""
    return likeness - CROWDING_SHARE * crowded


def fuse(
    keywords: Mapping[int, float], vectors: Mapping[int, float], *, understood: bool = True
) -> list[tuple[int, float]]:
    """Return numbers and scores, best first; among equals the smaller number.

    Args:
        keywords: scores by words, 0 to 1; absent is 0.
        vectors: scores by meaning, `corrected` or not; empty without an embedder, and then words decide alone.
        understood: the embedder knows the question's script.

    Returns:
        Weighted means of both, at most 1; order counts more than size.
    """
    if not vectors:
        return sorted(keywords.items(), key=lambda hit: (-hit[1], hit[0]))
    share = KEYWORD_SHARE if understood else 1 - GLOSS_SHARE
    least = min(vectors.values())
    found = {
        row: (1 - share) * vectors.get(row, least) + share * keywords.get(row, 0.0)
        for row in (*vectors, *keywords)
    }
    return sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))


def rank(
    keywords: Mapping[int, float],
    near: Mapping[int, float],
    crowded: Mapping[int, float],
    *,
    understood: bool = True,
) -> list[tuple[int, float]]:
    """Return numbers and scores, best first: ordered with crowding corrected, scored without.

    Args:
        keywords: scores by words, 0 to 1.
        near: likeness by meaning, 0 to 1.
        crowded: `crowding` of each text of `near`.
        understood: the embedder knows the question's script.

    Returns:
        Scores are from 0 to 1. Texts that share no word and are hardly like the question are left out.
    """
    ordered = fuse(
        keywords, {row: corrected(one, crowded[row]) for row, one in near.items()}, understood=understood
    )
    shown = dict(fuse(keywords, near, understood=understood))
    return [
        (row, max(0.0, min(1.0, shown[row])))
        for row, _ in ordered
        if row in keywords or near.get(row, 0.0) >= LEAST_MEANING
    ]
