"""How people are called in what is published: a copy of the ledger in which they have no other name.

Pages are made from that copy, so nothing on them can say more: the other names were erased there, with every text that
has one of them, as the ledger itself erases a person. The ledger stays as it is.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.record.backup.copying import transfer
from cardledger.record.people.names import ERASED, WITHHELD, used_for_players
from cardledger.record.people.people import STREAM, Name
from cardledger.record.people.shown import ALL, HowShown, least
from cardledger.record.recording.erasing import erase_all, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.people_changes import record
from cardledger.record.store.opening import opened
from cardledger.sentence import Sentence, advising
from cardledger_web.languages import N_, catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cardledger.record.people.people import People
    from cardledger.record.store import EventStore
    from cardledger.record.store.address import Where

_BY = "cardledger"
"""Who records in the copy: the program, which is nobody."""
_NOBODY = N_("Player %(code)s")


class Naming(NamedTuple):
    """How much may be shown of names at most, whatever the ledger decides: as a rule, and of some by player id."""

    rule: HowShown = ALL
    persons: Mapping[str, HowShown] = {}

    def shows_all(self, people: People) -> bool:
        """Tell whether everybody is called by the whole name: then no copy is needed."""
        return people.shows_all and {self.rule, *self.persons.values()} == {ALL}


class Renamed(NamedTuple):
    """A copy of a ledger with other names, and what is shown in it of each person of the ledger, by their ids."""

    copy: Path
    shown: Mapping[str, HowShown]


def renamed(path: Where, folder: Path, naming: Naming, language: str) -> Renamed:
    """Return a copy of a ledger in a folder of ours in which people are called as is decided in the ledger, or by less.

    Raises RuleError `people.unknown` for a person whom nobody knows, StoreError `store.open`, `store.write`.
    """
    copy = folder / "published.db"
    with closing(opened(path, create=False)) as here, closing(opened(copy)) as there:
        transfer(here, there, here.last_position())
    with Ledger(copy) as ledger:
        ledger.views.catch_up()
        return Renamed(copy, _rename(ledger, naming, language))


def _rename(ledger: Ledger, naming: Naming, language: str) -> Mapping[str, HowShown]:
    people, players = ledger.people(), {*_players(ledger)}
    recorded = players | {*_named(ledger.store)} - {_BY}
    persons = {person for person in map(people.person, recorded) if not people.gone(person)}
    chosen = {people.person(player): called for player, called in naming.persons.items()}
    if strangers := sorted(chosen.keys() - persons):
        raise RuleError(
            "people.unknown",
            advising(Sentence("no one has played as {player!r}: see cardledger people list", player=strangers[0])),
        )
    called = {person: least((people.shown(person), chosen.get(person, naming.rule))) for person in persons}
    firsts = {person: people.name(person).split()[0] for person in persons}
    hidden = [person for person in sorted(persons) if not _is_shown(person, called[person], people, firsts[person])]
    left = erase_all(ledger, [examine(ledger, person) for person in hidden], _BY)
    alike = Counter(firsts[person].casefold() for person in persons if called[person] != "none")
    seen = {*map(people.person, players)}
    names = []
    for person, pseudonym in zip(hidden, left, strict=True):
        first, code = firsts[person], pseudonym[1:5]
        if person not in seen or people.erased(person) and person not in people.named():
            continue  # a scorer who never played, or nobody any more: the ledger itself has a word for somebody erased
        if called[person] == "none":
            name = catalogue(language).gettext(_NOBODY) % {"code": code}
        else:
            name = first if alike[first.casefold()] == 1 else f"{first} {code}"
        names.append(Name(player=pseudonym, name=name))
    if names:
        record(ledger.register, ledger.views, names, ledger.people().seq, _BY)
    return called


def _is_shown(person: str, called: HowShown, people: People, first: str) -> bool:
    """Tell whether a person may be seen as recorded: by the whole name, or if nothing but the first name is known."""
    if called == "first":
        known = {*people.ids(person), people.name(person)} | {
            event.name or person
            for event in people.events
            if isinstance(event, Name) and people.person(event.player) == person
        }
        return {each.casefold() for each in known} == {first.casefold()}
    return called == "full"


def _players(ledger: Ledger) -> Iterator[str]:
    query = "SELECT recorded_as FROM players UNION SELECT recorded_as FROM evening_players"
    return (player for (player,) in ledger.views.reader.execute(query))


def _named(store: EventStore) -> Iterator[str]:
    """Yield the texts of all pseudonyms that stand for players and recorders."""
    words: set[str] = set()
    for row in store.read_all(0):
        if row.match != STREAM or '"erase"' not in row.line:
            words |= used_for_players([row.line])
    entries: Any = store.names.entries(words) if words else ()
    return (named.plain for named in entries if named.kind not in (ERASED, WITHHELD))
