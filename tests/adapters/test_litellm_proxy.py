"""The callback in LiteLLM's own proxy: the view is what its providers are sent, on every route."""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import anthropic
import httpx
import openai
import pytest
from journey import Journey
from loops import Chat, Claude, Provider, Responses, told
from processes import started

pytestmark = [
    pytest.mark.timeout(900),  # importing the proxy alone takes 20 seconds of CPU
    pytest.mark.flaky(reruns=1),  # it was seen to die of itself
]
TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs/quickstarts/litellm.md").read_text("utf-8")
(SETTINGS_IN_DOCS,) = re.findall(r"```yaml\n(litellm_settings:.*?)```", PAGE, re.DOTALL)
BOTH = SETTINGS_IN_DOCS.replace("[", "[settings_of_mine.callback, ")
MASTER = "sk-" + "0123456789abcdef" * 4  # it refuses short ones
RULE = "Never touch the migrations folder."
LONG = [{"role": "user", "content": "Build it."}] + [
    {"role": role, "content": f"zebra {i} " * 40} for i in range(60) for role in ("assistant", "user")
]
CONFIG = """
model_list:
  - model_name: gpt
    litellm_params: {{model: openai/gpt-5.1, api_base: "{url}/v1", api_key: sk-test-0}}
  - model_name: claude
    litellm_params: {{model: anthropic/claude-opus-5-5, api_base: "{url}", api_key: sk-test-0}}
  - model_name: small
    litellm_params: {{model: openai/gpt-5.2, api_base: "{url}/v1", api_key: sk-test-0}}
    model_info: {{max_input_tokens: 2000}}
{settings}general_settings:
  master_key: {master}
  custom_auth: settings_of_mine.known
"""
SETTINGS = """
from journey import CONFIG
from litellm.proxy._types import UserAPIKeyAuth

from condense.adapters.conversations import Conversations
from condense.adapters.failures import log_failure
from condense.adapters.litellm import HoldfastCallback
from memory.conversation import default_counter

counted = default_counter()

def count(text):
    if "uncountable" in text:
        raise ValueError("a counter that fails")
    return counted(text)

async def known(request, api_key):
    return UserAPIKeyAuth(api_key=api_key)

callback = HoldfastCallback(
    Conversations(CONFIG, store="conversations.db", count_tokens=count, on_error=log_failure)
)
"""


@pytest.fixture(scope="module")
def provider():
    with Provider(Journey()) as server:
        yield server


class Proxies:
    """LiteLLM's proxy, as its configuration starts it; where it died of itself, the next test has another."""

    def __init__(self, provider, place, running):
        self.place, self.running = place, running
        self.process = self.proxied = None
        (place / "config.yaml").write_text(
            CONFIG.format(url=provider.url, master=MASTER, settings=BOTH), encoding="utf-8"
        )
        (place / "settings_of_mine.py").write_text(SETTINGS, encoding="utf-8")
        self.log = running.enter_context((place / "log.txt").open("w"))

    def get(self):
        if self.process is None or self.process.poll() is not None:
            self.start()
        return self.proxied

    def start(self):
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        command = [
            str(Path(sys.executable).with_name("litellm")),
            *("--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)),
        ]
        paths = [str(TESTS.parent), str(TESTS), str(TESTS / "adapters"), os.environ.get("PYTHONPATH", "")]
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONFAULTHANDLER": "1",  # should it crash, its log says where
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
        options = {"cwd": self.place, "env": env, "stdout": self.log, "stderr": subprocess.STDOUT}
        self.process = self.running.enter_context(started(command, limit=880, **options))
        self.running.callback(self.process.terminate)
        url = f"http://127.0.0.1:{port}"
        while not answers(url):
            self.check()
            time.sleep(0.2)
        self.proxied = Proxied(url, self.place, self.running)

    def check(self):
        code = self.process.poll()
        assert code is None, f"LiteLLM's proxy ended with {code}: {(self.place / 'log.txt').read_text('utf-8')}"


@pytest.fixture(scope="module")
def proxies(provider, tmp_path_factory):
    with ExitStack() as running:
        yield Proxies(provider, tmp_path_factory.mktemp("proxy"), running)


@pytest.fixture
def proxy(proxies):
    yield proxies.get()
    proxies.check()


def answers(url):
    try:
        return httpx.get(f"{url}/health/liveliness", timeout=5).status_code == 200
    except httpx.TransportError:
        return False


class Proxied:
    """The proxy, by SDKs with different keys."""

    def __init__(self, url, place, clients):
        self.place = place
        more = {"max_retries": 0, "timeout": 60}
        self.claude, self.gpt = (
            {
                key: clients.enter_context(client(base_url=url + path, api_key=key, **more))
                for key in ("sk-one", "sk-two")
            }
            for client, path in ((anthropic.Anthropic, ""), (openai.OpenAI, "/v1"))
        )

    def messages(self, key, streamed=False, **given):
        if not streamed:
            return self.claude[key].messages.create(**given)
        with self.claude[key].messages.stream(**given) as stream:
            return stream.get_final_message()

    def chat(self, key, streamed=False, **given):
        if not streamed:
            return self.gpt[key].chat.completions.create(**given)
        with self.gpt[key].chat.completions.stream(**given) as stream:
            return stream.get_final_completion()

    def responses(self, key, streamed=False, **given):
        if not streamed:
            return self.gpt[key].responses.create(**given)
        with self.gpt[key].responses.stream(**given) as stream:
            return stream.get_final_response()


def travel(loop, call, key):
    """Go the whole journey, every second call streamed."""
    for ask in loop.journey.asks:
        loop.ask(ask)
        while not loop.took(
            call(key, streamed=loop.journey.calls % 2, **loop.arguments, **{loop.key: loop.history})
        ):
            pass


def test_journeys_of_two_keys_by_two_routes_stay_in_the_window(proxy, provider):
    provider.journeys = {name: Journey(name) for name in ("north", "south")}
    loops = [Claude(provider.journeys["north"]), Chat(provider.journeys["south"])]
    loops[0].arguments["model"], loops[1].arguments["model"] = "claude", "gpt"
    with ThreadPoolExecutor() as pool:
        gone = [
            pool.submit(travel, loops[0], proxy.messages, "sk-one"),
            pool.submit(travel, loops[1], proxy.chat, "sk-two"),
        ]
        for one in gone:
            one.result()
    for loop in loops:
        loop.journey.check()


def test_a_journey_by_responses_stays_in_the_window(proxy, provider):
    provider.journeys = {"north": Journey()}
    loop = Responses(provider.journeys["north"])
    loop.arguments["model"] = "gpt"
    travel(loop, proxy.responses, "sk-one")
    loop.journey.check()


def test_a_route_that_is_written_in_another_providers_form_sends_the_view_once(proxy, provider):
    del provider.requests[:]
    proxy.messages("sk-one", model="gpt", max_tokens=90, messages=LONG)
    proxy.chat("sk-one", streamed=True, model="claude", max_tokens=90, messages=LONG)
    proxy.responses("sk-one", model="claude", input=LONG)
    assert [path for path, _ in provider.requests] == ["/v1/responses", "/v1/messages", "/v1/messages"]
    for _, body in provider.requests:
        assert len(sent(body)) < len(json.dumps(LONG)) / 3
        assert "zebra 59 zebra 59" in sent(body)
        assert sent(body).count("<holdfast-context v=") == 1


def sent(body):
    return json.dumps(told(body), ensure_ascii=False)


def test_the_callback_of_this_package_goes_by_the_window_of_the_configuration(proxy, provider):
    provider.journeys = {"north": Journey()}
    proxy.chat("sk-one", model="small", messages=LONG)
    assert provider.journeys["north"].sizes[0] < 1_500


def test_a_header_names_a_conversation_which_two_keys_never_share(proxy, provider):
    del provider.requests[:]
    named = {"x-holdfast-conversation": "task-1"}
    ruled = [{"role": "user", "content": f"Build it. {RULE}"}, *LONG[1:]]
    proxy.chat("sk-one", model="gpt", messages=ruled, extra_headers=named)
    pretended = {"user_api_key_auth": '{"api_key": "sk-one"}', "user_api_key_hash": "sk-one"}
    proxy.responses("sk-two", model="gpt", input=LONG, extra_headers=named, metadata=pretended)
    by_body = {"holdfast_conversation": "task-2"}
    proxy.chat("sk-two", model="gpt", messages=LONG, extra_body=by_body)
    first, second, third = (body for _, body in provider.requests)
    assert RULE in sent(first)
    assert RULE not in sent(second)
    assert "holdfast_conversation" not in third
    assert len(sent(third)) < len(json.dumps(LONG)) / 3
    names = [name for name in conversations(proxy.place) if "/task-" in name]
    assert sorted(name.partition("/")[2] for name in names) == ["task-1", "task-1", "task-2"]
    assert len({name.partition("/")[0] for name in names}) == 2


def conversations(place):
    """The conversations that have compactions, by the store of the proxy."""
    with closing(sqlite3.connect(place / "conversations.db")) as store:
        return [name for (name,) in store.execute("SELECT DISTINCT task FROM records")]


def test_what_fails_in_ours_is_sent_as_it_came(proxy, provider):
    del provider.requests[:]
    messages = [{"role": "user", "content": "It is uncountable."}, *LONG[1:]]
    proxy.chat("sk-one", model="gpt", messages=messages)
    ((_, body),) = provider.requests
    assert body["messages"] == messages
    assert "a counter that fails" in (proxy.place / "log.txt").read_text("utf-8")
