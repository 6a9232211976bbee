"""Ruff and Ruff 2.0: every suit but the one led is trump, and who falls short of the quota pays with cards."""

from dataclasses import replace
from functools import cache
from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.cards import SUITS, cards_in, standard_pack
from ledger.choice import Choice
from ledger.game import PLAYERS, Game, Option, TrickGame
from ledger.measures import ruff as measured
from ledger.parts import after_hands, follow_suit, highest_of, left_of_dealer, taker_leads
from ledger.rulebook import Rule, Rulebook
from ledger.tricks import TrickTable


def book(game: str, ranking: str) -> Rulebook:
    """Return the rules of a variant; they differ in how trump suits rank."""
    return Rulebook(
        game,
        1,
        "Ruff, from a collection of card games (seed 004)",
        (
            Rule("deck.short", "The lowest cards are taken out, rank by rank in suit order, down to 45 cards for three players, 48 for four, 50 for five."),
            Rule("lead.left-of-dealer", "The first trick is led from the dealer's left, with any card."),
            Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
            Rule("trick.led-suit", "If everyone follows, the highest rank takes the trick."),
            Rule("trick.ruff", f"Suits other than the one led are trump: the highest of them in the trick wins, and in it the highest rank. {ranking}"),
            Rule("lead.taker", "The taker of a trick leads to the next."),
            Rule("quota", "Everyone must make 5 tricks with three players, 3 with four, 2 with five."),
            Rule("debt.owed", "After the next deal, who fell short owes a card for each missing trick, and who made more is owed one for each."),
            Rule("debt.collect", "With several debtors and several creditors, the creditors first say from whom each of their cards comes, in turn from the dealer's left."),
            Rule("debt.ask", "Creditors in turn from the dealer's left ask their debtors for a suit, card by card, one debtor after the other clockwise."),
            Rule("debt.highest", "The debtor gives its highest card of that suit, or any card if it has none.", breakable=True),
            Rule("debt.return", "When all have moved, creditors in the same order give a card of their choice back for each received, to whom it came from."),
            Rule("deal.left", "The next hand is dealt by the player to the left.", ours=True),
            Rule("score.trick", "Every trick taken is one point."),
            Rule("match.rounds", "The match ends after the agreed number of hands; most tricks win, equals share."),
        ),
    )  # fmt: skip


BOOK = book("ruff", "Trump suits rank clubs, diamonds, hearts, spades, lowest first.")
BOOK_2 = book("ruff-2", "Trump suits rank in cycle after the suit led: clubs, diamonds, hearts, spades, clubs; the further along, the higher.")  # fmt: skip
LED_SUIT, RUFFED, QUOTA, OWED, COLLECT, ASK, HIGHEST, RETURN = BOOK.cite(
    "trick.led-suit", "trick.ruff", "quota", "debt.owed", "debt.collect", "debt.ask", "debt.highest", "debt.return"
)  # fmt: skip
PACK: Final = standard_pack()
CARDS: Final = {3: 45, 4: 48, 5: 50}
QUOTAS: Final = {3: 5, 4: 3, 5: 2}
# Suits as trumps, the highest first: in `ruff`, and in `ruff-2` for each suit led.
HIERARCHY: Final = tuple(reversed(PACK.suit_masks))
CYCLES: Final = [tuple(PACK.suit_masks[(led - i) % 4] for i in (1, 2, 3)) for led in range(4)]


@mypyc_attr(allow_interpreted_subclasses=True)
class DebtsTable(TrickTable):
    """Adds the debts of the hand before: who takes a card from whom, in the order in which they move.

    `owed[seat]` is what a seat owes (below 0: is owed) and has not been arranged yet; `transfers` the pairs creditor
    and debtor as arranged; `moved` counts the steps done; `asked` is the suit under way.
    """

    __slots__ = ("asked", "moved", "owed", "transfers")

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        self.owed: list[int] = []
        self.transfers: list[tuple[int, int]] = []
        self.moved = 0
        self.asked = 0

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match."""
        super().become(other)
        self.owed = other.owed.copy()
        self.transfers = other.transfers.copy()
        self.moved = other.moved
        self.asked = other.asked

    def around(self, seat: int) -> list[int]:
        """Return all seats clockwise, the one left of `seat` first."""
        return [(seat + 1 + i) % self.n for i in range(self.n)]

    def begin(self) -> None:
        """Debts of the hand before come first."""
        last = self.hands[-2] if len(self.hands) > 1 else None
        quota = QUOTAS[self.n]
        self.owed = [0] * self.n if last is None or last.agreed else [quota - taken for taken in last.taken]
        self.transfers = []
        self.moved = 0
        creditors = [seat for seat in range(self.n) if self.owed[seat] < 0]
        debtors = [seat for seat in range(self.n) if self.owed[seat] > 0]
        if not debtors:
            super().begin()
            return
        if self.trail is not None:
            words = [
                f"{self.players[seat]} {'owes' if owed > 0 else 'is owed'} {abs(owed)}"
                for seat, owed in enumerate(self.owed)
                if owed
            ]
            self.cite(OWED, ", ".join(words))
        if len(debtors) > 1 and len(creditors) > 1:
            self.phase = "collect"
            self.next_collect()
            return
        self.transfers = [(c, d) for c in creditors for d in debtors for _ in range(min(-self.owed[c], self.owed[d]))]
        self.start_asking()

    def next_collect(self) -> None:
        """Turn to the next creditor who has a card to name, or start asking."""
        assert self.hand is not None
        waiting = [seat for seat in self.around(self.hand.dealer) if self.owed[seat] < 0]
        if waiting:
            self.turn = waiting[0]
        else:
            self.start_asking()

    def _collect(self, event: ev.Collect) -> None:
        self.expect("collect", event.seat, event.source)
        if self.owed[event.source] <= 0:
            self.refuse(COLLECT, f"{self.who(event.source)} owes no card that is not collected yet", event.seat)
        self.owed[event.seat] += 1
        self.owed[event.source] -= 1
        self.transfers.append((event.seat, event.source))
        if self.trail is not None:
            self.cite(COLLECT, f"{self.who(event.seat)} takes a card from {self.who(event.source)}", "allowed")
        self.next_collect()

    def start_asking(self) -> None:
        """Put the transfers in order: creditors from the dealer's left, debtors from the creditor's left."""
        assert self.hand is not None
        order = self.around(self.hand.dealer)
        self.transfers.sort(key=lambda pair: (order.index(pair[0]), (pair[1] - pair[0]) % self.n))
        self.next_transfer()

    def next_transfer(self) -> None:
        """Turn to the next step: ask for each transfer, then give back for each, then play."""
        if self.moved < len(self.transfers):
            self.phase = "ask"
        elif self.moved < 2 * len(self.transfers):
            self.phase = "give"
        else:
            super().begin()
            return
        self.turn = self.pair[0]

    @property
    def pair(self) -> tuple[int, int]:
        """Creditor and debtor of the step under way."""
        return self.transfers[self.moved % len(self.transfers)]

    def _ask(self, event: ev.Ask) -> None:
        self.expect("ask", event.seat, event.source)
        debtor = self.pair[1]
        if event.source != debtor:
            self.refuse(ASK, f"this card comes from {self.who(debtor)}", event.seat)
        if self.trail is not None:
            self.cite(ASK, f"{self.who(event.seat)} asks {self.who(debtor)} for {event.suit}", "allowed")
        self.asked = PACK.suit_masks[SUITS.index(event.suit)]
        self.phase = "give"
        self.turn = debtor

    def _give(self, event: ev.Give) -> None:
        seat = event.seat
        self.expect("give", seat, event.to)
        creditor, debtor = self.pair
        paying = self.moved < len(self.transfers)
        to, rule = (creditor, ASK) if paying else (debtor, RETURN)
        held = self.held[seat]
        bit = PACK.mask.get(event.card, 0) & (self.hand_of(seat) if self.hidden else held)
        if not bit:
            self.lacks(seat, event.card)
        if event.to != to:
            self.refuse(rule, f"this card goes to {self.who(to)}", seat)
        if self.hidden:
            self.show(seat, event.card)
            self.worlds[0].receive(to, bit)
        else:
            legal = highest_asked(held, self.asked) if paying else held
            if not bit & legal:
                self.irregular(seat, HIGHEST, PACK.show(legal), f"gives {event.card}")
            elif paying:
                self.cite(HIGHEST, f"{event.card} is the highest asked for, or there is none", "allowed")
            if legal != held:
                self.expose(seat)
            self.held[seat] = held ^ bit
            self.held[to] |= bit
        if not paying and self.trail is not None:
            self.cite(RETURN, f"{event.card} goes back to {self.who(to)}", "allowed")
        self.moved += 1
        self.next_transfer()

    def sight(self) -> dict[str, Any]:
        """Adds the debts, as pairs of creditor and debtor."""
        debts = [{"creditor": creditor, "debtor": debtor} for creditor, debtor in self.transfers]
        return super().sight() | ({"debts": debts} if debts and self.hand else {})

    def actions_now(self) -> tuple[Choice, ...]:
        """Debts, then plays."""
        seat = self.turn
        assert seat is not None
        if self.phase == "collect":
            return (Choice("collect", seat, sources=tuple(s for s in range(self.n) if self.owed[s] > 0)),)
        if self.phase == "ask":
            return (Choice("ask", seat, sources=(self.pair[1],)),)
        if self.phase == "give":
            paying = self.moved < len(self.transfers)
            cards = self.hand_of(seat)
            if paying and not self.hidden:
                cards = highest_asked(cards, self.asked)
            return (Choice("give", seat, PACK.show(cards), to=self.pair[0 if paying else 1]),)
        return super().actions_now()


DebtsTable.actions = {
    **TrickTable.actions,
    ev.Collect: DebtsTable._collect,
    ev.Ask: DebtsTable._ask,
    ev.Give: DebtsTable._give,
}


def highest_asked(held: int, asked: int) -> int:
    """What a debtor may give: the highest of the suit, or anything without one."""
    suit = held & asked
    return 1 << suit.bit_length() - 1 if suit else held


def taker(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led, or of the highest trump suit in the hierarchy."""
    return take(table, trick, HIERARCHY)


def taker_2(table: TrickTable, trick: list[int]) -> tuple[int, str]:
    """The highest card of the suit led, or of the trump suit furthest along the cycle."""
    return take(table, trick, CYCLES[trick[0] // 13])


def take(table: TrickTable, trick: list[int], trumps: tuple[int, ...]) -> tuple[int, str]:
    """Decide a trick by the first of the suits `trumps` that is in it, but for the suit led."""
    laid, led = table.laid, table.led
    ruffs = laid & ~led
    if not ruffs:
        return highest_of(laid, trick), LED_SUIT
    for suit in trumps:
        if ruffs & suit:
            return highest_of(ruffs & suit, trick), RUFFED
    raise AssertionError


def score(table: TrickTable) -> list[int]:
    """A point a trick."""
    assert table.hand is not None
    table.cite(QUOTA, f"{QUOTAS[table.n]} tricks were due")
    return table.hand.taken


@cache
def shortened(n: int) -> int:
    """The pack without its lowest cards, rank by rank in suit order."""
    by_rank = sorted(cards_in(PACK.full), key=lambda card: (PACK.ranks[card], card // 13))
    return sum(1 << card for card in by_rank[52 - CARDS[n] :])


GAME = TrickGame(
    id="ruff",
    title="Ruff",
    summary="Take tricks where every suit but the one led is trump; who falls short pays with cards.",
    book=BOOK,
    players=range(3, 6),
    options=(Option("rounds", PLAYERS, "hands to play"),),
    fewest=False,
    over=after_hands("match.rounds", "rounds"),
    table=DebtsTable,
    cards_of=lambda options, n: (PACK, shortened(n), CARDS[n] // n),
    deal_rule="deck.short",
    first_lead=left_of_dealer,
    lead_rule="lead.left-of-dealer",
    lead=(),
    follow=(("follow.suit", follow_suit),),
    taker=taker,
    next_lead=taker_leads,
    next_rule="lead.taker",
    score=score,
    score_rules=("score.trick",),
    count=measured.counting(lambda led: HIERARCHY),
    measures=measured.MEASURES,
)
GAME_2 = replace(
    GAME,
    id="ruff-2",
    title="Ruff 2.0",
    summary="Ruff with trump suits that rank in a cycle after the suit led.",
    book=BOOK_2,
    taker=taker_2,
    count=measured.counting(lambda led: CYCLES[led]),
)
