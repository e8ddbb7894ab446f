"""Weights of evidence, in hundredths of a logit: how much each name speaks for a clause being worth keeping.

Origin: logistic regressions with ridge penalty on clauses of 1030 typed messages of 39 people, marked by hand
(1575 clauses
worth keeping); checked by leaving out some people's messages at a time. Weights near nought were dropped. The
numbers are data: they are fitted, never edited by hand.
"""

from __future__ import annotations

from functools import cache

from memory.entries import MemoryType

BIAS = -7
"""What speaks for a clause before anything is known of it."""

TYPE_ORDER = (
    MemoryType.USER_INSTRUCTION,
    MemoryType.IMPORTANT_ERROR,
    MemoryType.CONFIGURATION,
    MemoryType.PROJECT_CONTEXT,
    MemoryType.TECHNICAL_DECISION,
    MemoryType.WORKFLOW_PATTERN,
)
"""The order of the numbers in `TYPE_WEIGHTS`."""

TYPE_BIAS = (10, -51, -64, -60, -75, -87)
"""What speaks for each type before anything is known of a clause."""


@cache
def strength_weights(size: str) -> dict[str, int]:
    """The weights of a message of one size ("few", "mid" or "many" clauses of prose): evidence -> hundredths."""
    table = _read(_EVERYWHERE)
    for name, weight in _read(_BY_SIZE[size]).items():
        table[name] = table.get(name, 0) + weight
    return table


@cache
def type_weights() -> dict[str, tuple[int, ...]]:
    """The weights of evidence for each type, in `TYPE_ORDER`."""
    words = _TYPES.split()
    step = len(TYPE_ORDER) + 1
    return {words[at]: tuple(map(int, words[at + 1 : at + step])) for at in range(0, len(words), step)}


def _read(packed: str) -> dict[str, int]:
    words = packed.split()
    return {words[at]: int(words[at + 1]) for at in range(0, len(words), 2)}


_EVERYWHERE = """
afterwards 51 agent-voice -44 alone -18 answering 20 bare-name -71 bold-only -50 closing 4 cue:also 22
cue:alter -7 cue:always -9 cue:ask -39 cue:broken 51 cue:build 8 cue:but 27 cue:choice 35 cue:condition
3 cue:do-now -12 cue:done 12 cue:ensure 4 cue:error 18 cue:fact 28 cue:fix -42 cue:from-now-on 5
cue:instead 42 cue:keep 58 cue:language 49 cue:let-us 8 cue:look -28 cue:must -25 cue:need -14 cue:never
25 cue:not 49 cue:note -39 cue:only 36 cue:permission 20 cue:please -30 cue:process -3 cue:project 16
cue:reason 35 cue:same 17 cue:should -8 cue:style 48 cue:test-word -46 cue:thanks 8 cue:use -4 cue:vague
-15 cue:want 4 cut 35 details:0 -23 details:1 -24 details:2 -5 details:3 31 details:4 14 directives:0
-13 directives:1 -4 directives:2 -3 directives:3 13 ends:bang -28 ends:colon -79 ends:stop 34 first -20
form:alter 20 form:always 25 form:ask -36 form:asked -73 form:build -20 form:do-now -21 form:empty -13
form:ensure -3 form:first-person 12 form:fix -8 form:instead 19 form:ja-ask 35 form:ja-other 25
form:ja-state 38 form:ja-want -11 form:keep 26 form:look -20 form:never 8 form:np 13 form:number -15
form:only 19 form:other -19 form:past -21 form:take-away -13 form:use 19 form:zh-ask -36 form:zh-it -7
form:zh-other -24 han 15 has-children -59 has:assign 33 has:capitals 19 has:code-name 6 has:dashed -16
has:exception 27 has:label 21 has:number 18 has:proper 8 has:quoted -3 has:tech 14 has:techs 6 has:unit
-48 has:url 38 has:version -15 headed 11 indented -32 kind:heading -42 kind:item 25 kind:prose -9
kind:quote -29 kind:setting 48 later 7 lead:alter 26 lead:always 32 lead:ask -37 lead:broken 16
lead:build 4 lead:but -11 lead:condition -9 lead:do-now -3 lead:done 5 lead:ensure 10 lead:error -14
lead:fact -43 lead:fix 13 lead:i 36 lead:instead 8 lead:it -30 lead:keep 29 lead:let-us -10 lead:look
-53 lead:must 8 lead:never 40 lead:not 14 lead:note -43 lead:observe -33 lead:only 7 lead:permission 16
lead:please -5 lead:process -13 lead:project 31 lead:reason 4 lead:same -14 lead:sequence 9 lead:should
-10 lead:style 13 lead:take-away 6 lead:test-word 9 lead:thanks -6 lead:use 6 lead:vague -10 lead:want
-12 lead:you 6 listed-under:always -12 listed-under:ask 8 listed-under:broken -18 listed-under:build -20
listed-under:condition -11 listed-under:do-now 15 listed-under:done 8 listed-under:error -33
listed-under:fact -17 listed-under:fix 10 listed-under:instead -19 listed-under:let-us 11
listed-under:look 22 listed-under:must -21 listed-under:need 28 listed-under:note 11
listed-under:observe -29 listed-under:please -28 listed-under:process -4 listed-under:project 15
listed-under:same -48 listed-under:sequence 26 listed-under:setting 3 listed-under:use 10
listed-under:vague 29 listy 68 long-run 32 mostly-tech 22 numbered -32 opening -20 pair 13 question -88
reads:choice 15 reads:complaint 11 reads:fact 19 reads:order 24 reads:ordered-complaint 20 reads:setting
6 reads:step 45 reads:tech 7 reads:tech-order -7 run 47 under:alter 8 under:always -16 under:ask 32
under:broken -38 under:build 33 under:condition -4 under:do-now -6 under:done 17 under:error -54
under:fact 3 under:fix -20 under:instead -21 under:language 5 under:look 7 under:need 12 under:not -12
under:note 28 under:observe -43 under:project -8 under:same -47 under:sequence 4 under:setting 14
under:should 7 under:style 18 under:test-word 15 under:thanks 10 under:use -13 under:vague 22 use&tech
15 very-many -51 width:0 -121 width:1 -75 width:2 -37 width:3 -5 width:4 19 width:5 63 width:6 54
width:7 77 width:8 19 with-paste -74
"""

_BY_SIZE = {
    "few": """
closing -12 cue:also 23 cue:alter -16 cue:always 3 cue:ask -61 cue:broken 72 cue:build -13 cue:but 26
cue:choice -6 cue:condition -14 cue:do-now -19 cue:done 45 cue:ensure -29 cue:error 13 cue:fact 15
cue:fix -21 cue:from-now-on 12 cue:instead 37 cue:keep 23 cue:language 9 cue:let-us 19 cue:look -20
cue:must -6 cue:need 6 cue:never -9 cue:not 33 cue:observe 10 cue:only 44 cue:permission 64 cue:please
-30 cue:process -5 cue:project 15 cue:reason 17 cue:same 35 cue:setting 5 cue:should 3 cue:style 29
cue:take-away -40 cue:test-word -20 cue:thanks -38 cue:use 23 cue:vague -13 cue:want 23 cut 23 details:0
11 details:1 -8 details:2 -7 details:3 11 details:4 -12 directives:0 3 directives:1 -4 directives:2 -4
form:alter 4 form:ask -46 form:asked -54 form:build -60 form:condition 15 form:do-now -31
form:first-person -3 form:gerund 37 form:ja-state 13 form:look -22 form:np 4 form:other -25 form:use 41
form:zh-ask -33 form:zh-i 5 form:zh-it 16 form:zh-other 34 has:assign 31 has:code-name -17 has:dashed 14
has:label -3 has:number 28 has:path -33 has:proper -8 has:quoted 5 has:tech 36 has:techs 16 has:unit -53
has:url 37 has:version 3 kind:item -36 kind:prose 3 kind:setting 42 opening -23 question -61 size -4
width:0 -60 width:1 -21 width:2 25 width:3 -26 width:4 6 width:5 -6 width:6 25 width:7 28 width:8 20
""",
    "mid": """
closing 7 cue:also 12 cue:alter 5 cue:always 22 cue:ask 8 cue:broken 32 cue:build -7 cue:choice 11
cue:condition 9 cue:do-now -9 cue:done -19 cue:ensure 23 cue:error 4 cue:fact 18 cue:instead 5 cue:keep
17 cue:language 21 cue:let-us -3 cue:look -15 cue:need -16 cue:never 27 cue:not 13 cue:observe -7
cue:only -11 cue:permission -23 cue:please -6 cue:process 17 cue:project 9 cue:reason 9 cue:same 22
cue:sequence -10 cue:setting -5 cue:should -3 cue:style 24 cue:take-away -10 cue:thanks 8 cue:use -16
cue:vague 4 cue:want -18 cut 30 details:1 -13 details:2 -17 details:3 11 details:4 13 directives:0 -21
directives:1 4 directives:2 7 directives:3 4 form:alter -4 form:ask -10 form:asked -11 form:build 10
form:condition -15 form:do-now 7 form:first-person -4 form:fix 10 form:gerund -28 form:ja-ask 34
form:ja-other 20 form:look -8 form:np 17 form:number -22 form:other 27 form:past -26 form:use -9
form:zh-ask 9 form:zh-it -5 form:zh-other 7 has:assign -19 has:code-name 28 has:dashed 11 has:exception
15 has:label -26 has:path 30 has:proper 8 has:tech -15 has:techs -23 has:unit 6 has:url 10 kind:heading
-17 kind:item 28 opening -14 question -25 size -6 width:0 -37 width:1 -27 width:2 -56 width:3 19 width:5
40 width:6 28 width:7 29
""",
    "many": """
closing 10 cue:also -13 cue:alter 4 cue:always -35 cue:ask 14 cue:broken -53 cue:build 28 cue:choice 30
cue:condition 8 cue:do-now 15 cue:done -14 cue:ensure 10 cue:fact -5 cue:fix -20 cue:from-now-on -9
cue:keep 19 cue:language 20 cue:let-us -8 cue:look 7 cue:must -21 cue:need -4 cue:never 7 cue:not 3
cue:note -5 cue:observe -3 cue:permission -21 cue:please 6 cue:process -16 cue:project -8 cue:reason 9
cue:same -40 cue:sequence 9 cue:should -8 cue:style -5 cue:take-away 48 cue:test-word -24 cue:thanks 39
cue:use -11 cue:vague -6 cut -18 details:0 -37 details:1 -3 details:2 19 details:3 9 details:4 13
directives:0 4 directives:1 -4 directives:2 -6 directives:3 9 form:alter 20 form:always 22 form:ask 20
form:asked -9 form:build 31 form:do-now 3 form:empty -3 form:first-person 18 form:fix -17 form:gerund
-10 form:instead 8 form:ja-state 27 form:keep 15 form:look 9 form:never -9 form:np -8 form:number 10
form:only 17 form:other -21 form:past -10 form:take-away 16 form:use -14 form:zh-ask -12 form:zh-it -18
form:zh-other -65 has:assign 21 has:capitals 16 has:code-name -4 has:dashed -42 has:label 50 has:number
-8 has:proper 7 has:quoted -9 has:tech -6 has:techs 13 has:url -8 has:version -16 kind:heading -21
kind:item 33 kind:prose -12 kind:setting 9 opening 17 size 3 width:0 -23 width:1 -28 width:2 -6 width:4
11 width:5 29 width:7 19
""",
}

_TYPES = """
afterwards 2 -2 -3 -3 -6 9 agent-voice -7 15 7 -20 -2 -15 alone -5 10 4 -6 0 -15 answering -2 -36 5 4 25
-19 bare-name -13 -3 17 2 -4 -1 closing 29 -19 -9 -46 -25 0 cue:also -4 11 -6 -8 -8 -2 cue:alter 15 -19
-1 -35 1 -12 cue:always 18 -5 -24 -11 -29 7 cue:ask 7 8 -13 -10 -7 -11 cue:broken -37 71 -36 -22 -23 -16
cue:build -3 -18 -18 -4 -18 -5 cue:but -14 16 -4 -3 1 -9 cue:choice -5 -5 -9 -10 16 11 cue:condition -12
9 -33 -17 -8 44 cue:do-now -4 -10 0 -1 -5 7 cue:done -12 2 4 24 -18 -2 cue:ensure 22 -16 -4 -6 -8 -8
cue:error -15 61 -30 -20 -14 -14 cue:fact -36 7 -12 37 -8 -15 cue:fix 1 4 -10 -6 -6 0 cue:from-now-on -8
2 6 2 -2 -2 cue:instead 8 -11 -8 -13 15 -5 cue:keep 16 0 -9 -11 -7 -7 cue:language 8 1 -7 4 -12 -5
cue:let-us -11 -9 3 -3 22 -5 cue:look 3 0 7 -15 -30 12 cue:must 14 -4 -6 -6 -6 3 cue:need 18 -4 -8 -9 -7
-8 cue:never 48 -20 -10 -22 -17 -15 cue:not -23 72 -29 -33 -24 -20 cue:observe -45 55 -9 -1 -18 -9
cue:only 2 -2 1 -2 -5 -12 cue:permission 6 2 -16 -4 3 -13 cue:please 16 -10 -2 -8 -3 -12 cue:process -20
-11 -3 -12 -17 62 cue:project -18 -29 -1 49 -2 -15 cue:reason 12 0 -13 -12 -16 15 cue:same 10 -12 2 -10
2 -14 cue:sequence -8 -18 0 -3 13 10 cue:setting -25 1 47 -29 -12 -7 cue:should 6 -5 -3 6 -14 -5
cue:style 38 16 -33 -33 -26 -26 cue:take-away 20 -7 -16 -8 -3 -9 cue:test-word 2 -20 3 7 -17 14
cue:thanks 4 8 -7 -5 -11 -9 cue:use -46 -16 9 -6 36 -5 cue:vague 19 -24 -23 -25 -13 -26 cue:want 26 -23
-8 -11 3 -3 cut 35 -4 -48 -17 -10 -34 details:0 -12 -46 11 -40 -25 -26 details:1 15 -12 -26 -20 -38 -19
details:2 -10 3 -23 5 -4 -25 details:3 -1 -3 -21 10 6 -12 details:4 18 6 -6 -15 -14 -6 directives:0 -34
16 -10 -6 -43 -41 directives:1 -17 -17 2 -6 -20 -18 directives:2 36 -24 -44 -25 -15 -9 directives:3 25
-25 -12 -23 3 -19 ends:colon 0 -7 8 -2 -7 -7 ends:stop 11 -8 -45 -16 10 2 first -11 0 -7 8 -7 -30
form:alter 7 -13 -1 -10 4 -5 form:always -1 -2 -6 -4 -4 13 form:asked 0 -13 1 -3 10 -4 form:build 24 -24
-8 -10 -5 -20 form:condition -2 3 -8 -7 -3 12 form:do-now -4 -7 16 -6 -5 5 form:ensure 10 -5 -3 -6 -3 -4
form:first-person -18 -9 -11 39 -9 -8 form:fix 14 -6 -3 -4 -7 -3 form:gerund -10 17 -7 -8 0 -3
form:instead -3 -2 -2 -2 8 -1 form:ja-ask 11 -8 -3 -10 3 -7 form:ja-other 3 -5 -7 -8 4 0 form:ja-state
-3 -3 -1 -4 14 -6 form:ja-want 8 -5 -1 -2 -2 -1 form:keep 14 -3 -6 -6 -7 -5 form:look 12 0 -7 -9 -11 0
form:np -30 26 -1 17 -22 -19 form:number -8 -3 -4 12 4 -2 form:only -6 1 8 -3 -4 -2 form:other -13 -17
-4 10 -26 -36 form:use -18 2 -3 -1 13 6 form:zh-ask 13 -9 -2 -7 -2 4 form:zh-i -11 -5 -2 18 1 -2
form:zh-it 1 9 -7 1 -6 -3 form:zh-other 1 7 4 -15 -12 -2 han 20 -2 -28 -13 -6 -11 has-children -10 12 4
-5 -4 -3 has:assign -25 5 34 -11 -16 -9 has:capitals 20 -7 -3 -5 -5 -2 has:code-name 9 -15 32 -25 -30
-10 has:dashed 11 -13 -15 23 -10 -6 has:exception -12 29 -9 -5 -6 -2 has:label -10 10 29 -27 -17 -19
has:number -39 -5 34 16 3 -18 has:path -27 -10 59 -17 -16 -20 has:proper -13 0 -19 -2 28 -32 has:quoted
-10 21 -14 -12 9 -13 has:tech -31 -9 11 -3 38 -19 has:techs -6 -18 4 14 9 -4 has:url -18 10 19 -12 -3 -3
has:version -17 5 -4 5 17 1 headed 11 -24 -8 -28 -31 -15 indented 28 17 -25 -29 -10 -17 kind:item 32 -30
-45 -19 -16 -31 kind:prose -10 -9 -40 -29 -48 -54 kind:setting -12 -7 18 -6 -7 -3 later 20 -38 -28 -5
-21 -19 lead:alter 11 -11 -4 -10 3 -3 lead:always -11 -4 -3 1 0 11 lead:build 19 -18 -1 -13 -8 -16
lead:condition -2 4 -8 -10 -1 13 lead:do-now -6 -7 17 -6 -4 5 lead:ensure 12 -6 -3 -7 -4 -4 lead:i -19
-6 -9 33 -5 -6 lead:it -6 0 2 9 -5 -5 lead:keep 13 -2 -6 -5 -7 -4 lead:let-us -10 -5 0 -2 16 -1
lead:look 13 -1 -2 -11 -9 -2 lead:never 13 -2 -4 -5 -5 -4 lead:not 11 1 -4 -6 -3 -2 lead:observe -6 8 -5
3 -5 -2 lead:only -6 1 8 -3 -4 -2 lead:please 11 -9 -3 -4 -1 -3 lead:project -10 -6 1 15 -1 -2
lead:reason -4 1 -2 8 -2 -2 lead:setting -7 5 8 -3 -4 -2 lead:use -14 3 -6 -4 15 7 lead:want 8 -5 -3 -7
2 -3 listed-under:ask 23 -4 -13 -8 -4 -2 listed-under:broken -1 9 -3 -3 -2 -1 listed-under:build 13 -9
-9 4 -5 -10 listed-under:done -4 -2 -5 16 -4 -2 listed-under:fact -9 -6 6 8 -6 -2 listed-under:look 5 -7
-4 9 -5 -3 listed-under:need 28 -8 -16 -5 -2 -2 listed-under:process -13 -3 -4 21 -12 1
listed-under:project -46 -3 -4 41 19 -3 listed-under:same -7 -3 7 -7 11 -3 listed-under:sequence 2 -6 -7
10 -5 -2 listed-under:setting 3 1 -13 -10 10 -5 listed-under:should 2 -2 -6 8 -7 -3
listed-under:test-word -6 -6 -5 8 4 -4 listed-under:use 3 -6 6 -10 5 -3 listed-under:vague -4 -8 1 19
-18 -9 listy -2 -40 4 -38 -14 0 long-run 63 -37 -43 -10 -25 -30 mostly-tech -8 -4 -2 -2 17 -2 numbered 0
8 -29 -15 10 -18 opening -11 0 -7 8 -7 -30 pair -15 -7 29 -26 3 -13 question -5 -6 -1 9 1 -4
reads:choice -17 0 -8 8 23 -4 reads:complaint -43 71 -25 -20 -12 -10 reads:fact -13 -11 10 15 -2 -10
reads:order 45 -62 -73 -19 -18 -2 reads:ordered-complaint -29 54 -22 -4 -16 -12 reads:setting -15 -10 31
-10 -12 -14 reads:step -26 -9 -7 -2 -7 47 reads:tech -17 -11 25 -7 13 -6 reads:tech-order 3 2 -5 -3 2 -8
run 24 -36 -37 -14 -12 -26 under:always -3 -2 0 -4 10 3 under:ask 16 -9 -3 -1 -8 -5 under:broken -15 24
-3 -6 6 -4 under:build 8 -30 10 -11 12 -6 under:condition -1 -9 5 -3 2 2 under:do-now 5 -8 -6 11 -10 5
under:done -7 -5 -5 26 -6 -2 under:error -8 8 -1 -1 -1 -1 under:fact -11 -16 16 12 -2 -2 under:instead
-5 -2 -5 -2 15 -1 under:language -8 1 17 -3 -3 -1 under:must 1 -3 1 0 -8 1 under:need 29 -9 -13 -6 -3 -3
under:not -4 2 -2 -1 11 -2 under:note -3 -11 4 -3 0 6 under:permission -16 -1 -4 17 9 -1 under:please 15
-4 3 -6 -6 -3 under:process -10 -4 -5 19 -13 4 under:project -49 -6 -4 51 17 -4 under:same -12 6 9 -8 9
-4 under:sequence 2 -8 -4 9 -1 -3 under:setting 11 -1 -8 -13 6 -8 under:should 9 -5 -3 4 -11 -2
under:test-word -7 -8 1 4 3 -1 under:thanks 10 -3 -3 -1 -2 -1 under:use 7 -8 11 -11 1 -6 under:vague 15
-20 3 14 -21 -13 use&tech -17 0 -8 8 23 -4 very-many 16 -47 1 -16 4 -23 width:0 -3 -6 10 -7 3 -3 width:1
-3 -13 6 -12 4 -11 width:2 -15 -3 -15 -2 -6 -7 width:3 9 -25 -13 -13 -15 -17 width:4 6 14 -15 -11 -41
-30 width:5 6 -16 -10 -13 -22 -1 width:6 6 -4 -16 1 -10 -13 width:7 11 -11 -10 -5 12 -5 with-paste -4 22
1 -36 -12 -25
"""
