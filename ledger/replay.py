"""Replays: the result of a match as other programs read it, and its state in words."""

from __future__ import annotations

from typing import Any

from ledger.table import Hand, Table


def result(table: Table) -> dict[str, Any]:
    """Return the replay result of a match, ready for JSON (format: README, "Replay result")."""
    return {
        "game": table.game.id,
        "players": list(table.players),
        "options": table.options,
        "status": table.status,
        "hands": [hand_result(table, hand) for hand in table.hands],
        "totals": table.totals,
        "winners": table.winners,
        "violations": [
            {"seq": found.seq, "seat": found.seat, "rule": found.rule, "legal": list(found.legal)}
            for found in table.violations
        ],
    }


def hand_result(table: Table, hand: Hand) -> dict[str, Any]:
    """Return one hand of the replay result."""
    faces = table.pack.faces
    shown: dict[str, Any] = {
        "number": hand.number,
        "dealer": hand.dealer,
        "complete": hand.scores is not None,
        "tricks": [
            {"leader": leader, "cards": [faces[card] for card in cards], "taker": taker, "rule": rule}
            for leader, cards, taker, rule in hand.tricks
        ],
        "tricks_taken": hand.taken,
        "scores": hand.scores,
        **hand.extra,
    }
    if hand.claimed is not None:
        shown["claimed"] = hand.claimed
    if hand.agreed:
        shown["agreed"] = True
    return shown
