"""Reducing tool outputs by kind: `reduce_output` for one output, `line_weights` for a planner of its own."""

from condense.reducing.detecting import detect_kind
from condense.reducing.frames import output_text
from condense.reducing.hinting import hint_for_call
from condense.reducing.outputs import NO_HINT, OutputKind, Reduced, ToolHint
from condense.reducing.reducer import reduce_output
from condense.reducing.weighing import line_weights

__all__ = [
    "NO_HINT",
    "OutputKind",
    "Reduced",
    "ToolHint",
    "detect_kind",
    "hint_for_call",
    "line_weights",
    "output_text",
    "reduce_output",
]
