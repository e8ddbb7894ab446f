"""Every example of the README runs from an installed wheel: Python as it stands, the shell with a file put in."""

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
from pathlib import Path

import httpx
import pytest
from agent_clients import CLAUDE, CODEX, proxied

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
PYTHON = [
    code for code in EXAMPLES if "HoldfastHook" not in code
]  # tests/adapters/test_crewai.py runs that of CrewAI
CONFIGURATIONS = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
PICTURE = ROOT / "benchmarks" / "results" / "compact.txt"
CONSOLE = [
    line.split("#")[0].strip()
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("holdfast") and not line.startswith("holdfast proxy")
]
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
    return {**os.environ, "PYTHONPATH": str(place)}


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_a_python_example_runs(code, installed, tmp_path):
    where = "\nimport condense, memory\nprint(condense.__file__, memory.__file__, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code + where],
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
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
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


@pytest.mark.parametrize("line", CONSOLE)
def test_a_shell_example_runs(line, run):
    words = shlex.split(line.replace("latest", "SESSION.jsonl"))[1:]
    if words[:2] in (["install", "claude-code"], ["install", "codex"], ["uninstall", "claude-code"]):
        if not (CLAUDE.exists() and CODEX.exists()):
            pytest.skip("needs the clients from npm")
        switched = run("install", *words[1:], "--yes")
        assert switched.returncode == 0, switched.stderr
        done = run("uninstall", words[1])
        assert done.returncode == 0, done.stderr
        return
    if words[0] == "expand":
        done = run("condense", "SESSION.jsonl", "--json")
        words[1] = re.search(r"hf_[0-9a-f]{12}", done.stdout)[0]
    if words[0] == "memory":
        assert run("memory", "save", "SESSION.jsonl").returncode == 0
    done = run(*words)
    assert done.returncode in ((0, 1) if words[0] == "verify" else (0,)), done.stderr
    assert done.stdout.strip() not in ("", "nothing found", "nothing yet")


def test_the_proxy_starts_as_the_readme_says(tmp_path):
    (line,) = re.findall(r"^holdfast (proxy .*?) *#", TEXT, re.MULTILINE)
    with proxied("http://127.0.0.1:9", tmp_path, *shlex.split(line)[1:]) as (address, _):
        status = httpx.get(f"{address}/holdfast/status", timeout=10).json()
    assert (status["mode"], status["counts"]) == ("view", {"requests": 1})


def test_the_picture_of_a_compaction_is_the_one_that_was_made():
    assert PICTURE.read_text("utf-8") in TEXT


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
    assert f"{done.report.typed_verbatim} of {done.report.typed_messages} typed messages" in TEXT


def test_the_session_before_and_after_is_as_the_readme_says():
    claimed = re.search(
        r"before +(\d+) messages.*?after.*?(\d+) of (\d+) typed.*?(\d+) of (\d+) rules",
        TEXT,
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
    assert "One last check: does anything go wrong" in shown
