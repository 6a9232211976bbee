"""From faces to cards: checks the faces in an event and finds the cards of the hand or deck that they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import Pack
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


def parse_cards(pack: Pack, faces: tuple[str, ...], free: int) -> int:
    """Return the set of cards with these faces out of `free`; raises RuleError `table.deck` for any that is missing."""
    masks = pack.mask
    if len(masks) == len(pack.faces):
        cards = 0
        try:
            for face in faces:
                cards |= masks[face]
            if cards.bit_count() == len(faces) and cards & free == cards:
                return cards
        except KeyError:
            pass
    # Twins, or an error: check card by card.
    left = free
    for face in faces:
        bit = masks.get(face, 0) & left
        if not bit:
            gone, unknown = Sentence("{face!r} cannot be there"), Sentence("{face!r} is not a card of this game")
            raise RuleError("table.deck", Sentence(gone if face in masks else unknown, face=face))
        left ^= bit & -bit
    return free ^ left


def unseen_draw(match: Match[Any], event: ev.Draw, top: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the faces of a draw whose cards are null.

    `top`, the next cards of a stock whose order is recorded, or None.

    Raises FormatError `format.value` for null where the cards are known.
    """
    if event.source != "stock":
        raise FormatError("format.value", f"cards is null, but all have seen the {event.source}: name the card")
    if not match.hidden:
        raise FormatError("format.value", "cards is null, but the hands are known: name the cards")
    return top


def twin(match: Match[Any], seat: int, held: int, face: str) -> tuple[int, int]:
    """Return the held card of a face whose lowest card is not held, and its bit; refuses a face not held."""
    bit = held & match.pack.mask[face]
    if not bit:
        lacks(match, seat, face)
    card = bit.bit_length() - 1
    return card, 1 << card


def lacks(match: Match[Any], seat: int, face: str) -> NoReturn:
    """Refuse a card the seat does not hold."""
    if face not in match.pack.mask:
        match.refuse("table.holding", Sentence("{face!r} is not a card of {game}", face=face, game=match.game.id), seat)
    match.refuse("table.holding", Sentence("{who} does not hold {face}", who=match.who(seat), face=face), seat)
