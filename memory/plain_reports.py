"""Plain reports: a fault told in a few everyday words, without "error" or "bug".

"The modal turns white", "окно не закрылось", "la página no carga", 为什么还是没有日志, or only "502 Bad Gateway".
They are looked for in short messages, where the clause has a word of negation, fault or question.
"""

from __future__ import annotations

from memory.patterns import LazyPattern, holds

_BARE = LazyPattern(
    r"\W{0,3}(?:(?:http|error|status)\W{0,2}|i? ?(?:get|got|getting) (?:an? )?)?"
    r"(?:[45]\d\d\W{1,3}(?:[a-z]{2,12} ){0,2}(?:error|request|gateway|found"
    r"|type|conflict|gone|entity|failed|acceptable|unauthori[sz]ed|forbidden|unavailable|time-?out"
    r"|allowed|requests|large)|segmentation fault|segfault|out of memory|permission denied"
    r"|connection refused)\b.{0,30}$"
)
"""A clause that is the name of a failure."""

_FAULT = LazyPattern(
    r"\b(?:turns?|turned|goes|went|becomes?|became) (?:completely |all )?(?:white|black|blank|grey|gray)\b"
    r"|\b(?:crash(?:es|ed|ing)|freezes|froze|hangs|breaks|disappears|vanishes|flickers|overlaps)\b"
    r"|\b(?:does(?:n['’]?t| not)|do(?:n['’]?t| not)|did(?:n['’]?t| not)|won['’]?t|will not"
    r"|isn['’]?t|is not|can['’]?t|cannot)\s"
    r"(?:even |actually |really )?(?:work|load|open|start|show|save|appear|update|respond|render|close|compile"
    r"|build|run|connect|move|change|scroll|refresh|display|find|install|match)(?:ing|ed)?\b"
    r"|\btakes? forever\b|\bnothing happens\b|\bnever (?:loads|ends|finishes|returns|stops)\b"
    r"|\bno (?:se )?(?:abren?|ven?|guardan?|cargan?|aparecen?|muestran?|responden?|actualizan?|funcionan?|conectan?"
    r"|inician?|encuentran?|reconocen?)\b|\bno (?:hace|pasa) nada\b|\bse (?:queda en blanco|cuelga|congela)\b"
    r"|\bnão (?:está |estão )?(?:abr|carreg|salv|aparec|mostr|respond|atualiz|funcion|conect|inici|encontr)"
    r"(?!ar\b|er\b|ir\b)"
    r"\w+\b|\bnão acontece nada\b|\b(?:travou|travando|sumiu|sumiram|quebrou)\b"
    r"|\b(?:öffnet|lädt|erscheint|reagiert|startet|speichert|funktioniert|zeigt)\b.{0,40}\bnicht\b|\bpassiert nichts\b"
    r"|\bne (?:s['’])?(?:ouvre|affiche|charge|répond|marche|fonctionne|apparaît|démarre|enregistre)(?:nt)?"
    r" (?:pas|plus|rien)\b"
    r"|\brien ne se passe\b|\bnic se neděje\b"
)
_RUSSIAN = LazyPattern(
    r"\bне\s(?:за|от|по|об|со|про|вос|под|при|рас|до|на|вы|у|с)?(?:кры|жима|жал|бража|казыва|явля|хран|груж|груз|пуска"
    r"|пусти|агиру|батыва|новля|работа|ходит|ключа|станавл|видн|дава|да)\w*?"
    r"(?:ет|ёт|ит|ют|ут|ат|ят|л|ла|ло|ли|тся|лся|лась|лось|лись|но|ны|на|ен)\b"
    r"|ничего не (?:происход|меня|вид)|\bне (?:получается|вижу|может)\b|\b(?:зависает|завис|висит|тормозит|вылетает"
    r"|пропал\w*|исчез\w*|сломал\w*|перестал[аои]?)\b|\bстанов\w+ (?:полностью |просто )?(?:бел|черн|чёрн|пуст)\w+"
)
_HAN_FAULT = LazyPattern(
    r"没了|没反应|没有反应|没(?:有)?生效|不生效|不起作用|没(?:有)?变化|出不来|点不[了动]|打不开|加载不出|跑不起来|白屏|黑屏|闪退"
    r"|错位|卡死|卡住|死机|不见了|消失了|显示不出|失效|没(?:有)?数据|没(?:有)?效果|沒反應|沒有反應|不見了"
    r"|になって(?:る|いる|い?ます|しま)|なっちゃ|てしま(?:う|った|い?まし?[すた])"
    r"|(?:動|効|開|変わ|出|押せ|消え|見え|表示され|保存され|反応し|反映され)(?:か|ら)?(?:ない|なく|ません|てない)(?!ように|で|かな)"
    r"|(?:崩れ|ずれ|固まっ|止まっ)て(?:る|い)"
)
_STILL = LazyPattern(
    r"\bwhy\b.{0,50}\b(?:still|again|keeps?)\b|\bпочему\b.{0,40}(?:опять|снова|вс[её] ещ[её]|до сих пор)"
    r"|\bpor ?qu[eé]\b.{0,40}\b(?:sigue|otra vez|todavía|aún|continua|ainda|de novo)\b"
    r"|为(?:什么|啥|何).{0,24}(?:还是|又|仍|依然|老是|总是|一直).{0,12}(?:没|不能|不对|不行|报错|失败|错|无法)"
    r"|(?:なんで|なぜ|どうして).{0,40}(?:まだ|また|なってる|ないの)"
)
"""A question that says what is still, or again, the matter."""
_STILL_SIGNS = ("why", "почему", "porqu", "por qu", "为", "なんで", "なぜ", "どうして")
_RUSSIAN_SIGNS = (
    *("не", "завис", "висит", "тормозит", "вылетает", "пропал"),
    *("исчез", "сломал", "перестал", "станов"),
)
"""Letters without one of which `_STILL` and `_RUSSIAN` can't match; looking for them is cheaper."""
_WISHED = LazyPattern(
    r"\b(?:should|must|so that|make sure|ensure|if|when it|want"
    r"|чтобы|если|хочу|должн\w+|para que|quiero|quero|damit|wenn|falls)\b"
    r"|如果|应该|應該|希望|确保|需要|ように|ほしい|たら|場合|して(?:ください|下さい)?[。.]?$"
)
"""What is wished or supposed is no report."""


def is_plain_report(low: str) -> bool:
    """Tell whether a clause of a short message, in lower case, tells a fault in plain words. Linear in the clause."""
    if _BARE.match(low):
        return True
    if low.isascii():
        told = _FAULT.search(low) is not None
    else:
        russian = holds(low, _RUSSIAN_SIGNS) and _RUSSIAN.search(low)
        told = bool(russian or _HAN_FAULT.search(low) or _FAULT.search(low))
    return told and not _WISHED.search(low)


def asks_why_still(low: str) -> bool:
    """Tell whether a question, in lower case, says what is still or again the matter: a report in its form."""
    return holds(low, _STILL_SIGNS) and _STILL.search(low) is not None
