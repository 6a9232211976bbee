"""A store in tables of the ledger's database, for every server that uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from cardledger.record.store.postgres_server import Server, create_missing, if_there

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardledger.record.store.address import Address
    from cardledger.record.store.postgres_server import Connection
    from cardledger_api.beside.store import Changed, Execute

_PATIENCE = 5.0
Result = TypeVar("Result")


class BesideTables:
    """The first row creates the tables; until then there are none."""

    def __init__(self, address: Address, made: Mapping[str, tuple[str, ...]]) -> None:
        """`made` has, for tables that are made together, the name of one and the statements: the first ones first."""
        self._server = Server(address, _PATIENCE)
        self._made = made
        self._there = False

    def rows(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds, none where there are none yet."""

        def work(db: Connection) -> list[Any]:
            # Asking for a table that is missing would fill the log of the database with errors.
            self._there = self._there or _is_there(db, next(iter(self._made)))
            return db.execute(_marked(query), given).fetchall() if self._there else []

        return self._server.patiently(if_there(work, []))

    def change(self, work: Callable[[Execute], Result]) -> Result:
        """Return the result of work in one transaction; it is done again if the connection is lost."""

        def transaction(db: Connection) -> Result:
            def execute(query: str, given: tuple[object, ...]) -> Changed:
                return db.execute(_marked(query), given)

            for table, statements in self._made.items():
                create_missing(db, table, *statements)
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


def _is_there(db: Connection, table: str) -> bool:
    return db.execute("SELECT to_regclass(%s)", (table,)).fetchone() != (None,)
