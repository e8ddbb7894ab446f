"""`ThreadMemory`: a store of threads with all that is done on it, for frameworks and servers.

Nothing here raises but where a store is opened: what fails is done without, and logged once.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Self

from condense.adapters.conversations import Conversations
from condense.adapters.failures import log_failure
from condense.adapters.threads.config import ThreadMemoryConfig
from condense.adapters.threads.embedding import OpenAIEmbedder
from condense.adapters.threads.pruning import Pruned, prune_thread
from condense.adapters.threads.recalling import recall_thread
from condense.adapters.threads.tiers import tier_budget, tier_summary, trim_to_tiers
from condense.config import CondenseConfig, TokenBudget
from condense.errors import CondenseFailure, Swallowed
from condense.summarizing import overflow_line
from memory.conversation import Form, Role, default_counter, make_text, parse_messages
from memory.errors import MemoryFailure
from memory.stores import InMemoryThreads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from condense.adapters.threads.pruning import Topics
    from condense.summarizing import Summarizer
    from memory.conversation import Message, TokenCounter
    from memory.entries import ThreadMessage, ThreadStore
    from memory.notes import Notebook
    from memory.search import Embedder

Strategy = Literal["planner", "tiers"]
SUMMARY_SHARE = 10
"""Per cent of the budget that summary and topics may take beside the planner, as in the documented tiers."""
OVERFLOW_SOURCE = "auto-overflow"
"""The channel of lines in MEMORY.md that a pruning wrote; as documented."""


class ThreadMemory:
    """Prunes, trims and recalls the threads of a store.

    Args:
        store: where threads are kept.
        config: settings; the documented defaults otherwise.
        summarizer, embedder, topics: see `prune_thread`; what is missing is done offline, by words.
        notebook: a MEMORY.md that gets one line of what each pruning takes out, where there is a summarizer.
        conversations: the planner's condensers, one a thread; by default their compactions are in the store, where it
            keeps such (SQLite, PostgreSQL), so that any process goes on byte for byte.
        model: name of the model that answers; tells its window where `config` does not.
        strategy: how `view` trims where a call says nothing else: by the planner, or by the documented tiers.
        count_tokens: text -> tokens; see `Condenser`.
        on_error: told of what failed, once for what reads alike; logs a warning by default (logger "holdfast").
        clock: seconds since the epoch.
    """

    def __init__(  # noqa: PLR0913  # all by name, but for two
        self,
        store: ThreadStore,
        config: ThreadMemoryConfig | None = None,
        *,
        summarizer: Summarizer | None = None,
        embedder: Embedder | None = None,
        topics: Topics | None = None,
        notebook: Notebook | None = None,
        conversations: Conversations | None = None,
        model: str = "",
        strategy: Strategy = "planner",
        count_tokens: TokenCounter | None = None,
        on_error: Callable[[Exception], object] = log_failure,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.config = store, config or ThreadMemoryConfig()
        self.summarizer, self.embedder, self.topics, self.notebook = summarizer, embedder, topics, notebook
        self.strategy, self.count, self.clock = strategy, count_tokens or default_counter(), clock
        self._swallowed = Swallowed(on_error)
        self.window = self.config.window_for(model)
        beside = self.window - tier_budget(self.window)
        budget = TokenBudget.for_window(self.window, overhead=beside, trigger=1.0)
        self.conversations = conversations or Conversations(
            CondenseConfig(budget=budget),
            store=store if hasattr(store, "put_record") else None,  # type: ignore[arg-type]
            count_tokens=self.count,
            on_error=self.failed,
            clock=clock,
        )

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None, **more: Any) -> Self:
        """Open what the documented environment variables name; `more` as above, and goes before them.

        `DATABASE_URL` names PostgreSQL; unset, threads are in a SQLite file of this user's. `StoreError` where what is
        named cannot be opened. An embedding model is used where it has an address or a key, otherwise words.
        """
        config = more.pop("config", None) or ThreadMemoryConfig.from_environment(env)
        told = Swallowed(more.get("on_error", log_failure))
        if "store" not in more:
            more["store"] = _opened(config.database_url.get_secret_value(), told)
        key, url = config.embedding_api_key.get_secret_value(), config.embedding_base_url
        if "embedder" not in more and (key or url):
            try:
                more["embedder"] = OpenAIEmbedder(config.embedding_model, api_key=key, base_url=url)
            except ImportError as error:
                told.keep(error)
        elif "embedder" not in more:
            words = "neither MEMORY_EMBEDDING_BASE_URL nor MEMORY_EMBEDDING_API_KEY is set; recall goes by words"
            told.keep(RuntimeWarning(words))
        return cls(more.pop("store"), config, **more)

    def failed(self, error: Exception) -> None:
        """Take note of what failed, and tell of it once."""
        self._swallowed.keep(error)

    def touch(self, thread_id: str) -> None:
        """Note that a thread is in use."""
        try:
            self.store.touch_thread(thread_id, self.clock())
        except MemoryFailure as error:
            self.failed(error)

    def prune(
        self,
        thread_id: str,
        messages: Sequence[ThreadMessage] | None = None,
        *,
        form: Form | str | None = None,
    ) -> Pruned:
        """Prune a thread where it is due; remove what is `removable` where the messages are kept.

        Without `messages` those in the store are meant, and removed there. Where anything fails, nothing is removable.
        """
        try:
            given = self.store.messages(thread_id) if messages is None else messages
            pruned = prune_thread(
                self.store,
                thread_id,
                given,
                self.clock(),
                self.config,
                self.summarizer,
                self.embedder,
                self.topics,
                count=self.count,
                form=form,
            )
            for problem in pruned.problems:
                self.failed(RuntimeWarning(problem))
            self._note(pruned.messages)
            if messages is None:
                self.store.remove_messages(thread_id, pruned.removable)
        except Exception as error:  # noqa: BLE001  # pruning can wait; the call it stands before cannot
            self.failed(error)
            return Pruned(problems=(f"{type(error).__name__}: {error}",))
        return pruned

    def view(
        self,
        thread_id: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        strategy: Strategy | None = None,
        system: int = 0,
        form: Form | str | None = None,
    ) -> Sequence[Any]:
        """Return what one call is sent of a thread; kept messages are the very objects, and nothing stored changes.

        Args:
            thread_id: whose summary and topics are told.
            messages: what is there of the thread, in one wire form.
            strategy: "tiers" as documented, or "planner": it tells summary and topics as soon as there are any.
            system: tokens of what is sent beside (system prompt, tools).
            form: the wire form; None tells it.
        """
        try:
            summary, topics = self.known(thread_id)
            budget = tier_budget(self.window, system=system)
            if (strategy or self.strategy) == "tiers":
                return trim_to_tiers(
                    messages,
                    budget,
                    summary=summary,
                    topics=topics,
                    full_recent=self.config.full_recent_count,
                    tool_max=self.config.condensed_tool_max,
                    count=self.count,
                    form=form,
                )
            told = tier_summary(summary, topics, budget * SUMMARY_SHARE // 100, self.count)
            tokens = system + (self.count(told) if told else 0)
            sent = self.conversations.view(thread_id, messages, form=form, overhead=tokens)
            return self._told(sent, told, form) if told else sent
        except Exception as error:  # noqa: BLE001  # a middleware never breaks the call it stands before
            self.failed(error)
            return messages

    def known(self, thread_id: str) -> tuple[str, tuple[str, ...]]:
        """Return the summary of what was pruned of a thread, and its topics; nothing where the store fails."""
        try:
            kept = self.store.summary(thread_id)
            return kept.summary if kept else "", tuple(t.topic for t in self.store.topics(thread_id))
        except MemoryFailure as error:
            self.failed(error)
            return "", ()

    def delete(self, thread_id: str) -> dict[str, int]:
        """Remove all of a thread from the store, its compactions as well; return how many rows of what went.

        `StoreError` where that fails, `CondenseFailure` where anything is left afterwards.
        """
        store = self.store
        gone = dict(store.delete_thread(thread_id))
        if compactions := self.conversations.delete(thread_id):
            gone["compactions"] = gone.get("compactions", 0) + compactions
        left = [
            name
            for name, held in (
                ("its entry", store.thread(thread_id)),
                ("messages", store.messages(thread_id)),
                ("its summary", store.summary(thread_id)),
                ("pieces", store.chunks(thread_id)),
                ("topics", store.topics(thread_id)),
            )
            if held
        ]
        if left:
            raise CondenseFailure(f"thread {thread_id!r} was deleted, but {', '.join(left)} are still there")
        return gone

    def recall(self, thread_id: str | None, query: str, top_k: int | None = None) -> str:
        """Answer a question out of what was pruned; see `recall_thread`."""
        try:
            return recall_thread(
                self.store,
                thread_id,
                query,
                self.embedder,
                self.config.recall_top_k if top_k is None else top_k,
                self.clock(),
                lambda error: self.failed(RuntimeWarning(f"the embedder failed: {error}")),
            )
        except Exception as error:  # noqa: BLE001  # a tool that raises ends the run
            self.failed(error)
            return f"The memory of this conversation cannot be read now: {type(error).__name__}."

    def _note(self, messages: Sequence[Message]) -> None:
        if self.notebook is None or self.summarizer is None:
            return
        line = overflow_line(messages, self.summarizer, 0).line
        if line.error is not None:
            self.failed(RuntimeWarning(f"no line for MEMORY.md: {line.error}"))
        if line.text:
            try:
                self.notebook.append_entry(OVERFLOW_SOURCE, line.text)
            except (MemoryFailure, ValueError) as error:
                self.failed(error)

    @staticmethod
    def _told(sent: Sequence[Any], told: str, form: Form | str | None) -> Sequence[Any]:
        """Put summary and topics behind the leading system messages."""
        parsed = parse_messages(sent, None if form is None else Form(form))
        lead = next((i for i, m in enumerate(parsed) if m.role is not Role.SYSTEM), len(parsed))
        return [*sent[:lead], make_text(parsed[0].form, Role.USER, told).raw, *sent[lead:]]


def _opened(url: str, told: Swallowed) -> ThreadStore:
    """Open the store of a URL, or the SQLite file of this user; without their packages, a store in memory."""
    try:
        open_sql = getattr(import_module("memory.stores"), "open_sql", None)
        if open_sql is None:
            raise ImportError("this release has no SQL store")  # noqa: TRY301  # as where its packages are missing
        store: ThreadStore = open_sql(url or None, {})
    except ImportError as error:
        if url:
            raise
        lost = "DATABASE_URL is not set; threads are kept in memory, and lost at the end"
        told.keep(RuntimeWarning(f"{lost}: {error}"))
        return InMemoryThreads()
    if not url:
        told.keep(RuntimeWarning("DATABASE_URL is not set; threads are kept in a SQLite file"))
    return store
