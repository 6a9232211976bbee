"""The pages that show an evening: the result of the night, the league's table, the club."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from statistics import median
from typing import TYPE_CHECKING, Any

from flask import abort, render_template, request, url_for

from cardledger.errors import LedgerError, RuleError, StoreError
from cardledger.record.matches.describe import evening_event_in_words, event_in_words
from cardledger.record.readmodels.questions.evening_list import list_evenings
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.readmodels.questions.night_hands import night_hands
from cardledger.record.recording.moment import position_of
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.evening_events import League, Session
from cardledger.rules.games import games
from cardledger_api.auth.visible import public_row, sees_all
from cardledger_api.current import current_ledger, people_of
from cardledger_web.dates import in_words, today
from cardledger_web.figures.figures import label
from cardledger_web.figures.linked import FigureMark, nights
from cardledger_web.languages import _, evening_called, here, joined, ngettext
from cardledger_web.pages.blueprint import pages
from cardledger_web.views.evening import EveningView
from cardledger_web.views.evening_boards import boards, card_lines, meetings
from cardledger_web.views.evening_log import evening_log
from cardledger_web.views.league import LeagueView
from cardledger_web.views.notable import Notable, notable
from cardledger_web.views.persons import called, seated
from cardledger_web.views.winners import winners, winners_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardledger.record.recording.comparison import Later
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.rankings import Published
    from cardledger.rules.engine.events import Event

_MOST = 500
"""The evenings on the page of a club."""
_MOST_WINNERS = 3
"""How many players are named who won most of those evenings."""
_WINNERS = 60
"""The evenings of a club for which the winners are shown: each has to be ranked."""


@pages.get("/evenings/<evening>")
def evening(evening: str) -> str:
    ledger = current_ledger()
    view = EveningView(ledger, evening, asked_position(ledger, evening))
    # What was special comes from the matches as they are now.
    matches = view.matches() if view.position is None else []
    return render_template(
        "evening.html",
        view=view,
        opening=view.opening,
        summary=winners_in_words(ledger, evening) or _("under way"),
        rounds=view.rounds(),
        boards=boards(view),
        meetings=meetings(view),
        rulings=view.rulings(),
        sights=night_hands(ledger, matches),
        notables=[*_notables(ledger, view)] if matches else [],
        words=lambda later: _in_words(ledger, view, later),
        lines=evening_log(ledger, view.id, view.stream, view.words),
        games=games(),
        **_around(ledger, view.opening),
        **_publications(ledger, evening),
    )


@pages.get("/evenings/<evening>/boards/<int:board>")
def evening_board(evening: str, board: int) -> str:
    """The traveller of a board; not there before every table has finished it, but for scorers."""
    ledger = current_ledger()
    view = EveningView(ledger, evening, asked_position(ledger, evening), compare=False)
    if view.refusal:
        played = any(
            board in seated.boards for round in view.state.rounds for seated in view.state.tables(round).values()
        )
        return unranked(view, _("Board %(board)s", board=board)) if played else abort(404)
    travellers = boards(view)
    traveller = travellers.get(board) or abort(404)
    return render_template("evening_board.html", view=view, traveller=traveller, numbers=[*travellers])


@pages.get("/evenings/<evening>/cards/<int:entry>")
def evening_card(evening: str, entry: int) -> str:
    """The card of a pair, a team or a player: each board, and how it stood then."""
    ledger = current_ledger()
    view = EveningView(ledger, evening, asked_position(ledger, evening), compare=False)
    if view.refusal:
        players = view.persons(entry) if entry in view.state.entries else abort(404)
        return unranked(view, f"{entry} {joined(called(ledger, players))}")
    (row,) = [row for row in view.rows if row.entry == entry] or abort(404)
    lines = card_lines(view, entry)
    bridge = any(line.made.contract for line in lines)
    return render_template("evening_card.html", view=view, row=row, lines=lines, bridge=bridge)


def unranked(view: EveningView, heading: str) -> str:
    """Return the page of a board or a card while nothing can be ranked: why, and the ranking that was published."""
    ledger = current_ledger()
    return render_template("evening_unranked.html", view=view, heading=heading, **_publications(ledger, view.id))


@pages.get("/leagues/<league>")
def league(league: str) -> str:
    ledger = current_ledger()
    view = LeagueView(ledger, league, asked_position(ledger, league))
    return render_template(
        "league.html",
        view=view,
        opening=view.opening,
        over=view.opening.until < today(),
        lines=evening_log(ledger, league, view.stream, _said(ledger)),
        **_around(ledger, view.opening),
        **_publications(ledger, league),
    )


@pages.get("/clubs/<club>")
def club(club: str) -> str:
    ledger = current_ledger()
    stream = ledger.evenings.stream(club)
    if not isinstance(stream.state, ClubState):
        raise StoreError("store.unknown", f"there is no club {club}")
    people, guests = people_of(ledger), [*stream.state.guests()]
    evenings = list_evenings(ledger, _MOST, club=club).evenings
    won = [(row, winners(ledger, row) if at < _WINNERS else []) for at, row in enumerate(evenings)]
    wins = Counter(player for _, sides in won for side in sides for player in side)
    return render_template(
        "club.html",
        gives=bool(stream.state.masterpoints),
        usual=round(median(row["players"] for row in evenings)) if evenings else 0,
        most=[(player, number) for player, number in wins.most_common(_MOST_WINNERS) if number > 1],
        figure=nights([_mark(row) for row in evenings], _("players")) if len(evenings) > 1 else None,
        id=club,
        opening=stream.state.opening,
        members=sorted(
            ((people.person(player), known) for player, known in stream.state.players.items() if player not in guests),
            key=lambda each: people.name(each[0]).casefold(),
        ),
        guests=[people.person(player) for player in guests],
        sees_numbers=sees_all(),
        evenings=won,
        leagues=list_evenings(ledger, _MOST, kind="league", club=club).evenings,
        lines=evening_log(ledger, club, stream, _said(ledger)),
    )


def _mark(row: dict[str, Any]) -> FigureMark:
    """Return an evening in the figure of its club; it leads to the evening."""
    said = ", ".join(
        (
            evening_called(row["name"]),
            in_words(row["since"]),
            ngettext("%(num)s player", "%(num)s players", row["players"]),
        )
    )
    return FigureMark(row["since"], row["players"], label(said), url_for("pages.evening", evening=row["evening"]))


def asked_position(ledger: Ledger, id: str) -> int | None:
    """Return the position that `?as_of=` asks for, None for now.

    Raises FormatError `format.value`, RuleError `session.position` for a text that is no position, and for one before
    the opening.
    """
    said = request.args.get("as_of", "").strip()
    if not said:
        return None
    position = position_of(ledger.store, said)
    first = [row.position for row in ledger.store.read(id, 0, 1)]
    if first and position < first[0]:
        raise RuleError(
            "session.position", f"nothing of this was recorded at position {position}: it begins at position {first[0]}"
        )
    return position


def _around(ledger: Ledger, opening: Session | League) -> dict[str, Any]:
    """Return the openings of the club and the league of an evening, for the links to them."""
    league = opening.league if isinstance(opening, Session) else None
    return {
        name: ledger.evenings.stream(id).state.opening if id else None
        for name, id in (("club", opening.club), ("league", league))
    }


def _publications(ledger: Ledger, id: str) -> dict[str, list[Published]]:
    """Return every publication, also those after the position that is asked for, and those whose hash does not fit."""
    publications = ledger.evenings.rankings.published(id)
    return {"published": publications, "amiss": [each for each in publications if not each.fits]}


def _notables(ledger: Ledger, view: EveningView) -> Iterator[tuple[str, Notable]]:
    """Yield what is notable in the matches of an evening, each with its round and table."""
    where = {result.match: at for at, (_, result) in view.state.results.items() if result.match}
    for match in view.matches():
        with suppress(LedgerError):  # a match that cannot be read must not hide the others
            row = public_row(ledger, match_row(ledger, match))
            special = notable(ledger, row) if row["violations"] or row["corrections"] else None
            if special and (special.violations or special.corrections):
                round, table, *_board = where[match]
                yield _("Round %(round)s, table %(table)s", round=round, table=table), special


def _said(ledger: Ledger) -> Callable[[Event], str]:
    """Return what gives the events of a club or a league in words."""
    return lambda event: evening_event_in_words(event, people_of(ledger).name, catalogue=here())


def _in_words(ledger: Ledger, view: EveningView, later: Later) -> str:
    """Return an event behind a change in words, without cards that the reader may not see."""
    if later.stream == view.id:
        return view.words(later.event)
    stream = ledger.stream(later.stream)
    event = (
        later.event
        if sees_all(later.stream)
        else Secrets.of(ledger, later.stream, stream).public(later.event, later.seq)
    )
    return event_in_words(event, seated(ledger, later.stream, stream.table.players), here(), people_of(ledger).name)
