"""Texts in scripts that an embedder does not know, given to it word for word in English.

What the table of synonyms has of their words, in English and in order, is enough to be found by, across languages. A
multilingual model is given its texts as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.search.embeddings import HashingEmbedder, cosine
from memory.search.stemming import stem
from memory.search.synonyms import notions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.search.embeddings import Embedder

_MOST_READ: Final = 8000
"""Characters of a text that are glossed (chosen: as many as keyword search reads)."""
_PIECE: Final = re.compile(
    "(?P<cjk>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)|(?P<cyrillic>[\u0400-\u04ff]+)|[^\u0400-\u04ff\u3040-\u9fff]+"
)
_LETTERS: Final = 3
"""Latin letters that a character of Chinese, Japanese or Korean stands for (chosen: names are Latin there, too)."""
_SCRIPTS: Final = {
    "kana": re.compile("[\u3040-\u30ff]"),
    "hangul": re.compile("[\uac00-\ud7af\u1100-\u11ff]"),
    "han": re.compile("[\u3400-\u4dbf\u4e00-\u9fff]"),
    "cyrillic": re.compile("[\u0400-\u04ff]"),
}
_PROBES: Final = {
    "han": """怎么部署到服务器|如何上线发布|怎么把茶倒到杯里
密码保存在哪里|凭证放置何处|早饭保存在哪里吃
测试没有通过|用例运行失败了|火车没有通过桥""",
    "kana": """サーバーにデプロイする方法|本番環境へ公開するやり方|サーバーにお茶をたのむ方法
テストが失敗した|検証でエラーになった|テストが終わって昼食にした
猫が好きです|ネコを気に入っている|海が好きです""",
    "hangul": """서버에 배포하는 방법|운영 환경에 올리는 법|서버에 커피를 주문하는 방법
테스트가 실패했다|검증 중에 오류가 났다|테스트가 끝나고 점심을 먹었다
고양이를 좋아한다|냥이가 마음에 든다|바다를 좋아한다""",
    "cyrillic": """как развернуть на сервере|способ выкатить в продакшен|как заварить чай на даче
тесты не прошли|проверка завершилась ошибкой|поезда не прошли мост
я люблю кошек|мне нравятся коты|я люблю море""",
}
"""For each script triples: a text, one that means about the same, and one that only shares words with the first."""


def script_of(text: str) -> str:
    """Return the script that most tells about a text's language: "kana", "hangul", "han", "cyrillic" or "latin"."""
    read = text[:2000]
    counted = {name: len(pattern.findall(read)) for name, pattern in _SCRIPTS.items()}
    if counted["kana"] and counted["kana"] * 4 >= counted["han"]:
        counted["kana"] += counted["han"]
    best = max(counted, key=lambda name: counted[name])
    others = sum(map(str.isalpha, read)) - counted[best]
    weight = 1 if best == "cyrillic" else _LETTERS
    return best if counted[best] and counted[best] * weight >= others else "latin"


def known_scripts(embedder: Embedder) -> frozenset[str]:
    """Return the scripts (and "latin") in which an embedder puts like meanings nearer than like words; raises as it."""
    known = {"latin"}
    for script, probes in _PROBES.items():
        triples = [embedder(line.split("|")) for line in probes.split("\n")]
        if all(cosine(anchor, like) > cosine(anchor, unlike) for anchor, like, unlike in triples):
            known.add(script)
    return frozenset(known)


def gloss(text: str) -> str:
    """Return a text with its Chinese, Japanese and Russian words in English, without unknown ones; linear."""
    known = notions()
    found: list[str] = []
    for piece in _PIECE.finditer(text[:_MOST_READ]):
        if piece["cjk"]:
            found += _words_of(piece["cjk"])
        elif piece["cyrillic"]:
            found += [known.names[row] for row in known.rows.get(stem(piece[0].lower()), ())[:1]]
        else:
            found.append(piece[0])
    return " ".join(" ".join(found).split())


def _words_of(run: str) -> list[str]:
    """Return the English of the words in a run of characters, longest words first."""
    known = notions()
    found: list[str] = []
    at = 0
    while at < len(run):
        widths = range(min(known.longest_cjk, len(run) - at), 0, -1)
        width = next((width for width in widths if run[at : at + width] in known.rows), 0)
        if width:
            found.append(known.names[known.rows[run[at : at + width]][0]])
        at += width or 1
    return found


class GlossedEmbedder:
    """An embedder given English for texts in scripts it does not know; asked for 36 short texts to see which."""

    def __init__(self, inner: Embedder) -> None:
        self.inner: Final = inner
        self._scripts: frozenset[str] | None = None

    @property
    def name(self) -> str:
        """Which model this is, and which glosses."""
        return f"{self.inner.name}+gloss-1"

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self.inner.dimension

    @property
    def scripts(self) -> frozenset[str]:
        """The scripts that the embedder knows itself; raises whatever it raises."""
        if self._scripts is None:
            self._scripts = known_scripts(self.inner)
        return self._scripts

    def __call__(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector for each text, in order."""
        known = self.scripts
        return self.inner([text if script_of(text) in known else gloss(text) or text for text in texts])


def glossed(embedder: Embedder | None) -> Embedder | None:
    """Return an embedder that also reads scripts it does not know; `HashingEmbedder`, which does, as it is."""
    if embedder is None or isinstance(embedder, HashingEmbedder | GlossedEmbedder):
        return embedder
    return GlossedEmbedder(embedder)


def scripts_of(embedder: Embedder) -> frozenset[str]:
    """Return the scripts that an embedder knows without a gloss; raises whatever it raises."""
    return embedder.scripts if isinstance(embedder, GlossedEmbedder) else known_scripts(embedder)
