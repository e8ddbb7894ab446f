"""Shell command lines: what they read, write, move and remove; that nothing makes the reader fail or crawl."""

from __future__ import annotations

import pytest
from clock import cpu_seconds
from examples import examples
from hypothesis import given, strategies as st

from condense.reading.calls import LAST_LINE, ToolAction as Do
from condense.reading.shell import Purpose, read_shell


def effects(text, **rest):
    return [(e.action, e.target) for e in read_shell(text, **rest).effects]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat src/a.py", [(Do.READ, "src/a.py")]),
        ("cat a.txt b.txt 2>/dev/null", [(Do.READ, "a.txt"), (Do.READ, "b.txt")]),
        ("less -N notes.md", [(Do.READ, "notes.md")]),
        ("cd web && cat package.json", [(Do.READ, "web/package.json")]),
        ("(cd web; cat a); cat b", [(Do.READ, "web/a"), (Do.READ, "b")]),
        ("grep -rn 'two words' src lib", [(Do.SEARCH, "src"), (Do.SEARCH, "lib")]),
        ("rg -n -g '*.py' -e one -e two src", [(Do.SEARCH, "src")]),
        ("ls -la src tests", [(Do.LIST, "src"), (Do.LIST, "tests")]),
        ("echo hi > out.txt", [(Do.CREATE, "out.txt")]),
        ("echo hi >> log.txt 2>&1", [(Do.EDIT, "log.txt")]),
        ("make &> build.log", [(Do.CREATE, "build.log")]),
        ("sort a.txt > b.txt", [(Do.CREATE, "b.txt")]),
        ("tee -a notes.md <<< more", [(Do.EDIT, "notes.md")]),
        ("sed -i 's/a/b/' x.py y.py", [(Do.EDIT, "x.py"), (Do.EDIT, "y.py")]),
        ("sed -i '' -e 's/a/b/' x.py", [(Do.EDIT, "x.py")]),
        ("perl -pi -e 's/a/b/' x.py", [(Do.EDIT, "x.py")]),
        ("touch new.py", [(Do.CREATE, "new.py")]),
        ("cp a.py b.py", [(Do.CREATE, "b.py")]),
        ("mv a.py b.py", [(Do.DELETE, "a.py"), (Do.CREATE, "b.py")]),
        ("mv a.py b.py sub/", [(Do.DELETE, "a.py"), (Do.CREATE, "sub/a.py"),
                               (Do.DELETE, "b.py"), (Do.CREATE, "sub/b.py")]),
        ("git mv a.py b.py", [(Do.DELETE, "a.py"), (Do.CREATE, "b.py"), (Do.OTHER, "b.py")]),
        ("git -C sub rm old.py", [(Do.DELETE, "sub/old.py")]),
        ("git checkout -- x.py", [(Do.DISCARD, "x.py")]),
        ("git checkout main -- x.py", [(Do.EDIT, "x.py")]),
        ("rm -rf build dist/*.whl", [(Do.DELETE, "build"), (Do.DELETE, "dist/*.whl")]),
        ("prettier --write a.ts", [(Do.EDIT, "a.ts")]),
        ("prettier --check a.ts", []),
        ('F=src/k.py; cat "$F"', [(Do.READ, "src/k.py")]),
        ('for f in a.py b.py; do cat "$f"; done', [(Do.READ, "a.py"), (Do.READ, "b.py")]),
        ("cat $UNKNOWN/x", []),
        ("bash -lc \"sed -i 's/a/b/' x.py && rm y.py\"", [(Do.EDIT, "x.py"), (Do.DELETE, "y.py")]),
        ("sudo -u www cp a /etc/b.conf", [(Do.CREATE, "/etc/b.conf")]),
        ("ssh host 'rm -rf x'", []),
        ("curl -s https://example.org/a.json -o a.json",
         [(Do.FETCH, "https://example.org/a.json"), (Do.CREATE, "a.json")]),
        ("wget http://localhost:8080/health", [(Do.FETCH, "http://localhost:8080/health")]),
        ("echo 'cat secret.txt'", []),
        ("# cat x\ncat y", [(Do.READ, "y")]),
        ("if [ -f x ]; then rm x; fi", [(Do.DELETE, "x")]),
        ("case $1 in a) rm x;; esac", [(Do.DELETE, "x")]),
        ("echo $(cat inner.txt)", [(Do.READ, "inner.txt")]),
        ("diff <(cat a) <(cat b)", [(Do.READ, "a"), (Do.READ, "b")]),
        ("cat \\\n  a.txt", [(Do.READ, "a.txt")]),
        ("cat 'with blank.txt'", [(Do.READ, "with blank.txt")]),
    ],
)  # fmt: skip
def test_effects_of_bash(text, expected):
    assert effects(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Get-Content src\\app\\page.tsx", [(Do.READ, "src/app/page.tsx")]),
        ("Get-Content -Path a.txt,b.txt -Raw", [(Do.READ, "a.txt"), (Do.READ, "b.txt")]),
        ("Set-Content -Path x.txt -Value 'a b'; Remove-Item y.txt -Force",
         [(Do.CREATE, "x.txt"), (Do.DELETE, "y.txt")]),
        ("'text' | Out-File -FilePath out.txt -Encoding utf8", [(Do.CREATE, "out.txt")]),
        ("$p='a.md'; (Get-Content -Raw $p) -replace 'x','y' | Set-Content $p",
         [(Do.READ, "a.md"), (Do.CREATE, "a.md")]),
        ("Move-Item a.txt b.txt", [(Do.DELETE, "a.txt"), (Do.CREATE, "b.txt")]),
        ("Move-Item src\\a.txt old\\", [(Do.DELETE, "src/a.txt"), (Do.CREATE, "old/a.txt")]),
        ("if (Test-Path web\\*) { Move-Item web\\* old\\ }", [(Do.DELETE, "web/*")]),
        ("$p = Join-Path docs (Split-Path $f -Leaf); Get-Content $p", []),
        ("$p = 'a.md'; Get-Content $p", [(Do.READ, "a.md")]),
        ("cd C:\\app; type x.py", [(Do.READ, "c:/app/x.py")]),
        ("@'\nline\n'@ | Set-Content -Path a.txt", [(Do.CREATE, "a.txt")]),
        ("Select-String -Path src\\a.cs -Pattern 'x'", [(Do.SEARCH, "src/a.cs")]),
    ],
)  # fmt: skip
def test_effects_of_powershell(text, expected):
    assert effects(text, windows=True) == expected


def test_files_moved_by_a_pattern_go_into_the_folder():
    (moved,) = read_shell("mv web/*.js old/").effects
    assert (moved.target, moved.moved_to) == ("web/*.js", "old")


def test_paths_are_seen_from_the_folder_that_was_changed_to():
    assert effects("cd /srv/app/web; cat a.py ../b.py") == [
        (Do.READ, "/srv/app/web/a.py"),
        (Do.READ, "/srv/app/b.py"),
    ]
    assert effects("cd C:\\app; type a\\b.py") == [(Do.READ, "c:/app/a/b.py")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("sed -n '10,40p' a.py", (10, 40)),
        ("sed -n 5p a.py", (5, 5)),
        ("nl -ba a.py | sed -n '560,720p'", (560, 720)),
        ("cat a.py | head -50", (1, 50)),
        ("head -n 20 a.py", (1, 20)),
        ("tail -n +30 a.py", (30, LAST_LINE)),
        ("tail -5 a.py", (LAST_LINE - 4, LAST_LINE)),
        ("awk 'NR>=12 && NR<=16' a.py", (12, 16)),
        ("cat a.py", None),
        ("Get-Content a.py -TotalCount 12", (1, 12)),
    ],
)
def test_the_lines_a_reading_shows(text, lines):
    (effect,) = read_shell(text).effects
    assert (effect.action, effect.target, effect.lines) == (Do.READ, "a.py", lines)


def test_what_a_filter_lets_through_is_a_search_not_a_reading():
    assert effects("cat a.py | grep def") == [(Do.SEARCH, "a.py")]
    assert read_shell("cat a.py | grep def").shows_files is False
    assert read_shell("sed -n 1,9p a.py; echo ---; cat b.py").shows_files
    assert not read_shell("cat a.py; make").shows_files


def test_the_text_of_a_here_document_is_known():
    (effect,) = read_shell("cat <<'EOF' > notes/a.md\n# Title\n$x `y`\nEOF\n").effects
    assert (effect.action, effect.target, effect.text) == (Do.CREATE, "notes/a.md", "# Title\n$x `y`\n")


def test_a_patch_inside_the_shell_is_read_file_by_file():
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-one\n+two\n*** Delete File: b.py\n*** End Patch"
    text = f"apply_patch <<'EOF'\n{patch}\nEOF"
    first, second = read_shell(text).effects
    assert (first.action, first.target, first.text, first.old) == (Do.EDIT, "a.py", "two", "one")
    assert (second.action, second.target) == (Do.DELETE, "b.py")


def test_small_programs_that_plainly_write_files_are_seen():
    program = (
        "from pathlib import Path\np = Path('src/x.py')\np.write_text('')\nopen('y.txt', 'w')\nopen('z.txt')\n"
    )
    python = f"python3 - <<'PY'\n{program}PY"
    assert sorted(effects(python)) == [(Do.EDIT, "src/x.py"), (Do.EDIT, "y.txt")]
    assert effects("node -e \"require('fs').writeFileSync('a.json', '1')\"") == [(Do.EDIT, "a.json")]


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("uv run pytest -q", Purpose.TEST), ("python -m pytest tests", Purpose.TEST),
        ("python -m unittest", Purpose.TEST), ("npm run test:unit", Purpose.TEST), ("npx jest", Purpose.TEST),
        ("timeout 60 cargo test --all", Purpose.TEST), ("cd a && ./gradlew test", Purpose.TEST),
        ("go test ./...", Purpose.TEST), ("make test", Purpose.TEST), ("mvn -q verify", Purpose.TEST),
        ("python tests/test_x.py", Purpose.TEST), ("dotnet test", Purpose.TEST), ("tox -e py311", Purpose.TEST),
        ("make", Purpose.BUILD), ("cargo build --release", Purpose.BUILD), ("npm run build", Purpose.BUILD),
        ("docker build -t x .", Purpose.BUILD), ("g++ -O2 a.cpp", Purpose.BUILD),
        ("ruff check .", Purpose.CHECK), ("npx tsc --noEmit", Purpose.CHECK), ("cargo clippy", Purpose.CHECK),
        ("pip install -r requirements.txt", Purpose.OTHER), ("sudo apt-get install jq", Purpose.OTHER),
        ("npm ci", Purpose.OTHER), ("uv add httpx", Purpose.OTHER),
        ("uvicorn app:app --port 8000", Purpose.OTHER), ("docker compose up -d", Purpose.OTHER),
        ("git status", Purpose.OTHER), ("echo pytest", Purpose.OTHER), ("cat Makefile", Purpose.OTHER),
        ("npm install && npm test", Purpose.TEST),
    ],
)  # fmt: skip
def test_what_a_command_is_for(text, purpose):
    assert read_shell(text).purpose is purpose


@pytest.mark.parametrize(
    ("text", "looks"),
    [("ls; cat a | head -3", True), ("git status --short", True), ("pwd && rg x src", True),
     ("make", False), ("cat a > b", False), ("git commit -m x", False), ("git branch topic", False),
     ("git branch -vv", True), ("env", True), ("python x.py", False), ("", False)],
)  # fmt: skip
def test_commands_that_only_look(text, looks):
    assert read_shell(text).looks_only is looks


def test_a_script_that_breaks_off_is_read_as_far_as_it_goes():
    assert effects("echo $((1") == []
    assert effects("rm x; echo 'unclosed") == [(Do.DELETE, "x")]


@examples(150)
@given(st.text(alphabet="ab $'\"\\`(){}<>|&;#=\n@EOF-/.", max_size=60), st.booleans())
def test_nothing_makes_the_reader_fail(text, windows):
    read_shell(text, windows=windows)


@examples(80)
@given(
    st.lists(
        st.sampled_from(
            [
                "cat",
                "rm",
                "-rf",
                "a.py",
                ">",
                "|",
                "$(",
                ")",
                "<<EOF",
                "EOF",
                "\n",
                "'",
                '"',
                "git",
                "mv",
                "-m",
                "$x",
                "for",
                "in",
                "do",
            ]
        ),
        max_size=25,
    )
)
def test_nothing_made_of_real_words_makes_the_reader_fail(words):
    read_shell(" ".join(words))


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit",
    [
        "$((",
        "`",
        '"$(',
        "${",
        "(",
        "'",
        '"',
        "<<A\n",
        "$(",
        "\\",
        "a;",
        "@'\n",
        "$'",
        "cat a | ",
        "git -C x mv a b;",
    ],
)
def test_time_is_linear_in_hostile_scripts(unit):
    def spent(size):
        text = unit * (size // len(unit))
        return cpu_seconds(lambda: read_shell(text, windows=False))

    spent(2000)
    assert spent(80_000) < 40 * max(spent(10_000), 0.001)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("cat src/[id]/page.tsx", ["src/[id]/page.tsx"]),
        ("sed -n 1,20p 'src/[[...slug]]/page.tsx'", ["src/[[...slug]]/page.tsx"]),
        ("rm app/[slug]/old.ts && cat [id].tsx", ["app/[slug]/old.ts", "[id].tsx"]),
        ("cat a[ab].txt b/[0-9].txt c/[a-z]*.py", []),
    ],
)
def test_a_folder_named_in_brackets_is_no_pattern(text, files):
    assert [effect.target for effect in read_shell(text).effects] == files


def test_an_arrow_of_a_script_is_no_redirection():
    script = "const found = tools.filter(x => /node_repl.*js|run/i.test(x.name)); text(found);"
    assert read_shell(script).effects == ()
    assert [e.target for e in read_shell("make >log.txt 2>err.txt").effects] == ["log.txt"]
