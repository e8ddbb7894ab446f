"""Weights of evidence, in hundredths of a logit: for a clause being worth keeping, and for each type.

Origin: 656 typed messages of 57 groups (projects or sessions) with 1261 memories marked by hand; SHA-256 of
the labels 47a201d7a5532af2. Logistic regressions with a ridge penalty; on groups left out of the fit:
precision 0.638, recall 0.714, f1 0.674, type 0.682, noise 0.194. Written by `python -m benchmarks.fit
extraction --write`: fit anew rather than edit.
"""

from __future__ import annotations

THRESHOLDS = {"few": 0.65, "mid": 0.45, "many": 0.3}
"""By size of the message: how likely a clause must be worth keeping to be kept."""

STRENGTH = """
bias -9 afterwards 85 agent-voice -57 alone -96 bare-name -82 cue:also 57 cue:alter 6 cue:always -10
cue:broken 9 cue:choice 45 cue:done 18 cue:ensure 12 cue:error 21 cue:instead 105 cue:language 29 cue:look -30
cue:note -63 cue:observe 6 cue:permission -24 cue:please -55 cue:process 15 cue:project 59 cue:reason 58
cue:same 7 cue:sequence 39 cue:style 46 cue:take-away 25 cue:test-word -12 cue:thanks 27 cue:want 31 ends:bang
-23 ends:colon -106 ends:stop -11 everyday-only -60 has-children -73 has:assign 54 has:number 31 has:path 16
has:proper 14 has:quoted -10 headed 48 lead:always 132 lead:ask -50 lead:broken 53 lead:build 23 lead:fact -42
lead:fix -51 lead:keep 92 lead:look -50 lead:must 11 lead:never 91 lead:observe 46 lead:permission 28
lead:process -46 lead:same -89 lead:should -17 lead:test-word -29 lead:vague 37 listed-under:alter 25
listed-under:always -38 listed-under:ask 7 listed-under:build -10 listed-under:condition 56
listed-under:do-now 73 listed-under:done 49 listed-under:fact 16 listed-under:instead -44 listed-under:look 54
listed-under:must 35 listed-under:need 129 listed-under:note 66 listed-under:observe -67 listed-under:please
-53 listed-under:process -72 listed-under:project 196 listed-under:same -36 listed-under:sequence 11
listed-under:setting 5 listed-under:should 28 listed-under:test-word 132 listed-under:use 9 listed-under:vague
30 listy 84 long-run 41 numbered 40 question -134 size:few 26 size:many -44 size:mid 14 specific:0 -33
specific:1 -23 specific:10 145 specific:2 -58 specific:3 -34 specific:4 34 specific:5 27 specific:7 58
very-many -112 width:0 -137 width:1 -65 width:2 -33 width:3 26 width:4 32 width:5 59 width:6 31 width:7 57
width:8 44 with-paste -130
"""

TYPES = """
bias 193 -60 -10 29 33 -184 agent-voice 8 41 -12 75 -72 -39 answering 14 95 -8 -28 -12 -61 bare-name -62 -26
80 -30 46 -9 cue:also -34 -64 -21 45 63 11 cue:always 63 -46 -108 -17 -16 124 cue:broken -23 -20 -55 181 -60
-23 cue:build 40 30 -72 -4 -5 11 cue:condition 4 18 -114 26 -48 113 cue:ensure 81 -11 -61 -68 -23 82 cue:error
-31 0 -90 198 -45 -32 cue:fact -70 5 12 -15 76 -7 cue:instead 80 74 -38 -20 -70 -26 cue:keep 50 8 -25 23 -41
-14 cue:let-us -39 108 9 -50 -1 -28 cue:look 19 -66 35 0 -40 51 cue:need 90 6 -41 22 -75 -3 cue:never 76 -7
-20 -21 -57 30 cue:not -8 -44 18 140 -43 -64 cue:please 68 -27 -51 -83 61 33 cue:process -13 -77 11 -16 -44
140 cue:project -22 -6 -15 -13 94 -39 cue:setting -36 5 55 15 -75 35 cue:should 49 -57 -33 -42 82 1 cue:style
61 -23 -19 82 -35 -66 cue:take-away 41 46 -49 -15 -3 -20 cue:test-word 26 -27 -11 -76 -2 91 cue:thanks -58 -20
-11 59 9 21 cue:use -23 114 -29 -22 6 -45 cue:want 49 55 -67 -87 -25 75 ends:colon -34 -3 28 20 -4 -6
ends:stop -3 7 -57 -20 -11 84 everyday-only 15 -61 33 -62 47 29 has:assign -15 -59 95 27 -22 -24 has:code-name
1 -19 132 -26 -30 -57 has:exception -63 -18 -20 87 27 -13 has:label 0 17 79 10 -88 -18 has:number -14 15 87
-36 22 -74 has:quoted 30 43 -105 74 -24 -18 has:tech -106 48 80 5 16 -44 has:url -68 -15 96 44 -46 -10
lead:alter 72 46 10 -50 -59 -20 lead:always -56 45 1 -24 -42 76 lead:ask 78 37 -37 -9 -60 -9 lead:build 28 30
64 -111 18 -30 lead:condition 46 -25 -33 -8 -4 24 lead:keep 60 -16 -15 -5 -16 -7 lead:let-us -39 109 7 -27 -41
-8 lead:look 81 -28 -39 22 -41 4 lead:never 79 -12 -21 -27 -11 -9 lead:not 62 -10 -29 4 -17 -9 lead:observe
-74 -32 -18 133 1 -10 lead:permission 39 37 -42 -24 -16 6 lead:reason -39 9 -13 24 38 -20 lead:setting -42 -21
23 55 -9 -7 listy 42 7 28 -120 -41 84 specific:0 -44 -32 49 15 10 2 specific:1 -41 -16 69 73 -52 -33
specific:10 -4 29 -40 -18 35 -3 specific:2 -69 -39 59 20 72 -42 specific:3 -40 -1 -6 19 31 -4 specific:4 -19
25 27 2 19 -54 specific:5 20 -75 11 -3 69 -21 specific:7 31 -20 -77 2 45 19
"""
"""For each type in the order of `MemoryType`."""
