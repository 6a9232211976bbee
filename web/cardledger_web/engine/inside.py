"""What runs inside the browser: a page's worker asks in JSON, and the code of the server answers.

There is no network, no store and no Flask here. One match is open at a time, on the scorer's desk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.record.matches.own_boards import OwnBoards
from cardledger.record.matches.shape import event_of
from cardledger.rules.stream import Stream
from cardledger_web.engine.ahead import Ahead
from cardledger_web.engine.answering import Answering, OfPage, recorded, templates
from cardledger_web.engine.checking import checked
from cardledger_web.engine.opening import opened
from cardledger_web.engine.witness import looked_at
from cardledger_web.languages import spoken_by
from cardledger_web.views.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Inside(Answering):
    """The engine of one page. `answer` is all that the worker calls."""

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self._waits: Ahead | None = None
        super().__init__(
            {
                "open": self._open,
                "opened": opened,
                "append": self._append,
                "table": self._table,
                "look": self._look,
                "tried": self._tried,
                "compared": self._compared,
                "log": self._log,
                "line": self._line,
                "follows": self._follows,
                "looked_at": looked_at,
                "checked": checked,
            }
        )

    @property
    def desk(self) -> Desk:
        """The desk of the match that is open."""
        assert self._desk is not None, "open a match first"
        return self._desk

    def _open(
        self,
        match: str,
        events: list[Any],
        names: list[str],
        own: Mapping[str, Any],
        language: str,
        opening: str,
    ) -> int:
        """Open a match, with its events as they are recorded."""
        stream = Stream.of(recorded(events))
        spoken_by(OfPage(language, dict(zip(stream.table.players, names, strict=True))))
        self._desk = Desk(match, stream, names, boards_of(own), templates(), opening)
        self._waits = Ahead(self._desk)
        return stream.seq

    def _append(self, events: list[Any], own: Mapping[str, Any]) -> int:
        """Add events that the server has recorded, and take the boards that the table plays now."""
        self.desk.stream.extend(recorded(events))
        self.desk.own = boards_of(own)
        return self.desk.stream.seq

    def _after(self, waiting: Sequence[Any]) -> Desk:
        """Return the desk as it will be once the waiting entries are recorded."""
        assert self._waits is not None, "open a match first"
        events = []
        for index, event in enumerate(waiting):
            try:
                events.append(event_of(event))
            except LedgerError as error:
                error.index = index
                raise
        return self._waits.after(events) if events else self.desk

    def _table(self, at: int | None, waiting: Sequence[Any] = ()) -> dict[str, Any]:
        return self._after(waiting).table(at)

    def _look(self, waiting: Sequence[Any]) -> dict[str, Any]:
        """Return the table after what waits, and what the server will ask about each entry."""
        table = self._after(waiting).table()
        assert self._waits is not None
        return {"table": table, "asked": self._waits.asked}

    def _tried(self, events: list[Any], at: int | None, waiting: Sequence[Any] = ()) -> dict[str, Any]:
        return self._after(waiting).tried([event_of(event) for event in events], at)

    def _compared(self, events: list[Any], at: int) -> dict[str, Any]:
        return self.desk.compared([event_of(event) for event in events], at)

    def _log(self, whole: bool, waiting: Sequence[Any] = ()) -> str:
        return str(self._after(waiting).log(whole=whole, recorded=self.desk.stream.seq))

    def _line(self, text: str) -> dict[str, Any] | None:
        return self.desk.line(text)

    def _follows(self, points: list[str], waiting: Sequence[Any] = ()) -> list[int | None]:
        return self._after(waiting).follows(points)


def boards_of(own: Mapping[str, Any]) -> OwnBoards:
    """Return the boards of a table from JSON data."""
    return OwnBoards(tuple(own["boards"]), frozenset(own["decided"]), own["table"], own["evening"], own["round"])
