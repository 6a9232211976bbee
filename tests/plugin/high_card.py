"""A game that is not in the tree: one trick a hand, the highest card takes it. Tests install it as a package would."""

from ledger.cards import standard_pack
from ledger.game import Option, TrickGame
from ledger.measures import Counts, Measure, Played
from ledger.parts import after_hands, left_of_dealer, taker_leads
from ledger.rulebook import Rule, Rulebook
from ledger.tricks import TrickTable

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


def taker(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """The highest rank, the first of equals."""
    ranks = [PACK.ranks[card] for card in trick]
    return ranks.index(max(ranks)), "trick.highest"


def count(played: Played) -> Counts:
    """Count hands taken with an ace."""
    aces = [0] * played.table.n
    for leader, cards, taker, _ in played.hand.tricks:
        aces[taker] += PACK.ranks[cards[(taker - leader) % len(cards)]] == 12
    return {"aces": aces}


GAME = TrickGame(
    id="high-card",
    title="High Card",
    summary="One card each, the highest wins.",
    book=BOOK,
    players=range(2, 5),
    options=(Option("hands", 1, "hands to play"),),
    fewest=False,
    over=after_hands("match.hands", "hands"),
    table=TrickTable,
    deal_keys=frozenset({"dealer", "aside"}),
    cards_of=lambda options, n: (PACK, PACK.full, 1),
    deal_rule="deal.one",
    first_lead=left_of_dealer,
    lead_rule="lead.left-of-dealer",
    lead=(),
    follow=(),
    taker=taker,
    next_lead=taker_leads,
    next_rule="lead.taker",
    score=lambda table: table.hand.taken,
    score_rules=("score.trick",),
    count=count,
    measures=(Measure("aces", "Taken by an ace", "tricks taken by an ace ÷ hands", "more", "trick.highest", "aces"),),
)
