"""Where originals and records are kept on this machine."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from condense.apps.cli.refusals import Refusal, reason_of
from condense.apps.cli.sessions import session_name
from condense.apps.switches import compacted_in
from condense.compaction import CompactionRecord, DiskArchive, StoreArchive
from condense.errors import RecordError
from memory.projects import project_of
from memory.stores import data_folder, has_store, open_store, unknown_handle

if TYPE_CHECKING:
    from memory.conversation import Transcript
    from memory.entries import ProjectStore


def open_archive(folder: str | None, session: str) -> StoreArchive:
    """Return the originals of a folder's project, and those that a session keeps outside any project.

    Originals are in the store; those that earlier releases kept in a folder of files are still found.

    Args:
        folder: of the project; the current one where none is named, or it is not on this machine.
        session: the session's name, "" where there is none.

    Raises:
        StoreError: no home folder is known.
    """
    project = project_of(_here(folder))
    return StoreArchive(
        _Originals(),
        older=DiskArchive(data_folder() / "originals"),
        project=project.key if project else None,
        task_id=session,
    )


def archive_of(transcript: Transcript) -> StoreArchive:
    """Return where the originals of a session belong: see `open_archive`."""
    return open_archive(transcript.cwd, session_name(transcript))


def expand_options(transcript: Transcript) -> str:
    """Return what `holdfast expand` must be told, in the current folder, to reach the originals of a session."""
    folder = transcript.cwd
    if (there := archive_of(transcript).project) is None:
        return f" --session {shlex.quote(session_name(transcript))}"
    return (
        "" if folder is None or there == open_archive(None, "").project else f" --workspace {shlex.quote(folder)}"
    )


class _Originals:
    """The originals in a store that is opened when it is needed, and made only when something is kept in it."""

    def __init__(self) -> None:
        self._store: ProjectStore | None = None

    def put_original(self, project: str | None, task_id: str, content: bytes) -> str:
        return self._opened().put_original(project, task_id, content)

    def get_original(self, project: str | None, task_id: str, handle: str) -> bytes:
        if self._store is None and not has_store():
            raise unknown_handle(handle)
        return self._opened().get_original(project, task_id, handle)

    def _opened(self) -> ProjectStore:
        if self._store is None:
            self._store = open_store()
        return self._store


def keep_record(record: CompactionRecord, session: str, folder: str | None, now: float) -> None:
    """Store a record beside the originals, as the newest of the folder's project.

    Args:
        record: of a compaction.
        session: name of what was compacted.
        folder: where it worked; the current one where none is named, or it is not on this machine.
        now: seconds since 1970 UTC.

    Raises:
        StoreError: it cannot be written.
    """
    with closing(open_store()) as store:
        store.put_record(None, session, record.id, record.to_json(), now)
        store.put_setting(compacted_in(_here(folder)), session)


def last_record() -> tuple[CompactionRecord, str]:
    """Return the newest record of the current folder's project, and what its session is called.

    One that an earlier release kept in a file has no session.

    Raises:
        Refusal: there is none, or it cannot be read.
        StoreError: the store cannot be opened.
    """
    kept: str | bytes | None = None
    task = ""
    if has_store():
        with closing(open_store()) as store:
            task = store.settings().get(compacted_in(Path.cwd()), "")
            kept = next(reversed(store.records(None, task)), None) if task else None
    try:
        if kept is None:
            files = (data_folder() / "records").glob("*.json")
            newest = max(files, key=lambda p: p.stat().st_mtime, default=None)
            if newest is None:
                raise Refusal(
                    f"no compaction of a session of this folder is on record in {data_folder()}: without holdfast "
                    "proxy the agent compacts by itself; holdfast report latest shows what holdfast would keep and fold"
                )
            kept, task = newest.read_bytes(), ""
        return CompactionRecord.from_json(kept), task.removeprefix("proxy/").partition("/")[0]
    except (OSError, RecordError) as error:
        raise Refusal(f"cannot read the last record: {reason_of(error)}") from error


def _here(folder: str | None) -> Path:
    """A session's folder, or the current one where it says none or has none on this machine."""
    return Path(folder) if folder and Path(folder).is_dir() else Path.cwd()
