"""The table of deals: a hash of the cards of each hand, whatever the seats, to find the same deal at other tables."""

import hashlib
from collections.abc import Iterator, Sequence

from cardledger.record.readmodels.columns import HAND, MATCH
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.state import Hand
from cardledger.rules.stream import Stream, unroll


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the deals of a match whose cards are known: as recorded, or rebuilt from the plays."""
    stream = match.stream
    hands = stream.table.hands[since - 1 :]
    counts = counting(stream) if hands else None
    for hand in hands:
        dealt, recorded = cards_dealt(stream, hand, counts)
        if dealt is not None:
            yield match.id, hand.number, _name(dealt), recorded


def counting(stream: Stream) -> dict[int, ev.Event] | None:
    """Return the events that count by number, None if all recorded ones do as they stand."""
    return dict(unroll(stream.heads[-1])) if stream.corrections else None


def cards_dealt(
    stream: Stream, hand: Hand, counting: dict[int, ev.Event] | None
) -> tuple[Sequence[Sequence[str]] | None, bool]:
    """Return the cards of a deal by seat, None if they are not known, and whether they were recorded."""
    deal = stream.events[hand.first - 1] if counting is None else counting[hand.first]
    assert isinstance(deal, ev.Deal)
    return deal.hands or _played(stream, hand, counting), deal.hands is not None


def _played(stream: Stream, hand: Hand, counting: dict[int, ev.Event] | None) -> Sequence[Sequence[str]] | None:
    """Return the cards dealt in a hidden hand, from its plays; cards given away count for the giver.

    None if not every card was seen: the hand is under way, was cut short, or had a stock.
    """
    table = stream.table
    if hand.scores is None or hand.agreed or hand.claimed is not None or not hand.tricks or hand.last is None:
        return None
    if table.game.deal.left_over not in ("", "named"):
        return None
    held = [0] * table.n
    for seats, cards, *_ in hand.tricks:
        for seat, card in zip(seats, cards, strict=True):
            held[seat] |= 1 << card
    for seq in range(hand.last, hand.first, -1):
        event = stream.events[seq - 1] if counting is None else counting.get(seq)
        if isinstance(event, ev.Discard):
            return None  # a discarded card may never be shown
        if isinstance(event, ev.Give):
            faces = (event.card,) if isinstance(event.card, str) else event.cards
            if not isinstance(faces, tuple):
                return None  # the cards given were not seen
            for face in faces:
                bit = table.pack.mask[face] & held[event.to]
                held[event.to] ^= bit & -bit
                held[event.seat] |= bit & -bit
    return [table.pack.list(cards) for cards in held]


def _name(hands: Sequence[Sequence[str]]) -> str:
    """Return a hash of the cards of a deal, the same for any order of the seats and in any game."""
    text = " ".join(sorted(",".join(sorted(hand)) for hand in hands))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


DEALS = ReadModel(
    "deals",
    "Every deal whose cards are known, including those of void matches.",
    {
        "match": MATCH,
        "hand": HAND,
        "cards_hash": ("TEXT NOT NULL", "a hash of the cards, equal for the same hands, wherever they were dealt"),
        "recorded": ("BOOLEAN NOT NULL", "1 if the deal was recorded, 0 if the cards follow from the play"),
    },
    ("match", "hand"),
    rows,
    lists_void=True,
)
