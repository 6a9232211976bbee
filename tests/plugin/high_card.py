"""A game that is not in the tree: one trick a hand, the highest card takes it. Tests install it as a package would."""

from typing import Any

from cardledger.rules import (
    Counts,
    Dealing,
    Game,
    Hand,
    MatchScoring,
    Measure,
    Option,
    Played,
    Rule,
    Rulebook,
    Study,
    TrickPlay,
    after_hands,
    first,
    left_of_dealer,
    plain_orders,
    standard_pack,
    trick_points,
)

BOOK = Rulebook(
    "high-card",
    1,
    "Made up for a test",
    (
        Rule("deal.one", "One card each."),
        Rule("lead.left-of-dealer", "The dealer's left leads."),
        Rule("trick.highest", "The highest rank takes the trick; among equals, the card played first."),
        Rule("lead.taker", "The taker leads next."),
        Rule("score.trick", "A point a trick."),
        Rule("deal.left", "The deal moves on to the left."),
        Rule("match.hands", "The match ends after the agreed hands."),
    ),
)
PACK = standard_pack()


def taker(hand: Hand, trick: list[int]) -> tuple[int, str]:
    """The highest rank, the first of equals."""
    best = 0
    for place in range(1, len(trick)):
        if PACK.ranks[trick[place]] > PACK.ranks[trick[best]]:
            best = place
    return best, "trick.highest"


def count(played: Played) -> Counts:
    """Count hands taken with an ace."""
    aces = [0] * played.match.n
    for seats, cards, taker, _ in played.hand.tricks:
        aces[taker] += PACK.ranks[cards[seats.index(taker)]] == 12
    return {"aces": aces}


GAME: Game[Any] = Game(
    id="high-card",
    title="High Card",
    summary="One card each, the highest wins.",
    book=BOOK,
    players=range(2, 5),
    options=(Option("hands", 1, "hands to play"),),
    hand=Hand,
    pack=lambda options: PACK,
    orders=plain_orders(PACK, None),
    phases=(
        Dealing(lambda match, number: (PACK.full, 1), "deal.one", left_over="named"),
        TrickPlay(first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", next_rule="lead.taker", taker=taker),
    ),
    scoring=MatchScoring(
        fewest=False,
        points=trick_points,
        rules=("score.trick",),
        over=after_hands("match.hands", "hands"),
        span=lambda n, options: (0, 1),
    ),
    study=Study(
        count=count,
        measures=(
            Measure(
                "aces",
                "Taken by an ace",
                "tricks taken by an ace ÷ hands",
                "more",
                "trick.highest",
                "aces",
                least=0,
                most=1,
                history=first("2026-11-21"),
            ),
        ),
    ),
)
