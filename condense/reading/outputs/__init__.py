"""Classify and reduce tool outputs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.reading.outputs.harness_frames import envelope_exit_code, printed_since
    from condense.reading.outputs.outcomes import (
        UNKNOWN,
        Outcome,
        printed_errors,
        read_outcome,
        running_session,
    )
    from condense.reading.outputs.test_tallies import TestTally, read_tally
    from condense.reading.outputs.trouble_words import Sheet
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "harness_frames": "envelope_exit_code printed_since",
            "outcomes": "Outcome UNKNOWN printed_errors read_outcome running_session",
            "test_tallies": "TestTally read_tally",
            "trouble_words": "Sheet",
        },
    )
