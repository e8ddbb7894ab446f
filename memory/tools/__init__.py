"""Memory tools for agents, and the MCP server that offers them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.tools.mcp_server import memory_server, serve_http, serve_stdio, warn
    from memory.tools.offering import ToolSettings, call_tool, memory_tools
    from memory.tools.values import Tool, ToolResult, clipped, fenced, harmless, number_field, text_field, tool
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "mcp_server": "memory_server serve_http serve_stdio warn",
            "offering": "ToolSettings call_tool memory_tools",
            "values": "Tool ToolResult clipped fenced harmless number_field text_field tool",
        },
    )
