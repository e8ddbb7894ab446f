"""What the adapters of plain SDKs and of LiteLLM share: bodies of requests, with the view of a conversation in them."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from condense.adapters.conversations import Conversations
from condense.adapters.limits import window_of
from condense.config import CondenseConfig, TokenBudget
from condense.costs import CacheRates
from memory.conversation import Form, Role, parse_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

HEADER: Final = "x-holdfast-conversation"
"""Header that names the conversation of one call: `extra_headers={HEADER: "task-1"}`; it is not sent."""
RESERVED = 0.25
"""Share of a model's window that stays free: providers may count a third more tokens than we do (chosen)."""
STEPS = 64
"""System prompt, tools and answer take of the window in steps of this part of it, so that a budget seldom changes
(chosen)."""

_PATHS: Final = {
    "/v1/messages": Form.ANTHROPIC,
    "/chat/completions": Form.OPENAI_CHAT,
    "/responses": Form.OPENAI_RESPONSES,
}
_DEFAULT = CondenseConfig()
_BESIDE = "system instructions tools functions response_format text output_config output_format".split()
_ANSWER = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_ELSEWHERE = ("previous_response_id", "conversation")
"""What says that the provider holds the rest of the conversation."""


class Requests:
    """Bodies of requests, with the view of a conversation in place of its whole history.

    Args:
        conversations: where the conversations are followed; by default some of its own. A config of yours stands as it
            is; with the default one the budget is made for the window of each request's model.
        window: tokens the model takes in, where that is not known or less is wanted.
        conversation: the name of the only conversation; "" tells them apart by model and beginning.
        windows: model -> its window.
    """

    def __init__(
        self,
        conversations: Conversations | None = None,
        *,
        window: int | None = None,
        conversation: str = "",
        windows: Callable[[str], int] = window_of,
    ) -> None:
        if window is not None and window <= 0:
            raise ValueError(f"window={window!r} must be above 0")
        self.conversations = conversations or Conversations()
        self._window = window
        self._conversation = conversation
        self._windows = windows
        self._count = lru_cache(maxsize=16)(self.conversations.count)

    def smaller(
        self, form: Form | None, body: Any, *, conversation: str = "", within: str = "", window: int = 0
    ) -> Any:
        """Return a body with the view in it, or the very body where there is nothing to do.  Never raises.

        Args:
            form: of the messages; None is no request for an answer.
            body: of the request; not written to.
            conversation: its name, where the call tells it.
            within: what several conversations have in common: a session, say.
            window: tokens of this model, where the call tells it.
        """
        try:
            field = "input" if form is Form.OPENAI_RESPONSES else "messages"
            values = body.get(field) if form and body else None
            if not form or not isinstance(values, list) or _held_elsewhere(form, body):
                return body
            model = str(body.get("model") or "")
            name = conversation or self._conversation or within + _beginning(values, form, model)
            config = self._config(model, body, window)
            sent = self.conversations.view(name, values, form=form, config=config)
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            self.conversations.failed(error)
            return body
        return body if sent is values else {**body, field: list(sent)}

    def call(self, path: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a client's `post` with a smaller body; the header that is ours goes no further."""
        options = dict(given.get("options") or {})
        name, options["headers"] = named_by(options.get("headers") or {})
        form = form_of(path, options.get("extra_json"))
        return {**given, "body": self.smaller(form, given.get("body"), conversation=name), "options": options}

    def _config(self, model: str, body: Mapping[str, Any], window: int) -> CondenseConfig:
        config, budget = self.conversations.config, self.conversations.config.budget
        if self._window or config == _DEFAULT:
            tokens = self._window or window or self._windows(model)
            budget = TokenBudget.for_window(int(tokens * (1 - RESERVED)) or 1)
            config = config.model_copy(update={"rates": CacheRates.of_model(model)})
        beside = {key: body[key] for key in _BESIDE if body.get(key)}
        taken = self._count(json.dumps(beside, ensure_ascii=False, default=str)) if beside else 0
        taken += next((int(body[key]) for key in _ANSWER if body.get(key)), 0)
        step = max(budget.window // STEPS, 1)
        share = 1 - min(-(-taken // step) * step / budget.window, 7 / 8)
        left = {key: max(int(tokens * share), 1) for key, tokens in budget.model_dump().items()}
        return config.model_copy(update={"budget": TokenBudget(**left)})


def form_of(path: str, extra: Any = None) -> Form | None:
    """Tell the form of a request by the path that an SDK gives it; None for whatever asks for no answer.

    Nor is there one where `extra_body` brings a history of its own, or says that the provider holds it.
    """
    return None if {"messages", "input", *_ELSEWHERE} & set(extra or ()) else _PATHS.get(path.partition("?")[0])


def named_by(headers: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the conversation that a call's headers name, "" for none, and the headers that are sent."""
    sent = {key: value for key, value in headers.items() if key.lower() != HEADER}
    return next((str(value) for key, value in headers.items() if key.lower() == HEADER), ""), sent


def _held_elsewhere(form: Form, body: Mapping[str, Any]) -> bool:
    return form is Form.OPENAI_RESPONSES and (
        any(map(body.get, _ELSEWHERE))
        or any(isinstance(item, dict) and item.get("type") == "item_reference" for item in body["input"])
    )


def _beginning(values: Sequence[Any], form: Form, model: str) -> str:
    """Name a conversation by its model and what was said up to the first answer; cache marks do not count."""
    named = hashlib.blake2b(model.encode("utf-8", "surrogatepass"), digest_size=12)
    for value in values:
        (message,) = parse_messages([value], form)
        if message.role is not Role.SYSTEM:
            named.update(message.digest.encode())
        if message.role is Role.ASSISTANT:
            break
    return f"unnamed/{named.hexdigest()}"
