"""A page of plays, draws and discards as numbers, for tables to take in without an event for each."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ledger import events as ev
from ledger.archive.arrays import decoded
from ledger.people import STREAM

if TYPE_CHECKING:
    from ledger.archive.arrays import Flags, Ints
    from ledger.archive.page import Page
    from ledger.cards import Pack

PLAY, DRAW, DISCARD = 1, 2, 3
_TOLD = {"play": PLAY, "draw": DRAW, "discard": DISCARD}
"""What numbers tell, by the words of types."""


class Meant(NamedTuple):
    """What words mean in a pack: the lowest card with the face, −1 for none; and how many plays of no card there are by match."""

    pack: Pack
    cards: Ints
    foreign: list[int]


class Numbers:
    """What is played, drawn and discarded on a page as numbers, and the events between them.

    By place among the events of the page: `told`, what numbers tell an event to be (PLAY, DRAW, DISCARD, or 0), `seats`,
    who acts, `faces`, which of the `named` faces. By match: `drawing`, how many draws and discards there are,
    and `bounds`, how many events before it that numbers do not tell: `events`, at the places `others`.
    """

    def __init__(self, page: Page) -> None:
        types, kinds = page.listed("types")
        seats, known = page.listed("seats")
        people = page.matches.index(STREAM) if STREAM in page.matches else len(page.matches)
        self._page = page
        self._end = page.bounds[people]
        self.faces, self._words = page.listed("cards")
        self._piles, self._sources = page.listed("piles")
        self._packs: dict[int, Meant] = {}
        told = np.array([_TOLD.get(kind, 0) for kind in kinds], dtype=np.int8)[types]
        told[_nothing(seats, known) | _nothing(self.faces, self._words)] = 0
        told[_nothing(self._piles, self._sources) & (told == DRAW)] = 0
        told[[*page.rest]] = 0
        self.told = told
        self.seats: list[int] = np.array([-1 if seat is None else seat for seat in known])[seats].tolist()
        self.others = np.flatnonzero(told[: self._end] == 0)
        self.events = page.made(self.others)
        self.bounds: list[int] = np.searchsorted(self.others, page.bounds).tolist()
        self.drawing = self._counted(told > PLAY)

    def _counted(self, flags: Flags) -> list[int]:
        """Return how many events of each match are flagged."""
        found: list[int] = np.diff(np.searchsorted(np.flatnonzero(flags), self._page.bounds)).tolist()
        return found

    @cached_property
    def all(self) -> list[ev.Event]:
        """All events of the page, up to those about people."""
        return self._page.made(np.arange(self._end))

    def event(self, place: int) -> ev.Event:
        """Return the event at a place."""
        kind, seat = self.told[place], self.seats[place]
        if not kind:
            return self.events[int(np.searchsorted(self.others, place))]
        if kind == DRAW:
            return ev.Draw(seat=seat, source=self.sources[place], cards=self.named[self.faces[place]])
        word = self._words[self.faces[place]]
        return ev.Play(seat=seat, card=word) if kind == PLAY else ev.Discard(seat=seat, card=word)

    @cached_property
    def named(self) -> list[tuple[str, ...]]:
        """The faces that words say."""
        return [tuple((word or "").split(" ")) for word in self._words]

    @cached_property
    def sources(self) -> list[Any]:
        """From where cards were drawn, place by place."""
        return decoded(self._piles, self._sources)

    def meant(self, pack: Pack) -> Meant:
        """Return what words mean in a pack."""
        if id(pack) not in self._packs:
            cards = np.array([pack.of.get(word, (-1, 0))[0] for word in self._words])
            foreign = self._counted((cards < 0)[self.faces] & (self.told == PLAY))
            self._packs[id(pack)] = Meant(pack, cards, foreign)
        return self._packs[id(pack)]


def _nothing(numbers: Ints, words: list[Any]) -> Flags:
    """Return where numbers stand for None."""
    found: Flags = np.array([word is None for word in words])[numbers]
    return found
