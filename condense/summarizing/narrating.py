"""Get a summary out of a model; a flow that yields requests and does nothing itself.

In parts where the history is too long, again where the answer is no summary, compressed where it is too long.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from condense.errors import SummarizerError
from condense.summarizing.cleaning import cut_to, defused, unwrapped
from condense.summarizing.transcribing import into_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense.summarizing.config import SummarizingConfig
    from condense.summarizing.prompts import Question
    from condense.summarizing.requests import Flow, SummaryAnswer, SummaryRequest
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
        return unwrapped(answer.text)


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

    def compressed(self, text: str) -> Flow[str]:
        """Have a summary over its limit compressed to a third; an answer that is no better changes nothing."""
        for _ in range(self.config.compressions):
            tokens = self.count(text)
            if tokens <= self.question.limit:
                break
            shown = cut_to(text, self.question.window // 2, self.count)
            try:
                shorter = yield from self.account.ask(self.question.compress_request(shown, tokens))
            except SummarizerError as error:
                self.account.problems.append(f"compressing failed: {error.reason}")
                break
            if self.reject(shorter) is not None or self.count(shorter) >= tokens:
                self.account.problems.append("compressing gave nothing shorter")
                break
            text = shorter
        return text
