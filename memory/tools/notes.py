"""Tools on text files: memory_write, memory_search, memory_read on MEMORY.md; memory_search, memory_get on Markdown.

Names, parameters, defaults and Chinese texts are CountBot's documented ones for the first, OpenClaw's for the second.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import orjson

from memory.extraction import MAX_CONTENT
from memory.notes import DEFAULT_LINES, DEFAULT_RECENT, DEFAULT_RESULTS as DEFAULT_PASSAGES, clamped
from memory.tools.values import PAGE, Tool, ToolResult, clipped, fenced, number_field, text_field, tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.notes import Documents, Notebook

MOST_RESULTS = 50  # results of one call at most (chosen: more does not fit a conversation)
_KEYWORDS: dict[str, Any] = {
    "keywords": text_field("Keywords to look for in MEMORY.md, parted by blanks. 搜索关键词，空格分隔。"),
    "max_results": number_field(
        "Lines returned at most. 最大返回条数。", default=DEFAULT_LINES, maximum=MOST_RESULTS
    ),
    "match_mode": text_field(
        "'or': any keyword matches; 'and': all of them. 匹配模式。", enum=["or", "and"], default="or"
    ),
}
_PASSAGE = {"start_line": "startLine", "end_line": "endLine"}  # documented names of what a passage holds
_QUERY: dict[str, Any] = {
    "query": text_field("What you want to know, in natural language."),
    "maxResults": number_field("Passages returned at most.", default=DEFAULT_PASSAGES, maximum=MOST_RESULTS),
}
_FROM: dict[str, Any] = {"from": number_field("First line, 1-based.", default=1)}


def write_tool(notebook: Notebook, source: str) -> Tool:
    """Return memory_write; `source` is the channel that lines are marked with."""

    @tool(
        "memory_write",
        "Write one line to long-term memory (MEMORY.md). 写入一条记忆，多事项用；分隔。",
        ("content",),
        writes=True,
        content=text_field("What to keep; several items parted by ；. 记忆内容。", maxLength=MAX_CONTENT),
    )
    def run(given: Mapping[str, Any]) -> ToolResult:
        line = notebook.append_entry(source, given["content"])
        value = {"line": line, "total": notebook.get_stats()["total"]}
        return ToolResult(notebook.say("written", given["content"], **value), value)

    return run


def read_tool(notebook: Notebook) -> Tool:
    """Return memory_read."""

    @tool(
        "memory_read",
        "Read memory lines by number, or the newest ones. 按行号读取记忆，或读取最近 N 条。",
        start_line=number_field("First line, 1-based. 起始行号（1-based）。"),
        end_line=number_field("Last line, included. 结束行号（包含）。"),
        recent_count=number_field(
            "Newest lines, where no line is named. 不指定行号时读取最近 N 条。", default=DEFAULT_RECENT
        ),
    )
    def run(given: Mapping[str, Any]) -> ToolResult:
        known = notebook.get_stats()
        head = notebook.say("total", total=known["total"])
        if known["date_range"]:
            head += notebook.say("range", dates=known["date_range"])
        start, end = given.get("start_line"), given.get("end_line")
        if start is None and end is None:
            lines = notebook.get_recent(given["recent_count"])
        else:
            lines = notebook.read_lines(start or 1, end)
        return _block(f"{head}\n\n{lines}", "memory_read", notebook.language_for())

    return run


def search_tool(notebook: Notebook | None, documents: Documents | None, *, cited: bool, most: int | None) -> Tool:
    """Return memory_search with the documented parameters of what is there; of both where both are.

    Passages say where they stand if `cited`; `most` are the characters of all snippets of one search, None for a page.
    """

    def run(given: Mapping[str, Any]) -> ToolResult:
        query, keywords = given.get("query", ""), given.get("keywords", "")
        if documents is not None and (query.strip() or notebook is None):
            passages = documents.search(query, given["maxResults"])
            shown = clamped(passages, PAGE if most is None else most, cited=cited)
            results = [{_PASSAGE.get(key, key): value for key, value in asdict(one).items()} for one in shown]
            value: dict[str, Any] = {"results": results}
            if len(shown) < len(passages):
                value["more"] = len(passages) - len(shown)
            return ToolResult(fenced(orjson.dumps(value).decode(), source="memory_search"), value)
        if notebook is not None and (keywords.strip() or documents is None):
            found = notebook.search(keywords.split(), given["max_results"], given["match_mode"])
            head = notebook.say("total", keywords, total=notebook.get_stats()["total"])
            return _block(f"{head}\n\n{found}", "memory_search", notebook.language_for(keywords))
        raise ValueError("memory_search needs a query (a question) or keywords (words parted by blanks)")

    if documents is None:
        described = "Search long-term memory by keywords. 搜索长期记忆，支持多关键词和 OR/AND 匹配。"
        return tool("memory_search", described, ("keywords",), **_KEYWORDS)(run)
    described = (
        "Search MEMORY.md and memory/*.md for prior work, decisions, dates, people, preferences, or todos. Returns "
        "passages with path and lines; read them with memory_get."
    )
    if notebook is None:
        return tool("memory_search", described, ("query",), **_QUERY)(run)
    described += " Or give keywords, to search the lines of MEMORY.md as they are. 或用 keywords 按行搜索。"
    return tool("memory_search", described, **_QUERY, **_KEYWORDS)(run)


def get_tool(documents: Documents) -> Tool:
    """Return memory_get."""

    @tool(
        "memory_get",
        "Read exact lines of a memory file that memory_search named; ask for the lines you need only.",
        ("path",),
        path=text_field("As memory_search gives it: MEMORY.md or memory/NAME.md."),
        **_FROM,
        lines=number_field("How many lines; all up to the end when left out."),
    )
    def run(given: Mapping[str, Any]) -> ToolResult:
        found = documents.get(given["path"], given["from"], given.get("lines"))
        text = clipped(found.text)
        said = f"{found.path} has no text from line {found.start_line} on."
        if text:
            head = f"{found.path}, lines {found.start_line} to {found.end_line}:"
            said = fenced(f"{head}\n{text}", source="memory_get")
        return ToolResult(said, {"path": found.path, "text": text})

    return run


def _block(text: str, source: str, language: str) -> ToolResult:
    return ToolResult(fenced(clipped(text), source=source, language=language))
