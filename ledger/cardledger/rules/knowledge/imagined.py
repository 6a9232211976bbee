"""A hand as a seat may imagine it: the same to that seat, with the cards that it has not seen dealt in another way.

So moves can be tried from a seat's view: what another player could do is played from a deal in which they can, and
nothing follows from it about the cards that they truly held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardledger.errors import LedgerError, RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.deals import PossibleDeals
from cardledger.rules.engine.keys import cards_in as card_keys
from cardledger.rules.knowledge.possible_worlds import PossibleWorlds
from cardledger.rules.knowledge.seat_knowledge import followed, knowledge
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.rules.engine.cards import Pack
    from cardledger.rules.engine.match import Match

DRAWS: Final = 60
"""How many deals are drawn in all until one lets the others make their moves within the rules."""


class Imagined:
    """The deals that a seat may imagine at the end of some events, and moves tried in one of them.

    `held` are cards that a place has because a move needs them there, `void` those that a seat has shown not to hold.
    `hints` are cards without which a seat would have kept the rules in a deal that was drawn: deals are drawn without
    them there while any fits. So a deal is found soon, and not every one that fits is as likely.
    """

    def __init__(self, events: Sequence[ev.Event], seat: int) -> None:
        """Begin with the events of a match.

        Raises RuleError `deal.hidden` if the cards were not recorded, or nobody holds any.
        """
        self.events, self.seat = events, seat
        stream = Stream.of(events)
        match, seen, _ = followed(stream, stream.seq)
        if match.hidden or match.hand.over or not any(match.hand.held):
            raise RuleError("deal.hidden", Sentence("the cards of this hand were not recorded, so none can be tried"))
        worlds = PossibleWorlds(match, seat, seen)
        self.first = match.hand.first
        self.broken = len(match.violations)
        self.moment = match.hand.moment, match.hand.turn
        self.pack: Pack = match.pack
        self.true = worlds.hidden
        self.unseen = worlds.deals.cards
        self.taken_up = seen.taken_up
        self._before = Stream.of(events[: self.first - 1])
        self._seen_void = [*seen.void] if worlds.kept else [0] * match.n
        self._begin()

    def _begin(self) -> None:
        """Forget what moves showed that were tried before."""
        self.held = [0] * len(self.true)
        self.void = [*self._seen_void]
        self.hints = [0] * len(self.void)
        self.draws = DRAWS

    def stream(self, chance: Chance) -> Stream:
        """Return the match in a deal that fits what the seat has seen.

        Raises RuleError `table.holding` if none was found in which the others kept the rules.
        """
        while self.draws:
            self.draws -= 1
            swap = self._drawn(chance)
            stream = self._before.copy()
            try:
                stream.extend(self._swapped(swap))
            except RuleError as error:
                self._hint(error.seat, error.legal)
                continue
            hand, broken = stream.table.hand, stream.table.violations
            if len(broken) > self.broken:
                self._hint(broken[-1].seat, broken[-1].legal)
            elif (hand.moment, hand.turn) == self.moment:
                return stream
        raise self._impossible()

    def _hint(self, seat: int | None, legal: Sequence[str]) -> None:
        """Without the cards that were legal, a seat keeps the rule: draws go on without them there while that fits."""
        if seat is not None and seat != self.seat:
            for face in legal:
                self.hints[seat] |= self.pack.mask.get(face, 0)

    def _drawn(self, chance: Chance) -> dict[int, int]:
        """Return for each unseen card another one, so that each place has those of a deal that fits."""
        fixed = self._fixed()
        needs = [true.bit_count() - held.bit_count() for true, held in zip(self.true, self.held, strict=True)]
        if min(needs) < 0:
            raise self._impossible()
        for hints in (self.hints, [0] * len(self.hints)):
            barred = [*(void | hint for void, hint in zip(self.void, hints, strict=True)), self.taken_up, 0]
            deals = PossibleDeals(self.unseen & ~fixed, needs, barred)
            if deals.fits:
                break
            self.hints = [0] * len(self.hints)
        if not deals.fits:
            raise self._impossible()
        swap: dict[int, int] = {}
        for true, held, drawn in zip(self.true, self.held, deals.draw(chance), strict=True):
            instead = cards_in(held | drawn)
            chance.shuffle(instead)
            swap.update(zip(cards_in(true), instead, strict=True))
        return swap

    def _impossible(self) -> RuleError:
        return RuleError("table.holding", Sentence("no deal was found that fits what was seen and lets them do this"))

    def _swapped(self, swap: dict[int, int]) -> list[ev.Event]:
        """Return the events of the hand under way with unseen cards swapped."""
        faces, masks = self.pack.faces, self.pack.mask
        alone = {face: cards.bit_length() - 1 for face, cards in masks.items() if cards.bit_count() == 1}

        def other(face: str) -> str:
            card = alone.get(face)
            return face if card is None else faces[swap.get(card, card)]

        deal, *later = self.events[self.first - 1 :]
        swapped = [_with_faces(event, other) for event in (deal, *later)]
        if len(alone) < len(masks):  # twins: which of two was dealt, only the hands tell
            dealt = self._before.copy()
            dealt.append(deal)
            hands = tuple(
                tuple(faces[swap.get(card, card)] for card in cards_in(held)) for held in dealt.table.hand.held
            )
            swapped[0] = msgspec.structs.replace(swapped[0], hands=hands)
        return swapped

    def tried(self, moves: Sequence[ev.Event], seed: str) -> Stream:
        """Return the match after moves, in a deal in which the others can make theirs; the same for the same seed.

        A draw from the stock without its cards draws what lies there in that deal. Raises the error of the first move
        that is refused, with its `index`.
        """
        self._begin()
        chance = Chance.of(seed)
        while True:  # `stream` draws so often at most
            stream = self.stream(chance)
            if self.played(stream, moves):
                return stream

    def played(self, stream: Stream, moves: Sequence[ev.Event]) -> bool:
        """Play the moves; False if another deal is wanted, in which what was learned from them holds."""
        for index, move in enumerate(moves):
            table, seat = stream.table, getattr(move, "seat", None)
            event = _filled(table, move)
            others = seat is not None and self.seat not in (seat, table.hand.acts_for[seat])
            if seat is not None and others and self._learn(table, event, seat):
                return False
            broken = len(table.violations)
            try:
                stream.append(event)
            except RuleError as error:
                if others and not error.code.startswith("table."):
                    self._hint(seat, error.legal)
                    return False
                error.index = index
                raise
            except LedgerError as error:
                error.index = index
                raise
            if others and len(stream.table.violations) > broken:
                self._hint(seat, stream.table.violations[-1].legal)
                return False
        return True

    def _learn(self, table: Match[Any], event: ev.Event, seat: int) -> bool:
        """Learn from a move of another seat what it must hold or cannot hold; True if this deal is another one."""
        if isinstance(event, ev.Draw):
            return False
        for face in _faces(event):
            cards = self.pack.mask.get(face, 0)
            if cards and not table.hand.held[seat] & cards and (free := cards & self.unseen & ~self._fixed()):
                self.held[seat] |= free & -free
                return True
        denied = table.phase.denied(table, table.hand, event) & table.hand.held[seat] & self.unseen
        self.void[seat] |= denied
        return denied != 0

    def _fixed(self) -> int:
        fixed = 0
        for cards in self.held:
            fixed |= cards
        return fixed


def possible_faces(stream: Stream, seat: int, other: int) -> list[str]:
    """Return the faces of the cards that another seat may hold as far as a seat can know, in the order of the pack."""
    told = knowledge(stream, seat)
    may = {one.face for one in told.unseen if one.shares.get(other, 0) > 0} | {*told.known[other]}
    return [face for face in dict.fromkeys(stream.table.pack.faces) if face in may]


def _filled(table: Match[Any], move: ev.Event) -> ev.Event:
    """Return a draw from the stock with the cards that lie there."""
    if not (isinstance(move, ev.Draw) and move.cards is None):
        return move
    for choice in table.choices():
        if choice.type == ev.type_of(move) and choice.cards:
            return msgspec.structs.replace(move, cards=tuple(choice.cards[: choice.count or 1]))
    return move


def _faces(event: ev.Event) -> list[str]:
    """Return the faces of the cards in an event."""
    found: list[str] = []
    for key in card_keys(type(event)):
        _collect(getattr(event, key, None), found)
    return found


def _collect(value: Any, found: list[str]) -> None:
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, tuple | list):
        for each in value:
            _collect(each, found)


def _with_faces(event: ev.Event, other: Callable[[str], str]) -> ev.Event:
    """Return an event with other faces, and the event within an amendment."""
    if isinstance(event, ev.Amend):
        return msgspec.structs.replace(event, event=_with_faces(event.event, other))
    up = getattr(event, "upcard", None)
    keep = up if isinstance(up, str) else None  # everybody saw it, in whatever hand it is now

    def beside(face: str) -> str:
        found = other(face)
        return found if keep is None or found != keep else other(found)

    changed = {key: _mapped(getattr(event, key), beside) for key in card_keys(type(event)) if key != "upcard"}
    return msgspec.structs.replace(event, **changed) if changed else event


def _mapped(value: Any, other: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return other(value)
    if isinstance(value, tuple | list):
        return tuple(_mapped(each, other) for each in value)
    return value
