"""Openers: what people say before what they mean. "Thanks, ", "btw ", "hey Claude, ", 另外, "por favor, ".

The core of a clause is what is left behind courtesy, joiners, greetings, names, and any few words that end in a comma,
a colon or a dash. A rule binds by its core; what is kept is the whole clause.
"""

from __future__ import annotations

import re

from memory.conversation import LazyPattern

_WORDS = """
please pls plz kindly and also but so ok okay btw fyi now then just oh ah hey hi hello hmm well yes yeah yep thanks thx
again actually additionally finally lastly first sorry alright right anyway nb ps
bitte und auch aber also ok ja ach na nun hallo übrigens danke außerdem dann jetzt noch
et aussi mais alors donc oui merci bon svp stp puis ensuite bonjour salut également surtout
y pero también además porfa entonces vale bueno gracias hola pues ahora luego sí oye
e mas também então beleza bom obrigado obrigada oi olá agora depois sim aliás
и но а также ещё еще пожалуйста кстати ок ну так да спасибо привет тогда потом теперь
"""
"""Words that change nothing about what follows them, with or without a comma."""
_PHRASES = (
    r"by the way|thank you|note that|one more thing|encore une chose|in addition|(?:hey|hi|hello|hallo|hola|salut"
    r"|bonjour|oi|olá|привет) [\w-]{1,20}|por favor|por cierto|s['’]il (?:te|vous) pla[iî]t|au fait|de plus"
    r"|al[eé]m disso|кроме того|@[\w-]{1,30}"
)
_WIDE_WORDS = (
    r"另外|还有|還有|对了|對了|那个|那個|麻烦[你您]?|麻煩[你您]?|拜托|请[你您]?|請[你您]?|记得|記得|注意"
    r"|顺便(?:说一下)?|其实|而且|并且|然后|同时|最后|首先|总之|好的|好(?=[，,。！!])|你好|您好|嗯|哦|以及"
    r"|あと|また|それと|ちなみに|なお|さらに|すみませんが?|はい|では|じゃあ|えっと|あの|それから"
)
_KNOWN = (
    rf"[\s*_~>•–—-]{{0,4}}(?:(?:{_PHRASES}|{'|'.join(_WORDS.split())})(?:\s?[,:;.!…]{{1,3}}[*_]{{0,2}}\s{{1,3}}"
    rf"|\s{{1,3}}(?:[–—-]\s{{1,3}})?)|(?:{_WIDE_WORDS})[\s，、,:：。.！!…~]{{0,3}})(?=\S)"
)
_PLAIN = r"[^\s,:;.!?，、：；。！？\u2e80-\U0010ffff]"
_NAMED = LazyPattern(_KNOWN, re.IGNORECASE)
_ANY = LazyPattern(
    rf"{_KNOWN}|{_PLAIN}{{1,16}}(?:\s{_PLAIN}{{1,16}}){{0,3}}(?:\s?[,:;!…][*_]{{0,2}}\s{{1,3}}"
    rf"|\s[–—-]{{1,2}}\s{{1,3}})(?=\S)"
    r"|[^,:;.!?，、：；。！？\n]{1,10}[，、：！…]\s{0,2}(?=\S)"
    r"|[(\[（【][^()\[\]（）【】\n]{1,24}[)\]）】]\s{0,2}(?=\w)",
    re.IGNORECASE,
)
"""An opener of the tables, or any few words that end in a stop."""
_MOST = 4
"""Openers of one clause that are looked behind (chosen)."""


def core_starts(text: str) -> list[int]:
    """Return where the core of a clause may begin: behind openers of the tables, then likely ones; linear."""
    at, starts, pattern = 0, [0], _NAMED
    for _ in range(_MOST):
        opener = pattern.match(text, at)
        if opener is None and pattern is _NAMED:
            pattern = _ANY
            opener = pattern.match(text, at)
        if opener is None:
            break
        at = opener.end()
        starts = [*starts, at] if pattern is _ANY else [at]
    return starts


_COURTESY = LazyPattern(
    r"\W{0,3}(?:(?:no|not a) (?:problem|worries|rush|hurry|big deal|need)|never ?mind|(?:you )?(?:don['’]t|do not"
    r"|needn['’]t) (?:need to |have to )?(?:worry|apologi[sz]e|be sorry|mention it|rush|hurry|sweat it|bother)"
    r"|it['’]?s (?:all )?(?:fine|ok|okay|good)|kein(?:e)? (?:problem|sorge|ahnung|eile|thema)|(?:pas|sans) (?:de )?(?:p"
    r"roblèmes?|soucis?)|ne (?:t['’]|vous )inqui\w+(?: pas)?|rien de grave|no (?:hay|pasa|tienes?) (?:problema|nada"
    r"|prisa|que \w+)|no (?:te|se) preocup\w+|sem problemas?|não (?:tem|há) problema|não se preocup\w+|нет проблем"
    r"|ничего страшного|не (?:волнуй|переживай|спеши|беспокой|торопи)\w*|[你您]?(?:没|沒)(?:问题|問題|事|关系|關係)"
    r"|[你您]?(?:不用|不必|别|別|不要|不)(?:了|太)?(?:谢|謝|客气|客氣|担心|擔心|急|着急|著急|紧张|慌|介意|麻烦)"
    r"|不要[紧緊]|気にし|心配し|急が|問題(?:ない|ありません)|大丈夫)"
    r"(?:\s(?:about|with|at|for|por|pour|wegen|об?)\s.{0,30}|\s?[\w'’ぁ-ん]{0,12})\W{0,3}",
    re.IGNORECASE,
)

_LONGEST_COURTESY = 60


def is_courtesy(core: str) -> bool:
    """Tell whether nothing is left behind the openers but more of the kind: "no problem", 别担心."""
    return len(core) <= _LONGEST_COURTESY and _COURTESY.fullmatch(core) is not None


_BEGGED = LazyPattern(
    r"(?i)\A\W*(?:please |hey,? |and |ok,? )?(?:(?:can|could|will) you(?:,? please)?|would you (?:please|mind)"
    r"|can we agree that you)\s+(?:please )?(?:(?=(?:always|never(?! be\b)|stop|remember to|keep)\b)"
    r"|(?=.{1,120}\b(?:from now on|in (?:the )?future|going forward|every time|each time)\b))"
    r"|\A\W*(?:请问)?(?:能不能|可不可以|可以|能否|麻烦)(?:请)?(?=以后.{0,2}(?:都|别|不|只|用|先|每)|不要再|别再|每次都?|一律)"
    r"|\A\W*(?=以后(?:可以|能不能|能否|请)?(?:都|别|不要|只|每次).{2,40}吗)"
)
_ASKED = LazyPattern(
    r"(?:[,，]? ?(?:please|ok(?:ay)?|好吗|好不好|可以吗|行吗|吗|嘛))?\s?[?？]+\s*\Z", re.IGNORECASE
)


def begged(text: str) -> str:
    """Return what a polite question asks for from now on ("could you always ...?"), "" for any other text."""
    asked = _ASKED.search(text)
    opening = _BEGGED.match(text) if asked else None
    return text[opening.end() : asked.start()].strip() if asked and opening else ""
