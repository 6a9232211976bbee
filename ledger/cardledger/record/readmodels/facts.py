"""The facts that a game declares, as JSON texts in columns: of a hand, and of each seat in it."""

from __future__ import annotations

from typing import Any

import msgspec

from cardledger.rules.engine.match import Match
from cardledger.rules.engine.state import Hand

_encode = msgspec.json.Encoder(order="sorted").encode


def facts_of_hand(match: Match[Any], hand: Hand) -> str:
    """Return the game's facts about a whole hand, such as trump or the closer."""
    facts = {
        fact.key: fact.of(match, hand)
        for fact in match.game.shown.facts
        if _in_result(match, fact) and fact.per == "hand"
    }
    return _encode(facts).decode()


def facts_by_seat(match: Match[Any], hand: Hand) -> list[str]:
    """Return the game's facts about each seat of a hand, such as bids or bags."""
    facts = {
        fact.key: fact.of(match, hand)
        for fact in match.game.shown.facts
        if _in_result(match, fact) and fact.per == "seat"
    }
    return [
        _encode({key: None if values is None else values[seat] for key, values in facts.items()}).decode()
        for seat in range(match.n)
    ]


def _in_result(match: Match[Any], fact: Any) -> bool:
    shown: bool = fact.shown(match, "result")
    return shown
