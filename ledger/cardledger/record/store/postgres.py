"""The event store on PostgreSQL: one table, partitioned by match, for any number of writers at once.

The global order. A position is given out before its event is committed, so a reader may find 8 while 7 is still on its
way; reading on from 8 would skip 7 for good. Writers are not made to wait for each other for that. Instead

* a writer takes a lock that says "what I store is above L", L being the last position given out by then, and only after
  that has positions given (`append_events`); the lock is shared, so no writer waits for it, and ends with the
  transaction;
* a reader looks first at the last position given out, then at the locks, and reads up to the smallest of these numbers
  (`safe_position`), in a statement that begins after that.

Every event with a position p up to that number is seen: p was given out before the reader looked at the last one, so
its writer's lock was there before the reader looked at the locks. If it was still held then, its L is below p, and the
reader stops at L. If not, the transaction was over, and PostgreSQL lets locks go only when a commit is visible to all
statements that begin from then on.

A writer that looked long ago may take its lock late, and the number falls again. Nothing is skipped by that, but a
store does not go back behind an event it has shown. Only behind an event: when a server crashes, a sequence forgets
numbers that nothing committed bears, and gives them out again.

With partitions on other servers it may forget committed ones, too, as a commit there writes nothing down here. So every
new connection first takes positions until none is stored above the last one given.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain, groupby, repeat
from operator import itemgetter
from typing import Any

import psycopg

from cardledger.errors import LostError, StoreError
from cardledger.record.people.names import Named, Names, erased_by
from cardledger.record.people.old_lines import OldLines
from cardledger.record.people.people import STREAM
from cardledger.record.store import Append, EventStore, Recording, Stored
from cardledger.record.store.address import Address
from cardledger.record.store.notifications import Notifier
from cardledger.record.store.postgres_append import appended, expect_as_expected, learn, one
from cardledger.record.store.postgres_schema import (
    ALIKE,
    FOUND,
    KIND,
    SCHEMA,
    STEPS,
    VERSION,
    led_on,
    needs_in,
    state_needs,
)
from cardledger.record.store.postgres_server import Connection, Server, message_of
from cardledger.record.store.quota import Quota, expect_room, unlimited
from cardledger.record.store.write_lock import PATIENCE
from cardledger.sentence import advising

PAGE = 5_000
"""Rows read at once, which limits the memory for reading a whole ledger."""
FIRST_PAGE = 200
_LOOK = 0.005
OWN = 2.0
"""Seconds a reader waits until events written here are safe to read, that is, until other writers are done."""
_SELECT_NAMES = "SELECT pseudonym, kind, text, salt FROM names"
_SELECT = "SELECT position, match, seq, line, hash FROM events"
_CATCH_UP = """SELECT nextval('positions') FROM generate_series(
    (SELECT last_value + 1 FROM positions), (SELECT max(position) FROM events))"""
_HASHES = "SELECT position, hash FROM events WHERE match = %s AND seq > %s ORDER BY seq"
_OID = "SELECT to_regclass(quote_ident(current_schema()) || '.events')::oid::bigint"
_HELD = """SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


def _write_nothing(db: Connection) -> None:
    """Write a row and take it back."""
    with db.transaction(force_rollback=True):
        learn(db, [Named(secrets.token_hex(16), "person", '""', b"")])


class PostgresStore:
    """Events in a schema of a PostgreSQL database: the first one of the connection's search path."""

    remote = True
    writable = True
    refusal: StoreError | None = None
    quota: Callable[[], Quota | None] = staticmethod(unlimited)

    def __init__(
        self,
        address: Address,
        *,
        create: bool = True,
        patience: float = PATIENCE,
        before_creating: Callable[[str], object] = lambda name: None,
    ) -> None:
        """Open the ledger at an address, or create its tables.

        Raises StoreError `store.open`, `store.version`, `store.pooler`, `store.busy`.

        `patience` is the number of seconds for retries while the database is away. Without `create`, StoreError
        `store.missing` if there are none; `before_creating` gets the name of a ledger that is about to be created.
        """
        self.server = Server(address, patience)
        self.created = False
        try:
            with self.server.connect() as db:
                self.name, channel = self._set_up(db, create, before_creating)
        except psycopg.errors.LockNotAvailable:
            raise self.server.held_up() from None
        except psycopg.Error as error:
            raise StoreError("store.open", f"{address} cannot be opened: {message_of(error)}") from None
        self.names = Names(self._find, self._spoken, self._old_lines)
        self.server.prepare = self._prepare
        self._notifier = Notifier(self.server, channel, lambda db: one(db, "SELECT safe_position()"))
        self._lock = threading.Lock()
        self._stated = False  # what the ledger needs, once this program has recorded in it
        self._shown = 0  # position of the last event known to be safe to read
        self._looked = 0  # the position up to which that was checked
        self._written = 0  # last position written here
        self._waived = 0  # the last of those that was waited for in vain

    def _set_up(self, db: Connection, create: bool, before: Callable[[str], object]) -> tuple[str, str]:
        """Create the tables if there are none; return the name of the ledger, and its notification channel."""
        address = self.server.address
        if one(db, "SHOW server_encoding") != "UTF8":
            raise StoreError(
                "store.open",
                advising(f"{address} is not in UTF-8: create one with createdb --encoding UTF8 --template template0"),
            )
        schema = one(db, "SELECT current_schema()")
        if schema is None:
            raise StoreError("store.open", f"{address} has none of the schemas of the search path")
        if not one(db, _OID):
            if not create:
                raise StoreError("store.missing", f"there is no ledger at {address}")
            before(self._named(db, schema))
            # One server creates the tables; the others wait and look again in a later transaction. The lock ends with
            # this connection.
            db.execute("SELECT pg_advisory_lock(hashtextextended('cardledger ' || current_schema(), 0))")
            with db.transaction():
                if not one(db, _OID):
                    for step in (SCHEMA, *STEPS.values()):
                        db.execute(step)
                    self.created = True
        if not (one(db, FOUND) or "").startswith(KIND):
            raise StoreError(
                "store.open",
                advising(
                    f"{address} has a table events that belongs to another program: use another schema or database"
                ),
            )
        version = led_on(db)
        if version not in map(str, ALIKE):
            raise StoreError("store.version", f"{address} has version {version}; this program uses {VERSION}")
        needs = needs_in(db)
        needs.expect_readable(address)
        self.refusal = needs.refusal(address)
        return self._named(db, schema), f"cardledger {one(db, _OID)}"

    def _named(self, db: Connection, schema: str) -> str:
        """Return the name of the ledger in a schema."""
        host = self.server.parts.get("host") or db.info.host
        port = self.server.parts.get("port") or db.info.port
        return f"{host}:{port}/{db.info.dbname}/{schema}"

    def _prepare(self, db: Connection) -> None:
        db.execute(_CATCH_UP)
        if self.refusal is None:
            self.refusal = needs_in(db).refusal(self.server.address)  # a later program may have recorded meanwhile

    # --- writing

    def append(self, appends: Iterable[Append]) -> list[int]:
        """Store events, durable on return; return the position of the first event of each append, in their order.

        All or nothing where all partitions are of one server. Where they are not, each append is, and only a crash in
        the middle of the commit parts them: what is there already is then found by its hash. Raises ConflictError.
        """
        appends = list(appends)
        erased = [group for each in appends for group in erased_by(each.match, (line for line, _ in each.lines))]
        expect_room(self, appends, erasing=bool(erased))
        done: dict[int, int] = {}  # position of the first event by place among the appends
        doubt = False

        def attempt(db: Connection) -> None:
            nonlocal doubt
            if doubt:
                # The connection was lost, perhaps after the commit: stored events must not be stored twice.
                self.recognise(db, appends, done)
            waiting = [place for place in range(len(appends)) if place not in done]
            if not waiting:
                return
            if not self._stated:
                state_needs(db)
                self._stated = True
            part = [appends[place] for place in waiting]
            before, doubt = doubt, True
            try:
                *firsts, last = appended(db, part, erased)
            except psycopg.errors.UniqueViolation:
                if not (before and self.recognise(db, appends, done)):
                    expect_as_expected(db, part)
                raise psycopg.errors.SerializationFailure("the faster writer has not stored it after all") from None
            done.update(zip(waiting, firsts, strict=True))
            self._wrote(last)

        if appends:
            try:
                self.server.patiently(attempt, "store.write")
            except LostError as error:
                raise LostError(
                    f"{error.message}; it is unknown whether the events were stored: record them again with the same ids"
                ) from None
            self._notifier.ring()
        if erased:
            self.names.forget()
            self._wipe()
        return [done[place] for place in range(len(appends))]

    def recognise(self, db: Connection, appends: Sequence[Append], done: dict[int, int]) -> bool:
        """Mark appends that are already stored, by their hashes; tell whether there were any."""
        before = len(done)
        for place, (match, expected, lines, *_) in enumerate(appends):
            if place not in done:
                rows = db.execute(f"{_HASHES} LIMIT %s", (match, expected, len(lines)), binary=True).fetchall()
                if [digest for _, digest in rows] == [digest for _, digest in lines]:
                    done[place] = rows[0][0]
                    self._wrote(rows[-1][0])
        return len(done) > before

    def learn(self, names: Collection[Named]) -> None:
        """Store the texts of pseudonyms, except known and erased ones."""
        if names:
            self.server.patiently(lambda db: learn(db, names), "store.write")

    def _wipe(self) -> None:
        """Let the server rewrite the table of names without erased ones; only its owner may."""
        with suppress(StoreError):
            self.server.patiently(lambda db: db.execute("VACUUM FULL names"))

    def _wrote(self, position: int) -> None:
        with self._lock:
            self._written = max(self._written, position)

    # --- reading

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events of a match after a seq, in order, up to `limit`."""
        some = f"{_SELECT} WHERE match = %s AND seq > %s ORDER BY seq LIMIT %s"
        return [*map(Stored._make, self._rows(some, match, after, limit))]

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        query = f"{_SELECT} WHERE position > %s AND position <= %s ORDER BY position LIMIT %s"
        upto = self._upto()
        return map(Stored._make, self._paged(query, (after,), lambda row: row[:1], upto))

    def recordings(self, first: str = "", last: str = "\x7f", upto: int = 2**63 - 1) -> Iterator[Recording]:
        """Yield the matches from `first` to `last` with their events up to a position, in the order of the match ids."""
        query = """SELECT match, seq, position, line, hash FROM events
            WHERE (match, seq) > (%s, %s) AND match <= %s AND position <= %s ORDER BY match, seq LIMIT %s"""
        events = self._paged(query, (first, 0), lambda row: row[:2], last, upto)
        for match, group in groupby(events, itemgetter(0)):
            rows = list(group)
            yield Recording(match, rows[0][2], [row[3] for row in rows], rows[-1][4])

    def news(self, after: int, limit: int) -> list[tuple[int, str]]:
        """Return position and match of the next events after a position, up to `limit` of them."""
        query = "SELECT position, match FROM events WHERE position > %s AND position <= %s ORDER BY position LIMIT %s"
        upto = self._upto()
        rows = self._rows(query, after, upto, limit) if upto > after else []
        if rows:
            self._show(rows[-1][0])
        return rows

    def between(self, after: int, upto: int) -> set[str]:
        """Return the matches with events after one position and up to another."""
        rows = self._rows("SELECT DISTINCT match FROM events WHERE position > %s AND position <= %s", after, upto)
        return {match for (match,) in rows}

    def lengths(self, matches: Collection[str]) -> dict[str, int]:
        """Return the number of events of each match that exists."""
        query = "SELECT match, max(seq) FROM events WHERE match = ANY(%s) GROUP BY match"
        return dict(self._rows(query, [*matches])) if matches else {}

    def matches(self) -> list[str]:
        """Return the ids of all matches in the order of their openings."""
        return [match for (match,) in self._rows("SELECT match FROM events WHERE seq = 1 ORDER BY position")]

    def ids(self, prefix: str, limit: int, after: str = "") -> list[str]:
        """Return up to `limit` match ids that begin with a prefix and come after one, in their order."""
        query = """SELECT match FROM events
            WHERE match >= %s AND match < %s AND match > %s AND seq = 1 ORDER BY match LIMIT %s"""
        return [match for (match,) in self._rows(query, prefix, f"{prefix}\x7f", after, limit)]

    def named(self, kind: str) -> Iterator[Named]:
        """Yield all names of a kind, in the order of their pseudonyms."""
        query = f"{_SELECT_NAMES} WHERE pseudonym > %s AND kind = %s ORDER BY pseudonym LIMIT %s"
        return map(Named._make, self._paged(query, ("",), lambda row: row[:1], kind))

    def _find(self, pseudonyms: Collection[str]) -> Iterable[Named]:
        return map(Named._make, self._rows(f"{_SELECT_NAMES} WHERE pseudonym = ANY(%s)", [*pseudonyms]))

    def _old_lines(self) -> OldLines:
        def line_at(stream: str, seq: int) -> str | None:
            return next(iter(row.line for row in self.read(stream, seq - 1, 1)), None)

        return OldLines([row.line for row in self.read(STREAM)], line_at)

    def _spoken(self, kind: str, text: str) -> Iterable[Named]:
        query = f"{_SELECT_NAMES} WHERE kind = %s AND md5(text) = md5(%s) AND text = %s"
        return map(Named._make, self._rows(query, kind, text, text))

    def holding(self, texts: Collection[str]) -> Iterator[Stored]:
        """Yield the events whose stored lines hold one of some texts."""
        query = f"""{_SELECT} WHERE (match, seq) > (%s, %s)
            AND EXISTS (SELECT FROM unnest(%s::text[]) AS sought WHERE strpos(line, sought) > 0)
            ORDER BY match, seq LIMIT %s"""
        return map(Stored._make, self._paged(query, ("", 0), lambda row: row[1:3], [*texts]))

    def last_position(self) -> int:
        """Return the position of the last event that readers of the whole ledger may see by now, 0 for none."""
        upto = self._upto()
        if upto != self._looked:
            query = "SELECT max(position) FROM events WHERE position > %s AND position <= %s"
            self._show(self._rows(query, self._shown, upto)[0][0] or 0)
            self._looked = upto
        return self._shown

    def last_given(self) -> int:
        """Return the last position given out, even to uncommitted events; never less than any reader has seen."""
        return int(self._rows("SELECT last_value FROM positions")[0][0])

    def _upto(self) -> int:
        """Return the position up to which no event is missing; see above.

        Waits a moment for our own events; if another writer takes longer, they come later.
        """
        until = time.monotonic() + OWN
        own = self._written
        while True:
            upto: int = max(self._rows("SELECT safe_position()")[0][0], self._shown)
            if upto >= own or self._waived >= own:
                return upto
            if time.monotonic() > until:
                self._waived = own
            time.sleep(_LOOK)

    def _show(self, position: int) -> None:
        with self._lock:
            self._shown = max(self._shown, position)

    def stuck(self) -> None:
        """Return None: writers do not wait for each other. Raises StoreError `store.write` as long as the server refuses to write."""
        if self.server.refused:
            self.server.patiently(_write_nothing, "store.write")

    def tell(self, call: Callable[[], object]) -> bool:
        """Call `call`, in the store's own thread, whenever events may have come; return True."""
        self._notifier.tell(call)
        return True

    def same(self, other: EventStore) -> bool:
        """Tell whether another store is this one, under any address."""
        if not isinstance(other, PostgresStore):
            return False
        # Only within one database do they see each other's locks; and there a table has one number.
        key = secrets.randbits(62)
        with closing(self.server.connect()) as db:
            db.execute("SELECT pg_advisory_lock(%s)", (key,))
            ((there,),) = other._rows(_HELD, key >> 32, key & 0xFFFFFFFF)
            return bool(there) and one(db, _OID) == other._rows(_OID)[0][0]

    def close(self) -> None:
        """Close all connections."""
        self._notifier.stop()
        self.server.close()

    def _rows(self, query: str, *given: object) -> list[Any]:
        if any(isinstance(one, str) and "\0" in one for one in given):
            return []  # no text here has a NUL, so PostgreSQL need not be asked
        return self.server.patiently(lambda db: db.execute(query, given, binary=True).fetchall())

    def _paged(
        self, query: str, after: tuple[Any, ...], key: Callable[[Any], tuple[Any, ...]], *given: object
    ) -> Iterator[Any]:
        """Yield the rows of a query page by page: no transaction is open while the caller uses them.

        Rows never change, and new ones are either outside the query or harmless.
        """
        for most in chain((FIRST_PAGE,), repeat(PAGE)):
            rows = self._rows(query, *after, *given, most)
            yield from rows
            if len(rows) < most:
                return
            after = key(rows[-1])
