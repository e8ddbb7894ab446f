"""Read sessions on a Ray cluster; extra `ray`.  All its machines must see the files under the same names."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from condense.apps.backfill.taking import Taken, take

try:
    import ray
except ImportError as missing:
    raise ImportError("--ray needs Ray: pip install 'holdfast-context[ray]'") from missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def on_ray(wanted: Sequence[tuple[str, str]]) -> Iterator[Taken]:
    """Return what sessions say, as they are read: on the cluster that RAY_ADDRESS names, else on this machine."""
    if not wanted:
        return
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level="ERROR")
    settings = ray.data.DataContext.get_current()
    settings.execution_options.preserve_order = True  # later ones take the place of earlier
    settings.enable_progress_bars = False  # there is one already
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    rows = [{"file": file, "digest": digest} for file, digest in wanted]
    for row in ray.data.from_items(rows).map(_taken).iter_rows():
        yield Taken(**row)


def _taken(row: dict[str, Any]) -> dict[str, Any]:
    return asdict(take(row["file"], row["digest"]))
