"""The pages that people read: their code blocks, headings and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} (.+?)(?: *\{ *#([\w-]+) *\})?$", re.MULTILINE)
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text without the indentation, the line of its first line of text."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Page:
    """A Markdown file."""

    path: Path

    def __str__(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(
            Block(
                found[2],
                re.sub(f"^{found[1]}", "", found[3], flags=re.MULTILINE),
                self.source.count("\n", 0, found.start(3)) + 1,
            )
            for found in FENCE.finditer(self.source)
        )

    @cached_property
    def prose(self) -> str:
        return COMMENT.sub("", FENCE.sub("", self.source))

    @property
    def anchors(self) -> set[str]:
        """The anchors that GitHub and MkDocs both make of the headings, and those that are given."""
        return {given or slug(title) for title, given in HEADING.findall(self.prose)}

    @property
    def links(self) -> list[tuple[bool, str]]:
        """Whether it is a picture, and where it leads, of all links within the repository."""
        return [(bool(mark), target) for mark, target in LINK.findall(self.prose) if not target.startswith("http")]

    def code(self, language: str) -> list[Block]:
        return [block for block in self.blocks if block.language == language]

    def program(self) -> str:
        """The Python blocks as one program; a failure names the page and its line."""
        pieces = [
            f"exec(compile({chr(10) * (block.line - 1) + block.text!r}, {str(self)!r}, 'exec'), globals())"
            for block in self.code("python")
        ]
        return "\n".join(pieces)

    def commands(self) -> list[str]:
        """The lines of console blocks, without their comments; a line that ends in a backslash goes on."""
        lines = (
            line.split("  #")[0].split(" # ")[0].strip()
            for block in self.code("console")
            for line in block.text.replace("\\\n", " ").splitlines()
        )
        return [line for line in lines if line]


def slug(title: str) -> str:
    plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain).strip())


README = Page(ROOT / "README.md")
DOCS = [Page(path) for path in sorted((ROOT / "docs").rglob("*.md"))]
CHINESE = [page for page in DOCS if "zh" in page.path.relative_to(ROOT / "docs").parts]
ENGLISH = [README, *(page for page in DOCS if page not in CHINESE)]
BESIDE = [
    Page(path) for path in sorted([*ROOT.glob("*.md"), *(ROOT / "benchmarks").glob("*.md")]) if path != README.path
]
