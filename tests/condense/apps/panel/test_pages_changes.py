"""What people decide in the panel, through the page, down to the store; and what others change meanwhile."""

from __future__ import annotations

import subprocess
import sys

import pytest
from agent_clients import until
from stored_memories import stored

from memory.entries import MemoryStatus

PENDING, PERSISTED, FORGOTTEN = MemoryStatus.PENDING, MemoryStatus.PERSISTED, MemoryStatus.FORGOTTEN
ANOTHER = """
import sys
from pathlib import Path
from panel_machine import Machine
from agent_clients import until
from stored_memories import stored
machine = Machine(Path(sys.argv[1]))
with machine.store() as store:
    store.put([stored("from-elsewhere", sys.argv[2], project=machine.project, created_at=4e9)])
"""


@pytest.fixture
def put(panel):
    """Puts memories of this test into the store."""

    def put(*names: str, status=PENDING):
        with panel.machine.store() as store:
            store.put(
                stored(name, f"Words of {name}.", project=panel.machine.project, status=status, created_at=3e9)
                for name in names
            )

    return put


@pytest.fixture
def kept(panel):
    """What the store has under a name."""

    def kept(name: str):
        with panel.machine.store() as store:
            found = store.get(panel.machine.project, name)
        assert found is not None
        return found

    return kept


def test_pending_memories_are_accepted_and_dismissed_by_keys_and_taken_back(panel, put, kept):
    put("decided-1", "decided-2", "decided-3")
    sheet = panel.opened("memories/decided-2?status=pending&q=decided")
    page = sheet.page
    page.wait_for_selector(".row-memory.here")
    page.keyboard.press("a")
    sheet.toast("Accepted")
    assert kept("decided-2").entry.status is PERSISTED
    page.wait_for_selector(".row-memory.here")
    assert "decided-2" not in page.locator(".row-memory.here").inner_text()
    sheet.undo("Accepted")
    assert kept("decided-2").entry.status is PENDING
    sheet.at("memories/decided-3?status=pending&q=decided")
    page.wait_for_selector(".row-memory.here")
    page.keyboard.press("d")
    sheet.toast("Dismissed")
    assert kept("decided-3").entry.status is not PENDING
    page.keyboard.press("u")
    assert until(lambda: kept("decided-3").entry.status is PENDING)  # "Undone" may be the one before
    sheet.quiet()


def test_a_memory_is_edited_and_the_edit_taken_back(panel, put, kept):
    put("edited", status=PERSISTED)
    sheet = panel.opened("memories/edited")
    page = sheet.page
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text of the memory").fill("Other words, 别的话.")
    page.get_by_role("button", name="Save").click()
    sheet.toast("Changed")
    assert kept("edited").entry.content == "Other words, 别的话."
    page.get_by_role("heading", name="Other words, 别的话.").wait_for()
    sheet.undo("Changed")
    assert kept("edited").entry.content == "Words of edited."
    sheet.quiet()


def test_an_edit_that_came_too_late_is_shown_beside_the_newer_words(panel, put, kept):
    put("raced", status=PERSISTED)
    sheet = panel.opened("memories/raced")
    page = sheet.page
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text of the memory").fill("Mine.")
    with panel.machine.store() as store:
        store.put([stored("raced", "Theirs.", project=panel.machine.project, status=PERSISTED)])
    page.get_by_role("button", name="Save").click()
    conflict = page.get_by_role("alert")
    conflict.wait_for()
    assert "Theirs." in conflict.inner_text()
    assert kept("raced").entry.content == "Theirs."
    page.get_by_role("button", name="Save mine").click()
    sheet.toast("Changed")
    assert kept("raced").entry.content == "Mine."


def test_a_memory_is_pinned_forgotten_and_brought_back(panel, put, kept):
    put("forgotten", status=PERSISTED)
    sheet = panel.opened("memories/forgotten?q=forgotten")
    page = sheet.page
    page.wait_for_selector(".memory-actions")
    page.keyboard.press("p")
    sheet.toast("Pinned")
    assert kept("forgotten").pinned
    page.get_by_role("button", name="Forget").click()
    sheet.toast("Forgotten")
    assert kept("forgotten").entry.status is FORGOTTEN
    page.locator(".row-text", has_text="Words of forgotten").wait_for(state="hidden")
    sheet.undo("Forgotten")
    assert kept("forgotten").entry.status is PERSISTED
    page.locator(".row-text", has_text="Words of forgotten").wait_for()
    sheet.quiet()


def test_many_are_changed_at_once_and_taken_back_at_once(panel, put, kept):
    names = [f"many-{n}" for n in range(3)]
    put(*names)
    sheet = panel.opened("memories?status=pending&q=many")
    page = sheet.page
    page.locator(".row-memory").nth(2).wait_for()
    for box in page.get_by_role("checkbox").all()[:3]:
        box.check()
    page.get_by_role("group", name="Change the selected memories").get_by_role("button", name="Accept").click()
    sheet.toast("3 memories accepted")
    assert {kept(name).entry.status for name in names} == {PERSISTED}
    sheet.undo("3 memories accepted")
    assert {kept(name).entry.status for name in names} == {PENDING}
    sheet.quiet()


def test_a_memory_is_added_by_hand(panel):
    sheet = panel.opened("memories")
    page = sheet.page
    page.get_by_role("button", name="Add", exact=True).click()
    dialog = page.get_by_role("dialog", name="Add a memory")
    dialog.get_by_label("Text of the memory").fill("Use pnpm for the web client, never npm.")
    dialog.get_by_role("button", name="Add memory").click()
    sheet.toast("Memory added")
    found = sheet.get("memories?q=pnpm")["items"]
    assert [one["content"] for one in found] == ["Use pnpm for the web client, never npm."]
    assert found[0]["explicit"]
    sheet.quiet()


def test_what_another_process_saves_appears_by_itself(panel):
    sheet = panel.opened("memories")
    page = sheet.page
    page.locator(".live.on").wait_for()
    words = "Release notes are written on Thursdays."
    command = [sys.executable, "-c", ANOTHER, str(panel.machine.folder), words]
    paths = {"PYTHONPATH": ":".join(p for p in sys.path if p)}
    subprocess.run(command, check=True, env={**panel.machine.environment, **paths}, timeout=60)
    page.locator(".row-text", has_text=words).wait_for(timeout=10_000)
    sheet.quiet()


def test_notes_changed_by_hand_meanwhile_are_shown_and_never_overwritten(panel):
    sheet = panel.opened("notes")
    page = sheet.page
    page.keyboard.press("e")
    text = page.get_by_label("Text of the notes")
    text.fill("2026-11-20|panel|The first line; and a second thing\n")
    page.get_by_role("button", name="Save").click()
    sheet.toast("Notes saved")
    page.get_by_text("and a second thing").wait_for()
    file = panel.machine.work / "memory" / "MEMORY.md"
    assert file.read_text() == "2026-11-20|panel|The first line; and a second thing\n"
    page.get_by_role("button", name="Edit").click()
    text.fill(text.input_value().rstrip("\n") + "\n2026-11-21|panel|Mine\n")
    by_hand = file.read_text() + "2026-11-21|vim|Theirs\n"
    file.write_text(by_hand)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="It changed meanwhile").wait_for()
    assert file.read_text() == by_hand
    marked = page.locator(".diff .differs").all_inner_texts()
    assert any("Theirs" in line for line in marked)
    assert any("Mine" in line for line in marked)
    assert not any("first line" in line for line in marked)
    assert sheet.violations() == []
    page.get_by_role("button", name="Edit both together").click()
    page.get_by_role("button", name="Save").click()
    both = by_hand + "2026-11-21|panel|Mine\n"
    assert until(lambda: file.read_text() == both)  # "Notes saved" may be the one before
    page.get_by_role("searchbox").fill("theirs")
    found = page.locator(".found mark")
    found.wait_for()
    assert found.inner_text() == "Theirs"


def test_a_session_is_summarised_into_the_notes(panel):
    sheet = panel.opened()
    sheet.at(f"sessions/{sheet.get('sessions')['items'][0]['id']}")
    page = sheet.page
    page.get_by_role("button", name="Summarise to notes").click()
    page.get_by_role("dialog").get_by_role("button", name="Summarise to notes").click()
    page.locator(".toast.done").wait_for()
    before = sheet.get("notes")["lines"]
    assert before
    sheet.quiet()


def test_a_compaction_of_the_proxy_is_undone_and_redone(panel):
    sheet = panel.opened()
    session = sheet.get("sessions")["items"][0]["id"]
    sheet.at(f"sessions/{session}?tab=compactions")
    page = sheet.page
    page.get_by_role("button", name="Undo this compaction").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo this compaction").click()
    sheet.toast("Compaction undone")
    assert [one["undone"] for one in sheet.get(f"sessions/{session}")["records"]] == [True]
    page.locator(".record-head .chip", has_text="Undone").wait_for()
    sheet.undo("Compaction undone")
    page.get_by_role("button", name="Undo this compaction").wait_for()
    assert [one["undone"] for one in sheet.get(f"sessions/{session}")["records"]] == [False]
    sheet.quiet()


def test_the_switches_of_the_settings_switch(panel):
    sheet = panel.opened("settings")
    switch = sheet.page.get_by_role("switch", name="Memory enhancement")
    assert switch.get_attribute("aria-checked") == "true"
    switch.click()
    sheet.toast("Settings saved")
    assert sheet.get("settings")["memory_enhancement"] is False
    sheet.page.reload()
    sheet.settled()
    switch.click()
    sheet.toast("Settings saved")
    assert sheet.get("settings")["memory_enhancement"] is True
    sheet.quiet()


def test_without_its_server_the_page_says_so_and_goes_on_when_it_is_back(panel):
    sheet = panel.opened("overview")
    page = sheet.page
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_role("button", name="90 days").click()
    page.get_by_role("alert").get_by_text("cannot be reached").wait_for()
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("alert").wait_for(state="hidden")
