"""Get a summary out of a model, and fit it into a compaction; a flow that yields requests and does nothing itself.

In parts where the history is too long, again where the answer is no summary, compressed where it is too long.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from condense.compaction import Request, plan_compaction
from condense.errors import SummarizerError
from condense.ledger import Ledger, read_ledger
from condense.reading import TextIndex
from condense.summarizing.transcribing import cut_to, defused, into_parts, unwrapped
from condense.verifying import is_retained, mend, verify
from memory.conversation import Form, Message, count_message, parse_message
from memory.extraction import carried_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense.compaction import CompactionPlan
    from condense.ledger import History
    from condense.summarizing.requests import Flow, Question, SummarizingConfig, SummaryAnswer, SummaryRequest
    from condense.verifying import Fact
    from memory.conversation import TokenCounter


SAFETY = 0.1
"""Share of the model's window that stays free, because its own counter is not at hand; as documented for tiers."""


@dataclass(slots=True)
class Account:
    """What the calls of one flow came to: the answers in order, and what went wrong on the way, in words."""

    answers: list[SummaryAnswer] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def cost(self) -> float | None:
        """US dollars of all calls; None where the price of one is unknown."""
        costs = [answer.cost for answer in self.answers]
        return None if None in costs else float(sum(c for c in costs if c is not None))

    def ask(self, request: SummaryRequest) -> Flow[str]:
        """Ask once and return the answer's text without what models put around it."""
        answer = yield request
        self.answers.append(answer)
        return unwrapped(answer.text or "")  # an SDK may say None


@dataclass(slots=True)
class Narrator:
    """Asks for one summary with a question; `reject` says why a text is no summary, or None."""

    question: Question
    config: SummarizingConfig
    count: TokenCounter
    reject: Callable[[str], str | None]
    account: Account

    def narrate(self, entries: Sequence[str]) -> Flow[str | None]:
        """A summary of a transcript, cleaned, of at most `question.limit` tokens; None where `account` says why."""
        try:
            asked = yield from self._requests(entries)
        except SummarizerError as error:
            self.account.problems.append(f"the model did not answer: {error.reason}")
            return None
        text = yield from self._accepted(asked)
        if text is None:
            return None
        text = yield from self.compressed(text)
        return cut_to(defused(text), self.question.limit, self.count) or None

    def _requests(self, entries: Sequence[str]) -> Flow[Callable[[str], SummaryRequest]]:
        question, count = self.question, self.count
        room = int(question.window * (1 - SAFETY)) - question.answer_tokens - count(question.overhead)
        room = max(room, question.window // 8)
        texts = into_parts(entries, room, count)
        if len(texts) <= 1:
            return partial(question.summary_request, "".join(texts))
        summaries = yield from self._summarised(texts)
        while len(summaries) > 1 and sum(map(count, summaries)) > room:
            texts = into_parts(summaries, max(room // 2, 1), count)
            if len(texts) >= len(summaries):
                break
            summaries = yield from self._summarised(texts)
        kept = tuple(cut_to(text, max(1, room // len(summaries)), count) for text in summaries)
        return partial(question.merge_request, kept)

    def _summarised(self, texts: Sequence[str]) -> Flow[list[str]]:
        found = []
        for number, part in enumerate(texts, 1):
            text = yield from self.account.ask(self.question.part_request(part, number, len(texts)))
            if text.strip():
                found.append(cut_to(defused(text), self.question.answer_tokens, self.count))
        return found

    def _accepted(self, asked: Callable[[str], SummaryRequest]) -> Flow[str | None]:
        problems, note = self.account.problems, ""
        for _ in range(1 + self.config.retries):
            try:
                text = yield from self.account.ask(asked(note))
            except SummarizerError as error:
                problems.append(f"the model did not answer: {error.reason}")
                if not error.retriable:
                    return None
                continue
            reason = self.reject(text)
            if reason is None:
                if self.account.answers[-1].cut:
                    problems.append("the model's summary was cut off at its limit")
                return text
            problems.append(f"the model's summary was rejected: {reason}")
            note = reason
        return None

    def compressed(self, text: str, share: float = 1.0) -> Flow[str]:
        """Have a summary over its limit compressed to it, or to a share of its length where that is less.

        An answer that is no better changes nothing.
        """
        for _ in range(self.config.compressions):
            tokens = self.count(text)
            if tokens <= self.question.limit:
                break
            shown = cut_to(text, self.question.window // 2, self.count)
            to = min(self.question.limit, int(share * tokens))
            try:
                shorter = yield from self.account.ask(self.question.compress_request(shown, to))
            except SummarizerError as error:
                self.account.problems.append(f"compressing failed: {error.reason}")
                break
            if self.reject(shorter) is not None or self.count(shorter) >= tokens:
                self.account.problems.append("compressing gave nothing shorter")
                break
            text = shorter
        return text


TOLD, NAMED = frozenset({"rule", "ask", "error"}), 4.0
"""Kinds of lost facts that are told again, and the weight from which names are: typed, or of what was changed."""
SHORTER = (1.0, 0.6, 0.3)  # shares of the narrative that are tried in turn until the whole fits; chosen


def settle(
    history: History, request: Request, narrative: str, limit: int, invented: Literal["mark", "remove"]
) -> tuple[CompactionPlan, dict[str, int]] | None:
    """Fit what a model wrote, at most `limit` tokens of it, into a compaction: the plan, and `Report.checked`.

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
) -> tuple[CompactionPlan, dict[str, int]] | None:
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
    lost = tuple(f for f in found.lost if f.kind in TOLD or f.weight >= NAMED)
    missing: tuple[Fact, ...] = ()
    for _ in range(2):
        mended = mend(
            text,
            replace(wanted, lost=tuple(dict.fromkeys((*missing, *lost)))),
            budget_tokens=limit,
            count=request.count,
            language="zh" if first.language == "zh" else "en",
            invented=invented,
        )
        plan = first if mended == text else plan_compaction(history, replace(request, narrative=mended))
        if plan.error is not None:
            return None
        texts = [m.text for m in _result(history, plan)]
        shown = TextIndex([*texts, *(item for text in texts for item in carried_in(text))])
        missing = tuple(f for f in critical if not is_retained(f, shown))
        if not missing:
            names = ("retained", "recoverable", "lost", "invented")
            checked = {name: len(getattr(found, name)) for name in names}
            return plan, {**checked, "mended": max(0, request.count(mended) - request.count(text))}
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
        history.messages[p.kept] if p.kept is not None else parse_message(p.made or {}, form) for p in plan.pieces
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
