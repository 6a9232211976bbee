"""A club's season, made up: members of different strength, twenty evenings of several games, a league.

It is the same every time: chance comes from one seed, and the times are those of a fixed season.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, NamedTuple

import msgspec

from cardledger.rules.bots.members import as_score_sheet, member, timed, with_card_taken_back
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as match_events
from cardledger.rules.engine.events import Event
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drawing import table_events
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.season import Count
from cardledger.rules.evenings.seating import History, propose
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games import game
from cardledger.rules.stream import Stream


class Person(NamedTuple):
    """Somebody of the club: name, number (a guest has none), the chance to play a card with care and to come."""

    name: str
    number: str | None
    care: float
    comes: float


PEOPLE = (
    Person("Aoife", "1", 0.95, 0.9), Person("Bashir", "2", 0.9, 0.85), Person("Catalina", "3", 0.97, 0.8),
    Person("Dragan", "4", 0.6, 0.9), Person("Emeka", "5", 0.8, 0.8), Person("Freya", "7", 0.85, 0.7),
    Person("Giulia", "8", 0.5, 0.85), Person("Haruki", "9", 0.99, 0.6), Person("Ingrid", "11", 0.7, 0.8),
    Person("João", "12", 0.4, 0.9), Person("Kateryna", "14", 0.9, 0.75), Person("Leilani", "15", 0.75, 0.7),
    Person("Mattéo", "17", 0.3, 0.75), Person("Nilüfer", "18", 0.65, 0.8),
    Person("Oskar", None, 0.55, 0.25), Person("Priya", None, 0.92, 0.3),
)  # fmt: skip
GAMES: dict[str, dict[str, Any]] = {
    "hearts": {"hands": 3}, "spades": {"hands": 2}, "diversity": {"hands": 2}, "whist": {"hands": 2},
    "oh-hell": {"order": "up", "most": 6}, "euchre": {"target": 5}, "ruff": {}, "poison-hearts": {"rounds": 2},
}  # fmt: skip
"""The games of the evenings in turn, with options for matches of less than an hour."""
DUPLICATE = ("whist", "euchre")
"""Games in which all tables of a round play the same deals, so that luck and play can be told apart."""
SMALLEST, LARGEST = 3, 5
"""The sizes of tables, if the game allows them."""
FIRST, PAUSE = date(2026, 1, 13), date(2026, 4, 7)
"""The first evening, and the week without one."""
NIGHTS, ROUNDS = 20, 3
START, LENGTH = time(19, 0), timedelta(minutes=50)
"""The beginning of the first round, and the time from one round to the next."""
DIRECTOR = "Ingrid"
"""The member who keeps the record of the evenings."""
ON_PAPER, VOID = (4, 2, 2), (7, 2, 2)
"""Evening, round and table of a match kept on paper, and of one that was declared void."""
LATE, CORRECTED = 10, 14
"""An evening with a penalty, and one with a correction after its ranking was published."""
_SEED = "a season of cards"


class SeasonPart(NamedTuple):
    """What is recorded next: matches, each from its opening, then clubs, sessions and leagues as they are by now."""

    matches: list[list[Event]]
    evenings: list[list[Event]]


def season() -> Iterator[SeasonPart]:
    """Yield the season in parts to record one after another: the club, each evening, and a correction in its week."""
    club, league = _id("club-", "club"), _id("league-", "league")
    members = [
        ev.Member(player=one.name, number=one.number, since="2025-09-01" if one.number else None) for one in PEOPLE
    ]
    days = [day for week in range(NIGHTS + 1) if (day := FIRST + timedelta(weeks=week)) != PAUSE]
    league_events: list[Event] = [
        ev.League(club=club, name="Spring league", since=str(days[0]), until=str(days[-1]),
                  count=Count(best=10, min_nights=6), id=league)
    ]  # fmt: skip
    league_events = timed(league_events, _moment(days[0], hours=-8), DIRECTOR, Random(_SEED))
    opening = [ev.Club(name="Harbour Card Club", place="Porto", id=club), *members]
    yield SeasonPart([], [timed(opening, _moment(days[0], hours=-9), DIRECTOR, Random(_SEED)), [*league_events]])
    history = History()
    for number, day in enumerate(days):
        evening = Evening(number, day, club, league, history)
        yield evening.played(last=number == NIGHTS - 1)
        if number == CORRECTED:
            yield SeasonPart([_corrected(evening.sheets[0], _moment(day, hours=64))], [])
        if number < NIGHTS - 1:
            counts: list[Event] = [ev.Counts(session=evening.id)]
            if number == NIGHTS // 2 - 1:
                counts.append(ev.Publish(text="Half of the season is played."))
            league_events += timed(counts, _moment(day, hours=3, minutes=10), DIRECTOR, Random(number))
            yield SeasonPart([], [[*league_events]])


class Evening:
    """One evening as it goes.

    `events` are those of its session so far, `sheets` its matches known from score sheets.
    """

    def __init__(self, number: int, day: date, club: str, league: str, history: History) -> None:
        self.number, self.day, self.history = number, day, history
        self.rng = Random(f"{_SEED} {number}")
        self.id = _id("session-", f"session {number}")
        self.game = [*GAMES][number % len(GAMES)]
        self.other = [*GAMES][(number * 3 + 4) % len(GAMES)]
        self.matches: list[list[Event]] = []
        self.sheets: list[list[Event]] = []
        self.now = _moment(day, minutes=-30)
        opening = ev.Session(
            club=club, name=f"Club night {number + 1}", date=str(day), game=self.game, unit="player",
            scoring=Scoring(kind="places", scaled=True), place="Porto", options=GAMES[self.game], league=league, id=self.id,
        )  # fmt: skip
        self.state = SessionState(opening)
        self.events: list[Event] = timed([opening], self.now, DIRECTOR, self.rng)

    def played(self, last: bool) -> SeasonPart:
        """Play the rounds, close and publish the evening; the last one stays open, with its last round under way."""
        # Nobody misses the end of the season.
        coming = [one for one in PEOPLE if self.rng.random() < one.comes or (last and one.number)]
        self.rng.shuffle(coming)
        late = coming.pop() if len(coming) % 4 == 1 else None
        self._tell(*(ev.Arrive(player=one.name, guest=one.number is None) for one in coming))
        for round in range(1, ROUNDS + 1):
            if round == 2 and late is not None:
                self._tell(ev.Arrive(player=late.name, guest=late.number is None, after=1))
            if round == ROUNDS and self.number % 3 == 1:
                self._tell(ev.Leave(player=coming[0].name, after=round - 1))
            self._play(round, self.other if round == ROUNDS else self.game, under_way=last and round == ROUNDS)
        if not last:
            self._end()
        return SeasonPart(self.matches, [self.events])

    def _play(self, round: int, name: str, under_way: bool) -> None:
        """Seat those who are here and play a match at each table."""
        sizes = [n for n in game(name).sizes if SMALLEST <= n <= LARGEST]
        partners = game(name).has_sides
        seating = propose([*self.state.here], self.history, sizes=sizes, partners=partners)
        self.history.add(seating.tables, seating.sitting_out, partners)
        start = _moment(self.day) + (round - 1) * LENGTH
        self.now = start - timedelta(minutes=5)
        self._tell(*table_events(seating.tables, round, name if name != self.game else None))
        results = [
            self._result(round, table, name, players, start, under_way)
            for table, players in enumerate(seating.tables, 1)
        ]
        self._tell(*(result for result in results if isinstance(result, ev.Result) and result.match))
        self.now = start + LENGTH - timedelta(minutes=6)
        self._tell(*(result for result in results if not (isinstance(result, ev.Result) and result.match)))

    def _result(
        self, round: int, table: int, name: str, players: Sequence[str], start: datetime, under_way: bool
    ) -> Event:
        """Play the match of a table, and return what the session records of it."""
        key = f"{self.id} {round} {0 if name in DUPLICATE else table}"
        bots = [member(next(one.care for one in PEOPLE if one.name == player)) for player in players]
        events = simulate(name, len(players), Random(key), bots, GAMES[name], policy="record", players=players)
        chance = Random(f"{self.id} {round} {table}")
        events[0] = msgspec.structs.replace(
            events[0], event=self.state.opening.name, table=str(table), place="Porto",
            date=str(self.day), id=_id("", f"{key} {table} match"),
        )  # fmt: skip
        place = self.number, round, table
        if place == ON_PAPER:
            return ev.Result(round=round, table=table, points=(*Stream.of(events).table.totals,))
        only_points = round == ROUNDS and table == 1 and self.number % 2 == 0 and not under_way
        if place == VOID:
            events = [*events[:20], match_events.Void(reason="a card was missing from the pack")]
        elif under_way:
            events = events[: len(events) * (2 + table) // 7]
        elif only_points:
            events = as_score_sheet(events)
        elif chance.random() < 0.1:
            events = with_card_taken_back(events, chance)
        match = timed(events, start, players[0], chance)
        self.matches.append(match)
        if only_points:
            self.sheets.append(match)
        if place == VOID:
            return ev.Absent(round=round, table=table, why="not-played")
        return ev.Result(round=round, table=table, match=match[0].id)

    def _end(self) -> None:
        """Rule, close and publish."""
        self.now = _moment(self.day) + ROUNDS * LENGTH
        if self.number == LATE:
            late = ev.EveningAdjust(
                entry=3, penalty=0.25, law="club rule 4", reason="came back ten minutes after the break"
            )
            self._tell(late)
        if self.number == VOID[0]:
            self._tell(
                match_events.Note(text="Table 2 of round 2 counts for nobody: a card was missing from the pack.")
            )
        self._tell(ev.EveningClose())
        self._tell(ev.Publish())

    def _tell(self, *events: Event) -> None:
        """Add events to the session."""
        for event in events:
            if not isinstance(event, match_events.Note | ev.Publish):
                self.state.apply(event, len(self.events) + 1)
            (dated,) = timed([event], self.now, DIRECTOR, self.rng)
            self.now = datetime.fromisoformat(str(dated.at))
            self.events.append(dated)


def _corrected(sheet: Sequence[Event], at: datetime) -> list[Event]:
    """Return a score sheet in which the columns of the first two players of the last hand were exchanged."""
    last = sheet[-1]
    assert isinstance(last, match_events.Score)
    one, two, *others = last.scores
    right = match_events.Score(scores=(two, one, *others))
    amend = match_events.Amend(about=len(sheet), event=right, reason="two columns of the score sheet were exchanged")
    return [*sheet, *timed([amend], at, DIRECTOR, Random(_SEED))]


def _moment(day: date, **later: int) -> datetime:
    """Return a time on a day, so much after the beginning of the first round."""
    return datetime.combine(day, START, UTC) + timedelta(**later)


def _id(kind: str, what: str) -> str:
    return f"{kind}{uuid.uuid5(uuid.NAMESPACE_OID, f'{_SEED} {what}')}"
