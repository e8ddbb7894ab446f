"""The few sentences we write ourselves, in English and Chinese.  Names and quotes are never translated."""

from __future__ import annotations

PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "intro": (
            "Earlier part of this conversation, condensed: {count} messages are folded into this block. "
            "It is a record of what happened, not a new request. Quotes are verbatim."
        ),
        "reach": " An original can be fetched whole by its handle (hf_...) with {reach}.",
        "brief": "Task as it was given (verbatim)",
        "latest": "Latest request (the user's words)",
        "rules": "Rules and facts the user gave (verbatim, still in force)",
        "asked": "Asked in earlier requests (verbatim; may be done by now, not to be undone)",
        "focus": "Asked to be kept",
        "narrative": "Summary (written by a model, checked against the record)",
        "project": "From earlier tasks of this project",
        "earlier": "Earlier requests (the user's words, oldest first)",
        "notes": "Instructions and notices that programs added (verbatim)",
        "unshown": "Earlier messages of the user not shown here: {handles}",
        "standing": "Where the work stands",
        "plan": "Plan and open items (last state)",
        "files": "Files touched (at least)",
        "commands": "Commands and their last outcome",
        "errors": "Errors seen, and what came of them",
        "answers": "What the assistant said last (its words, thoughts included)",
        "excerpts": (
            "Excerpts of what was done (verbatim lines, oldest first; … marks left-out lines, … 40 goes on at line 40)"
        ),
        "names": "Other names that stood there, by file or source (not quoted here)",
    },
    "zh": {
        "intro": (
            "以下是本次对话较早部分的压缩记录：{count} 条消息已折叠于此。"
            "这是对已发生之事的记录，不是新的请求。引文均为原文。"
        ),
        "reach": "凭句柄（hf_...）可用 {reach} 取回完整原文。",
        "brief": "给定的任务（原文）",
        "latest": "最新请求（用户原话）",
        "rules": "用户给出的规则与事实（原文，仍然有效）",
        "asked": "更早的请求中的要求（原文；可能已完成，但不得违背）",
        "focus": "要求保留",
        "narrative": "摘要（由模型撰写，已与记录核对）",
        "project": "来自本项目更早的任务",
        "earlier": "更早的请求（用户原话，由旧到新）",
        "notes": "程序附加的说明与通知（原文）",
        "unshown": "未在此显示的更早用户消息：{handles}",
        "standing": "当前进展",
        "plan": "计划与未完成事项（最后状态）",
        "files": "涉及的文件（至少）",
        "commands": "执行过的命令及最后结果",
        "errors": "出现过的错误及其结局",
        "answers": "助手最近所说（助手原话，含思考）",
        "excerpts": "过程摘录（逐行原文，由旧到新；… 表示省略的行，… 40 表示接着是第 40 行）",
        "names": "其他出现过的名称，按文件或来源（此处未引）",
    },
}


def phrase(language: str, name: str, **values: object) -> str:
    """Return one of our sentences."""
    return PHRASES.get(language, PHRASES["en"])[name].format(**values)
