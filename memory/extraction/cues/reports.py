"""Cues of what is the case: problems a person reports, facts about the project, reasons."""

from __future__ import annotations

from memory.extraction.cues.rows import Cue

REPORTS: tuple[Cue, ...] = (
    Cue(
        "error",
        "error;errors;exception;traceback;failed;failure;fail;fails;failing;fatal;panic;crash;crashes;crashed"
        ";crashing;"
        "undefined;invalid;refused;denied;timeout;timed out;unreachable;404;403;500;502;429;400;401;405;not "
        "found;warning;"
        "ошибк*;сбой;падает;упал*;error*;falla;fallo;falló;excepción;erro;erros;falha;falhou;exceção;fehler;a"
        "bgestürzt;"
        "fehlgeschlagen;erreur;échec;plante;chyb*;spadl*;galat",
        "错误 錯誤 报错 報錯 失败 失敗 异常 異常 崩溃 超时 报警 警告 乱码 エラー 失敗 例外 落ちる",
        hits=("It ends with an error", "一直报错"),
        misses=("A mirror on the wall",),
    ),
    Cue(
        "broken",
        "not working;doesn't work;does not work;doesnt work;isn't working;is not working;not wroking;don't "
        "work;dont work;"
        "didn't work;did not work;won't work;can't;cannot;couldn't;could not;unable "
        "to;broken;bug;bugs;buggy;issue;issues;"
        "problem;problems;wrong;incorrect*;missing;stuck;hangs;freezes;blank;empty;weird;strange;still "
        "not;keeps;gone;"
        "disappear*;lost;doesn't;does not;doesnt;isn't;is not;aren't;are not;wasn't;didn't;did not;didnt;not "
        "showing;"
        "no longer;nothing;never;overlap*;misalign*;slow;too much;bad;ugly;"
        "takes forever;froze;vanishes;flickers;breaks;se queda en blanco;se cuelga;se congela;travou;travando;sumiu;"
        "sumiram;nic se neděje;перестал*;завис*;не работает;"
        "не открыва*;не видно;не вид*;не запуск*;пропал*;сломал*;проблем*;баг;никаких;нет;no funciona;"
        "no aparece;problema*;no carga;roto;não funciona;não aparece;quebrou;não está;funktioniert "
        "nicht;geht nicht;kaputt;"
        "problem;ne marche pas;ne fonctionne pas;cassé;problème;nefunguj*;nefunguje;problém*;nejde;chybí;tida"
        "k bisa;rusak",
        "问题 問題 不行 不对 不對 不了 不到 没有 沒有 没反应 无法 無法 看不到 找不到 打不开 不显示 不见 不見 "
        "不工作 卡住 卡 缺少 缺失 丢失 "
        "失去 变形 重复 闪烁 太慢 还是 還是 不全 動かない できない ない 消え 出ない おかしい バグ 問題 "
        "表示されない 見えなく なっています なってる",
        hits=("The menu doesn't work", "菜单打不开"),
        misses=("All rows are sorted",),
    ),
    Cue(
        "observe",
        "i see;i'm seeing;i am seeing;i get;i got;i'm getting;i am getting;getting;shows;showing;it "
        "says;says;appears;happens;"
        "happening;there is;there's;there are;it seems;seems;looks like;when i;after i;whenever "
        "i;currently;right now;still;"
        "now;i noticed;i notice;as you can see;я вижу;вижу;пишет;показывает;получаю;появля*;выдает;сейчас;все"
        " еще;me sale;"
        "aparece;veo;ahora;dice;está;aparece;vejo;agora;ainda;diz;ich sehe;ich bekomme;zeigt;kommt;immer "
        "noch;jetzt;"
        "je vois;j'ai;affiche;toujours;maintenant;vidím;zobrazuje;když;furt;pořád;mám;muncul;masih",
        "目前 现在 現在 当前 當前 发现 發現 看到 出现 显示 提示 仍然 还是 今 現在 なっている 表示されて になる",
        hits=("I see two headers", "我看到两个标题"),
        misses=("The Icelandic sea",),
    ),
    Cue(
        "fact",
        "is;are;was;were;has;have;it's;its;i have;we have;there "
        "is;located;lives;contains;consists;called;named;means;runs;"
        "uses;using;exposes;работаем;это;есть;лежит;находится;использу*;es;está;tiene;usa;usamos;é;tem;estamo"
        "s;ist;sind;hat;"
        "liegt;nutzt;est;sont;contient;utilise;je;jsou;používám;adalah;ada",
        "是 有 在 位于 叫 已经 已經 属于 です ます にある あります である",
        hits=("The cache is local", "缓存在本地"),
        misses=("Rename columns",),
    ),
    Cue(
        "project",
        "we plan to;we already;already built;built so far;we are building;we're building;i'm building;i am "
        "building;building;my project;our project;the project;this project;our app;"
        "my app;the app;this app;application;platform;we are;we have;we use;we're;i'm working;i am "
        "working;developing;mvp;"
        "hackathon;startup;client;users;customers;team;goal;purpose;scope;context;background;overview;archite"
        "cture;"
        "проект*;мы пишем;мы делаем;приложение;мы работаем;пользовател*;mi "
        "proyecto;proyecto;estamos;aplicación;projeto;"
        "meu projeto;nosso;aplicativo;unser projekt;projekt;wir bauen;anwendung;mon "
        "projet;notre;projet;application;"
        "projekt;aplikace;aplikasi;proyek",
        "项目 項目 專案 我们的 我們的 这是我 這是我 平台 用户 用戶 系统 系統 我现在要做 目标 背景 场景 我在做 架构 "
        "プロジェクト アプリ システム サイト 作成します 今回",
        hits=("We are building a ledger for farmers", "我们的项目是账本"),
        misses=("A projectile",),
    ),
    Cue(
        "done",
        "already;done;i did;i have;i've;i added;i installed;i removed;i changed;i tried;we added;we built;we "
        "already;installed;"
        "merged;finished;completed;created;implemented;added;deployed;works;working;passed;было;уже;сделал*;д"
        "обавил*;"
        "установил*;ya;hecho;instalé;já;feito;instalei;schon;bereits;fertig;déjà;fait;už;hotovo;sudah",
        "已经 已經 完成 我新增 我移除 我已 做好 改好 好了 我之前 之前 刚才 もう 済み しました した",
        hits=("I already merged the branch", "我已经合并了"),
        misses=("An undone lace",),
    ),
    Cue(
        "reason",
        "because;since;so that;in order to;this means;therefore;due to;as it;to avoid;потому;так "
        "как;чтобы;porque;para que;"
        "ya que;pois;para;weil;damit;denn;parce que;pour que;car;protože;aby;karena;supaya",
        "因为 因為 所以 以便 为了 為了 这样 方便 から ので ため",
        hits=("Do it because the disk is small", "因为磁盘很小"),
        misses=("A causeway",),
    ),
    Cue(
        "also",
        "also;and also;too;as well;additionally;plus;another;besides;furthermore;moreover;также;тоже;еще;ещё;"
        "también;además;"
        "também;além;auch;außerdem;aussi;également;également;také;taky;juga",
        "并且 並且 而且 另外 还有 還有 还要 同时 同時 也 以及 顺便 あと また さらに ついでに",
        hits=("Also rename the file", "另外改文件名"),
        misses=("An old salsa tune",),
    ),
    Cue(
        "but",
        "but;however;though;although;yet;except that;but not;even though;но;однако;хотя;pero;aunque;sin "
        "embargo;mas;porém;"
        "embora;aber;jedoch;obwohl;mais;cependant;ale;však;tapi;namun",
        "但是 但 不过 不過 然而 可是 却 でも しかし けど が、",
        hits=("Keep the icon but drop the label", "保留图标但是去掉文字"),
        misses=("A butter knife",),
    ),
    Cue(
        "choice",
        "option;i choose;go with;choose;pick;decided;decision;let's go with;we chose;agreed;i'll take;the "
        "first one;"
        "recommended;выбира*;вариант;реш*;elijo;opción;escolho;opção;wähle;entschieden;choisis;vyber*;pilih",
        "选 選 选择 選擇 决定 決定 方案 就用 采用 採用 选项 に決め にします を使います",
        hits=("We decided on option two", "我们决定用方案二"),
        misses=("An invoice",),
    ),
    Cue(
        "use",
        "use;uses;using;used;utilize;utilise;via;with;powered by;built with;written "
        "in;stack;framework;library;sdk;package;"
        "database;backend;frontend;model;api;использ*;на "
        "базе;через;библиотек*;фреймворк;usa;usar;usando;utiliza*;librería;"
        "biblioteca;use;utilizar;verwende*;nutze*;benutze;mit;bibliothek;utilise*;avec;použi*;používat;knihov"
        "n*;pakai;"
        "gunakan;menggunakan",
        "使用 用 采用 採用 基于 基於 通过 通過 框架 库 技术 技術 数据库 前端 后端 後端 接口 模型 使って 使い "
        "使う を用い データベース",
        hits=("Use the shared client", "使用共享客户端"),
        misses=("An abused term",),
    ),
    Cue(
        "setting",
        "port;url;host;hostname;endpoint;path;directory;folder;file;env;environment variable;.env;api "
        "key;key;token;secret;"
        "password;username;login;version;branch;repo;repository;config;configuration;settings;timeout;limit;r"
        "egion;model;"
        "default;variable;ip;server;domain;database;bucket;account;email;command;script;flag;id;порт;путь;пап"
        "к*;файл*;версия;"
        "версии;ключ;парол*;сервер;puerto;ruta;carpeta;archivo;clave;versión;contraseña;porta;pasta;arquivo;c"
        "have;versão;"
        "senha;ordner;datei;pfad;schlüssel;passwort;fichier;dossier;chemin;clé;mot de "
        "passe;soubor*;složk*;heslo;verze",
        "端口 地址 路径 目录 目錄 文件夹 文件 环境变量 密钥 密码 密碼 账号 帳號 版本 分支 仓库 配置 域名 服务器 "
        "命令 接口 默认 参数 "
        "ポート パス ファイル フォルダ 環境変数 パスワード バージョン ブランチ",
        hits=("The port of the proxy", "代理的端口"),
        misses=("A sportsman",),
    ),
    Cue(
        "style",
        "style;color;colour;colors;font;theme;layout;design;look and "
        "feel;padding;margin;width;height;size;spacing;border;"
        "rounded;shadow;responsive;mobile;clean;simple;concise;minimal;minimalist;modern;clear;detailed;short"
        ";brief;bold;icon;"
        "button;logo;header;footer;sidebar;page;screen;card;aesthetic;background;dark;light;bigger;smaller;"
        "стил*;цвет*;шрифт;кнопк*;размер;окн*;estilo;color*;botón;tamaño;cor;cores;botão;tela;página;farbe;sc"
        "hrift;knopf;"
        "größe;couleur;bouton;taille;barv*;tlačítk*;logo;warna;tombol",
        "颜色 顏色 样式 樣式 风格 字体 主题 布局 按钮 图标 界面 页面 頁面 宽度 高度 大小 背景 尺寸 对齐 居中 "
        "排版 美观 简洁 "
        "色 文字 デザイン スタイル フォント ボタン 大きさ 背景 枠 表示 画面 サイズ",
        hits=("A larger font", "更大的字体"),
        misses=("A turnstile",),
    ),
    Cue(
        "process",
        "plan;planning;step by step;before coding;before writing;tdd;workflow;sequential "
        "thinking;sequentialthinking;"
        "thinking;summarize;summarise;summary;confirm;report back;ask me;ask before;explain before;run "
        "tests;run the tests;"
        "commit message;branch;pull request;stage;record;document;log it;attempt_completion;checklist;iterate;"
        "планируй;сначала спроси;planificar;planejar;pregunta*;pergunt*;plane;planen;frag;frage;demande;naplá"
        "nuj;rencanakan",
        "计划 步骤 一步一步 逐步 逐项 先讨论 討論 流程 确认后 记录 记录在 问我 访谈 提交 汇报 手順 計画 ステップ 確認",
        hits=("Plan step by step", "先列出步骤"),
        misses=("A seaplane lands",),
    ),
    Cue(
        "language",
        "english;chinese;japanese;russian;spanish;portuguese;german;french;korean;in english;in chinese;language;"
        "на русском;русск*;по-русски;английск*;español;inglés;português;inglês;deutsch;englisch;français;angl"
        "ais;česky;"
        "čeština;bahasa;indonesian",
        "中文 英文 日文 日语 英语 简体 繁体 语言 日本語 英語 中国語 言語",
        hits=("Answer in English", "用中文回答"),
        misses=("A languid cat",),
    ),
    Cue(
        "test-word",
        "test;tests;testing;unit tests;coverage;lint;typecheck;build;ci;commit;commits;pull "
        "request;pr;review;docs;documentation;"
        "readme;changelog;plan;spec;тест*;документ*;prueba*;pruebas;documentación;teste*;documentação;tests;d"
        "okumentation;testy;"
        "dokumentac*",
        "测试 測試 单元测试 文档 文檔 计划 提交 审查 记录 日志 报告 テスト ドキュメント 計画",
        hits=("Update the tests", "更新测试"),
        misses=("A contest of wits",),
    ),
)
