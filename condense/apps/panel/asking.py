"""One request and its answer: what an endpoint is, how it is asked, and how it says no."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
import orjson
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from condense.apps.panel.texts import Language, language_of, say
from condense.errors import CondenseFailure
from memory.errors import MemoryFailure, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from starlette.requests import Request


MOST: Final = 1_000_000
"""Bytes of a body; those with notes take more."""
LONGEST_SHOWN: Final = 80
_LONE: Final = re.compile("[\ud800-\udfff]")
HEAVY: Final = 2
"""Requests that condense or read whole sessions at one time; chosen: others go on beside them."""


class Wanted(BaseModel):
    """What a request asks for: its query, or its body. Names that are not known are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NothingWanted(Wanted):
    """No parameters."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as an endpoint gets it: its path's values, query and body checked."""

    path: Mapping[str, str]
    query: Any
    body: Any
    spoken: Language | None = None
    if_match: str | None = None

    @property
    def language(self) -> Language:
        """The language that is wanted, English where none is."""
        return self.spoken or "en"


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered where it is more than a value with status 200."""

    value: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One route: what it takes, gives, and does.

    Attributes:
        work: does it, in a thread, with the state of the panel; what it returns is the JSON of the answer.
        query, body: models of what it takes; no body for None.
        gives: the type of its answer.
        example: an answer; `asks`: a body that leads to one like it.
        heavy: few of these run at one time.
        most: bytes that its body may have.
    """

    method: str
    path: str
    about: str
    work: Callable[[Any, Asked], Any]
    gives: Any
    query: type[Wanted] = NothingWanted
    body: type[Wanted] | None = None
    example: Any = None
    asks: Any = None
    heavy: bool = False
    most: int = MOST

    @property
    def documented(self) -> bool:
        """Whether its answers have the documented shapes: all but ours under /api/v1."""
        return not self.path.startswith("/api/v1/")


class Problem(Exception):  # noqa: N818  # an answer, no error of the program
    """A request that cannot be done.

    Args:
        status: of HTTP.
        code: a key of `TEXTS`.
        where: which parameter, field or thing.
        more: what the answer holds beside the error.
        headers: of the answer.
        values: fill the text in.
    """

    def __init__(
        self,
        status: int,
        code: str,
        where: str = "",
        *,
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **values: object,
    ) -> None:
        self.status, self.code, self.where, self.values = status, code, where, values
        self.more, self.headers = dict(more or {}), dict(headers or {})
        super().__init__(self.say("en"))

    def say(self, language: Language) -> str:
        """Return what is wrong, in words."""
        return say(self.code, language, **self.values)


def problem_of(error: Exception) -> Problem:
    """Return what an error of the library means for a caller."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, StoreError):
        return Problem(503, "store", why=str(error))
    if isinstance(error, MemoryFailure | CondenseFailure | ValueError | OSError):
        return Problem(400, "failed", why=_short(str(error), 300))
    raise error


def refused(problem: Problem, language: Language, *, documented: bool = False) -> Response:
    """Return the answer that says no."""
    text = problem.say(language)
    told: dict[str, Any] = {"error": text}
    if not documented:
        told = {"error": {"code": problem.code, "message": text, "where": problem.where}}
    return answered(Answer({**told, **problem.more}, problem.status, problem.headers))


def answered(answer: Answer) -> Response:
    """Return an answer as JSON; lone surrogates of a session become U+FFFD."""
    try:
        content = orjson.dumps(answer.value)
    except TypeError:
        content = _LONE.sub("\ufffd", json.dumps(answer.value, ensure_ascii=False)).encode()
    return Response(content, answer.status, dict(answer.headers), media_type="application/json")


def spoken_in(request: Request) -> Language | None:
    """Return the language that a request wants; None where it does not say."""
    return language_of(request.query_params.get("lang"), request.headers.get("accept-language", ""))


def language_in(request: Request) -> Language:
    """Return the language to answer a request in."""
    return spoken_in(request) or "en"


async def handled(panel: Any, endpoint: Endpoint, request: Request) -> Response:
    """Check a request, do its work in a thread, and answer."""
    language = language_in(request)
    try:
        body = await _body(request, endpoint)
        given = {name: value for name, value in request.query_params.items() if name != "lang"}
        asked = Asked(
            request.path_params,
            _checked(endpoint.query, given, "query"),
            None if endpoint.body is None else _checked(endpoint.body, body, "body"),
            spoken_in(request),
            request.headers.get("if-match"),
        )
        done = await anyio.to_thread.run_sync(
            lambda: endpoint.work(panel, asked), limiter=panel.heavy if endpoint.heavy else None
        )
    except (Problem, MemoryFailure, CondenseFailure, ValueError, OSError) as error:
        return refused(problem_of(error), language, documented=endpoint.documented)
    return answered(done if isinstance(done, Answer) else Answer(done))


def routes_of(state: Any, endpoints: Iterable[Endpoint]) -> list[Route]:
    """Return the routes of endpoints; `state` is what they work with."""

    def served(endpoint: Endpoint) -> Route:
        async def answer(request: Request) -> Response:
            return await handled(state, endpoint, request)

        return Route(endpoint.path, answer, methods=[endpoint.method])

    return [served(endpoint) for endpoint in endpoints]


async def refused_route(request: Request, error: Exception) -> Response:
    """Answer what no route takes, in JSON."""
    path = request.url.path
    told = error if isinstance(error, HTTPException) else HTTPException(500)
    problem = Problem(404, "no_route", "path", path=path)
    if told.status_code == 405:  # noqa: PLR2004
        allowed = (told.headers or {}).get("Allow", "")
        problem = Problem(405, "no_method", "method", path=path, allowed=allowed, method=request.method)
    return refused(problem, language_in(request), documented=not path.startswith("/api/v1/"))


async def _body(request: Request, endpoint: Endpoint) -> Any:
    if endpoint.method == "GET":
        return {}
    held = bytearray()
    async for piece in request.stream():
        held += piece
        if len(held) > endpoint.most:
            raise Problem(413, "too_large", "body", most=endpoint.most)
    if not held.strip():
        return {}
    try:
        return orjson.loads(held)
    except ValueError as error:
        try:
            return json.loads(held)  # lone surrogates, which orjson refuses
        except (ValueError, RecursionError):
            raise Problem(400, "bad_json", "body", why=str(error)) from None


def _checked(model: type[Wanted], given: Any, place: str) -> Wanted:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"])) or place
        value = _short(repr(first["input"]), LONGEST_SHOWN) if first["type"] != "missing" else "missing"
        why = first["msg"].removeprefix("Value error, ")
        raise Problem(
            400, "invalid", f"{place}.{name}" if name != place else place, name=name, value=value, why=why
        ) from None


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
