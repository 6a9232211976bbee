"""Ruff and Ruff 2.0: every suit but the one led is trump, and players short of the quota pay with cards."""

from dataclasses import replace
from functools import cache
from typing import Any, Final

from cardledger.rules import (
    PLAYERS,
    Carried,
    Dealing,
    Duty,
    Game,
    Hand,
    Match,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Sentence,
    SheetRules,
    Shown,
    Study,
    TrickPlay,
    a_point_a_trick,
    after_hands,
    cards_in,
    follow_suit,
    highest_of,
    left_of_dealer,
    plain_orders,
    standard_pack,
    tricks_taken,
)
from cardledger.rules.games.ruff.debts import (
    DEBTS,
    QUOTAS,
    CirclingDebtHand,
    DebtHand,
    Debts,
    debts_carried,
    resume_debts,
)
from cardledger.rules.games.ruff.measured import MEASURED_2


def book(game: str, ranking: str) -> Rulebook:
    """Return the rules of a variant; they differ in how trump suits rank."""
    return Rulebook(
        game,
        1,
        "Ruff, from a collection of card games (seed 004)",
        (
            Rule("deck.short", "The lowest cards are removed, rank by rank in suit order, until 45 cards are left for three players, 48 for four, 50 for five."),
            Rule("lead.left-of-dealer", "The first trick is led from the dealer's left, with any card."),
            Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
            Rule("trick.led-suit", "If everyone follows, the highest rank takes the trick."),
            Rule("trick.ruff", f"Suits other than the one led are trump: the highest trump suit in the trick wins, and in that suit the highest rank. {ranking}"),
            Rule("lead.taker", "The taker of a trick leads to the next."),
            Rule("quota", "The quota is 5 tricks with three players, 3 with four, 2 with five."),
            Rule("debt.owed", "After the next deal, a player short of the quota owes a card for each missing trick, and a player above it is owed one for each extra trick."),
            Rule("debt.collect", "With several debtors and several creditors, the creditors first name the debtor of each of their cards, in turn from the dealer's left."),
            Rule("debt.ask", "Creditors in turn from the dealer's left ask their debtors for a suit, card by card, one debtor after the other clockwise."),
            Rule("debt.highest", "The debtor gives its highest card of that suit, or any card if it has none.", breakable=True),
            Rule("debt.return", "When all these cards have moved, the creditors, in the same order, give a card of their choice back to the debtor for each card received."),
            Rule("deal.left", "The next hand is dealt by the player to the left.", ours=True),
            Rule("score.trick", "Every trick taken is one point."),
            Rule("match.rounds", "The match ends after the agreed number of hands; most tricks win, and ties share."),
        ),
    )  # fmt: skip


BOOK = book("ruff", "Trump suits rank clubs, diamonds, hearts, spades, lowest first.")
BOOK_2 = book("ruff-2", "Trump suits rank in the cycle clubs, diamonds, hearts, spades, clubs, starting after the suit led: the further along, the higher.")  # fmt: skip
LED_SUIT, RUFFED, QUOTA = BOOK.cite("trick.led-suit", "trick.ruff", "quota")
PACK: Final = standard_pack()
CARDS: Final = {3: 45, 4: 48, 5: 50}
# Trump suits, the highest first: for `ruff`, and for `ruff-2` by the suit led.
HIERARCHY: Final = tuple(reversed(PACK.suit_masks))
CYCLES: Final = tuple(tuple(PACK.suit_masks[(led - i) % 4] for i in (1, 2, 3)) for led in range(4))


def taker(hand: Hand, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led, or of the highest trump suit in the hierarchy."""
    return take(hand, trick, HIERARCHY)


def taker_2(hand: Hand, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led, or of the trump suit furthest along the cycle."""
    return take(hand, trick, CYCLES[trick[0] // 13])


def take(hand: Hand, trick: list[int], trumps: tuple[int, ...]) -> tuple[int, str]:
    """Decide a trick by the first suit of `trumps` that is in it, not counting the suit led."""
    laid, led = hand.laid, hand.led
    ruffs = laid & ~led
    if not ruffs:
        return highest_of(laid, trick), LED_SUIT
    for suit in trumps:
        if ruffs & suit:
            return highest_of(ruffs & suit, trick), RUFFED
    raise AssertionError


def note(match: Match[Any], hand: DebtHand) -> None:
    """The debts of the next hand follow from the quota."""
    match.cite(QUOTA, Sentence("{quota} tricks were due", quota=QUOTAS[match.n]))


@cache
def shortened(n: int) -> int:
    """The pack without its lowest cards, rank by rank in suit order."""
    by_rank = sorted(cards_in(PACK.full), key=lambda card: (PACK.ranks[card], card // 13))
    return sum(1 << card for card in by_rank[52 - CARDS[n] :])


def play(taker: Any) -> TrickPlay:
    """The variants differ in who takes a trick."""
    return TrickPlay(
        first_lead=left_of_dealer,
        lead_rule="lead.left-of-dealer",
        follow=(Duty("follow.suit", follow_suit),),
        taker=taker,
        next_rule="lead.taker",
    )


DEAL: Dealing = Dealing(lambda match, number: (shortened(match.n), CARDS[match.n] // match.n), "deck.short")
RUFF_1 = Game(
    id="ruff",
    title="Ruff",
    summary="Take tricks where every suit but the one led is trump; players who fall short pay with cards.",
    book=BOOK,
    players=range(3, 6),
    options=(Option("rounds", PLAYERS, "hands to play"),),
    hand=DebtHand,
    pack=lambda options: PACK,
    orders=plain_orders(PACK, None),
    phases=(DEAL, Debts(), play(taker)),
    scoring=MatchScoring(
        fewest=False,
        scores=tricks_taken,
        rules=("score.trick",),
        over=after_hands("match.rounds", "rounds"),
        note=note,
        span=lambda n, options: (0, CARDS[n] // n),
    ),
    shown=Shown(facts=(DEBTS,)),
    sheet=SheetRules(check=a_point_a_trick(lambda n: CARDS[n] // n), sums=lambda options, n: {CARDS[n] // n}),
    study=Study(carried=Carried(debts_carried, resume_debts, from_tricks=True)),
    judges_cut=False,
)
RUFF = RUFF_1.revised(2, judges_cut=True)
RUFF_2_1 = replace(
    RUFF_1,
    id="ruff-2",
    title="Ruff 2.0",
    summary="Ruff with trump suits that rank in a cycle after the suit led.",
    book=BOOK_2,
    study=replace(RUFF_1.study, measured=MEASURED_2),
    hand=CirclingDebtHand,
    phases=(DEAL, Debts(), play(taker_2)),
)
RUFF_2 = RUFF_2_1.revised(2, judges_cut=True)
EDITIONS = (RUFF_1, RUFF, RUFF_2_1, RUFF_2)
