"""Cues of requests, questions and small talk: what asks for something now."""

from __future__ import annotations

from memory.extraction.cues.rows import Cue

REQUESTS: tuple[Cue, ...] = (
    Cue(
        "build",
        "add;adds;create;creates;implement;build;write;generate;make;develop;design;draw;introduce;include;in"
        "cludes;"
        "including;insert;provide;define;render;display;return;returns;support;supports;enable;integrate;conn"
        "ect;handle;"
        "expose;store;save;send;accept;accepts;allow;добав*;созда*;сдела*;реализ*;напиши;написать;crea;crear;"
        "agrega*;añad*;"
        "implementa*;haz;hacer;adicion*;crie;criar;faça;fazer;escreva;erstelle;füge;hinzufügen;baue;schreibe;"
        "crée;créer;"
        "ajoute*;écris;fais;vytvoř*;přid*;udělej;napiš;buat;buatkan;tambah*",
        "添加 增加 加上 加入 新增 创建 創建 建立 实现 實現 生成 编写 写 做 设计 設計 开发 开发 增 支持 提供 "
        "包含 包括 显示 顯示 展示 輸出 输出 "
        "追加 作成 作って 作り 実装 入れて つけて 表示",
        hits=("Add a search box", "添加搜索框"),
        misses=("An additive",),
    ),
    Cue(
        "alter",
        "update;updates;modify;change;adjust;improve;enhance;optimize;refactor;rename;move;set;put;place;conf"
        "igure;"
        "set up;extend;expand;reduce;increase;simplify;restructure;merge;split;style;format;align;centre;center;"
        "обнови*;измени*;исправ*;улучш*;перенес*;переделай;actualiza*;modifica*;mueve;mejora*;atualiz*;melhor"
        "*;altere;mova;"
        "aktualisiere;ändere;verbessere;verschiebe;modifie;déplace;améliore;uprav*;změň*;přesuň*;předěl*;ubah"
        ";ganti",
        "修改 更新 改 调整 調整 优化 優化 重构 重構 完善 改进 移动 放 设置 設置 配置 升级 合并 迁移 缩小 放大 "
        "减小 增大 修正 変更 調整 にして して 移動",
        hits=("Rename the column", "修改列名"),
        misses=("A shelter for dogs",),
    ),
    Cue(
        "take-away",
        "remove;delete;drop;get rid of;clean;clear;disable;hide;uninstall;revert;undo;rollback;discard;strip;"
        "удали*;убери*;убрать;отключи*;очист*;elimina*;borra*;quita*;remova;remover;exclua;apague;entferne;lö"
        "sche;supprime*;"
        "enlève;odstraň*;smaž*;hapus",
        "删除 刪除 删掉 去掉 去除 移除 清理 清除 取消 隐藏 隱藏 关闭 還原 还原 回滚 撤销 削除 消して 外して "
        "いらない 戻して なくして",
        hits=("Remove the banner", "删除横幅"),
        misses=("An eraser",),
    ),
    Cue(
        "fix",
        "fix;fixes;fixed;solve;resolve;debug;repair;correct;address;troubleshoot;почини*;исправ*;реши*;arregl"
        "a*;corrige*;"
        "soluciona*;corrija;conserte;resolva;behebe;repariere;löse;répare;corrige;résous;oprav*;perbaiki",
        "修复 修復 修一下 修好 解决 解決 改正 排查 修正 直して 治して 対応",
        hits=("Fix the login", "修复登录"),
        misses=("The prefix is fine",),
    ),
    Cue(
        "look",
        "check;review;analyze;analyse;look;look at;see;read;explain;describe;tell me;show;show "
        "me;list;find;search;"
        "investigate;compare;summarize;research;explore;scan;study;learn;understand;verify;validate;test;expl"
        "ain me;help me understand;"
        "what do you think;проверь;посмотри;покажи;расскажи;объясни;найди;изучи;прочитай;проанализируй;revisa"
        "*;explica*;"
        "muestra*;busca*;lee;analiza*;verifi*;analis*;mostre;pesquis*;leia;procure;investig*;prüfe;erkläre;ze"
        "ige;suche;"
        "lies;vérifie;explique;montre;cherche;zkontroluj;ukaž;vysvětli;najdi;cek;lihat;jelaskan",
        "检查 檢查 查看 看看 看一下 看下 分析 解释 解釋 说明 介绍 告诉 列出 查找 搜索 阅读 閱讀 读取 回忆 学习 "
        "了解 对比 总结 研究 审查 确认 測試 测试 "
        "確認 調べて 探して 見て 教えて 説明 読んで 分析",
        hits=("Check the logs", "查看日志"),
        misses=("The paycheck came",),
    ),
    Cue(
        "do-now",
        "run;execute;start;restart;stop;launch;continue;proceed;go ahead;go "
        "on;commit;push;pull;deploy;install;open;"
        "try;retry;try again;do it;let's do;do that;finish;complete;kick "
        "off;resume;begin;rerun;запусти*;перезапуст*;"
        "продолж*;закоммить;запуш*;установи*;попробуй;ejecuta*;corre;continúa;continua;sigue;instala*;inicia*"
        ";execute;rode;"
        "continue;prossiga;instale;rodar;starte;führe;weiter;installiere;lance;exécute;continue;installe;spusť*;"
        "pokračuj;pojď*;jalankan;lanjut*",
        "运行 執行 执行 启动 啟動 重启 继续 繼續 提交 推送 部署 安装 打开 开始 開始 试试 再试 完成 拉取 上传 "
        "実行 起動 続けて 進めて コミット プッシュ push お願いします お願い 始めて",
        hits=("Run the suite", "运行测试"),
        misses=("The runner is fast",),
    ),
    Cue(
        "let-us",
        "let's;lets;let us;we need to;we should;we want to;we will;we'll;i'm going to;i am going "
        "to;давай*;нам надо;vamos a;"
        "vamos;hagamos;lass uns;wir sollten;on va;nous devons;pojďme;pojdme;ayo;mari",
        "我们来 我們來 我们 我們 咱们 让我们 ましょう しよう",
        hits=("Let's split the module", "我们来拆分模块"),
        misses=("Lettuce is green",),
    ),
    Cue(
        "please",
        "please;pls;plz;plese;kindly;can you;could you;would you;will you;can we;could we;help me;i want you "
        "to;i need you to;"
        "пожалуйста;можешь;помоги;сможешь;por favor;puedes;podrías;ayúdame;ayuda;você "
        "pode;pode;poderia;bitte;kannst du;"
        "könntest;s'il te plaît;peux-tu;pouvez-vous;prosím;můžeš;tolong;bantu",
        "请 請 帮我 幫我 帮忙 麻烦 能不能 可不可以 能否 ください 下さい てくれ ほしい お願い",
        hits=("Please rename it", "请改名"),
        misses=("A pleasant day",),
    ),
    Cue(
        "ask",
        "what;why;how;where;who;which;when will;whose;is it;is there;are there;do you;did you;does it;does "
        "this;does the;"
        "have you;are you;is this;can i;should i;should we;do i;do we;isn't it;right;what's;how's;how do;how "
        "to;how can;how tosetuo;"
        "что;почему;как;где;кто;какой;какая;зачем;ли;qué;por qué;cómo;dónde;quién;cuál;o que;como;por "
        "que;onde;qual;quem;"
        "was;warum;wie;wo;wer;welche*;quoi;pourquoi;comment;où;quel;quelle;est-ce;co;proč;jak;kde;kdo;jaká;ja"
        "ký;apa;"
        "kenapa;bagaimana;dimana",
        "什么 什麼 为什么 為什麼 为啥 怎么 怎麼 如何 哪 哪里 哪个 谁 吗 嗎 呢 是否 有没有 多少 几 还是说 是不是 "
        "能不能 "
        "何 なぜ どう どこ なんで ですか ますか のか かな どれ",
        hits=("Why is it slow", "为什么这么慢"),
        misses=("A basket of fruit",),
    ),
    Cue(
        "thanks",
        "thanks;thank you;thx;great;perfect;awesome;amazing;nice;good job;well "
        "done;excellent;cool;wow;hello;hi;hey;ok;okay;yes;"
        "yep;yeah;no;nope;sure;good;fine;correct;спасибо;отлично;хорошо;да;нет;привет;gracias;perfecto;genial"
        ";bien;sí;hola;"
        "obrigado;ótimo;perfeito;sim;ok!;oi;danke;super;gut;ja;nein;merci;parfait;oui;non;bonjour;díky;děkuj*"
        ";dobře;ano;terima kasih",
        "谢谢 謝謝 感谢 很好 不错 好的 好 可以 是的 对 嗯 你好 ありがとう いいね 素晴らしい はい うん もしもし",
        hits=("Thanks a lot", "谢谢你"),
        misses=("A thankless task",),
    ),
    Cue(
        "vague",
        "it;this;that;them;these;those;there;here;again;same "
        "error;это;эту;этот;эти;там;esto;eso;isso;isto;das;dies;ça;cela;to;toto;ini;itu",
        "这 這 那 它 这个 這個 那个 这些 这里 再次 一下 これ それ あれ ここ そこ この その",
        hits=("Move it there", "把它移过去"),
        misses=("A pitcher of water",),
    ),
)
