"""The switches of the person, where things are, and what is on in Claude Code and Codex."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from condense.apps import switches
from condense.apps.install import installation
from condense.apps.panel import shapes
from condense.apps.panel.asking import Asked, Endpoint, Problem, Wanted
from condense.apps.panel.values import release
from memory.stores import data_folder

if TYPE_CHECKING:
    from condense.apps.panel.state import Panel

MODEL: Final = r"^(anthropic|openai|openai-responses):\S{1,200}$"


class Switching(Wanted):
    """What to set; what is left out stays."""

    memory_enhancement: bool | None = None
    vector_store: bool | None = None
    model: Annotated[str | None, Field(pattern=rf"{MODEL}|^$", description="PROVIDER:NAME; empty for none.")] = None
    embedder: Annotated[str | None, Field(max_length=1_000, description="Folder of an ONNX model.")] = None
    language: Literal["auto", "en", "zh"] | None = None


def settings(panel: Panel, asked: Asked) -> Any:
    """Say what is switched how, and where things are."""
    chosen = panel.store.settings()
    reason = switches.why_no_vectors()
    why = panel.say(reason, asked.language) if reason else ""
    return {
        "memory_enhancement": switches.is_enhanced(panel.store),
        "vector_store": chosen.get(switches.VECTORS) == switches.ON and not why,
        "vector_store_available": {"ok": not why, "why": why},
        "model": chosen.get(switches.MODEL) or None,
        "embedder": chosen.get(switches.EMBEDDER) or None,
        "language": chosen.get(switches.LANGUAGE) or "auto",
        "paths": [
            _place("store", Path(panel.store.path)) | {"path": panel.store.path, "exists": True},
            _place("data", data_folder()),
            _place("notes", panel.notebook(None).path),
            *(_place(name, place) for name, place in panel.sessions.places()),
        ],
        "version": release(),
    }


def _place(name: str, path: Path) -> dict[str, Any]:
    is_file = path.is_file()
    return {
        "name": name,
        "path": str(path),
        "exists": is_file or path.is_dir(),
        "bytes": path.stat().st_size if is_file else None,
    }


def switch(panel: Panel, asked: Asked) -> Any:
    """Switch what is named."""
    wanted: Switching = asked.body
    if wanted.vector_store and (why := switches.why_no_vectors()):
        said = panel.say(why, asked.language)
        raise Problem(409, "no_vectors", "body.vector_store", why=said)
    if wanted.embedder and (why := switches.why_no_embedder(wanted.embedder)):
        said = panel.say(why, asked.language, folder=wanted.embedder)
        raise Problem(400, "no_vectors", "body.embedder", why=said)
    onoff = {True: switches.ON, False: switches.OFF, None: None}
    with panel.store.writing():
        for name, value in (
            (switches.ENHANCEMENT, onoff[wanted.memory_enhancement]),
            (switches.VECTORS, onoff[wanted.vector_store]),
            (switches.MODEL, wanted.model),
            (switches.EMBEDDER, wanted.embedder),
            (switches.LANGUAGE, wanted.language),
        ):
            if value is not None:
                panel.store.put_setting(name, value)
    return settings(panel, asked)


def install(panel: Panel, _: Asked) -> Any:
    """Say what is on in Claude Code and Codex."""
    items = installation(panel.settings.folder)
    return {"items": items, "total": len(items), "next": None}


SETTINGS: Final = {
    "memory_enhancement": True,
    "vector_store": False,
    "vector_store_available": {"ok": True, "why": ""},
    "model": None,
    "embedder": None,
    "language": "auto",
    "paths": [
        {
            "name": "store",
            "path": "/home/you/.local/share/holdfast/memory.db",
            "exists": True,
            "bytes": 40_960,
        }
    ],
    "version": "0.1.0",
}
ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/settings",
        "What is switched how, and where things are",
        settings,
        shapes.Settings,
        example=SETTINGS,
    ),
    Endpoint(
        "PUT",
        "/api/v1/settings",
        "Switch what is named; the rest stays",
        switch,
        shapes.Settings,
        body=Switching,
        asks={"memory_enhancement": False},
        example=SETTINGS,
    ),
    Endpoint(
        "GET",
        "/api/v1/install",
        "What is on in Claude Code and Codex",
        install,
        shapes.Listed[shapes.Installation],
        example={
            "items": [
                {
                    "agent": "claude-code",
                    "found": True,
                    "version": "2.1.0",
                    "installed": True,
                    "scope": "user",
                    "parts": [
                        {"name": "plugin", "on": True, "detail": ""},
                        {"name": "hooks", "on": True, "detail": ""},
                        {"name": "mcp", "on": True, "detail": ""},
                        {"name": "proxy", "on": False, "detail": ""},
                    ],
                    "steps": ["holdfast install claude-code --proxy"],
                }
            ],
            "total": 1,
            "next": None,
        },
    ),
)
