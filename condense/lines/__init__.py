"""Choose the lines of older work that are most likely needed again."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.lines.excerpt_groups import ExcerptGroup
    from condense.lines.instruction_files import commissioned, commissioned_keys, guide_keys, is_guide
    from condense.lines.line_chooser import LineChooser, score_history
    from condense.lines.outline import END, outline_lines
    from condense.lines.scores import HistoryView, ScoredHistory
    from condense.lines.sources import quoted_files, titled
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "excerpt_groups": "ExcerptGroup",
            "instruction_files": "commissioned commissioned_keys guide_keys is_guide",
            "line_chooser": "LineChooser score_history",
            "outline": "END outline_lines",
            "scores": "HistoryView ScoredHistory",
            "sources": "quoted_files titled",
        },
    )
