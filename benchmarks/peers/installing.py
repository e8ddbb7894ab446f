"""Environments of the peers: made once under a cache folder outside the repository, used again after that."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.peers.catalogue import Peer

ADAPTERS = Path(__file__).resolve().parent / "adapters"
_STAMP = ".installed"
_LIMIT = 900
"""Seconds an installation may take (chosen)."""


class PeerMissingError(RuntimeError):
    """A peer cannot be installed here; the message says why."""


def command_for(peer: Peer, folder: Path) -> list[str]:
    """Return the command that runs a peer's adapter, after installing the peer where that was not done.

    Args:
        peer: what to install.
        folder: where environments are kept.

    Raises:
        PeerMissingError: no interpreter for it, or the installation failed.
    """
    home = folder / peer.name
    stamp = home / _STAMP
    wanted = "\n".join(peer.requirements)
    if not (stamp.exists() and stamp.read_text(encoding="utf-8") == wanted):
        if home.exists():
            shutil.rmtree(home)
        print(f"installing {peer.name} into {home}", file=sys.stderr)
        (_install_node if peer.node else _install_python)(peer, home)
        stamp.write_text(wanted, encoding="utf-8")
    adapter = str(ADAPTERS / peer.adapter)
    return ["node", adapter, str(home)] if peer.node else [str(home / "bin" / "python"), adapter]


def _install_python(peer: Peer, home: Path) -> None:
    """Install with uv, which takes seconds where pip takes minutes; with pip where that fails or is not here."""
    interpreter = _interpreter(peer.python)
    python = str(home / "bin" / "python")
    _run([interpreter, "-m", "venv", str(home)])
    uv = shutil.which("uv", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
    if uv is not None:
        with contextlib.suppress(PeerMissingError):
            _run([uv, "pip", "install", "--quiet", "--python", python, *peer.requirements])
            return
    _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.requirements])


def _install_node(peer: Peer, home: Path) -> None:
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise PeerMissingError("needs node and npm, which are not here")
    home.mkdir(parents=True)
    (home / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), *peer.requirements])


def _interpreter(least: tuple[int, int]) -> str:
    """Return a Python that is new enough: this one, one on the path, or one of pyenv's."""
    if sys.version_info[:2] >= least:
        return sys.executable
    for minor in range(least[1], least[1] + 4):
        name = f"python{least[0]}.{minor}"
        places = sorted(Path.home().glob(f".pyenv/versions/{least[0]}.{minor}*/bin/{name}"))
        found = str(places[0]) if places else shutil.which(name)
        if found and _works(found):
            return found
    raise PeerMissingError(f"needs Python {least[0]}.{least[1]} or newer, which is not here")


def _works(interpreter: str) -> bool:
    done = subprocess.run([interpreter, "-c", "import venv, ssl"], capture_output=True, check=False)  # noqa: S603  # an interpreter found above
    return done.returncode == 0


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603  # commands made above
            command,
            capture_output=True,
            text=True,
            timeout=_LIMIT,
            check=False,
            env={"UV_NATIVE_TLS": "1", **os.environ},
        )
    except subprocess.TimeoutExpired as error:
        raise PeerMissingError(f"installing took more than {_LIMIT} s") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "ERROR" in line or "ERR!" in line]
        reason = (lines or done.stderr.splitlines() or ["no message"])[-1]
        raise PeerMissingError(f"installing failed: {reason[:200]}")
