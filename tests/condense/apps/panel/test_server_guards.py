"""Who may ask the panel, and how; and what every answer forbids a browser."""

from __future__ import annotations

import asyncio

import pytest
from panels import HOST, TOKEN

COOKIE = "holdfast-7474"
JSON = {"content-type": "application/json"}
WRITES = [
    ("POST", "/api/v1/memories"),
    ("POST", "/api/v1/memories/x/accept"),
    ("PATCH", "/api/v1/memories/x"),
    ("POST", "/api/v1/undo"),
    ("PUT", "/api/v1/notes"),
    ("PUT", "/api/v1/settings"),
    ("PUT", "/api/memory/long-term"),
    ("POST", "/api/memory/search"),
    ("POST", "/api/chat/sessions/x/summarize"),
    ("DELETE", "/api/conversations/x"),
]


@pytest.mark.parametrize("path", ["/api/v1/memories", "/api/v1/events", "/static/x.js", "/api/memory/stats", "/no"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"cookie": f"{COOKIE}=wrong"},
        {"cookie": f"holdfast-1={TOKEN}"},
        {"authorization": "Bearer \u00e9".encode("latin-1")},
    ],
)
def test_nobody_gets_in_without_the_token(asking, path, headers):
    answer = asking.ask("GET", path, bare=True, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["error"]
    assert TOKEN not in answer.text


def test_the_first_page_says_how_to_get_in(asking):
    answer = asking.ask("GET", "/?lang=zh", bare=True)
    assert answer.status_code == 401
    assert "text/html" in answer.headers["content-type"]
    assert "令牌" in answer.text
    assert asking.ask("GET", "/?token=wrong", bare=True).status_code == 401


def test_the_printed_address_lets_a_browser_in_for_good(asking):
    answer = asking.ask("GET", f"/?token={TOKEN}", bare=True)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    name, _, rest = answer.headers["set-cookie"].partition("=")
    assert name == COOKIE
    assert "HttpOnly" in rest
    assert "samesite=strict" in rest.lower()
    cookie = {"cookie": answer.headers["set-cookie"].partition(";")[0]}
    assert asking.ask("GET", "/", bare=True, headers=cookie).status_code == 200
    assert asking.ask("GET", "/api/v1/memories", bare=True, headers=cookie).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:7474", "127.0.0.1.evil.example", "", "192.0.2.1"])
@pytest.mark.parametrize("path", ["/", f"/?token={TOKEN}", "/api/v1/memories"])
def test_other_names_for_this_machine_are_misdirected(asking, host, path):
    answer = asking.ask("GET", path, headers={"host": host})
    assert answer.status_code == 421
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1:7474", "localhost:7474", "[::1]:7474", "LOCALHOST"])
def test_the_names_of_this_machine_are_known(asking, host):
    assert asking.ask("GET", "/api/v1/memories", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_others_write_nothing(asking, method, path, headers):
    answer = asking.ask(method, path, content=b"{}", headers=JSON | headers)
    assert answer.status_code == 403
    assert answer.json()["error"]


@pytest.mark.parametrize(("method", "path"), [one for one in WRITES if one[0] != "DELETE"])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_could_send_is_refused(asking, method, path, kind):
    headers = {"content-type": kind} if kind else {}
    assert asking.ask(method, path, content=b"{}", headers=headers).status_code == 415


def test_the_own_page_writes(asking):
    own = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    answer = asking.ask("POST", "/api/v1/memories", json={"content": "Never push."}, headers=own)
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/api/v1/memories", 1_000_001, 413),
        ("/api/memory/search", 1_000_001, 413),
        ("/api/v1/notes", 4_000_001, 413),
        ("/api/v1/notes", 3_900_000, 200),
        ("/api/memory/long-term", 4_000_001, 413),
    ],
)
def test_bodies_have_a_limit(asking, path, size, status):
    body = b'{"content": "' + b"x" * (size - 15) + b'"}'
    method = "POST" if "memories" in path or "search" in path else "PUT"
    answer = asking.ask(method, path, content=body, headers=JSON)
    assert answer.status_code == status
    if status == 413:
        assert str(size - 1) in answer.text


def test_a_body_without_end_is_cut_off(asking):
    async def endless():
        for _ in range(100):
            yield b" " * 100_000

    answer = asyncio.run(asking.asked("POST", "/api/v1/memories", content=endless(), headers=JSON))
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/", "/static/none.js", "/api/v1/memories", "/api/v1/none", "/api/memory/stats"])
@pytest.mark.parametrize("bare", [True, False])
def test_every_answer_forbids_what_pages_of_ours_do_not_need(asking, path, bare):
    headers = asking.ask("GET", path, bare=bare).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_static_files_are_asked_for_again_and_answers_are_never_kept(asking):
    assert asking.ask("GET", "/api/v1/memories").headers["cache-control"] == "no-store"
    assert asking.ask("GET", "/static/none.js").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2fapp.py"],
)
def test_static_files_lead_nowhere_else(asking, path):
    assert asking.ask("GET", path).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("DELETE", "/api/v1/memories", 405),
        ("POST", "/api/v1/projects", 405),
        ("GET", "/api/memory/search", 405),
    ],
)
def test_what_is_not_there_is_told_in_json(asking, method, path, status):
    answer = asking.ask(method, path, content=b"{}", headers=JSON)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert isinstance(error, dict) == path.startswith("/api/v1/")
