"""The panel's places in a browser, over a real server: each opens, says what it has, reads well for everybody."""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from itertools import pairwise

import pytest
from panel_browser import PHONE
from sessions import ClaudeCode, text

from condense.apps.handoff import write_session
from memory import read_transcript

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


@contextmanager
def older_session(panel):
    """A session of a moment long ago beside the machine's, and a copy of it by handoff."""
    built = ClaudeCode()
    built.user("Use port 8085.")
    built.assistant("m1", text("\x1b[1mDone\x1b[0m."))
    for name in ("compact", "holdfast:receipt"):
        built.user(f"<command-name>/{name}</command-name><command-message>{name}</command-message>")
    built.user("<local-command-stdout>\x1b[2mCompacted (ctrl+o)\x1b[22m</local-command-stdout>")
    folder = panel.machine.session_file.parent
    file = folder / "44444444-2222-4333-8444-555555555555.jsonl"
    file.write_bytes(built.data)
    read = read_transcript(file).messages
    home = panel.machine.home / ".claude"
    copied = write_session(read, "claude-code", folder=folder, home=home, title="Port").path
    try:
        for age, path in enumerate((file, copied)):
            os.utime(path, (1_600_000_000 - age,) * 2)
        yield file
    finally:
        file.unlink()
        copied.unlink()


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
    told = stored["turns"][0]
    assert told["words"] in turn.inner_text()
    assert re.search(r"\d+ tools? used|no tools used", turn.inner_text())
    assert ("changed" in turn.inner_text()) == (told["files_changed"] > 0)
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
    sheet.until("[...document.querySelectorAll('.row-text')].every(row => /dead-letter/.test(row.textContent))")
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
        sheet.until(f"(document.querySelector('.row-memory.here .row-text')?.innerText ?? {before}) !== {before}")
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
    assert page.locator(".graph .node.memory text").count() > 3
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


def test_commands_read_as_commands_without_codes_and_the_text_is_a_step_away(panel):
    with older_session(panel) as file:
        sheet = panel.opened()
        listed = sheet.get("sessions?limit=500&project=")["items"]
        sheet.at(f"sessions/{next(one['id'] for one in listed if one['path'] == str(file))}")
        messages = sheet.page.locator(".message")
        assert messages.locator(".text").all_inner_texts() == [
            "Use port 8085.",
            "Done.",
            "/compact",
            "/holdfast:receipt",
            "Compacted (ctrl+o)",
        ]
        assert messages.nth(2).locator("strong").inner_text() == "Command"
        messages.nth(2).get_by_role("button", name="As it was written").click()
        assert messages.nth(2).locator(".text").inner_text().startswith("<command-name>/compact<")
        messages.nth(1).get_by_role("button", name="As it was written").click()
        assert messages.nth(1).locator(".text").inner_text() == "\ufffd[1mDone\ufffd[0m."
        assert messages.nth(0).get_by_role("button").count() == 0
        assert sheet.violations() == []
        sheet.quiet()


def test_sessions_with_one_title_are_told_apart(panel):
    with older_session(panel):
        sheet = panel.opened("sessions?everywhere=1")
        rows = sheet.page.locator(".session-row", has_text="Use port 8085.")
        (first, second) = rows.all_inner_texts()
    assert "Copy" not in first
    assert re.search(r"began 1 May 2025", first)
    assert "Copy" in second
    assert re.search(r"began \d+ \w+ 20", second)


def test_one_is_not_many_and_large_numbers_keep_three_digits(panel):
    format_of = """async language => {
      const [i18n, format] = await Promise.all(['i18n', 'format'].map(name => import(`/static/js/${name}.js`)));
      i18n.setLanguage(language);
      const many = ['n.compactions', 'n.messages', 'n.times', 'n.saved'].map(key => i18n.t(key, {n: 1}));
      return [...[9999, 69632, 148400, 1234567].map(format.short), ...many];
    }"""
    page = panel.opened().page
    assert page.evaluate(format_of, "zh")[:4] == ["9,999", "6.96万", "14.8万", "123万"]
    english = page.evaluate(format_of, "en")
    assert english[1:4] == ["69.6k", "148k", "1.23m"]
    assert english[4:] == ["1 compaction", "1 message", "1 time", "1 token saved"]


def test_what_is_off_says_what_is_there_and_how_it_is_switched_on(panel):
    sheet = panel.opened("overview")
    commands = sheet.page.locator("[aria-labelledby=proxy] .command")
    assert commands.all_inner_texts() == ["holdfast install claude-code --proxy", "holdfast proxy"]
    words = sheet.page.evaluate("import('/static/js/words.js').then(module => module.WORDS)")
    assert words["agent.on"][0] == "holdfast is on"
    assert words["agent.off"][0] == "found · holdfast is off"
    sheet.at(f"sessions/{session_of(sheet)}")
    sheet.page.get_by_role("button", name="Preview condensing").click()
    sheet.page.get_by_text("Nothing is written or sent").wait_for()


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
        times.append(sheet.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    assert min(times) <= 1_000
