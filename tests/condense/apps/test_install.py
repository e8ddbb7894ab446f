"""`holdfast install` and `uninstall` with the real clients, on settings as people have them."""

from __future__ import annotations

import json
import os
import signal
import tomllib

import httpx
import pytest
from agent_clients import CLAUDE, CODEX, needed, provider, run_claude
from installing import environment, free_port, holdfast, install, prepared

from condense.testing.replies import Reply

pytestmark = [pytest.mark.timeout(180), pytest.mark.clients]
RULE = "Always use PostgreSQL, never MySQL."


@pytest.fixture
def machine(tmp_path):
    return prepared(tmp_path)


SETTINGS = {
    "missing": None,
    "empty": "",
    "plain": '{"model": "opus", "env": {"A": "1"}}',
    "tabs": '{\n\t"model": "opus",\n\t"permissions": {"allow": ["Bash(ls:*)"]}\n}\n\n',
    "other hooks": json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}, indent=4),
    "other plugins": '{"enabledPlugins": {"a@b": false}, "extraKnownMarketplaces": {}}',
    "own gateway": '{"env": {"ANTHROPIC_BASE_URL": "https://gateway.example", "X": "ü"}}',
}


@needed(CLAUDE)
@pytest.mark.parametrize("proxy", [False, True], ids=["hooks", "proxy"])
@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_claude_code_come_back_to_the_byte(machine, name, proxy):
    place = machine / "home/.claude/settings.json"
    if SETTINGS[name] is not None:
        place.write_text(SETTINGS[name])
    more = ["--proxy", "--port", str(free_port())] if proxy else []
    install(machine, "--yes", *more)
    on = json.loads(place.read_text())
    assert on["enabledPlugins"]["holdfast@holdfast"] is True
    assert ("127.0.0.1" in on.get("env", {}).get("ANTHROPIC_BASE_URL", "")) == proxy
    if name == "other hooks":
        assert on["hooks"]["Stop"]
    assert "claude-code: on" in holdfast(machine, "install", "status")
    holdfast(machine, "uninstall", "claude-code", "--client", str(CLAUDE))
    assert (place.read_text() if place.exists() else None) == SETTINGS[name]
    assert "off everywhere" in holdfast(machine, "install", "status")


@needed(CLAUDE)
def test_what_was_changed_meanwhile_stays(machine):
    place = machine / "home/.claude/settings.json"
    place.write_text('{"model": "opus"}')
    install(machine, "--yes", "--proxy", "--port", str(free_port()))
    on = json.loads(place.read_text())
    on["env"]["MINE"] = "1"
    on["model"] = "sonnet"
    place.write_text(json.dumps(on))
    holdfast(machine, "uninstall", "claude-code", "--client", str(CLAUDE))
    assert json.loads(place.read_text()) == {"model": "sonnet", "env": {"MINE": "1"}}


@needed(CLAUDE)
def test_twice_on_is_once_on(machine):
    place = machine / "home/.claude/settings.json"
    place.write_text('{"model": "opus"}')
    for _ in range(2):
        install(machine, "--yes", "--proxy", "--port", str(free_port()))
    holdfast(machine, "uninstall", "claude-code", "--client", str(CLAUDE))
    assert place.read_text() == '{"model": "opus"}'


@needed(CLAUDE)
@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ('{"model": "opus",}', 0o600, "settings.json:1:"),
        ('{\n  // mine\n  "model": "opus"\n}', 0o600, "settings.json:2:"),
        ("[]", 0o600, "should be a JSON object"),
        ('{"model": "opus"}', 0o400, "read-only"),
    ],
)
def test_settings_that_cannot_be_changed_are_named_and_left_alone(machine, text, mode, said):
    place = machine / "home/.claude/settings.json"
    place.write_text(text)
    place.chmod(mode)
    assert said in install(machine, "--yes", "--proxy", code=2)
    assert place.read_text() == text
    assert not (machine / "kept/installed.json").exists()


def test_a_client_that_is_not_there_is_said_so(machine):
    said = holdfast(machine, "install", "claude-code", "--yes", "--client", "/nowhere/claude", code=2)
    assert "npm i -g @anthropic-ai/claude-code" in said
    assert "not on" in holdfast(machine, "uninstall", "codex", code=2)


@needed(CLAUDE)
def test_without_yes_the_difference_is_shown_and_nothing_is_changed(machine):
    place = machine / "home/.claude/settings.json"
    place.write_text('{"model": "opus"}')
    said = install(machine, "--proxy", code=2)
    assert '+    "ANTHROPIC_BASE_URL": "http://127.0.0.1:8787"' in said
    assert place.read_text() == '{"model": "opus"}'


@needed(CLAUDE)
def test_with_hooks_alone_the_rules_stand_in_the_request_after_a_compaction(machine):
    install(machine, "--yes")
    env = environment(machine)
    with provider([Reply("Noted."), Reply("Going on."), Reply("A new one.")]) as (upstream, server):
        env["ANTHROPIC_BASE_URL"] = server.url
        run_claude([RULE, "/compact", "Go on."], machine / "project", env)
        after = json.dumps(upstream.main[-1]["messages"])
        run_claude(["Another session."], machine / "project", env)
        later = json.dumps(upstream.main[-1]["messages"])
    assert len(upstream.leaked) == 1
    assert "holdfast-rules" in after
    assert RULE in after
    assert RULE in later


@needed(CLAUDE)
def test_with_the_proxy_installed_it_starts_with_the_agent_and_answers(machine):
    port = free_port()
    env = environment(machine)
    del env["ANTHROPIC_BASE_URL"]
    with provider([Reply("Noted."), Reply("Going on.")]) as (upstream, server):
        holdfast(
            machine,
            "install",
            "claude-code",
            "--yes",
            "--client",
            str(CLAUDE),
            "--proxy",
            "--port",
            str(port),
            "--upstream",
            server.url,
        )
        outcome = run_claude([RULE, "/compact", "Go on."], machine / "project", env)
        assert ": running" in holdfast(machine, "install", "status")
    assert outcome.results[0] == "Noted."
    assert outcome.results[-1] == "Going on."
    assert upstream.leaked == []
    assert RULE in json.dumps(upstream.main[-1]["messages"])
    told = holdfast(machine, "uninstall", "claude-code", "--client", str(CLAUDE))
    assert f"the proxy on port {port} goes on running for agents that are open; kill " in told
    stop(port)


def stop(port: int) -> None:
    status = httpx.get(f"http://127.0.0.1:{port}/holdfast/status", timeout=10).json()
    os.kill(status["pid"], signal.SIGTERM)


CONFIGS = {
    "missing": None,
    "comments": '# mine\nmodel = "gpt-5-codex" # nice\n\n[tools]\nweb_search = true # yes\n',
    "other provider": 'model_provider = "az"\n\n[model_providers.az]\nname = "az"\nbase_url = "https://a.example/v1"\n',
    "other server": '[mcp_servers.docs]\ncommand = "true"\n',
}


@needed(CODEX)
@pytest.mark.parametrize("proxy", [False, True], ids=["hooks", "proxy"])
@pytest.mark.parametrize("name", CONFIGS)
def test_settings_of_codex_come_back_to_the_byte(machine, name, proxy):
    place, hooks = machine / "home/.codex/config.toml", machine / "home/.codex/hooks.json"
    if CONFIGS[name] is not None:
        place.write_text(CONFIGS[name])
    hooks.write_text('{"hooks": {"Stop": []}}')
    more = ["--proxy", "--port", str(free_port())] if proxy else []
    said = holdfast(machine, "install", "codex", "--yes", "--client", str(CODEX), *more)
    assert "/hooks" in said
    on = tomllib.loads(place.read_text())
    assert on["mcp_servers"]["holdfast"]["args"][-1] == "mcp"
    assert (on.get("model_provider") == "holdfast") == proxy
    if proxy:
        assert on["model_providers"]["holdfast"]["wire_api"] == "responses"
    if name == "comments":
        assert "# nice" in place.read_text()
    assert "SessionStart" in json.loads(hooks.read_text())["hooks"]
    holdfast(machine, "uninstall", "codex")
    assert (place.read_text() if place.exists() else None) == CONFIGS[name]
    assert hooks.read_text() == '{"hooks": {"Stop": []}}'


@needed(CODEX)
def test_a_broken_config_of_codex_is_named_and_left_alone(machine):
    place = machine / "home/.codex/config.toml"
    place.write_text("model = \n")
    assert "config.toml" in holdfast(machine, "install", "codex", "--yes", "--client", str(CODEX), code=2)
    assert place.read_text() == "model = \n"
