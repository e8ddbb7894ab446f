"""The conversation as values: messages, wire forms, transcripts, tokens, provenance and redaction."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.conversation.lazy_patterns import LazyPattern, holds
    from memory.conversation.messages import Form, Message, Part, PartKind, Role, canonical_json
    from memory.conversation.provenance.attachments import AttachedFile, attached_files, clients_parts
    from memory.conversation.provenance.memory_tools import MEMORY_TOOL
    from memory.conversation.provenance.slash_commands import expansions
    from memory.conversation.provenance.tool_answers import (
        ASKING,
        brings_results,
        named_results,
        question_of,
        relayed_in,
    )
    from memory.conversation.provenance.typed_text import (
        LOST_CALL,
        TypedSpan,
        has_echo,
        is_typed,
        typed_spans,
        typed_text,
        without_wrappers,
    )
    from memory.conversation.redaction.redacting import (
        SecretSpan,
        find_secrets,
        redact,
        redact_bytes,
        redact_json,
        redact_quoting,
        redact_value,
        search_secrets,
    )
    from memory.conversation.tokens.counting import (
        TokenCounter,
        count_message,
        default_counter,
        message_text,
        quarters,
    )
    from memory.conversation.transcripts.finding import latest_session
    from memory.conversation.transcripts.reading import iter_transcript, read_transcript
    from memory.conversation.transcripts.values import Transcript, TranscriptFormat, count_frame
    from memory.conversation.transcripts.writing import write_transcript
    from memory.conversation.wire.detecting import FormReading, detect_form
    from memory.conversation.wire.parsing import (
        convert,
        join_results,
        make_result,
        make_text,
        parse_message,
        parse_messages,
        replace_parts,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "lazy_patterns": "LazyPattern holds",
            "messages": "Form Message Part PartKind Role canonical_json",
            "provenance.attachments": "AttachedFile attached_files clients_parts",
            "provenance.memory_tools": "MEMORY_TOOL",
            "provenance.slash_commands": "expansions",
            "provenance.tool_answers": "ASKING brings_results named_results question_of relayed_in",
            "provenance.typed_text": "LOST_CALL TypedSpan has_echo is_typed typed_spans typed_text without_wrappers",
            "redaction.redacting": (
                "SecretSpan find_secrets redact redact_bytes redact_json redact_quoting redact_value "
                "search_secrets"
            ),
            "tokens.counting": "TokenCounter count_message default_counter message_text quarters",
            "transcripts.finding": "latest_session",
            "transcripts.reading": "iter_transcript read_transcript",
            "transcripts.values": "Transcript TranscriptFormat count_frame",
            "transcripts.writing": "write_transcript",
            "wire.detecting": "FormReading detect_form",
            "wire.parsing": "convert join_results make_result make_text parse_message parse_messages replace_parts",
        },
    )
