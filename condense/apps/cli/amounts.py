"""Token amounts as people write them: 16000, 16k, 0.5m, 25%, 0.25."""

from __future__ import annotations

import re
from dataclasses import dataclass

from condense.apps.cli.refusals import Refusal

_AMOUNT = re.compile(r"(\d{1,12}(?:[._,]\d{1,9}){0,4})\s?([km%]?)", re.ASCII | re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(?:[_,]\d{3})+|\d+", re.ASCII)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
_LIKE = "write a number of tokens such as 16000 or 16k, or a share of the session such as 0.2 or 20%"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of tokens, or a share of what there is.

    Attributes:
        tokens: 1 or more, None where a share is meant.
        share: above 0 and below 1, None where tokens are meant.
    """

    tokens: int | None = None
    share: float | None = None

    def of(self, total: int) -> int:
        """Return it in tokens, at least 1, given the whole."""
        return self.tokens if self.tokens is not None else max(1, int(total * (self.share or 0.0)))


def read_amount(text: str) -> Amount:
    """Read an amount; 1k is 1000 tokens, a bare number below 1 or a percentage is a share.

    Raises:
        Refusal: it is none, or zero.
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise Refusal(f"{text!r} is not a number of tokens; {_LIKE}")
    digits, unit = found[1], found[2].lower()
    plain = digits.replace("_", "").replace(",", "") if _GROUPED.fullmatch(digits) else digits
    try:
        value = float(plain) * _UNITS.get(unit, 1)
    except ValueError:
        raise Refusal(f"{text!r} is not a number of tokens; {_LIKE}") from None
    if unit == "%":
        value /= 100
    if unit == "%" or (unit == "" and "." in digits and 0 < value < 1):
        if 0 < value < 1:
            return Amount(share=value)
        raise Refusal(f"{text!r} is not a share of a session; it must be above 0 % and below 100 %")
    if value < 1 or value != int(value):
        raise Refusal(f"{text!r} is not a whole number of tokens above 0; {_LIKE}")
    return Amount(tokens=int(value))
