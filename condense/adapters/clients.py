"""One line around a client of a provider's SDK: each request carries the view of its conversation.

    client = with_holdfast(OpenAI())          # AsyncOpenAI, AzureOpenAI, Anthropic, AsyncAnthropic, ...

Extra `openai` or `anthropic`; the SDK of the client is the only one that is needed.
"""

from __future__ import annotations

import asyncio
import inspect
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

from condense.adapters.requests import Requests

if TYPE_CHECKING:
    from condense.adapters.conversations import Conversations

Client = TypeVar("Client")


def with_holdfast(
    client: Client,
    conversations: Conversations | None = None,
    *,
    window: int | None = None,
    conversation: str = "",
) -> Client:
    """Return a client like the one given, on the same connections, whose requests never outgrow the model's window.

    It serves Anthropic Messages, OpenAI Chat Completions and Responses: sync, async, streamed, parsed, raw, beta and
    `with_options`; all other calls are as they were. So are Responses whose history the provider holds
    (`previous_response_id`, `conversation`). What fails in here changes no call: `conversations.last_error` holds it.

    Args:
        client: of one of the SDKs.
        conversations, window, conversation: see `Requests`; a quarter of the window stays free for what the provider
            counts otherwise. A model that is not known has 200,000 tokens: give `window` for a local one.
            `extra_headers={"x-holdfast-conversation": NAME}` names the conversation of one call.
    """
    requests = Requests(conversations, window=window, conversation=conversation)
    source: Any = client
    if hasattr(source, "with_middleware"):
        from condense.adapters.anthropic import AnthropicMiddleware

        held: Client = source.with_middleware(AnthropicMiddleware(requests=requests))
        return held
    kind: Any = type(client)

    def post(self: Any, path: str, **given: Any) -> Any:
        return kind.post(self, path, **requests.call(path, given))

    async def post_async(self: Any, path: str, **given: Any) -> Any:
        return await kind.post(self, path, **await asyncio.to_thread(requests.call, path, given))

    names = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    own = post_async if inspect.iscoroutinefunction(kind.post) else post
    like = copy(source)
    like.__class__ = type(kind.__name__, (kind,), {**names, "post": own})
    wrapped: Client = like.copy()  # one made anew: its resources call the `post` above
    return wrapped
