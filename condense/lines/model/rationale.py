"""Lines that say why: what was decided, on what ground, what caused a failure, what was found, what is left to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.lines.sources import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense.lines.model.scores import ScoredLine
    from condense.lines.sources import LineSource

_SAYS_WHY_IN_LATIN = r"""\b(?:
        because|since|therefore|thus|hence|so\ that|due\ to|instead\ of|rather\ than|the\ reason|reasons?:|rationale|
        decided|decision|chosen?|choosing|choose|prefer(?:red|s)?|recommend(?:ed|ation|s)?|alternatives?|reject(?:ed)?|
        trade-?offs?|safer|simpler|better\ to|best\ (?:option|approach|fit)|go(?:ing)?\ with|
        root\ cause|cause[ds]?|caused\ by|turns\ out|the\ (?:problem|issue|fix|bug|culprit)\ (?:is|was)|
        alternatively|no\ longer|without\ \w{2,20}ing|so\ (?:you|we|it|they|users?)|to\ avoid|avoid(?:s|ed|ing)|
        in\ order\ to|(?:this|which)\ means|workarounds?|intentionally|deliberately|on\ purpose|
        found\ (?:that|out|the)|confirmed|verified|fixed|resolved|works?\ now|not\ yet|remaining|
        still\ (?:fails?|missing|open|needs?)|
        next\ steps?|left\ to\ do|
        cannot|can't|can\ not|unable\ to|does(?:\ not|n't)|do(?:\ not|n't)\ (?:support|work|exist|allow|have)|
        porque|por\ (?:eso|isso|lo\ tanto|tanto)|portanto|decidi(?:mos|do|r)?|motivos?|causas?|recomend\w{1,5}|problema|
        falta(?:m|n)?|en\ (?:vez|lugar)|em\ vez|parce\ qu|donc|choisi|raison|recommand\w{1,5}|reste|au\ lieu|
        weil|deshalb|daher|entschied\w{1,4}|grund|ursache|empfehl\w{1,4}|gefunden|statt|noch\ (?:nicht|offen)|
        not\ supported|only\ (?:works?|supports?|when|if)|limit(?:ed|s|ation)|
        assum(?:e|ed|ing|ption)|conclu(?:de|ded|sion)
    )\b"""
SAYS_WHY = re.compile(_SAYS_WHY_IN_LATIN, re.VERBOSE)
SAYS_WHY_ANYWHERE = re.compile(
    _SAYS_WHY_IN_LATIN
    + r"""
    |因[为為]|由[于於]|所以|因此|原因|[决決]定|[选選][择擇用]|[采採]用|改用|建[议議]|推[荐薦]|方案|[优優]先|[结結][论論]|根因|[导導]致
    |[问問][题題](?:是|在[于於]|出在)|[发發][现現]|[确確][认認]|已修[复復]|已解[决決]|修[复復]了
    |尚未|[还還][没沒]|剩下|下一步|替代|放[弃棄]|而不?是|[关關][键鍵]|避免|以便|否[则則]
    |不支[持援]|不能|[无無]法|不[会會]|只能|限制|不存在
    |raz[óã]o|razón|próxim|decidí|nächste|causé
    |потому|поэтому|причин|реши|выбра|рекоменд|нашл|найден|подтвер|осталось|следующ|вместо
    |ため|ので|なぜなら|理由|原因|決め|採用|代わりに|代替|次に|未対応|できません|できない|切り替え|避け
    """,
    re.VERBOSE,
)
"""Cues of decisions and their grounds, causes, findings and open ends, for text in lower case: of English and, shorter,
of the larger European languages; and those beside Chinese, Japanese and Russian ones."""


LABELLED = re.compile(
    r"""[-+*>|#\d.)\s]{0,12}\*{0,2}(?:
        decision|decided|rationale|reason(?:ing)?|why|alternatives?(?:\ considered)?|rejected|trade-?offs?|
        consequences?|assumptions?|constraints?|root\ cause|cause|conclusion|outcome|status|next\ steps?|
        open\ questions?|risks?|blockers?
    )\*{0,2}\s?[:：]
    |[-+*>|#\d.)\s]{0,12}\*{0,2}(?:决定|决策|理由|原因|备选(?:方案)?|替代方案|结论|根因|约束|假设|风险|下一步|待办)\*{0,2}\s?[:：]""",
    re.IGNORECASE | re.VERBOSE,
)
"""How lines of design notes, plans and decision records begin (after Nygard's architecture decision records)."""


def is_labelled(line: str) -> bool:
    """Say whether a line of a written document is labelled as a decision, its ground, or what is open."""
    return LABELLED.match(line) is not None


def says_why(line: str) -> bool:
    """Say whether a line of the assistant's words tells a decision, a ground, a cause, a finding or an open end."""
    return _reasons(line) > 0


def _reasons(line: str) -> int:
    """How many different cues of reasons a line has, up to `MANY`; a label is one."""
    cues = SAYS_WHY if line.isascii() else SAYS_WHY_ANYWHERE
    low = line.lower()  # a third of the time of ignoring case
    first = cues.search(low)
    if first is None:
        return int(is_labelled(line))
    return MANY if any(other[0] != first[0] for other in cues.finditer(low, first.end())) else 1


MANY = 2
"""Different cues from which a line says why beyond doubt; chosen."""


def _label(line: str) -> int:
    return int(is_labelled(line))


_LOOKS = {
    LineKind.SAID: _reasons,
    LineKind.WRITTEN: _label,
    LineKind.PATCH: _label,
    LineKind.NEW: _label,
}
"""What tells a line that says why, by the kind of its source."""


def telling_keys(sources: Sequence[LineSource], lines: Iterable[ScoredLine]) -> dict[str, int]:
    """Keys of the lines that say why, with how many cues of it they have (1 or 2, for more).

    They are sentences of the assistant, and labelled lines of what it wrote.
    """
    looks = [_LOOKS.get(source.kind) for source in sources]
    found: dict[str, int] = {}
    for line in lines:
        look = looks[line.source]
        if look is not None and (cues := look(line.key)):
            found[line.key] = cues
    return found
