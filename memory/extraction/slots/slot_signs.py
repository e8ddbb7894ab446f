"""What the answers to questions are known by: letters, and words, without one of which a sort of answer can't be there.

Looking for them is cheaper than the patterns of `memory.extraction.slots.slots`.
"""

from __future__ import annotations


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


SLOT_SIGNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "language",
        _split(
            "chinese english japanese russian spanish portuguese german "
            "french korean 中文 汉语 漢語 中国語 英文 英语 英語 "
            "日文 日语 日本語 俄 西班牙 葡萄牙 德语 法语 韩语 русск китайск английск японск испанск немецк "
            "французск español inglés ruso deutsch englisch français anglais português"
        ),
        (
            "chinese simplifiedchinese traditionalchinese english japanese russian spanish portuguese german "
            "french korean ruso deutsch chino chinesisch chinois englisch anglais anglicky japanisch japonais "
            "russo russisch russe espanhol spanisch espagnol portugiesisch portugais allemand coreano koreanisch"
        ),
    ),
    (
        "port",
        _split("port порт puerto 端口 ポート localhost 0.0"),
        (
            "port ports puerto porta localhost run runs running serve serves server served start starts started "
            "starting listen listens listening"
        ),
    ),
    (
        "branch",
        _split("branch 分支 push commit merge"),
        (
            "branch branches push pushes pushed pushing merge merges merged merger mergers "
            "commit commits commited committed commiting"
        ),
    ),
    ("test command", _split("test 测试"), "test tests"),
    (
        "look",
        _split(
            "theme colo font background zone licen indent length log timeout "
            "主题 颜色 字体 背景 样式 超时 时区 日志"
        ),
        (
            "theme color colour font background primary accent time timezone license licence line log timeout "
            "indent indents indented indenting indentation indention"
        ),
    ),
    (
        "name",
        _split(
            "call name project app product package repo service bot game site company team 项目 应用 产品 仓库 服务"
        ),
        (
            "call name rename project app application product package repo repository service bot game site "
            "company team"
        ),
    ),
)
"""The sort of answer, its letters, and its words, as `memory.conversation.lazy_patterns.Signs` takes them."""
