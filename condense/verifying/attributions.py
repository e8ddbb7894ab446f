"""Attributions: where a sentence says that the person said, wanted or approved something, and what.

One form for all languages: somebody's name for the person and a word of saying or approving near each other, or a turn
of phrase that stands for both ("as requested", 按要求). What is left of the sentence is what is attributed.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Attribution(NamedTuple):
    """What a person is said to have said ("" where the sentence does not say it), or to have approved."""

    text: str
    approval: bool


PERSON = (
    r"(?:\b(?:the |our |el |la |o |der |dem |des |den |die |l['’])?"
    r"(?:(?:user|human)(?:['’]s)?|usu[aá]ri[oa]|utilizadora?|utilisat(?:eur|rice)|(?:be)?nutzer(?:in|s)?"
    r"|anwender(?:in|s)?|пользовател\w{1,3}|uživatel\w{0,3})\b|用户|用戶|使用者|ユーザー?(?:さん|様)?)"
)
_NOUN = r"(?= (?:is|was|to|that|for|of)\b|\W{0,3}$|[:.,;)]|\s[—–-])"
"""What follows an English noun that is not the first half of another ("user confirmation dialog")."""
_ENDS = r"(?:e?[sd]|i?ó|ou|iu|ad[oa]|ée?)"
"""The endings of what a third person does or did in English, Spanish, Portuguese, French; German and Russian follow."""
SAYS = (
    rf"(?:\b(?:(?:ask|request|requir|insist|instruct|demand|prefer|wish|mention|not|answer|respond|mandat"
    rf"|emphasi[sz]|solicit|exig|orden|decid|ordonn|décid|indiqu){_ENDS}|state[sd]|wants|wanted|told"
    rf"|specified|preferred|ordered"
    r"|directed|chose|replie[sd]|said|says|wrote|typed|made (?:it )?clear|indic(?:ó|ou)"
    rf"|(?:request|decision|choice|wish|rule|instruction|preference|requirement|order|constraint)s?{_NOUN}"
    r"|dijo|dice|pid[ei]ó?|quiere|quería|exige|decisi[óo]n|décision|decisão|prefi?ere|disse|diz|ped(?:e|iu)|quer"
    r"|queria|(?:a )?dit|demande|veut|voulait|préfère|souhaite|insiste|(?:sag|verlang|forder|wünsch|woll|möch)te"
    r"|(?:sag|verlang)t|ge(?:sagt|beten|fordert)|bat|will|entschied(?:en)?|angeordnet|besteht|vorgegeben|(?:сказал"
    r"|попросил|потребовал|велел|указал|решил)[аи]?|просит|требует|хочет|желает|настаивает)\b|要求|指示|希望|强调|強調"
    r"|规定|規定|决定|決定|说|說|表示|提出|想要|想让|让我|觉得|认为|拍板|吩咐|明确|坚持|言っ|言い|述べ|望ん|求め|依頼"
    r"|指定|要望)"
)
APPROVES = (
    rf"(?:\b(?:(?:confirm|approv|agre|accept|consent|waiv|authori[sz]|permit|allow|okay|apro[bv]|acept|aceit"
    rf"|autori[sz]|acord|concord|approuv){_ENDS}|permitted|signed off|green-?lit|ok['’]?d"
    r"|(?:is|was|are) (?:fine|ok(?:ay)?|good|happy) with|(?:has|had|have) no (?:objection|problem"
    r"|issue)s?(?: with| to)?|gave (?:(?:the|a|his|her|their) )?(?:green light|go-?ahead|ok(?:ay)?|nod"
    rf"|blessing)|said (?:yes|ok(?:ay)?|go ahead)|(?:confirmation|approval|agreement|consent|authori[sz]ation"
    rf"|permission|go-?ahead){_NOUN}"
    r"|a(?:pro[bv]|utori[sz])a(?:ción|ção|tion)|approbation|permi(?:so|s|ssão)|luz verde|visto bueno|de acuerdo"
    r"|carta branca|sinal verde|aval|accord|feu vert|(?:bestätig|genehmig|erlaub|stimm)te?|genehmigung|zugestimmt"
    r"|zustimmung|erlaubnis|freigegeben|einverstanden|grünes licht|(?:подтвердил|одобрил|разрешил)[аи]?|(?:одобр"
    r"|разреш)ения|согласи(?:л(?:ся|ась|ись)|я)|дал[аи]? добро)\b|确认|確認|同意|批准|认可|認可|许可|許可|授权|授權"
    r"|答应|答應|允许|允許|点头|没意见|沒意見|没有异议|承認|了承)"
)
_NEAR = r"[^.。;；\n\"“「『]{0,60}?"
_BY = (
    r"(?: (?:by|of|from|per|del?|do|da|por(?: el| la)?|pelo|pela|par|de|von|vom|des|durch)(?: the| l['’])? ?"
    r"| ?(?=пользовател))"
)
_CUE = re.compile(
    rf"(?P<who>{PERSON})(?P<gap>{_NEAR})(?:(?P<ok>{APPROVES})|{SAYS})"
    rf"|(?:(?P<ok2>{APPROVES})|{SAYS}|wunsch|auftrag|anweisung|anfrage|verlangen|просьбе|требованию|указанию"
    rf"|словам|petición|instrucción|pedido|ordem){_BY}{PERSON}"
    rf"|\b(?:at|by|with|on|upon|following|per)\s{PERSON}\s(?:(?:request|wish|instruction|order|demand)s?"
    r"|(?P<ok3>approval|permission|consent|agreement|confirmation|authori[sz]ation|blessing))\b"
    rf"|\b(?:per|according to|según|segundo|selon|laut|por|nach)\s(?:the |el |o |l['’]|dem )?{PERSON}"
    rf"|^\W{{0,6}}{PERSON}\s?[:：]|\s[—–-]\s?{PERSON}\W{{0,3}}$|您(?:让我|要求|说|同意|批准|确认)"
    r"|\bas (?:was )?(?:explicitly )?(?:requested|instructed|asked|ordered|demanded|(?P<agreed>agreed|approved"
    r"|confirmed|authori[sz]ed))\b|\b(?:conforme|como|comme|wie|как)\s(?:lo\s)?(?:solicitado|pedido|acordado|demandé"
    r"|convenu|gewünscht|verlangt"
    r"|besprochen|просили|договорились)\b|(?:按照?|应|應|依)(?:您|其)?的?(?:要求|指示)|(?:依頼|指示|要望)(?:どおり|通り)",
    re.IGNORECASE,
)
_OPEN = re.compile(  # what before the person makes a sentence speak of what may come
    r"\b(?:not yet|until|unless|if|whether|once|when|before|after|wait(?:s|ing)?|need(?:s|ed)?|ask(?:s|ed"
    r"|ing)?|pending|should|must|may|might|without|requires?|in case|si|se|wenn|falls|ob|bis|bevor|quand"
    r"|jusqu|hasta|até|antes|avant|ждать|если|пока|до)\b[^.;\n]{0,40}$"
    r"|(?:未|没有|沒有|尚未|是否|等待?|需要?|请|請|待|如果|若|除非|不|由|让|讓|问|問)[^。；\n]{0,8}$",
    re.IGNORECASE,
)
_NOT = re.compile(  # what between the person and the word makes it denied, or nobody's yet
    r"(?:\b(?:not|never|n['’]t|hasn|haven|didn|doesn|no|ne|n['’]a|nicht|não|не|will|would|can|could|may|might|should"
    r"|must|to|who|that)\b|未|没|沒|尚|是否|不)[^.;\n]{0,20}$",
    re.IGNORECASE,
)
_AFTER = re.compile(r"后|後|之后|之前|前|时|吗|嗎|才|再|\s(?:input|interface|id\b|name\b|agent\b)")
_CUT = re.compile(
    r"[;；]|\s[—–]\s|,\s(?:so|but|which|(?:and |then )*(?:I|we|it|they|let|my|the assistant))(?=\W)"
    r"|\s(?:so|but) (?:I|we)\b"
)
_CUT_SINCE = re.compile(rf",\s|{_CUT.pattern}")
"""The same for what is given as the reason for what the agent does."""
_SINCE = re.compile(r"\W{0,4}(?:since|given|although|though|while|because|whereas)\b", re.IGNORECASE)
_NOTHING = re.compile(  # where it is said that the person said nothing
    r"\W*(?:none|nothing|n/?a|keine?|nichts|ninguna?|nada|nenhuma?|aucune?|rien|нет|无|没有|なし)(?:\s\w{1,12})?\W*\Z",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\W*(?:(?:auf|im|nach|laut|a|por|por el|em|à|sur|selon|po|at|on|by|per|with|from)\s)?\W*", re.IGNORECASE
)
"""What may stand before a cue without being what is attributed: "Auf Wunsch des Nutzers ..."."""
_PERSON = re.compile(PERSON, re.IGNORECASE)
_AND_SAYS = re.compile(
    rf",?\s(?:and|und|et|y|e|и)\s(?:has |have |had |also |then |a |auch |também |également ){{0,2}}"
    rf"(?={SAYS}|{APPROVES})",
    re.IGNORECASE,
)
_BLANK = " \t\n.,:;*_-。，、：（）()"
_LONGEST = 600


def attributions_in(text: str) -> tuple[Attribution, ...]:
    """Return what a sentence attributes to the person, in order; nothing for most sentences. A long one is cut."""
    pieces = (text[at : at + _LONGEST] for at in range(0, len(text), _LONGEST))
    return tuple(one for piece in pieces for one in _attributions_in(piece))


def _attributions_in(sentence: str) -> list[Attribution]:
    if _PERSON.search(sentence):
        sentence = _AND_SAYS.sub("; the user ", sentence)
    cues = [cue for cue in _CUE.finditer(sentence) if not _is_open(sentence, cue)]
    ends = [*(cue.start() for cue in cues[1:]), len(sentence)]
    found, last = [], 0
    for cue, end in zip(cues, ends, strict=False):
        low = max((cut.end() for cut in _CUT.finditer(sentence, 0, cue.start())), default=0)
        low, last = max(low, last), cue.end()
        stop = (_CUT_SINCE if _SINCE.match(sentence, low) else _CUT).search(sentence, last + 2)
        before = sentence[low : cue.start()]
        after = f"{cue['gap'] or ''} {sentence[last : min(stop.start() if stop else end, end)]}"
        is_clause = cue["who"] or _LEAD.fullmatch(before) or sentence[last : last + 1] in ",，、"
        text = after if is_clause and after.strip(_BLANK) else before
        if not _NOTHING.match(text):
            approval = any(cue[name] for name in ("ok", "ok2", "ok3", "agreed"))
            found.append(Attribution(text.strip(), approval))
    return found


def _is_open(sentence: str, cue: re.Match[str]) -> bool:
    is_denied = cue["gap"] is not None and _NOT.search(cue["gap"])
    return bool(is_denied or _OPEN.search(sentence, 0, cue.start()) or _AFTER.match(sentence, cue.end()))
