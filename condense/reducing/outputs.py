"""The nouns of reducing: kinds of tool output, what is known about the call, what came out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.shell_rows import Purpose

if TYPE_CHECKING:
    from condense.tool_names import ToolAction


class OutputKind(StrEnum):
    """What a tool output is, as far as it matters for choosing its lines."""

    TEST_RUN = "test_run"
    BUILD = "build"
    LOG = "log"
    GREP = "grep"
    LISTING = "listing"
    DIFF = "diff"
    JSON = "json"
    TABLE = "table"
    FILE = "file"
    HTML = "html"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class ToolHint:
    """What is known about the call that an output answers; everything may be missing.

    Attributes:
        action: what the tool did.
        path: the file or folder it was about.
        command: the command line.
        purpose: what the command was run for.
        failed: whether the call failed.
    """

    action: ToolAction | None = None
    path: str = ""
    command: str = ""
    purpose: Purpose = Purpose.OTHER
    failed: bool | None = None


NO_HINT = ToolHint()


@dataclass(frozen=True, slots=True)
class Reduced:
    """An output after reducing.

    Attributes:
        text: kept lines in their order, each gap as one marker line.
        kept_lines: lines of the input that stand in `text`.
        dropped_lines: lines of the input that do not; `kept_lines + dropped_lines` is the input's number of
            lines, where a marker line of an earlier reduction counts as the lines it stands for.
        kind: what the output was taken for.
        cut_characters: characters left out inside of extremely long lines.
        unchanged: `text` is the input.
    """

    text: str
    kept_lines: int
    dropped_lines: int
    kind: OutputKind
    cut_characters: int = 0
    unchanged: bool = False
