"""Tool calls of every client as one kind of value."""

from condense.reading.calls.patches import read_patch
from condense.reading.calls.shell_arguments import SHELLS, command_name, given_to_run
from condense.reading.calls.tool_calls import read_call
from condense.reading.calls.tool_names import ATTACHED, LAST_LINE, LineRange, ToolAction, ToolRow, ToolUse, row_of
