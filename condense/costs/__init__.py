"""Usage, prices, and the arithmetic of prompt caching."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.costs.prices import PRICES_AS_OF, price_of
    from condense.costs.usage import (
        CacheRates,
        Usage,
        compaction_saves,
        cost_of,
        expected_remaining_calls,
        read_usage,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "prices": "PRICES_AS_OF price_of",
            "usage": "CacheRates Usage compaction_saves cost_of expected_remaining_calls read_usage",
        },
    )
