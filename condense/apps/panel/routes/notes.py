"""MEMORY.md: viewed, edited, searched; the documented REST of memory, and a session summarised into a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from condense.apps.panel import shapes
from condense.apps.panel.asking import Answer, Asked, Endpoint, Problem, Wanted
from condense.apps.panel.routes.memory_lists import InProject
from condense.apps.panel.values import etag_of
from memory.notes import DEFAULT_LINES, DEFAULT_RECENT

if TYPE_CHECKING:
    from condense.apps.panel.state import Panel
    from memory.notes import Notebook

MOST: Final = 4_000_000
"""Bytes of a MEMORY.md that is sent."""


class Text(InProject):
    """The whole of MEMORY.md."""

    content: str


class NotesWanted(InProject):
    """What to look for in notes."""

    q: Annotated[str, Field(max_length=2_000)] = ""
    mode: Literal["or", "and"] = "or"
    limit: Annotated[int, Field(ge=1, le=500)] = 50


class Recent(Wanted):
    """How many of the newest."""

    count: Annotated[int, Field(ge=0, le=100_000)] = DEFAULT_RECENT


class Keywords(Wanted):
    """What to search for: words, parted by blanks, as documented."""

    keywords: Annotated[str, Field(max_length=2_000)]
    max_results: Annotated[int, Field(ge=1, le=10_000)] = DEFAULT_LINES
    match_mode: Literal["or", "and"] = "or"


def notes(panel: Panel, asked: Asked) -> Any:
    """Give MEMORY.md, whole and line by line."""
    notebook = panel.notebook(asked.query.project)
    content = notebook.read_all()
    lines = [
        {"number": e.number, "date": e.date, "source": e.source, "items": list(e.items)} for e in notebook.entries()
    ]
    value = {"content": content, "lines": lines, "path": str(notebook.path)}
    return Answer(value, headers={"etag": etag_of(content)})


def write(panel: Panel, asked: Asked) -> Any:
    """Put a text in place of MEMORY.md; with If-Match only where it still reads as it was seen."""
    tag = _written(panel.notebook(asked.body.project), asked)
    return Answer({"etag": tag}, headers={"etag": tag})


def _written(notebook: Notebook, asked: Asked) -> str:
    if asked.if_match in (None, "*"):
        notebook.write_all(asked.body.content)
    else:
        seen = notebook.read_all()
        if etag_of(seen) != asked.if_match or not notebook.rewrite(seen, asked.body.content):
            present = notebook.read_all()
            tag = etag_of(present)
            more = {"content": present, "etag": tag}
            raise Problem(412, "changed", "If-Match", more=more, headers={"etag": tag})
    return etag_of(notebook.read_all())


def search_notes(panel: Panel, asked: Asked) -> Any:
    """Find lines of MEMORY.md by words, or where none holds them passages of all Markdown notes."""
    wanted: NotesWanted = asked.query
    notebook = panel.notebook(wanted.project)
    words = wanted.q.split()
    found = notebook.matches(words, wanted.mode)
    path = f"{notebook.path.parent.name}/{notebook.path.name}"
    items = [
        {"path": path, "start": e.number, "end": e.number, "text": e.text, "score": 1.0}
        for e in found[: wanted.limit]
    ]
    if words and wanted.mode == "or":
        known = {(path, e.number) for e in found}
        items += [
            {
                "path": hit.path,
                "start": hit.start_line,
                "end": hit.end_line,
                "text": hit.snippet,
                "score": round(hit.score, 4),
            }
            for hit in panel.documents(wanted.project).search(wanted.q, min(wanted.limit, 50))
            if not any((hit.path, line) in known for line in range(hit.start_line, hit.end_line + 1))
        ]
    total = len(items) + max(0, len(found) - wanted.limit)
    return {"items": items[: wanted.limit], "total": total}


def long_term(panel: Panel, _: Asked) -> Any:
    """Read all of the memory."""
    content = panel.notebook(None).read_all()
    return Answer({"content": content}, headers={"etag": etag_of(content)})


def put_long_term(panel: Panel, asked: Asked) -> Any:
    """Write all of the memory anew."""
    tag = _written(panel.notebook(None), asked)
    said = "Memory updated"
    return Answer({"success": True, "message": said}, headers={"etag": tag})


def stats(panel: Panel, _: Asked) -> Any:
    """Count the memories."""
    return panel.notebook(None).get_stats()


def recent(panel: Panel, asked: Asked) -> Any:
    """Give the newest memories."""
    return {"content": panel.notebook(None, asked.spoken).get_recent(asked.query.count)}


def search(panel: Panel, asked: Asked) -> Any:
    """Find memories by keywords."""
    wanted: Keywords = asked.body
    notebook = panel.notebook(None, asked.spoken)
    results = notebook.search(wanted.keywords.split(), wanted.max_results, wanted.match_mode)
    return {"results": results, "total": notebook.get_stats()["total"]}


def summarize(panel: Panel, asked: Asked) -> Any:
    """Write what a session was about as one line of memory."""
    name = asked.path["id"]
    entry = panel.sessions.named(name)
    if entry is None:
        raise Problem(404, "no_session", "id", id=name)
    read = panel.sessions.read(entry)
    if not read.messages:
        raise Problem(400, "unreadable", "id", why="; ".join(read.warnings) or "it holds no messages")
    notebook = panel.notebook(panel.sessions.key_of(panel.sessions.about(entry).folder), asked.spoken)
    line = panel.line_of(read)
    language = notebook.language_for(line or "")
    if line is None:
        return {"success": True, "summary": "", "message": panel.say("nothing_to_note", language)}
    title = panel.sessions.about(entry).title or entry.agent
    number = notebook.append_entry(title[:40], line)
    total = notebook.get_stats()["total"]
    message = panel.say("noted", language, line=number, total=total)
    return {"success": True, "summary": line, "message": message}


LINES: Final = "2026-02-15|web-chat|用户偏好Python\n2026-02-15|telegram|API限流100req/min"
ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/notes",
        "MEMORY.md, whole and line by line",
        notes,
        shapes.Notes,
        query=InProject,
        example={
            "content": LINES,
            "lines": [{"number": 1, "date": "2026-02-15", "source": "web-chat", "items": ["用户偏好Python"]}],
            "path": "/home/you/shop/memory/MEMORY.md",
        },
    ),
    Endpoint(
        "PUT",
        "/api/v1/notes",
        "Write MEMORY.md; with If-Match only where it still reads as it was seen (412 with the present text)",
        write,
        shapes.Tagged,
        body=Text,
        asks={"content": LINES},
        example={"etag": '"0123456789abcdef01234567"'},
        most=MOST,
    ),
    Endpoint(
        "GET",
        "/api/v1/notes/search",
        "Lines of MEMORY.md and passages of Markdown notes",
        search_notes,
        shapes.NotesFound,
        query=NotesWanted,
        example={
            "items": [
                {"path": "memory/MEMORY.md", "start": 1, "end": 1, "text": LINES.split("\n")[0], "score": 1.0}
            ],
            "total": 1,
        },
    ),
    Endpoint(
        "GET",
        "/api/memory/long-term",
        "All of MEMORY.md (documented)",
        long_term,
        shapes.LongTerm,
        example={"content": LINES},
    ),
    Endpoint(
        "PUT",
        "/api/memory/long-term",
        "Write MEMORY.md (documented)",
        put_long_term,
        shapes.Updated,
        body=Text,
        asks={"content": LINES},
        example={"success": True, "message": "Memory updated"},
        most=MOST,
    ),
    Endpoint(
        "GET",
        "/api/memory/stats",
        "Counts of MEMORY.md (documented)",
        stats,
        shapes.NoteCounts,
        example={
            "total": 42,
            "sources": {"web-chat": 30, "telegram": 8, "dingtalk": 4},
            "date_range": "2026-01-01 ~ 2026-02-15",
        },
    ),
    Endpoint(
        "GET",
        "/api/memory/recent",
        "The newest lines of MEMORY.md (documented)",
        recent,
        shapes.LongTerm,
        query=Recent,
        example={"content": "[41] 2026-02-15|web-chat|...\n[42] 2026-02-15|telegram|..."},
    ),
    Endpoint(
        "POST",
        "/api/memory/search",
        "Lines of MEMORY.md by keywords (documented)",
        search,
        shapes.Results,
        body=Keywords,
        asks={"keywords": "python fastapi", "max_results": 15},
        example={"results": "[15] 2026-02-14|web-chat|...\n[42] 2026-02-15|web-chat|...", "total": 42},
    ),
    Endpoint(
        "POST",
        "/api/chat/sessions/{id}/summarize",
        "A session, or a thread, as one line of MEMORY.md (documented)",
        summarize,
        shapes.Summarized,
        body=Wanted,
        asks={},
        example={
            "success": True,
            "summary": "讨论了API设计方案；决定使用RESTful风格；认证方案选JWT",
            "message": "已保存到记忆第 43 行（共 43 条）",
        },
        heavy=True,
    ),
)
