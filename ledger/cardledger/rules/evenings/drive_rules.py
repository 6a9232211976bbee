"""The rules of a progressive drive: what its movement needs, what a table may bring, and the trump of each hand."""

from __future__ import annotations

from collections.abc import Sequence

from cardledger.errors import FormatError, RuleError
from cardledger.rules.engine import events as match_events
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.movement import refusal
from cardledger.rules.evenings.other_game import Played, has_rules
from cardledger.rules.games import start
from cardledger.sentence import Sentence, advising

AT_TABLE = 4
"""The players at a table of a drive."""
MOST_HANDS = 60
"""The most hands of a drive."""
USUAL_HANDS = 24
"""The hands of a drive, unless others are asked for."""
USUAL_TRUMPS = ("H", "C", "D", "S")
"""The cycle of trumps of a whist drive, unless another is asked for."""


def drives(game: Played) -> bool:
    """Tell whether a game can be played as a drive: four at a table, and tricks where it has rules here."""
    if game is None or AT_TABLE not in game.sizes:
        return False
    return not has_rules(game) or any(isinstance(each, TrickPlay) for each in game.phases)


def tricks_of(game: Played) -> int | None:
    """Return the tricks of a hand that two pairs share; None where each has points of its own, or no rules say so.

    They are the cards that each seat is dealt, by the usual options.
    """
    if not has_rules(game) or not game.has_sides:
        return None
    opening = match_events.Open(game=game.id, players=("a", "b", "c", "d"))
    _, each = game.deal.cards(start(opening), 1)
    return each


def in_pairs(movement: ev.Movement, opening: ev.Session) -> bool:
    """Tell whether two pairs play at each table of a drive: they share its tricks, or have their points together."""
    return movement.tricks is not None or opening.partners


def has_cycle(game: Played) -> bool:
    """Tell whether the trumps of a game can go round by the hand: its option `trumps` says so.

    In others players decide.
    """
    return has_rules(game) and any(option.name == "trumps" for option in game.options)


def trump_of(movement: ev.Movement, round: int) -> str | None:
    """Return the trump of a round of a drive: `C` `D` `H` `S` `NT`; None if the game decides it."""
    return movement.trumps[(round - movement.start) % len(movement.trumps)] if movement.trumps else None


def last_round(movement: ev.Movement) -> int:
    """Return the last round of a drive."""
    return movement.start + (movement.rounds or 0) - 1


def expect_drive(movement: ev.Movement, opening: ev.Session) -> None:
    """Refuse a drive that cannot be scored, and the keys of a drive in another movement.

    Raises RuleError `session.movement`, FormatError `format.key`, `format.value`.
    """
    if movement.kind != "drive":
        if movement.tricks is not None or movement.trumps or movement.moves != "winners_up":
            raise FormatError("format.key", Sentence("'tricks', 'moves' and 'trumps' are for a drive: leave them out"))
        return
    if opening.unit != "player" or opening.scoring.kind != "total":
        raise refusal("a drive is for single players, and their points are added up: open such an evening (total)")
    if movement.rounds is None:
        raise FormatError("format.key", Sentence("a drive needs the key 'rounds': the number of its hands"))
    if movement.rounds > MOST_HANDS:
        raise FormatError(
            "format.value",
            Sentence(
                "a drive has 1 to {most_hands} hands, not {rounds}", most_hands=MOST_HANDS, rounds=movement.rounds
            ),
        )
    if movement.moves == "ladies_up" and not in_pairs(movement, opening):
        raise refusal(
            "ladies go up and gentlemen down with a partner, and nobody has one in this game: let winners move up"
        )


def expect_points(movement: ev.Movement, table: int, round: int, points: Sequence[int] | None) -> None:
    """Refuse the result of a table of a drive that its tricks cannot give; raises RuleError `session.tricks`."""
    if movement.tricks is None or points is None:
        return
    north, east, south, west = points if len(points) == AT_TABLE else (-1, -1, -1, -1)
    if (north, east) != (south, west) or min(north, east) < 0 or north + east != movement.tricks:
        raise RuleError(
            "session.tricks",
            advising(
                Sentence(
                    "table {table} in hand {round}: the {tricks} tricks of a hand cannot give {points}: give north and south the same, and east and west the rest",
                    table=table,
                    round=round,
                    tricks=movement.tricks,
                    points=", ".join(map(str, points)),
                )
            ),
        )
