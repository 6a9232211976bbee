"""The form of a new match as a ledger proposes it: the last table again, and the words for its fields."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

from cardledger.pseudonyms import is_pseudonym
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import unroll
from cardledger_web.views.opening import Opening, as_recorded, filled_in

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.ledger import Ledger

_RECENT = 300
"""The number of matches whose players and places are offered for completion."""
_LOOKED_AT = 20
"""The number of matches among which the last table is looked for."""


def opening_of(form: MultiDict[str, str]) -> Opening:
    """Return the content of a form; one without an id gets one."""
    try:
        id = str(uuid.UUID(form.get("id", "").strip()))
    except ValueError:
        id = str(uuid.uuid4())
    return filled_in(id, dict(form.items()), form.getlist("player"))


def blank(ledger: Ledger, game: str | None, by: str | None) -> Opening:
    """Return the form of a new match, with the names, the game and the options of the last table.

    That is the last table that `by` opened, else the last of all; of a game, if one is named. Tables of evenings do not
    count, as evenings seat their own. The form carries the id of its match, so sending it twice opens one match.
    """
    id, wanted = str(uuid.uuid4()), game if game and game in games() else None
    last = _last_table(ledger, wanted, by)
    if last is None:
        return Opening(id, wanted or next(iter(games())), [])
    opening = as_recorded(id, last)
    opening.texts = {key: text for key, text in opening.texts.items() if key not in ("event", "table", "date")}
    return opening


def _last_table(ledger: Ledger, game: str | None, by: str | None) -> ev.Open | None:
    """Return the opening of the table whose names, game and options are proposed."""
    rows = ledger.views.reader.query(
        "SELECT match FROM matches WHERE status <> 'void' AND game = coalesce(?, game) ORDER BY position DESC LIMIT ?",
        (game, _LOOKED_AT),
    )
    found: ev.Open | None = None
    for match in (row["match"] for row in rows):
        if table_of(ledger, match) is not None:
            continue
        own = ledger.events(match)[0].by == by
        if own or found is None:
            _, event = unroll(ledger.stream(match).heads[-1])[0]
            if isinstance(event, ev.Open) and event.game in games() and not any(map(is_pseudonym, event.players)):
                found = event
                if own:
                    break
    return found


def known_words(ledger: Ledger) -> dict[str, list[str]]:
    """Return the suggestions from earlier matches, the latest first: players, events, tables, places."""
    rows = ledger.views.reader.query(
        "SELECT players, event, table_name, venue FROM matches WHERE status <> 'void' ORDER BY position DESC LIMIT ?",
        (_RECENT,),
    )
    suggestions: dict[str, dict[str, None]] = {"player": {}, "event": {}, "table": {}, "place": {}}
    for row in rows:
        suggestions["player"].update(dict.fromkeys(json.loads(row["players"])))
        for name, column in (("event", "event"), ("table", "table_name"), ("place", "venue")):
            if row[column]:
                suggestions[name][row[column]] = None
    return {name: [word for word in words if not is_pseudonym(word)] for name, words in suggestions.items()}
