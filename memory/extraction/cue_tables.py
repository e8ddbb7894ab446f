"""The cues: what words are evidence of. A row is "name: phrase; phrase; + examples - counterexamples", indented below.

Phrases in languages with blanks between words are in lower case and match whole words, "word*" what begins so; those
of Chinese and Japanese match anywhere. In each example behind "+" the cue must be found, in those behind "-" it must
not; the tests try them. To add a cue, write its row and fit the weights anew:
`python -m benchmarks.fit extraction --labels FILE --write`.
"""

from __future__ import annotations

CUES = """
must: must; have to; has to; required; requires; mandatory; shall; at all costs; under no circumstances;
  обязательн*; долж*; debe*; tiene que; tienes que; hay que; obligatori*; deve*; tem que; muss; müssen; musst;
  unbedingt; doit; doivent; il faut; obligatoire; musí; musíš; nutn*; musi; trzeba; wajib; harus; 必须; 必須;
  一定要; 务必; 務必; 必需; 必ず; 絶対; なければならない; なければいけない; ないといけない; + Every route must
  be authenticated | 日志必须脱敏 | テストは必ず通すこと - The mustard is in the fridge | hello there
need: needs to; needed; require; necessary; need; нужно; надо; необходим*; precisa; necesit*; nötig; besoin;
  potřeba; perlu; 需要; 须; 得要; 必要; + This page needs to shrink | 这里需要分页 - The needle is sharp
should: should; supposed to; ought to; expected; better to; следует; стоит; должен бы; debería*; deveria*;
  sollte*; soll; sollen; devrait; měl by; mělo by; mají; bude; budou; will; would; harusnya; 应该; 應該; 应当;
  應當; 最好; べき; はず; 期望; + The list should be sorted by date | 按钮应该靠右 - Shoulder width
never: never; do not; don't; dont; must not; mustn't; should not; shouldn't; cannot; no longer; avoid;
  avoiding; without; except; exclude; excluding; refrain; forbid*; prohibi*; proibid*; interdi*; verboten;
  evite; évit*; vermeide*; избега*; stop using; not to; никогда; нельзя; без; не надо; не нужно; запрещ*;
  nunca; sin; evita*; não; sem; jamais; sans; ne pas; niemals; nie; kein; keine; ohne; nicht; nikdy; bez;
  bukan; jangan; tanpa; 不要; 别; 別; 禁止; 不能; 不可; 不许; 不許; 不准; 勿; 不得; 避免; 避开; 不用; 不需要;
  无需; 不必; 不想; 不再; 从不; 从来不; 以外; ないで; するな; てはいけない; ちゃだめ; 変えない; 使わない;
  避けて; なしで; not allowed; not permitted; off limits; 不允许; 不允許; 严禁; 嚴禁; +
  Never log passwords | 不要改数据库结构 | No uses tabs, nunca - An everlasting story |
  Click the button
not: not; no; n't; isn't; aren't; wasn't; won't; none; nothing; neither; nor; не; нет; ни; nada; nem; pas;
  nichts; není; nejsou; ne; tidak; 不是; 没; 沒; 并非; 未; 无; 無; ない; ません; + This is not a draft |
  这不是草稿 - A notable change | Open the door
only: only; just; exactly; strictly; solely; exclusively; nothing but; at most; no more than; at least;
  maximum; minimum; max; min; только; лишь; ровно; solo; solamente; únicamente; só; somente; apenas; nur;
  ausschließlich; seulement; uniquement; jen; pouze; hanya; 只; 仅; 僅; 唯一; 至少; 最多; 不超过; だけ; のみ;
  しか; ただ; + Only touch the parser | 只改样式 - A lonely server
always: always; every; each; everything; everywhere; all; any; whenever; entire; whole; both; consistent*;
  кажд*; все; всё; всегд*; siempre; cada; todo; todos; todas; sempre; toda; immer; jede*; alle; toujours;
  chaque; tous; toutes; vždy; každ*; všechn*; semua; setiap; selalu; 总是; 總是; 每次; 每个; 每一; 都; 所有;
  全部; 一律; 统一; 統一; 始终; 任何; 凡是; 整个; 毎回; いつも; 全て; すべて; 常に; それぞれ; + Always sort
  imports | 每次都要先备份 | всегда проверяй - The hallways are long
ensure: make sure; ensure; ensures; ensuring; be sure; be careful; guarantee; double check; verify; confirm
  that; takes care; убедись; убедитесь; проследи; asegúrate; asegura*; garanta; certifique*; garantir; stelle
  sicher; sicherstellen; assure-toi; ujisti*; pastikan; 确保; 確保; 保证; 保證; 小心; ように; + Make sure the
  cache is cold | 确保没有重复 - Insure the car
keep: keep; keeping; maintain; preserve; leave; leaving; remain; remains; unchanged; intact; retain; stay;
  stays; as is; untouched; оставь; оставить; сохрани*; mantén; mantener; mantenha; manter; behalte;
  beibehalten; garde; garder; nechat; ponechat; zachovat; 保持; 保留; 维持; 維持; 不变; 不變; 不动; 别动;
  そのまま; 残して; + Keep the old endpoint alive | 保持接口不变 - The keeper of bees
same: same; similar; identical; exact; like; alike; as in; matching; match; matches; according to; follow;
  follows; following; based on; reference; consistent with; such as; похож*; как в; igual; mesmo; como; wie;
  comme; podle; stejn*; seperti; 一样; 一樣; 一致; 相同; 参考; 參考; 参照; 按照; 根据; 根據; 依照; 依据; 像;
  类似; 符合; 基于; みたい; ように; 同じ; 合わせて; 通り; + Same spacing as the header | 和首页一样 - A sesame
  seed
want: i want; i wanna; i need; i'd like; i would like; i prefer; i expect; we want; we need; i also want; i
  just want; want it; want the; want to; wants; prefer; preferred; would like; would be nice; wish; хочу;
  хотел*; хотим; мне нужно; нам нужно; предпочит*; quiero; queremos; necesito; prefiero; quero; preciso;
  gostaria; ich will; ich möchte; möchte; brauche; je veux; je voudrais; j'aimerais; chci; chtěl*; potřebuji;
  saya mau; saya ingin; 我要; 我想; 希望; 我需要; 想要; 我们要; 我們要; 要求; 最好; たい; ほしい; 欲しい; + I
  want a compact table | 我想要深色模式 - The swan swims
remember: remember; memorize; memorise; mental note; note to self; note for later; note for the future; to
  memory; to your memory; never forget; keep in mind; bear in mind; don't forget; do not forget; не забудь;
  имей в виду; ten en cuenta; no olvides; não esqueça; tenha em mente; merke dir; vergiss nicht; retiens; make
  a note; take a note; запомни*; помни; recuerda; lembre*; merk dir; denk daran; souviens*; n'oublie pas;
  pamatuj; ingat; 记住; 記住; 记得; 記得; 请记; 请記; 记一下; 記一下; 别忘了; 不要忘记; 记忆; 牢记; 切记;
  覚えて; 忘れないで; + Remember that Friday is frozen | 请记住接口前缀 - A membership card
note: note; important; importantly; critical; crucial; attention; notice; nb; fyi; важно; учти; importante;
  ojo; atenção; beachte; wichtig; důležité; penting; 注意; 重要; 关键; 關鍵; 大事; + Note that the disk is
  small | 注意大小写 - A notebook lies here
from-now-on: from now on; going forward; henceforth; every time; for all future; for every new; in future;
  from here on; each time; whenever; as a rule; permanently;
  отныне; впредь; теперь всегда; a partir de ahora; de ahora en adelante; a partir de agora;
  daqui em diante; ab jetzt; ab sofort; künftig; désormais; dorénavant; od teď;
  以后; 以後; 从现在起; 從現在起; 今后; 今後; 之后都; 每次; これから; 毎回; +
  From now on answer briefly | 以后都用表格 - He has come from far
instead: instead; rather; replace; replaced; replaces; switch; change to; changed to; in place of; not the;
  swap; convert; migrate; move to; вместо; замени*; поменя*; en lugar de; en vez de; reemplaza*; cambia*; em
  vez de; substitu*; troque; statt; anstatt; stattdessen; ersetze; au lieu de; remplace*; místo; nahraď*;
  zaměň*; 改为; 改為; 改成; 改用; 换成; 換成; 换用; 替换; 替換; 取代; 而非; 不是; 变成; 變成; 设为; 設為;
  设置为; 设成; 転換; 代わりに; ではなく; 変更; 変えて; 置き換え; + Use rows instead of columns | 把列改成行 -
  Nothing stands still
condition: if; when; unless; until; before; after; once; while; whenever; in case; otherwise; else; если;
  когда; после; перед; до того; si; cuando; antes; después; luego; se; quando; depois; wenn; falls; bevor;
  nachdem; quand; avant; après; když; pokud; než; jika; kalau; setelah; 如果; 若; 假如; 当; 當; 时候; 否则;
  除非; 前; 後; 后; とき; 場合; たら; なら; + If the queue is empty, sleep | 如果队列为空 - A shift in tone
sequence: first; firstly; then; next; finally; second; secondly; lastly; afterwards; at the end; last; step;
  начала; сначала; потом; затем; primero; luego; primeiro; depois; zuerst; dann; d'abord; ensuite; puis;
  nejdřív; pak; dulu; 先; 再; 然后; 然後; 最后; 最後; 接着; 接下来; その後; それから; まず; 次に; + First
  build, then deploy | 先构建再部署 - Thirsty plants
permission: can; could; may; allowed; allow; allows; feel free; optional; optionally; able to; ok to; it's ok;
  it's fine; possible; можно; можешь; разреш*; puedes; puede; pode; kannst; darfst; peux; můžeš; může; boleh;
  bisa; 可; 能; 允许; 允許; 欢迎; 歡迎; でもいい; てもよい; できる; + You may rename it | 可以改名 - The
  canteen is open
build: add; adds; create; creates; implement; build; write; generate; make; develop; design; draw; introduce;
  include; includes; including; insert; provide; define; render; display; return; returns; support; supports;
  enable; integrate; connect; handle; expose; store; save; send; accept; accepts; allow; добав*; созда*;
  сдела*; реализ*; напиши; написать; crea; crear; agrega*; añad*; implementa*; haz; hacer; adicion*; crie;
  criar; faça; fazer; escreva; erstelle; füge; hinzufügen; baue; schreibe; crée; créer; ajoute*; écris; fais;
  vytvoř*; přid*; udělej; napiš; buat; buatkan; tambah*; 添加; 加上; 加入; 创建; 創建; 建立; 实现; 實現; 生成;
  写; 做; 设计; 設計; 开发; 增; 支持; 提供; 包含; 包括; 显示; 顯示; 展示; 輸出; 输出; 追加; 作成; 作って;
  作り; 実装; 入れて; つけて; 表示; + Add a search box | 添加搜索框 - An additive
alter: update; updates; modify; change; adjust; improve; enhance; optimize; refactor; rename; move; set; put;
  place; configure; extend; expand; reduce; increase; simplify; restructure; merge; split; style; format;
  align; centre; center; обнови*; измени*; исправ*; улучш*; перенес*; переделай; actualiza*; modifica*; mueve;
  mejora*; atualiz*; melhor*; altere; mova; aktualisiere; ändere; verbessere; verschiebe; modifie; déplace;
  améliore; uprav*; změň*; přesuň*; předěl*; ubah; ganti; 更新; 改; 调整; 調整; 优化; 優化; 重构; 重構; 完善;
  移动; 放; 设置; 設置; 配置; 升级; 合并; 迁移; 缩小; 减小; 增大; 修正; 変更; して; 移動; + Rename the column
  | 修改列名 - A shelter for dogs
take-away: remove; delete; drop; get rid of; clean; clear; disable; hide; uninstall; revert; undo; rollback;
  discard; strip; удали*; убери*; убрать; отключи*; очист*; elimina*; borra*; quita*; remova; remover; exclua;
  apague; entferne; lösche; supprime*; enlève; odstraň*; smaž*; hapus; 删除; 刪除; 删掉; 去掉; 去除; 移除;
  清理; 清除; 取消; 隐藏; 隱藏; 关闭; 還原; 还原; 回滚; 撤销; 削除; 消して; 外して; いらない; 戻して;
  なくして; + Remove the banner | 删除横幅 - An eraser
fix: fix; fixes; fixed; solve; resolve; debug; repair; correct; address; troubleshoot; почини*; исправ*;
  реши*; arregla*; corrige*; soluciona*; corrija; conserte; resolva; behebe; repariere; löse; répare; résous;
  oprav*; perbaiki; 修复; 修復; 修一下; 修好; 解决; 解決; 改正; 排查; 修正; 直して; 治して; 対応; + Fix the
  login | 修复登录 - The prefix is fine
look: check; review; analyze; analyse; look; see; read; explain; describe; tell me; show; list; find; search;
  compare; summarize; research; explore; scan; study; learn; understand; verify; validate; test; help me
  understand; what do you think; проверь; посмотри; покажи; расскажи; объясни; найди; изучи; прочитай;
  проанализируй; revisa*; explica*; muestra*; busca*; lee; analiza*; verifi*; analis*; mostre; pesquis*; leia;
  procure; investig*; prüfe; erkläre; zeige; suche; lies; vérifie; explique; montre; cherche; zkontroluj;
  ukaž; vysvětli; najdi; cek; lihat; jelaskan; 检查; 檢查; 查看; 看看; 看一下; 看下; 分析; 解释; 解釋; 说明;
  介绍; 告诉; 列出; 查找; 搜索; 阅读; 閱讀; 读取; 回忆; 学习; 了解; 对比; 总结; 研究; 审查; 确认; 測試; 测试;
  確認; 調べて; 探して; 見て; 教えて; 説明; 読んで; + Check the logs | 查看日志 - The paycheck came
do-now: run; execute; start; restart; stop; launch; continue; proceed; go ahead; go on; commit; push; pull;
  deploy; install; open; try; retry; do it; let's do; do that; finish; complete; kick off; resume; begin;
  rerun; запусти*; перезапуст*; продолж*; закоммить; запуш*; установи*; попробуй; ejecuta*; corre; continúa;
  continua; sigue; instala*; inicia*; rode; prossiga; instale; rodar; starte; führe; weiter; installiere;
  lance; exécute; installe; spusť*; pokračuj; pojď*; jalankan; lanjut*; 运行; 執行; 执行; 启动; 啟動; 重启;
  继续; 繼續; 提交; 推送; 部署; 安装; 打开; 开始; 開始; 试试; 再试; 完成; 拉取; 上传; 実行; 起動; 続けて;
  進めて; コミット; プッシュ; お願い; 始めて; + Run the suite | 运行测试 - The runner is fast
let-us: let's; lets; let us; we need to; we should; we want to; we will; we'll; i'm going to; i am going to;
  давай*; нам надо; vamos; hagamos; lass uns; wir sollten; on va; nous devons; pojďme; pojdme; ayo; mari;
  我们; 我們; 咱们; ましょう; しよう; + Let's split the module | 我们来拆分模块 - Lettuce is green
please: please; pls; plz; plese; kindly; can you; could you; would you; will you; can we; could we; help me; i
  want you to; i need you to; пожалуйста; можешь; помоги; сможешь; por favor; puedes; podrías; ayúdame; ayuda;
  você pode; pode; poderia; bitte; kannst du; könntest; s'il te plaît; peux-tu; pouvez-vous; prosím; můžeš;
  tolong; bantu; 请; 請; 帮我; 幫我; 帮忙; 麻烦; 能不能; 可不可以; 能否; ください; 下さい; てくれ; ほしい;
  お願い; + Please rename it | 请改名 - A pleasant day
ask: what; why; how; where; who; which; when will; whose; is it; is there; are there; do you; did you; does
  it; does this; does the; have you; are you; is this; can i; should i; should we; do i; do we; isn't it;
  right; what's; how's; что; почему; как; где; кто; какой; какая; зачем; ли; qué; por qué; cómo; dónde; quién;
  cuál; o que; como; por que; onde; qual; quem; was; warum; wie; wo; wer; welche*; quoi; pourquoi; comment;
  où; quel; quelle; est-ce; co; proč; jak; kde; kdo; jaká; jaký; apa; kenapa; bagaimana; dimana; 什么; 什麼;
  为啥; 怎么; 怎麼; 哪; 谁; 吗; 嗎; 呢; 是否; 有没有; 多少; 几; 还是说; 是不是; 能不能; 何; なぜ; どう; どこ;
  なんで; ですか; ますか; のか; かな; どれ; + Why is it slow | 为什么这么慢 - A basket of fruit
thanks: thanks; thank you; thx; great; perfect; awesome; amazing; nice; well done; excellent; cool; wow;
  hello; hi; hey; ok; okay; yes; yep; yeah; no; nope; sure; good; fine; correct; спасибо; отлично; хорошо; да;
  нет; привет; gracias; perfecto; genial; bien; sí; hola; obrigado; ótimo; perfeito; sim; oi; danke; super;
  gut; ja; nein; merci; parfait; oui; non; bonjour; díky; děkuj*; dobře; ano; terima kasih; 谢谢; 謝謝; 感谢;
  不错; 好; 可以; 是的; 对; 嗯; ありがとう; いいね; 素晴らしい; はい; うん; もしもし; + Thanks a lot | 谢谢你
  - A thankless task
vague: it; this; that; them; these; those; there; here; again; same error; это; эту; этот; эти; там; esto;
  eso; isso; isto; das; dies; ça; cela; to; toto; ini; itu; 这; 這; 那; 它; 再次; 一下; これ; それ; あれ;
  ここ; そこ; この; その; + Move it there | 把它移过去 - A pitcher of water
error: exception; traceback; failed; failure; fail; fails; failing; fatal; panic; crash; crashes; crashed;
  crashing; undefined; invalid; refused; denied; timeout; timed out; unreachable; 404; 403; 500; 502; 429;
  400; 401; 405; not found; warning; ошибк*; сбой; падает; упал*; error*; falla; fallo; falló; excepción;
  erro; erros; falha; falhou; exceção; fehler; abgestürzt; fehlgeschlagen; erreur; échec; plante; chyb*;
  spadl*; galat; 错误; 錯誤; 报错; 報錯; 失败; 失敗; 异常; 異常; 崩溃; 超时; 报警; 警告; 乱码; エラー; 例外;
  落ちる; + It ends with an error | 一直报错 - A mirror on the wall
broken: not working; not wroking; don't work; dont work; won't work; can't; cannot; couldn't; could not;
  unable to; broken; bug; bugs; buggy; issue; issues; problem; problems; wrong; incorrect*; missing; stuck;
  hangs; freezes; blank; empty; weird; strange; still not; keeps; gone; disappear*; lost; doesn't; does not;
  doesnt; isn't; is not; aren't; are not; wasn't; didn't; did not; didnt; not showing; no longer; nothing;
  never; overlap*; misalign*; slow; too much; bad; ugly; takes forever; froze; vanishes; flickers; breaks; se
  queda en blanco; se cuelga; se congela; travou; travando; sumiu; sumiram; nic se neděje; перестал*; завис*;
  не работает; не видно; пропал*; сломал*; проблем*; баг; никаких; нет; no funciona; no aparece; problema*; no
  carga; roto; não funciona; não aparece; quebrou; não está; funktioniert nicht; geht nicht; kaputt; ne marche
  pas; ne fonctionne pas; cassé; problème; nefunguj*; problém*; nejde; chybí; tidak bisa; rusak; 问题; 問題;
  不行; 不对; 不對; 不了; 不到; 没有; 沒有; 没反应; 无法; 無法; 打不开; 不显示; 不见; 不見; 不工作; 卡; 缺少;
  缺失; 丢失; 失去; 变形; 重复; 闪烁; 太慢; 还是; 還是; 不全; ない; 消え; おかしい; バグ; 見えなく;
  なっています; なってる; + The menu doesn't work | 菜单打不开 - All rows are sorted
observe: i see; i'm seeing; i am seeing; i get; i got; i'm getting; i am getting; getting; shows; showing; it
  says; says; appears; happens; happening; there is; there's; there are; it seems; seems; looks like; when i;
  after i; whenever i; currently; right now; still; now; i noticed; i notice; as you can see; я вижу; вижу;
  пишет; показывает; получаю; появля*; выдает; сейчас; все еще; me sale; aparece; veo; ahora; dice; está;
  vejo; agora; ainda; diz; ich sehe; ich bekomme; zeigt; kommt; immer noch; jetzt; je vois; j'ai; affiche;
  toujours; maintenant; vidím; zobrazuje; když; furt; pořád; mám; muncul; masih; 目前; 现在; 現在; 当前; 當前;
  发现; 發現; 看到; 出现; 显示; 提示; 仍然; 还是; 今; なっている; 表示されて; になる; + I see two headers |
  我看到两个标题 - The Icelandic sea
fact: is; are; was; were; has; have; it's; its; i have; we have; there is; located; lives; contains; consists;
  called; named; means; runs; uses; using; exposes; работаем; это; есть; лежит; находится; использу*; es;
  está; tiene; usa; usamos; é; tem; estamos; ist; sind; hat; liegt; nutzt; est; sont; contient; utilise; je;
  jsou; používám; adalah; ada; 是; 有; 在; 位于; 叫; 已经; 已經; 属于; です; ます; にある; である; + The cache
  is local | 缓存在本地 - Rename columns
project: we plan to; we already; already built; built so far; i'm building; i am building; building; my
  project; our project; the project; this project; our app; my app; the app; this app; application; platform;
  we are; we have; we use; we're; i'm working; i am working; developing; mvp; hackathon; startup; client;
  users; customers; team; goal; purpose; scope; context; background; overview; architecture; проект*; мы
  пишем; мы делаем; приложение; мы работаем; пользовател*; mi proyecto; proyecto; estamos; aplicación;
  projeto; meu projeto; nosso; aplicativo; unser projekt; projekt; wir bauen; anwendung; mon projet; notre;
  projet; aplikace; aplikasi; proyek; 项目; 項目; 專案; 我们的; 我們的; 这是我; 這是我; 平台; 用户; 用戶;
  系统; 系統; 我现在要做; 目标; 背景; 场景; 我在做; 架构; プロジェクト; アプリ; システム; サイト; 作成します;
  今回; + We are building a ledger for farmers | 我们的项目是账本 - A projectile
done: already; done; i did; i have; i've; i added; i installed; i removed; i changed; i tried; we added; we
  built; we already; installed; merged; finished; completed; created; implemented; added; deployed; works;
  working; passed; было; уже; сделал*; добавил*; установил*; ya; hecho; instalé; já; feito; instalei; schon;
  bereits; fertig; déjà; fait; už; hotovo; sudah; 已经; 已經; 完成; 我新增; 我移除; 我已; 做好; 改好; 好了;
  之前; 刚才; もう; 済み; した; + I already merged the branch | 我已经合并了 - An undone lace
reason: because; since; so that; in order to; this means; therefore; due to; as it; to avoid; потому; так как;
  чтобы; porque; ya que; pois; para; weil; damit; denn; parce que; pour que; car; protože; aby; karena;
  supaya; 因为; 因為; 所以; 以便; 为了; 為了; 这样; 方便; から; ので; ため; + Do it because the disk is small
  | 因为磁盘很小 - A causeway
also: also; and also; too; as well; additionally; plus; another; besides; furthermore; moreover; также; тоже;
  еще; ещё; también; además; também; além; auch; außerdem; aussi; également; také; taky; juga; 并且; 並且;
  而且; 另外; 还有; 還有; 还要; 同时; 同時; 也; 以及; 顺便; あと; また; さらに; ついでに; + Also rename the
  file | 另外改文件名 - An old salsa tune
but: but; however; though; although; yet; except that; even though; но; однако; хотя; pero; aunque; sin
  embargo; mas; porém; embora; aber; jedoch; obwohl; mais; cependant; ale; však; tapi; namun; 但; 不过; 不過;
  然而; 可是; 却; でも; しかし; けど; が、; + Keep the icon but drop the label | 保留图标但是去掉文字 - A
  butter knife
choice: option; i choose; go with; choose; pick; decided; decision; let's go with; we chose; agreed; i'll
  take; the first one; recommended; выбира*; вариант; реш*; elijo; opción; escolho; opção; wähle; entschieden;
  choisis; vyber*; pilih; 选; 選; 决定; 決定; 方案; 就用; 采用; 採用; に決め; にします; を使います; + We
  decided on option two | 我们决定用方案二 - An invoice
use: use; uses; using; used; utilize; via; with; powered by; built with; written in; stack; framework;
  library; sdk; package; database; backend; frontend; model; api; использ*; на базе; через; библиотек*;
  фреймворк; usa; usar; usando; utiliza*; librería; biblioteca; verwende*; nutze*; benutze; mit; bibliothek;
  utilise*; avec; použi*; používat; knihovn*; pakai; gunakan; menggunakan; 用; 基于; 基於; 通过; 通過; 框架;
  库; 技术; 技術; 前端; 后端; 後端; 接口; 模型; 使って; 使い; 使う; データベース; + Use the shared client |
  使用共享客户端 - An abused term
setting: port; url; host; hostname; endpoint; path; directory; folder; file; env; environment variable; api
  key; key; token; secret; password; username; login; version; branch; repo; repository; config;
  configuration; settings; timeout; limit; region; model; default; variable; ip; server; domain; database;
  bucket; account; email; command; script; flag; id; порт; путь; папк*; файл*; версия; версии; ключ; парол*;
  сервер; puerto; ruta; carpeta; archivo; clave; versión; contraseña; porta; pasta; arquivo; chave; versão;
  senha; ordner; datei; pfad; schlüssel; passwort; fichier; dossier; chemin; clé; mot de passe; soubor*;
  složk*; heslo; verze; 端口; 地址; 路径; 目录; 目錄; 文件; 环境变量; 密钥; 密码; 密碼; 账号; 帳號; 版本;
  分支; 仓库; 配置; 域名; 服务器; 命令; 接口; 默认; 参数; ポート; パス; ファイル; フォルダ; 環境変数;
  バージョン; ブランチ; + The port of the proxy | 代理的端口 - A sportsman
style: style; colour; font; theme; layout; design; look and feel; padding; margin; width; height; size;
  spacing; border; rounded; shadow; responsive; mobile; clean; simple; concise; minimal; minimalist; modern;
  clear; detailed; short; brief; bold; icon; button; logo; header; footer; sidebar; page; screen; card;
  aesthetic; background; dark; light; bigger; smaller; стил*; цвет*; шрифт; кнопк*; размер; окн*; estilo;
  color*; botón; tamaño; cor; cores; botão; tela; página; farbe; schrift; knopf; größe; couleur; bouton;
  taille; barv*; tlačítk*; warna; tombol; 样式; 樣式; 风格; 字体; 主题; 布局; 按钮; 图标; 界面; 页面; 頁面;
  宽度; 高度; 大小; 背景; 尺寸; 对齐; 居中; 排版; 美观; 简洁; 色; 文字; デザイン; スタイル; フォント; ボタン;
  大きさ; 枠; 表示; 画面; サイズ; + A larger font | 更大的字体 - A turnstile
process: plan; planning; step by step; before coding; before writing; tdd; workflow; sequential thinking;
  sequentialthinking; thinking; summarize; summarise; summary; confirm; report back; ask me; ask before;
  explain before; run tests; run the tests; commit message; branch; pull request; stage; record; document; log
  it; checklist; iterate; планируй; сначала спроси; planificar; planejar; pregunta*; pergunt*; plane; planen;
  frag; frage; demande; naplánuj; rencanakan; 计划; 步骤; 一步一步; 逐步; 逐项; 先讨论; 討論; 流程; 确认后;
  记录; 问我; 访谈; 提交; 汇报; 手順; 計画; ステップ; 確認; + Plan step by step | 先列出步骤 - A seaplane
  lands
language: english; chinese; japanese; russian; spanish; portuguese; german; french; korean; in english; in
  chinese; language; на русском; русск*; по-русски; английск*; español; inglés; português; inglês; deutsch;
  englisch; français; anglais; česky; čeština; bahasa; indonesian; 中文; 英文; 日文; 日语; 英语; 简体; 繁体;
  语言; 日本語; 英語; 中国語; 言語; + Answer in English | 用中文回答 - A languid cat
test-word: test; tests; testing; unit tests; coverage; lint; typecheck; build; ci; commit; commits; pull
  request; pr; review; docs; documentation; readme; changelog; plan; spec; тест*; документ*; prueba*;
  documentación; teste*; documentação; dokumentation; testy; dokumentac*; 测试; 測試; 文档; 文檔; 计划; 提交;
  审查; 记录; 日志; 报告; テスト; ドキュメント; 計画; + Update the tests | 更新测试 - A contest of wits
"""
