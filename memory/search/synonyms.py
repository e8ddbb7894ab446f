"""Synonyms of software work: what a person calls "db" today was called 数据库 last week.

A row is one notion: words and phrases that search takes for one another, at less weight than the word itself.
Chosen by hand from general vocabulary in English and Chinese, with some Japanese and Russian. A word may stand in
several rows, in any of its forms. Kinds stand with their best-known names ("database": postgres, mysql).
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from memory.search.stemming import stem

LONGEST_PHRASE: Final = 3
FIRST_CJK: Final = "\u2e80"

_ROWS: Final = """
error bug failure fail exception crash broken issue problem fault defect traceback wrong panic 错误 报错 异常
失败 故障 崩溃 问题 出错 エラー バグ ошибка | database db sql postgres postgresql mysql mariadb sqlite mongodb
mongo datastore 数据库 データベース база_данных | table schema column row relation record entity 表 字段 列
数据表 | migration alembic flyway upgrade 迁移 升级 | query select lookup search find filter 查询 搜索 检索
查找 検索 поиск | index 索引 | cache redis memcached memoize 缓存 キャッシュ | queue broker kafka rabbitmq job
worker celery background_task 队列 消息队列 任务队列 | server backend back_end serverside api_server daemon
host 服务器 服务端 后端 サーバー сервер | client frontend front_end ui gui interface web_client browser webapp
前端 客户端 界面 フロントエンド 画面 | page screen view landing route 页面 网页 画面 страница | component
widget element control 组件 控件 コンポーネント | button click tap press btn 按钮 点击 ボタン кнопка touch
单击 按下 触摸 | form input field textbox 表单 输入 输入框 フォーム | menu nav navigation navbar sidebar
drawer header footer tab toolbar 菜单 导航 侧边栏 | modal dialog popup popover overlay toast 弹窗 对话框
ダイアログ | table grid list row 表格 列表 リスト | layout position align spacing margin padding responsive
布局 对齐 间距 レイアウト | style css theme tailwind look design appearance stylesheet 样式 主题 外观 设计
スタイル デザイン | color colour palette hue dark light shade 颜色 配色 暗色 深色 色 цвет | font typography
typeface 字体 フォント | icon logo image picture photo img svg png favicon thumbnail avatar 图标 图片 图像
头像 画像 | animation transition effect motion 动画 过渡 アニメーション | chart graph plot diagram
visualization dashboard 图表 可视化 仪表盘 グラフ | mobile phone ios android iphone tablet device app 手机
移动端 设备 スマホ | endpoint api route url rest graphql handler 接口 端点 路由 | request call fetch http get
post payload body 请求 调用 リクエスト запрос | response reply answer result output return 响应 返回 回复 结果
输出 ответ | link url uri address href hyperlink domain 链接 网址 地址 リンク ссылка | port listen socket bind
端口 ポート порт | network connection socket tcp proxy dns vpn 网络 连接 代理 ネットワーク | timeout delay
wait latency slow hang stuck freeze 超时 延迟 等待 卡住 卡顿 | performance speed fast slow optimize efficient
latency throughput bottleneck 性能 速度 优化 快 慢 | memory ram leak oom heap 内存 メモリ | limit maximum max
cap threshold quota restrict minimum min ceiling bound 限制 上限 最大 阈值 配额 | size length width height big
large dimension long 大小 长度 宽度 高度 尺寸 サイズ | count number amount quantity total many 数量 个数 总数
次数 | file document doc path filename 文件 文档 ファイル файл | folder directory dir path location where
文件夹 目录 路径 フォルダ ディレクトリ папка | name title label call rename identifier 名称 名字 标题 命名
名前 название | config configuration setting option preference env environment_variable dotenv flag parameter
setup 配置 设置 选项 参数 環境変数 設定 настройка | default fallback initial 默认 デフォルト | environment env
dev staging production prod development 环境 生产 开发环境 本番 環境 | secret key token credential password
apikey api_key 密钥 密码 凭证 令牌 口令 パスワード пароль | login signin sign_in log_in auth authentication
oauth jwt session sso credential 登录 登入 认证 身份验证 鉴权 ログイン 認証 вход | logout signout sign_out
log_out 登出 退出 注销 | signup register registration onboarding sign_up account 注册 开户 登録 регистрация |
user account member customer person visitor profile 用户 账号 账户 会员 客户 ユーザー пользователь |
permission role access authorization admin privilege rbac acl allow grant 权限 角色 授权 管理员 権限 |
security vulnerability attack injection xss csrf safe protect 安全 漏洞 攻击 保护 セキュリティ | encryption
hash decrypt cipher tls ssl https 加密 解密 哈希 certificate cert 证书 | payment pay billing invoice stripe
checkout charge price subscription purchase buy order 支付 付款 账单 订单 价格 订阅 购买 決済 | cost price
expense budget money fee cheap 成本 费用 价格 预算 钱 | email mail smtp inbox newsletter message 邮件 邮箱
メール почта | notification notify alert push reminder webhook 通知 提醒 推送 警报 | message chat conversation
dialogue talk assistant bot chatbot thread 消息 聊天 对话 会话 メッセージ 会話 сообщение | comment remark note
annotation docstring 注释 评论 备注 コメント | log logger trace print console audit 日志 打印 记录 ログ |
monitor metric telemetry observability analytics tracking statistics stat measure 监控 指标 统计 分析 | test
spec unittest pytest jest vitest coverage e2e qa check verify 测试 单元测试 覆盖率 テスト 試験 тест | mock
stub fake dummy fixture placeholder sample 模拟 假数据 占位 ダミー モック | lint linter eslint ruff flake8
prettier format formatter black 格式化 代码检查 代码风格 | type typescript mypy interface typecheck type_check
类型 类型检查 型 | build compile bundle bundler make webpack vite maven gradle transpile 构建 编译 打包 ビルド
сборка | install setup set_up dependency package library module requirement npm pip pnpm yarn uv poetry 安装
依赖 包 库 インストール 依存 установить package_manager bun 包管理器 | framework library toolkit stack
platform sdk 框架 技术栈 库 フレームワーク | language python typescript javascript java golang rust kotlin
swift programming_language 编程语言 语言 言語 | frontend_framework react vue angular svelte nextjs nuxt
前端框架 | backend_framework fastapi django flask express nestjs spring rails laravel 后端框架 | deploy
deployment release ship publish rollout launch go_live host 部署 发布 上线 デプロイ リリース | cloud aws gcp
azure vercel netlify heroku s3 lambda 云 クラウド | container docker dockerfile compose kubernetes k8s pod
image podman 容器 镜像 コンテナ | pipeline ci cd workflow github_actions jenkins automation 流水线 持续集成
自动化 | version release semver tag upgrade update bump 版本 バージョン 更新 версия | commit git checkin push
merge rebase changeset 提交 合并 コミット коммит | branch main master trunk fork 分支 ブランチ ветка |
pull_request pr merge_request mr review code_review 评审 代码审查 审查 レビュー | repository repo monorepo
project codebase git 仓库 代码库 项目 リポジトリ プロジェクト проект | documentation doc readme guide manual
tutorial wiki markdown write_up 文档 说明 手册 ドキュメント документация | plan roadmap todo task ticket
milestone phase step backlog 计划 任务 步骤 阶段 规划 タスク 計画 задача | requirement spec specification
feature functionality capability 需求 规格 功能 特性 仕様 機能 | rule convention guideline policy standard
principle must never always require 规则 规范 约定 标准 原则 必须 ルール правило | forbid never avoid prohibit
ban disallow without not 禁止 不要 不能 避免 不许 | style_guide naming snake_case camelcase convention
命名规范 | function method procedure routine def callback hook 函数 方法 関数 функция | class object struct
instance model type 类 对象 结构体 クラス | variable constant field property attribute 变量 常量 属性 変数 |
parameter argument arg option flag input 参数 入参 引数 | import module package dependency require include
导入 模块 | folder_structure architecture structure layout organization design pattern 架构 结构 目录结构 設計
アーキテクチャ | refactor restructure cleanup clean_up rewrite simplify tidy reorganize split 重构 整理 简化
拆分 リファクタ | script command cli shell bash terminal run execute 脚本 命令 命令行 终端 运行 执行 コマンド
команда | schedule cron timer periodic interval daily hourly 定时 周期 每天 计划任务 | event trigger listener
signal emit webhook callback 事件 触发 监听 | state store redux zustand status context 状态 状態 | sync
synchronize realtime real_time live websocket stream sse 同步 实时 流式 同期 | thread parallel concurrent
async asynchronous lock race multithreading process 并发 线程 异步 并行 锁 | retry again repeat attempt
backoff resend 重试 再次 尝试 リトライ | backup snapshot restore recover recovery rollback undo revert dump
备份 恢复 回滚 撤销 还原 | save store persist storage keep write 保存 存储 持久化 写入 保存する | upload
attachment import 上传 アップロード | download export 下载 导出 ダウンロード | delete remove drop erase clear
discard purge get_rid eliminate uninstall 删除 移除 清除 去掉 清空 削除 удалить | create creation add new make
generate build introduce insert 创建 新建 添加 增加 生成 新增 作成 追加 создать добавить | change modify edit
update alter adjust tweak rename replace swap switch convert 修改 更改 更新 调整 改 替换 変更 修正 изменить |
fix repair solve resolve correct patch debug troubleshoot address 修复 解决 修正 调试 直す исправить | show
display render print present visible appear view see expose 显示 展示 渲染 表示 показать | hide invisible
collapse conceal 隐藏 折叠 非表示 | start begin launch run boot init initialize startup bootstrap open 启动
开始 初始化 运行 起動 開始 запуск | stop end quit exit kill terminate shutdown halt cancel abort close 停止
结束 退出 关闭 终止 取消 | enable activate turn_on on 启用 开启 打开 有効 | disable deactivate turn_off off
禁用 关闭 無効 | copy clone duplicate fork replicate 复制 拷贝 克隆 コピー | move relocate transfer migrate
shift 移动 迁移 転送 | sort order rank 排序 顺序 并べ替え | duplicate dedupe unique repeat redundant 重复 去重
唯一 | check validate verify verification confirm ensure inspect assert compare match align 检查 校验 验证
确认 確認 проверить | compare match align diff difference against versus 比较 对比 匹配 差异 | parse parser
decode read extract scrape scraper crawl 解析 提取 抽取 爬虫 解码 | serialize json encode marshal dump 序列化
编码 | json yaml xml csv toml format payload 格式 | csv excel spreadsheet xlsx sheet 表格 电子表格 | date time
timestamp timezone calendar datetime day when schedule deadline 日期 时间 时区 日历 截止 日付 時間 |
translation i18n localization language internationalization multilingual 翻译 国际化 多语言 本地化 翻訳
перевод | chinese mandarin zh 中文 汉语 中国語 | english en 英文 英语 英語 | text string word content copy
phrase paragraph 文本 字符串 文字 内容 文案 テキスト текст | map location gps coordinate latitude longitude
lat lng geo position 地图 坐标 位置 经纬度 地図 | video audio sound music voice speech media record clip 视频
音频 声音 语音 音乐 動画 音声 | game player level score enemy character sprite 游戏 玩家 关卡 ゲーム | model
llm gpt claude gemini ai openai anthropic machine_learning neural 模型 大模型 人工智能 モデル модель | prompt
instruction system_prompt 提示词 提示 指令 プロンプト | agent assistant bot copilot 智能体 代理 助手
エージェント | embedding vector semantic similarity qdrant pinecone faiss rag retrieval 向量 嵌入 语义
ベクトル | train finetune fine_tune learn epoch dataset 训练 微调 学习 学習 | dataset data corpus sample 数据
数据集 语料 データ данные | evaluate benchmark accuracy metric score assess measure 评估 评测 准确率 指标 評価
| accuracy precise correct exact exactly 准确 精确 正確 | random seed shuffle 随机 ランダム | algorithm method
approach technique strategy 算法 方法 策略 アルゴリズム | math formula equation calculate compute sum average
公式 计算 求和 平均 計算 | hardware gpu cpu processor chip board device sensor motor firmware embedded 硬件
芯片 传感器 固件 ボード | os operating_system linux windows macos ubuntu debian mac 操作系统 系统 | editor ide
vscode vim intellij cursor 编辑器 エディタ | emulator simulator virtual vm 模拟器 仿真 虚拟机 シミュレータ |
blockchain crypto smart_contract solana ethereum wallet token chain web3 区块链 智能合约 钱包 代币 | trade
stock market portfolio exchange finance 交易 股票 市场 金融 取引 | shop store cart product ecommerce catalog
inventory item goods 商店 购物车 商品 库存 电商 | company business enterprise organization team tenant
workspace 公司 企业 团队 租户 组织 会社 | customer client buyer lead 客户 顾客 顧客 | school student course
lesson teacher class education learn quiz exam 学校 学生 课程 老师 教育 考试 | medical health patient doctor
hospital clinic 医疗 健康 病人 患者 医生 医院 | legal law contract compliance license gdpr regulation privacy
法律 合同 合规 许可证 隐私 法的 | growth marketing campaign seo traffic promotion 增长 营销 推广 流量 |
feedback review rating survey opinion comment 反馈 评价 调查 フィードバック | research paper study literature
survey citation reference article 研究 论文 文献 引用 論文 | report summary summarize overview abstract digest
recap 报告 摘要 总结 概要 レポート 要約 отчёт | example sample demo prototype poc mvp template boilerplate
starter 示例 例子 演示 原型 模板 サンプル 例 пример | tool utility plugin extension addon integration 工具
插件 扩展 集成 ツール инструмент | integrate connect hook_up combine link 集成 对接 接入 整合 連携 |
compatible support work_with 兼容 支持 対応 handle process deal_with 处理 处置 処理 | missing absent lack
not_found cannot_find undefined null none empty unknown 缺少 缺失 找不到 未定义 空 不存在 見つからない |
warning caution deprecated 警告 弃用 注意 | important critical crucial essential key priority urgent 重要 关键
紧急 优先级 必要 | reason why cause because root_cause purpose rationale 原因 为什么 理由 目的 | goal aim
objective purpose target intent mission 目标 目的 目標 цель | complete finish done full entire whole
comprehensive thorough detailed all 完成 完整 全部 全面 详细 完了 | incomplete partial unfinished half 不完整
未完成 部分 | simple easy minimal basic plain small lightweight clean 简单 简洁 基本 轻量 シンプル | old
legacy previous obsolete outdated former existing original 旧 遗留 以前 原来 过时 | first initial original
beginning start primary 首次 最初 第一 初始 | last final latest recent newest 最后 最新 最终 最近 | only
solely exclusively just single one 只 仅 唯一 | manual by_hand yourself 手动 人工 手動 | automatic auto
automate 自动 自動 | local localhost offline on_device 本地 离线 本机 ローカル локальный | remote online cloud
external 远程 在线 外部 リモート | public open external exposed opensource open_source 公开 公共 开源 公開 |
private internal confidential closed 私有 内部 私密 非公開 | section part chapter block area region segment
paragraph 部分 章节 区域 段落 章 | group category kind type class classify classification categorize cluster
分组 类别 分类 种类 類型 taxonomy 类目 カテゴリ | history past previous earlier log timeline 历史 以前 过去
履歴 | screenshot capture image snapshot 截图 截屏 スクショ | keyboard key shortcut hotkey 键盘 快捷键 | mouse
cursor hover drag drop scroll 鼠标 拖拽 悬停 滚动 | scale scalable load capacity 扩展性 规模 负载 容量 |
stable reliable robust resilience fault_tolerant 稳定 可靠 健壮 鲁棒 | quality standard best_practice
professional production_ready 质量 品质 最佳实践 品質 | debug breakpoint inspect diagnose diagnosis
investigate 调试 诊断 排查 | team member colleague collaborate reviewer 团队 成员 协作 チーム | printer
printing 打印机 | keep retain preserve remain unchanged intact 保留 保持 不变 原样 維持 | use utilize adopt
apply employ 使用 采用 应用 利用 使う использовать | need require necessary want 需要 要求 必须 需求 必要
нужно | implement realize develop 实现 开发 研发 実装 開発 реализовать | write author compose 编写 书写 撰写
書く написать | read load 读取 加载 载入 读 読み込み | choose select pick choice option 选择 选取 挑选 选中
選択 выбрать | default_value preset initial_value 默认值 预设 初始值 | upload_file drag_and_drop 上传文件 拖放
| return_value result outcome 返回值 结果 結果 | filter screen_out exclude 过滤 筛选 排除 除外 フィルタ |
merge combine join concatenate unify 合并 拼接 合成 统一 結合 | split divide separate partition 拆分 分割 分离
划分 分開 分割する | limit_access block deny reject refuse 拒绝 阻止 屏蔽 拦截 | ignore skip omit exclude 忽略
跳过 省略 无视 無視 | replace substitute swap 替换 代替 取代 換える 置き換え | extend extension expand
expansion 扩展 拓展 扩充 展开 拡張 | reduce decrease lower shrink minimize 减少 降低 缩小 压缩 削減 | increase
raise grow enlarge boost 增加 提高 提升 增大 扩大 上げる | compress zip archive 压缩 压缩包 归档 圧縮 | clean
cleanup tidy 清理 清洁 清扫 掃除 | recover recovery resume continue 恢复 继续 续传 再開 | wait pending 等待
待机 待つ | print output emit 打印 输出 出力 | input enter type_in 输入 录入 填写 入力 | scan sweep 扫描
扫一扫 スキャン | match correspond 匹配 对应 吻合 一致 マッチ | assign allocate distribute 分配 指派 派发
割り当て | define definition declare 定义 声明 定義 | describe description explain explanation 描述 说明 解释
介绍 説明 | record log 记录 录制 登记 記録 | detect recognize recognition identify 检测 识别 探测 認識 検出 |
predict forecast estimate 预测 预估 估计 予測 | control command 控制 控制器 管控 制御 | manage administer 管理
治理 管理画面 | backend_management admin_panel console dashboard 管理后台 后台 控制台 管理画面 | communication
protocol 通信 通讯 协议 通信プロトコル | transmission transmit transfer send 传输 发送 传送 転送 送信 |
receive accept incoming 接收 收到 接受 受信 | connect link attach 连接 接上 绑定 接続 | device equipment
hardware machine 设备 器材 机器 装置 デバイス | machine computer pc laptop 机器 电脑 计算机 主机 パソコン |
camera webcam lens 摄像头 相机 摄像机 カメラ | signal frequency wave sampling 信号 频率 波形 采样 |
temperature heat thermal 温度 热 温度計 | battery power voltage current charge 电池 电源 电压 电流 充电 電源 |
robot arm drone 机器人 机械臂 无人机 ロボット | vehicle car driving traffic 车辆 汽车 驾驶 交通 車 | wireless
wifi bluetooth radio 无线 蓝牙 射频 | node vertex edge tree 节点 顶点 树 | array list collection set 数组 集合
列表 配列 | dictionary map hash_map key_value 字典 映射 键值 辞書 | loop iterate recursive 循环 遍历 迭代 递归
ループ | condition branch if_else 条件 判断 分支 | null nil none empty blank 空值 空白 为空 空の | integer
float number decimal 整数 浮点数 数字 小数 数值 | boolean true false flag 布尔 真 假 标志 | constant fixed
hardcode 常量 写死 硬编码 固定 | address location place 地址 位置 地点 住所 | phone_number telephone
mobile_number sms 手机号 电话 短信 验证码 電話 | verification_code captcha otp 验证码 校验码 | avatar
profile_picture nickname 头像 昵称 | article post blog news 文章 帖子 博客 新闻 記事 | tag label mark badge
标签 标记 标注 タグ | favorite bookmark collect star 收藏 书签 お気に入り | like follow fan subscribe 点赞
关注 粉丝 订阅 | share forward 分享 转发 共有 | homepage home_page front_page landing_page 首页 主页 官网
ホームページ | website site web_site portal 网站 站点 门户 サイト сайт | mini_program wechat applet 小程序
微信 公众号 | app application software program 应用 应用程序 软件 程序 アプリ приложение | window pane tab
窗口 标签页 窗体 ウィンドウ окно | background backdrop wallpaper 背景 背景图 壁纸 | border frame outline
rounded corner shadow 边框 圆角 阴影 边缘 | transparent opacity blur 透明 不透明度 模糊 | horizontal vertical
left right center 水平 垂直 左侧 右侧 居中 横向 纵向 | top bottom upper lower 顶部 底部 上方 下方 | scroll
pagination paging 滚动 分页 翻页 下拉 | drag drop resize move 拖动 拖拽 缩放 | zoom enlarge shrink magnify
放大 缩小 缩放 | refresh reload update 刷新 重新加载 | real_data actual_data production_data 真实数据 实际数据
| fake simulated sample_data 假的 模拟数据 测试数据 | database_table primary_key foreign_key 数据表 主键 外键
| transaction atomic consistency 事务 原子性 一致性 トランザクション | query_condition where_clause
search_criteria 查询条件 搜索条件 | interface_document api_documentation swagger openapi 接口文档 | full_stack
separation 前后端 全栈 | microservice distributed cluster load_balancing 微服务 分布式 集群 负载均衡 |
middleware gateway interceptor filter 中间件 网关 拦截器 | message_queue topic publish consume 消息队列 主题
发布 消费 | gateway router routing forward 网关 路由 转发 | domain_name dns hostname 域名 主机名 | cookie
session cross_origin cors 会话 跨域 | certificate signature sign 证书 签名 署名 | permission_denied forbidden
unauthorized 权限不足 无权限 未授权 | root sudo superuser administrator 管理员 超级用户 | log_file log_level
日志文件 日志级别 | stack heap call_stack 堆栈 栈 堆 | pointer reference address 指针 引用 ポインタ |
compile_error build_failure syntax_error 编译错误 语法错误 | crash segfault exit 崩溃 闪退 退出 |
infinite_loop deadlock hang 死循环 死锁 卡死 | memory_leak out_of_memory 内存泄漏 内存溢出 | unit_test
test_case integration_test 单元测试 测试用例 集成测试 | code source_code program snippet 代码 源码 源代码
コード код | line row line_number 行 行号 一行 | space whitespace blank_line indent tab 空格 空行 缩进 換行
インデント | quote bracket comma semicolon punctuation 引号 括号 逗号 分号 标点 | prefix suffix extension 前缀
后缀 扩展名 | uppercase lowercase case 大写 小写 大小写 | english chinese language_switch 英文 中文 简体 繁体
| character encoding utf8 garbled 字符 编码 乱码 文字化け | format style template 格式 样式 模板 形式 | path
directory relative absolute 路径 目录 相对路径 绝对路径 パス | root_directory project_root 根目录 项目根目录 |
temporary temp tmp 临时 临时文件 一時 | permanent lasting forever 永久 长期 永続 | order sequence step_by_step
顺序 依次 逐步 步骤 順番 | priority importance first 优先 优先级 首先 優先 | deadline due expire 截止 到期
过期 有效期 期限 | daily weekly monthly yearly 每日 每周 每月 每年 毎日 | second minute hour 秒 分钟 小时 秒間
| morning night today tomorrow yesterday 早上 晚上 今天 明天 昨天 | once twice times 一次 两次 多次 | all
every each entire 所有 全部 每个 整个 全て | other another different 其他 另一个 不同 別の | same identical
equal consistent 相同 一样 一致 同じ | similar alike resemble 相似 类似 似た | between range interval 之间
范围 区间 範囲 | inside outside internal external 内部 外部 里面 外面 | separate independent standalone
isolated 独立 单独 隔离 分开 | combine together shared common 共同 共享 一起 公共 共通 | dynamic static 动态
静态 動的 | abstract concrete 抽象 具体 | private_key public_key 私钥 公钥 | random_number seed 随机数
随机种子 | average maximum minimum sum 平均值 最大值 最小值 总和 合計 | percent percentage ratio rate
proportion 百分比 比例 比率 率 割合 | weight coefficient factor parameter 权重 系数 因子 重み | matrix vector
tensor dimension 矩阵 向量 张量 维度 行列 | gradient loss optimizer learning_rate 梯度 损失 优化器 学习率 |
layer network neuron 层 网络 神经网络 神经元 | feature label sample 特征 标签 样本 特徴 | experiment trial
baseline ablation 实验 试验 基线 消融 実験 | figure caption table_of_contents chapter 图表 标题 目录 章节 |
thesis paper manuscript journal 论文 稿件 期刊 毕业论文 | teacher student class homework grade 教师 学生 班级
作业 成绩 先生 | question exercise problem answer_sheet 题目 习题 试题 题库 | employee staff salary department
attendance 员工 职员 工资 部门 考勤 社員 | meeting appointment booking reservation 会议 预约 预订 予約 | hotel
room travel trip ticket 酒店 房间 旅行 旅游 门票 | food restaurant meal recipe dish 食物 餐厅 菜谱 菜品 食事 |
weather rain forecast 天气 天气预报 天気 | house home building property rent 房屋 房子 建筑 物业 租赁 | bank
account loan transfer 银行 账户 贷款 转账 銀行 | coupon discount promotion points 优惠券 折扣 促销 积分 割引 |
refund return after_sales 退款 退货 售后 返金 | logistics delivery shipping express warehouse 物流 配送 快递
仓库 配達 | supplier purchase procurement 供应商 采购 进货 | contract agreement sign 合同 协议 签约 契約 | tax
invoice receipt 税 发票 收据 請求書 | accounting ledger balance 会计 账本 余额 会計 | risk danger hazard
unsafe 风险 危险 隐患 リスク | advantage benefit pro strength 优势 好处 优点 | disadvantage drawback con
weakness 劣势 缺点 弊端 | beautiful modern elegant pretty aesthetic 美观 现代 优雅 好看 漂亮 | professional
formal official 专业 正式 官方 | interesting fun vivid cute 有趣 生动 可爱
"""
"""Rows end at "|"; "_" joins the words of a phrase. The first word of a row is English: what its words mean."""


class Notions(NamedTuple):
    """The table: row numbers by wide word, stem or stems of a phrase; the rows' first words; the longest wide word."""

    rows: dict[str, tuple[int, ...]]
    names: tuple[str, ...]
    longest_cjk: int


@cache
def notions() -> Notions:
    """Return the table, read once."""
    listed = [[word.replace("_", " ") for word in row.split()] for row in _ROWS.split("|")]
    rows: dict[str, dict[int, None]] = {}
    for number, words in enumerate(listed):
        for word in words:
            key = word if word[0] >= FIRST_CJK else " ".join(map(stem, word.split()))
            rows.setdefault(key, {})[number] = None
    return Notions(
        {key: tuple(numbers) for key, numbers in rows.items()},
        tuple(words[0] for words in listed),
        max(len(key) for key in rows if key[0] >= FIRST_CJK),
    )
