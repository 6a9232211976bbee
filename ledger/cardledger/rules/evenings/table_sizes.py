"""How many players sit at a table: what a game allows, what is usual, and the best division of those who are here."""

from __future__ import annotations

from collections.abc import Collection

from cardledger.errors import RuleError
from cardledger.rules.evenings.other_game import ANY_SIZE, OtherGame, Played
from cardledger.sentence import Sentence, advising

FOUR = (4,)
"""The size of tables unless others are given."""
_COMFORTABLE = (3, 4, 5)
"""The sizes of tables unless others are asked for; a game for more, such as eight, is played by four or five."""


def table_sizes(players: int, sizes: Collection[int] = FOUR) -> tuple[int, ...]:
    """Return the sizes of tables, larger ones first, out of those that a table may have.

    As few players as possible sit out, then there are as few tables as possible, then the tables are as even as
    possible.

    >>> table_sizes(11, range(3, 6)), table_sizes(9), table_sizes(11, {2, 4})
    ((4, 4, 3), (4, 4), (4, 4, 2))

    Raises RuleError `session.seats` for a table of less than 2, or for too few players.
    """
    if not sizes or min(sizes) < 2:
        raise RuleError("session.seats", advising(Sentence("a table has 2 players or more: give sizes from 2 up")))
    if players < min(sizes):
        raise RuleError(
            "session.seats",
            advising(
                Sentence(
                    "{players} are here, and a table needs {needed}: wait for more players",
                    players=players,
                    needed=min(sizes),
                )
            ),
        )
    # The best tables for each number of players: how many, the sum of their squares, and their sizes, larger ones
    # first.
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}
    for seated in range(1, players + 1):
        with_one_more = [
            (tables + 1, squares + size * size, (*larger, size))
            for size in sizes
            if seated - size in best
            for tables, squares, larger in [best[seated - size]]
            if not larger or larger[-1] >= size
        ]
        if with_one_more:
            best[seated] = min(with_one_more)
    return best[max(best)][2]


def usual_sizes(game: Played) -> tuple[int, ...]:
    """Return the numbers of players at a table of a game, unless others are asked for; of any game 3 to 5."""
    if game is None:
        return _COMFORTABLE
    if isinstance(game, OtherGame) and game.sizes != ANY_SIZE:
        return game.sizes  # the club said them
    if 4 in game.sizes and game.has_sides:
        return (4,)
    usual = tuple(n for n in game.sizes if n in _COMFORTABLE)
    return usual or tuple(n for n in game.sizes if n < _COMFORTABLE[0])[-1:] or game.sizes[:1]


def sizes_asked_for(game: Played, smallest: int | None, largest: int | None) -> tuple[int, ...]:
    """Return the numbers of players at a table of a game, from the smallest to the largest asked for (None: not asked).

    Raises RuleError `session.seats` if the game has no such table.
    """
    usual = usual_sizes(game)
    least = smallest or min(usual[0], largest or usual[0])
    most = largest or max(usual[-1], least)
    sizes = tuple(n for n in range(least, most + 1) if n > 1 and (game is None or n in game.sizes))
    if not sizes:
        asked = str(least) if least == most else f"{least} to {most}"
        allowed = (
            "2 or more players, in order"
            if game is None
            else f"{game.players_text} players: {game.title} is for no other number"
        )
        raise RuleError(
            "session.seats",
            advising(Sentence("tables of {asked} players cannot be: choose {allowed}", asked=asked, allowed=allowed)),
        )
    return sizes
