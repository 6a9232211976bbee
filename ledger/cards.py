"""Packs of cards: a card is a small int, a set of cards an int bitmask, a face the text people write."""

from __future__ import annotations

from functools import cache

SUITS = "CDHS"
"""Suits of the standard pack in the hierarchy of the rulebook, lowest first."""
RANKS = "23456789TJQKA"
"""Ranks of the standard pack, lowest first."""
FIVE_SUITS = "RYGBP"
"""Suits of the `poison-hearts` pack: red, yellow, green, blue, purple."""
COLOURS = ("red", "orange", "yellow", "green", "cyan", "blue", "violet", "pink", "brown", "grey")
"""Colours of the Hectoedra cards in the order of the hectoindex."""


class Pack:
    """All cards of a game.

    `faces[card]` is the text of a card, `ranks[card]` its height, `suits[card]` the bitmask of its suits
    (bit 0 is the lowest suit; some cards are of two suits), `mask[face]` all cards that bear a face (twins share
    one), `of[face]` the lowest of them and its bit, `bits[card]` the set of just one card, `alike[card]` all cards with
    its face, `kin[card]` all that share a suit with it, `suit_masks[suit]` all cards of a suit, `full` all.
    """

    def __init__(self, cards: list[tuple[str, int, int]], suit_names: tuple[str, ...] | str) -> None:
        """Build a pack of `(face, suits bitmask, rank)` in the order of the cards' ints."""
        self.suit_names = suit_names
        self.faces = [face for face, _, _ in cards]
        self.suits = [suits for _, suits, _ in cards]
        self.ranks = [rank for _, _, rank in cards]
        self.full = (1 << len(cards)) - 1
        self.mask: dict[str, int] = {}
        for card, face in enumerate(self.faces):
            self.mask[face] = self.mask.get(face, 0) | 1 << card
        self.bits = [1 << card for card in range(len(cards))]
        self.alike = [self.mask[face] for face in self.faces]
        self.of = {face: (card, 1 << card) for card, face in reversed([*enumerate(self.faces)])}
        self.suit_masks = [
            sum(1 << card for card, suits in enumerate(self.suits) if suits >> suit & 1)
            for suit in range(len(suit_names))
        ]
        self.kin = [sum(1 << card for card, other in enumerate(self.suits) if suits & other) for suits in self.suits]

    def show(self, mask: int) -> tuple[str, ...]:
        """Return the faces in a set of cards, each once, in plain string order."""
        return tuple(sorted({self.faces[card] for card in cards_in(mask)}))

    def list(self, mask: int) -> list[str]:
        """Return the faces in a set of cards, twins twice, in the order of the pack."""
        return [self.faces[card] for card in cards_in(mask)]


def cards_in(mask: int) -> list[int]:
    """Return the cards of a set, lowest first."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


@cache
def standard_pack() -> Pack:
    """Return the 52 cards, suit by suit (C D H S), twos low and aces high."""
    return Pack(
        [(rank + suit, 1 << s, r) for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)],
        SUITS,
    )


# Cards of two suits, so that every pair of suits comes once: 6s join neighbours in the cycle R-Y-G-B-P-R, 7s suits two apart.
_DOUBLE_SIXES = ("RY", "YG", "GB", "BP", "RP")
_DOUBLE_SEVENS = ("RG", "YB", "GP", "RB", "YP")


@cache
def five_suit_pack(double_suits: bool) -> Pack:
    """Return the 60 cards of `poison-hearts`: in each suit 1 1 2 2 3 3 4 4 5 6 7 8 (6s and 7s of two suits on demand)."""
    cards = []
    for s, suit in enumerate(FIVE_SUITS):
        for value in (1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8):
            letters = suit
            if double_suits and value == 6:
                letters = _DOUBLE_SIXES[s]
            elif double_suits and value == 7:
                letters = _DOUBLE_SEVENS[s]
            suits = sum(1 << FIVE_SUITS.index(letter) for letter in letters)
            cards.append((f"{letters}{value}", suits, value))
    return Pack(cards, FIVE_SUITS)


@cache
def hecto_pack(layout: str) -> Pack:
    """Return the 80 cards of `hecto-diversity`; a suit is a colour, a rank the main index. `layout` is `8x10` or `10x8`."""
    colours, values = (8, 10) if layout == "8x10" else (10, 8)
    cards = []
    for h in range(80):
        colour, value = (h // values, h % values + 1) if colours == 8 else (h % colours, h // colours + 1)
        cards.append((str(h + 1), 1 << colour, value))
    return Pack(cards, COLOURS[:colours])
