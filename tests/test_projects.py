"""Which folders are one project."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.projects import canonical_remote, project_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git makes the repositories")


def git(folder, *arguments):
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, timeout=100)


@pytest.fixture
def shop(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init")
    (folder / "src").mkdir()
    (folder / "src" / "app.py").write_text("x = 1\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    return folder


def key(path):
    return project_of(path).key


def test_no_repository_no_project(tmp_path):
    assert project_of(tmp_path / "nowhere") is None


def test_every_folder_of_a_repository_is_the_project(shop):
    assert key(shop) == key(shop / "src") == key(shop / "src" / "app.py") == key(shop / "not" / "yet")
    assert project_of(shop / "src").root == str(shop.resolve())
    assert project_of(shop).name == "shop"


def test_worktrees_share(shop, tmp_path):
    git(shop, "worktree", "add", str(tmp_path / "tree"), "-b", "side")
    assert key(tmp_path / "tree") == key(shop)
    assert project_of(tmp_path / "tree").name == "shop"


def test_clones_share_and_forks_do_not(shop, tmp_path):
    git(shop, "remote", "add", "origin", "git@example.com:ada/shop.git")
    git(tmp_path, "clone", str(shop), "clone")
    assert key(tmp_path / "clone") == key(shop)
    git(tmp_path / "clone", "remote", "set-url", "origin", "https://token@example.com/ada/shop/")
    assert key(tmp_path / "clone") == key(shop)
    git(tmp_path / "clone", "remote", "set-url", "origin", "https://example.com/eve/shop.git")
    git(tmp_path / "clone", "remote", "add", "upstream", "https://example.com/ada/shop.git")
    assert key(tmp_path / "clone") != key(shop)


def test_a_clone_of_a_folder_is_the_folders_project(shop, tmp_path):
    git(tmp_path, "clone", str(shop), "clone")
    git(tmp_path, "clone", "--bare", str(shop), "bare.git")
    git(tmp_path, "clone", "bare.git", "clone2")
    assert key(tmp_path / "clone") == key(tmp_path / "clone2") == key(shop)


def test_a_submodule_is_a_project_of_its_own(shop, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(shop, other)
    git(other, "remote", "add", "origin", "https://example.com/ada/other")
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", str(other), "lib")
    assert key(shop / "lib") == key(other) != key(shop)


def test_two_repositories_without_remotes_are_two_projects(shop, tmp_path):
    shutil.copytree(shop, tmp_path / "copy")
    assert key(tmp_path / "copy") != key(shop)


def test_remotes_that_lead_in_a_circle_end(shop, tmp_path):
    git(tmp_path, "clone", str(shop), "clone")
    git(shop, "remote", "add", "origin", str(tmp_path / "clone"))
    assert project_of(shop) is not None


@pytest.mark.parametrize(
    "address",
    [
        "git@Example.com:ada/shop.git",
        "ssh://git@example.com:22/ada/shop",
        "https://user:secret@example.com/ada/shop.git/",
        "https://EXAMPLE.com:443/ada/shop",
        "git://example.com/ada/shop.git",
        "example.com:ada/shop",
    ],
)
def test_all_spellings_of_an_address_are_one(address):
    assert canonical_remote(address) == "example.com/ada/shop"


def test_other_addresses_are_others():
    others = [
        "https://example.com:8443/ada/shop",
        "https://example.com/Ada/shop",
        "https://example.org/ada/shop",
    ]
    assert len({canonical_remote(address) for address in others} | {"example.com/ada/shop"}) == 4


@given(st.text(max_size=60))
def test_any_address_is_read(address):
    canonical_remote(address)


@pytest.mark.parametrize(
    "config", ["", "[remote", '[remote "origin"]\nurl', "\x00\xff", '[remote "a"]\n\turl = ']
)
def test_a_damaged_repository_counts_by_its_folder(shop, config):
    (shop / ".git" / "config").write_text(config)
    assert project_of(shop).name == "shop"
