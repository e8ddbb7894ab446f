"""Everyday words of software work in English, Chinese and Japanese: further rows for `search.synonyms`. Data only.

Rows are as there: what a search takes for one another. The first word of a row is also what its Chinese, Japanese and
Russian words mean for a model that reads English only (`search.glossing`). Chosen by hand, from general vocabulary.
"""

from __future__ import annotations

from typing import Final

EVERYDAY: Final = """
printer, printing, 打印机
keep, retain, preserve, remain, unchanged, intact, 保留, 保持, 不变, 原样, 維持
use, using, utilize, adopt, apply, employ, 使用, 采用, 应用, 利用, 使う, использовать
need, require, necessary, want, 需要, 要求, 必须, 需求, 必要, нужно
implement, implementation, realize, develop, development, 实现, 开发, 研发, 実装, 開発, реализовать
support, handle, handling, process, deal with, 支持, 处理, 处置, 対応, 処理
write, author, compose, 编写, 书写, 撰写, 書く, написать
read, reading, load, loading, 读取, 加载, 载入, 读, 読み込み
choose, select, selection, pick, choice, option, 选择, 选取, 挑选, 选中, 選択, выбрать
default value, preset, initial value, 默认值, 预设, 初始值
upload file, drag and drop, 上传文件, 拖放
return value, result, outcome, 返回值, 结果, 結果
filter, filtering, screen out, exclude, 过滤, 筛选, 排除, 除外, フィルタ
merge, combine, join, concatenate, unify, 合并, 拼接, 合成, 统一, 結合
split, divide, separate, partition, 拆分, 分割, 分离, 划分, 分開, 分割する
limit access, block, deny, reject, refuse, 拒绝, 阻止, 屏蔽, 拦截
ignore, skip, omit, exclude, 忽略, 跳过, 省略, 无视, 無視
replace, substitute, swap, 替换, 代替, 取代, 換える, 置き換え
extend, extension, expand, expansion, 扩展, 拓展, 扩充, 展开, 拡張
reduce, decrease, lower, shrink, minimize, 减少, 降低, 缩小, 压缩, 削減
increase, raise, grow, enlarge, boost, 增加, 提高, 提升, 增大, 扩大, 上げる
compress, compression, zip, archive, 压缩, 压缩包, 归档, 圧縮
clean, cleanup, tidy, 清理, 清洁, 清扫, 掃除
recover, recovery, resume, continue, 恢复, 继续, 续传, 再開
wait, waiting, pending, 等待, 待机, 待つ
print, output, emit, 打印, 输出, 出力
input, enter, type in, 输入, 录入, 填写, 入力
scan, scanning, sweep, 扫描, 扫一扫, スキャン
match, matching, correspond, 匹配, 对应, 吻合, 一致, マッチ
assign, allocate, distribute, distribution, 分配, 指派, 派发, 割り当て
define, definition, declare, 定义, 声明, 定義
describe, description, explain, explanation, 描述, 说明, 解释, 介绍, 説明
record, recording, log, 记录, 录制, 登记, 記録
detect, detection, recognize, recognition, identify, 检测, 识别, 探测, 認識, 検出
predict, prediction, forecast, estimate, 预测, 预估, 估计, 予測
control, controller, command, 控制, 控制器, 管控, 制御
manage, management, administer, 管理, 治理, 管理画面
backend management, admin panel, console, dashboard, 管理后台, 后台, 控制台, 管理画面
communication, communicate, protocol, 通信, 通讯, 协议, 通信プロトコル
transmission, transmit, transfer, send, 传输, 发送, 传送, 転送, 送信
receive, receiver, accept, incoming, 接收, 收到, 接受, 受信
connect, connection, link, attach, 连接, 接上, 绑定, 接続
device, equipment, hardware, machine, 设备, 器材, 机器, 装置, デバイス
machine, computer, pc, laptop, 机器, 电脑, 计算机, 主机, パソコン
camera, webcam, lens, 摄像头, 相机, 摄像机, カメラ
signal, frequency, wave, sampling, 信号, 频率, 波形, 采样
temperature, heat, thermal, 温度, 热, 温度計
battery, power, voltage, current, charge, 电池, 电源, 电压, 电流, 充电, 電源
robot, robotics, arm, drone, 机器人, 机械臂, 无人机, ロボット
vehicle, car, driving, traffic, 车辆, 汽车, 驾驶, 交通, 車
wireless, wifi, bluetooth, radio, 无线, 蓝牙, 射频
node, vertex, edge, tree, 节点, 顶点, 树
array, list, collection, set, 数组, 集合, 列表, 配列
dictionary, map, hash map, key value, 字典, 映射, 键值, 辞書
loop, iterate, iteration, recursive, recursion, 循环, 遍历, 迭代, 递归, ループ
condition, conditional, branch, if else, 条件, 判断, 分支
null, nil, none, empty, blank, 空值, 空白, 为空, 空の
integer, float, number, decimal, numeric, 整数, 浮点数, 数字, 小数, 数值
boolean, true, false, flag, 布尔, 真, 假, 标志
constant, fixed, hardcode, hardcoded, 常量, 写死, 硬编码, 固定
address, location, place, 地址, 位置, 地点, 住所
phone number, telephone, mobile number, sms, 手机号, 电话, 短信, 验证码, 電話
verification code, captcha, otp, 验证码, 校验码
avatar, profile picture, nickname, 头像, 昵称
article, post, blog, news, 文章, 帖子, 博客, 新闻, 記事
tag, label, mark, badge, 标签, 标记, 标注, タグ
category, classification, taxonomy, 分类, 类目, 种类, カテゴリ
favorite, bookmark, collect, star, 收藏, 书签, お気に入り
like, follow, fan, subscribe, 点赞, 关注, 粉丝, 订阅
share, sharing, forward, 分享, 转发, 共有
homepage, home page, front page, landing page, 首页, 主页, 官网, ホームページ
website, site, web site, portal, 网站, 站点, 门户, サイト, сайт
mini program, wechat, applet, 小程序, 微信, 公众号
app, application, software, program, 应用, 应用程序, 软件, 程序, アプリ, приложение
window, pane, tab, 窗口, 标签页, 窗体, ウィンドウ, окно
background, backdrop, wallpaper, 背景, 背景图, 壁纸
border, frame, outline, rounded, corner, shadow, 边框, 圆角, 阴影, 边缘
transparent, opacity, blur, 透明, 不透明度, 模糊
horizontal, vertical, left, right, center, 水平, 垂直, 左侧, 右侧, 居中, 横向, 纵向
top, bottom, upper, lower, 顶部, 底部, 上方, 下方
scroll, scrolling, pagination, paging, 滚动, 分页, 翻页, 下拉
click, tap, press, touch, 点击, 单击, 按下, 触摸
drag, drop, resize, move, 拖动, 拖拽, 缩放
zoom, enlarge, shrink, magnify, 放大, 缩小, 缩放
refresh, reload, update, 刷新, 重新加载
real data, actual data, production data, 真实数据, 实际数据
fake, simulated, sample data, 假的, 模拟数据, 测试数据
database table, primary key, foreign key, 数据表, 主键, 外键
transaction, atomic, consistency, 事务, 原子性, 一致性, トランザクション
query condition, where clause, search criteria, 查询条件, 搜索条件
interface document, api documentation, swagger, openapi, 接口文档
full stack, separation, 前后端, 全栈
microservice, distributed, cluster, load balancing, 微服务, 分布式, 集群, 负载均衡
middleware, gateway, interceptor, filter, 中间件, 网关, 拦截器
message queue, topic, publish, consume, 消息队列, 主题, 发布, 消费
gateway, router, routing, forward, 网关, 路由, 转发
domain name, dns, hostname, 域名, 主机名
cookie, session, cross origin, cors, 会话, 跨域
certificate, signature, sign, 证书, 签名, 署名
permission denied, forbidden, unauthorized, 权限不足, 无权限, 未授权
root, sudo, superuser, administrator, 管理员, 超级用户
log file, log level, 日志文件, 日志级别
stack, heap, call stack, 堆栈, 栈, 堆
pointer, reference, address, 指针, 引用, ポインタ
compile error, build failure, syntax error, 编译错误, 语法错误
crash, segfault, exit, 崩溃, 闪退, 退出
infinite loop, deadlock, hang, 死循环, 死锁, 卡死
memory leak, out of memory, 内存泄漏, 内存溢出
unit test, test case, integration test, 单元测试, 测试用例, 集成测试
code, source code, program, snippet, 代码, 源码, 源代码, コード, код
comment, annotate, 注释, 备注, コメント
line, row, line number, 行, 行号, 一行
space, whitespace, blank line, indent, indentation, tab, 空格, 空行, 缩进, 換行, インデント
quote, bracket, comma, semicolon, punctuation, 引号, 括号, 逗号, 分号, 标点
prefix, suffix, extension, 前缀, 后缀, 扩展名
uppercase, lowercase, case, 大写, 小写, 大小写
english, chinese, language switch, 英文, 中文, 简体, 繁体
character, encoding, utf8, garbled, 字符, 编码, 乱码, 文字化け
format, style, template, 格式, 样式, 模板, 形式
path, directory, relative, absolute, 路径, 目录, 相对路径, 绝对路径, パス
root directory, project root, 根目录, 项目根目录
temporary, temp, tmp, 临时, 临时文件, 一時
permanent, lasting, forever, 永久, 长期, 永続
order, sequence, step by step, 顺序, 依次, 逐步, 步骤, 順番
priority, importance, first, 优先, 优先级, 首先, 優先
deadline, due, expire, expiration, 截止, 到期, 过期, 有效期, 期限
daily, weekly, monthly, yearly, 每日, 每周, 每月, 每年, 毎日
second, minute, hour, 秒, 分钟, 小时, 秒間
morning, night, today, tomorrow, yesterday, 早上, 晚上, 今天, 明天, 昨天
once, twice, times, 一次, 两次, 多次
all, every, each, entire, 所有, 全部, 每个, 整个, 全て
other, another, different, 其他, 另一个, 不同, 別の
same, identical, equal, consistent, 相同, 一样, 一致, 同じ
similar, alike, resemble, 相似, 类似, 似た
between, range, interval, 之间, 范围, 区间, 範囲
inside, outside, internal, external, 内部, 外部, 里面, 外面
separate, independent, standalone, isolated, 独立, 单独, 隔离, 分开
combine, together, shared, common, 共同, 共享, 一起, 公共, 共通
dynamic, static, 动态, 静态, 動的
abstract, concrete, 抽象, 具体
private key, public key, 私钥, 公钥
random number, seed, 随机数, 随机种子
average, maximum, minimum, sum, 平均值, 最大值, 最小值, 总和, 合計
percent, percentage, ratio, rate, proportion, 百分比, 比例, 比率, 率, 割合
weight, coefficient, factor, parameter, 权重, 系数, 因子, 重み
matrix, vector, tensor, dimension, 矩阵, 向量, 张量, 维度, 行列
gradient, loss, optimizer, learning rate, 梯度, 损失, 优化器, 学习率
layer, network, neuron, 层, 网络, 神经网络, 神经元
feature, label, sample, 特征, 标签, 样本, 特徴
experiment, trial, baseline, ablation, 实验, 试验, 基线, 消融, 実験
figure, caption, table of contents, chapter, 图表, 标题, 目录, 章节
thesis, paper, manuscript, journal, 论文, 稿件, 期刊, 毕业论文
teacher, student, class, homework, grade, 教师, 学生, 班级, 作业, 成绩, 先生
question, exercise, problem, answer sheet, 题目, 习题, 试题, 题库
employee, staff, salary, department, attendance, 员工, 职员, 工资, 部门, 考勤, 社員
meeting, appointment, booking, reservation, 会议, 预约, 预订, 予約
hotel, room, travel, trip, ticket, 酒店, 房间, 旅行, 旅游, 门票
food, restaurant, meal, recipe, dish, 食物, 餐厅, 菜谱, 菜品, 食事
weather, rain, forecast, 天气, 天气预报, 天気
house, home, building, property, rent, 房屋, 房子, 建筑, 物业, 租赁
bank, account, loan, transfer, 银行, 账户, 贷款, 转账, 銀行
coupon, discount, promotion, points, 优惠券, 折扣, 促销, 积分, 割引
refund, return, after sales, 退款, 退货, 售后, 返金
logistics, delivery, shipping, express, warehouse, 物流, 配送, 快递, 仓库, 配達
supplier, purchase, procurement, 供应商, 采购, 进货
contract, agreement, sign, 合同, 协议, 签约, 契約
tax, invoice, receipt, 税, 发票, 收据, 請求書
accounting, ledger, balance, 会计, 账本, 余额, 会計
risk, danger, hazard, unsafe, 风险, 危险, 隐患, リスク
advantage, benefit, pro, strength, 优势, 好处, 优点
disadvantage, drawback, con, weakness, 劣势, 缺点, 弊端
beautiful, modern, elegant, pretty, aesthetic, 美观, 现代, 优雅, 好看, 漂亮
professional, formal, official, 专业, 正式, 官方
interesting, fun, vivid, cute, 有趣, 生动, 可爱
"""
