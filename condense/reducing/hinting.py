"""What is known about an output from the call that it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense.reducing.outputs import NO_HINT, ToolHint
from condense.shell_commands import read_shell
from condense.tool_calls import read_call
from condense.tool_names import ToolAction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.tool_names import ToolRow

_SHOWING = (ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST)


def hint_for_call(
    name: str,
    arguments: Mapping[str, Any] | str | None,
    *,
    failed: bool | None = None,
    tools: Mapping[str, ToolRow] | None = None,
) -> ToolHint:
    """Return what a call tells about its output: action, path, command, purpose.

    A command that only shows files counts as reading them.
    """
    uses = read_call(name, arguments, tools=tools)
    use = uses[0]
    path = use.paths[0] if use.paths else ""
    if use.action is not ToolAction.RUN:
        return ToolHint(use.action, path, failed=failed)
    if not use.subject:
        return NO_HINT
    reading = read_shell(use.subject, workdir=use.workdir)
    shown = [e for e in reading.effects if e.action in _SHOWING]
    action = ToolAction.RUN
    if shown and reading.looks_only:
        action, path = shown[0].action, shown[0].target
        if any(e.action is not action for e in shown):
            action, path = ToolAction.RUN, ""
    elif reading.effects and all(e.action is ToolAction.FETCH for e in reading.effects):
        action = ToolAction.FETCH
    return ToolHint(action, path, use.subject, reading.purpose, failed)
