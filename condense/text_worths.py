"""What likely repeated text is worth beside needed names, when lines are chosen."""

from __future__ import annotations

TEXT_WEIGHT = 0.0254
"""What a repeated token of text is worth beside a needed name (.022 to .03 are alike in the sum of the four recalls
where an outline lists names: the less, the more names; the more, the more copied text)."""
ROOMY = (6000, 12_000)
"""Tokens between which the weight of text falls: with that much room no outline lists names."""
ROOMY_WEIGHT = 0.9
"""What it is multiplied with beyond them (.8 to .95 are alike at 16,000 tokens; measured)."""
JOIN = 8.0
"""Tokens a line between two kept ones gains: runs of words go on across both its ends (measured)."""
ALONE = 7.0
"""Tokens that a line standing alone loses: runs of eight words that end in its neighbours (from the definition)."""
ALONE_SHARE = 1.0
"""Share of a short line that counts even when it stands alone (chosen)."""


def text_worth(budget: int) -> float:
    """What a token of text is worth beside a name, where the lines may take so many tokens."""
    low, high = ROOMY
    return TEXT_WEIGHT * (1 + (ROOMY_WEIGHT - 1) * min(1.0, max(0.0, (budget - low) / (high - low))))
