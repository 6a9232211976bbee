"""What can be asked of a hand: its situations, and what its game counts, each in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.rules.engine.situations import OF_HAND, missing_in
from cardledger.rules.games import games
from cardledger.sentence import Sentence, choosing
from cardledger.study.stats.measures.of_game import measures_of
from cardledger.study.stats.measures.sheet import names_of, splits_of
from cardledger.study.stats.query import Query

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def hand_counts(game: str | None = None) -> Mapping[str, str]:
    """Return the meaning of every situation and count by its name: those of a game, or of all games.

    Raises FormatError `format.game`.
    """
    if game is None:
        return {name: words for id in reversed([*games()]) for name, words in hand_counts(id).items()}
    of: dict[str, str] = {}
    amounts: dict[str, str] = {}
    for measure in measures_of(game):
        amount, _, cases = measure.formula.partition(" ÷ ")
        amounts.setdefault(measure.amount, amount)
        of.setdefault(measure.of, cases)
    words = of | amounts | {id: one.about for id, one in OF_HAND.items()}
    missing = missing_in(games()[game])
    return {name: words[name] for name in splits_of(names_of(game)) if name not in missing}


def situations_wanted(text: str | None, game: str | None = None) -> tuple[tuple[str, str], ...]:
    """Return situations and counts that are written as NAME:VALUE with commas between, each with its value.

    Raises FormatError `format.value`, and StoreError `store.unknown` for a name that the game, or any game, does not
    have.
    """
    wanted = Query.parse({"where": text}).where
    known = hand_counts(game)
    for name, _ in wanted:
        if name not in known:
            why = (
                Sentence("no game counts {name!r}", name=name)
                if game is None
                else Sentence("{game} does not count {name!r}", game=game, name=name)
            )
            raise StoreError("store.unknown", choosing(why, name, sorted(known)))
    return wanted
