"""The objects of a transcript, one after the other: the lines of a JSON-lines file or the items of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.conversation.transcripts.decoding import DecodingError, decode
from memory.conversation.wire import quoted
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation.transcripts.sources import Source
    from memory.conversation.transcripts.values import Findings


@dataclass(frozen=True, slots=True)
class Records:
    """Objects with their numbers, to be gone through as often as a reader needs.

    Attributes:
        findings: where a line that cannot be read is noted.
        source: the JSON-lines file, None for a list in memory.
        items: the list, where `source` is None.
    """

    findings: Findings
    source: Source | None = None
    items: Sequence[Any] = ()

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield number and object: lines count from 1, items from 0. A line that is no object is warned about."""
        return self._of_lines(self.source) if self.source is not None else self._of_items()

    def failure(self, reason: str, number: int) -> TranscriptError:
        """Build the error about one record."""
        if self.source is not None:
            return TranscriptError(reason, path=self.findings.path, line=number)
        return TranscriptError(f"item {number}: {reason}", path=self.findings.path)

    def warn(self, reason: str, number: int) -> None:
        """Note a warning about one record."""
        self.findings.warn(f"{'item' if self.source is None else 'line'} {number}: {reason}")

    def _of_items(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, item in enumerate(self.items):
            if not isinstance(item, dict):
                raise self.failure(f"{quoted(item)} should be an object", number)
            yield number, item

    def _of_lines(self, source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
        problems: list[tuple[int, str]] = []
        read = 0
        for number, line in source.lines(self.findings.warn):
            if problems and read:
                self._leave_out(problems)
            try:
                value, mended = decode(line)
            except DecodingError as error:
                problems.append((number, str(error)))
                continue
            if not isinstance(value, dict):
                problems.append((number, f"{quoted(value)} should be an object"))
                continue
            if mended:
                self.warn(mended, number)
            self._leave_out(problems)
            read += 1
            yield number, value
        if problems and not read:
            raise self.failure(problems[0][1], problems[0][0])
        for number, reason in problems:
            self.warn(f"the file ends in the middle of a line, {reason}; left out", number)

    def _leave_out(self, problems: list[tuple[int, str]]) -> None:
        for number, reason in problems:
            self.warn(f"{reason}; left out", number)
        problems.clear()
