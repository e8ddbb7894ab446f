"""What holds memories and finds them: the store, plug-ins, an embedder, Qdrant, an SQL database."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from condense.apps.doctor.findings import Finding, State
from condense.apps.words import counted
from memory.stores import data_folder, list_plugins, look_at, open_store, store_elsewhere, store_file

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 3
"""How long a server may take to answer; chosen."""


def store() -> Iterator[Finding]:
    """The user's store: where, how large, sound, closed to others."""
    if place := store_elsewhere():
        yield from _elsewhere(place)
        return
    file = store_file()
    if not file.exists():
        folder = next(one for one in (data_folder(), *data_folder().parents) if one.exists())
        if not os.access(folder, os.W_OK | os.X_OK):
            mend = "set HOLDFAST_HOME to a folder of yours"
            yield Finding("store", str(file), State.BROKEN, f"{folder} cannot be written to", mend)
        else:
            yield Finding("store", str(file), State.OFF, "nothing is kept yet; it is made when there is")
        return
    state = look_at(file)
    for told, mend in state.trouble:
        yield Finding("store", str(file), State.BROKEN, told, mend)
    if not state.trouble:
        told = (
            f"{state.size / 1e6:.1f} MB, schema {state.schema}: {state.memories:,} memories, "
            f"{state.conversations:,} conversations, {state.originals:,} originals"
        )
        yield Finding("store", str(file), State.OK, told)
    for one in state.aside:
        told = "a damaged store that was set aside"
        yield Finding("store", one, State.NOTE, told, "remove it when nothing in it is missed")


def _elsewhere(place: str) -> Iterator[Finding]:
    name = place.partition(":")[0] + ":..."  # what follows may hold a password
    try:
        opened = open_store()
        opened.close()
    except Exception as error:  # noqa: BLE001  # a plug-in or a driver may raise anything
        mend = "mend HOLDFAST_STORE, or unset it to use your own file"
        yield Finding("store", name, State.BROKEN, _said(error, place), mend)
    else:
        yield Finding("store", name, State.OK, "opens (HOLDFAST_STORE)")


def added() -> Iterator[Finding]:
    """Plug-ins of other packages."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are told here
        found = list_plugins()
    for one in found:
        name = f"{one.name} ({one.kind}) of {one.package}"
        mend = f"update or remove {one.package.partition(' ')[0]}" if one.error else ""
        state = State.BROKEN if one.error else State.OK
        yield Finding("plug-in", name, state, one.error or "loaded", mend)


def embedder() -> Iterator[Finding]:
    """The embedding model, where one is named."""
    named, folder = os.environ.get("HOLDFAST_EMBEDDER"), os.environ.get("HOLDFAST_MODEL_DIR")
    if not named and not folder:
        return
    from memory.stores import open_embedder

    place = named or f"onnx:{folder}"
    variable = "HOLDFAST_EMBEDDER" if named else "HOLDFAST_MODEL_DIR"
    try:
        made = open_embedder(place)
        (vector,) = made(["probe"])
        if len(vector) != made.dimension:
            raise ValueError(f"its vectors have {len(vector)} numbers, not {made.dimension} as it says")  # noqa: TRY301  # told as all that is wrong with it
    except Exception as error:  # noqa: BLE001  # a plug-in may raise anything
        yield Finding("embedder", place, State.BROKEN, _said(error), f"mend {variable}, or unset it")
    else:
        yield Finding("embedder", place, State.OK, f"{made.name}, {made.dimension} numbers")


def qdrant() -> Iterator[Finding]:
    """Qdrant, where it is named."""
    place = os.environ.get("HOLDFAST_QDRANT")
    if not place:
        return
    from memory.stores import open_qdrant

    if not place.startswith(("http://", "https://")):
        told = f"a folder, {'there' if os.path.isdir(place.removeprefix('edge:')) else 'made when it is used'}"  # noqa: PTH112  # only asked
        yield Finding("qdrant", place, State.OK, told)
        return
    try:
        client = open_qdrant(place)()
        number = len(client.get_collections().collections)
        client.close()
    except Exception as error:  # noqa: BLE001  # its client raises what its transport raises
        mend = "start it, mend HOLDFAST_QDRANT, or unset it: the store's own search goes on without"
        yield Finding("qdrant", place, State.BROKEN, _said(error), mend)
    else:
        yield Finding("qdrant", place, State.OK, f"answers, {counted(number, 'collection')}")


def database() -> Iterator[Finding]:
    """The SQL database of threads, where one is named; nothing is made in it."""
    url = os.environ.get("DATABASE_URL", "")
    name = url.partition(":")[0].partition("+")[0]
    if name not in ("sqlite", "postgres", "postgresql"):
        return
    if find_spec("sqlalchemy") is None:
        mend = "pip install 'holdfast-context[postgres]', or unset DATABASE_URL where it is not meant for this"
        yield Finding("database", f"{name}:...", State.NOTE, "SQLAlchemy is not installed", mend)
        return
    from condense.apps.doctor.databases import reached

    try:
        told = reached(url, SECONDS)
    except Exception as error:  # noqa: BLE001  # a driver may raise anything
        mend = "start it, mend DATABASE_URL, or unset it"
        yield Finding("database", f"{name}:...", State.BROKEN, _said(error, url), mend)
    else:
        yield Finding("database", f"{name}:...", State.OK, told)


def _said(error: Exception, secret: str = "") -> str:
    """Say why in one line, without the place that was named, which may hold a password."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return (said.replace(secret, f"{secret.partition(':')[0]}:...") if secret else said)[:300]
