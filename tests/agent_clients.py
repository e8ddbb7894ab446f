"""The real command lines of agents, driven offline: Claude Code and Codex, as npm installs them.

They are looked for in the folder HOLDFAST_CLIENTS (by default `.clients` of the repository), which `.ci/run` fills.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from processes import started

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REPOSITORY = Path(__file__).resolve().parent.parent
CLIENTS = Path(os.environ.get("HOLDFAST_CLIENTS", REPOSITORY / ".clients"))
CLAUDE = CLIENTS / "node_modules/@anthropic-ai/claude-code-linux-x64/claude"
CODEX = CLIENTS / "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
COMPACTION = ("Your task is to create a detailed summary of", "CONTEXT CHECKPOINT COMPACTION")
LIMIT = 90


def needed(client: Path) -> Any:
    """Mark what needs a client."""
    return pytest.mark.skipif(not client.exists(), reason=f"no {client.name}: npm install into {CLIENTS}")


@dataclass
class Upstream:
    """A scripted provider: requests of the main loop get the script's replies in turn, all others something short.

    Attributes:
        script: replies; the last one again at the end.
        main: bodies of the main loop's requests.
        leaked: bodies that asked for a compaction.
        agents, helper: bodies of sub-agents' requests, and replies to them.
    """

    script: Sequence[Reply]
    main: list[dict[str, Any]] = field(default_factory=list)
    leaked: list[dict[str, Any]] = field(default_factory=list)
    agents: list[dict[str, Any]] = field(default_factory=list)
    helper: Iterator[Reply] = field(default_factory=lambda: iter(()))

    def choose(self, path: str, body: dict[str, Any]) -> Reply:
        if "count_tokens" in path:
            return Reply(body=b'{"input_tokens": 1000}')
        if asks_for_compaction(body):
            self.leaked.append(body)
            return Reply("<summary>UPSTREAM</summary>")
        if not body.get("tools") or not body.get("stream"):
            return Reply('{"title": "A title"}')
        if "cc_is_subagent=true" in json.dumps(body.get("system", ""))[:600]:
            self.agents.append(body)
            return next(self.helper, Reply("The helper is done.", input_tokens=900))
        self.main.append(body)
        return self.script[min(len(self.main), len(self.script)) - 1]


def asks_for_compaction(body: dict[str, Any]) -> bool:
    last = [m for m in body.get("messages") or body.get("input") or [] if isinstance(m, dict)][-2:]
    return any(m.get("type") == "compaction_trigger" for m in last) or any(
        prompt in json.dumps([m.get("content") for m in last if m.get("role") == "user"]) for prompt in COMPACTION
    )


@contextmanager
def proxied(upstream: str, home: Path, *arguments: str, port: str = "0") -> Iterator[tuple[str, subprocess.Popen]]:
    """Run `holdfast proxy` before an upstream; gives its address and its process."""
    command = [
        sys.executable,
        "-m",
        "condense.apps.cli",
        "proxy",
        "--port",
        port,
        "--upstream",
        upstream,
    ]
    env = {**os.environ, "HOLDFAST_HOME": str(home), "PYTHONPATH": str(REPOSITORY)}
    options: dict[str, Any] = {"env": env, "stderr": subprocess.PIPE, "text": True, "cwd": home}
    with started([*command, *arguments], limit=LIMIT * 3, **options) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split("listening on ")[1].split()[0]
        threading.Thread(target=process.stderr.read, daemon=True).start()
        try:
            yield address, process
        finally:
            process.terminate()


def claude_environment(home: Path, address: str, **more: str) -> dict[str, str]:
    keep = {k: v for k, v in os.environ.items() if k in {"PATH", "LANG", "TMPDIR"}}
    return {
        **keep,
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "sk-test-0",
        "CLAUDE_CODE_GATEWAY_HINT_HEADERS": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        **more,
    }


@dataclass
class Outcome:
    """What a client printed, event by event, and how it ended."""

    events: list[dict[str, Any]]
    code: int

    @property
    def results(self) -> list[str]:
        return [str(e.get("result")) for e in self.events if e.get("type") == "result"]

    @property
    def boundaries(self) -> list[dict[str, Any]]:
        return [e for e in self.events if e.get("subtype") == "compact_boundary"]


def run_claude(
    prompts: Sequence[str],
    folder: Path,
    environment: dict[str, str],
    *arguments: str,
    between: dict[int, Any] | None = None,
) -> Outcome:
    """Give Claude Code prompts, one after the other, in one process; `between[n]()` is called after the n-th."""
    command = [
        str(CLAUDE),
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
    ]
    command += ["--permission-mode", "default", "--allowedTools", "Bash,Read,Task,Agent", *arguments]
    events: list[dict[str, Any]] = []
    rest = list(prompts)
    options: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
    }
    with started(command, limit=LIMIT, cwd=folder, env=environment, text=True, **options) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def send(text: str) -> None:
            message = {"type": "user", "message": {"role": "user", "content": text}}
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()

        send(rest.pop(0))
        for line in process.stdout:
            with suppress(json.JSONDecodeError):
                events.append(json.loads(line))
            if events and events[-1].get("type") == "result" and line.startswith("{"):
                done = len(prompts) - len(rest)
                if between and done in between:
                    between[done]()
                if rest:
                    send(rest.pop(0))
                else:
                    process.stdin.close()
                    break
        process.stdout.read()
        code = process.wait()
    return Outcome(events, code)


@contextmanager
def provider(script: Sequence[Reply]) -> Iterator[tuple[Upstream, ScriptedServer]]:
    upstream = Upstream(script)
    with ScriptedServer(choose=upstream.choose) as server:
        yield upstream, server


def codex_environment(home: Path, address: str, *, built_in: bool = False, toml: str = "") -> dict[str, str]:
    """Write Codex's settings for a provider at an address; returns its environment."""
    home.mkdir(exist_ok=True)
    own = f'model_provider = "mine"\n{toml}\n[model_providers.mine]\nname = "mine"\nbase_url = "{address}/v1"\n'
    own += 'env_key = "TEST_KEY"\nwire_api = "responses"\n'
    settings = f'openai_base_url = "{address}/v1"\n{toml}\n' if built_in else own
    (home / "config.toml").write_text(f'model = "gpt-5-codex"\n{settings}')
    if built_in:
        (home / "auth.json").write_text('{"OPENAI_API_KEY": "sk-test-0"}')
    keep = {k: v for k, v in os.environ.items() if k in {"PATH", "LANG", "TMPDIR", "HOME"}}
    return {**keep, "CODEX_HOME": str(home), "TEST_KEY": "sk-test-0", "OPENAI_API_KEY": "sk-test-0"}


def run_codex(
    prompts: Sequence[str],
    folder: Path,
    home: Path,
    address: str,
    *,
    built_in: bool = False,
    toml: str = "",
    resumed: bool | str = False,
) -> list[subprocess.CompletedProcess]:
    """Give Codex prompts, each resuming the session before; `resumed`: the first one, too, or a session's id."""
    environment = codex_environment(home, address, built_in=built_in, toml=toml)
    done = []
    for i, prompt in enumerate(prompts):
        again = ["resume", resumed] if isinstance(resumed, str) else ["resume", "--last"]
        how = again if i or resumed else ["-s", "danger-full-access"]
        command = [str(CODEX), "exec", *how, "--skip-git-repo-check", prompt]
        options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
        done.append(subprocess.run(command, cwd=folder, env=environment, timeout=LIMIT, check=False, **options))
    return done


@contextmanager
def codex_server(folder: Path, home: Path, address: str) -> Iterator[Any]:
    """Run Codex as editors do; gives a function that calls a method and waits for its answer, then for a notice."""
    command = [str(CODEX), "app-server"]
    options: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
    }
    environment = codex_environment(home, address)
    with started(command, limit=LIMIT, cwd=folder, env=environment, text=True, **options) as process:
        number = 0

        def call(method: str, notice: str = "", **parameters: Any) -> dict[str, Any]:
            nonlocal number
            number += 1
            process.stdin.write(json.dumps({"id": number, "method": method, "params": parameters}) + "\n")
            process.stdin.flush()
            answer, noticed = None, not notice
            while answer is None or not noticed:
                told = json.loads(process.stdout.readline())
                answer = told if told.get("id") == number and "method" not in told else answer
                noticed = noticed or told.get("method") == notice
            assert "error" not in answer, answer
            return answer["result"]

        call("initialize", clientInfo={"name": "tests", "version": "1"})
        yield call
        process.kill()


def until(condition: Any, seconds: float = 10) -> bool:
    """Wait for something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
