"""`holdfast mcp`: the memory tools for any agent that speaks the Model Context Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from condense.cli.options import ModelDir, QdrantPlace, Where  # noqa: TC001  # typer reads them
from condense.cli.payloads import release
from condense.cli.refusals import Refusal
from condense.cli.workspaces import clock, open_model, open_project, open_workspace, original_texts
from memory.adapters.mcp_server import memory_server, serve_http, warn
from memory.adapters.mcp_stdio import serve_stdio
from memory.citing import CitationMode
from memory.tools import ToolSettings, memory_tools


def mcp(
    *,
    workspace: Where = None,
    http: Annotated[
        int | None,
        typer.Option("--http", metavar="PORT", min=0, max=65535, help="Serve streamable HTTP here; 0: any."),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="With --http: 127.0.0.1, localhost or ::1.")
    ] = "127.0.0.1",
    channel: Annotated[str, typer.Option("--channel", help="Source of the lines that are written.")] = "mcp",
    citations: Annotated[CitationMode, typer.Option("--citations", help="Say where passages stand.")] = (
        CitationMode.AUTO
    ),
    most: Annotated[
        int | None,
        typer.Option("--max-injected-chars", min=0, help="Characters of all snippets of one search."),
    ] = None,
    model: ModelDir = None,
    qdrant: QdrantPlace = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer no tool that changes anything.")
    ] = False,
) -> None:
    """Serve remember, recall_memory, memory_search and the others to agents, by stdio or HTTP.

    For Claude Code: claude mcp add holdfast -- holdfast mcp
    """
    embedder = open_model(model)
    place = open_workspace(workspace, embedder=embedder)
    project = open_project(place.root, qdrant=qdrant, embedder=embedder)
    settings = ToolSettings(
        channel=channel,
        task_id=channel,
        citations=citations,
        max_injected_chars=most,
        may_write=not read_only,
    )
    tools = memory_tools(
        notebook=place.notebook,
        documents=place.documents,
        project=project,
        originals=original_texts(),
        now=clock,
        settings=settings,
    )
    try:
        if http is None:
            serve_stdio(tools, sys.stdin.buffer, sys.stdout.buffer, version=release())
        else:
            try:
                server = memory_server(tools, version=release())
            except ImportError as error:
                raise Refusal(str(error)) from error
            serve_http(server, host=host, port=http, ready=lambda url: warn(f"holdfast: serving {url}"))
    finally:
        project.store.close()
