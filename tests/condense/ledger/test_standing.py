"""Where the work stands is told from the messages and tool calls: what was done for the latest request."""

from __future__ import annotations

import pytest

from condense.ledger.document import Ledger, Said, read_ledger
from condense.ledger.history import Carried, History
from condense.ledger.readings import HistoryReading
from condense.ledger.state_section import standing_lines
from condense.reading.text.languages import typed_language
from condense.reading.trail.collecting import collect_artifacts
from memory.conversation.wire.parsing import parse_messages

ASK = {"role": "user", "content": "make the port configurable"}
REPORT = {"role": "assistant", "content": "Done: the port is read from the environment."}


def exchange(number, name, arguments, output="ok", *, is_error=False):
    call = {"type": "tool_use", "id": f"c{number}", "name": name, "input": arguments}
    answer = {"type": "tool_result", "tool_use_id": f"c{number}", "content": output, "is_error": is_error}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]


def edit(number, path="app/port.py"):
    return exchange(number, "Edit", {"file_path": path, "old_string": "1", "new_string": "2"})


def run(number, command, output="ok", *, is_error=False):
    return exchange(number, "Bash", {"command": command}, output, is_error=is_error)


def stand(*parts, asked=0, language="en", typed="", by_program=False, before=()):
    messages = parse_messages([m for part in parts for m in (part if isinstance(part, list) else [part])])
    request = (asked, Said(1, typed))
    carried = Carried((), (), (), request) if by_program else Carried((), (request,))
    reading = HistoryReading(History.of(messages, len), carried, collect_artifacts(messages))
    return standing_lines(reading, language, before)


def test_a_request_without_an_answer_has_not_begun():
    assert stand(ASK) == ("work on the latest request has not begun",)


def test_an_unfinished_turn_says_that_nothing_was_reported():
    lines = stand(ASK, edit(1), run(2, "pytest -q", "3 passed in 0.1s"))
    assert len(lines) == 1
    assert "goes on: 2 calls" in lines[0]


def test_a_finished_turn_says_so():
    assert "ended its turn after 1 call" in stand(ASK, edit(1), REPORT)[0]


def test_a_task_from_a_program_has_no_user_to_report_to():
    lines = stand(ASK, edit(1), by_program=True)
    assert "goes on: 1 call" in lines[0]
    assert "user" not in lines[0]


def test_a_change_that_nothing_was_run_after_is_still_to_be_verified():
    lines = stand(ASK, run(1, "pytest -q", "3 passed in 0.1s"), edit(2), run(3, "cat app/port.py"))
    assert "still to verify: nothing was compiled, run or tested since the last change (app/port.py)" in lines
    lines = stand(ASK, edit(1), run(2, "npm install left-pad"))
    assert "still to verify: nothing was compiled, run or tested since the last change (app/port.py)" in lines


@pytest.mark.parametrize("command", ["pytest -q", "cargo build", "ruff check .", "npm run build"])
def test_a_test_build_or_check_afterwards_verifies_it(command):
    assert not any("verify" in line for line in stand(ASK, edit(1), run(2, command)))


@pytest.mark.parametrize(
    "command",
    [
        "bash checks/tide.sh", "./bin/ci", "node tide.js", "npm start &", "python -c 'import tide'", "Rscript tide.R",
        "docker compose run --rm quay make", "ssh pilot 'make'", "uv run tide", "curl -s localhost:4000/tide | jq .",
        "cat > t.py <<'E'\nimport tide\nE\npython t.py", "bash -c './tide --list'", "python tide.py > out.txt",
        "poe test", "psql -f tide.sql", "pre-commit run -a", "hugo", "cd quay && ./install", "env TIDE=1 ./tide",
    ],
)  # fmt: skip
def test_so_does_whatever_runs_something_of_the_project(command):
    assert not any("verify" in line for line in stand(ASK, edit(1), run(2, command)))


@pytest.mark.parametrize(
    "command",
    [
        "git commit -am tide", "mkdir -p quay && mv a.md b.md", "sleep 5; tail -f quay.log", "docker ps",
        "docker logs quay", "npm ls tide", "bash -c 'cat tide.py'", "bash <<'E'\nls\nE", "curl https://example.com/tide",
        "python - <<'E'\nopen('app/port.py', 'w').write('3')\nE", "sed -i s/1/2/ app/port.py", "node --version",
        "perl -pi -e 's/1/2/' app/port.py", "/usr/bin/git status", "for f in a b; do echo $f; done", "kill 4100",
        "pip install x",
    ],
)  # fmt: skip
def test_what_looks_moves_files_or_edits_verifies_nothing(command):
    lines = stand(ASK, edit(1), run(2, command))
    assert "still to verify: nothing was compiled, run or tested since the last change (app/port.py)" in lines


def test_a_run_that_the_user_refused_verifies_nothing():
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert any("verify" in line for line in stand(ASK, edit(1), run(2, "pytest -q", refused, is_error=True)))


STOP = "[Request interrupted by user for tool use]"
ABORTED = "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>"


def with_text(messages, *texts):
    told = [{"type": "text", "text": text} for text in texts]
    return [*messages[:-1], {"role": "user", "content": [*messages[-1]["content"], *told]}]


@pytest.mark.parametrize(
    "end",
    [
        with_text(edit(2), STOP),
        [*edit(2), {"role": "user", "content": "[Request interrupted by user]"}],
        [*edit(2), {"role": "assistant", "content": "Now the pier."}, {"role": "user", "content": STOP}],
        [*edit(2), {"role": "user", "content": ABORTED}],
    ],
)
def test_work_that_the_user_stopped_does_not_go_on(end):
    told = "the user stopped the work after 2 calls; nothing says that it is to go on"
    assert stand(ASK, edit(1), end)[0] == told
    assert stand(ASK, edit(1), end, by_program=True)[0] == told
    assert stand(ASK, edit(1), end, language="zh")[0].startswith("用户在助手已调用 2 次 后中止了工作")
    assert "goes on: 3 calls" in stand(ASK, edit(1), end, edit(3))[0], "it went on"


def test_a_request_behind_the_stop_in_one_message_is_the_latest():
    lines = stand(ASK, with_text(edit(1), STOP, "Paint the pier."), asked=2)
    assert lines[0] == "work on the latest request has not begun"
    assert "goes on: 1 call" in stand(ASK, with_text(edit(1), STOP, "Paint the pier."), edit(2), asked=2)[0]


def test_a_text_that_speaks_of_a_stop_is_none():
    shown = run(2, "cat log.txt", STOP)
    assert "goes on: 2 calls" in stand(ASK, edit(1), shown)[0]
    assert "goes on: 2 calls" in stand(ASK, edit(1), with_text(run(2, "ls"), f"Why does it say {STOP}?"))[0]


def test_a_check_that_could_not_be_started_verifies_nothing():
    lines = stand(ASK, edit(1), run(2, "cargo build", "bash: cargo: command not found", is_error=True))
    assert any(line.startswith("still to verify") for line in lines)


def test_changes_for_an_earlier_request_are_left_to_the_list_of_runs():
    lines = stand([ASK, *edit(1), REPORT], [{"role": "user", "content": "and the host"}, *run(2, "ls")], asked=4)
    assert not any("verify" in line for line in lines)


def test_documents_need_no_run():
    assert not any("verify" in line for line in stand(ASK, edit(1, "README.md"), edit(2, ".gitignore")))


def test_a_report_that_is_handed_over_by_a_tool_ends_the_turn():
    report = {
        "type": "tool_use",
        "id": "r",
        "name": "attempt_completion",
        "input": {"result": "Done: it works."},
    }
    ended = stand(ASK, edit(1), {"role": "assistant", "content": [report]})
    assert ended == stand(ASK, edit(1), REPORT)
    assert stand(ASK, edit(1), exchange(2, "attempt_completion", {"result": "Done."}, "ok"))[0] == ended[0]


def test_what_a_program_logs_is_nothing_to_verify():
    for path in ("~/.agent/telemetry.jsonl", "out/events.jsonl", "yarn.lock"):
        assert not any("verify" in line for line in stand(ASK, edit(1, path)))


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (
            "./mvnw install",
            "Error: JAVA_HOME is not defined correctly.\n  We cannot execute /opt/java/bin/java",
        ),
        ("./gradlew build", "bash: ./gradlew: Permission denied"),
        ("cargo test", "error: rustup could not choose a version of rustc to run"),
        ("export PATH=$JAVA_HOME/bin:$PATH", ""),
        ("cd app && source .venv/bin/activate", ""),
        ("printenv | grep JAVA", "JAVA_HOME=/opt/java"),
    ],
)
def test_a_command_that_could_not_begin_or_only_prepares_verifies_nothing(command, output):
    lines = stand(ASK, edit(1), run(2, command, output))
    assert "still to verify: nothing was compiled, run or tested since the last change (app/port.py)" in lines


def test_it_is_told_in_chinese_where_the_ledger_is():
    lines = stand(ASK, edit(1), language="zh")
    assert lines[0] == "最新请求仍在进行：已调用 1 次，尚未向用户作最终汇报"
    assert any(line.startswith("有待验证") for line in lines)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("please make the port configurable and run the tests", "en"),
        ("preciso que você faça a porta configurável, não mude os testes e não apague nada", "pt"),
        ("haz que el puerto sea configurable, pero no cambies las pruebas de la base", "es"),
        ("rends le port configurable mais ne change pas les tests de la base avec les données", "fr"),
        ("mach den Port bitte einstellbar und ändere die Tests nicht, sie sind auch für die Kunden", "de"),
        ("сделай порт настраиваемым и не трогай тесты", "ru"),
        ("зроби порт налаштовуваним і не чіпай її тести", "uk"),
        ("ポートを設定できるようにしてください。テストは変更しないで", "ja"),
        ("포트를 설정 가능하게 해줘", "ko"),
        ("把端口改成可配置的", "zh"),
        ("src/app.py", ""),
        ("", ""),
    ],
)
def test_the_language_a_person_types_in_is_known(text, code):
    assert typed_language([text]) == code


def test_code_and_paths_do_not_hide_the_language():
    text = (
        "não funciona: `for the of and to in is it that this` em src/the/of/and.py, mas os testes não são da base"
    )
    assert typed_language([text]) == "pt"


def test_a_snippet_in_another_script_is_not_what_the_person_types_in():
    text = "please translate the greeting of the start page, it says ようこそ and should say welcome in English"
    assert typed_language([text]) == "en"


RUSSIAN = "сделай порт настраиваемым и не трогай тесты"


def test_a_language_that_is_not_the_ledgers_is_named():
    assert stand(ASK, typed=RUSSIAN)[0] == "the user writes in Russian"
    assert stand(ASK, typed=RUSSIAN, language="zh")[0] == "用户使用俄语"
    assert not any(
        "English" in line for line in stand(ASK, typed="please make the port configurable and run the tests")
    )


def test_where_the_work_stands_is_read_back():
    ledger = Ledger(standing=("work on the latest request has not begun", "told by the client: shell: zsh"))
    assert "# Where the work stands\n- work on" in ledger.render()
    assert read_ledger(ledger.render()) == ledger


TOLD = (
    "<environment_context>\n  <cwd>/w</cwd>\n  <network_access>restricted</network_access>\n  <shell>zsh</shell>\n"
)
PLAIN = "<environment_context>\nApproval policy: on-request\nNetwork access: restricted\n"


@pytest.mark.parametrize(
    ("told", "values"),
    [
        (TOLD, "cwd: /w; network_access: restricted; shell: zsh"),
        (PLAIN, "Approval policy: on-request; Network access: restricted"),
    ],
)
def test_what_the_client_told_of_the_machine_is_said_in_a_line(told, values):
    note = {"role": "user", "content": f"{told}</environment_context>"}
    assert f"told by the client: {values}" in stand(note, ASK, edit(1), asked=1)
    later = {
        "role": "user",
        "content": "<environment_context>\n  <shell>fish</shell>\n</environment_context>",
    }
    newer = values.replace("zsh", "fish") if "zsh" in values else f"{values}; shell: fish"
    assert f"told by the client: {newer}" in stand(note, ASK, later, edit(1), asked=1)
    assert not any("told by" in line for line in stand(ASK, edit(1)))


def test_what_the_client_told_survives_a_compaction_until_it_tells_anew():
    before = ["work on the task goes on: 1 call so far", "told by the client: shell: zsh; cwd: /w"]
    assert before[1] in stand(ASK, edit(1), before=before)
    note = {"role": "user", "content": "<environment_context>\n<shell>bash</shell>\n</environment_context>"}
    told = stand(note, ASK, edit(1), asked=1, before=before, language="zh")
    assert "客户端告知：shell: bash; cwd: /w" in told


def test_the_language_is_that_of_the_newest_requests():
    said = (
        "We need the port to be read from the file of settings, and the tests of it. " * 9,
        "菜单在哪里？",
        "改成顶层菜单吧",
        "继续",
    )
    messages = parse_messages([ASK, REPORT])
    carried = Carried((), tuple((0, Said(n, text)) for n, text in enumerate(said, 1)))
    reading = HistoryReading(History.of(messages, len), carried, collect_artifacts(messages))
    assert not any("用户使用" in line for line in standing_lines(reading, "zh"))
    assert "the user writes in Chinese" in standing_lines(reading, "en")
