"""What a summariser is asked and what it answers, one value in, one value out; its settings, prompts, and who asks it.

A flow yields requests and is handed the answers (idea: httpx, `Auth.auth_flow`: one generator for both clients).
Prompts are files, one a purpose and language, filled in one pass: no content is a placeholder.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from condense.errors import SummarizerError
from memory.conversation import redact

if TYPE_CHECKING:
    from condense.compaction import Condensation
    from condense.costs import Usage


T = TypeVar("T")

LONGEST_REASON = 300  # characters of a provider's complaint that are passed on; chosen


class Purpose(StrEnum):
    """What a request is for."""

    SUMMARY = "summary"
    PART = "part"
    MERGE = "merge"
    UPDATE = "update"
    COMPRESS = "compress"
    LINE = "line"
    OVERFLOW = "overflow"
    TOPICS = "topics"


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """One call of a model, plain text, no tools; `prompt` is what is to be summarised, fenced, labelled as data."""

    purpose: Purpose  # what it is for
    system: str
    prompt: str
    max_tokens: int = 4096  # tokens the answer may have, a model's thinking included
    temperature: float | None = None  # 0 to 1; None leaves it to the model


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """What a model answered."""

    text: str  # its text, all of it, unchecked
    usage: Usage | None = None  # tokens charged, None where the provider did not say
    cost: float | None = None  # US dollars, None where the price is unknown
    model: str = ""  # the model that answered, "" where unknown
    cut: bool = False  # the model stopped because the answer became too long


Summarizer = Callable[[SummaryRequest], SummaryAnswer | str]
"""Any callable of one request; a bare string is taken as the answer's text.  Whatever it raises is survived."""
AsyncSummarizer = Callable[[SummaryRequest], Awaitable[SummaryAnswer | str]]  # the same, awaited
Flow = Generator[SummaryRequest, SummaryAnswer, T]
"""Yields requests, is sent answers, or has a `SummarizerError` thrown in where there was none; returns the outcome."""


async def adrive(flow: Flow[T], summarizer: AsyncSummarizer | Summarizer) -> T:
    """Run a flow to its end with a summariser; what that raises goes into the flow as `SummarizerError`."""
    try:
        request = next(flow)
        while True:
            try:
                reply: object = summarizer(request)
                reply = await reply if inspect.isawaitable(reply) else reply
                answer = SummaryAnswer(reply) if isinstance(reply, str) else reply
                if not isinstance(answer, SummaryAnswer):
                    raise TypeError(  # noqa: TRY301  # told like all else that it may do wrong
                        f"the summariser returned {type(reply).__name__}; it should return SummaryAnswer or str"
                    )
            except Exception as error:  # noqa: BLE001  # a plug-in may raise anything
                request = flow.throw(_failure(error))
            else:
                request = flow.send(answer)
    except StopIteration as end:
        outcome: T = end.value
        return outcome
    finally:
        flow.close()


def drive(flow: Flow[T], summarizer: Summarizer) -> T:
    """Do the same with a sync summariser."""
    return finished(adrive(flow, blocking(summarizer)))


def finished(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing, as one that asks a `blocking` summariser."""
    try:
        work.send(None)
    except StopIteration as end:
        outcome: T = end.value
        return outcome
    raise RuntimeError("it waits for something")


def blocking(summarizer: AsyncSummarizer | Summarizer) -> Callable[[SummaryRequest], Any]:
    """A summariser that may only be sync; an async one fails when it is asked."""

    def ask(request: SummaryRequest) -> object:
        reply: object = summarizer(request)
        if inspect.isawaitable(reply):
            if inspect.iscoroutine(reply):
                reply.close()
            raise TypeError("the summariser is async; use asummarize_conversation")
        return reply

    return ask


def _failure(error: Exception) -> SummarizerError:
    if isinstance(error, SummarizerError):
        return error
    said = " ".join(redact(f"{type(error).__name__}: {error}").split())
    failure = SummarizerError(said[:LONGEST_REASON])
    failure.__cause__ = error
    return failure


LEAST_ANSWER = 4_096  # tokens an answer may have at least: models that think spend them first (chosen)
PER_TOKEN = {"words": 0.42, "characters": 2.4}
"""What a token is worth: words (0.44 in summaries full of names), or characters (2.5 to 2.8 in Chinese and Japanese)
where words stand without spaces; a little less than measured, so that limits are kept."""


@cache
def template(name: str, language: str) -> str:
    """Read a prompt's text; `FileNotFoundError` where there is no such prompt."""
    path = files("condense.summarizing") / "prompts" / language / f"{name}.md"
    return path.read_text(encoding="utf-8").rstrip("\n")


def prompt(name: str, language: str, **values: object) -> str:
    """Fill a prompt; what is filled in is never read as a prompt itself, a missing value is a `KeyError`."""
    return re.sub(r"\{\{(\w{1,40})\}\}", lambda place: str(values[place[1]]), template(name, language))


def fenced(name: str, content: str) -> str:
    """Put a content between tags that it cannot close: they carry the content's own digest."""
    mark = blake2b(content.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f'<{name} id="{mark}">\n{content}\n</{name} id="{mark}">'


@dataclass(frozen=True, slots=True)
class Question:
    """What a summary is asked with."""

    language: str  # of the prompts, "en" or "zh"
    limit: int  # tokens the summary should have at most, and the model takes
    window: int
    memories: str = ""  # the memory summary that must be carried, and lines from earlier tasks
    project: tuple[str, ...] = ()
    custom: str = ""  # the person's own instructions, in place of our sections
    previous: str = ""  # the summary so far
    alone: bool = False  # neither the person's rules nor their requests stand beside the summary

    @property
    def answer_tokens(self) -> int:
        """Tokens an answer may have: generous, but never more than a quarter of the window."""
        return min(max(LEAST_ANSWER, 2 * self.limit), self.window // 4)

    @property
    def overhead(self) -> str:
        """All that a request holds beside the transcript, for counting."""
        return "\n\n".join([self._system(), *self._context(), self._say("ask")])

    def summary_request(self, transcript: str, note: str = "") -> SummaryRequest:
        """Ask for the summary of a transcript; `note` says why the last answer was not good enough."""
        purpose = Purpose.UPDATE if self.previous.strip() else Purpose.SUMMARY
        return self._request(purpose, *self._context(), self._transcript(transcript), note=note)

    def part_request(self, transcript: str, number: int, total: int) -> SummaryRequest:
        """Ask for the summary of one part of a long transcript; the first carries the summary so far."""
        told = self._say("part", number=number, total=total)
        context = self._context() if number == 1 else []
        written = self._transcript(transcript, f" ({number}/{total})")
        return self._request(Purpose.PART, *context, written, extra=(told,))

    def merge_request(self, summaries: tuple[str, ...], note: str = "") -> SummaryRequest:
        """Ask for one summary of the summaries of parts."""
        parts = self._say("merge", parts="\n\n".join(fenced("part-summary", text) for text in summaries))
        context = replace(self, project=(), previous="")._context()  # noqa: SLF001  # of its own kind
        return self._request(Purpose.MERGE, *context, parts, note=note)

    def compress_request(self, summary: str, tokens: int) -> SummaryRequest:
        """Ask for a summary in so many tokens at most."""
        told = self._say("compress", **_size(tokens), summary=fenced("summary", summary))
        system = f"{self._say('role', **_size(tokens))}\n\n{self._say('security')}"
        return SummaryRequest(Purpose.COMPRESS, system, told, self.answer_tokens)

    def _say(self, name: str, **values: object) -> str:
        return prompt(name, self.language, **values)

    def _system(self, *extra: str) -> str:
        shape = self._say("custom", custom=self.custom) if self.custom.strip() else self._say("sections")
        role = self._say("role", **_size(self.limit))
        alone = [self._say("alone")] if self.alone else []
        return "\n\n".join([role, shape, *alone, *extra, self._say("security")])

    def _context(self) -> list[str]:
        lines = "\n".join(f"- {line}" for line in self.project)
        told = (
            ("memories", "memories", self.memories),
            ("project", "project-memories", lines),
            ("previous", "previous-summary", self.previous),
        )
        return [self._say(name, **{name: fenced(tag, text)}) for name, tag, text in told if text.strip()]

    def _transcript(self, text: str, which: str = "") -> str:
        return self._say("transcript", which=which, transcript=fenced("transcript", text))

    def _request(
        self, purpose: Purpose, *blocks: str, extra: tuple[str, ...] = (), note: str = ""
    ) -> SummaryRequest:
        retry = [self._say("retry", reason=note)] if note else []
        asked = "\n\n".join([*blocks, *retry, self._say("ask")])
        return SummaryRequest(purpose, self._system(*extra), asked, self.answer_tokens)


def _size(tokens: int) -> dict[str, int]:
    return {unit: max(20, int(tokens * rate)) for unit, rate in PER_TOKEN.items()}


MOST_DOUBLINGS = 4  # the wait grows to 16 times the setting and no further; chosen


class SummarizingConfig(BaseModel):
    """How a model is asked and how far it is believed; frozen, checked when made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window: int = Field(default=128_000, ge=2_000)  # the model's; longer histories are summarised in parts
    limit: int = Field(default=1_000, ge=50)  # tokens from which a running summary is compressed to a third
    share: float | None = Field(default=None, gt=0, le=0.8)  # of a target, for the narrative; None: by its size
    most: int = Field(default=4_000, ge=50)  # tokens of a narrative in a compaction, whatever its share
    compressions: int = Field(default=2, ge=0, le=5)  # of one summary over its limit
    retries: int = Field(default=1, ge=0, le=5)  # of a rejected answer, the reasons given
    result_tokens: int = Field(default=1_500, ge=100)  # to which one tool output is reduced for the model
    invented: Literal["mark", "remove"] = "mark"  # lines that quote, rule or confirm what nobody said
    growth: float = Field(default=0.05, ge=0, le=1)  # of the context between automatic compactions


@dataclass(frozen=True, slots=True)
class Pacing:
    """What is remembered between automatic compactions of one conversation; start with `Pacing()`.

    After every failure (nothing gained) the wait grows, and ends by itself when the context has grown.
    """

    size: int = 0  # tokens of the context after the last attempt, 0 before the first
    failures: int = 0  # attempts in a row that saved less than the floor

    def waits_for(self, growth: float) -> int:
        """Return the tokens from which the next automatic compaction may run."""
        return int(self.size * (1 + growth * 2 ** min(self.failures, MOST_DOUBLINGS)))

    def after(self, done: Condensation, *, floor: float = 0.05) -> Pacing:
        """Return the pacing after an attempt; one that saved less than `floor` of the context is a failure."""
        before, now = done.prev_context_tokens, done.new_context_tokens
        if done.record is not None and before - now >= floor * before:
            return Pacing(size=now)
        return replace(self, size=now or before, failures=self.failures + 1)
