"""The table of doubts: one row for each hand with impossible points from a score sheet."""

import json
from collections.abc import Iterator

from cardledger.record.readmodels.columns import HAND, MATCH, SEQ, here
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine.score_sheet import doubts
from cardledger.sentence import as_data


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the doubtful hands of a match."""
    for doubtful in doubts(match.stream.table):
        if doubtful.hand >= since:
            yield match.id, doubtful.hand, doubtful.seq, str(doubtful.why), json.dumps(as_data(doubtful.why))


DOUBTS = ReadModel(
    "doubts",
    "Every hand with impossible points from a score sheet; they count as written.",
    {
        "match": MATCH,
        "hand": HAND,
        "seq": here(SEQ, "the one that gave the points"),
        "why": ("TEXT NOT NULL", "why they are impossible"),
        "sentence": ("TEXT NOT NULL", "the template and the values of that, as JSON: pages say it in other languages"),
    },
    ("match", "hand"),
    rows,
)
