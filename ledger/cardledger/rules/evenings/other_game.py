"""A game that has no rules here: what an evening says of it is enough to seat people and to rank their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeGuard

from cardledger.errors import FormatError
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.games import games
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game
    from cardledger.rules.evenings.evening_events import Session
    from cardledger.rules.evenings.session import SessionState

LONGEST_GAME: Final = 60
"""The most characters of the name of a game without rules."""
MOST_AT_TABLE: Final = 20
"""The most players at a table of such a game."""
WINS: Final = ("most", "least")
"""Which points win at a game without rules."""
ANY_SIZE: Final = (*range(2, 9),)
"""The numbers of players at a table of such a game unless they are said."""


class OtherGame(NamedTuple):
    """A game without rules: its name, the numbers of players at a table, whether partners sit opposite, and who wins."""

    title: str
    sizes: tuple[int, ...]
    has_sides: bool
    fewest: bool = False

    @property
    def players_text(self) -> str:
        """The numbers of players, as people say them."""
        numbers = [*map(str, self.sizes)]
        whole = self.sizes == (*range(self.sizes[0], self.sizes[-1] + 1),)
        if len(numbers) > 2 and whole:
            return f"{numbers[0]} to {numbers[-1]}"
        return " or ".join([", ".join(numbers[:-1]), numbers[-1]] if len(numbers) > 1 else numbers)

    def sides(self, players: int) -> tuple[int, ...]:
        """Return the side of each seat: with partners, those who sit opposite have one; at an odd table each is alone.

        >>> OtherGame("Canasta", (4,), True).sides(4), OtherGame("Canasta", (4,), True).sides(3)
        ((0, 1, 0, 1), (0, 1, 2))
        """
        paired = self.has_sides and players > 2 and players % 2 == 0
        return tuple(seat % (players // 2) if paired else seat for seat in range(players))


Played: TypeAlias = "Game[Any] | OtherGame | None"
"""What is played at a table or in a round: a game, one without rules, or any (None)."""


def title_of(game: Game[Any] | OtherGame) -> str:
    """Return the title of a game, one that every language knows if it has rules here."""
    return game.title if isinstance(game, OtherGame) else Sentence(game.title)


def has_rules(game: Played) -> TypeGuard[Game[Any]]:
    """Tell whether a game is one that has rules here."""
    return game is not None and not isinstance(game, OtherGame)


def id_of(game: Played) -> str | None:
    """Return the id of a game; None for any, and for one without rules."""
    return game.id if has_rules(game) else None


def other_game(opening: Session) -> OtherGame | None:
    """Return the game without rules of an evening, None if it has none."""
    if opening.other_game is None:
        return None
    sizes = opening.sizes or ((4,) if opening.partners else ANY_SIZE)
    return OtherGame(opening.other_game, sizes, opening.partners, opening.scoring.fewest)


def fewest_win(game: Played) -> bool:
    """Tell whether the fewest points win at a game; of any game the most do."""
    return game is not None and (game.fewest if isinstance(game, OtherGame) else game.scoring.fewest)


def game_of(opening: Session) -> Played:
    """Return what is played at an evening, None for any."""
    return games().get(opening.game or "") or other_game(opening)


def game_played(session: SessionState, game: str | None = None) -> Played:
    """Return what is played at a table that names a game, or none: else that of the evening; None for any."""
    return games().get(game) if game else game_of(session.opening)


def expect_other_game(opening: Session) -> None:
    """Refuse what an evening cannot say of a game without rules; raises FormatError `format.key`, `format.value`."""
    name, sizes = opening.other_game, opening.sizes
    if name is None:
        if sizes or opening.partners:
            raise FormatError("format.key", Sentence("'sizes' and 'partners' are for an 'other_game': leave them out"))
        return
    if opening.game is not None:
        raise FormatError("format.key", Sentence("an evening has a 'game' or an 'other_game': leave one out"))
    if opening.options:
        raise FormatError("format.key", Sentence("an 'other_game' has no options: leave them out"))
    if opening.scoring.kind in ON_BOARDS:
        raise FormatError(
            "format.value",
            Sentence(
                "an 'other_game' is scored by total or places, not by {kind}: choose one", kind=opening.scoring.kind
            ),
        )
    if not 1 <= len(name) <= LONGEST_GAME or name != name.strip():
        raise FormatError(
            "format.value",
            Sentence(
                "an 'other_game' has a name of 1 to {longest_game} characters, without blanks around it",
                longest_game=LONGEST_GAME,
            ),
        )
    if sizes and ([*sizes] != sorted({*sizes}) or not 2 <= sizes[0] <= sizes[-1] <= MOST_AT_TABLE):
        raise FormatError(
            "format.value",
            Sentence(
                "'sizes' are numbers of players from 2 to {most_at_table}, each once, smaller ones first",
                most_at_table=MOST_AT_TABLE,
            ),
        )
    if opening.partners and opening.unit != "player":
        raise FormatError(
            "format.key",
            Sentence("'partners' is for single players: a {unit} competes together anyway", unit=opening.unit),
        )
    if opening.partners and sizes and not any(n > 2 and n % 2 == 0 for n in sizes):
        raise FormatError(
            "format.value", Sentence("partners need tables of 4, 6 or another even number: add one to 'sizes'")
        )
