"""Classify and reduce tool outputs."""

from condense.reading.outputs.harness_frames import printed_since
from condense.reading.outputs.outcomes import (
    UNKNOWN,
    Outcome,
    ended_tasks,
    printed_errors,
    read_outcome,
    running_session,
)
from condense.reading.outputs.test_tallies import TestTally, read_tally
from condense.reading.outputs.trouble_words import Sheet, is_progress
