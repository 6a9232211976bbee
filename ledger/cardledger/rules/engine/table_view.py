"""The table view: the table and its choices, with the game's facts."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases.play import TrickPlay


def state(match: Match[Any]) -> dict[str, Any]:
    """Return the table and its choices, ready for JSON."""
    hand = None if match.hand.over else match.hand
    return {
        "seq": match.seq,
        "status": match.status,
        "phase": match.hand.moment,
        "turn": match.hand.turn,
        "hand": hand.number if hand else None,
        "dealer": hand.dealer if hand else None,
        "totals": match.totals,
        "winners": match.winners,
        **(sight(match, hand) if hand else {}),
        "choices": msgspec.to_builtins(match.choices()),
    }


def sight(match: Match[Any], hand: Any) -> dict[str, Any]:
    """Return the table in the hand under way."""
    faces = match.pack.faces
    shown: dict[str, Any] = {"hands": None if match.hidden else [match.pack.list(cards) for cards in hand.held]}
    if any(isinstance(phase, TrickPlay) for phase in match.game.phases):
        seats = hand.seats[: len(hand.trick)]
        cards = [faces[card] for card in hand.trick]
        trick = {"leader": hand.leader, "seats": list(seats), "cards": cards} if hand.trick else None
        if len(hand.rotation[0]) < match.n:
            shown["playing"] = list(hand.rotation[0])
        shown |= {"trick": trick, "tricks_taken": hand.taken, "tricks_left": hand.tricks_left}
    values = facts(match, hand, "table")
    declared = [
        {"key": fact.key, "title": fact.title, "per": fact.per, "kind": fact.kind}
        for fact in match.game.shown.facts
        if fact.key in values and values[fact.key] not in (None, [])
    ]
    return shown | values | {"facts": declared}


def facts(match: Match[Any], hand: Any, where: Literal["result", "table"]) -> dict[str, Any]:
    """Return the game's own facts about a hand."""
    return {
        fact.key: fact.of(match, hand)
        for fact in match.game.shown.facts
        if not fact.per.startswith("match") and fact.shown(match, where)
    }
