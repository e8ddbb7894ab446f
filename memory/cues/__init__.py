"""The cue tables: words that are evidence of what a clause is, in a dozen languages."""

from __future__ import annotations

from memory.cues.matching import find_cues
from memory.cues.reports import REPORTS
from memory.cues.requests import REQUESTS
from memory.cues.rows import Cue
from memory.cues.rules import RULES

__all__ = ["REPORTS", "REQUESTS", "RULES", "Cue", "find_cues"]
