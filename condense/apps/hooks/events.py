"""Answer an agent's hook at once: print what was prepared, leave the work to a process of its own.

A hook stands in the agent's way, so this file imports next to nothing: about 70 ms of CPU where the text is prepared,
near a second where the project's memories were changed since. It never fails and never blocks: what goes wrong is kept
in a file that `holdfast install status` shows.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from condense.apps.hooks.starting import run_apart, start_proxy
from condense.apps.hooks.texts import (
    EARLIER,
    MOST,
    keep_failure,
    project_file,
    read_text,
    session_text,
    state_of,
    texts_folder,
    waiting_file,
    written_at,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

EVENTS: Final = ("SessionStart", "PreCompact", "SessionEnd", "UserPromptSubmit")
PATIENCE: Final = 15.0
"""Seconds that the start after a compaction waits for what was said before it to be saved; chosen."""
MOMENT: Final = 1.0
"""Seconds that it waits when what was said in the session itself is saved; chosen."""
PROMPT_RULES: Final = "HOLDFAST_PROMPT_RULES"
"""Set to 1, this variable makes UserPromptSubmit name a rule that a prompt touches."""


def run_hook(arguments: Sequence[str], *, stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Handle one event; returns 0 whatever happens.

    Args:
        arguments: the event, one of `EVENTS`; others are passed over.
        stdin: the client's JSON.
        stdout: where what the agent shall see is printed.
    """
    event = arguments[0] if arguments else ""
    try:
        told = json.loads((stdin or sys.stdin).read() or "{}")
        if isinstance(told, dict) and event in EVENTS and not told.get("agent_id"):
            said = _answered(event, told)
            if said:
                print(said, file=stdout or sys.stdout, flush=True)  # a hook speaks by printing
    except BaseException as error:  # noqa: BLE001  # the agent goes on whatever happens here
        keep_failure(event, error)
    return 0


def _answered(event: str, told: Mapping[str, Any]) -> str:
    folder = told.get("cwd") or os.getcwd()  # noqa: PTH109  # a text
    if event in {"PreCompact", "SessionEnd"}:
        transcript = told.get("transcript_path")
        ended_unsaid = event == "SessionEnd" and transcript and not Path(transcript).exists()
        if transcript and not ended_unsaid:  # a session without a prompt has no file
            save_apart(str(transcript), str(told.get("session_id") or ""), str(folder))
        return ""
    wrong = start_proxy()
    said = _reminded(event, told, str(folder))[:MOST]
    if not wrong:
        return said
    shown: dict[str, Any] = {"systemMessage": wrong}  # agents show it to the person
    if said:
        shown["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": said}
    return json.dumps(shown)


def _reminded(event: str, told: Mapping[str, Any], folder: str) -> str:
    if event == "UserPromptSubmit":
        if os.environ.get(PROMPT_RULES) != "1":
            return ""
        from condense.apps.hooks.saving import touched_rule

        return touched_rule(str(told.get("prompt") or ""), folder)
    session = str(told.get("session_id") or "")
    parts = []
    if told.get("source") == "compact":
        wait_for(session)
        parts.append(read_text(session_text(session)))
    known = set("".join(parts).split("\n"))
    lines = project_text(folder, session).split("\n")
    lines = [line for line in lines if not line.startswith("- ") or line not in known]
    some = any(line.startswith("- ") for line in lines)
    parts.append("\n".join(line for line in lines if some or line != EARLIER))
    return "\n\n".join(filter(None, parts))


def project_text(folder: str, session: str) -> str:
    """Return what the project of a folder remembers: as prepared, or prepared now where the store was changed since."""
    from memory.projects import project_of
    from memory.stores import has_store, stamp_of, store_elsewhere, store_file

    project = project_of(folder) if Path(folder).is_dir() else None
    if project is None or not has_store():
        return ""
    with contextlib.suppress(Exception):  # whatever is wrong with it, it is prepared anew
        if store_elsewhere():
            raise LookupError  # nothing is prepared
        store = store_file()
        kept = json.loads(project_file(project.key).read_text("utf-8"))
        if kept["store"] == state_of(store) or kept["stamp"] == stamp_of(store, project.key):
            return str(kept["text"])
    from condense.apps.hooks.saving import prepare_project

    return prepare_project(folder, session)


def save_apart(transcript: str, session: str, folder: str) -> None:
    """Begin to save a session in a process of its own, which outlives the agent."""
    from memory.stores import made_data_folder

    made_data_folder()
    texts_folder().mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(OSError):
        waiting_file(session).touch()
    run_apart(["condense.apps.hooks", transcript, session, folder])


def wait_for(session: str) -> None:
    """Wait until a session that is being saved is saved, some seconds after that began at most.

    Once its own text is there, what takes longer (thousands of rules to share) is waited for only a moment.
    """
    waiting, text = waiting_file(session), session_text(session)
    while (begun := written_at(waiting)) and time.time() < begun + PATIENCE:
        if begun <= written_at(text) < time.time() - MOMENT:
            return
        time.sleep(0.02)
