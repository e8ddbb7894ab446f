"""Workers without state on one SQL store: killed ones lose nothing, and others go on byte for byte."""

from __future__ import annotations

import pytest
from sql_workers import check, run_workers


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_workers_that_are_killed_lose_nothing_and_mix_nothing(sql_url):
    crew = run_workers(sql_url, workers=4, threads=3, turns=12, kills=2)
    assert crew.ended == [0] * 4
    assert crew.killed == 2
    assert len(crew.acknowledged) == 48
    assert check(sql_url, crew, threads=3) >= 3
