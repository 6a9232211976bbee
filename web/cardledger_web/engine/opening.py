"""A match opened in a browser: its form judged, and its scorer's page drawn, as the server does it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from cardledger.record.matches.own_boards import OwnBoards
from cardledger.record.people.known_names import KnownNames
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger_web.engine.answering import OfPage, templates
from cardledger_web.languages import _, spoken_by, translated
from cardledger_web.views.desk import Desk
from cardledger_web.views.opening import filled_in
from cardledger_web.views.scorecard import pack_of, scorecard

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLACE, GAME = "MATCH", "GAME"
"""What stands for the match and its game in the addresses that a page gives."""


def opened(
    id: str,
    texts: dict[str, str],
    players: Sequence[str],
    known: Mapping[str, str],
    addresses: Mapping[str, str],
    kept: Mapping[str, str],
    language: str,
) -> dict[str, Any]:
    """Return a match as its form opens it, with its scorer's page; or what is `wrong` with the form, and who may be `meant`.

    Args:
        id: the id of the match.
        texts: what stands in the fields, by their names.
        players: the names by seat, as they were written.
        known: the players that this browser knows, with their names.
        addresses: where the scorer's page leads to; MATCH stands for the match, GAME for its game.
        kept: until when the page may be kept (`until`), and how many `erasures` there were.
        language: the language of the page.
    """
    spoken_by(OfPage(language, known))
    called: dict[str, list[str]] = {}
    for player, name in known.items():
        for each in {player, name}:
            called.setdefault(each, []).append(player)
    form = filled_in(id, texts, players)
    form.ask(KnownNames(known.keys(), called))
    event = form.event()
    if event is None:
        return {"wrong": form.wrong, "meant": form.asked}
    spoken = {player: known.get(player, player) for player in event.players}
    spoken_by(OfPage(language, spoken))
    line = json.loads(ev.encode(event))
    stream = Stream.of([event])
    where = {name: address.replace(PLACE, id).replace(GAME, event.game) for name, address in addresses.items()}
    own = OwnBoards((), frozenset(), "", "", 0)
    desk = Desk(id, stream, [*spoken.values()], own, templates(), where["opening"])
    return {
        "event": line,
        "page": _page(desk, event, where, kept),
        "title": escape(_("Scoring: %(title)s", title=translated(stream.table.game.title))),
        "table": desk.table(),
        "desk": {
            "match": id,
            "events": [line],
            "names": desk.names,
            "own": own._asdict() | {"decided": []},
            "language": language,
            "opening": desk.opening,
        },
    }


def _page(desk: Desk, event: ev.Open, addresses: Mapping[str, str], kept: Mapping[str, str]) -> str:
    table = desk.stream.table
    sides = [_(" and ").join(desk.names[seat] for seat in side) for side in table.sides or ()]
    return (
        templates()
        .get_template("score_main.html")
        .render(
            match=desk.match,
            at=addresses,
            kept_until=kept["until"],
            erasures=kept["erasures"],
            sides=_(" against ").join(sides),
            occasion=(event.event, event.table, event.place),
            policy=event.policy,
            game=table.game,
            card=json.dumps(scorecard(table, desk.names), ensure_ascii=False),
            desk=desk,
            pack=pack_of(table),
        )
    )
