"""Openers: what people say before what they mean. "Thanks, ", "btw ", "hey Claude, ", 另外, "por favor, ".

The core of a clause is what is left behind its openers: courtesy, joiners, greetings, names, and any few words that
end in a comma, a colon or a dash. A rule binds by its core; what is kept is the whole clause, verbatim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.patterns import LazyPattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_JOINERS = """
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
    r"by the way|thank you|note that|one more thing|in addition|make sure you|(?:hey|hi|hello|hallo|hola|salut|bonjour"
    r"|oi|olá|привет) [\w-]{1,20}|por favor|por cierto|s['’]il (?:te|vous) pla[iî]t|au fait|de plus|al[eé]m disso"
    r"|кроме того|@[\w-]{1,30}"
)
_WIDE_JOINERS = (
    r"另外|还有|還有|对了|對了|那个|那個|麻烦[你您]?|麻煩[你您]?|拜托|请[你您]?|請[你您]?|记得|記得|注意|顺便(?:说一下)?"
    r"|其实|而且|并且|然后|同时|最后|首先|总之|好的|好(?=[，,。！!])|你好|您好|嗯|哦|以及"
    r"|あと|また|それと|ちなみに|なお|さらに|すみませんが?|はい|では|じゃあ|えっと|あの|それから"
)
_OPENER = LazyPattern(
    r"[\s*_~>•–—-]{0,4}(?:"
    rf"(?:{'|'.join(_JOINERS.split())}|{_PHRASES})(?:[,:;.!…]{{1,3}}[*_]{{0,2}}\s{{1,3}}|\s{{1,3}}(?:[–—-]\s{{1,3}})?)"
    rf"|(?:{_WIDE_JOINERS})[\s，、,:：。.！!…~]{{0,3}}"
    r"|(?=[^\s])(?:[^\s,:;.!?，、：；。！？\u2e80-\U0010ffff]{1,16}\s?){1,4}(?:[,:;!…][*_]{0,2}\s{1,3}|\s[–—-]{1,2}\s{1,3})"
    r"|[^,:;.!?，、：；。！？\n]{1,10}[，、：！…]\s{0,2}"
    r")(?=\S)",
    2,
)
_MOST = 4
"""Openers of one clause that are looked behind (chosen)."""


def core_starts(text: str) -> Iterator[int]:
    """Yield where a clause begins behind its first opener, behind its second, and so on. Linear in the text."""
    at = 0
    for _ in range(_MOST):
        opener = _OPENER.match(text, at)
        if opener is None:
            return
        at = opener.end()
        yield at
