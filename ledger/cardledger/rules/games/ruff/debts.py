"""Debts: players who fell short of the quota in the hand before pay a card for each missing trick, and get one back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from cardledger.errors import FormatError
from cardledger.rules import (
    ASKS,
    GIVES,
    PAYS,
    SUIT_WORDS,
    SUITS,
    Choice,
    Fact,
    Hand,
    Match,
    Move,
    Phase,
    Sentence,
    Take,
    by_seat,
    lacks,
    resume_at,
    standard_pack,
)
from cardledger.rules import events as ev

OWED, COLLECT, ASK, HIGHEST, RETURN = "debt.owed", "debt.collect", "debt.ask", "debt.highest", "debt.return"
PACK: Final = standard_pack()
QUOTAS: Final = {3: 5, 4: 3, 5: 2}
"""The quota: the tricks each player has to take, by the number of players."""


@dataclass
class DebtHand(Hand):
    """Adds the debts of the hand before.

    `owed[seat]` is the number of cards a seat owes (negative: is owed) that are not arranged yet. `transfers` are the
    arranged pairs of creditor and debtor, `moved` the number of steps done, `asked` the suit asked for. `circling`
    means that trump suits rank in cycle after the suit led, as in Ruff 2.0.
    """

    owed: list[int] = by_seat()
    transfers: list[tuple[int, int]] = field(default_factory=list)
    moved: int = 0
    asked: int = 0
    circling: bool = False


@dataclass
class CirclingDebtHand(DebtHand):
    """A hand of Ruff 2.0."""

    circling: bool = True


def highest_asked(held: int, asked: int) -> int:
    """The cards a debtor may give: the highest of the suit, or any card without one."""
    suit = held & asked
    return 1 << suit.bit_length() - 1 if suit else held


class Debts(Phase):
    """Creditors name their debtors, ask for suits, get a card for each missing trick, and give one back for each card."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "debts"

    @property
    def blind(self) -> bool:
        """It does not look at the cards held."""
        return True

    @property
    def pays(self) -> tuple[str, Callable[[int, int], int]]:
        """A debtor gives the highest card of the suit asked for."""
        return HIGHEST, highest_asked

    def takes(self) -> dict[type[ev.Event], Take]:
        """The steps of a debt."""
        return {ev.Collect: self.collect, ev.Ask: self.ask, ev.Give: self.give}

    def cites(self) -> tuple[str, ...]:
        """The rules of debts."""
        return OWED, COLLECT, ASK, HIGHEST, RETURN

    def begin(self, match: Match[DebtHand], hand: DebtHand) -> bool:
        """Debts come from the hand before, unless it was only a score sheet."""
        last = match.hands[-2] if len(match.hands) > 1 else None
        quota = QUOTAS[match.n]
        if last is not None and not last.agreed:
            hand.owed = [quota - taken for taken in last.taken]
        owed = hand.owed
        creditors = [seat for seat in range(match.n) if owed[seat] < 0]
        debtors = [seat for seat in range(match.n) if owed[seat] > 0]
        if not debtors:
            return False
        if match.trail is not None:
            pairs = zip(map(match.who, range(match.n)), owed, strict=True)
            words = (
                Sentence("{player} owes {due}", player=player, due=due)
                if due > 0
                else Sentence("{player} is owed {due}", player=player, due=-due)
                for player, due in pairs
                if due
            )
            match.cite(OWED, Sentence("{debts}", debts=tuple(words)))
        if len(debtors) > 1 and len(creditors) > 1:
            hand.moment = "collect"
            self.next_collect(match, hand)
        else:
            hand.transfers = [(c, d) for c in creditors for d in debtors for _ in range(min(-owed[c], owed[d]))]
            self.arrange(match, hand)
        return True

    def next_collect(self, match: Match[DebtHand], hand: DebtHand) -> None:
        """Turn to the next creditor with a debtor to name, or start asking."""
        waiting = [seat for seat in around(hand) if hand.owed[seat] < 0]
        if waiting:
            hand.turn = waiting[0]
        else:
            self.arrange(match, hand)

    def collect(self, match: Match[DebtHand], hand: DebtHand, event: ev.Collect) -> None:
        """A creditor names the debtor of a card."""
        match.expect("collect", event.seat, event.source)
        if hand.owed[event.source] <= 0:
            match.refuse(COLLECT, Sentence("{source} owes no more cards", source=match.who(event.source)), event.seat)
        hand.owed[event.seat] += 1
        hand.owed[event.source] -= 1
        hand.transfers.append((event.seat, event.source))
        if match.trail is not None:
            match.cite(
                COLLECT,
                Sentence("{who} takes a card from {source}", who=match.who(event.seat), source=match.who(event.source)),
                "allowed",
            )
        self.next_collect(match, hand)

    def arrange(self, match: Match[DebtHand], hand: DebtHand) -> None:
        """Sort the transfers: creditors from the dealer's left, their debtors from the creditor's left."""
        order = around(hand)
        hand.transfers.sort(key=lambda pair: (order.index(pair[0]), (pair[1] - pair[0]) % match.n))
        self.next_transfer(match, hand)

    def next_transfer(self, match: Match[DebtHand], hand: DebtHand) -> None:
        """Turn to the next step: ask for each transfer, then give back for each, then play."""
        if hand.moved == 2 * len(hand.transfers):
            match.next_phase()
        else:
            hand.moment = "ask" if hand.moved < len(hand.transfers) else "give"
            hand.turn = pair(hand)[0]

    def ask(self, match: Match[DebtHand], hand: DebtHand, event: ev.Ask) -> None:
        """A creditor asks a debtor for a suit."""
        match.expect("ask", event.seat, event.source)
        debtor = pair(hand)[1]
        if event.source != debtor:
            match.refuse(ASK, Sentence("this card comes from {debtor}", debtor=match.who(debtor)), event.seat)
        if match.trail is not None:
            match.cite(
                ASK,
                Sentence(
                    "{who} asks {debtor} for {suit}",
                    who=match.who(event.seat),
                    debtor=match.who(debtor),
                    suit=Sentence(SUIT_WORDS[event.suit]),
                ),
                "allowed",
            )
        hand.asked = PACK.suit_masks[SUITS.index(event.suit)]
        hand.moment, hand.turn = "give", debtor

    def check(self, match: Match[DebtHand], event: ev.Event) -> None:
        """A debt is paid with one open card."""
        if isinstance(event, ev.Give) and not isinstance(event.card, str):
            raise FormatError("format.key", f"a give of {match.game.id} has the key 'card', not 'cards'")

    def give(self, match: Match[DebtHand], hand: DebtHand, event: ev.Give) -> None:
        """A debtor pays with a card, or a creditor gives one back."""
        self.check(match, event)
        seat = event.seat
        match.expect("give", seat, event.to)
        creditor, debtor = pair(hand)
        paying = hand.moved < len(hand.transfers)
        to, rule = (creditor, ASK) if paying else (debtor, RETURN)
        face = event.card
        assert isinstance(face, str)
        bit = PACK.mask.get(face, 0) & match.may_hold(seat)
        if not bit:
            lacks(match, seat, face)
        if event.to != to:
            match.refuse(rule, Sentence("this card goes to {to}", to=match.who(to)), seat)
        if match.judges:
            held = hand.held[seat]
            legal = highest_asked(held, hand.asked) if paying else held
            if not bit & legal:
                match.irregular(
                    seat, HIGHEST, PACK.show(legal), Sentence("{who} gives {face}", who=match.who(seat), face=face)
                )
            elif paying and match.trail is not None:
                suit = SUIT_WORDS[SUITS[PACK.suit_masks.index(hand.asked)]]
                why = (
                    Sentence("the highest of the {suit} asked for", suit=Sentence(suit))
                    if legal & hand.asked
                    else Sentence("with no {suit}, any card", suit=Sentence(suit))
                )
                match.cite(
                    HIGHEST,
                    Sentence(
                        "{who} gives {to} {face}: {why}; {remaining}",
                        who=match.who(seat),
                        to=match.who(to),
                        face=face,
                        why=why,
                        remaining=remaining(hand),
                    ),
                    "allowed",
                )
            if legal != held and not match.strict:
                hand.exposed[seat] += 1
        if match.hidden:
            match.show(seat, face)
            for world in match.worlds:
                world.receive(to, bit)
        else:
            hand.held[seat] ^= bit
            hand.held[to] |= bit
        if not paying and match.trail is not None:
            match.cite(
                RETURN,
                Sentence(
                    "{who} gives {face} back to {to}; {remaining}",
                    who=match.who(seat),
                    face=face,
                    to=match.who(to),
                    remaining=remaining(hand),
                ),
                "allowed",
            )
        hand.moved += 1
        self.next_transfer(match, hand)

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The duty of a debtor."""
        return (highest_asked,)

    def moves(self, match: Match[DebtHand], hand: DebtHand, event: ev.Event) -> tuple[Move, ...]:
        """A debtor pays a card of the suit asked for; a creditor gives one back."""
        if isinstance(event, ev.Ask):
            return (Move(ASKS, event.seat),)
        if isinstance(event, ev.Give):
            return (Move(PAYS if hand.moved < len(hand.transfers) else GIVES, event.seat, event.to),)
        return ()

    def choices(self, match: Match[DebtHand], hand: DebtHand) -> tuple[Choice, ...]:
        """The choices of the seat whose turn it is."""
        if hand.moment == "collect":
            return (Choice("collect", hand.turn, sources=tuple(s for s in range(match.n) if hand.owed[s] > 0)),)
        creditor, debtor = pair(hand)
        if hand.moment == "ask":
            return (Choice("ask", hand.turn, sources=(debtor,)),)
        assert hand.turn is not None
        paying = hand.moved < len(hand.transfers)
        cards = match.may_hold(hand.turn)
        if paying and not match.hidden:
            cards = highest_asked(cards, hand.asked)
        return (Choice("give", hand.turn, PACK.show(cards), to=creditor if paying else debtor),)


def remaining(hand: DebtHand) -> Sentence:
    """Say how many cards are still to be given after the one being given."""
    many = len(hand.transfers)
    owed, back = many - 1 - hand.moved, 2 * many - 1 - hand.moved
    if owed > 0:
        return Sentence.counted("{num} card is still owed", "{num} cards are still owed", owed)
    if owed == 0:
        return Sentence("no cards are still owed")
    if back > 0:
        return Sentence.counted("{num} card is still to go back", "{num} cards are still to go back", back)
    return Sentence("no cards are still to go back")


def around(hand: DebtHand) -> list[int]:
    """All seats clockwise, from the dealer's left."""
    return [(hand.dealer + 1 + i) % hand.n for i in range(hand.n)]


def pair(hand: DebtHand) -> tuple[int, int]:
    """Creditor and debtor of the step under way."""
    return hand.transfers[hand.moved % len(hand.transfers)]


def debts_carried(match: Match[DebtHand], hand: DebtHand) -> tuple[int, ...] | None:
    """Return the tricks of each player in the hand before, seats counted from the dealer on.

    None if nothing is owed.
    """
    before = match.hands[hand.number - 2] if hand.number > 1 else None
    if before is None or before.agreed:
        return None
    return tuple(before.taken[(hand.dealer + place) % match.n] for place in range(match.n))


def resume_debts(match: Match[DebtHand], taken: tuple[int, ...]) -> None:
    """Let a new match begin as if after a hand with these tricks, with seat 0 as dealer."""
    resume_at(match, (2,))
    match.hand.taken = [*taken]


def still_owed(match: Match[DebtHand], hand: DebtHand) -> list[dict[str, int]]:
    """Return a pair for each card that is still owed, then for each that is still to go back."""
    if hand.moment not in ("collect", "ask", "give"):
        return []
    many = len(hand.transfers)
    owed = hand.transfers[hand.moved :]
    back = (
        [(debtor, creditor) for creditor, debtor in hand.transfers[hand.moved - many :]] if hand.moved >= many else []
    )
    return [{"creditor": creditor, "debtor": debtor} for creditor, debtor in owed or back]


DEBTS: Final = Fact("debts", "Debts", "hand", "pairs", still_owed, result=False, table=True)
