"""Gathering: every piece for every system, in a few processes; what peers did is kept for the next run.

A peer's numbers (counts and times, never texts) lie beside its environment, by everything they depend on: its version,
its adapter, the sessions, the options, and the code that measures. A run that was broken off goes on where it was, and
after a change of ours only ours is measured again. `--again` measures all.
"""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import fidelity, native, repeated, replay, verified
from benchmarks.peers.driving import PeerProcess, asking
from benchmarks.peers.installing import ADAPTERS, PeerMissingError, command_for
from benchmarks.sessions import session_files
from benchmarks.systems import System, baselines, everything, our_system

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.options import Options
    from benchmarks.peers.catalogue import Peer, Variant

    Rows = dict[str, Any]

PIECES: dict[str, Callable[[Options, System], Any]] = {
    "fidelity": fidelity.of_system,
    "repeated": repeated.of_system,
    "verified": verified.of_system,
    "replay": replay.of_system,
    "native": native.of_system,
}
_HERE = Path(__file__).resolve().parent
_MEASURING = ("texts", "validity", "sessions", "systems")


@dataclass(frozen=True)
class Job:
    """One system to measure.

    Attributes:
        row: its name in the tables.
        peer, variant: where it is none of ours.
        versions: of the peer's packages.
    """

    row: str
    peer: Peer | None = None
    variant: Variant | None = None
    versions: tuple[tuple[str, str], ...] = ()


def jobs_of(peers: Iterable[Peer], states: Mapping[str, Mapping[str, Any]]) -> list[Job]:
    """Return what is measured: ours, the plain ones, and the peers that run here."""
    own = [Job(system.name) for system in (our_system(), *baselines(), everything())]
    running = [peer for peer in peers if states[peer.name]["status"] == "ran"]
    return own + [
        Job(v.row, peer, v, tuple(sorted(states[peer.name]["versions"].items())))
        for peer in running
        for v in peer.variants
    ]


def gather(options: Options, jobs: Sequence[Job]) -> dict[str, Rows]:
    """Measure systems.

    Args:
        options: of the run; `options.jobs` processes are used.
        jobs: which systems.

    Returns:
        piece -> system -> what its `of_system` returned.
    """
    work = partial(_measured, options)
    if options.jobs == 1:
        found = [work(job) for job in jobs]
    else:
        fidelity.asked(options)  # read once: processes that are forked inherit it
        method = "fork" if "fork" in get_all_start_methods() else None
        with ProcessPoolExecutor(options.jobs, mp_context=get_context(method)) as pool:
            found = list(pool.map(work, jobs))
    return {
        piece: {job.row: rows[piece] for job, rows in zip(jobs, found, strict=True) if piece in rows}
        for piece in PIECES
    }


def _measured(options: Options, job: Job) -> Rows:
    """Measure one system in every piece; "everything" only in the replay, where it is the mark of 1."""
    start = time.perf_counter()
    system, stop = _system(options, job)
    pieces = ("replay",) if job.row == everything().name else tuple(PIECES)
    try:
        rows = {piece: _kept_or_new(options, job, system, piece) for piece in pieces}
    except PeerMissingError as error:
        print(f"{job.row}: {error}", flush=True)
        rows = {}
    finally:
        stop()
    print(f"{job.row}: {time.perf_counter() - start:.0f} s", flush=True)
    return rows


def _system(options: Options, job: Job) -> tuple[System, Callable[[], None]]:
    if job.peer is None or job.variant is None:
        own = (our_system(), *baselines(), everything())
        return next(system for system in own if system.name == job.row), lambda: None
    process = PeerProcess(command_for(job.peer, options.venvs))
    return System(job.row, asking(process, job.variant.name)), process.stop


def _kept_or_new(options: Options, job: Job, system: System, piece: str) -> Any:
    if job.peer is None:
        return PIECES[piece](options, system)
    path = options.venvs / "answers" / f"{_key(options, job, piece)}.json"
    if path.exists() and not options.again:
        return json.loads(path.read_text(encoding="utf-8"))
    found = PIECES[piece](options, system)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(found), encoding="utf-8")
    part.replace(path)
    return found


def _key(options: Options, job: Job, piece: str) -> str:
    """Name what a peer's numbers depend on."""
    assert job.peer is not None
    sources = [_HERE / f"{name}.py" for name in (piece, *_MEASURING)] + [ADAPTERS / job.peer.adapter]
    if piece == "verified":
        sources += sorted((_HERE.parent / "condense").glob("*.py"))
    settings: list[object] = [piece, options.limit, job.row, job.versions]
    inputs = session_files(options.sessions)
    if piece == "fidelity":
        settings += [options.budgets, options.cuts]
        inputs += [options.labels] if options.labels else []
    elif piece == "replay":
        settings.append(options.window)
    return hashlib.sha256(json.dumps([settings, _digest((*sources, *inputs))]).encode()).hexdigest()[:24]


@cache
def _digest(files: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
