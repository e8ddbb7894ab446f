"""The names of an agent's own memory tools."""

from __future__ import annotations

import re

MEMORY_TOOL = re.compile(r"(?:mcp__.{1,100}__)?(?P<verb>remember|forget)\Z", re.DOTALL)


def is_memory_tool(name: str) -> bool:
    """Tell whether a tool is `remember` or `forget`, alone or as an MCP tool (`mcp__server__remember`)."""
    return MEMORY_TOOL.match(name) is not None
