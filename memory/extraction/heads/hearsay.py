"""Rules that are nobody's wish: what others say, wrote or print, and what is said to be no rule."""

from __future__ import annotations

import re

from memory.conversation import LazyPattern
from memory.extraction.heads.binding_words import STRONG

_VERB = (
    r"says?|said|wrote|writes|prints?|printed|complain(?:s|ed)|claim(?:s|ed)|thinks?|thought|insist(?:s|ed)|suggest(?:s|ed)"
    r"|warn(?:s|ed)|stat(?:es|ed)|(?:tells?|told) (?:me|us)"
)
_TOLD = LazyPattern(
    r"(?i)\W{0,3}(?:(?:and|but|so|here(?:['’]s| is)) )?(?:"
    r"(?!.{0,30}\b(?:boss|clients?|customers?|manager|lead|team|company|legal|security|policy)\b[^:\"“'‘]*$"
    r"|(?:my|our) (?:\w+ )?(?:notes?|docs|rules|guide\w*|readme|spec)\b)"
    r"(?:(?!(?:i|we|if|when|as|unless|should|must|never|always|please|make|don['’]?t|do|not|to|ensure)\b)"
    rf"[^\s,;:!?，：]{{1,30}} ){{1,6}}?(?:{_VERB})(?:\s?[:,\"“'‘]|$|\s(?:that |to )?['\"“‘]?"
    r"(?:we|you|i|one|it|all|every|the|never|always|don|do not|not|no|to)\b)"
    r"|(?:[\w'’-]+ ){0,3}(?:message|e-?mail|comment|note|reply|ticket|review) (?:from|by) [^:]{1,40}:"
    r"|(?:(?:the|an?|my|our) )?(?:customer|client|user|colleague|teammate|boss|[a-z]+['’]s)(?:['’]s)?"
    r" (?:e-?mail|message|comment|review|reply|ticket):"
    r"|(?:please )?(?:translate|proofread|[uü]bersetze?)(?: (?:this|the|following|sentence|text|into|to|in"
    r"|[a-z]+(?:ish|man|ese)))*:"
    r"|it(?:['’]s| is) (?:not true|untrue|false|a myth|wrong to (?:say|think|claim)) "
    r"|there(?:['’]s| is) no (?:rule|law) (?:that|against|to|saying)\b"
    r"|(?:i|we) (?:never (?:said|asked you|told you)|did(?:n['’]t| not) (?:say|ask you|tell you))\b"
    r"|(?:nobody|no one) (?:ever )?(?:said|asked|told)\b|(?:i|we) (?:don['’]t|do not) want (?:you )?to never\b"
    r"|.{1,80}\brule\b.{0,60} is (?:nonsense|bogus|not (?:mine|ours))\b|es stimmt nicht\b|no es (?:cierto|verdad)\b"
    r"|ce n['’]est pas vrai\b|n[aã]o é verdade\b|это неправда)|(?:并)?不是(?:不能|说|必须)"
    r"|没有?(?:人|谁)(?:说|要求)|谁说|我(?:没有?|从没)(?:说|要求)|没有(?:规定|规则)|.{0,8}翻译.{0,6}[:：]"
)
_COMMA = re.compile(r"[,，](?! ?(?:dass|qu|что)\b)")
ADOPTED = LazyPattern(
    r"(?i)(?<!not )(?<!n['’]t )(?<!ever )\b(?:(?:follow|obey|apply|respect|stick to|adhere to)"
    r" (?:this|these|that|those|it|them|what|(?:the|his|her|their) (?:following|rules?|advice)|every)\b"
    r"|our (?:own )?(?:rules|guidelines|conventions|standards)|(?:he|she|it|they)(?:['’]s|['’]re| is| are)"
    r" right\b(?!\?)|i agree\b|do (?:as|what) (?:he|she|it|they) )|(?<!不要)(?<![别不])(?:遵守|遵循|照做|照办)"
    r"|我们的(?:规则|规范)"
)
"""How a text makes the rules of others its own: "follow these"."""
VERDICT = LazyPattern(
    r"(?i)\b(?:who|he|she|they)(?:['’]s| is| are| was) (?:right|wrong|correct)\b"
    r"|\b(?:ignore|believe|agree with) (?:him|her|them)\b"
    r"|谁(?:说的)?对|别[理听]"
)
NAMED = LazyPattern(r"[A-Z][a-z]+: |.{1,6}说")
"""What judges persons, and how a clause begins that may be one of theirs: "Ann: never merge"."""


def is_told(said: str, *, head: bool = False) -> bool:
    """Tell whether a clause lays down what others say, or denies that it is laid down; or a head leads to such."""
    return (head or STRONG.search(_COMMA.split(said, maxsplit=1)[0])) and _TOLD.match(said) is not None
