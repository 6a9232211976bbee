"""Takes a person's name from what a house keeps: the names of its tokens, its acts, and whom to ask.

An erasure in a club does not reach the house, which is another's: it says that the name stays there.
"""

from __future__ import annotations

import secrets
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from cardledger.record.recording.beside import KEEPERS, Forgotten, Keeper
from cardledger.record.recording.mentions import mentions
from cardledger.sentence import Sentence
from cardledger_api.acts.acts import Acts
from cardledger_api.auth.tokens import Tokens
from cardledger_api.beside.house import houses_beside
from cardledger_web.clubs.settings import HouseSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.record.recording.mentions import Mention
    from cardledger.record.store.address import Where

STAYS = Sentence("the name in what this server's house keeps: its admins take it out with cardledger clubs forget")


def forget(house: Path, words: Iterable[str]) -> int:
    """Take all words that mean a person from what a house keeps; return in how many places they were.

    Tokens of that very name end; acts stay, of somebody erased.
    """
    own = frozenset(words)
    person = Forgotten(own, mentions(own), f"~{secrets.token_hex(4)}")
    found = len(_places(house, person.mention))
    with closing(Tokens(house)) as tokens, closing(Acts(house)) as acts, closing(HouseSettings(house)) as settings:
        tokens.forget(person)
        acts.forget(person)
        settings.forget(person.mention)
    return found


def _places(house: Path, mention: Mention) -> list[object]:
    """Return the tokens, acts and settings of a house that mention a person."""
    with closing(Tokens(house)) as tokens, closing(Acts(house)) as acts, closing(HouseSettings(house)) as settings:
        return [*tokens.mentioning(mention), *acts.mentioning(mention), *settings.mentioning(mention)]


def _stays(at: Where, mention: Mention) -> Iterator[str]:
    if isinstance(at, Path) and any(_places(house, mention) for house in houses_beside(at)):
        yield STAYS


KEEPERS.append(Keeper(lambda at, mention: (), _stays, lambda at, person: None, lambda family: ()))
