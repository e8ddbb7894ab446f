"""How a clause is worded: request, wish, report or name; and how much it says beyond the words of any request.

"Fix the errors and continue" says nothing that is worth keeping, "make the sidebar 240 px wide" does. A word is
specific when it is neither a function word nor one that every conversation with a coding agent is full of.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memory.extraction.cues import cues_of, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_POLITE = frozenset(
    """
    ok okay now so and then also please pls plz plese kindly hey hi hello great thanks thank you yes no nope but just
    well right good perfect next first second finally lastly again actually instead can could will would we i want need
    should to lets let's let must have bob claude us me help go ahead still maybe perhaps additionally , . : ; !
    """.split()
)
_ADDRESSING = frozenset("can could would will you let's lets please kindly help".split())
_ARTICLES = frozenset(
    "the a an my our your this that these those it its it's there there's they he she his their each every all".split()
)
_PAST = frozenset(
    "added removed updated fixed created changed implemented moved replaced simplified improved enhanced using uses "
    "shows returns has is are was".split()
)
_HEADS = frozenset(
    "build alter take-away fix look do-now use keep ensure never only remember want ask condition must always "
    "instead".split()
)
_LONGEST_LEAD = 10
_SHORTEST_GERUND = 4

IDEOGRAPHS = re.compile(r"[\u3400-\u9fff]+")
_KANA = re.compile(r"[\u3040-\u30ff]+")
_JAPANESE = (
    (
        "form:ja-ask",
        r"(?:して|ください|下さい|てくれ|しよう|れて|って|いて|えて|けて|んで|にね|ましょう|頼む|お願いします)[ねよ]?[。.!！]?$",
    ),
    ("form:ja-want", r"(?:たい|ほしい|欲しい|べき|いいね|いらない(?:ね)?)(?:です|ね|な)?[。.]?$"),
    (
        "form:ja-state",
        r"(?:です|ます|ました|ません|ない|んだけど|だ|だよ|だね|よね|てる|いる|った|ある|する|なる)[ねよが]?[。.]?$",
    ),
)
_CHINESE = (
    ("form:zh-ask", r"[请請帮幫先再把将给去你]|麻烦|然后|继续"),
    ("form:zh-i", r"[我咱]"),
    ("form:zh-it", r"[这這那它还没沒有]|目前|现在|現在|当前"),
)
_LONGEST_ENDING = 20


def form_of(text: str, words: Sequence[str]) -> list[str]:
    """Return how a clause is built, as the names of one form or a few, from its text and lower-case words."""
    if IDEOGRAPHS.search(text):
        if _KANA.search(text):
            forms = [name for name, pattern in _JAPANESE if re.search(pattern, text[-_LONGEST_ENDING:])]
            return (forms or ["form:ja-other"])[:1]
        return [name for name, pattern in _CHINESE if re.match(pattern, text)][:1] or ["form:zh-other"]
    at = next((at for at, word in enumerate(words[:_LONGEST_LEAD]) if word not in _POLITE), _LONGEST_LEAD)
    asked = [] if _ADDRESSING.isdisjoint(words[:at]) else ["form:asked"]
    if at >= len(words):
        return [*asked, "form:empty"]
    personal = ["form:first-person"] if "i" in words[:2] or "we" in words[:2] else []
    return [*asked, *_head(words[at]), *personal]


def _head(head: str) -> list[str]:
    """What the head word of a clause makes of it."""
    if head in _ARTICLES:
        return ["form:np"]
    if head in _PAST:
        return ["form:past"]
    if names := ["form:" + name for name in cues_of(head) if name in _HEADS]:
        return names
    if head.endswith("ing") and len(head) > _SHORTEST_GERUND:
        return ["form:gerund"]
    return ["form:number" if head.isdigit() else "form:other"]


_FUNCTION = """
the and but for from with are was were been being its this that these those there here our you your she they
them their his her does did doing done have has had having will would can could should shall may might must
not yes okay please just also then than too very really now only when while after before once still same all
any each every some more most other another such like into out down over under about between through during
because since until unless what which who whom whose why how where can't dont don't i'm it's let lets let's
get got going made want see way thing things lot bit one two first second next last new old good great nice
thanks thank hey hello sure well much many both few own per via etc los las una con por para que del sim não
nao uma dos das nos nas com mais mas foi ser está esta isso este der die und ist nicht ein eine mit für auf
den von dem les des une est pas pour dans sur avec qui muy pero como cuando donde ese esa esos esas sus hay
soy eres son era fue han desde hasta sobre entre também quando onde seu sua meu minha nosso nossa são foram
até nem porque pois auch noch schon nur wenn dann aber oder sich wir ihr sie ich wird werden wurde haben habe
hat als wie elle nous vous ils plus ses cette ces être avoir fait что это как все так мне если или для при над
под без через после перед где когда какой какая какие который меня тебя его мой твой наш ваш этот эта эти того
там тут здесь тоже только вот они она оно был была были быть чем чего нас вас нам вам"""
_EVERYDAY = """
make need use using project projects code codebase app apps application everything error errors issue issues
problem problems file files change changes changed plan plans docs documentation document documents readme
repo repository github git commit push pull branch main master test tests build run work works working worked
task tasks step steps implementation implement implementing update updates updated fix fixes fixed fixing
check checks review reviews analyze analysis look show tell explain find search list read write create add
remove delete improve continue proceed start stop restart finish complete completed try help following follow
above below current latest properly correctly set setup feature features functionality function functions
system page screen question questions answer answers option options suggestion suggestions recommend
recommendations recommended understand sense idea ideas best better give provide generate verify ensure whole
entire full detailed detail details comprehensive quick bug bugs warning warnings message messages output
result results today web internet google session conversation chat agent agents claude codex bob cursor prompt
time name side part parts place line lines section sections item items area areas piece stuff version cleanup
clean commits pr prs merge deploy server проект код кода файл файлы файла ошибка ошибки ошибку ошибок исправь
исправить сделай сделать сделал проверь проверить продолжай запусти запустить план задачи задача тесты тест
документацию документация документ приложение приложения почини работает работать покажи посмотри давай добавь
измени изменения можно нужно надо хорошо пожалуйста кажется сейчас теперь также еще ещё уже очень просто
привет спасибо понятно есть нет было будет чтобы projeto código arquivo arquivos erro erros corrija corrigir
faça fazer fase etapa etapas plano testes teste rodar rode execute executar continuar analise analisar
verifique revise revisar documentação atualize atualizar crie criar implementar implemente implementação tudo
agora depois antes pode podemos temos ainda algum alguma qual quais aqui esse essa ele ela você vc pela pelo
problema problemas resolver resolva resultado pergunta resposta opção proyecto archivo archivos errores
corrige corregir haz hacer prueba pruebas ejecuta ejecutar continúa continua revisa verifica verificar analiza
implementa crear crea configura configurar ahora después puedes tenemos quiero carpeta todo todos esto aquí
perfecto vuelve projekt projekte datei dateien fehler mach machen prüfe weiter alles jetzt bitte können kannst
schau zeig erstelle ändern ändere projet fichier fichiers erreur erreurs fais faire tout maintenant peux
pouvez regarde montre crée soubor souboru soubory kód chyba chyby oprav pokračuj pokračujme udělej teď ještě
trochu pojďme zkontroluj můžeš mám jak aby jsem"""
_EVERYDAY_HAN = """
我们 你们 他们 自己 现在 现有 目前 当前 然后 最后 首先 接着 接下来 继续 开始 开发 完成 进行 实现 检查 分析
测试 修复 修改 优化 更新 升级 重构 解决 问题 错误 报错 代码 项目 文件 文档 功能 方案 计划 内容 信息 结果 系统
服务 部署 运行 启动 重启 提交 推送 同步 生成 创建 添加 增加 删除 查看 看看 看下 看一下 告诉 介绍 解释 说明
帮我 帮忙 麻烦 可以 能不能 是否 是不是 有没有 什么 为什么 怎么 怎样 如何 哪里 哪些 多少 这个 那个 这些 那些
这里 那里 这样 那样 一下 一个 一些 已经 还是 还有 或者 以及 并且 而且 但是 因为 所以 如果 需要 应该 必须 不要
不能 没有 不是 就是 都是 全部 所有 一起 一直 再次 重新 直接 之前 之后 以后 时候 东西 地方 方法 方式 步骤 任务
阶段 流程 根据 参考 按照 基于 通过 使用 利用 关于 对于 以下 上面 下面 里面 好的 谢谢 你好 请你 审查 报告 审核
方面 部分 情况 确认 反馈 建议 讨论 思考 深度 详细 全面 完整 最新 新的 旧的 我想 我要 想要 希望 觉得 认为 知道
理解 明白 我 你 他 它 的 了 吗 呢 吧 啊 是 在 有 和 与 跟 把 被 让 给 对 从 到 向 为 以 于 就 都 也 还 又 再
不 没 很 太 更 最 要 会 能 可 请 先 后 上 下 里 中 个 这 那 做 用 看 说 得 着 过 去 来 我們 問題 錯誤 檢查
請你 專案 這個 那個 為什麼 怎麼 現在 應該 已經 還是 還有 沒有 這 個 們 對 說 嗎 請 してください ください
下さい お願いします お願い して した する します している してる ている てる ました ます です でした ません
ない から まで ので のに では には とは こと もの ところ これ それ あれ ここ そこ この その あの どこ なに 何
なぜ どう 修正 確認 実装 実行 作成 追加 変更 削除 保存 開発 対応 調査 解析 原因 エラー コード ファイル
プロジェクト テスト コマンド レビュー コメント ドキュメント ブランチ 要件 現状 状態 場合 今 前 後 次 全て もう
まだ また そして さらに なんか ちょっと とか って けど ね よ な の に は が を と も で へ や か"""
_PLACE = re.compile(
    r"(?:https?://|[\w.@~:-]{0,80}+[/\\])[^\s\u3040-\u30ff\u3400-\u9fff，。、）)`'\"]{0,400}"
    r"|[\w-]{1,80}+\.[a-z]{1,5}\b(?!\.\w)",
    re.ASCII,
)
_PLACED = re.compile(r"[/\\]|\.[a-z]")
"""What stands in any place."""
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SHORTEST_WORD, _FEW_WIDE, _STOPS = 3, 2, ".!?,;:"
_STEPS = (0, 1, 2, 3, 4, 5, 5, 7, 7, 7, 10)
"""The name for how many specific words there are; the last one for all above."""


@cache
def _everyday() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    """Function words; everyday words; what finds those of Chinese and Japanese, the longest at each place."""
    wide = sorted(_EVERYDAY_HAN.split(), key=len, reverse=True)
    return frozenset(_FUNCTION.split()), frozenset(_EVERYDAY.split()), re.compile("|".join(wide))


def specifics_of(text: str, words: Sequence[str]) -> list[str]:
    """Return how specific a clause is, as names, from its text and lower-case words."""
    function, everyday, everyday_wide = _everyday()
    shorter = _PLACE.sub(" ", text) if _PLACED.search(text) else text
    if shorter != text:
        words = words_of(shorter)
    wide = len(_WIDE.findall(shorter))
    if wide:
        words = [word for word in words if not _WIDE.match(word)]
    count = sum(
        len(word) >= _SHORTEST_WORD and not word.isdigit() and word not in function and word not in everyday
        for word in words
    )
    if IDEOGRAPHS.search(text):
        left = wide - len("".join(everyday_wide.findall(shorter)))
        names = ["han"] if wide > _FEW_WIDE else []
        names.append(f"share-han:{min(4 * left // wide, 3)}")
        count += left // 2
        names.append(f"specific-han:{_STEPS[min(count, len(_STEPS) - 1)]}")
    else:
        spoken = sum(word not in _STOPS for word in words)
        names = [f"specific:{_STEPS[min(count, len(_STEPS) - 1)]}", f"share:{4 * count // max(1, spoken)}"]
        if everyday.isdisjoint(words):
            return names
    return [*names, "everyday-only"] if count <= 1 else names
