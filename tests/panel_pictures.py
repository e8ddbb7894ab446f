"""Draw the pictures of the panel that the documents show: `python tests/panel_pictures.py` writes docs/images."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from panel_browser import Panel, started_browser
from panel_machine import REPOSITORY, made_machine, serving

WINDOW = {"width": 1280, "height": 800}


def draw(folder: Path) -> None:
    """Write the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.gettempdir()) / "holdfast-demo"  # is seen in the pictures
    shutil.rmtree(place, ignore_errors=True)
    with started_browser() as browser:
        machine = made_machine(place, memories=1_500)
        with serving(machine) as address:
            panel = Panel(machine, address, browser)
            sheet = panel.opened(viewport=WINDOW)
            session = sheet.get("sessions")["items"][0]["id"]
            memory = sheet.get("memories?q=port+9000")["items"][0]["id"]
            sheet.at(f"sessions/{session}?tab=compactions")
            sheet.page.locator(".outcome").scroll_into_view_if_needed()
            sheet.page.evaluate("scrollTo(0, document.querySelector('.record-head').offsetTop - 20)")
            sheet.page.wait_for_timeout(300)
            sheet.page.screenshot(path=folder / "panel_before_after.png")
            sheet.at(f"memories/{memory}")
            sheet.page.wait_for_timeout(300)
            sheet.page.screenshot(path=folder / "panel_memories.png")
            dark = panel.opened(viewport=WINDOW, color_scheme="dark")
            dark.page.wait_for_timeout(500)
            dark.page.screenshot(path=folder / "panel_overview_dark.png")
            panel.close()


if __name__ == "__main__":
    draw(REPOSITORY / "docs" / "images")
