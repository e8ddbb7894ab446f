"""How a clause is worded: request, wish, report or name; and how much it says beyond the words of any request.

"Fix the errors and continue" says nothing that is worth keeping, "make the sidebar 240 px wide" does. A word is
specific when it is neither a function word nor one that every conversation with a coding agent is full of.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memory.extraction.cue_tables import read_table
from memory.extraction.cues import cues_of, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_POLITE = frozenset(
    """
    ok okay now so and then also please pls plz plese kindly hey hi hello great thanks thank you yes no nope but just
    well right good perfect next first second finally lastly again actually instead can could will would we i want need
    should to lets let's let must have bob claude us me help go ahead still maybe perhaps additionally , . : ; !
    """.split()
)
_ADDRESSING = frozenset("can could would will you let's lets please kindly help".split())
_ARTICLES = frozenset(
    "the a an my our your this that these those it its it's there there's they he she his their each every all".split()
)
_PAST = frozenset(
    "added removed updated fixed created changed implemented moved replaced simplified improved enhanced using uses "
    "shows returns has is are was".split()
)
_HEADS = frozenset(
    "build alter take-away fix look do-now use keep ensure never only remember want ask condition must always "
    "instead".split()
)
_LONGEST_LEAD = 10
_SHORTEST_GERUND = 4

IDEOGRAPHS = re.compile(r"[\u3400-\u9fff]+")
_KANA = re.compile(r"[\u3040-\u30ff]+")
_JAPANESE = (
    (
        "form:ja-ask",
        r"(?:して|ください|下さい|てくれ|しよう|れて|って|いて|えて|けて|んで|にね|ましょう|頼む|お願いします)[ねよ]?[。.!！]?$",
    ),
    ("form:ja-want", r"(?:たい|ほしい|欲しい|べき|いいね|いらない(?:ね)?)(?:です|ね|な)?[。.]?$"),
    (
        "form:ja-state",
        r"(?:です|ます|ました|ません|ない|んだけど|だ|だよ|だね|よね|てる|いる|った|ある|する|なる)[ねよが]?[。.]?$",
    ),
)
_CHINESE = (
    ("form:zh-ask", r"[请請帮幫先再把将给去你]|麻烦|然后|继续"),
    ("form:zh-i", r"[我咱]"),
    ("form:zh-it", r"[这這那它还没沒有]|目前|现在|現在|当前"),
)
_LONGEST_ENDING = 20


def form_of(text: str, words: Sequence[str]) -> list[str]:
    """Return how a clause is built, as the names of one form or a few, from its text and lower-case words."""
    if IDEOGRAPHS.search(text):
        if _KANA.search(text):
            forms = [name for name, pattern in _JAPANESE if re.search(pattern, text[-_LONGEST_ENDING:])]
            return (forms or ["form:ja-other"])[:1]
        return [name for name, pattern in _CHINESE if re.match(pattern, text)][:1] or ["form:zh-other"]
    at = next((at for at, word in enumerate(words[:_LONGEST_LEAD]) if word not in _POLITE), _LONGEST_LEAD)
    asked = [] if _ADDRESSING.isdisjoint(words[:at]) else ["form:asked"]
    if at >= len(words):
        return [*asked, "form:empty"]
    personal = ["form:first-person"] if "i" in words[:2] or "we" in words[:2] else []
    return [*asked, *_head(words[at]), *personal]


def _head(head: str) -> list[str]:
    """What the head word of a clause makes of it."""
    if head in _ARTICLES:
        return ["form:np"]
    if head in _PAST:
        return ["form:past"]
    if names := ["form:" + name for name in cues_of(head) if name in _HEADS]:
        return names
    if head.endswith("ing") and len(head) > _SHORTEST_GERUND:
        return ["form:gerund"]
    return ["form:number" if head.isdigit() else "form:other"]


_PLACE = re.compile(
    r"(?:https?://|[\w.@~:-]{0,80}+[/\\])[^\s\u3040-\u30ff\u3400-\u9fff，。、）)`'\"]{0,400}"
    r"|[\w-]{1,80}+\.[a-z]{1,5}\b(?!\.\w)",
    re.ASCII,
)
_PLACED = re.compile(r"[/\\]|\.[a-z]")
"""What stands in any place."""
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SHORTEST_WORD, _FEW_WIDE, _STOPS = 3, 2, ".!?,;:"
_STEPS = (0, 1, 2, 3, 4, 5, 5, 7, 7, 7, 10)
"""The name for how many specific words there are; the last one for all above."""


@cache
def _everyday() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    """Function words; everyday words; what finds those of Chinese and Japanese, the longest at each place."""
    names = ("function_words.txt", "everyday_words.txt", "everyday_words_han.txt")
    function, everyday, han = (read_table(name).split() for name in names)
    return frozenset(function), frozenset(everyday), re.compile("|".join(sorted(han, key=len, reverse=True)))


def specifics_of(text: str, words: Sequence[str]) -> list[str]:
    """Return how specific a clause is, as names, from its text and lower-case words."""
    function, everyday, everyday_wide = _everyday()
    shorter = _PLACE.sub(" ", text) if _PLACED.search(text) else text
    if shorter != text:
        words = words_of(shorter)
    wide = len(_WIDE.findall(shorter))
    if wide:
        words = [word for word in words if not _WIDE.match(word)]
    count = sum(
        len(word) >= _SHORTEST_WORD and not word.isdigit() and word not in function and word not in everyday
        for word in words
    )
    if IDEOGRAPHS.search(text):
        left = wide - len("".join(everyday_wide.findall(shorter)))
        names = ["han"] if wide > _FEW_WIDE else []
        names.append(f"share-han:{min(4 * left // wide, 3)}")
        count += left // 2
        names.append(f"specific-han:{_STEPS[min(count, len(_STEPS) - 1)]}")
    else:
        spoken = sum(word not in _STOPS for word in words)
        names = [f"specific:{_STEPS[min(count, len(_STEPS) - 1)]}", f"share:{4 * count // max(1, spoken)}"]
        if everyday.isdisjoint(words):
            return names
    return [*names, "everyday-only"] if count <= 1 else names
