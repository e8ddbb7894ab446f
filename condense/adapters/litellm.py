"""LiteLLM: `completion` and `acompletion` that send the view of their conversation, and a callback; extra `litellm`.

    from condense.adapters.litellm import completion, acompletion      # in place of litellm's

    litellm.callbacks = [HoldfastCallback()]                           # acompletion, Router.acompletion

The proxy's `config.yaml` names the callback; one with settings of yours is made in a module beside that file:

    litellm_settings:
      callbacks: [condense.adapters.litellm.callback]                  # or [settings_of_mine.callback]

It serves /v1/chat/completions, /v1/messages and /v1/responses. Several workers need a store that they share, to send
the same view; `enable_pre_call_checks` refuses long histories before any callback is asked, so leave it off.

LiteLLM is imported by the first call: that takes ten seconds and more.
"""

from __future__ import annotations

import asyncio
import hashlib
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from condense.adapters.conversations import Conversations
from condense.adapters.failures import log_failure
from condense.adapters.limits import window_of
from condense.adapters.requests import Requests, named_by
from memory.conversation import Form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    HoldfastCallback: Any
    callback: Any

if find_spec("litellm") is None:
    raise ImportError("condense.adapters.litellm needs LiteLLM: pip install 'holdfast-context[litellm]'")

KEY = "holdfast_conversation"
"""The argument that names a conversation, in the call or in its `metadata`."""

_FORMS = {
    "acompletion": Form.OPENAI_CHAT,
    "anthropic_messages": Form.ANTHROPIC,
    "aresponses": Form.OPENAI_RESPONSES,
}


class LiteLLMCompletions:
    """LiteLLM's `completion` and `acompletion`, whose messages never outgrow the model's window.

    The conversation is named by `holdfast_conversation`, in the call or its `metadata`, else told by how it begins
    (within its `litellm_session_id`, where there is one). The window is what LiteLLM knows of the model.

    Args:
        conversations, window, conversation: see `condense.adapters.requests.Requests`.
        router: a `litellm.Router` whose methods are called in place of LiteLLM's functions.
    """

    def __init__(
        self,
        conversations: Conversations | None = None,
        *,
        window: int | None = None,
        conversation: str = "",
        router: Any = None,
    ) -> None:
        self._requests = _requests(conversations, window, conversation)
        self._router = router
        self.conversations = self._requests.conversations

    def completion(self, model: str, messages: Sequence[Any], **more: Any) -> Any:
        """Call LiteLLM's `completion`, streamed or not."""
        return self._called().completion(**self._given(model, messages, more))

    async def acompletion(self, model: str, messages: Sequence[Any], **more: Any) -> Any:
        """Call LiteLLM's `acompletion`; what is ours is done in a thread."""
        called = self._called()
        return await called.acompletion(**await asyncio.to_thread(self._given, model, messages, more))

    def _called(self) -> Any:
        if self._router is None:
            import litellm

            return litellm
        return self._router

    def _given(self, model: str, messages: Sequence[Any], more: Mapping[str, Any]) -> dict[str, Any]:
        given = _smaller(self._requests, Form.OPENAI_CHAT, {"model": model, "messages": messages, **more})
        return {key: value for key, value in given.items() if key != KEY}


@cache
def shared() -> LiteLLMCompletions:
    """Return what `completion` and `acompletion` of this module belong to; its `conversations` hold `last_error`."""
    return LiteLLMCompletions()


def completion(model: str, messages: Sequence[Any], **more: Any) -> Any:
    """Call `litellm.completion` with the view of the conversation; see `LiteLLMCompletions`."""
    return shared().completion(model, messages, **more)


async def acompletion(model: str, messages: Sequence[Any], **more: Any) -> Any:
    """Call `litellm.acompletion` with the view of the conversation; see `LiteLLMCompletions`."""
    return await shared().acompletion(model, messages, **more)


def __getattr__(name: str) -> Any:
    """Make the callback's class, and the instance for the proxy's configuration, when they are asked for."""
    if name == "HoldfastCallback":
        return _callback_class()
    if name == "callback":
        return _callback()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _callback_class() -> Any:
    from litellm.integrations.custom_logger import CustomLogger

    class HoldfastCallback(CustomLogger):  # type: ignore[misc]  # a class of theirs, which is not read
        """Sends the view of each conversation to whichever deployment is chosen: put it into `litellm.callbacks`.

        In the proxy, a conversation is named by the header `x-holdfast-conversation`, too, and those of different keys
        or users are never the same one, whatever their names.

        Args:
            conversations, window, conversation: see `condense.adapters.requests.Requests`.
        """

        def __init__(
            self,
            conversations: Conversations | None = None,
            *,
            window: int | None = None,
            conversation: str = "",
        ) -> None:
            super().__init__()
            held = conversations or Conversations(on_error=log_failure)  # servers hide warnings
            self._requests = _requests(held, window, conversation)
            self.conversations = held

        async def async_pre_call_deployment_hook(self, kwargs: Any, call_type: Any) -> Any:
            """Return the arguments with the view in them; None where they stay as they are."""
            kind = str(getattr(call_type, "value", call_type))
            outer = getattr(kwargs.get("litellm_logging_obj"), "call_type", kind)
            if outer != kind and outer in _FORMS:  # the view is in it, written in another provider's form
                return None
            given = await asyncio.to_thread(_smaller, self._requests, _FORMS.get(kind), kwargs)
            if KEY in given:  # a provider would refuse it
                return {key: value for key, value in given.items() if key != KEY}
            return None if given is kwargs else given

    return HoldfastCallback


@cache
def _callback() -> Any:
    return _callback_class()()


def _requests(conversations: Conversations | None, window: int | None, conversation: str) -> Requests:
    return Requests(conversations, window=window, conversation=conversation, windows=_window_of)


def _smaller(requests: Requests, form: Form | None, given: Any) -> Any:
    told = [_dict(given.get("litellm_metadata")), _dict(given.get("metadata"))]
    metadata = {**told[0], **told[1]}
    session = given.get("litellm_session_id") or metadata.get("litellm_session_id") or metadata.get("session_id")
    info = _dict(given.get("model_info")) or _dict(metadata.get("model_info"))
    window = info.get("max_input_tokens")
    name = given.get(KEY) or metadata.get(KEY) or named_by(_dict(metadata.get("headers")))[0]
    owner = _owner(*told)
    return requests.smaller(
        form,
        given,
        conversation=f"{owner}{name}" if name else "",
        within=f"{owner}{session}/" if session else owner,
        window=window if isinstance(window, int) else 0,
    )


def _owner(*told: dict[str, Any]) -> str:
    """Tell whose request it is in the proxy, as a prefix of names; "" elsewhere.

    What the proxy found out is an object; a client that would be somebody else can send no more than JSON.
    """
    found = (metadata.get("user_api_key_auth") for metadata in told)
    auth = next((value for value in found if hasattr(value, "api_key")), None)
    who = [str(getattr(auth, field, None) or "") for field in ("api_key", "user_id", "end_user_id")]
    return f"{hashlib.blake2b(chr(0).join(who).encode(), digest_size=6).hexdigest()}/" if any(who) else ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _window_of(model: str) -> int:
    import litellm

    for name in (model, model.partition("/")[2]):
        known = (litellm.model_cost.get(name) or {}).get("max_input_tokens")
        if isinstance(known, int):
            return known
    return window_of(model)
