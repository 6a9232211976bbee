"""A match as its page shows it: the folded table, turned into rows that a template only has to write down."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import events as ev
from ledger.corrections import unroll
from ledger.readmodels.hands import ended_by
from ledger.store.codec import decode_one
from ledger.words import told
from web.cards import Card, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from api.secrecy import Secrets
    from ledger.corrections import Correction, Stream
    from ledger.hand import Hand, Trick
    from ledger.store import Stored
    from ledger.table import Table

ENDED = {"play": "played out", "claim": "ended by a claim", "score": "from the score sheet"}
"""How a hand ended, in words, by the words of the read model."""


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: one card a seat, who led, who took it (None: tied), the rule that decided it, and the number of its lead."""

    number: int
    seq: int
    cards: tuple[Card, ...]
    leader: int
    taker: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand: how it ended, its tricks, and `facts`: rows of one number a seat under a heading; `seq` is its deal's."""

    number: int
    seq: int
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


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """A correction: its number and that of the event it is about, what it says, what it replaced, whose totals it changed.

    `changes` are player, total before and total after.
    """

    seq: int
    about: int
    words: str
    instead: str
    changes: tuple[tuple[str, int, int], ...]


def hand_rows(stream: Stream, number: int | None = None, *, tricks: bool = True) -> list[HandRow]:
    """Return the hands of a match, the first first, or only one; without `tricks` none of them tells its tricks."""
    table = stream.table
    leads = [seq for seq, event in unroll(stream.heads[-1]) if isinstance(event, ev.Play)] if tricks else []
    return [_hand(table, hand, leads, tricks) for hand in table.hands if number in (None, hand.number)]


def violation_rows(stream: Stream, secrets: Secrets | None = None) -> list[ViolationRow]:
    """Return the violations of a match in the order of their events, without those that are secret."""
    table = stream.table
    cards = drawn(table.pack)
    counted = dict(unroll(stream.heads[-1])) if table.violations else {}
    rows = []
    for found in table.violations:
        if secrets is not None and secrets.covers(found.seq):
            continue
        event = counted[found.seq]
        played = event.card if isinstance(event, ev.Play | ev.Give) else None
        legal = tuple(cards[face] for face in sorted(found.legal, key=table.pack.of.__getitem__))
        rows.append(ViolationRow(found.seq, found.seat, ev.type_of(event), cards.get(played or ""), found.rule, legal))
    return rows


def correction_rows(stream: Stream, secrets: Secrets | None, names: Sequence[str]) -> list[CorrectionRow]:
    """Return the corrections of a match in their order, without cards that are secret; `names` by seat."""
    return [_correction(made, names, secrets) for made in stream.corrections]


def _correction(made: Correction, players: Sequence[str], secrets: Secrets | None) -> CorrectionRow:
    seq, correction, replaced, before, after = made
    about = correction.to if isinstance(correction, ev.Retract) else correction.about
    event: ev.Event = correction
    if secrets is not None:
        event, replaced = secrets.public(event, seq), replaced and secrets.public(replaced, about)
    changes = tuple((player, old, new) for player, old, new in zip(players, before, after, strict=True) if old != new)
    return CorrectionRow(seq, about, told(event, players), told(replaced, players) if replaced else "", changes)


def remark_rows(rows: Sequence[Stored], players: Sequence[str]) -> list[tuple[int, str]]:
    """Return what was recorded beside the play, in words: notes, and an early end."""
    # Lines are canonical, their type comes first: no need to read them all.
    kinds = ('{"type":"note"', '{"type":"end"')
    return [(row.seq, told(decode_one(row.line), players)) for row in rows if row.line.startswith(kinds)]


def unjudged(hands: list[HandRow]) -> list[int]:
    """Return the numbers of the hands of which not everything could be judged."""
    return [hand.number for hand in hands if hand.ended != ENDED["play"]]


def _hand(table: Table, hand: Hand, leads: list[int], tricks: bool) -> HandRow:
    """`leads` are the numbers of all plays of the match; those of a trick follow one another."""
    ended = ended_by(hand)
    words = ENDED[ended] if ended else "under way" if table.status == "open" else "cut short"
    shown: tuple[TrickRow, ...] = ()
    if tricks:
        first = bisect_left(leads, hand.first)
        shown = tuple(
            _trick(table, number, leads[first + (number - 1) * table.n], trick)
            for number, trick in enumerate(hand.tricks, 1)
        )
    return HandRow(
        hand.number, hand.first, hand.dealer, words, hand.hidden, hand.scores, hand.totals, shown, _facts(hand)
    )


def _trick(table: Table, number: int, seq: int, trick: Trick) -> TrickRow:
    leader, played, taker, rule = trick
    cards = drawn(table.pack)
    by_seat = (cards[table.pack.faces[played[(seat - leader) % table.n]]] for seat in range(table.n))
    return TrickRow(number, seq, tuple(by_seat), leader, taker, rule)


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


def minus(number: float | str) -> str:
    r"""Return a number with a minus sign that is one, as long as a plus sign.

    >>> ascii(minus(-20)), minus(20)
    ("'\\u221220'", '20')
    """
    return str(number).replace("-", "\u2212")
