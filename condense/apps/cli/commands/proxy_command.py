"""`holdfast proxy`: stand between an agent and its provider."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from condense.apps.cli.refusals import Refusal, reason_of

if TYPE_CHECKING:
    from condense.apps.proxy import ProxySettings

PORT = 8787
NEEDED = ("httpx", "httpx_sse", "prometheus_client", "uvicorn", "zstandard")


def proxy(  # each is an option
    *,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0: any.")] = PORT,
    upstream: Annotated[
        str | None,
        typer.Option("--upstream", metavar="URL", help="Where requests go; the provider itself when left out."),
    ] = None,
    mode: Annotated[
        str,
        typer.Option("--mode", metavar="MODE", help="answer: answer compactions; view: send smaller requests."),
    ] = "answer",
    target: Annotated[str, typer.Option("--target", help="Tokens of a summary or a view, such as 16k.")] = "16k",
    window: Annotated[
        str, typer.Option("--window", help="With --mode view: tokens that the model takes.")
    ] = "200k",
    model: Annotated[
        bool, typer.Option("--model", help="Let the model write the summary first; it is checked and mended.")
    ] = False,
    model_seconds: Annotated[
        float, typer.Option("--model-seconds", min=1, help="With --model: how long that may take.")
    ] = 120,
    host: Annotated[str, typer.Option("--host", help="Other than 127.0.0.1 it needs --token.")] = "127.0.0.1",
    token: Annotated[
        str,
        typer.Option("--token", envvar="HOLDFAST_PROXY_TOKEN", help="What clients must send in X-Holdfast-Token."),
    ] = "",
) -> None:
    """Answer an agent's compactions at once, from what was said; everything else goes to the provider as it is.

    Claude Code: ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude

    Codex: holdfast install codex --proxy

    Status: http://127.0.0.1:8787/holdfast/status, for Prometheus /holdfast/metrics
    """
    if missing := missing_packages():
        raise Refusal(missing)
    from condense.apps.cli.amounts import read_amount
    from condense.apps.proxy import serve

    room = read_amount(window).of(200_000)
    try:
        settings = checked_settings(
            host=host,
            port=port,
            upstream=upstream,
            mode=mode,
            target=read_amount(target).of(room),
            window=room,
            model=model,
            model_seconds=model_seconds,
            token=token,
        )
        serve(settings, ready=_listening, tell=_tell)
    except (ValueError, OSError) as error:
        raise Refusal(reason_of(error)) from error


def checked_settings(**values: Any) -> ProxySettings:
    """Return settings of the proxy.

    Raises:
        Refusal: one of them cannot be; names its option.
    """
    from pydantic import ValidationError

    from condense.apps.proxy import ProxySettings

    try:
        return ProxySettings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        told = first["msg"].removeprefix("Value error, ")
        raise Refusal(f"--{str(first['loc'][0]).replace('_', '-')}: {told}") from error


def missing_packages() -> str:
    """Say what the proxy needs that is not installed; "" where it can run."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    return f"the proxy needs {', '.join(missing)}: pip install 'holdfast-context[proxy]'" if missing else ""


def _listening(address: str) -> None:
    _tell(f"listening on {address} (status: {address}/holdfast/status)")


def _tell(line: str) -> None:
    print(f"holdfast: {line}", file=sys.stderr, flush=True)  # noqa: T201  # one line for a terminal or a log
