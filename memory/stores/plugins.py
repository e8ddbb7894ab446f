"""What other packages add by entry points: session formats, stores, summarisers and embedders.

Nothing is looked for before it is needed (some 40 ms), and a plug-in is loaded when it is used. One that is broken is
named in a `PluginWarning`, once, and left out; `list_plugins` tells of all. Names of ours stay ours.

| group | what an entry point leads to |
|---|---|
| `holdfast.transcripts` | a `memory.conversation.SessionFormat` |
| `holdfast.stores` | a callable of a place, returning a `memory.entries.ProjectStore` |
| `holdfast.summarizers` | a callable of a model's name, returning a `condense.Summarizer` |
| `holdfast.embedders` | a callable of a model's name, returning a `memory.search.Embedder` |

What is called gets what a person wrote behind NAME: and "" where nothing stands there.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from memory import conversation
from memory.conversation import SessionFormat, TranscriptFormat, formats_from
from memory.errors import MemoryFailure, StoreError, TranscriptError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.metadata import EntryPoint

    from memory.conversation import Message, Records, Transcript
    from memory.entries import ProjectStore
    from memory.search import Embedder

OURS: Final = {
    "transcripts": tuple(map(str, TranscriptFormat)),
    "stores": ("sqlite", "postgresql", "postgres"),
    "summarizers": ("anthropic", "openai", "openai-responses"),
    "embedders": ("onnx", "fastembed", "hashing"),
}
"""Kinds of plug-ins, and the names that are taken."""


class PluginWarning(UserWarning):
    """A plug-in that cannot be used, with its package and the reason."""


class PluginError(MemoryFailure, ValueError):
    """A plug-in that was asked for by its name is not there, or cannot be used."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point: its kind (a key of `OURS`), name and package with version; `error` says why it is left out."""

    kind: str
    name: str
    package: str
    error: str = ""

    def __str__(self) -> str:
        """The same for people."""
        return f"plug-in {self.name!r} ({self.kind}) of {self.package}"


_FAILED: dict[tuple[str, str], str] = {}
"""Why a plug-in is left out, by kind and package/name."""


def list_plugins() -> tuple[Plugin, ...]:
    """Return all plug-ins that are installed, each loaded to see whether it can be."""
    for kind in OURS:
        for found in _found(kind):
            if not found[0].error:
                _loaded(*found)
    rows = (plugin for kind in OURS for plugin, _ in _found(kind))
    return tuple(replace(one, error=one.error or _FAILED.get(_key(one), "")) for one in rows)


def plugged_names(kind: str) -> tuple[str, ...]:
    """Return the names that plug-ins of a kind add to ours."""
    return tuple(plugin.name for plugin, _ in _found(kind) if not plugin.error)


def plugged(kind: str, name: str, given: str) -> Any:
    """Make what a plug-in of a kind gives for what a person wrote behind its name.

    Raises:
        PluginError: there is none of that name, or it failed.
    """
    for plugin, point in _found(kind):
        if plugin.name == name and not plugin.error:
            make = _loaded(plugin, point)
            if make is None:
                raise PluginError(f"{plugin} cannot be used: {_FAILED[_key(plugin)]}")
            try:
                return make(given)
            except Exception as error:
                raise PluginError(f"{plugin} failed for {given!r}: {type(error).__name__}: {error}") from error
    names = ", ".join(f"{one}:..." for one in (*OURS[kind], *plugged_names(kind)))
    raise PluginError(f"{name!r} names none of the {kind} that are installed: {names}")


def read_transcript(source: Any, *, format: str | None = None, sidechains: bool = False) -> Transcript:  # noqa: A002  # the public keyword
    """Read a conversation in a format of ours or of a plug-in; see `memory.conversation.read_transcript`."""
    offer_formats()
    return conversation.read_transcript(source, format=format, sidechains=sidechains)


def iter_transcript(source: Any, *, format: str | None = None, sidechains: bool = False) -> Iterator[Message]:  # noqa: A002  # the public keyword
    """Yield the messages of a conversation one by one; see `memory.conversation.iter_transcript`."""
    offer_formats()
    return conversation.iter_transcript(source, format=format, sidechains=sidechains)


def open_place(place: str) -> ProjectStore:
    """Open the store that NAME:PLACE names: a URL of SQLite or PostgreSQL, or what a plug-in makes of PLACE.

    Raises:
        PluginError: no store is called so, or its plug-in failed.
        StoreError: it cannot be opened, or a package for it is not installed.
    """
    name, _, rest = place.partition(":")
    if name.partition("+")[0] in OURS["stores"]:
        from memory.stores import open_sql

        try:
            return open_sql(place)
        except ImportError as error:
            raise StoreError(str(error)) from error
    return cast("ProjectStore", plugged("stores", name, rest))


def open_embedder(named: str) -> Embedder:
    """Make the embedder that NAME:MODEL names: onnx:FOLDER, fastembed:MODEL, hashing:SIZE, or that of a plug-in.

    Raises:
        PluginError: no embedder is called so, or its plug-in failed.
        StoreError, ImportError: the model cannot be loaded, or a package for it is not installed.
        ValueError: the size is none.
    """
    name, _, rest = named.partition(":")
    if name == "hashing":
        from memory.search import HashingEmbedder

        return HashingEmbedder(int(rest)) if rest else HashingEmbedder()
    if name in OURS["embedders"]:
        from memory.stores.embedding import DEFAULT_MODEL, FastEmbedder

        return FastEmbedder(rest) if name == "onnx" else FastEmbedder(model=rest or DEFAULT_MODEL)
    return cast("Embedder", plugged("embedders", name, rest))


@cache
def offer_formats() -> None:
    """Let `read_transcript` ask for the formats of plug-ins where a session is of none of ours."""
    formats_from(lambda: tuple(_formats()))


def _formats() -> Iterator[SessionFormat]:
    for plugin, point in _found("transcripts"):
        one = None if plugin.error else _loaded(plugin, point)
        if one is not None:
            yield _guarded(one, plugin)


def _guarded(one: SessionFormat, plugin: Plugin) -> SessionFormat:
    """Let no defect of a format keep other sessions from being read, nor pass as a session that is empty."""

    def shows(record: Mapping[str, Any]) -> bool:
        try:
            return bool(one.shows(record))
        except Exception as error:  # noqa: BLE001  # a plug-in may raise anything
            _fail(plugin, error)
            return False

    def read(records: Records) -> Iterator[Any]:
        try:
            for number, message, meta in one.read(records):  # noqa: UP028  # what is no triple fails here
                yield number, message, meta
        except TranscriptError:
            raise
        except Exception as error:
            told = f"{plugin} failed: {type(error).__name__}: {error}"
            raise TranscriptError(told, path=records.findings.path) from error

    return replace(one, name=plugin.name, shows=shows, read=read)


def _loaded(plugin: Plugin, point: EntryPoint) -> Any:
    """Load a plug-in; None where it cannot be used, with a warning the first time."""
    if _key(plugin) in _FAILED:
        return None
    try:
        value = point.load()
        if plugin.kind == "transcripts" and not isinstance(value, SessionFormat):
            raise TypeError(f"it is {type(value).__name__}; it should be a memory.conversation.SessionFormat")  # noqa: TRY301  # told as all that is wrong with it
        if plugin.kind != "transcripts" and not callable(value):
            raise TypeError(f"it is {type(value).__name__}; it should be callable")  # noqa: TRY301  # the same
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a plug-in may raise anything
        _fail(plugin, error)
        return None
    return value


def _fail(plugin: Plugin, error: BaseException | str) -> None:
    if _key(plugin) not in _FAILED:
        told = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        _FAILED[_key(plugin)] = " ".join(told.split())
        warnings.warn(f"{plugin} is left out: {_FAILED[_key(plugin)]}", PluginWarning, stacklevel=2)


def _key(plugin: Plugin) -> tuple[str, str]:
    return (plugin.kind, f"{plugin.package}/{plugin.name}")


@cache
def _found(kind: str) -> tuple[tuple[Plugin, EntryPoint], ...]:
    """Find the plug-ins of a kind, in the order of their packages; of two with one name the first is taken."""
    from importlib.metadata import entry_points

    rows = sorted(
        (f"{point.dist.name} {point.dist.version}" if point.dist else "?", point.name, point)
        for point in entry_points(group=f"holdfast.{kind}")
    )
    taken = dict.fromkeys(OURS[kind], "holdfast itself")
    found = []
    for package, name, point in rows:
        plugin = Plugin(kind, name, package)
        if name in taken:
            _fail(plugin, f"the name {name!r} is taken by {taken[name]}")
            plugin = replace(plugin, error=_FAILED[_key(plugin)])
        taken.setdefault(name, package)
        found.append((plugin, point))
    return tuple(found)
