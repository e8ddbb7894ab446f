"""The conversation as values: messages, wire forms, transcripts, tokens, provenance and redaction."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.conversation.lazy_patterns import LazyPattern, holds
    from memory.conversation.messages import Form, Message, Part, PartKind, Role, canonical_json
    from memory.conversation.provenance.client_text import LOST_CALL, AttachedFile
    from memory.conversation.provenance.tool_answers import (
        ASKING,
        MEMORY_TOOL,
        brings_results,
        named_results,
        question_of,
    )
    from memory.conversation.provenance.typed_text import (
        INSTRUCTIONS,
        TypedSpan,
        bare_request,
        is_typed,
        provenance_of,
        request_text,
        typed_spans,
        typed_text,
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
        has_ranks,
        message_text,
        quarters,
        ranks_folder,
    )
    from memory.conversation.transcripts.formats import SESSION_FORMATS, SessionFormat, first_format, formats_from
    from memory.conversation.transcripts.reading import iter_transcript, read_transcript
    from memory.conversation.transcripts.values import (
        Records,
        Transcript,
        TranscriptFormat,
        call_block,
        count_frame,
        result_block,
    )
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
            "provenance.client_text": "AttachedFile LOST_CALL",
            "provenance.tool_answers": "ASKING MEMORY_TOOL brings_results named_results question_of",
            "provenance.typed_text": (
                "INSTRUCTIONS TypedSpan bare_request is_typed provenance_of request_text typed_spans typed_text"
            ),
            "redaction.redacting": (
                "SecretSpan find_secrets redact redact_bytes redact_json redact_quoting redact_value search_secrets"
            ),
            "tokens.counting": (
                "TokenCounter count_message default_counter has_ranks message_text quarters ranks_folder"
            ),
            "transcripts.formats": "SESSION_FORMATS SessionFormat first_format formats_from",
            "transcripts.reading": "iter_transcript read_transcript",
            "transcripts.values": "Records Transcript TranscriptFormat call_block count_frame result_block",
            "transcripts.writing": "write_transcript",
            "wire.detecting": "FormReading detect_form",
            "wire.parsing": "convert join_results make_result make_text parse_message parse_messages replace_parts",
        },
    )
