"""What each line and name of a history is worth: features, fitted weights, factors."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.lines.model.factors import line_factors, source_factors
    from condense.lines.model.features import HistoryView, file_key
    from condense.lines.model.scores import ScoredHistory, ScoredLine, score_lines
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "factors": "line_factors source_factors",
            "features": "HistoryView file_key",
            "scores": "ScoredHistory ScoredLine score_lines",
        },
    )
