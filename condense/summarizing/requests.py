"""What a summariser is asked and what it answers: one value in, one value out, sync or async."""

from __future__ import annotations

from collections.abc import Awaitable, Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from condense.costs import Usage

T = TypeVar("T")


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
    """One call of a model: instructions and one user message, plain text, no tools.

    Attributes:
        purpose: what it is for.
        system: the instructions.
        prompt: the user message: what is to be summarised, fenced and labelled as data.
        max_tokens: tokens the answer may have, a model's thinking included.
        temperature: 0 to 1; None leaves it to the model.
    """

    purpose: Purpose
    system: str
    prompt: str
    max_tokens: int = 4096
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """What a model answered.

    Attributes:
        text: its text, all of it, unchecked.
        usage: tokens charged, None where the provider did not say.
        cost: US dollars, None where the price is unknown.
        model: the model that answered, "" where unknown.
        cut: the model stopped because the answer became too long.
    """

    text: str
    usage: Usage | None = None
    cost: float | None = None
    model: str = ""
    cut: bool = False


class Summarizer(Protocol):
    """Any callable of one request; a bare string is taken as the answer's text.  Whatever it raises is survived."""

    def __call__(self, request: SummaryRequest, /) -> SummaryAnswer | str:
        """Answer a request."""
        ...


class AsyncSummarizer(Protocol):
    """The same, awaited."""

    def __call__(self, request: SummaryRequest, /) -> Awaitable[SummaryAnswer | str]:
        """Answer a request."""
        ...


Flow = Generator[SummaryRequest, SummaryAnswer, T]
"""Yields requests, is sent answers, or has a `SummarizerError` thrown in where there was none; returns the outcome."""
