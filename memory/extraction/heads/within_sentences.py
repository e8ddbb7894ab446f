"""Joints: how a head and what it binds make one sentence, in one line and across lines."""

from __future__ import annotations

import re

from memory.extraction.cues import find_cues, words_of
from memory.extraction.heads.binding_words import (
    ASIDE,
    CASE,
    CONDITIONAL,
    IDLE,
    NEGATING,
    STRONG,
    TOLD,
    UNKNOWN,
    Force,
    force_of,
)
from memory.extraction.heads.hearsay import is_told

Span = tuple[int, int]
RunIn = tuple[str, int, Force | None]
"""How a clause reads, the length of what is bound at its end, and what its head makes of that."""

_DENIED = re.compile(r"(?:ない|ません)(?:こと|で(?:ください|下さい)?)?[。.!！]?$|禁止[。.!！]?$")
_BESIDE = re.compile(
    r"(?i:(?:without|except|excluding|excepto|unless|sin|salvo|sem|exceto|sans|sauf|hors|ohne|außer|без|кроме)\b)|除"
)
_LEAVING = re.compile(r"(?i:skip|omit|ignore|exclude|leave)\b")
_REACH = 200
_MEMBER = re.compile(
    r"(?:[^\s,，、\u2e80-\uffff]{1,20}\s?){1,2}(?=[,，]|$)|(?:[^\s,]{1,20}\s?){1,7}(?:,[^,]{1,60}){0,4},\s(?:n?or|oder|ou|или)\s"
    r"|[\u3040-\u30ff\u3400-\u9fff]{1,6}(?=[、,，]|$)"
)
_OR = re.compile(r"\s*(?:(?i:n?or|ni|nem|oder|noch|ou|или|ни)\s|或)")
_JOINING = re.compile(
    r"\A\s*(?:(?i:and|or|but|also|so|then|y|o|e|ou|pero|mas|et|mais|und|oder|aber|и|или|но)\s)?(?:并且|而且"
    r"|但是|或|但|也)?"
)
_COLON = re.compile(r":\s{1,3}(?=\S)|：\s{0,3}(?=\S)|\s(?=\(?1[.)]\s)")
LONGEST_RUN_IN = 80
"""Characters of the head of a list that runs on in its line; chosen."""
_ANSWER = re.compile(r"(?i)\b(?:no|nope|non|nein)\W{0,3}\Z")
_CASE_END = re.compile(r"[,，]\s{0,3}(?:(?:then|dann|alors|entonces|então|то|就|则|那)\s{0,3})?")
_CROSS = re.compile(r"[❌✗✘✖🚫⛔]")
_CROSSED = Force(negates=True, orders=False, conditions=False, rules=False)
_FORBIDDEN = Force(negates=True, orders=False, conditions=False, rules=True, forbids=True)
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_FOLLOWING = re.compile(
    r"(?i:\b(?:following|these|those|below|siguientes?|seguintes?|suivante?s?|folgende[nrs]?|следующ\w{1,4})\b)"
    r"|以下|下列|下面|如下|次の"
)
_FEW_WORDS, _FEW_CHARACTERS = 3, 8
"""Words, or characters of Chinese or Japanese, up to which a line without a colon is no sentence; chosen."""
DOING = frozenset("use build alter take-away keep do-now want look fix".split())
"""Cues of verbs: what ends with one of them waits for what is done to what."""
_WISHED = frozenset(("want", "need"))
_ASKING_FOR = DOING.union(_WISHED) - {"take-away", "keep", "use"}
"""Cues of verbs of which a head is made that asks for its items."""
_NAMING = re.compile(
    r"(?i:(?:(?!(?:of|off|from|away|out|with|these|those|such|de|des|von|mit)\s)[^\s:]{1,20}\s){0,2}(?:remember"
    r"|(?:apply|try|see|read|here is) this|requirements?|to[- ]?dos?|to do|tasks?|steps?|notes?|features?|stack|goals?"
    r"|rules?|guidelines?|important|changes?|modifications?|improvements?|updates?|files?|plan|scope|context|setup"
    r"|structure|components?|sections?|specs?|specifications?|conventions?|constraints?|issues?|problems?|bugs?"
    r"|errors?|questions?|details?|summary|outputs?|inputs?|pages?|fields?|packages?|dependencies|tests?|configuration"
    r"|settings?|handling|use cases?|contents?|checklist|points?|deliverables?|criteria|behaviou?r|options?|commands?"
    r"|endpoints?|design|backend|frontend|database|api|ui|layout|style|format|architecture|implementation|verification"
    r"|anforderungen|aufgaben?|schritte|notizen|hinweise?|regeln|funktionen|ziele?|exigences|t[aâ]ches|[eé]tapes"
    r"|remarques|r[eè]gles|fonctionnalit[eé]s|objectifs|requisitos|tareas?|pasos|notas?|reglas|funciones|objetivos"
    r"|tarefas?|passos|regras|funcionalidades|требования|задач[аи]|шаги|заметки|правила|функции|цели)(?:\s(?:for|of|in"
    r"|to|f[uü]r|pour|para|для)\s.{1,80})?\s?[*_]{0,2}[:：]?[*_]{0,2}$|[^:：]{0,6}(?:要求|需求|任务|任務|步骤|步驟"
    r"|功能|说明|說明|规则|規則|注意|目标|目標|要件|機能|手順|タスク|ルール|課題|備考|内容|页面|頁面|问题|問題"
    r"|技术栈)[^:：]{0,3}[:：]?$)"
)
NO_RUN_IN: RunIn = ("", 0, None)
TURN = re.compile(  # from a rule, its group, to what is to be done now: "Never use yarn, run this:"
    r"(?i)((?:please |and |also |so |but )?(?:don['’]?t|do not|never|stop|no|not)\s[^,;，；]{2,60}?)"
    r"(?:[,;]|\s[-–—]{1,2}\s)\s{0,2}(?=(?:please |just |but |and |then |rather )?(?:(?:instead|only|like (?:this|so)"
    r"|as follows)\b|(?:use|go with|switch|keep|make|put|do|write|run|apply|show)\b(?!\s{0,2}(?:[,:：]|n?or\b|and\b))))"
    r"|(always\s[^,;，；]{2,60}?)(?:,|\s[-–—]{1,2}\s)\s{0,2}(?=like (?:this|so)\b|as follows\b)"
    r"|((?:请|請)?(?:不要|别|別|不用|禁止|不再)[^,;，；。]{1,30})[,，;；]\s{0,2}(?=(?:要|请|而是|只)?(?:改|换|換|用|使用|采用|直接))"
)


def carried_over(head: str, item: str) -> tuple[str, str]:
    """Return a head and an item as one: as shown, "Do not use: jQuery", and as it reads, "Do not use jQuery"."""
    bare = head.rstrip(":：-–— ")
    if bare.endswith("。"):
        return f"{bare}{item}", f"{bare}{item}"
    wide = _HAN.match(bare[-1:]) is not None
    colon = "" if len(bare) < len(head) or bare.endswith(".") else "：" if wide else ":"
    gap = "" if (colon or head)[-1:] == "：" else " "
    return f"{head}{colon}{gap}{item}", f"{bare}{'' if wide else ' '}{item}"


def directs(item: str) -> bool:
    """Tell whether an item is a rule by itself: "never push" under "You must:", "no mocks" under "Don't:"."""
    if _BESIDE.match(item) or _LEAVING.match(item):
        return _DENIED.search(item) is not None
    return any((_DENIED.search(item), STRONG.match(item), NEGATING.match(item)))


_UNFINISHED = re.compile(
    r"(?=[^ぁ-ん]*[ぁ-ん])(?s:.*)(?:[^うくぐすつぬぶむるいただねよかんなぞわ\W]|[けたなえいせめねれ]ば|から|ながら|ために?)\s{0,2}\Z"
)
"""Japanese says at the end of a clause what it says: one that ends in no verb, adjective or closing word goes on."""


def goes_on(said: str, rest: str) -> bool:
    """Tell whether a long sentence is one rule, or one clause of Japanese, across the comma between two parts."""
    if _UNFINISHED.match(said):
        return True
    joined, said, rest = rest, begun(said), begun(rest)
    head, colon, _ = said.replace("：", ":").partition(":")
    here, there = force_of(head), force_of(re.split("[,，;；]", rest[:_REACH], maxsplit=1)[0])
    if there is not None and there.rules and CONDITIONAL.match(said):
        return True
    if here is None or not here.rules:
        return False
    if _BESIDE.match(rest) or (there is not None and CONDITIONAL.match(rest)):
        return True
    if colon:
        return not directs(rest)
    member = there is None and _MEMBER.match(rest) is not None
    return here.negates and (member or _OR.match(joined) is not None)


def begun(part: str) -> str:
    """A part of a sentence without what joins it to the one before."""
    return _JOINING.sub("", part, count=1)


def run_in(piece: str) -> RunIn:
    """Read a clause that is a head and its items in one line: "do not use: a, b", "if it fails, never push"."""
    if _CROSS.match(piece):
        return "", 0, _FORBIDDEN if piece[0] in "🚫⛔" else _CROSSED
    if is_told(piece):
        return "", 0, TOLD
    colon = _COLON.search(piece, 0, LONGEST_RUN_IN)
    if colon and piece[-1] not in "?？" and not _ANSWER.search(piece, 0, colon.start()):
        force = force_of(piece[: colon.start()])
        if force is not None:
            return carried_over(piece[: colon.end()].rstrip(), piece[colon.end() :])[1], 0, force
    comma = _CASE_END.search(piece) if CONDITIONAL.match(begun(piece)) else None
    if comma is None or not directs(piece[comma.end() :]):
        return NO_RUN_IN
    return "", len(piece) - comma.end(), CASE


def carried_by(text: str, span: Span, heads: tuple[Span, ...], force: Force) -> tuple[str, tuple[Span, ...], RunIn]:
    """Put the words of heads before an item that is no rule by itself; return those, their heads, how they read."""
    item = shown = reading = " ".join(text[slice(*span)].split())
    denies = NEGATING.match(item) or _DENIED.search(item) is not None
    if force.lifts and directs(item):
        force = IDLE
    if directs(item) and (denies or not force.negates) and not force.conditions and force != UNKNOWN:
        return item, (), ("", 0, force)
    for low, high in reversed(heads):
        head = " ".join(text[low:high].split())
        shown, reading = carried_over(head, shown)[0], carried_over(head, reading)[1]
    return shown, heads, (reading, len(item), force)


def is_neutral(said: str) -> bool:
    """Tell whether a head only names its items or asks for them: "Requirements", "Next steps", "Build"."""
    said = ASIDE.sub("", said)
    if _NAMING.match(said):
        return True
    words = words_of(said)
    if not _HAN.search(said):
        words = words[:_FEW_WORDS]
    asked = find_cues(" ".join(words), words)
    return any(at <= 1 or name in _WISHED for name, at in asked.items() if name in _ASKING_FOR)


def waits(said: str) -> bool:
    """Tell whether a sentence that has its stop leads to what follows: "The following are forbidden."."""
    return said.endswith((".", "。")) and _FOLLOWING.search(said) is not None


def is_open(said: str, *, titled: bool = False, conditions: bool = False) -> bool:
    """Tell whether a line without a colon waits for what follows: "Do not use", "Before you commit", "Never do"."""
    words = [word for word in words_of(said) if word.isalnum() or len(word) > 1]
    han = len(_HAN.findall(said))
    few = len(words) <= _FEW_WORDS if not han else han <= _FEW_CHARACTERS
    if few or _FOLLOWING.search(said):
        return True
    last = words[-1:]
    if last and not han and (force_of(last[0]) is not None or DOING & find_cues(last[0], last).keys()):
        return True
    if not titled:
        return False
    lead = force_of(" ".join(words[:2])) if not han else force_of(said[:3])
    return (conditions and "," not in said) or lead is None
