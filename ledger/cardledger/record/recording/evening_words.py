"""The events of clubs, sessions and leagues in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardledger.count_of import count_of
from cardledger.listed import listed
from cardledger.record.matches.describe import because, left
from cardledger.rules.engine.events import Award, Event, Note, Retract, Weighted
from cardledger.rules.evenings import events as ev

LINES = {"ns": "north-south", "ew": "east-west"}
SEATS = "NESW"
_MOVEMENTS = {
    "mitchell": "Mitchell", "howell": "Howell", "individual": "an individual", "by_hand": "typed by hand",
    "swiss": "Swiss", "who_comes": "who comes plays",
}  # fmt: skip
_ABSENT = {"bye": "sits out", "not-played": "was not played", "average": "both lines get the average"}


def event_in_words(
    event: Event, named: Callable[[str], str] = str, entry: Callable[[int], str] = "number {}".format
) -> str:
    """Return an event in words; `named` gives the name of a player, `entry` those of an entry. Numbers of members are left out: not all may see them.

    >>> event_in_words(ev.Arrive("ana", guest=True)), event_in_words(ev.Result(round=1, table=2, points=(3, 15)))
    ('ana is here, as a guest', 'round 1, table 2: points 3 and 15')
    """
    match event:
        case ev.Club():
            return f"the club {left(event.name)} begins"
        case ev.Member():
            return _member(event, named)
        case ev.Session():
            return f"the evening {left(event.name)} begins, {event.date}"
        case ev.Arrive() | ev.Leave():
            guest = ", as a guest" if isinstance(event, ev.Arrive) and event.guest else ""
            after = "" if event.after is None else f", after round {event.after}"
            return f"{named(event.player)} {'is here' if isinstance(event, ev.Arrive) else 'goes'}{guest}{after}"
        case ev.Entry():
            line = f", {LINES[event.line]}" if event.line else ""
            return f"number {event.number}: {listed([*map(named, event.players)])}{line}"
        case ev.Movement():
            return f"from round {event.start} the movement is {_MOVEMENTS[event.kind]}"
        case ev.Table():
            seats = ", ".join(named(seat) if isinstance(seat, str) else entry(seat) for seat in event.seats)
            return f"round {event.round}, table {event.table}: {seats}{f', {event.game}' if event.game else ''}"
        case ev.Result() | ev.Absent():
            said = result_in_words(event) if isinstance(event, ev.Result) else _ABSENT[event.why]
            return f"{_where(event)}: {said}"
        case ev.EveningAdjust():
            return _ruling(event, entry)
        case ev.Publish():
            return f"the ranking is published{because(event.text)}"
        case ev.EveningClose():
            return f"the evening is closed{because(event.reason)}"
        case ev.League():
            return f"the league {left(event.name)} begins, {event.since} to {event.until}"
        case ev.Counts():
            return f"a night counts{'' if event.weight == 1 else f' {event.weight} times'}"
        case Retract():
            return f"everything after event {event.to} is taken back{because(event.reason)}"
        case ev.EveningAmend():
            return f"event {event.about} should have been: {event_in_words(event.event, named, entry)}{because(event.reason)}"
        case Note():
            return f"note{f' on event {event.about}' if event.about else ''}: {left(event.text)}"
    raise AssertionError(event)


def result_in_words(result: ev.Result) -> str:
    """Return what a result says, without its table; the score of a match is in the match."""
    if result.match is not None:
        return "a match"
    if result.score is not None:
        return f"{result.score} for north-south"
    if result.contract is not None:
        return contract_in_words(result)
    if result.places is not None:
        return f"places {listed([*map(str, result.places)])}"
    return f"points {listed([*map(str, result.points or ())])}"


def contract_in_words(result: ev.Result | Weighted) -> str:
    """Return a contract with its declarer and tricks.

    >>> contract_in_words(ev.Result(round=1, table=1, contract="4S", declarer=0, tricks=10))
    '4S by N, 10 tricks'
    """
    if result.declarer is None:
        return "passed out"
    return f"{result.contract} by {SEATS[result.declarer]}, {count_of(result.tricks or 0, 'trick')}"


def award_in_words(ns: dict[str, Any], ew: dict[str, Any]) -> str:
    """Return the awards of both lines, as travellers have them: a score for north-south, or what a ruling gave.

    >>> award_in_words({"scores": [{"weight": "100.00", "score": 420}]}, {"scores": [{"weight": "100.00", "score": 420}]})
    '420'
    >>> award_in_words({"percent": "60.00"}, {"percent": "40.00"})
    '60 % and 40 %'
    """
    words = [_printed_award(award) for award in (ns, ew)]
    return words[0] if ns == ew and "percent" not in ns else listed(words)


def _printed_award(award: dict[str, Any]) -> str:
    if "percent" in award:
        return f"{float(award['percent']):g} %"
    scores = award["scores"]
    return str(scores[0]["score"]) if len(scores) == 1 else " + ".join(
        f"{float(each['weight']):g} % of {each['score']}" for each in scores
    )  # fmt: skip


def _ruling(ruling: ev.EveningAdjust, entry: Callable[[int], str]) -> str:
    why = because(", ".join(filter(None, (ruling.law, ruling.reason))))
    if ruling.entry is not None:
        return f"penalty of {ruling.penalty} for {entry(ruling.entry)}{why}"
    awards = [
        f"{LINES[line]} {_award(award)}" for line, award in (("ns", ruling.ns), ("ew", ruling.ew)) if award is not None
    ]
    group = f"group {ruling.group}" if ruling.group is not None else ""
    return f"the director rules on {_where(ruling)}: {', '.join(filter(None, [*awards, group]))}{why}"


def _member(event: ev.Member, named: Callable[[str], str]) -> str:
    kind = "guest" if event.number is None and event.since is None and event.until is None else "member"
    days = "".join(f" {word} {day}" for word, day in (("from", event.since), ("until", event.until)) if day)
    return f"{named(event.player)} is a {kind}{days}"


def _where(event: ev.Result | ev.Absent | ev.EveningAdjust) -> str:
    board = f", board {event.board}" if event.board is not None else ""
    return f"round {event.round}, table {event.table}{board}"


def _award(award: Award) -> str:
    if not isinstance(award, tuple):
        return f"{award} %"
    return " and ".join(
        f"{each.weight} % of {each.score if each.contract is None else contract_in_words(each)}" for each in award
    )
