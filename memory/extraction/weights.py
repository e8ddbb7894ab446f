"""Weights of evidence, in hundredths of a logit: for a clause being worth keeping, and for each type.

Origin: logistic regressions with a ridge penalty on typed messages marked by hand. STRENGTH: 1079 messages (4069
clauses, 1693 worth keeping), not all of them at hand any more; a fit to the 656 that are is no better on groups left
out of it. TYPES: those 656 messages of 57 groups (projects or sessions), 1261 memories, SHA-256 of the labels
47a201d7a5532af2, by `python -m benchmarks.fit extraction --types-only --write`; on groups left out of the fit 0.66 of
the types are right. Fit anew rather than edit.
"""

from __future__ import annotations

THRESHOLDS = {"few": 0.64, "mid": 0.45, "many": 0.4}
"""By size of the message: how likely a clause must be worth keeping to be kept."""

STRENGTH = """
bias 7 alone -35 answering 21 bare-name -70 boilerplate -89 bold-only -102 closing 14 cue:also
16 cue:alter -6 cue:always -32 cue:ask -36 cue:broken 37 cue:build 12 cue:but 20 cue:choice 37 cue:condition
12 cue:do-now -3 cue:done 10 cue:ensure -11 cue:error 25 cue:fact 35 cue:fix -27 cue:from-now-on 4 cue:instead
44 cue:keep 63 cue:language 44 cue:look -32 cue:must -49 cue:need -30 cue:never 41 cue:not 68 cue:note -42
cue:observe 5 cue:only 60 cue:permission 9 cue:please -24 cue:process 3 cue:project 42 cue:reason 42 cue:same
16 cue:sequence -4 cue:setting 12 cue:should 20 cue:style 45 cue:take-away 22 cue:test-word -15 cue:thanks 9
cue:vague -13 cut 27 details:0 -20 details:1 -16 details:2 -3 details:3 28 details:4 13 directives:0 -26
directives:1 3 directives:2 16 directives:3 10 ends:bang -36 ends:colon -59 ends:stop 15 everyday-only -59
first -22 form:alter 3 form:always 31 form:ask -29 form:asked -49 form:build -14 form:do-now -10 form:empty
-19 form:ensure -6 form:fix -9 form:gerund -33 form:instead 25 form:ja-ask 38 form:ja-other -6 form:keep 34
form:look -11 form:never -12 form:np 16 form:number -24 form:only 18 form:other 5 form:past -23 form:take-away
6 form:use 15 form:zh-ask -27 form:zh-i -9 form:zh-it -26 form:zh-other 5 has-children -68 has:assign 39
has:capitals 37 has:code-name 6 has:dashed -41 has:exception 27 has:label 53 has:number 8 has:path 46
has:proper 7 has:quoted -13 has:tech 17 has:unit -33 has:url 37 has:version -18 headed 4 indented -56
kind:heading -39 kind:item 40 kind:prose -7 kind:quote -40 kind:setting 48 later 7 lead:alter 25 lead:always
31 lead:ask -20 lead:broken 10 lead:build 18 lead:but -8 lead:choice -4 lead:condition -7 lead:done -5
lead:ensure 9 lead:error -14 lead:fact -35 lead:fix -6 lead:i 16 lead:instead 19 lead:it -12 lead:keep 39
lead:let-us 14 lead:look -17 lead:must 21 lead:need 30 lead:never 46 lead:not 10 lead:note -46 lead:observe
-28 lead:only 12 lead:permission 44 lead:process -23 lead:project -4 lead:same -19 lead:sequence 6
lead:setting -3 lead:should -13 lead:style 13 lead:take-away 3 lead:test-word 19 lead:thanks 18 lead:use 6
lead:want 21 lead:you 34 listy 85 long-run 25 numbered -12 opening -22 question -94 reads:choice 13
reads:complaint 12 reads:fact -6 reads:listing -46 reads:order 12 reads:ordered-complaint -10 reads:step 35
reads:tech 3 run 44 share-han:0 -13 share-han:1 6 share-han:2 27 share:0 4 share:1 -4 share:2 -10 share:3 13
share:4 -21 size:few 29 size:many -33 size:mid 7 specific-han:0 -26 specific-han:1 17 specific-han:2 -21
specific-han:3 23 specific-han:4 4 specific-han:5 -4 specific-han:7 28 specific:0 -63 specific:1 -60
specific:10 72 specific:2 -58 specific:3 -33 specific:4 34 specific:5 53 specific:7 38 very-many -52 width:0
-79 width:1 -41 width:2 -8 width:3 22 width:4 14 width:5 42 width:6 28 width:7 40 width:8 3 width:9 -18
with-paste -78 few/cue:ask -43 few/cue:please -16 few/directives:0 19 few/directives:1 17 few/directives:2 -6
few/everyday-only -45 few/form:ask -37 few/form:asked -27 few/form:build -36 few/form:condition 19
few/form:do-now -13 few/form:empty -10 few/form:fix 13 few/form:gerund 41 few/form:ja-ask 9 few/form:look -16
few/form:np 15 few/form:number -9 few/form:other -26 few/form:past 7 few/form:use 25 few/form:zh-ask -14
few/form:zh-i -9 few/form:zh-it 22 few/form:zh-other 18 few/has:path -24 few/lead:alter -3 few/lead:ask -42
few/lead:broken 20 few/lead:build -4 few/lead:condition 17 few/lead:error -8 few/lead:fact -19 few/lead:fix 21
few/lead:i 28 few/lead:it -18 few/lead:let-us -7 few/lead:look -17 few/lead:not 14 few/lead:observe -13
few/lead:test-word 4 few/lead:thanks -21 few/lead:use 18 few/lead:vague -9 few/lead:want 14 few/question -38
few/reads:choice 43 few/reads:complaint 5 few/reads:fact 29 few/reads:order -24 few/reads:ordered-complaint 46
few/reads:setting 10 few/reads:step 7 few/reads:tech 9 few/reads:tech-order 4 few/share-han:0 -46
few/share-han:1 27 few/share-han:2 26 few/share-han:3 8 few/share:0 33 few/share:2 -53 few/share:3 8
few/share:4 26 few/specific-han:0 -45 few/specific-han:1 12 few/specific-han:10 21 few/specific-han:2 -20
few/specific-han:3 -20 few/specific-han:4 14 few/specific-han:5 46 few/specific-han:7 9 few/specific:0 -39
few/specific:1 6 few/specific:10 19 few/specific:3 -9 few/specific:4 25 few/specific:5 -8 few/specific:7 19
many/cue:ask -10 many/cue:please 8 many/directives:0 10 many/directives:1 -11 many/directives:2 -27
many/directives:3 -6 many/everyday-only -4 many/form:alter 5 many/form:always 26 many/form:ask 27
many/form:asked -9 many/form:build 25 many/form:condition -10 many/form:do-now 4 many/form:empty -3
many/form:ensure -7 many/form:first-person 24 many/form:fix -31 many/form:gerund -26 many/form:instead 12
many/form:keep 26 many/form:look 11 many/form:never -8 many/form:np -27 many/form:only 17 many/form:other -34
many/form:take-away 29 many/form:use -5 many/form:zh-ask -17 many/form:zh-it -26 many/form:zh-other -90
many/has:path 13 many/lead:alter 6 many/lead:always 11 many/lead:ask 34 many/lead:broken -3 many/lead:build 14
many/lead:but 5 many/lead:condition -14 many/lead:error -16 many/lead:fact -31 many/lead:fix -11 many/lead:i
16 many/lead:instead 12 many/lead:keep 26 many/lead:let-us 8 many/lead:must 17 many/lead:never 39
many/lead:note -8 many/lead:observe 33 many/lead:only 18 many/lead:permission 25 many/lead:process -19
many/lead:same 4 many/lead:sequence 10 many/lead:setting -6 many/lead:take-away 18 many/lead:test-word -3
many/lead:thanks 28 many/lead:use -26 many/lead:want 3 many/lead:you 19 many/question -7 many/reads:choice -42
many/reads:complaint -23 many/reads:fact 13 many/reads:listing -52 many/reads:order -7
many/reads:ordered-complaint -58 many/reads:step 9 many/reads:tech 22 many/reads:tech-order -36
many/share-han:0 -8 many/share-han:2 -36 many/share-han:3 -14 many/share:0 23 many/share:2 24 many/share:3 -11
many/share:4 -10 many/specific-han:0 -5 many/specific-han:1 -17 many/specific-han:10 -3 many/specific-han:2 17
many/specific-han:3 8 many/specific-han:4 -8 many/specific-han:5 -52 many/specific:0 -61 many/specific:1 14
many/specific:10 38 many/specific:2 -12 many/specific:3 5 many/specific:4 4 many/specific:5 3 many/specific:7
34 many/width:0 -29 many/width:1 9 many/width:3 -9 many/width:4 -3 many/width:6 -22 many/width:7 27
many/width:8 9
"""

TYPES = """
bias 138 -71 12 19 26 -123 bare-name -22 -5 28 -12 13 -2 cue:also -16 -17 3 14 14 1
cue:alter 16 28 -9 -20 -18 4 cue:always 24 -13 -32 -10 -6 36 cue:ask -2 0 -21 0 23 0 cue:broken -25 -9 -20 91
-29 -8 cue:build 33 6 -30 -18 0 9 cue:but -6 0 1 11 -1 -5 cue:choice -12 28 -9 -11 -13 15 cue:condition 2 1
-36 15 -32 49 cue:do-now 7 2 -7 -7 -9 14 cue:done -19 -25 4 0 31 8 cue:ensure 22 -3 -9 -14 -8 13 cue:error -30
-14 -28 103 -24 -7 cue:fact -51 14 -1 -14 56 -3 cue:fix 4 -2 -9 4 -8 10 cue:from-now-on -4 -6 3 2 7 -3
cue:instead 27 8 -9 -4 -17 -5 cue:keep 23 0 -6 -3 -11 -3 cue:language 12 -6 -3 -1 0 -2 cue:let-us -20 33 -2
-14 9 -6 cue:look 28 -25 12 -6 -22 12 cue:must 21 -4 -11 -2 -13 10 cue:need 32 -5 -8 0 -19 0 cue:never 47 -9
-10 -10 -17 0 cue:not -12 -20 -9 88 -31 -16 cue:observe -29 -12 -10 51 -3 4 cue:only 11 -2 3 -4 2 -11
cue:permission 15 4 -14 0 3 -6 cue:please 29 -11 -14 -12 5 3 cue:process -11 -20 5 -10 -21 57 cue:project -33
-8 4 -8 60 -14 cue:reason 16 -17 -18 2 -7 23 cue:same 2 2 -15 -14 12 12 cue:sequence -15 11 -3 -13 10 9
cue:setting -29 12 28 14 -31 5 cue:should 8 -13 -10 -18 36 -4 cue:style 34 -2 -18 18 -16 -16 cue:take-away 12
6 -8 -4 -2 -4 cue:test-word 8 -17 -7 -28 7 36 cue:thanks -16 -4 -7 23 1 3 cue:use -11 64 -25 -18 -1 -10
cue:vague 2 17 -15 -6 16 -14 cue:want 12 9 -15 -25 5 14 cut 47 8 -32 -14 8 -17 ends:colon -3 -2 2 7 -3 -1
ends:stop 18 18 -45 -21 -1 31 everyday-only 5 -14 18 -15 5 0 has-children -7 0 7 3 -1 -2 has:assign -16 -11 41
-4 -3 -7 has:code-name -4 -21 68 -7 -21 -14 has:dashed 4 -8 12 -11 10 -7 has:exception -15 -6 -8 27 4 -2
has:label -2 -12 27 18 -29 -3 has:number -10 0 37 -20 8 -16 has:path -23 -19 69 12 -20 -20 has:proper 0 31 -17
19 -18 -16 has:quoted 3 19 -24 23 -14 -7 has:tech -57 25 41 0 6 -16 has:unit 8 7 0 -6 -7 -2 has:url -21 -1 29
0 -5 -2 has:version 19 -3 -5 -1 -5 -5 kind:item 20 -3 -13 -15 9 3 kind:prose -12 6 -3 20 -4 -6 kind:setting
-10 -2 19 -3 -3 -1 listy 7 11 17 -33 -28 25 numbered 25 20 -31 7 -18 -3 pair -7 13 25 -1 -17 -12 question -6 2
9 -13 4 3 run 21 -3 -18 -20 14 5 very-many 19 -6 21 -50 4 13
"""
"""For each type in the order of `MemoryType`."""
