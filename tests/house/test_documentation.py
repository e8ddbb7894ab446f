"""README and docs hold together: links, blocks, tables made from the code, translations, and the site that is built."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import subprocess
import sys
import tomllib
from urllib.parse import urlsplit

import pytest
import yaml
from documents import BESIDE, CHINESE, DOCS, README, ROOT, Page

from benchmarks.headline import readme_of
from benchmarks.options import RESULTS, read_results
from benchmarks.report import END, START

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EVERY = [README, *DOCS, *BESIDE]
LANGUAGES = {"python", "console", "json", "toml", "yaml", "text"}
SETTINGS = sorted({place for page in DOCS for place in re.findall(r"<!-- settings: (\S+) -->", page.source)})
CODE = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("memory", "condense")
    for path in (ROOT / package).rglob("*.py")
)


def generated():
    """The module that makes tables from the code."""
    spec = importlib.util.spec_from_file_location("generated", ROOT / "docs" / "generated.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- links


@pytest.mark.parametrize("page", EVERY, ids=str)
def test_links_lead_to_what_is_there(page):
    for picture, target in page.links:
        parts = urlsplit(target)
        place = (page.path.parent / parts.path).resolve() if parts.path else page.path
        assert place.exists(), f"{page}: {target}"
        assert not picture or place.suffix in {".svg", ".png"}, target
        if parts.fragment and place.suffix == ".md" and "<!--" not in (there := Page(place)).source:
            assert parts.fragment in there.anchors, f"{page}: {target}"


def test_the_readme_shows_the_panel():
    assert (True, "docs/images/panel_before_after.png") in README.links


# ---- README


def test_the_readme_is_short():
    assert len(README.source.splitlines()) <= 200


def test_the_table_of_the_readme_is_that_of_the_results():
    made = readme_of(read_results(RESULTS / "results.json"), "benchmarks/results", ROOT)
    assert f"{START}\n{made}{END}" in README.source


def test_the_picture_of_a_compaction_is_the_one_that_was_made():
    made = (RESULTS / "compact.txt").read_text("utf-8")
    assert made in (ROOT / "docs" / "quickstarts" / "claude-code.md").read_text("utf-8")


# ---- blocks


@pytest.mark.parametrize("page", EVERY, ids=str)
def test_every_block_says_what_it_is_and_is_that(page):
    for block in page.blocks:
        assert block.language in LANGUAGES, (str(page), block.line)
        if block.language == "json":
            json.loads(block.text)
        if block.language == "toml":
            tomllib.loads(block.text)
        if block.language == "yaml":
            yaml.safe_load(block.text)
        if block.language == "python":
            compile(block.text, f"{page}:{block.line}", "exec")


@pytest.mark.parametrize("page", [README, *DOCS], ids=str)
def test_commands_of_others_are_known_and_name_what_is_there(page):
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in page.commands():
        words = shlex.split(line)
        for extras in re.findall(r"holdfast-context\[([\w,-]+)\]", line):
            assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"]), line
        if words[0] == "make":
            assert words[1] in targets, line
        elif words[0] in ("pip", "pipx", "uv", "uvx"):
            assert "holdfast-context" in line, line
        elif words[0] == "curl":
            assert line.endswith(("/holdfast/status", "/holdfast/metrics")), line
        elif words[0] == "export":
            assert re.match(r"(ANTHROPIC|OPENAI)_(BASE_URL|CUSTOM_HEADERS)=", words[1]), line
        elif words[0] == "claude":
            assert words[-2:] == ["holdfast", "mcp"], line
        else:
            assert words[0] == "holdfast" or words[:2] == ["git", "clone"], line


@pytest.mark.parametrize("page", CHINESE, ids=str)
def test_a_translation_has_the_blocks_of_what_it_translates(page):
    inside = page.path.relative_to(ROOT / "docs" / "zh")
    original = README if inside.name == "README.md" else Page(ROOT / "docs" / inside)
    assert [(block.language, block.text) for block in page.blocks] == [
        (block.language, block.text) for block in original.blocks
    ]


def test_every_quickstart_is_translated():
    quickstarts = {path.name for path in (ROOT / "docs" / "quickstarts").glob("*.md")}
    assert {path.name for path in (ROOT / "docs" / "zh" / "quickstarts").glob("*.md")} == quickstarts


# ---- what the code says


@pytest.mark.parametrize("place", SETTINGS)
def test_every_setting_is_described(place):
    module, _, name = place.rpartition(".")
    model = getattr(importlib.import_module(module), name)
    said = generated().described(model)
    assert set(said) == set(generated().fields_of(model))
    assert all(len(line) > 8 for line in said.values())


def test_no_settings_class_is_left_out():
    named = {place.rpartition(".")[2] for place in SETTINGS}
    found = re.findall(
        r"^class ([A-Z]\w+(?:Config|Settings|Budget))\(\w*(?:BaseModel|_Settings)\)", CODE, re.MULTILINE
    )
    assert len(found) > 8
    assert set(found) <= named


def test_every_variable_and_every_extra_is_in_the_reference():
    text = (ROOT / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    assert set(re.findall(r'"(HOLDFAST_\w+)"', CODE)) == set(re.findall(r"`(HOLDFAST_\w+)`", text))
    table = text[text.index("## Extras") :]
    named = set(re.findall(r"`([\w-]+)`", table))
    beside = {"adapters", "companions", "test", "dev", "release"}  # of the tests
    assert named >= set(PROJECT["optional-dependencies"]) - beside


# ---- the site: 12 seconds of CPU


SLOW = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages as `make docs` builds them: strictly, so that a broken link or a page without a place fails."""
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    return place


@SLOW
def test_the_site_loads_nothing_from_elsewhere(site):
    pages = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    assert len(pages) > 40
    for page in pages:
        assert not re.search(r"""<(?:script|img|iframe|source)[^>]+src=["']?(?:https?:)?//""", page)
        assert not re.search(r"""<link[^>]+href=["']?(?:https?:)?//(?!\S+canonical)""", page)


@SLOW
def test_generated_pages_hold_what_the_code_has(site):
    def text(page):
        return (site / page / "index.html").read_text(encoding="utf-8")

    assert 'id="holdfast-memory-accept"' in text("reference/cli")
    assert "HOLDFAST_PROXY_TOKEN" in text("reference/cli")
    for name in ("TokenBudget", "most_conversations", "full_recent_count"):
        assert name in text("reference/configuration")
    for page, names in (
        ("condense", ("Condenser.view", "summarize_conversation")),
        ("memory", ("ConversationMemory.extract_memories", "open_sql")),
        ("adapters", ("HoldfastMiddleware", "Conversations.view_items")),
    ):
        assert all(f".{name}" in text(f"reference/{page}") for name in names)
    assert not [path for path in site.rglob("*.html") if re.search(r"<!-- \w+: ", path.read_text(encoding="utf-8"))]
