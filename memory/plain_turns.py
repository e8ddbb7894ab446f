"""Forms of short sayings that steer the work at hand: what to leave out, to wait for, to decide alone, to choose.

"No need to translate it", "wait for my go", "do it without asking", "build it in Rust", 副标题不需要, 案Bで.
"""

from __future__ import annotations

from memory.plain_forms import Reach, form, han_form

_TASK, _CHOICE = Reach.TASK, Reach.CHOICE
_MADE = (
    r"(?:python|rust|go|golang|typescript|javascript|java|kotlin|swift|c\+\+|c#|ruby|php|vue|react|svelte|angular|solid"
    r"|next\.?js|nuxt|node(?:\.?js)?|deno|django|flask|fastapi|rails|spring|laravel|tailwind|bash|powershell|sql|html|dart"
    r"|flutter|scala|elixir|haskell|zig|lua)"
)

TURNS = (
    form(
        _TASK,
        "no there there' you we don' do",
        r"(?:there(?:['’]s| is) )?no need (?:to|for)\s(?!know|worry|apologi|thank)\w.{2,}"
        r"|(?:you |we )?(?:don['’]?t|do not) (?:have|need) to\s(?!know|worry|understand|be)\w.{2,}",
    ),
    form(_TASK, "não", r"(?:[\w ]{1,16}, )?não (?:precisam?|é necess[áa]rio|é preciso)\s.{3,}", polite=False),
    form(_TASK, "no", r"(?:[\w ]{1,16}, )?no (?:hace falta|es necesario)\s.{3,}", polite=False),
    form(_TASK, "pas inutile", r"(?:pas besoin|inutile) d(?:e |['’]).{3,}", polite=False),
    form(_TASK, "nicht", r".{3,60}\snicht (?:nötig|notwendig|erforderlich)\W{0,3}$", polite=False),
    form(
        _TASK,
        "wait aguarde espera espere жди подожди warte attends počkej",
        r"(?:(?:e|y|и|und|et|a) )?(?:wait (?:for (?:my|our|me|us|(?:further )?instructions)|until i)\b"
        r"|aguarde\s\w{4,}|esper[ae] (?:por )?(?:mis|minhas?|mi|a que|que|até|hasta)\b"
        r"|(?:жди|подожди) (?:мо|меня|пока|указан|ответ|команд|подтвержд)|warte (?:auf mein|bis)\b"
        r"|attends (?:mes|ma|mon|que)\b|počkej (?:na|až)\b)",
    ),
    form(
        _TASK,
        "without sem sin без ohne sans",
        r".{2,60}\b(?:without (?:asking|confirming|confirmation|waiting for)"
        r"|s[ei][mn] (?:me )?(?:pregunt|pergunt|confirm)\w+"
        r"|без (?:вопрос|подтвержд|спрос|уточн)\w*|ohne (?:zu fragen|nachzufragen|rückfragen?)"
        r"|sans (?:me )?demander)\b",
        polite=False,
    ),
    form(
        _TASK,
        "сделай сделайте настрой haz faz faça mach sorge fais udělej uprav set make",
        r"(?:пожалуйста,? |давай )?(?:сделай(?:те)?|настрой) (?:так,? |это,? )?чтоб\w{0,2}\s.{4,}"
        r"|haz que\s.{4,}|fa(?:z|ça) com que\s.{4,}|(?:mach es so|sorge dafür),? dass\s.{4,}"
        r"|fais en sorte (?:que|qu['’]|de)\s?.{4,}|(?:udělej|uprav) to (?:tak,? )?(?:aby|ať)\s.{4,}"
        r"|(?:set|make) (?:it|this|things)(?: up)? so(?: that)?\s(?!far|much|many|good|well|bad)\w+ \w.{3,}",
    ),
    form(
        _TASK,
        "generate output write give return provide show",
        r"(?:generate|output|write|give me|return|provide|show(?: me)?)"
        r" the (?:complete|full|whole|entire) (?:file|code)s?\b",
    ),
    form(
        _TASK,
        "only",
        r"only\s(?:develop|build|implement|work on|do|fix|handle|include|add|update)"
        r"\s(?!one\b|this\b|that\b|it\b)\w.{3,}",
    ),
    form(
        _TASK,
        "emphasize emphasise focus concentrate prioritize prioritise",
        r"(?:emphasi[sz]e|prioriti[sz]e|focus (?:more )?on|concentrate on)\s(?!this\b|that\b|it\b)\w.{3,}",
    ),
    form(
        _CHOICE,
        "build write implement code create develop make do",
        r"(?:build|write|implement|code|create|develop|make|do)\s"
        r"(?:it|this|that|them|everything|(?:a|an|the|this)(?: [\w-]+){1,3}?)"
        rf"(?: only)?\s(?:in|with|using)\s(?:plain |pure |vanilla )?{_MADE}\b(?!['’])(?:\W|$)",
    ),
    form(
        _CHOICE,
        "я хочу мне quiero quero i",
        r"(?:.{1,40}, )?(?:(?:я )?хочу|мне нуж(?:ен|на|но)) именно\s\w.{2,}|quiero (?:justamente|exactamente)\s\w.{2,}"
        r"|quero (?:exatamente|justamente)\s\w.{2,}|i (?:specifically|explicitly) want\s(?:the |an? )?\w.{2,}",
        polite=False,
    ),
)
"""The forms in scripts with blanks between words."""

HAN_TURNS = (
    han_form(
        _TASK,
        "不需要 不用 不要",
        r"(?!.{0,8}[谢謝])[^，,。？?!！]{1,16}?(?:也|都|就)?(?<![需要用])(?:不需要|不用|不要)了?(?:显示|加|做|写|改|动|管)?了?(?:\W|$)",
    ),
    han_form(
        _TASK,
        "いらない 要らない 不要 必要ない なくて",
        r".{2,40}?(?:(?:は|も|って)(?:いらない|要らない|不要|必要ない)|なくて(?:も)?(?:いい|良い|大丈夫))"
        r"(?:です|でしょ|よ|ね){0,2}[。.!！]?$",
    ),
    han_form(
        _TASK,
        "等我 等待 等候 指示 連絡 返事 確認",
        r".{0,12}?(?:等我.{1,12}?(?:再|后|後|之后)|等(?:待|候)(?:我的)?(?:指示|确认|通知|命令|回复)"
        r"|(?:指示|連絡|確認|返事)(?:を|が|する)?.{0,8}待って)",
    ),
    han_form(
        _TASK,
        "问我 問我 确认 確認 聞かずに",
        r".{0,20}(?:别|不要|不用|不必|无需|無需|無须)(?:再|每次|都)?(?:问我|問我|找我确认|向我确认|确认|確認)|.{0,20}(?:聞かずに|確認(?:せず|なしで))",
    ),
    han_form(
        _CHOICE,
        "案 方法 方案 プラン オプション 選択肢",
        r".{0,8}?(?:案|方法|方案|プラン|オプション|選択肢)\s?[a-z0-9一二三四①②③④](?:で|を)(?:お願い|進め|いき|いこう|実装|やっ|採用)",
    ),
    han_form(
        _CHOICE,
        "フロント バックエンド サーバー 言語 データベース",
        r".{0,12}?(?:フロント(?:エンド)?|バックエンド|サーバー|言語|データベース)(?:は|に|を).{2,24}?"
        r"(?:で(?:作|実装|お願い|開発|書|いき|$|、|。)|を(?:利用|使用|使っ|用い))",
    ),
)
"""The forms in scripts without blanks."""
