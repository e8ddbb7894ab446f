"""Every example of README and docs runs from an installed wheel: Python as it stands, the shell with a file put in."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import partial

import httpx
import pytest
from agent_clients import CLAUDE, CODEX, proxied
from documents import ENGLISH, README, ROOT
from processes import started

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
PYTHON = [
    page for page in ENGLISH if page.code("python") and page.path.name != "crewai.md"
]  # tests/adapters/test_crewai.py runs that page, in an environment of its own
COMMANDS = list(dict.fromkeys(line for page in ENGLISH for line in page.commands() if line.startswith("holdfast")))
SERVING = [line for line in COMMANDS if line.startswith(("holdfast proxy", "holdfast mcp --http"))]
WITH_A_MODEL = [line for line in COMMANDS if " --model " in line and line not in SERVING]
ONCE = [line for line in COMMANDS if line not in SERVING and line not in WITH_A_MODEL]
CONFIGURATIONS = {block.text for page in ENGLISH for block in page.code("json") if "mcpServers" in block.text}
SESSION = ROOT / "benchmarks" / "data" / "claude_code_session.jsonl.gz"


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> dict[str, str]:
    """An environment in which the packages are those of a wheel that was built from this tree."""
    wheels, place = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(wheels), str(ROOT)], check=True, timeout=100)
    (wheel,) = wheels.glob("holdfast_context-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place)
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**kept, "PYTHONPATH": str(place), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


@pytest.mark.parametrize("page", PYTHON, ids=str)
def test_the_python_examples_of_a_page_run_one_after_the_other(page, installed, tmp_path):
    where = "\nimport condense, memory\nprint(condense.__file__, memory.__file__, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", page.program() + where],
        cwd=tmp_path,
        env={**installed, "HOLDFAST_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert all(line.startswith(installed["PYTHONPATH"]) for line in done.stdout.splitlines()[-2:])


def test_the_demo_is_in_the_wheel_and_says_how_to_get_the_command(installed, tmp_path):
    environment = {**installed, "HOLDFAST_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "condense.apps.cli"]
    run = partial(subprocess.run, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100)
    shown = run([*command, "demo"], check=True).stdout
    assert "uv tool install 'holdfast-context[cli]'" in shown
    assert "pipx install 'holdfast-context[cli]'" in shown
    assert run([*command, "--version"], check=True).stdout == f"holdfast {VERSION}\n"


@pytest.fixture
def run(tmp_path, installed):
    """Runs `holdfast` in a repository that has a session, a summary and a note."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (folder / "memory").mkdir()
    (folder / "memory" / "MEMORY.md").write_text("2026-01-02|me|cache is Redis\n", encoding="utf-8")
    (folder / "SUMMARY.md").write_text("The page listens on port 9000.", encoding="utf-8")
    shutil.copy(SESSION, folder / "SESSION.jsonl")
    (folder / "ARCHIVE").mkdir()
    shutil.copy(SESSION, folder / "ARCHIVE" / "session.jsonl.gz")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, client in (("claude", CLAUDE), ("codex", CODEX)):
        (programs / name).symlink_to(client)
    environment = {
        **installed,
        "HOLDFAST_HOME": str(tmp_path / "home"),
        "HOME": str(tmp_path),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "OPENAI_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }

    def holdfast(*words):
        return subprocess.run(
            [sys.executable, "-m", "condense.apps.cli", *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )

    return holdfast


@pytest.mark.parametrize("line", ONCE)
def test_a_shell_example_runs(line, run):
    words = shlex.split(line.replace("latest", "SESSION.jsonl"))[1:]
    if words[:2] in (["install", "claude-code"], ["install", "codex"]) or words[0] == "uninstall":
        if not (CLAUDE.exists() and CODEX.exists()):
            pytest.skip("needs the clients from npm")
        switched = run("install", *words[1:], "--yes")
        assert switched.returncode == 0, switched.stderr
        done = run("uninstall", words[1])
        assert done.returncode == 0, done.stderr
        return
    if words[0] == "expand" or "--last" in words:
        done = run("condense", "SESSION.jsonl", "--json")
    if words[0] == "expand":
        words[1] = re.search(r"hf_[0-9a-f]{12}", done.stdout)[0]
    if words[0] == "memory":
        assert run("memory", "save", "SESSION.jsonl").returncode == 0
    done = run(*words)
    assert done.returncode in ((0, 1) if words[0] in ("verify", "doctor") else (0,)), done.stderr
    if words[0] != "mcp":  # it speaks when it is spoken to
        assert done.stdout.strip() not in ("", "nothing found", "nothing yet")


@pytest.mark.parametrize("line", WITH_A_MODEL)
def test_a_shell_example_asks_the_model_that_it_names(line, run):
    words = shlex.split(line.replace("latest", "SESSION.jsonl"))[1:]
    if "--base-url" in words:
        del words[words.index("--base-url") :][:2]
    with ScriptedServer(Reply("A page was built.")) as server:
        address = server.url + ("/v1" if "openai:NAME" in words else "")
        done = run(*words, "--base-url", address)
    assert done.returncode == 0, done.stderr
    assert {body["model"] for _, body in server.requests} == {"NAME"}


@pytest.mark.parametrize("line", SERVING)
def test_a_server_starts_as_it_is_shown(line, installed, tmp_path):
    words = shlex.split(line)[1:]
    if words[0] == "mcp":
        words[words.index("--http") + 1] = "0"
        command = [sys.executable, "-m", "condense.apps.cli", *words]
        env = {**installed, "HOLDFAST_HOME": str(tmp_path / "home")}
        with started(command, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            assert "holdfast: serving http://127.0.0.1:" in process.stderr.readline()
            process.terminate()
        return
    headers = {"X-Holdfast-Token": words[words.index("--token") + 1]} if "--token" in words else {}
    with proxied("http://127.0.0.1:9", tmp_path, *words[1:]) as (address, _):
        status = httpx.get(
            f"{re.sub(r'//[^:]+', '//127.0.0.1', address)}/holdfast/status", headers=headers, timeout=10
        ).json()
    assert status["mode"] == (words[words.index("--mode") + 1] if "--mode" in words else "answer")
    assert status["counts"] == {"requests": 1}


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_client_can_start_the_server_as_it_is_configured(configuration, run):
    for server in json.loads(configuration)["mcpServers"].values():
        assert server["command"] == "holdfast"
        done = run(*server["args"])
        assert (done.returncode, done.stderr) == (0, "")


def test_the_numbers_before_and_after_are_those_of_the_demo():
    from condense import Condenser
    from memory import read_transcript

    done = Condenser().condense(read_transcript(SESSION), target=8_000)
    assert f"{done.report.typed_verbatim} of {done.report.typed_messages} typed messages" in README.source


def test_the_session_before_and_after_is_as_the_readme_says():
    claimed = re.search(
        r"before +(\d+) messages.*?after.*?(\d+) of (\d+) typed.*?(\d+) of (\d+) rules",
        README.source,
        re.DOTALL,
    )
    before, typed, of_typed, rules, of_rules = claimed.groups()
    shown = subprocess.run(
        [sys.executable, "-m", "condense.apps.cli", "demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    ).stdout
    assert re.search(rf"messages +{before} → \d", shown)  # how many are left depends on the token counter
    assert f"{of_typed} messages, {typed} still there word for word" in shown
    assert f"{of_rules}, {rules} still there word for word" in shown
    assert (typed, rules) == (of_typed, of_rules)
