"""Certainties: sayings that make a clause a memory whatever else speaks for or against it.

Explicit requests to remember, the documented plain forms ("must ...", "use PostgreSQL", "port is 3001") and rules
that announce themselves ("from now on ..."). Questions and conditions are never certain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memory.conversation import LazyPattern
from memory.entries import MemoryPriority, MemoryType
from memory.extraction.rules.plain_reports import asks_why_still, is_plain_report
from memory.extraction.rules.plain_rules import Reach, is_general, plain_rule
from memory.extraction.slots import retracted_in, slots_in

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from memory.extraction.heads import Force

_CRITICAL, _HIGH = MemoryPriority.CRITICAL, MemoryPriority.HIGH
_INSTRUCTION, _DECISION = MemoryType.USER_INSTRUCTION, MemoryType.TECHNICAL_DECISION
_CONFIGURATION = MemoryType.CONFIGURATION


@dataclass(frozen=True, slots=True)
class Certainty:
    """What is certain of a clause.

    Attributes:
        name: which saying.
        type, priority: None where the evidence decides.
        explicit: the person asked to remember it.
        standing: it holds beyond the task.
    """

    name: str
    type: MemoryType | None
    priority: MemoryPriority | None
    explicit: bool = False
    standing: bool = False


_EXPLICIT = LazyPattern(
    r"(?i)\W{0,4}(?:(?:ok|okay|and|also|so|now|but|please|pls|hey|well)[,\s]{1,3}){0,3}(?:(?:always|must"
    r"|you should|can you|could you)\s)?(?:remember(?:\s(?:that|this|to|the|my|our|we|i|it|for|:)|\s?[:,])"
    r"|memori[sz]e\s|keep in mind|bear in mind|(?:don['’]t|do not|never) forget|(?:make"
    r"|take) a (?:mental )?note|note (?:to self|for later|for the future)|save (?:this|that|it)? ?(?:to"
    r"|in) (?:your )?memory|add (?:this|that|it)? ?to (?:your )?memory)|.{0,12}?(?:请记住|請記住|记住|記住"
    r"|记一下|記一下|牢记|切记|请记得|别忘了|不要忘记|加入记忆|存入记忆)|(?:覚えておいて|忘れないで)"
    r"|.{2,80}(?:を覚えておいて|を忘れないで|覚えてください)|\W{0,4}(?:пожалуйста,? )?(?:запомни|не забудь"
    r"|имей в виду)\b|\W{0,4}(?:por favor,? )?(?:recuerda|ten en cuenta|no olvides|lembre-se|não esqueça"
    r"|tenha em mente)\b|\W{0,4}(?:bitte )?(?:merk dir|merke dir|vergiss nicht|denk daran)\b"
    r"|\W{0,4}(?:souviens-toi|retiens|n['’]oublie pas)\b"
)
_NOT_EXPLICIT = LazyPattern(
    r"(?i)do you remember|remember (?:when|how|where|what|why|if"
    r"|the last|last)\b|还?记得.{0,30}[吗嗎?？]|remember me\b"
)
# Patterns that don't ask for capitals are written and searched in lower case: the engine is several times faster so.
_STANDING = LazyPattern(
    r"\b(?:from now on|going forward|in (?:the )?future|from here on|henceforth|every time (?:you|we|i)"
    r"|for (?:all|every) (?:future|new))\b|(?:从现在起|從現在起|从今以后|今后|今後|以后(?:都|就|请|不|要|每"
    r"|所有|别|回|用)|以後(?:都|請|不|要)|每次都?要|每次.{1,20}都)|これから(?:は|も)|今後は|毎回|отныне"
    r"|впредь|a partir de ahora|de ahora en adelante|a partir de agora|de agora em diante|ab jetzt|ab sofort"
    r"|künftig|désormais|dorénavant|à partir de maintenant|od teď"
)
_PROHIBITED = LazyPattern(
    r"\W{0,3}(?:you should )?(?:do not|don['’]?t|never|you may not)\s(?!work|know|see\b|think|understand"
    r"|have\b|get\b|worry|need|want|seem|like\b|mind|show|appear|load|exist|care|believe|recall|remember"
    r"|forget|mean\b|bother|happen|feel|even\b|really|actually)\w{2,}"
    r"|(?:[^,，。？?\s我你您怎吗][^,，。？?我你您怎吗]{0,9})?(?<![要么还就是])(?:不要|别|別|不许|不准|不可以"
    r"|不能再|不得|严禁|嚴禁|禁止)(?!说|紧|客气|急|担心|的|人|墅|扭|名|超[过過])[^？?]{2,}"
    r"|.{2,60}(?:ないで(?:ください|下さい|くれ|ほしい|欲しい)?[ねよ]?|ないこと|禁止(?:です"
    r"|とします)?)[。.!！]?$|не (?:надо|нужно)\b|никогда не\b|не\s(?!очень|теперь|здесь|весь|только|мои|твои"
    r"|свои|такие)\w{2,}(?:[аяуею]й|(?<!л)и|(?<!т)ь)(?:те)?\s\S.{2,}|no\s\w{3,}[ae]s\s(?:el|l[ao]s?|en|nada"
    r"|ning\w+|un[ao]?s?|al?|tus?|mis?|nuev\w+|con|sin|ni|tod\w+|est\w+|por|archivos?|código)\b|(?:não"
    r"|no)\s(?:toque|mude|cambie|altere|use|modifique|apague|borre|remova|elimine|adicione|agregue|añada"
    r"|escreva|escriba|faça|haga|crie|cree|instale|ejecute|execute|rode|exclua|envie|publique|inclua|incluya"
    r"|coloque|mexa|edite|commite|renomeie|duplique|invente|pule|ignore|refatore|substitua|exponha|exponga"
    r"|quebre|rompa|suba|deixe|deje|salve|guarde|traduza|traduzca|comente|suponha|suponga)[ms]?\b|n(?:e "
    r"|['’])(?!fonctionn|march|s['’]|est\b|sont\b|peu[tx]|sais|ai\b|y\b|t['’]inqui)\w{2,14}[- ](?:pas|jamais"
    r"|plus|rien|aucune?)\b.{3,}|(?!(?:es|ich|da|hier|das|ist|sind|wir|er|sie|ihr|aber|kann|habe|gibt"
    r"|warum)\b)[a-zäöüß]{2,13}[^t\s]\s(?:bitte |mir )?(?:keine?[nrms]?|niemals|nie|nicht)\s.{3,}"
    r"|keine?[nrms]?\s.{3,60}[a-zäöüß]{2,}[er]n\W{0,3}$|(?:avoid|evit[ae]|évite[rz]?|vermeide|избегай(?:те)?"
    r"|stop using|(?:está |é |il est )?(?:proh?ibido|interdit(?: de)?|interdiction de)|es ist verboten"
    r"|запрещ\w+)\s\w.{3,}|.{0,12}没有?我的?(?:同意|许可|确认|批准).{0,6}不.{2,}|.{0,12}不能(?:再)?(?:动|碰"
    r"|改|直接|引入|推|低于|少于|超过)(?!了).{2,}"
)
"""A prohibition that opens its clause."""
_FORBIDDEN = LazyPattern(
    r"(?:^|[,.:;\s(])(?:you |we |it |they )?(?:must(?:n['’]t| not| never)|MUST NOT|NEVER|DO NOT|DON['’]?T"
    r"|(?:shall|should) never|under no circumstances)\s\w|^(?:please |and |also |but |so )?(?:never"
    r"|Never)\s(?!mind)\w{2,}|^.{0,12}(?:禁止|严禁|嚴禁|绝不能|絕不能|绝对不要|千万别|千万不要|切勿|不得"
    r"|不允许)|絶対に.{0,40}(?:ないで|ないこと|禁止)|してはいけ(?:ない|ません)|(?i:\bникогда не\b"
    r"|\bни в коем случае\b|\bnunca\s\w+|\bniemals\b|\bauf keinen fall\b|\bjamais\b)"
)
_REQUIRED = LazyPattern(
    r"(?:^|[,.:;\s(])(?:you|we|it|they|all|every|each|the|this|code|tests?|[\w-]{2,24}) (?:must"
    r"|MUST)\s(?!be an?\s?(?:mistake|error|bug|problem))\w{2,}|^(?:must|Must|MUST|always|Always"
    r"|ALWAYS)\s\w{2,}|必须|必須|一定要|务必|務必|必ず.{2,60}(?:ください|下さい|こと|する|します)[。.!！]?$"
    r"|なければ(?:ならない|なりません|いけない|いけません)|(?:都要|都得|只能|只许|只准|一律)[^？?]{2,}"
    r"|(?i:\bобязательно\b|\bunbedingt\b|\bobligatoriamente\b|\b(?:debe[ns]?|hay que|tienen? que|deve(?:m"
    r"|rão)?|t[eê]m que|doi(?:t|vent)|il faut|müssen|muss|dürfen|darf|должн[аоы]|должен|необходимо|нельзя"
    r"|запрещено)\s(?!(?:ser|être|haber|haver|estar|быть) (?:une?|uma?|err|mal|rot|quebr|ошиб)"
    r"|(?:y )?avoir une?\b|ich\b|ein\b)\w{2,}.{3,})"
)
_GUESS = LazyPattern(
    r"\b(?:we|it|that|this|there) must be \w{2,}\W{0,3}$|\bmust (?:be|have|'?ve)\s(?:a |an |some |been "
    r"|something|wrong|broken|missing|because|due|the |caused)|\bmust've\b|\bmust admit\b|应该是|不是必须"
    r"|不一定要|必须要?吗|\bnever (?:works?|worked|loads?|loaded|seen|saw|heard|knew|had|got|did|was|been"
    r"|thought|shows?|appears?|happened|ends?|finish)|\b(?:why|how|what) must\b|\bif (?:you|i|we) must\b"
)
_TECHNOLOGY = LazyPattern(
    r"^(?:\W{0,3}(?:please|let['’]?s|we(?:['’]ll| will| should)?|just|and|then|also|ok|so"
    r"|i want(?: you)? to|you should)[,\s]{1,3}){0,3}"
    r"(?:use|uses|using|go with|stick (?:to|with)|switch to|migrate to|move to|adopt)\s\S"
    r"|^.{0,12}?(?:使用|采用|採用|改用|换成|換成|换用|选用|就用)\s?\S|(?:を使用|を使い|を使って|を採用|にします)"
)
_CONFIGURED = LazyPattern(
    r"\bport\s(?:is|to|=|:|should be|must be|will be|number is)?\s?\d{2,5}\b|端口.{0,6}?(?:改为|改成|设为"
    r"|设置为|是|为|换成|用|：|:)\s?\d{2,5}|^(?:the |our )?[\w -]{2,30}\s(?:should|must|has to"
    r"|needs to) be (?:set to )?\d|\b(?:theme|colou?r scheme|branch|model) (?:is|should be"
    r"|must be) [\w#.-]{2,30}"
)
_CHANGED = LazyPattern(
    r"(?:please |now )?change (?:the |our |my )?[\w ./-]{2,40} (?:from .{1,40} )?to \S.{0,60}$"
    r"|.{1,20}(?:改为|改成|设为|设置为)\s?[\w#./:-]{1,40}[。.]?$"
    r"|(?:所有|全部).{1,30}(?:都)?(?:需要|必须|应该|要)|all .{2,40} (?:need|must|should) \w{2,}"
)
"""A setting in a clause that begins so."""
LONGEST_PLAIN = 160
"""Characters up to which a clause counts as one plain saying (chosen)."""


def certainty_of(text: str, evidence: AbstractSet[str], *, weak: bool = True) -> Certainty | None:
    """Return what is certain of a clause, None for most.

    Args:
        text: the clause.
        evidence: its evidence, as named by `memory.extraction.features.evidence`.
        weak: the evidence alone would not keep it; only then it is asked what it answers or takes back.
    """
    if "question" in evidence or len(text) > LONGEST_PLAIN * 2:
        return _REPORT if len(text) <= LONGEST_PLAIN and asks_why_still(text.lower()) else None
    if "cue:remember" in evidence and _EXPLICIT.match(text) and not _NOT_EXPLICIT.search(text):
        return Certainty("explicit", None, _CRITICAL, explicit=True, standing=True)
    if len(text) > LONGEST_PLAIN:
        return None
    low = text.lower()
    standing = (
        not _LASTING.isdisjoint(evidence) and _STANDING.search(low) is not None and not _ASKING.search(low)
    )
    binds = not _BINDING.isdisjoint(evidence) and _binds(text, low)
    if binds or standing:
        critical = _CRITICAL if binds else None
        standing = standing or is_general(low) or plain_rule(low) is Reach.STANDING
        return Certainty("rule", _INSTRUCTION, critical, standing=standing)
    if "has:tech" in evidence and "cue:look" not in evidence and _TECHNOLOGY.search(low):
        return Certainty("decision", _DECISION, _HIGH)
    if _configures(low):
        return Certainty("setting", _CONFIGURATION, _HIGH)
    reach = plain_rule(low) if _BROKEN.isdisjoint(evidence) or _HANDLED.search(low) else None
    if not weak:  # what kind it is, its evidence tells; how long it holds, its form
        return _HOLDS if reach is Reach.STANDING else None
    if answered := _answered(text, low, evidence):
        return answered
    if reach is None:
        told = not _FAULTY.isdisjoint(evidence) and (is_plain_report(low) or asks_why_still(low))
        return _REPORT if told else None
    name = "choice" if reach is Reach.CHOICE else "plain"
    return Certainty(name, _KINDS.get(reach), _HIGH, standing=reach in _LASTING_REACH)


def certainty_under(force: Force) -> Certainty | None:
    """Return what is certain of a clause whatever it says, for the head that it stands under; None for most heads."""
    if not force.rules:
        return None
    return Certainty("rule", _INSTRUCTION, _CRITICAL if force.forbids else _HIGH)


def _configures(low: str) -> bool:
    """Tell whether a clause, in lower case, sets something."""
    return _CONFIGURED.search(low) is not None or _CHANGED.match(low) is not None


def _answered(text: str, low: str, evidence: AbstractSet[str]) -> Certainty | None:
    """What is certain of a clause that answers a question of the project, or takes something back."""
    technical = "has:tech" in evidence
    slots = {slot.name for slot in slots_in(text, technical=technical)}
    if "answer language" in slots:
        return Certainty("language", _INSTRUCTION, _CRITICAL, standing=True)
    if not _LASTING_SLOTS.isdisjoint(slots) and "cue:look" not in evidence:
        return Certainty("setting", _CONFIGURATION, _HIGH, standing=True)
    if technical and not _CHOSEN_SLOTS.isdisjoint(slots) and _QUIET.isdisjoint(evidence):
        return Certainty("decision", _DECISION, _HIGH)
    if retracted_in(text) and not _GUESS.search(low) and _RETRACTING.search(text):
        kind = _DECISION if technical else _INSTRUCTION
        return Certainty("retraction", kind, _HIGH)
    return None


_KINDS = {Reach.STANDING: _INSTRUCTION, Reach.TASK: _INSTRUCTION, Reach.CHOICE: _DECISION}
_LASTING_REACH = (Reach.STANDING, Reach.FACT)
_HOLDS = Certainty("plain", None, None, standing=True)
_REPORT = Certainty("report", MemoryType.IMPORTANT_ERROR, _HIGH)
_FAULTY = frozenset(
    ("cue:not", "cue:never", "cue:broken", "cue:error", "cue:ask", "cue:observe", "form:number")
)
"""Evidence without any of which a clause is not looked at as a plain report."""
_LASTING_SLOTS = frozenset(("test command", "theme", "name of project", "port"))
_CHOSEN_SLOTS = frozenset(
    ("database", "package manager", "frontend framework", "backend framework", "test tool")
)
_ASKING = LazyPattern(
    r"为什么|为啥|为何|怎么|(?:^|\s)(?:how come|why|por ?qu[eé]|pourquoi|warum|почему|зачем)\b|なぜ|なんで|どうして"
)
_HANDLED = LazyPattern(
    r"\berror[- ](?:handling|messages?|texts?|codes?)\b|[错錯][误誤](?:[处處]理|[信訊]息|[码碼])|エラーメッセージ"
    r"|\bпри (?:ошибк|сбо)|いらない|なくて"
)
"""Errors that are spoken of because of how they are to be treated; and what is not wanted, which is not missing."""
_BROKEN = frozenset(("cue:error", "cue:broken"))
_QUIET = frozenset(("cue:look", "cue:error", "cue:broken", "cue:ask", "cue:do-now"))
_RETRACTING = LazyPattern(
    r"(?i)\b(?:forget|never\s?mind|disregard|no longer (?:use|need|want)|stop using|any\s?more)\b|(?:不用|不要"
    r"|不需要|不再|别用|停用|弃用).{1,24}了"
    r"|不再(?:使用|需要|用)|忘掉|作废|もう使わない|забудь|больше не|olvida|ya no|esqueça"
)


_LASTING = frozenset(("cue:from-now-on", "cue:always", "cue:condition"))
_BINDING = frozenset(("cue:must", "cue:never", "cue:always", "cue:not", "cue:only", "has:capitals"))


def _binds(text: str, low: str) -> bool:
    """Tell a rule that is laid down from a guess at what must be the matter; `low` is the clause in lower case."""
    if not (_PROHIBITED.match(low) or _FORBIDDEN.search(text) or _REQUIRED.search(text)):
        return False
    return not _ASKING.search(low) and not _GUESS.search(low)


def is_note(text: str) -> bool:
    """Tell whether a whole message is a note to keep: one line that begins with a single "# " and asks nothing."""
    stripped = text.strip()
    if not stripped.startswith("# ") or stripped.endswith(("?", "？")):
        return False
    return "\n" not in stripped and len(stripped) <= LONGEST_PLAIN * 3


@lru_cache(maxsize=64)
def announces(heading: str) -> bool:
    """Tell whether a heading asks to remember what stands under it ("Remember:", "请记住：")."""
    return _EXPLICIT.match(heading) is not None or heading.strip("#* ：:").casefold() in _ANNOUNCING


_ANNOUNCING = frozenset(
    ("remember", "keep in mind", "don't forget", "记住", "請記住", "请记住", "запомни", "recuerda")
)
