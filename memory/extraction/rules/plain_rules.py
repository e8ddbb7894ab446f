"""Plain rules: how people lay down a way of working in one short sentence, without "must" or "never".

"Keep functions under 50 lines", "run the linter on everything you change", "only edit files under src/",
"I prefer tabs", "ask before deleting anything", 以后提交前都要跑测试; and short sayings that steer the work at hand:
"no need to translate it", "wait for my go", "build it in Rust", 副标题不需要, 案Bで.
"""

from __future__ import annotations

from enum import Enum

from memory.conversation import LazyPattern


class Reach(Enum):
    """How far a plain rule reaches: beyond the task, perhaps only this one; or it tells a fact, or chooses."""

    STANDING = 1
    TASK = 2
    FACT = 3
    CHOICE = 4


_POLITE = (
    r"^\W{0,3}(?:(?:please|pls|and|also|but|so|ok|okay|hey|just|you should|let['’]?s|we)[,\s]{1,3}){0,3}"
)
_WORK = (
    r"(?:run|write|add|update|test|check|format|lint|commit|document|cover|include|keep|sign|prefix|validate"
    r"|review|annotate)"
)
_TOUCH = (
    r"(?:touch|change|edit|modify|delete|remove|commit|push|run|write|use|install|test|format|deploy|merge"
    r"|rename|ask|import|upgrade|force|rebase|reset|answer|reply|respond|squash|mock|hard-?code)"
)
_EVENT = r"(?:code )?(?:changes?|commits?|edits?|push|steps?|tasks?|features?|fix(?:es)?|releases?|prs?|pull requests?)"
_PART = r"(?:new |public |exported )?(?:functions?|methods?|class(?:es)?|modules?|code|files? you \w+)"
_RISK = (
    r"(?:delet|remov|add|install|chang|push|commit|merg|deploy|renam|upgrad|refactor|rewrit|touch|dropp?"
    r"|overwrit|modify|edit)\w{0,4}"
)
_TONGUE = (
    r"(?:(?:british |american |plain |simplified |traditional )?"
    r"(?:english|german|french|spanish|chinese|japanese|russian|portuguese|italian|korean))"
)
_TONGUE_WORDS = (
    r"(?:engl|inglés|inglês|anglais|англий|deutsch|alem|allem|немец|spanisch|español"
    r"|franz|franc|русск|chin)\w*"
)
_IN_TONGUE = rf"\s(?:(?:should |must |shall )?(?:be |go |stay )?)?(?:written |all )?in {_TONGUE}\b"
_KINDS = (
    r"(?:functions?|methods?|class(?:es)?|modules?|files?|endpoints?|routes?|apis?|components?|tests?"
    r"|pages?|forms?|quer(?:y|ies)"
    r"|commits?|migrations?|strings?|inputs?|requests?|responses?|errors?|features?|prs?|variables?)"
)
_OUTPUT = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|comments?|commits?|commit messages?"
    r"|functions?|changes?|diffs?|prs?|code|files?|names?)"
)
_MANNER = (
    r"(?:very |as )?(?:short|brief|concise|terse|small|simple|minimal|clean|focused|atomic|readable|dry"
    r"|consistent|typed)"
)
_ALL = r"(?:everything|all|every|each|any)"
_TONGUES = r"(?:英文|中文|英[语語]|中[语語]|日文|德文|[简簡]体中文|繁[体體]中文)"
_CASES = r"(?:[驼駝]峰|下[划劃]|小写|小寫|大[写寫]|帕斯卡)"
_MADE = (
    r"(?:python|rust|go|golang|typescript|javascript|java|kotlin|swift|c\+\+|c#|ruby|php|vue|react|svelte"
    r"|angular|solid|next\.?js|nuxt|node(?:\.?js)?|deno|django|flask|fastapi|rails|spring|laravel|tailwind"
    r"|bash|powershell|sql|html|dart|flutter|scala|elixir|haskell|zig|lua)"
)
_NO_COURTESY = (
    r"(?!(?:know|worry|apologi[sz]e|thank|understand|be|rush|hurry|explain|answer|reply|say|se preocup"
    r"|agradec|pedir|dar|te preocup|s['’]inquiét|s['’]excus|remerci|agradecer|ter pressa)\w*\b)"
)
_ORDERED = r"(?!(?:it|he|she|they|i|we|that|the|is|can|could|does|did|да|нет|понял|me|se|er|sie|es|ich|il|elle|je)\b)"
_STANDING_ASKED = (
    rf"always\s{_TOUCH}\b"
    rf"|{_WORK}\s[^?]{{2,100}}\b(?:(?:every|each|any) {_EVENT}|everything you \w{{2,}}|whenever you \w{{2,}}"
    r"|all (?:new|your) (?:code|functions|methods|classes|modules|commits|changes))\b"
    r"|keep\s[^?]{2,60}\b(?:under|below|within|at most|no more than|shorter than"
    r"|smaller than)\s\d{1,4}\s(?:lines|characters|chars|columns|words)\b|(?:i (?:always |strongly "
    r"|really )?)?prefer\s(?!(?:the|this|that|it|your|an?|option|version|number|not|to)\b|\W|\d)\S.{2,80}"
    r"|no\s[a-z][\w -]{1,40}\bin (?:the |this |our |any |your )?(?:code|comments?|commits?|commit messages"
    r"|docs|tests|names|repo|repository)\W{0,3}$|no\s(?:new|additional|extra|external|third[- ]party"
    r"|unnecessary|more)\s(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)|libs?|frameworks?|comments?|emojis?"
    r"|mocks?|abstractions?)\b"
    rf"|(?:ask|check with|consult|confirm with) (?:me |us )?(?:first )?before (?:you )?{_RISK}\b[^?]{{0,80}}"
    r"|(?:me )?(?:preg[uú]nta|consúlta|pergunt[ea]|demande|frage?|спр(?:оси|ашивай)(?:те)?)[\s-]?(?:me|moi"
    r"|mich|у? ?меня)?\b.{0,24}\b(?:antes|avant|bevor|vorher|vor|прежде|перед)\b.{3,}|(?:antes d|avant d"
    r"|bevor|vor|прежде чем|перед|before)\S{0,3}\s.{3,60}[,\s](?:preg[uú]nta|consúlta|pergunt[ea]|demande"
    r"|frage?|спр(?:оси|ашивай)|ask|check with)[\s-]?(?:me|moi|mich|меня|у меня)\b|(?!(?:me|se|es|está|é|est"
    r"|ist|hay|ich|il|я|он|она|у|i|j['’])\b)(?:[^\s,]{2,20}\s){0,3}(?:siempre|sempre|immer|toujours"
    r"|всегда)\s(?!(?:noch|wieder|me|se|es|está|é)\b).{5,}|(?:all )?(?:commit messages?|(?:code )?comments?"
    r"|docstrings?|variable names|identifiers|log messages"
    rf"|error messages){_IN_TONGUE}"
    r"|(?:use|usa|utilise|benutze|verwende|используй)\s(?:des |los |die )?(?:tab[su]\w*"
    r"|espa[cç]\w+|leerzeichen|табы|пробелы|(?:\d|two|four|eight)[- ]spaces?(?! between))\b"
    r"|(?:use|prefer|stick (?:to|with)|keep to)\s(?:snake|camel|pascal|kebab)[-_ ]?case\b"
    rf"|(?:keep|make)\s(?:the |your |all |all your )?{_OUTPUT}\s{_MANNER}\W{{0,3}}$"
    r"|(?:follow|stick (?:to|with)|adhere to|conform to|comply with|respect|match)\s(?:the |our "
    r"|this )?(?:pep ?-?8\b|(?:\w+ ){0,2}?(?:existing|current|project(?:['’]s)?|repo(?:['’]s)?|same|google"
    r"|airbnb|standard|conventional|semantic)\s(?:\w+ ){0,2}?(?:style|conventions?|patterns?|structure"
    r"|guidelines?|architecture|naming|formatting|standards?|guide|commits?|versioning)\b)"
)
_STANDING_SAID = (
    r"\W{0,3}以后(?!再).{1,24}(?:都|要|先|只|用|必)"
    r"|.{0,8}(?:注[释釋解]|提交[信訊资資]息|提交[说說]明|[错錯][误誤][信訊]息|提示|文案|界面|介面|日[志誌]|回[复覆]|回答|[变變]量|[变變][数數]|函[数數]"
    r"|[类類]|文件|方法|字段)(?:名称|名稱|名|命名)?(?:都|一律|[统統]一|全部)?(?:要|[请請])?(?:用|使用|采用|採用|[写寫]成|遵循)\s?"
    rf"(?:{_TONGUES}|{_CASES})"
    r"|.{0,10}(?:函数|方法|每行|单个文件|代码|提交).{0,10}(?:不要?超过|控制在|限制在)\s?\d+\s?(?:行|个?字符|列)"
    r"|.{0,10}(?:前|之前)(?:要|请|必须|一定)?先?(?:问我|问一下我|跟我确认|和我确认|找我确认|征求我)"
    r"|\W{0,3}我?更?(?:喜欢|偏好|倾向于?)(?:用|使用|写)\s?(?!第|这|那|上|下|方案|一)\S"
    r"|.{0,8}用\s?\S{1,10}\s?[缩縮][进進]"
    r"|.{0,12}(?:[使采採]?用)\s?(?:\d|两|四|二|兩)\s?[个個]?空格(?:[缩縮][进進])?"
    r"|.{0,6}(?:回答|回复|回覆|解[释釋]|代[码碼]|程式[码碼]|函[数數]|注[释釋]|提交).{0,4}(?:尽量|盡量|要|[务務]必|保持|[请請])"
    r"(?:[简簡](?:短|[洁潔]|[单單])|精[简簡]|[详詳][细細]|清晰|短)"
    r"|(?:コメント|変数名|コミット(?:メッセージ)?|回答|返答|エラーメッセージ|ドキュメント|ログ).{0,6}(?:日本語|英語|中国語)で"
)
_TASK_ASKED = (
    r"only\s(?:edit|touch|change|modify|write|work|create)\s[^?]{0,40}?\b(?:in|under|inside|within|to)\s"
    r"(?:\S*[/.]\w?|(?:the |our |this )?\w+ (?:folder|director(?:y|ies)|package|module)\b)"
    rf"|{_WORK}\s[^?]{{2,80}}\b(?:(?:for|on|to|in) (?:every|each|all) {_PART}"
    r"|(?:before|after) (?:committing|pushing|you (?:commit|push)))\b"
    rf"|(?:write|add) tests? for {_ALL}\b"
    rf"|(?:write )?(?:the |all )?(?:docs?|documentation|readme|changelog|issues){_IN_TONGUE}"
    r"|(?:please )?always\s\w{2,} tests?\b"
    r"|(?:make sure|ensure)(?: that)?\s(?:all|every|each|any|no|none)\s(?:of the |the |our |new )?\w"
    rf"|(?:every|each|all)\s(?:\w+ ){{0,2}}{_KINDS}\s(?:\w+ ){{0,2}}?"
    r"(?:needs?|must|should|has to|have to|gets?|requires?)\s|(?:jede[rs]?|alle|chaque"
    r"|cada)\s.{2,40}\s(?:brauch(?:t|en)|bekomm(?:t|en)|a besoin|necesita|precisa)\s.{3,}"
    rf"|(?:there(?:['’]s| is) )?no need (?:to|for)\s{_NO_COURTESY}\w.{{2,}}"
    rf"|(?:you |we )?(?:don['’]?t|do not) (?:have|need) to\s{_NO_COURTESY}\w.{{2,}}"
    r"|(?:(?:e|y|и|und|et|a) )?(?:wait for (?:my|our|further)\s(?:go\b|ok|approval|confirm|instruct|answer"
    r"|review|sign|feedback)|wait until i\s(?:say|confirm|approve|tell|ok|review|answer|sign)"
    r"|aguarde\s(?:\w+ )?(?:instru|confirma|aprova|orden|resposta|meu ok)|esper[ae] (?:por )?(?:mis|minhas?"
    r"|mi)\s(?:instru|confirma|aprob|aprova|respuesta|resposta|orden)|(?:жди"
    r"|подожди) (?:мо\w{1,3} )?(?:указан|ответ|команд|подтвержд|инструкц)|warte auf mein\w{0,2}\s(?:ok|anweis"
    r"|antwort|bestätig|freigabe)|attends (?:mes|ma|mon)\s(?:instruct|confirm|accord|réponse|validation))"
    r"|(?:пожалуйста,? |давай )?(?:сделай(?:те)?|настрой) (?:так,? |это,? )?чтоб\w{0,2}\s.{4,}|haz que\s.{4,}"
    r"|fa(?:z|ça) com que\s.{4,}|(?:mach es so|sorge dafür),? dass\s.{4,}|fais en sorte (?:que|qu['’]"
    r"|de)\s?.{4,}|(?:udělej|uprav) to (?:tak,? )?(?:aby|ať)\s.{4,}|(?:set|make) (?:it|this"
    r"|things)(?: up)? so (?:that|the|it|all|every|no|only|users?|each)\s\w.{3,}|(?:generate|output|write"
    r"|return|provide) the (?:complete|full|whole|entire) (?:file|code)s?\b|only\s(?:develop|build|implement"
    r"|work on|do|fix|handle|include|add|update)\s(?!one\b|this\b|that\b|it\b)\w.{3,}|(?:emphasi[sz]e"
    r"|prioriti[sz]e|focus (?:more )?on|concentrate on)\s(?!this\b|that\b|it\b)\w.{3,}"
)
_TASK_SAID = (
    rf"we {_TOUCH}\s[^?]{{2,60}}\bonly\W{{0,3}}$"
    r"|(?:it|this|everything|the (?:code|app|api|tool|script|result|output)|all)\s(?:also |still )?(?:has"
    r"|have|needs?) to\s(?:\w+ )?(?:work|run|build|compile|support|stay|remain|be compatible|be backwards?)\b"
    r"|(?:i want |i(?:['’]d| would) like )?all\s(?:the )?(?:ui |user[- ]facing |visible )?"
    rf"(?:text|texts|strings|labels|messages|copy){_IN_TONGUE}"
    r"|(?:s['’]il te pla[iî]t,? )?n(?:e |['’])\w{3,14} (?:pas|jamais)\s.{4,}"
    r"|(?:bitte )?\w{3,12}e?\s(?:bitte )?(?:die|den|das|keine[nr]?)\s.{2,40}\snicht(?: \w{2,4})?\W{0,3}$"
    r"|pas d(?:e |['’])(?!probl|souci|chance|idée|changement|erreur|réponse|quoi)\w.{5,}"
    r"|.{0,10}(?:提交|推送|部署|合并|发布|上线|删除|修改|安装)[^,，。]{0,6}前(?:都|要|请|必须|一定)?(?:先|得|要)[^?？]{2,}"
    r"|.{2,20}前に.{2,40}(?:てください|て下さい)[。.]?$"
    r"|.{4,60}(?<!でき)(?<!あ)[るうくすつぬぶむぐ]こと[。.!！]?$"
    r"|.{1,16}は.{1,16}[でに](?:お願いします|してください)[。.!！]?$"
    r"|.{0,8}(?:只能|只许|只准|只允许|只改|只动|只修改)\s?\S{1,40}?\s?(?:目录|文件夹|下的|/)"
    rf"|文[档檔](?:都|一律|[统統]一|全部|[请請])?(?:用|使用|[写寫]成|要用){_TONGUES}"
    r"|.{0,8}(?:[项項]目|[专專]案|[仓倉][库庫]|工程|前端|后端|後端|系[统統]|服[务務]|[这這][里裡])[里裡中]?"
    r"(?:只能|[统統]一|一律|必[须須]|只)(?:用|使用|支持|支援|兼容)\s?\S"
    r"|[请請]?(?:[确確]保|保[证證])\s?(?:所有|每[个個次]|全部|任何)\s?\S"
    r"|(?:所有|每[个個一]|全部|任何)[^,，。？?]{1,16}?(?:都|均)?(?:要|必[须須]|需要|得|[应應][该該]?)(?!不要).{2,}"
    r"|.{1,12}?(?:[时時]|的[时時]候|[过過]程中|代[码碼][里裡中])[,，]?[请請]?(?:不要|别|別|勿|不得|禁止|不[准许許])\s?\S{2,}"
    r"|[请請]?(?:不用|不需要|無需|无需)(?:写|寫|加|[测測][试試]|[添新]加|考[虑慮])\s?(?:[测測][试試]|注[释釋解]|文[档檔]|日[志誌]|兼容)"
    rf"|(?:[\w ]{{1,16}}, )?não (?:precisam?|é necess[áa]rio|é preciso)\s{_NO_COURTESY}.{{3,}}"
    rf"|(?:[\w ]{{1,16}}, )?no (?:hace falta|es necesario)\s{_NO_COURTESY}(?!.{{0,60}}\bahora\b).{{3,}}"
    rf"|(?:pas besoin|inutile) d(?:e |['’]){_NO_COURTESY}.{{3,}}"
    r"|.{3,60}\snicht (?:nötig|notwendig|erforderlich)\W{0,3}$"
    rf"|{_ORDERED}.{{2,60}}\b(?:without (?:asking|confirming|confirmation|waiting for)"
    r"|s[ei][mn] (?:me )?(?:pregunt|pergunt|confirm)\w+|без (?:вопрос|подтвержд|спрос|уточн)\w*"
    r"|ohne (?:zu fragen|nachzufragen|rückfragen?)|sans (?:me )?demander)\b(?! the time| for a)"
    r"|(?!.{0,8}[谢謝])[^，,。？?!！]{1,16}?(?:也|都|就)?(?<![需要用])(?:不需要|不用|不要)了?(?:显示|加|做|写"
    r"|改|动|管)?了?(?:\W|$)|.{2,40}?(?:(?:は|も|って)(?:いらない|要らない|不要|必要ない)"
    r"|(?<!急が)(?<!気にし)(?<!心配し)(?<!無理し)なくて(?:も)?(?:いい|良い|大丈夫))(?:です|でしょ|よ"
    r"|ね){0,2}[。.!！]?$|.{0,12}?(?:等我(?:的)?(?:指示|确认|通知|命令|回复|同意|批准|说)|等(?:待"
    r"|候)(?:我的)?(?:指示|确认|通知|命令|回复)|(?:指示|連絡|返事|確認)(?:を|があるまで|するまで"
    r"|が出るまで)(?!し).{0,6}待って)|.{0,20}(?:别|不要|不用|不必|无需|無需|無须)(?:再|每次|都)?(?:问我|問我"
    r"|找我确认|向我确认|确认|確認)|.{0,20}(?:聞かずに|確認(?:せず|なしで))"
)
_BANNED_SAID = (
    r"no\s(?!(?:\w+[ -]){0,3}(?:errors?|results?|changes|problems|issues|worries|questions|ideas?|thanks"
    r"|conflicts|warnings|hurry|failures|matches|differences|options|details|updates|messages|luck|logs|news"
    r"|more|longer|tests?|files?)\W{0,3}$)(?:[a-z-]{2,20} ){0,3}[a-z-]{2,20}s\W{0,3}$|kein(?:e"
    r"|en)?\s(?!(?:ahnung|sorge|fehler|änderung|problem|zeit|frage|eile|angst|idee"
    r"|antwort)\w*\W{0,3}$)[\w-]{3,30}\W{0,3}$|nada de\s(?!eso|isso|esto|nuevo|novo)\S.{2,40}"
    r"|никаких\s(?!проблем|вопрос|ошибок|изменений)\S.{2,40}|only\s(?:edit|touch|change|modify|write to"
    r"|use)\s\S*[/.]\S+\W{0,3}$|(?:ändere|bearbeite|berühre|fass)\s(?:bitte )?nur\s\S.{2,60}"
    r"|(?:bitte )?nur\s\S{2,40}\s(?:ändern|anfassen|bearbeiten)\b|(?:solo|sólo)\s(?:toca|cambia|modifica"
    r"|edita)\w*\s\S.{2,60}|(?:toca|cambia|modifica|edita)\s(?:solo|sólo)\s\S.{2,60}|(?:só|somente"
    r"|apenas)\s(?:mexa|altere|toque|edite|modifique)\s\S.{2,60}|(?:ne )?(?:touche|modifie"
    r"|change)z?\s(?:qu['’]|que |seulement |uniquement )\S.{2,60}|(?:меняй|трогай|правь"
    r"|редактируй)(?:те)?\sтолько\s\S.{2,60}|только\s(?:меняй|трогай|правь)(?:те)?\s\S.{2,60}|(?:aktualisiere"
    r"|ändere|lösche|benutze|verwende|committe|pushe|installiere|entferne|berühre|nutze|mocke|deploye"
    r"|bearbeite)\s\S.{1,50}\snicht\W{0,3}$|no\s(?:actualic|actualiz)\w{1,4}\s\S.{1,60}"
    r"|não\satualiz\w{1,4}\s\S.{1,60}|[^\s,，。]{1,12}不(?:能|得|许|准|可以?)(?:打|写|出现|提交|放|传|存|记"
    r"|输出|打印)(?:到|在|进|入)?\S{1,20}"
    rf"|(?:write|schreib|escrib|escrev|écri|пиши|напиши)\w{{0,3}}\s\S.{{2,40}}\s(?:in|auf|en|em"
    rf"|на)\s(?:{_TONGUE}|{_TONGUE_WORDS})"
)
_ANSWER_SAID = (
    r"(?:answer|reply|respond)\s(?:me )?(?:in|with|briefly|shortly|concisely)\b.{0,60}"
    r"|отвечай(?:те)?\s(?:коротко|кратко|на|по)\b.{0,60}|antworte\s(?:mir )?(?:kurz|knapp|auf|in"
    r"|immer)\b.{0,60}|respond[ea]\s(?:en|em|breve|corto|curto|siempre|sempre)\w{0,6}\b.{0,60}"
    r"|réponds?(?:ez)?\s(?:en|brièvement|toujours)\b.{0,60}|.{0,6}(?:回答|回复|回覆).{0,4}(?:不要?超过|控制在"
    r"|限制在)\s?\S{1,6}|.{0,8}(?:注释|注釋|文档|提交信息|日志)写(?:成)?(?:英|中|日)文|(?:use|utilise[zr]?"
    r"|utiliza|usa|benutze|verwende|nutze|используй(?:те)?)\s(?:des |los |die |o )?(?:snake|camel|pascal"
    r"|kebab)[-_ ]?case\b|(?:snake|camel|pascal|kebab)[-_ ]?case(?:を使|で)"
)
_FACT_SAID = (
    r"(?:[\w-]{2,20} ){1,4}(?:is|are) always (?:in|stored|given|kept|sent|written|measured)\s\S.{1,60}"
    r"|(?:our |the )(?:unit |integration |e2e )?(?:tests?|build|lint(?:ing)?|start|dev|deploy(?:ment)?"
    r"|format(?:ting)?) (?:command|script|task) is\s(?!(?:failing|hanging|stuck|missing|wrong|slow|too"
    r"|not)\b)\S|we (?:deploy|host|ship|release)\s(?:\w+ )?(?:on|to|with|via|in) \S|.{0,10}(?:部署|托管"
    r"|[运運]行)在\s?\S{2,20}(?:上|[里裡])\W{0,2}$|.{0,10}(?:[测測][试試]|[构構]建|[启啟][动動]|打包|部署"
    r"|[编編][译譯])命令(?:是|[为為])\s?\S"
)
_CHOICE_ASKED = (
    r"(?:build|write|implement|code|create|develop|make)\s"
    r"(?:it|this|that|them|everything|the(?: [\w-]+){1,3}?)"
    rf"(?: only)?\s(?:in|with|using)\s(?:plain |pure |vanilla )?{_MADE}\b(?!['’])(?:\W|$)"
)
_CHOICE_SAID = (
    r"(?:.{1,40}, )?(?:(?:я )?хочу|мне нуж(?:ен|на|но)) именно\s(?!так\b|это\b)\w.{2,}|quiero (?:justamente"
    r"|exactamente)\s(?!lo mismo|eso|esto)\w.{2,}|i (?:specifically|explicitly) want\s(?!to\b|you\b|that\b"
    r"|this\b)(?:the |an? )?\w.{2,}|(?!.{0,60}か[。.?？]?$).{0,8}?(?:案|方法|方案|プラン|オプション"
    r"|選択肢)\s?[a-z0-9一二三四①②③④](?:で|を)(?:お願い|進め(?!ると)|いき|いこう|実装|やっ|採用)"
    r"|(?!.{0,60}か[。.?？]?$).{0,12}?(?:フロント(?:エンド)?|バックエンド|サーバー|言語"
    r"|データベース)は.{2,24}?(?:で(?:作|実装|お願い|開発|書|いき)|を(?:利用|使用|使っ|用い))"
)
_FORMS = (
    (Reach.STANDING, LazyPattern(rf"{_POLITE}(?:{_STANDING_ASKED}|{_ANSWER_SAID})|{_STANDING_SAID}")),
    (Reach.TASK, LazyPattern(rf"{_POLITE}(?:{_TASK_ASKED}|{_BANNED_SAID})|{_TASK_SAID}")),
    (Reach.FACT, LazyPattern(rf"{_FACT_SAID}")),
    (Reach.CHOICE, LazyPattern(rf"{_POLITE}(?:{_CHOICE_ASKED})|{_CHOICE_SAID}")),
)
"""What clauses in lower case begin with, the forms that reach farthest first."""
_NO_RULE = LazyPattern(
    r"\b(?:why|how|what|when did|does|did|doesn['’]t|didn['’]t|isn['’]t|error(?!s?[- ](?:handling|messages?"
    r"|codes?))|fails?|failed|broken|still|not working|once|for now|this time|just this|only (?:one|once"
    r"|a few|works?)|no (?:problem|idea|worries|way|longer|one|need(?! (?:to|for) )|changes?|difference)"
    r"|i (?:only|just) (?:see|have|get|got|want to know))\b|为什么|怎么|吗|报错了|还是|这次|先不|暂时"
)


_GENERAL = LazyPattern(
    rf"{_POLITE}(?:always|never|under no circumstances)\s{_TOUCH}\b"
    rf"|^(?:all|every|any) {_PART}\s(?:must|should|needs?|has to|have to)\b"
    r"|^.{0,6}(?:永远|始终|任何时候|任何情况下|总是要|一律)"
)


def is_general(low: str) -> bool:
    """Tell whether a rule, in lower case, is laid down for good: "always ...", "all code must ...", 永远不要 ..."""
    return _GENERAL.match(low) is not None


def plain_rule(low: str) -> Reach | None:
    """Tell how far a clause, in lower case, reaches as a plain rule; None for most."""
    if low.endswith(("?", "？")):
        return None
    reach = next((reach for reach, form in _FORMS if form.match(low)), None)
    return None if reach is None or _NO_RULE.search(low) else reach
