"""Cues of obligation, prohibition, scope and wish: what makes a sentence bind."""

from __future__ import annotations

from memory.extraction.cues.rows import Cue

RULES: tuple[Cue, ...] = (
    Cue(
        "must",
        "must;have to;has to;required;requires;mandatory;shall;at all costs;under no circumstances;"
        "обязательн*;долж*;debe*;tiene que;tienes que;hay que;obligatori*;deve*;tem que;muss;müssen;musst;"
        "unbedingt;doit;doivent;il faut;obligatoire;musí;musíš;nutn*;musi;trzeba;wajib;harus",
        "必须 必須 一定要 务必 務必 必需 必ず 絶対に 絶対 なければならない なければいけない ないといけない",
        hits=("Every route must be authenticated", "日志必须脱敏", "テストは必ず通すこと"),
        misses=("The mustard is in the fridge", "hello there"),
    ),
    Cue(
        "need",
        "need to;needs to;needed;require;necessary;need;нужно;надо;необходим*;precisa;necesit*;nötig;besoin;p"
        "otřeba;perlu",
        "需要 须 得要 必要",
        hits=("This page needs to shrink", "这里需要分页"),
        misses=("The needle is sharp",),
    ),
    Cue(
        "should",
        "should;supposed to;ought to;expected;better to;следует;стоит;должен "
        "бы;debería*;deveria*;sollte*;soll;sollen;devrait;"
        "měl by;mělo by;mají;bude;budou;will;would;harusnya",
        "应该 應該 应当 應當 最好 べき はず 期望",
        hits=("The list should be sorted by date", "按钮应该靠右"),
        misses=("Shoulder width",),
    ),
    Cue(
        "never",
        "never;do not;don't;dont;don’t;must not;mustn't;should not;shouldn't;cannot;no "
        "longer;avoid;avoiding;without;except;"
        "exclude;excluding;refrain;forbid*;prohibi*;proibid*;interdi*;verboten;evite;évit*;vermeide*;избега*"
        ";stop using;not to;никогда;нельзя;без;не надо;не "
        "нужно;запрещ*;"
        "nunca;sin;evita*;não;sem;jamais;sans;ne pas;niemals;nie;kein;keine;ohne;nicht;nikdy;bez;bukan;jangan"
        ";tanpa",
        "不要 别 別 禁止 不能 不可以 不可 不许 不許 不准 勿 切勿 不得 避免 避开 不用 不需要 无需 不必 不想 不再 "
        "从不 从来不 以外 "
        "しないで ないで 禁止 するな てはいけない ちゃだめ 変えない 使わない 避けて 不要 なしで",
        hits=("Never log passwords", "不要改数据库结构", "No uses tabs, nunca"),
        misses=("An everlasting story", "Click the button"),
    ),
    Cue(
        "not",
        "not;no;n't;isn't;aren't;wasn't;won't;none;nothing;neither;nor;не;нет;ни;no "
        "es;nada;nem;pas;nichts;není;nejsou;ne;tidak",
        "不是 没有 沒有 没 沒 并非 而不是 未 无 無 ない ません じゃない ではない",
        hits=("This is not a draft", "这不是草稿"),
        misses=("A notable change", "Open the door"),
    ),
    Cue(
        "only",
        "only;just;exactly;strictly;solely;exclusively;nothing but;at most;no more than;at "
        "least;maximum;minimum;max;min;"
        "только;лишь;ровно;solo;solamente;únicamente;só;somente;apenas;nur;ausschließlich;seulement;uniquemen"
        "t;jen;pouze;hanya",
        "只 仅 僅 只有 只能 只需 只要 仅仅 唯一 至少 最多 不超过 だけ のみ しか ただ",
        hits=("Only touch the parser", "只改样式"),
        misses=("A lonely server",),
    ),
    Cue(
        "always",
        "always;every;each;everything;everywhere;all;any;whenever;every time;entire;whole;both;consistent*;"
        "всегда;каждый;кажд*;все;всё;всегд*;siempre;cada;todo;todos;todas;sempre;toda;immer;jede*;alle;toujou"
        "rs;chaque;tous;"
        "toutes;vždy;každ*;všechn*;semua;setiap;selalu",
        "总是 總是 每次 每个 每一 都要 都 所有 全部 一律 统一 統一 始终 任何 凡是 整个 毎回 いつも 全て すべて "
        "全部 常に それぞれ",
        hits=("Always sort imports", "每次都要先备份", "всегда проверяй"),
        misses=("The hallways are long",),
    ),
    Cue(
        "ensure",
        "make sure;ensure;ensures;ensuring;be sure;be careful;guarantee;double check;verify;confirm "
        "that;takes care;"
        "убедись;убедитесь;проследи;asegúrate;asegura*;garanta;certifique*;garantir;stelle "
        "sicher;sicherstellen;assure-toi;"
        "ujisti*;pastikan",
        "确保 確保 保证 保證 小心 ようにして ように",
        hits=("Make sure the cache is cold", "确保没有重复"),
        misses=("Insure the car",),
    ),
    Cue(
        "keep",
        "keep;keeping;maintain;preserve;leave;leaving;remain;remains;unchanged;intact;retain;stay;stays;as "
        "is;untouched;"
        "оставь;оставить;сохрани*;mantén;mantener;mantenha;manter;behalte;beibehalten;garde;garder;nechat;pon"
        "echat;zachovat",
        "保持 保留 维持 維持 不变 不變 不动 别动 そのまま 維持 残して",
        hits=("Keep the old endpoint alive", "保持接口不变"),
        misses=("The keeper of bees",),
    ),
    Cue(
        "same",
        "same;similar;identical;exact;like;alike;as in;matching;match;matches;according "
        "to;follow;follows;following;based on;"
        "reference;consistent with;such as;похож*;как в;igual;mesmo;como;wie;comme;podle;stejn*;seperti",
        "一样 一樣 一致 相同 参考 參考 参照 按照 根据 根據 依照 依据 像 类似 符合 基于 みたい ように 同じ "
        "合わせて 通り",
        hits=("Same spacing as the header", "和首页一样"),
        misses=("A sesame seed",),
    ),
    Cue(
        "want",
        "i want;i wanna;i need;i'd like;i would like;i prefer;i expect;we want;we need;i also want;i just "
        "want;want it;want the;"
        "want to;wants;prefer;preferred;would like;would be nice;wish;хочу;хотел*;хотим;мне нужно;нам "
        "нужно;предпочит*;quiero;"
        "queremos;necesito;prefiero;quero;preciso;gostaria;ich will;ich möchte;möchte;brauche;je veux;je voudrais;"
        "j'aimerais;chci;chtěl*;potřebuji;saya mau;saya ingin",
        "我要 我想 我希望 希望 我需要 想要 我们要 我們要 要求 最好 たい ほしい 欲しい てほしい",
        hits=("I want a compact table", "我想要深色模式"),
        misses=("The swan swims",),
    ),
    Cue(
        "remember",
        "remember;memorize;memorise;mental note;note to self;note for later;note for the future;to memory;to "
        "your memory;never forget;"
        "keep in mind;bear in mind;don't forget;do not forget;не забудь;имей в виду;ten en cuenta;no "
        "olvides;não esqueça;"
        "tenha em mente;merke dir;vergiss nicht;retiens;make a note;take a "
        "note;запомни*;помни;recuerda;lembre*;merk "
        "dir;denk daran;"
        "souviens*;n'oublie pas;pamatuj;ingat",
        "记住 記住 记得 記得 请记 请記 记一下 記一下 别忘了 不要忘记 记忆 牢记 切记 覚えて 忘れないで",
        hits=("Remember that Friday is frozen", "请记住接口前缀"),
        misses=("A membership card",),
    ),
    Cue(
        "note",
        "note that;note;important;importantly;critical;crucial;attention;notice;nb;fyi;важно;учти;importante;"
        "ojo;atenção;"
        "beachte;wichtig;důležité;penting",
        "注意 重要 关键 關鍵 注意して 大事",
        hits=("Note that the disk is small", "注意大小写"),
        misses=("A notebook lies here",),
    ),
    Cue(
        "from-now-on",
        "from now on;going forward;henceforth;every time;for all future;for every new;in future;in the "
        "future;from here on;every time;each time;whenever;by "
        "default;default;"
        "as a rule;generally;permanently;отныне;впредь;теперь всегда;по умолчанию;a partir de ahora;de ahora "
        "en adelante;"
        "a partir de agora;daqui em diante;ab jetzt;ab sofort;künftig;standardmäßig;désormais;dorénavant"
        ";par défaut;od "
        "teď;výchozí",
        "以后 以後 从现在起 從現在起 今后 今後 之后都 每次 默认 預設 默認 これから 今後 毎回 デフォルト",
        hits=("From now on answer briefly", "以后都用表格"),
        misses=("He has come from far",),
    ),
    Cue(
        "instead",
        "instead;instead of;rather than;rather;replace;replaced;replaces;switch to;switch;change to;changed "
        "to;in place of;"
        "not the;swap;convert;migrate;move to;вместо;замени*;поменя*;en lugar de;en vez "
        "de;reemplaza*;cambia*;em vez de;"
        "substitu*;troque;statt;anstatt;stattdessen;ersetze;au lieu de;remplace*;místo;nahraď*;zaměň*",
        "改为 改為 改成 改用 换成 換成 换用 替换 替換 取代 而不是 而非 不是 变成 變成 设为 設為 设置为 设成 転換 "
        "代わりに ではなく 変更 変えて 置き換え",
        hits=("Use rows instead of columns", "把列改成行"),
        misses=("Nothing stands still",),
    ),
    Cue(
        "condition",
        "if;when;unless;until;before;after;once;while;whenever;in "
        "case;otherwise;else;если;когда;после;перед;до того;si;cuando;"
        "antes;después;luego;se;quando;depois;wenn;falls;bevor;nachdem;quand;avant;après;když;pokud;než;jika;"
        "kalau;setelah",
        "如果 若 假如 当 當 时候 的时候 之后 之前 完成后 完后 以后 否则 除非 前 後 后 とき 場合 たら 前に 後に なら",
        hits=("If the queue is empty, sleep", "如果队列为空"),
        misses=("A shift in tone",),
    ),
    Cue(
        "sequence",
        "first;firstly;then;next;finally;second;secondly;lastly;afterwards;at the "
        "end;last;step;начала;сначала;потом;затем;"
        "primero;luego;primeiro;depois;zuerst;dann;d'abord;ensuite;puis;nejdřív;pak;dulu",
        "先 再 然后 然後 最后 最後 首先 接着 接下来 その後 それから まず 次に 最後に",
        hits=("First build, then deploy", "先构建再部署"),
        misses=("Thirsty plants",),
    ),
    Cue(
        "permission",
        "can;could;may;allowed;allow;allows;feel free;optional;optionally;able to;ok to;it's ok;it's "
        "fine;possible;"
        "можно;можешь;разреш*;puedes;puede;pode;kannst;darfst;peux;můžeš;může;boleh;bisa",
        "可以 可 能 能够 允许 允許 可选 欢迎 歡迎 でもいい てもよい できる 可能",
        hits=("You may rename it", "可以改名"),
        misses=("The canteen is open",),
    ),
)
