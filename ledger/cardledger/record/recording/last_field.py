"""The field of an evening that was: who came, and who competed with whom, to be entered again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import StoreError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.readmodels.questions.evening_list import last_evening
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.record.people.people import People
    from cardledger.record.recording.ledger import Ledger


class LastField(NamedTuple):
    """Who came to an evening, also those who left early, and its pairs or teams as a list to paste, with their numbers.

    `lines` is empty where nobody has a number. A person who was erased is left out, with the lineup.
    """

    evening: str
    here: list[str]
    lines: str


def last_field(ledger: Ledger, club: str, game: str | None = None) -> LastField:
    """Return the field of the evening that a club opened last.

    Arguments:
        ledger: the ledger.
        club: the id of the club.
        game: the game of that evening, also one without rules; any unless given.

    Raises StoreError `store.unknown` if there was no such evening.
    """
    evening = last_evening(ledger, club, game)
    if evening is None:
        raise StoreError(
            "store.unknown",
            advising(Sentence("the club has had no such evening yet: say who is here")),
        )
    state, people = ledger.evenings.stream(evening).state, ledger.people()
    assert isinstance(state, SessionState)
    return LastField(evening, came_to(state, people), field_of(state, people))


def field_of(state: SessionState, people: People) -> str:
    """Return the pairs or teams of an evening as a list to paste, with their numbers; empty if nobody has one."""
    lines = []
    for number, lineups in sorted(state.entries.items()):
        names = [_said(player, people) for player in lineups[-1].players]
        if names and None not in names:
            lines.append(f"{number}. {' / '.join(filter(None, names))}")
    return "\n".join(lines)


def came_to(state: SessionState, people: People) -> list[str]:
    """Return who came to an evening, also those who left early, but nobody who was erased."""
    came = dict.fromkeys(player for here in (*state.present.values(), state.here) for player in here)
    return [player for player in came if not is_pseudonym(people.person(player))]


def _said(player: str, people: People) -> str | None:
    """Return the name by which a list finds a player again: the id if others have the name; None after an erasure."""
    name = people.name(player)
    if is_pseudonym(people.person(player)):
        return None
    return name if people.person(name) == people.person(player) else player
