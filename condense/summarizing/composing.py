"""Compose what a model is asked: instructions from the prompt files, contents fenced and labelled."""

from __future__ import annotations

from dataclasses import dataclass

from condense.summarizing.prompts import fenced, prompt
from condense.summarizing.requests import Purpose, SummaryRequest

LEAST_ANSWER = 4_096
"""Tokens an answer may have at least: models that think spend them first (chosen)."""
WORDS_PER_TOKEN = {"en": 0.7, "zh": 0.9}
"""Words or Chinese characters that a token is worth, a little less than usual; chosen, so that limits are kept."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a summary is asked with.

    Attributes:
        language: of the prompts, "en" or "zh".
        limit: tokens the summary should have at most.
        window: tokens the model takes.
        memories: the memory summary that must be carried, "" without.
        project: lines from earlier tasks.
        custom: the person's own instructions, in place of our sections; "" without.
        previous: the summary so far, "" without.
    """

    language: str
    limit: int
    window: int
    memories: str = ""
    project: tuple[str, ...] = ()
    custom: str = ""
    previous: str = ""

    @property
    def answer_tokens(self) -> int:
        """Tokens an answer may have: generous, but never more than a quarter of the window."""
        return min(max(LEAST_ANSWER, 2 * self.limit), self.window // 4)

    @property
    def words(self) -> int:
        """The limit in words, or Chinese characters."""
        return words_of(self.limit, self.language)

    def system(self, *extra: str) -> str:
        """The instructions."""
        told = prompt("custom", self.language, custom=self.custom) if self.custom.strip() else ""
        shape = told or prompt("sections", self.language)
        role = prompt("role", self.language, words=self.words)
        return "\n\n".join([role, shape, *extra, prompt("security", self.language)])

    def context(self) -> list[str]:
        """What stands before the transcript: what must be carried, and the summary so far."""
        blocks: list[str] = []
        if self.memories.strip():
            memories = fenced("memories", self.memories)
            blocks.append(prompt("memories", self.language, memories=memories))
        if self.project:
            lines = "\n".join(f"- {line}" for line in self.project)
            blocks.append(prompt("project", self.language, project=fenced("project-memories", lines)))
        if self.previous.strip():
            previous = fenced("previous-summary", self.previous)
            blocks.append(prompt("previous", self.language, previous=previous))
        return blocks


def words_of(tokens: int, language: str) -> int:
    """Tokens as words, or Chinese characters."""
    return max(20, int(tokens * WORDS_PER_TOKEN.get(language, 0.7)))


def summary_request(question: Question, transcript: str, note: str = "") -> SummaryRequest:
    """Ask for the summary of a transcript; `note` says why the last answer was not good enough."""
    purpose = Purpose.UPDATE if question.previous.strip() else Purpose.SUMMARY
    return _request(question, purpose, question.context(), transcript, note=note)


def part_request(question: Question, transcript: str, number: int, total: int) -> SummaryRequest:
    """Ask for the summary of one part of a long transcript; the first carries the summary so far."""
    told = prompt("part", question.language, number=number, total=total)
    which = f" ({number}/{total})"
    context = question.context() if number == 1 else []
    return _request(question, Purpose.PART, context, transcript, told, which=which)


def merge_request(question: Question, summaries: tuple[str, ...], note: str = "") -> SummaryRequest:
    """Ask for one summary of the summaries of parts."""
    parts = "\n\n".join(fenced("part-summary", text) for text in summaries)
    blocks = Question(question.language, question.limit, question.window, question.memories).context()
    blocks += [prompt("merge", question.language, parts=parts), *_notes(question, note)]
    blocks.append(prompt("ask", question.language))
    return SummaryRequest(Purpose.MERGE, question.system(), "\n\n".join(blocks), question.answer_tokens)


def compress_request(question: Question, summary: str, tokens: int) -> SummaryRequest:
    """Ask for a summary at a third of its length."""
    words = min(question.words, words_of(tokens // 3, question.language))
    told = prompt("compress", question.language, words=words, summary=fenced("summary", summary))
    system = "\n\n".join(
        [prompt("role", question.language, words=words), prompt("security", question.language)]
    )
    return SummaryRequest(Purpose.COMPRESS, system, told, question.answer_tokens)


def overhead_of(question: Question) -> str:
    """All that a request holds beside the transcript, for counting."""
    return "\n\n".join([question.system(), *question.context(), prompt("ask", question.language)])


def _request(
    question: Question,
    purpose: Purpose,
    context: list[str],
    transcript: str,
    *extra: str,
    which: str = "",
    note: str = "",
) -> SummaryRequest:
    told = prompt("transcript", question.language, which=which, transcript=fenced("transcript", transcript))
    blocks = [*context, told, *_notes(question, note), prompt("ask", question.language)]
    return SummaryRequest(purpose, question.system(*extra), "\n\n".join(blocks), question.answer_tokens)


def _notes(question: Question, note: str) -> list[str]:
    return [prompt("retry", question.language, reason=note)] if note else []
