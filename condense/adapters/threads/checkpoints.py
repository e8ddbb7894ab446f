"""The rows that LangGraph's checkpointers keep of a thread: counted, pruned, deleted.

For the savers in memory, SQLite and PostgreSQL and their async twins, which are used in their own loops. Of any other
its methods alone are asked.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from condense.errors import CondenseFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langgraph.checkpoint.base import BaseCheckpointSaver

TABLES: Final = {
    "sqlite": ("checkpoints", "writes"),
    "postgres": ("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
}
"""Where savers of a database keep threads, by the package they are from."""
_DELTAS: Final = "counters_since_delta_snapshot"
"""What the metadata of a checkpoint have that is built upon older ones (a `DeltaChannel`)."""


def prune_checkpoints(saver: BaseCheckpointSaver[Any], thread_id: str) -> None:
    """Remove a thread's older checkpoints, and with them what was pruned; the newest of each namespace stays.

    Only while no run is going on; in the loop of an async saver call it by `asyncio.to_thread`. A SQLite file's free
    pages hold what was removed until `VACUUM`.

    Raises:
        CondenseFailure: nothing was removed, since the saver cannot do it, or the graph's state is a `DeltaChannel`,
            whose newest value is made of older checkpoints.
    """
    _not_in_its_loop(saver)
    kind = _kind(saver)
    if kind == "memory":
        _prune_memory(saver, thread_id)
    elif kind == "sqlite":
        _prune_sqlite(saver, thread_id)
    else:
        try:
            saver.prune([thread_id], strategy="keep_latest")
        except (AttributeError, RuntimeError) as error:  # there, or not written yet
            raise _unable(saver, error) from error


def delete_checkpoints(saver: BaseCheckpointSaver[Any], thread_id: str) -> dict[str, int]:
    """Remove all of a thread from a checkpointer; return how many rows of which table went.

    Raises:
        CondenseFailure: rows are left.
    """
    _not_in_its_loop(saver)
    before = count_rows(saver, thread_id)
    saver.delete_thread(thread_id)
    left = {name: number for name, number in count_rows(saver, thread_id).items() if number}
    if left:
        told = ", ".join(f"{number} in {name}" for name, number in left.items())
        raise CondenseFailure(
            f"thread {thread_id!r} was deleted, but {type(saver).__name__} still has rows of it: {told}"
        )
    return before


def count_rows(saver: BaseCheckpointSaver[Any], thread_id: str) -> dict[str, int]:
    """Return how many rows a checkpointer has of a thread, by table."""
    kind = _kind(saver)
    if kind == "memory":
        held: Any = saver
        return {
            "checkpoints": sum(map(len, held.storage.get(thread_id, {}).values())),
            "writes": sum(len(rows) for key, rows in held.writes.items() if key[0] == thread_id),
            "blobs": sum(key[0] == thread_id for key in held.blobs),
        }
    if kind in TABLES:
        sign = "?" if kind == "sqlite" else "%s"
        asked = [f"SELECT count(*) AS n FROM {table} WHERE thread_id = {sign}" for table in TABLES[kind]]  # noqa: S608
        rows = _run(saver, [(one, (thread_id,)) for one in asked])
        return {
            table: row["n"] if isinstance(row, dict) else row[0]
            for table, row in zip(TABLES[kind], rows, strict=True)
        }
    return {"checkpoints": sum(1 for _ in saver.list({"configurable": {"thread_id": thread_id}}))}


def _kind(saver: Any) -> str:
    """Return which of the savers one is, also where it is a class of the user's own made of it."""
    for made_of in type(saver).__mro__:
        package, _, rest = made_of.__module__.removeprefix("langgraph.checkpoint.").partition(".")
        if made_of.__module__.startswith("langgraph.checkpoint.") and package in ("memory", *TABLES):
            return "" if rest.startswith("shallow") else package
    return ""


def _unable(saver: Any, why: object) -> CondenseFailure:
    return CondenseFailure(f"{type(saver).__name__} cannot remove older checkpoints: {why}")


def _not_in_its_loop(saver: Any) -> None:
    try:
        inside = asyncio.get_running_loop() is getattr(saver, "loop", None)
    except RuntimeError:  # no loop runs in this thread
        return
    if inside:
        raise CondenseFailure("call it by asyncio.to_thread: this thread runs the loop of the saver")


def _run(saver: Any, statements: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
    """Run statements in one transaction where the saver has its database; return the first row of each."""
    if not hasattr(saver, "loop"):
        with ExitStack() as leaving:
            opened = saver.cursor() if hasattr(saver, "cursor") else saver._cursor()  # noqa: SLF001  # pools, pipes and locks are its own
            cursor = leaving.enter_context(opened)
            rows = []
            for statement, given in statements:
                cursor.execute(statement, given)
                rows.append(cursor.fetchone() if cursor.description else None)
            return rows

    async def run() -> list[Any]:
        rows = []
        if hasattr(saver, "_cursor"):
            async with saver._cursor() as cursor:  # noqa: SLF001
                for statement, given in statements:
                    await cursor.execute(statement, given)
                    rows.append(await cursor.fetchone() if cursor.description else None)
            return rows
        await saver.setup()
        async with saver.lock:
            for statement, given in statements:
                async with saver.conn.execute(statement, given) as cursor:
                    rows.append(await cursor.fetchone())
            await saver.conn.commit()
        return rows

    return asyncio.run_coroutine_threadsafe(run(), saver.loop).result()


def _prune_sqlite(saver: Any, thread_id: str) -> None:
    deltas = "SELECT count(*) FROM checkpoints WHERE thread_id = ? AND instr(CAST(metadata AS text), ?)"
    ((number,),) = _run(saver, [(deltas, (thread_id, _DELTAS))])
    if number:
        raise _unable(saver, f"thread {thread_id!r} uses a DeltaChannel")
    newest = "SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ? GROUP BY checkpoint_ns"
    doomed = [
        f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id NOT IN ({newest})"  # noqa: S608
        for table in ("writes", "checkpoints")
    ]
    _run(saver, [(statement, (thread_id, thread_id)) for statement in doomed])


def _prune_memory(saver: Any, thread_id: str) -> None:
    spaces = saver.storage.get(thread_id, {})
    if any(_DELTAS in saver.serde.loads_typed(one[1]) for held in spaces.values() for one in held.values()):
        raise _unable(saver, f"thread {thread_id!r} uses a DeltaChannel")
    for namespace, held in spaces.items():
        if not held:
            continue
        newest = max(held)
        for checkpoint in [one for one in held if one != newest]:
            del held[checkpoint]
            saver.writes.pop((thread_id, namespace, checkpoint), None)
        kept = saver.serde.loads_typed(held[newest][0])["channel_versions"]
        for key in [k for k in saver.blobs if k[:2] == (thread_id, namespace)]:
            if kept.get(key[2]) != key[3]:
                del saver.blobs[key]
