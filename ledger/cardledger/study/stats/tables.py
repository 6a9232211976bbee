"""The tables of statistics: players of a game, one player, ratings; each with its basis."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from cardledger.companion import Companion
from cardledger.count_of import count_of
from cardledger.errors import LedgerError, StoreError, UnreadyError
from cardledger.record.readmodels.tables import ratings
from cardledger.record.readmodels.tables.boards import left_out
from cardledger.rules.engine.measures import COMMON
from cardledger.rules.games import game, games
from cardledger.sentence import Sentence
from cardledger.study.stats.cache import Shelf
from cardledger.study.stats.card_table import card_table
from cardledger.study.stats.compare import PAIR, compare
from cardledger.study.stats.estimators import CHANGE, COMPANY, COMPARISON, PAIRS, PARTNERSHIPS, RATINGS
from cardledger.study.stats.luck import luck_store
from cardledger.study.stats.measured import by_player, measured, player_table
from cardledger.study.stats.measures.of_game import measure_of, sides_of
from cardledger.study.stats.measures.scale import has_field
from cardledger.study.stats.measures.sheets import Sheets
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.notes import CHANGES, OF_AN_EVENING, foretold, not_placed, seldom_met
from cardledger.study.stats.query import DIMENSIONS, Query
from cardledger.study.stats.stats_table import StatsTable, short, shortened
from cardledger.study.stats.strength.change import StrengthChange, Unit, breaks, change, corrected, evening_results
from cardledger.study.stats.with_whom import MEANING, SCREEN, PairThatStandsOut, WithWhom, pairs_standing_out, with_whom

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from cardledger.record.readmodels import ReadModels
    from cardledger.study.stats.measures.sheet import Sheet

Answer = TypeVar("Answer")
LARGE = 50_000
"""From this many rows (players of matches) on, comparing a game's players takes seconds."""
MOST_ANSWERS = 256
"""How many answers are kept in memory until something is recorded."""
_COMPARED = (
    "rank", "rank_low", "rank_high", "ranked", "player", "partner", "pool", "hands", "matches", "evenings", "points", "low", "high", "adjusted",
    "error", "believed", "believed_low", "believed_high", "best", "q", "verdict", "more_hands", "wins", "rating", "note",
)  # fmt: skip
_PARTNERED = (
    "rank", "rank_low", "rank_high", "ranked", "pair", "pool", "hands", "matches", "evenings", "adjusted", "error",
    "believed", "low", "high", "best", "q", "verdict", "note",
)  # fmt: skip
_STANDING = ("rank", "player", "rating", "mu", "sigma", "played", "date")
_EVENINGS = ("number", "day", "points")
_COURSE = ("number", "match", "date", "seat", "place", "rating", "mu", "sigma")
# Each step jumps to the next player in the index, however many matches the current one has.
_LATEST = """WITH RECURSIVE found (player) AS (
    SELECT min(player) FROM ratings WHERE game = :game
    UNION ALL SELECT (SELECT min(player) FROM ratings WHERE game = :game AND player > found.player) FROM found
    WHERE player IS NOT NULL
) SELECT r.player, mu, sigma, played, date FROM found JOIN ratings AS r ON r.game = :game AND r.player = found.player
    AND number = (SELECT max(number) FROM ratings WHERE game = :game AND player = found.player)"""
_HISTORY = """SELECT number, match, date, seat, place, mu, sigma FROM ratings
    WHERE game = :game AND player = :player ORDER BY number"""
DOUBTFUL = Sentence("the recorded deals do not look random, so the luck of the deal is not taken off")


class Statistics:
    """Statistics over the read models of a ledger; safe to share between threads.

    `Statistics.of` returns the one that all users of the same read models share: its memory grows with the ledger.
    """

    _shared: ClassVar[Companion[Statistics]] = Companion("statistics")

    @classmethod
    def of(cls, views: ReadModels) -> Statistics:
        """Return the statistics over some read models."""
        return cls._shared.of(views, lambda: cls(views))

    def __init__(self, views: ReadModels) -> None:
        self.views = views
        self.sheets = Sheets(views)
        self._kept: dict[tuple[Any, ...], tuple[tuple[tuple[object, ...], ...], StatsTable]] = {}

    def players(self, game_id: str, query: Query, measure: str | None = None) -> StatsTable:
        """Return the players of a game: compared by points a hand or, given a measure or a dimension, by its value.

        Raises FormatError `format.game`, StoreError `store.unknown` for an unknown measure or dimension.
        """
        sheet, query = self.sheets.sheet(game_id), self._of_people(query)
        if measure is None and query.by is None:
            sheet = self.sheets.on(game_id, query.scale)
            return self._once((sheet,), (game_id, query), lambda: self._compared(sheet, query))
        chosen = measure_of(game_id, measure or "points")
        return self._once((sheet,), (game_id, query, measure), lambda: measured(sheet, query, chosen))

    def recent(self, game_id: str | None, question: Hashable, ask: Callable[[], Answer]) -> Answer:
        """Return the current answer to a question; in a large league the last one, while a new one is made.

        `game_id` None stands for all games. `ask` must not call this again. Raises UnreadyError if the first answer
        takes longer than a moment, unless `sheets.patience` says to wait.
        """
        reader = self.views.reader
        (rows,) = reader.execute(
            "SELECT coalesce(sum(matches), 0) FROM standings WHERE ?1 IS NULL OR game = ?1", (game_id,)
        ).fetchone()
        if rows < LARGE or self.sheets.patience is None:
            return ask()
        # Not even the sheet is brought up to date for the reader.
        stamp = self.views.position, left_out(reader), luck_store.stamp(luck_store.beside(self.views))
        shelf, question = Shelf.of(self.views), ("recent", game_id, question)
        answer: Answer | None = shelf.get_stale(question, stamp, ask)
        if answer is not None:
            return answer
        if not shelf.is_making(question):
            return ask()  # it failed: say why
        raise UnreadyError("the statistics of a large league are being computed: ask again in a few seconds")

    def warm(self) -> None:
        """Compare the players of every game with a large league, before anybody asks.

        Ends early when the ledger is closed.
        """
        large = self.views.reader.execute("SELECT game FROM standings GROUP BY game HAVING sum(matches) >= ?", (LARGE,))
        for (id,) in large.fetchall():
            if id in games() and not self.views.background.closing.is_set():
                # What cannot be read now is read when somebody asks.
                with suppress(sqlite3.Error, LedgerError):
                    self.players(id, Query())

    def player(self, player: str, query: Query, game_id: str | None = None) -> StatsTable:
        """Return every measure of a player, beside the others' in the same matches.

        Raises FormatError `format.game`, StoreError `store.unknown` for somebody who never played or for an unknown
        dimension.
        """
        player, query, sheets = self._played(player, query, game_id)
        wanted = {*query.splits, *(name for name, _ in query.where)} - {*DIMENSIONS}
        if not game_id and wanted:
            sheets = [sheet for sheet in sheets if wanted <= {*sheet.splits()}] or sheets  # only some games count that
        return self._once(sheets, (player, query, game_id), lambda: player_table(sheets, query, player))

    def change(self, player: str, query: Query, game_id: str | None = None) -> StatsTable:
        """Return how a player's strength moved over time, game by game; games with too few matches are left out.

        Raises FormatError `format.game`, StoreError `store.unknown` for somebody who never played.
        """
        player, query, sheets = self._played(player, replace(query, by=None), game_id)
        sheets = self._scaled(sheets, query.scale, game_id)

        def ask() -> StatsTable:
            rows, basis = [], {}
            # Who looks at all games looks at all their players.
            chances = corrected([self._breaks(sheet, query) for sheet in sheets])
            for sheet, of_players in zip(sheets, chances, strict=True):
                tally, comparison = Tally(sheet, query), self.players(sheet.game, query).comparison
                assert comparison is not None
                basis[sheet.game] = tally.basis(by_day=True)
                if strength_change := change(tally, sides_of(sheet.game), comparison, player, of_players):
                    row = shortened(asdict(strength_change))
                    rows.append({"game": sheet.game, **row, "stayed": strength_change.stayed})
            columns = ("game", *(field.name for field in fields(StrengthChange)), "stayed")
            return StatsTable("change", columns, rows, query.text, basis, (CHANGES,), definitions=(CHANGE,))

        return self._once(sheets, ("change", player, query, game_id), ask)

    def evenings(self, player: str, query: Query, game_id: str) -> StatsTable:
        """Return a player's result of each evening of a game, corrected for everybody else's strength; see `change`.

        Raises FormatError `format.game`, StoreError `store.unknown` for somebody who never played.
        """
        player, query, sheets = self._played(player, replace(query, by=None), game_id)
        (sheet,) = self._scaled(sheets, query.scale, game_id)

        def ask() -> StatsTable:
            tally, comparison = Tally(sheet, query), self.players(game_id, query).comparison
            assert comparison is not None
            rows = [
                {"number": number, "day": day, "points": short(points)}
                for number, (day, points) in enumerate(evening_results(tally, sides_of(game_id), comparison, player), 1)
            ]
            basis = {game_id: tally.basis(by_day=True)}
            return StatsTable("evenings", _EVENINGS, rows, query.text, basis, (OF_AN_EVENING,), definitions=(CHANGE,))

        return self._once((sheet,), ("evenings", player, query, game_id), ask)

    def _breaks(self, sheet: Sheet, query: Query) -> dict[Unit, float]:
        """Return the p-value of the largest break of every player of a game; computed once for all who ask."""

        def ask() -> dict[Unit, float]:
            comparison = self.players(sheet.game, query).comparison
            assert comparison is not None
            return breaks(Tally(sheet, query), sides_of(sheet.game), comparison)

        found: dict[Unit, float] = Shelf.of(self.views).get(("breaks", sheet.game, query), sheet.stamp, ask)
        return found

    def company(self, player: str, query: Query, game_id: str | None = None) -> StatsTable:
        """Return what partners and opponents do to a player's points, game by game.

        Players who met too seldom are left out.

        Raises FormatError `format.game`, StoreError `store.unknown` for somebody who never played.
        """
        player, query, sheets = self._played(player, replace(query, by=None), game_id)
        sheets = self._scaled(sheets, query.scale, game_id)

        def ask() -> StatsTable:
            rows, basis = [], {}
            for sheet in sheets:
                tally = Tally(sheet, query)
                basis[sheet.game] = tally.basis()
                found = with_whom(tally, sides_of(sheet.game), player, fewest=game(sheet.game).scoring.fewest)
                rows += [{"game": sheet.game, **shortened(asdict(one))} for one in found]
            columns = ("game", *(field.name for field in fields(WithWhom)))
            return StatsTable("company", columns, rows, query.text, basis, MEANING, definitions=(COMPANY,))

        return self._once(sheets, ("company", player, query, game_id), ask)

    def pairs(self, game_id: str, query: Query) -> StatsTable:
        """Return the pairs of a game whose results stand out, partners if it has sides; for admins only.

        Raises FormatError `format.game`.
        """
        sheet, query = self.sheets.on(game_id, query.scale), self._of_people(replace(query, by=None))

        def ask() -> StatsTable:
            rules, tally = game(game_id), Tally(sheet, query)
            found, number = pairs_standing_out(
                tally,
                sides_of(game_id),
                partners=rules.has_sides or rules.sides_of_hand is not None,
                fewest=rules.scoring.fewest,
            )
            columns = tuple(field.name for field in fields(PairThatStandsOut))
            rows = [shortened(asdict(one)) for one in found]
            notes = (f"{count_of(number, 'pair')} looked at", *SCREEN)
            basis = {game_id: tally.basis()}
            return StatsTable("pairs", columns, rows, query.text, basis, notes, definitions=(PAIRS,))

        return self._once((sheet,), ("pairs", game_id, query), ask)

    def partnerships(self, game_id: str, query: Query) -> StatsTable:
        """Return the partnerships of a game, the best first, as they played: who changes partners is in several.

        Points are against the average pair. Raises FormatError `format.game`, StoreError `store.unknown` for a game
        without partners for a whole match.
        """
        rules = game(game_id)
        if not rules.has_sides or rules.sides_of_hand is not None:
            raise StoreError("store.unknown", f"{game_id} has no partners for a whole match: rank its players")
        sheet, query = self.sheets.on(game_id, query.scale), self._of_people(replace(query, by=None))

        def ask() -> StatsTable:
            tally = Tally(sheet, query)
            found = compare(tally, fewest=rules.scoring.fewest, sides=sides_of(game_id), by_pair=True)
            rows = [
                shortened(
                    {name: getattr(one, name) for name in _PARTNERED if name not in ("pair", "note")}
                    | {"pair": one.player, "note": not_placed(one) if one.rank_low is None else ""}
                )
                for one in found.players
            ]
            notes = (*seldom_met(found), *([DOUBTFUL] if sheet.doubtful else ()), *self.sheets.notes(sheet))
            return StatsTable(
                "partnerships",
                _PARTNERED,
                rows,
                query.text,
                {game_id: tally.basis()},
                notes,
                comparison=found,
                definitions=(PARTNERSHIPS,),
            )

        return self._once((sheet,), ("partnerships", game_id, query), ask)

    def cards(self, game_id: str, query: Query, how: str = "dealt", player: str | None = None) -> StatsTable:
        """Return what each card is worth to those to whom it came in a way (`WAYS`); with a player, against all others.

        Raises FormatError `format.game`, StoreError `store.unknown` for another way, or a player without a hand.
        """
        sheet, query = self.sheets.sheet(game_id), self._of_people(replace(query, by=None))
        asked = "cards", game_id, query, how, player and self._person(player)
        return self._once((sheet,), asked, lambda: card_table(self.views, sheet, query, how, asked[-1]))

    def ratings(self, game_id: str, player: str | None = None) -> StatsTable:
        """Return the ratings of a game, the highest first; with `player`, that player's rating after each match.

        Raises FormatError `format.game`, StoreError `store.unknown` for a player without a complete match of the game.
        """
        game(game_id)
        player = player and self._person(player)
        position = ratings.bring_up_to_date(self.views)
        sheet = self.sheets.sheet(game_id)
        table = self._once((sheet,), ("ratings", game_id, player), lambda: self._rated(game_id, player, position))
        if player is not None and not table.rows:
            raise StoreError("store.unknown", f"{player!r} has no complete match of {game_id} of a known day")
        return table

    def _played(self, player: str, query: Query, game_id: str | None) -> tuple[str, Query, list[Sheet]]:
        """Return the person, the query with persons, and the sheets of the games that the person played, or of one game."""
        player = self._person(player)
        played = self.views.reader.execute("SELECT DISTINCT game FROM players WHERE player = ?", (player,))
        ids = {id for (id,) in played}
        if not ids:
            raise StoreError("store.unknown", f"there is no player {player!r}")
        sheets = [self.sheets.sheet(id) for id in ([game_id] if game_id else games()) if id == game_id or id in ids]
        return player, self._of_people(query), sheets

    def _scaled(self, sheets: list[Sheet], scale: str | None, game_id: str | None) -> list[Sheet]:
        """Return the same games on a scale; without a `game_id` only those that have it."""
        return [self.sheets.on(sheet.game, scale) for sheet in sheets if scale is None or game_id or has_field(sheet)]

    def _person(self, player: str) -> str:
        """Return the person behind a player id; the read models use the person's id."""
        return self.views.source.register.people().person(player)

    def _of_people(self, query: Query) -> Query:
        """Return a query with persons in place of player ids."""
        return replace(query, against=tuple(sorted({*map(self._person, query.against)})))

    def _once(self, sheets: Sequence[Sheet], question: tuple[Any, ...], ask: Callable[[], StatsTable]) -> StatsTable:
        """Return the answer to a question; the last one if no match behind it has changed."""
        stamp = tuple(sheet.stamp for sheet in sheets)
        entry = self._kept.get(question)
        if entry is None or entry[0] != stamp:
            if len(self._kept) >= MOST_ANSWERS:
                self._kept.clear()
            entry = self._kept[question] = (stamp, ask())
        upto = {sheet.game: sheet.position for sheet in sheets}
        basis = {game: replace(one, position=upto[game]) for game, one in entry[1].basis.items()}
        return replace(entry[1], basis=basis)

    def _rated(self, game_id: str, player: str | None, position: int) -> StatsTable:
        question, columns = (_LATEST, _STANDING) if player is None else (_HISTORY, _COURSE)
        rows = self.views.reader.query(question, {"game": game_id, "player": player})
        today = max((row["date"] for row in rows), default="")
        for row in rows:
            row["sigma"] = row["sigma"] if player else ratings.after_absence(row["sigma"], row["date"], today)
            row["rating"] = row["mu"] - 3 * row["sigma"]
        if player is None:
            rows.sort(key=lambda row: (-row["rating"], row["player"]))
        places: dict[float, int] = {}  # equal players share a place, such as partners who always played together
        for number, row in enumerate(rows, 1):
            rank = places.setdefault(row["rating"], number)
            row |= {"rank": rank, **{name: short(row[name]) for name in ("rating", "mu", "sigma")}}
        basis = replace(Tally(self.sheets.sheet(game_id), Query()).basis(by_day=True), position=position)
        notes = ["rating = μ − 3σ; everybody starts at 0"]
        if player is None:
            notes.append(f"as of {today}: σ grows after {count_of(ratings.USUAL_BREAK, 'day')} without a match")
            notes += foretold(ratings.calibration(self.views.reader, game_id))
        if game(game_id).has_sides:
            notes.append("a side is one team, as strong as its partners together")
        return StatsTable("ratings", columns, rows, "", {game_id: basis}, tuple(notes), definitions=(RATINGS,))

    def _compared(self, sheet: Sheet, query: Query) -> StatsTable:
        tally = Tally(sheet, query)
        comparison = compare(tally, fewest=game(sheet.game).scoring.fewest, sides=sides_of(sheet.game))
        latest = {row["player"]: row for row in self.ratings(sheet.game).rows}
        points = by_player(tally, COMMON[0])
        wins = by_player(tally, COMMON[1])
        rows = []
        for one in comparison.players:
            estimate, rating = points[one.player], latest.get(one.player)
            rows.append(
                {
                    "rank": one.rank,
                    "rank_low": one.rank_low,
                    "rank_high": one.rank_high,
                    "ranked": one.ranked,
                    "player": one.player,
                    "partner": PAIR.join(name for name in one.pair if name != one.player),
                    "pool": one.pool,
                    "hands": estimate.cases,
                    "matches": estimate.matches,
                    "evenings": one.evenings,
                    "points": short(estimate.value),
                    "low": short(estimate.low),
                    "high": short(estimate.high),
                    "adjusted": short(one.adjusted),
                    "error": short(one.error),
                    "believed": short(one.believed),
                    "believed_low": short(one.low),
                    "believed_high": short(one.high),
                    "best": short(one.best),
                    "q": short(one.q),
                    "verdict": one.verdict,
                    "more_hands": None if one.verdict else one.more_hands,
                    "wins": short(wins[one.player].value),
                    "rating": rating and rating["rating"],
                    "note": not_placed(one) if one.rank_low is None else "",
                }
            )
        basis, by = {sheet.game: tally.basis()}, (*COMMON[:2], COMPARISON)
        notes = (*seldom_met(comparison), *([DOUBTFUL] if sheet.doubtful else ()), *self.sheets.notes(sheet))
        return StatsTable("players", _COMPARED, rows, query.text, basis, notes, comparison=comparison, definitions=by)
