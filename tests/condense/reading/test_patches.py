"""Patches in their three forms, and the names that a text defines."""

from __future__ import annotations

import pytest

from condense.reading.calls import ToolAction as Do
from condense.reading.calls.patches import read_blocks, read_patch
from condense.reading.text.definitions import defined_names

GIT = """diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@
 keep
--- this removed line begins with dashes
+added
 keep
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+only
diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/x.py b/y.py
similarity index 100%
rename from x.py
rename to y.py
"""


def test_a_git_diff_file_by_file():
    found = [(p.action, p.path, p.moved_to, p.new, p.old) for p in read_patch(GIT)]
    assert found == [
        (Do.EDIT, "src/a.py", None, "added", "-- this removed line begins with dashes"),
        (Do.CREATE, "new.py", None, "only", ""),
        (Do.DELETE, "old.py", None, "", "gone"),
        (Do.EDIT, "x.py", "y.py", "", ""),
    ]


def test_a_plain_unified_diff():
    (patch,) = read_patch("--- a.txt\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1 +1 @@\n-x\n+y\n")
    assert (patch.path, patch.old, patch.new) == ("a.txt", "x", "y")


@pytest.mark.parametrize("text", ["", "no patch", "*** Begin Patch\n*** End Patch", "--- \n", "@@ -1 +1 @@\n-x"])
def test_what_is_no_patch_gives_nothing(text):
    assert [p for p in read_patch(text) if p.path] == []


def test_search_and_replace_blocks():
    text = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n------- SEARCH\nc\n=======\n+++++++ REPLACE"
    assert read_blocks(text) == (("a", "b"), ("c", ""))
    assert read_blocks("<<<<<<< SEARCH\nopen end") == (("open end", ""),)
    assert read_blocks("nothing") == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "class Cart:\n    def total(self):\n        pass\n\nMAX_ITEMS = 3\n",
            ("Cart", "total", "MAX_ITEMS"),
        ),
        (
            "export async function load() {}\nexport const useCart = () => {\n}\nconst n = 3",
            ("load", "useCart"),
        ),
        (
            "pub struct Book;\nimpl Display for Book {\n    pub(crate) fn open(&self) {}\n}\n",
            ("Book", "open"),
        ),
        ("func (s *Store) Open() error {\n}\ntype Store struct {\n}\n", ("Open", "Store")),
        ("public class A {\n    private static int b(int c) {\n    }\n}\n", ("A", "b")),
        ("create table if not exists orders (\nid int);\n", ("orders",)),
        (
            (
                "const app = express();\nfunction row(x) {\n  const kana = toKana(x);\n  const add = (e) => e;\n"
                "  const find = useCallback(() => 1);\n}\nexport const Button: React.FC<P> = ({\n  label,\n}) => 1\n"
            ),
            ("app", "row", "add", "find", "Button"),
        ),
        ("interface Props {\n}\ntype Id = string\n", ("Props", "Id")),
        ("# class of its own\nprint('def x')\n", ()),
        ("", ()),
    ],
)
def test_names_that_a_text_defines(text, names):
    assert defined_names(text) == names


def test_names_are_bounded():
    text = "\n".join(f"def f{i}(): pass" for i in range(500))
    assert len(defined_names(text)) == 24
    assert defined_names(text, 3) == ("f0", "f1", "f2")
    assert defined_names("x" * 100_000) == ()
