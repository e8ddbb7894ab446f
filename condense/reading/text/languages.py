"""The language a person types in: Chinese or not for our headings, and any by script or its commonest small words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NEWEST, READ = 64, 2_000  # texts, and characters of each, that are read; all numbers are chosen
HALF_LIFE = 8  # texts after which one weighs half
MOST_WORDS = 60  # words of one text that count
HAN_A_WORD = 1.6  # Chinese characters to a word
LEAST, CLEARLY = 3, 1.5  # small words from which a language is named, and how many times the English ones
SCRIPT_SHARE = 0.3  # of the letters: names and paths are Latin anywhere
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
_CODE = re.compile(r"```.{0,2000}?(?:```|\Z)|`[^`\n]{1,200}`|<[^<>\n]{1,200}>", re.DOTALL)
_HAN, _KANA = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(
    r"(?<![A-Za-z0-9_./\\@$:-])[^\W\d_\u3040-\u30ff\u4e00-\u9fff]+(?![A-Za-z0-9_/\\@$(=-]|[.:][A-Za-z0-9/])"
)
_RANGES = {
    "ko": r"\uac00-\ud7af", "ru": r"\u0400-\u04ff", "ar": r"\u0600-\u06ff", "he": r"\u0590-\u05ff",
    "hi": r"\u0900-\u097f", "th": r"\u0e00-\u0e7f", "el": r"\u0370-\u03ff",
}  # fmt: skip
_SCRIPTS = {code: re.compile(f"[{letters}]") for code, letters in _RANGES.items()}
_UKRAINIAN = re.compile(r"[іїєґ]")
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


def language_of(texts: Iterable[str]) -> str:
    """Return "zh" where Chinese prevails in what a person typed, by words without names, the newest most; else "en"."""
    chinese = others = han = kana = 0.0
    for age, text in enumerate(reversed(_read(texts))):
        here, beside = len(_HAN.findall(text)), len(_KANA.findall(text))
        plain = sum(1 for word in _WORD.findall(text) if len(word) > 1)
        words = here / HAN_A_WORD, plain + beside / HAN_A_WORD
        weight = 0.5 ** (age / HALF_LIFE) * min(1.0, MOST_WORDS / max(1.0, sum(words)))
        chinese, others = chinese + weight * words[0], others + weight * words[1]
        han, kana = han + weight * here, kana + weight * beside
    return "zh" if chinese > others and kana * 5 < han else "en"


def typed_language(texts: Iterable[str]) -> str:
    """Return the ISO 639-1 code of the language that prevails in what a person typed; "" where it is not clear."""
    text = "\n".join(_read(texts))
    most = SCRIPT_SHARE * len(_LETTER.findall(text))
    for code, script in _SCRIPTS.items():
        if len(script.findall(text)) > most:
            return "uk" if code == "ru" and _UKRAINIAN.search(text) else code
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    if han + kana > most:
        return "ja" if kana * 5 >= han else "zh"
    spoken = Counter(code for word in _WORD.findall(text.lower()) for code in _SPEAKERS.get(word, ()))
    if not spoken:
        return ""
    (best, times), *others = spoken.most_common(2)
    if times < LEAST or (others and others[0][1] == times):
        return ""
    return best if best == "en" or times >= CLEARLY * spoken["en"] else ""


def _read(texts: Iterable[str]) -> list[str]:
    """The beginnings of the 64 newest texts, without what stands in marks of code, and tags."""
    return [_CODE.sub(" ", text[:READ]) for text in [text for text in texts if text.strip()][-NEWEST:]]


PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "intro": (
            "Earlier part of this conversation, condensed: {count} messages are folded into this block. "
            "It is a record of what happened, not a new request. Quotes are verbatim."
        ),
        "reach": " An original can be fetched whole by its handle (hf_...) with {reach}.",
        "brief": "Task as it was given (verbatim)",
        "latest": "Latest request (the user's words)",
        "rules": "Rules and facts the user gave (verbatim, still in force)",
        "asked": "Asked in earlier requests (verbatim; may be done by now, not to be undone)",
        "focus": "Asked to be kept",
        "narrative": "Summary (written by a model, checked against the record)",
        "project": "From earlier tasks of this project",
        "earlier": "Earlier requests (the user's words, oldest first)",
        "notes": "Instructions and notices that programs added (verbatim)",
        "unshown": "Earlier messages of the user not shown here: {handles}",
        "standing": "Where the work stands",
        "plan": "Plan and open items (last state)",
        "files": "Files touched (at least)",
        "commands": "Commands and their last outcome",
        "errors": "Errors seen, and what came of them",
        "answers": "What the assistant said (its words, thoughts included, oldest first)",
        "excerpts": (
            "Excerpts of what was done (verbatim lines, oldest first; … marks left-out lines, … 40 goes on at line 40)"
        ),
        "names": "Other names that stood there, by file or source (not quoted here)",
    },
    "zh": {
        "intro": (
            "以下是本次对话较早部分的压缩记录：{count} 条消息已折叠于此。"
            "这是对已发生之事的记录，不是新的请求。引文均为原文。"
        ),
        "reach": "凭句柄（hf_...）可用 {reach} 取回完整原文。",
        "brief": "给定的任务（原文）",
        "latest": "最新请求（用户原话）",
        "rules": "用户给出的规则与事实（原文，仍然有效）",
        "asked": "更早的请求中的要求（原文；可能已完成，但不得违背）",
        "focus": "要求保留",
        "narrative": "摘要（由模型撰写，已与记录核对）",
        "project": "来自本项目更早的任务",
        "earlier": "更早的请求（用户原话，由旧到新）",
        "notes": "程序附加的说明与通知（原文）",
        "unshown": "未在此显示的更早用户消息：{handles}",
        "standing": "当前进展",
        "plan": "计划与未完成事项（最后状态）",
        "files": "涉及的文件（至少）",
        "commands": "执行过的命令及最后结果",
        "errors": "出现过的错误及其结局",
        "answers": "助手所说（助手原话，含思考，由旧到新）",
        "excerpts": "过程摘录（逐行原文，由旧到新；… 表示省略的行，… 40 表示接着是第 40 行）",
        "names": "其他出现过的名称，按文件或来源（此处未引）",
    },
}


def phrase(language: str, name: str, **values: object) -> str:
    """Return one of our sentences."""
    return PHRASES.get(language, PHRASES["en"])[name].format(**values)
