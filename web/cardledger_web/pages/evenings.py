"""The pages with which a club runs its evening.

Opening it, who is here, the next round, results, closing, publishing.
"""

from __future__ import annotations

import re
import uuid
from functools import wraps
from typing import TYPE_CHECKING, Any

from flask import abort, g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError, RuleError, StoreError
from cardledger.record.people.pasted_field import LONGEST_FIELD
from cardledger.record.readmodels.questions.evening_list import (
    clubs,
    last_evening,
    list_evenings,
    open_leagues,
    other_games,
)
from cardledger.record.recording.known_players import KnownPlayers, guests_among
from cardledger.record.recording.masterpoints import tables_of
from cardledger.record.recording.rounds import matches_have_boards
from cardledger.rules.engine.events import Retract
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive_rules import drives
from cardledger.rules.evenings.other_game import LONGEST_GAME
from cardledger.rules.games import games
from cardledger.rules.stream import unroll
from cardledger.study.stats.table_results import table_results
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.problems import status_of
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.evening_opening import (
    BOARD_SCORINGS,
    COMPETES,
    LONGEST,
    MOST_BOARDS,
    NEW,
    SCORINGS,
    blank_evening,
    evening_of,
    regulars,
)
from cardledger_web.views.evening_running import (
    Running,
    next_step,
    recorded,
    running,
    session_of,
)
from cardledger_web.views.form import option_name, sentence
from cardledger_web.views.other_game_form import OTHER, WINS, choice_of, same_choice
from cardledger_web.views.ranking import heading
from cardledger_web.views.winners import winners

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from werkzeug.wrappers import Response

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.session import SessionState
    from cardledger_web.views.evening_opening import EveningOpening

Page = tuple[str, int]
_ON_A_PAGE = 30
_POSITION = re.compile("[0-9]{1,18}")
_TEXT = 200
"""The greatest length of the words beside a publication."""


def running_page(view: Callable[..., Page | Response]) -> Callable[..., Page | Response]:
    """Make a page one for those who run an evening.

    It refuses readers, and what is no evening, before anything is shown or recorded.

    Access control (`cardledger_api.auth.users`) has checked that a form is ours: a browser's cookie counts only with a
    request of our own origin.
    """

    @wraps(view)
    def page(**parts: Any) -> Page | Response:
        evening = parts.get("evening")
        if not sees_all(evening):
            return for_scorers()
        if evening:
            session_of(current_ledger(), evening)
        return view(**parts)

    return page


@pages.app_template_global()
def running_evening(evening: str) -> Running | None:
    """Return what those who may run an evening see on its page."""
    ledger = current_ledger()
    return running(ledger, evening) if sees_all(evening) else None


@pages.app_template_global()
def table_name(evening: str, round: int, table: int) -> str:
    """Return what a table of an evening is called: its number, or B1 in a section."""
    return session_of(current_ledger(), evening).table_name(round, table)


@pages.app_template_filter()
def ranking_groups(rows: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the rows of a ranking as published, those of each section and line under their heading."""
    groups: dict[tuple[str | None, str | None], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row.get("section"), row.get("line")), []).append(row)
    return [(heading(*group), own) for group, own in groups.items()]


# --- the list


@pages.get("/evenings")
def evening_list() -> str:
    ledger = current_ledger()
    after, player = request.args.get("after", ""), request.args.get("player") or None
    other_game = request.args.get("other_game") or None
    listed = list_evenings(
        ledger, _ON_A_PAGE, int(after) if _POSITION.fullmatch(after) else None, player=player, other_game=other_game
    )
    return render_template(
        "evenings.html",
        found=listed,
        after=after,
        player=player,
        other_game=other_game,
        results=table_results(ledger, other_game, player) if other_game and listed.evenings else None,
        winners={
            row["evening"]: [player for players in winners(ledger, row) for player in players]
            for row in listed.evenings
        },
        games=games(),
    )


# --- opening


def opening_page(opening: EveningOpening) -> Page:
    ledger = current_ledger()
    known = clubs(ledger)
    text = render_template(
        "new_evening.html",
        opening=opening,
        clubs=known,
        regulars=regulars(ledger, opening.club if opening.club in known else None, opening.day, opening.here),
        last=last_evening(ledger, opening.club) if opening.club in known else None,
        leagues=open_leagues(ledger, opening.club, opening.day),
        masterpoints=tables_of(ledger, opening.club) if opening.club in known else (),
        games=games(),
        without_boards=[id for id, game in games().items() if drives(game) and not matches_have_boards(game)],
        others=other_games(ledger),
        other=OTHER,
        choice_of=choice_of,
        same_choice=same_choice,
        wins=WINS,
        longest_game=LONGEST_GAME,
        option_name=option_name,
        scorings=SCORINGS,
        competes=COMPETES,
        board_scorings=BOARD_SCORINGS,
        most_boards=MOST_BOARDS,
        longest=LONGEST,
        longest_field=LONGEST_FIELD,
        new=NEW,
    )
    return text, 400 if opening.wrong else 200


@pages.get("/evenings/new")
@running_page
def new_evening() -> Page:
    ledger = current_ledger()
    return opening_page(blank_evening(ledger, request.args.get("club"), as_last="as_last" in request.args))


@pages.post("/evenings/new")
@running_page
def open_evening() -> Page | Response:
    ledger = current_ledger()
    opening = evening_of(request.form)
    opening.ask(KnownPlayers(ledger))
    events = opening.events(ledger)
    if events is None:
        return opening_page(opening)
    try:
        if events.club is not None:
            ledger.evenings.record(events.club.id, [events.club], 0, g.recorder, as_written=False)
        ledger.evenings.record(opening.session, events.session, 0, g.recorder, as_written=False)
        _count(opening)
    except (StoreError, ConflictError) as error:
        if error.code not in ("store.duplicate", "store.conflict"):
            raise
        # The scorer went back, changed the form and sent it again.
        opening.id = str(uuid.uuid4())
        opening.wrong[""] = _("This form has already opened an evening. Send it again to open another.")
        return opening_page(opening)
    except LedgerError as error:
        opening.wrong[""] = sentence(error)
        return opening_page(opening)
    if opening.drives:
        return redirect(url_for("pages.begin_form", evening=opening.session), 303)
    return to_round(opening.session, opening.boards)


def _count(opening: EveningOpening) -> None:
    """Let the evening count for its league."""
    ledger = current_ledger()
    if league := opening.texts.get("league"):
        counts = ev.Counts(session=opening.session)
        recorded(ledger, league, g.recorder, lambda state: [] if opening.session in state.sessions else [counts])


# --- who is here


def players_page(evening: str, opening: EveningOpening) -> Page:
    ledger = current_ledger()
    state = session_of(ledger, evening)
    day, club = state.opening.date, state.opening.club
    text = render_template(
        "evening_players.html",
        opening=opening,
        evening=evening,
        session=state.opening,
        closed=state.status == "closed",
        present=state.here,
        regulars=regulars(ledger, club, day, (*state.here, *opening.here)),
    )
    return text, 400 if opening.wrong else 200


@pages.get("/evenings/<evening>/players")
@running_page
def evening_players(evening: str) -> Page:
    ledger = current_ledger()
    opening = evening_of(request.form)
    opening.here = [*session_of(ledger, evening).here]
    return players_page(evening, opening)


@pages.post("/evenings/<evening>/players")
@running_page
def change_players(evening: str) -> Page | Response:
    """Record who came and who left since the form was shown; what another scorer recorded meanwhile stays."""
    ledger = current_ledger()
    opening, shown = evening_of(request.form), {*request.form.getlist("shown")}
    opening.ask(KnownPlayers(ledger))
    if not opening.wrong:
        people = ledger.people()
        ticked = dict.fromkeys((*opening.here, *map(people.person, opening.more)))

        def changes(state: SessionState) -> list[Event]:
            here = {people.person(player): player for player in state.here}
            came = [player for player in ticked if player not in shown and people.person(player) not in here]
            guests = guests_among(ledger, state.opening.club, state.opening.date, came)
            left = [player for player in state.here if player in shown and player not in ticked]
            after = state.round or None
            return [
                *(ev.Leave(player=player, after=after) for player in left),
                *(ev.Arrive(player=player, guest=player in guests, after=after) for player in came),
            ]

        try:
            recorded(ledger, evening, g.recorder, changes)
        except LedgerError as error:
            opening.wrong[""] = sentence(error)
    if opening.wrong:
        return players_page(evening, opening)
    return redirect(url_for("pages.evening_round", evening=evening), 303)


# --- the end


def done(evening: str, events: Any) -> Page | Response:
    ledger = current_ledger()
    try:
        recorded(ledger, evening, g.recorder, events)
    except LedgerError as error:
        return refused(evening, error)
    return redirect(url_for("pages.evening", evening=evening), 303)


@pages.post("/evenings/<evening>/close")
@running_page
def close_evening(evening: str) -> Page | Response:
    return done(evening, lambda state: [ev.EveningClose()] if state.status != "closed" else [])


@pages.post("/evenings/<evening>/reopen")
@running_page
def reopen_evening(evening: str) -> Page | Response:
    """Take the closing back, with the publications after it; rulings after it must not go with it."""
    ledger = current_ledger()

    def reopening(state: SessionState) -> list[Event]:
        if state.status != "closed":
            return []
        counting = [*unroll(ledger.evenings.stream(evening).heads[-1])]
        (closing,) = (seq for seq, event in counting if isinstance(event, ev.EveningClose))
        if any(seq > closing and isinstance(event, ev.EveningAdjust) for seq, event in counting):
            raise RuleError("session.phase", "a ruling was recorded after the evening was closed: it stays closed")
        return [Retract(to=closing - 1, reason="the evening goes on")]

    return done(evening, reopening)


@pages.post("/evenings/<evening>/publish")
@running_page
def publish_evening(evening: str) -> Page | Response:
    """Publish the ranking as it is now; the same ranking is not published twice."""
    ledger = current_ledger()
    text = request.form.get("text", "").strip()[:_TEXT] or None

    def publication(state: SessionState) -> list[Event]:
        rankings = ledger.evenings.rankings
        published = rankings.published(evening) if state.published else []
        same = published and published[-1].ranking.rows == rankings.ranking(evening).rows
        return [] if same and text is None else [ev.Publish(text=text)]

    return done(evening, publication)


def to_round(evening: str, boards: int | None = None) -> Response:
    """Go to the next round, or to what is still needed for it: who competes, then who plays whom."""
    ledger = current_ledger()
    step = next_step(session_of(ledger, evening))
    return redirect(url_for(f"pages.{step}", evening=evening, boards=None if step == "evening_round" else boards), 303)


def refused(evening: str, error: LedgerError) -> Page:
    ledger = current_ledger()
    if isinstance(error, StoreError) and not isinstance(error, ConflictError):
        raise error
    status = status_of(error)
    return render_template(
        "evening_refused.html", evening=evening, session=session_of(ledger, evening).opening, said=sentence(error)
    ), status


def number_in_form(name: str) -> int:
    text = request.form.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else abort(400)
