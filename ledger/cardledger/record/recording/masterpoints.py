"""Masterpoints: what a club gives for the places of the evenings that name one of its tables, derived at every reading.

An evening awards them once its ranking is published, by the table as it was then; a correction after that changes them
with the places.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError, StoreError
from cardledger.record.people.spelling import fold
from cardledger.record.readmodels.questions.evening_list import evenings_with, list_evenings
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.masterpoint_table import Masterpoints, table_written
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, choosing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.rankings import Rankings
    from cardledger.rules.evenings.standings import Standing

_MOST_EVENINGS = 2000
"""The most evenings that are added up, the newest ones."""


class Awarded(NamedTuple):
    """What an evening gives: the name of its table, None without one, and the points of each entry that gets any.

    `published` tells whether its ranking is published: before, nobody gets any. `standings` are the places they are for.
    """

    table: str | None
    published: bool
    points: Mapping[int, Fraction]
    standings: list[Standing]


class PlayerPoints(NamedTuple):
    """The masterpoints of a player, and the evenings that gave them."""

    player: str
    points: Fraction
    evenings: int


def awarded(ledger: Ledger, session: str, rankings: Rankings | None = None) -> Awarded:
    """Return the masterpoints of an evening, for each entry that gets any.

    Arguments:
        ledger: the ledger.
        session: the id of the evening.
        rankings: those without hidden boards, if some are; all boards unless given.

    Each ranking of its own (a section, a line) is a field of those who have a place there. Raises RuleError
    `session.phase` for what is no evening, and like `Rankings.standings`.
    """
    state = ledger.evenings.stream(session).state
    if not isinstance(state, SessionState):
        raise RuleError("session.phase", Sentence("this is no evening: name one"))
    name, club = state.opening.masterpoints, state.opening.club
    if name is None or club is None or not state.published:
        return Awarded(name, bool(state.published), {}, [])
    # The table of the last publication: a change of it alters nothing that was given.
    at = ledger.evenings.at(state.published[-1][1].at_position).evening(club).state
    table = at.masterpoints.get(name) if isinstance(at, ClubState) else None
    ranked = (rankings or ledger.evenings.rankings).standings(session)
    points: dict[int, Fraction] = {}
    for group in dict.fromkeys(each.group for each in ranked):
        field = [each for each in ranked if each.group == group and each.place]
        worth = table.worth([int(each.place.rstrip("=")) for each in field]) if table else []
        points |= {each.entry: of_it for each, of_it in zip(field, worth, strict=False) if of_it}
    return Awarded(name, True, points, ranked)


def described(ledger: Ledger, session: str, rankings: Rankings | None = None) -> dict[str, Any]:
    """Return the masterpoints of an evening as JSON data, in the order of the ranking; raises like `awarded`."""
    found = awarded(ledger, session, rankings)
    rows = [
        {
            "entry": each.entry,
            "place": each.place,
            "players": [*each.players],
            "points": printed(found.points[each.entry]),
        }
        for each in found.standings
        if each.entry in found.points
    ]
    return {"session": session, "table": found.table, "published": found.published, "awards": rows}


def added_up(
    ledger: Ledger,
    *,
    club: str | None = None,
    league: str | None = None,
    player: str | None = None,
    since: str | None = None,
    until: str | None = None,
    rankings: Rankings | None = None,
) -> list[PlayerPoints]:
    """Return the masterpoints of the players, most first: of a club's evenings, or of those that count for a league.

    Arguments:
        ledger: the ledger.
        club: the id of a club; of all unless given.
        league: the id of a league, whose season it is.
        player: any id of the only player wanted.
        since: the first day (ISO), included.
        until: the last day (ISO), included.
        rankings: those without hidden boards, if some are; all boards unless given.

    Each player of a pair or a team gets its points. An evening whose match is void gives none. Raises StoreError
    `store.unknown` for what is no league.
    """
    if league is not None:
        state = ledger.evenings.stream(league).state
        if not isinstance(state, LeagueState):
            raise StoreError("store.unknown", Sentence("there is no league {id}", id=league))
        sessions: Iterable[str] = [id for id, weight in state.sessions.items() if weight]
    elif player is not None:
        sessions = [row["evening"] for row in evenings_with(ledger, player)][-_MOST_EVENINGS:]
    else:
        sessions = [row["evening"] for row in list_evenings(ledger, _MOST_EVENINGS).evenings]
    person = ledger.people().person
    who = None if player is None else person(player)
    found: dict[str, PlayerPoints] = {}
    for session in sessions:
        for one, points in _of_players(ledger, session, club, since, until, rankings):
            if who in (None, one):
                known = found.get(one, PlayerPoints(one, Fraction(0), 0))
                found[one] = PlayerPoints(one, known.points + points, known.evenings + 1)
    return sorted(found.values(), key=lambda each: (-each.points, each.player))


def _of_players(
    ledger: Ledger, session: str, club: str | None, since: str | None, until: str | None, rankings: Rankings | None
) -> list[tuple[str, Fraction]]:
    """Return what each player gets in an evening, if it is one of those asked for."""
    state = ledger.evenings.stream(session).state
    if not isinstance(state, SessionState) or state.opening.masterpoints is None:
        return []
    opening = state.opening
    if (club and opening.club != club) or not (since or "") <= opening.date <= (until or "9999"):
        return []
    try:
        found = awarded(ledger, session, rankings)
    except RuleError:  # a match of the evening is void: its page says so
        return []
    return [
        (one, found.points[each.entry])
        for each in found.standings
        if each.entry in found.points
        for one in dict.fromkeys(each.players)
    ]


def totals_as_json(totals: Iterable[PlayerPoints]) -> list[dict[str, Any]]:
    """Return the masterpoints of players as JSON data."""
    return [each._asdict() | {"points": printed(each.points)} for each in totals]


def tables_of(ledger: Ledger, club: str) -> dict[str, Masterpoints]:
    """Return the tables that a club gives now, by name; raises StoreError `store.unknown`."""
    state = ledger.evenings.stream(club).state
    if not isinstance(state, ClubState):
        raise StoreError("store.unknown", Sentence("there is no club {id}", id=club))
    return state.masterpoints


def give_table(ledger: Ledger, club: str, by: Recorder | str, name: str, text: str) -> Masterpoints:
    """Let a club give masterpoints by a table that lines say; the same again changes nothing.

    Raises FormatError `format.value`, `format.size`, RuleError `people.name`, StoreError, ConflictError.
    """
    known = tables_of(ledger, club)
    table = table_written(_written(known, name), text)
    if known.get(table.name) is None or known[table.name].rows != table.rows:
        ledger.evenings.record(club, [table], ledger.evenings.stream(club).seq, by, as_written=False)
    return table


def forget_table(ledger: Ledger, club: str, by: Recorder | str, name: str) -> None:
    """Let a club give a table no longer; what was published keeps its points; raises FormatError `format.value`."""
    table = Masterpoints(name=_written(tables_of(ledger, club), name))
    ledger.evenings.record(club, [table], ledger.evenings.stream(club).seq, by, as_written=False)


def table_called(ledger: Ledger, club: str | None, name: str) -> str:
    """Return the name of a club's table as it is written there, whatever capitals and accents are given.

    Raises StoreError `store.unknown`.
    """
    known = tables_of(ledger, club) if club else {}
    if (written := _written(known, name)) not in known:
        raise StoreError(
            "store.unknown", choosing(Sentence("the club gives no masterpoints {name!r}", name=name), name, known)
        )
    return written


def _written(known: Iterable[str], name: str) -> str:
    return next((each for each in known if fold(each) == fold(name)), name.strip())
