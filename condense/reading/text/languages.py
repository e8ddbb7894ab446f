"""The language a person types in, by script or by its commonest small words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from condense.reading.text.phrases import NEWEST, READ, without_code

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST = 3
"""Small words of a language that must be seen before it is named; chosen."""
CLEARLY = 1.5
"""How many times as many of them as English ones; chosen: much that is pasted is English."""
SCRIPT_SHARE = 0.3
"""Share of the letters in its script from which a language is named; chosen: names and paths are Latin anywhere."""

NAMES = {
    "en": {
        "ja": "Japanese", "ko": "Korean", "ru": "Russian", "uk": "Ukrainian", "ar": "Arabic", "he": "Hebrew",
        "hi": "Hindi", "th": "Thai", "el": "Greek", "es": "Spanish", "pt": "Portuguese", "fr": "French",
        "de": "German", "it": "Italian", "nl": "Dutch", "pl": "Polish", "tr": "Turkish", "en": "English",
        "zh": "Chinese",
    },
    "zh": {
        "ja": "日语", "ko": "韩语", "ru": "俄语", "uk": "乌克兰语", "ar": "阿拉伯语", "he": "希伯来语", "hi": "印地语",
        "th": "泰语", "el": "希腊语", "es": "西班牙语", "pt": "葡萄牙语", "fr": "法语", "de": "德语", "it": "意大利语",
        "nl": "荷兰语", "pl": "波兰语", "tr": "土耳其语", "en": "英语", "zh": "中文",
    },
}  # fmt: skip
"""Names of the languages, by the language they are written in, then by ISO 639-1 code."""

_SCRIPTS = {
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
}
_KANA = re.compile(r"[\u3040-\u30ff]")
_UKRAINIAN = re.compile(r"[іїєґ]")
"""Letters that Russian lacks."""
_LETTER = re.compile(r"[^\W\d_]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"(?<![\w./\\@-])[^\W\d_]{1,12}(?![\w/\\@(=-])")
_SMALL = {
    "en": "the and to of is it in for that this with you not be on are can should have from please so but what",
    "es": "el la los las de que y en un una es por para con no se lo del al como más pero este esta está hay su",
    "pt": "o a os as de que e em um uma é por para com não se do da no na ao mais mas este esta está isso você",
    "fr": "le la les des et de en un une est pour avec dans pas que qui sur ne ce cette il je vous nous plus au",
    "de": "der die das und ist nicht ein eine mit für auf den dem zu im es ich wir sie auch noch bitte soll von",
    "it": "il la gli di che e in un una è per con non si lo del della al come più ma questo questa sono nel",
    "nl": "de het een en van is niet dat op te met voor zijn er aan ook maar wel moet deze naar bij ik je",
    "pl": "i w na nie to jest się że z do jak po od co ale czy tak przez dla są ten tego proszę już",
    "tr": "ve bir bu için ile de da mi mı ne çok var yok olarak gibi daha ama şu lütfen olan sonra",
}
_SPEAKERS = {
    word: frozenset(code for code, words in _SMALL.items() if word in words.split())
    for words in _SMALL.values()
    for word in words.split()
}


def typed_language(texts: Iterable[str]) -> str:
    """Return the ISO 639-1 code of the language that prevails in what a person typed; "" where it is not clear.

    Args:
        texts: in the order they were typed.  Of each of the 64 newest 2,000 characters are read, code left out.
    """
    text = "\n".join(without_code(text[:READ]) for text in list(texts)[-NEWEST:])
    letters, han = len(_LETTER.findall(text)), len(_HAN.findall(text))
    if not text.isascii():
        for code, script in _SCRIPTS.items():
            if len(script.findall(text)) > SCRIPT_SHARE * letters:
                return "uk" if code == "ru" and _UKRAINIAN.search(text) else code
        kana = len(_KANA.findall(text))
        if han + kana > SCRIPT_SHARE * letters:
            return "ja" if kana * 5 >= han else "zh"
    seen_words: Counter[str] = Counter()
    for word in _WORD.findall(text.lower()):
        seen_words.update(_SPEAKERS.get(word, ()))
    if not seen_words:
        return ""
    (best, times), *others = seen_words.most_common(2)
    if times < LEAST or (others and others[0][1] == times):
        return ""
    return best if best == "en" or times >= CLEARLY * seen_words["en"] else ""
