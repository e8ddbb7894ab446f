"""recall_memory on the pruned past of conversations: what a thread store still knows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from condense.adapters.threads.embedding import vectors_of
from memory.projects import day_of
from memory.tools import Tool, ToolResult, clipped, fenced, number_field, text_field, tool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memory.entries import ThreadStore
    from memory.search import Embedder

DEFAULT_PIECES: Final = 5
DAY: Final = 86_400


def recall_thread(
    store: ThreadStore,
    thread_id: str | None,
    query: str,
    embedder: Embedder | None = None,
    top_k: int = DEFAULT_PIECES,
    now: float | None = None,
    failed: Callable[[Exception], object] = repr,
) -> str:
    """Answer a question out of what was pruned from a thread (all threads for None): dated, in a block, as data.

    By words, and by meaning where there is an embedder; `failed` is told where that fails (nobody by default). With
    `now`, seconds since 1970 UTC, pieces say how old they are.
    """
    vectors = vectors_of(embedder, [query], failed) if query.strip() else None
    hits = store.search_chunks(query, thread_id=thread_id, vector=vectors[0] if vectors else None, limit=top_k)
    told = []
    for hit in hits:
        piece = hit.chunk
        days = int((now - piece.created_at) // DAY) if now is not None and 0 < piece.created_at <= now else None
        age = "" if days is None else ", today" if days == 0 else f", {days} day{'s' * (days > 1)} ago"
        about = f" ({', '.join(piece.topics)})" if piece.topics else ""
        told.append(f"[{day_of(piece.created_at) or 'undated'}{age}]{about}\n{piece.chunk}")
    if not told:
        return "Nothing that was said earlier in this conversation answers that."
    return fenced(clipped("\n\n".join(told)), source="recall_memory")


def recall_thread_tool(
    store: ThreadStore,
    now: Callable[[], float],
    embedder: Embedder | None = None,
    name: str = "recall_memory",
) -> Tool:
    """Return the tool; of all threads where the model names none."""

    @tool(
        name,
        "Retrieve details of what was said and done earlier in a conversation and is no longer in sight.",
        ("query",),
        query=text_field("What you want to know: a topic, a question, keywords."),
        thread_id=text_field("The conversation's id; left out, all conversations are searched."),
        limit=number_field("Pieces returned at most.", default=DEFAULT_PIECES, maximum=20),
    )
    def run(given: Mapping[str, Any]) -> ToolResult:
        if not given["query"].strip():
            raise ValueError("query is empty; it should be a question or words")
        thread = given.get("thread_id", "").strip() or None
        return ToolResult(recall_thread(store, thread, given["query"], embedder, given["limit"], now()))

    return run
