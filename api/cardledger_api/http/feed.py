"""The feed of live streams: the events of a ledger after a number, as their followers may see them."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.record.people.people import STREAM
from cardledger.record.readmodels.questions.shared_deals import held_back
from cardledger.record.readmodels.tables.boards import in_play, secret_matches
from cardledger.record.recording.secrecy import Secrets, public_evening_line, public_people_line
from cardledger.record.store.streams import is_evening, is_lesson, is_match
from cardledger_api.http.streams import ALL, News

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Mapping, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import Stored
    from cardledger_api.http.streams import Filter, Kind, Topic

_BATCH = 200
"""Events read from the store at once."""
_LARGE = 128 * 1024
"""Characters that are sent at once, at most."""
_GAMES = 10_000
"""Matches and evenings whose game is remembered."""


class _Typed(msgspec.Struct):
    type: str


class _Opening(msgspec.Struct):
    game: str | None = None


_typed = msgspec.json.Decoder(_Typed).decode
_opening = msgspec.json.Decoder(_Opening).decode


class Batch(NamedTuple):
    """The next events of the whole ledger.

    The stored ones that are left out, and those that are cut: without what is secret.
    """

    news: list[News]
    left_out: list[Stored]
    cut: list[Stored]


class LedgerFeed:
    """The events of a ledger, for streams."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._game = lru_cache(_GAMES)(self._game_of)
        self._read: tuple[int, list[Stored]] = (0, [])

    def news(self, topic: Topic, after: int) -> list[News]:
        """Return the next events of a match or of the whole ledger, with the cards that its followers may see."""
        ledger = self._ledger
        if topic.match is None:
            return self.batch(topic, after).news
        rows = self._public(topic, _some(ledger.cleared(ledger.store.read(topic.match, after, _BATCH))))
        return [News(row.seq, line) for row, (line, _) in zip(rows, self._shown(topic, rows), strict=True)]

    def batch(self, topic: Topic, after: int, held: Container[str] = ()) -> Batch:
        """Return the next events of the whole ledger, and those among them that readers may not see yet.

        Events of which none is wanted give their last position alone. Of the streams in `held` nothing is shown.
        """
        left_out: list[Stored] = []
        while rows := self._after(after):
            after = rows[-1].position
            wanted = [row for row in rows if self._wants(topic.filter, row)]
            if not wanted:
                return Batch([News(after, None)], left_out, [])
            to_the_end = wanted[-1] is rows[-1]
            wanted = self._ledger.cleared(wanted)
            shown = [row for row in self._public(topic, wanted) if row.match not in held]
            positions = {row.position for row in shown}
            left_out += [row for row in wanted if row.position not in positions]
            if shown:
                news, cut = self._lines_of_all(topic, shown)
                return Batch(news if to_the_end else [*news, News(after, None)], left_out, cut)
        return Batch([], left_out, [])

    def opened(self, topic: Topic, stream: str, left_out: Container[int], cut: Collection[int], after: int) -> Batch:
        """Return the first of some events of a stream, after a seq, that followers may see now.

        Those left out, and the cut ones in full.
        """
        rows = [row for row in self._ledger.store.read(stream, after) if row.seq in left_out or row.seq in cut]
        rows = self._ledger.cleared(self._public(topic, rows))
        still = {row.seq for row in self._lines_of_all(topic, rows)[1]}
        rows = _some([row for row in rows if row.seq in left_out or row.seq not in still][:_BATCH])
        news, cut_now = self._lines_of_all(topic, rows)
        return Batch(news, [], cut_now)

    def state(self, stream: str) -> object:
        """Return what decides, beside its own events, which parts of a stream its followers may see."""
        views = self._ledger.views
        if is_match(stream):
            return stream in secret_matches(views.current), held_back(views).get(stream)
        return in_play(views.current).get(stream)

    def _after(self, after: int) -> list[Stored]:
        """Return the next events as stored.

        The last ones read are kept: streams with other filters ask for the same.
        """
        kept, rows = self._read
        if kept != after or not rows:
            rows = _some([*islice(self._ledger.store.read_all(after), _BATCH)])
            self._read = after, rows  # one tuple: no thread may see one value without the other
        return rows

    def _wants(self, filter: Filter, row: Stored) -> bool:
        """Tell whether a filter lets an event through."""
        if filter == ALL:
            return True
        return (
            (filter.kinds is None or kind_of(row.match) in filter.kinds)
            and (filter.types is None or _typed(row.line).type in filter.types)
            and (filter.game is None or self._game(row.match) == filter.game)
        )

    def _game_of(self, stream: str) -> str | None:
        """Return the game of a match or an evening, which no correction of its opening changes."""
        (opening,) = self._ledger.store.read(stream, 0, 1)
        return _opening(opening.line).game

    def position(self) -> int:
        """Return the position of the last event of the ledger."""
        return self._ledger.store.last_position()

    def touched(self, after: int) -> tuple[int, set[str]]:
        """Return the position of the last event, and the matches with events after another position."""
        upto = self.position()
        return upto, self._ledger.store.between(after, upto) if upto > after else set()

    def _public(self, topic: Topic, rows: list[Stored]) -> list[Stored]:
        """Return rows without those of matches that the followers may not see while another table has a board of them to play."""
        if topic.whole or not any(is_match(row.match) for row in rows):
            return rows
        secret = secret_matches(self._ledger.views.current)
        return [row for row in rows if row.match not in secret]

    def _hidden(self, topic: Topic, rows: Sequence[Stored]) -> Mapping[str, Collection[int]]:
        """Return the boards of each evening whose results the followers may not see yet, if rows are of evenings."""
        if topic.whole or not any(is_evening(row.match) for row in rows):
            return {}
        return in_play(self._ledger.views.current)

    def _lines_of_all(self, topic: Topic, rows: list[Stored]) -> tuple[list[News], list[Stored]]:
        """Return events for a stream of the whole ledger.

        Each with the id of its match or other stream in front, and those that are cut.
        """
        lines = self._shown(topic, rows)
        news = [
            News(row.position, f'{{"{_key(row.match)}":"{row.match}",{line[1:]}')
            for row, (line, _) in zip(rows, lines, strict=True)
        ]
        return news, [row for row, (_, is_cut) in zip(rows, lines, strict=True) if is_cut]

    def _shown(self, topic: Topic, rows: Sequence[Stored]) -> list[tuple[str, bool]]:
        """Return the line of each event as the followers may see it now, and whether they may see more of it later."""
        if topic.whole:
            return [(public_people_line(row.line) if row.match == STREAM else row.line, False) for row in rows]
        matches = {row.match for row in rows if is_match(row.match)}
        secrets = {match: Secrets.of(self._ledger, match) for match in matches}
        hidden = self._hidden(topic, rows)

        def public(row: Stored) -> tuple[str, bool]:
            if row.match in matches:
                line = secrets[row.match].public_line(row.line, row.seq)
                return line, line != row.line
            if row.match == STREAM:
                return public_people_line(row.line), False
            full = public_evening_line(row.line, row.match)
            line = public_evening_line(row.line, row.match, boards) if (boards := hidden.get(row.match)) else full
            return line, line != full

        return [public(row) for row in rows]


def _key(stream: str) -> str:
    """Return the key for the id of a stream: a result of an evening has a key `match` of its own."""
    return "match" if is_match(stream) else "stream"


def kind_of(stream: str) -> Kind:
    """Return the kind of a stream of the ledger."""
    if stream == STREAM:
        return "people"
    return "evenings" if is_evening(stream) else "lessons" if is_lesson(stream) else "matches"


def _some(rows: list[Stored]) -> list[Stored]:
    """Return the first of some rows, at least one, but no more than a slow reader should have waiting."""
    size = 0
    for place, row in enumerate(rows, 1):
        size += len(row.line)
        if size > _LARGE:
            return rows[:place]
    return rows
