"""The players of a ledger by every spelling of their names, to find the player meant by a new name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.known_names import KnownNames
from cardledger.record.readmodels.questions.searches import players
from cardledger.rules.evenings.club import ClubState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.record.recording.ledger import Ledger


class KnownPlayers(KnownNames):
    """The players of a ledger, of its matches, clubs and evenings, without erased ones."""

    def __init__(self, ledger: Ledger) -> None:
        self._people = people = ledger.people()
        known: set[str] = set()
        called: dict[str, list[str]] = {}
        came = ledger.views.reader.execute(
            "SELECT DISTINCT recorded_as FROM evening_players ORDER BY recorded_as"
        ).fetchall()
        for person in dict.fromkeys([*(one.name for one in players(ledger)), *(people.person(id) for (id,) in came)]):
            if is_pseudonym(person):
                continue
            ids = [id for id in people.ids(person) if not is_pseudonym(id)]
            known.update(ids)
            for name in {*ids, people.name(person)}:
                called.setdefault(name, []).append(person)
        super().__init__(known, called)

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
