"""Anthropic's SDK; extra `anthropic`: smaller requests by its middleware, summaries by a model.

The SDK brings retries (429, 5xx, lost connections, `retry-after` heeded) and timeouts, and reads ANTHROPIC_API_KEY and
ANTHROPIC_BASE_URL where nothing else is given.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from condense.adapters.failures import failure_of
from condense.adapters.requests import Requests, form_of, named_by
from condense.costs import cost_of, read_usage
from condense.errors import SummarizerError
from condense.summarizing import SummaryAnswer, SummaryRequest

try:
    import anthropic
except ImportError as missing:
    raise ImportError(
        "condense.adapters.anthropic needs the SDK: pip install 'holdfast-context[anthropic]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from anthropic import Middleware

    from condense.adapters.conversations import Conversations
else:
    Middleware = getattr(anthropic, "Middleware", object)  # 1.0 has them

TIMEOUT = 300.0
"""Seconds for one attempt; chosen: a long history and a long answer."""


class AnthropicMiddleware(Middleware):
    """Smaller requests by `Anthropic(middleware=[AnthropicMiddleware()])`, with the SDK 1.0 or later.

    `with_holdfast(client)` does the same, see there; it serves older releases, too.

    Args:
        conversations, window, conversation: see `Requests`.
        requests: in their place.
    """

    def __init__(
        self,
        conversations: Conversations | None = None,
        *,
        window: int | None = None,
        conversation: str = "",
        requests: Requests | None = None,
    ) -> None:
        self._requests = requests or Requests(conversations, window=window, conversation=conversation)
        self.conversations = self._requests.conversations

    def handle(self, request: Any, call_next: Any) -> Any:
        """Send the view; the same again for each attempt."""
        return call_next(self._smaller(request))

    async def handle_async(self, request: Any, call_next: Any) -> Any:
        """Do so in a thread."""
        return await call_next(await asyncio.to_thread(self._smaller, request))

    def _smaller(self, request: Any) -> Any:
        name, headers = named_by(request.headers)
        form = form_of(request.url, request.options.extra_json)
        body = self._requests.smaller(form, request.json, conversation=name)
        return request if body is request.json and not name else request.copy(body=body, headers=headers)


class AnthropicSummarizer:
    """A summariser: call it with a request.

    Args:
        model: the model's id.
        client: an SDK client with settings of your own; one is made from what follows otherwise.
        api_key, base_url: as the SDK takes them; None leaves them to its environment variables.
        timeout: seconds for one attempt.
        max_retries: attempts beyond the first, made by the SDK.
        progress: called with the number of characters that have come in so far, as they come.

    Calling it raises `SummarizerError` where the model refused, is out of reach, over its limits or cut off; the text
    names status and reason, and no key.
    """

    def __init__(
        self,
        model: str,
        *,
        client: anthropic.Anthropic | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT,
        max_retries: int = 2,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.model = model
        self._client = client or anthropic.Anthropic(
            api_key=api_key, base_url=base_url, timeout=timeout, max_retries=max_retries
        )
        keys = ("api_key", "auth_token", "credentials")
        if client is None and not any(getattr(self._client, key, None) for key in keys):
            raise ValueError("there is no key; ANTHROPIC_API_KEY should be set")
        self._progress = progress

    def __call__(self, request: SummaryRequest) -> SummaryAnswer:
        """Answer a request; streamed, so that a long answer is not timed out on the way."""
        begun = False
        try:
            with self._client.messages.stream(**_arguments(self.model, request)) as stream:
                begun, received = True, 0
                for piece in stream.text_stream:
                    received += len(piece)
                    if self._progress is not None:
                        self._progress(received)
                return _answer(stream.get_final_message())
        except Exception as error:  # a plug-in: the SDK passes on what the HTTP library and its parsing raise
            raise failure_of(error, begun=begun, keys=(self._client.api_key or "",)) from error

    def close(self) -> None:
        """Close the client's connections; a summariser is also a context manager that does so."""
        self._client.close()

    def __enter__(self) -> Self:
        """Return the summariser."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()


class AsyncAnthropicSummarizer:
    """The same, awaited; takes an `anthropic.AsyncAnthropic` as client."""

    def __init__(
        self,
        model: str,
        *,
        client: anthropic.AsyncAnthropic | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT,  # handed to the SDK
        max_retries: int = 2,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.model = model
        self._client = client or anthropic.AsyncAnthropic(
            api_key=api_key, base_url=base_url, timeout=timeout, max_retries=max_retries
        )
        self._progress = progress

    async def __call__(self, request: SummaryRequest) -> SummaryAnswer:
        """Answer a request."""
        begun = False
        try:
            async with self._client.messages.stream(**_arguments(self.model, request)) as stream:
                begun, received = True, 0
                async for piece in stream.text_stream:
                    received += len(piece)
                    if self._progress is not None:
                        self._progress(received)
                return _answer(await stream.get_final_message())
        except Exception as error:  # a plug-in: the SDK passes on what the HTTP library and its parsing raise
            raise failure_of(error, begun=begun, keys=(self._client.api_key or "",)) from error

    async def aclose(self) -> None:
        """Close the client's connections; a summariser is also an async context manager that does so."""
        await self._client.close()

    async def __aenter__(self) -> Self:
        """Return the summariser."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.aclose()


def _arguments(model: str, request: SummaryRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_tokens,
        "system": request.system,
        "messages": [{"role": "user", "content": request.prompt}],
    }
    if request.temperature is not None and takes_temperature(model):
        arguments["extra_body"] = {"temperature": request.temperature}  # newer SDKs know no such parameter
    return arguments


def takes_temperature(model: str) -> bool:
    """Say whether a model is known to take a temperature: Claude 3 and 4 up to 4.5 do, later ones refuse it."""
    return any(f"claude-{name}" in model for name in ("3", "opus-4-1", "opus-4-5", "sonnet-4", "haiku-4"))


def _answer(message: Any) -> SummaryAnswer:
    """Read the SDK's message.

    Raises:
        SummarizerError: the answer broke off, is a refusal, or holds tool calls in place of text.
    """
    stop = message.stop_reason
    if stop is None:
        raise SummarizerError("the answer broke off before its end", retriable=True)
    if stop == "refusal":
        raise SummarizerError("the model refused to answer")
    text = "".join(block.text for block in message.content if block.type == "text")
    if not text.strip() and any(block.type == "tool_use" for block in message.content):
        raise SummarizerError("the model answered with a tool call in place of text", retriable=True)
    usage = read_usage(message.usage.model_dump(exclude_none=True))
    return SummaryAnswer(text, usage, cost_of(usage, message.model), message.model, cut=stop == "max_tokens")
