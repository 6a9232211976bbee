"""The costliest decisions of a player: clear mistakes, each in a sentence."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.decision_words import sentences
from cardledger.study.stats.review.habits import COSTLIEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.review.habits import Decided


def costliest(ledger: Ledger, decided: Iterable[Decided]) -> list[dict[str, Any]]:
    """Return the costliest of some decisions whose cost is beyond doubt, the costliest first.

    - ledger: where they were recorded.
    - decided: the decisions, of any matches of one game.
    """
    people, found = ledger.people(), []
    clear = (one for one in decided if one.decision.bad)
    for one in sorted(clear, key=lambda one: (-one.decision.cost, one.match, one.decision.seq))[:COSTLIEST]:
        stream = ledger.stream(one.match)
        played = next((played for played in hands_of(stream) if played.hand.number == one.hand), None)
        if played is None:
            continue  # corrected since: it will be reviewed again
        names = [people.name(player) for player in people.seated(one.match, stream.table.players)]
        sentence = sentences(played, [one.decision], names)[one.decision.seq]
        found.append({"match": one.match, "hand": one.hand, **asdict(one.decision), "bad": True, "sentence": sentence})
    return found
