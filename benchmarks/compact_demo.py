"""The picture of a compaction in the quickstart of Claude Code: `python -m benchmarks.compact_demo CLAUDE [OUT]`.

The real Claude Code (its program's path is the argument) works a scripted session against a stand-in for the model's
provider, with `holdfast proxy` between them. Printed is what the provider saw before and after /compact.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.proxy import running_proxy
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer

RULES = (
    "Always use PostgreSQL, never MySQL.",
    "The dev server runs on port 3001.",
    "Never touch the migrations folder.",
    "请始终使用 pnpm，不要用 npm。",
)
PROMPTS = (*RULES, "Now build the search page.", "/compact", "Go on.")
READ = 'for i in $(seq 400); do echo "def part_$i(zebra): return zebra * $i"; done'


class Provider:
    """Answers as a model would: a tool call, then words; writes down what it was sent."""

    def __init__(self) -> None:
        self.main: list[dict[str, Any]] = []
        self.compactions = 0

    def choose(self, path: str, body: dict[str, Any]) -> Reply:
        """Reply to one request."""
        if "count_tokens" in path:
            return Reply(body=b'{"input_tokens": 1}')
        if "Your task is to create a detailed summary of" in json.dumps(body.get("messages", [])[-2:]):
            self.compactions += 1
            return Reply("<summary>by the model</summary>")
        if not body.get("tools"):
            return Reply('{"title": "A session"}')
        self.main.append(body)
        call = ("Bash", {"command": READ, "description": "look"})
        return Reply(call=call) if len(self.main) % 2 else Reply("Noted.")


def session(claude: str, address: str, home: Path) -> None:
    """Give the real client its prompts, one after the other."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "sk-test-0",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_GATEWAY_HINT_HEADERS": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    command = [claude, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    command += ["--permission-mode", "default", "--allowedTools", "Bash"]
    options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=home, env=env, **options) as client:  # noqa: S603  # the client that was named
        waiting = list(PROMPTS)
        while waiting:
            message = {"type": "user", "message": {"role": "user", "content": waiting.pop(0)}}
            client.stdin.write(json.dumps(message) + "\n")
            client.stdin.flush()
            for line in client.stdout:
                if json.loads(line).get("type") == "result":
                    break
        client.stdin.close()


def picture(claude: str) -> str:
    """Run the session and return what happened, in a few lines."""
    provider = Provider()
    with tempfile.TemporaryDirectory() as folder, ScriptedServer(choose=provider.choose) as server:
        home = Path(folder)
        with running_proxy(server.url) as proxy:
            session(claude, f"http://127.0.0.1:{proxy.port}", home)
            proxy.process.terminate()
            told = [line.strip() for line in proxy.process.stderr if "answered" in line]
    at = 2 * PROMPTS.index("/compact")  # each prompt makes two requests
    before, after = provider.main[at - 1 : at + 1]
    shown = [json.dumps(body["messages"], ensure_ascii=False) for body in (before, after)]
    lines = ["$ holdfast proxy", *told, "", "$ claude", *(f"> {prompt}" for prompt in PROMPTS), ""]
    lines.append(f"requests for a compaction that reached the provider: {provider.compactions}")
    sizes = [
        f"{len(text):,} characters in {len(body['messages'])} messages"
        for text, body in zip(shown, (before, after), strict=True)
    ]
    lines += [
        f"the request before /compact: {sizes[0]}",
        f"the request after it:        {sizes[1]}",
        "of the rules stand in it verbatim:",
    ]
    lines += [f"  {'yes' if rule in shown[1] else 'NO '}  {rule}" for rule in RULES]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the picture, or write it to a file."""
    text = picture(sys.argv[1])
    if len(sys.argv) > 2:  # the second argument
        Path(sys.argv[2]).write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
