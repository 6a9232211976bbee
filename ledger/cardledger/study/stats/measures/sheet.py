"""A sheet: the counts of a game's hands as columns in memory."""

from __future__ import annotations

from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import json
from numpy.typing import NDArray

from cardledger.record.readmodels.tables.boards import IN_ALL_TABLES
from cardledger.rules.engine.measures import COMMON, FIELD, LAID, LUCK, OPEN_CARDS
from cardledger.rules.engine.measures import MATCHES as BY_MATCH
from cardledger.rules.engine.situations import OF_HAND
from cardledger.rules.games import game
from cardledger.study.stats.luck.luck import betas_by_row
from cardledger.study.stats.measures.columns import Columns, chosen_rows, empty, narrow, summed
from cardledger.study.stats.measures.shared_boards import SharedBoards, deal_and_seat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cardledger.record.store.readers import Readable
    from cardledger.study.stats.double_dummy.columns import SolvedHands
    from cardledger.study.stats.luck.dealt_luck import DealtLuck

CODED = frozenset({"match", "date", "event", "rules", "status", "policy", "options", "player", "lead", "deal"})
"""Columns of texts, stored as codes: positions in `Sheet.texts`."""
MATCHES = (
    "match", "date", "event", "rules", "status", "policy", "size", "options", "begun", "complete", "hidden", "score_only",
    "held", "valued",
)  # fmt: skip
SEATS = ("row", "seat", "player", "place", "won")
HANDS = ("row", "number", "turn", "lead", "deal")
# The plus and CROSS JOIN make SQLite read by match id, in storage order, for a few matches as for all.
_MATCHES = f"""SELECT match, date, event, rules, status, policy, seats, options, hands, hands_complete
    FROM matches AS m WHERE +m.game = ? AND m.status <> 'void' AND {IN_ALL_TABLES} AND {{}}
    ORDER BY m.match"""
_SEATS = """SELECT m.match, p.seat, p.player, p.place, p.won FROM matches AS m CROSS JOIN players AS p USING (match)
    WHERE +m.game = ? AND {} ORDER BY m.match, p.seat"""
_HANDS = """SELECT m.match, c.hand, h.dealer, c.lead, h.hidden, c.played_out, NULL, c.counts FROM matches AS m
    CROSS JOIN counts AS c USING (match) CROSS JOIN hands AS h USING (match, hand) WHERE +m.game = ? AND {}
    ORDER BY m.match, c.hand"""
# The deals too, for games that compare the tables that played the same one.
_HANDS_WITH_DEALS = _HANDS.replace("NULL", "d.cards_hash").replace(
    "WHERE", "LEFT JOIN deals AS d ON d.match = c.match AND d.hand = c.hand WHERE"
)
_decode = json.Decoder(dict[str, list[int]]).decode


class Sheet:
    """All that statistics know about one game, up to a position in the ledger.

    `matches` has a row for each match. `seats` has a row for each player of a match; its `row` is that of the match.
    `hands` has a row for each player of a complete hand; its `row` is that in `seats`, its `number` that of the hand in
    the match, and `side` that of the seat, in a game whose sides change from hand to hand. The rows of a hand are
    consecutive. `names` are the columns of counts in `hands`. `texts` maps texts to codes, by column. `changed` is the
    position at which the content last changed. `held` are hands whose cards another table has yet to play: only their
    points count, as from a score sheet. `secret` are matches that do not count at all yet, for a board of their
    evening. `scale` is that of the points. `tables` tells the tables it was read from apart from rebuilt ones. Counts
    have the narrowest type that holds them.
    """

    def __init__(
        self, game: str, held: Mapping[str, frozenset[int]] = MappingProxyType({}), base: Sheet | None = None
    ) -> None:
        """Begin without matches, or with those of another sheet, which does not change."""
        self.game = game
        self.held = held
        self.secret: frozenset[str] = frozenset()
        self.names: tuple[str, ...] = base.names if base else names_of(game)
        self.texts: dict[str, dict[str, int]] = base.texts if base else {name: {} for name in CODED}
        self.scale = "points"
        self.position = 0
        self.changed = 0
        self.tables: int = base.tables if base else 0
        self.luck: DealtLuck | None = None
        """The worth of deals behind `fair`, `luck` and `valued`; None before any is laid over the sheet."""
        self.open_cards: SolvedHands | None = None
        """The double-dummy analysis that is laid over the sheet."""
        self.matches: Columns = base.matches if base else empty(MATCHES)
        self.seats: Columns = base.seats if base else empty(SEATS)
        self.hands: Columns = base.hands if base else empty(HANDS) | empty(self.names, np.int8)
        self._sums: Columns = base._sums.copy() if base else {}

    def code(self, column: str, texts: Iterable[str | None]) -> NDArray[Any]:
        """Return the codes of texts, −1 for None; a new text gets a new code."""
        codes = self.texts[column]
        numbers = [-1 if text is None else codes.setdefault(text, len(codes)) for text in texts]
        return np.array(numbers, dtype=np.int32)

    @property
    def stamp(self) -> tuple[object, ...]:
        """A value that changes whenever the content does."""
        luck = () if self.luck is None else (self.luck.position, len(self.luck.match))
        return (self.changed, self.secret, *luck, *(() if self.open_cards is None else self.open_cards.stamp))

    @property
    def knows_luck(self) -> bool:
        """Whether the worth of any deal is known."""
        return bool(self.hands["valued"].any())

    @property
    def doubtful(self) -> bool:
        """Whether the recorded deals do not look random, so that no luck is taken off points."""
        return self.luck is not None and self.luck.doubtful

    @property
    def known(self) -> frozenset[str]:
        """The amounts laid over the sheet of which anything is known."""
        laid = (LUCK if self.knows_luck else frozenset(), *(names & {*self.names} for names in (FIELD, OPEN_CARDS)))
        return laid[0].union(*(names for names in laid[1:] if any(self.hands[name].any() for name in names)))

    def splits(self) -> tuple[str, ...]:
        """Return the counts of a hand by which it can be split."""
        return splits_of(self.names)

    def with_luck(self, luck: DealtLuck, since: Collection[str] = ()) -> Sheet:
        """Return the sheet with the luck of deals taken off in `fair`, hand by hand where it is known.

        Matches with events `since` the luck was computed keep their points as they are, and so do hands whose cards
        another table has yet to play. β is cross-fitted over all known hands of the game.
        """
        laid = self._copy()
        laid.luck = luck
        row = self.hands["row"]
        begins = np.flatnonzero(self.seats["seat"][row] == 0)
        found, first = self._found(luck.match, luck.number, since)
        # One row for each seat of each known hand, in the sheet and in the columns of luck.
        size = luck.size[found]
        within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        at = np.repeat(first, size) + within
        dealt = luck.luck[np.repeat((np.cumsum(luck.size) - luck.size)[found], size) + within]
        points, n, fold = self.hands["points"][at], np.repeat(size, size), np.repeat(luck.fold[found], size)
        fair, worth, valued = self.hands["points"].astype(float), np.zeros(len(row)), np.zeros(len(row), dtype=np.int32)
        if not luck.doubtful:
            fair[at] -= betas_by_row(n, fold, points, dealt) * dealt
        worth[at], valued[at] = dealt, 1
        laid.hands = self.hands | {"fair": fair, "luck": worth, "valued": valued}
        match = self.seats["row"][row[begins]]
        laid.matches = self.matches | {
            "valued": np.bincount(match, valued[begins], len(self.matches["match"])).astype(int)
        }
        for name in LUCK:
            laid._sums.pop(name, None)
        return laid

    def with_open_cards(self, solved: SolvedHands, since: Collection[str] = ()) -> Sheet:
        """Return the sheet with the counts of the double-dummy analysis.

        Not in matches with events `since`, nor in hands another table has yet to play.
        """
        laid = self._copy()
        laid.open_cards = solved
        found, first = self._found(solved.match, solved.number, since)
        at = first[:, None] + np.arange(solved.seats)
        laid.hands = {**self.hands}
        for name in OPEN_CARDS & {*self.names}:
            column = np.zeros(len(self.hands["row"]), dtype=np.int32)
            column[at] = solved.counts[name][found]
            laid.hands[name] = column
            laid._sums.pop(name, None)
        return laid

    def with_field(self, boards: SharedBoards) -> Sheet:
        """Return the sheet with points compared with the field: the other tables with the same deal, seat and options.

        Hands of the same board of an evening are of the same deal. Those that another table has yet to play stay out.
        """
        laid = self._copy()
        deal, row = self.hands["deal"].astype(np.int64), self.hands["row"]
        match = self.seats["row"][row]
        found, first = self._found(boards.match, np.array(boards.number, dtype=np.int64), ())
        size = self.matches["size"][match[first]]
        within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        deal[np.repeat(first, size) + within] = np.repeat(boards.codes(self.texts["deal"])[found], size)
        laid.hands = self.hands | {"deal": deal}
        which = deal_and_seat(laid)
        known = (deal >= 0) & (self.hands["played"] > 0)
        _, group = np.unique(which[known], return_inverse=True)
        points = self.hands["points"][known]
        others = np.bincount(group)[group] - 1
        rest = np.bincount(group, points)[group] - points
        compared, field = np.zeros(len(row), dtype=np.int32), np.zeros(len(row))
        compared[known] = others > 0
        field[known] = np.where(others > 0, points - rest / np.maximum(others, 1), 0)
        for name in FIELD & {*self.names}:
            base, _, case = name.partition("_")
            laid.hands[name] = (field if base == "field" else compared) * (self.hands[case] if case else 1)
            laid._sums.pop(name, None)
        return laid

    def rescaled(self, scale: str, chosen: NDArray[Any], points: NDArray[Any]) -> Sheet:
        """Return the chosen hands alone, with other points by row of `hands`.

        `chosen` is the same for all seats of a hand.
        """
        laid = self._copy()
        laid.scale, laid.luck, laid._sums = scale, None, {}
        nothing = np.zeros(len(points), dtype=np.int8)
        hands = self.hands | {"points": points, "fair": points, "luck": nothing, "valued": nothing}
        laid.hands = chosen_rows(hands, chosen)
        begins = laid.seats["seat"][laid.hands["row"]] == 0
        match, played = laid.seats["row"][laid.hands["row"][begins]], laid.hands["played"][begins]
        left, score_only = (
            np.bincount(match, each, len(self.matches["match"])).astype(int) for each in (None, 1 - played)
        )
        none = np.zeros(len(left), dtype=int)
        laid.matches = self.matches | {
            "begun": left,
            "complete": left,
            "score_only": score_only,
            "held": none,
            "hidden": none,
            "valued": none,
        }
        laid.without(self.matches["match"][left == 0])
        return laid

    def _copy(self) -> Sheet:
        """Return the same sheet, to lay something over it."""
        laid = Sheet(self.game, self.held, self)
        laid.secret, laid.position, laid.changed = self.secret, self.position, self.changed
        laid.luck, laid.open_cards, laid.scale = self.luck, self.open_cards, self.scale
        return laid

    def _found(
        self, matches: Sequence[str], numbers: NDArray[Any], since: Collection[str]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Find hands by match and number.

        Tell for each whether the sheet has it and may show it, and where those begin.
        """
        codes = self.texts["match"]
        code = np.array(
            [-1 if match in since or n in self.held.get(match, ()) else codes.get(match, -1)
             for match, n in zip(matches, numbers.tolist(), strict=True)], dtype=np.int64,
        )  # fmt: skip
        return self.hands_at(code, numbers)

    def hands_at(self, code: NDArray[np.int64], numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Find hands by the code of the match, −1 for none, and their number.

        Tell for each whether the sheet has it, and for those in which row of `hands` they begin.
        """
        row = self.hands["row"]
        begins = np.flatnonzero(self.seats["seat"][row] == 0)
        of = self.matches["match"][self.seats["row"][row[begins]]].astype(np.int64)
        most = int(max(numbers.max(initial=0), self.hands["number"].max(initial=0))) + 1
        keys = of * most + self.hands["number"][begins]
        order = np.argsort(keys, kind="stable")
        if not len(keys):
            return np.zeros(len(code), dtype=bool), begins
        place = np.minimum(np.searchsorted(keys[order], code * most + numbers), len(keys) - 1)
        found = (code >= 0) & (keys[order][place] == code * most + numbers)
        return found, begins[order[place[found]]]

    def text(self, column: str) -> list[str]:
        """Return the texts of a column by code."""
        return list(self.texts[column])

    def of(self, name: str) -> NDArray[Any]:
        """Return a count for each row of `seats`."""
        if name == "complete":
            return (self.seats["place"] > 0).astype(np.int64)
        if name in BY_MATCH:
            return self.seats[name]
        if name not in self._sums:
            self._sums[name] = summed(self.hands, name, len(self.seats["row"]))
        return self._sums[name]

    def without(self, gone: NDArray[Any]) -> None:
        """Drop matches, given by their codes, with their seats and hands."""
        left = np.ones(len(self.texts["match"]), dtype=bool)
        left[gone] = False
        matches = left[self.matches["match"]]
        seats = matches[self.seats["row"]]
        hands = seats[self.hands["row"]]
        self.hands = chosen_rows(self.hands, hands, seats)
        self._sums = chosen_rows(self._sums, seats)
        self.seats = chosen_rows(self.seats, seats, matches)
        self.matches = chosen_rows(self.matches, matches)

    def read(self, reader: Readable, matches: Sequence[str] | None = None) -> None:
        """Add matches from the read models; None adds all matches of the game."""
        where, given = "TRUE", [self.game]
        if matches is not None:
            where, given = "m.match IN (SELECT value FROM json_each(?))", [self.game, json.encode(matches).decode()]
        hands_with = _HANDS_WITH_DEALS if FIELD & {*self.names} else _HANDS
        of_matches, of_seats, of_hands = (
            reader.execute(question.format(where), given).fetchall() for question in (_MATCHES, _SEATS, hands_with)
        )
        at = {row[0]: place for place, row in enumerate(of_matches)}
        match_columns = self._columns(MATCHES, of_matches)
        seats = self._columns(SEATS, ((at[match], *values) for match, *values in of_seats))
        # One row for each seat of each hand; the rows of a hand are consecutive.
        match = np.array([at[row[0]] for row in of_hands], dtype=np.int32)
        size = match_columns["size"][match]
        hand = np.repeat(np.arange(len(of_hands)), size)
        seat = np.arange(len(hand)) - np.repeat(np.cumsum(size) - size, size)
        held = np.array([row[1] in self.held.get(row[0], ()) for row in of_hands], dtype=np.int32)
        by_hand = self._columns(("dealer", "lead", "hidden", "played", "deal"), (row[2:7] for row in of_hands))
        for name, counted in (
            ("hidden", by_hand["hidden"]),
            ("score_only", (1 - by_hand["played"]) * (1 - held)),
            ("held", held),
        ):
            match_columns[name] = np.bincount(match, counted, len(at)).astype(np.int64)
        hands = {
            "row": np.searchsorted(seats["row"], np.arange(len(at)))[match][hand] + seat,
            "number": np.array([row[1] for row in of_hands], dtype=np.int32)[hand],
            "turn": ((seat - by_hand["dealer"][hand] - 1) % size[hand] + 1).astype(np.int8),
            "lead": narrow(np.where(held, -1, by_hand["lead"]))[hand],
            "deal": np.where(held, -1, by_hand["deal"])[hand],
        }
        hands |= {"hands": np.ones(len(hand), dtype=np.int8), "played": narrow(by_hand["played"] * (1 - held))[hand]}
        # Score sheets say the same again and again: each text is read once.
        texts: dict[tuple[str, int], int] = {}
        text = np.array(
            [texts.setdefault((row[7], only), len(texts)) for row, only in zip(of_hands, held.tolist(), strict=True)],
            dtype=np.int64,
        )
        counts = [_read(said, only=bool(only)) for said, only in texts]
        length = np.array([len(next(iter(some.values()), ())) for some in counts], dtype=np.int64)
        of_text = np.repeat(np.arange(len(counts)), length)
        within = np.arange(len(of_text)) - np.repeat(np.cumsum(length) - length, length)
        zeros, nothing = [[0] * n for n in length.tolist()], np.zeros(len(hand), dtype=np.int8)
        most = int(size.max(initial=0))
        for name in self.names[2:]:
            if name in LAID:
                hands[name] = hands["points"] if name == "fair" else nothing
                continue
            lists = (some.get(name, none) for some, none in zip(counts, zeros, strict=True))
            numbers = np.zeros((len(counts), most), dtype=np.int64)
            numbers[of_text, within] = np.fromiter(chain.from_iterable(lists), np.int64, len(of_text))
            hands[name] = narrow(numbers)[text[hand], seat]
        match_columns["valued"] = np.zeros(len(at), dtype=np.int64)
        self._add(match_columns, seats, hands)

    def _columns(self, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Columns:
        """Return the columns of rows, texts as codes; columns beyond the width of the rows are left out."""
        values = list(zip(*rows, strict=True)) or [()] * len(names)
        return {
            name: self.code(name, column) if name in CODED else np.array(column, dtype=np.int32)
            for name, column in zip(names, values, strict=False)
        }

    def _add(self, matches: Columns, seats: Columns, hands: Columns) -> None:
        """Append rows."""
        for name in self._sums:
            self._sums[name] = np.concatenate((self._sums[name], summed(hands, name, len(seats["row"]))))
        hands["row"] = (hands["row"] + len(self.seats["row"])).astype(np.int32)
        seats["row"] = (seats["row"] + len(self.matches["match"])).astype(np.int32)
        self.matches, self.seats, self.hands = (
            {name: np.concatenate((old[name], more[name])) for name in old}
            for old, more in ((self.matches, matches), (self.seats, seats), (self.hands, hands))
        )


def _read(text: str, *, only: bool) -> dict[str, list[int]]:
    """Return the counts of a hand, or only the points of one whose cards another table has yet to play."""
    counts = _decode(text)
    return {name: numbers for name, numbers in counts.items() if name == "points" or not only}


def splits_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return those of a game's counts by which a hand can be split: whole numbers with a meaning of their own."""
    return tuple(name for name in names[2:] if name not in LAID and name != "side")


def names_of(id: str) -> tuple[str, ...]:
    """Return the names of a game's counts by hand; those that every game has come first."""
    used = (name for measure in (*COMMON, *game(id).study.measures) for name in (measure.amount, measure.of))
    side = () if game(id).sides_of_hand is None else ("side",)
    return tuple(dict.fromkeys(("hands", "played", *(name for name in used if name not in BY_MATCH), *OF_HAND, *side)))
