"""Options that several commands share, each said once."""

from __future__ import annotations

from typing import Annotated

import typer


def show_help(context: typer.Context) -> None:
    """Show what a group of commands offers where none of them is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


Where = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        metavar="DIR",
        help="Whose memory: a folder's project; the current one's when left out.",
    ),
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="The format of FILE, where it should not be recognised."),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Leave out lines that cannot be read, and say so.")]
Session = Annotated[
    str,
    typer.Option("--session", metavar="ID", help="Outside any project: whose originals expand fetches."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, and nothing else, on stdout.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="OUT", help="Write to this file.")]
Most = Annotated[int, typer.Option("--max", min=1, help="Results at most.")]
ModelDir = Annotated[
    str | None,
    typer.Option(
        "--model-dir",
        envvar="HOLDFAST_MODEL_DIR",
        metavar="DIR",
        help="An ONNX model: search by meaning, too.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        envvar="HOLDFAST_EMBEDDER",
        metavar="NAME:MODEL",
        help="The same by onnx:DIR, fastembed:MODEL, or a plug-in.",
    ),
]
QdrantPlace = Annotated[
    str | None,
    typer.Option(
        "--qdrant",
        envvar="HOLDFAST_QDRANT",
        metavar="PLACE",
        help="Search memories through Qdrant: URL, folder, edge:FOLDER.",
    ),
]
