"""What a seat can know at a position of the replayer, as its page shows it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger_web.languages import _, decimal, joined
from cardledger_web.views.cards import DrawnCard, drawn, suit_signs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.match import Match
    from cardledger.rules.knowledge import SeatKnowledge


class ShareCell(NamedTuple):
    """A cell: how often an unseen card is in a place, in words, and its kind: `sure`, `never`, or nothing."""

    words: str
    kind: str


class UnseenRow(NamedTuple):
    """Unseen cards of which the same can be known, how many bear each face, and a cell for each place."""

    cards: list[DrawnCard]
    number: int
    shares: list[ShareCell]


class Told(NamedTuple):
    """An event that showed what somebody does not hold, in words."""

    seq: int
    words: str


class KnownView:
    """What a seat can know after an event.

    `places` are the places where unseen cards can be, the name of each player (None for what nobody holds), and the
    number of unseen cards there.
    """

    def __init__(self, table: Match[Any], found: SeatKnowledge, names: Sequence[str]) -> None:
        """Show what was found for a seat of a table whose players are called `names`."""
        self.found = found
        self.name = names[found.seat]
        self._names = names
        self._cards = drawn(table.pack)
        self._signs = suit_signs(table.pack)
        faces = [one.face for one in found.unseen]
        self._unseen = sorted(dict.fromkeys(faces), key=faces.index, reverse=True)
        self.places = [
            (place, names[place] if place < len(names) else None, size)
            for place, size in enumerate(found.sizes)
            if size
        ]

    @staticmethod
    def size(number: float) -> str:
        """How many unseen cards a place has, in words; a mean has a decimal."""
        return str(int(number)) if number == int(number) else decimal(f"{number:.1f}")

    def _suits(self) -> list[list[str]]:
        """The faces still out, highest first; a list for each suit of a pack of suits, one list of all otherwise."""
        groups = [[face for face in self._unseen if face in held] for held in reversed(self._signs.values())]
        return [group for group in groups if group] or [self._unseen]

    @property
    def suits(self) -> list[list[DrawnCard]]:
        """The cards still out, suit by suit."""
        return [[self._cards[face] for face in faces] for faces in self._suits()]

    @property
    def rows(self) -> list[UnseenRow]:
        """The rows, suit by suit, highest first; cards of a suit stand together where the same is known of them."""
        rows: list[UnseenRow] = []
        for faces in self._suits() if self._unseen else ():
            for (number, shares), alike in groupby(faces, self._known_of):
                rows.append(UnseenRow([self._cards[face] for face in alike], number, shares))
        return rows

    def _known_of(self, face: str) -> tuple[int, list[ShareCell]]:
        """Return how many unseen cards bear a face, and how often one is in each place; twins are counted together."""
        alike = [one for one in self.found.unseen if one.face == face]
        sums = [sum(one.shares.get(place, 0.0) for one in alike) for place, _name, _size in self.places]
        return len(alike), [_share(each, len(alike)) for each in sums]

    @property
    def told(self) -> list[Told]:
        """What events showed, the latest first."""
        return [
            Told(
                each.seq, _("%(name)s has no %(cards)s", name=self._names[each.seat], cards=self._in_short(each.faces))
            )
            for each in reversed(self.found.denials)
        ]

    def _in_short(self, faces: Sequence[str]) -> str:
        """Return cards in words: the sign of a suit for all that is unseen of it."""
        left, said = set(faces), []
        for sign, held in reversed(self._signs.items()):
            unseen = {face for face in self._unseen if face in held}
            if unseen and unseen <= left:
                said.append(sign)
                left -= unseen
        return joined([*said, *(self._cards[face].text for face in self._unseen if face in left)])


def _share(number: float, cards: int) -> ShareCell:
    """Return the expected number of cards of one face in a place: a share for one card."""
    if number == 0:
        return ShareCell("–", "never")
    if number == cards:
        return ShareCell(_("certain"), "sure")
    if cards == 1:
        return ShareCell(f"{min(max(round(100 * number), 1), 99)}%", "")
    return ShareCell(decimal(f"{number:.2f}"), "")
