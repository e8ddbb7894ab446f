"""Rules: sayings that make a clause a memory whatever else speaks for or against it.

Requests to remember, plain forms ("must ...", "use PostgreSQL", "port is 3001"), rules that announce themselves ("from
now on ...") and ways of working ("keep functions under 50 lines", 以后提交前都要跑测试). Questions are never certain.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation import LazyPattern
from memory.entries import MemoryPriority, MemoryType
from memory.extraction.cues import told_apart
from memory.extraction.slots import retracted_in, slots_in

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from memory.extraction.heads import Force

_CRITICAL, _HIGH = MemoryPriority.CRITICAL, MemoryPriority.HIGH
_INSTRUCTION, _DECISION = MemoryType.USER_INSTRUCTION, MemoryType.TECHNICAL_DECISION
_CONFIGURATION = MemoryType.CONFIGURATION
LONGEST_PLAIN = 160
"""Characters up to which a clause counts as one plain saying (chosen)."""


class Certainty(NamedTuple):
    """What a clause is kept as (None where the evidence decides), whether on request, and beyond the task."""

    type: MemoryType | None
    priority: MemoryPriority | None
    explicit: bool = False
    standing: bool = False


# Patterns without capitals are searched in lower case: the engine is several times faster so.
_EXPLICIT = LazyPattern(
    r"(?i)\W{0,4}(?:(?:ok|okay|and|also|so|now|but|please|pls|hey|well)[,\s]{1,3}){0,3}(?:(?:always|must|you should"
    r"|can you|could you)\s)?(?:remember(?:\s(?:that|this|to|the|my|our|we|i|it|for|:)|\s?[:,])|memori[sz]e\s"
    r"|keep in mind|bear in mind|(?:don['’]t|do not|never) forget|(?:make|take) a (?:mental )?note|note (?:to self"
    r"|for later|for the future)|save (?:this|that|it)? ?(?:to|in) (?:your )?memory|add (?:this|that|it)? ?to (?:your )"
    r"?memory)|.{0,12}?(?:请记住|請記住|记住|記住|记一下|記一下|牢记|切记|请记得|别忘了|不要忘记|加入记忆|存入记忆)"
    r"|(?:覚えておいて|忘れないで)|.{2,80}(?:を覚えておいて|を忘れないで|覚えてください)|\W{0,4}(?:пожалуйста,? )?(?:за"
    r"помни|не забудь|имей в виду)\b|\W{0,4}(?:por favor,? )?(?:recuerda|ten en cuenta|no olvides|lembre-se"
    r"|não esqueça|tenha em mente)\b|\W{0,4}(?:bitte )?(?:merk dir|merke dir|vergiss nicht|denk daran)\b|\W{0,4}(?:souv"
    r"iens-toi|retiens|n['’]oublie pas)\b"
)
_NOT_EXPLICIT = LazyPattern(
    r"(?i)do you remember|remember (?:when|how|where|what|why|if|the last|last)\b|还?记得.{0,30}[吗嗎?？]|remember me\b"
    r"|[记記]住(?:密[码碼]|登[录錄陆陸]|[账帳][号號]|我的?(?:[选選][项項框]|功能|勾[选選]|按[钮鈕]|[状狀][态態]))(?!是|为|[:：])"
)
_STANDING = LazyPattern(
    r"\b(?:from now on|going forward|in (?:the )?future|from here on|henceforth|every time (?:you|we|i)"
    r"|for (?:all|every) (?:future|new))\b|(?:从现在起|從現在起|从今以后|今后|今後|以后(?:都|就|请|不|要|每"
    r"|所有|别|回|用)|以後(?:都|請|不|要)|每次都?要|每次.{1,20}都)|これから(?:は|も)|今後は|毎回|отныне"
    r"|впредь|a partir de ahora|de ahora en adelante|a partir de agora|de agora em diante|ab jetzt|ab sofort"
    r"|künftig|désormais|dorénavant|à partir de maintenant|od teď"
)
_PROHIBITED = LazyPattern(
    r"\W{0,3}(?:you should )?(?:do not|don['’]?t|never|you may not)\s(?!work|know|see\b|think|understand|have\b|get\b"
    r"|worry|need|want|seem|like\b|mind|show|appear|load|exist|care|believe|recall|remember|forget|mean\b|bother"
    r"|happen|feel|even\b|really|actually)\w{2,}|(?:[^,，。？?\s我你您怎吗][^,，。？?我你您怎吗]{0,9})?(?<![要么还就是]"
    r")(?:不要|别|別|不许|不准|不可以|不能再|不得(?![不已])|严禁|嚴禁|禁止)(?!说|紧|客气|急|担心|的|人|墅|扭|名"
    r"|超[过過])[^？?]{2,}|.{2,60}(?:ないで(?:ください|下さい|くれ|ほしい|欲しい)?[ねよ]?|ないこと|禁止(?:です"
    r"|とします)?)[。.!！]?$|не (?:надо|нужно)\b|никогда не\b|не\s(?!очень|теперь|здесь|весь|только|мои|твои|свои"
    r"|такие)\w{2,}(?:[аяуею]й|(?<!л)и|(?<!т)ь)(?:те)?\s\S.{2,}|no\s\w{3,}[ae]s\s(?:el|l[ao]s?|en|nada|ning\w+"
    r"|un[ao]?s?|al?|tus?|mis?|nuev\w+|con|sin|ni|tod\w+|est\w+|por|archivos?|código)\b|(?:não|no)\s(?:toque|mude"
    r"|cambie|altere|use|modifique|apague|borre|remova|elimine|adicione|agregue|añada|escreva|escriba|faça|haga|crie"
    r"|cree|instale|ejecute|execute|rode|exclua|envie|publique|inclua|incluya|coloque|mexa|edite|commite|renomeie"
    r"|duplique|invente|pule|ignore|refatore|substitua|exponha|exponga|quebre|rompa|suba|deixe|deje|salve|guarde"
    r"|traduza|traduzca|comente|suponha|suponga)[ms]?\b|n(?:e |['’])(?!fonctionn|march|s['’]|est\b|sont\b|peu[tx]|sais"
    r"|ai\b|y\b|t['’]inqui)\w{2,14}[- ](?:pas|jamais|plus|rien|aucune?)\b.{3,}|(?!(?:es|ich|da|hier|das|ist|sind|wir"
    r"|er|sie|ihr|aber|kann|habe|gibt|warum)\b)[a-zäöüß]{2,13}[^t\s]\s(?:bitte |mir )?(?:keine?[nrms]?|niemals|nie"
    r"|nicht)\s.{3,}|keine?[nrms]?\s.{3,60}[a-zäöüß]{2,}[er]n\W{0,3}$|(?:avoid|evit[ae]|évite[rz]?|vermeide"
    r"|избегай(?:те)?|stop using|(?:está |é |il est )?(?:proh?ibido|interdit(?: de)?|interdiction de)|es ist verboten"
    r"|запрещ\w+)\s\w.{3,}|.{0,12}没有?我的?(?:同意|许可|确认|批准).{0,6}不.{2,}|.{0,12}不能(?:再)?(?:动|碰|改|直接"
    r"|引入|推|低于|少于|超过)(?!了).{2,}"
)
_FORBIDDEN = LazyPattern(
    r"(?:^|[,.:;\s(])(?:you |we |it |they )?(?:must(?:n['’]t| not| never)|MUST NOT|NEVER|DO NOT|DON['’]?T|(?:shall"
    r"|should) never|under no circumstances)\s\w|^(?:please |and |also |but |so )?(?:never|Never)\s(?!mind)\w{2,}"
    r"|\b(?:is|are) (?:strictly |absolutely )?(?:not (?:allowed|permitted)|forbidden|prohibited|banned|off[- ]limits)\b"
    r"(?! (?:by|from|to load)\b)|(?:^|[,，;；]).{0,12}(?:禁止|严禁|嚴禁|绝不能|絕不能|绝对不要|絕對不要|千万别"
    r"|千万不要|切勿)|^.{0,12}不得(?![不已])|[,，;；]\s?(?:也|但是?|[并並]且?|而且|[请請]|就)?(?:不要|别|別|不[许許]"
    r"|不准|不可以)(?!说|紧|客气|急|担心|的|人|墅|扭|名|超[过過])[^？?]{2,}|^(?:[请請]|[并並]且?|也)?不允[许許]"
    r"|絶対に.{0,40}(?:ないで|ないこと|禁止)|してはいけ(?:ない|ません)|(?i:\bникогда не\b|\bни в коем случае\b"
    r"|\bnunca\s\w+|\bniemals\b|\bauf keinen fall\b|\bjamais\b)"
)
_REQUIRED = LazyPattern(
    r"(?:^|[,.:;\s(])(?:you|we|it|they|all|every|each|the|this|code|tests?|[\w-]{2,24}) (?:must|MUST)\s(?!be an?\s?(?:m"
    r"istake|error|bug|problem))\w{2,}|^(?:must|Must|MUST|always|Always|ALWAYS)\s\w{2,}|必须|必須|一定要|务必|務必"
    r"|必ず.{2,60}(?:ください|下さい|こと|する|します)[。.!！]?$|なければ(?:ならない|なりません|いけない|いけません)"
    r"|(?:都要|都得|只能|只许|只准|一律)[^？?]{2,}|(?i:\bобязательно\b|\bunbedingt\b|\bobligatoriamente\b"
    r"|\b(?:debe[ns]?|hay que|tienen? que|deve(?:m|rão)?|t[eê]m que|doi(?:t|vent)|il faut|müssen|muss|dürfen|darf"
    r"|должн[аоы]|должен|необходимо|нельзя|запрещено)\s(?!(?:ser|être|haber|haver|estar|быть) (?:une?|uma?|err|mal|rot"
    r"|quebr|ошиб)|(?:y )?avoir une?\b|ich\b|ein\b)\w{2,}.{3,})"
)
_GUESS = LazyPattern(
    r"\byou must (?:be \w+ing|have \w+(?:ed|en|ot))\b|\b(?:we|it|that|this|there) must be \w{2,}\W{0,3}$"
    r"|\bmust (?:be|have|'?ve)\s(?:a |an |some |been "
    r"|something|wrong|broken|missing|because|due|the |caused)|\bmust've\b|\bmust admit\b|应该是|不是必须"
    r"|不一定要|必须要?吗|\bnever (?:works?|worked|loads?|loaded|seen|saw|heard|knew|had|got|did|was|been"
    r"|thought|shows?|appears?|happened|ends?|finish)|\b(?:why|how|what) must\b|\bif (?:you|i|we) must\b"
    r"|^(?=.*\bnot (?:allowed|permitted)\b).*\b(?:says?|said|saying|shows?|error|got|gets?|getting|40\d)\b"
)
_TECHNOLOGY = LazyPattern(
    r"^(?:\W{0,3}(?:please|let['’]?s|we(?:['’]ll| will| should)?|just|and|then|also|ok|so|i want(?: you)? to"
    r"|you should)[,\s]{1,3}){0,3}(?:use|uses|using|go with|stick (?:to|with)|switch to|migrate to|move to|adopt)\s\S"
    r"|^.{0,12}?(?:使用|采用|採用|改用|换成|換成|换用|选用|就用)\s?\S|(?:を使用|を使い|を使って|を採用|にします)"
)
_CONFIGURED = LazyPattern(
    r"\b(?:port\s(?:is|to|=|:|should be|must be|will be|number is)?\s?\d{2,5}\b|(?:theme|colou?r scheme|branch"
    r"|model) (?:is|should be|must be) [\w#.-]{2,30})|(?<!么)(?:[在用到走开開]|[监監][听聽])\s?\d{2,5}\s?[号號]?端口[。"
    r".!！]?$|端口.{0,6}?(?:改为|改成|设为|设置为|是|为|换成|用|：|:)\s?\d{2,5}|^(?:please |now )?change (?:the |our "
    r"|my )?[\w ./-]{2,40} (?:from .{1,40} )?to \S.{0,60}$|^.{1,20}(?:改为|改成|设为|设置为)\s?[\w#./:-]{1,40}[。.]?$"
    r"|^(?:tech(?:nology)? )?stack(?: is)?: ?\S|^(?:we|(?:the |our )?(?:app|site|api|project|it)) (?:(?:is|are) )?"
    r"(?:deploy(?:ed|s)? to|deployed on|hosted on) \S|^(?:我们|项目|网站|应用)?(?:部署|托管)(?:到|在)\s?[a-z]\S"
    r"|^(?:the |our |my )?(?:(?:default|main|base|api|staging|production|test|build|lint|format|dev|start|deploy"
    r"|install|backend|frontend|server|node|python|database|db|repo(?:sitory)?) ){1,2}(?:command|language|locale"
    r"|branch|currency|time ?zone|url|host|server|address|domain|name|version|folder|directory|schema|prefix)"
    r" (?:is|will be|should be) (?!not\b|wrong|missing|incorrect|empty|undefined|null|broken|too|still|now|shown"
    r"|displayed|different|invalid|required|optional|hidden|changed|\w+ed\b)[\w`\"'./:@-].{0,80}$"
    r"|^(?:我们的?|项目的?)?(?:默认|构建|测试|启动|运行|部署|安装|检查|打包|编译|数据库|接口|后端|前端|服务器?|仓库)的?"
    r"(?:命令|语言|分支|时区|货币|地址|域名|名称?|版本|目录|路径|前缀)(?:是|为|叫|：)\s?[^错空不没有什哪]\S{0,60}"
    r"(?:\s\S{1,30}){0,4}$"
)
_FACT = LazyPattern(  # of the people, the project, its machines, and in which form it keeps things
    r"^(?:i['’]m|i am|we['’]re|we are) (?:on|running|using) (?:a )?(?:windows|mac|linux|ubuntu|debian|fedora|wsl)"
    r"|^my (?:os|machine|editor|shell|system) (?:is|runs)\s(?!slow|not|too)\S|^(?:the |our |my )(?:customers?|clients?"
    r"|users|audience|team|company|product|repo(?:sitory)?|codebase|project|deadline) (?:is|are) (?:an? |mostly "
    r"|mainly |all |on )?(?!not|mess|broken|stuck|wrong|disaster|bit|lot|now|too|still|set|ready|done|\w+ing\b)\w"
    r"|^(?:all |the |our )?(?:\w+ )?(?:dates|times|timestamps|ids|prices|amounts|passwords|tokens|files|images|tests"
    r"|logs|secrets|responses) (?:are|live|go) (?:stored|saved|kept|hashed|encrypted|named|signed|formatted|next to"
    r"|in (?:utc|cents)|uuids?|json|utc)\b|^(?:the )?(?:max|min)(?:imum)? [\w ]{2,30} (?:is|should be|of|:) \d"
    r"|^我(?:用的?是?|的?(?:系统|电脑)(?:是|用的是))\s?(?:windows|mac|linux|ubuntu)|^(?:客户|用户|团队|公司|产品|仓库)"
    r"(?:是一|主要|都是)[^反抱]|(?:时间|日期)\S{0,4}统一[用为按]|以\S{1,4}为单位|^密码\S{0,4}用.{2,20}加密"
    r"|^每行(?:最多|不超过)\s?\d|^这是一?个?\s?[^什哪]\S{1,20}(?:项目|系统|网站|平台|应用|repo)$"
)
_ASKING = LazyPattern(
    r"为什么|为啥|为何|怎么|(?:^|\s)(?:how come|why|por ?qu[eé]|pourquoi|warum|почему|зачем)\b|なぜ|なんで|どうして"
)
_RETRACTING = LazyPattern(
    r"(?i)\b(?:forget|never\s?mind|disregard|no longer (?:use|need|want)|stop using|any\s?more|after all)\b"
    r"|\byou (?:may|are allowed to)(?: \S{1,30}){2,9} (?:now|again)\b|(?:还是|還是)用.{1,30}吧"
    r"|可以用\s?[a-z][\w.+#-]+\s?了|(?:不用|不要|不需要|不再|别用|停用|弃用).{1,24}了"
    r"|不再(?:使用|需要|用)|忘掉|作废|もう使わない|забудь|больше не|olvida|ya no|esqueça"
)
_POLITE = r"^\W{0,3}(?:(?:please|pls|and|also|but|so|ok|okay|hey|just|you should|let['’]?s|we)[,\s]{1,3}){0,3}"
_WORK = (
    r"(?:run|write|add|update|explain|summari[sz]e|test|check|format|lint|commit|document|cover|include|keep|sign|prefix|validate"
    r"|review|annotate)"
)
_TOUCH = (
    r"(?:touch|change|edit|modify|delete|remove|commit|push|run|write|use|install|test|format|deploy|merge"
    r"|rename|ask|import|upgrade|force|rebase|reset|answer|reply|respond|squash|mock|hard-?code)"
)
_PART = r"(?:new |public |exported )?(?:functions?|methods?|class(?:es)?|modules?|code|files? you \w+)"
_TONGUE = (
    r"(?:\w+ )?(?:engl|inglés|inglês|anglais|англий|german|deutsch|alem|allem|немец|french|franz|franc|spanish"
    r"|spanisch|español|russian|русск|chin|japanese|portugu|italian|korean)\w*"
)
_TONGUES = r"(?:[简簡繁][体體]中文|[英中日德][文语語]|[驼駝]峰|下[划劃]|[小大][写寫]|帕斯卡)"
_HOLDS_ON = LazyPattern(
    rf"{_POLITE}(?:(?:always|never|under no circumstances)\s{_TOUCH}\b|(?:all|every|any) {_PART}\smust\b"
    r"|be (?:very |more )?(?:brief|concise|terse|careful|thorough|explicit|polite|consistent)\b.{0,30}$|indent (?:with"
    r"|by|using)\s|(?:only )?(?:do |take |make |one ){1,2}(?:thing|step|file|change|task|question) at a time\b"
    r"|use (?:the |our |a )?[\w -]{2,40} for (?:all |the )?(?:tests?|testing|development|production|styling|state"
    r"|forms?|icons?|logging|auth\w*|validation|routing|dates|migrations?|deployments?|charts?|i18n|caching)\W{0,3}$"
    rf"|{_WORK}\s[^?]{{2,100}}\b(?:(?:every|each|any) (?:code )?(?:changes?|commits?|edits?|push|steps?|tasks?"
    r"|features?|fix(?:es)?|releases?|prs?|pull requests?)|everything you \w{2,}|whenever you \w{2,}|all (?:new"
    r"|your) (?:code|functions|methods|classes|modules|commits|changes))\b|keep\s[^?]{2,60}\b(?:under|below|within"
    r"|at most|(?:no more|shorter|smaller) than)\s\d{1,4}\s\w|(?:i (?:\w+ly |always )?)?prefer\s(?!(?:the|this|that|it"
    r"|your|an?|option|version|number|not|to)\b|\W|\d)\S.{2,80}|no\s[a-z][\w -]{1,40}\bin (?:the |this |our |any "
    r"|your )?(?:code|comments?|commits?|commit messages|docs|tests|names|repo|repository)\W{0,3}$|no\s(?:new"
    r"|additional|extra|external|third[- ]party|unnecessary|more)\s(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)"
    r"|libs?|frameworks?|comments?|emojis?|mocks?|abstractions?)\b|(?:ask|check with|consult|confirm with) (?:me "
    r"|us )?(?:first )?before (?:you )?\w{4,}[^?]{0,80}|(?:keep|make)\s(?:the |your |all ){0,2}(?:answers|replies"
    r"|responses|explanations|summaries|comments|commits|commit messages|functions|changes|diffs|prs|code|files"
    r"|names)\s(?:very |as )?(?:short|brief|concise|terse|small|simple|minimal|clean|focused|atomic|readable|dry"
    r"|consistent|typed)\W{0,3}$|(?:follow|stick (?:to|with)|adhere to|conform to|comply with|respect"
    r"|match)\s(?:[\w'’]+ ){0,4}?(?:pep ?-?8|style|conventions?|patterns|guidelines?|architecture|naming|formatting"
    r"|standards?|commits|versioning)\b|(?:answer|reply|respond|keep (?:our|the|this) (?:chat|conversation"
    r"|discussion))\s(?:me )?(?:in|with|briefly|shortly|concisely)\b|отвечай(?:те)?\s(?:коротко|кратко|на|по)\b"
    r"|antworte\s(?:mir )?(?:kurz|knapp|auf|in|immer)\b|respond[ea]\s(?:en|em|breve|corto|curto|siempre|sempre)"
    r"|réponds?(?:ez)?\s(?:en|brièvement|toujours)\b|(?:use|prefer|stick (?:to|with)|usa|utiliza|utilise[zr]?|benutze"
    r"|verwende|nutze|используй(?:те)?)\s(?:des |los |die |o )?(?:(?:snake|camel|pascal|kebab)[-_ ]?case\b|tab[su]\w*"
    r"|spaces\b(?! (?:between|in|after|before))|espa[cç]\w+|leerzeichen|табы|пробелы|(?:\d|two|four"
    r"|eight)[- ]spaces?(?! between)\b)|(?:me )?(?:preg[uú]nta|consúlta|pergunt[ea]|demande|frage?|спр(?:оси"
    r"|ашивай)(?:те)?)[\s-]?(?:me|moi|mich|у? ?меня)?\b.{0,24}\b(?:antes|avant|bevor|vorher|vor|прежде|перед)\b.{3,}"
    r"|(?:antes d|avant d|bevor|vor|прежде чем|перед|before)\S{0,3}\s.{3,60}[,\s](?:preg[uú]nta|consúlta|pergunt[ea]"
    r"|demande|frage?|спр(?:оси|ашивай)|ask|check with)[\s-]?(?:me|moi|mich|меня|у меня)\b|(?!(?:me|se|es|está|é|est"
    r"|ist|hay|ich|il|я|он|она|у|i|j['’])\b)(?:[^\s,]{2,20}\s){0,3}(?:siempre|sempre|immer|toujours"
    r"|всегда)\s(?!(?:noch|wieder|me|se|es|está|é)\b).{5,}|(?:(?:write|keep) )?(?:the |all )?(?:commit messages?"
    r"|(?:code )?comments?|docstrings?|variable names|identifiers|(?:log|error) messages|docs?|documentation|readme"
    r"|changelog)\s(?:(?:should|must|shall) )?(?:be |go )?"
    rf"(?:written |all )?in {_TONGUE})"
    r"|.{0,6}(?:永远|始终|任何时候|任何情况下|总是要|一律)|\W{0,3}以后(?!再).{1,24}(?:都|要|先|只|用|必)"
    r"|.{0,10}(?:注[释釋解]|文[档檔]|[信资資訊]息|说明|說明|提示|文案|界面|介面|日[志誌]|回[复覆答]|[变變][量數数]|函[数數]"
    r"|[类類]|文件|方法|字段)(?:名称|名稱|名|命名)?(?:都|一律|[统統]一|全部)?(?:要|[请請])?(?:用|使用|采用|採用|[写寫]成?|遵循)\s?"
    rf"{_TONGUES}"
    rf"|.{{0,6}}(?:回[答复覆应應]|答[复覆]|[说說讲講][话話]|交流|[沟溝]通)[^,，。?？不别別]{{0,6}}用\s?{_TONGUES}"
    r"|.{0,8}(?:代[码碼]|程式碼?|命名|[风風]格|格式|提交|[接介]口)[^,，。?？不没沒未是]{0,6}(?:遵[循守照从從]|符合"
    r"|按照)\s?[^,，。?？]{0,12}(?:pep|[规規][范範则則]|[标標]准|約定|约定|[风風]格|指南)|.{0,10}(?:函数|方法|每行"
    r"|文件|代码|提交|回[答复覆]).{0,10}(?:不要?超过|控制在|限制在)\s?[\d一二三四五六八十百两]{1,4}\s?[行句字个列]"
    r"|.{0,10}前(?:要|请|必须|一定)?先?(?:问我|问一下我|[跟和找]我确认|征求我)|\W{0,3}我?更?(?:喜欢|偏好|倾向于?)(?:用"
    r"|使用|写)\s?(?!第|这|那|上|下|方案|一)\S|.{0,8}用\s?\S{1,10}\s?[缩縮][进進]|.{0,12}用\s?(?:\d|两|四|二"
    r"|兩)\s?[个個]?空格|.{0,6}(?:回[答复覆]|解[释釋]|代[码碼]|程式[码碼]|函[数數]|注[释釋]|提交).{0,4}(?:尽量|盡量|要"
    r"|[务務]必|保持|[请請])(?:精?[简簡]|[详詳][细細]|清晰|短)|(?:コメント|変数名|コミット|回答|返答|メッセージ"
    r"|ドキュメント|ログ).{0,9}(?:日本|英|中国)語で|(?:snake|camel|pascal|kebab)[-_ ]?case(?:を使|で)"
)
_FOR_NOW = LazyPattern(
    r"\W{0,3}[请請]?[都只]?用[中英日韩韓德法俄][文语語]\W{0,3}$"
    rf"|{_POLITE}(?:(?:continue,? (?:but )?)?(?:(?:keep|do|write|say) (?:it|this|all)\s(?:in )?|in |only |stay in )"
    rf"{_TONGUE}(?:[,\s]{{1,3}}(?:please|pls|only|thanks)){{0,2}}\W{{0,3}}$|{_TONGUE},? (?:please|pls|only)\W{{0,3}}$"
    rf"|wait for my\s.{{2,80}}|leave\s[^?]{{2,40}}\s(?:to me|alone|untouched|as (?:it|they) (?:is|are))\b"
    r"|(?:stick|stay) with the (?:current|existing|same)\s\w|.{0,4}一次只.{0,2}[做改提处]"
    r"|(?:回[答复覆]|解[释釋]).{0,2}[简簡]短"
    r"|focus (?:only |just )?on\s(?!(?:that|this|it|these|those|them)\b)\w.{2,80}"
    rf"|only\s(?:edit|touch|change|modify|write(?: to)?|work|create|use)\s(?:[^?]{{0,40}}?\b(?:in"
    r"|under|inside|within|to)\s(?:\S*[/.]\w?|(?:the |our |this )?\w+ (?:folder|director(?:y|ies)|package"
    r"|module)\b)|\S*[/.]\S+\W{0,3}$)"
    rf"|{_WORK}\s[^?]{{2,80}}\b(?:(?:for|on|to|in) (?:every|each|all) {_PART}|(?:before|after) (?:committing"
    r"|pushing|you (?:commit|push)))\b|(?:write|add) tests? for (?:everything|all|every|each|any)\b|(?:make sure"
    r"|ensure)(?: that)?\s(?:all|every|each|any|no|none)\s\w|(?:every|each|all)\s(?:\w+ ){1,4}?(?:needs?|must|should"
    r"|has to|have to|gets?|requires?)\s|(?:jede[rs]?|alle|chaque|cada)\s.{2,40}\s(?:brauch(?:t|en)|bekomm(?:t|en)"
    r"|a besoin|necesita|precisa)\s|no\s(?!(?:\w+[ -]){0,3}(?:errors?|results?|changes|problems|issues|worries"
    r"|questions|ideas?|thanks|conflicts|warnings|failures|matches|differences|options|details|updates|messages|logs"
    r"|news|tests?|files?)\W{0,3}$)(?:[a-z-]{2,20} ){0,3}[a-z-]{2,20}s\W{0,3}$|kein(?:e|en)?\s(?!(?:ahnung|sorge"
    r"|fehler|änderung|problem|zeit|frage|eile|angst|idee|antwort)\w*\W{0,3}$)[\w-]{3,30}\W{0,3}$|nada de\s(?!eso|isso"
    r"|esto|nuevo|novo)\S.{2,40}|никаких\s(?!проблем|вопрос|ошибок|изменений)\S.{2,40}"
    r"|(?:ne )?\w{3,12} (?:bitte )?(?:nur|solo|sólo|só|somente|apenas|только|qu['’]|que |seulement"
    r"|uniquement) ?(?:\w{1,3} )?\S*[/.]\S.{0,60}|(?:bitte )?nur (?:\S+ )?\S{2,40}\s(?:ändern|anfassen|bearbeiten)\b"
    r"|\w{4,13}\s\S.{1,50}\snicht(?: \w{2,4})?\W{0,3}$|n(?:o|ão)\sa(?:c?tuali[zc])\w{1,4}\s\S"
    rf"|(?:write|schreib|escrib|escrev|écri|пиши|напиши)\w{{0,3}}\s\S.{{2,40}}\s(?:in|auf|en|em|на)\s{_TONGUE})"
    rf"|we {_TOUCH}\s[^?]{{2,60}}\bonly\W{{0,3}}$"
    r"|(?:it|this|everything|the \w+|all|we)\s(?:also |still )?(?:has|have|needs?) to\s(?:\w+ )?(?:work|run"
    r"|build|compile|support|stay|remain|be compatible)\b"
    rf"|(?:i want )?all\s(?:the )?(?:[\w-]+ )?(?:texts?|strings|labels|messages|copy)\s(?:to be )?in {_TONGUE}"
    r"|(?:s['’]il te pla[iî]t,? )?n(?:e |['’])\w{3,14} (?:pas|jamais)\s.{4,}|pas d(?:e |['’])(?!probl|souci|chance"
    r"|idée|changement|erreur|réponse|quoi|besoin)\w.{5,}|.{0,10}(?:提交|推送|部署|合并|发布|上线|删除|修改"
    r"|安装)[^,，。]{0,6}前(?:都|要|请|必须|一定)?(?:先|得|要)[^?？]{2,}|.{0,8}只(?:能|许|准|允许|改|动"
    r"|修改)\s?\S{1,40}?\s?(?:目录|文件夹|下的|/)|.{0,8}(?:[项項]目|[专專]案|[仓倉][库庫]|工程|前端|[后後]端|系[统統]"
    r"|服[务務]|[这這][里裡])[里裡中]?(?:只能|[统統]一|一律|必[须須]|只)(?:用|使用|支持|支援|兼容)\s?\S"
    r"|[请請]?(?:[确確]保|保[证證])\s?(?:所有|每[个個次]|全部|任何)\s?\S|(?:所有|每[个個一]|全部|任何)[^,，。？?]{1,16}"
    r"?(?:都|均)?(?:要|必[须須]|需要|得|[应應][该該]?)(?!不要).{2,}|.{1,12}?(?:[时時]|[时時]候|[过過]程中"
    r"|代[码碼][里裡中])[,，]?[请請]?(?:不要|别|別|勿|不得|禁止|不[准许許])\s?\S{2,}|[请請]?(?:不用|不需要|無需"
    r"|无需)(?:写|寫|加|[测測][试試]|[添新]加|考[虑慮])\s?(?:[测測][試试]|注[释釋解]|文[档檔]|日[志誌])"
    r"|[^\s,，。]{1,12}不(?:能|得|许|准|可以?)(?:打|写|出现|提交|放|传|存|记|输出|打印)[到在进入]?\S{1,20}"
    r"|.{2,20}前に.{2,40}て(?:ください|下さい)[。.]?$|.{4,60}(?<!でき)(?<!あ)[るうくすつぬぶむぐ]こと[。.!！]?$"
    r"|.{1,16}は.{1,16}[でに](?:お願いします|してください)[。.!！]?$"
)
"""Bounds and bans of the work at hand."""
_NO_RULE = LazyPattern(
    r"\b(?:why|how|what|when did|does|did|doesn['’]t|didn['’]t|isn['’]t|error(?!s?[- ](?:handling|messages?"
    r"|codes?))|fails?|failed|broken|still|not working|once|for now|this time|just this|only (?:one|once"
    r"|a few|works?)|no (?:problem|idea|worries|way|longer|one|need(?! (?:to|for) )|changes?|difference)"
    r"|i (?:only|just) (?:see|have|get|got|want to know))\b|为什么|怎么|吗|报错|还是|这次|先不|暂时"
)
_LASTING = frozenset("cue:from-now-on cue:always cue:condition".split())
_BINDING = frozenset("cue:must cue:never cue:always cue:not cue:only has:capitals".split())
_QUIET = frozenset("cue:look cue:error cue:broken cue:ask cue:do-now".split())
_LASTING_SLOTS = {"test command", "theme", "name of project", "port"}
_CHOSEN_SLOTS = {"database", "package manager", "frontend framework", "backend framework", "test tool"}


def certainty_of(text: str, evidence: AbstractSet[str], *, weak: bool = True) -> Certainty | None:
    """Return what is certain of a clause by its text and evidence, None for most.

    Only where that evidence is too `weak` to keep it, it is asked what it answers or takes back.
    """
    if "question" in evidence:
        return None
    asked = "cue:remember" in evidence and len(text) <= LONGEST_PLAIN * 2 and _EXPLICIT.match(text)
    if asked and not _NOT_EXPLICIT.search(text):
        return Certainty(None, _CRITICAL, explicit=True, standing=True)
    if len(text) > LONGEST_PLAIN:
        return None
    low = text.lower()
    lasts, binds = not _LASTING.isdisjoint(evidence), not _BINDING.isdisjoint(evidence)
    if (lasts or binds) and not _ASKING.search(low):
        lasts, binds = lasts and _STANDING.search(low) is not None, binds and _binds(text, low)
        if lasts or binds:
            standing = lasts or plain_rule(low) is True
            return Certainty(_INSTRUCTION, _CRITICAL if binds else None, standing=standing)
    if "has:tech" in evidence and "cue:look" not in evidence and _TECHNOLOGY.search(low):
        return Certainty(_DECISION, _HIGH)
    if _CONFIGURED.search(low):
        return Certainty(_CONFIGURATION, _HIGH)
    if _FACT.search(low) and _QUIET.isdisjoint(evidence):
        return Certainty(MemoryType.PROJECT_CONTEXT, MemoryPriority.MEDIUM, standing=True)
    if answered := _answered(text, low, evidence, weak=weak):
        return answered
    holds_on = plain_rule(low)
    return None if holds_on is None else Certainty(_INSTRUCTION, _HIGH, standing=holds_on)


def certainty_under(force: Force) -> Certainty | None:
    """Return what is certain of a clause whatever it says, for the head that it stands under; None for most heads."""
    return Certainty(_INSTRUCTION, _CRITICAL if force.forbids else _HIGH) if force.rules else None


def plain_rule(low: str) -> bool | None:
    """Tell whether a clause, in lower case, is a way of working (True), a rule of the task (False) or no rule."""
    if low.endswith(("?", "？")) or _NO_RULE.search(low):
        return None
    return True if _HOLDS_ON.match(low) else False if _FOR_NOW.match(low) else None


def _binds(text: str, low: str) -> bool:
    """Tell a rule that is laid down from a guess at what must be the matter; `low` is the clause in lower case."""
    low, text = told_apart(low), told_apart(text)
    laid_down = _PROHIBITED.match(low) or _FORBIDDEN.search(text) or _REQUIRED.search(text)
    return laid_down is not None and not _GUESS.search(low)


def _answered(text: str, low: str, evidence: AbstractSet[str], *, weak: bool) -> Certainty | None:
    """What is certain of a clause that answers a question of the project, or takes something back; `weak` ones only."""
    technical = "has:tech" in evidence
    slots = {slot.name for slot in slots_in(text, technical=technical)}
    if "answer language" in slots:
        return Certainty(_INSTRUCTION, _CRITICAL, standing=True)
    if not weak:
        return None
    if not _LASTING_SLOTS.isdisjoint(slots) and "cue:look" not in evidence:
        return Certainty(_CONFIGURATION, _HIGH, standing=True)
    quiet = evidence - {"cue:look"} if "test tool" in slots else evidence
    if technical and not _CHOSEN_SLOTS.isdisjoint(slots) and _QUIET.isdisjoint(quiet):
        return Certainty(_DECISION, _HIGH)
    if retracted_in(text) and not _GUESS.search(low) and _RETRACTING.search(text):
        return Certainty(_DECISION if technical else _INSTRUCTION, _HIGH)
    return None


def is_note(text: str) -> bool:
    """Tell whether a whole message is a note to keep: one line that begins with a single "# " and asks nothing."""
    note = text.strip()
    if "\n" in note or len(note) > LONGEST_PLAIN * 3:
        return False
    return note.startswith("# ") and not note.endswith(("?", "？"))


@lru_cache(maxsize=64)
def announces(heading: str) -> bool:
    """Tell whether a heading asks to remember what stands under it ("Remember:", "请记住：")."""
    said = heading.strip("#* ：:").casefold()
    return _EXPLICIT.match(heading) is not None or said in ("remember", "recuerda", "запомни")
