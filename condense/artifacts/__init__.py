"""The trail of files, commands, tests and plans, computed from the tool calls of a conversation."""

from condense.artifacts.collecting import collect_artifacts, extend, settled
from condense.artifacts.outcomes import error_line, read_outcome
from condense.artifacts.tallies import read_tally
from condense.artifacts.trails import (
    Artifacts,
    CommandTrail,
    ErrorTrail,
    FileOperation,
    FileTrail,
    GitTrail,
    Outcome,
    Place,
    PlanItem,
    PlanStatus,
    TestTally,
    TestTrail,
    UrlTrail,
)

__all__ = [
    "Artifacts",
    "CommandTrail",
    "ErrorTrail",
    "FileOperation",
    "FileTrail",
    "GitTrail",
    "Outcome",
    "Place",
    "PlanItem",
    "PlanStatus",
    "TestTally",
    "TestTrail",
    "UrlTrail",
    "collect_artifacts",
    "error_line",
    "extend",
    "read_outcome",
    "read_tally",
    "settled",
]
