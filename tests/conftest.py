"""Shared set-up: a skip is a failure where HOLDFAST_NO_SKIP is set (continuous integration)."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest
from examples import FULL, QUICK
from hypothesis import HealthCheck, settings
from panel_browser import Panel, started_browser
from panel_machine import made_machine, serving
from postgres import POSTGRES, started_postgres

for profile, drawn in (("house", FULL), ("quick", QUICK)):  # the quick one is `make unit`'s
    settings.register_profile(
        profile,
        deadline=None,
        # continuous integration draws the same examples in every run
        derandomize=bool(os.environ.get("HOLDFAST_NO_SKIP")),
        max_examples=drawn,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
settings.load_profile("house")

# `make adapters` has environments for CrewAI, which wants older SDKs than the other frameworks, and LiteLLM's proxy.
# Ray is large and asked for seldom: where it is installed, it is tested.
ELSEWHERE = {
    "crewai": "adapters/test_crewai.py",
    "litellm_proxy_extras": "adapters/test_litellm_proxy.py",
    "ray": "condense/apps/test_backfill_on_ray.py",
}
collect_ignore = [test for package, test in ELSEWHERE.items() if not importlib.util.find_spec(package)]

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"


MAY_SKIP = ("mounts a small disk", "cannot mount here", "this release has no", "this machine has no Python")
"""What a machine may lack without fault of ours: disks to mount (a limit on file size tests the same), a Python; and
what the oldest release of a framework lacks."""


def pytest_collection_modifyitems(items):
    """Rerun what compares times: a busy machine can only make it worse, so one good run out of five counts. What
    drives a browser or a program of others runs a second time: they stall, and die of themselves. What a server has to
    be started for is slow."""
    for item in items:
        if item.get_closest_marker("timing"):
            item.add_marker(pytest.mark.flaky(reruns=4, reruns_delay=1))
        elif item.get_closest_marker("clients") or "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=5))
        if "postgres" in item.fixturenames:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    allowed = any(reason in str(report.longrepr) for reason in MAY_SKIP)
    if report.skipped and not allowed and os.environ.get("HOLDFAST_NO_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: skipped, and skipping is not allowed here: {report.longrepr}"


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory) -> Path:
    """A folder with a tiny sentence model, made here."""
    script = REPOSITORY / "benchmarks" / "make_test_model.py"
    spec = importlib.util.spec_from_file_location("make_test_model", script)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    place = tmp_path_factory.mktemp("model")
    made.write_model(place)
    return place


@pytest.fixture(scope="session")
def postgres():
    """A running PostgreSQL."""
    with started_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres):
    """An empty database in it."""
    with postgres.database() as url:
        yield url


@pytest.fixture(params=["sqlite", POSTGRES])
def sql_url(request, tmp_path):
    """Where a SQL store may be, on both databases; empty."""
    file = f"sqlite:///{tmp_path}/threads.db"
    return file if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@pytest.fixture(scope="module")
def browser():
    """A running Chromium; other modules' event loops would not run beside it."""
    with started_browser() as running:
        yield running


@pytest.fixture(scope="session")
def panel_server(tmp_path_factory):
    """A panel over a machine with a session and 5,000 memories: the machine, and the address."""
    machine = made_machine(tmp_path_factory.mktemp("machine"))
    with serving(machine) as address:
        yield machine, address


@pytest.fixture
def panel(browser, panel_server):
    """The same with a browser, its pages closed after each test."""
    shown = Panel(*panel_server, browser)
    yield shown
    shown.close()
