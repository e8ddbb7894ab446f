"""The way to the provider: what came in goes out byte for byte, but for what belongs to one connection."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

import httpx
import zstandard

from condense.apps.proxy.settings import ANTHROPIC, CHATGPT, OPENAI

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Mapping

    from condense.apps.proxy.settings import ProxySettings

Headers = list[tuple[bytes, bytes]]

_OWN: Final = frozenset(
    b"connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer "
    b"transfer-encoding upgrade host x-holdfast-token x-holdfast-conversation".split()
)
"""Headers of one connection (RFC 9110, 7.6.1), and ours."""
CONNECT_SECONDS, IDLE_SECONDS = 30.0, 900.0


class Upstream:
    """Connections to the providers, kept open.

    Requests of a large body or of an answer that streams for minutes are no exception: nothing is held back.
    """

    def __init__(self, settings: ProxySettings) -> None:
        self.fixed = settings.upstream
        timeout = httpx.Timeout(IDLE_SECONDS, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=256)
        self._client = httpx.AsyncClient(timeout=timeout, limits=limits, follow_redirects=False)

    def address(self, path: str, query: bytes, headers: Mapping[str, str]) -> httpx.URL:
        """Return where a request goes: the given upstream, or the provider that speaks this protocol."""
        base = self.fixed
        if base is None:
            if "chatgpt-account-id" in headers:
                base, path = CHATGPT, path.removeprefix("/v1")
            elif path.startswith(("/v1/messages", "/api/")) or "anthropic-version" in headers:
                base = ANTHROPIC
            else:
                base = OPENAI if path.startswith("/v1") or path == "/" else f"{OPENAI}/v1"
        where = base + path
        return httpx.URL(f"{where}?{query.decode('latin-1')}" if query else where)

    async def send(
        self, method: str, url: httpx.URL, headers: Headers, content: bytes | AsyncIterable[bytes]
    ) -> httpx.Response:
        """Send a request and return its answer as soon as its headers are there; its body is not read yet.

        Raises:
            httpx.HTTPError: nothing came back.
        """
        request = httpx.Request(method, url, headers=headers, content=content)
        return await self._client.send(request, stream=True)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


def passed_on(headers: Iterable[tuple[bytes, bytes]], *, rewritten: bool = False) -> Headers:
    """Return the headers of a request or an answer that go further.

    Args:
        headers: as they came.
        rewritten: the body is another one, so what describes it is left out.
    """
    headers = list(headers)
    listed = b",".join(value for name, value in headers if name.lower() == b"connection")
    gone = _OWN | {name.strip().lower() for name in listed.split(b",") if name.strip()}
    if rewritten:
        gone |= {b"content-length", b"content-encoding"}
    return [(name, value) for name, value in headers if name.lower() not in gone]


def decoded(raw: bytes, encoding: str, most: int) -> bytes:
    """Return a body without its encoding.

    Raises:
        ValueError: the encoding is not known, or it is not what it says, or larger than `most` bytes.
    """
    try:
        match encoding.strip().lower():
            case "" | "identity":
                plain = raw
            case "gzip" | "x-gzip":
                plain = zlib.decompressobj(wbits=31).decompress(raw, most + 1)
            case "deflate":
                plain = zlib.decompressobj().decompress(raw, most + 1)
            case "zstd":
                reader = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
                plain = reader.read(most + 1)
            case _:
                raise ValueError(f"content-encoding {encoding!r} is not known here")
    except (zlib.error, zstandard.ZstdError, EOFError) as error:
        raise ValueError(f"the body is not {encoding}: {error}") from error
    if len(plain) > most:
        raise ValueError(f"the body has more than {most} bytes")
    return plain
