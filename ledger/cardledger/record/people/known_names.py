"""Names that are known, to find the player meant by a new one; who knows them, a ledger or a phone, does not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.people.spelling import similar_names

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from collections.abc import Set as AbstractSet

_OFFERED = 4
"""The most players offered for one name."""


class KnownNames:
    """Players by every spelling of their names.

    Args:
        ids: the ids of players, each of which is a name of one.
        called: the players who are known by a name.
    """

    def __init__(self, ids: AbstractSet[str], called: Mapping[str, Sequence[str]]) -> None:
        self._ids = ids
        self._called = called

    def __contains__(self, player: object) -> bool:
        return player in self._ids

    def called(self, name: str) -> Sequence[str]:
        """Return the players who are known by exactly this name; an id is the name of one."""
        return [name] if name in self._ids else self._called.get(name, [])

    def meant(self, name: str, seated: Collection[str] = ()) -> list[str]:
        """Return the players whom a name may mean, the most similar first; without those already seated."""
        if name in self._ids:
            return []
        spelled = [name, *similar_names(name, self._called)]
        persons = dict.fromkeys(person for each in spelled for person in self._called.get(each, ()))
        return [person for person in persons if person not in seated][:_OFFERED]
