"""What people see of a project's memories: tables, one memory in full, the graph as an outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from condense.apps.cli.screens.session_screens import PRIORITIES, clean, one_row, words_of
from condense.apps.words import counted
from memory.consolidation import marked_text
from memory.projects import day_of, is_dismissed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import SearchHit, StoredMemory
    from memory.projects import KnowledgeGraph, RelatedCode

ID_DIGITS = 8
"""Digits of an id that are shown (chosen: unique in any real project)."""


def memory_table(memories: Iterable[StoredMemory]) -> Table:
    """List memories: id, priority, state, words; retired ones struck through."""
    table = _table("id", "priority", "state", "in your words")
    for memory in memories:
        table.add_row(*_cells(memory))
    return table


def search_table(hits: Iterable[SearchHit]) -> Table:
    """List what a search found, with scores and the words that matched."""
    table = _table("id", "score", "in your words", "matched")
    for hit in hits:
        name, _, _, words = _cells(hit.memory)
        table.add_row(name, f"{hit.score:.2f}", words, Text(one_row(", ".join(hit.matched), 30), "dim"))
    return table


def told_memory(memory: StoredMemory, chain: Iterable[StoredMemory], places: Iterable[RelatedCode]) -> str:
    """Say all of one memory as plain lines."""
    entry = memory.entry
    how = ", in the agent's words: its proposal" * entry.is_proposal
    how += ", in other words: it was edited" * ("edited" in entry.tags)
    lines = [
        clean(marked_text(entry)),
        "",
        f"id        {entry.id}",
        f"type      {entry.type.value}, {entry.priority.value}",
        f"state     {_state(memory)}",
        f"said      {day_of(entry.created_at) or 'unknown'} in task {clean(entry.task_id)}{how}",
    ]
    lines += [
        f"again     {day_of(seen.seen_at) or 'unknown'} in task {clean(seen.task_id)}" for seen in memory.sightings
    ]
    lines.append(
        f"used      {counted(entry.access_count, 'time')}, last {day_of(entry.last_accessed_at) or 'unknown'}"
    )
    about = [f"{slot.name} = {slot.value}" for slot in entry.slots]
    about += [*entry.related_tech, *entry.related_files]
    lines += [f"about     {clean(', '.join(about))}"] if about else []
    links = {one.id: one.entry for one in chain if one.id != memory.id}
    for mark in entry.overtaken:
        later = links.get(mark.by or "")
        said = f": {clean(later.content)} ({later.id})" if later else ""
        lines.append(f"changed   {clean(f'{mark.slot.name} = {mark.slot.value}')} no longer holds{said}")
    partly = {mark.by for mark in entry.overtaken}
    lines += [
        f"{'replaced ' if one.created_at <= entry.created_at else 'then     '} {clean(marked_text(one))} ({one.id})"
        for one in links.values()
        if one.id not in partly
    ]
    lines += [f"code      {clean(place.path)}:{place.line}  ({place.reason})" for place in places]
    return "\n".join(lines) + "\n"


def graph_text(graph: KnowledgeGraph) -> str:
    """Write a graph as an outline: its clusters, and what belongs to none."""
    labels = {node.id: node for node in graph.nodes}
    sizes = (("node", graph.nodes), ("edge", graph.edges), ("cluster", graph.clusters))
    lines = [", ".join(counted(len(things), noun) for noun, things in sizes)]
    placed: set[str] = set()
    for number, cluster in enumerate(graph.clusters, 1):
        things = [labels[name].label for name in cluster if labels[name].kind != "memory"]
        lines += ["", f"{number}. {clean(', '.join(things[:8])) or '-'}"]
        lines += [f"   - {one_row(labels[name].label, 200)}" for name in cluster if labels[name].kind == "memory"]
        placed |= set(cluster)
    alone = [node for node in graph.nodes if node.id not in placed and node.kind == "memory"]
    lines += ["", "alone"] if alone else []
    lines += [f"   - {one_row(node.label, 200)}" for node in alone]
    return "\n".join(lines) + "\n"


def _cells(memory: StoredMemory) -> tuple[Text, Text, Text, Text]:
    entry = memory.entry
    return (
        Text(entry.id[:ID_DIGITS], "dim", no_wrap=True),
        Text(entry.priority.value, PRIORITIES[entry.priority.value]),
        Text(_state(memory), "dim"),
        words_of(entry),
    )


def _state(memory: StoredMemory) -> str:
    return "pinned" if memory.pinned else "dismissed" if is_dismissed(memory) else memory.entry.status.value


def _table(*names: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, ratio=1 if name == "in your words" else None)
    return table
