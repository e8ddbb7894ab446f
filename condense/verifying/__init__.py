"""Check a summary against its source and repair it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.verifying.facts import Fact
    from condense.verifying.findings import Finding
    from condense.verifying.rejecting import reject_reason
    from condense.verifying.verifying import Verification, is_retained, mend, verify
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "facts": "Fact",
            "findings": "Finding",
            "rejecting": "reject_reason",
            "verifying": "Verification is_retained mend verify",
        },
    )
