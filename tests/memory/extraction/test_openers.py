"""What binds is found wherever it stands: behind everyday openers, inside prose, and after many compactions."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from builders import quarter
from clock import cpu_seconds

from condense import CondenseConfig, Condenser, TokenBudget
from memory import ConversationMemory
from memory.extraction.extracting import extract_candidates

RULES = {
    "en": """Never push to main.|Do not add new dependencies.|Don't touch the migrations folder.|Use port 3001.
        Ask me before you delete anything.|Always run the tests before committing.|Keep functions under 50 lines.
        Use pnpm instead of npm.|All commit messages must be in English.|Only edit files under src/.
        No mocks in the tests.|Avoid global state.|The API must stay backwards compatible.""",
    "zh": """不要改数据库结构|日志不要打印手机号|提交前必须跑测试|以后都用 pnpm|禁止直接推送到 main 分支
        端口用 3001|删除文件前要先问我|所有接口都要加鉴权|只能修改 src 目录下的文件|代码注释用英文
        没有我的同意不要部署|别动 legacy 目录""",
    "ja": """main に直接プッシュしないでください。|コメントは日本語で書いてください。|ポートは3001を使ってください。
        コミット前に必ずテストを実行してください。|パスワードは絶対にログに出さないこと。|本番環境のデータは使用禁止です。
        今後は pnpm を使ってください。|migrations フォルダには触らないでください。|すべての API に認証が必須です。
        新しい依存関係を追加しないで。|全ての関数に型注釈を付けること。|データベースの構造は変更しないでください。""",
    "de": """Pushe niemals auf main.|Füge keine neuen Abhängigkeiten hinzu.|Ändere die Migrationen nicht.
        Verwende Port 3001.|Frag mich, bevor du etwas löschst.|Vor jedem Commit müssen die Tests laufen.
        Keine Passwörter in die Logs schreiben.|Nutze pnpm statt npm.|Ab jetzt antworte auf Deutsch.
        Alle Endpunkte müssen authentifiziert sein.|Kein lodash verwenden.|Schreib immer zuerst einen Test.""",
    "fr": """Ne pousse jamais sur main.|N'ajoute pas de nouvelles dépendances.|Ne touche pas aux migrations.
        Utilise le port 3001.|Demande-moi avant de supprimer quoi que ce soit.|Utilise pnpm au lieu de npm.
        Il faut toujours lancer les tests avant de commiter.|Les commentaires doivent être en anglais.
        Désormais réponds en français.|Tous les endpoints doivent être authentifiés.|Pas de variables globales.
        Écris toujours un test d'abord.""",
    "es": """Nunca hagas push a main.|No añadas nuevas dependencias.|No toques las migraciones.|Usa el puerto 3001.
        Pregúntame antes de borrar algo.|Ejecuta siempre los tests antes de hacer commit.|Usa pnpm en vez de npm.
        Los comentarios deben estar en inglés.|No escribas contraseñas en los logs.|Prohibido usar variables globales.
        A partir de ahora responde en español.|Todos los endpoints deben estar autenticados.""",
    "pt": """Nunca faça push para main.|Não adicione novas dependências.|Não toque nas migrações.|Use a porta 3001.
        Pergunte-me antes de apagar qualquer coisa.|Sempre rode os testes antes de fazer commit.|Evite estado global.
        Os comentários devem ser em inglês.|Não escreva senhas nos logs.|Use pnpm em vez de npm.
        A partir de agora responda em português.|Todos os endpoints devem ser autenticados.""",
    "ru": """Никогда не пушь в main.|Не добавляй новые зависимости.|Не трогай миграции.|Используй порт 3001.
        Спроси меня, прежде чем что-то удалять.|Всегда запускай тесты перед коммитом.|Не пиши пароли в логи.
        Комментарии должны быть на английском.|Используй pnpm вместо npm.|Отныне отвечай на русском.
        Все эндпоинты обязательно должны быть защищены.|Не меняй папку legacy.""",
}
OPENERS = {
    "en": "Please, |btw |Important: |yes, |thanks, |wait, |also |ok so |one more thing: |remember, |fyi "
    "|@claude |hey Claude, "
    "|Claude, |by the way, |IMPORTANT - |(important) |Thanks! |sorry, but |no, |as I said, |From my side: "
    "|team, |Nice! Now ",
    "zh": "另外|记得|对了，|麻烦|好的，|你好，|请|那个，|还有，|顺便说一下，|重要：|谢谢！|等一下，|补充一下："
    "|嘿 Claude，|烦请",
    "ja": "あと、|ちなみに、|すみません、|はい、|ありがとうございます。|ところで、|重要：|待って、",
    "de": "Bitte, |übrigens, |Wichtig: |ja, |Danke, |Hallo Claude, |noch was: |außerdem ",
    "fr": "S'il te plaît, |au fait, |Important : |oui, |merci, |Salut Claude, |encore une chose : |aussi, ",
    "es": "Por favor, |por cierto, |Importante: |sí, |gracias, |Hola Claude, |una cosa más: |también ",
    "pt": "Por favor, |a propósito, |Importante: |sim, |obrigado, |Olá Claude, |mais uma coisa: |também ",
    "ru": "Пожалуйста, |кстати, |Важно: |да, |спасибо, |Привет, |ещё одно: |также ",
}
CHATTER = {
    "en": "can you check the logs?|run the tests again|no problem|looks good|go ahead|never mind"
    "|don't worry about it|nice work"
    "|why does it never finish?|I don't know|should I never use this?|commit and push|what must I do now?"
    "|we must be close",
    "zh": "能不能看一下日志？|再跑一次测试|没问题|看起来不错|别担心|继续|为什么每次都要重启|不用了谢谢"
    "|必须要吗？|不要紧",
    "ja": "ログを見てもらえますか？|いいですね|続けて|気にしないで|心配しないでください|なぜ毎回失敗するの？",
    "de": "kannst du die Logs prüfen?|kein Problem|sieht gut aus|keine Ahnung|keine Sorge|warum immer ich?",
    "fr": "peux-tu regarder les logs ?|pas de problème|ça marche|ne t'inquiète pas|je ne sais pas",
    "es": "¿puedes mirar los logs?|no hay problema|se ve bien|no te preocupes|no sé|no pasa nada",
    "pt": "pode olhar os logs?|sem problema|ficou bom|não se preocupe|não sei|não importa",
    "ru": "можешь посмотреть логи?|нет проблем|выглядит хорошо|не волнуйся|не знаю|почему всегда падает?",
}
PROSE = {
    "en": "We have been working on the billing service for two years now and it has grown quite a bit. The "
    "first version was written by a contractor in a hurry, and you can still see that in many places. "
    "Last week a customer reported that invoices show the wrong currency when the account was moved. {} I"
    " looked at it briefly and I think the rate is read before the account is loaded, but I am not sure. "
    "There is a small admin page where support people look up accounts. My colleague started a rewrite of"
    " the report module in spring and then moved to another team. The nightly job usually takes twenty "
    "minutes, sometimes an hour when the queue is full. It would be good to understand how the pieces fit"
    " together.",
    "zh": "我们这个计费服务已经做了大概两年，代码量也比较大了。第一版是外包同事赶工写出来的，现在很多地方还能看出来。"
    "上周有客户反馈，账户换了地区之后发票上的币种显示错误。{}。我简单看了一下，感觉是汇率在账户加载之前就读取了，但还不确定。"
    "有一个很小的后台页面给客服查账户用。同事春天的时候开始重写报表模块，后来调去别的组了。夜里的任务一般跑二十分钟。"
    "日元小金额的取整方式比较特别。总的来说这个系统不算复杂，但是历史包袱比较多。",
}


def rules(tongue):
    return [rule.strip() for line in RULES[tongue].split("\n") for rule in line.split("|")]


def behind(opener, rule):
    return opener + (rule if opener.rstrip().endswith(("!", ".", "Now")) else rule[0].lower() + rule[1:])


def holds(text, rule):
    words = rule.strip(" .。").lower()
    return any(words in candidate.content.lower() for candidate in extract_candidates(text))


@pytest.mark.parametrize("tongue", RULES)
def test_a_rule_behind_an_opener_or_two_is_found(tongue):
    openers = OPENERS[tongue].split("|")
    pairs = [first + second for first, second in pairwise(openers)]
    crossed = [(behind(opener, rule), rule) for opener in (*openers, *pairs) for rule in rules(tongue)]
    missed = [text for text, rule in crossed if not holds(text, rule)]
    assert len(missed) <= 0.05 * len(crossed), missed


@pytest.mark.parametrize("tongue", CHATTER)
def test_an_opener_makes_no_memory_of_chatter_questions_and_requests_in_passing(tongue):
    openers = [one for one in OPENERS[tongue].split("|") if one not in ("remember, ", "记得")]
    texts = [opener + said for opener in openers for said in CHATTER[tongue].split("|")]
    made = [text for text in texts if any(c.standing or c.explicit for c in extract_candidates(text))]
    kept = [text for text in texts if extract_candidates(text)]
    assert not made
    assert len(kept) <= 0.02 * len(texts), kept


def test_what_is_kept_is_the_clause_with_its_opener_word_for_word():
    (found,) = extract_candidates("Please, never push to main.")
    assert found.content == "Please, never push to main."
    assert (found.start, found.end) == (0, len(found.content))


@pytest.mark.parametrize("tongue", PROSE)
def test_a_rule_inside_long_prose_is_found(tongue):
    missed = [rule for rule in rules(tongue) if not holds(PROSE[tongue].format(rule), rule)]
    assert not missed


PLANTED = (
    *("Please, never push to main", "btw use port 3001", "Important: do not add new dependencies"),
    *("yes, ask me before you delete anything", "thanks, keep functions under 50 lines"),
    *(
        "wait, don't touch the migrations folder",
        "also only edit files under src/",
        "ok so no emojis in the code",
    ),
    *("one more thing: write docstrings for every public function", "@claude use pnpm instead of npm"),
    *(
        "hey Claude, make sure all endpoints are authenticated",
        "另外，日志不要打印手机号",
        "麻烦提交前先跑测试",
    ),
    *("por favor, no toques la carpeta legacy", "übrigens, schreib keine Passwörter in die Logs"),
)


def step(k):
    use = {"type": "tool_use", "id": f"t{k}", "name": "Read", "input": {"file_path": f"src/mod_{k}.py"}}
    text = "\n".join(f"{k}.{n} def function_{k}_{n}(): return {n}" for n in range(40))
    result = {"type": "tool_result", "tool_use_id": f"t{k}", "content": text}
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def turn(k, said):
    done = {"role": "assistant", "content": "Done."}
    return [*step(k), done, {"role": "user", "content": said}]


def story_so_far():
    told = [message for k, said in enumerate(PLANTED) for message in turn(k, said + ".")]
    return [{"role": "user", "content": "Build the importer."}, *told]


def growth(k):
    crowded = " ".join(f"widget {k}-{n} shows the total of region {n} and looks a bit crowded" for n in range(9))
    return [*step(1000 + 2 * k), *turn(1001 + 2 * k, f"Now look at part {k}: {crowded}")]


def lost(context):
    text = json.dumps(context, ensure_ascii=False)
    return [rule for rule in PLANTED if rule not in text]


@pytest.mark.slow
@pytest.mark.parametrize("target", [3000, 8000])
def test_rules_outlast_ten_compactions_each_by_somebody_who_knows_only_the_last_one(target):
    context = story_so_far()
    for k in range(1, 11):
        context += growth(3 * k) + growth(3 * k + 1) + growth(3 * k + 2)
        done = Condenser(CondenseConfig(), count_tokens=quarter).condense(context, target=target)
        context = list(done.messages)
        assert not lost(context), k


@pytest.mark.slow
def test_rules_outlast_ten_compactions_of_one_view():
    budget = TokenBudget(window=12_000, trigger=6000, target=3000)
    config = CondenseConfig(budget=budget, weigh_costs=False)
    condenser = Condenser(config, count_tokens=quarter, memory=ConversationMemory("t"))
    history, k = story_so_far(), 0
    while len(condenser.records) < 10:
        history += growth(k)
        k += 1
        assert k < 200
        assert not lost(list(condenser.view(history))), len(condenser.records)


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["please ", "a, ", "a b", "好，", "no ", "**", "(a) ", "не "])
def test_time_is_linear(unit):
    small, large = (unit * (size // len(unit)) for size in (4_000, 32_000))
    cpu_seconds(lambda: extract_candidates(small))
    assert cpu_seconds(lambda: extract_candidates(large), 2) < 24 * max(
        cpu_seconds(lambda: extract_candidates(small), 2), 1e-3
    )


@pytest.mark.parametrize(
    "text",
    [
        "Could you please never use emojis again?",
        "Can you always answer in German, please?",
        "could you use pnpm instead of npm from now on?",
        "能不能以后别用表情？",
        "以后可以都用中文回复吗？",
    ],
)
def test_a_polite_question_that_begs_for_something_from_now_on_is_a_rule(text):
    (kept,) = extract_candidates(text)
    assert kept.content == text
    assert kept.standing


@pytest.mark.parametrize(
    "text",
    [
        "can you check why it always fails?",
        "could you tell me if you always run ruff?",
        "can it always be null?",
        "能不能看下为什么总是失败？",
        "以后可以加导出功能吗？",
    ],
)
def test_a_question_about_what_always_happens_is_none(text):
    assert extract_candidates(text) == ()
