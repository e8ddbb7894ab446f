"""What the panel says when it refuses, in the caller's language; keys are the codes of errors."""

from __future__ import annotations

from typing import Final, Literal

Language = Literal["en", "zh"]

TEXTS: Final = {
    "unauthorized": (
        "this panel needs its token: open the address that `holdfast panel` printed",
        "需要令牌：请打开 `holdfast panel` 打印的地址",
    ),
    "misdirected": ("the host {host!r} is not this panel", "主机 {host!r} 不是本面板"),
    "foreign": ("a page of {origin!r} may not write here", "来自 {origin!r} 的页面不能在此写入"),
    "not_json": (
        "the body is {kind!r}; it should be application/json",
        "请求体类型为 {kind!r}，应为 application/json",
    ),
    "too_large": (
        "the body has more than {most} bytes, which is the most that this route takes",
        "请求体超过 {most} 字节上限",
    ),
    "bad_json": ("the body is no JSON: {why}", "请求体不是 JSON：{why}"),
    "invalid": ("{name} is {value}: {why}", "{name} 的值 {value} 不正确：{why}"),
    "no_route": ("there is nothing at {path!r}", "{path!r} 不存在"),
    "no_method": ("{path!r} takes {allowed}, not {method}", "{path!r} 只接受 {allowed}，不接受 {method}"),
    "no_project": (
        "no project is named, and the panel was started outside a git repository: give `project`",
        "未指定项目，且面板不在 git 仓库中启动：请给出 project",
    ),
    "no_memory": ("there is no memory {id!r} in this project", "本项目没有记忆 {id!r}"),
    "replaced": (
        "the memory {id!r} cannot be changed: another one took its place",
        "记忆 {id!r} 已被取代，不能修改",
    ),
    "changed": (
        "it was changed meanwhile: what stands there now is in this answer",
        "内容已被他人修改：当前内容见本响应",
    ),
    "no_undo": (
        "that can no longer be undone: {why}",
        "无法撤销：{why}",
    ),
    "no_session": ("there is no session {id!r} on this machine", "本机没有会话 {id!r}"),
    "no_message": (
        "the session has {count} messages, and none is {index}",
        "会话共 {count} 条消息，没有第 {index} 条",
    ),
    "unreadable": ("the session cannot be read: {why}", "无法读取会话：{why}"),
    "no_record": ("there is no compaction {id!r} on record", "没有压缩记录 {id!r}"),
    "not_undoable": (
        "the compaction {id!r} cannot be undone here: only those that a proxy in view mode made can",
        "压缩 {id!r} 不能在此撤销：只有代理视图所做的压缩可以",
    ),
    "no_original": ("{handle!r} names no original of this project", "{handle!r} 不是本项目的原文"),
    "no_thread": ("there is no conversation {id!r}", "没有会话 {id!r}"),
    "session_gone": ("its session is not on this machine (any more)", "其会话（已）不在本机"),
    "message_gone": ("the session no longer holds the message", "会话中已没有该消息"),
    "text_gone": ("the message no longer reads as it did", "该消息的内容已改变"),
    "store": ("the store does not answer: {why}", "存储不可用：{why}"),
    "no_vectors": ("the vector store cannot be switched on: {why}", "无法启用向量存储：{why}"),
    "no_qdrant_client": (
        "qdrant-client is not installed: pip install 'holdfast-context[edge]'",
        "未安装 qdrant-client：pip install 'holdfast-context[edge]'",
    ),
    "no_qdrant_edge": (
        "no HOLDFAST_QDRANT is set, and qdrant-edge-py is not installed: pip install 'holdfast-context[edge]'",
        "未设置 HOLDFAST_QDRANT，也未安装 qdrant-edge-py：pip install 'holdfast-context[edge]'",
    ),
    "no_fastembed": (
        "fastembed is not installed: pip install 'holdfast-context[embed]'",
        "未安装 fastembed：pip install 'holdfast-context[embed]'",
    ),
    "no_onnx": ("{folder} holds no model.onnx", "{folder} 中没有 model.onnx"),
    "no_model": ("the model does not answer: {why}", "模型没有应答：{why}"),
    "no_folder": (
        "the folder of the project {key!r} is not known on this machine",
        "本机没有项目 {key!r} 的文件夹",
    ),
    "noted": ("Saved to memory line {line} ({total} in all)", "已保存到记忆第 {line} 行（共 {total} 条）"),
    "nothing_to_note": ("Nothing in it is worth remembering", "无需记录"),
    "turn": (
        "{memories} {memory_word} created, {files} {file_word} changed, {tools} {tool_word} used, {pending} pending",
        "新建 {memories} 条记忆，修改 {files} 个文件，使用 {tools} 次工具，{pending} 条待确认",
    ),
    "saved_by": (
        (
            "estimated: {count} {compaction_word}, {calls} more calls each (median), "
            "cached tokens at {read} x {model}'s input"
        ),
        "估算：{count} 次压缩，每次之后再调用 {calls} 次（中位数），缓存读取按 {model} 输入价的 {read} 计",
    ),
    "failed": ("this went wrong in the panel: {why}", "面板出错：{why}"),
}
"""English, Chinese."""


def say(code: str, language: Language, **values: object) -> str:
    """Return the text of a code, filled in."""
    return TEXTS[code][language == "zh"].format(**values)


def language_of(asked: str | None, accepted: str) -> Language | None:
    """Return the language asked for by `lang`, else the first known one of Accept-Language; None for neither."""
    for name in (asked or "", *(one.partition(";")[0] for one in accepted.split(","))):
        if (begun := name.strip().lower()[:2]) in ("zh", "en"):
            return "zh" if begun == "zh" else "en"
    return None
