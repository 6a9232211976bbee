"""Deals as known after the hand.

The cards each seat was dealt, recorded or rebuilt from the plays, and a fingerprint.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.state import Hand
from cardledger.rules.games import first_played_alike, start
from cardledger.rules.stream import Stream, unroll


@dataclass(frozen=True, slots=True)
class Situation:
    """The state before the cards are dealt; seats are counted from the dealer (or starter) on.

    `taken` is what the game carries over from the hand before, such as the tricks that decide debts. `options` are the
    ones that change how a hand is played.
    """

    game: str
    n: int
    options: tuple[tuple[str, object], ...]
    taken: tuple[int, ...] | None

    @property
    def text(self) -> str:
        """The situation as one line of JSON, with the edition whose rules apply."""
        edition = first_played_alike(self.game).book.edition
        return json.dumps([edition, self.n, self.options, self.taken], separators=(",", ":"))

    def table(self, strict: bool = True, rules: str | None = None) -> Any:
        """Return a table ready for the deal.

        With seat 0 as dealer, under an edition (the newest unless it is named).
        """
        opening = ev.Open(
            game=self.game,
            players=tuple(map(str, range(self.n))),
            options=dict(self.options),
            policy="strict" if strict else "record",
        )
        table = start(opening, rules)
        if self.taken is not None:
            table.game.study.carried.resume(table, self.taken)
        return table


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: the situation, the hands from the dealer on, each in the order of the pack, and the card turned up.

    `stock` is the known order of the stock, top first; `whole` means that it was recorded with the deal, before the
    play, and so belongs to the deal.
    """

    situation: Situation
    hands: tuple[tuple[str, ...], ...]
    upcard: str | None
    stock: tuple[str, ...]
    whole: bool

    @property
    def fingerprint(self) -> str:
        """A hash of the cards dealt. The same deal has the same fingerprint at every table, wherever the dealer sat."""
        return _digest(self.situation.text, self.hands, self.upcard, self.stock if self.whole else ())

    @property
    def key(self) -> str:
        """A hash of all that a replay starts from: the cards dealt and the known part of the stock."""
        return _digest(self.situation.text, self.hands, self.upcard, self.stock)

    def table(self, strict: bool = True, rules: str | None = None) -> Any:
        """Return a table with this deal, seat 0 as dealer; the order of the stock is left open."""
        table = self.situation.table(strict, rules)
        keys = table.game.deal.keys(table.options)
        left = [
            face
            for face in table.pack.faces
            if table.game.deal.left_over == "named" and not any(face in hand for hand in self.hands)
        ]
        deal = ev.Deal(
            dealer=0 if "dealer" in keys else None,
            starter=0 if "starter" in keys else None,
            hands=self.hands,
            aside=tuple(left) or None,
            upcard=msgspec.UNSET if self.upcard is None else self.upcard,
        )
        table.apply(table.game.deal.completed(table, deal), 2)
        return table


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand of a match with the events that count, deal first.

    `why` says why its decisions cannot be reviewed, None if they can. `dealt` is None if the deal is not known.
    `recorded` says whether it was recorded before the play, or rebuilt from the plays.
    """

    hand: Hand
    events: tuple[tuple[int, ev.Event], ...]
    dealt: Dealt | None
    why: str | None
    recorded: bool


WHY = {
    "under way": "hands under way",
    "claim": "hands ended by a claim",
    "score": "hands ended by a score sheet",
    "hidden": "hands whose deal is not known",
    "held": "hands whose cards another table has yet to play",
    "game": "hands of games the bots do not know",
}
"""Reasons for leaving a hand out."""


def hands_of(stream: Stream) -> Iterator[PlayedHand]:
    """Yield the hands of a match in order."""
    table = stream.table
    by_hand: list[list[tuple[int, ev.Event]]] = []
    for seq, event in unroll(stream.heads[-1])[1:]:
        if isinstance(event, ev.Deal):
            by_hand.append([])
        if not isinstance(event, ev.End | ev.Void | ev.Adjust):
            by_hand[-1].append((seq, event))
    for hand, events in zip(table.hands, by_hand, strict=True):
        why = _why_not(table, hand)
        deal = events[0][1]
        recorded = isinstance(deal, ev.Deal) and deal.hands is not None
        dealt = None
        # Who claims has good cards: claims that left out deals would take the luck off bad ones only.
        if why is None or recorded and why in ("claim", "score") and table.game.study.bot is not None:
            dealt = _dealt(table, hand, [event for _, event in events])
            why = why or (None if dealt else "hidden")
        yield PlayedHand(hand, tuple(events), dealt, why, recorded)


def _why_not(table: Match[Any], hand: Hand) -> str | None:
    """Return why the decisions of a hand cannot be reviewed, whatever its deal; None if they can."""
    if hand.scores is None:
        return "under way"
    if hand.agreed:
        return "score"
    if hand.claimed is not None:
        return "claim"
    return None if table.game.study.bot is not None else "game"


def _unseen(event: ev.Event) -> bool:
    """Tell whether an event discards cards or moves cards unseen: then the plays do not show the deal."""
    return isinstance(event, ev.Discard) or isinstance(event, ev.Give) and event.cards is None


def _dealt(table: Match[Any], hand: Hand, events: list[ev.Event]) -> Dealt | None:
    """Return the deal of a hand as recorded, or rebuilt from the plays of a hand that was played out."""
    deal, n = events[0], table.n
    assert isinstance(deal, ev.Deal)
    if deal.hands is not None:
        held = _parsed(table, deal.hands)
    elif table.game.deal.left_over == "stock" or deal.upcard is None or any(map(_unseen, events)):
        return None
    else:
        held = _shown(table, hand, events)
        if any(cards.bit_count() != hand.each for cards in held):
            return None  # somebody did not play
    listed = table.pack.list
    seats = [(hand.dealer + i) % n for i in range(n)]
    situation = Situation(
        table.game.id,
        n,
        tuple((option.name, table.options[option.name]) for option in table.game.options if option.of_hand),
        None if table.game.study.carried is None else table.game.study.carried.of(table, hand),
    )
    return Dealt(
        situation,
        tuple(tuple(listed(held[seat])) for seat in seats),
        deal.upcard if isinstance(deal.upcard, str) else None,
        _stock(table, deal, events),
        deal.stock is not None,
    )


def _parsed(table: Match[Any], hands: tuple[tuple[str, ...], ...]) -> list[int]:
    """Return recorded hands as sets of cards; of two equal cards the first seat gets the lower number."""
    free, held = table.pack.full, []
    for faces in hands:
        cards = 0
        for face in faces:
            bit = table.pack.mask[face] & free
            cards |= bit & -bit
            free ^= bit & -bit
        held.append(cards)
    return held


def _shown(table: Match[Any], hand: Hand, events: list[ev.Event]) -> list[int]:
    """Return the hands dealt, rebuilt from the plays of a whole hand, with paid debts taken back."""
    held = [0] * table.n
    for trick_seats, cards, _, _ in hand.tricks:
        for seat, card in zip(trick_seats, cards, strict=True):
            held[seat] |= 1 << card
    for event in reversed(events):
        if isinstance(event, ev.Give):
            for face in event.cards if isinstance(event.cards, tuple) else (event.card,):
                bit = table.pack.mask[str(face)]
                held[event.to] &= ~bit
                held[event.seat] |= bit
    return held


def _stock(table: Match[Any], deal: ev.Deal, events: list[ev.Event]) -> tuple[str, ...]:
    """Return the order of the stock as recorded, or as far as it was drawn before the reshuffle."""
    if deal.stock is not None:
        return deal.stock
    if table.game.deal.left_over != "stock":
        return ()
    drawn = [
        face for event in events if isinstance(event, ev.Draw) and event.source == "stock" for face in event.cards or ()
    ]
    dealt = sum(len(faces) for faces in deal.hands or ()) + isinstance(deal.upcard, str)
    return tuple(drawn[: table.pack.full.bit_count() - dealt])
