"""A match as its page shows it: the folded table, turned into rows that a template only has to write down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import events as ev
from ledger.corrections import unroll
from ledger.readmodels.hands import ended_by
from ledger.words import told
from web.cards import Card, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.corrections import Stream
    from ledger.table import Hand, Table, Trick

ENDED = {"play": "played out", "claim": "ended by a claim", "score": "from the score sheet"}
"""How a hand ended, in words, by the words of the read model."""


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: one card a seat, who led, who took it (None: tied), and the rule that decided it."""

    number: int
    cards: tuple[Card, ...]
    leader: int
    taker: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand: how it ended, its tricks, and `facts`: rows of one number a seat under a heading."""

    number: int
    dealer: int
    ended: str
    hidden: bool
    scores: list[int] | None
    totals: list[int] | None
    tricks: tuple[TrickRow, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ViolationRow:
    """A violation: what was done under which number, by whom, against which rule, and what was legal."""

    seq: int
    seat: int
    verb: str
    card: Card | None
    rule: str
    legal: tuple[Card, ...]


def hand_rows(table: Table) -> list[HandRow]:
    """Return the hands of a match, the first first."""
    return [_hand(table, hand) for hand in table.hands]


def violation_rows(stream: Stream) -> list[ViolationRow]:
    """Return the violations of a match in the order of their events."""
    table = stream.table
    cards = drawn(table.pack)
    counted = dict(unroll(stream.heads[-1])) if table.violations else {}
    rows = []
    for found in table.violations:
        event = counted[found.seq]
        played = event.card if isinstance(event, ev.Play | ev.Give) else None
        legal = tuple(cards[face] for face in sorted(found.legal, key=table.pack.of.__getitem__))
        rows.append(ViolationRow(found.seq, found.seat, ev.type_of(event), cards.get(played or ""), found.rule, legal))
    return rows


def remark_rows(events: Sequence[ev.Event], players: Sequence[str]) -> list[tuple[int, str]]:
    """Return what was recorded beside the play, in words: notes, corrections, an early end."""
    kinds = ev.Note | ev.Retract | ev.Amend | ev.End
    return [(seq, told(event, players)) for seq, event in enumerate(events, 1) if isinstance(event, kinds)]


def unjudged(hands: list[HandRow]) -> list[int]:
    """Return the numbers of the hands of which not everything could be judged."""
    return [hand.number for hand in hands if hand.ended != ENDED["play"]]


def _hand(table: Table, hand: Hand) -> HandRow:
    ended = ended_by(hand)
    words = ENDED[ended] if ended else "under way" if table.status == "open" else "cut short"
    tricks = tuple(_trick(table, number, trick) for number, trick in enumerate(hand.tricks, 1))
    return HandRow(hand.number, hand.dealer, words, hand.hidden, hand.scores, hand.totals, tricks, _facts(hand))


def _trick(table: Table, number: int, trick: Trick) -> TrickRow:
    leader, played, taker, rule = trick
    cards = drawn(table.pack)
    by_seat = (cards[table.pack.faces[played[(seat - leader) % table.n]]] for seat in range(table.n))
    return TrickRow(number, tuple(by_seat), leader, taker, rule)


def _facts(hand: Hand) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what is known of a hand beside its tricks; rows that do not apply are left out."""
    numbers: dict[str, Sequence[int | None] | None] = {
        "Bid": hand.extra.get("bids"),
        "Tricks taken": hand.taken if any(hand.taken) else None,
        "of them claimed": hand.claimed,
        "Penalty": hand.extra.get("penalties"),
        "Points": hand.scores,
    }
    rows = [
        (name, tuple("\u2013" if value is None else minus(value) for value in values))
        for name, values in numbers.items()
        if values is not None
    ]
    closer = hand.extra.get("closer")
    if closer is not None:
        rows.insert(0, ("Closed", tuple("✓" if seat == closer else "" for seat in range(len(hand.taken)))))
    return tuple(rows)


def option_text(value: object) -> str:
    """Return the value of an option in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def minus(number: int) -> str:
    r"""Return a number with a minus sign that is one, as long as a plus sign.

    >>> ascii(minus(-20)), minus(20)
    ("'\\u221220'", '20')
    """
    return str(number).replace("-", "\u2212")
