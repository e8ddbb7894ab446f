"""Count tokens: exact where tiktoken's ranks are at hand, estimated elsewhere."""

from memory.conversation.tokens.counting import TokenCounter as TokenCounter
