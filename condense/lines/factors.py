"""Factors on the worth of lines: what a reader needs beyond the names that a line brings.

Each row of `FACTORS` has a name, a value, and a condition that says how often the value counts (it is
the exponent). A condition looks at a source; where that does not decide, it hands back a judge of its lines.
"""

from __future__ import annotations

import re
from math import inf, log2
from typing import TYPE_CHECKING, NamedTuple

from condense.lines.sources import EDIT_KINDS, RESULT_KINDS, LineKind, reports
from condense.reading import STATE, frame_weights, is_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense.lines.scores import HistoryView, ScoredLine

    Judge = Callable[[ScoredLine], float]

MANY_CUES, HIDDEN_TWICE = 1.5, 2.5
"""How often two or more cues of a reason count, and a frame that tells nothing of the work; chosen."""
USUAL, LEAST_SIZE, LARGEST_SIZE = 2000, 200, 64_000
"""Characters of a result whose lines count as they are, and bounds of the sizes that are told apart; chosen."""

_NEW_TEXT = EDIT_KINDS - {LineKind.OLD}
_FRAME = re.compile(
    r"\[[\w.-]{2,60} for '.{0,1000}\] Result:"
    r"|<(?:file|files|content|path|operation|notice|file_write_result)\b.{0,300}>|</(?:file|files|content|file_write_result|notice)>"
)
"""What Roo, Cline and their like put around the result of a call."""
_FRAMED = re.compile(r"\[[\w.-]{2,60} for .{0,1000}\] Result:|<(?:files|file_write_result)>|<file><path>")
"""How such a result begins."""
_AMBIENT = ("<environment_context>", "<permissions instructions>", "<collaboration_mode>")
"""How Codex begins to tell of the folder, the date, and what the agent may do."""

_SAYS_WHY_IN_LATIN = r"""\b(?:
        because|since|therefore|thus|hence|so\ that|due\ to|instead\ of|rather\ than|the\ reason|reasons?:|
        rationale|decided|decision|chosen?|choosing|choose|prefer(?:red|s)?|recommend(?:ed|ation|s)?|
        alternatives?|reject(?:ed)?|trade-?offs?|safer|simpler|better\ to|best\ (?:option|approach|fit)|
        go(?:ing)?\ with|root\ cause|cause[ds]?|caused\ by|turns\ out|
        the\ (?:problem|issue|fix|bug|culprit)\ (?:is|was)|alternatively|no\ longer|without\ \w{2,20}ing|
        so\ (?:you|we|it|they|users?)|to\ avoid|avoid(?:s|ed|ing)|in\ order\ to|(?:this|which)\ means|
        workarounds?|intentionally|deliberately|on\ purpose|found\ (?:that|out|the)|confirmed|verified|fixed|
        resolved|works?\ now|not\ (?:yet|done)|remaining|still\ (?:fails?|missing|open|needs?)|next\ steps?|
        left\ to\ do|cannot|can't|can\ not|unable\ to|does(?:\ not|n't)|
        do(?:\ not|n't)\ (?:support|work|exist|allow|have)|porque|por\ (?:eso|isso|lo\ tanto|tanto)|portanto|
        decidi(?:mos|do|r)?|motivos?|causas?|recomend\w{1,5}|problema|falta(?:m|n)?|en\ (?:vez|lugar)|
        em\ vez|parce\ qu|donc|choisi|raison|recommand\w{1,5}|reste|au\ lieu|weil|deshalb|daher|
        entschied\w{1,4}|grund|ursache|empfehl\w{1,4}|gefunden|statt|noch\ (?:nicht|offen)|not\ supported|
        only\ (?:works?|supports?|when|if)|limit(?:ed|s|ation)|assum(?:e|ed|ing|ption)|conclu(?:de|ded|sion)
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
"""Cues of decisions, their grounds, causes, findings and open ends, for text in lower case."""

LABELLED = re.compile(
    r"""[-+*>|#\d.)\s]{0,12}\*{0,2}(?:
        decision|decided|rationale|reason(?:ing)?|why|alternatives?(?:\ considered)?|rejected|trade-?offs?|risks?|
        consequences?|assumptions?|constraints?|(?:root\ )?cause|conclusion|outcome|status|next\ steps?|blockers?|
        open\ questions?
    )\*{0,2}\s?[:：]
    |[-+*>|#\d.)\s]{0,12}\*{0,2}(?:决定|决策|理由|原因|备选(?:方案)?|替代方案|结论|根因|约束|假设|风险|下一步|待办)\*{0,2}\s?[:：]""",
    re.IGNORECASE | re.VERBOSE,
)
"""How lines of design notes, plans and decision records begin (after Nygard's architecture decision records)."""


def is_labelled(line: str) -> bool:
    """Say whether a line of a written document is labelled as a decision, its ground, or what is open."""
    return (":" in line or "：" in line) and LABELLED.match(line) is not None


def says_why(line: str) -> float:
    """How much a line of the assistant tells of a decision, a ground, a cause, a finding or an open end; 0 nothing."""
    cues = {found[0] for found in (SAYS_WHY if line.isascii() else SAYS_WHY_ANYWHERE).finditer(line.lower())}
    return (MANY_CUES if len(cues) > 1 else 1.0) if cues else float(is_labelled(line))


def _why(view: HistoryView, at: int) -> float | Judge:
    kind = view.sources[at].kind
    if kind is LineKind.SAID or reports(view.sources[at]):
        return lambda line: says_why(line.key)
    return (lambda line: is_labelled(line.key)) if kind in _NEW_TEXT else 0.0


def _frame(view: HistoryView, at: int) -> float | Judge:
    source, text = view.sources[at], view.texts[at]
    if source.kind is LineKind.USER:
        return HIDDEN_TWICE if text.startswith(_AMBIENT) else 0.0
    around: set[int] = set()
    if source.kind in RESULT_KINDS and _FRAMED.match(text.lstrip()):
        around |= {i for i, line in enumerate(source.lines) if line[:1] in "[<" and _FRAME.fullmatch(line)}
    if source.kind in RESULT_KINDS and STATE in text:
        around |= {i for i, weight in frame_weights(source.lines).items() if not weight}
    if not around:
        return 0.0
    # a client's table of things to do stands in the plan
    return lambda line: (inf if line.key[0] == "|" else 1.0) if line.line in around else 0.0


def _piece(view: HistoryView, at: int) -> float | Judge:
    read = view.sources[at].read
    return (lambda line: read.is_piece(line.line)) if read.pieces else 0.0


def _smallness(view: HistoryView, at: int) -> float:
    """In how many halvings a result is smaller than usual."""
    size = min(LARGEST_SIZE, max(LEAST_SIZE, len(view.texts[at])))
    return log2(USUAL / size) if view.sources[at].kind in RESULT_KINDS else 0.0


def _progress(view: HistoryView, at: int) -> float | Judge:
    is_output = view.sources[at].kind is LineKind.OUTPUT
    return (lambda line: inf if is_progress(line.key) else 0.0) if is_output else 0.0


def _of(*kinds: LineKind) -> Callable[[HistoryView, int], float]:
    return lambda view, at: view.sources[at].kind in kinds


class Factor(NamedTuple):
    """A row of the table: what it is called, its value, and how often the value counts for a source or its lines."""

    name: str
    value: float
    counts: Callable[[HistoryView, int], float | Judge]


FACTORS = (
    Factor("WHY", 4.0, _why),  # the assistant's reasons, and labelled lines of what it wrote
    Factor("FRAME", 0.3, _frame),  # what a client puts around a result or tells of itself
    Factor("PROGRESS", 0.3, _progress),  # bars of downloads
    Factor("PIECE", 0.4, _piece),  # of a line too long to be read as one: data, minified code
    Factor("EDIT", 1.7, _of(*EDIT_KINDS)),  # the newest state of a file
    Factor("SHOWN", 0.7, _of(LineKind.READ, LineKind.FOUND)),  # what can be read, or found, again
    Factor("THOUGHT", 4.0, _of(LineKind.THOUGHT)),  # unsigned thinking tells why, and no other line does
    Factor("SMALL", 1.13, _smallness),  # the longer a result, the less of it is needed
)


def weigh(view: HistoryView, lines: Sequence[ScoredLine]) -> tuple[list[float], dict[str, float]]:
    """The factor of each source, and of lines beside that by their keys (1 where missing): all rows multiplied."""
    by_source = [1.0] * len(view.sources)
    judges: list[list[tuple[float, Judge]]] = [[] for _ in view.sources]
    for factor in FACTORS:
        for at in range(len(view.sources)):
            counts = factor.counts(view, at)
            if callable(counts):
                judges[at].append((factor.value, counts))
            elif counts:
                by_source[at] *= factor.value**counts
    by_key: dict[str, float] = {}
    for line in lines:
        for value, judge in judges[line.source]:
            if counts := judge(line):
                by_key[line.key] = by_key.get(line.key, 1.0) * value**counts
    return by_source, by_key
