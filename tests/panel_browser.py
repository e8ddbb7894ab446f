"""A browser on the panel: Debian's chromium, driven by Playwright; what it complains of is kept."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from panel_machine import Machine
    from playwright.sync_api import Browser, BrowserContext, Page

DESKTOP, PHONE = {"width": 1360, "height": 860}, {"width": 390, "height": 844}
AXE = """options => axe.run(options).then(found => found.violations.flatMap(
  rule => rule.nodes.map(node => `${rule.id}: ${node.target} ${node.failureSummary}`)))"""
DRAWN = """() => new Promise(done => {
  const frame = left => left ? requestAnimationFrame(() => setTimeout(frame, 0, left - 1)) : done();
  frame(3);
})"""  # a new address has been heard of, drawn, and its effects have run
CHROMIUM = os.environ.get("HOLDFAST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Chromium, for all tests of a run."""
    missing = [name for name in ("playwright", "axe_playwright_python") if find_spec(name) is None]
    if missing or CHROMIUM is None:
        pytest.skip(f"the pages are tested in a browser: {', '.join(missing) or 'chromium'} is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Panel:
    """A server with a machine behind it, and pages that are logged in to it."""

    machine: Machine
    address: str  # with the token
    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)

    def opened(self, place: str = "overview", **options: Any) -> Sheet:
        """A page of its own, at a place."""
        context = self.browser.new_context(**{"viewport": DESKTOP, "locale": "en-GB", **options})
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        sheet = Sheet(context.new_page(), self.address.partition("?")[0])
        sheet.page.goto(self.address)
        sheet.at(place)
        return sheet

    def close(self) -> None:
        while self.contexts:
            self.contexts.pop().close()


class Sheet:
    """A page, and all that went wrong on it."""

    def __init__(self, page: Page, root: str) -> None:
        self.page, self.root = page, root
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        page.on("console", lambda said: said.type in {"error", "warning"} and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda asked: asked.url.startswith((root, "data:")) or self.foreign.append(asked.url))

    def at(self, place: str) -> Sheet:
        """Go to a place and wait until it has what it asks for."""
        self.page.goto(f"{self.root}#/{place}")
        self.settled()
        return self

    def settled(self) -> None:
        self.page.evaluate(DRAWN)  # what is there before is the place one comes from
        self.page.wait_for_selector("main h1", state="attached")
        self.until("!document.querySelector('main .loading, main [aria-busy=true]')")

    def until(self, script: str, seconds: float = 30) -> None:
        """Wait until a script says true; the policy of the pages forbids what Playwright has for this."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(script):
            assert time.monotonic() < end, f"not so after {seconds} s: {script}"
            self.page.wait_for_timeout(40)

    def get(self, path: str) -> Any:
        """Ask the server as the page does."""
        return self.page.evaluate("path => fetch('/api/v1/' + path).then(answer => answer.json())", path)

    def toast(self, words: str) -> Any:
        found = self.page.locator(".toast", has_text=words).last
        found.wait_for()
        return found

    def undo(self, words: str) -> None:
        """Undo from the toast that says so."""
        self.toast(words).get_by_role("button", name="Undo").click()
        self.toast("Undone")

    def violations(self, *rules: str) -> list[str]:
        """What axe finds against the rules of WCAG and good practice, or against some of them."""
        from axe_playwright_python.sync_playwright import Axe

        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(Axe().axe_script)
        return self.page.evaluate(AXE, {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})})

    def too_wide(self) -> int:
        """By how many pixels the page is wider than its window."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def quiet(self) -> None:
        assert self.complaints == []
        assert self.foreign == []
