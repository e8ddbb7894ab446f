"""Drive a flow: hand its requests to a summariser and its answers back; what a summariser raises becomes one error.

Source of the idea: httpx, `Auth.auth_flow` (one generator for the sync and the async client).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, TypeVar

from condense.errors import SummarizerError
from condense.summarizing.requests import SummaryAnswer
from memory.conversation import redact

if TYPE_CHECKING:
    from condense.summarizing.requests import AsyncSummarizer, Flow, Summarizer, SummaryRequest

T = TypeVar("T")

LONGEST_REASON = 300
"""Characters of a provider's complaint that are passed on; chosen."""


def drive(flow: Flow[T], summarizer: Summarizer) -> T:
    """Run a flow to its end with a summariser and return its outcome.

    What the summariser raises goes into the flow as `SummarizerError`; an interruption (KeyboardInterrupt) goes out.
    """
    try:
        request = next(flow)
        while True:
            try:
                answer = _ask(summarizer, request)
            except Exception as error:  # noqa: BLE001  # a plug-in may raise anything
                request = flow.throw(_failure(error))
            else:
                request = flow.send(answer)
    except StopIteration as end:
        outcome: T = end.value
        return outcome
    finally:
        flow.close()


async def adrive(flow: Flow[T], summarizer: AsyncSummarizer | Summarizer) -> T:
    """Run a flow with an async summariser; a sync one is accepted and blocks.  Cancellation goes out."""
    try:
        request = next(flow)
        while True:
            try:
                reply = summarizer(request)
                answer = _answer(await reply if inspect.isawaitable(reply) else reply)
            except Exception as error:  # noqa: BLE001  # a plug-in may raise anything
                request = flow.throw(_failure(error))
            else:
                request = flow.send(answer)
    except StopIteration as end:
        outcome: T = end.value
        return outcome
    finally:
        flow.close()


def _ask(summarizer: Summarizer, request: SummaryRequest) -> SummaryAnswer:
    reply: object = summarizer(request)
    if inspect.iscoroutine(reply):
        reply.close()
        raise TypeError("the summariser is async; use asummarize_conversation")
    return _answer(reply)


def _answer(reply: object) -> SummaryAnswer:
    if isinstance(reply, SummaryAnswer):
        return reply
    if isinstance(reply, str):
        return SummaryAnswer(reply)
    raise TypeError(f"the summariser returned {type(reply).__name__}; it should return SummaryAnswer or str")


def _failure(error: Exception) -> SummarizerError:
    if isinstance(error, SummarizerError):
        return error
    said = " ".join(redact(f"{type(error).__name__}: {error}").split())
    failure = SummarizerError(said[:LONGEST_REASON])
    failure.__cause__ = error
    return failure
