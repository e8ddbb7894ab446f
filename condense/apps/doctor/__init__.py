"""`holdfast doctor`: what is on, found, broken, and how to mend it. An edge that needs no extra."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.doctor.examining import examine
    from condense.apps.doctor.findings import Finding, State
    from condense.apps.doctor.telling import as_json, as_text, doctor, run_plainly
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "examining": "examine",
            "findings": "Finding State",
            "telling": "as_json as_text doctor run_plainly",
        },
    )
