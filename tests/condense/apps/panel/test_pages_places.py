"""The panel's places in a browser, over a real server: each opens, says what it has, reads well for everybody."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from panel_browser import PHONE

STATIC = "condense/apps/panel/static"
MODES = {
    "light": ({"color_scheme": "light"}, ()),
    "dark": ({"color_scheme": "dark"}, ("color-contrast",)),
    "chinese": ({"locale": "zh-CN"}, ("html-has-lang", "button-name", "link-name", "label")),
    "phone": ({"viewport": PHONE, "has_touch": True}, ("scrollable-region-focusable", "label")),
}
"""How a window is opened, and the rules that it could break where the first does not; none: all."""


DARK = ("overview", "memory", "timeline", "settings")
"""Where colours are measured a second time: between them they have all kinds of parts."""


def session_of(sheet) -> str:
    return sheet.get("sessions")["items"][0]["id"]


def places(sheet) -> dict[str, str]:
    session = session_of(sheet)
    return {
        "overview": "overview",
        "memories": "memories",
        "memory": "memories/made-0",
        "graph": "memories?view=graph",
        "sessions": "sessions",
        "timeline": f"sessions/{session}",
        "before and after": f"sessions/{session}?tab=compactions",
        "dry run": f"sessions/{session}?tab=compactions&run=1",
        "notes": "notes",
        "settings": "settings",
    }


@pytest.mark.parametrize("mode", MODES)
def test_every_place_is_drawn_without_a_complaint_and_without_a_barrier(panel, mode):
    window, rules = MODES[mode]
    sheet = panel.opened(**window)
    for name, place in places(sheet).items():
        sheet.at(place)
        assert sheet.page.locator("main h1").count() == 1, name
        assert sheet.page.locator("[role=alert]").count() == 0, name
        assert sheet.too_wide() <= 0, name
        if mode != "dark" or name in DARK:
            assert sheet.violations(*rules) == [], name
    sheet.quiet()


def test_the_overview_counts_what_there_is(panel):
    sheet = panel.opened("overview")
    cards = sheet.page.locator(".cards")
    stored = sheet.get("overview")
    assert f"{stored['persisted']:,}" in cards.inner_text()
    assert stored["persisted"] > 4_500
    assert sheet.page.locator(".chart .bar").count() > 5
    turn = sheet.page.locator(".turn").first
    assert re.search(r"\d+ memor(y|ies) created\s+\d+ files? changed\s+\d+ tools? used", turn.inner_text())
    sheet.quiet()


def test_five_thousand_memories_are_paged_in_as_one_scrolls(panel):
    sheet = panel.opened("memories")
    page, rows = sheet.page, sheet.page.locator(".row-memory")
    assert rows.count() == 50
    page.get_by_role("button", name="Show more").scroll_into_view_if_needed()
    sheet.until("document.querySelectorAll('.row-memory').length >= 100")
    names = page.eval_on_selector_all(".row-memory a", "links => links.map(link => link.hash)")
    assert len(names) == len(set(names))


def test_a_memory_shows_the_exact_words_it_was_taken_from(panel):
    sheet = panel.opened("memories?q=port+9000")
    sheet.page.locator(".row-memory a", has_text="Actually use port 9000").click()
    detail = sheet.page.locator(".split-detail")
    assert detail.locator(".source mark").inner_text() == "Actually use port 9000, 8765 is taken by my proxy."
    detail.get_by_role("link", name="Open the session").click()
    here = sheet.page.locator(".message.here")
    here.wait_for()
    assert "Actually use port 9000" in here.text_content()
    sheet.quiet()


def test_words_and_filters_narrow_the_list_and_the_address_keeps_them(panel):
    sheet = panel.opened("memories")
    page = sheet.page
    page.keyboard.press("/")
    page.keyboard.type("dead-letter")
    sheet.until(
        "[...document.querySelectorAll('.row-text')].every(row => /dead-letter/.test(row.textContent))"
    )
    page.get_by_role("combobox", name="Priority", exact=True).select_option("high")
    page.get_by_role("button", name="Persisted").click()
    page.wait_for_url(re.compile("priority=high"))
    sheet.settled()
    address = page.url
    other = panel.opened()
    other.page.goto(address)
    other.settled()
    texts = other.page.locator(".row-text").all_text_contents()
    assert texts
    assert [text for text in texts if "dead-letter" not in text] == []


def test_the_keys_go_through_the_list(panel):
    sheet = panel.opened("memories")
    page = sheet.page
    seen = []
    for key in "jjjk":
        page.keyboard.press(key)
        before = json.dumps(seen[-1] if seen else "")
        sheet.until(
            f"(document.querySelector('.row-memory.here .row-text')?.innerText ?? {before}) !== {before}"
        )
        seen.append(page.locator(".row-memory.here .row-text").inner_text())
    assert seen[3] == seen[1]
    assert all(one != other for one, other in pairwise(seen))
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.keyboard.press("g")
    page.keyboard.press("n")
    page.wait_for_url(re.compile("#/notes"))
    sheet.until("document.activeElement.tagName === 'H1'")


def test_the_graph_joins_memories_to_what_they_speak_of(panel):
    sheet = panel.opened("memories?view=graph")
    page = sheet.page
    nodes = page.locator(".graph .node")
    assert nodes.count() > 100
    page.locator(".graph .node[aria-label*='billing/client.py']").first.click()
    beside = page.locator(".graph-side")
    assert "billing/client.py" in beside.inner_text()
    beside.get_by_role("button", name="Find its memories").click()
    page.wait_for_url(re.compile("q=billing"))
    sheet.quiet()


def test_before_and_after_stand_side_by_side_with_the_receipt_and_the_originals(panel):
    sheet = panel.opened()
    sheet.at(f"sessions/{session_of(sheet)}")
    page = sheet.page
    folded = page.locator(".folded-head").first
    folded.get_by_role("button").click()
    assert page.locator(".folded-block .message").count() > 0
    folded.get_by_role("link", name="Before and after").click()
    sheet.settled()
    columns = page.locator(".sides .column")
    assert "I want to see what my agent sessions cost" in columns.nth(0).inner_text()
    assert "<holdfast-context" in columns.nth(1).inner_text()
    boxes = [columns.nth(n).bounding_box() for n in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert page.locator(".receipt tbody tr").count() > 20
    page.locator(".unit.folded").first.get_by_role("button", name="Original").click()
    original = page.get_by_role("dialog").locator(".original")
    original.wait_for()
    assert len(original.inner_text()) > 20
    assert sheet.violations() == []
    sheet.quiet()


def test_the_target_moves_and_a_dry_run_says_what_would_stay(panel):
    sheet = panel.opened()
    sheet.at(f"sessions/{session_of(sheet)}?tab=compactions&run=1")
    page = sheet.page
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    wanted = int(re.sub(r"\D", "", slider.get_attribute("aria-valuetext")))
    shown = "document.querySelector('.meter-row.after strong').textContent.replace(/[^0-9]/g, '')"
    sheet.until(f"!document.querySelector('[aria-busy=true]') && Number({shown}) <= {wanted}")
    assert page.locator(".promise").inner_text().startswith("15 / 15")


def test_chinese_is_the_browsers_and_can_be_chosen(panel):
    chinese = panel.opened("memories", locale="zh-CN").page
    assert chinese.locator("h1").inner_text() == "记忆"
    assert chinese.evaluate("document.documentElement.lang") == "zh-CN"
    sheet = panel.opened("settings")
    sheet.page.get_by_role("button", name="中文: show this panel in Chinese").click()
    assert sheet.page.locator("h1").inner_text() == "设置"
    sheet.page.reload()
    sheet.settled()
    assert sheet.page.locator("h1").inner_text() == "设置"


def test_dark_is_the_systems_and_can_be_chosen(panel):
    def ground(sheet) -> int:
        colour = sheet.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    sheet = panel.opened("settings", color_scheme="dark")
    assert ground(sheet) < 150
    sheet.page.emulate_media(color_scheme="light")
    assert ground(sheet) > 600
    sheet.page.get_by_role("group", name="Theme").get_by_role("button", name="Dark").click()
    assert ground(sheet) < 150
    sheet.page.reload()
    assert ground(sheet) < 150


def test_no_word_is_missing_in_either_language(panel, repository):
    sheet = panel.opened()
    words = sheet.page.evaluate("import('/static/js/words.js').then(module => module.WORDS)")
    assert [key for key, pair in words.items() if len(pair) != 2 or not all(pair)] == []
    same = {key for key, (english, chinese) in words.items() if english == chinese}
    assert {key.partition(".")[0] for key in same} <= {"agent"}
    sources = "".join(path.read_text() for path in (repository / STATIC / "js").rglob("*.js"))
    asked = set(re.findall(r'\bt\(\s*"([^"]+)"', sources)) | set(
        re.findall(r'"((?:keys|toast|part)\.[a-z.]+)"', sources)
    )
    assert asked - set(words) == set()
    begun = set(re.findall(r"\bt\(`([a-z.]+)\$", sources))
    begun |= {f"{group}." for group in re.findall(r'\bword\("([a-z]+)"', sources)}
    assert {start for start in begun if not any(key.startswith(start) for key in words)} == set()


@pytest.mark.timing
def test_the_first_paint_takes_less_than_a_second(panel):
    sheet = panel.opened("memories")
    times = []
    for _ in range(3):
        sheet.page.reload()
        sheet.page.wait_for_selector(".row-memory")
        times.append(
            sheet.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
    assert min(times) <= 1_000
