"""Words that make a line binding, in the languages people write in, and what a head makes of what stands under it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memory.conversation import LazyPattern

_LATIN_STRONG = (
    r"must|never|do not|don['’]t(?! (?:think|know|care|mind|worry|understand|remember|see)(?![a-z]))|required?"
    r"|mandatory|forbidden|always|nunca|siempre|obligatori[oa]s?|prohibid[oa]s?|deben?|sempre|obrigat[oó]ri[oa]s?"
    r"|proibid[oa]s?|deve[mr]?|jamais|toujours|obligatoires?|interdite?s?|doi(?:t|vent)|devez|niemals|muss|m[uü]ssen"
    r"|verboten|d[uü]rfen (?:nicht|keine?)|darf (?:nicht|keine?)|zwingend|verpflichtend"
)
_LATIN = r"only|should|avoid|make sure|ensure|exactly|seulement|soll(?:te|ten|en)?|nur|s[oó]lo se"
_CYRILLIC_STRONG = (
    r"обязательн(?:о|ы)|никогда|всегда|запрещ|долж(?:ен|на|но|ны)(?![а-яё])|нельзя"
    r"|не [а-яё]{2,20}(?:[йь]те|ите)(?![а-яё])"
)
_CYRILLIC = r"только|убедитесь|следует"
_OTHERS_STRONG = (
    r"必须|必須|不要(?![求紧緊])|禁止|不得|务必|務必|(?<!不)一定要|严禁|嚴禁|切勿|請勿|请勿|不可(?:以|修改"
    r"|更改|改动|刪除|删除|使用|省略|提交|直接)|必ず|しないで|しないこと|してはいけ|なければなら|絶対(?:に|！"
    r"|!)|(?:する|行う|使う|おく|ない)こと(?=[。\s]{0,3}$)|不可(?=[。、\s]|$)"
)
_OTHERS = (
    r"只能|只可|始终|始終|确保|確保して|(?<=[ぁ-んァ-ヶ一-龠])のみ(?=[をでに、。使可許])|べき(?=[でだ。です])"
    r"|(?:最大|最多|最小|上限(?:は|値)?|至多|最长|最長)\s?[0-9０-９一二三四五六七八九十]"
)


class Words:
    """Whole words in Latin letters, beginnings of words in Cyrillic ones, and the rest anywhere; in any case."""

    def __init__(self, latin: str, cyrillic: str, others: str) -> None:
        self._latin = LazyPattern(rf"(?<![a-z0-9_])(?:{latin})(?![a-z0-9_])")
        self._others = LazyPattern(rf"(?<![а-яё])(?:{cyrillic})|{others}")

    def search(self, text: str) -> bool:
        """Tell whether one of them stands anywhere in a text."""
        low = text.lower()
        return bool(self._latin.search(low) or (not low.isascii() and self._others.search(low)))

    def match(self, text: str) -> bool:
        """Tell whether a text begins with one of them."""
        low = text.lower()
        return bool(self._latin.match(low) or (not low.isascii() and self._others.match(low)))


STRONG = Words(_LATIN_STRONG, _CYRILLIC_STRONG, _OTHERS_STRONG)
BINDING = Words(f"{_LATIN_STRONG}|{_LATIN}", f"{_CYRILLIC_STRONG}|{_CYRILLIC}", f"{_OTHERS_STRONG}|{_OTHERS}")
"""The same, and what is wished for: limits, advice, what is to be made sure of."""

NEGATING = Words(
    r"not|[a-z]{2,8}n['’]t|(?:do|does|did|is|are|was|ca|wo|should|must|could|would)nt|cannot|never|no|none|nothing"
    r"|nobody|neither|nor|without|avoid(?:ing|ed)?|refrain|stay away|hands off|skip|omit|ignore|exclud(?:es?|ed|ing)"
    r"|except(?:ions?|ing)?|unless|stop [a-z]+ing|leave (?:out|(?:[a-z ]{1,30} )?alone)|forbid(?:s|den)?|bann?(?:ed"
    r"|ing)?|prohibit(?:s|ed|ing)?|disallow(?:s|ed)?|out[- ]of[- ](?:scope|bounds)|off[- ]limits|non[- ]goals?"
    r"|anti[- ]?patterns?|d[eé]j[ae][a-z]* en paz|fi(?:que|ca) longe|lai(?:sse|ssez) tranquilles?|rien|unterlass[a-z]*"
    r"|unterlasse[nt]?|nunca|jam[aá]s|ning[uú]n[ao]?|nadie|ninguém|nada|tampoco|sin|evit(?:ar?|e|en|ad|emos)"
    r"|prohib(?:id[ao]s?|ir|e|en|ido)|excepto|salvo|fuera de(?:l)? alcance|n[aã]o|sem|proib(?:id[ao]s?|ir|e)|exceto"
    r"|fora do escopo|nem|nenhuma?|excluid[ao]s?|excluir|ne|n['’](?=[a-zéèêàâîôûy])|pas|jamais|aucune?s?|sans(?![- ]ser"
    r"if)|[ée]vit(?:er|ez|ons|es?)|interdi(?:te?s?|re|ctions?)|d[ée]fen(?:se|due?s?)|sauf|hors(?:[- ]p[ée]rim[èe]tre)?"
    r"|exclu(?:re|e?s?)|nicht|nie|niemals|nichts|niemand|kein(?:e[rnms]?|erlei)?|ohne|vermeide(?:n|t)?|verboten(?:e[rnm"
    r"s]?)?|untersagt"
    r"|verbote|au(?:ß|ss)er|ausgenommen|ausgeschlossen|tabu|verzichte(?:n|t)?(?: auf)?|ng(?=ワード|事項|[例集:：])",
    r"не(?![а-яё])|нет(?![а-яё])|ни(?![а-яё])|никогда|никаких|никто|никому|нельзя|без(?![а-яё])"
    r"|запре[тщ]|избега|кроме|исключ|недопустим|обходи|остав(?:ь|ьте) в покое",
    r"不(?![同过過错錯仅僅断斷管论論少久])|(?<![特分类類级級区區性个個判告识識])[别別](?![的人处處名墅])|勿|禁|避免|切忌|莫|拒[绝絕]"
    r"|没有|沒有|[无無](?=需|须|須|法)|除了|除外|以外|非目[标標]|ない|ません|(?<=[るくすつぬむぶうぐ])な(?=[:：。！!\s]|$)|ずに|せず"
    r"|避け|やめ|ダメ|だめ|駄目|除く|除き|対象外",
)
"""What denies: said of the items under it, they are what is not to be."""
_DESCRIBING = re.compile(
    r"(?i:\b(?:(?:does|do|did|is|was|are|were|has|have|had)(?:n['’]?t| not)(?! (?:allowed|permitted|going"
    r"|[a-z]+ing (?:this|these|those|any)|to be|use|add|touch|change|edit|allow|want|need))\b(?<!do not)(?<!don['’]t)(?"
    r"<!dont)|not (?:working|sure|yet|found)|no errors?|(?:do not|don['’]?t) (?:work|know|see|understand|have|show)"
    r"|works?\b|exists?\b|no such|(?:cannot|could not) find|nothing (?:works|happens)|(?:is|are|was|were) never\b))"
    r"|[没沒]有(?!.{0,10}(?:同意|允许|允許|许可|批准|确认|授权))|不是|不会|不會|не работа|не понима|funktionier"
    r"|no funciona|não funciona|ne (?:marche|fonctionne)|動かない|できない|わからない"
)
ORDERING = Words(
    f"{_LATIN_STRONG}|only|shall|ensure|make sure|exactly|at all times"
    r"|hay que|tien(?:es?|en) que|tenemos que|[uú]nicamente|solamente|s[oó]lo|tem que|somente|apenas"
    r"|seulement|uniquement|il faut|nur|ausschlie(?:ß|ss)lich|immer|unbedingt|m[uü]ss(?:t|en)?"
    r"|obligat[oó]ri[ao]s?|doivent|deve(?:s|m|mos)?|debe(?:s|n|mos)?",
    f"{_CYRILLIC_STRONG}|только|обязательн|должн",
    f"{_OTHERS_STRONG}|只|仅|僅|始终|始終|总是|總是|一律|务必|常に|だけ|のみ|必ず|絶対|使って|使用して(?:ください)?",
)
"""What orders: said of the items under it, they are what it is about."""
_USING = re.compile(
    r"\W{0,4}(?:(?:please|bitte|por favor|s['’]il (?:te|vous) pla[iî]t|пожалуйста|请|請)[,\s]{0,3})?"
    r"(?:use(?! ?-?cases?\b)|stick to|usa|utiliza|utilisez?|verwende|benutze|используй|使用|[采採]用)(?![a-z])",
    re.IGNORECASE,
)
_WISHING = Words(
    r"should|ha(?:ve|s) to|needs? to|supposed to|soll(?:te|ten|en)?|devrai(?:t|ent)|deber[ií]an?|deveria[m]?",
    r"нужно|надо(?![а-яё])|необходимо|следует",
    r"[应應][该該当當]|べき",
)
_ADJECTIVE = re.compile(r"(?i)\brequired (?=[a-z])")
CONDITIONAL = Words(
    r"if|when|whenever|unless|until|before|after|once|in case|(?:as (?:soon|long) as)|(?:every|each) time"
    r"|while|during|si|cuando|antes de|despu[eé]s de|mientras|a menos que|(?<=^)al|quando|depois de|ap[oó]s"
    r"|enquanto|caso|quand|lorsque?|lors d[eu]s?|avant|apr[èe]s|pendant|en cas|wenn|falls|sobald|bevor"
    r"|nachdem|solange|w[aä]hrend|im fall|es sei denn|(?<=^)(?:vor|nach|bei|se|ao)",
    r"если|когда(?![а-яё])|перед(?![а-яё])|прежде чем|после(?![а-яё])|пока(?![а-яё])|при(?= )|в случае"
    r"|в случаях",
    r"如果|假如|假若|一旦|除非|每次|每当|[当當在].{1,24}[时時前后後]|.{1,24}(?:时|時|的时候|之前|之后|以前|以后|情况下|前|后|後)(?=[，,:：]?$)"
    r"|もし|場合|とき|時(?=[はに、:：]|$)|[前後](?=[にはの、:：]|$)|たら|れば|なら(?!な)",
)
_REMOVING = Words(
    r"remove|delete|drop|get rid of|uninstall|disable|hide|elimina[rd]?|borra[rd]?|quita[rd]?"
    r"|remov(?:a|er)|exclua|apague|entferne(?:n)?|l[öo]sche(?:n)?|supprime[rz]?|enl[èe]ve[rz]?",
    r"удали|убери|убрать|отключи",
    r"忽略|无视|不用管|删除|刪除|删掉|去掉|移除|隐藏|停用|削除|消して|外して",
)
_LIFTING = Words(
    r"ignore|disregard|skip|forget|ignor(?:a|iere[nt]?|ez?)|(?:not|no|never|[a-z]+n['’]t)"
    r" (?:have to |need to )?(?:follow|obey|apply)",
    r"игнорируй|не следуй",
    r"不用|不必|不需要|(?:不要|别|別)(?:遵守|遵循|管)|無視",
)
"""What takes back the rules it is said of."""
ASIDE = re.compile(r"[(（][^()（）]{0,200}[)）]")
_MILD = Words(
    r"should|avoid(?:ing)?|skip|omit|ignore|out[- ]of[- ]scope|non[- ]goals?|except(?:ions?)?|exclud(?:e|ed"
    r"|ing)|unless|evit[a-z]*|[ée]vit[a-z]*|vermeide[nt]?|salvo|sauf|sans|hors|ohne|au(?:ß|ss)er|fuera|fora"
    r"|exce[pt]to|sollten?",
    r"избега|кроме|исключ|без",
    r"避|以外|除|不[应應]|建[议議]",
)
_VOID = Words(
    r"no longer (?:valid|true|appl(?:y|ies)|in force|needed|relevant|required)"
    r"|rules? (?:of|from|in) (?:the |an? |some )?other|not (?:valid|true|in force) any ?more|(?:old"
    r"|former|previous|earlier|outdated|past) (?:rules?|instructions?|guidelines?|style guides?|conventions?|decisions?"
    r"|ideas?|plans?|requirements?|wishes|advice)|obsolete|outdated|superseded|revoked|cancell?ed|rejected|discarded"
    r"|abandoned|(?:is|are|was|were) (?:all )?(?:wrong|bad|incorrect|over|void|history)|(?:bad|wrong|terrible) [a-z]+"
    r"|counter-?examples?|mistakes?|opposite of|(?:for )?examples?(?= (?:of|for|how|from)(?![a-z])|\W*$)|forget (?:abou"
    r"t )?(?:the|these|all|what)|ya no|antigu[oa]s?|obsolet[oa]s?|(?:est[aá]n?|son) mal|rechazad[oa]s?|ejemplos?"
    r"|errad[oa]s?|incorrect[oa]s?|n[aã]o (?:valem?|se aplicam?) mais|antig[oa]s?|rejeitad[oa]s?|exemplos?"
    r"|ne (?:valent|vaut|s['’]appliquent?) plus|anciennes?|anciens?|p[eé]rim[eé]e?s?|obsol[eè]tes?|rejet[eé]e?s?"
    r"|fausses?|exemples?|nicht mehr|nie mehr g[uü]ltig|veraltet[a-z]*|alte[nr]? (?:regeln?|vorgaben?|anweisungen?)"
    r"|[uü]berholt|hinf[aä]llig|falsch|verworfen[a-z]*|abgelehnt[a-z]*|beispiele?|gegenbeispiele?",
    r"больше не|устарел|стар(?:ые|ых) (?:правил|указани|требовани)|отменен|отменён|отвергнут|неправильн"
    r"|неверн|ошибочн|пример(?:ы|ов)?(?![а-яё])",
    r"作废|作廢|过时|過時|失效|废弃|廢棄|不再[有适適]|取消了|[旧舊]的|以前的|之前的规则|(?:别的|其他|另一个)项目的|错误的|錯誤的|错误(?:做法|示范|示例)|反例|[例范]子|举例"
    r"|示例|被否决|もうやめ|廃止|古い|以前の|昔の|無効|誤り|間違[いっ]|却下|悪い例|例[:：]?$",
)
"""What is over, wrong or rejected, or only shows how something is done."""


class Force(NamedTuple):
    """What a head makes of what stands under it: what is not to be, what is to be, what holds in a case.

    `rules`: for certain, and no report; `forbids`: outright; `void`: over, wrong, rejected or an example; `lifts`: the
    rules under it are void; `told`: others say it, or it is denied.
    """

    negates: bool
    orders: bool
    conditions: bool
    rules: bool
    forbids: bool = False
    void: bool = False
    lifts: bool = False
    told: bool = False


IDLE = Force(negates=True, orders=False, conditions=True, rules=False, void=True)
"""What is over makes of what stands under it: no wish, and no rule in force even where it is one by itself."""
TOLD = IDLE._replace(told=True)
"""What others say is their rule, and what is denied is none."""
UNKNOWN = Force(negates=False, orders=False, conditions=False, rules=False)
"""What a head that isn't understood makes of its items: they keep its words, lest they say the contrary."""


@lru_cache(maxsize=256)
def force_of(head: str) -> Force | None:
    """Tell what a head makes of what stands under it; None where it only names it."""
    if _VOID.search(head):
        return IDLE
    bare = _ADJECTIVE.sub("", head)
    negates, orders = NEGATING.search(head), ORDERING.search(bare) or _USING.match(bare) is not None
    conditions = CONDITIONAL.search(ASIDE.sub("", head))
    removes = not negates and _REMOVING.search(head)
    rules = (negates or orders) and not _DESCRIBING.search(head)
    orders = orders or _WISHING.search(head)
    if not (negates or orders or conditions or removes):
        return None
    forbids = rules and negates and not _MILD.search(head)
    lifts = removes or _LIFTING.search(head)
    return Force(negates or removes, orders, conditions, rules, forbids, lifts=lifts)


CASE = Force(negates=False, orders=False, conditions=True, rules=False)
"""What a place, or a case in the same sentence, makes of a rule: "In production:", "if the tests fail, ..."."""
