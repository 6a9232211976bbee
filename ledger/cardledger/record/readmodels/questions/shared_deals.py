"""The same deal at several tables.

The hands of a match that stay hidden because another table is playing their cards or will play them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from cardledger.companion import Companion
from cardledger.record.readmodels.tables.boards import left_out

if TYPE_CHECKING:
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.readers import Readable
    from cardledger.rules.engine.days import DayOfPlay

_IN_PLAY = """SELECT d.cards_hash, d.match, d.hand FROM matches AS m JOIN hands AS h USING (match) JOIN deals AS d
    ON d.match = h.match AND d.hand = h.hand WHERE m.status = 'open' AND h.ended_by IS NULL"""
_SAME = "SELECT cards_hash, match, hand FROM deals WHERE cards_hash IN (SELECT value FROM json_each(?))"
_OPEN = "SELECT match, event, game, seats, date FROM matches WHERE status = 'open' AND event IS NOT NULL"
_AT_EVENT = """SELECT match, date, status = 'open' FROM matches
    WHERE event = ?1 AND game = ?2 AND seats = ?3
    AND (?4 IS NULL OR date IS NULL OR date IN (SELECT value FROM json_each(?4)))"""
# Void matches are in no table of hands, and their deals may be dealt again.
_HANDS = """SELECT h.match, h.hand, d.cards_hash, coalesce(d.recorded, 0), h.ended_by IS NOT NULL
    FROM hands AS h LEFT JOIN deals AS d ON d.match = h.match AND d.hand = h.hand
    WHERE h.match IN (SELECT value FROM json_each(?1))
    UNION ALL SELECT match, hand, cards_hash, recorded, 1 FROM deals JOIN matches USING (match)
    WHERE match IN (SELECT value FROM json_each(?1)) AND status = 'void'"""


@dataclass(frozen=True, slots=True)
class Held:
    """The hidden part of a match: hands by number, and with `rest` also events taken back."""

    hands: frozenset[int] = frozenset()
    rest: bool = False


NOTHING = Held()


class _HandAt(NamedTuple):
    """A hand of a match at an event; `cards` is None if they are not known."""

    number: int
    cards: str | None
    recorded: bool
    over: bool


@dataclass(frozen=True, slots=True)
class TableInPlay:
    """A match at an event."""

    match: str
    day: DayOfPlay
    open: bool
    hands: list[_HandAt]

    @property
    def cards(self) -> set[str]:
        """The deals known to have been dealt here."""
        return {hand.cards for hand in self.hands if hand.cards is not None}

    @property
    def done(self) -> set[str]:
        """The deals known to have been played here."""
        return {hand.cards for hand in self.hands if hand.cards is not None and hand.over}


def held_back(views: ReadModels) -> Mapping[str, Held]:
    """Return the parts hidden now, by match.

    A deal stays hidden as long as its cards are in play in any open match, and as long as an open match of the same
    event is still to play it. Matches are of one event if they have its name, the same game and number of seats, and
    days next to each other at most; an unknown day may be any. An event is known to share deals once two of its matches have had the same deal;
    from then on, open matches are expected to play every deal they have not played. Before that, a recorded deal
    waits for every open match with neither a finished hand nor known cards. And all hands of a match are hidden while
    a board of its evening is in play at another table.
    """
    return held_in(views, views.current)


def held_in(views: ReadModels, tables: Readable) -> Mapping[str, Held]:
    """Return the parts that were hidden at the position of some tables: for what is counted in the same tables."""
    (position,) = tables.execute("SELECT max(position) FROM checkpoint").fetchone()
    moment = position, left_out(tables)
    latest = _latest.get(views)
    if latest is None or latest[0] != moment:
        latest = _latest.put(views, (moment, _held(tables)))
    return latest[1]


_latest: Companion[tuple[tuple[int, frozenset[str]], Mapping[str, Held]]] = Companion("held deals")


NOT_HELD = "v.match || ' ' || v.hand NOT IN (SELECT value FROM json_each(:held))"
"""The condition that a violation `v` is of a hand that does not stay hidden; `held` is `held_hands`."""


def held_pairs(views: ReadModels) -> list[tuple[str, int]]:
    """Return the hands that stay hidden: match and number of each."""
    return [(match, hand) for match, held in held_back(views).items() for hand in held.hands]


def held_hands(views: ReadModels) -> str:
    """Return the hands that stay hidden as queries take them: match and number of each, as JSON."""
    return json.dumps([f"{match} {hand}" for match, hand in held_pairs(views)])


def _held(reader: Readable) -> Mapping[str, Held]:
    hands: defaultdict[str, set[int]] = defaultdict(set)
    for match, number in _in_play(reader):
        hands[match].add(number)
    waiting = set(hands)
    for table, numbers in _to_come(reader):
        hands[table.match] |= numbers
        waiting.add(table.match)
    for match, number in reader.execute("SELECT match, hand FROM boards JOIN secret_matches USING (match)"):
        hands[match].add(number)
        waiting.add(match)
    return {match: Held(frozenset(hands[match]), rest=True) for match in waiting}


def _in_play(reader: Readable) -> Iterator[tuple[str, int]]:
    """Yield the hands whose cards are in play in another match."""
    playing: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    for cards, match, hand in reader.execute(_IN_PLAY):
        playing[cards].add((match, hand))
    for cards, match, hand in reader.execute(_SAME, (json.dumps([*playing]),)) if playing else ():
        if playing[cards] - {(match, hand)}:
            yield match, hand


def _to_come(reader: Readable) -> Iterator[tuple[TableInPlay, set[int]]]:
    """Yield the matches of an event that wait for others, with the hands that the others have yet to play."""
    days: defaultdict[tuple[str, str, int], set[DayOfPlay]] = defaultdict(set)
    for _, event, game, seats, day in reader.execute(_OPEN):
        days[event, game, seats] |= _next_to(day)
    for at, about in days.items():
        rows = reader.execute(_AT_EVENT, (*at, None if None in about else json.dumps([*about]))).fetchall()
        if len(rows) < 2:
            continue
        hands: defaultdict[str, list[_HandAt]] = defaultdict(list)
        for match, *columns in reader.execute(_HANDS, (json.dumps([match for match, *_ in rows]),)):
            hands[match].append(_HandAt(*columns))
        near: defaultdict[DayOfPlay, list[TableInPlay]] = defaultdict(list)
        all_days = {each for _, day, _ in rows for each in _next_to(day)} | {None}
        for match, day, open in rows:
            table = TableInPlay(match, day, bool(open), hands[match])
            for each in all_days if day is None else {*_next_to(day), None}:
                near[each].append(table)
        for day in {day for _, day, open in rows if open}:
            yield from _waiting_for([table for table in near[day] if table.open and table.day == day], near[day])


def _next_to(day: DayOfPlay) -> set[DayOfPlay]:
    """Return a day with the days before and after it; an unknown one alone.

    An evening can run past midnight, so its matches may have two dates.
    """
    if day is None:
        return {None}
    try:
        middle = date.fromisoformat(day)
        return {day, *(str(middle + timedelta(days)) for days in (-1, 1))}
    except (ValueError, OverflowError):
        return {day}


def _waiting_for(behind: list[TableInPlay], near: list[TableInPlay]) -> Iterator[tuple[TableInPlay, set[int]]]:
    """Yield the matches that wait for the open ones of a day, with the hands that any of those has yet to play.

    The open ones are counted, not compared with each match: an event may have thousands.
    """
    if _shared(near):
        done = Counter(cards for table in behind for cards in table.done)
        ours = {table.match for table in behind}
        for table in near:
            own = table.done if table.match in ours else set[str]()
            if others := len(behind) - (table.match in ours):
                yield (
                    table,
                    {
                        hand.number
                        for hand in table.hands
                        if hand.cards is None or done[hand.cards] - (hand.cards in own) < others
                    },
                )
        return
    idle = {table.match for table in behind if not table.cards and not any(hand.over for hand in table.hands)}
    for table in near if idle else ():
        numbers = {hand.number for hand in table.hands if hand.recorded}
        if numbers and len(idle) > (table.match in idle):
            yield table, numbers


def _shared(tables: Iterable[TableInPlay]) -> bool:
    """Tell whether any two matches have had the same deal."""
    seen: set[str] = set()
    for table in tables:
        if not seen.isdisjoint(table.cards):
            return True
        seen |= table.cards
    return False
