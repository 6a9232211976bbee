"""Seats, cards, calls and contracts as files of bridge write them, and as events name them."""

from __future__ import annotations

import re
from typing import Final

SEATS: Final = "NESW"
"""The letters of the seats, by number."""
NAMES: Final = ("North", "East", "South", "West")
SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
FACES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The faces of the cards by number: 13 times the suit, and the rank in it."""
NUMBERS: Final = {face: number for number, face in enumerate(FACES)}
PACK: Final = (1 << 52) - 1
STRAINS: Final = ("C", "D", "H", "S", "NT")
BIDS: Final = tuple(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS)
"""The bids, lowest first."""
RANK_OF: Final = {bid: place for place, bid in enumerate(BIDS)}
PASS, DOUBLE, REDOUBLE = "pass", "double", "redouble"
_PASSES = ("Pass", "PASS", "pass", "P", "p", "Pas", "PAS", "pas")
_DOUBLES = ("X", "x", "D", "d", "Dbl", "DBL", "dbl", "Double", "DOUBLE", "double")
_REDOUBLES = ("XX", "xx", "Xx", "R", "r", "Rdbl", "RDBL", "rdbl", "Redouble", "REDOUBLE", "redouble")
_BIDS = ((bid, {bid, bid[:2]}) for bid in BIDS)
CALLS: Final = {
    **dict.fromkeys(_PASSES, PASS), **dict.fromkeys(_DOUBLES, DOUBLE), **dict.fromkeys(_REDOUBLES, REDOUBLE),
    **{word: bid for bid, words in _BIDS for each in words for word in (each, each.lower(), each[:2] + each[2:].lower())},
}  # fmt: skip
"""The calls by all the words that files use for them."""
CARDS: Final = {
    word: number
    for number, face in enumerate(FACES)
    for rank, suit in ((face[0], face[1]),)
    for letters in ((rank, "10") if rank == "T" else (rank,))
    for word in (suit + letters, suit + letters.lower(), suit.lower() + letters, suit.lower() + letters.lower())
}
"""The numbers of cards by all the words that files use for them: suit and rank."""
VULNERABLE: Final = (
    "none", "ns", "ew", "both", "ns", "ew", "both", "none", "ew", "both", "none", "ns", "both", "none", "ns", "ew",
)  # fmt: skip
"""Who is vulnerable on boards 1 to 16; then it begins again (Law 2)."""
VULNERABILITIES: Final = {
    "none": "none", "-": "none", "love": "none", "o": "none", "0": "none", "ns": "ns", "n-s": "ns", "n": "ns",
    "ew": "ew", "e-w": "ew", "e": "ew", "all": "both", "both": "both", "b": "both",
}  # fmt: skip
_CONTRACT = re.compile(r"([1-7])\s*(NT?|S|H|D|C)\s*(XX?|\*\*?|DBL|RDBL)?", re.IGNORECASE | re.ASCII)
_DOUBLED = {"X": "X", "*": "X", "DBL": "X", "XX": "XX", "**": "XX", "RDBL": "XX"}
_PASSED = frozenset({"PASS", "PAS", "P", "PASSED", "PASSED OUT", "AP", "ALL PASS"})


def dealer_of(board: int) -> int:
    """Return the dealer of a board by its number."""
    return (board - 1) % 4


def vulnerable_on(board: int) -> str:
    """Return who is vulnerable on a board by its number."""
    return VULNERABLE[(board - 1) % 16]


def seat_of(text: str) -> int | None:
    """Return the seat of a letter or a name, None if it is neither.

    >>> seat_of("S"), seat_of("West"), seat_of("?")
    (2, 3, None)
    """
    seat = SEATS.find(text[:1].upper()) if text else -1
    return seat if seat >= 0 and (len(text) == 1 or text.lower() == NAMES[seat].lower()) else None


def contract_of(text: str) -> str | None:
    """Return a contract as events name it, `pass` for a board passed out, None for text that is no contract.

    >>> contract_of("3N"), contract_of("4sxx"), contract_of("PAS"), contract_of("8C")
    ('3NT', '4SXX', 'pass', None)
    """
    text = text.strip()
    if text.upper() in _PASSED:
        return PASS
    match = _CONTRACT.fullmatch(text)
    if match is None:
        return None
    level, strain, doubled = match.groups()
    return f"{level}{strain[0].upper()}{'T' if strain[0] in 'Nn' else ''}{_DOUBLED[doubled.upper()] if doubled else ''}"


def trump_of(contract: str) -> int | None:
    """Return the number of the trump suit, None for no trump."""
    suit = SUITS.find(contract[1])
    return None if suit < 0 else suit


def side_of(seat: int) -> str:
    """Return the side of a seat."""
    return ("ns", "ew")[seat % 2]
