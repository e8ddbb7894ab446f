"""The weights of `memory.conversation.tokens.estimating`, and the pairs of Chinese characters that are one token.

Fitted, not chosen: `run:` counts a run of byte classes, `text:` a literal, `other:` a run of classes in text beyond
ASCII, `after blank n` words of n small letters behind a blank, `elsewhere n` other such words, `more` the letters
beyond the longest length. The pairs are tokens of `o200k_base` in the Chinese translations of GNU programs.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

LONGEST_WORD: Final = 16
"""Lengths of words are told apart up to here."""

WEIGHTS: Final = {
    "run:Aa": 0.912, "run:AA": 0.428, "run:0": 1.433, "run:00": -1.549, "run:000": -1.513, "run:0000": 1.089,
    "run:0a": 0.804, "run:0A": 1.799, "run:p": 0.456, "run:p ": 0.676, "run:q": 0.712, "run:_a": 0.358,
    "run:_A": 0.931, "run:/": 0.256, "run:/a": 0.320, "run:/A": 1.088, "run:.": 0.399, "run:-": 0.908,
    "run:--": -0.980, "run:--------": -3.290, "run:n": 0.716, "run:nn": -0.458, "run:  ": 0.675,
    "run:    ": -0.713, "run:        ": -1.145, "run: n": -1.009, "run:pn": -0.453, "run:x": 2.000,
    "run:'": 0.744, "run:'a": -1.035, "run:. ": 0.409, "run: 0": 0.870, "run: A": 0.390, "run:t": 0.386,
    "run:tt": 0.800, "run:r": 0.000, "run:na": -0.268, "run:nA": 0.382, 'text:":': -0.891, 'text:": ': 0.471,
    'text:",\n': -0.754, 'text:{"': -1.108, 'text:\\"': -0.123, "text:...": -0.972, "text: |": -0.128,
    "text: =": 0.488, 'text:="': -2.094, "text:.\n": 0.093, "text:`": 0.135, "text:──": -2.595,
    "text:━━": -2.749, "text:\x1b[": -0.390, "other:l": 1.007, "other:g": 0.315, "other:gcg": 0.047,
    "other:gcgcgc": 0.240, "other: g": 0.129, "other:k": 0.512, "other:kck": 0.173, "other:kckck": -1.057,
    "other:kckckckc": 0.348, "other: k": -0.407, "other:h": 1.044, "other:hch": -0.943, "other: h": -0.599,
    "other:b": 1.132, "other:bcb": -1.200, "other:bcbcbc": -0.251, "other: b": -0.821, "other:o": 0.500,
    "other:i": 0.423, "other:ici": 0.000, "other:v": 0.400, "other:s": 0.901, "other:sccscc": 1.200,
    "other:j": 0.819, "other:jccjcc": -0.475, "other:w": 0.717, "other:wccwcc": -0.164, "other: w": 0.344,
    "other:f": 0.684, "other:e": 1.000, "other: l": -2.494, "other:lcl": -1.057, "after blank 1": 1.012,
    "after blank 2": 1.012, "after blank 3": 1.012, "after blank 4": 1.012, "after blank 5": 1.012,
    "after blank 6": 1.051, "after blank 7": 1.051, "after blank 8": 1.051, "after blank 9": 1.060,
    "after blank 10": 1.060, "after blank 11": 1.060, "after blank 12": 1.060, "after blank 13": 1.060,
    "after blank 14": 1.060, "after blank 15": 1.660, "after blank 16": 2.149, "after blank more": 0.600,
    "elsewhere 1": 0.811, "elsewhere 2": 0.811, "elsewhere 3": 0.994, "elsewhere 4": 0.994,
    "elsewhere 5": 1.092, "elsewhere 6": 1.096, "elsewhere 7": 1.159, "elsewhere 8": 1.186,
    "elsewhere 9": 1.187, "elsewhere 10": 1.187, "elsewhere 11": 1.787, "elsewhere 12": 1.950,
    "elsewhere 13": 1.950, "elsewhere 14": 2.550, "elsewhere 15": 3.150, "elsewhere 16": 3.750,
    "elsewhere more": 0.600, "chinese characters": 1.067, "chinese runs": 0.294, "chinese pairs": -1.038,
    "chinese joints": -0.571,
}  # fmt: skip
"""Tokens per count."""

CHINESE_PAIRS: Final = files("memory.conversation.tokens").joinpath("chinese_pairs.txt").read_text("utf-8")
"""Two characters each, without separators."""
