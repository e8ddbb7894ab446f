"""Sessions read on Ray: the same as in this process. Needs the extra `ray`."""

from __future__ import annotations

import pytest
import ray

from condense.apps.backfill import backfill, session_files
from condense.apps.backfill.on_ray import on_ray
from memory import PersistentMemoryManager, SqliteStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]
TURNS = '{{"role": "user", "content": "{}"}}\n{{"role": "assistant", "content": "Done."}}\n'


@pytest.fixture
def cluster():
    ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    yield
    ray.shutdown()


def test_a_cluster_reads_as_one_process_does_and_goes_on_where_it_was(cluster, tmp_path, capfd):
    archive = tmp_path / "archive"
    archive.mkdir()
    for k in range(8):
        said = f"Always use port {4000 + k}." if k % 2 else f"Never touch folder_{k}."
        (archive / f"s{k}.jsonl").write_text(TURNS.format(said), encoding="utf-8")
    (archive / "broken.jsonl").write_text("{not json", encoding="utf-8")
    held = []
    for mapper in (None, on_ray):
        store = SqliteStore(tmp_path / f"{mapper is None}.db")
        files = session_files([archive])
        more = {"workers": 1, "clock": lambda: 1.0, "project": "p_shop", "mapper": mapper}
        first = backfill(files[:4], store, **more)
        rest = backfill(files, store, **more)
        found = PersistentMemoryManager(store, "p_shop", clock=lambda: 1.0).get_project_memories()
        counts = first.sessions, rest.sessions, rest.skipped, len(first.failures) + len(rest.failures)
        held.append((counts, [(m.entry.content, m.entry.status) for m in found], first.memories + rest.memories))
    assert held[0] == held[1]
    assert held[0][0][0] + held[0][0][1] == 8
    assert len(held[0][1]) == 5, "of the ports the last holds"
    assert "Progress" not in capfd.readouterr().err
