"""What is read off a history for its ledger: once for a compaction, however often it is tried to fit."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from condense.lines import END, quoted_files, score_history
from condense.reading import (
    Artifacts,
    ExchangeReader,
    ReadStatus,
    collect_artifacts,
    extend,
    lifecycle,
    typed_language,
)
from memory.conversation import Message, PartKind, Role, make_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense.ledger.document import Excerpt
    from condense.ledger.history import Carried, History
    from condense.lines import ScoredHistory


class ArtifactCollector:
    """Collects the artifacts of a conversation that goes on: only what is new since the last time is read.

    Attributes:
        exchanges: pairs its calls with their results the same way.
    """

    def __init__(self) -> None:
        self.exchanges = ExchangeReader()
        self._last: tuple[int, str, Artifacts] = (0, "", Artifacts())

    def collect(self, messages: Sequence[Message], digests: Sequence[str]) -> Artifacts:
        """Return what `collect_artifacts` would.

        Args:
            messages: a history; another one than the last time's is read whole.
            digests: the names of its prefixes (`histories.digest_chain`).
        """
        length, digest, before = self._last
        if 0 < length <= len(messages) and digests[length - 1] == digest:
            found = extend(before, messages[length:])
        else:
            found = collect_artifacts(messages)
        if messages:
            self._last = (len(messages), digests[-1], found)
        return found


class HistoryReading:
    """A history as ledgers are filled from it; each part is read when it is first asked for.

    Args:
        history: it.
        carried: what earlier compactions in it bring.
        artifacts: what its tool calls did.
        exchanges: pairs its calls with their results.
    """

    def __init__(
        self,
        history: History,
        carried: Carried,
        artifacts: Artifacts,
        exchanges: ExchangeReader | None = None,
    ) -> None:
        self.artifacts = artifacts
        self._exchanges = exchanges
        self._history = history
        self._ledgers = dict(carried.ledgers)
        self._typed = [said.text for _, said in carried.said]
        self.outlines: set[int] = set()

    @cached_property
    def opened(self) -> tuple[list[Message], list[tuple[int, Excerpt | None]]]:
        """The messages with our earlier blocks opened, and for each where it comes from."""
        messages: list[Message] = []
        origin: list[tuple[int, Excerpt | None]] = []
        for i, message in enumerate(self._history.messages):
            if i in self._ledgers:
                for excerpt in (*self._ledgers[i].answers, *self._ledgers[i].excerpts):
                    messages.append(make_text(message.form, Role.ASSISTANT, excerpt.body))
                    origin.append((i, excerpt))
                if self._ledgers[i].names:
                    self.outlines.add(len(messages))
                    messages.append(
                        make_text(message.form, Role.ASSISTANT, opened_outline(self._ledgers[i].names))
                    )
                    origin.append((i, None))
            else:
                messages.append(message)
                origin.append((i, None))
        return messages, origin

    @cached_property
    def tongue(self) -> str:
        """The language the person types in (`typed_language`)."""
        return typed_language(self._typed)

    @cached_property
    def scored(self) -> ScoredHistory:
        """The lines of the opened messages, scored."""
        messages, origin = self.opened
        scored = score_history(messages)
        for source in scored.view.sources:
            quote = origin[source.message][1]
            if quote is not None:
                source.shows = quoted_files(quote.heading, quote.body)
        return scored

    @cached_property
    def outdated(self) -> dict[int, str]:
        """The opened messages that say nothing any more (`outdated_results`)."""
        return outdated_results(self.opened[0], self._exchanges)


def outdated_results(messages: Sequence[Message], reader: ExchangeReader | None = None) -> dict[int, str]:
    """Messages all of whose results say what a later result says again or a later edit made untrue, with the reason."""
    states = lifecycle(messages, reader=reader)
    out: dict[int, str] = {}
    for i, message in enumerate(messages):
        digest = message.digest
        found = [
            states.get((digest, k))
            for k, part in enumerate(message.parts)
            if part.kind is PartKind.TOOL_RESULT
        ]
        if found and all(state is not None and state.status is not ReadStatus.FRESH for state in found):
            out[i] = next(state.reason for state in found if state is not None)
    return out


LONGEST_OPENED = 380
"""Characters of a line of an earlier outline when it is read again; longer ones are read in pieces (`text_lines`)."""


def opened_outline(lines: Iterable[str]) -> str:
    """The text of an earlier outline as it is read again: no line so long that it is read in pieces."""
    out = []
    for line in lines:
        place, _, entries = line.partition(END)
        own = ""
        for entry in entries.split(" "):
            if own and len(place) + len(own) + len(entry) > LONGEST_OPENED:
                out.append(f"{place}{END}{own}")
                own = ""
            own = f"{own} {entry}" if own else entry
        out.append(f"{place}{END}{own}")
    return "\n".join(out)
