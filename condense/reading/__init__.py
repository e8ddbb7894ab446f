"""Read a history: text, tool calls, shell commands, tool outputs, and the trail of files and commands."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.reading.calls.tool_calls import first_line, read_call, script_title
    from condense.reading.calls.tool_names import ATTACHED, PATHS, CallReading, ToolAction, ToolUse, row_of
    from condense.reading.outputs.harness_frames import STATE, clients_state, frame_weights
    from condense.reading.outputs.outcomes import Outcome
    from condense.reading.outputs.reducer import by_size, even_share, reduce_output
    from condense.reading.outputs.test_tallies import TestTally
    from condense.reading.outputs.trouble_words import Sheet, is_progress
    from condense.reading.shell.commands_table import Purpose
    from condense.reading.shell.reading import read_shell
    from condense.reading.text.comparing import TextIndex, plain_path, squeezed
    from condense.reading.text.definitions import defined_names, is_markup, is_order
    from condense.reading.text.identifiers import (
        RUN,
        NameKind,
        beginning_of,
        is_garbled,
        lines_and_names,
        names_in,
        read_run,
        stands_alone,
    )
    from condense.reading.text.languages import NAMES, PHRASES, language_of, phrase, typed_language
    from condense.reading.text.own_blocks import (
        CLOSING,
        HANDLE,
        HANDLE_DIGITS,
        OPENING,
        SUMMARY_STARTS,
        _digest,
        content_handle,
        handle_of,
        is_agent_summary,
        is_context_block,
    )
    from condense.reading.text.paths import VENDORED, ends_with_path, is_absolute, normal_path
    from condense.reading.text.shown_text import without_codes, without_numbers
    from condense.reading.trail.collecting import collect_artifacts
    from condense.reading.trail.trails import Artifacts, CommandTrail, ErrorTrail, FileTrail, PlanStatus
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "calls.tool_calls": "first_line read_call script_title",
            "calls.tool_names": "ATTACHED CallReading PATHS ToolAction ToolUse row_of",
            "outputs.harness_frames": "STATE clients_state frame_weights",
            "outputs.outcomes": "Outcome",
            "outputs.reducer": "by_size even_share reduce_output",
            "outputs.test_tallies": "TestTally",
            "outputs.trouble_words": "Sheet is_progress",
            "shell.commands_table": "Purpose",
            "shell.reading": "read_shell",
            "text.comparing": "TextIndex plain_path squeezed",
            "text.definitions": "defined_names is_markup is_order",
            "text.identifiers": (
                "NameKind RUN beginning_of is_garbled lines_and_names names_in read_run stands_alone"
            ),
            "text.languages": "NAMES PHRASES language_of phrase typed_language",
            "text.own_blocks": (
                "CLOSING HANDLE HANDLE_DIGITS OPENING SUMMARY_STARTS _digest content_handle handle_of "
                "is_agent_summary is_context_block"
            ),
            "text.paths": "VENDORED ends_with_path is_absolute normal_path",
            "text.shown_text": "without_codes without_numbers",
            "trail.collecting": "collect_artifacts",
            "trail.trails": "Artifacts CommandTrail ErrorTrail FileTrail PlanStatus",
        },
    )
