"""A linear classifier of clauses: durable or not, and of which type."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.classifier.classifying import (
        THRESHOLDS,
        best_type,
        priority_of,
        stands,
        strength_of,
        type_scores,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "classifying": "THRESHOLDS best_type priority_of stands strength_of type_scores",
        },
    )
