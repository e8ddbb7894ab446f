"""Get a summary out of a model; a flow that yields requests and does nothing itself.

In parts where the history is too long, again where the answer is no summary, compressed where it is too long.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from condense.costs import Usage
from condense.errors import SummarizerError
from condense.summarizing.cleaning import cut_to, defused, unwrapped
from condense.summarizing.composing import (
    Question,
    compress_request,
    merge_request,
    overhead_of,
    part_request,
    summary_request,
)
from condense.summarizing.transcribing import into_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense.summarizing.config import SummarizingConfig
    from condense.summarizing.requests import Flow, SummaryAnswer, SummaryRequest
    from memory.conversation import TokenCounter

SAFETY = 0.1
"""Share of the model's window that stays free, because its own counter is not at hand; as documented for tiers."""


@dataclass(slots=True)
class Account:
    """What the calls of one flow came to.

    Attributes:
        answers: in order.
        problems: what went wrong on the way, in words.
    """

    answers: list[SummaryAnswer] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def cost(self) -> float | None:
        """US dollars of all calls; None where the price of one is unknown."""
        costs = [answer.cost for answer in self.answers]
        return None if None in costs else float(sum(c for c in costs if c is not None))

    @property
    def usage(self) -> Usage:
        """Tokens of all calls that were reported."""
        return sum((answer.usage for answer in self.answers if answer.usage is not None), Usage())

    def ask(self, request: SummaryRequest) -> Flow[str]:
        """Ask once and return the answer's text without what models put around it."""
        answer = yield request
        self.answers.append(answer)
        return unwrapped(answer.text)


def narrate(
    question: Question,
    entries: Sequence[str],
    config: SummarizingConfig,
    *,
    count: TokenCounter,
    reject: Callable[[str], str | None],
    account: Account,
) -> Flow[str | None]:
    """Get a summary of a transcript, within its limit.

    Args:
        question: what to ask with.
        entries: the transcript, one text a message.
        config: retries and compressions.
        count: counts tokens.
        reject: says why a text is no summary, or None.
        account: takes up answers and problems.

    Returns:
        The summary, cleaned, at most `question.limit` tokens; None where there is none: `account` says why.
    """
    try:
        requests = yield from _requests(question, entries, count, account)
    except SummarizerError as error:
        account.problems.append(f"the model did not answer: {error.reason}")
        return None
    text = yield from _accepted(requests, config.retries, reject, account)
    if text is None:
        return None
    text = yield from compressed(question, text, config.compressions, count, reject, account)
    return cut_to(defused(text), question.limit, count) or None


def _requests(
    question: Question, entries: Sequence[str], count: TokenCounter, account: Account
) -> Flow[Callable[[str], SummaryRequest]]:
    """Return how the whole is asked for, the parts of a long history being summarised first."""
    room = int(question.window * (1 - SAFETY)) - question.answer_tokens - count(overhead_of(question))
    room = max(room, question.window // 8)
    parts = into_parts(entries, room, count)
    if len(parts) <= 1:
        whole = parts[0] if parts else ""
        return lambda note: summary_request(question, whole, note)
    summaries: list[str] = []
    for number, part in enumerate(parts, 1):
        text = yield from account.ask(part_request(question, part, number, len(parts)))
        if text.strip():
            summaries.append(cut_to(defused(text), question.answer_tokens, count))
    while len(summaries) > 1 and sum(map(count, summaries)) > room:
        groups = into_parts(summaries, max(room // 2, 1), count)
        if len(groups) >= len(summaries):
            break
        merged: list[str] = []
        for number, group in enumerate(groups, 1):
            text = yield from account.ask(part_request(question, group, number, len(groups)))
            merged.append(cut_to(defused(text), question.answer_tokens, count))
        summaries = merged
    kept = tuple(cut_to(text, max(1, room // len(summaries)), count) for text in summaries)
    return lambda note: merge_request(question, kept, note)


def _accepted(
    requests: Callable[[str], SummaryRequest],
    retries: int,
    reject: Callable[[str], str | None],
    account: Account,
) -> Flow[str | None]:
    """Ask until an answer is a summary; every reason is told to the model once."""
    note = ""
    for _ in range(1 + retries):
        try:
            text = yield from account.ask(requests(note))
        except SummarizerError as error:
            account.problems.append(f"the model did not answer: {error.reason}")
            if not error.retriable:
                return None
            continue
        reason = reject(text)
        if reason is None:
            if account.answers[-1].cut:
                account.problems.append("the model's summary was cut off at its limit")
            return text
        account.problems.append(f"the model's summary was rejected: {reason}")
        note = reason
    return None


def compressed(
    question: Question,
    text: str,
    times: int,
    count: TokenCounter,
    reject: Callable[[str], str | None],
    account: Account,
) -> Flow[str]:
    """Have a summary over its limit compressed to a third; an answer that is no better changes nothing."""
    for _ in range(times):
        tokens = count(text)
        if tokens <= question.limit:
            break
        shown = cut_to(text, question.window // 2, count)
        try:
            shorter = yield from account.ask(compress_request(question, shown, tokens))
        except SummarizerError as error:
            account.problems.append(f"compressing failed: {error.reason}")
            break
        if reject(shorter) is not None or count(shorter) >= tokens:
            account.problems.append("compressing gave nothing shorter")
            break
        text = shorter
    return text
