"""Recognised: what an archive without names still tells of the people in it. It is not anonymous, and says so."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardledger.count_of import count_of
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.pseudonyms import PROGRAMS
from cardledger.record.recording.mentions import texts_with_keys
from cardledger.record.store.streams import is_match

if TYPE_CHECKING:
    from cardledger.record.store import Recording

NOT_ANONYMOUS: Final = "people.pseudonyms"
"""The code of the warning about an archive with pseudonyms."""
_read = msgspec.json.Decoder(dict[str, Any]).decode


class Recognised:
    """Counts, match by match, by what people can be recognised in an archive with pseudonyms for names."""

    def __init__(self) -> None:
        self._days: defaultdict[str, set[str]] = defaultdict(set)
        self.in_clear = 0
        """The number of matches whose opening holds names in clear: it is older than pseudonyms."""

    def take(self, recording: Recording) -> None:
        """Take in a match."""
        if not is_match(recording.match):
            return
        opening = _read(recording.lines[0])
        day = str(opening.get("date") or opening.get("at", ""))[:10]
        for player in opening["players"]:
            self._days[player].add(day)
        clear = any(
            key.stored not in ("clear", "word") and not is_pseudonym(text.text) and text.text not in PROGRAMS
            for text, key in texts_with_keys(recording.match, opening)
        )
        self.in_clear += clear

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self._days)

    @property
    def alone(self) -> int:
        """The number of players who are the only ones to have played on just their days."""
        known = Counter(map(frozenset, self._days.values()))
        return sum(known[frozenset(days)] == 1 for days in self._days.values())

    @property
    def in_words(self) -> str:
        """What somebody has to know before giving the archive away."""
        text = (
            "this archive holds pseudonyms, but it is not anonymous: "
            "days, times, cards and ids are all in it, and a reader "
            f"who knows when somebody played finds them ({self.alone:,} "
            f"of {count_of(self.players, 'player')} played on days"
            " of their own). The ids of matches and the pseudonyms lead "
            "to the names wherever this ledger is read openly, and in"
            " receipts"
        )
        if self.in_clear:
            text += f". {count_of(self.in_clear, 'match')} older than pseudonyms: names stand in clear there"
        return text
