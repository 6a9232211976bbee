"""A hand of bridge with all cards open: what a solver must know of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.engine import events as ev
from cardledger.rules.games.bridge.auction import BridgeHand
from cardledger.rules.games.bridge.scoring import Contract
from cardledger.rules.stream import Stream, unroll

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

NO_TRUMP = 4


class OpenPlay(NamedTuple):
    """A card played: event `seq` of the match."""

    seq: int
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A finished hand whose cards are all known.

    `vulnerable` is the set of vulnerable sides. `contract` and `declarer` are None and −1 if nobody bid. `tricks` are
    those of the declarer's side as they fell, before any ruling, `plays` the cards up to the first that the rules do
    not allow.
    """

    hand: int
    first_seq: int
    dealer: int
    vulnerable: int
    hands: tuple[tuple[str, ...], ...]
    contract: Contract | None
    declarer: int
    tricks: int | None
    plays: tuple[OpenPlay, ...]

    @property
    def deal_key(self) -> str:
        """A hash of the cards."""
        return hashlib.sha256("/".join(map("".join, self.hands)).encode()).hexdigest()[:32]

    @property
    def play_key(self) -> str:
        """A hash of the cards, the strain, the declarer and the cards played."""
        cards = "".join(play.card for play in self.plays)
        return hashlib.sha256(f"{self.deal_key} {self.contract} {self.declarer} {cards}".encode()).hexdigest()[:32]


def open_deals(stream: Stream) -> Iterator[OpenDeal]:
    """Yield the finished hands of a match whose cards are all known; none for a match of another game."""
    table = stream.table
    if table.game.hand is not BridgeHand:
        return
    by_hand: list[list[tuple[int, ev.Event]]] = []
    for seq, event in unroll(stream.heads[-1])[1:]:
        if isinstance(event, ev.Deal):
            by_hand.append([])
        if by_hand:
            by_hand[-1].append((seq, event))
    for hand, events in zip(table.hands, by_hand, strict=True):
        found = None if hand.scores is None else _open(table, hand, events)
        if found is not None:
            yield found


def _open(table: Match[Any], hand: BridgeHand, events: Sequence[tuple[int, ev.Event]]) -> OpenDeal | None:
    deal = events[0][1]
    assert isinstance(deal, ev.Deal)
    plays = [OpenPlay(seq, event.seat, event.card) for seq, event in events if isinstance(event, ev.Play)]
    held: list[list[str]] = [[], [], [], []]
    if deal.hands is not None:
        held = [list(cards) for cards in deal.hands]
    else:
        for play in plays:
            held[play.seat].append(play.card)
    if any(len(cards) != 13 for cards in held):
        return None
    place = {face: number for number, face in enumerate(table.pack.faces)}
    hands = tuple(tuple(sorted(cards, key=place.__getitem__)) for cards in held)
    declared = hand.declarer >= 0
    side = hand.declarer % 2
    known = declared and (hand.claimed is not None or not hand.tricks_left)
    return OpenDeal(
        hand.number, hand.first, hand.dealer, hand.vulnerable, hands,
        Contract(hand.level, hand.strain, hand.doubles) if declared else None, hand.declarer,
        hand.taken[side] + hand.taken[side + 2] if known else None,
        tuple(_legal(hands, hand.strain, (hand.declarer + 1) % 4, plays)) if declared else (),
    )  # fmt: skip


def _legal(hands: Sequence[Sequence[str]], strain: int, leader: int, plays: Sequence[OpenPlay]) -> Iterator[OpenPlay]:
    """Yield cards played in turn, up to the first lead out of turn or revoke: a solver knows only the rules."""
    left = [set(cards) for cards in hands]
    trick: list[OpenPlay] = []
    turn = leader
    for play in plays:
        suit = trick[0].card[1] if trick else play.card[1]
        revokes = play.card[1] != suit and any(card[1] == suit for card in left[play.seat])
        if play.seat != turn or play.card not in left[play.seat] or revokes:
            return
        yield play
        left[play.seat].remove(play.card)
        trick.append(play)
        turn = (turn + 1) % 4
        if len(trick) == 4:
            turn, trick = _taker(trick, strain), []


def _taker(trick: Sequence[OpenPlay], strain: int) -> int:
    trump, led = "CDHS "[strain], trick[0].card[1]
    return max(
        trick, key=lambda play: (play.card[1] == trump, play.card[1] == led, "23456789TJQKA".index(play.card[0]))
    ).seat
