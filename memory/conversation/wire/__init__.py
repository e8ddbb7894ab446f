"""Convert between dicts of Anthropic Messages, OpenAI Chat and OpenAI Responses, and `Message` values."""

from memory.conversation.wire.detecting import calls_form, detect_form, form_shown
from memory.conversation.wire.fields import quoted, read_arguments, read_meta, read_timestamp, write_arguments
from memory.conversation.wire.parsing import convert, make_text, parse_message
from memory.conversation.wire.results import blocks_text
