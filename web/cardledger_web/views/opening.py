"""The form that opens a match: its content, as an event or with an error beside each field.

A server and the engine in a browser read it alike: nothing here knows of a request or a store.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.record.matches.shape import event_of
from cardledger.record.people.spelling import tidy_name
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import known_day
from cardledger.rules.games import games, start
from cardledger_web.languages import N_, _, translated
from cardledger_web.views.form import Form, option_name, sentence
from cardledger_web.views.wording import players_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.record.people.known_names import KnownNames

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


@dataclass
class Opening(Form):
    """The form of a match: its id, its game, the players by seat, and the treatment of irregular events."""

    id: str
    game: str
    players: list[str]
    policy: str = "record"

    def ask(self, known: KnownNames) -> None:
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


def filled_in(id: str, texts: dict[str, str], players: Iterable[str]) -> Opening:
    """Return the form of a match from the texts of its fields, without blanks around them."""
    texts = {name: text.strip() for name, text in texts.items()}
    policy = texts.get("policy", "record")
    opening = Opening(id, texts.get("game", ""), [tidy_name(player) for player in players], policy, texts=texts)
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
