"""Weights of evidence, in hundredths of a logit: for a clause being worth keeping, and for each type.

Origin: 656 typed messages of 57 groups (projects or sessions) with 1261 memories marked by hand; SHA-256 of
the labels 47a201d7a5532af2. Logistic regressions with a ridge penalty; on groups left out of the fit:
precision 0.616, recall 0.721, f1 0.664, type 0.656, noise 0.176. Written by `python -m benchmarks.fit
extraction --write`: fit anew rather than edit.
"""

from __future__ import annotations

THRESHOLDS = {"few": 0.65, "mid": 0.35, "many": 0.3}
"""By size of the message: how likely a clause must be worth keeping to be kept."""

STRENGTH = """
bias 35 afterwards 54 agent-voice -48 alone -79 bare-name -72 ends:bang -16 ends:colon -83 ends:stop -12
everyday-only -64 form:alter -24 form:always 45 form:ask -27 form:asked -45 form:do-now -14 form:empty -11
form:first-person 44 form:fix -36 form:gerund 4 form:ja-ask 14 form:ja-other -6 form:ja-state 67 form:keep 51
form:look -29 form:never 17 form:np 28 form:number -26 form:other -31 form:past -42 form:take-away -10
form:use 25 form:zh-ask -41 form:zh-i 4 form:zh-it -19 form:zh-other -22 has-children -60 headed 43 lead:alter
23 lead:always 63 lead:ask -41 lead:broken 31 lead:build 4 lead:condition -18 lead:do-now -9 lead:done -16
lead:ensure 10 lead:fact -35 lead:fix -26 lead:keep 51 lead:look -54 lead:must 6 lead:never 46 lead:not 43
lead:note -33 lead:observe 26 lead:please -19 lead:process -22 lead:project 24 lead:reason 10 lead:same -59
lead:sequence 23 lead:setting -12 lead:should -16 lead:style 21 lead:take-away -10 lead:test-word -27
lead:thanks 8 lead:use -14 lead:want -20 listed-under:alter 13 listed-under:always -24 listed-under:ask 7
listed-under:build -5 listed-under:condition 38 listed-under:do-now 47 listed-under:done 35 listed-under:fact
10 listed-under:instead -28 listed-under:look 39 listed-under:must 19 listed-under:need 96 listed-under:note
45 listed-under:observe -41 listed-under:please -40 listed-under:process -46 listed-under:project 139
listed-under:same -31 listed-under:sequence 11 listed-under:setting 9 listed-under:should 21
listed-under:test-word 99 listed-under:use 10 listed-under:vague 30 listy 77 long-run 44 numbered 31 question
-121 size:few 28 size:many -35 size:mid 23 specific:0 -37 specific:1 -28 specific:10 114 specific:2 -63
specific:3 -41 specific:4 17 specific:5 18 specific:7 49 very-many -100 width:0 -131 width:1 -72 width:2 -40
width:3 19 width:4 31 width:5 64 width:6 38 width:7 72 width:8 41 with-paste -110
"""

TYPES = """
bias 179 -88 -13 19 40 -138 agent-voice -4 22 -2 50 -43 -24 alone -33 28 41 8 -24 -20 answering 9 72 -5 -22
-15 -39 bare-name -38 -11 48 -18 23 -5 cue:also -29 -39 -10 31 41 5 cue:alter 20 40 -9 -32 -31 13 cue:always
50 -36 -69 -17 -15 87 cue:ask 22 7 -29 5 -1 -4 cue:broken -28 -16 -34 145 -49 -19 cue:build 37 22 -54 -13 -6
14 cue:but -12 6 8 14 -1 -14 cue:choice -2 40 -24 -22 -34 42 cue:condition 9 7 -76 18 -40 82 cue:do-now 4 2
-10 -11 -12 26 cue:done -25 -41 12 6 34 14 cue:ensure 46 -8 -29 -37 -14 42 cue:error -37 -3 -62 150 -31 -17
cue:fact -58 14 -4 -13 65 -3 cue:fix 4 4 -27 9 -8 18 cue:from-now-on 9 -8 3 -9 13 -7 cue:instead 53 37 -23 -12
-41 -14 cue:keep 40 0 -16 11 -25 -9 cue:language 34 -34 -4 4 8 -8 cue:let-us -27 59 -1 -24 9 -16 cue:look 25
-49 14 2 -23 31 cue:must 55 -19 -27 -4 -27 22 cue:need 57 -3 -17 8 -44 0 cue:never 68 -8 -21 -11 -39 11
cue:not -14 -29 3 118 -40 -38 cue:observe -29 -30 -11 63 2 5 cue:only 16 1 22 -22 12 -30 cue:permission 17 21
-30 0 6 -15 cue:please 45 -19 -31 -41 32 15 cue:process -21 -47 7 -13 -35 109 cue:project -21 -6 -17 -15 83
-23 cue:reason 18 -41 -28 17 5 28 cue:same 4 8 -20 -20 -6 32 cue:sequence -13 25 -14 -26 3 25 cue:setting -29
3 46 13 -56 24 cue:should 19 -38 -14 -21 57 -3 cue:style 52 -20 -24 56 -24 -40 cue:take-away 27 21 -25 -7 -5
-11 cue:test-word 19 -26 -15 -49 3 68 cue:thanks -43 -14 -6 41 6 17 cue:use -19 86 -26 -22 6 -24 cue:vague -2
46 -28 -15 1 -2 cue:want 34 34 -34 -48 -22 36 everyday-only 13 -34 30 -42 22 11 has:assign -18 -31 70 14 -18
-16 has:code-name -1 -14 93 -21 -30 -27 has:exception -33 -13 -15 56 10 -5 has:label -6 10 71 10 -67 -17
has:number -18 4 71 -31 18 -43 has:path -11 -39 72 16 -5 -33 has:proper -8 46 -36 22 -13 -12 has:quoted 24 25
-71 57 -24 -11 has:tech -89 33 72 -1 14 -29 has:url -39 -1 47 21 -23 -6 has:version 40 18 -30 0 -14 -14
lead:alter 40 10 6 -21 -25 -9 lead:always -35 21 -1 -13 -23 51 lead:ask 32 11 -9 -4 -25 -6 lead:build 20 18 33
-63 10 -18 lead:condition 25 -16 -25 -5 -7 28 lead:do-now 0 -13 27 1 -23 7 lead:ensure 37 0 -22 -17 -18 20
lead:fact -15 -9 2 5 22 -6 lead:keep 39 -9 -11 -3 -12 -4 lead:let-us -26 65 -1 -14 -20 -4 lead:look 47 -17 -21
10 -21 2 lead:never 50 -7 -15 -16 -8 -4 lead:not 32 -6 -19 8 -10 -5 lead:observe -39 -14 -5 66 -1 -6
lead:permission 11 16 -16 -12 -5 6 lead:please 32 -14 -5 -14 -9 9 lead:project -10 5 -14 1 23 -4 lead:reason
-30 7 -4 11 26 -9 lead:setting -21 -11 6 34 -6 -3 lead:test-word -4 -10 -21 -8 37 5 lead:use -17 54 -33 -6 9
-7 lead:vague 30 -34 -3 9 11 -14 lead:want 17 2 -8 -10 9 -11 listy 30 -1 49 -104 -29 55 numbered 29 49 -64 25
-35 -5 specific:0 -33 -15 39 2 8 -2 specific:1 -32 -8 47 45 -37 -16 specific:10 1 14 -16 -10 18 -7 specific:2
-51 -22 36 12 45 -21 specific:3 -27 -3 -5 12 10 13 specific:4 -6 22 14 -5 4 -28 specific:5 23 -52 4 -10 39 -5
specific:7 26 -20 -48 -2 30 14
"""
"""For each type in the order of `MemoryType`."""
