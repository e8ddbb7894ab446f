"""Forms of short sayings that steer the work at hand: what to leave out, to wait for, to decide alone, to choose.

"No need to translate it", "wait for my go", "do it without asking", "build it in Rust", 副标题不需要, 案Bで.
"""

from __future__ import annotations

from memory.extraction.rules.plain_forms import Reach, form, han_form

_TASK, _CHOICE = Reach.TASK, Reach.CHOICE
_MADE = (
    r"(?:python|rust|go|golang|typescript|javascript|java|kotlin|swift|c\+\+|c#|ruby|php|vue|react|svelte|angular|solid"
    r"|next\.?js|nuxt|node(?:\.?js)?|deno|django|flask|fastapi|rails|spring|laravel|tailwind|bash|powershell|sql|html|dart"
    r"|flutter|scala|elixir|haskell|zig|lua)"
)

_NO_COURTESY = (
    r"(?!(?:know|worry|apologi[sz]e|thank|understand|be|rush|hurry|explain|answer|reply|say|se preocup"
    r"|agradec|pedir|dar|te preocup|s['’]inquiét|s['’]excus|remerci|agradecer|ter pressa)\w*\b)"
)
"""What is not asked for out of courtesy steers nothing."""
_ORDERED = r"(?!(?:it|he|she|they|i|we|that|the|is|can|could|does|did|да|нет|понял|me|se|er|sie|es|ich|il|elle|je)\b)"
"""What begins so tells or asks something, and orders nothing."""

TURNS = (
    form(
        _TASK,
        "no there there' you we don' do",
        rf"(?:there(?:['’]s| is) )?no need (?:to|for)\s{_NO_COURTESY}\w.{{2,}}"
        rf"|(?:you |we )?(?:don['’]?t|do not) (?:have|need) to\s{_NO_COURTESY}\w.{{2,}}",
    ),
    form(
        _TASK,
        "não",
        rf"(?:[\w ]{{1,16}}, )?não (?:precisam?|é necess[áa]rio|é preciso)\s{_NO_COURTESY}.{{3,}}",
        polite=False,
    ),
    form(
        _TASK,
        "no",
        rf"(?:[\w ]{{1,16}}, )?no (?:hace falta|es necesario)\s{_NO_COURTESY}(?!.{{0,60}}\bahora\b).{{3,}}",
        polite=False,
    ),
    form(_TASK, "pas inutile", rf"(?:pas besoin|inutile) d(?:e |['’]){_NO_COURTESY}.{{3,}}", polite=False),
    form(_TASK, "nicht", r".{3,60}\snicht (?:nötig|notwendig|erforderlich)\W{0,3}$", polite=False),
    form(
        _TASK,
        "wait aguarde espera espere жди подожди warte attends",
        r"(?:(?:e|y|и|und|et|a) )?(?:wait for (?:my|our|further)"
        r"\s(?:go\b|ok|approval|confirm|instruct|answer|review|sign|feedback)"
        r"|wait until i\s(?:say|confirm|approve|tell|ok|review|answer|sign)"
        r"|aguarde\s(?:\w+ )?(?:instru|confirma|aprova|orden|resposta|meu ok)"
        r"|esper[ae] (?:por )?(?:mis|minhas?|mi)\s(?:instru|confirma|aprob|aprova|respuesta|resposta|orden)"
        r"|(?:жди|подожди) (?:мо\w{1,3} )?(?:указан|ответ|команд|подтвержд|инструкц)"
        r"|warte auf mein\w{0,2}\s(?:ok|anweis|antwort|bestätig|freigabe)"
        r"|attends (?:mes|ma|mon)\s(?:instruct|confirm|accord|réponse|validation))",
    ),
    form(
        _TASK,
        "without sem sin без ohne sans",
        rf"{_ORDERED}.{{2,60}}\b(?:without (?:asking|confirming|confirmation|waiting for)"
        r"|s[ei][mn] (?:me )?(?:pregunt|pergunt|confirm)\w+"
        r"|без (?:вопрос|подтвержд|спрос|уточн)\w*|ohne (?:zu fragen|nachzufragen|rückfragen?)"
        r"|sans (?:me )?demander)\b(?! the time| for a)",
        polite=False,
    ),
    form(
        _TASK,
        "сделай сделайте настрой haz faz faça mach sorge fais udělej uprav set make",
        r"(?:пожалуйста,? |давай )?(?:сделай(?:те)?|настрой) (?:так,? |это,? )?чтоб\w{0,2}\s.{4,}"
        r"|haz que\s.{4,}|fa(?:z|ça) com que\s.{4,}|(?:mach es so|sorge dafür),? dass\s.{4,}"
        r"|fais en sorte (?:que|qu['’]|de)\s?.{4,}|(?:udělej|uprav) to (?:tak,? )?(?:aby|ať)\s.{4,}"
        r"|(?:set|make) (?:it|this|things)(?: up)? so (?:that|the|it|all|every|no|only|users?|each)\s\w.{3,}",
    ),
    form(
        _TASK,
        "generate output write return provide",
        r"(?:generate|output|write|return|provide) the (?:complete|full|whole|entire) (?:file|code)s?\b",
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
        "build write implement code create develop make",
        r"(?:build|write|implement|code|create|develop|make)\s"
        r"(?:it|this|that|them|everything|the(?: [\w-]+){1,3}?)"
        rf"(?: only)?\s(?:in|with|using)\s(?:plain |pure |vanilla )?{_MADE}\b(?!['’])(?:\W|$)",
    ),
    form(
        _CHOICE,
        "я хочу мне quiero i",
        r"(?:.{1,40}, )?(?:(?:я )?хочу|мне нуж(?:ен|на|но)) именно\s(?!так\b|это\b)\w.{2,}"
        r"|quiero (?:justamente|exactamente)\s(?!lo mismo|eso|esto)\w.{2,}"
        r"|i (?:specifically|explicitly) want\s(?!to\b|you\b|that\b|this\b)(?:the |an? )?\w.{2,}",
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
        r".{2,40}?(?:(?:は|も|って)(?:いらない|要らない|不要|必要ない)|(?<!急が)(?<!気にし)(?<!心配し)(?<!無理し)なくて(?:も)?(?:いい|良い|大丈夫))"
        r"(?:です|でしょ|よ|ね){0,2}[。.!！]?$",
    ),
    han_form(
        _TASK,
        "等我 等待 等候 指示 連絡 返事 確認",
        r".{0,12}?(?:等我(?:的)?(?:指示|确认|通知|命令|回复|同意|批准|说)|等(?:待|候)(?:我的)?(?:指示|确认|通知|命令|回复)"
        r"|(?:指示|連絡|返事|確認)(?:を|があるまで|するまで|が出るまで)(?!し).{0,6}待って)",
    ),
    han_form(
        _TASK,
        "问我 問我 确认 確認 聞かずに",
        r".{0,20}(?:别|不要|不用|不必|无需|無需|無须)(?:再|每次|都)?(?:问我|問我|找我确认|向我确认|确认|確認)"
        r"|.{0,20}(?:聞かずに|確認(?:せず|なしで))",
    ),
    han_form(
        _CHOICE,
        "案 方法 方案 プラン オプション 選択肢",
        r"(?!.{0,60}か[。.?？]?$).{0,8}?(?:案|方法|方案|プラン|オプション|選択肢)\s?[a-z0-9一二三四①②③④](?:で|を)"
        r"(?:お願い|進め(?!ると)|いき|いこう|実装|やっ|採用)",
    ),
    han_form(
        _CHOICE,
        "フロント バックエンド サーバー 言語 データベース",
        r"(?!.{0,60}か[。.?？]?$).{0,12}?(?:フロント(?:エンド)?|バックエンド|サーバー|言語|データベース)は.{2,24}?"
        r"(?:で(?:作|実装|お願い|開発|書|いき)|を(?:利用|使用|使っ|用い))",
    ),
)
"""The forms in scripts without blanks."""
