"""Settle a compaction with a model's narrative: verified, mended, planned, and checked again for what must be there.

The ledger already holds what the person said; the narrative is mended only with what neither it nor the ledger nor the
kept messages hold.  Where the whole does not fit, the narrative gets shorter; where nothing helps there is none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from condense.compaction import Request, plan_compaction
from condense.ledger import Ledger, read_ledger
from condense.reading import TextIndex
from condense.summarizing.cleaning import cut_to
from condense.verifying import is_retained, mend, verify
from memory.conversation import Form, Message, count_message, parse_message

if TYPE_CHECKING:
    from condense.compaction import CompactionPlan
    from condense.ledger import History
    from condense.verifying import Fact

SHORTER = (1.0, 0.6, 0.3)  # shares of the narrative that are tried in turn until the whole fits; chosen


def settle(
    history: History, request: Request, narrative: str, limit: int, invented: Literal["mark", "remove"]
) -> tuple[CompactionPlan, tuple[str, ...]] | None:
    """Fit what a model wrote, at most `limit` tokens of it, into a compaction: the plan, and notes on what was mended.

    `invented` is as in `mend`; None where there is no room for a narrative.
    """
    for share in SHORTER:
        room = int(limit * share)
        text = cut_to(narrative, room, request.count)
        settled = _settled(history, request, text, room, invented) if text else None
        if settled is not None:
            return settled
    return None


def _settled(
    history: History, request: Request, text: str, limit: int, invented: Literal["mark", "remove"]
) -> tuple[CompactionPlan, tuple[str, ...]] | None:
    first = plan = plan_compaction(history, replace(request, narrative=text))
    if first.error is not None:
        return None
    ledger = read_ledger(first.summary)
    bare = replace(ledger, narrative="").render() if ledger is not None else ""
    found = verify(
        text,
        history.messages,
        memories=request.memories,
        recoverable={handle for action in first.actions for handle in action.handles},
        kept=_result(history, _retold(first, bare)) if bare else (),
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
            invented=invented,
        )
        plan = first if mended == text else plan_compaction(history, replace(request, narrative=mended))
        if plan.error is not None:
            return None
        shown = TextIndex([m.text for m in _result(history, plan)])
        missing = tuple(f for f in critical if not is_retained(f, shown))
        if not missing:
            notes = (
                f"the model's summary beside the record: {len(found.retained)} facts in sight, "
                f"{len(found.recoverable)} within reach, {len(found.lost)} lost, {len(found.invented)} made up"
            )
            added = request.count(mended) - request.count(text)
            return plan, (notes, f"mending added {added} tokens") if added > 0 else (notes,)
    return None


def plain_plan(history: History, request: Request, narrative: str) -> CompactionPlan:
    """Plan a compaction with nothing but the narrative for what is folded, as other agents do; for comparison."""
    plan = plan_compaction(history, replace(request, narrative=narrative, memories=(), project=()))
    ledger = read_ledger(plan.summary)
    if plan.error is not None or ledger is None:
        return plan
    bare = Ledger(language=ledger.language, folded=ledger.folded, reach=ledger.reach, narrative=narrative)
    after = _retold(plan, bare.render())
    tokens = plan.overhead + sum(count_message(m, request.count) for m in _result(history, after))
    return replace(after, tokens_after=tokens)


def _result(history: History, plan: CompactionPlan) -> list[Message]:
    form = Form(plan.form)
    return [
        history.messages[p.kept] if p.kept is not None else parse_message(p.made or {}, form)
        for p in plan.pieces
    ]


def _retold(plan: CompactionPlan, text: str) -> CompactionPlan:
    """A plan with another text in the place of its summary."""

    def exchanged(value: Any) -> Any:
        if isinstance(value, str):
            return text + value.removeprefix(plan.summary) if value.startswith(plan.summary) else value
        if isinstance(value, dict):
            return {key: exchanged(inner) for key, inner in value.items()}
        return list(map(exchanged, value)) if isinstance(value, list) else value

    pieces = tuple(p if p.made is None else replace(p, made=exchanged(p.made)) for p in plan.pieces)
    return replace(plan, pieces=pieces, summary=text)
