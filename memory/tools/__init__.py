"""The tools that an agent has for its memory: one definition each, for any model's API and for MCP."""

from __future__ import annotations

from memory.tools.guiding import guidance_for
from memory.tools.offering import ToolSettings, call_tool, memory_tools
from memory.tools.values import Tool, ToolResult

__all__ = ["Tool", "ToolResult", "ToolSettings", "call_tool", "guidance_for", "memory_tools"]
