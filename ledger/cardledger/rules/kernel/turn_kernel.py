"""Kernels of games of turns, in which players draw and part with a card until somebody closes.

Their hands as records, played out and tried.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

import numpy as np

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import Pack, cards_in
from cardledger.rules.engine.deals import DealCounts
from cardledger.rules.engine.fields import option_fields
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import Match
from cardledger.rules.kernel.turns import CLOSE, FIELDS, FROM_DISCARDS, MOMENTS, PASS, ROOM, SEATS

ENTRIES: Final = "play_turns", "try_turns"
"""The functions that Python calls."""


class TurnKernel:
    """The compiled rules and bot of a game of turns: plays hands out, from any moment on."""

    entries = ENTRIES

    def __init__(self, game: Game[Any], pack: Pack, module: ModuleType) -> None:
        assert game.collecting is not None
        self.game, self.collecting, self.cards = game, game.collecting, pack.of
        self.functions = [getattr(module, f"kernel_turns__{name}") for name in self.entries]
        self.state = module.STATE

    def begins_before_play(self, match: Match[Any]) -> bool:
        """Tell whether the kernel can go on from a moment of a match."""
        return match.hand.moment in MOMENTS and not match.hidden

    def pack(self, match: Match[Any], gone: int, known: int = -1) -> bytes:
        """Return the hand of a match as a record.

        The stock is shuffled after its first `known` cards, or not at all (-1).
        """
        hand: Any = match.hand
        order = hand.stock_order
        stock = cards_in(hand.stock) if order is None else [self.cards[face][0] for face in order]
        cards = [0] * ((SEATS + 1) * ROOM)
        for seat, held in enumerate(hand.held):
            own = cards_in(held)
            cards[ROOM * seat : ROOM * seat + len(own)] = own
        values = {
            "n": match.n, "turn": hand.turn, "moment": MOMENTS.index(hand.moment), "closer": hand.closer, "over": 0,
            "counts": [held.bit_count() for held in hand.held], "cards": cards, "hidden": [], "stock": stock,
            "stock_left": hand.stock_left, "ordered": 0 if order is None else len(order), "known": known,
            "renewed": int(hand.renewed), "discards": hand.discards, "discarded": len(hand.discards),
        }  # fmt: skip
        row = []
        for name, size in FIELDS:
            value = values[name]
            row += [value] if size == 1 else [*value, *[0] * (size - len(value))]
        row += [int(getattr(hand, name)) for name in option_fields(self.game.hand)]  # type: ignore[arg-type] # classes do hash
        return array("q", [*row, 0]).tobytes()

    def number(self, match: Match[Any], option: ev.Event) -> int | None:
        """Return what the kernel calls a choice of the seat whose turn it is; None if it is not possible."""
        hand: Any = match.hand
        cards = cards_in(hand.held[hand.turn])
        face = getattr(option, "card", None)
        card = self.cards[face][0] if face in self.cards else -1
        place = cards.index(card) if card in cards else -1
        match hand.moment, option:
            case "draw", ev.Draw(source="stock", cards=()):
                return 0
            case "draw", ev.Draw(source="discards", cards=(top,)) if top == match.pack.faces[hand.discards[-1]]:
                return FROM_DISCARDS
            case "discard", ev.Discard() if place >= 0:
                return card
            case "discard", ev.Close() if place >= 0 and self.collecting.closing_places(cards) >> place & 1:
                return CLOSE + card
            case "layoff", ev.Pass():
                return PASS
            case "layoff", ev.Layoff() if (
                place >= 0 and self.collecting.may_lay_off(cards, cards_in(hand.held[hand.closer])) >> place & 1
            ):
                return card
        return None

    def play_out(self, rows: Sequence[bytes], seeds: Sequence[int], noise: Sequence[float]) -> list[list[int] | None]:
        """Play hands out, one for each seed (the only hand again and again).

        Points by seat, None if a hand does not end.
        """
        n = len(noise)
        points = np.zeros((len(seeds), ROOM), np.int64)
        play, _ = self.functions
        play(self._records(rows), np.zeros(1, self.state), np.array(seeds, np.uint64), np.array(noise), points)
        return [row[:n] if row[n] else None for row in points.tolist()]

    def trials(
        self, row: bytes, seat: int, worlds: tuple[Sequence[int], DealCounts] | None, seeds: Sequence[int],
        options: Sequence[int], noise: Sequence[float],
    ) -> list[list[int]]:  # fmt: skip
        """Return the points of the seat to act, by option and world, one world for each seed.

        `worlds` begins with the cards seen by hand; the others may be anywhere.
        """
        start = self._records([row])
        if worlds is not None:
            seen, _ = worlds
            for other, known in enumerate(seen):
                first = ROOM * other
                held = start["cards"][0][first : first + start["counts"][0][other]].tolist()
                start["hidden"][0][other] = sum(1 << place for place, card in enumerate(held) if not known >> card & 1)
        points = np.zeros((len(options), len(seeds)), np.int64)
        _, trials = self.functions
        trials(
            start, np.zeros(2, self.state), seat, worlds is not None, np.array(seeds, np.uint64), np.array(options, np.int64),
            np.array(noise), points,
        )  # fmt: skip
        found: list[list[int]] = points.tolist()
        return found

    def _records(self, rows: Sequence[bytes]) -> Any:
        return np.frombuffer(bytearray().join(rows), self.state)
