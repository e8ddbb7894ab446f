"""The summary that needs no model: requests, rules, state, outline, excerpts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.ledger.document import (
        CRITICAL_MARK,
        EXCERPT_SECTIONS,
        LINE_SECTIONS,
        Excerpt,
        Ledger,
        ledger_at,
        read_ledger,
    )
    from condense.ledger.filling import critical_rules, fill_ledger
    from condense.ledger.history import Carried, History, brief_at, carried_over, digest_chain
    from condense.ledger.readings import Filled, Filling, HistoryReading, Tail, choose_tail, widen_tail
    from condense.ledger.state_lines import within
    from condense.ledger.units import Unit, UnitKind
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "document": "CRITICAL_MARK EXCERPT_SECTIONS Excerpt LINE_SECTIONS Ledger ledger_at read_ledger",
            "filling": "critical_rules fill_ledger",
            "history": "Carried History brief_at carried_over digest_chain",
            "readings": "Filled Filling HistoryReading Tail choose_tail widen_tail",
            "state_lines": "within",
            "units": "Unit UnitKind",
        },
    )
