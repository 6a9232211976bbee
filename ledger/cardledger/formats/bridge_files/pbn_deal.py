"""The deal of a PBN game: its four hands."""

from __future__ import annotations

from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.notation import FACES, NAMES, NUMBERS, PACK, SEATS, SUITS
from cardledger.formats.bridge_files.pbn_game import EMPTY

_CARD_OF = {suit: {letter: NUMBERS[letter.upper() + suit] for letter in "23456789TtJjQqKkAa"} for suit in SUITS}
_HOLDINGS: dict[str, dict[str, tuple[list[str], int]]] = {suit: {"": ([], 0)} for suit in SUITS}
"""Holdings in a suit that have been read: there are few, and they come again and again."""
_MANY = 20_000


def read_deal(board: Board, value: str) -> None:
    """Read the hands; what is no deal is kept as an extra."""
    if value in EMPTY:
        return
    hands: list[list[str]] = [[], [], [], []]
    held = [0, 0, 0, 0]
    seat = SEATS.find(value[:1].upper())
    parts = value[2:].split()
    everything, why = 0, ""
    if seat < 0 or value[1:2] != ":" or len(parts) != 4:
        why = "a deal names a seat and has four hands, as N:AKQ.432.J98.T765 and so on"
    elif "-" in parts:
        board.extras.append(("tag", "Deal", value))
        return
    else:
        for place, part in enumerate(parts):
            holder = (seat + place) % 4
            suits = part.split(".")
            if len(suits) != 4:
                why = f"the hand of {NAMES[holder]} has not four suits with points between them"
                break
            faces, cards = hands[holder], 0
            for suit, ranks in zip("SHDC", suits, strict=True):
                holding = _HOLDINGS[suit].get(ranks) or _holding(suit, ranks)
                if holding is None:
                    why = f"{ranks!r} is no holding in a suit"
                    break
                faces += holding[0]
                cards |= holding[1]
            if not why and (len(faces) != 13 or cards.bit_count() != 13 or everything & cards):
                why = f"the hand of {NAMES[holder]} has not thirteen cards of its own"
            if why:
                break
            everything |= cards
            held[holder] = cards
        if not why and everything != PACK:
            why = "the hands are not the pack"
    if why:
        board.extras.append(("tag", "Deal", value))
        board.tell("pbn.deal", f"{why}: the hands are taken as unknown", "Deal")
        return
    board.hands, board.held = hands, held


def _holding(suit: str, ranks: str) -> tuple[list[str], int] | None:
    """Return the cards of a suit in a hand, as faces and as a set; None if they cannot be read."""
    numbers = [_CARD_OF[suit].get(rank, -1) for rank in ranks.replace("10", "T")]
    if -1 in numbers or len(numbers) > 13:
        return None
    holding = [FACES[number] for number in numbers], sum(1 << number for number in {*numbers})
    if len(_HOLDINGS[suit]) < _MANY:
        _HOLDINGS[suit][ranks] = holding
    return holding
