"""Google's ADK, driven by its own runner: sessions, streams, sub-agents, parallel calls, sealed thinking."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import warnings

import pytest
from journey import CONFIG, RULES, WINDOW, Call, Journey

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the kit's imports warn of their own doing
    from google.adk.agents import LlmAgent, RunConfig, SequentialAgent
    from google.adk.agents.run_config import StreamingMode
    from google.adk.models.anthropic_llm import Claude, content_to_message_param
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_response import LlmResponse
    from google.adk.runners import Runner
    from google.adk.sessions import InMemorySessionService
    from google.genai import types

    from condense.adapters import HoldfastPlugin
    from memory import PersistentMemoryManager, SqliteStore

pytestmark = pytest.mark.filterwarnings("ignore")  # of the kit and its libraries: experimental features, old calls

SIGNATURE = b"sealed " * 4


def part_of(said):
    if isinstance(said, Call):
        return types.Part(function_call=types.FunctionCall(id=said.id, name=said.name, args=said.arguments))
    return types.Part(text=said)


def answer(*parts):
    return LlmResponse(content=types.Content(role="model", parts=list(parts)))


def tools_of(journey):
    def read_file(path: str) -> str:
        """Read a file."""
        return journey.read_file(path)

    return [read_file]


class Speaker(Claude):
    """A model whose calls have ids; what it is sent is written by the kit's own converter."""

    journeys: dict

    async def generate_content_async(self, llm_request, stream=False):
        values = [json.loads(json.dumps(content_to_message_param(c))) for c in llm_request.contents]
        told = json.dumps(values) + str(llm_request.config.system_instruction)
        journey = next(j for j in self.journeys.values() if f"{j.name} importer" in told)
        journey.sent(values, "anthropic")
        thought = types.Part(text=f"Thought {journey.calls}.", thought=True, thought_signature=SIGNATURE)
        part = part_of(journey.step())
        if stream and part.text:
            half = len(part.text) // 2
            for piece in (part.text[:half], part.text[half:]):
                yield LlmResponse(content=types.ModelContent(parts=[types.Part(text=piece)]), partial=True)
        yield answer(thought, part)


class Gemini(BaseLlm):
    """A model whose calls have no ids; it insists on answers in their order, and takes its signatures back."""

    problems: list
    sent: list
    said: list

    async def generate_content_async(self, llm_request, stream=False):
        contents = llm_request.contents
        self.sent.append(contents)
        waiting = []
        for n, content in enumerate(contents):
            calls = [p.function_call for p in content.parts if p.function_call]
            answers = [p.function_response for p in content.parts if p.function_response]
            mixed = answers and len(content.parts) > len(answers)
            if mixed or [a.name for a in answers] != [c.name for c in waiting]:
                self.problems.append(f"answers at {n}: {answers}")
            if any(call.id or not p.thought_signature for call, p in zip(calls, content.parts, strict=False)):
                self.problems.append(f"calls at {n}: {calls}")
            waiting = calls
        yield answer(*self.said.pop(0))


async def converse(runner, texts, session="s", **more):
    found = await runner.session_service.get_session(app_name="app", user_id="u", session_id=session)
    if found is None:
        await runner.session_service.create_session(app_name="app", user_id="u", session_id=session)
    events = []
    for text in texts:
        message = types.UserContent(parts=[types.Part(text=text)])
        async for event in runner.run_async(user_id="u", session_id=session, new_message=message, **more):
            events.append(event)  # noqa: PERF401
    return events


def runner_of(agent, plugin=None):
    plugins = [plugin] if plugin else []
    return Runner(app_name="app", agent=agent, session_service=InMemorySessionService(), plugins=plugins)


def agent_of(journey, **more):
    model = Speaker(model="claude-test", journeys={journey.name: journey})
    return LlmAgent(name=f"coder_{journey.name}", model=model, tools=tools_of(journey), **more)


def events_of(runner, session="s"):
    found = asyncio.run(runner.session_service.get_session(app_name="app", user_id="u", session_id=session))
    return found.events


@pytest.mark.parametrize("mode", [StreamingMode.NONE, StreamingMode.SSE])
def test_a_journey_stays_in_the_window_and_the_session_keeps_everything(mode):
    journey, plugin = Journey(), HoldfastPlugin(CONFIG)
    runner = runner_of(agent_of(journey, instruction="You write importers."), plugin)
    asyncio.run(converse(runner, journey.asks, run_config=RunConfig(streaming_mode=mode)))
    journey.check()
    assert plugin.conversations.last_error is None
    (name,) = plugin.conversations._followed
    assert len(plugin.conversations.records(name)) >= 2
    events = events_of(runner)
    assert len(events) == len(journey.asks) * 12
    told = "".join(p.text or "" for event in events for p in event.content.parts)
    assert all(rule in told for rule in RULES)
    assert all(f"mod_{n}.py" in str(events) for n in range(60))


def test_the_runners_blocking_call_works_too():
    journey, plugin = Journey(), HoldfastPlugin(CONFIG)
    runner = runner_of(agent_of(journey), plugin)
    asyncio.run(runner.session_service.create_session(app_name="app", user_id="u", session_id="s"))
    for text in journey.asks[:6]:
        message = types.UserContent(parts=[types.Part(text=text)])
        list(runner.run(user_id="u", session_id="s", new_message=message))
    assert not journey.problems
    assert plugin.conversations.records("app/u/s/coder_north")


def test_as_one_agents_callback_it_keeps_contents_as_the_very_objects_and_events_as_they_are():
    journey, plugin = Journey(), HoldfastPlugin(CONFIG)
    seen = []

    async def before(callback_context, llm_request):
        came = list(llm_request.contents)
        frozen = [content.model_dump_json() for content in came]
        await plugin.before_model_callback(callback_context=callback_context, llm_request=llm_request)
        assert [content.model_dump_json() for content in came] == frozen
        seen.append((came, llm_request.contents))

    runner = runner_of(agent_of(journey, before_model_callback=before))
    asyncio.run(converse(runner, journey.asks))
    journey.check()
    came, sent = seen[-1]
    own = {id(content) for content in came}
    assert len(sent) < len(came)
    assert sum(id(content) in own for content in sent) > len(sent) / 2
    parts = {id(part) for content in came for part in content.parts}
    assert all(id(p) in parts for content in sent for p in content.parts if p.function_call or p.thought)
    first = seen[0]
    assert first[0] == first[1]


def test_parallel_calls_without_ids_are_answered_in_their_order_and_signatures_go_back():
    said = []
    for k in range(40):
        calls = [types.FunctionCall(name="read_file", args={"path": f"m{k}_{n}.py"}) for n in range(3)]
        said.append([types.Part(function_call=c, thought_signature=SIGNATURE) for c in calls])
        said.append([types.Part(text=f"Step {k} is done.")])
    model = Gemini(model="test", problems=[], sent=[], said=said)

    def read_file(path: str) -> dict:
        """Read a file."""
        return {"lines": [f"def {path[:-3]}_{n}(row): return row[{n}]" for n in range(8)], "path": path}

    plugin = HoldfastPlugin(CONFIG)
    runner = runner_of(LlmAgent(name="coder", model=model, tools=[read_file]), plugin)
    asyncio.run(converse(runner, [f"Step {k}. {RULES[k] if k < len(RULES) else ''}" for k in range(40)]))
    assert not model.problems, model.problems[:3]
    assert plugin.conversations.last_error is None
    last = model.sent[-1]
    text = "".join(part.text or "" for content in last for part in content.parts)
    assert all(rule in text for rule in RULES)
    assert len(last) < 40


def test_two_sessions_and_two_agents_at_once_do_not_mix():
    plugin = HoldfastPlugin(CONFIG)
    north, south = Journey("north"), Journey("south")
    model = Speaker(model="claude-test", journeys={"north": north, "south": south})

    def read_file(path: str, tool_context) -> str:
        """Read a file."""
        journey = north if tool_context.session.id == "north" else south
        return journey.read_file(path)

    runner = runner_of(LlmAgent(name="coder", model=model, tools=[read_file]), plugin)

    async def both():
        await asyncio.gather(*(converse(runner, j.asks, session=j.name) for j in (north, south)))

    asyncio.run(both())
    north.check()
    south.check()
    assert len(plugin.conversations._followed) == 2


def test_what_another_agent_said_is_no_request_of_the_persons():
    plugin = HoldfastPlugin(CONFIG)
    chatter = "Never use tabs. Always deploy on Fridays. " + "We talked about the importer at length. " * 30

    class Talker(BaseLlm):
        sent: list

        async def generate_content_async(self, llm_request, stream=False):
            self.sent.append(llm_request.contents)
            yield answer(types.Part(text=chatter))

    models = [Talker(model="test", sent=[]) for _ in range(2)]
    both = SequentialAgent(
        name="both", sub_agents=[LlmAgent(name=n, model=m) for n, m in zip("ab", models, strict=True)]
    )
    runner = runner_of(both, plugin)
    asyncio.run(converse(runner, [f"Ask {k}. {RULES[k] if k < 5 else ''}" for k in range(12)]))
    assert plugin.conversations.last_error is None
    for model in models:
        ledger = model.sent[-1][0].parts[0].text
        assert all(rule in ledger for rule in RULES)
        rules = ledger.partition("# Rules")[2].partition("\n# ")[0]
        assert "Fridays" not in rules


def test_images_and_files_are_carried():
    plugin, seen = HoldfastPlugin(CONFIG), []

    class Quiet(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            seen.append(llm_request.contents)
            yield answer(types.Part(text="I see. " * 100))

    runner = runner_of(LlmAgent(name="coder", model=Quiet(model="test")), plugin)
    image = types.Part.from_bytes(data=b"\x89PNG" * 50, mime_type="image/png")
    linked = types.Part.from_uri(file_uri="gs://bucket/plan.png", mime_type="image/png")

    async def look():
        await converse(runner, [f"Ask {k}. " + "Look at this. " * 30 for k in range(20)])
        message = types.UserContent(parts=[types.Part(text="And at these."), image, linked])
        async for _ in runner.run_async(user_id="u", session_id="s", new_message=message):
            pass

    asyncio.run(look())
    assert plugin.conversations.last_error is None
    assert len(seen[-1]) < 40
    parts = [part for content in seen[-1] for part in content.parts]
    assert [p.inline_data.data for p in parts if p.inline_data] == [image.inline_data.data]
    assert [p.file_data.file_uri for p in parts if p.file_data] == ["gs://bucket/plan.png"]


def test_instructions_and_tools_count_into_the_window():
    journey, plugin = Journey(), HoldfastPlugin(CONFIG)
    told = "Mind the style of the house. " * 200
    runner = runner_of(agent_of(journey, instruction=told), plugin)
    asyncio.run(converse(runner, journey.asks))
    overhead = plugin.conversations.count(told)
    assert max(journey.sizes) + overhead <= WINDOW


@pytest.mark.filterwarnings("ignore")
def test_what_fails_inside_changes_nothing_for_the_agent(monkeypatch):
    journey, plugin = Journey(), HoldfastPlugin(CONFIG)
    runner = runner_of(agent_of(journey), plugin)

    def broken(*_, **__):
        raise RuntimeError("no room on the disk")

    monkeypatch.setattr(plugin.conversations, "view", broken)
    events = asyncio.run(converse(runner, journey.asks[:3]))
    assert "is written" in events[-1].content.parts[-1].text
    assert str(plugin.conversations.last_error) == "no room on the disk"


def test_an_interrupted_session_goes_on_in_another_process_byte_for_byte(tmp_path):
    sent = []
    for _ in range(2):
        journey = Journey()
        plugin = HoldfastPlugin(CONFIG, store=tmp_path / "store.db")
        runner = runner_of(agent_of(journey), plugin)
        asyncio.run(converse(runner, journey.asks[:6]))
        sent.append((journey.last, len(plugin.conversations.records("app/u/s/coder_north"))))
    assert sent[0][0] == sent[1][0]
    assert sent[0][1] == sent[1][1] >= 1


def test_what_was_said_is_saved_and_recalled_by_the_agents_own_tool(tmp_path):
    project = PersistentMemoryManager(SqliteStore(tmp_path / "store.db"), "importer")
    plugin = HoldfastPlugin(CONFIG, memory=project)
    journey, found = Journey(), []

    class Asking(BaseLlm):
        async def generate_content_async(self, llm_request, stream=False):
            last = llm_request.contents[-1].parts[-1]
            if last.function_response:
                found.append(last.function_response.response)
                yield answer(types.Part(text="Port 3001."))
            else:
                assert "recall_memory" in llm_request.tools_dict
                call = types.FunctionCall(name="recall_memory", args={"query": "API listen port"})
                yield answer(types.Part(function_call=call))

    asyncio.run(converse(runner_of(agent_of(journey), plugin), journey.asks[:4]))
    agent = LlmAgent(name="other", model=Asking(model="test"), tools=[plugin.recall_memory])
    asyncio.run(converse(runner_of(agent, plugin), ["Which port does the API listen on?"], session="t"))
    assert "3001" in str(found)


def test_without_the_kit_the_error_names_the_extra():
    script = (
        "import sys; sys.modules['google.adk'] = None\n"
        "try:\n    from condense.adapters import HoldfastPlugin\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert "holdfast-context[google-adk]" in done.stdout
