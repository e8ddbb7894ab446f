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


_PERSON = (
    r"(?:\b(?:the |our |el |la |o |der |dem |des |den |die |l['’])?"
    r"(?:user(?:['’]s)?|human(?:['’]s)?|usuari[oa]|usuári[oa]|utilizador[a]?|utilisat(?:eur|rice)"
    r"|(?:benutzer|nutzer|anwender)(?:in|s)?|пользовател\w{1,3}|uživatel\w{0,3})\b|用户|用戶|使用者|ユーザー?(?:さん|様)?)"
)
_NOUN = r"(?= (?:is|was|to|that|for|of)\b|\W{0,3}$|[:.,;)]|\s[—–-])"
"""What follows an English noun that is not the first half of another ("user confirmation dialog")."""
_SAYS = (
    r"(?:\b(?:said|says|ask(?:s|ed)|wants|wanted|request(?:s|ed)|require[sd]?|told|insist(?:s|ed)|instruct(?:s"
    r"|ed)|demand(?:s|ed)?|state[sd]|specified|decided|chose|prefer(?:s|red)?|wishes|wished"
    rf"|mentioned|noted|repl(?:ies|ied)|answer(?:s|ed)|respond(?:s|ed)|wrote|typed|ordered|mandate[sd]|directed"
    rf"|made (?:it )?clear|emphasi[sz]ed|(?:(?:request|decision|choice|wish|rule|instruction|preference"
    rf"|requirement|order|constraint)s?){_NOUN}"
    r"|dijo|dice|pidió|pide|solicitó|solicitado|quiere|quería|exig[eió]+|ordenó|decidió|decisión|indicó"
    r"|prefiere|insistió|disse|diz|pediu|pede|solicitou|quer|queria|exigiu|ordenou|decidiu|decisão|indicou"
    r"|prefere|insistiu|(?:a )?dit|demand(?:e|é|ée)|veut|voulait|exigé|ordonné|décidé|décision|indiqué"
    r"|préfère|souhaite|insiste|sagte?|gesagt|bat|gebeten|will|wollte|möchte|verlangte?|gefordert|forderte?"
    r"|wünschte?|entschied(?:en)?|angeordnet|besteht|vorgegeben|сказал[аи]?|попросил[аи]?|просит|требует"
    r"|потребовал[аи]?|хочет|велел[аи]?|указал[аи]?|решил[аи]?|желает|настаивает)\b|要求|指示|希望|强调|強調|规定|規定|决定"
    r"|決定|说|說|表示|提出|想要|想让|让我|觉得|认为|拍板|吩咐|明确|坚持|言っ|言い|述べ|望ん|求め|依頼|指定|要望|希望)"
)
_APPROVES = (
    r"(?:\b(?:confirm(?:s|ed)|approve[sd]|agree[sd]?|accept(?:s|ed)|consent(?:s|ed)|signed off|waive[sd]|(?:is"
    r"|was|are) (?:fine|ok(?:ay)?|good|happy) with|(?:has|had|have) no (?:objection|problem|issue)s?(?: with"
    r"| to)?|gave (?:the |a |his |her |their )?(?:green light|go-?ahead|ok(?:ay)?|nod|blessing)"
    r"|green-?lit|authori[sz]e[sd]|permit(?:s|ted)|allow(?:s|ed)|okayed|ok['’]?d|said (?:yes|ok|okay"
    r"|go ahead)"
    rf"|(?:confirmation|approval|agreement|consent|authori[sz]ation|permission|go-?ahead){_NOUN}"
    r"|confirmó|confirmado|aprobó|aprobado|aprobación|aceptó|autorizó|autorizado|autorización|permitió|permiso"
    r"|acordó|luz verde|visto bueno|de acuerdo|confirmou|aprovou|aprovado|aprovação|aceitou|autorizou"
    r"|autorização|permitiu|permissão|concordou|carta branca|sinal verde|aval|confirmé|approuvé|approbation"
    r"|accepté|autorisé|autorisation|permis|accord|feu vert|bestätigte?|genehmigte?|genehmigung|zugestimmt"
    r"|stimmte|zustimmung|erlaubte?|erlaubnis|freigegeben|einverstanden|grünes licht|подтвердил[аи]?"
    r"|одобрил[аи]?|одобрения|согласил(?:ся|ась|ись)|согласия|разрешил[аи]?|разрешения|дал[аи]? добро)\b"
    r"|确认|確認|同意|批准|认可|認可|许可|許可|授权|授權|答应|答應|允许|允許|点头|没意见|沒意見|没有异议|承認|了承)"
)
_NEAR = r"[^.。;；\n\"“「『]{0,60}?"
_BY = (
    r"(?: (?:by|of|from|per|del?|do|da|por(?: el| la)?|pelo|pela|par|de|von|vom|des|durch)(?: the| l['’]"
    r"|l['’])? ?| ?"
    r"(?=пользовател))"
)
_CUE = re.compile(
    rf"(?P<who>{_PERSON})(?P<gap>{_NEAR})(?:(?P<ok>{_APPROVES})|(?P<say>{_SAYS}))"
    rf"|(?:(?P<ok2>{_APPROVES})|(?P<say2>{_SAYS}|wunsch|auftrag|anweisung|anfrage|verlangen|просьбе|требованию"
    rf"|указанию|словам|petición|instrucción|pedido|ordem)){_BY}{_PERSON}"
    rf"|\b(?:at|by|with|on|upon|following|per)\s{_PERSON}\s(?:(?:request|wish|instruction|order|demand)s?"
    r"|(?P<ok3>approval|permission|consent|agreement|confirmation|authori[sz]ation|blessing))\b"
    rf"|\b(?:per|according to|según|segundo|selon|laut|por|nach)\s(?:the |el |o |l['’]|dem )?{_PERSON}"
    rf"|^\W{{0,6}}{_PERSON}\s?[:：]|\s[—–-]\s?{_PERSON}\W{{0,3}}$|您(?:让我|要求|说|同意|批准|确认)"
    r"|\bas (?:was )?(?:explicitly )?(?:requested|instructed|asked|ordered|demanded|"
    r"(?P<agreed>agreed|approved|confirmed|authori[sz]ed))\b"
    r"|\b(?:conforme|como|comme|wie|как)\s(?:lo\s)?(?:solicitado|pedido|acordado|demandé|convenu|gewünscht"
    r"|verlangt|besprochen"
    r"|просили|договорились)\b|(?:按照?|应|應|依)(?:您|其)?的?(?:要求|指示)|(?:依頼|指示|要望)(?:どおり|通り)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:not yet|until|unless|if|whether|once|when|before|after|wait(?:s|ing)?|need(?:s|ed)?|ask(?:s|ed|ing)?"
    r"|pending|should|must|may|might|without|requires?|in case|si|se|wenn|falls|ob|bis|bevor|quand|jusqu"
    r"|hasta|até|antes|avant|ждать|если|пока|до)\b[^.;\n]{0,40}$"
    r"|(?:未|没有|沒有|尚未|是否|等待?|需要?|请|請|待|如果|若|除非|不|由|让|讓|问|問)[^。；\n]{0,8}$",
    re.IGNORECASE,
)
"""What before the person makes a sentence speak of what may come."""
_NOT = re.compile(
    r"(?:\b(?:not|never|n['’]t|hasn|haven|didn|doesn|no|ne|n['’]a|nicht|não|не|will|would|can|could|may|might"
    r"|should|must|to|who"
    r"|that)\b|未|没|沒|尚|是否|不)[^.;\n]{0,20}$",
    re.IGNORECASE,
)
"""What between the person and the word makes it denied, or nobody's yet."""
_AFTER = re.compile(r"后|後|之后|之前|前|时|吗|嗎|才|再|\s(?:input|interface|id\b|name\b|agent\b)")
_CUT = re.compile(
    r"[;；]|\s[—–]\s|,\s(?:so|but|which|(?:and |then )*(?:I|we|it|they|let|my|the assistant))(?=\W)"
    r"|\s(?:so|but) (?:I|we)\b"
)
_CUT_SINCE = re.compile(rf",\s|{_CUT.pattern}")
"""The same for what is given as the reason for what the agent does."""


def attributions_in(text: str) -> tuple[Attribution, ...]:
    """Return what a sentence attributes to the person, in order; nothing for most sentences. A long one is cut."""
    pieces = (text[at : at + _LONGEST] for at in range(0, len(text), _LONGEST))
    return tuple(one for piece in pieces for one in _attributions_in(piece))


_LONGEST = 600


def _attributions_in(sentence: str) -> tuple[Attribution, ...]:
    if _PERSON_ONCE.search(sentence) is not None:
        sentence = _AND_SAYS.sub("; the user ", sentence)
    cues = [cue for cue in _CUE.finditer(sentence) if not _is_open(sentence, cue)]
    found: list[Attribution] = []
    for at, cue in enumerate(cues):
        low = max((c.end() for c in _CUT.finditer(sentence, 0, cue.start())), default=0)
        low = max(low, cues[at - 1].end()) if at else low
        stop = (_CUT_SINCE if _SINCE.match(sentence, low) else _CUT).search(sentence, cue.end() + 2)
        high = min(
            stop.start() if stop else len(sentence), *(c.start() for c in cues[at + 1 :]), len(sentence)
        )
        before, after = sentence[low : cue.start()], f"{cue['gap'] or ''} {sentence[cue.end() : high]}"
        is_clause = (
            cue["who"] is not None
            or _LEAD.fullmatch(before)
            or sentence[cue.end() : cue.end() + 1] in ",，、"
        )
        text = after if is_clause and after.strip(_BLANK) else before
        if _NOTHING.match(text):
            continue
        found.append(Attribution(text.strip(), any(cue[name] for name in ("ok", "ok2", "ok3", "agreed"))))
    return tuple(found)


_NOTHING = re.compile(
    r"\W*(?:none|nothing|n/?a|keine?|nichts|ninguna?|nada|nenhuma?|aucune?|rien|нет|无|没有|なし)(?:\s\w{1,12})?\W*\Z",
    re.IGNORECASE,
)
"""Where it is said that the person said nothing."""
_LEAD = re.compile(
    r"\W*(?:(?:auf|im|nach|laut|a|por|por el|em|à|sur|selon|по|at|on|by|per|with|from)\s)?\W*", re.IGNORECASE
)
"""What may stand before a cue without being what is attributed: "Auf Wunsch des Nutzers ..."."""
_BLANK = " \t\n.,:;*_-。，、：（）()"
_SINCE = re.compile(r"\W{0,4}(?:since|given|although|though|while|because|whereas)\b", re.IGNORECASE)


def _is_open(sentence: str, cue: re.Match[str]) -> bool:
    """Tell whether a cue speaks of what may come, or is denied."""
    denied = cue["gap"] is not None and _NOT.search(cue["gap"])
    return bool(denied or _OPEN.search(sentence, 0, cue.start()) or _AFTER.match(sentence, cue.end()))


_PERSON_ONCE = re.compile(_PERSON, re.IGNORECASE)
_AND_SAYS = re.compile(
    rf",?\s(?:and|und|et|y|e|и)\s(?:has |have |had |also |then |a |auch |también |également ){{0,2}}"
    rf"(?={_SAYS}|{_APPROVES})",
    re.IGNORECASE,
)
