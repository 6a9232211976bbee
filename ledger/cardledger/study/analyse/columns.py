"""Hands of an archive as columns: hands that kernels can judge are never made into events.

Everything else is left to the live table: a match with a claim, a score sheet, a correction, or a hand whose cards are
not known.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.rules.engine.cards import SUITS
from cardledger.rules.kernel.fit import SEATS
from cardledger.rules.kernel.recorded import DREW, PASSED, PLAYED
from cardledger.rules.kernel.recorded_columns import Deals
from cardledger.study.analyse.beginnings import EarlyAct, MatchTerms, carries
from cardledger.study.archive.arrays import codes, joined, lengths, picked, valid
from cardledger.study.archive.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.study.archive.arrays import Codes, Flags, Ints

COLUMNS = (
    "match", "hand", "first_seq", "game", "players", "options", "policy", "rules", "corrections", "dealer", "starter", "deal",
    "aside", "upcard", "stock", "deal_board", "vulnerable", "contract", "declarer", "types", "seats", "cards", "amounts", "calls", "others", "piles", "suits", "several", "rest",
)  # fmt: skip
"""The columns of an archive that hold what the rules ask for."""
DEALT, BEFORE, ENDED = 10, 11, 12
KINDS = {
    "play": PLAYED, "draw": DREW, "pass": PASSED, "deal": DEALT, "end": ENDED,
    **dict.fromkeys(("bid", "call", "collect", "ask", "give", "discard"), BEFORE),
}  # fmt: skip
"""The events of a plain hand: the deal, what comes BEFORE the play, the play.

The end of a match may follow its last one.
"""
MOST_STEPS = 512
POWERS = np.cumprod(np.full(MOST_STEPS, 0x9E3779B97F4A7C15, np.uint64))


class HandColumns:
    """The hands of a page as columns, one for each row.

    `first` is the place of a hand's deal, `play` that of the first event of the play, `stop` the place after its last
    event.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.first: Ints = page.starts.astype(np.int64)
        self._ends: Ints = self.first + page.sizes
        rows, matches = len(self.first), len(page.matches)
        self.firsts: Ints = np.array(page.firsts, np.int64)
        self.match_of: Ints = np.repeat(np.arange(matches), np.diff([*page.firsts, rows]))
        types, words = page.listed("types")
        self.types: Ints = np.ascontiguousarray(types, np.int32)
        self.kind_of: Ints = np.array([KINDS.get(word, 0) for word in words], np.int64)
        self._kinds: Ints = picked(self.kind_of.astype(np.int8), types)
        self.seats: Ints = self._numbers("seats")
        openings, self.openings = self._openings(matches)
        self.opening_of: Ints = openings[self.match_of]
        self.n: Ints = np.array([max(one.n, 1) for one in self.openings], np.int64)[self.opening_of]
        self.number: Ints = self._row_numbers("hand")
        self.dealer: Ints = self._row_numbers("dealer")
        self.ended: Flags = self._kinds[self._ends - 1] == ENDED
        self.stop: Ints = self._ends - self.ended
        self._deals()
        self._steps()
        self.taken_before: Ints = np.full((rows, SEATS), -1, np.int64)
        """The tricks of the hand before by seat from the dealer on, where a hand follows from them; -1 for none."""
        carried = np.array([carries(one) for one in self.openings])
        self.by_number: Flags = (carried == "number")[self.opening_of]
        self.by_tricks: Flags = (carried == "tricks")[self.opening_of]
        self.rows: Ints = np.flatnonzero(self._plain())
        """The rows of hands in plain matches: others are left to the live table."""

    # --- reading

    def _numbers(self, name: str) -> Ints:
        """Return a list of small numbers of every event, -1 where there is none."""
        if self._lacks(name):
            return np.full(self.page.events, -1, np.int8)
        numbers, said = self.page.listed(name)
        return picked(np.array([-1 if one is None else one for one in said], np.int8), numbers)

    def _lacks(self, name: str) -> bool:
        """Tell whether a list says nothing of any event."""
        lacks: bool = self.page.column(name).null_count == len(self.first)
        return lacks

    def _row_numbers(self, name: str) -> Ints:
        """Return a number of every row, -1 where there is none."""
        column = self.page.column(name)
        if column.null_count:
            column = column.fill_null(-1)
        numbers: Ints = column.to_numpy(zero_copy_only=False).astype(np.int64)
        return numbers

    def _openings(self, matches: int) -> tuple[Ints, list[MatchTerms]]:
        """Return the distinct openings, and which of them every match has."""
        firsts = arrow().array(self.page.firsts)
        of_match = [self.page.column(name).take(firsts) for name in ("game", "options", "rules")]
        players = lengths(self.page.column("players").take(firsts))
        sizes = players, [*range(int(players.max(initial=0)) + 1)]
        numbers, found = joined([*map(codes, of_match), sizes], matches)
        openings = [MatchTerms(game, n, options, rules) for game, options, rules, n in found]
        strict, policies = codes(self.page.column("policy").take(firsts))
        self.strict: Flags = np.array([policy != "record" for policy in policies])[strict]
        return numbers, openings

    def _deals(self) -> None:
        """Read the cards dealt, and those left over."""
        deal, aside, stock = (self.page.column(name) for name in ("deal", "aside", "stock"))
        self._known, self.aside, self.stock = valid(deal), valid(aside), valid(stock)
        hands = deal.flatten()
        self._hands: Ints = lengths(deal)
        hand_of: Ints = np.cumsum(self._hands) - self._hands
        sizes = lengths(hands)
        at: Ints = np.concatenate([[0], np.cumsum(sizes)])
        words, texts = self.page.codes("deal", hands)
        self.each: Ints = np.zeros(len(self._hands), np.int64)
        some = self._hands > 0
        self.each[some] = sizes[hand_of[some]]
        over = arrow().compute.coalesce(stock, aside)
        over_sizes = lengths(over)
        over_last: Ints = np.cumsum(over_sizes)
        over_words, over_texts = self.page.codes("aside", over)
        self.deals = Deals(
            hand_of, at.astype(np.int64), np.ascontiguousarray(words, np.int32), texts, over_last - over_sizes, over_last,
            np.ascontiguousarray(over_words, np.int32), over_texts,
        )  # fmt: skip
        self.upcards: Codes = codes(self.page.column("upcard"))
        self.starters: Flags = self._row_numbers("starter") >= 0
        boards = [codes(self.page.column(name)) for name in ("deal_board", "vulnerable", "contract", "declarer")]
        self.boards: Codes = joined([(self.dealer + 1, [*range(-1, SEATS)]), *boards], len(self.first))
        """The deals of boards, as `DealtBoard` has them."""
        self.of_boards: Flags = np.array([one[1:] != (None,) * len(boards) for one in self.boards[1]])[self.boards[0]]

    @cached_property
    def words(self) -> Codes:
        """The cards that every event names."""
        numbers, texts = self.page.listed("cards")
        return np.ascontiguousarray(numbers, np.int32), texts

    @cached_property
    def suits(self) -> tuple[Ints, list[int]]:
        """The suit that every event asks for, and the places of suits in the order of the pack (-1: none)."""
        numbers, texts = self.page.listed("suits")
        return np.ascontiguousarray(numbers, np.int32), [SUITS.index(text) if text in SUITS else -1 for text in texts]

    def _steps(self) -> None:
        """Find what comes before the play in every row.

        Rows with the same steps, but for the cards, have the same number.
        """
        acts = (self._kinds >= PLAYED) & (self._kinds <= PASSED)
        self.play: Ints = np.minimum(self.first + 1, self.stop)
        later = np.flatnonzero(self.play < self.stop)
        while len(later := later[~acts[self.play[later]]]):
            self.play[later] += 1
            later = later[self.play[later] < self.stop[later]]
        many: Ints = np.maximum(self.play - self.first - 1, 0)
        begun: Ints = np.cumsum(many) - many
        row = np.repeat(np.arange(len(many)), many)
        place = np.arange(len(row)) - begun[row]
        events = self.first[row] + 1 + place
        numbers, self._said = self._codes(events, row)
        wrong = place >= MOST_STEPS
        sums = many.astype(np.uint64)
        some = np.flatnonzero(many)
        if len(some):
            products = (numbers + 2).astype(np.uint64) * POWERS[np.minimum(place, MOST_STEPS - 1)]
            sums[some] += np.add.reduceat(products, begun[some])
        alike_rows = arrow().array(sums).dictionary_encode()
        self.steps_of: Ints = alike_rows.indices.to_numpy(zero_copy_only=False)
        chosen = np.zeros(len(alike_rows.dictionary), np.int64)
        chosen[self.steps_of[::-1]] = np.arange(len(sums))[::-1]
        of_chosen = chosen[self.steps_of]
        alike = np.minimum(begun[of_chosen][row] + place, max(len(row) - 1, 0))
        wrong |= numbers != numbers[alike]
        self._odd: Flags = many != many[of_chosen]
        self._odd[row[wrong | (numbers < 0)]] = True
        self._steps_at = [(numbers, int(begun[one]), int(many[one])) for one in chosen.tolist()]
        self._acts: dict[int, tuple[EarlyAct, ...]] = {}

    def _codes(self, events: Ints, row: Ints) -> tuple[Ints, list[EarlyAct]]:
        """Return what some events before the play say, beside cards and suits.

        As numbers (-1: nothing plain), and what these mean.
        """
        if not len(events):
            return np.zeros(0, np.int32), []
        n, dealer = self.n[row], self.dealer[row]
        plain = (self._kinds[events] == BEFORE) & (dealer >= 0) & (dealer < n)
        by_seat: list[Codes] = []
        for seats in (self.seats, *(() if self._lacks("others") else (self._numbers("others"),))):
            there = seats[events].astype(np.int64)
            plain &= there < n
            places = there - dealer + 1
            places[places < 1] += n[places < 1]
            places[there < 0] = 0
            by_seat.append((places, [-1, *range(SEATS)]))
        if self._lacks("others"):
            by_seat.append((np.zeros(len(events), np.int32), [-1]))
        plain &= self.seats[events] >= 0
        words, texts = self.words
        sizes = np.array([0 if text is None else text.count(" ") + 1 for text in texts], np.int64)[words[events]]
        listed = [self._listed_at(name, events) for name in ("types", "amounts", "calls")]
        if not plain.all():
            by_seat = [(np.where(plain, numbers, 0), said) for numbers, said in by_seat]
        numbers, found = joined([*listed, *by_seat, (sizes, [*range(int(sizes.max(initial=0)) + 1)])], len(events))
        return np.where(plain, numbers, -1), [EarlyAct(*one) for one in found]

    def _listed_at(self, name: str, events: Ints) -> Codes:
        """Return what a list says of some events; quickly if there is none."""
        if self._lacks(name):
            return np.zeros(len(events), np.int32), [None]
        numbers, said = self.page.listed(name)
        return numbers[events], said

    def steps(self, number: int) -> tuple[EarlyAct, ...]:
        """Return what comes before the play in rows of a number."""
        if number not in self._acts:
            numbers, begun, many = self._steps_at[number]
            self._acts[number] = tuple(self._said[one] for one in numbers[begun : begun + many].tolist())
        return self._acts[number]

    def _plain(self) -> Flags:
        """Tell which rows are hands of matches that the columns hold whole."""
        page, kinds, rows = self.page, self._kinds, len(self.first)
        plain: Flags = ~self._odd & self._known & (self._hands == self.n) & ~(self.aside & self.stock)
        plain &= (kinds[self.first] == DEALT) & (self.dealer >= 0) & (self.dealer < self.n)
        plain[np.searchsorted(self._ends, np.flatnonzero(kinds == 0), "right")] = False
        apart = page.rest_but('{"type":"end"')
        plain[np.searchsorted(self._ends, apart, "right")] = False
        dealt = np.searchsorted(self._ends, np.flatnonzero(kinds == DEALT), "right")
        plain &= np.bincount(dealt, minlength=rows) == 1
        ended = np.searchsorted(self._ends, np.flatnonzero(kinds == ENDED), "right")
        plain &= np.bincount(ended, minlength=rows) == (self.ended & (np.diff(self.match_of, append=-1) != 0))
        if DREW in self.kind_of:
            piles, texts = page.listed("piles")
            elsewhere = np.flatnonzero((kinds == DREW) & picked(np.array([text != "stock" for text in texts]), piles))
            plain[np.searchsorted(self._ends, elsewhere, "right")] = False
        opens = np.zeros(rows, bool)
        opens[self.firsts] = True
        plain &= self.number == np.arange(rows) - np.repeat(self.firsts, np.diff([*self.firsts, rows]))
        types, texts = page.listed("types")
        opened = np.array([text == "open" for text in texts])[types[self.first[self.firsts]]]
        whole = opened & (page.sizes[self.firsts] == 1) & ~valid(page.column("rest"))[self.firsts]
        whole &= (self._row_numbers("corrections") == 0)[self.firsts]
        whole &= np.bincount(self.match_of[~plain & ~opens], minlength=len(self.firsts)) == 0
        plain &= whole[self.match_of] & ~opens
        return plain

    def deals_of(self, rows: Ints) -> Deals:
        """Return the cards dealt in some rows."""
        deals = self.deals
        return deals._replace(
            hand_of=deals.hand_of[rows], over_first=deals.over_first[rows], over_last=deals.over_last[rows]
        )

    def events(self, row: int) -> Sequence[Any]:
        """Return the events of a hand before the play, the deal first."""
        return self.page.made(np.arange(self.first[row], self.play[row]))
