"""Words that make a line binding, in the languages that instructions and documents are written in."""

from __future__ import annotations

import re

_LATIN_STRONG = (
    r"must|never|do not|don['’]t(?! (?:think|know|care|mind|worry|understand|remember|see)(?![a-z]))"
    r"|required?|mandatory|forbidden|always"
    r"|nunca|siempre|obligatori[oa]s?|prohibid[oa]s?|deben?|sempre|obrigat[oó]ri[oa]s?|proibid[oa]s?|deve[mr]?"
    r"|jamais|toujours|obligatoires?|interdite?s?|doi(?:t|vent)|devez"
    r"|niemals|muss|m[uü]ssen|verboten|d[uü]rfen (?:nicht|keine?)|darf (?:nicht|keine?)|zwingend|verpflichtend"
)
_LATIN = r"only|should|avoid|make sure|ensure|exactly|seulement|soll(?:te|ten|en)?|nur|s[oó]lo se"
_CYRILLIC_STRONG = (
    r"обязательн(?:о|ы)|никогда|всегда|запрещ|долж(?:ен|на|но|ны)(?![а-яё])|нельзя"
    r"|не [а-яё]{2,20}(?:[йь]те|ите)(?![а-яё])"
)
_CYRILLIC = r"только|убедитесь|следует"
_OTHERS_STRONG = (
    r"必须|必須|不要(?![求紧緊])|禁止|不得|务必|務必|(?<!不)一定要|严禁|嚴禁|切勿|請勿|请勿"
    r"|不可(?:以|修改|更改|改动|刪除|删除|使用|省略|提交|直接)"
    r"|必ず|しないで|しないこと|してはいけ|なければなら|絶対(?:に|！|!)"
    r"|(?:する|行う|使う|おく|ない)こと(?=[。\s]{0,3}$)|不可(?=[。、\s]|$)"
)
_OTHERS = (
    r"只能|只可|始终|始終|确保|確保して|(?<=[ぁ-んァ-ヶ一-龠])のみ(?=[をでに、。使可許])|べき(?=[でだ。です])"
    r"|(?:最大|最多|最小|上限(?:は|値)?|至多|最长|最長)\s?[0-9０-９一二三四五六七八九十]"
)


def _words(latin: str, cyrillic: str, others: str) -> re.Pattern[str]:
    """Whole words in Latin letters, beginnings of words in Cyrillic ones, and the rest anywhere; in any case."""
    return re.compile(
        rf"(?<![a-z0-9_])(?:{latin})(?![a-z0-9_])|(?<![а-яё])(?:{cyrillic})|{others}", re.IGNORECASE
    )


STRONG = _words(_LATIN_STRONG, _CYRILLIC_STRONG, _OTHERS_STRONG)
"""What is laid down: an obligation or a prohibition."""
BINDING = _words(
    f"{_LATIN_STRONG}|{_LATIN}", f"{_CYRILLIC_STRONG}|{_CYRILLIC}", f"{_OTHERS_STRONG}|{_OTHERS}"
)
"""The same, and what is wished for: limits, advice, what is to be made sure of."""
