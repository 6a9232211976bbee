"""Oh Hell: every player bids exactly how many tricks to take, in hands that change size."""

from dataclasses import dataclass
from typing import Any, Final

from cardledger.errors import RuleError
from cardledger.rules import (
    BidHand,
    Bids,
    ByPlayers,
    Carried,
    Dealing,
    Duty,
    Fact,
    Game,
    Match,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Sentence,
    Shown,
    Study,
    TrickPlay,
    bids_made,
    card_turned_up,
    follow_suit,
    from_option,
    highest_of,
    left_of_dealer,
    plain_orders,
    resume_at,
    standard_pack,
    suit_letter,
)
from cardledger.rules.games.oh_hell.sizes import first_of_size, size, sizes

BOOK = Rulebook("oh-hell", 1, "Oh Hell, the common game", (
    Rule("deal.sizes", "Hands change size as agreed: down to one card and up again, up and down, one way only, or not at all."),
    Rule("trump.upcard", "The next card is turned up, and its suit is trump; this card and the cards left over are out of play."),
    Rule("bid.order", "Bidding goes round once from the dealer's left; a bid cannot be changed."),
    Rule("bid.range", "A bid is a whole number from 0 to the number of cards in hand."),
    Rule("bid.hook", "The dealer, who bids last, may not make the bids add up to the number of tricks.", ours=True),
    Rule("lead.left-of-dealer", "The first trick is led from the dealer's left, with any card."),
    Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
    Rule("trick.trump", "The highest trump takes the trick."),
    Rule("trick.led-suit", "In a trick without trumps, the highest card of the suit led takes it."),
    Rule("lead.taker", "The taker of a trick leads to the next."),
    Rule("score.made", "A player who takes exactly the tricks bid scores a bonus, and points for each trick."),
    Rule("score.missed", "With more or fewer tricks a player scores nothing, or points for each trick taken, or loses points for each trick off, as agreed."),
    Rule("deal.left", "The next hand is dealt by the player to the left."),
    Rule("match.sizes", "The match ends when all sizes have been played; most points win, and ties share.", ours=True),
    Rule("match.hands", "If a number of hands is agreed, the match ends after them; the sizes start over if there are more hands than sizes."),
))  # fmt: skip
TRUMP, LED_SUIT, UPCARD, HOOK, SIZES, HANDS = BOOK.cite(
    "trick.trump", "trick.led-suit", "trump.upcard", "bid.hook", "match.sizes", "match.hands"
)
PACK: Final = standard_pack()
SUITS: Final = PACK.suit_masks


@dataclass
class OhHellHand(BidHand):
    """Adds whether the bids of a hand may not add up to its tricks, and the options for the points.

    `scoring` is 0 for `exact`, 1 for `each`, 2 for `penalty`.
    """

    hook: bool = from_option(False)
    scoring: int = from_option()
    points_per_trick: int = from_option()
    bonus: int = from_option()


def name_trump(match: Match[Any], hand: OhHellHand) -> None:
    """The card turned up names trump."""
    hand.order = max(0, hand.upcard) // 13
    if hand.upcard >= 0:
        match.cite(UPCARD, Sentence("{card} is turned up: its suit is trump", card=PACK.faces[hand.upcard]))


def all_tricks(hand: OhHellHand) -> int:
    """The highest bid."""
    return hand.each


def hooked(hand: OhHellHand, seat: int) -> bool:
    """The dealer, if so agreed."""
    return hand.hook and seat == hand.dealer


def adds_up(hand: OhHellHand, seat: int, amount: int) -> bool:
    """The dealer may not make the bids add up to the number of tricks."""
    total = amount
    for bid in hand.bids:
        total += max(bid, 0)
    return hooked(hand, seat) and total == hand.each


def taker(hand: OhHellHand, trick: list[int]) -> tuple[int, str]:
    """The highest trump, or the highest card of the suit led."""
    trumps = hand.laid & SUITS[hand.order]
    if trumps:
        return highest_of(trumps, trick), TRUMP
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def points(hand: OhHellHand, seat: int) -> int:
    """A bonus and the tricks for an exact bid; otherwise nothing, the tricks, or a loss for each trick off."""
    bid, taken = hand.bids[seat], hand.taken[seat]
    if taken == bid:
        return hand.bonus + hand.points_per_trick * taken
    if hand.scoring == 0:
        return 0
    return hand.points_per_trick * (taken if hand.scoring == 1 else -abs(taken - bid))


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """All tricks of the largest hand bid and made; or none made of all, where missed bids cost points."""
    whole = options["most"] * options["points_per_trick"]
    return -whole if options["scoring"] == "penalty" else 0, options["bonus"] + whole


def scored_by(match: Match[Any], hand: OhHellHand) -> tuple[str, ...]:
    """The rules for bids made and bids missed, if there were any."""
    made = [bid == taken for bid, taken in zip(hand.bids, hand.taken, strict=True)]
    return ("score.made",) * any(made) + ("score.missed",) * (not all(made))


def over(match: Match[Any]) -> str | None:
    """After all sizes, or the agreed number of hands."""
    hands = match.options["hands"]
    if hands is None:
        return SIZES if len(match.hands) >= len(sizes(match)) else None
    return HANDS if len(match.hands) >= hands else None


def check(options: dict[str, Any], n: int) -> None:
    """The pack must be enough for the largest hands and the card turned up."""
    if options["most"] > 51 // n:
        raise RuleError("table.range", Sentence("most is at most {limit} with {n} players", limit=51 // n, n=n))


GAME = Game(
    id="oh-hell", title="Oh Hell", summary="Bid exactly how many tricks you will take, in hands that change size.", book=BOOK,
    players=range(3, 8), hand=OhHellHand, pack=lambda options: PACK, orders=plain_orders(PACK, 0, 1, 2, 3),
    options=(
        Option("order", "down-up", "how the hands change size", ("down-up", "up-down", "down", "up", "fixed"), of_hand=True),
        Option("most", ByPlayers(lambda n: {6: 8, 7: 7}.get(n, 10), "10; 8 for six players, 7 for seven"), "cards in the largest hand", of_hand=True),
        Option("hands", None, "hands to play, in place of all sizes"),
        Option("hook", True, "the bids may not add up to the number of tricks", of_hand=True),
        Option("scoring", "exact", "the score for a missed bid", ("exact", "each", "penalty"), of_hand=True),
        Option("points_per_trick", 1, "points for each trick", of_hand=True),
        Option("bonus", 10, "points for a bid made", of_hand=True),
    ),
    check_options=check,
    phases=(
        Dealing(
            lambda match, number: (PACK.full, size(match, number)), "deal.sizes", left_over="unnamed",
            turned_up="table", setup=name_trump,
        ),
        Bids(all_tricks, order_rule="bid.order", range_rule="bid.range", barred_rule=HOOK, barred=adds_up, bound=hooked),
        TrickPlay(
            first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", next_rule="lead.taker", taker=taker,
            follow=(Duty("follow.suit", follow_suit),),
        ),
    ),
    scoring=MatchScoring(fewest=False, points=points, rules=scored_by, over=over, span=span),
    study=Study(carried=Carried(first_of_size, resume_at)),
    shown=Shown(facts=(
        Fact("bids", "Bid", "seat", "int", bids_made),
        Fact("trump", "Trump", "hand", "suit", suit_letter),
        Fact("upcard", "Turned up", "hand", "card", card_turned_up, result=False, table=True),
    )),
)  # fmt: skip
EDITIONS = (GAME,)
