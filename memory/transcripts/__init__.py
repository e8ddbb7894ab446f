"""Transcripts: conversations in files, of the APIs and of the agents people have, read and written.

`read_transcript` recognises the format; `iter_transcript` streams; `write_transcript` writes what an API takes, or
Markdown; `latest_session` finds the newest session of a directory; `count_frame` counts what a request holds beside
its messages.
"""

from __future__ import annotations

from memory.transcripts.finding import latest_session
from memory.transcripts.framing import count_frame
from memory.transcripts.reading import iter_transcript, read_transcript
from memory.transcripts.values import Transcript, TranscriptFormat
from memory.transcripts.writing import write_transcript

__all__ = [
    "Transcript",
    "TranscriptFormat",
    "count_frame",
    "iter_transcript",
    "latest_session",
    "read_transcript",
    "write_transcript",
]
