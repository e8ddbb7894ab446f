"""How much each line of an output is worth keeping, by what kind of output it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reducing.detecting import detect_kind
from condense.reducing.documents import weigh_diff, weigh_file, weigh_html, weigh_json, weigh_plain
from condense.reducing.frames import frame_weights
from condense.reducing.lists import weigh_grep, weigh_listing, weigh_table
from condense.reducing.outputs import NO_HINT, OutputKind, ToolHint
from condense.reducing.runs import weigh_build, weigh_log, weigh_test_run
from condense.reducing.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BY_KIND: Mapping[OutputKind, Callable[[Sheet], list[float]]] = {
    OutputKind.TEST_RUN: weigh_test_run,
    OutputKind.BUILD: weigh_build,
    OutputKind.LOG: weigh_log,
    OutputKind.GREP: weigh_grep,
    OutputKind.LISTING: weigh_listing,
    OutputKind.DIFF: weigh_diff,
    OutputKind.JSON: weigh_json,
    OutputKind.TABLE: weigh_table,
    OutputKind.FILE: weigh_file,
    OutputKind.HTML: weigh_html,
    OutputKind.PLAIN: weigh_plain,
}


def line_weights(text: str, kind: OutputKind | None = None, hints: ToolHint = NO_HINT) -> list[float]:
    """Return one weight a line, 0 (worth nothing) to 1 (must stay), for the lines between newlines.

    At least 0.9: errors, failing test names, summaries and outcomes, non-zero exit codes. 0: blanks, rules,
    what the harness added. Linear; some megabytes a second.

    Args:
        text: a tool output (see `frames.output_text` for outputs that came wrapped in JSON).
        kind: what it is; None finds out.
        hints: what is known about the call.
    """
    return weigh(Sheet(text), kind or detect_kind(text, hints))


def weigh(sheet: Sheet, kind: OutputKind) -> list[float]:
    """Return the weights of the lines of a sheet, as `line_weights` does of a text."""
    weights = _BY_KIND[kind](sheet)
    for i, weight in frame_weights(sheet.lines).items():
        weights[i] = weight
    return weights
