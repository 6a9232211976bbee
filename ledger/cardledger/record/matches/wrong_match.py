"""A match of a file that cannot be read: what can still be said about its other lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from cardledger.errors import LedgerError, RuleError
from cardledger.record.matches.shorthand import SEATS, TRICK, check_trick, with_seats
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import read_face
from cardledger.rules.engine.keys import cards_in
from cardledger.rules.games import start
from cardledger.sentence import Sentence

MOST_PROBLEMS = 50
"""The most further problems that are named of a wrong match."""
_BY_ITSELF = ("format.json", "format.key", "format.type", "format.value", "table.deck", "table.holding", "table.range")


class WrongMatch:
    """The players and the cards of a match that cannot be read, as far as they are known.

    `players` is empty and `faces` None if its opening says neither.
    """

    def __init__(self, opening: object) -> None:
        """Take what the opening says, an event or any JSON value, even a wrong one."""
        self._named = 0
        said = opening if isinstance(opening, dict) else {}
        if isinstance(opening, ev.Open):
            said = msgspec.structs.asdict(opening)
        players = said.get("players")
        listed = isinstance(players, list | tuple) and all(isinstance(player, str) for player in players)
        self.players = tuple(players) if listed and players else ()
        self.game, self.faces = said.get("game"), None
        for keys in (("game", "players", "options", "rules"), ("game", "players")):
            # A wrong option or date says nothing against the cards.
            with suppress(LedgerError, msgspec.ValidationError, TypeError):
                found = {key: said[key] for key in keys if key in said}
                self.faces = start(msgspec.convert(found | {"type": "open"}, ev.Open)).pack.mask.keys()
                break

    def written_out(self, value: Any) -> Iterable[Any]:
        """Return the JSON objects of the events that a line stands for.

        The seats of a trick are not known, so all are the leader's.

        Raises FormatError `format.key`, `format.value`.
        """
        if not isinstance(value, dict):
            return (value,)
        if value.get("type") == "amend" and isinstance(value.get("event"), dict):
            return (value | {"event": self._with_seats(value["event"])},)
        value = self._with_seats(value)
        if value.get("type") != TRICK:
            return (value,)
        check_trick(value)
        return ({"type": "play", "seat": value["lead"], "card": card} for card in value["cards"])

    def expect(self, event: ev.Event) -> None:
        """Refuse an event with a seat or a card that the match does not have; raises RuleError.

        Codes: `table.range` (a seat), `table.deck` (a card of a deal), `table.holding` (another card).
        """
        event = event.event if isinstance(event, ev.Amend) else event
        value = msgspec.to_builtins(event)
        for key in SEATS.get(value["type"], ()):
            seat = value.get(key)
            if self.players and isinstance(seat, int) and not 0 <= seat < len(self.players):
                raise RuleError(
                    "table.range",
                    Sentence("there is no seat {seat}: seats are 0 to {last}", seat=seat, last=len(self.players) - 1),
                )
        for key in cards_in(type(event)):
            for face in _texts(value.get(key)):
                if self.faces is not None and read_face(face) not in self.faces:
                    code = "table.deck" if value["type"] == "deal" else "table.holding"
                    raise RuleError(code, Sentence("{face!r} is not a card of {game}", face=face, game=self.game))

    def refused(self, numbers: Sequence[int], events: Sequence[ev.Event]) -> Iterator[tuple[int, LedgerError]]:
        """Yield the numbers of the lines whose events `expect` refuses, with its errors.

        As long as they are to be named.
        """
        for number, event in zip(numbers, events, strict=False):
            try:
                self.expect(event)
            except RuleError as error:
                if self.names(error):
                    yield number, error

    def names(self, error: LedgerError) -> bool:
        """Tell whether another error is to be named beside the first.

        Its line is wrong whatever those before say, and they are not too many.
        """
        self._named += 1
        return self._named <= MOST_PROBLEMS and error.code in _BY_ITSELF

    def _with_seats(self, value: dict[str, Any]) -> dict[str, Any]:
        if self.players:
            return with_seats(value, self.players)
        return value | {key: 0 for key in SEATS.get(str(value.get("type")), ()) if isinstance(value.get(key), str)}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
