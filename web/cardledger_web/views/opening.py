"""The form that opens a match: its suggestions, and its content, as an event or with an error beside each field."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.matches.shape import event_of
from cardledger.record.people.spelling import tidy_name
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import known_day
from cardledger.rules.games import games, start
from cardledger.rules.stream import unroll
from cardledger_web.languages import N_, _, translated
from cardledger_web.views.form import Form, option_name, sentence
from cardledger_web.views.wording import players_in_words

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.known_players import KnownPlayers
    from cardledger.record.recording.ledger import Ledger

SEATS = 8
"""The seats in the form; each game says how many it needs."""
LONGEST = {"event": 120, "table": 60, "place": 120}
"""The greatest length of free texts."""
POLICIES = {
    "record": N_(
        "The page asks once about a breach of a rule, then records it as a violation: the record says what happened."
    ),
    "strict": N_("A breach of a rule is refused; for teaching, and for typing in records that must be correct."),
}
"""The treatment of an irregular event, by policy."""
_RECENT = 300
"""The number of matches whose players and places are offered for completion."""
_LOOKED_AT = 20
"""The number of matches among which the last table is looked for."""


@dataclass
class Opening(Form):
    """The form of a match: its id, its game, the players by seat, and the treatment of irregular events."""

    id: str
    game: str
    players: list[str]
    policy: str = "record"

    def ask(self, known: KnownPlayers) -> None:
        """Put in the players that the scorer chose, and ask about names that only look like those of players."""
        self.players = self.settled(self.players, known)

    def event(self) -> ev.Open | None:
        """Return the opening of the form, or None after an error, which `wrong` then names."""
        chosen = games().get(self.game)
        if chosen is None:
            self.wrong["game"] = _("Choose one of the games.")
            return None
        players = [player for player in self.players if player]
        if len(players) not in chosen.sizes:
            self.wrong["players"] = _(
                "%(title)s is for %(players)s players; you have entered %(number)s.",
                title=translated(chosen.title),
                players=players_in_words(chosen),
                number=len(players),
            )
        options = self.options(chosen, len(players))
        self.expect_short(LONGEST)
        self.expect_day()
        if self.wrong:
            return None
        texts = {name: text for name in (*LONGEST, "date") if (text := self.texts.get(name))}
        return self._checked(
            {"type": "open", "id": self.id, "game": chosen.id, "players": players, "policy": self.policy}
            | {"options": options} | texts
        )  # fmt: skip

    def _checked(self, given: dict[str, Any]) -> ev.Open | None:
        """Return the event if the ledger will take it; any error at this point is about the players."""
        try:
            event = event_of(given)
            assert isinstance(event, ev.Open)
            start(event)
        except LedgerError as error:
            self.wrong["players" if error.code in ("format.value", "people.name") else ""] = sentence(error)
            return None
        return event


def opening_of(form: MultiDict[str, str]) -> Opening:
    """Return the content of a form, without blanks around texts."""
    texts = {name: text.strip() for name, text in form.items()}
    players = [tidy_name(player) for player in form.getlist("player")]
    try:
        id = str(uuid.UUID(texts.get("id", "")))
    except ValueError:
        id = str(uuid.uuid4())
    policy = texts.get("policy", "record")
    opening = Opening(id, texts.get("game", ""), players, policy, texts=texts)
    if policy not in POLICIES:
        opening.wrong["policy"] = _("Choose one of the two.")
    return opening


def as_recorded(match: str, event: ev.Open) -> Opening:
    """Return the form of the recorded opening of a match, to be amended."""
    texts = {name: text for name in LONGEST if (text := getattr(event, name))} | {"date": known_day(event.date) or ""}
    game = games()[event.game]
    for option in game.options:
        if (value := event.options.get(option.name)) is not None:
            texts[option_name(game, option)] = ("yes" if value else "") if isinstance(value, bool) else str(value)
    return Opening(match, event.game, [*event.players], event.policy, texts=texts)


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
