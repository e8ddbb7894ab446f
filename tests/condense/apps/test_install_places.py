"""`holdfast install` in several places, half-way, behind itself, and off again without its own records."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib

import pytest
from agent_clients import CLAUDE, CODEX, needed, provider, run_claude
from installing import environment, free_port, holdfast, install, prepared, repository

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer

pytestmark = [pytest.mark.timeout(180), pytest.mark.clients]
OFF = ("uninstall", "claude-code", "--client", str(CLAUDE))
PROXY = ("--yes", "--proxy", "--port")
OWN = """model_provider = "az"

[model_providers.az]
name = "az"
base_url = "https://a.example/openai"
env_key = "AZ_KEY"
query_params = {api-version = "1"}
"""


@pytest.fixture
def machine(tmp_path):
    return prepared(tmp_path)


def test_a_port_that_another_program_has_is_refused_and_told(machine):
    with ScriptedServer(Reply("What?")) as other:
        port = other.url.rpartition(":")[2]
        for agent in ("claude-code", "codex"):
            told = holdfast(machine, "install", agent, *PROXY, port, code=2)
            assert f"nothing was changed: another program has port {port}" in told
    assert not (machine / "home/.claude/settings.json").exists()
    assert not (machine / "home/.codex/config.toml").exists()


def test_the_proxy_is_not_switched_on_where_it_cannot_run(machine):
    program = "import sys; sys.modules['uvicorn'] = None; from condense.apps.cli import main; sys.exit(main())"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            "install",
            "claude-code",
            "--proxy",
            "--yes",
            "--client",
            str(CLAUDE),
        ],
        env=environment(machine),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "holdfast-context[proxy]" in done.stderr
    assert not (machine / "home/.claude/settings.json").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "9000"], "--port needs --proxy"),
        (["--upstream", "http://127.0.0.1:9"], "--upstream needs --proxy"),
        (
            ["--proxy", "--upstream", "localhost:9"],
            "--upstream: 'localhost:9' should be an address such as https",
        ),
    ],
)
def test_options_of_the_proxy_that_cannot_be_are_refused(machine, options, said):
    for agent in ("claude-code", "codex"):
        assert said in holdfast(machine, "install", agent, "--yes", *options, code=2)


def test_it_says_what_the_plugin_holds_what_runs_and_that_the_proxy_goes(machine):
    client = silent_client(machine)
    on = ("install", "claude-code", "--yes", "--client", client)
    upstream = "https://gateway.example/api/v1/"
    first = holdfast(machine, *on, "--proxy", "--port", str(free_port()), "--upstream", upstream)
    plugin = machine / "kept/claude-code/holdfast"
    hooks = json.loads((plugin / "hooks/hooks.json").read_text())["hooks"]
    commands = [f"/holdfast:{file.stem}" for file in plugin.glob("commands/*")]
    assert all(part in first for part in (*hooks, *commands, "MCP server", "skill"))
    assert f"holdfast: running {client} plugin marketplace add" in first
    (row,) = json.loads((machine / "kept/proxy.json").read_text()).values()
    assert row["upstream"] == "https://gateway.example/api"
    steps = holdfast(machine, *on)
    assert '-    "ANTHROPIC_BASE_URL": "http://127.0.0.1' in steps


def test_steps_for_codex_show_that_the_proxy_goes(machine):
    on = ("install", "codex", "--yes", "--client", silent_client(machine))
    holdfast(machine, *on, "--proxy", "--port", str(free_port()))
    assert '-model_provider = "holdfast"' in holdfast(machine, *on)


def silent_client(machine):
    client = machine / "client"
    client.write_text("#!/bin/sh\n")
    client.chmod(0o755)
    return str(client)


@needed(CLAUDE)
def test_off_in_one_project_it_stays_on_in_the_other(machine):
    repository(machine / "other")
    holdfast(machine, "install", "claude-code", "--scope", "project", "--client", str(CLAUDE), "--yes")
    holdfast(
        machine,
        "install",
        "claude-code",
        "--scope",
        "project",
        "--client",
        str(CLAUDE),
        "--yes",
        folder="other",
    )
    holdfast(machine, *OFF, "--scope", "project")
    assert not (machine / "project/.claude").exists()
    with provider([Reply("Noted.")]) as (_, server):
        env = {**environment(machine), "ANTHROPIC_BASE_URL": server.url}
        on = run_claude(["Hello."], machine / "other", env).events
    started = next(e for e in on if e.get("subtype") == "init")
    assert [s["status"] for s in started["mcp_servers"] if "holdfast" in s["name"]] == ["connected"]
    holdfast(machine, *OFF, "--scope", "project", folder="other")
    assert not (machine / "kept/claude-code").exists()


@needed(CLAUDE)
def test_what_is_on_in_another_folder_of_the_client_is_left_alone(machine):
    elsewhere = machine / "my settings"
    elsewhere.mkdir()
    (elsewhere / "settings.json").write_text('{"model":   "sonnet"}')
    (machine / "home/.claude/settings.json").write_text('{"model":   "opus"}')
    there = {"CLAUDE_CONFIG_DIR": str(elsewhere)}
    arguments = ("install", "claude-code", "--client", str(CLAUDE), *PROXY, str(free_port()))
    holdfast(machine, *arguments, **there)
    assert "not on in claude-code" in holdfast(machine, *OFF, code=2)
    assert (machine / "home/.claude/settings.json").read_text() == '{"model":   "opus"}'
    holdfast(machine, *OFF, **there)
    assert (elsewhere / "settings.json").read_text() == '{"model":   "sonnet"}'


@needed(CLAUDE)
@pytest.mark.parametrize("step", ["add", "install"])
def test_a_client_that_fails_half_way_leaves_everything_as_it_was(machine, step):
    place = machine / "home/.claude/settings.json"
    place.write_text('{"model":   "opus"}')
    client = machine / "claude"
    client.write_text(
        f'#!/bin/sh\ncase "$*" in *"{step} "*) "{CLAUDE}" "$@"; exit 3;; esac\nexec "{CLAUDE}" "$@"\n'
    )
    client.chmod(0o700)
    holdfast(machine, "install", "claude-code", "--client", str(client), "--yes", code=2)
    assert place.read_text() == '{"model":   "opus"}'
    assert not (machine / "kept/claude-code").exists()
    known = machine / "home/.claude/plugins/known_marketplaces.json"
    assert not known.exists() or "holdfast" not in known.read_text()
    plugins = machine / "home/.claude/plugins/installed_plugins.json"
    assert not plugins.exists() or "holdfast" not in plugins.read_text()


@needed(CLAUDE)
def test_an_installation_that_fails_anew_stays_on_as_it_was(machine):
    install(machine, *PROXY, str(free_port()))
    files = [
        machine / "home/.claude/settings.json",
        machine / "kept/installed.json",
        machine / "kept/proxy.json",
    ]
    before = [place.read_text() for place in files]
    client = machine / "claude"
    once = '*"plugin install "*) [ -e once ] || { touch once; exit 3; }'
    client.write_text(f'#!/bin/sh\ncase "$*" in {once};; esac\nexec "{CLAUDE}" "$@"\n')
    client.chmod(0o700)
    holdfast(machine, "install", "claude-code", "--client", str(client), *PROXY, str(free_port()), code=2)
    assert [place.read_text() for place in files] == before
    assert "holdfast" in (machine / "home/.claude/plugins/installed_plugins.json").read_text()
    assert (machine / "kept/claude-code").exists()
    holdfast(machine, *OFF)
    assert not files[0].exists()


@needed(CODEX)
def test_codex_stays_on_where_installing_anew_fails(machine):
    port = str(free_port())
    holdfast(machine, "install", "codex", "--client", str(CODEX), *PROXY, port)
    files = [machine / "home/.codex" / name for name in ("config.toml", "hooks.json")]
    files += [machine / "kept" / name for name in ("installed.json", "proxy.json")]
    before = [place.read_text() for place in files]
    holdfast(machine, "install", "codex", "--client", "false", *PROXY, port, code=2)
    assert [place.read_text() for place in files] == before


@needed(CLAUDE)
def test_it_goes_off_when_the_data_folder_is_gone(machine):
    place = machine / "home/.claude/settings.json"
    place.write_text('{"model": "opus"}')
    install(machine, *PROXY, str(free_port()))
    shutil.rmtree(machine / "kept")
    holdfast(machine, *OFF)
    assert json.loads(place.read_text()) == {"model": "opus"}
    assert "not on" in holdfast(machine, *OFF, code=2)


@needed(CODEX)
def test_it_goes_off_in_codex_when_the_data_folder_is_gone(machine):
    place = machine / "home/.codex/config.toml"
    place.write_text('model = "gpt-5-codex"\n')
    holdfast(machine, "install", "codex", "--client", str(CODEX), *PROXY, str(free_port()))
    shutil.rmtree(machine / "kept")
    holdfast(machine, "uninstall", "codex")
    assert tomllib.loads(place.read_text()) == {"model": "gpt-5-codex"}
    assert not (machine / "home/.codex/hooks.json").exists()


@needed(CLAUDE)
def test_the_proxy_is_never_sent_to_itself(machine):
    port = free_port()
    behind = {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}"}
    holdfast(machine, "install", "claude-code", "--client", str(CLAUDE), *PROXY, str(port), **behind)
    (row,) = json.loads((machine / "kept/proxy.json").read_text()).values()
    assert row == {"port": port, "upstream": None}


@needed(CODEX)
@needed(CLAUDE)
def test_one_port_serves_one_provider(machine):
    port = str(free_port())
    place = machine / "home/.codex/config.toml"
    place.write_text(OWN)
    holdfast(machine, "install", "codex", "--client", str(CODEX), *PROXY, port)
    said = holdfast(machine, "install", "claude-code", "--client", str(CLAUDE), *PROXY, port, code=2)
    assert "--port" in said
    assert "https://a.example" in said
    assert not (machine / "home/.claude/settings.json").exists()
    install(machine, *PROXY, str(free_port()))


@needed(CODEX)
def test_codex_keeps_keys_and_address_of_its_provider(machine):
    port = free_port()
    place = machine / "home/.codex/config.toml"
    place.write_text(OWN)
    holdfast(machine, "install", "codex", "--client", str(CODEX), *PROXY, str(port))
    ours = tomllib.loads(place.read_text())["model_providers"]["holdfast"]
    assert ours["env_key"] == "AZ_KEY"
    assert ours["query_params"] == {"api-version": "1"}
    assert ours["base_url"] == f"http://127.0.0.1:{port}/openai"
    assert "requires_openai_auth" not in ours
    (row,) = json.loads((machine / "kept/proxy.json").read_text()).values()
    assert row["upstream"] == "https://a.example"


@needed(CODEX)
def test_hooks_of_codex_that_are_no_object_are_named(machine):
    place = machine / "home/.codex/hooks.json"
    place.write_text('{"hooks": []}')
    assert "hooks.json" in holdfast(machine, "install", "codex", "--client", str(CODEX), "--yes", code=2)
    assert place.read_text() == '{"hooks": []}'


@needed(CLAUDE)
def test_settings_kept_elsewhere_stay_a_link(machine):
    kept = machine / "dotfiles.json"
    kept.write_text('{"model": "opus"}')
    place = machine / "home/.claude/settings.json"
    place.symlink_to(kept)
    install(machine, "--yes")
    assert place.readlink() == kept
    assert "holdfast" in kept.read_text()
    holdfast(machine, *OFF)
    assert place.readlink() == kept
    assert kept.read_text() == '{"model": "opus"}'


@needed(CLAUDE)
def test_the_commands_of_the_plugin_run_and_its_tools_are_allowed(machine):
    install(machine, "--yes")
    tool = "mcp__plugin_holdfast_holdfast__recall_memory"
    script = [
        Reply("Noted."),
        Reply("Shown."),
        Reply(call=("ToolSearch", {"query": f"select:{tool}"})),
        Reply(call=(tool, {"query": "database"})),
        Reply("Nothing fits."),
    ]
    with provider(script) as (upstream, server):
        env = {**environment(machine), "ANTHROPIC_BASE_URL": server.url}
        said = ["Hello.", "/holdfast:receipt", "/holdfast:recall database"]
        outcome = run_claude(said, machine / "project", env)
    assert outcome.results == ["Noted.", "Shown.", "Nothing fits."]
    assert "no compaction of a session of this folder is on record" in json.dumps(upstream.main[1]["messages"])
    assert "haven't granted" not in json.dumps(upstream.main[-1]["messages"])


@needed(CODEX)
def test_approvals_of_hooks_are_told_and_go_with_the_hooks(machine):
    place, hooks = machine / "home/.codex/config.toml", machine / "home/.codex/hooks.json"
    other = {"hooks": [{"type": "command", "command": "true"}]}
    hooks.write_text(json.dumps({"hooks": {"PreCompact": [other]}}))
    approval = '\n[hooks.state."{}:{}:{}:0"]\ntrusted_hash = "sha256:0"\n'
    place.write_text('model = "gpt-5-codex"\n' + approval.format(hooks, "pre_compact", 0))
    before = place.read_text()
    holdfast(machine, "install", "codex", "--client", str(CODEX), "--yes")
    assert "not approved yet" in holdfast(machine, "install", "status")
    ours = [("pre_compact", 1), ("session_start", 0), ("session_end", 0)]
    place.write_text(place.read_text() + "".join(approval.format(hooks, *one) for one in ours))
    assert "hooks: approved" in holdfast(machine, "install", "status")
    holdfast(machine, "uninstall", "codex")
    assert place.read_text() == before
