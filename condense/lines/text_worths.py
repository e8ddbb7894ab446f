"""What likely repeated text is worth beside needed names, when lines are chosen."""

from __future__ import annotations

from condense.reading import by_size

TEXT_WEIGHTS = ((1500, 0.07), (2500, 0.034), (6000, 0.03), (12_000, 0.055))
"""What a repeated token of text is worth beside a needed name, by the tokens that the lines may take. More gives more
copied text and, but in small rooms, fewer names: at 3,000, where the outline has most names, twice as much as at 4,000
gives .024 more copied text at the same names (measured at targets of 3,000 to 32,000)."""
JOIN = 8.0
"""Tokens a line between two kept ones gains: runs of words go on across both its ends (measured)."""
ALONE = 7.0
"""Tokens that a line standing alone loses: runs of eight words that end in its neighbours (from the definition)."""
ALONE_SHARE = 1.0
"""Share of a short line that counts even when it stands alone (chosen)."""


def text_worth(budget: int) -> float:
    """What a token of text is worth beside a name, where the lines may take so many tokens."""
    return by_size(TEXT_WEIGHTS, budget)
