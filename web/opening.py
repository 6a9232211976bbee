"""The form that opens a match: what it offers, and what was filled in, as an event or with what is wrong beside each field."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from api.packs import kind_of
from ledger import events as ev
from ledger.errors import LedgerError
from ledger.games import games, start
from ledger.matchfile import event_of

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from ledger.game import Game, Option
    from ledger.ledger import Ledger

SEATS = 8
"""Seats the form has room for; a game says how many of them it wants."""
LONGEST = {"event": 120, "table": 60, "place": 120}
"""Characters the free texts may have."""
POLICIES = {
    "record": "What breaks a rule is asked about once, then recorded and named: the record says what happened.",
    "strict": "What breaks a rule is refused; for teaching, and for typing in what must be right.",
}
"""What becomes of an irregular event, by policy."""
_RECENT = 300
"""Matches whose players and places are offered for completion."""


@dataclass
class Opening:
    """The form as filled in: texts by the names of its fields, and what is wrong by the same names (`""`: the whole)."""

    id: str
    game: str
    players: list[str]
    policy: str = "record"
    texts: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def option(self, game: Game, option: Option) -> str:
        """Return the text an option's field shows: as filled in, or the default."""
        given = self.texts.get(option_name(game, option))
        return _default(option) if given is None else given

    def event(self) -> ev.Open | None:
        """Return the opening that was filled in, or None where something is wrong, which `wrong` then says."""
        chosen = games().get(self.game)
        if chosen is None:
            self.wrong["game"] = "Choose one of the games."
            return None
        players = [player for player in self.players if player]
        if len(players) not in chosen.players:
            self.wrong["players"] = f"{chosen.title} is for {chosen.players_text} players; here are {len(players)}."
        options = self._options(chosen, len(players))
        texts = {name: text for name in LONGEST if (text := self.texts.get(name))}
        self.wrong |= {
            name: f"At most {LONGEST[name]} characters." for name, text in texts.items() if len(text) > LONGEST[name]
        }
        if day := self.texts.get("date"):
            texts["date"] = day
            try:
                written = date.fromisoformat(day).isoformat()
            except ValueError:
                written = ""
            if day != written:
                self.wrong["date"] = "A day is written as 2026-01-31."
        if self.wrong:
            return None
        return self._checked(
            {"type": "open", "id": self.id, "game": chosen.id, "players": players, "policy": self.policy}
            | {"options": options} | texts
        )  # fmt: skip

    def _checked(self, given: dict[str, Any]) -> ev.Open | None:
        """Return the event if the ledger will take it; what is wrong by now is with the players."""
        try:
            event = event_of(given)
            assert isinstance(event, ev.Open)
            start(event)
        except LedgerError as error:
            self.wrong["players" if error.code == "format.value" else ""] = f"{error.message}."
            return None
        return event

    def _options(self, game: Game, n: int) -> dict[str, object]:
        """Return the options that differ from their defaults; what is wrong with others is noted."""
        options: dict[str, object] = {}
        for option in game.options:
            name = option_name(game, option)
            try:
                value = _value(option, self.texts.get(name, ""), n)
            except LedgerError as error:
                self.wrong[name] = f"{error.message}."
                continue
            if value != option.default_for(n):
                options[option.name] = value
        return options


def opening_of(form: MultiDict[str, str]) -> Opening:
    """Return what a form says; texts without the blanks around them."""
    texts = {name: text.strip() for name, text in form.items()}
    players = [player.strip() for player in form.getlist("player")]
    try:
        id = str(uuid.UUID(texts.get("id", "")))
    except ValueError:
        id = str(uuid.uuid4())
    policy = texts.get("policy", "record")
    opening = Opening(id, texts.get("game", ""), players, policy, texts)
    if policy not in POLICIES:
        opening.wrong["policy"] = "Choose one of the two."
    return opening


def blank(game: str | None) -> Opening:
    """Return an empty form; its match will have the id it carries, so sending it twice opens one match."""
    return Opening(str(uuid.uuid4()), game if game and game in games() else next(iter(games())), [])


def option_name(game: Game, option: Option) -> str:
    """Return the name of an option's field: every game's options are on the page."""
    return f"{game.id}.{option.name}"


def known_words(ledger: Ledger) -> dict[str, list[str]]:
    """Return what earlier matches offer for completion, the latest first: players, events, tables, places."""
    rows = ledger.views.database.query(
        "SELECT players, event, board, place FROM matches ORDER BY position DESC LIMIT ?", (_RECENT,)
    )
    found: dict[str, dict[str, None]] = {"player": {}, "event": {}, "table": {}, "place": {}}
    for row in rows:
        found["player"].update(dict.fromkeys(json.loads(row["players"])))
        for name, column in (("event", "event"), ("table", "board"), ("place", "place")):
            if row[column]:
                found[name][row[column]] = None
    return {name: list(words) for name, words in found.items()}


def _default(option: Option) -> str:
    if isinstance(option.default, bool):
        return "yes" if option.default else ""
    return option.default if isinstance(option.default, str) else ""


def _value(option: Option, text: str, n: int) -> object:
    """Return what the text of a field means; an empty one is the default. Raises as `Option.value`."""
    if kind_of(option) == "boolean":
        return bool(text)
    if not text:
        return option.default_for(n)
    whole = kind_of(option) == "integer" and text.isascii() and text.isdigit() and len(text) <= 12
    return option.value(int(text) if whole else text)
