"""Texts of sessions are texts: markup, scripts, addresses, marks of direction and very long lines do nothing."""

from __future__ import annotations

import json
import os

import pytest
from stored_memories import stored

from memory.entries import MemoryPriority

ATTACK = "window.attacked=1"
SHORT = [
    f"<script>{ATTACK}</script>",
    f"<img src=x onerror={ATTACK}>",
    f'<img src="https://evil.example/x.png?{"{}"}" onload={ATTACK}>',
    f"<svg/onload={ATTACK}>",
    f"<svg><script>{ATTACK}</script></svg>",
    f"<svg><animate onbegin={ATTACK} attributeName=x dur=1s>",
    f'<iframe srcdoc="<script>parent.{ATTACK}</script>"></iframe>',
    f'<iframe src="javascript:parent.{ATTACK}"></iframe>',
    f"<body onload={ATTACK}>",
    f"<details open ontoggle={ATTACK}>",
    f"<input autofocus onfocus={ATTACK}>",
    f"<video><source onerror={ATTACK}></video>",
    f'<a href="javascript:{ATTACK}">click</a>',
    f'<a href="data:text/html,<script>{ATTACK}</script>">click</a>',
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<link rel=stylesheet href=https://evil.example/a.css>",
    "<style>*{display:none!important}</style>",
    "<form action=https://evil.example/><button>Accept</button></form>",
    "<object data=https://evil.example/a.swf></object>",
    f"<math><mtext></form><form><mglyph><style></math><img src onerror={ATTACK}>",
    f"--><script>{ATTACK}</script><!--",
    f"]]><script>{ATTACK}</script>",
    f"</textarea><script>{ATTACK}</script>",
    f"</title><script>{ATTACK}</script>",
    f"'-{ATTACK}-'",
    f'"+{ATTACK}+"',
    f"${{{ATTACK}}}",
    f"{{{{constructor.constructor('{ATTACK}')()}}}}",
    f"{{% raw %}}{ATTACK}{{% endraw %}}",
    f"`${{{ATTACK}}}`",
    f"javascript:{ATTACK}",
    "https://evil.example/?q=1#/settings",
    "#/settings?run=1",
    "../../../../etc/passwd\u0000",
    "\u202egnp.exe\u202c \u2066hidden\u2069 \u200ertl\u200f",
    "\ud83d\ude00" * 50 + "\u0301" * 200,
    "\x1b[2J\x1b]0;title\x07\x08\x08",
    "__proto__",
]
LONG = "a" * 1_000_000
assert len([*SHORT, LONG]) == 40


@pytest.fixture(scope="module")
def attacked(panel_server):
    """A machine whose memories and one of whose sessions hold them all."""
    machine, _ = panel_server
    with machine.store() as store:
        store.put(
            stored(f"hostile-{n}", text, project=machine.project, created_at=3.5e9, tags=("zzhostile",))
            for n, text in enumerate([*SHORT, LONG[:20_000]])
        )
        store.put(
            stored(
                f"names-{n}",
                "zzhostile",
                project=machine.project,
                created_at=3.4e9,
                related_files=(text,),
                priority=MemoryPriority.LOW,
            )
            for n, text in enumerate(SHORT)
        )
    rows, before = [], None
    for n, text in enumerate([*SHORT, LONG]):
        for role, content in (
            ("user", text),
            ("assistant", [{"type": "text", "text": f"{n}: {text[:5000]}"}]),
        ):
            row = {
                "type": role,
                "uuid": f"{role}{n}",
                "parentUuid": before,
                "sessionId": "hostile",
                "cwd": str(machine.work),
                "timestamp": f"2026-01-01T00:{n:02d}:00.000Z",
                "message": {"role": role, "content": content},
            }
            rows.append(json.dumps(row))
            before = row["uuid"]
    file = machine.session_file.with_name("hostile.jsonl")
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    os.utime(file, (1e9, 1e9))  # an old one: the other tests open the newest
    return machine


def inert(sheet) -> None:
    assert sheet.page.evaluate("window.attacked") is None
    assert (
        sheet.page.locator("iframe, object, embed, base, form[action], main img, main video, main style").count()
        == 0
    )
    assert sheet.page.locator("script:not([src^='/static/'])").count() == 0
    assert sheet.page.evaluate("location.origin") + "/" == sheet.root
    sheet.quiet()


def test_forty_hostile_texts_are_shown_and_do_nothing(panel, attacked):
    sheet = panel.opened("memories")
    page = sheet.page
    shown = page.locator(".row-text").all_text_contents()
    for text in SHORT:
        if text.isprintable():
            assert text in shown, text
    assert not any("\u202e" in text or "\x1b" in text for text in shown)  # what turns a line around is a mark
    inert(sheet)
    for name in ("hostile-0", "hostile-1", "hostile-35", "hostile-39", "names-1"):
        sheet.at(f"memories/{name}")
        page.wait_for_selector(".memory-text")
        inert(sheet)
    sheet.at("memories?view=graph")
    inert(sheet)


def test_a_hostile_session_is_shown_and_does_nothing(panel, attacked):
    sheet = panel.opened("sessions")
    page = sheet.page
    inert(sheet)
    session = next(one for one in sheet.get("sessions")["items"] if "hostile" in one["path"])["id"]
    sheet.at(f"sessions/{session}")
    texts = page.locator(".message.typed .text").all_text_contents()
    assert SHORT[1] in texts
    inert(sheet)
    page.locator(".message.typed").last.get_by_role("button", name="Show all").click()
    sheet.until(
        "Math.max(...[...document.querySelectorAll('.text')].map(text => text.textContent.length)) >= 1e6", 30
    )
    assert sheet.too_wide() <= 0
    inert(sheet)
    sheet.at(f"sessions/{session}?tab=compactions&run=1")
    page.wait_for_selector(".unit")
    inert(sheet)


def test_hostile_notes_are_shown_and_do_nothing(panel, attacked):
    file = attacked.work / "memory" / "MEMORY.md"
    file.parent.mkdir(exist_ok=True)
    before = file.read_text() if file.exists() else None
    lines = [f"2026-11-20|{text}|{text}" for text in SHORT if text.isprintable()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        sheet = panel.opened("notes")
        assert sheet.page.locator(".day li").count() > 10
        inert(sheet)
        sheet.page.get_by_role("searchbox").fill("onerror")
        sheet.page.wait_for_selector(".found li")
        inert(sheet)
        sheet.page.get_by_role("searchbox").fill("")
        sheet.page.get_by_role("button", name="Edit").click()
        assert "<script>" in sheet.page.get_by_label("Text of the notes").input_value()
        inert(sheet)
    finally:
        if before is None:
            file.unlink()
        else:
            file.write_text(before)


def test_a_hostile_address_is_only_an_address(panel):
    sheet = panel.opened()
    for place in (
        f"memories/%3Cimg%20src=x%20onerror={ATTACK}%3E",
        "no/../x?q=<script>",
        "sessions/%E0%A4%A",
        "overview?x=%",
    ):
        sheet.page.goto(f"{sheet.root}#/{place}")
        sheet.page.wait_for_selector("main h1", state="attached")
        assert sheet.page.evaluate("window.attacked") is None
        assert sheet.page.locator("main img, main script").count() == 0
