"""Read models: tables folded from the log into a SQLite file of their own, caught up by checkpoint, safe to drop."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlite_utils import Database

from ledger.corrections import Stream
from ledger.errors import LedgerError, LostError, StoreError, UnusableError
from ledger.people import STREAM, Sat
from ledger.readmodels import ratings
from ledger.readmodels.counts import COUNTS
from ledger.readmodels.follower import Follower
from ledger.readmodels.hands import HANDS
from ledger.readmodels.matches import MATCHES
from ledger.readmodels.model import Folded, ReadModel, Row
from ledger.readmodels.occasions import OCCASIONS
from ledger.readmodels.players import CAREERS, PLAYERS
from ledger.readmodels.rulings import RULES, RULINGS
from ledger.readmodels.seats import SEATS
from ledger.readmodels.standings import STANDINGS
from ledger.readmodels.summary import Summary
from ledger.readmodels.tricks import TRICKS
from ledger.readmodels.violations import VIOLATIONS
from ledger.register import Register
from ledger.store import EventStore
from ledger.store.chain import START, head
from ledger.store.codec import decode
from ledger.store.file import UNREADABLE, SqliteFile, refused

MODELS: tuple[ReadModel, ...] = (MATCHES, PLAYERS, HANDS, SEATS, TRICKS, RULINGS, VIOLATIONS, COUNTS)
SUMMARIES: tuple[Summary, ...] = (CAREERS, STANDINGS, *OCCASIONS, RULES)
KIND = 0x76696577
"""Marks a SQLite file as read models (the ASCII letters "view")."""
VERSION = 4
"""Raised whenever a table or its fold changes: a file of another version is dropped and folded anew."""
SCHEMA = (
    # `due` says that the file may still hold the name of somebody erased, where no row says it any more.
    "CREATE TABLE checkpoint (position INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0)",
    "INSERT INTO checkpoint (position) VALUES (0)",
    *(model.schema for model in MODELS),
    *(statement for summary in SUMMARIES for statement in summary.schema),
    *ratings.SCHEMA,
    "CREATE UNIQUE INDEX matches_position ON matches (position)",
    "CREATE INDEX matches_game ON matches (game, position)",
    "CREATE INDEX matches_event ON matches (event, position) WHERE event IS NOT NULL",
    "CREATE INDEX matches_board ON matches (board, position) WHERE board IS NOT NULL",
    "CREATE INDEX matches_place ON matches (place, position) WHERE place IS NOT NULL",
    "CREATE INDEX matches_date ON matches (date, position)",
    "CREATE INDEX matches_status ON matches (status, position)",
    "CREATE INDEX matches_violations ON matches (position) WHERE violations > 0",
    "CREATE INDEX matches_corrections ON matches (position) WHERE corrections > 0",
    "CREATE INDEX players_position ON players (player, position)",
    "CREATE INDEX players_player ON players (player, date, position, game, seats, place)",
    "CREATE INDEX seats_player ON seats (player, match)",
    "CREATE INDEX violations_rule ON violations (rule)",
    "CREATE INDEX violations_player ON violations (player)",
)
_CONCERNED = """SELECT match, seat, player, recorded FROM players
    WHERE player IN (SELECT value FROM json_each(:ids)) OR recorded IN (SELECT value FROM json_each(:ids))
    OR match IN (SELECT value FROM json_each(:matches))"""
_BATCH = 5_000

_LOG = logging.getLogger("cardledger.readmodels")


class Source(Protocol):
    """Where read models read: the event store, and folded matches."""

    store: EventStore
    register: Register

    def folded_each(self, matches: Collection[str]) -> Iterator[Folded]:
        """Yield matches as of now, leaving out those that do not fold: `verify` names them."""
        ...


class ReadModels:
    """The tables of `MODELS` in a file, and the position in the ledger up to which they are folded."""

    def __init__(self, path: Path, source: Source) -> None:
        """Open the file; one of another version or ledger is dropped: its content follows from the log.

        Raises StoreError `store.open` for a file that is something else, which stays untouched, `store.damaged` for one that is
        not whole.
        """
        self.source = source
        self.rebuilds = self.failures = 0  # how often they were folded anew, or could not be caught up, since the start
        self.file = _opened(path)
        try:
            follows = self._follows()
        except UNREADABLE as error:
            self.file.close()
            raise refused(path, error) from None
        except BaseException:
            self.file.close()
            raise
        if not follows:
            self.file.close()
            _drop(path)
            self.file = _opened(path)
            self.rebuilds += 1
        self._seen = 0  # where the checkpoint was when last looked at; it only ever grows
        self._follower = Follower(self._follow)
        self._wipe()
        self.closing = threading.Event()
        self._background: list[threading.Thread] = []

    def _follows(self) -> bool:
        """Tell whether what is in the file is of this ledger: its first match is there, and nothing the ledger has lost."""
        if self.position > self.source.store.last_given():
            return False
        row = self.file.reader.execute("SELECT match, seq, hash FROM matches ORDER BY position LIMIT 1").fetchone()
        if row is None:
            return True
        match, seq, hash = row
        return [event.hash.hex() for event in self.source.store.read(match, seq - 1)[:1]] == [hash]

    @property
    def database(self) -> Database:
        """The tables for reading, as sqlite-utils offers them, with all that is recorded by now; for this thread.

        Only while more than a batch is waiting, as in an import, they may be behind: nobody waits for all of that.
        """
        # What is there can be read, also where nothing can be written, or nothing be heard of the ledger.
        with suppress(sqlite3.Error, LostError, UnusableError):
            if self.source.store.last_position() > self._seen:
                self._step()
        return self.file.database

    @property
    def reader(self) -> sqlite3.Connection:
        """The connection beneath `database`."""
        return self.database.conn

    @property
    def position(self) -> int:
        """Position in the ledger up to which the tables are folded."""
        position: int = self.file.reader.execute("SELECT position FROM checkpoint").fetchone()[0]
        return position

    def follow(self) -> None:
        """Catch up in a moment, together with what is recorded until then; returns at once."""
        self._follower.soon()

    def _follow(self) -> None:
        try:
            self.catch_up()
        except (sqlite3.Error, LostError, UnusableError) as error:  # a full disk, say: they catch up the next time
            self.failures += 1
            _LOG.error("read models did not catch up: %s", error)

    def catch_up(self) -> None:
        """Fold the events after the checkpoint."""
        while self._step():
            pass

    def _step(self) -> bool:
        """Fold a batch of the events after the checkpoint; tell whether there may be more."""
        while True:
            after = self._seen = self.position
            news = self.source.store.news(after, _BATCH)
            if not news:
                return False
            # Folded before the pen is taken: who records holds the ledger and waits for the pen.
            matches = dict.fromkeys(match for _, match in news)
            people = STREAM in matches
            matches.pop(STREAM, None)
            folded = list(self.source.folded_each(matches))  # one that does not fold must not hide the others
            again = list(self.source.folded_each(self._erased_in(after))) if people else []
            with self.file.writing() as db:
                if db.execute("SELECT position FROM checkpoint").fetchone()[0] != after:
                    continue  # someone else was faster, but perhaps not with the latest
                for match in folded:
                    _update(db, match)
                if people:
                    self._reseat(db, after)
                for match in again:
                    _update(db, match, anew=True)
                if again:
                    ratings.drop(db)
                db.execute("UPDATE checkpoint SET position = ?, due = due OR ?", (news[-1][0], bool(again)))
            self._seen = news[-1][0]
            self._wipe()
            return len(news) == _BATCH

    def _reseat(self, db: sqlite3.Connection, after: int) -> None:
        """Say who the players are, in every row that names one whom the events about people after a position may concern."""
        people, since = self.source.register.since(after)
        concerned = {
            "ids": json.dumps(sorted(people.akin(since))),
            "matches": json.dumps([event.match for event in since if isinstance(event, Sat)]),
        }
        for match, seat, player, recorded in db.execute(_CONCERNED, concerned).fetchall():
            person = people.at(match, seat, recorded)
            if person != player:
                for model in MODELS:
                    if {"player", "seat"} <= model.columns.keys():
                        db.execute(
                            f"UPDATE {model.name} SET player = ? WHERE match = ? AND seat = ?", (person, match, seat)
                        )

    def _erased_in(self, after: int) -> set[str]:
        """Return the matches in which somebody played who was erased after a position."""
        register, store = self.source.register, self.source.store
        erased = register.erased_since(after)
        matches = {row.match for row in store.holding(erased)} if erased else set()
        return (matches | register.people().sat(erased)) - {STREAM}

    def _wipe(self) -> None:
        """Have what is said of the erased overwritten in the file too; while somebody reads what was before, later."""
        with suppress(sqlite3.Error, UnusableError):
            if self.file.reader.execute("SELECT due FROM checkpoint").fetchone()[0] and self.file.emptied(anew=True):
                with self.file.writing() as db:
                    db.execute("UPDATE checkpoint SET due = 0")

    def rebuild(self) -> Iterator[int]:
        """Drop the tables and fold the whole log again in one transaction, yielding how many events are done."""
        with self.file.writing() as db:
            upto = self.source.store.last_position()
            position, due = db.execute("SELECT position, due FROM checkpoint").fetchone()
            due = due or bool(self.source.register.erased_since(position))
            tables = (*(model.name for model in MODELS), *(summary.name for summary in SUMMARIES))
            for table in ("checkpoint", *ratings.TABLES, *tables):
                db.execute(f"DROP TABLE {table}")
            self.file.create(db)
            self.rebuilds += 1
            events, waiting = 0, 0
            rows: list[list[Row]] = [[] for _ in MODELS]
            for folded in self._fold_all():
                for model, some in zip(MODELS, rows, strict=True):
                    some.extend(model.rows(folded, 1))
                waiting += folded.stream.seq
                if waiting >= _BATCH:
                    _insert(db, rows)
                    events, waiting = events + waiting, 0
                    yield events
            _insert(db, rows)
            db.execute("UPDATE checkpoint SET position = ?, due = ?", (upto, due))
        self._wipe()
        yield events + waiting

    def _fold_all(self) -> Iterator[Folded]:
        """Yield every match of the log, folded afresh."""
        people, names = self.source.register.people(), self.source.store.names
        for match, position, lines, hash, _ in self.source.store.recordings():
            if match != STREAM:
                with suppress(LedgerError):  # as in _fold
                    if head(START, lines) != hash:
                        continue
                    events = decode(lines, names)
                    yield Folded(match, position, events[0], events[-1], hash, Stream.of(events), people)

    def differing(self, folded: Folded) -> str | None:
        """Return the first table whose rows for a match are not those that follow from its events, or None."""
        for model in MODELS:
            key = ", ".join(model.key)
            rows = self.file.reader.execute(f"SELECT * FROM {model.name} WHERE match = ? ORDER BY {key}", (folded.id,))
            if rows.fetchall() != list(model.rows(folded, 1)):
                return model.name
        return None

    def differing_summary(self) -> str | None:
        """Return the first summary that is not the sum of what it summarises, or `ratings`, or None."""
        reader = self.file.reader
        for summary in SUMMARIES:
            if reader.execute(summary.differing).fetchone()[0]:
                return summary.name
        return "ratings" if ratings.differing(self) else None

    def in_background(self, work: Callable[[], object]) -> threading.Thread:
        """Start work that reads the ledger in a thread of its own; when `closing` is set it is waited for, and should end."""
        thread = threading.Thread(target=work, name="background", daemon=True)
        self._background = [*(other for other in self._background if other.is_alive()), thread]
        thread.start()
        return thread

    def close(self) -> None:
        """Catch up with what was to follow, and release the file; again is no harm."""
        self.closing.set()
        # A connection that is closed while somebody reads from it takes the whole program down.
        for thread in self._background:
            thread.join()
        self._follower.stop()
        self.file.close()


def _opened(path: Path) -> SqliteFile:
    """Return the file, anew if it was of another version."""
    try:
        return SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL")
    except StoreError as error:
        if error.code != "store.version":
            raise
        _drop(path)
        return SqliteFile(path, KIND, VERSION, SCHEMA, "NORMAL")


def _drop(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _update(db: sqlite3.Connection, folded: Folded, anew: bool = False) -> None:
    """Bring the rows of a match up to date, or make them anew."""
    done = db.execute("SELECT seq, hands_complete FROM matches WHERE match = ?", (folded.id,)).fetchone()
    seq, since = (done[0], done[1] + 1) if done else (0, 1)
    if anew or folded.stream.corrected > seq:
        # Rows may have gone; otherwise they only come, or change in the hand under way.
        for model in MODELS:
            db.execute(model.delete, (folded.id,))
        since = 1
    for model in MODELS:
        db.executemany(model.insert, model.rows(folded, since))


def _insert(db: sqlite3.Connection, rows: list[list[Row]]) -> None:
    for model, some in zip(MODELS, rows, strict=True):
        db.executemany(model.insert, some)
        some.clear()
