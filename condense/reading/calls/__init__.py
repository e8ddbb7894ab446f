"""Tool calls of every client as one kind of value."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.reading.calls.patches import read_patch
    from condense.reading.calls.shell_arguments import SHELLS, command_name, given_to_run
    from condense.reading.calls.tool_calls import read_call
    from condense.reading.calls.tool_names import (
        ATTACHED,
        LAST_LINE,
        LineRange,
        ToolAction,
        ToolRow,
        ToolUse,
        row_of,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "patches": "read_patch",
            "shell_arguments": "SHELLS command_name given_to_run",
            "tool_calls": "read_call",
            "tool_names": "ATTACHED LAST_LINE LineRange ToolAction ToolRow ToolUse row_of",
        },
    )
