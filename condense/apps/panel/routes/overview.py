"""What is to be seen at a glance: counts, activity, the newest turns, what went wrong; and the graph of memories."""

from __future__ import annotations

import json
import urllib.request
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from condense.apps.hooks import failures_file
from condense.apps.install import started_ports
from condense.apps.panel import shapes
from condense.apps.panel.asking import Asked, Endpoint
from condense.apps.panel.reading import newest_turn
from condense.apps.panel.routes.memory_lists import InProject
from condense.apps.panel.values import time_of
from condense.costs import CacheRates, compaction_saves, expected_remaining_calls, price_of
from memory.entries import ACTIVE, MemoryFilter
from memory.projects import knowledge_graph
from memory.stores import Browsing

if TYPE_CHECKING:
    from condense.apps.panel.reading import Kept
    from condense.apps.panel.state import Panel
    from condense.apps.panel.texts import Language

DAY, WEEK = 86_400, 7 * 86_400
TURNS, FAILURES = 10, 20
GRAPHED: Final = 2_000
"""Memories, the most important, that the graph is drawn from; chosen."""
PROXY_SECONDS: Final = 0.3
DEFAULT_PORT: Final = 8787


class Glance(InProject):
    """What to look at."""

    days: Annotated[int, Field(ge=1, le=400)] = 30


class GraphWanted(InProject):
    """How much of the graph."""

    limit: Annotated[int, Field(ge=1, le=1_000)] = 150


def overview(panel: Panel, asked: Asked) -> Any:
    """Say what is to be seen at a glance."""
    key = panel.key_of(asked.query.project)
    now = panel.clock()
    counts: Counter[str] = Counter()
    for (status, *_), number in panel.tally(key).items():
        counts[status] += number
    first = int(now // DAY) - asked.query.days + 1
    made = [one for one in panel.records.listed() if one.in_use and _is_of(panel, one, key)]
    recent = [one for one in made if one.row.made >= first * DAY]
    turns = _turns(panel, key, asked.language)
    proxy, proxy_failures = _proxy()
    failures = sorted([*_hook_failures(), *proxy_failures], key=lambda one: -one[2])[:FAILURES]
    return {
        "pending": counts["pending"],
        "persisted": counts["persisted"],
        "superseded": counts["superseded"],
        "created_this_turn": turns[0]["memories_created"] if turns else 0,
        "created_this_week": sum(panel.store.created(key, now - WEEK, WEEK).values()),
        "compactions": len(recent),
        "tokens_saved": sum(one.tokens_before - one.tokens_after for one in recent),
        "cost_saved": _saved(panel, recent, asked.language),
        "proxy": proxy,
        "activity": _activity(panel, key, first, asked.query.days, recent),
        "turns": turns,
        "failures": [{"what": what, "message": said, "at": time_of(at)} for what, said, at in failures],
    }


def _is_of(panel: Panel, kept: Kept, key: str) -> bool:
    return not key or kept.row.project == key or panel.project_of_task(kept.session) == key


def _activity(panel: Panel, key: str, first: int, days: int, made: list[Kept]) -> list[Any]:
    created = panel.store.created(key, first * DAY, DAY)
    number: Counter[int] = Counter()
    saved: Counter[int] = Counter()
    for one in made:
        day = int(one.row.made // DAY)
        number[day] += 1
        saved[day] += one.tokens_before - one.tokens_after
    return [
        {
            "day": datetime.fromtimestamp(day * DAY, UTC).date().isoformat(),
            "created": created.get(day, 0),
            "compactions": number[day],
            "tokens_saved": saved[day],
        }
        for day in range(first, first + days)
    ]


def _saved(panel: Panel, made: list[Kept], language: Language) -> Any:
    chosen = panel.model or panel.sessions.newest_model()
    price = price_of(chosen or "")
    if not made or price is None or chosen is None:
        return None
    rates = CacheRates.of_model(chosen)
    calls = expected_remaining_calls(0)
    tokens = sum(
        max(0.0, compaction_saves(one.tokens_before, one.tokens_after, calls, rates))
        for one in made
        if one.tokens_before >= one.tokens_after >= 0
    )
    said = panel.say(
        "saved_by",
        language,
        count=len(made),
        compaction_word="compaction" if len(made) == 1 else "compactions",
        calls=round(calls),
        read=f"{rates.read:g}",
        model=price.name,
    )
    amount = round(tokens * price.input / 1e6, 4)
    return {"amount": amount, "currency": "USD", "model": price.name, "explained": said}


def _turns(panel: Panel, key: str, language: Language) -> list[Any]:
    rows: list[Any] = []
    for entry in panel.sessions.listed():
        if len(rows) == TURNS:
            break
        own = panel.sessions.key_of(panel.sessions.folder_of(entry))
        if key and own != key:
            continue
        turn = panel.remembered(("turn", entry.stamp), partial(newest_turn, panel.sessions, entry))
        if turn is None:
            continue
        about = panel.sessions.about(entry)
        said = panel.store.find(MemoryFilter(own, tasks=(about.task,), statuses=ACTIVE)) if about.task else ()
        new = sum(
            memory.entry.source is not None and memory.entry.source.message == turn.message for memory in said
        )
        pending = sum(memory.entry.status.value == "pending" for memory in said)
        counted = {"memories": new, "files": turn.files_changed, "tools": turn.tools_used, "pending": pending}
        words = {
            "memory_word": "memory" if new == 1 else "memories",
            "file_word": "file" if turn.files_changed == 1 else "files",
            "tool_word": "tool" if turn.tools_used == 1 else "tools",
        }
        rows.append(
            {
                "session": entry.id,
                "title": about.title,
                "words": turn.words,
                "at": time_of(turn.at),
                "memories_created": new,
                "files_changed": turn.files_changed,
                "tools_used": turn.tools_used,
                "pending": pending,
                "sentence": panel.say("turn", language, **counted, **words),
            }
        )
    return rows


def _hook_failures() -> list[tuple[str, str, float]]:
    try:
        lines = failures_file().read_text("utf-8", "replace").splitlines()[-FAILURES:]
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            row = json.loads(line)
            found.append((f"hook {row['event']}", str(row["error"]), float(row["at"])))
        except (ValueError, KeyError, TypeError):  # a line that was cut off
            continue
    return found


def _proxy() -> tuple[Any, list[tuple[str, str, float]]]:
    """Ask the proxies that hooks start, else the usual port; None where nobody answers and none is expected."""
    ports = started_ports()
    for port in ports or [DEFAULT_PORT]:
        try:
            address = f"http://127.0.0.1:{port}/holdfast/status"
            with urllib.request.urlopen(address, timeout=PROXY_SECONDS) as answer:
                told = json.loads(answer.read(1_000_000))
            counts = told["counts"]
            failures = [(str(f["what"]), str(f["error"]), float(f["at"])) for f in told["failures"]]
            done = counts.get("answered", 0) + counts.get("viewed", 0)
            state = {"running": True, "port": port, "mode": str(told["mode"]), "compactions": done}
            return {**state, "failures": counts.get("failures", 0)}, failures
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # nobody, or something else
            continue
    if not ports:
        return None, []
    return {"running": False, "port": ports[0], "mode": "", "compactions": 0, "failures": 0}, []


def graph(panel: Panel, asked: Asked) -> Any:
    """Give the knowledge graph of a project, its heaviest nodes."""
    key = panel.key_of(asked.query.project)
    looked_at = Browsing(key, tuple(ACTIVE))
    known = panel.store.page(looked_at, "priority", limit=GRAPHED)
    made = knowledge_graph(known)
    cluster = {name: at for at, names in enumerate(made.clusters) for name in names}
    joined = {end for edge in made.edges for end in (edge.source, edge.target)}
    ranked = sorted(made.nodes, key=lambda node: (node.id not in joined, -node.weight, node.id))
    shown = {node.id for node in ranked[: asked.query.limit]}
    return {
        "nodes": [
            {
                "id": _plain(node.id),
                "kind": node.kind,
                "label": node.label,
                "weight": node.weight,
                "cluster": cluster.get(node.id, -1),
            }
            for node in ranked[: asked.query.limit]
        ],
        "edges": [
            {"source": _plain(e.source), "target": _plain(e.target), "kind": e.kind, "weight": e.weight}
            for e in made.edges
            if e.source in shown and e.target in shown
        ],
        "clusters": [[_plain(name) for name in names if name in shown] for names in made.clusters],
        "left_out": len(made.nodes) - len(shown),
    }


def _plain(name: str) -> str:
    return name.removeprefix("memory:")


ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/overview",
        "Counts, activity, the newest turns, what went wrong",
        overview,
        shapes.Overview,
        query=Glance,
        example={
            "pending": 3,
            "persisted": 9,
            "superseded": 1,
            "created_this_turn": 1,
            "created_this_week": 4,
            "compactions": 2,
            "tokens_saved": 148_400,
            "cost_saved": {
                "amount": 1.2,
                "currency": "USD",
                "model": "claude-sonnet-4",
                "explained": "estimated: 2 compactions, 40 more calls each",
            },
            "proxy": {"running": True, "port": 8787, "mode": "view", "compactions": 2, "failures": 0},
            "activity": [{"day": "2025-05-01", "created": 4, "compactions": 2, "tokens_saved": 148_400}],
            "turns": [
                {
                    "session": "c2Vzc2lvbg==",
                    "title": "Please build the shop's price list",
                    "words": "Now add a column for discounts.",
                    "at": "2025-05-01T10:00:00.000Z",
                    "memories_created": 1,
                    "files_changed": 2,
                    "tools_used": 3,
                    "pending": 1,
                    "sentence": "1 memory created, 2 files changed, 3 tools used, 1 pending",
                }
            ],
            "failures": [{"what": "hook PreCompact", "message": "OSError: disk full", "at": None}],
        },
    ),
    Endpoint(
        "GET",
        "/api/v1/graph",
        "The knowledge graph of a project",
        graph,
        shapes.Graph,
        query=GraphWanted,
        example={
            "nodes": [
                {
                    "id": "m_5d41402abc4b2a76",
                    "kind": "memory",
                    "label": "never touch tests",
                    "weight": 1.0,
                    "cluster": 0,
                },
                {"id": "file:tests", "kind": "file", "label": "tests", "weight": 2.0, "cluster": 0},
            ],
            "edges": [{"source": "m_5d41402abc4b2a76", "target": "file:tests", "kind": "names", "weight": 1.0}],
            "clusters": [["m_5d41402abc4b2a76", "file:tests"]],
            "left_out": 0,
        },
    ),
)
