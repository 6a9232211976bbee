"""The stored results of luck and review: deals, their values, reviews.

The file lies beside the ledger and may be deleted.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from cardledger.errors import LedgerError, StoreError
from cardledger.record.recording.loaded_match import bare
from cardledger.record.store import lost_tail
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.record.store.streams import is_match
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import VOID
from cardledger.study.stats.double_dummy.solver import EDITION as SOLVER_EDITION
from cardledger.study.stats.luck.deals import Dealt, PlayedHand, hands_of

if TYPE_CHECKING:
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.recording.ledger import Ledger

KIND = 0x6C75636B
"""Marks a SQLite file as a luck store (the ASCII letters "luck")."""
VERSION = 6
_SOLVED = (
    "CREATE TABLE double_dummy (key TEXT PRIMARY KEY, edition TEXT NOT NULL, tricks TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE double_dummy_counts (match TEXT NOT NULL, hand INTEGER NOT NULL, seq INTEGER NOT NULL,
        counts TEXT NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID""",
    "CREATE TABLE solved_to (position INTEGER NOT NULL)",
    "INSERT INTO solved_to VALUES (0)",
)
_REVIEWS = """CREATE TABLE reviews (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL, decisions TEXT NOT NULL,
    draws TEXT NOT NULL, PRIMARY KEY (match, hand, edition)) WITHOUT ROWID"""
_PUZZLES = """CREATE TABLE puzzles (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL, found TEXT NOT NULL,
    PRIMARY KEY (match, hand)) WITHOUT ROWID"""
_WEIGHED = """CREATE TABLE weighed (match TEXT NOT NULL, hand INTEGER NOT NULL, seq INTEGER NOT NULL, choice TEXT NOT NULL,
    edition TEXT NOT NULL, cost REAL, error REAL, best INTEGER NOT NULL, PRIMARY KEY (match, hand, seq, choice)) WITHOUT ROWID"""
_OF_HANDS = ("reviews", "puzzles", "weighed")
"""The tables whose rows follow from a hand as it stands in `hands`."""
STEPS = {
    2: _SOLVED,
    3: (
        "ALTER TABLE reviews RENAME TO earlier",
        _REVIEWS,
        "INSERT INTO reviews SELECT * FROM earlier",
        "DROP TABLE earlier",
    ),
    4: (_PUZZLES,),
    # Puzzles know what other tables with the same cards chose, so they are looked for again.
    5: ("DELETE FROM puzzles", _WEIGHED),
}
SCHEMA = (
    "CREATE TABLE checkpoint (position INTEGER NOT NULL)",
    "INSERT INTO checkpoint VALUES (0)",
    """CREATE TABLE hands (match TEXT NOT NULL, hand INTEGER NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL,
        dealer INTEGER NOT NULL, first_seq INTEGER NOT NULL, scores TEXT, why TEXT, deal TEXT, key TEXT, situation TEXT,
        dealt TEXT, course TEXT, recorded INTEGER NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID""",
    "CREATE INDEX hands_deal ON hands (deal)",
    "CREATE INDEX hands_game ON hands (game, seats)",
    "CREATE TABLE deals (key TEXT PRIMARY KEY, edition TEXT NOT NULL, points TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE situations (situation TEXT PRIMARY KEY, edition TEXT NOT NULL, deals INTEGER NOT NULL,
        points TEXT NOT NULL) WITHOUT ROWID""",
    _REVIEWS,
    *_SOLVED,
    _PUZZLES,
    _WEIGHED,
)
_BATCH = 5_000


class StoredHand(NamedTuple):
    """A row of the table `hands`: a hand of a match. `why` says why its decisions cannot be reviewed.

    `deal` to `course` are None if the deal is not known; `recorded` says that it was recorded before the play. `deal`
    is the fingerprint of the cards dealt; `key` adds the known part of the stock; `course` is a hash of all events.
    """

    match: str
    hand: int
    game: str
    seats: int
    dealer: int
    first_seq: int
    scores: tuple[int, ...] | None
    why: str | None
    deal: str | None
    key: str | None
    situation: str | None
    dealt: Dealt | None
    course: str | None
    recorded: bool


class WeighedChoice(NamedTuple):
    """What a choice costs against the best, its standard error, and whether nothing better was found.

    The cost is None if nothing is asked there any more, or the choice is not offered: then it counts nowhere.
    """

    cost: float | None
    error: float | None
    best: bool


_AS_IT_STOOD = "match = ? AND hand = ? AND course IS ?"


def course_of(played: PlayedHand) -> str | None:
    """Return a hash of all events of a hand, None if its deal is not known."""
    if played.dealt is None:
        return None
    lines = (b"%d %s" % (seq, ev.encode(bare(event))) for seq, event in played.events)
    return hashlib.sha256(b"\n".join(lines)).hexdigest()[:32]


def beside(views: ReadModels) -> Path:
    """Return the path of the luck store beside some read models."""
    return lost_tail.beside(views.file.path, "luck")


def stamp(path: Path) -> tuple[int, ...]:
    """Return a value that changes whenever any process writes to a luck store; empty if there is none."""
    try:
        main, log = path.stat(), Path(f"{path}-wal")
        return main.st_mtime_ns, main.st_size, log.stat().st_size if log.exists() else 0
    except FileNotFoundError:
        return ()


class LuckStore:
    """The luck store of a ledger; safe to share between threads. It computes nothing itself."""

    def __init__(self, ledger: Ledger) -> None:
        """Open the file beside the ledger, or create it; raises StoreError `store.open` if it is some other file."""
        self.ledger = ledger
        path = beside(ledger.views)
        try:
            self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL", STEPS)
        except StoreError as error:
            if error.code != "store.version":
                raise
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL", STEPS)

    @property
    def stamp(self) -> tuple[int, ...]:
        """A value that changes whenever any process writes to the file."""
        return stamp(self.file.path)

    def close(self) -> None:
        """Release the file."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- hands

    @property
    def position(self) -> int:
        """The position in the ledger up to which the hands have been read."""
        position: int = self.file.reader.execute("SELECT position FROM checkpoint").fetchone()[0]
        return position

    def catch_up(self) -> int:
        """Read the hands recorded since the last time; return the position reached in the ledger."""
        while True:
            after = self.position
            news = self.ledger.store.news(after, _BATCH)
            if not news:
                return after
            rows = {
                match: [*self._hands(match)] for match in dict.fromkeys(match for _, match in news) if is_match(match)
            }
            with self.file.writing() as db:
                if db.execute("SELECT position FROM checkpoint").fetchone()[0] != after:
                    continue  # another process was faster: look again
                for match, hands in rows.items():
                    _replace(db, match, hands)
                db.execute("UPDATE checkpoint SET position = ?", (news[-1][0],))

    def _hands(self, match: str) -> Iterator[tuple[object, ...]]:
        with suppress(LedgerError):  # a match that does not fold must not hide the others; `verify` reports it
            stream = self.ledger.stream(match)
            table = stream.table
            if table.status == VOID:
                return
            for played in hands_of(stream):
                hand, dealt = played.hand, played.dealt
                yield (
                    match, hand.number, table.game.id, table.n, hand.dealer, hand.first,
                    hand.scores and json.dumps(hand.scores), played.why, dealt and dealt.fingerprint,
                    dealt and dealt.key, dealt and dealt.situation.text, dealt and msgspec.json.encode(dealt).decode(),
                    course_of(played), played.recorded,
                )  # fmt: skip

    def hands(self, where: str = "true", given: Sequence[object] = ()) -> list[StoredHand]:
        """Return the hands that fulfil a condition in SQL, sorted by match id and number."""
        rows = self.file.reader.execute(f"SELECT * FROM hands WHERE {where} ORDER BY match, hand", tuple(given))
        return [_hand(row) for row in rows]

    def unknown_deals(self, game: str) -> dict[str, int]:
        """Return how many hands of a game have a deal that is not known, by reason."""
        return dict(
            self.file.reader.execute(
                "SELECT coalesce(why, 'hidden'), count(*) FROM hands WHERE game = ? AND key IS NULL GROUP BY 1", (game,)
            )
        )

    def has_more_than(self, number: int, games: Sequence[str] | None = None) -> bool:
        """Tell whether there are more hands than a number, of some games or of all; counts no further than that."""
        chosen = "" if games is None else "WHERE game IN (SELECT value FROM json_each(?1))"
        found: int = self.file.reader.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM hands {chosen} LIMIT ?2)", (json.dumps(games), number + 1)
        ).fetchone()[0]
        return found > number

    def players(self, where: str, given: Sequence[object] = ()) -> dict[tuple[str, int], str]:
        """Return the players by match and seat, in the matches that fulfil a condition in SQL."""
        rows = self.ledger.views.reader.execute(f"SELECT match, seat, player FROM players WHERE {where}", tuple(given))
        return {(match, seat): player for match, seat, player in rows}

    # --- computed results

    def values(self, game: str, edition: str) -> dict[str, tuple[int, ...]]:
        """Return the stored points of replayed deals of a game, by key."""
        rows = self.file.reader.execute(
            "SELECT DISTINCT key, points FROM hands JOIN deals USING (key) WHERE game = ? AND edition = ?",
            (game, edition),
        )
        return {key: tuple(json.loads(points)) for key, points in rows}

    def reviews(self, game: str, edition: str) -> dict[tuple[str, int], tuple[list[Any], list[Any]]]:
        """Return the stored decisions and draws of all hands of a game, by match and number."""
        rows = self.file.reader.execute(
            "SELECT match, hand, decisions, draws FROM hands JOIN reviews USING (match, hand)"
            " WHERE game = ? AND edition = ?",
            (game, edition),
        )
        return {(match, hand): (json.loads(decisions), json.loads(draws)) for match, hand, decisions, draws in rows}

    def value(self, key: str, edition: str) -> tuple[int, ...] | None:
        """Return the points of a deal's replays by seat from the dealer on; None if they are not computed yet."""
        row = self.file.reader.execute(
            "SELECT points FROM deals WHERE key = ? AND edition = ?", (key, edition)
        ).fetchone()
        return tuple(json.loads(row[0])) if row else None

    def keep_value(self, key: str, edition: str, points: Sequence[int]) -> None:
        """Store the points of a deal's replays."""
        with self.file.writing() as db:
            db.execute("INSERT OR REPLACE INTO deals VALUES (?, ?, ?)", (key, edition, json.dumps(points)))

    def expected(self, situation: str, edition: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the number of random deals of a situation and the points by seat.

        None if they are not computed yet.
        """
        row = self.file.reader.execute(
            "SELECT deals, points FROM situations WHERE situation = ? AND edition = ?", (situation, edition)
        ).fetchone()
        return (row[0], tuple(json.loads(row[1]))) if row else None

    def keep_expected(self, situation: str, edition: str, deals: int, points: Sequence[int]) -> None:
        """Store what deals of a situation are worth on average."""
        with self.file.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO situations VALUES (?, ?, ?, ?)", (situation, edition, deals, json.dumps(points))
            )

    def review(self, match: str, hand: int, edition: str) -> tuple[list[Any], list[Any]] | None:
        """Return the stored decisions and draws of a hand; None if they are not computed yet."""
        row = self.file.reader.execute(
            "SELECT decisions, draws FROM reviews WHERE match = ? AND hand = ? AND edition = ?", (match, hand, edition)
        ).fetchone()
        return (json.loads(row[0]), json.loads(row[1])) if row else None

    def keep_review(
        self, match: str, hand: int, edition: str, decisions: Sequence[object], draws: Sequence[object]
    ) -> None:
        """Store the review of a hand."""
        with self.file.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)",
                (match, hand, edition, json.dumps(decisions), json.dumps(draws)),
            )

    def puzzles(self, match: str, hand: int, edition: str) -> list[Any] | None:
        """Return the stored puzzles of a hand; None if nobody has looked for them yet."""
        row = self.file.reader.execute(
            "SELECT found FROM puzzles WHERE match = ? AND hand = ? AND edition = ?", (match, hand, edition)
        ).fetchone()
        return json.loads(row[0]) if row else None

    def keep_puzzles(self, hand: StoredHand, edition: str, found: Sequence[object]) -> None:
        """Store the puzzles of a hand; there may be none. They count as long as the hand stands as it was searched."""
        with self.file.writing() as db:
            db.execute(
                f"INSERT OR REPLACE INTO puzzles SELECT match, hand, ?, ? FROM hands WHERE {_AS_IT_STOOD}",
                (edition, json.dumps(found), hand.match, hand.hand, hand.course),
            )

    def weighed(self, match: str, hand: int, seq: int, choice: str, edition: str) -> WeighedChoice | None:
        """Return the stored cost of a choice at a question; None if it is not computed yet."""
        row = self.file.reader.execute(
            "SELECT cost, error, best FROM weighed WHERE (match, hand, seq, choice, edition) = (?, ?, ?, ?, ?)",
            (match, hand, seq, choice, edition),
        ).fetchone()
        return WeighedChoice(row[0], row[1], bool(row[2])) if row else None

    def keep_weighed(
        self, at: tuple[str, int, int], course: str | None, choice: str, edition: str, found: WeighedChoice
    ) -> None:
        """Store the cost of a choice at a match, hand and event, as long as the hand has the course it was weighed in."""
        match, hand, seq = at
        with self.file.writing() as db:
            db.execute(
                f"INSERT OR REPLACE INTO weighed SELECT match, hand, ?, ?, ?, ?, ?, ? FROM hands WHERE {_AS_IT_STOOD}",
                (seq, choice, edition, *found, match, hand, course),
            )

    # --- double dummy: what hangs on the cards alone is kept under a hash of them, so no correction makes it wrong

    def solved(self, key: str) -> list[Any] | None:
        """Return the stored tricks of a deal, or of the cards played from it; None if they are not computed yet."""
        row = self.file.reader.execute("SELECT tricks FROM double_dummy WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def keep_solved(self, key: str, tricks: Sequence[object]) -> None:
        """Store the tricks of a deal, or of the cards played from it."""
        with self.file.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO double_dummy VALUES (?, ?, ?)", (key, SOLVER_EDITION, json.dumps(tricks))
            )

    def keep_counts(self, match: str, seq: int, counts: Sequence[tuple[int, object]]) -> None:
        """Store what statistics count of the analysed hands of a match, as it was at event `seq`."""
        with self.file.writing() as db:
            db.execute("DELETE FROM double_dummy_counts WHERE match = ?", (match,))
            rows = [(match, hand, seq, json.dumps(found)) for hand, found in counts]
            db.executemany("INSERT INTO double_dummy_counts VALUES (?, ?, ?, ?)", rows)

    @property
    def solved_to(self) -> int:
        """The position in the ledger up to which hands have been analysed."""
        position: int = self.file.reader.execute("SELECT position FROM solved_to").fetchone()[0]
        return position

    @solved_to.setter
    def solved_to(self, position: int) -> None:
        with self.file.writing() as db:
            db.execute("UPDATE solved_to SET position = ?", (position,))


def _replace(db: sqlite3.Connection, match: str, rows: list[tuple[object, ...]]) -> None:
    """Replace the hands of a match; delete what was computed of hands that changed.

    Puzzles know what other tables with the same cards chose, so those go too.
    """
    before = {row[1]: row for row in db.execute("SELECT * FROM hands WHERE match = ?", (match,))}
    db.execute("DELETE FROM hands WHERE match = ?", (match,))
    for row in rows:
        db.execute(f"INSERT INTO hands VALUES ({', '.join('?' * len(row))})", row)
    same = {row[1] for row in rows if before.get(row[1]) == row}
    for number in before.keys() - same:
        for table in _OF_HANDS:
            db.execute(f"DELETE FROM {table} WHERE match = ? AND hand = ?", (match, number))
    deals = {row[8] for row in (*before.values(), *rows) if row[1] not in same and row[8] is not None}
    db.execute(
        """DELETE FROM puzzles WHERE (match, hand) IN (SELECT match, hand FROM hands
        WHERE deal IN (SELECT value FROM json_each(?)))""",
        (json.dumps(sorted(map(str, deals))),),
    )


def _hand(row: tuple[Any, ...]) -> StoredHand:
    match, hand, game, seats, dealer, first_seq, scores, why, deal, key, situation, dealt, course, recorded = row
    return StoredHand(
        match, hand, game, seats, dealer, first_seq, tuple(json.loads(scores)) if scores else None, why, deal, key,
        situation, msgspec.json.decode(dealt, type=Dealt) if dealt else None, course,
        bool(recorded),
    )  # fmt: skip
