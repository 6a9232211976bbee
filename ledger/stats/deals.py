"""Deals as everybody knows them afterwards: what chance gave each seat, recorded or rebuilt, and its fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ledger import events as ev
from ledger.bots.cautious import POLICIES
from ledger.corrections import Stream, unroll
from ledger.game import TrickGame
from ledger.games import game, start
from ledger.hand import Hand
from ledger.table import Table

OPTIONS = ("double_suits", "layout")
"""Options that change how a hand is played; all others say when a match ends or how totals are kept."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a hand begins from before its cards are dealt; seats are counted from the dealer (or starter) on.

    `taken` are the tricks that each took in the hand before, where debts follow from them.
    """

    game: str
    n: int
    options: tuple[tuple[str, object], ...]
    taken: tuple[int, ...] | None

    @property
    def text(self) -> str:
        """The situation as one line that names nothing else, editions of rules included."""
        return json.dumps([game(self.game).book.edition, self.n, self.options, self.taken], separators=(",", ":"))

    def table(self, strict: bool = True) -> Any:
        """Return a table at which the hand is to be dealt, seat 0 dealing."""
        opening = ev.Open(
            game=self.game,
            players=tuple(map(str, range(self.n))),
            options=dict(self.options),
            policy="strict" if strict else "record",
        )
        table = start(opening)
        if self.taken is not None:
            before = Hand(1, self.n - 1, self.n, 0)
            before.taken = [*self.taken]
            table.hands.append(before)
        return table


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: the situation, the hands from the dealer on, each in the order of the pack, the card turned up.

    `stock` is the order of the stock as far as it is known, its top first; `whole` says that it was recorded before
    the play and so belongs to the deal.
    """

    situation: Situation
    hands: tuple[tuple[str, ...], ...]
    upcard: str | None
    stock: tuple[str, ...]
    whole: bool

    @property
    def fingerprint(self) -> str:
        """Name the cards dealt, wherever the dealer sat: equal for the same deal at other tables."""
        return _digest(self.situation.text, self.hands, self.upcard, self.stock if self.whole else ())

    @property
    def key(self) -> str:
        """Name all that a replay begins from: the fingerprint and what of the stock came to light."""
        return _digest(self.situation.text, self.hands, self.upcard, self.stock)

    def table(self, strict: bool = True) -> Any:
        """Return a table with this deal, seat 0 dealing; the stock in no order."""
        table = self.situation.table(strict)
        keys = table.game.deal_keys
        left = [face for face in table.pack.faces if "aside" in keys and not any(face in hand for hand in self.hands)]
        deal = ev.Deal(
            dealer=0 if "dealer" in keys else None,
            starter=0 if "starter" in keys else None,
            hands=self.hands,
            aside=tuple(left) or None,
            upcard=self.upcard,
        )
        table.apply(deal, 2)
        return table


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Played:
    """A hand of a match with the events that count in it, its deal first; `dealt` is None where `why` says why not."""

    hand: Hand
    events: tuple[tuple[int, ev.Event], ...]
    dealt: Dealt | None
    why: str | None


WHY = {
    "under way": "hands under way",
    "claim": "hands ended by a claim",
    "score": "hands ended by a score sheet",
    "hidden": "hands whose deal is not known",
    "game": "hands of games the bots do not know",
}
"""Why a hand is left out."""


def hands_of(stream: Stream) -> Iterator[Played]:
    """Yield the hands of a match in order."""
    table = stream.table
    found: list[list[tuple[int, ev.Event]]] = []
    for seq, event in unroll(stream.heads[-1])[1:]:
        if isinstance(event, ev.Deal):
            found.append([])
        if not isinstance(event, ev.End):
            found[-1].append((seq, event))
    for index, (hand, events) in enumerate(zip(table.hands, found, strict=True)):
        why = _why_not(table, hand)
        dealt = None
        if why is None:
            dealt = _dealt(table, hand, table.hands[index - 1] if index else None, [event for _, event in events])
            why = None if dealt else "hidden"
        yield Played(hand, tuple(events), dealt, why)


def _why_not(table: Table, hand: Hand) -> str | None:
    """Return why nothing is computed of a hand, whatever its deal."""
    if hand.scores is None:
        return "under way"
    if hand.agreed:
        return "score"
    if hand.claimed is not None:
        return "claim"
    return None if table.game.id in POLICIES else "game"


def _dealt(table: Table, hand: Hand, before: Hand | None, events: list[ev.Event]) -> Dealt | None:
    """Return the deal of a hand that was played out, as recorded or from what every seat played."""
    deal, n = events[0], table.n
    assert isinstance(deal, ev.Deal)
    if deal.hands is not None:
        held = _parsed(table, deal.hands)
    elif isinstance(table.game, TrickGame) and "stock" not in table.game.deal_keys:
        held = _shown(table, hand, events)
    else:
        return None
    listed = table.pack.list
    seats = [(hand.dealer + i) % n for i in range(n)]
    owing = before is not None and not before.agreed and hasattr(table, "owed")
    situation = Situation(
        table.game.id,
        n,
        tuple((name, table.options[name]) for name in OPTIONS if name in table.options),
        tuple(before.taken[seat] for seat in seats) if owing and before else None,
    )
    return Dealt(
        situation,
        tuple(tuple(listed(held[seat])) for seat in seats),
        deal.upcard,
        _stock(table, deal, events),
        deal.stock is not None,
    )


def _parsed(table: Table, hands: tuple[tuple[str, ...], ...]) -> list[int]:
    """Return recorded hands as sets of cards; of twins the lower goes to the seat that is first from seat 0."""
    free, held = table.pack.full, []
    for faces in hands:
        cards = 0
        for face in faces:
            bit = table.pack.mask[face] & free
            cards |= bit & -bit
            free ^= bit & -bit
        held.append(cards)
    return held


def _shown(table: Table, hand: Hand, events: list[ev.Event]) -> list[int]:
    """Return the hands dealt as the plays of a whole hand show them, debts undone."""
    held = [0] * table.n
    for leader, cards, _, _ in hand.tricks:
        for i, card in enumerate(cards):
            held[(leader + i) % table.n] |= 1 << card
    for event in reversed(events):
        if isinstance(event, ev.Give):
            bit = table.pack.mask[event.card]
            held[event.to] &= ~bit
            held[event.seat] |= bit
    return held


def _stock(table: Table, deal: ev.Deal, events: list[ev.Event]) -> tuple[str, ...]:
    """Return the order of the stock as recorded, or as far as it was drawn before it was renewed."""
    if deal.stock is not None:
        return deal.stock
    if "stock" not in table.game.deal_keys:
        return ()
    drawn = [face for event in events if isinstance(event, ev.Draw) and event.source == "stock" for face in event.cards]
    dealt = sum(len(faces) for faces in deal.hands or ()) + (deal.upcard is not None)
    return tuple(drawn[: table.pack.full.bit_count() - dealt])
