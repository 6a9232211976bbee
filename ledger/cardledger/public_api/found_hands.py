"""Every hand in which … in Python: the rows of hands that fit the filters of `cardledger hands`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError
from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.record.readmodels.questions.hand_list import FILTERS, list_hands
from cardledger.sentence import Sentence, choosing
from cardledger.study.stats.measures.hand_counts import situations_wanted

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow

    from cardledger.record.recording.ledger import Ledger

_ALL = 2**62
"""More than there are hands."""


def fitting(ledger: Ledger, hands: pyarrow.Table, where: str | None, filters: Mapping[str, Any]) -> pyarrow.Table:
    """Return the rows of a table of hands that fit filters, and situations or counts written as NAME:VALUE.

    Raises FormatError `format.key`, `format.value`, StoreError `store.unknown`.
    """
    for name in filters:
        if name not in FILTERS:
            raise FormatError(
                "format.key", choosing(Sentence("hands have no filter {name!r}", name=name), name, ("where", *FILTERS))
            )
    wanted = situations_wanted(where, filters.get("game"))
    found = {(hand["match"], hand["hand"]) for hand in list_hands(ledger, _ALL, where=wanted, **filters).hands}
    keys = zip(*(hands.column(name).to_pylist() for name in ("match", "hand")), strict=True)
    return hands.filter(arrow().array([key in found for key in keys], "bool"))
