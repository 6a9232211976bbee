"""The form that opens a match: its suggestions, and its content, as an event or with an error beside each field."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.record.matches.shape import event_of
from cardledger.record.people.names import is_pseudonym
from cardledger.record.people.spelling import tidy_name
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
_LAST = """SELECT match FROM matches WHERE status <> 'void'
    AND match NOT IN (SELECT match FROM evening_results WHERE match IS NOT NULL)
    ORDER BY position DESC LIMIT 1"""
_RECENT = 300
"""The number of matches whose players and places are offered for completion."""


@dataclass
class Opening(Form):
    """The form of a match: its id, its game, the players by seat, and the treatment of irregular events.

    `proposed` tells whether it is filled in as for the last match, so that most of it may stay folded.
    """

    id: str
    game: str
    players: list[str]
    policy: str = "record"
    proposed: bool = False

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


def blank(game: str | None) -> Opening:
    """Return an empty form. It carries the id of its match, so sending it twice opens one match."""
    return Opening(str(uuid.uuid4()), game if game and game in games() else next(iter(games())), [])


def like_the_last(ledger: Ledger, game: str | None) -> Opening:
    """Return the form of the next match: the table, the game and the options are those of the last one.

    Matches of evenings are opened there, and do not count here. Another game that is asked for takes the players alone.
    """
    row = ledger.views.reader.execute(_LAST).fetchone()
    last = None if row is None else unroll(ledger.stream(row[0]).heads[-1])[0][1]
    if not isinstance(last, ev.Open) or last.game not in games() or any(map(is_pseudonym, last.players)):
        return blank(game)
    form = as_recorded(str(uuid.uuid4()), last)
    form.texts.pop("date", None)
    if game in games() and game != form.game:
        texts = {name: form.texts[name] for name in LONGEST if name in form.texts}
        form = Opening(form.id, str(game), form.players, form.policy, texts=texts)
    form.proposed = True
    return form


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
