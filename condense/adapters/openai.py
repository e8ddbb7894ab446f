"""Summarise with a model of OpenAI's Chat Completions or Responses, or any server that speaks them; extra `openai`.

Ollama, vLLM, OpenRouter, LM Studio and others: give their `base_url`; they speak Chat.  The SDK brings retries (429,
5xx, lost connections, `retry-after` heeded) and timeouts, and reads OPENAI_API_KEY and OPENAI_BASE_URL where nothing
else is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

from condense.adapters.failures import failure_of
from condense.costs import Usage, cost_of, read_usage
from condense.errors import SummarizerError
from condense.summarizing import SummaryAnswer, SummaryRequest

try:
    import openai
except ImportError as missing:
    raise ImportError("condense.adapters.openai needs the SDK: pip install 'holdfast-context[openai]'") from missing

if TYPE_CHECKING:
    from collections.abc import Callable

TIMEOUT = 300.0
"""Seconds for one attempt; chosen: a long history and a long answer."""
NO_KEY = "none"
"""What is sent as key to a server of your own where no key is given: most ask for none, the SDK for one."""

Api = Literal["chat", "responses"]


class OpenAISummarizer:
    """A summariser: call it with a request.

    Args:
        model: the model's id.
        api: which of the two; Chat is what other servers speak.
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
        api: Api = "chat",
        client: openai.OpenAI | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT,
        max_retries: int = 2,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.model = model
        self.api = api
        self._client = client or _client(openai.OpenAI, api_key, base_url, timeout, max_retries)
        self._progress = progress

    def __call__(self, request: SummaryRequest) -> SummaryAnswer:
        """Answer a request; streamed, so that a long answer is not timed out on the way."""
        reading = _Reading(self.model, self._progress)
        try:
            call = self._client.chat.completions.create if self.api == "chat" else self._client.responses.create
            stream: Any = call(**_arguments(self.model, self.api, request, str(self._client.base_url)))
            for event in stream:
                reading.take(event)
            return reading.answer()
        except Exception as error:  # a plug-in: the SDK passes on what the HTTP library and its parsing raise
            raise failure_of(error, begun=reading.begun, keys=(self._client.api_key,)) from error

    def close(self) -> None:
        """Close the client's connections; a summariser is also a context manager that does so."""
        self._client.close()

    def __enter__(self) -> Self:
        """Return the summariser."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()


class AsyncOpenAISummarizer:
    """The same, awaited; takes an `openai.AsyncOpenAI` as client."""

    def __init__(
        self,
        model: str,
        *,
        api: Api = "chat",
        client: openai.AsyncOpenAI | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT,
        max_retries: int = 2,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.model = model
        self.api = api
        self._client = client or _client(openai.AsyncOpenAI, api_key, base_url, timeout, max_retries)
        self._progress = progress

    async def __call__(self, request: SummaryRequest) -> SummaryAnswer:
        """Answer a request."""
        reading = _Reading(self.model, self._progress)
        try:
            call = self._client.chat.completions.create if self.api == "chat" else self._client.responses.create
            stream: Any = await call(**_arguments(self.model, self.api, request, str(self._client.base_url)))
            async for event in stream:
                reading.take(event)
            return reading.answer()
        except Exception as error:  # a plug-in: the SDK passes on what the HTTP library and its parsing raise
            raise failure_of(error, begun=reading.begun, keys=(self._client.api_key,)) from error

    async def aclose(self) -> None:
        """Close the client's connections; a summariser is also an async context manager that does so."""
        await self._client.close()

    async def __aenter__(self) -> Self:
        """Return the summariser."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.aclose()


def _client(make: Any, api_key: str | None, base_url: str | None, timeout: float, max_retries: int) -> Any:
    """Make a client; a server of one's own is asked without a key where none is to be had."""
    settings = {"base_url": base_url, "timeout": timeout, "max_retries": max_retries}
    try:
        return make(api_key=api_key, **settings)
    except openai.OpenAIError:
        if base_url is None:
            raise
        return make(api_key=NO_KEY, **settings)


def _arguments(model: str, api: Api, request: SummaryRequest, base_url: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {"model": model, "stream": True}
    if request.temperature is not None and takes_temperature(model):
        arguments["temperature"] = request.temperature
    if api == "responses":
        told = {"instructions": request.system, "input": request.prompt}
        return {**arguments, **told, "max_output_tokens": request.max_tokens, "store": False}
    limit = "max_completion_tokens" if "api.openai.com" in base_url else "max_tokens"
    messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}]
    usage = {"stream_options": {"include_usage": True}}
    return {**arguments, **usage, "messages": messages, limit: request.max_tokens}


def takes_temperature(model: str) -> bool:
    """Say whether a model takes a temperature: OpenAI's reasoning models (gpt-5 and later, o1 and later) refuse it."""
    name = model.rsplit("/", 1)[-1]
    return not name.startswith(("gpt-5", "gpt-6", "o1", "o3", "o4", "codex"))


class _Reading:
    """One streamed answer, taken in event by event, of either API."""

    def __init__(self, model: str, progress: Callable[[int], None] | None) -> None:
        self.begun = False
        self._model = model
        self._progress = progress
        self._text: list[str] = []
        self._received = 0
        self._usage: Usage | None = None
        self._ended = ""
        self._calls = False

    def take(self, event: Any) -> None:
        """Take in a chunk of Chat or an event of Responses."""
        self.begun = True
        if getattr(event, "object", None) == "chat.completion.chunk":
            self._chunk(event)
        else:
            self._event(event)

    def _chunk(self, chunk: Any) -> None:
        self._model = chunk.model or self._model
        for choice in chunk.choices or ():
            self._add(choice.delta.content or "")
            self._calls = self._calls or bool(choice.delta.tool_calls)
            self._ended = choice.finish_reason or self._ended
        if chunk.usage is not None:
            self._usage = read_usage(chunk.usage.model_dump(exclude_none=True))

    def _event(self, event: Any) -> None:
        kind = getattr(event, "type", "")
        if kind == "response.output_text.delta":
            self._add(event.delta)
        elif kind == "response.output_item.done" and event.item.type == "function_call":
            self._calls = True
        elif kind in ("response.completed", "response.incomplete"):
            response = event.response
            self._model = response.model or self._model
            reason = getattr(response.incomplete_details, "reason", None)
            self._ended = "length" if reason == "max_output_tokens" else str(reason or "stop")
            if response.usage is not None:
                self._usage = read_usage(response.usage.model_dump(exclude_none=True))
        elif kind in ("response.failed", "error"):
            told = getattr(getattr(event, "response", event), "error", None) or event
            raise SummarizerError(f"the model failed: {getattr(told, 'message', told)}", retriable=True)

    def _add(self, piece: str) -> None:
        if piece:
            self._text.append(piece)
            self._received += len(piece)
            if self._progress is not None:
                self._progress(self._received)

    def answer(self) -> SummaryAnswer:
        """Return the whole.

        Raises:
            SummarizerError: the answer broke off, is a refusal, or holds tool calls in place of text.
        """
        text = "".join(self._text)
        if not self._ended:
            raise SummarizerError("the answer broke off before its end, or could not be read", retriable=True)
        if self._ended == "content_filter":
            raise SummarizerError("the model refused to answer")
        if not text.strip() and self._calls:
            raise SummarizerError("the model answered with a tool call in place of text", retriable=True)
        cost = None if self._usage is None else cost_of(self._usage, self._model)
        return SummaryAnswer(text, self._usage, cost, self._model, cut=self._ended == "length")
