"""The public Python API: open a ledger, read match files, replay, ask for rulings and tables.

`import cardledger` offers it. What `cardledger.__all__` lists is stable: it changes only with a new major version
(.github/CONTRIBUTING.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cardledger.errors import FormatError, LedgerError
from cardledger.page_file import page_file
from cardledger.public_api.decisions import DECISIONS, decision_rows
from cardledger.public_api.evenings import ClubEvenings as ClubEvenings
from cardledger.public_api.found_hands import fitting
from cardledger.public_api.lessons import ClubLessons as ClubLessons
from cardledger.public_api.replay import Replay as Replay
from cardledger.public_api.statistics import PlayerStatistics as PlayerStatistics
from cardledger.public_api.what_if import otherwise
from cardledger.record.matches.matchfile import Problem, read_file
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.people.people import Posed, PublishedName
from cardledger.record.people.shown import HowShown
from cardledger.record.readmodels import TABLES
from cardledger.record.readmodels.arrow_tables import about, arrow, table_of
from cardledger.record.readmodels.model import Described, Row
from cardledger.record.readmodels.tables.ratings import RATINGS, bring_up_to_date
from cardledger.record.recording.discussions import comment, in_json, keep_line, told
from cardledger.record.recording.hand_lines import HandRead, read_hands
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import where
from cardledger.rules.engine.days import UNKNOWN
from cardledger.rules.engine.events import Event
from cardledger.rules.engine.game import Game
from cardledger.rules.games import games
from cardledger.sentence import Sentence, choosing
from cardledger.study.open_data.anonymous_edition import EditionTerms, PublishedEdition, publish
from cardledger.study.stats.luck import accounts
from cardledger.study.stats.luck.luck import adjusted as without_luck
from cardledger.study.stats.luck.luck import seats_of
from cardledger.study.stats.luck.luck_store import LuckStore, StoredHand
from cardledger.study.stats.review.answers import record_answer
from cardledger.study.stats.review.progress import progress
from cardledger.study.stats.review.puzzles import PosedPuzzle, find_puzzles
from cardledger.study.stats.review.reviews import Reviewed, compile_kernels, compute, stored_reviews

if TYPE_CHECKING:
    import pyarrow


class OpenLedger:
    """An open ledger; use it in a `with` block, or close it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()

    @cached_property
    def statistics(self) -> PlayerStatistics:
        """The statistics of players: measures, comparison, ratings, partners and opponents."""
        return PlayerStatistics(self._ledger)

    @cached_property
    def evenings(self) -> ClubEvenings:
        """The clubs, sessions and leagues."""
        return ClubEvenings(self._ledger)

    @cached_property
    def lessons(self) -> ClubLessons:
        """The lessons: a class looks at recorded hands together."""
        return ClubLessons(self._ledger)

    @property
    def match_ids(self) -> list[str]:
        """The ids of all matches, in the order of recording."""
        return self._ledger.matches()

    def replay(self, match: str) -> Replay:
        """Return a match; its id may be cut short. Raises StoreError `store.unknown`, `store.ambiguous`."""
        return Replay.of(self._ledger.events(self._ledger.resolve(match)))

    def import_file(self, path: str | Path, by: str = "import", date: str = UNKNOWN) -> list[str]:
        """Store the matches of a match file and return their ids.

        `date` is the day, the month or the year of those for which the file has none. Raises LedgerError for the first
        that cannot be stored.
        """
        ids = []
        for item in self._ledger.import_matches(read_file(Path(path)), by, day=date):
            if isinstance(item, Problem):
                raise item.error
            ids.append(item.match)
        return ids

    def record(self, match: str | None, events: Sequence[Event], expected: int, by: str = "python") -> str:
        """Append events to a match that has `expected` events, or open one (None, 0); return its id.

        Raises ConflictError if somebody else has appended events, RuleError or FormatError if an event is refused.
        """
        return self._ledger.record(match, events, expected, by).match

    def read_lines(self, match: str, *lines: str, board: int | None = None, language: str = "") -> list[HandRead]:
        """Return the hands that come next in a match, each written on one line (`4S N 10`): their events, boards, points.

        At other games than bridge a line has the numbers of the score sheet, `3 15 5 -`.
        Nothing is recorded: give `events` to `record`. `board` is that of the first line, if it is not the next one;
        `language` is `de` or `fr` for lines with words of these. Raises FormatError for a line that cannot be read, or
        in two ways, RuleError for a board that the table does not play.
        """
        self._caught_up()
        return read_hands(self._ledger, self._ledger.resolve(match), lines, board, language)

    def page(self, match: str, language: str = "en", *, small: bool = False, quiz_cards: int | None = None) -> str:
        """Return a match as one file of HTML, which opens without a server, with the replay and the rulings.

        It holds what every reader may see; `language` is `en`, `de` or `fr`. Its readers try other moves,
        ask what a seat can know, and take the quiz of a hand; a `small` file leaves that out. To find out what
        each choice of a quiz costs, `quiz_cards` are played at most (50 million if it is None): hands beyond that have
        no quiz. The same match with the same limit is the same file on every machine. Raises StoreError
        `store.unknown`, `store.ambiguous`, `store.withheld` while readers may not see the match.
        """
        self._caught_up()
        id = self._ledger.resolve(match)
        return page_file(self._ledger, id, language, small=small, quiz_cards=quiz_cards)

    def publish_data(self, folder: str | Path, terms: EditionTerms) -> PublishedEdition:
        """Write an anonymous edition to a new folder, as `publish`, which says the errors, does."""
        return publish(self._ledger, Path(folder), terms)

    def table(self, name: str) -> pyarrow.Table:
        """Return a table of the read models as Arrow, with the names of people beside their ids.

        Days, times and truth values have types of their own. The metadata of each field holds its `meaning`; that of
        the table (`cardledger`, JSON) its name, what it holds, the version, and the position in the ledger that it
        reflects. Raises FormatError `format.value` for an unknown table, StoreError `store.extra` without pyarrow.
        """
        model = TABLES.get(name)
        if model is None:
            raise FormatError(
                "format.value",
                choosing(Sentence("there is no table {name!r}", name=name), name, (*TABLES, "decisions")),
            )
        position = self._caught_up()
        if model is RATINGS:
            bring_up_to_date(self._ledger.views)
        rows = self._ledger.views.reader.execute(f"SELECT * FROM {name} ORDER BY {', '.join(model.key)}").fetchall()
        return self._described(model, rows, position)

    def matches(self) -> pyarrow.Table:
        """Return a row for each match."""
        return self.table("matches")

    def hands(self, where: str | None = None, **filters: Any) -> pyarrow.Table:
        """Return a row for each hand; with filters, those of `cardledger hands`, for each that fits.

        `hands(game="hearts", card="QS", how="won", player="ana")` are the hands in which ana took the queen of spades,
        `where="moon:1"` those with a situation or a count. Raises FormatError `format.key` for another filter,
        `format.value`, StoreError `store.unknown` for a card, a way or a count that cannot be.
        """
        every = self.table("hands")
        return fitting(self._ledger, every, where, filters) if where is not None or filters else every

    def seats(self) -> pyarrow.Table:
        """Return a row for each player of each hand: points, tricks, and the game's facts, as JSON.

        `luck` is what the cards dealt were worth more than average, in points; `adjusted` the points without it, as far
        as players turn it into points (β, see ledger/cardledger/study/stats/README.md); `cost`
        the points that the player's decisions gave up. They are null where they have not been computed
        (`compute_reviews`) or cannot be.
        """
        seats = self.table("seats")
        luck: list[float | None] = []
        adjusted: list[float | None] = []
        cost: list[float | None] = []
        reviews = {(one.hand.match, one.hand.hand): one for one in self._reviews()}
        without = self._without_luck()
        for match, hand, seat in zip(
            *(seats.column(name).to_pylist() for name in ("match", "hand", "seat")), strict=True
        ):
            review = reviews.get((match, hand))
            luck.append(None if review is None or review.luck is None else review.luck[seat])
            adjusted.append(without.get((match, hand, seat)))
            cost.append(None if review is None or review.decisions is None else review.cost(seat))
        for name, values, meaning in (
            ("luck", luck, "points that the cards dealt were worth more than average"),
            ("adjusted", adjusted, "score less luck times β, as in statistics"),
            ("cost", cost, "points that the player's decisions gave up"),
        ):
            field = arrow().field(name, "float64", metadata={"meaning": meaning})
            seats = seats.append_column(field, arrow().array(values, "float64"))
        return seats

    def tricks(self) -> pyarrow.Table:
        """Return a row for each complete trick."""
        return self.table("tricks")

    def violations(self) -> pyarrow.Table:
        """Return a row for each event that broke a rule."""
        return self.table("violations")

    def players(self) -> pyarrow.Table:
        """Return a row for each player of each match."""
        return self.table("players")

    def plays(self) -> pyarrow.Table:
        """Return a row for each card played to a complete trick; `play` is 1 for the lead."""
        return self.table("plays")

    def people(self) -> pyarrow.Table:
        """Return a row for each person: the name, and all ids."""
        return self.table("people")

    def decisions(self) -> pyarrow.Table:
        """Return a row for each decision that was reviewed.

        Its kind, the situations, what did best, and the cost in points.
        """
        position = self._caught_up()
        return self._described(DECISIONS, decision_rows(self._ledger, self._reviews()), position)

    def what_if(self, rules: str, game: str | None = None) -> pyarrow.Table:
        """Return a row for each hand that another edition judges otherwise.

        Of its own game, or of `game` if that is a variant.

        The metadata also has the numbers of the command `what-if` (`hands`, `same`, `stops`, `points`, `left_out`,
        `unfit`). Raises StoreError `store.unknown` for an unknown edition.
        """
        return otherwise(self._ledger, rules, game)

    def compute_reviews(self, *games: str) -> int:
        """Compute luck and reviews of all hands, or of those of some games, where they are missing.

        Return the number of hands looked at. This takes a second or so for each new hand; the results are kept beside
        the ledger.
        """
        with LuckStore(self._ledger) as store:
            store.catch_up()
            hands = [hand for hand in store.hands() if not games or hand.game in games]
            compile_kernels(hands, store)
            return sum(1 for _ in compute(hands, store))

    def puzzles(self, game: str, limit: int = 20, day: date | None = None) -> list[PosedPuzzle]:
        """Find the puzzles of a game in all its hands, and return at most so many, without their answers.

        One choice is better there than all others, and the player made another. `replay(match).quiz(hand)` asks and
        answers. Hands without a review are reviewed first. Those come first that people missed most often; with a
        `day`, only the puzzle of that day.
        """
        self.compute_reviews(game)
        with LuckStore(self._ledger) as store:
            for _ in find_puzzles(store.hands("game = ?", (game,)), store):
                pass
            every = accounts.puzzles(store, [game])
        account: dict[str, Any] = accounts.posable(every, self._ledger, limit, day or date.min)
        if day is not None:
            return [one for one in (account["today"],) if one is not None]
        found: list[PosedPuzzle] = account["puzzles"]
        return found

    def discussion(self, match: str) -> list[dict[str, Any]]:
        """Return what people say about a match: comments on its events, and lines that they keep, as the API has them.

        `number` is its number there, `event` what it is about; a line has `moves`, and `fits` if it can still be played.
        """
        tried = TriedLines(self._ledger.stream(match), self._ledger.events(match))
        return [in_json(tried, one) for one in told(self._ledger, match)]

    def say(
        self,
        match: str,
        event: int,
        author: str,
        text: str | None = None,
        moves: Sequence[str] = (),
        name: str | None = None,
        by: str = "python",
    ) -> int:
        """Say something about an event of a match; return its number in the discussion.

        Arguments:
            match: the match.
            event: the number of the event; a line begins after it.
            author: who says it.
            text: what is said.
            moves: the moves of a line that is kept, each as in an address (`play.1.9S`).
            name: what the line is called.
            by: who records it.

        Raises RuleError for a move that the rules forbid and for a name that is none, FormatError for a text that is
        empty or too long.
        """
        if moves:
            return keep_line(self._ledger, match, event, author, moves, by, name, text)
        return comment(self._ledger, match, event, author, text or "", by)

    def answer(self, match: str, hand: int, seq: int, choice: str, player: str, day: date) -> str:
        """Record what a player would have chosen at event `seq` of a hand, as `record_answer`, which says the errors, does.

        The first answer of a person counts. Return the choice as the game offers it.
        """
        return record_answer(self._ledger, self._ledger.resolve(match), hand, seq, choice, player, "python", day)

    def progress(self, player: str, game: str | None = None) -> dict[str, Any]:
        """Return what a player answered: the share of best choices and their mean cost, by game and month.

        Answers that were not weighed yet are weighed first.
        """
        return progress(self._ledger, player, game, at_once=True)

    def pose(self, player: str, posed: bool) -> None:
        """Say whether hands that a player played may be posed as puzzles; they may be unless it is said."""
        self._ledger.record_people([Posed(player=player, posed=posed)], self._ledger.people().seq, "python")

    def show_name(self, player: str | None, shown: HowShown | None) -> None:
        """Decide how much of a player's name is shown in what is published.

        Args:
            player: an id of the person; None: everybody who decided nothing, which is the club's rule.
            shown: `full`, `first` for the first name, or `none`; None takes back what was decided.

        Raises RuleError `people.unknown`.
        """
        self._ledger.record_people([PublishedName(player=player, shown=shown)], self._ledger.people().seq, "python")

    def shown_names(self) -> tuple[HowShown | None, dict[str, HowShown]]:
        """Return what is decided of names in what is published: the club's rule, and what it is for each person who has one."""
        people = self._ledger.people()
        return people.rule, people.deciding()

    def _caught_up(self) -> int:
        """Bring the read models up to date; return the position in the ledger that they reflect."""
        self._ledger.views.catch_up()
        return self._ledger.views.position

    def _reviews(self) -> list[Reviewed]:
        """Return the stored reviews of all hands."""
        with LuckStore(self._ledger) as store:
            store.catch_up()
            by_game: dict[str, list[StoredHand]] = {}
            for hand in store.hands():
                by_game.setdefault(hand.game, []).append(hand)
            return [review for game, hands in by_game.items() for review in stored_reviews(hands, store, game)]

    def _without_luck(self) -> dict[tuple[str, int, int], float]:
        """Return the points without luck by match, hand and seat, where the luck has been computed."""
        with LuckStore(self._ledger) as store:
            seats, _ = seats_of(store.hands(), store)
        return {(one.match, one.hand, one.seat): points for one, points in zip(seats, without_luck(seats), strict=True)}

    def _described(self, table: Described, rows: Iterable[Row], position: int) -> pyarrow.Table:
        """Return rows as Arrow with names beside ids, and what the table is in its metadata."""
        made = table_of(table, rows)
        if "player" in table.columns and "name" not in table.columns:
            called = self._ledger.people().name
            names = [called(player) for player in made.column("player").to_pylist()]
            field = arrow().field("name", "string", metadata={"meaning": "name of the player, as shown on pages"})
            made = made.append_column(field, arrow().array(names, "string"))
        return made.replace_schema_metadata(about(table, position))


def open(at: str | Path, *, create: bool = False) -> OpenLedger:
    """Open a ledger: a SQLite file or the address of a PostgreSQL database; `create` makes a new one.

    Raises StoreError `store.missing` where there is none, `store.open`, `store.version`.
    """
    return OpenLedger(Ledger(where(str(at)), create=create))


def read(path: str | Path) -> list[Replay]:
    """Read a match file and replay its matches; raises LedgerError with file, line and code for the first problem."""
    replays = []
    for item in read_file(Path(path)):
        if isinstance(item, Problem):
            error = item.error
            error.message = f"{item.file}:{item.line}: {error.message}"
            raise error
        replays.append(Replay(item.events, item.stream))
    return replays


def all_games() -> Mapping[str, Game[Any]]:
    """Return the newest edition of every game by id: rulebook, options, numbers of players."""
    return games()


__all__ = ["LedgerError", "OpenLedger", "Replay", "all_games", "open", "read"]
