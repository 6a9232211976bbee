"""The event store on PostgreSQL: one table, partitioned by match, for any number of writers at once.

The global order. A position is given out before its event is committed, so a reader may find 8 while 7 is still on its
way; reading on from 8 would skip 7 for good. Writers are not made to wait for each other for that. Instead

* a writer takes a lock that says "what I store is above L", L being the last position given out by then, and only after
  that has positions given (`append_events`); the lock is shared, so nobody waits for it, and ends with the transaction;
* a reader looks first at the last position given out, then at the locks, and reads up to the smallest of these numbers
  (`safe_position`), in a statement that begins after that.

Whatever has a position p up to that number is seen: p was given out before the reader looked at the last one, so its
writer's lock was there before the reader looked at the locks. If it was still held then, its L is below p, and the reader
stops at L. If not, the transaction was over, and PostgreSQL lets locks go only when a commit is visible to all
statements that begin from then on.

A writer that looked long ago may take its lock late, and the number falls again. Nothing is skipped by that, but a store
does not go back behind an event it has shown. Only behind an event: when a server crashes, a sequence forgets numbers that
nothing committed bears, and gives them out again.

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
from pathlib import Path
from typing import Any

import psycopg

from ledger.errors import LostError, StoreError
from ledger.store import Append, EventStore, Recording, Stored
from ledger.store.appending import appended, expect_as_expected, learn, one
from ledger.store.herald import Herald
from ledger.store.naming import PLAYER, Named, Names, erased_by
from ledger.store.server import Connection, Server, told
from ledger.store.where import PATIENCE, Address

VERSION = 2
_SCHEMA = Path(__file__).with_name("postgres.sql")
_STEPS = {1: Path(__file__).with_name("postgres_2.sql")}
"""What leads from a version to the next."""
_KIND = "cardledger "
_PAGE = 5_000
"""Rows read at once: what is read of a whole ledger takes no more memory than these."""
_FIRST_PAGE = 200
_LOOK = 0.005
_OWN = 2.0
"""Seconds a reader waits for what was written here to be safe to read: for other writers to be done."""
_SELECT_NAMES = "SELECT pseudonym, kind, text, salt FROM names"
_SELECT = "SELECT position, match, seq, line, hash FROM events"
_CATCH_UP = """SELECT nextval('positions') FROM generate_series(
    (SELECT last_value + 1 FROM positions), (SELECT max(position) FROM events))"""
_HASHES = "SELECT position, hash FROM events WHERE match = %s AND seq > %s ORDER BY seq"
_OID = "SELECT to_regclass(quote_ident(current_schema()) || '.events')::oid::bigint"
_HELD = """SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
_FOUND = "SELECT obj_description(to_regclass(quote_ident(current_schema()) || '.events'), 'pg_class')"


class PostgresStore:
    """Events in a schema of a PostgreSQL database: the first one of the connection's search path."""

    remote = True

    def __init__(self, address: Address, *, create: bool = True, patience: float = PATIENCE) -> None:
        """Open the ledger at an address, or create its tables; raises StoreError `store.open`, `store.version`.

        `patience` is for how many seconds what failed is tried again while the database is away. Without `create`, StoreError `store.missing` where there are none.
        """
        self.server = Server(address, patience)
        try:
            with self.server.connect() as db:
                self.name, channel = self._set_up(db, create)
        except psycopg.Error as error:
            raise StoreError("store.open", f"{address} cannot be opened: {told(error)}") from None
        self.names = Names(self._find, self._spoken)
        self.server.prepare = lambda db: db.execute(_CATCH_UP)
        self._herald = Herald(self.server, channel, lambda db: one(db, "SELECT safe_position()"))
        self._lock = threading.Lock()
        self._shown = 0  # position of the last event that was found safe to read
        self._looked = 0  # up to which position that was looked for
        self._written = 0  # last position written here
        self._waived = 0  # the one of those that was waited for in vain

    def _set_up(self, db: Connection, create: bool) -> tuple[str, str]:
        """Create the tables if there are none; return what the ledger is called, and the channel of its news."""
        address = self.server.address
        if one(db, "SHOW server_encoding") != "UTF8":
            raise StoreError("store.open", f"{address} is not in UTF-8: createdb --encoding UTF8 --template template0")
        schema = one(db, "SELECT current_schema()")
        if schema is None:
            raise StoreError("store.open", f"{address} has none of the schemas of the search path")
        if not one(db, _OID):
            if not create:
                raise StoreError("store.missing", f"there is no ledger at {address}")
            # One server makes the tables, the others wait, and look again in a transaction that begins after that. The
            # lock ends with this connection.
            db.execute("SELECT pg_advisory_lock(hashtextextended('cardledger ' || current_schema(), 0))")
            with db.transaction():
                if not one(db, _OID):
                    db.execute(_SCHEMA.read_bytes())
                    for step in _STEPS.values():
                        db.execute(step.read_bytes())
        found = one(db, _FOUND) or ""
        if not found.startswith(_KIND):
            raise StoreError("store.open", f"{address} has a table events of something else")
        if found != f"{_KIND}{VERSION}":
            found = _led_on(db)
        if found != f"{_KIND}{VERSION}":
            raise StoreError(
                "store.version", f"{address} has version {found.removeprefix(_KIND)}; this program uses {VERSION}"
            )
        host = self.server.parts.get("host") or db.info.host
        port = self.server.parts.get("port") or db.info.port
        return f"{host}:{port}/{db.info.dbname}/{schema}", f"cardledger {one(db, _OID)}"

    # --- writing

    def append(self, appends: Iterable[Append]) -> list[int]:
        """Store events, durable on return; return the position of the first event of each append, in their order.

        All or nothing where all partitions are of one server. Where they are not, each append is, and only a crash in the
        middle of the commit parts them: what is there already is then found by its hash. Raises ConflictError.
        """
        appends = list(appends)
        erased = [group for each in appends for group in erased_by(each.match, (line for line, _ in each.lines))]
        done: dict[int, int] = {}  # position of the first event by place among the appends
        doubt = False

        def attempt(db: Connection) -> None:
            nonlocal doubt
            if doubt:
                # The connection was lost, perhaps after the commit: what is there is not to be stored twice.
                self._recognise(db, appends, done)
            waiting = [place for place in range(len(appends)) if place not in done]
            if not waiting:
                return
            part = [appends[place] for place in waiting]
            before, doubt = doubt, True
            try:
                *firsts, last = appended(db, part, erased)
            except psycopg.errors.UniqueViolation:
                if not (before and self._recognise(db, appends, done)):
                    expect_as_expected(db, part)
                raise psycopg.errors.SerializationFailure("whoever was faster has not stored it after all") from None
            done.update(zip(waiting, firsts, strict=True))
            self._wrote(last)

        if appends:
            try:
                self.server.patiently(attempt, "store.write")
            except LostError as error:
                raise LostError(f"{error.message}; whether the events were stored is not known") from None
            self._herald.ring()
        if erased:
            self.names.forget()
            self._wipe()
        return [done[place] for place in range(len(appends))]

    def _recognise(self, db: Connection, appends: Sequence[Append], done: dict[int, int]) -> bool:
        """Add to what is done what is stored already, hash by hash; tell whether anything was."""
        before = len(done)
        for place, (match, expected, lines, *_) in enumerate(appends):
            if place not in done:
                rows = db.execute(f"{_HASHES} LIMIT %s", (match, expected, len(lines)), binary=True).fetchall()
                if [digest for _, digest in rows] == [digest for _, digest in lines]:
                    done[place] = rows[0][0]
                    self._wrote(rows[-1][0])
        return len(done) > before

    def learn(self, names: Collection[Named]) -> None:
        """Keep what pseudonyms stand for, but for those that are known or were erased."""
        if names:
            self.server.patiently(lambda db: learn(db, names), "store.write")

    def _wipe(self) -> None:
        """Have the server write the names anew, without what was erased; only who owns the table may."""
        with suppress(StoreError):
            self.server.patiently(lambda db: db.execute("VACUUM FULL names"))

    def _wrote(self, position: int) -> None:
        with self._lock:
            self._written = max(self._written, position)

    # --- reading

    def read(self, match: str, after: int = 0) -> list[Stored]:
        """Return the events of a match after a seq, in order."""
        return [*map(Stored._make, self._rows(f"{_SELECT} WHERE match = %s AND seq > %s ORDER BY seq", match, after))]

    def read_all(self, after: int = 0) -> Iterator[Stored]:
        """Yield all events after a position, in the order of the ledger."""
        query = f"{_SELECT} WHERE position > %s AND position <= %s ORDER BY position LIMIT %s"
        upto = self._upto()
        return map(Stored._make, self._paged(query, (after,), lambda row: row[:1], upto))

    def recordings(self, first: str = "", last: str = "\x7f", upto: int = 2**63 - 1) -> Iterator[Recording]:
        """Yield the matches from `first` to `last` with their events up to a position, in the order of the match ids."""
        query = """SELECT match, seq, position, line, hash FROM events
            WHERE (match, seq) > (%s, %s) AND match <= %s AND position <= %s ORDER BY match, seq LIMIT %s"""
        found = self._paged(query, (first, 0), lambda row: row[:2], last, upto)
        for match, group in groupby(found, itemgetter(0)):
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
        """Return how many events each of some matches has, for those that are there."""
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

    def _spoken(self, text: str) -> Iterable[Named]:
        query = f"{_SELECT_NAMES} WHERE kind = '{PLAYER}' AND md5(text) = md5(%s) AND text = %s"
        return map(Named._make, self._rows(query, text, text))

    def holding(self, texts: Collection[str]) -> Iterator[Stored]:
        """Yield the events with one of some texts in their lines as stored."""
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
        """Return the last position given out, also to events still on their way; never less than anybody has seen."""
        position: int = self._rows("SELECT last_value FROM positions")[0][0]
        return position

    def _upto(self) -> int:
        """Return up to which position all is there, own events included; see above.

        Own events are waited for, for a moment: if somebody else takes longer, they come later.
        """
        until = time.monotonic() + _OWN
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

    def tell(self, call: Callable[[], object]) -> bool:
        """Have `call` called, in a thread of the store's own, whenever events may have come; return that it will be."""
        self._herald.tell(call)
        return True

    def same(self, other: EventStore) -> bool:
        """Tell whether another store is this one, by whatever address."""
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
        self._herald.stop()
        self.server.close()

    def _rows(self, query: str, *given: object) -> list[Any]:
        if any(isinstance(one, str) and "\0" in one for one in given):
            return []  # no text here has a NUL, and PostgreSQL will not even be asked for one
        return self.server.patiently(lambda db: db.execute(query, given, binary=True).fetchall())

    def _paged(
        self, query: str, after: tuple[Any, ...], key: Callable[[Any], tuple[Any, ...]], *given: object
    ) -> Iterator[Any]:
        """Yield the rows of a query page by page: no transaction is held while somebody does something with them.

        Nothing is ever changed, and whatever comes meanwhile is either beyond what is asked for or as good.
        """
        for most in chain((_FIRST_PAGE,), repeat(_PAGE)):
            rows = self._rows(query, *after, *given, most)
            yield from rows
            if len(rows) < most:
                return
            after = key(rows[-1])


def _led_on(db: Connection) -> str:
    """Lead the tables to this version, as far as there are steps and the role may; return the version they have then."""
    db.execute("SELECT pg_advisory_lock(hashtextextended('cardledger ' || current_schema(), 0))")
    with db.transaction():
        while (found := str(one(db, _FOUND))).removeprefix(_KIND) in map(str, _STEPS):
            db.execute(_STEPS[int(found.removeprefix(_KIND))].read_bytes())
    return found
