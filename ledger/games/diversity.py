"""Diversity: a plain-trick evasion game without a duty to follow, by Matthew Skala."""

from typing import Final

from ledger.cards import standard_pack
from ledger.game import Option, TrickGame
from ledger.measures import diversity as measured
from ledger.parts import left_of_dealer
from ledger.rulebook import Rule, Rulebook
from ledger.table import Table
from ledger.tricks import TrickTable

BOOK = Rulebook(
    "diversity",
    1,
    "How to play Diversity, mskala, 5 April 2025 (seed 000)",
    (
        Rule("deal.all", "All 52 cards are dealt, thirteen to each of the four players."),
        Rule("lead.left-of-dealer", "The first trick is led from the dealer's left."),
        Rule("play.any", "Any card may be led and any card played: nobody has to follow."),
        Rule("trick.four-suits", "When all four suits lie in the trick, its lowest rank takes it; among equals, the card played first."),
        Rule("trick.repeated-suit", "Otherwise only suits with two or more cards count, and their highest rank takes the trick; among equals, the card played first."),
        Rule("lead.left-of-taker", "The player to the left of the taker leads next."),
        Rule("score.trick", "Every trick taken is one point."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.minimum", "Once the agreed number of hands is played, whoever alone has the fewest points wins."),
        Rule("match.tie", "As long as several share the fewest points then, one more hand is played."),
    ),
)  # fmt: skip
FOUR_SUITS, REPEATED_SUIT, MINIMUM, TIE = BOOK.cite(
    "trick.four-suits", "trick.repeated-suit", "match.minimum", "match.tie"
)
PACK: Final = standard_pack()
RANKS: Final = PACK.ranks
SUITS: Final = PACK.suits


def taker(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """Four suits: the lowest rank; otherwise the highest among suits that repeat; the earlier of equals."""
    seen = repeated = 0
    for card in trick:
        suit = SUITS[card]
        repeated |= seen & suit
        seen |= suit
    place, best = 0, RANKS[trick[0]] if not repeated or SUITS[trick[0]] & repeated else -1
    if not repeated:
        for i, card in enumerate(trick):
            if RANKS[card] < best:
                place, best = i, RANKS[card]
        return place, FOUR_SUITS
    for i, card in enumerate(trick):
        if RANKS[card] > best and SUITS[card] & repeated:
            place, best = i, RANKS[card]
    return place, REPEATED_SUIT


def over(table: Table) -> str | None:
    """After the agreed hands the match goes on only while the lead is shared."""
    if len(table.hands) < table.options["hands"]:
        return None
    if table.totals.count(min(table.totals)) == 1:
        return MINIMUM
    table.cite(TIE, "the fewest points are shared: one more hand")
    return None


GAME = TrickGame(
    id="diversity",
    title="Diversity",
    summary="Take as few tricks as you can; a trick of four suits goes to its lowest card.",
    book=BOOK,
    players=range(4, 5),
    options=(Option("hands", 4, "hands to play at least"),),
    fewest=True,
    over=over,
    table=TrickTable,
    cards_of=lambda options, n: (PACK, PACK.full, 13),
    deal_rule="deal.all",
    first_lead=left_of_dealer,
    lead_rule="lead.left-of-dealer",
    lead=(),
    follow=(),
    free_rule="play.any",
    taker=taker,
    next_lead=lambda taker, n: (taker + 1) % n,
    next_rule="lead.left-of-taker",
    score=lambda table: table.hand.taken,
    score_rules=("score.trick",),
    count=measured.count,
    measures=measured.MEASURES,
)
