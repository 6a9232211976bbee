"""What a seat can know at a moment: where each unseen card can be, must be, and how often it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.events import Deal, Open, Play
from cardledger.rules.games import start
from cardledger.rules.knowledge.possible_worlds import Knowledge, PossibleWorlds
from cardledger.rules.knowledge.unrecorded import whereabouts
from cardledger.rules.stream import unroll
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream


Denied = tuple[int, int, int]
"""The number of an event, a seat, and the cards that the event showed the seat not to hold."""


class CardKnowledge(NamedTuple):
    """Where an unseen card is: the share of all deals in which it is in each place.

    Twins have one face: each is a card of its own here. A place is a seat, or the number of seats for the stock, or the
    cards that nobody has. A share of 1 is certain; a place that is not there cannot hold the card.
    """

    face: str
    shares: dict[int, float]


class Denial(NamedTuple):
    """An event after which a seat cannot hold unseen cards, such as those of a suit that it did not follow."""

    seq: int
    seat: int
    faces: list[str]


class SeatKnowledge(NamedTuple):
    """What a seat can know: the cards that it knows by place, and every unseen card.

    `sizes` are the numbers of unseen cards by place; cards that others pass face down count in their hands until they
    arrive, and a card that somebody laid away face down is with those that nobody has. `deals` is the number of deals
    that fit, cards of one face told apart. It is assumed that players kept the rules until a play shows that one did
    not: then nothing is taken from what that player did not play before, nor from any if no deal fits. Bids and plays say no more than the rules make
    them say. `denials` are the events that showed what another seat does not hold, as far as the cards are still
    unseen.

    `recorded` is False where the cards dealt were not recorded. Nobody knows then what the seat saw in its own hand:
    the answer is what follows from the record for everybody, and the seat's own cards are among the unseen ones. A size
    may be a mean there, where a tie may or may not have left the hands.
    """

    seat: int
    known: list[list[str]]
    sizes: Sequence[float]
    unseen: list[CardKnowledge]
    deals: int
    denials: list[Denial]
    recorded: bool


def knowledge(stream: Stream, seat: int, at: int | None = None) -> SeatKnowledge:
    """Return what a seat can know after an event, or after the last one; corrections before it count.

    Raises RuleError `deal.hidden` if no cards are dealt.
    """
    match, seen, denied = followed(stream, stream.seq if at is None else at)
    if match.hidden:
        return _unrecorded(match, seat, seen, denied)
    hand = match.hand
    if not any(hand.held):
        raise RuleError("deal.hidden", Sentence("nobody holds cards at this moment, so there is nothing to know"))
    worlds = PossibleWorlds(match, seat, seen)
    *sizes, laid_away = worlds.deals.needs
    sizes[-1] += laid_away
    faces = match.pack.faces
    return SeatKnowledge(
        seat,
        [[faces[card] for card in cards_in(mine)] for mine in worlds.seen],
        sizes,
        [
            CardKnowledge(faces[card], _by_place(share, match.n))
            for card, share in sorted(worlds.deals.shares().items())
        ],
        worlds.deals.number,
        [
            Denial(seq, who, match.pack.list(cards & worlds.deals.cards))
            for seq, who, cards in (denied if worlds.kept else ())
            if cards & worlds.deals.cards and who != seat
        ],
        recorded=True,
    )


def _unrecorded(match: Match[Any], seat: int, seen: Knowledge, denied: Sequence[Denied]) -> SeatKnowledge:
    """Return what follows from the record of a hand whose cards were not recorded.

    Raises RuleError `deal.hidden` if the record holds no cards at all.
    """
    found = whereabouts(match, seen.void)
    if found is None:  # somebody broke a rule: nothing is taken from what was not played
        found, denied = whereabouts(match, [0] * match.n), ()
    if found is None or not (found.shares or any(found.known)):
        raise RuleError("deal.hidden", Sentence("nobody holds cards at this moment, so there is nothing to know"))
    faces, unseen = match.pack.faces, 0
    for card in found.shares:
        unseen |= 1 << card
    return SeatKnowledge(
        seat,
        [match.pack.list(cards) for cards in found.known],
        found.sizes(match.n + 1),
        [CardKnowledge(faces[card], share) for card, share in sorted(found.shares.items())],
        found.deals,
        [Denial(seq, who, match.pack.list(cards & unseen)) for seq, who, cards in denied if cards & unseen],
        recorded=False,
    )


def _by_place(share: dict[int, float], n: int) -> dict[int, float]:
    """Return the share of a card by place: those in nobody's hand are one place, however they came there."""
    found = {place: some for place, some in share.items() if place < n}
    beside = sum(some for place, some in share.items() if place >= n)
    return found | {n: beside} if beside else found


def followed(stream: Stream, at: int) -> tuple[Match[Any], Knowledge, list[Denied]]:
    """Return a match as it was after an event, what its seats had seen, and the events that denied cards.

    Each of the latter has its number, its seat, and the cards that the seat was not known before to lack.
    """
    head = stream.heads[at - 1]
    (_, opening), *events = unroll(head)
    assert isinstance(opening, Open)
    match = start(opening)
    dealt = next((at for at in reversed(range(len(events))) if isinstance(events[at][1], Deal)), 0)
    for seq, event in events[:dealt]:  # a deal ends what was known before it
        match.apply(event, seq)
    seen, before = Knowledge(match.n), [0] * match.n
    denied: list[Denied] = []
    for seq, event in events[dealt:]:
        seen.apply(match, event, seq)
        if isinstance(event, Play) and not match.pack.mask[event.card] & ~before[event.seat]:
            seen.void[event.seat] = 0  # it held this card all the time: it did not keep the rules before
        if seen.void == before:
            continue
        for seat, (was, now) in enumerate(zip(before, seen.void, strict=True)):
            if was & ~now:  # a card drawn, or a revoke that came to light: anything may be there
                denied = [each for each in denied if each[1] != seat]
            elif now & ~was:
                denied.append((seq, seat, now & ~was))
        before = [*seen.void]
    return match, seen, denied
