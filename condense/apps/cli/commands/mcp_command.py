"""`holdfast mcp`: the memory tools for any agent that speaks the Model Context Protocol."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from condense.apps.cli.options import EmbedderName, ModelDir, QdrantPlace, Session, Where  # noqa: TC001  # typer reads them
from condense.apps.cli.refusals import Refusal, reason_of
from condense.apps.cli.screens import release
from condense.apps.cli.workspaces import (
    clock,
    open_model,
    open_project,
    open_recall,
    open_workspace,
    original_texts,
)
from condense.compaction import write_atomically
from memory.notes import CitationMode, made_private
from memory.stores import data_folder
from memory.tools import ToolSettings, memory_server, memory_tools, serve_http, serve_stdio, warn

TOKEN_FILE: Final = "mcp-token"  # noqa: S105  # a name
"""File in the data folder with the token of servers over HTTP that are told of no other."""

Token = Annotated[
    str | None,
    typer.Option("--token", help="With --http: what clients must send; other users can see it in ps."),
]
TokenFile = Annotated[
    str | None,
    typer.Option(
        "--token-file", metavar="FILE", help="With --http: where it is; made, mode 0600, where there is none."
    ),
]
Threads = Annotated[
    str | None,
    typer.Option(
        "--threads",
        metavar="URL",
        envvar="DATABASE_URL",
        help="Also recall what was pruned from the conversations in this database (recall_thread).",
    ),
]


def mcp(  # noqa: PLR0913  # each is an option
    *,
    workspace: Where = None,
    http: Annotated[
        int | None,
        typer.Option("--http", metavar="PORT", min=0, max=65535, help="Serve streamable HTTP here; 0: any."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="With --http: 127.0.0.1, localhost or ::1.")] = "127.0.0.1",
    token: Token = None,
    token_file: TokenFile = None,
    session: Session = "",
    channel: Annotated[str, typer.Option("--channel", help="Source of the lines that are written.")] = "mcp",
    citations: Annotated[CitationMode, typer.Option("--citations", help="Say where passages stand.")] = (
        CitationMode.AUTO
    ),
    most: Annotated[
        int | None,
        typer.Option("--max-injected-chars", min=0, help="Characters of all snippets of one search."),
    ] = None,
    model: ModelDir = None,
    embedder: EmbedderName = None,
    qdrant: QdrantPlace = None,
    threads: Threads = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that changes anything.")] = False,
) -> None:
    """Serve remember, recall_memory, memory_search and the others to agents, by stdio or HTTP.

    For Claude Code: claude mcp add holdfast -- holdfast mcp

    Over HTTP every request needs a token: that of --token, or of a file that is named when the server starts.
    """
    if http is None and (token is not None or token_file is not None):
        raise Refusal("--token and --token-file are for --http; over stdio nobody else can ask")
    secret, told = _token(token, token_file) if http is not None else ("", "")
    by_meaning = open_model(model, embedder)
    place = open_workspace(workspace, embedder=by_meaning)
    project = open_project(place.root, qdrant=qdrant, embedder=by_meaning)
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
        originals=original_texts(place.root, session),
        now=clock,
        settings=settings,
    )
    if threads:
        tools["recall_thread"] = open_recall(threads, by_meaning)
    try:
        if http is None:
            serve_stdio(tools, sys.stdin.buffer, sys.stdout.buffer, version=release())
        else:
            try:
                server = memory_server(tools, version=release())
            except ImportError as error:
                raise Refusal(str(error)) from error
            serve_http(
                server,
                token=secret,
                host=host,
                port=http,
                ready=lambda url: warn(f"holdfast: serving {url}\n{told.format(url)}"),
            )
    finally:
        project.store.close()


def _token(given: str | None, file: str | None) -> tuple[str, str]:
    """Return the token that clients must send, and what they are told about it, with {} for the address.

    Raises:
        Refusal: it is blank, its file cannot be read or written, or others can read it.
    """
    if given is not None and file is not None:
        raise Refusal("--token and --token-file name two tokens; give only one of them")
    if given is not None:
        if not given.strip():
            raise Refusal("--token is blank; it should be a secret that clients send")
        return given, "holdfast: requests need the header Authorization: Bearer, and the token of --token"
    place = Path(file).expanduser() if file is not None else data_folder() / TOKEN_FILE
    try:
        if not place.exists():
            made_private(place.parent)
            write_atomically(place, f"{secrets.token_urlsafe(32)}\n".encode())
        mode = place.stat().st_mode & 0o777
        content = place.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise Refusal(f"cannot use the token file {place}: {reason_of(error)}") from error
    if mode & 0o077 and os.name == "posix":
        raise Refusal(f"others can use the token file {place} (mode {mode:03o}); chmod 600 it, or remove it")
    if not content:
        raise Refusal(f"the token file {place} is empty; put a token into it, or remove it to have one made")
    shown = shlex.quote(str(place.absolute())).replace("{", "{{").replace("}", "}}")
    return content, (
        f"holdfast: requests need the token in {shown}; for Claude Code: claude mcp add --transport http holdfast {{}} "
        f'--header "Authorization: Bearer $(cat {shown})"'
    )
