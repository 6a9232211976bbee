"""Luck and review as pages show them: what is kept by now, and what is still to be computed, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.stats import accountant, accounts
from ledger.stats.deals import WHY
from ledger.stats.reviews import kept_review

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.ledger import Ledger


@dataclass(frozen=True, slots=True)
class PlayerLuck:
    """What luck did to a player in a game, and what was given up; None where nothing is computed yet."""

    adjusted: Mapping[str, Any] | None
    review: Mapping[str, Any] | None
    told: str
    notes: list[str]
    pending: int
    reviews_pending: int


def player_luck(ledger: Ledger, player: str, game: str) -> PlayerLuck:
    """Return luck and review of a player in a game, as far as they are kept."""
    account = accountant.luck(ledger, game)
    if account is None:
        return PlayerLuck(None, None, "This is being put together: look again in a moment.", [], 0, 0)
    adjusted = next((one for one in account["players"] if one["player"] == player), None)
    review = next((one for one in account["reviews"] if one["player"] == player), None)
    return PlayerLuck(
        adjusted, review, told(account), account["notes"], account["pending"] or account["reviews_pending"],
        account["reviews_pending"],
    )  # fmt: skip


def told(account: Mapping[str, Any]) -> str:
    """Say what an account rests on, and what it leaves out."""
    left_out = [f"{number} {WHY[why]}" for why, number in account["left_out"].items()]
    basis = account["basis"]
    return (
        f"Computed from {account['hands']:,} hands played out, events up to number {basis['position']:,} of the ledger, under"
        f" {', '.join(basis['rules'])}, {basis['bots']} and {basis['review']}. To be computed: the luck of"
        f" {account['pending']:,} hands, the review of {account['reviews_pending']:,}."
        f" Left out: {', '.join(left_out) or 'none'}."
    )


def reviewed_hand(ledger: Ledger, match: str, number: int) -> dict[str, Any] | None:
    """Return what is kept of the review of a hand with its outcome; None for a hand that cannot be reviewed."""
    with accountant.caught_up(ledger) as kept:
        for hand in kept.hands("match = ? AND hand = ? AND why IS NULL", (match, number)):
            return accounts.of_hand(kept_review(hand, kept))
    return None
