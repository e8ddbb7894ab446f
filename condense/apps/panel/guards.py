"""Who may ask: this machine alone, by the panel's own pages or with its token; and what every answer forbids."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from condense.apps.panel.asking import Problem, language_in, refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES: Final = frozenset({"same-origin", "none"})
POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
DOOR: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>holdfast</title>
<h1>holdfast</h1><p>{said}</p><p><a href="/">{again}</a></p></html>"""
_PORT: Final = re.compile(r":\d*\Z")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class Guards:
    """Lets in what may come in; everything that goes out carries `HEADERS`.

    Args:
        app: what is guarded.
        token: the secret of this panel.
        cookie: name under which browsers hold it.
        hosts: names under which it may be called, beside those of this machine.
    """

    def __init__(self, app: ASGIApp, *, token: str, cookie: str, hosts: Iterable[str] = ()) -> None:
        self.inner, self._token, self._cookie = app, token, cookie
        self._names = {*_LOOPBACK, *(name.lower() for name in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; see the ASGI specification."""
        if scope["type"] == "lifespan":
            await self.inner(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/static/"):
                    headers["cache-control"] = "no-cache"
            await send(message)

        request = Request(scope)
        answer = self._refusal(request)
        await (answer or self.inner)(scope, receive, sent)

    def _refusal(self, request: Request) -> Response | None:
        """Return what is answered in place of the app; None where it may go on."""
        try:
            host = self._host_of(request)
            if request.url.path == "/" and "token" in request.query_params:
                return self._entered(request)
            self._known(request)
            if request.method not in READING:
                _checked_write(request, host)
        except Problem as problem:
            if problem.status == 401 and request.url.path == "/":  # noqa: PLR2004
                return _door(request, problem)
            documented = not request.url.path.startswith("/api/v1/")
            return refused(problem, language_in(request), documented=documented)
        return None

    def _host_of(self, request: Request) -> str:
        host = request.headers.get("host", "")
        if _PORT.sub("", host).lower() not in self._names:
            raise Problem(421, "misdirected", "Host", host=host)
        return host

    def _entered(self, request: Request) -> Response:
        self._same(request.query_params["token"])
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict", path="/")
        return answer

    def _known(self, request: Request) -> None:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        self._same(given.strip() if scheme.lower() == "bearer" else request.cookies.get(self._cookie, ""))

    def _same(self, given: str) -> None:
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            raise Problem(401, "unauthorized", "token")


def _checked_write(request: Request, host: str) -> None:
    """Refuse writes of other sites, and those that a form of one could send."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        raise Problem(403, "foreign", "Origin", origin=origin)
    site = request.headers.get("sec-fetch-site", "none")
    if site not in OWN_SITES:
        raise Problem(403, "foreign", "Sec-Fetch-Site", origin=site)
    kind = request.headers.get("content-type", "")
    empty = request.headers.get("content-length", "0") == "0" and "transfer-encoding" not in request.headers
    if kind.partition(";")[0].strip().lower() != "application/json" and (kind or not empty):
        raise Problem(415, "not_json", "Content-Type", kind=kind)


def _door(request: Request, problem: Problem) -> Response:
    language = language_in(request)
    page = DOOR.format(
        language=language, said=problem.say(language), again="再试一次" if language == "zh" else "Try again"
    )
    return HTMLResponse(page, 401)
