"""Words that make a line binding, in the languages that instructions and documents are written in."""

from __future__ import annotations

import re

_LATIN_STRONG = (
    r"must|never|do not|don't|required?|mandatory|forbidden|always"
    r"|nunca|siempre|obligatori[oa]s?|prohibid[oa]s?|deben?|sempre|obrigat[oó]ri[oa]s?|proibid[oa]s?|deve[mr]?"
    r"|jamais|toujours|obligatoires?|interdite?s?|doi(?:t|vent)|devez"
    r"|niemals|muss|m[uü]ssen|verboten|d[uü]rfen nicht|darf nicht|zwingend|verpflichtend"
)
_LATIN = (
    r"only|should|avoid|make sure|ensure|exactly|seulement|immer|soll(?:te|ten|en)?|nur|solo|s[oó]lo|apenas"
)
_OTHERS_STRONG = (
    r"必须|必須|不要|禁止|不得|务必|務必|一定|严禁|嚴禁|切勿|請勿|请勿|不可"
    r"|必ず|しないで|しないこと|してはいけ|なければなら|絶対"
    r"|[Оо]бязательн|[Нн]икогда|[Вв]сегда|[Зз]апрещ|[Дд]олж(?:ен|н)|[Нн]ельзя"
    r"|[Нн]е [а-яё]{2,20}(?:[йь]те|ите|ай|уй)(?![а-яё])"
)
_OTHERS = r"只能|只可|始终|始終|确保|確保|のみ|べき|[Тт]олько|[Уу]бедитесь|[Сс]ледует"

STRONG = re.compile(rf"\b(?:{_LATIN_STRONG})\b|{_OTHERS_STRONG}", re.IGNORECASE | re.ASCII)
"""What is laid down: an obligation or a prohibition."""
BINDING = re.compile(
    rf"\b(?:{_LATIN_STRONG}|{_LATIN})\b|{_OTHERS_STRONG}|{_OTHERS}", re.IGNORECASE | re.ASCII
)
"""The same, and what is wished for: limits, advice, what is to be made sure of."""
