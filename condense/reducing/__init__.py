"""Reducing tool outputs: `reduce_output` for one output, `line_weights` for a planner of its own."""

from condense.reducing.frames import output_text
from condense.reducing.outputs import Reduced
from condense.reducing.reducer import reduce_output
from condense.reducing.weighing import line_weights

__all__ = ["Reduced", "line_weights", "output_text", "reduce_output"]
