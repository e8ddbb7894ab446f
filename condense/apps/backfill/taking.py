"""Read sessions in other processes, write what was said in this one; what was taken in once is known by its digest.

A session's memories and the mark that it is done are one transaction, so a run that was killed goes on where it was.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

from condense.apps.saving import save_session, title_of
from memory import ConversationMemory, PersistentMemoryManager, read_transcript
from memory.errors import MemoryFailure
from memory.projects import project_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memory.entries import ProjectStore

MARKS: Final = "backfill"
"""The task, outside any project, whose records are the digests of the files that are done."""
ENDINGS: Final = (".jsonl", ".json", ".traj", ".jsonl.gz", ".json.gz", ".traj.gz")
CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Taken:
    """What one file says: its digest, the session's name and folder, what was said, and how much there was."""

    file: str
    digest: str
    task: str = ""
    folder: str | None = None
    memory: str = ""  # `ConversationMemory.serialize()`
    title: str = ""
    messages: int = 0
    failed: str = ""  # why it cannot be read


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that was left out, and why."""

    file: str
    reason: str


@dataclass(slots=True)
class Backfill:
    """What a run did; `skipped` files had been taken in before, or are another's copy."""

    sessions: int = 0
    messages: int = 0
    skipped: int = 0
    memories: Counter[str] = field(default_factory=Counter)  # new, strengthened, superseded
    projects: set[str] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)


def session_files(places: Iterable[Path | str]) -> list[Path]:
    """Return the files below folders that may be sessions; links to folders are not followed.

    Those last written to come last, since what was said later takes the place of what was said before.

    Raises:
        FileNotFoundError: a place is not there.
    """
    found: set[Path] = set()
    for place in map(Path, places):
        if not place.exists():
            raise FileNotFoundError(f"{os.fspath(place)} is not there")
        if place.is_dir():
            below = (Path(folder, name) for folder, _, names in os.walk(place) for name in names)
            found |= {file for file in below if file.name.lower().endswith(ENDINGS)}
        else:
            found.add(place)
    return sorted(found, key=lambda file: (_written(file), os.fspath(file)))


def take(file: str, digest: str) -> Taken:
    """Read a session and find what was said in it; runs in a process of its own, and never raises for a bad file."""
    try:
        read = read_transcript(file)
    except MemoryFailure as error:
        return Taken(file, digest, failed=" ".join(str(error).split()).removeprefix(f"{file}:"))
    except (OSError, RecursionError) as error:
        return Taken(file, digest, failed=f"{type(error).__name__}: {error}")
    if not read.messages:
        return Taken(file, digest, failed="it holds no messages")
    task = read.session_id or digest
    memory = ConversationMemory(task)
    memory.extract_memories(read.messages)
    title = title_of(read.messages)
    return Taken(file, digest, task, read.cwd, memory.serialize(), title, len(read.messages))


def backfill(
    files: Iterable[Path],
    store: ProjectStore,
    *,
    workers: int,
    clock: Callable[[], float],
    project: str | None = None,
    mapper: Callable[[Sequence[tuple[str, str]]], Iterable[Taken]] | None = None,
    progress: Callable[[int, int], object] = lambda _done, _of: None,
) -> Backfill:
    """Take sessions in; costs about half a second of CPU for a session of 100,000 tokens.

    Args:
        files: sessions; see `session_files`.
        store: where memories go.
        workers: processes that read.
        clock: seconds since the epoch.
        project: key of the project that all belong to; None tells it by each session's folder: its repository, or
            where the folder is not on this machine its path. Sessions that name no folder stand for themselves.
        mapper: (file, digest) pairs -> what they say, in place of the processes (a cluster).
        progress: told after each file how many are done, and of how many.

    Raises:
        StoreError: the store cannot be written to; what was taken in before stays.
    """
    done = Backfill()
    known = set(store.records(None, MARKS))
    wanted: list[tuple[str, str]] = []
    for file in files:
        try:
            digest = _digest_of(file)
        except OSError as error:
            done.failures.append(Failure(os.fspath(file), f"{type(error).__name__}: {error.strerror}"))
            continue
        if _mark(digest, project) in known:
            done.skipped += 1
            continue
        known.add(_mark(digest, project))
        wanted.append((os.fspath(file), digest))
    for number, taken in enumerate((mapper or _in_processes(workers))(wanted), 1):
        if taken.failed:
            done.failures.append(Failure(taken.file, taken.failed))
        else:
            _keep(taken, store, project, clock(), done)
        progress(number, len(wanted))
    return done


def _mark(digest: str, project: str | None) -> str:
    return f'"{digest}"' if project is None else f'"{digest} {project}"'  # a record is JSON


def _keep(taken: Taken, store: ProjectStore, project: str | None, now: float, done: Backfill) -> None:
    key = project or _project_of(taken.folder)
    manager = PersistentMemoryManager(store, key)
    with store.writing():
        _, saved = save_session(
            manager,
            taken.task,
            lambda: read_transcript(taken.file).messages,  # where an earlier state of the session is known
            title=taken.title,
            now=now,
            read=ConversationMemory.deserialize(taken.memory),
        )
        mark = _mark(taken.digest, project)
        store.put_record(None, MARKS, blake2b(mark.encode(), digest_size=16).hexdigest(), mark, now)
    done.sessions += 1
    done.messages += taken.messages
    done.projects |= {key} if key else set()
    done.memories.update(new=len(saved.new), strengthened=len(saved.strengthened), superseded=len(saved.superseded))


def _project_of(folder: str | None) -> str | None:
    if not folder:
        return None
    if Path(folder).is_dir():
        found = project_of(folder)
        return found.key if found else None
    return "p_" + blake2b(folder.rstrip("/\\").encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def _written(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # it is gone, or a link to nowhere; reading it tells
        return 0.0


def _digest_of(file: Path) -> str:
    named = blake2b(digest_size=16)
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK):
            named.update(chunk)
    return named.hexdigest()


def _in_processes(workers: int) -> Callable[[Sequence[tuple[str, str]]], Iterator[Taken]]:
    def run(wanted: Sequence[tuple[str, str]]) -> Iterator[Taken]:
        if workers < 2 or len(wanted) < 2:  # noqa: PLR2004  # one process is this one
            yield from (take(*one) for one in wanted)
            return
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            left = iter(wanted)
            running = deque((one, pool.submit(take, *one)) for one in islice(left, 2 * workers))
            while running:  # in their order; results wait for the writer, not in memory
                one, future = running.popleft()
                error = future.exception()
                running.extend((following, pool.submit(take, *following)) for following in islice(left, 1))
                yield Taken(*one, failed=f"{type(error).__name__}: {error}") if error else future.result()

    return run
