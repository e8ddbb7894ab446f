"""Settle a compaction with a model's narrative: verified, mended, planned, and checked again for what must be there.

The ledger already holds what the person said; the narrative is mended only with what neither it nor the ledger nor the
kept messages hold.  Where the whole does not fit, the narrative gets shorter; where nothing helps there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from condense.compaction import Request, plan_compaction
from condense.ledger import Ledger, read_ledger
from condense.reading import TextIndex
from condense.summarizing.cleaning import cut_to
from condense.verifying import Verification, is_retained, mend, verify
from memory.conversation import Form, Message, count_message, parse_message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.compaction import CompactionPlan
    from condense.ledger import History
    from condense.summarizing.config import SummarizingConfig
    from condense.verifying import Fact

SHORTER = (1.0, 0.6, 0.3)
"""Shares of the narrative that are tried in turn until the whole fits; chosen."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A compaction with a narrative.

    Attributes:
        plan: the plan to carry out.
        narrative: as it stands in it.
        verification: of the narrative before it was mended, beside what else stays.
        added: tokens that mending added.
    """

    plan: CompactionPlan
    narrative: str
    verification: Verification
    added: int


def settle(
    history: History, request: Request, narrative: str, limit: int, config: SummarizingConfig
) -> Settled | None:
    """Fit a narrative into a compaction, at most `limit` tokens of it; None where there is no room for one."""
    for share in SHORTER:
        text = cut_to(narrative, int(limit * share), request.count)
        settled = _settled(history, request, text, int(limit * share), config) if text else None
        if settled is not None:
            return settled
    return None


def _settled(
    history: History, request: Request, text: str, limit: int, config: SummarizingConfig
) -> Settled | None:
    first = plan_compaction(history, replace(request, narrative=text))
    if first.error is not None:
        return None
    found = verify(
        text,
        history.messages,
        memories=request.memories,
        recoverable={handle for action in first.actions for handle in action.handles},
        kept=_beside(history, first),
    )
    critical = [f for f in (*found.retained, *found.recoverable, *found.lost) if f.critical]
    own = TextIndex([text])
    wanted = replace(found, retained=tuple(f for f in found.retained if is_retained(f, own)))
    missing: tuple[Fact, ...] = ()
    for _ in range(2):
        mended = mend(
            text,
            replace(wanted, lost=tuple(dict.fromkeys((*missing, *wanted.lost)))),
            budget_tokens=limit,
            count=request.count,
            language="zh" if first.language == "zh" else "en",
            invented=config.invented,
        )
        plan = first if mended == text else plan_compaction(history, replace(request, narrative=mended))
        if plan.error is not None:
            return None
        shown = TextIndex([m.text for m in result_messages(history, plan)])
        missing = tuple(f for f in critical if not is_retained(f, shown))
        if not missing:
            return Settled(plan, mended, found, max(0, request.count(mended) - request.count(text)))
    return None


def result_messages(history: History, plan: CompactionPlan) -> list[Message]:
    """The compacted history that a plan makes."""
    form = Form(plan.form)
    return [
        history.messages[p.kept] if p.kept is not None else parse_message(p.made or {}, form)
        for p in plan.pieces
    ]


def _beside(history: History, plan: CompactionPlan) -> Sequence[Message]:
    """The compacted history without its narrative."""
    ledger = read_ledger(plan.summary)
    if ledger is None:
        return ()
    bare = replace(ledger, narrative="").render()
    return _swapped(history, plan, bare)


def _swapped(history: History, plan: CompactionPlan, text: str) -> list[Message]:
    form = Form(plan.form)
    return [
        history.messages[p.kept]
        if p.kept is not None
        else parse_message(_with_text(p.made or {}, plan.summary, text), form)
        for p in plan.pieces
    ]


def _with_text(value: Any, old: str, new: str) -> Any:
    """A JSON value with one text in it exchanged."""
    if isinstance(value, str):
        return new + value[len(old) :] if value.startswith(old) else value
    if isinstance(value, dict):
        return {key: _with_text(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_text(inner, old, new) for inner in value]
    return value


def plain_plan(history: History, request: Request, narrative: str) -> CompactionPlan:
    """Plan a compaction with nothing but the narrative for what is folded, as other agents do; for comparison."""
    plan = plan_compaction(history, replace(request, narrative=narrative, memories=(), project=()))
    ledger = read_ledger(plan.summary)
    if plan.error is not None or ledger is None:
        return plan
    bare = Ledger(language=ledger.language, folded=ledger.folded, reach=ledger.reach, narrative=narrative)
    text = bare.render()
    pieces = tuple(
        p if p.made is None else replace(p, made=_with_text(p.made, plan.summary, text)) for p in plan.pieces
    )
    after = replace(plan, pieces=pieces, summary=text)
    tokens = plan.overhead + sum(count_message(m, request.count) for m in result_messages(history, after))
    return replace(after, tokens_after=tokens)
