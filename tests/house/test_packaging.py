"""What is published: the wheel in bare environments of every Python that is here, and the source package."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UV = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
CORE = {"holdfast-context", "orjson", "pydantic", "regex", "tiktoken"}


def interpreter(release: str) -> str | None:
    """The interpreter of a release, where this machine has one: on the PATH, or where pyenv and uv keep theirs."""
    home = Path.home()
    kept = [
        *home.glob(f".pyenv/versions/{release}.*/bin/python"),
        *home.glob(f".local/share/uv/python/cpython-{release}.*/bin/python{release}"),
    ]
    for place in (sys.executable, shutil.which(f"python{release}"), *map(str, kept)):
        if place and said(place) == release:
            return place
    return None


def said(place: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([place, "-c", code], capture_output=True, text=True, check=False, timeout=30)
    return done.stdout.strip()


def run(*command: str, code: int = 0, **options) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110, **options)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def bare(home: Path) -> dict[str, str]:
    """The environment of somebody who has set nothing."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("UV_", "PIP_", "SSL_"))}
    kept |= {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    return kept | {"HOME": str(home), "UV_CACHE_DIR": cache(), "UV_PYTHON_DOWNLOADS": "never"}


def cache() -> str:
    return run(UV, "cache", "dir").stdout.strip()


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The folder with wheel and source package, built from this tree."""
    place = tmp_path_factory.mktemp("dist")
    run(
        UV,
        "build",
        "--quiet",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
        str(place),
        str(ROOT),
    )
    return place


@pytest.fixture(scope="module")
def wheel(built) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.mark.parametrize("release", PYTHONS)
def test_a_bare_environment_shows_the_demo_and_says_what_more_needs(release, wheel, tmp_path):
    python = interpreter(release)
    if python is None:
        pytest.skip(f"this machine has no Python {release}")
    place, home = tmp_path / "bare", tmp_path / "home"
    home.mkdir()
    environment = bare(home)
    run(UV, "venv", "--quiet", "--python", python, str(place), env=environment)
    ours = str(place / "bin" / "python")
    run(UV, "pip", "install", "--quiet", "--python", ours, str(wheel), env=environment)
    holdfast = str(place / "bin" / "holdfast")
    demo = run(holdfast, "demo", env=environment, cwd=tmp_path).stdout
    assert "15 still there word for word" in demo
    assert "holdfast-context[cli]" in demo
    refused = run(holdfast, "condense", "latest", env=environment, cwd=tmp_path, code=2)
    assert "pip install 'holdfast-context[cli]'" in refused.stderr
    told = json.loads(run(holdfast, "doctor", "--json", env=environment, cwd=tmp_path).stdout)
    assert told["broken"] == 0
    assert {"area": "extra", "name": "cli", "state": "off"}.items() <= next(
        one.items() for one in told["findings"] if one["name"] == "cli"
    )
    listed = json.loads(run(UV, "pip", "list", "--python", ours, "--format", "json", env=environment).stdout)
    assert {one["name"] for one in listed} >= CORE
    assert not {"typer", "rich", "anthropic", "openai"} & {one["name"] for one in listed}


def test_uvx_runs_the_demo_from_the_wheel_alone(wheel, tmp_path):
    demo = run(UV, "tool", "run", "--from", str(wheel), "holdfast", "demo", env=bare(tmp_path), cwd=tmp_path).stdout
    assert "15 still there word for word" in demo


def test_the_plain_demo_tells_the_numbers_of_the_whole_one(tmp_path):
    environment = {**os.environ, "HOLDFAST_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    code = (
        "import sys; from condense.apps.cli.plain_demo import run_plainly; sys.exit(run_plainly(['--target=12k']))"
    )
    plain = run(sys.executable, "-c", code, env=environment).stdout
    whole = run(sys.executable, "-m", "condense.apps.cli", "demo", "--json", "--target", "12k", env=environment)
    told = json.loads(whole.stdout)
    for number in (told["tokens_before"], told["tokens_after"]):
        assert f"{number:,} tokens" in plain
    piped = f"{shlex.join([sys.executable, '-c', code])} | true"
    headed = run("bash", "-o", "pipefail", "-c", piped, env=environment, code=141)
    assert headed.stderr == ""
    refused = run(sys.executable, "-c", code.replace("--target=12k", "--target=many"), env=environment, code=2)
    assert "'many'" in refused.stderr


def test_the_wheel_is_typed_licensed_and_holds_nothing_but_the_packages(wheel):
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        about = packed.read(metadata).decode()
    assert {"memory/py.typed", "condense/py.typed"} <= names
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"memory", "condense"}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "Requires-Python: >=3.11" in about
    for vendored in (ROOT / "condense").rglob("vendor"):
        folder = vendored.relative_to(ROOT).as_posix()
        inside = [name for name in names if name.startswith(f"{folder}/")]
        assert not inside or any(f"licenses/{folder}/LICENSE" in name for name in names), folder


def test_the_source_package_is_the_repository_and_its_tests_run(built, tmp_path):
    (packed,) = built.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    there = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    if (ROOT / ".git").exists():
        listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).stdout.splitlines()
        assert there - {"PKG-INFO"} == {name for name in listed if (ROOT / name).is_file()}
    tests = ("tests/memory/search", "tests/condense/costs")
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=tree, env=environment)
    assert " passed" in done.stdout or "[100%]" in done.stdout
