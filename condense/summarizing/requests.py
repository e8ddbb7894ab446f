"""What a summariser is asked and what it answers, one value in, one value out; and who asks it, sync or async.

A flow yields requests and is handed the answers (idea: httpx, `Auth.auth_flow`: one generator for both clients).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from condense.errors import SummarizerError
from memory.conversation import redact

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """One call of a model, plain text, no tools.

    `system`, `prompt`: the instructions, and the one user message: what is to be summarised, fenced, labelled
    as data.
    """

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
    """Run a flow to its end with an async summariser (a sync one blocks) and return its outcome.

    What the summariser raises goes into the flow as `SummarizerError`; interruption and cancellation go out.
    """
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
