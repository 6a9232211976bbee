"""Webhooks in tables of the ledger's database, for every server that uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from cardledger.record.store.postgres_server import Server, create_missing, if_there

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger.record.store.address import Address
    from cardledger.record.store.postgres_server import Connection
    from cardledger_api.hooks.hook import Changed, Execute

_CUT = """CREATE TABLE cut (
    hook text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (hook, position)
)"""
SCHEMA = (
    """CREATE TABLE hooks (
    id text PRIMARY KEY,
    name text NOT NULL UNIQUE,
    url text NOT NULL,
    secret text NOT NULL,
    role text NOT NULL,
    filter text NOT NULL,
    created text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    pending bigint,
    failures integer NOT NULL DEFAULT 0,
    failing_since double precision,
    due double precision NOT NULL DEFAULT 0,
    disabled text
)""",
    """CREATE TABLE deliveries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hook text NOT NULL,
    at text COLLATE "C" NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    status integer,
    ms integer NOT NULL,
    error text
)""",
    "CREATE INDEX deliveries_of ON deliveries (hook, number)",
    """CREATE TABLE withheld (
    hook text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (hook, position)
)""",
    _CUT,
)
_PATIENCE = 5.0
Result = TypeVar("Result")


class HookTable:
    """The first webhook creates the tables; until then there are none."""

    def __init__(self, address: Address) -> None:
        self._server = Server(address, _PATIENCE)
        self._there = False

    def rows(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds, none where there are no webhooks yet."""

        def work(db: Connection) -> list[Any]:
            # Asking for a table that is missing would fill the log of the database with errors.
            self._there = self._there or db.execute("SELECT to_regclass('hooks')").fetchone() != (None,)
            return db.execute(_marked(query), given).fetchall() if self._there else []

        return self._server.patiently(if_there(work, []))

    def change(self, work: Callable[[Execute], Result]) -> Result:
        """Return the result of work in one transaction; it is done again if the connection is lost."""

        def transaction(db: Connection) -> Result:
            def execute(query: str, given: tuple[object, ...]) -> Changed:
                return db.execute(_marked(query), given)

            create_missing(db, "hooks", *SCHEMA)
            create_missing(db, "cut", _CUT)  # an earlier version made the others
            with db.transaction():
                return work(execute)

        return self._server.patiently(transaction, "store.write")

    def empty(self) -> None:
        """Do nothing: the server's own log is its owner's to expire."""

    def clock(self) -> float:
        """Return the time of the database in seconds: the clocks of servers differ."""
        query = "SELECT extract(epoch FROM clock_timestamp())::double precision"
        return float(self._server.patiently(lambda db: db.execute(query).fetchall())[0][0])

    def close(self) -> None:
        """Close all connections."""
        self._server.close()


def _marked(query: str) -> str:
    return query.replace("?", "%s")
