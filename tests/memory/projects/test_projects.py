"""Which folders are one project."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, strategies as st

from memory.projects.identity import canonical_remote, project_of

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


@pytest.mark.parametrize("config", ["", "[remote", '[remote "origin"]\nurl', "\x00\xff", '[remote "a"]\n\turl = '])
def test_a_damaged_repository_counts_by_its_folder(shop, config):
    (shop / ".git" / "config").write_text(config)
    assert project_of(shop).name == "shop"


@pytest.mark.parametrize("remote", [".", "./", "../backup", "backup", "{tmp}/backup", "file://{tmp}/backup"])
@pytest.mark.parametrize("name", ["origin", "backup"])
def test_a_path_that_is_no_repository_names_nothing(shop, tmp_path, name, remote):
    other = tmp_path / "other"
    (tmp_path / "backup").mkdir()
    shutil.copytree(shop, other)
    before = key(shop), key(other)
    for repository in (shop, other):
        git(repository, "remote", "add", name, remote.format(tmp=tmp_path))
    assert (key(shop), key(other)) == before
    assert before[0] != before[1]
    assert project_of(shop).remote == ""
    git(tmp_path, "init")
    (tmp_path / "backup" / "notes.txt").write_text("in a repository, and none itself\n")
    assert (key(shop), key(other)) == before


@pytest.mark.parametrize(
    "remote",
    [
        "https://localhost/x.git",
        "localhost:x",
        "http://127.0.0.1:3000/x",
        "https://github.com",
        "ext::sh -c x",
    ],
)
def test_an_address_that_means_another_place_everywhere_names_nothing(shop, remote):
    git(shop, "remote", "add", "origin", remote)
    assert project_of(shop).remote == ""


def test_a_backup_on_this_machine_is_not_where_a_repository_came_from(shop, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(shop, other)
    git(tmp_path, "init", "--bare", "backup.git")
    for repository in (shop, other):
        git(repository, "remote", "add", "backup", "../backup.git")
    assert len({key(shop), key(other), key(tmp_path / "backup.git")}) == 3
    git(shop, "remote", "add", "upstream", "https://example.com/ada/shop")
    assert project_of(shop).remote == "example.com/ada/shop"


def test_a_worktree_reads_a_path_as_its_repository_does(shop, tmp_path):
    folder = tmp_path / "deep" / "clone"
    folder.parent.mkdir()
    git(folder.parent, "clone", str(shop), "clone")
    git(folder, "remote", "set-url", "origin", "../../shop")
    git(folder, "worktree", "add", str(tmp_path / "tree"), "-b", "side")
    assert key(folder) == key(tmp_path / "tree") == key(shop)


@pytest.mark.parametrize(
    "address",
    [
        "git@GitHub.com:ada/shop.git",
        "https://www.github.com/ada/shop",
        "https://WWW.GitHub.com/ada/shop.git/",
        "ssh://git@ssh.github.com:443/ada/shop.git",
        "ssh://git@altssh.github.com:443/ada/shop/",
        "https://github.com/ada/shop.git",
    ],
)
def test_one_project_is_not_split_by_how_its_address_is_written(shop, address):
    git(shop, "remote", "add", "origin", address)
    assert project_of(shop).remote == "github.com/ada/shop"


@pytest.mark.parametrize(
    "lines",
    [
        '[remote "origin"]\n\turl = https://github.com/ada/shop.git ; the old place',
        '[remote "origin"] # ours\n\turl = "https://github.com/ada/shop" # moved in spring',
        '[remote "origin"] url = git@github.com:ada/shop.git',
        '[Remote "origin"]\n\tURL=https://github.com/ada/"shop".git;x',
        '# [remote "origin"]\n#\turl = https://github.com/eve/shop\n[remote "origin"]\nurl=github.com:ada/shop',
    ],
)
def test_one_project_is_not_split_by_comments_and_quotes(shop, lines):
    config = shop / ".git" / "config"
    config.write_text(f"{config.read_text()}{lines}\n")
    asked = subprocess.run(
        ["git", "remote", "get-url", "origin"],
        cwd=shop,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    assert canonical_remote(asked.stdout) == "github.com/ada/shop"
    assert project_of(shop).remote == "github.com/ada/shop"
