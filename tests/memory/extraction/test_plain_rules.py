"""Plain rules: a way of working said in one short sentence is a memory; the work at hand is none."""

from __future__ import annotations

import pytest
from builders import memories_of
from clock import cpu_seconds
from hypothesis import given, strategies as st

from memory.entries.entry import MemoryPriority, MemoryType
from memory.extraction.rules import plain_rule

STANDING = [
    "write the docs in english",
    "文档用英文",
    "Run ruff on everything you change",
    "Please always write tests with pytest.",
    "Keep functions under 50 lines.",
    "I prefer tabs over spaces.",
    "No emojis in the code.",
    "Ask me before deleting anything.",
    "Commit messages in English please.",
    "Update the changelog after every feature",
    "以后提交前都要跑一遍测试",
    "代码注释用英文",
    "函数不要超过 50 行",
    "删除文件之前先问我",
    "Use 4 spaces for indentation",
    "please use camelCase",
    "Keep the answers short.",
    "keep the comments in English",
    "No new dependencies please",
    "Follow the existing code style",
    "stick to PEP 8",
    "使用 4 个空格缩进",
    "變數名稱一律用英文",
    "错误信息要用中文",
    "回答尽量简短",
    "コメントは日本語で書いてください",
    "我更喜欢用制表符",
    "Pregúntame antes de borrar algo.",
    "Écris toujours un test d'abord.",
    "用 tab 缩进",
    "回答我时请用中文。",
    "代码风格遵循 PEP8。",
    "命名要符合团队规范",
]
TASK = [
    "keep it english please",
    "continue, but in German",
    "in English please",
    "用中文",
    "focus on the backend, I will handle the frontend",
    "leave the frontend to me",
    "Only edit files under src/.",
    "We deploy on Fridays only.",
    "Write docstrings for every public function.",
    "run the tests before committing",
    "只改 src 目录下的文件",
    "Make sure all endpoints are authenticated",
    "ensure that every API has error handling",
    "every function needs a docstring",
    "it has to work on Windows too",
    "write tests for everything",
    "I want all text in German",
    "这个项目只能用 TypeScript",
    "请确保所有 API 都有错误处理",
    "实现时请不要加注释",
    "不用写测试",
    "ne modifie pas les tests",
    "ändere die Tests nicht",
    "Jede Funktion braucht Typannotationen.",
    "Pas de variables globales.",
    "部署前先跑测试",
    "リリース前にテストを実行してください。",
    "全ての関数に型注釈を付けること。",
    "タイムアウトは30秒にしてください。",
]
NO_RULE = [
    "Fix the failing test.",
    "run the tests again",
    "Thanks, looks good",
    "Why does it always run twice",
    "it always fails after the second request",
    "we always see a blank page first",
    "only one of the tests fails",
    "No problem, go on",
    "no changes in the code please for now",
    "no comments in the output please",
    "Can you check each file?",
    "write the report before lunch",
    "commit and push everything",
    "add a button to every row",
    "add a column to each table",
    "create a page for every product",
    "use the same color for all your buttons",
    "only change the header color",
    "change the header only",
    "I prefer the second option",
    "I prefer option B",
    "tell me before you start",
    "ask me first which database",
    "帮我看看这个报错",
    "请写一个登录页面",
    "以后再说吧",
    "为什么每次都要重启",
    "喜欢用第二种",
    "每个页面加一个返回按钮",
    "use two spaces between the words",
    "make the button small",
    "follow the link in the existing page",
    "match the color of the header",
    "keep the file open",
    "it has to be somewhere in the logs",
    "every test fails with an error",
    "we deploy it now",
    "the start command is broken",
    "回答我的问题",
    "不用了谢谢",
    "运行时报错了",
    "每个文件都报错",
]


@pytest.mark.parametrize("text", [*STANDING, *TASK])
def test_a_plain_rule_is_remembered_word_for_word(text):
    (found,) = memories_of(text)
    assert text.startswith(found.content)
    assert found.type is MemoryType.USER_INSTRUCTION
    assert found.priority.rank >= MemoryPriority.HIGH.rank


@pytest.mark.parametrize("text", STANDING)
def test_a_way_of_working_outlasts_the_task(text):
    assert memories_of(text)[0].standing


@pytest.mark.parametrize("text", TASK)
def test_the_scope_of_a_task_does_not(text):
    assert not memories_of(text)[0].standing


@pytest.mark.parametrize(
    "text",
    [
        "数据库用 PostgreSQL，绝对不要动 migrations 目录。",
        "始终使用 pnpm，不要用 npm",
        "不允许直接推送到 main 分支。",
        "Pushing straight to main is not allowed.",
        "Using MySQL is forbidden.",
        "Editing generated files is prohibited.",
    ],
)
def test_a_ban_is_critical_wherever_it_stands_and_however_it_is_put(text):
    (found,) = memories_of(text)
    assert (found.content, found.priority) == (text, MemoryPriority.CRITICAL)
    assert found.type is MemoryType.USER_INSTRUCTION


@pytest.mark.parametrize("text", NO_RULE)
def test_the_work_at_hand_is_no_rule(text):
    assert not memories_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Always run the linter before you commit.",
        "Never touch the migrations.",
        "All new code must have type hints.",
    ],
)
def test_what_is_said_for_good_is_kept_for_good(text):
    (found,) = memories_of(text)
    assert found.standing


def test_what_the_product_always_does_is_not_kept_for_good():
    (found,) = memories_of("Always show the sidebar on the left.")
    assert not found.standing


def test_a_ban_for_this_task_is_not_kept_for_good():
    (found,) = memories_of("Don't touch the config file")
    assert not found.standing


@given(
    st.text(alphabet="always never only every each no in prefer keep 以后都要每次前先问不超过5 -.,", max_size=200)
)
def test_no_question_is_a_rule(text):
    assert plain_rule(f"{text.lower()}?") is None
    if plain_rule(text) is not None:
        assert plain_rule(f"why {text}") is None


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit", ["keep ", "always ", "no a ", "run each ", "以后", "we only ", "ask me before ", "a"]
)
def test_time_is_linear(unit):
    small, large = (unit * (size // len(unit)) for size in (4_000, 32_000))
    cpu_seconds(lambda: plain_rule(small))
    assert cpu_seconds(lambda: plain_rule(large), 2) < 24 * max(cpu_seconds(lambda: plain_rule(small), 2), 1e-4)


@pytest.mark.parametrize(
    "text",
    [
        "No inline styles.",
        "No hardcoded URLs.",
        "Keine Inline-Styles.",
        "Nada de prints.",
        "Only touch packages/web.",
        "Ändere nur packages/web.",
        "Ne touche qu'à packages/web.",
        "Меняй только packages/web.",
        "Write the docs in British English.",
        "Schreib die Doku auf Englisch.",
        "Answer in two sentences at most.",
        "Отвечай коротко.",
        "回答不要超过十行",
        "密码不能打到日志里",
        "Aktualisiere React nicht.",
        "Não atualize o React.",
        "Utilise snake_case.",
    ],
)
def test_short_bans_bounds_and_ways_to_answer_are_remembered(text):
    assert [m.content for m in memories_of(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "No errors.",
        "No problem.",
        "No changes.",
        "Why is this not allowed?",
        "ok you can try again",
        "You can start the server now",
        "这个接口不符合规范",
        "我不得不重启电脑",
        "现在可以用浏览器打开了",
        "为什么不允许推送？",
        "Keine Ahnung.",
        "No luck so far.",
        "Das geht nicht.",
    ],
)
def test_what_only_sounds_like_a_ban_is_not(text):
    assert not memories_of(text)


@pytest.mark.parametrize("text", ["代码格式不符合团队规范", "系统不允许删除用户", "标题长度不要超过 20"])
def test_what_a_program_does_not_allow_is_no_ban_of_the_persons(text):
    assert all(memory.priority is not MemoryPriority.CRITICAL for memory in memories_of(text))


def test_the_language_of_a_conversation_is_kept_for_good():
    (kept,) = memories_of("please clean the stalls, and keep our chat in english")
    assert kept.standing


FACTS = [
    ("The build command is make release", MemoryType.CONFIGURATION),
    ("Our test command is tox -e py312", MemoryType.CONFIGURATION),
    ("The default locale is fr-FR", MemoryType.CONFIGURATION),
    ("the api base url is https://api.example.org/v3", MemoryType.CONFIGURATION),
    ("启动命令是 make dev", MemoryType.CONFIGURATION),
    ("默认时区是 Asia/Shanghai", MemoryType.CONFIGURATION),
    ("Tech stack: Svelte + Prisma", MemoryType.CONFIGURATION),
    ("The site is hosted on Netlify", MemoryType.CONFIGURATION),
    ("我们部署在 Fly.io", MemoryType.CONFIGURATION),
    ("后端是 Django", MemoryType.TECHNICAL_DECISION),
    ("バックエンドはDjangoです", MemoryType.TECHNICAL_DECISION),
    ("测试框架是 Jest", MemoryType.TECHNICAL_DECISION),
    ("I'm on Windows 11", MemoryType.PROJECT_CONTEXT),
    ("The client is a small library", MemoryType.PROJECT_CONTEXT),
    ("All timestamps are stored as integers", MemoryType.PROJECT_CONTEXT),
    ("Maximum file size is 20 MB", MemoryType.PROJECT_CONTEXT),
    ("我的系统是 Ubuntu", MemoryType.PROJECT_CONTEXT),
    ("金额以分为单位", MemoryType.PROJECT_CONTEXT),
]


@pytest.mark.parametrize(("text", "kind"), FACTS)
def test_a_plain_fact_of_a_project_is_remembered_and_stands(text, kind):
    (memory,) = memories_of(text)
    assert (memory.content, memory.type, memory.standing) == (text, kind, True)


@pytest.mark.parametrize(
    "text",
    [
        "Be concise",
        "Indent with tabs",
        "One file at a time please",
        "Leave the lock file alone",
        "Use the local database for tests",
        "Stay with the current design",
        "Summarize your work after every step",
        "一次只改一个文件",
    ],
)
def test_a_plain_way_of_working_is_remembered(text):
    assert [memory.type for memory in memories_of(text)] == [MemoryType.USER_INSTRUCTION]


@pytest.mark.parametrize(
    "text",
    [
        "The default language is wrong",
        "The database name is missing",
        "The build command is not found",
        "接口地址是什么",
        "数据库名为空",
        "The files are saved in the wrong folder",
        "My machine is slow",
        "I'm on the settings page",
        "The team is waiting",
        "The images are not loading now",
        "这是什么项目",
        "Leave the server running",
    ],
)
def test_what_is_the_matter_is_no_plain_fact(text):
    assert not any(memory.standing for memory in memories_of(text))
