"""Missing names: pseudonyms in events without a stored name, though no event erased a person."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import StoreError
from cardledger.pseudonyms import LENGTH
from cardledger.record.people.names import ERASED, WITHHELD, as_kept, erased_by, mark, used, used_for_players
from cardledger.record.people.people import STREAM
from cardledger.rules.engine.keys import PLAYER
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.record.people.names import Names
    from cardledger.record.store import Stored

_AT_ONCE = 2_000
"""Pseudonyms looked up in one query, and events looked at together."""


class Used(NamedTuple):
    """The first event that uses a name."""

    position: int
    match: str
    seq: int


class TakenIn(NamedTuple):
    """What events say about names: the pseudonyms they use, those they erase, and those that stand for players."""

    used: dict[str, Used]
    erased: set[str]
    players: set[str]


class MissingNames:
    """Finds the missing names among those that events use; the events may come in any order."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._used: dict[str, Used] = {}
        self._waiting: list[str] = []
        self._again = 0
        self._gone: set[str] = set()
        self._left_out: set[str] = set()
        self._erased: set[str] = set()
        self._unfit: StoreError | None = None
        self._players: set[str] = set()
        self._no_players: set[str] = set()
        """Pseudonyms whose names are stored as another kind of text."""

    def take(self, rows: Iterable[Stored]) -> None:
        """Take in events."""
        rows = iter(rows)
        while some := [*islice(rows, _AT_ONCE)]:
            # Other tools can store values that are not text: their hash shows it.
            some = [row for row in some if isinstance(row.line, str)]
            # Nearly all lines hold no pseudonyms but those of players met before, and so say nothing new.
            new = _after_tildes("".join([row.line for row in some])) - self._players
            for row in some:
                if row.match == STREAM or new and not new.isdisjoint(_after_tildes(row.line)):
                    self._take_in(row)
            if len(self._waiting) >= _AT_ONCE:
                self.look_up()

    def _take_in(self, row: Stored) -> None:
        for group in erased_by(row.match, [row.line]):
            self._erased.update(group)
        for word in used([row.line]):
            if word not in self._used:
                self._used[word] = Used(row.position, row.match, row.seq)
                self._waiting.append(word)
        self._players |= used_for_players([row.line])

    @property
    def taken(self) -> TakenIn:
        """What the events so far say, for `add` elsewhere."""
        return TakenIn(self._used, self._erased, self._players)

    def add(self, taken: TakenIn) -> None:
        """Take in what another has taken in, from later events."""
        new = {word: first for word, first in taken.used.items() if word not in self._used}
        self._used |= new
        self._waiting += new
        self._erased |= taken.erased
        self._players |= taken.players
        if len(self._waiting) >= _AT_ONCE:
            self.look_up()

    def look_up(self) -> None:
        """Look up the stored names of the pseudonyms so far; done whenever there are many, and in `found`."""
        if self._waiting:
            words, self._waiting = {*self._waiting}, []
            kinds = {}
            for named in self._names.entries(words):
                kinds[named.pseudonym] = named.kind
                try:
                    as_kept(named)
                except StoreError as error:
                    self._unfit = self._unfit or error
            marked = {word for word in words if mark(word).pseudonym in kinds}
            with_text = {word for word in words if kinds.get(word, ERASED) != ERASED}
            self._gone = (self._gone - words) | (words - with_text - marked)
            others = {word for word in words if kinds.get(word, PLAYER) not in (PLAYER, ERASED, WITHHELD)}
            self._no_players = (self._no_players - words) | others
            self._left_out = (self._left_out - words) | {word for word in marked if word not in kinds}

    def look_again(self) -> None:
        """Look up some names again, as names may have been erased or added meanwhile."""
        some = [*islice(self._used, self._again, self._again + _AT_ONCE)]
        self._again = self._again + _AT_ONCE if len(some) == _AT_ONCE else 0
        self._waiting += some
        self.look_up()

    def all(self) -> dict[str, Used]:
        """Return the missing names among the events so far, by pseudonym, each with the first event that uses it."""
        self.look_up()
        return {word: self._used[word] for word in self._gone - self._erased}

    @property
    def wrong(self) -> StoreError | None:
        """The error for a name that does not fit its pseudonym, or that is stored as another kind of text."""
        unknown = self._players & self._no_players
        if self._unfit is not None or not unknown:
            return self._unfit
        first = min(self._used[word] for word in unknown)
        return StoreError(
            "store.name",
            Sentence(
                "the name of a player in event {seq} of {match} is stored as another text: erasing would miss it",
                seq=first.seq,
                match=first.match,
            ),
        )

    def error(self) -> StoreError | None:
        """Return the error for missing or wrong names, None without any."""
        missing = self.all()
        if not missing:
            return self.wrong
        first = min(missing.values())
        return StoreError(
            "store.name",
            Sentence.counted(
                "{count} name that events use is missing, though no event erased a person; the first is in event {seq} of "
                "{match}",
                "{count} names that events use are missing, though no event erased a person; the first is in event {seq} of "
                "{match}",
                len(missing),
                count=f"{len(missing):,}",
                seq=first.seq,
                match=first.match,
            ),
        )

    @property
    def used(self) -> int:
        """The number of names that events use."""
        return len(self._used)

    @property
    def left_out(self) -> int:
        """The number of names left out when the ledger was made."""
        return len(self._left_out)


def _after_tildes(text: str) -> set[str]:
    """Return what may be pseudonyms in lines: all of them, and other text; many times as fast as `used`."""
    _, *after = text.split("~")  # a single character is found at the speed of memory
    return {"~" + part[:LENGTH] for part in after}
