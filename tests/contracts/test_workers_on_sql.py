"""Workers without state on one SQL store: killed ones lose nothing, and others go on byte for byte."""

from __future__ import annotations

import pytest
from sql_workers import CONFIG, check, run_workers, said

from condense.adapters.conversations import Conversations
from memory.conversation import Form


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_workers_that_are_killed_lose_nothing_and_mix_nothing(sql_url):
    crew = run_workers(sql_url, workers=8, threads=8, turns=12, kills=4)
    assert crew.ended == [0] * 8
    assert crew.killed == 4
    assert len(crew.acknowledged) == 96
    assert check(sql_url, crew, threads=8) >= 6


def test_a_conversation_goes_on_by_the_url_of_its_database(sql_url):
    histories = []
    for _ in range(2):
        conversations = Conversations(CONFIG, store=sql_url)
        history = [value for turn in range(12) for value in said("thread-00", turn)]
        histories.append(conversations.view("a", history, form=Form.OPENAI_CHAT))
        assert len(conversations.records("a")) == 1
        assert conversations.last_error is None
        conversations.store.close()
    assert histories[0] == histories[1] != history
