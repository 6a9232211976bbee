"""The names of games as people write them, in the languages of the pages."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cardledger.rules.games import games

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game

NAMES: Final = {
    "bridge": ("bridge", "Kontrakt-Bridge", "Bridge contrat", "Rubber bridge", "Rubberbridge"),
    "diamonds-bid": ("Diamonds (mit Ansage)", "Diamonds (enchères)"),
    "diamonds-draw": ("Diamonds (mit Ziehen)", "Diamonds (pioche)"),
    "hearts": ("Herzen", "Black Lady", "Black Maria", "Schwarze Dame", "Dame de pique", "Cœurs"),
    "oh-hell": ("Oh! Hell", "Ascenseur", "L'ascenseur"),
    "spades": ("Pik", "Piques"),
}
"""Names of games beside their ids and titles."""


def game_called(text: str) -> Game[Any] | None:
    """Return the game of a name, whatever capitals, accents and signs it has.

    None if there is none, or more than one.
    """
    found = _ids(tuple((id, game.title) for id, game in games().items())).get(plain(text), ())
    return games()[found[0]] if len(found) == 1 else None


@lru_cache(4)
def _ids(titles: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    """Return the ids of games by their plain names, given by id and title."""
    found: dict[str, list[str]] = {}
    for id, title in titles:
        for name in {plain(each) for each in (id, title, *NAMES.get(id, ()))} - {""}:
            found.setdefault(name, []).append(id)
    return found


def plain(text: str) -> str:
    """Return a text in small letters without accents and signs, its words divided by one blank.

    >>> plain("Dame de  Pique!"), plain("Cœurs")
    ('dame de pique', 'coeurs')
    """
    return _short_plain(text) if len(text) <= _SHORT else _plain(text)


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe"))
    words = "".join(char if char.isalnum() else " " for char in letters if not unicodedata.combining(char))
    return " ".join(words.split())


_SHORT: Final = 40
"""The longest text that is kept in its plain form: sheets say the same words again and again."""
_short_plain = lru_cache(4096)(_plain)
