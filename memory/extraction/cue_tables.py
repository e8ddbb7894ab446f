"""The cues: what words are evidence of. A row is "name: phrase; phrase; + examples - counterexamples", indented below.

Phrases in languages with blanks between words are in lower case and match whole words, "word*" what begins so; those
of Chinese and Japanese match anywhere. In each example behind "+" the cue must be found, in those behind "-" it must
not; the tests try them. To add a cue, write its row and fit the weights anew:
`python -m benchmarks.fit extraction --labels FILE --write`.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final


def read_table(name: str) -> str:
    """Return a table of this package, as it is written."""
    return (files("memory.extraction") / "tables" / name).read_text("utf-8")


CUES: Final = read_table("cues.txt")
