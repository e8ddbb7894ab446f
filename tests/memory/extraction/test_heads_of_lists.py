"""Lists under a head that denies, orders or conditions them: an item keeps the head's words, no head stands alone."""

from __future__ import annotations

import pytest
from clock import cpu_seconds

from memory.extraction.clauses import clauses_of
from memory.extraction.extracting import extract_candidates

FORMS = {
    "dashes": ("- {}\n- {}", "\n"),
    "stars": ("* {}\n* {}", "\n"),
    "dots": ("• {}\n• {}", "\n\n"),
    "middle dots": ("· {}\n· {}", "\n"),
    "numbers": ("1. {}\n2. {}", "\n"),
    "brackets": ("1) {}\n2) {}", "\n\n"),
    "both brackets": ("(1) {}\n(2) {}", "\n"),
    "circled": ("① {}\n② {}", "\n"),
    "letters": ("a) {}\nb) {}", "\n"),
    "checkboxes": ("- [ ] {}\n- [x] {}", "\n"),
    "indented": ("  - {}\n  - {}", "\n"),
    "loose": ("- {}\n\n- {}", "\n\n"),
    "unmarked": ("{}\n{}", "\n"),
    "Chinese numbers": ("一、{}\n二、{}", "\n"),
    "full width": ("（1）{}\n（2）{}", "\n"),
}
"""How two items are listed, and what parts them from the head."""

HEADS = (
    # English
    ("Do not use:", "jQuery", "moment.js"),
    ("This phase should not add:", "news ingestion", "LLM-based ranking"),
    ("Don't:", "push to main", "rename public functions"),
    ("Never do this:", "commit generated files", "squash the history"),
    ("Please avoid the following:", "global state", "deep inheritance"),
    ("We must not touch:", "the billing module", "src/legacy"),
    ("You are not allowed to:", "install packages", "open ports"),
    ("Out of scope:", "mobile layout", "dark mode"),
    ("Non-goals:", "offline support", "a plug-in system"),
    ("Always:", "run the linter", "write a changelog entry"),
    ("You must use:", "httpx", "structlog"),
    ("Only use these libraries:", "requests", "attrs"),
    ("Ask me before:", "deleting files", "adding a dependency"),
    ("Translate everything except:", "product names", "log messages"),
    # Chinese
    ("不要使用：", "全局变量", "第三方图表库"),
    ("禁止：", "直接推送主分支", "删除线上数据"),
    ("请不要修改以下文件：", "配置模板", "迁移脚本"),
    ("别碰：", "支付模块", "登录流程"),
    ("必须：", "先写测试", "记录变更"),
    ("只能使用：", "标准库", "内部组件库"),
    ("严禁以下操作：", "重置数据库", "关闭鉴权"),
    ("本阶段不做：", "消息推送", "多语言"),
    ("避免：", "嵌套回调", "魔法数字"),
    # Japanese
    ("使わないでください：", "外部の画像", "古いAPI"),
    ("禁止事項：", "本番への直接デプロイ", "設定ファイルの変更"),
    ("次のファイルは変更しないこと：", "共通スタイル", "認証モジュール"),
    ("必ず守ること：", "命名規則の統一", "レビューの依頼"),
    ("以下のみ使用可：", "標準ライブラリ", "社内コンポーネント"),
    ("避けること：", "グローバル変数", "深いネスト"),
    # German
    ("Nicht verwenden:", "globale Variablen", "alte Hilfsklassen"),
    ("Niemals:", "direkt auf main pushen", "Tests löschen"),
    ("Bitte keine:", "neuen Abhängigkeiten", "Emojis in Commits"),
    ("Verboten sind:", "Inline-Styles", "verschachtelte Ternaries"),
    ("Immer:", "Typen angeben", "Tests schreiben"),
    ("Verwende nur:", "die Standardbibliothek", "unsere Komponenten"),
    ("Vermeide:", "lange Funktionen", "magische Zahlen"),
    # French
    ("Ne pas utiliser :", "les variables globales", "l'ancienne API"),
    ("N'ajoute jamais :", "de nouvelles dépendances", "du code mort"),
    ("Interdit :", "pousser sur main", "supprimer des tests"),
    ("Évite :", "les fonctions longues", "les noms abrégés"),
    ("Toujours :", "lancer les tests", "documenter les fonctions"),
    ("Utilise uniquement :", "la bibliothèque standard", "nos composants"),
    ("Hors périmètre :", "le mode hors ligne", "les notifications"),
    # Spanish
    ("No uses:", "variables globales", "la API antigua"),
    ("Nunca hagas esto:", "subir claves", "borrar migraciones"),
    ("Prohibido:", "tocar producción", "cambiar el esquema"),
    ("Evita:", "funciones largas", "nombres cortos"),
    ("Siempre:", "ejecuta las pruebas", "escribe en español"),
    ("Usa solo:", "la biblioteca estándar", "nuestros componentes"),
    # Russian
    ("Не используй:", "глобальные переменные", "старый клиент"),
    ("Никогда не делай:", "прямой пуш в мастер", "удаление миграций"),
    ("Запрещено:", "менять схему базы", "отключать проверки"),
    ("Избегай:", "длинных функций", "магических чисел"),
    ("Всегда:", "запускай тесты", "пиши комментарии"),
    ("Используй только:", "стандартную библиотеку", "наши компоненты"),
    ("Нельзя трогать:", "модуль оплаты", "папку legacy"),
    # Portuguese
    ("Não use:", "variáveis globais", "a API antiga"),
    ("Nunca faça isto:", "apagar migrações", "publicar chaves"),
    ("Proibido:", "mexer em produção", "mudar o esquema"),
    ("Evite:", "funções longas", "nomes curtos"),
    ("Sempre:", "rode os testes", "escreva comentários"),
    ("Use apenas:", "a biblioteca padrão", "nossos componentes"),
)
"""Heads that deny or order, and two items each, in eight languages."""
CASES = [
    (form, head, items)
    for number, (head, *items) in enumerate(HEADS)
    for form in (list(FORMS)[number % len(FORMS)], list(FORMS)[(number * 7 + 3) % len(FORMS)])
]


def contents(text):
    return [candidate.content for candidate in extract_candidates(text)]


@pytest.mark.parametrize(("form", "head", "items"), CASES)
def test_items_keep_the_words_of_their_head_and_no_head_stands_alone(form, head, items):
    listed, gap = FORMS[form]
    found = contents(head + gap + listed.format(*items) + "\n")
    assert found == [f"{head}{'' if head.endswith('：') else ' '}{item}" for item in items]


SHAPES = [
    # heads without a colon
    ("Do not use\n- jQuery\n- moment.js", ["Do not use: jQuery", "Do not use: moment.js"]),
    ("This phase should not add\n- ranking", ["This phase should not add: ranking"]),
    ("不要使用\n- 全局变量", ["不要使用：全局变量"]),
    ("Nicht verwenden\n\n- Singletons", ["Nicht verwenden: Singletons"]),
    ("Never push to main\n- fix the login", ["Never push to main"]),
    # headings
    ("## Never do\n\n- push to main\n\n## Steps\n\n- build the page", ["Never do: push to main"]),
    ("**Do not touch**\n\n- the schema", ["Do not touch: the schema"]),
    ("### 禁止事项\n1. 直接推送主分支\n", ["禁止事项：直接推送主分支"]),
    ("## Files that must not be changed\n- a.py", ["Files that must not be changed: a.py"]),
    ("## Don't\n\nPush to main without a review.\n\nThanks!", ["Don't: Push to main without a review."]),
    ("## Never deploy on Fridays\n\nThanks for your help.", ["Never deploy on Fridays"]),
    # nested lists
    (
        "Do not use:\n- JS libraries\n  - jQuery\n- Fonts\n",
        ["Do not use: JS libraries", "Do not use: JS libraries: jQuery", "Do not use: Fonts"],
    ),
    ("Do not use:\n* Frontend:\n\t* jQuery\n", ["Do not use: Frontend: jQuery"]),
    ("In production:\n- Never do:\n  - restarts\n", ["In production: Never do: restarts"]),
    (
        "1. Never do:\n- push to main\n- delete tables\n2. Always:\n- run the linter\n",
        ["Never do: push to main", "Never do: delete tables", "Always: run the linter"],
    ),
    ("- Do not use:\n- jQuery\n", ["Do not use: jQuery"]),
    # items of several lines and sentences
    ("Never:\n- push to main\n  without a review\n", ["Never: push to main without a review"]),
    ("Never:\n- Push to main. Use a branch instead.\n", ["Never: Push to main."]),
    ("Never:\n- Delete tables; drop columns.\n", ["Never: Delete tables; drop columns."]),
    ("Never run:\n```\ngit push -f\n```\nThanks!", ["Never run: git push -f"]),
    ("Do not use:\njQuery\nAlso fix the login page", ["Do not use: jQuery"]),
    (
        "Do not use:\njQuery\nmoment.js\nThat is all.",
        ["Do not use: jQuery", "Do not use: moment.js"],
    ),
    # lists that run on in their line
    ("do not use: a, b, c", ["do not use: a, b, c"]),
    ("不要使用：甲、乙、丙", ["不要使用：甲、乙、丙"]),
    ("禁止：推送主分支；删除数据；关闭鉴权", ["禁止：推送主分支；删除数据；关闭鉴权"]),
    ("Don't: push to main; delete tables", ["Don't: push to main; delete tables"]),
    ("Never 1) push to main 2) delete tables", ["Never 1) push to main 2) delete tables"]),
    ("Verboten: Singletons, Reflection", ["Verboten: Singletons, Reflection"]),
    ("Interdit : les singletons, la réflexion", ["Interdit : les singletons, la réflexion"]),
    ("Prohibido: variables globales, singletons", ["Prohibido: variables globales, singletons"]),
    ("Запрещено: глобальные переменные", ["Запрещено: глобальные переменные"]),
    ("Do not use: jQuery,\n  moment.js,\n  lodash\n", ["Do not use: jQuery, moment.js, lodash"]),
    # rules under a case
    ("If the tests fail:\n- do not push\n", ["If the tests fail: do not push"]),
    ("如果测试失败：\n- 不要推送\n", ["如果测试失败：不要推送"]),
    ("テストが失敗した場合：\n- 絶対に公開しないこと\n", ["テストが失敗した場合：絶対に公開しないこと"]),
    ("Wenn die Tests fehlschlagen:\n- niemals pushen\n", ["Wenn die Tests fehlschlagen: niemals pushen"]),
    ("Si les tests échouent :\n- jamais de déploiement\n", ["Si les tests échouent : jamais de déploiement"]),
    ("Si fallan las pruebas:\n- nunca publiques\n", ["Si fallan las pruebas: nunca publiques"]),
    ("Se os testes falharem:\n- nunca publique\n", ["Se os testes falharem: nunca publique"]),
    ("Если тесты упали:\n- никогда не публикуй\n", ["Если тесты упали: никогда не публикуй"]),
    ("if the tests fail, do not push", ["if the tests fail, do not push"]),
    ("never use X, Y, or Z", ["never use X, Y, or Z"]),
    # a rule, then what leads to the list
    (
        "Edit a.py. Do NOT read it first — just apply these changes:\n\n1. add the route",
        ["Do NOT read it first"],
    ),
    ("do not commit anything yet - just show me the diff:", ["do not commit anything yet"]),
    (
        "Always run the tests before committing, like this:\n```\nmake test\n```",
        ["Always run the tests before committing"],
    ),
    ("Do not use, import or mention:\n- jQuery\n", ["Do not use, import or mention: jQuery"]),
    ("Do not run, write or make:\n- migrations\n", ["Do not run, write or make: migrations"]),
    ("Don't push to main, use a branch:\n- feature/x\n", ["Don't push to main", "use a branch: feature/x"]),
    ("Do not use tabs - use spaces", ["Do not use tabs - use spaces"]),
    ("never write i--", ["never write i--"]),
    # items that are rules by themselves
    ("Don't:\n- never push to main\n- no mocks\n", ["never push to main", "no mocks"]),
]


@pytest.mark.parametrize(("text", "kept"), SHAPES)
def test_heads_and_items_of_every_shape(text, kept):
    assert contents(text) == kept


LONG = (
    (
        "Avoid nested loops over orders, recursive calls of the parser, global variables of any kind, or raw queries "
        "unless they are measurably faster."
    ),
    (
        "Do not change the database schema, rename any public function, reorder the columns of the reports, or touch "
        "the styles of the old pages."
    ),
    (
        "Never use jQuery, moment.js, lodash, underscore, or any other library that has not seen a release within "
        "the last twelve months"
    ),
    (
        "If the tests fail on the build server or on your own machine after you have merged the newest changes of the "
        "others, do not push anything"
    ),
    (
        "Do not touch the billing module of the web shop or any of the tables that belong to it in our database, "
        "unless I tell you to do so"
    ),
    "如果测试在构建服务器上或者在你自己的机器上失败了，不要推送任何东西到主分支，也不要部署到生产环境",
    (
        "Avoid: global state, deep inheritance, singletons, reflection, monkey patching, mutable default arguments, "
        "wildcard imports, and evaluated strings"
    ),
)


@pytest.mark.parametrize("text", LONG)
def test_long_rules_are_not_cut_at_their_commas(text):
    assert contents(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Do not use:",
        "## Never do\n",
        "不要使用：",
        "Always:\n\n",
        "Nunca:",
        "禁止事項：\n",
        "Immer:",
        "Не используй:",
    ],
)
def test_a_head_without_items_is_no_memory(text):
    assert contents(text) == []
    assert contents(f"{text}\n\n## Pages\n- the start page\n") in ([], ["the start page"])


NEUTRAL = (
    *(
        "Requirements:",
        "To do:",
        "Steps:",
        "Error handling:",
        "Developer notes:",
        "Use cases:",
        "Features:",
        "What I need:",
    ),
    *(
        "Build these pages:",
        "Features (sans-serif):",
        "Required packages:",
        "Notes:",
        "要求：",
        "不同的页面：",
        "做以下修改：",
    ),
    *(
        "以下の機能を追加：",
        "要件：",
        "Anforderungen:",
        "Ich möchte:",
        "Exigences :",
        "Je veux :",
        "Requisitos:",
        "Pasos:",
    ),
    *("Требования:", "Сделай:"),
)


@pytest.mark.parametrize("head", NEUTRAL)
def test_a_head_that_only_names_its_items_leaves_them_as_they_are(head):
    text = f"{head}\n- The table must show name and date\n- Never log passwords\n- use PostgreSQL for the data\n"
    found = extract_candidates(text)
    kept = [candidate.content for candidate in found]
    assert kept == ["The table must show name and date", "Never log passwords", "use PostgreSQL for the data"]
    assert not any(candidate.heads for candidate in found)


def test_both_spans_are_kept():
    text = "Hi. Do not use:\n- Libraries:\n  - jQuery\n    and its plug-ins\n"
    (found,) = extract_candidates(text)
    assert [text[low:high] for low, high in found.heads] == ["Do not use:", "Libraries:"]
    assert " ".join(text[found.start : found.end].split()) == "jQuery and its plug-ins"
    assert found.content == "Do not use: Libraries: jQuery and its plug-ins"


def test_what_is_denied_or_holds_in_a_case_answers_no_question():
    denied, *_ = extract_candidates("Do not use:\n- MySQL\n")
    assert (denied.slots, denied.retracts) == ((), ("mysql",))
    (case,) = extract_candidates("If it runs on CI:\n- never use port 4000\n")
    assert (case.slots, case.retracts) == ((), ())
    assert [slot.value for slot in extract_candidates("Use:\n- PostgreSQL\n")[0].slots] == ["postgresql"]


def test_secrets_in_heads_and_items_are_redacted():
    secret = "sk-ant-api03-" + "Ab1" * 30
    (found,) = extract_candidates(f"Never use the key {secret} for:\n- uploads\n")
    assert secret not in found.content
    assert found.content.endswith("uploads")
    (found,) = extract_candidates(f"Never print:\n- {secret}\n")
    assert found.content.startswith("Never print: ")
    assert secret not in found.content


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit",
    [
        "- do not:\n",
        "- do not:\n- a\n1. x\n",
        "never a, if b, ",
        "not: a; ",
        "never 1) a 2) b ",
        "## don't\n\na\n",
        "如果在",
    ],
)
def test_cutting_is_linear_in_lists_and_heads(unit):
    short, long = (cpu_seconds(lambda text=unit * count: clauses_of(text)) for count in (2_000, 8_000))
    assert long < 12 * short + 0.2
