"""Words of the trade that ask for one another: what a person calls "db" today was called 数据库 last week.

Each row is one notion: words and phrases that a search takes for one another, at less weight than the word
itself. Chosen by hand, from the ordinary vocabulary of software work in English and Chinese (a few Japanese and
Russian words). A word may stand in several rows. Rows hold kinds of things with their best-known kinds
("database": postgres, mysql), because who asks for the kind is answered by its name. A row goes on in the next line
where that is indented.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from memory.search.stemming import stem
from memory.search.synonyms_everyday import EVERYDAY

THINGS: Final = """
error, bug, failure, fail, exception, crash, broken, break, issue, problem, fault, defect, traceback,
  wrong, panic, 错误, 报错, 异常, 失败, 故障, 崩溃, 问题, 出错, エラー, バグ, ошибка
database, db, sql, postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, datastore, 数据库,
  データベース, база данных
table, schema, column, row, relation, record, entity, 表, 字段, 列, 数据表
migration, migrate, alembic, flyway, upgrade, 迁移, 升级
query, select, lookup, search, find, filter, 查询, 搜索, 检索, 查找, 検索, поиск
index, indexing, 索引
cache, caching, redis, memcached, memoize, 缓存, キャッシュ
queue, broker, kafka, rabbitmq, job, worker, celery, background task, 队列, 消息队列, 任务队列
server, backend, back end, serverside, api server, daemon, host, 服务器, 服务端, 后端, サーバー, сервер
client, frontend, front end, ui, gui, interface, web client, browser, webapp, 前端, 客户端, 界面,
  フロントエンド, 画面
page, screen, view, landing, route, 页面, 网页, 画面, страница
component, widget, element, control, 组件, 控件, コンポーネント
button, click, tap, press, btn, 按钮, 点击, ボタン, кнопка
form, input, field, textbox, 表单, 输入, 输入框, フォーム
menu, nav, navigation, navbar, sidebar, drawer, header, footer, tab, toolbar, 菜单, 导航, 侧边栏
modal, dialog, popup, popover, overlay, toast, 弹窗, 对话框, ダイアログ
table, grid, list, listing, row, 表格, 列表, リスト
layout, position, align, alignment, spacing, margin, padding, responsive, 布局, 对齐, 间距, レイアウト
style, styling, css, theme, tailwind, look, design, appearance, stylesheet, 样式, 主题, 外观, 设计,
  スタイル, デザイン
color, colour, palette, hue, dark, light, shade, 颜色, 配色, 暗色, 深色, 色, цвет
font, typography, typeface, 字体, フォント
icon, logo, image, picture, photo, img, svg, png, favicon, thumbnail, avatar, 图标, 图片, 图像, 头像, 画像
animation, transition, effect, motion, 动画, 过渡, アニメーション
chart, graph, plot, diagram, visualization, dashboard, 图表, 可视化, 仪表盘, グラフ
mobile, phone, ios, android, iphone, tablet, device, app, 手机, 移动端, 设备, スマホ
endpoint, api, route, url, rest, graphql, handler, 接口, 端点, 路由
request, call, fetch, http, get, post, payload, body, 请求, 调用, リクエスト, запрос
response, reply, answer, result, output, return, 响应, 返回, 回复, 结果, 输出, ответ
link, url, uri, address, href, hyperlink, domain, 链接, 网址, 地址, リンク, ссылка
port, listen, socket, bind, 端口, ポート, порт
network, connection, connect, socket, tcp, proxy, dns, vpn, 网络, 连接, 代理, ネットワーク
timeout, delay, wait, latency, slow, hang, stuck, freeze, 超时, 延迟, 等待, 卡住, 卡顿
performance, speed, fast, slow, optimize, optimise, efficient, efficiency, latency, throughput, bottleneck,
  性能, 速度, 优化, 快, 慢
memory, ram, leak, oom, heap, 内存, メモリ
limit, maximum, max, cap, threshold, quota, restrict, minimum, min, ceiling, bound, 限制, 上限, 最大, 阈值,
  配额
size, length, width, height, big, large, dimension, long, 大小, 长度, 宽度, 高度, 尺寸, サイズ
count, number, amount, quantity, total, many, 数量, 个数, 总数, 次数
file, document, doc, path, filename, 文件, 文档, ファイル, файл
folder, directory, dir, path, location, where, 文件夹, 目录, 路径, フォルダ, ディレクトリ, папка
name, title, label, call, rename, naming, identifier, 名称, 名字, 标题, 命名, 名前, название
config, configuration, configure, setting, option, preference, env, environment variable, dotenv, flag,
  parameter, setup, 配置, 设置, 选项, 参数, 環境変数, 設定, настройка
default, fallback, initial, 默认, デフォルト
environment, env, dev, staging, production, prod, development, 环境, 生产, 开发环境, 本番, 環境
secret, key, token, credential, password, apikey, api key, 密钥, 密码, 凭证, 令牌, 口令, パスワード,
  пароль
login, signin, sign in, log in, auth, authentication, authenticate, oauth, jwt, session, sso, credential,
  登录, 登入, 认证, 身份验证, 鉴权, ログイン, 認証, вход
logout, signout, sign out, log out, 登出, 退出, 注销
signup, register, registration, onboarding, sign up, account, 注册, 开户, 登録, регистрация
user, account, member, customer, person, people, visitor, profile, 用户, 账号, 账户, 会员, 客户, ユーザー,
  пользователь
permission, role, access, authorization, authorize, admin, privilege, rbac, acl, allow, grant, 权限, 角色,
  授权, 管理员, 権限
security, secure, vulnerability, attack, injection, xss, csrf, safe, protect, 安全, 漏洞, 攻击, 保护,
  セキュリティ
encryption, encrypt, hash, hashing, decrypt, cipher, tls, ssl, https, 加密, 解密, 哈希
certificate, cert, tls, ssl, https, 证书
payment, pay, billing, invoice, stripe, checkout, charge, price, pricing, subscription, purchase, buy,
  order, 支付, 付款, 账单, 订单, 价格, 订阅, 购买, 決済
cost, price, expense, budget, money, fee, cheap, 成本, 费用, 价格, 预算, 钱
email, mail, smtp, inbox, newsletter, message, 邮件, 邮箱, メール, почта
notification, notify, alert, push, reminder, webhook, 通知, 提醒, 推送, 警报
message, chat, conversation, dialogue, talk, assistant, bot, chatbot, thread, 消息, 聊天, 对话, 会话,
  メッセージ, 会話, сообщение
comment, remark, note, annotation, docstring, 注释, 评论, 备注, コメント
log, logging, logger, trace, print, console, audit, 日志, 打印, 记录, ログ
monitor, monitoring, metric, telemetry, observability, analytics, tracking, statistics, stat, measure,
  监控, 指标, 统计, 分析
test, testing, spec, unittest, pytest, jest, vitest, coverage, e2e, qa, check, verify, 测试, 单元测试,
  覆盖率, テスト, 試験, тест
mock, stub, fake, dummy, fixture, placeholder, sample, 模拟, 假数据, 占位, ダミー, モック
lint, linter, linting, eslint, ruff, flake8, prettier, format, formatter, formatting, black, 格式化,
  代码检查, 代码风格
type, typing, typed, typescript, mypy, interface, typecheck, type check, 类型, 类型检查, 型
build, compile, compilation, bundle, bundler, make, webpack, vite, maven, gradle, transpile, 构建, 编译,
  打包, ビルド, сборка
install, installation, setup, set up, dependency, package, library, module, requirement, npm, pip, pnpm,
  yarn, uv, poetry, 安装, 依赖, 包, 库, インストール, 依存, установить
framework, library, toolkit, stack, platform, sdk, 框架, 技术栈, 库, フレームワーク
language, python, typescript, javascript, java, golang, rust, kotlin, swift, programming language,
  编程语言, 语言, 言語
frontend framework, react, vue, angular, svelte, nextjs, nuxt, 前端框架
backend framework, fastapi, django, flask, express, nestjs, spring, rails, laravel, 后端框架
package manager, npm, pnpm, yarn, bun, pip, uv, poetry, 包管理器
deploy, deployment, release, ship, publish, rollout, launch, go live, host, hosting, 部署, 发布, 上线,
  デプロイ, リリース
cloud, aws, gcp, azure, vercel, netlify, heroku, s3, lambda, 云, クラウド
container, docker, dockerfile, compose, kubernetes, k8s, pod, image, podman, 容器, 镜像, コンテナ
pipeline, ci, cd, workflow, github actions, jenkins, automation, 流水线, 持续集成, 自动化
version, release, semver, tag, upgrade, update, bump, 版本, バージョン, 更新, версия
commit, git, checkin, push, merge, rebase, changeset, 提交, 合并, コミット, коммит
branch, main, master, trunk, fork, 分支, ブランチ, ветка
pull request, pr, merge request, mr, review, code review, 评审, 代码审查, 审查, レビュー
repository, repo, monorepo, project, codebase, git, 仓库, 代码库, 项目, リポジトリ, プロジェクト, проект
documentation, doc, readme, guide, manual, tutorial, wiki, markdown, write up, 文档, 说明, 手册,
  ドキュメント, документация
plan, roadmap, todo, task, ticket, milestone, phase, step, backlog, 计划, 任务, 步骤, 阶段, 规划, タスク,
  計画, задача
requirement, spec, specification, feature, functionality, capability, 需求, 规格, 功能, 特性, 仕様, 機能
rule, convention, guideline, policy, standard, principle, must, never, always, require, 规则, 规范, 约定,
  标准, 原则, 必须, ルール, правило
forbid, never, avoid, prohibit, ban, disallow, without, not, 禁止, 不要, 不能, 避免, 不许
style guide, naming, snake case, camelcase, convention, 命名规范
function, method, procedure, routine, def, callback, hook, 函数, 方法, 関数, функция
class, object, struct, instance, model, type, 类, 对象, 结构体, クラス
variable, constant, field, property, attribute, 变量, 常量, 属性, 変数
parameter, argument, arg, option, flag, input, 参数, 入参, 引数
import, module, package, dependency, require, include, 导入, 模块
folder structure, architecture, structure, layout, organization, design, pattern, 架构, 结构, 目录结构,
  設計, アーキテクチャ
refactor, restructure, cleanup, clean up, rewrite, simplify, tidy, reorganize, split, 重构, 整理, 简化,
  拆分, リファクタ
script, command, cli, shell, bash, terminal, run, execute, 脚本, 命令, 命令行, 终端, 运行, 执行, コマンド,
  команда
schedule, cron, timer, periodic, interval, daily, hourly, 定时, 周期, 每天, 计划任务
event, trigger, listener, signal, emit, webhook, callback, 事件, 触发, 监听
state, store, redux, zustand, status, context, 状态, 状態
sync, synchronize, realtime, real time, live, websocket, stream, streaming, sse, 同步, 实时, 流式, 同期
thread, parallel, concurrent, concurrency, async, asynchronous, lock, race, multithreading, process, 并发,
  线程, 异步, 并行, 锁
retry, again, repeat, attempt, backoff, resend, 重试, 再次, 尝试, リトライ
backup, snapshot, restore, recover, recovery, rollback, undo, revert, dump, 备份, 恢复, 回滚, 撤销, 还原
save, store, persist, storage, persistence, keep, write, 保存, 存储, 持久化, 写入, 保存する
upload, attachment, import, 上传, アップロード
download, export, 下载, 导出, ダウンロード
delete, remove, drop, erase, clear, discard, purge, get rid, eliminate, uninstall, 删除, 移除, 清除, 去掉,
  清空, 削除, удалить
create, creation, add, new, make, generate, generation, build, introduce, insert, 创建, 新建, 添加, 增加,
  生成, 新增, 作成, 追加, создать, добавить
change, modify, edit, update, alter, adjust, tweak, rename, replace, swap, switch, convert, 修改, 更改,
  更新, 调整, 改, 替换, 変更, 修正, изменить
fix, repair, solve, resolve, correct, patch, debug, troubleshoot, address, 修复, 解决, 修正, 调试, 直す,
  исправить
show, display, render, print, present, visible, appear, view, see, expose, 显示, 展示, 渲染, 表示,
  показать
hide, hidden, invisible, collapse, conceal, 隐藏, 折叠, 非表示
start, begin, launch, run, boot, init, initialize, initialization, startup, bootstrap, open, 启动, 开始,
  初始化, 运行, 起動, 開始, запуск
stop, end, quit, exit, kill, terminate, shutdown, halt, cancel, abort, close, 停止, 结束, 退出, 关闭, 终止,
  取消
enable, activate, turn on, on, 启用, 开启, 打开, 有効
disable, deactivate, turn off, off, 禁用, 关闭, 無効
copy, clone, duplicate, fork, replicate, 复制, 拷贝, 克隆, コピー
move, relocate, transfer, migrate, shift, 移动, 迁移, 転送
sort, order, rank, ranking, ordering, 排序, 顺序, 并べ替え
duplicate, dedupe, unique, repeat, redundant, 重复, 去重, 唯一
check, validate, validation, verify, verification, confirm, ensure, inspect, assert, compare, match, align,
  检查, 校验, 验证, 确认, 確認, проверить
compare, match, align, diff, difference, against, versus, 比较, 对比, 匹配, 差异
parse, parser, parsing, decode, read, extract, extraction, scrape, scraper, crawl, 解析, 提取, 抽取, 爬虫,
  解码
serialize, json, encode, marshal, dump, 序列化, 编码
json, yaml, xml, csv, toml, format, payload, 格式
csv, excel, spreadsheet, xlsx, sheet, 表格, 电子表格
date, time, timestamp, timezone, calendar, datetime, day, when, schedule, deadline, 日期, 时间, 时区, 日历,
  截止, 日付, 時間
translation, translate, i18n, localization, locale, language, internationalization, multilingual, 翻译,
  国际化, 多语言, 本地化, 翻訳, перевод
chinese, mandarin, zh, 中文, 汉语, 中国語
english, en, 英文, 英语, 英語
text, string, word, content, copy, wording, phrase, paragraph, 文本, 字符串, 文字, 内容, 文案, テキスト,
  текст
map, location, gps, coordinate, latitude, longitude, lat, lng, geo, position, 地图, 坐标, 位置, 经纬度,
  地図
video, audio, sound, music, voice, speech, media, record, clip, 视频, 音频, 声音, 语音, 音乐, 動画, 音声
game, player, level, score, enemy, character, sprite, 游戏, 玩家, 关卡, ゲーム
model, llm, gpt, claude, gemini, ai, openai, anthropic, machine learning, neural, 模型, 大模型, 人工智能,
  モデル, модель
prompt, instruction, system prompt, 提示词, 提示, 指令, プロンプト
agent, assistant, bot, copilot, 智能体, 代理, 助手, エージェント
embedding, vector, semantic, similarity, qdrant, pinecone, faiss, rag, retrieval, 向量, 嵌入, 语义,
  ベクトル
train, training, finetune, fine tune, learn, learning, epoch, dataset, 训练, 微调, 学习, 学習
dataset, data, corpus, sample, 数据, 数据集, 语料, データ, данные
evaluate, evaluation, benchmark, accuracy, metric, score, assess, assessment, measure, 评估, 评测, 准确率,
  指标, 評価
accuracy, precise, precision, correct, exact, exactly, 准确, 精确, 正確
random, seed, shuffle, 随机, ランダム
algorithm, method, approach, technique, strategy, 算法, 方法, 策略, アルゴリズム
math, formula, equation, calculate, calculation, compute, computation, sum, average, 公式, 计算, 求和,
  平均, 計算
hardware, gpu, cpu, processor, chip, board, device, sensor, motor, firmware, embedded, 硬件, 芯片, 传感器,
  固件, ボード
os, operating system, linux, windows, macos, ubuntu, debian, mac, 操作系统, 系统
editor, ide, vscode, vim, intellij, cursor, 编辑器, エディタ
emulator, simulator, simulation, simulate, virtual, vm, 模拟器, 仿真, 虚拟机, シミュレータ
blockchain, crypto, smart contract, solana, ethereum, wallet, token, chain, web3, 区块链, 智能合约, 钱包,
  代币
trade, trading, stock, market, portfolio, exchange, finance, 交易, 股票, 市场, 金融, 取引
shop, store, cart, product, ecommerce, catalog, inventory, item, goods, 商店, 购物车, 商品, 库存, 电商
company, business, enterprise, organization, team, tenant, workspace, 公司, 企业, 团队, 租户, 组织, 会社
customer, client, buyer, lead, 客户, 顾客, 顧客
school, student, course, lesson, teacher, class, education, learn, quiz, exam, 学校, 学生, 课程, 老师,
  教育, 考试
medical, health, patient, doctor, hospital, clinic, 医疗, 健康, 病人, 患者, 医生, 医院
legal, law, contract, compliance, license, gdpr, regulation, privacy, 法律, 合同, 合规, 许可证, 隐私, 法的
growth, marketing, campaign, seo, traffic, promotion, 增长, 营销, 推广, 流量
feedback, review, rating, survey, opinion, comment, 反馈, 评价, 调查, フィードバック
research, paper, study, literature, survey, citation, reference, article, 研究, 论文, 文献, 引用, 論文
report, summary, summarize, overview, abstract, digest, recap, 报告, 摘要, 总结, 概要, レポート, 要約,
  отчёт
example, sample, demo, prototype, poc, mvp, template, boilerplate, starter, 示例, 例子, 演示, 原型, 模板,
  サンプル, 例, пример
tool, utility, plugin, extension, addon, integration, 工具, 插件, 扩展, 集成, ツール, инструмент
integrate, integration, connect, hook up, combine, link, 集成, 对接, 接入, 整合, 連携
compatible, compatibility, support, supported, work with, 兼容, 支持, 対応
missing, absent, lack, not found, cannot find, undefined, null, none, empty, unknown, 缺少, 缺失, 找不到,
  未定义, 空, 不存在, 見つからない
warning, warn, caution, deprecated, 警告, 弃用, 注意
important, critical, crucial, essential, key, priority, urgent, 重要, 关键, 紧急, 优先级, 必要
reason, why, cause, because, root cause, purpose, rationale, 原因, 为什么, 理由, 目的
goal, aim, objective, purpose, target, intent, mission, 目标, 目的, 目標, цель
complete, finish, done, full, entire, whole, comprehensive, thorough, detailed, all, 完成, 完整, 全部,
  全面, 详细, 完了
incomplete, partial, unfinished, half, 不完整, 未完成, 部分
simple, easy, minimal, basic, plain, small, lightweight, clean, 简单, 简洁, 基本, 轻量, シンプル
old, legacy, previous, obsolete, outdated, former, existing, original, 旧, 遗留, 以前, 原来, 过时
first, initial, original, beginning, start, primary, 首次, 最初, 第一, 初始
last, final, latest, recent, newest, 最后, 最新, 最终, 最近
only, solely, exclusively, just, single, one, 只, 仅, 唯一
manual, manually, by hand, yourself, 手动, 人工, 手動
automatic, automatically, auto, automate, 自动, 自動
local, locally, localhost, offline, on device, 本地, 离线, 本机, ローカル, локальный
remote, online, cloud, external, 远程, 在线, 外部, リモート
public, open, external, exposed, opensource, open source, 公开, 公共, 开源, 公開
private, internal, confidential, closed, 私有, 内部, 私密, 非公開
section, part, chapter, block, area, region, segment, paragraph, 部分, 章节, 区域, 段落, 章
group, category, kind, type, class, classify, classification, categorize, categorise, cluster, 分组, 类别,
  分类, 种类, 類型
history, past, previous, earlier, log, timeline, 历史, 以前, 过去, 履歴
screenshot, capture, image, snapshot, 截图, 截屏, スクショ
keyboard, key, shortcut, hotkey, 键盘, 快捷键
mouse, cursor, hover, drag, drop, scroll, 鼠标, 拖拽, 悬停, 滚动
scale, scalable, scalability, load, capacity, 扩展性, 规模, 负载, 容量
stable, reliable, reliability, robust, robustness, resilience, resilient, fault tolerant, 稳定, 可靠, 健壮,
  鲁棒
quality, standard, best practice, professional, production ready, 质量, 品质, 最佳实践, 品質
debug, breakpoint, inspect, diagnose, diagnosis, investigate, 调试, 诊断, 排查
team, member, colleague, collaborate, collaboration, reviewer, 团队, 成员, 协作, チーム
"""

TOGETHER: Final = 3
"""Words of the longest phrase in the table."""


class Notions(NamedTuple):
    """The table, read.

    Attributes:
        of_stem: numbers of the rows a stemmed word stands in.
        of_phrase: the same for phrases, as tuples of stems.
        of_cjk: the same for Chinese and Japanese words.
        longest_cjk: characters of the longest of those.
        phrase_ends: last words of the phrases.
        cjk_firsts: first characters of the Chinese and Japanese words.
        names: the first word of each row, which is English.
    """

    of_stem: dict[str, tuple[int, ...]]
    of_phrase: dict[tuple[str, ...], tuple[int, ...]]
    of_cjk: dict[str, tuple[int, ...]]
    longest_cjk: int
    phrase_ends: frozenset[str]
    cjk_firsts: frozenset[str]
    names: tuple[str, ...]


@cache
def notions() -> Notions:
    """Return the table, read once."""
    stems: dict[str, list[int]] = {}
    phrases: dict[tuple[str, ...], list[int]] = {}
    cjk: dict[str, list[int]] = {}
    rows = (THINGS.strip() + EVERYDAY.rstrip()).replace(",\n  ", ", ").split("\n")
    for number, row in enumerate(rows):
        for word in dict.fromkeys(part.strip() for part in row.split(",")):
            words = tuple(stem(w) for w in word.split())
            if ord(word[0]) > 0x2E7F:  # noqa: PLR2004  # where CJK begins
                cjk.setdefault(word, []).append(number)
            elif len(words) > 1:
                phrases.setdefault(words, []).append(number)
            else:
                stems.setdefault(words[0], []).append(number)
    return Notions(
        {word: tuple(dict.fromkeys(rows)) for word, rows in stems.items()},
        {words: tuple(dict.fromkeys(rows)) for words, rows in phrases.items()},
        {word: tuple(dict.fromkeys(rows)) for word, rows in cjk.items()},
        max(map(len, cjk)),
        frozenset(words[-1] for words in phrases),
        frozenset(word[0] for word in cjk),
        tuple(row.partition(",")[0] for row in rows),
    )
