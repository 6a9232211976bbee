"""What if in Python: the hands that another edition judges otherwise, as Arrow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cardledger.crew import Alone
from cardledger.record.readmodels.arrow_tables import about, table_of
from cardledger.record.readmodels.columns import HAND, MATCH
from cardledger.record.readmodels.model import DerivedTable
from cardledger.study.analyse.sources import of_ledger
from cardledger.study.analyse.what_if import game_of, judge_share, what_if

if TYPE_CHECKING:
    import pyarrow

    from cardledger.record.recording.ledger import Ledger

OTHERWISE = DerivedTable(
    "otherwise",
    "Every hand that another edition judges otherwise; see the command what-if.",
    {
        "match": MATCH,
        "hand": HAND,
        "seq": ("INTEGER NOT NULL", "number of the first event that is judged otherwise"),
        "trick": ("INTEGER NOT NULL", "number of its trick in the hand, from 1; 0 in no trick"),
        "stops": ("BOOLEAN NOT NULL", "whether the cards could not have been played on in this order"),
        "scores": ("TEXT NOT NULL", "JSON list of points by seat, the hand judged alone"),
        "other": ("TEXT", "JSON list of points by seat under the other edition; null if the hand stops"),
    },
    ("match", "hand"),
)


def otherwise(ledger: Ledger, rules: str, game: str | None) -> pyarrow.Table:
    """Return the hands that an edition judges otherwise, with the numbers of all hands in the metadata."""
    chosen = game or game_of(rules)
    source = of_ledger(ledger.at, chosen)
    found = what_if(source, Alone(judge_share), chosen, rules)
    rows = (
        (
            one.match,
            one.hand,
            one.seq,
            one.trick,
            one.stops,
            json.dumps(one.scores),
            one.other and json.dumps(one.other),
        )
        for one in found.otherwise
    )
    numbers = {name: value for name, value in found.as_data().items() if name != "otherwise"}
    facts = json.loads(about(OTHERWISE, source.position)["cardledger"]) | {"rules": rules} | numbers
    return table_of(OTHERWISE, rows).replace_schema_metadata({"cardledger": json.dumps(facts)})
