"""Diversity: a plain-trick avoidance game without a duty to follow suit, by Matthew Skala."""

from typing import Any, Final

from cardledger.rules import (
    Dealing,
    Game,
    Hand,
    Match,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Sentence,
    SheetRules,
    TrickPlay,
    a_point_a_trick,
    left_of_dealer,
    left_of_taker,
    plain_orders,
    standard_pack,
    tricks_taken,
)

BOOK = Rulebook(
    "diversity",
    1,
    "How to play Diversity, mskala, 5 April 2025 (seed 000)",
    (
        Rule("deal.all", "All 52 cards are dealt, thirteen to each of the four players."),
        Rule("lead.left-of-dealer", "The first trick is led from the dealer's left."),
        Rule("play.any", "Any card may be led and any card played: nobody has to follow suit."),
        Rule("trick.four-suits", "If all four suits are in the trick, the lowest rank takes it; among equal ranks, the card played first."),
        Rule("trick.repeated-suit", "Otherwise only suits with two or more cards count, and their highest rank takes the trick; among equal ranks, the card played first."),
        Rule("lead.left-of-taker", "The player to the left of the taker leads next."),
        Rule("score.trick", "Every trick taken is one point."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.minimum", "After the agreed number of hands, a single player with the fewest points wins."),
        Rule("match.tie", "As long as several players share the fewest points, one more hand is played."),
    ),
)  # fmt: skip
FOUR_SUITS, REPEATED_SUIT, MINIMUM, TIE = BOOK.cite(
    "trick.four-suits", "trick.repeated-suit", "match.minimum", "match.tie"
)
PACK: Final = standard_pack()
RANKS: Final = PACK.ranks
SUITS: Final = PACK.suits


def taker(hand: Hand, trick: list[int]) -> tuple[int, str]:
    """With four suits the lowest rank; otherwise the highest among suits that repeat; the earlier of equal ranks."""
    seen = repeated = 0
    for card in trick:
        suit = SUITS[card]
        repeated |= seen & suit
        seen |= suit
    best = trick[0]
    if not repeated:
        for card in trick:
            if RANKS[card] < RANKS[best]:
                best = card
        return trick.index(best), FOUR_SUITS
    highest = -1
    for card in trick:
        if RANKS[card] > highest and SUITS[card] & repeated:
            best, highest = card, RANKS[card]
    return trick.index(best), REPEATED_SUIT


def over(match: Match[Any]) -> str | None:
    """After the agreed hands the match goes on only while players share the lead."""
    if len(match.hands) < match.options["hands"]:
        return None
    if match.totals.count(min(match.totals)) == 1:
        return MINIMUM
    match.cite(TIE, Sentence("the fewest points are shared: one more hand"))
    return None


GAME_1 = Game(
    id="diversity",
    title="Diversity",
    summary="Take as few tricks as you can; a trick of four suits goes to its lowest card.",
    book=BOOK,
    players=range(4, 5),
    options=(Option("hands", 4, "hands to play at least"),),
    hand=Hand,
    pack=lambda options: PACK,
    orders=plain_orders(PACK, None),
    phases=(
        Dealing(lambda match, number: (PACK.full, 13), "deal.all"),
        TrickPlay(
            first_lead=left_of_dealer,
            lead_rule="lead.left-of-dealer",
            free_rule="play.any",
            taker=taker,
            next_lead=left_of_taker,
            next_rule="lead.left-of-taker",
        ),
    ),
    scoring=MatchScoring(
        fewest=True, scores=tricks_taken, rules=("score.trick",), over=over, span=lambda n, options: (0, 13)
    ),
    sheet=SheetRules(
        check=a_point_a_trick(lambda n: 13), sums=lambda options, n: {13}, tricks_decide=lambda options: True
    ),
    judges_cut=False,
)
GAME = GAME_1.revised(2, judges_cut=True)
EDITIONS = (GAME_1, GAME)
