"""The players of a ledger by every spelling of their names, to find the player meant by a new name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.spelling import similar_names
from cardledger.record.readmodels.questions.searches import players
from cardledger.rules.evenings.club import ClubState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cardledger.record.recording.ledger import Ledger

_OFFERED = 4
"""The most players offered for one name."""


class KnownPlayers:
    """The players of a ledger, of its matches, clubs and evenings, without erased ones."""

    def __init__(self, ledger: Ledger) -> None:
        self._people = people = ledger.people()
        self._ids: set[str] = set()
        self._called: dict[str, list[str]] = {}
        came = ledger.views.reader.execute(
            "SELECT DISTINCT recorded_as FROM evening_players ORDER BY recorded_as"
        ).fetchall()
        for person in dict.fromkeys([*(one.name for one in players(ledger)), *(people.person(id) for (id,) in came)]):
            if is_pseudonym(person):
                continue
            ids = [id for id in people.ids(person) if not is_pseudonym(id)]
            self._ids.update(ids)
            for name in {*ids, people.name(person)}:
                self._called.setdefault(name, []).append(person)

    def __contains__(self, player: object) -> bool:
        return player in self._ids

    def called(self, name: str) -> list[str]:
        """Return the players who are known by exactly this name; an id is the name of one."""
        return [name] if name in self._ids else self._called.get(name, [])

    def persons(self, names: Iterable[str]) -> list[str]:
        """Return the persons whom names mean, in their order; a name that nobody has yet is that of a new one.

        Raises RuleError `session.player` for two names of one person: who wrote them may have meant two people.
        """
        called = [(self.called(name), name) for name in names]
        persons = [self._people.person(ids[0] if len(ids) == 1 else name) for ids, name in called]
        twice = next((person for place, person in enumerate(persons) if person in persons[:place]), None)
        if twice is not None:
            raise RuleError(
                "session.player",
                advising(
                    Sentence(
                        "{name} is named twice: write more of the name, or leave one out", name=self._people.name(twice)
                    )
                ),
            )
        return persons

    def meant(self, name: str, seated: Collection[str] = ()) -> list[str]:
        """Return the players whom a name may mean, the most similar first; without those already seated."""
        if name in self._ids:
            return []
        spelled = [name, *similar_names(name, self._called)]
        persons = dict.fromkeys(person for each in spelled for person in self._called.get(each, ()))
        return [person for person in persons if person not in seated][:_OFFERED]


def guests_among(ledger: Ledger, club: str | None, day: str, players: Iterable[str]) -> set[str]:
    """Return who is no member; nobody, if the club keeps no list of members."""
    if not club or not ledger.store.lengths([club]):
        return set()
    state = ledger.evenings.stream(club).state
    if not isinstance(state, ClubState):
        raise RuleError("session.phase", Sentence("{club} is no club", club=club))
    people = ledger.people()
    members = {people.person(member) for member in state.members(day)}
    return {player for player in players if people.person(player) not in members} if members else set()
