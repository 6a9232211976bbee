"""A game with events of its own: bids are explained by an `alert`, plays are discussed in a `comment`.

Tests install it as a package would. `Rumour` says nothing of itself, so all of it is hidden with the hand.
"""

from dataclasses import replace
from typing import Any

from cardledger.rules import BidHand, Bids, Event, Game, Rule, Rulebook, Take, TrickPlay, left_of_dealer
from tests.plugin.events import Alert, Comment, Rumour
from tests.plugin.high_card import GAME as HIGH_CARD
from tests.plugin.high_card import taker


class ExplainedBids(Bids):
    """Bids that may be explained until the next one."""

    def takes(self) -> dict[type[Event], Take]:
        """Bids and alerts."""
        return {**super().takes(), Alert: self.explain}

    def explain(self, match: Any, hand: BidHand, event: Alert) -> None:
        """Apply an alert."""
        if hand.bids[event.bidder] < 0:
            match.refuse("bid.alert", f"{match.who(event.bidder)} has not bid yet", event.seat)
        match.cite("bid.alert", f"{match.who(event.bidder)} has bid", "allowed")


BOOK = Rulebook(
    "high-card-talk",
    1,
    "Made up for a test",
    (
        *HIGH_CARD.book,
        Rule("bid.order", "Everybody bids once, in turn."),
        Rule("bid.range", "A bid is 0 or 1."),
        Rule("bid.alert", "A bid may be explained once it is made."),
    ),
)
GAME: Game[Any] = replace(
    HIGH_CARD,
    id="high-card-talk",
    title="High Card with Talk",
    book=BOOK,
    hand=BidHand,
    phases=(
        HIGH_CARD.phases[0],
        ExplainedBids(lambda hand: 1, order_rule="bid.order", range_rule="bid.range"),
        TrickPlay(first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", next_rule="lead.taker", taker=taker),
    ),
    events=(Alert, Comment, Rumour),
)
