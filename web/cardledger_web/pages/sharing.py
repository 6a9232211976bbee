"""What is passed on.

The text of an evening, the feed and the calendar of evenings, and pictures for previews of links.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from flask import Response, abort, request, url_for

from cardledger.errors import LedgerError
from cardledger.pseudonyms import left
from cardledger.record.matches.describe import points_of
from cardledger.record.matches.drawing import draw
from cardledger.record.matches.hand_replay import hand_at
from cardledger.record.matches.trick_drawing import draw_trick
from cardledger.record.readmodels.questions.evening_list import list_evenings
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.evenings.evening_events import Session
from cardledger.rules.games import game, games
from cardledger.study.stats import Query, Statistics
from cardledger_api.auth.visible import see_as_reader
from cardledger_api.current import current_ledger, people_of
from cardledger_api.resources.replay import replay_of
from cardledger_web.dates import in_words
from cardledger_web.figures import pictures
from cardledger_web.figures.picture import picture_file
from cardledger_web.figures.pictures import PictureCard, PictureHand, StandingRow
from cardledger_web.languages import N_, _, evening_called, joined, minus, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.evening_results import asked_position
from cardledger_web.pages.kept import kept_for_readers
from cardledger_web.serving.headers import allow_frames
from cardledger_web.views.evening import EveningView
from cardledger_web.views.evening_feeds import ListedEvening, atom, calendar
from cardledger_web.views.evening_text import evening_text
from cardledger_web.views.hand_text import hand_text
from cardledger_web.views.luck import player_luck
from cardledger_web.views.match import hand_rows
from cardledger_web.views.persons import seated
from cardledger_web.views.plain import plain
from cardledger_web.views.portrait import PortraitView
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.winners import winners_in_words
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardledger.record.matches.drawing import Drawing
    from cardledger.record.recording.ledger import Ledger
    from cardledger_web.views.portrait import Portrait
    from cardledger_web.views.table import DrawnTable

_IN_FEED = 30
_IN_CALENDAR = 400
_TITLE = N_("Evenings of the club")


@pages.get("/evenings/<evening>.txt")
def evening_plain(evening: str) -> Response:
    ledger = current_ledger()
    view = EveningView(ledger, evening, asked_position(ledger, evening))
    text = evening_text(view, people_of(ledger).name, url_for("pages.evening", evening=evening, _external=True))
    return _checked(text.encode(), "text/plain; charset=utf-8")


@pages.get("/evenings.atom")
def evening_feed() -> Response:
    ledger = current_ledger()
    every = list_evenings(ledger, _IN_CALENDAR).evenings
    rows = [row for row in every if row["published"] or row["status"] == "closed"]
    own = url_for("pages.evening_feed", _external=True)
    content = atom(
        translated(_TITLE), own, url_for("pages.home", _external=True), _listed_evenings(ledger, rows[:_IN_FEED])
    )
    return _checked(content, "application/atom+xml; charset=utf-8")


@pages.get("/evenings.ics")
def evening_calendar() -> Response:
    ledger = current_ledger()
    rows = list_evenings(ledger, _IN_CALENDAR).evenings
    return _checked(calendar(translated(_TITLE), _listed_evenings(ledger, rows)), "text/calendar; charset=utf-8")


@pages.get("/evenings/<evening>.png")
def evening_picture(evening: str) -> Response:
    return picture(pictures.standing, partial(_of_evening, current_ledger(), evening))


def _of_evening(ledger: Ledger, evening: str) -> tuple[Any, ...]:
    view, people = EveningView(ledger, evening, compare=False), people_of(ledger)
    shown = [row for _, rows in view.lines() for row in view.podium(rows)] or view.rows
    rows = tuple(
        StandingRow(
            row.place,
            joined([*map(people.name, row.players)]),
            f"{row.percent} %" if row.percent is not None else f"{row.total} {view.unit}",
        )
        for row in shown
    )
    words = " · ".join(filter(None, (in_words(view.opening.date), _place(view.opening), view.game)))
    return evening_called(view.opening.name), words if view.over else f"{words} · {_('under way')}", rows


@pages.get("/matches/<match>.png")
def match_picture(match: str) -> Response:
    return picture(pictures.standing, partial(_of_match, current_ledger(), match))


def _of_match(ledger: Ledger, match: str) -> tuple[Any, ...]:
    row, table = match_row(ledger, match), ledger.stream(match).table
    names = seated(ledger, match, table.players)
    sides = [[*side] for side in table.sides] or [[seat] for seat in range(table.n)]
    order = sorted(sides, key=lambda side: table.totals[side[0]] * (1 if table.game.scoring.fewest else -1))
    rows = []
    for side in order:
        total = table.totals[side[0]]
        place = 1 + [table.totals[other[0]] for other in order].index(total)
        rows.append(StandingRow(str(place), joined([names[seat] for seat in side]), minus(total)))
    words = " · ".join(
        filter(None, (in_words(row["date"], row["period"]), row["event"], translated(_STATES.get(row["status"], ""))))
    )
    return translated(game(row["game"]).title), words, tuple(rows)


@pages.get("/players/<player:player>/games/<game>.png")
def player_picture(player: str, game: str) -> Response:
    return picture(pictures.glance, partial(_of_player, current_ledger(), player, game))


def _of_player(ledger: Ledger, player: str, id: str) -> tuple[Any, ...]:
    seen = _portrait(ledger, player, id)
    title = f"{people_of(ledger).name(player)} · {translated(game(id).title)}"
    return plain(title), tuple(plain(line) for line in (*seen.where, seen.gone)), seen.results


@pages.get("/players/<player:player>/games/<game>.svg")
def player_course(player: str, game: str) -> Response:
    seen = _portrait(current_ledger(), player, game)
    figure = seen.course or seen.standings or seen.measures or abort(404)
    return _checked(picture_file(figure, seen.course_label).encode(), "image/svg+xml; charset=utf-8")


def _portrait(ledger: Ledger, player: str, id: str) -> Portrait:
    people = people_of(ledger)
    rules = games().get(id) or abort(404)
    if people.person(player) != player:
        abort(404)
    view = PortraitView(Statistics.of(ledger.views), player, rules, Query(), None, ())
    return view.portrait(people, player_luck(ledger, player, id)) or abort(404)


@pages.get("/matches/<match>/hands/<int:number>.txt")
def hand_plain(match: str, number: int) -> Response:
    # Text is passed on, so it has what all readers may see, whatever the role.
    see_as_reader()
    ledger = current_ledger()
    row, stream = match_row(ledger, match), ledger.stream(match)
    names = seated(ledger, match, stream.table.players)
    (shown,) = hand_rows(stream, Secrets.of(ledger, match, stream), number, names=names) or (abort(404),)
    title = ", ".join(
        (translated(game(row["game"]).title), in_words(row["date"], row["period"]), _("hand %(number)s", number=number))
    )
    result = points_of(stream.table.sides or (), names, shown.scores) if shown.scores else shown.ended
    address = url_for("pages.hand", match=match, number=number, _external=True)
    return _checked(hand_text(title, shown, names, result, address).encode(), "text/plain; charset=utf-8")


@pages.get("/matches/<match>/replay/<int:seq>.svg")
def replay_drawing(match: str, seq: int) -> Response:
    view = passed_on(match, seq)
    rules, names = view.table.game, view.replay["names"]
    drawn = draw(translated(rules.title), names, view.state, seats=rules.shown.seats, bottom=rules.shown.bottom)
    return _drawing(drawn)


@pages.get("/matches/<match>/replay/<int:seq>/trick.svg")
def trick_drawing(match: str, seq: int) -> Response:
    """Draw the trick under way at an event, or the one taken last, as a moving picture; 404 if there is none."""
    view = passed_on(match, seq)
    trick, names = view.trick(), view.replay["names"]
    if trick is None:
        abort(404)
    shown, title = view.table.game.shown, translated(view.table.game.title)
    taker = trick.get("taker")
    if "taker" not in trick:
        said = ""
    else:
        said = _("Nobody takes it") if taker is None else _("%(name)s takes it", name=names[taker])
    return _drawing(draw_trick(title, names, trick, said=plain(said), seats=shown.seats, bottom=shown.bottom))


def passed_on(match: str, seq: int) -> ReplayView:
    """Return a moment as every reader may see it, whatever the role: a picture is passed on. 404 for no event."""
    see_as_reader()
    ledger = current_ledger()
    stream = ledger.stream(match)
    if not 1 <= seq <= stream.seq:
        abort(404)
    replayed = replay_of(ledger, match, hand_at(stream.table, seq), None, words=event_as_shown)
    return ReplayView(replayed, seq, stream.table, may_see_all=False)


def _drawing(drawn: Drawing) -> Response:
    """Return a drawing, which other sites may show."""
    allow_frames(request.environ)
    return _checked(drawn.svg.encode(), "image/svg+xml; charset=utf-8")


@pages.get("/matches/<match>/hands/<int:number>.png")
def hand_picture(match: str, number: int) -> Response:
    ledger = current_ledger()
    hands = ledger.stream(match).table.hands
    return position(match, hands[number - 1].first if 0 < number <= len(hands) else 0)


@pages.get("/matches/<match>/replay/<int:seq>.png")
def replay_picture(match: str, seq: int) -> Response:
    return position(match, seq)


def position(match: str, seq: int) -> Response:
    # A preview is seen by everybody in a conversation: it shows what all readers may see, whatever the role.
    see_as_reader()
    return picture(pictures.hands, partial(_of_hands, current_ledger(), match, seq))


def _of_hands(ledger: Ledger, match: str, seq: int) -> tuple[Any, ...]:
    row, view = match_row(ledger, match), passed_on(match, seq)
    replayed, drawn = view.replay, view.card_table()
    title = translated(game(row["game"]).title)
    if replayed["hand"]:
        title = f"{title}, {_('hand %(number)s', number=replayed['hand'])}"
    words = " · ".join((in_words(row["date"], row["period"]), *drawn.hand_facts, drawn.moment))
    return title, plain(words), tuple(drawn_hands(drawn))


_STATES = {"open": N_("under way"), "ended": N_("ended early"), "void": N_("void")}


def drawn_hands(drawn: DrawnTable) -> Iterator[PictureHand]:
    """Yield the hands of a table, those of the trick under way framed."""
    on_table = {laid.face for laid, _, _ in drawn.trick.cards} if drawn.trick else set()
    for seat in drawn.seats:
        cards = [
            PictureCard(
                laid.card.rank,
                laid.card.suit,
                laid.card.colours,
                "trick" if laid.mark == "played" and laid.face in on_table else laid.mark,
            )
            if laid.card
            else PictureCard("")
            for laid in seat.cards
        ]
        cards += [PictureCard("")] * seat.backs
        yield PictureHand(
            plain(seat.name), plain(" · ".join(words for words, _ in (*seat.chips, *seat.facts))), tuple(cards)
        )


def _place(opening: object) -> str | None:
    """Return where an evening was, None if nobody said so."""
    place = opening.place if isinstance(opening, Session) else None
    return place and translated(left(place))


def _listed_evenings(ledger: Ledger, rows: Sequence[dict[str, Any]]) -> Iterator[ListedEvening]:
    """Yield evenings as feeds and calendars list them."""
    for row in rows:
        with suppress(LedgerError):  # one that cannot be read must not hide the others
            id, stream = row["evening"], ledger.evenings.stream(row["evening"])
            opening = stream.state.opening
            events = ledger.evenings.events(id)
            last = next((event.at for event in events[::-1] if event.at), f"{row['since']}T00:00:00Z")
            yield ListedEvening(
                id, evening_called(row["name"]), row["since"], _place(opening),
                url_for("pages.evening", evening=id, _external=True), last, winners_in_words(ledger, id), stream.seq,
            )  # fmt: skip


def _checked(content: bytes, kind: str) -> Response:
    """Return an answer that is sent again only if it has changed."""
    answer = Response(content, content_type=kind, headers={"Cache-Control": "no-cache"})
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def picture(draw: Callable[..., bytes], shown: Callable[[], tuple[Any, ...]]) -> Response:
    """Return a picture, drawn only if the asker does not have it already; other sites may show it in their previews."""
    allow_frames(request.environ)
    what = kept_for_readers(shown)
    tag = sha256(repr((draw.__name__, what)).encode()).hexdigest()[:32]
    answer = Response(content_type="image/png", headers={"Cache-Control": "no-cache"})
    answer.set_etag(tag)
    if request.if_none_match.contains(tag):
        answer.status_code = 304
        return answer
    answer.set_data(draw(*what))
    return answer
