"""Short sayings that steer the work, and faults told in plain words, are memories; small talk is none."""

from __future__ import annotations

import pytest
from builders import memories_of
from clock import cpu_seconds

from memory.entries.entry import MemoryType
from memory.extraction.rules.plain_reports import asks_why_still, is_plain_report
from memory.extraction.rules.plain_rules import Reach, plain_rule

STEERED = [
    "no need to translate the labels",
    "you don't need to rename the table",
    "não precisa resumir",
    "no hace falta traducir los comentarios",
    "pas besoin de traduire les commentaires",
    "Kommentare sind nicht nötig",
    "副标题不需要",
    "换行也不要",
    "ヘッダーはいらない",
    "コメントは書かなくていいです",
    "do everything without asking",
    "faça tudo sem perguntar",
    "hazlo todo sin preguntar",
    "делай всё без вопросов",
    "wait for my go before deploying",
    "aguarde minhas instruções",
    "espera mis instrucciones",
    "жди моих указаний",
    "等我的指示再继续",
    "指示を待って",
    "сделай так чтобы окно закрывалось само",
    "сделай чтобы при ошибке показывалось уведомление",
    "haz que el menú se cierre solo",
    "faz com que o menu feche sozinho",
    "fais en sorte que le menu se ferme seul",
    "sorge dafür, dass das Menü sich schließt",
    "udělej to tak, aby se menu zavřelo",
    "make it so that the menu closes",
    "warte auf meine Antwort",
    "attends mes instructions",
    "每一步都不用确认",
    "確認なしで直して",
    "generate the complete file",
    "only develop the billing frontend",
    "emphasise the payment part",
]
CHOSEN = [
    "build it in rust",
    "write the script in python",
    "案Bでお願いします。",
    "方法2で進めてください",
    "バックエンドはGoで作ってください",
    "я хочу именно svelte",
]
REPORTED = [
    "500 Internal Server Error",
    "502 Bad Gateway",
    "415 Unsupported Media Type",
    "сборка перестала проходить",
    "клики по иконке ничего не дают",
    "окно не закрылось",
    "кнопка не нажимается",
    "la página no carga",
    "o botão não responde",
    "le menu ne s'affiche pas",
    "保存しても画面が変わらない",
    "为什么还是没有日志",
    "почему опять не открывается меню",
    "why is the sidebar still empty",
    "when I click save the modal turns white",
    "the upload takes forever",
    "the picture flickers",
    "the list vanishes",
    "nothing happens when I click",
    "la pantalla se queda en blanco",
    "o app travou de novo",
    "das Fenster reagiert einfach nicht",
    "rien ne se passe",
    "nic se neděje",
    "按钮点不了",
]
NEITHER = [
    "no need",
    "no need to worry",
    "you don't need to be sorry",
    "wait a second",
    "wait why is it red",
    "谢谢不用了",
    "要不要换一个",
    "需不需要登录",
    "make it so much better",
    "do it in two steps",
    "focus on that",
    "не показывай",
    "200 OK",
    "500 users",
    "why is the sky blue",
    "方法を教えてください",
    "no need to apologize",
    "no hace falta dar las gracias",
    "急がなくていいです",
    "wait until I get back",
    "等我下班再说",
    "it logs in without asking for a password",
    "make it so easy that anyone gets it",
    "write a function in python that reverses a string",
    "make a snake game in javascript",
    "quiero exactamente lo mismo",
    "方法1でやってみてもいいですか",
    "why do we still use webpack here?",
    "why do you keep asking me the same thing again",
    "почему до сих пор используем старую версию?",
    "por qué aún usamos esta versión",
    "どうしてこれを使わないの？",
    "I won't start before Monday",
    "don't show up late",
    "the api does not change often",
    "500 requests per second is our target",
    "401 unauthorized is what the spec says",
    "no pasa nada, seguimos",
    "он не отдаёт деньги",
    "好久不见了",
    "缓存失效时间是多少",
    "この関数は非同期になっている",
    "エラーが出ないことを確認した",
]
LAID_DOWN = [
    "note: some files must never be edited",
    "You must never log at 2025-01-01 00:00:00 INFO level, use DEBUG",
]


@pytest.mark.parametrize("text", STEERED)
def test_what_steers_the_work_is_remembered_for_the_task(text):
    assert plain_rule(text.lower()) is Reach.TASK
    (found,) = memories_of(text)
    assert found.content == text
    assert found.type is MemoryType.USER_INSTRUCTION
    assert not found.standing


@pytest.mark.parametrize("text", CHOSEN)
def test_what_is_chosen_is_a_decision(text):
    (found,) = memories_of(text)
    assert found.content == text
    assert found.type is MemoryType.TECHNICAL_DECISION
    assert not found.standing


@pytest.mark.parametrize("text", REPORTED)
def test_a_fault_told_in_plain_words_is_an_error(text):
    assert is_plain_report(text.lower()) or asks_why_still(text.lower())
    (found,) = memories_of(text)
    assert found.content == text
    assert found.type is MemoryType.IMPORTANT_ERROR


@pytest.mark.parametrize("text", NEITHER)
def test_small_talk_and_questions_are_neither(text):
    assert not memories_of(text)


@pytest.mark.parametrize(
    "text", ["it should never turn white", "если окно не закрылось, закрой его", "消えないようにして"]
)
def test_what_is_wished_or_supposed_is_no_report(text):
    assert not is_plain_report(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "'a.md' (see below for file content) 'b.md' (see below for file content) never touch b.md",
            "never touch b.md",
        ),
        (
            "the window crashes with an error 2025-01-01T10:00:00.123Z DEBUG tray: click",
            "the window crashes with an error",
        ),
    ],
)
def test_what_a_client_or_a_log_put_beside_a_sentence_is_cut_off(text, kept):
    assert [found.content for found in memories_of(text)] == [kept]


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["не за", "no se ", "why ", "没有", "なくて", "turns ", "为什么还是", "a "])
def test_time_is_linear(unit):
    small, large = (unit * (size // len(unit)) for size in (4_000, 32_000))

    def look(text):
        is_plain_report(text)
        asks_why_still(text)

    look(small)
    assert cpu_seconds(lambda: look(large), 2) < 24 * max(cpu_seconds(lambda: look(small), 2), 1e-4)


@pytest.mark.parametrize(
    "line",
    [
        "usage: shop.py [-h] --out FILE",
        "test result: FAILED. 3 passed; 1 failed",
        "test cart::adds ... FAILED",
        "running 12 tests",
        "tokio::runtime::park::CachedParkThread::block_on::{{closure}}",
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    ],
)
def test_what_a_program_printed_is_no_rule(line):
    assert not memories_of(f"look at this, it must work:\n{line}")[1:]


def test_a_line_after_a_hash_is_a_note_unless_it_asks():
    assert memories_of("# the demo is on Friday")[0].priority.value == "critical"
    assert not memories_of("# Question: how do I set the path ?")
