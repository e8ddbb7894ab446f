"""One plug-in of every kind for holdfast."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from memory.conversation import Records, SessionFormat, call_block, result_block
from memory.stores import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from condense import Summarizer, SummaryRequest
    from memory.entries import ProjectStore


# ---- a session format: lines like {"scribble": 1, "by": "me", "text": "..."}


def shows(record: Mapping[str, Any]) -> bool:
    """Tell whether a record can only be of this format."""
    return "scribble" in record and "by" in record


def read(records: Records) -> Iterator[tuple[int, dict[str, Any], None]]:
    """Yield messages as Anthropic has them, each with the number of its record."""
    for number, record in records:
        records.findings.note(record.get("session"), record.get("folder"))
        if record["by"] == "me":
            yield number, {"role": "user", "content": record["text"]}, None
        elif record["by"] == "bot":
            yield number, {"role": "assistant", "content": record["text"]}, None
        else:  # a command and what it printed
            call = f"call_{number}"
            yield (
                number,
                {"role": "assistant", "content": [call_block(call, "Bash", {"command": record["by"]})]},
                None,
            )
            yield number, {"role": "user", "content": [result_block(call, record["text"])]}, None


SCRIBBLE = SessionFormat("scribble", "Scribble", shows, read)


# ---- a store: shelf:FOLDER


def open_shelf(place: str) -> ProjectStore:
    """Open the store in a folder."""
    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    return SqliteStore(folder / "shelf.db")


# ---- a summariser: parrot:MODEL


def parrot(model: str) -> Summarizer:
    """Make a summariser that says again what was said."""

    def summarizer(request: SummaryRequest) -> str:
        lines = [line for line in request.prompt.splitlines() if line[:1].isalpha()]
        return "\n".join(["### State of the work", *(f"- {line}" for line in lines[:40]), f"- parrot {model}"])

    return summarizer


# ---- an embedder: letters


class Letters:
    """Vectors of how often each letter stands in a text."""

    dimension = len(ascii_lowercase)

    def __init__(self, model: str) -> None:
        self.name = f"letters-{model or 'all'}"

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 for each text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        counts = Counter(text.lower())
        values = [float(counts[letter]) for letter in ascii_lowercase]
        length = sqrt(sum(value * value for value in values))
        return [value / length for value in values] if length else [1.0] + [0.0] * (self.dimension - 1)
