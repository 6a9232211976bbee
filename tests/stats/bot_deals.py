"""Deals between bots as columns: who was dealt, held, led, played and won each card, and the points of each seat."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.stats.card_against_field import CardAgainstField, cards_against_field
from cardledger.study.stats.card_worth import CardWorth, worth_of_cards


class Occasions(NamedTuple):
    """Occasions of many deals: the deal, the seat, a number for the moment, and the card of each (`faces`)."""

    deal: np.ndarray
    seat: np.ndarray
    moment: np.ndarray
    card: np.ndarray

    def of(self, drawn: np.ndarray) -> Occasions:
        """Return those of some deals, each with its position among them."""
        at = np.full(int(self.deal.max()) + 1, -1)
        at[drawn] = np.arange(len(drawn))
        kept = at[self.deal] >= 0
        return Occasions(at[self.deal[kept]], *(column[kept] for column in self[1:]))


class BotDeals(NamedTuple):
    """The deals of a game between four bots. A trick won is an occasion for each of its cards."""

    faces: list[tuple[str, str, str]]
    points: np.ndarray
    dealers: np.ndarray
    by_way: dict[str, Occasions]

    def truth(self, how: str) -> np.ndarray:
        """Return the difference of means of each card over all deals: of its occasions, less those of its moments."""
        came = self.by_way[how]
        points = self.points[came.deal, came.seat]
        _, place = np.unique(self.place(came), return_inverse=True)
        above = points - (np.bincount(place, points) / np.bincount(place))[place]
        number = np.bincount(came.card, minlength=len(self.faces))
        return np.bincount(came.card, above, len(self.faces)) / np.maximum(number, 1)

    def place(self, came: Occasions, dealers: np.ndarray | None = None) -> np.ndarray:
        """Return a number for place from the dealer and moment."""
        return (came.seat - (self.dealers if dealers is None else dealers)[came.deal]) % 4 * 10_000 + came.moment

    def worth(self, how: str, drawn: np.ndarray, evening: int) -> list[CardWorth]:
        """Return what cards are worth in a league of some deals, so many of them an evening."""
        came = self.by_way[how].of(drawn)
        held = np.arange(len(came.deal)), came.card
        points, dealers = self.points[drawn][came.deal, came.seat], self.dealers[drawn]
        return worth_of_cards(
            self.faces, held, points, self.place(came, dealers), came.deal // evening, came.deal * 4 + came.seat
        )

    def against_field(self, how: str, drawn: np.ndarray, evening: int, seat: int) -> list[CardAgainstField]:
        """Return what one seat makes of cards in a league of some deals, beside the others."""
        came = self.by_way[how].of(drawn)
        held = np.arange(len(came.deal)), came.card
        points, dealers = self.points[drawn][came.deal, came.seat], self.dealers[drawn]
        return cards_against_field(
            [face for face, *_ in self.faces], held, points, self.place(came, dealers), came.deal // evening,
            came.deal * 4 + came.seat, came.seat == seat, fewest=False,
        )  # fmt: skip


def bot_deals(game: str, number: int) -> BotDeals:
    """Return so many deals of a game, each played once by four cautious bots, with a dealer by turns."""
    rules = games()[game]
    pack = rules.pack(rules.fill({}, 4))
    faces = dict.fromkeys(zip(pack.faces, map(str, pack.ranks), map(str, pack.suits), strict=True))
    code = {face: at for at, (face, *_) in enumerate(faces)}
    rows: dict[str, list[tuple[int, int, int, int]]] = {how: [] for how in ("dealt", "held", "led", "played", "won")}
    points, dealers = np.zeros((number, 4)), np.zeros(number, dtype=int)
    for deal in range(number):
        stream = Stream.of(simulate(game, 4, Random(deal), ("cautious",), max_hands=1))
        hand = stream.table.hands[0]
        points[deal], dealers[deal] = hand.scores, hand.dealer
        first = stream.events[hand.first - 1]
        assert isinstance(first, ev.Deal)
        for seat, dealt in enumerate(first.hands or ()):
            rows["dealt"] += [(deal, seat, 0, code[face]) for face in {*dealt}]
        held = set()
        for trick, (seats, cards, taker, _) in enumerate(hand.tricks):
            for place, (seat, card) in enumerate(zip(seats, cards, strict=True)):
                face = code[pack.faces[card]]
                held.add((deal, seat, 0, face))
                rows["played" if place else "led"].append((deal, seat, trick * 10 + place, face))
                if taker is not None:
                    rows["won"].append((deal, taker, trick, face))
        rows["held"] += sorted(held)
    by_way = {how: Occasions(*np.array(some, dtype=np.int64).T) for how, some in rows.items()}
    return BotDeals([*faces], points, dealers, by_way)


def coverage(deals: BotDeals, how: str, rng: np.random.Generator, leagues: int, size: int, evening: int) -> np.ndarray:
    """Return the shares of raw and of pooled intervals that hold the truth, over leagues of some deals."""
    true, hit, number = deals.truth(how), np.zeros(2), 0
    for _ in range(leagues):
        for one, truly in zip(
            deals.worth(how, rng.choice(len(deals.points), size, replace=False), evening), true, strict=True
        ):
            if one.low is None or one.high is None or one.pooled_low is None or one.pooled_high is None:
                continue
            hit += one.low <= truly <= one.high, one.pooled_low <= truly <= one.pooled_high
            number += 1
    return hit / number
