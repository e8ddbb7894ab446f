"""Which text of a message a person typed, and which came from tools, clients and pastes."""

from memory.conversation.provenance.tool_answers import named_results

__all__ = ["named_results"]
