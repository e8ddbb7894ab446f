"""Plain reports: a fault told in a few everyday words, without "error" or "bug".

"The modal turns white", "окно не закрылось", "la página no carga", 为什么还是没有日志, or only "502 Bad Gateway".
They are looked for where the clause has a word of negation, fault or question.
"""

from __future__ import annotations

from memory.conversation import LazyPattern

_BARE = LazyPattern(
    r"\W{0,3}(?:(?:http|error|status)\W{0,2}|i? ?(?:get|got|getting) (?:an? )?)?"
    r"(?:[45]\d\d\W{1,3}(?:[a-z]{2,12} ){0,2}(?:error|request|gateway|found|too many requests"
    r"|type|conflict|gone|entity|failed|acceptable|unauthori[sz]ed|forbidden|unavailable|time-?out|allowed|large)"
    r"|segmentation fault|segfault|out of memory|permission denied|connection refused)(?: \([a-z ]{2,20}\))?"
    r"(?:\W{0,3}|\s(?:on|from|in|at|when|for|while|again|now)\b.{0,60})$"
)
"""A clause that is the name of a failure."""

_FAULT = LazyPattern(
    r"\b(?:turns?|turned|goes|went|becomes?|became) (?:completely |all )?(?:white|black|blank|grey|gray)\b"
    r"|\b(?:crash(?:es|ed|ing)|freezes|froze|hangs|breaks|disappears|vanishes|flickers)\b|\b(?:does(?:n['’]?t"
    r"| not)|do(?:n['’]?t| not)|did(?:n['’]?t| not)|won['’]?t|will not|isn['’]?t|is not|can['’]?t"
    r"|cannot)\s(?:even |actually |really )?(?:work|load|open|save|appear|respond|render|close|compile|build"
    r"|connect|scroll|refresh|display|install|log in|show up)(?:ing|ed)?\b|\btakes? forever\b"
    r"|\bnothing happens\b|\bnever (?:loads|ends|finishes|returns|stops)\b|\bno (?:se )?(?:abren?|guardan?"
    r"|cargan?|aparecen?|responden?|actualizan?|funcionan?|conectan?|inician?)\b|\bno hace nada\W{0,3}$"
    r"|\bse (?:queda en blanco|cuelga|congela)\b|\bnão (?:está |estão )?(?:abr|carreg|aparec|respond|funcion"
    r"|conect|inici)(?!ar\b|er\b|ir\b)\w+\b|\bnão acontece nada\b|\b(?:travou|travando|sumiu|sumiram)\b"
    r"|\b(?:öffnet|lädt|erscheint|reagiert|startet|speichert|funktioniert)\b.{0,40}\bnicht\b"
    r"|\bpassiert nichts\b|\bne (?:s['’])?(?:ouvre|affiche|charge|répond|marche|fonctionne|apparaît|démarre"
    r"|enregistre)(?:nt)? (?:pas|plus|rien)\b|\brien ne se passe\b|\bnic se neděje\b"
)
_NOT_A_FAULT = LazyPattern(
    r"\W{0,3}(?:please |pls |so |but |and |ok |then ){0,2}(?:(?:don['’]?t|do not|never)\b|(?:i"
    r"|we)\s(?!(?:still )?(?:can['’]?t|cannot|can not)\s(?:open|load|save|connect|build|compile|log in"
    r"|install)\b))|.{0,60}\b(?:by design|on purpose|for security|por seguridad|as intended|is fine)\b"
)
"""What is forbidden, or what somebody will not do, is no fault of the program."""
_RUSSIAN = LazyPattern(
    r"\bне\s(?:за|от|по|об|со|про|вос|под|при|рас|до|на|вы|у|с)?(?:кры|жима|жал|бража|казыва|явля|хран|груж|груз|пуска"
    r"|пусти|агиру|батыва|новля|работа|ключа|станавл)\w*?"
    r"(?:ет|ёт|ит|ют|ут|ат|ят|л|ла|ло|ли|тся|лся|лась|лось|лись|но|ны|на|ен)\b(?!.{0,40}\bтак и)"
    r"|ничего не (?:происход|меня|да[её]?[тю])|\bне получается\b|\b(?:зависает|завис|висит|тормозит|вылетает"
    r"|пропал\w*|исчез\w*|сломал\w*|перестал[аои]?)\b|\bстанов\w+ (?:полностью |просто )?(?:бел|черн|чёрн|пуст)\w+"
)
_HAN_FAULT = LazyPattern(
    r"没了|没反应|没有反应|没(?:有)?生效|不生效|不起作用|出不来|点不[了动]|打不开|加载不出|跑不起来|白屏|黑屏|闪退"
    r"|错位|卡死|(?<!不)卡住|死机|(?<!好久)不见了|消失了|显示不出|没(?:有)?数据|没(?:有)?效果|沒反應|沒有反應"
    r"|なっちゃ|てしま(?:う|った|い?まし?[すた])"
    r"|(?:動|効|開|変わ|押せ|見え|表示され|保存され|反応し|反映され)(?:か|ら)?(?:ない|なく|ません|てない)(?!ように|で|か|こと|はず)"
    r"|(?:崩れ|ずれ|固まっ|止まっ)て(?:る|い)"
)
_STILL = LazyPattern(
    r"\bwhy\b.{0,50}\b(?:still|again|keeps?)\b(?=.{0,60}(?:n['’]t|\bnot\b|\bno\b|empty|wrong|fail|broken"
    r"|error|missing|slow|crash|stuck|blank|nothing|hang))|\bwhy\b.{0,50}(?:n['’]t|\bnot\b|empty|wrong|fail"
    r"|broken|error|missing|slow|crash|stuck|blank|nothing|hang).{0,30}\b(?:still|again)\b"
    r"|\bпочему\b.{0,40}(?:опять|снова|вс[её] ещ[её]|до сих пор).{0,20}(?:\bне\b|\bнет\b|ошибк|пада|пуст)"
    r"|\bpor ?qu[eé]\b.{0,40}\b(?:sigue|otra vez|todavía|aún|continua|ainda|de novo)\b.{0,20}\b(?:no|não"
    r"|error|erro|falla|falha|vac[ií]\w|vazi\w)\b|\bpor ?qu[eé]\b.{0,10}\b(?:todavía|aún"
    r"|ainda)\b.{0,4}\b(?:no|não)\b|为(?:什么|啥|何).{0,24}(?:还是|又|仍|依然|老是|总是).{0,12}(?:没|不能"
    r"|不对|不行|报错|失败|错|无法)|(?:なんで|なぜ|どうして).{0,40}(?:まだ|また)(?=.{0,30}(?:ない|ません"
    r"|エラー|消え|失敗|落ち))|なんで.{0,40}なってる"
)
"""A question that says what is still, or again, the matter."""
_WISHED = LazyPattern(
    r"\b(?:should|must|so that|make sure|ensure|if|when it|want|how do|how can|how to"
    r"|чтобы|если|хочу|должн\w+|para que|quiero|quero|damit|wenn|falls)\b"
    r"|如果|应该|應該|希望|确保|需要|如何|怎么让|多少|没关系|時に|时隐藏|时候|ように|ほしい|たら|場合|して(?:ください|下さい)?[。.]?$"
)
"""What is wished or supposed is no report."""


def is_plain_report(low: str) -> bool:
    """Tell whether a clause, in lower case, tells a fault in plain words. Linear in the clause."""
    if _BARE.match(low):
        return True
    told = any(fault.search(low) for fault in (_FAULT, _RUSSIAN, _HAN_FAULT))
    return told and not _WISHED.search(low) and not _NOT_A_FAULT.match(low)


def asks_why_still(low: str) -> bool:
    """Tell whether a question, in lower case, says what is still or again the matter: a report in its form."""
    return _STILL.search(low) is not None
