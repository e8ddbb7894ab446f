"""Where tiktoken's ranks lie on this machine, so that they can be loaded without the network.

tiktoken itself would fetch missing ranks without a time limit, and would delete a file that does not fit and fetch it
anew. So the file is looked at before tiktoken is asked for anything. The one core file that reads environment
variables: they are tiktoken's own, and tiktoken reads them all the same.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

RANK_ADDRESS: Final = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
RANK_DIGESTS: Final = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""SHA-256 of each encoding's ranks, as in `tiktoken_ext/openai_public.py` of tiktoken 0.12."""


def ranks_folder() -> Path | None:
    """Return the folder tiktoken keeps ranks in; None where it is told to keep none.

    As in `tiktoken/load.py`: TIKTOKEN_CACHE_DIR, else DATA_GYM_CACHE_DIR, else data-gym-cache in the system's folder
    for temporary files.
    """
    default = str(Path(tempfile.gettempdir(), "data-gym-cache"))
    named = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))
    return Path(named) if named else None


def has_ranks(encoding: str) -> bool:
    """Are the ranks of an encoding here, whole and unaltered? Reads the file (3.6 MB, 5 ms); changes nothing."""
    folder = ranks_folder()
    if folder is None or encoding not in RANK_DIGESTS:
        return False
    path = folder / hashlib.sha1(RANK_ADDRESS.format(encoding).encode()).hexdigest()
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == RANK_DIGESTS[encoding]
    except OSError:
        return False
