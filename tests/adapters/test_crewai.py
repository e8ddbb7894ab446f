"""CrewAI, driven by its own executor: crews with tools, agents alone, sync and async, several at once."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import warnings
from importlib.util import find_spec
from itertools import pairwise

import pytest
from documents import ROOT, Page
from journey import ASKS, CALLS, CONFIG, RULES, WINDOW, Call, Journey

pytestmark = pytest.mark.filterwarnings("ignore")  # of the framework and its libraries

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from crewai import Agent, Crew, Task
    from crewai.hooks import clear_all_llm_call_hooks
    from crewai.llms.base_llm import BaseLLM
    from crewai.tools import tool

    from condense.adapters import HoldfastHook
    from condense.adapters.crewai import _READ


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A place of its own for what the framework stores, and no hooks of others."""
    monkeypatch.setenv("CREWAI_STORAGE_DIR", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    yield
    clear_all_llm_call_hooks()


TRIPS = {}
"""By the name of a model (older releases leave no room for fields of one's own): journeys, what was seen, window."""


class Model(BaseLLM):
    """A model that calls tools by itself; the journeys say what."""

    def supports_function_calling(self):
        return True

    def get_context_window_size(self):
        return TRIPS[self.model][2]

    def call(self, messages, tools=None, *args, **kwargs):
        journeys, seen, _ = TRIPS[self.model]
        told = json.dumps(messages, default=str)
        journey = next(j for j in journeys if f"{j.name} importer" in told)
        seen.append(list(messages))
        values = [{k: m[k] for k in _READ if k in m} for m in messages]
        journey.sent(values, "openai-chat")
        said = journey.step()
        if not isinstance(said, Call):
            return said
        function = {"name": said.name, "arguments": json.dumps(said.arguments)}
        return [{"id": said.id, "type": "function", "function": function}]

    async def acall(self, *args, **kwargs):
        return self.call(*args, **kwargs)


def agent_of(*journeys, window=200_000):
    @tool("read_file")
    def read_file(path: str) -> str:
        """Read a file."""
        return journeys[0].read_file(path)

    model = Model(model=f"test-{len(TRIPS)}")
    TRIPS[model.model] = (journeys, [], window)
    return Agent(
        role="Coder", goal="Write importers", backstory="Careful.", llm=model, tools=[read_file], max_iter=99
    )


def seen_by(agent):
    return TRIPS[agent.llm.model][1]


class Long(Journey):
    """One ask with sixty calls: a task of a crew."""

    def step(self):
        said = super().step()
        while not isinstance(said, Call) and self.calls < ASKS * (CALLS + 1):
            said = super().step()
        self.sizes += [0] * (self.calls - len(self.sizes))
        return said

    def task(self, agent):
        description = f"Write the {self.name} importer. " + " ".join(RULES)
        return Task(description=description, expected_output="It is written.", agent=agent)


def test_a_task_of_sixty_calls_stays_in_the_window_with_every_rule():
    journey = Long()
    agent = agent_of(journey)
    with HoldfastHook(CONFIG) as hook:
        Crew(agents=[agent], tasks=[journey.task(agent)]).kickoff()
    journey.check()
    assert hook.conversations.last_error is None
    seen = seen_by(agent)
    assert len(seen[-1]) < 60
    before = {id(m) for m in seen[-2]}
    kept = [m for m in seen[-1] if id(m) in before]
    assert len(kept) > len(seen[-1]) / 2
    whole = hook.history(agent.agent_executor.messages)
    assert sum(m["role"] == "tool" for m in whole) >= ASKS * CALLS
    assert len(agent.agent_executor.messages) < len(whole)


if find_spec("crewai.agents.crew_agent_executor") is None:  # older releases send but the last turn of what they get

    @pytest.mark.parametrize("awaited", [False, True])
    def test_an_agent_alone_keeps_to_the_window_over_many_kickoffs(awaited):
        journey, history = Journey(), []
        agent = agent_of(journey)
        with HoldfastHook(CONFIG) as hook:
            for k, ask in enumerate(journey.asks):
                pasted = journey.read_file(f"pasted_{k}.py") * 4
                messages = [*history, {"role": "user", "content": f"{ask}\n{pasted}"}]
                done = asyncio.run(agent.kickoff_async(messages)) if awaited else agent.kickoff(messages)
                texts = [m for m in done.messages if m["role"] in ("user", "assistant") and m["content"]]
                history = [
                    *texts,
                    {"role": "assistant", "content": done.raw},
                ]  # what the oldest releases take
        assert hook.conversations.last_error is None
        journey.check()
        assert "# Rules" in journey.last


def test_two_crews_at_once_do_not_mix():
    journeys = [Long("north"), Long("south")]
    agents = [agent_of(j) for j in journeys]
    crews = [Crew(agents=[a], tasks=[j.task(a)]) for a, j in zip(agents, journeys, strict=True)]
    with HoldfastHook(CONFIG) as hook:
        threads = [threading.Thread(target=crew.kickoff) for crew in crews]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    for journey in journeys:
        journey.check()
    assert hook.conversations.last_error is None


def test_the_window_is_that_which_the_framework_knows_of_the_model():
    journey = Long()
    agent = agent_of(journey, window=WINDOW)
    with HoldfastHook() as hook:
        Crew(agents=[agent], tasks=[journey.task(agent)]).kickoff()
    journey.check()
    assert len(seen_by(agent)[-1]) < 60
    assert hook.conversations.last_error is None


def test_what_fails_inside_changes_nothing_for_the_crew(monkeypatch):
    journey = Journey()
    agent = agent_of(journey)
    with HoldfastHook(CONFIG) as hook:

        def broken(*_, **__):
            raise RuntimeError("no room on the disk")

        monkeypatch.setattr(hook.conversations, "view", broken)
        done = Crew(agents=[agent], tasks=[Long.task(journey, agent)]).kickoff()
    assert "is written" in done.raw
    assert str(hook.conversations.last_error) == "no room on the disk"
    assert all(a == b[: len(a)] for a, b in pairwise(seen_by(agent)))
    assert len(seen_by(agent)[-1]) >= 2 + 2 * CALLS


def test_calls_of_an_llm_outside_any_agent_are_left_alone():
    class Context:
        executor = None
        messages = [{"role": "user", "content": "Hello " * 9_000}]  # noqa: RUF012
        llm = None

    before = list(Context.messages)
    HoldfastHook(CONFIG)(Context)
    assert Context.messages == before


def test_without_the_framework_the_error_names_the_extra():
    script = (
        "import sys; sys.modules['crewai'] = None\n"
        "try:\n    from condense.adapters import HoldfastHook\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert "holdfast-context[crewai]" in done.stdout


def test_the_examples_of_the_quickstart_run():
    quickstart = Page(ROOT / "docs" / "quickstarts" / "crewai.md")
    assert quickstart.code("python")
    exec(quickstart.program(), {})  # noqa: S102  # our own
