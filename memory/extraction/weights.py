"""Weights of evidence, in hundredths of a logit: for a clause being worth keeping, and for each type.

Origin: logistic regressions with a ridge penalty on 4069 clauses of 1079 typed messages, marked by hand (1693 worth
keeping), checked by leaving out some people's messages at a time. Not all of these messages are at hand any more;
families of evidence that cost nothing on those that are were taken out since, with nothing fitted anew. `python -m
benchmarks.fit extraction --write` writes this file anew, in this form, from the labels that it is given.
"""

from __future__ import annotations

THRESHOLDS = {"few": 0.64, "mid": 0.45, "many": 0.4}

STRENGTH = """
bias 7 afterwards 40 alone -35 answering 21 bare-name -70 boilerplate -89 bold-only -102
closing 14 cue:also 16 cue:alter -6 cue:always -32 cue:ask -36 cue:broken 37 cue:build 12 cue:but 20
cue:choice 37 cue:condition 12 cue:do-now -3 cue:done 10 cue:ensure -11 cue:error 25 cue:fact 35 cue:fix -27
cue:from-now-on 4 cue:instead 44 cue:keep 63 cue:language 44 cue:look -32 cue:must -49 cue:need -30 cue:never
41 cue:not 68 cue:note -42 cue:observe 5 cue:only 60 cue:permission 9 cue:please -24 cue:process 3 cue:project
42 cue:reason 42 cue:same 16 cue:sequence -4 cue:setting 12 cue:should 20 cue:style 45 cue:take-away 22
cue:test-word -15 cue:thanks 9 cue:vague -13 cut 27 details:0 -20 details:1 -16 details:2 -3 details:3 28
details:4 13 directives:0 -26 directives:1 3 directives:2 16 directives:3 10 ends:bang -36 ends:colon -59
ends:stop 15 everyday-only -59 first -22 form:alter 3 form:always 31 form:ask -29 form:asked -49 form:build
-14 form:do-now -10 form:empty -19 form:ensure -6 form:fix -9 form:gerund -33 form:instead 25 form:ja-ask 38
form:ja-other -6 form:keep 34 form:look -11 form:never -12 form:np 16 form:number -24 form:only 18 form:other
5 form:past -23 form:take-away 6 form:use 15 form:zh-ask -27 form:zh-i -9 form:zh-it -26 form:zh-other 5
has-children -68 has:assign 39 has:capitals 37 has:code-name 6 has:dashed -41 has:exception 27 has:label 53
has:number 8 has:path 46 has:proper 7 has:quoted -13 has:tech 17 has:unit -33 has:url 37 has:version -18
headed 4 indented -56 kind:heading -39 kind:item 40 kind:prose -7 kind:quote -40 kind:setting 48 later 7
lead:alter 25 lead:always 31 lead:ask -20 lead:broken 10 lead:build 18 lead:but -8 lead:choice -4
lead:condition -7 lead:done -5 lead:ensure 9 lead:error -14 lead:fact -35 lead:fix -6 lead:i 16 lead:instead
19 lead:it -12 lead:keep 39 lead:let-us 14 lead:look -17 lead:must 21 lead:need 30 lead:never 46 lead:not 10
lead:note -46 lead:observe -28 lead:only 12 lead:permission 44 lead:process -23 lead:project -4 lead:same -19
lead:sequence 6 lead:setting -3 lead:should -13 lead:style 13 lead:take-away 3 lead:test-word 19 lead:thanks
18 lead:use 6 lead:want 21 lead:you 34 listy 85 long-run 25 numbered -12 opening -22 question -94 reads:choice
13 reads:complaint 12 reads:fact -6 reads:listing -46 reads:order 12 reads:ordered-complaint -10 reads:step 35
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
"""What each name says for a clause; behind "few/" or "many/", what it says more in a message of that size."""

TYPES = """
bias 192 -70 -21 34 -3 -133 answering 13 25 6 -31 0 -12 cue:also -1 -6 -5 14 -3 2 cue:alter 14 9 13 -12 -24 0
cue:always 20 -16 -19 8 -8 15 cue:ask 0 7 -10 11 -1 -7 cue:broken -12 -11 -21 62 -12 -6 cue:build -6 1 -12 -11
15 13 cue:but -13 2 -1 19 -2 -5 cue:choice -9 17 -6 -4 -10 12 cue:condition -2 -7 -28 9 -10 38 cue:do-now -7 2
5 -8 1 7 cue:done -17 -15 5 -1 30 -2 cue:ensure 22 -4 -5 -9 -1 -3 cue:error -13 -8 -20 62 -14 -8 cue:fact -30
4 -10 8 38 -10 cue:fix 0 -1 -7 10 -5 4 cue:from-now-on -10 0 8 2 1 -2 cue:instead 5 18 2 -9 -12 -5 cue:keep 14
1 -6 0 -7 -3 cue:language 11 -9 -5 2 4 -3 cue:let-us -10 19 2 -7 0 -4 cue:look -1 -25 6 6 -1 15 cue:must 9 -4
-1 -3 -3 2 cue:need 13 -2 -5 -1 0 -5 cue:never 36 -8 -7 -8 -10 -4 cue:not -7 -11 -16 66 -20 -11 cue:observe
-29 -17 1 48 1 -3 cue:only 1 2 3 2 1 -8 cue:permission 12 7 -17 1 4 -8 cue:please 10 8 -3 -9 2 -8 cue:process
-19 -18 -8 -12 -7 63 cue:project 3 2 -8 -25 41 -13 cue:reason 3 -10 -10 4 -6 19 cue:same 10 4 2 0 -7 -9
cue:sequence 1 10 -5 -14 -2 9 cue:setting -21 -11 52 -4 -20 4 cue:should 16 -11 -1 -5 1 -1 cue:style 28 -14
-24 28 -8 -11 cue:take-away 18 4 -10 -6 -2 -4 cue:test-word 5 -13 -9 -16 17 17 cue:thanks 2 -4 2 13 -8 -4
cue:use -37 46 7 -16 -4 5 cue:vague 13 8 -1 -3 -12 -5 cue:want 13 8 -3 -15 -4 0 details:0 -17 -5 33 -16 -14 20
details:1 13 -13 -8 6 -4 5 details:2 -8 17 -9 4 13 -16 details:3 0 5 -15 1 14 -7 details:4 12 -4 -1 6 -10 -3
directives:0 -31 -15 8 28 18 -8 directives:1 -21 -4 21 -3 0 7 directives:2 24 3 -23 -8 -1 5 directives:3 29 16
-6 -17 -16 -5 form:alter 3 11 5 -9 -7 -3 form:always -1 -3 -5 -2 -3 14 form:asked 3 16 1 -11 -6 -3 form:build
20 8 4 -15 -8 -10 form:condition -1 0 -6 4 -6 10 form:do-now -3 -5 15 -5 -6 3 form:ensure 15 -5 -3 -3 -4 -1
form:first-person -13 1 -6 -8 31 -5 form:fix 9 -3 -2 0 -3 -1 form:gerund -6 2 -4 12 -3 -1 form:instead -1 9 -3
-2 -2 -1 form:ja-ask 10 2 1 -3 -6 -3 form:ja-other -5 8 -3 -2 0 2 form:keep 17 -4 -4 -4 -4 -2 form:look 9 -9
-3 6 -6 3 form:np -31 -16 4 32 23 -12 form:number -9 1 -4 -2 12 2 form:only -5 -2 7 5 -3 -1 form:other -6 -7 7
-3 17 -7 form:past -3 2 -1 -3 6 -1 form:take-away 7 0 -3 -4 2 -1 form:use -14 14 -5 -3 -1 10 form:zh-ask 10 -1
-1 -6 -7 5 form:zh-i -2 -2 -2 -4 11 -1 form:zh-it 3 -3 -5 6 2 -2 form:zh-other -8 -8 9 10 -6 3 has:assign -18
-10 34 7 -8 -5 has:capitals 19 -4 -3 -8 -2 -2 has:code-name 8 -18 42 -7 -20 -6 has:dashed 3 -11 -10 -2 24 -4
has:exception -10 -4 -6 25 -4 -1 has:label 1 -9 30 12 -20 -12 has:number -37 6 32 -3 14 -12 has:path -18 -9 47
-5 -4 -11 has:proper -20 40 -8 3 5 -20 has:quoted -3 9 -8 21 -11 -8 has:tech -28 38 12 -12 3 -12 has:unit 4 5
7 -6 -8 -2 has:url -19 1 19 11 -11 -2 has:version -7 8 -12 9 4 -3 kind:item 21 12 -17 -8 -5 -2 kind:prose -10
-7 -2 15 4 1 kind:setting -8 -2 16 -3 -3 -1 lead:alter 7 8 2 -8 -7 -3 lead:always -7 1 1 -3 -5 13 lead:ask -4
-1 -4 0 9 -1 lead:broken 5 -1 -3 2 -2 0 lead:build 28 1 3 -12 -12 -7 lead:condition -1 1 -6 5 -9 10
lead:do-now -6 -4 17 -5 -5 3 lead:ensure 16 -5 -3 -3 -4 -1 lead:fix 2 -3 -1 5 -2 -1 lead:i -20 4 -3 -6 29 -4
lead:instead 0 9 -3 -3 -3 -1 lead:it -1 -4 2 1 6 -4 lead:keep 17 -4 -4 -4 -4 -2 lead:let-us -7 12 3 -4 -3 -1
lead:look 6 -8 -1 6 -4 1 lead:never 15 -3 -4 -2 -3 -2 lead:not 13 -2 -4 -1 -5 -1 lead:observe -14 -4 1 8 10 -2
lead:only -5 -2 7 5 -3 -1 lead:permission 0 8 -2 -3 0 -1 lead:please 2 10 -1 -6 -3 -2 lead:project -7 1 -4 -4
15 -1 lead:setting -5 -3 7 5 -2 -1 lead:take-away 5 1 -3 -4 2 -1 lead:test-word -2 -2 -5 -4 12 1 lead:thanks 5
-2 -1 1 0 -2 lead:use -13 17 -5 -3 -6 10 lead:vague -2 -5 2 6 3 -4 lead:want 1 8 0 -3 -5 -2 lead:you 8 -2 -5 2
-1 -1 listy -14 11 17 -26 -6 18 long-run 53 5 -23 -18 -3 -14 reads:choice -9 15 -5 -4 4 -1 reads:complaint -28
-6 -15 67 -13 -5 reads:fact -9 0 4 -8 20 -7 reads:listing 11 -6 -2 -2 0 -1 reads:order 24 18 -33 -36 -3 30
reads:ordered-complaint -17 -10 -12 47 0 -7 reads:setting -7 -5 30 -6 -4 -9 reads:step -15 -7 -5 -8 -3 37
reads:tech -21 20 18 -13 1 -5 reads:tech-order 1 3 -1 5 -2 -6 specific-han:0 0 0 0 -3 -2 5 specific-han:1 -4
-6 13 -9 5 1 specific-han:10 -5 20 -4 -3 -5 -2 specific-han:2 -9 5 7 4 -8 1 specific-han:3 0 -1 2 -3 -4 6
specific-han:4 13 -6 -5 5 -2 -5 specific-han:5 10 1 -11 6 2 -7 specific-han:7 1 0 -8 -3 9 0 specific:0 -5 -1 3
-5 6 1 specific:1 6 -7 22 -7 -11 -4 specific:10 -2 0 -2 7 -5 2 specific:2 -19 -1 9 -1 12 1 specific:3 -21 4 8
16 -9 1 specific:4 4 6 -3 -5 -10 8 specific:5 20 -10 2 -8 11 -15 specific:7 9 -3 -33 8 12 6 width:0 -2 5 8 -4
-5 -2 width:1 5 14 11 -12 -10 -8 width:2 -12 0 -4 3 1 12 width:3 11 0 -1 -9 -4 3 width:4 0 -23 1 20 5 -3
width:5 -2 -8 2 -4 3 9 width:6 5 -2 -7 6 6 -7 width:7 -3 20 -5 -11 3 -3 width:8 3 -5 -2 6 -1 -1
"""
"""What each name says for each type, in the order of `MemoryType`."""
