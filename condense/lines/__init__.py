"""Choose the lines of older work that are most likely needed again."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.lines.excerpt_groups import ANSWERED, ExcerptGroup
    from condense.lines.line_chooser import LineChooser, score_history
    from condense.lines.outline import DOCUMENT, END, outline_lines
    from condense.lines.scores import HistoryView, ScoredHistory, file_key
    from condense.lines.sources import CALL_KINDS, LineKind, LineSource, quoted_files, reports, titled
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "excerpt_groups": "ANSWERED ExcerptGroup",
            "line_chooser": "LineChooser score_history",
            "outline": "DOCUMENT END outline_lines",
            "scores": "HistoryView ScoredHistory file_key",
            "sources": "CALL_KINDS LineKind LineSource quoted_files reports titled",
        },
    )
