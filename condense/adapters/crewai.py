"""CrewAI: a hook that keeps every agent of a crew within its window; extra `crewai`.

    HoldfastHook().register()     # for all crews of this process, before they are kicked off

CrewAI calls hooks with the very list that an agent works on in a task, to be changed in place.  So that list (and what
is made of it, such as `LiteAgentOutput.messages`), unlike the histories of other frameworks, shrinks to what is sent.
The whole is kept here: `history` returns it, later views are made of it, and messages that stay are the very dicts.
Tasks, their outputs, the crew's memory and its events are left alone.  So are calls of an LLM outside any agent.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Self

from condense.adapters.conversations import MOST, Conversations
from condense.adapters.items import Part, Writing
from condense.config import CondenseConfig, TokenBudget
from memory.conversation import Form

try:
    from crewai.hooks.llm_hooks import register_before_llm_call_hook, unregister_before_llm_call_hook
    from crewai.utilities.i18n import I18N
except ImportError as missing:
    raise ImportError(
        "condense.adapters.crewai needs the framework: pip install 'holdfast-context[crewai]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memory import PersistentMemoryManager
    from memory.entries import ProjectStore

_READ = ("role", "content", "tool_calls", "tool_call_id", "name")
"""What of a message the provider is sent; the rest is the framework's own, and may be no JSON."""


class _Run:
    """One agent's work on one task: its list, what was last sent of it, and the whole."""

    def __init__(self, messages: list[Any]) -> None:
        self.messages = messages
        self.sent: list[Any] = []
        self.whole: list[Any] = []

    def take_in(self) -> list[Any]:
        """Add what came since the last view; a list that does not go on from there begins anew."""
        known = len(self.sent)
        same = len(self.messages) >= known and all(a is b for a, b in zip(self.messages, self.sent, strict=False))
        self.whole = [*self.whole, *self.messages[known:]] if same else list(self.messages)
        return self.whole


class HoldfastHook:
    """A `before_llm_call` hook: one condenser for each agent's work on a task.

    Args:
        config: settings; by default for the window that CrewAI knows the agent's model to have (it holds back 15%).
        memory, store: see `Conversations`.

    Nothing is ever raised into the agent; `conversations.last_error` tells what was swallowed.  A context manager
    registers it for a while.
    """

    def __init__(
        self,
        config: CondenseConfig | None = None,
        *,
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
    ) -> None:
        self.conversations = Conversations(config, memory=memory, store=store)
        self._given = config
        self._runs: OrderedDict[int, _Run] = OrderedDict()
        self._lock = threading.Lock()
        self._prompt = I18N().slice("post_tool_reasoning")

    def register(self) -> Self:
        """Have it called before every call of a model; agents take over the hooks when they are made ready to work."""
        register_before_llm_call_hook(self)
        return self

    def unregister(self) -> None:
        """Have it called no more by agents that are made ready from here on."""
        unregister_before_llm_call_hook(self)

    def __enter__(self) -> Self:
        """Register it."""
        return self.register()

    def __exit__(self, *_: object) -> None:
        """Take it back."""
        self.unregister()

    def __call__(self, context: Any) -> None:
        """Bring the messages of an agent's task to the view of them, in place."""
        messages = context.messages
        if getattr(context, "executor", None) is None or not messages:
            return
        try:
            run = self._run_of(messages)
            whole = run.take_in()
            writing = Writing(Form.OPENAI_CHAT, self._written, _rebuilt)
            run.sent = list(
                self.conversations.view_items(
                    "",  # by how it begins: then a kickoff that is given an earlier one's history goes on with it
                    whole,
                    writing,
                    config=self._config(context.llm),
                    overhead=self._overhead(context.executor),
                )
            )
            messages[:] = run.sent
        except Exception as error:  # noqa: BLE001  # a hook's error may end the agent's run
            self.conversations.failed(error)

    def history(self, messages: Sequence[Any]) -> tuple[Any, ...]:
        """Return all that was ever in an agent's list, given the list (`executor.messages`) as it is now."""
        run = self._runs.get(id(messages))
        return tuple(messages) if run is None else (*run.whole, *messages[len(run.sent) :])

    def _run_of(self, messages: list[Any]) -> _Run:
        with self._lock:
            run = self._runs.setdefault(id(messages), _Run(messages))  # it holds the list, so the id stays its own
            self._runs.move_to_end(id(messages))
            while len(self._runs) > MOST:
                self._runs.popitem(last=False)
            return run

    def _config(self, llm: Any) -> CondenseConfig | None:
        """Return what was given, else settings for the model's window."""
        window = getattr(llm, "get_context_window_size", int)()
        if self._given is not None or not isinstance(window, int) or window <= 0:
            return None
        return CondenseConfig(budget=TokenBudget.for_window(window))

    def _overhead(self, executor: Any) -> int:
        """Count the tools that travel beside the messages."""
        tools = getattr(executor, "_openai_tools", None)
        return self.conversations.count(str(tools)) if tools else 0

    def _written(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        value = {key: message[key] for key in _READ if message.get(key) is not None or key == "content"}
        if value["role"] == "user" and value.get("content") == self._prompt:  # no person said it
            value["content"] = f"<system-reminder>{self._prompt}</system-reminder>"
        return [value]


def _rebuilt(message: dict[str, Any] | None, parts: Sequence[Part]) -> dict[str, Any]:
    return {**(message or {}), **parts[0].value}
