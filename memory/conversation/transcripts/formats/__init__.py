"""The session formats of agents: a file each, and a row here, in the order in which a record is tried with them."""

from memory.conversation.transcripts.formats.claude_code import CLAUDE_CODE
from memory.conversation.transcripts.formats.codex import CODEX
from memory.conversation.transcripts.formats.gemini import GEMINI
from memory.conversation.transcripts.formats.openhands import OPENHANDS
from memory.conversation.transcripts.formats.swe_agent import SWE_AGENT
from memory.conversation.transcripts.records import SessionFormat
from memory.conversation.transcripts.values import TranscriptFormat

CLINE = SessionFormat(
    TranscriptFormat.CLINE,
    "Cline or Roo",
    shows=lambda record: "role" in record and "ts" in record,  # messages of an API with a time on each
    read=lambda records: ((number, value, None) for number, value in records),
)
SESSION_FORMATS = {one.name: one for one in (CLAUDE_CODE, CODEX, OPENHANDS, GEMINI, SWE_AGENT, CLINE)}
