"""Summarisers for tests: one that answers from a script, and one that forgets, always the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense.summarizing import SummaryAnswer, SummaryRequest


class ScriptedSummarizer:
    """Answers with what it was given, in turn; the last answer again when the script is at its end.

    Args:
        answers: texts, answers, or exceptions to raise.

    Attributes:
        requests: what it was asked, in order.
    """

    def __init__(self, *answers: SummaryAnswer | str | BaseException) -> None:
        self._answers = answers or ("",)
        self.requests: list[SummaryRequest] = []

    def __call__(self, request: SummaryRequest) -> SummaryAnswer | str:
        """Answer a request."""
        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class AsyncScriptedSummarizer(ScriptedSummarizer):
    """The same, awaited."""

    async def __call__(self, request: SummaryRequest) -> SummaryAnswer | str:  # type: ignore[override]  # awaited
        """Answer a request."""
        return super().__call__(request)


class ForgetfulSummarizer:
    """Writes down, a line each, what it finds in a request, and leaves out every third: a model that forgets.

    It reads the dialogue and what it was told to carry over (the memory block) alike: each sentence that the
    person or the assistant wrote is one fact.  Deterministic.

    Args:
        every: which of the facts go: 3 for every third.
        most: facts it writes down at most.
    """

    def __init__(self, every: int = 3, most: int = 60) -> None:
        if every < 1:
            raise ValueError(f"every is {every!r}; it should be 1 or more")
        self._every = every
        self._most = most

    def __call__(self, request: SummaryRequest) -> str:
        """Answer a request."""
        facts = list(dict.fromkeys(_facts(request.prompt)))
        kept = [fact for number, fact in enumerate(facts, 1) if number % self._every]
        return "\n".join(["### State of the work", *(f"- {fact}" for fact in kept[: self._most])])


_ENTRY = re.compile(r"\[#\d{1,9} (\w{1,20})\]", re.ASCII)
_TAG = re.compile(r"</?[\w-]{1,40} id=\"[0-9a-f]{8}\">", re.ASCII)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s{0,9}")
_SHORTEST = 8


def _facts(prompt: str) -> Iterator[str]:
    voice = ""
    for line in prompt.split("\n"):
        entry = _ENTRY.match(line)
        if entry:
            voice = entry[1]
        elif _TAG.match(line):
            voice = "memories" if line.startswith("<memories") else ""
        elif voice in ("user", "assistant") or (voice == "memories" and line.startswith("- ")):
            for sentence in _SENTENCE.split(line.removeprefix("- ")):
                if len(sentence.strip()) >= _SHORTEST and not sentence.startswith("["):
                    yield sentence.strip()
