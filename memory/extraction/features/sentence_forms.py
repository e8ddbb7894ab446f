"""How a clause is built: request, wish, report or name, told from what it begins and ends with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_POLITE = frozenset(
    re.findall(
        r"\S+",
        """
        ok okay now so and then also please pls plz plese kindly hey hi hello great thanks thank you yes no
        nope but just well right good perfect next first second finally lastly again actually instead can
        could will would we i want need should to lets let's let must have bob claude us me help go ahead
        still maybe perhaps additionally , . : ; !
        """,
    )
)
"""Words that may stand before the head of a request without changing it."""

_ADDRESSING = frozenset(["can", "could", "would", "will", "you", "let's", "lets", "please", "kindly", "help"])
_ARTICLES = frozenset(
    re.findall(
        r"\S+",
        """
        the a an my our your this that these those it its it's there there's they he she his their each
        every all
        """,
    )
)
_PAST = frozenset(
    re.findall(
        r"\S+",
        """
        added removed updated fixed created changed implemented moved replaced simplified improved enhanced
        using uses shows returns has is are was
        """,
    )
)
_HEADS = {
    name: "form:" + name
    for name in (
        *(
            "build",
            "alter",
            "take-away",
            "fix",
            "look",
            "do-now",
            "use",
            "keep",
            "ensure",
            "never",
            "only",
            "remember",
        ),
        *("want", "ask", "condition", "must", "always", "instead"),
    )
}
"""Cues that say what a request is about when its head word carries them."""

_HAN = re.compile(r"[\u3400-\u9fff][\u3400-\u9fff]*")
_KANA = re.compile(r"[\u3040-\u30ff]")
_JAPANESE = (
    (
        "form:ja-ask",
        re.compile(
            r"(?:して|ください|下さい|てくれ|しよう|れて|って|いて|えて|けて|んで|にね|ましょう|頼む|お願いします)(?:ね|よ)?[。.!！]?$"
        ),
    ),
    ("form:ja-want", re.compile(r"(?:たい|ほしい|欲しい|べき|いいね|いらない(?:ね)?)(?:です|ね|な)?[。.]?$")),
    (
        "form:ja-state",
        re.compile(
            r"(?:です|ます|ました|ません|ない|んだけど|だ|だよ|だね|よね|てる|いる|った|ある|する|なる)(?:ね|よ|が)?[。.]?$"
        ),
    ),
)
_CHINESE = {
    **dict.fromkeys((*"请請帮幫先再把将给去你", "麻烦", "然后", "继续"), "form:zh-ask"),
    **dict.fromkeys("我咱", "form:zh-i"),
    **dict.fromkeys((*"这這那它还没沒有", "目前", "现在", "現在", "当前"), "form:zh-it"),
}
"""What the first character, or the first two, of a clause in Chinese make of it."""
_LONGEST_ENDING = 20
"""Characters that a pattern of `_JAPANESE` matches at most."""
_LONGEST_LEAD = 10
_SHORTEST_GERUND = 4


def ideographs_in(text: str) -> int:
    """How many Chinese characters a text holds (Chinese or Japanese)."""
    return 0 if text.isascii() else sum(map(len, _HAN.findall(text)))


def has_kana(text: str) -> bool:
    """Tell whether a text holds Japanese syllables."""
    return _KANA.search(text) is not None


def forms_of(
    text: str, words: Sequence[str], cue_words: Mapping[str, tuple[str, ...]], *, han: bool, kana: bool
) -> list[str]:
    """Say how a clause is built: the names of one or two forms.

    Args:
        text: the clause.
        words: its words, lower case.
        cue_words: whole words and the cues they stand for.
        han: it holds Chinese or Japanese.
        kana: it holds Japanese syllables.
    """
    if han:
        if kana:
            tail = max(0, len(text) - _LONGEST_ENDING)
            for name, pattern in _JAPANESE:
                if pattern.search(text, tail):
                    return [name]
            return ["form:ja-other"]
        return [_CHINESE.get(text[0]) or _CHINESE.get(text[:2], "form:zh-other")]
    found: list[str] = []
    at = 0
    reach = min(len(words), _LONGEST_LEAD)
    while at < reach and words[at] in _POLITE:
        at += 1
    if not _ADDRESSING.isdisjoint(words[:at]):
        found.append("form:asked")
    if at >= len(words):
        found.append("form:empty")
        return found
    found.extend(_head(words[at], cue_words))
    if words[0] in ("i", "we") or (len(words) > 1 and words[1] in ("i", "we")):
        found.append("form:first-person")
    return found


def _head(head: str, cue_words: Mapping[str, tuple[str, ...]]) -> list[str]:
    """What the head word of a clause makes of it."""
    if head in _ARTICLES:
        return ["form:np"]
    if head in _PAST:
        return ["form:past"]
    names = [_HEADS[name] for name in cue_words.get(head, ()) if name in _HEADS]
    if names:
        return names
    if head.endswith("ing") and len(head) > _SHORTEST_GERUND:
        return ["form:gerund"]
    return ["form:number" if head.isdigit() else "form:other"]
