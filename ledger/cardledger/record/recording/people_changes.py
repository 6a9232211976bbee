"""Judges events about people, and stores them."""

from __future__ import annotations

import json
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from cardledger.errors import LedgerError, RuleError, StoreError, UnusableError
from cardledger.record.people.people import Merge, Name, People, Posed, PublishedName, Sat
from cardledger.record.people.recorders import Recorder
from cardledger.record.people.spelling import A_NAME, expect_name
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.register import Register
    from cardledger.rules.engine.events import Event

_SEATS = range(100)
"""More seats than any table has."""


def record(register: Register, views: ReadModels, events: Sequence[Event], expected: int, by: str) -> People:
    """Judge events about people and store them, all or nothing; return the people after them.

    `expected` is the number of the latest event that the caller knows. Raises ConflictError, StoreError
    `store.empty`, and with the index of the event StoreError `store.recorder`, RuleError `people.unknown`,
    `people.circle`, `people.merged`, `people.table`, `people.name`.
    """
    if not events:
        raise StoreError("store.empty", Sentence("there are no events to record"))
    recorder = Recorder(by, "refused")

    def judged(persons: People) -> list[Event]:
        views.catch_up()
        tried, now = persons.copy(), datetime.now(UTC)
        stored = []
        for index, event in enumerate(events):
            try:
                signature = recorder.signature(event, now)
                _judge(event, tried, views, register)
                tried.append(event)
            except LedgerError as error:
                error.index = index
                raise
            stored.append(msgspec.structs.replace(event, seq=tried.seq, id=event.id or str(uuid.uuid4()), **signature))
        return stored

    register.append(expected, judged)
    with suppress(UnusableError):  # the events are stored; readers catch up later
        views.catch_up()
    return register.people()


def _judge(event: Event, persons: People, views: ReadModels, register: Register) -> None:
    """Refuse obvious slips: unknown ids, unreadable names, one person on two chairs."""
    match event:
        case Name(player=player, name=name):
            _expect_seen(player, persons, views)
            if name is not None:
                expect_name(name, A_NAME)
        case Posed(player=player):
            _expect_seen(player, persons, views)
        case PublishedName(player=str(player)) if not register.knows(player):  # somebody who only scored decides too
            _expect_seen(player, persons, views)
        case Merge(player=player, into=into):
            _expect_seen(player, persons, views)
            _expect_seen(into, persons, views)
            _expect_apart(persons, persons.person(player), persons.person(into), views)
        case Sat(match=match, seat=seat, player=player):
            # JSON has larger numbers than a database.
            if seat not in _SEATS or not _any(views, "match = ? AND seat = ?", match, seat):
                raise RuleError(
                    "people.unknown",
                    advising(
                        Sentence("there is no seat {seat} in a match {match}: check both", seat=seat, match=match)
                    ),
                )
            if player is not None:
                expect_name(player)
                if _any(views, "match = ? AND seat <> ? AND player = ?", match, seat, persons.person(player)):
                    raise RuleError(
                        "people.table",
                        advising(
                            Sentence(
                                "{player} sits at another seat of match {match}: name somebody else",
                                player=player,
                                match=match,
                            )
                        ),
                    )


def _expect_seen(player: str, persons: People, views: ReadModels) -> None:
    evening = "SELECT 1 FROM evening_players WHERE recorded_as = ? LIMIT 1"
    if (
        player not in persons.merged()
        and not _any(views, "player = ? OR recorded_as = ?", player, player)
        and not views.reader.execute(evening, (player,)).fetchone()
    ):
        raise RuleError(
            "people.unknown",
            advising(
                Sentence(
                    "no one has played as {player!r}: see cardledger people list, or the page of players", player=player
                )
            ),
        )


def _expect_apart(persons: People, one: str, other: str, views: ReadModels) -> None:
    """Refuse to merge players who sat at the same table, or played in the same round of an evening.

    They are two people.
    """
    if one == other:
        return
    both = "match IN (SELECT match FROM players WHERE player = ?) AND player = ?"
    if match := _any(views, both, one, other):
        raise RuleError(
            "people.table",
            advising(
                Sentence(
                    "{one} and {other} sat at the same table in match {match}: they are two people, so leave "
                    "them apart",
                    one=one,
                    other=other,
                    match=match,
                )
            ),
        )
    mine, theirs = persons.ids(one), persons.ids(other)
    came = "SELECT evening FROM evening_players WHERE recorded_as IN (SELECT value FROM json_each(?))"
    shared = views.reader.execute(f"{came} INTERSECT {came} ORDER BY evening", (json.dumps(mine), json.dumps(theirs)))
    for folded in views.source.folded_each([evening for (evening,) in shared]):
        session = folded.stream.table
        if isinstance(session, SessionState) and (meeting := session.at_once(mine, theirs)):
            round, first, second = meeting
            found = {"one": one, "other": other, "first": first, "second": second, "round": round}
            when = {"name": session.opening.name, "day": session.opening.date, "id": folded.id}
            template = _AT_ONE_TABLE if first == second else _AT_TWO_TABLES
            raise RuleError("people.table", advising(Sentence(template.template, **found, **when)))


_AT_ONE_TABLE = Sentence(
    "{one} and {other} both sat at table {first} in round {round} of {name}, {day} ({id}): "
    "they are two people, so leave them apart"
)
_AT_TWO_TABLES = Sentence(
    "{one} and {other} both sat at tables {first} and {second} in round {round} of {name}, {day} ({id}): "
    "they are two people, so leave them apart"
)


def _any(views: ReadModels, where: str, *given: object) -> str | None:
    """Return a match with a player who meets a condition, if any."""
    row = views.reader.execute(f"SELECT match FROM players WHERE {where} LIMIT 1", given).fetchone()
    return row and str(row[0])
