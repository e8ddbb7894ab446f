"""Weights of evidence, in hundredths of a logit: how much each name speaks for a clause being worth keeping.

Origin: logistic regressions with ridge penalty on 4069 clauses of 1079 typed messages, marked by hand
(1693 clauses worth keeping); checked by leaving out some people's messages at a time. Weights near nought were
dropped. The numbers are data: they are fitted, never edited by hand.
"""

from __future__ import annotations

from functools import cache

from memory.entries import MemoryType

BIAS = 7
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

TYPE_BIAS = (192, 34, -21, -3, -70, -133)
"""What speaks for each type before anything is known of a clause."""


@cache
def strength_weights(size: str) -> dict[str, int]:
    """The weights of a message of one size ("few", "mid" or "many" clauses of prose): evidence -> hundredths."""
    table = _read(_EVERYWHERE)
    for name, weight in _read(_BY_SIZE.get(size, "")).items():
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
afterwards 40 agent-voice -60 alone -35 answering 21 attached -75 bare-name -70 boilerplate -89 bold-only
-102 closing 14 cue:also 16 cue:alter -6 cue:always -32 cue:ask -36 cue:broken 37 cue:build 12 cue:but 20
cue:choice 37 cue:condition 12 cue:do-now -3 cue:done 10 cue:ensure -11 cue:error 25 cue:fact 35 cue:fix -27
cue:from-now-on 4 cue:instead 44 cue:keep 63 cue:language 44 cue:look -32 cue:must -49 cue:need -30
cue:never 41 cue:not 68 cue:note -42 cue:observe 5 cue:only 60 cue:permission 9 cue:please -24 cue:process 3
cue:project 42 cue:reason 42 cue:same 16 cue:sequence -4 cue:setting 12 cue:should 20 cue:style 45
cue:take-away 22 cue:test-word -15 cue:thanks 9 cue:vague -13 cut 27 details:0 -20 details:1 -16 details:2
-3 details:3 28 details:4 13 directives:0 -26 directives:1 3 directives:2 16 directives:3 10 ends:bang -36
ends:colon -59 ends:stop 15 everyday-only -59 everyday:0 -18 everyday:1 22 everyday:2 8 everyday:3 -30 first
-22 form:alter 3 form:always 31 form:ask -29 form:asked -49 form:build -14 form:do-now -10 form:empty -19
form:ensure -6 form:fix -9 form:gerund -33 form:instead 25 form:ja-ask 38 form:ja-other -6 form:keep 34
form:look -11 form:never -12 form:np 16 form:number -24 form:only 18 form:other 5 form:past -23
form:take-away 6 form:use 15 form:zh-ask -27 form:zh-i -9 form:zh-it -26 form:zh-other 5 has-children -68
has:assign 39 has:capitals 37 has:code-name 6 has:dashed -41 has:exception 27 has:label 53 has:number 8
has:path 46 has:proper 7 has:quoted -13 has:tech 17 has:techs 7 has:unit -33 has:url 37 has:version -18
headed 4 indented -56 kind:heading -39 kind:item 40 kind:prose -7 kind:quote -40 kind:setting 48 later 7
lead:alter 25 lead:always 31 lead:ask -20 lead:broken 10 lead:build 18 lead:but -8 lead:choice -4
lead:condition -7 lead:done -5 lead:ensure 9 lead:error -14 lead:fact -35 lead:fix -6 lead:i 16 lead:instead
19 lead:it -12 lead:keep 39 lead:let-us 14 lead:look -17 lead:must 21 lead:need 30 lead:never 46 lead:not 10
lead:note -46 lead:observe -28 lead:only 12 lead:permission 44 lead:process -23 lead:project -4 lead:same
-19 lead:sequence 6 lead:setting -3 lead:should -13 lead:style 13 lead:take-away 3 lead:test-word 19
lead:thanks 18 lead:use 6 lead:want 21 lead:you 34 listed-under:broken -39 listed-under:build -27
listed-under:condition -17 listed-under:do-now 40 listed-under:done 12 listed-under:error -65
listed-under:fact -46 listed-under:fix 11 listed-under:look -10 listed-under:must -3 listed-under:need 52
listed-under:note 14 listed-under:observe -36 listed-under:please -53 listed-under:process -18
listed-under:project 15 listed-under:sequence 30 listed-under:setting -3 listed-under:should -22
listed-under:test-word -18 listed-under:use 21 listed-under:vague 59 listy 85 long-run 25 mention -7
mostly-tech 37 numbered -12 opening -22 pair 32 question -94 reads:choice 13 reads:complaint 12 reads:fact
-6 reads:listing -46 reads:order 12 reads:ordered-complaint -10 reads:step 35 reads:tech 3 run 44
share-han:0 -13 share-han:1 6 share-han:2 27 share:0 4 share:1 -4 share:2 -10 share:3 13 share:4 -21
size:few 29 size:many -33 size:mid 7 specific-han:0 -26 specific-han:1 17 specific-han:2 -21 specific-han:3
23 specific-han:4 4 specific-han:5 -4 specific-han:7 28 specific:0 -63 specific:1 -60 specific:10 72
specific:2 -58 specific:3 -33 specific:4 34 specific:5 53 specific:7 38 under:alter 11 under:ask 39
under:broken -61 under:build 23 under:but -14 under:condition 4 under:do-now 9 under:done -6 under:error -60
under:fact 6 under:fix -18 under:instead -30 under:language 9 under:look 6 under:must -35 under:need 6
under:not -16 under:note 47 under:observe -49 under:only 35 under:permission 8 under:please 7 under:process
-16 under:project 21 under:same -55 under:sequence 15 under:setting -33 under:should -3 under:style 35
under:test-word 37 under:thanks 19 under:use -26 under:vague 29 use&tech 13 very-many -52 width:0 -79
width:1 -41 width:2 -8 width:3 22 width:4 14 width:5 42 width:6 28 width:7 40 width:8 3 width:9 -18
with-paste -78
"""

_BY_SIZE = {
    "few": """
cue:ask -43 cue:please -16 directives:0 19 directives:1 17 directives:2 -6 everyday-only -45 everyday:0 23
everyday:1 -29 everyday:3 21 form:ask -37 form:asked -27 form:build -36 form:condition 19 form:do-now -13
form:empty -10 form:fix 13 form:gerund 41 form:ja-ask 9 form:look -16 form:np 15 form:number -9 form:other
-26 form:past 7 form:use 25 form:zh-ask -14 form:zh-i -9 form:zh-it 22 form:zh-other 18 has:path -24
lead:alter -3 lead:ask -42 lead:broken 20 lead:build -4 lead:condition 17 lead:error -8 lead:fact -19
lead:fix 21 lead:i 28 lead:it -18 lead:let-us -7 lead:look -17 lead:not 14 lead:observe -13 lead:test-word 4
lead:thanks -21 lead:use 18 lead:vague -9 lead:want 14 question -38 reads:choice 43 reads:complaint 5
reads:fact 29 reads:order -24 reads:ordered-complaint 46 reads:setting 10 reads:step 7 reads:tech 9
reads:tech-order 4 share-han:0 -46 share-han:1 27 share-han:2 26 share-han:3 8 share:0 33 share:2 -53
share:3 8 share:4 26 specific-han:0 -45 specific-han:1 12 specific-han:10 21 specific-han:2 -20
specific-han:3 -20 specific-han:4 14 specific-han:5 46 specific-han:7 9 specific:0 -39 specific:1 6
specific:10 19 specific:3 -9 specific:4 25 specific:5 -8 specific:7 19
""",
    "many": """
cue:ask -10 cue:please 8 directives:0 10 directives:1 -11 directives:2 -27 directives:3 -6 everyday-only -4
everyday:0 12 everyday:1 -12 everyday:2 6 everyday:3 20 form:alter 5 form:always 26 form:ask 27 form:asked
-9 form:build 25 form:condition -10 form:do-now 4 form:empty -3 form:ensure -7 form:first-person 24 form:fix
-31 form:gerund -26 form:instead 12 form:keep 26 form:look 11 form:never -8 form:np -27 form:only 17
form:other -34 form:take-away 29 form:use -5 form:zh-ask -17 form:zh-it -26 form:zh-other -90 has:path 13
lead:alter 6 lead:always 11 lead:ask 34 lead:broken -3 lead:build 14 lead:but 5 lead:condition -14
lead:error -16 lead:fact -31 lead:fix -11 lead:i 16 lead:instead 12 lead:keep 26 lead:let-us 8 lead:must 17
lead:never 39 lead:note -8 lead:observe 33 lead:only 18 lead:permission 25 lead:process -19 lead:same 4
lead:sequence 10 lead:setting -6 lead:take-away 18 lead:test-word -3 lead:thanks 28 lead:use -26 lead:want 3
lead:you 19 question -7 reads:choice -42 reads:complaint -23 reads:fact 13 reads:listing -52 reads:order -7
reads:ordered-complaint -58 reads:step 9 reads:tech 22 reads:tech-order -36 share-han:0 -8 share-han:2 -36
share-han:3 -14 share:0 23 share:2 24 share:3 -11 share:4 -10 specific-han:0 -5 specific-han:1 -17
specific-han:10 -3 specific-han:2 17 specific-han:3 8 specific-han:4 -8 specific-han:5 -52 specific:0 -61
specific:1 14 specific:10 38 specific:2 -12 specific:3 5 specific:4 4 specific:5 3 specific:7 34 width:0 -29
width:1 9 width:3 -9 width:4 -3 width:6 -22 width:7 27 width:8 9
""",
}

_TYPES = """
afterwards 2 -2 -2 -3 -4 9 agent-voice -8 24 13 -19 0 -9 alone -5 2 9 -4 3 -5 answering 13 -31 6 0 25 -12
attached -4 0 6 -1 -1 -1 bare-name -11 -1 14 2 -3 -1 closing 22 -13 7 -38 -2 24 cue:also -1 14 -5 -3 -6 2
cue:alter 14 -12 13 -24 9 0 cue:always 20 8 -19 -8 -16 15 cue:ask 0 11 -10 -1 7 -7 cue:broken -12 62 -21 -12
-11 -6 cue:build -6 -11 -12 15 1 13 cue:but -13 19 -1 -2 2 -5 cue:choice -9 -4 -6 -10 17 12 cue:condition -2
9 -28 -10 -7 38 cue:do-now -7 -8 5 1 2 7 cue:done -17 -1 5 30 -15 -2 cue:ensure 22 -9 -5 -1 -4 -3 cue:error
-13 62 -20 -14 -8 -8 cue:fact -30 8 -10 38 4 -10 cue:fix 0 10 -7 -5 -1 4 cue:from-now-on -10 2 8 1 0 -2
cue:instead 5 -9 2 -12 18 -5 cue:keep 14 0 -6 -7 1 -3 cue:language 11 2 -5 4 -9 -3 cue:let-us -10 -7 2 0 19
-4 cue:look -1 6 6 -1 -25 15 cue:must 9 -3 -1 -3 -4 2 cue:need 13 -1 -5 0 -2 -5 cue:never 36 -8 -7 -10 -8 -4
cue:not -7 66 -16 -20 -11 -11 cue:observe -29 48 1 1 -17 -3 cue:only 1 2 3 1 2 -8 cue:permission 12 1 -17 4
7 -8 cue:please 10 -9 -3 2 8 -8 cue:process -19 -12 -8 -7 -18 63 cue:project 3 -25 -8 41 2 -13 cue:reason 3
4 -10 -6 -10 19 cue:same 10 0 2 -7 4 -9 cue:sequence 1 -14 -5 -2 10 9 cue:setting -21 -4 52 -20 -11 4
cue:should 16 -5 -1 1 -11 -1 cue:style 28 28 -24 -8 -14 -11 cue:take-away 18 -6 -10 -2 4 -4 cue:test-word 5
-16 -9 17 -13 17 cue:thanks 2 13 2 -8 -4 -4 cue:use -37 -16 7 -4 46 5 cue:vague 13 -3 -1 -12 8 -5 cue:want
13 -15 -3 -4 8 0 cut 26 0 -27 9 5 -13 details:0 -17 -16 33 -14 -5 20 details:1 13 6 -8 -4 -13 5 details:2 -8
4 -9 13 17 -16 details:3 0 1 -15 14 5 -7 details:4 12 6 -1 -10 -4 -3 directives:0 -31 28 8 18 -15 -8
directives:1 -21 -3 21 0 -4 7 directives:2 24 -8 -23 -1 3 5 directives:3 29 -17 -6 -16 16 -5 ends:colon -1
-5 7 5 -2 -5 ends:stop 14 -8 -29 -10 14 20 everyday-only -4 -15 25 4 -17 8 everyday:0 -6 9 11 4 -5 -12
everyday:1 -6 2 8 4 -5 -2 everyday:2 1 -6 0 -1 4 2 everyday:3 4 1 -13 -1 -5 14 first -8 1 3 16 3 -15
form:alter 3 -9 5 -7 11 -3 form:always -1 -2 -5 -3 -3 14 form:asked 3 -11 1 -6 16 -3 form:build 20 -15 4 -8
8 -10 form:condition -1 4 -6 -6 0 10 form:do-now -3 -5 15 -6 -5 3 form:ensure 15 -3 -3 -4 -5 -1
form:first-person -13 -8 -6 31 1 -5 form:fix 9 0 -2 -3 -3 -1 form:gerund -6 12 -4 -3 2 -1 form:instead -1 -2
-3 -2 9 -1 form:ja-ask 10 -3 1 -6 2 -3 form:ja-other -5 -2 -3 0 8 2 form:keep 17 -4 -4 -4 -4 -2 form:look 9
6 -3 -6 -9 3 form:np -31 32 4 23 -16 -12 form:number -9 -2 -4 12 1 2 form:only -5 5 7 -3 -2 -1 form:other -6
-3 7 17 -7 -7 form:past -3 -3 -1 6 2 -1 form:take-away 7 -4 -3 2 0 -1 form:use -14 -3 -5 -1 14 10
form:zh-ask 10 -6 -1 -7 -1 5 form:zh-i -2 -4 -2 11 -2 -1 form:zh-it 3 6 -5 2 -3 -2 form:zh-other -8 10 9 -6
-8 3 han 12 4 -21 -3 5 2 has-children -3 8 3 -5 -2 -1 has:assign -18 7 34 -8 -10 -5 has:capitals 19 -8 -3 -2
-4 -2 has:code-name 8 -7 42 -20 -18 -6 has:dashed 3 -2 -10 24 -11 -4 has:exception -10 25 -6 -4 -4 -1
has:label 1 12 30 -20 -9 -12 has:number -37 -3 32 14 6 -12 has:path -18 -5 47 -4 -9 -11 has:proper -20 3 -8
5 40 -20 has:quoted -3 21 -8 -11 9 -8 has:tech -28 -12 12 3 38 -12 has:techs -14 -13 5 10 15 -4 has:unit 4
-6 7 -8 5 -2 has:url -19 11 19 -11 1 -2 has:version -7 9 -12 4 8 -3 headed 19 -19 11 -12 -5 6 indented 12 17
-19 -16 15 -9 kind:item 21 -8 -17 -5 12 -2 kind:prose -10 15 -2 4 -7 1 kind:setting -8 -3 16 -3 -2 -1 later
6 -18 -11 10 -1 14 lead:alter 7 -8 2 -7 8 -3 lead:always -7 -3 1 -5 1 13 lead:ask -4 0 -4 9 -1 -1
lead:broken 5 2 -3 -2 -1 0 lead:build 28 -12 3 -12 1 -7 lead:condition -1 5 -6 -9 1 10 lead:do-now -6 -5 17
-5 -4 3 lead:ensure 16 -3 -3 -4 -5 -1 lead:fix 2 5 -1 -2 -3 -1 lead:i -20 -6 -3 29 4 -4 lead:instead 0 -3 -3
-3 9 -1 lead:it -1 1 2 6 -4 -4 lead:keep 17 -4 -4 -4 -4 -2 lead:let-us -7 -4 3 -3 12 -1 lead:look 6 6 -1 -4
-8 1 lead:never 15 -2 -4 -3 -3 -2 lead:not 13 -1 -4 -5 -2 -1 lead:observe -14 8 1 10 -4 -2 lead:only -5 5 7
-3 -2 -1 lead:permission 0 -3 -2 0 8 -1 lead:please 2 -6 -1 -3 10 -2 lead:project -7 -4 -4 15 1 -1
lead:setting -5 5 7 -2 -3 -1 lead:take-away 5 -4 -3 2 1 -1 lead:test-word -2 -4 -5 12 -2 1 lead:thanks 5 1
-1 0 -2 -2 lead:use -13 -3 -5 -6 17 10 lead:vague -2 6 2 3 -5 -4 lead:want 1 -3 0 -5 8 -2 lead:you 8 2 -5 -1
-2 -1 listed-under:broken -1 6 -1 -1 -2 0 listed-under:build 10 -8 -9 6 7 -6 listed-under:do-now 1 -3 -2 10
-8 2 listed-under:fact -6 -2 4 8 -7 3 listed-under:fix 7 2 -3 -2 -3 -1 listed-under:look 7 -4 -7 9 -4 -1
listed-under:must -2 -5 3 4 -5 4 listed-under:process -12 -2 -2 23 -11 4 listed-under:project -28 -5 -7 32
11 -3 listed-under:sequence 3 -3 -5 10 -4 -1 listed-under:setting 8 -4 -9 -6 14 -2 listed-under:test-word 7
-5 -6 7 -2 0 listed-under:use 3 -5 6 -4 3 -2 listed-under:vague -6 -9 3 19 -2 -5 listy -14 -26 17 -6 11 18
long-run 53 -18 -23 -3 5 -14 mention -3 6 -1 -4 4 -1 mostly-tech -7 -3 -1 -3 16 -1 numbered 3 11 -21 -3 16
-7 opening -8 1 3 16 3 -15 pair -5 -2 26 -20 10 -9 question -5 -5 0 9 3 -3 reads:choice -9 -4 -5 4 15 -1
reads:complaint -28 67 -15 -13 -6 -5 reads:fact -9 -8 4 20 0 -7 reads:listing 11 -2 -2 0 -6 -1 reads:order
24 -36 -33 -3 18 30 reads:ordered-complaint -17 47 -12 0 -10 -7 reads:setting -7 -6 30 -4 -5 -9 reads:step
-15 -8 -5 -3 -7 37 reads:tech -21 -13 18 1 20 -5 reads:tech-order 1 5 -1 -2 3 -6 run 19 -21 -6 -7 15 0
share-han:0 -9 -12 9 4 0 9 share-han:1 -4 6 1 4 -6 -2 share-han:2 28 -11 -11 -10 17 -12 share-han:3 -8 12 -4
-4 0 4 share:0 3 0 6 1 -15 5 share:1 5 7 -6 -3 -3 1 share:2 -4 13 -6 -5 2 0 share:3 -14 -4 -3 8 15 -3
share:4 3 -10 14 6 -10 -2 size:few 2 15 9 -17 -7 -2 size:many -2 0 -4 2 6 -2 size:mid 0 -15 -5 14 1 4
specific-han:0 0 -3 0 -2 0 5 specific-han:1 -4 -9 13 5 -6 1 specific-han:10 -5 -3 -4 -5 20 -2 specific-han:2
-9 4 7 -8 5 1 specific-han:3 0 -3 2 -4 -1 6 specific-han:4 13 5 -5 -2 -6 -5 specific-han:5 10 6 -11 2 1 -7
specific-han:7 1 -3 -8 9 0 0 specific:0 -5 -5 3 6 -1 1 specific:1 6 -7 22 -11 -7 -4 specific:10 -2 7 -2 -5 0
2 specific:2 -19 -1 9 12 -1 1 specific:3 -21 16 8 -9 4 1 specific:4 4 -5 -3 -10 6 8 specific:5 20 -8 2 11
-10 -15 specific:7 9 8 -33 12 -3 6 under:alter 5 -2 7 -7 2 -4 under:ask 20 -7 -4 -1 -5 -3 under:broken -15
17 -1 -4 4 -2 under:build 7 -26 3 -6 21 0 under:condition 0 -8 2 -1 3 3 under:do-now 4 -3 -5 10 -11 4
under:done -8 -4 -4 24 -6 -2 under:error -8 14 -2 -4 1 -1 under:fact -14 -9 14 15 -6 0 under:fix 6 4 0 -5 -4
-1 under:instead -3 -2 -3 -3 12 -1 under:look 10 0 -11 6 -3 -2 under:must 0 -1 1 3 -6 3 under:not -6 7 -2 -3
7 -2 under:note 3 -12 7 0 -4 6 under:observe 1 3 -5 8 -6 -1 under:only 0 -2 -4 11 -3 -2 under:permission -13
1 -4 14 4 -1 under:please 16 -4 4 -7 -6 -3 under:process -14 -3 -2 22 -12 8 under:project -28 -10 -10 45 8
-5 under:sequence 1 -7 -3 11 -1 -1 under:setting 15 -5 -4 -11 10 -5 under:style 2 -7 3 -1 5 -1 under:thanks
5 0 -2 -1 -2 -1 under:use 4 -6 7 0 0 -5 under:vague 12 -22 3 18 -2 -10 use&tech -9 -4 -5 4 15 -1 very-many 0
-32 8 19 20 -14 width:0 -2 -4 8 -5 5 -2 width:1 5 -12 11 -10 14 -8 width:2 -12 3 -4 1 0 12 width:3 11 -9 -1
-4 0 3 width:4 0 20 1 5 -23 -3 width:5 -2 -4 2 3 -8 9 width:6 5 6 -7 6 -2 -7 width:7 -3 -11 -5 3 20 -3
width:8 3 6 -2 -1 -5 -1 with-paste 7 18 2 -7 -5 -15
"""
