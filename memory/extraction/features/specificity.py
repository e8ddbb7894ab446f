"""What a clause is specific about: how many of its words are not those of just any request.

"Fix the errors and continue" says nothing that is worth keeping, "make the sidebar 240 px wide" does. A word counts
as specific when it is neither a function word nor one of the words that every conversation with a coding agent is
full of: project, code, error, check, continue, ...
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memory.extraction.cues import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_FUNCTION = """
a an the and or but so to of in on at by for from with as is are was were be been being it its this that these those
there here i me my we us our you your he she they them their his her do does did doing done have has had having will
would can could should shall may might must not no yes ok okay please just also then than too very really now only if
when while after before once still same all any each every some more most other another such like into out up down
over under about between through during because since until unless what which who whom whose why how where can't dont
don't u i'm it's let lets let's get got go going made want see way thing things lot bit one two first second next last
new old good great nice thanks thank hey hi hello sure well much many both few own per via etc
de la el los las un una y o en con por para que es se lo su al del le mi tu te si sim não nao um uma os e da dos das
em na nos nas com mais mas foi ser está esta isso este der die das und ist nicht ein eine mit für auf zu den von im dem
les et des une est pas pour dans sur avec ce qui muy pero como cuando donde ese esa esos esas sus nos les hay soy eres
son era fue han ha he desde hasta sobre entre já também quando onde seu sua meu minha nosso nossa são foram há até nem
só porque pois auch noch schon nur wenn dann aber oder sich wir ihr sie er du ich wird werden wurde haben habe hat als
wie was je il elle nous vous ils ne plus ou où sa ses cette ces être avoir fait
и в не на я что с по это как то все но да а у же за из он так мы бы мне ты если или для от до при об над под без через
после перед где когда какой какая какие который меня тебя его её их мой твой наш ваш этот эта эти того там тут здесь
тоже только вот вы они она оно был была были быть чем чего нас вас нам вам
"""
_EVERYDAY = """
make need use using project projects code codebase app apps application everything error errors issue issues problem
problems file files change changes changed plan plans docs documentation document documents readme repo repository
github git commit push pull branch main master test tests build run work works working worked task tasks step steps
implementation implement implementing update updates updated fix fixes fixed fixing check checks review reviews analyze
analysis look show tell explain find search list read write create add remove delete improve continue proceed start
stop restart finish complete completed try help following follow above below current latest properly correctly set
setup feature features functionality function functions system page screen question questions answer answers option
options suggestion suggestions recommend recommendations recommended understand sense idea ideas best better give
provide generate verify ensure whole entire full detailed detail details comprehensive quick bug bugs warning warnings
message messages output result results today web internet google session conversation chat agent agents claude codex
bob cursor prompt time name side part parts place line lines section sections item items area areas piece stuff
version cleanup clean commits pr prs merge deploy server
проект код кода файл файлы файла ошибка ошибки ошибку ошибок исправь исправить сделай сделать сделал проверь проверить
продолжай запусти запустить план план задачи задача тесты тест документацию документация документ приложение
приложения почини работает работать покажи посмотри давай добавь измени изменения можно нужно надо хорошо пожалуйста
кажется сейчас теперь также еще ещё уже очень просто привет спасибо понятно есть нет было будет чтобы
projeto código arquivo arquivos erro erros corrija corrigir faça fazer fase etapa etapas plano testes teste rodar rode
execute executar continuar analise analisar verifique revise revisar documentação atualize atualizar crie criar
implementar implemente implementação tudo agora depois antes pode podemos temos ainda algum alguma qual quais aqui esse
essa ele ela você vc pela pelo problema problemas resolver resolva resultado pergunta resposta opção
proyecto archivo archivos errores corrige corregir haz hacer prueba pruebas ejecuta ejecutar continúa continua revisa
verifica verificar analiza implementa crear crea configura configurar ahora después puedes tenemos quiero carpeta todo
todos esto aquí perfecto vuelve
projekt projekte datei dateien fehler mach machen prüfe weiter alles jetzt bitte können kannst schau zeig erstelle
ändern ändere projet fichier fichiers erreur erreurs fais faire tout maintenant peux pouvez regarde montre crée
soubor souboru soubory kód chyba chyby oprav pokračuj pokračujme udělej teď ještě trochu pojďme zkontroluj můžeš mám
jak aby jsem
"""
_EVERYDAY_HAN = """
我们 你们 他们 自己 现在 现有 目前 当前 然后 最后 首先 接着 接下来 继续 开始 开发 完成 进行 实现 检查 分析 测试
修复 修改 优化 更新 升级 重构 解决 问题 错误 报错 代码 项目 文件 文档 功能 方案 计划 内容 信息 结果 系统 服务 部署
运行 启动 重启 提交 推送 同步 生成 创建 添加 增加 删除 查看 看看 看下 看一下 告诉 介绍 解释 说明 帮我 帮忙 麻烦 可以
能不能 是否 是不是 有没有 什么 为什么 怎么 怎样 如何 哪里 哪些 多少 这个 那个 这些 那些 这里 那里 这样 那样 一下
一个 一些 已经 还是 还有 或者 以及 并且 而且 但是 因为 所以 如果 需要 应该 必须 不要 不能 没有 不是 就是 都是 全部
所有 一起 一直 再次 重新 直接 之前 之后 以后 时候 东西 地方 方法 方式 步骤 任务 阶段 流程 根据 参考 按照 基于 通过
使用 利用 关于 对于 以下 上面 下面 里面 好的 谢谢 你好 请你 审查 报告 审核 方面 部分 情况 确认 反馈 建议 讨论 思考
深度 详细 全面 完整 最新 新的 旧的 我想 我要 想要 希望 觉得 认为 知道 理解 明白 我 你 他 它 的 了 吗 呢 吧 啊 是 在
有 和 与 跟 把 被 让 给 对 从 到 向 为 以 于 就 都 也 还 又 再 不 没 很 太 更 最 要 会 能 可 请 先 后 上 下 里 中 个
这 那 做 用 看 说 得 着 过 去 来 我們 問題 錯誤 檢查 請你 專案 這個 那個 為什麼 怎麼 現在 應該 可以 已經 還是 還有
沒有 這 個 們 對 說 嗎 請 してください ください 下さい お願いします お願い して した する します している してる
ている てる ました ます です でした ません ない から まで ので のに では には とは こと もの ところ これ それ あれ
ここ そこ この その あの どこ なに 何 なぜ どう 修正 確認 実装 実行 作成 追加 変更 削除 保存 開発 対応 調査 解析
原因 エラー コード ファイル プロジェクト テスト コマンド レビュー コメント ドキュメント ブランチ 要件 現状 状態 場合
今 前 後 次 全て もう まだ また そして さらに なんか ちょっと とか って けど ね よ な の に は が を と も で へ や
か
"""
_FILE = re.compile(r"[\w-]{1,80}+\.[a-z]{1,5}\b(?!\.\w)", re.ASCII)
_PLACE = re.compile(
    r"(?:https?://|[\w.@~:-]{0,80}+[/\\])[^\s\u3040-\u30ff\u3400-\u9fff，。、）)`'\"]{0,400}|"
    + _FILE.pattern,
    re.ASCII,
)
"""Paths, addresses and names of files: they say where, not what."""
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff][\u3040-\u30ff]*")
"""Twice the class, because a pattern that begins with one is found faster than one that begins with a repetition."""
_FIRST_HAN = "\u3040"
_SHORTEST_WORD = 3
_STOPS = frozenset(".!?,;:")
_STEPS = (0, 1, 2, 3, 4, 5, 5, 7, 7, 7, 10)
"""The name for how many specific words there are; the last one for all above."""
_MOST = len(_STEPS) - 1


@cache
def _everyday() -> dict[str, bool]:
    """The words that say nothing of their own: is it more than a function word?"""
    return dict.fromkeys(_FUNCTION.split(), False) | dict.fromkeys(_EVERYDAY.split(), True)


@cache
def _everyday_han() -> re.Pattern[str]:
    """What finds the everyday words of Chinese and Japanese: the longest at each place; single characters last."""
    behind: dict[str, list[str]] = {}
    for word in _EVERYDAY_HAN.split():
        behind.setdefault(word[0], []).append(word[1:])
    words = [
        f"{first}(?:{'|'.join(sorted(rests, key=len, reverse=True))})" if any(rests) else first
        for first, rests in sorted(behind.items(), key=lambda item: "" not in item[1])
    ]
    return re.compile("|".join(words))


def specifics_of(text: str, words: Sequence[str], *, ideographs: int, kana: bool) -> list[str]:
    """Name how specific a clause is.

    Args:
        text: the clause.
        words: its words, in lower case.
        ideographs: how many Chinese characters it holds (Chinese or Japanese).
        kana: it holds Japanese syllables.

    Cost: one look-up a word, up to seven a Chinese or Japanese character.
    """
    shorter = _PLACE.sub(" ", text)
    if shorter != text:
        text, words = shorter, words_of(shorter)
    if ideographs:
        words = [word for word in words if word < _FIRST_HAN or not _WIDE.match(word)]
    spoken, common, count = _counts(words)
    if ideographs:
        syllables = sum(map(len, _KANA.findall(text))) if kana else 0  # no path holds such characters
        total = ideographs + syllables
        left = total - _everyday_in(text)
        count += left // 2
        names = [f"specific-han:{_STEPS[min(count, _MOST)]}", f"share-han:{min(int(4 * left / total), 3)}"]
    else:
        names = [f"specific:{_STEPS[min(count, _MOST)]}", f"everyday:{min(common, 3)}"]
        names.append(f"share:{4 * count // (spoken or 1)}")
        if not common:
            return names
    if count <= 1:
        names.append("everyday-only")
    return names


def _counts(words: Sequence[str]) -> tuple[int, int, int]:
    """How many words there are, how many of them are everyday ones, and how many are specific."""
    everyday = _everyday()
    stops = common = count = 0
    for word in words:
        if word in everyday:
            if everyday[word]:
                common += 1
        elif len(word) >= _SHORTEST_WORD:
            if not word.isdigit():
                count += 1
        elif word in _STOPS:
            stops += 1
    return len(words) - stops, common, count


def _everyday_in(text: str) -> int:
    """Chinese and Japanese characters that everyday words cover; the longest word wins at each place."""
    return len("".join(_everyday_han().findall(text)))


_BOILERPLATE = re.compile(
    r"(?i)\W{0,4}(?:warning\b(?: \S{1,40})?:|= ?(?:note|help):|note:|\[notice\]|\[deprecat|hint:|more info|read more"
    r"|for more information|this error occurred|re-?run with)"
)
_PASTED = re.compile(r"\[Pasted text|\(see below for (?:file|folder) content\)")
_MENTION = re.compile(r"(?:^|\s)@[\w-]{1,80}[./]\w")


def marks_of(text: str) -> list[str]:
    """Name signs that a clause was written by a tool or an assistant, or points at an attachment."""
    names = []
    if _BOILERPLATE.match(text):
        names.append("boilerplate")
    if _PASTED.search(text):
        names.append("attached")
    if _MENTION.search(text):
        names.append("mention")
    return names
