"""What runs inside the browser on the page where files are tried: a file is read as `cardledger import` reads it.

Nothing is stored, and nothing is sent anywhere.
"""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.formats.bridge_files.reading import read_file_of_matches
from cardledger.formats.recognition import LOOKED_AT, recognised
from cardledger.formats.spreadsheets.known import NothingKnown
from cardledger.formats.spreadsheets.names import NEW, OTHERS
from cardledger.formats.spreadsheets.preview import preview
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.formats.spreadsheets.words import place_of
from cardledger.record.matches.matchfile import MatchInFile, Problem, Warned
from cardledger.record.matches.own_boards import OwnBoards
from cardledger.record.matches.replay import audit
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger_web.engine.answering import templates
from cardledger_web.engine.inside import Inside
from cardledger_web.languages import N_, Speaker, spoken_by, translated
from cardledger_web.views.desk import Desk
from cardledger_web.views.spreadsheet import evening_said
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.rules.engine.events import Event

VERDICTS = {"allowed": N_("allows"), "broken": N_("broken"), "resolved": N_("decides")}
MOST = 200
"""Matches of a file that are shown; more are counted."""


class TriedMatch(NamedTuple):
    """A match of a file: its stream, and its events as they are written."""

    stream: Stream
    events: Sequence[Event]


class SaidOfFile(NamedTuple):
    """What is said of a line of a file: an error or a remark, with its code."""

    line: int
    code: str
    words: str
    wrong: bool


class _OfFile(Speaker):
    """Speaks the language of the page, of players by the names that a file has for them."""

    def __init__(self, language: str) -> None:
        self._language = language

    def language(self) -> str:
        return self._language

    def name(self, player: str) -> str:
        return player


class Trying(Inside):
    """The engine of a page where files are tried."""

    def __init__(self) -> None:
        super().__init__()
        self._matches: list[TriedMatch] = []
        self._asked = {"read": self._read, "show": self._show, "table": lambda at: self.desk.table(at)}

    def _read(self, name: str, body: str, language: str, said: Mapping[str, str]) -> str:
        """Read a file, its bytes in base64; return what is in it, and what is wrong with it, as HTML.

        `said` is what its reader says of a sheet beside it.
        """
        spoken_by(_OfFile(language))
        content = b64decode(body)
        kind = recognised(content[:LOOKED_AT], name)
        if kind.reader == "sheets" or kind.kind == "text":
            return self._sheet(name, content, {key: text for key, text in said.items() if text})
        return self._file(name, content)

    def _file(self, name: str, content: bytes) -> str:
        self._matches, said, more = [], [], 0
        for item in read_file_of_matches(BytesIO(content), name, keep_going=True):
            if isinstance(item, MatchInFile):
                more += len(self._matches) >= MOST
                if len(self._matches) < MOST:
                    self._matches.append(TriedMatch(item.stream, item.events))
            elif isinstance(item, Problem):
                said.append(SaidOfFile(item.line, item.error.code, str(translated(item.error.message)), wrong=True))
            elif isinstance(item, Warned):
                said.append(SaidOfFile(item.line, item.code, str(translated(item.message)), wrong=False))
        return self._html("tried_file.html", name=name, matches=self._matches, more=more, said=said[:MOST])

    def _sheet(self, name: str, content: bytes, said: Mapping[str, str]) -> str:
        """Read a score sheet as for an evening of a club that nobody knows: every player is new."""
        wishes = Wishes(names={OTHERS: NEW}, date=said.get("date"), game=said.get("game"), columns=said.get("columns"))
        found = preview(NothingKnown(), [(name, content)], wishes)
        matches = [table.events for table in found.tables if table.events]
        self._matches = [TriedMatch(Stream.of(events), events) for events in matches[:MOST]]
        more = len(matches) - len(self._matches)
        return self._html(
            "tried_sheet.html", name=name, found=found, said=said, games=games(), most=MOST, place_of=place_of,
            evening_said=evening_said, matches=self._matches, more=more,
        )  # fmt: skip

    def _show(self, number: int) -> dict[str, Any]:
        """Open a match of the file; return its last event, and its events with their rulings as HTML."""
        found = self._matches[number]
        names = found.stream.table.players
        own = OwnBoards()
        self._desk = Desk("", found.stream, names, own, templates(), "")
        book, rows = found.stream.table.game.book, []
        for entry in audit(found.events):
            rulings = [(book[each.rule], VERDICTS[each.verdict], each.verdict) for each in entry.rulings]
            words = event_as_shown(entry.counts or entry.event, found.stream.table, names)
            gone = entry.counts is None and not entry.event.corrects
            rows.append((entry.seq, words, rulings, gone))
        events = self._html("tried_events.html", rows=rows, game=found.stream.table.game, names=names)
        return {"seq": found.stream.seq, "events": events}

    def _html(self, template: str, **values: Any) -> str:
        return str(templates().get_template(template).render(values))
