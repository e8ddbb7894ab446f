"""Search in Markdown memory: places, exact lines, what is refused, citations and the clamp."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, strategies as st

from memory.errors import DocumentError
from memory.notes.documents import MOST_SIZE, Documents, Passage, citation_of, cites, clamped, split_chunks
from memory.search.embeddings import HashingEmbedder, cosine

DEVOPS = """# Deployment

The staging cluster runs in Frankfurt.

## Rollback

Run `make rollback` and tell the on-call person.

```sh
# not a heading
kubectl rollout undo deploy/shop
```
"""


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text(
        "2026-02-14|web-chat|用户偏好Python；数据库用PostgreSQL\n2026-02-15|web-chat|cache TTL is 3600 seconds\n"
    )
    (root / "memory" / "devops.md").write_text(DEVOPS)
    (root / "notes.md").write_text("the password of the vault is in the drawer\n")
    return root


def test_a_search_names_path_lines_snippet_and_score(root):
    (best, *_) = Documents(root).search("how do I roll back a deployment? rollback")
    assert (best.path, best.start_line, best.end_line) == ("memory/devops.md", 5, 12)
    assert best.snippet.startswith("## Rollback\n")
    assert 0 < best.score <= 1


def test_memory_lines_are_found_one_by_one_in_chinese(root):
    (best, *_) = Documents(root).search("数据库")
    assert (best.path, best.start_line, best.end_line) == ("MEMORY.md", 1, 1)


def test_only_memory_documents_are_searched(root):
    found = Documents(root).search("password vault drawer", 10)
    assert not any("drawer" in p.snippet for p in found)


def test_exact_lines_are_read(root):
    documents = Documents(root)
    assert documents.get("memory/devops.md", 3, 1).text == "The staging cluster runs in Frankfurt."
    assert documents.get("./MEMORY.md", 2).text == "2026-02-15|web-chat|cache TTL is 3600 seconds"
    beyond = documents.get("MEMORY.md", 40, 20)
    assert (beyond.text, beyond.end_line) == ("", 39)
    assert documents.get("memory/devops.md", 2, 3).end_line == 4


@pytest.mark.parametrize(("start", "lines"), [(0, None), (1, 0)])
def test_impossible_lines_are_refused(root, start, lines):
    with pytest.raises(ValueError, match="1 or more"):
        Documents(root).get("MEMORY.md", start, lines)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md", "memory/../../secret.md", "memory/../notes.md", "notes.md", "/etc/passwd", "memory", "", ".",
        "memory/../MEMORY.md", "memory//x.md", "memory/deep/er.md", "MEMORY.md/", "memory/devops.md\0.txt",
        "memory\\..\\notes.md", "C:\\x.md", "memory/absent.md", "memory/devops.txt", "~/x.md",
    ],
)  # fmt: skip
def test_paths_that_name_no_document_are_refused(root, path):
    (root.parent / "secret.md").write_text("secret")
    with pytest.raises(DocumentError) as caught:
        Documents(root).get(path)
    assert repr(path) in str(caught.value)


def test_links_that_lead_out_are_refused_and_not_searched(root):
    outside = root.parent / "outside.md"
    outside.write_text("the launch code is swordfish\n")
    (root / "memory" / "link.md").symlink_to(outside)
    (root / "memory" / "near.md").symlink_to(root / "notes.md")
    (root / "memory" / "same.md").symlink_to(root / "memory" / "devops.md")
    documents = Documents(root)
    assert not any(
        "swordfish" in p.snippet or "drawer" in p.snippet for p in documents.search("swordfish drawer", 20)
    )
    for name in ("link", "near"):
        with pytest.raises(DocumentError, match="leads out"):
            documents.get(f"memory/{name}.md")
    assert documents.get("memory/same.md").text.startswith("# Deployment")


def test_a_linked_folder_is_refused(root, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "memory").mkdir(parents=True)
    (elsewhere / "memory" / "x.md").write_text("swordfish")
    other = tmp_path / "other"
    other.mkdir()
    (other / "memory").symlink_to(elsewhere / "memory")
    assert Documents(other).search("swordfish") == ()
    with pytest.raises(DocumentError):
        Documents(other).get("memory/x.md")


def test_binary_files_pipes_and_folders_are_refused(root):
    (root / "memory" / "image.md").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe swordfish")
    (root / "memory" / "nul.md").write_bytes(b"swordfish\0\n")
    os.mkfifo(root / "memory" / "pipe.md")
    (root / "memory" / "folder.md").mkdir()
    documents = Documents(root)
    assert documents.search("swordfish") == ()
    assert set(documents.problems) == {"memory/image.md", "memory/nul.md"}
    for name in ("image", "nul", "pipe", "folder"):
        with pytest.raises(DocumentError):
            documents.get(f"memory/{name}.md")


def test_only_changed_files_are_read_again(root):
    documents = Documents(root)
    assert set(documents.refresh()) == {"MEMORY.md", "memory/devops.md"}
    assert documents.refresh() == ()
    (root / "memory" / "devops.md").write_text("nothing but kumquats\n")
    (root / "memory" / "people.md").write_text("Ada likes tea\n")
    assert set(documents.refresh()) == {"memory/devops.md", "memory/people.md"}
    assert documents.search("kumquats")[0].path == "memory/devops.md"
    assert not any("rollback" in p.snippet for p in documents.search("rollback"))
    (root / "memory" / "people.md").unlink()
    assert documents.refresh() == ("memory/people.md",)
    assert not any("Ada" in p.snippet for p in documents.search("Ada tea"))


def test_a_folder_that_is_not_there_has_nothing(tmp_path):
    assert Documents(tmp_path / "none").search("anything") == ()


class _Meaning:
    """Knows two meanings, whatever the words."""

    name, dimension = "two meanings", 2

    def __init__(self):
        self.seen = []

    def __call__(self, texts):
        self.seen.append(list(texts))
        return [[1.0, 0.0] if "Frankfurt" in t or "where" in t else [0.0, 1.0] for t in texts]


def test_an_embedder_finds_what_shares_no_word(root):
    embedder = _Meaning()
    documents = Documents(root, embedder=embedder)
    assert documents.search("where do we host it", 1)[0].start_line == 1
    assert documents.search("where do we host it", 1)[0].path == "memory/devops.md"
    assert len(embedder.seen[0]) > 1
    assert len(embedder.seen[-1]) == 1  # texts are embedded once


def test_a_broken_embedder_leaves_search_by_words(root):
    def broken(texts):
        raise ConnectionError("down")

    documents = Documents(root, embedder=broken)
    assert documents.search("TTL of the cache")[0].path == "MEMORY.md"
    assert documents.embedder_error == "ConnectionError: down"


def test_the_hashing_embedder_puts_like_texts_near():
    embed = HashingEmbedder()
    one, like, other = embed(["run the tests with pytest", "tests are run by pytest", "the sky is blue"])
    assert cosine(one, like) > 0.5 > cosine(one, other)
    assert embed(["", "数据库"])[1] == HashingEmbedder()(["数据库"])[0]
    with pytest.raises(ValueError, match="65536"):
        HashingEmbedder(2)


PASSAGES = (Passage("MEMORY.md", 42, 48, "abcdef", 0.9), Passage("memory/x.md", 3, 3, "ghi", 0.5))


def test_citations_name_the_lines():
    assert [citation_of(p) for p in PASSAGES] == ["MEMORY.md#L42-L48", "memory/x.md#L3"]
    assert clamped(PASSAGES, None, cited=True)[0].snippet == "abcdef\n\nSource: MEMORY.md#L42-L48"


@pytest.mark.parametrize(
    ("mode", "key", "shown"),
    [
        ("on", "agent:main:slack:group:7", True),
        ("off", "agent:main:main", False),
        ("auto", "agent:main:main", True),
        ("auto", "agent:main:telegram:group:12", False),
        ("auto", "agent:main:discord:channel:5", False),
    ],
)
def test_citations_are_shown_as_documented(mode, key, shown):
    assert cites(mode, key) is shown


def test_an_unknown_citation_mode_is_refused():
    with pytest.raises(ValueError, match="sometimes"):
        cites("sometimes")


@pytest.mark.parametrize(
    ("budget", "snippets"),
    [
        (None, ["abcdef", "ghi"]),
        (9, ["abcdef", "ghi"]),
        (8, ["abcdef", "gh"]),
        (6, ["abcdef"]),
        (4, ["abcd"]),
        (0, []),
    ],
)
def test_snippets_are_clamped_to_the_budget(budget, snippets):
    assert [p.snippet for p in clamped(PASSAGES, budget)] == snippets


@given(
    st.lists(
        st.sampled_from(
            [
                "",
                "# One",
                "## Two",
                "text of a paragraph",
                "- item",
                "```",
                "~~~~",
                "2026-01-01|me|x",
                "    ",
                "y" * 900,
            ]
        ),
        max_size=60,
    )
)
def test_every_line_with_words_is_in_one_chunk(lines):
    seen = []
    for chunk in split_chunks(lines):
        assert chunk.text == "\n".join(lines[chunk.start - 1 : chunk.end])
        assert lines[chunk.start - 1].strip()
        assert lines[chunk.end - 1].strip()
        assert len(chunk.text) <= MOST_SIZE
        seen += range(chunk.start, chunk.end + 1)
    assert len(seen) == len(set(seen))
    assert {n for n, line in enumerate(lines, 1) if line.strip()} <= set(seen)


def test_a_long_document_is_indexed_in_linear_time():
    small, large = split_chunks(["word " * 10] * 2000), split_chunks(["word " * 10] * 8000)
    assert len(large) == pytest.approx(4 * len(small), rel=0.05)
