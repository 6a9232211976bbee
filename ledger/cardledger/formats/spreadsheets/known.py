"""What is known beside the sheets: by a ledger, or nothing, where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from cardledger.errors import StoreError
from cardledger.record.people.known_names import KnownNames
from cardledger.rules.evenings.match_of_table import match_id
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from cardledger.formats.spreadsheets.kept_layouts import ClubLayout
    from cardledger.rules.engine.events import Open
    from cardledger.rules.stream import Stream


class KnownEvening(NamedTuple):
    """What is recorded of an evening: its id, its state, and the number of its last event."""

    id: str
    state: object
    seq: int


class KnownBeside(Protocol):
    """What a preview asks beside the sheets; it stores nothing."""

    def catch_up(self) -> None:
        """Know all that is recorded; raises UnusableError if that cannot be."""

    def players(self) -> KnownNames:
        """Return the players who are known."""

    def person(self, player: str) -> str:
        """Return the person whom an id means."""

    def name(self, player: str) -> str:
        """Return the name under which a player is shown."""

    def clubs(self) -> Sequence[tuple[str, str]]:
        """Return the id and the name of each club."""

    def layouts(self, club: str | None) -> Sequence[ClubLayout]:
        """Return the layouts that a club keeps, those of all clubs without."""

    def evening(self, wish: str) -> KnownEvening:
        """Return an evening by its id or the beginning of it; raises StoreError `store.unknown`."""

    def evenings_on(self, day: str) -> Sequence[KnownEvening]:
        """Return the evenings of a day."""

    def arrived(self, session: str) -> AbstractSet[str]:
        """Return the players of an evening so far."""

    def match_id(self, session: str, round: int, first: Open) -> str:
        """Return the id of the match of a table that is opened so; raises RuleError `session.phase`."""

    def has_match(self, match: str) -> bool:
        """Tell whether a match is recorded."""

    def match(self, match: str) -> Stream:
        """Return a match; raises StoreError `store.unknown`."""


class NothingKnown:
    """Knows nobody and nothing, as a program without a ledger: every sheet is that of a new evening."""

    def catch_up(self) -> None:
        """There is nothing to catch up with."""

    def players(self) -> KnownNames:
        """Return nobody."""
        return KnownNames(frozenset(), {})

    def person(self, player: str) -> str:
        """Return the id itself: nobody has another."""
        return player

    def name(self, player: str) -> str:
        """Return the name itself: nobody has another."""
        return player

    def clubs(self) -> Sequence[tuple[str, str]]:
        """Return no club."""
        return ()

    def layouts(self, club: str | None) -> Sequence[ClubLayout]:
        """Return no layout."""
        return ()

    def evening(self, wish: str) -> KnownEvening:
        """Raise StoreError `store.unknown`."""
        raise _unknown(wish)

    def evenings_on(self, day: str) -> Sequence[KnownEvening]:
        """Return no evening."""
        return ()

    def arrived(self, session: str) -> AbstractSet[str]:
        """Return nobody."""
        return frozenset()

    def match_id(self, session: str, round: int, first: Open) -> str:
        """Return the id that a first match of the table has."""
        return match_id(session, round, first)

    def has_match(self, match: str) -> bool:
        """Tell that no match is recorded."""
        return False

    def match(self, match: str) -> Stream:
        """Raise StoreError `store.unknown`."""
        raise _unknown(match)


def _unknown(id: str) -> StoreError:
    return StoreError("store.unknown", Sentence("nothing is recorded here: there is no {id}", id=id))
