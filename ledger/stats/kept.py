"""What is kept of luck and review: deals, their values, reviews of hands; in a file beside the ledger, safe to drop."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from ledger import events as ev
from ledger.errors import LedgerError, StoreError
from ledger.live import bare
from ledger.stats.deals import Dealt, hands_of
from ledger.store.file import SqliteFile

if TYPE_CHECKING:
    from ledger.ledger import Ledger

KIND = 0x6C75636B
"""Marks a SQLite file as this one (the ASCII letters "luck")."""
VERSION = 1
SCHEMA = (
    "CREATE TABLE checkpoint (position INTEGER NOT NULL)",
    "INSERT INTO checkpoint VALUES (0)",
    """CREATE TABLE hands (match TEXT NOT NULL, hand INTEGER NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL,
        dealer INTEGER NOT NULL, first_seq INTEGER NOT NULL, scores TEXT, why TEXT, deal TEXT, key TEXT, situation TEXT,
        dealt TEXT, course TEXT, PRIMARY KEY (match, hand)) WITHOUT ROWID""",
    "CREATE INDEX hands_deal ON hands (deal)",
    "CREATE INDEX hands_game ON hands (game, seats)",
    "CREATE TABLE deals (key TEXT PRIMARY KEY, edition TEXT NOT NULL, points TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE situations (situation TEXT PRIMARY KEY, edition TEXT NOT NULL, deals INTEGER NOT NULL,
        points TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE reviews (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL, decisions TEXT NOT NULL,
        draws TEXT NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID""",
)
_BATCH = 5_000


class KeptHand(NamedTuple):
    """A hand of a match as the table `hands` has it; `deal` and what follows are None where `why` says why not.

    `deal` is the fingerprint, `key` that with what came to light of the stock, `course` names all that was done.
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


class Kept:
    """The file of a ledger; safe to share between threads. Deals and reviews are computed by others and put here."""

    def __init__(self, ledger: Ledger) -> None:
        """Open the file beside the ledger, or create it; raises StoreError `store.open` for a file of something else."""
        self.ledger = ledger
        views = ledger.views.file.path
        path = views.with_name(f"{views.stem.removesuffix('.views')}.luck{views.suffix}")
        try:
            self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL")
        except StoreError as error:
            if error.code != "store.version":
                raise
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            self.file = SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL")

    @property
    def stamp(self) -> tuple[int, ...]:
        """What changes whenever something is written to the file, by whatever process."""
        main, log = self.file.path.stat(), Path(f"{self.file.path}-wal")
        return main.st_mtime_ns, main.st_size, log.stat().st_size if log.exists() else 0

    def close(self) -> None:
        """Release the file."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- which hands there are

    @property
    def position(self) -> int:
        """Position in the ledger up to which hands are known."""
        position: int = self.file.reader.execute("SELECT position FROM checkpoint").fetchone()[0]
        return position

    def catch_up(self) -> int:
        """Take in the hands recorded since the last time; return the position in the ledger up to which they are known."""
        while True:
            after = self.position
            news = self.ledger.store.news(after, _BATCH)
            if not news:
                return after
            rows = {match: [*self._hands(match)] for match in dict.fromkeys(match for _, match in news)}
            with self.file.writing() as db:
                if db.execute("SELECT position FROM checkpoint").fetchone()[0] != after:
                    continue  # someone else was faster: look again
                for match, found in rows.items():
                    _replace(db, match, found)
                db.execute("UPDATE checkpoint SET position = ?", (news[-1][0],))

    def _hands(self, match: str) -> Iterator[tuple[object, ...]]:
        with suppress(LedgerError):  # one that does not fold must not hide the others: `verify` names it
            stream = self.ledger.stream(match)
            table = stream.table
            for played in hands_of(stream):
                hand, dealt = played.hand, played.dealt
                course = None
                if dealt is not None:
                    lines = (b"%d %s" % (seq, ev.encode(bare(event))) for seq, event in played.events)
                    course = hashlib.sha256(b"\n".join(lines)).hexdigest()[:32]
                yield (
                    match, hand.number, table.game.id, table.n, hand.dealer, hand.first,
                    hand.scores and json.dumps(hand.scores), played.why, dealt and dealt.fingerprint,
                    dealt and dealt.key, dealt and dealt.situation.text, dealt and msgspec.json.encode(dealt).decode(),
                    course,
                )  # fmt: skip

    def hands(self, where: str = "true", given: Sequence[object] = ()) -> list[KeptHand]:
        """Return hands as known, those that fit a condition in SQL, in the order of match ids and numbers."""
        rows = self.file.reader.execute(f"SELECT * FROM hands WHERE {where} ORDER BY match, hand", tuple(given))
        return [_hand(row) for row in rows]

    def number_of_hands(self, games: Sequence[str] | None = None) -> int:
        """Return how many hands of games are known, or of all."""
        number: int = self.file.reader.execute(
            "SELECT count(*) FROM hands WHERE ?1 IS NULL OR game IN (SELECT value FROM json_each(?1))",
            (games and json.dumps(games),),
        ).fetchone()[0]
        return number

    def players(self, where: str, given: Sequence[object] = ()) -> dict[tuple[str, int], str]:
        """Return who sat where, by match and seat, in the matches that fit a condition in SQL."""
        rows = self.ledger.views.database.conn.execute(
            f"SELECT match, seat, player FROM players WHERE {where}", tuple(given)
        )
        return {(match, seat): player for match, seat, player in rows}

    # --- what is computed

    def values(self, game: str, edition: str) -> dict[str, tuple[int, ...]]:
        """Return the points of replays of all deals of a game as far as they are kept, by key."""
        rows = self.file.reader.execute(
            "SELECT DISTINCT key, points FROM hands JOIN deals USING (key) WHERE game = ? AND edition = ?",
            (game, edition),
        )
        return {key: tuple(json.loads(points)) for key, points in rows}

    def reviews(self, game: str, edition: str) -> dict[tuple[str, int], tuple[list[Any], list[Any]]]:
        """Return decisions and draws of all hands of a game as far as they are kept, by match and number."""
        rows = self.file.reader.execute(
            "SELECT match, hand, decisions, draws FROM hands JOIN reviews USING (match, hand)"
            " WHERE game = ? AND edition = ?",
            (game, edition),
        )
        return {(match, hand): (json.loads(decisions), json.loads(draws)) for match, hand, decisions, draws in rows}

    def value(self, key: str, edition: str) -> tuple[int, ...] | None:
        """Return the points of a deal's replays by seat from the dealer on, None if they are not computed yet."""
        row = self.file.reader.execute(
            "SELECT points FROM deals WHERE key = ? AND edition = ?", (key, edition)
        ).fetchone()
        return tuple(json.loads(row[0])) if row else None

    def keep_value(self, key: str, edition: str, points: Sequence[int]) -> None:
        """Keep the points of a deal's replays."""
        with self.file.writing() as db:
            db.execute("INSERT OR REPLACE INTO deals VALUES (?, ?, ?)", (key, edition, json.dumps(points)))

    def expected(self, situation: str, edition: str) -> tuple[int, tuple[int, ...]] | None:
        """Return number of deals and points by seat of a situation, None if they are not computed yet."""
        row = self.file.reader.execute(
            "SELECT deals, points FROM situations WHERE situation = ? AND edition = ?", (situation, edition)
        ).fetchone()
        return (row[0], tuple(json.loads(row[1]))) if row else None

    def keep_expected(self, situation: str, edition: str, deals: int, points: Sequence[int]) -> None:
        """Keep what deals of a situation are worth on average."""
        with self.file.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO situations VALUES (?, ?, ?, ?)", (situation, edition, deals, json.dumps(points))
            )

    def review(self, match: str, hand: int, edition: str) -> tuple[list[Any], list[Any]] | None:
        """Return decisions and draws of a hand as they were kept, None if they are not computed yet."""
        row = self.file.reader.execute(
            "SELECT decisions, draws FROM reviews WHERE match = ? AND hand = ? AND edition = ?", (match, hand, edition)
        ).fetchone()
        return (json.loads(row[0]), json.loads(row[1])) if row else None

    def keep_review(
        self, match: str, hand: int, edition: str, decisions: Sequence[object], draws: Sequence[object]
    ) -> None:
        """Keep the review of a hand."""
        with self.file.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)",
                (match, hand, edition, json.dumps(decisions), json.dumps(draws)),
            )


def _replace(db: sqlite3.Connection, match: str, rows: list[tuple[object, ...]]) -> None:
    """Put the hands of a match in place of those known before; reviews of hands that are others now go."""
    before = {row[1]: row for row in db.execute("SELECT * FROM hands WHERE match = ?", (match,))}
    db.execute("DELETE FROM hands WHERE match = ?", (match,))
    for row in rows:
        db.execute(f"INSERT INTO hands VALUES ({', '.join('?' * len(row))})", row)
    same = {row[1] for row in rows if before.get(row[1]) == row}
    for number in before.keys() - same:
        db.execute("DELETE FROM reviews WHERE match = ? AND hand = ?", (match, number))


def _hand(row: tuple[Any, ...]) -> KeptHand:
    match, hand, game, seats, dealer, first_seq, scores, why, deal, key, situation, dealt, course = row
    return KeptHand(
        match, hand, game, seats, dealer, first_seq, tuple(json.loads(scores)) if scores else None, why, deal, key,
        situation, msgspec.json.decode(dealt, type=Dealt) if dealt else None, course,
    )  # fmt: skip
