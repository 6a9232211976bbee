"""What a federation sets for each club of its house: quotas, the rate, the club's name and its language.

It is in the house's own store, which no club reaches: what a club may have, it cannot raise.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger.listed import listed, meant
from cardledger.record.store.quota import Quota
from cardledger.sentence import Sentence, advising
from cardledger_api.auth.limits import Limits
from cardledger_api.beside.in_file import FileForm
from cardledger_api.beside.kept import kept_for
from cardledger_api.http.quotas import OwnGate, OwnPlaces
from cardledger_web.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

    from cardledger.record.recording.mentions import Mention
    from cardledger_api.beside.store import Execute
    from cardledger_web.serving.server_parts import ServerParts

EVERY = "*"
"""Stands for all clubs: what is set for it counts for those for which nothing else is set."""
_FILE = FileForm(
    0x72756C65,  # the ASCII letters "rule"
    1,
    ("CREATE TABLE settings (club TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (club, key))",),
    {},
    (),
)
_LONGEST = 80


class ClubSettings(NamedTuple):
    """The settings of a club; None is what is not set.

    `events` and `bytes` are the most that its ledger may hold, `streams` and `expensive` the live streams and expensive
    answers at once, `rate` the requests a second of each client, `title` its name on its pages, `language` that of
    readers whose browsers name none of ours, and `ask` says whom to ask for more.
    """

    events: int | None = None
    bytes: int | None = None
    streams: int | None = None
    expensive: int | None = None
    rate: float | None = None
    title: str | None = None
    language: str | None = None
    ask: str | None = None

    @property
    def asked(self) -> str:
        """Whom to ask for more."""
        return self.ask or Sentence("those who run this server")

    @property
    def quota(self) -> Quota | None:
        """How much the ledger may hold."""
        return None if self.events is self.bytes is None else Quota(self.events, self.bytes, self.asked)

    def limits(self, usual: Limits) -> Limits:
        """Return the limits for each client of the club."""
        if self.rate is None:
            return usual
        return replace(usual, reads=(own := Limits.of(self.rate)).reads, writes=own.writes)

    def within(self, shared: ServerParts) -> ServerParts:
        """Return what the club shares with others, as far as its quotas reach."""
        if self.streams is not None:
            shared = replace(shared, places=OwnPlaces(self.streams, shared.places, self.asked))
        if self.expensive is not None:
            shared = replace(shared, gate=OwnGate(self.expensive, shared.gate, self.asked))
        return shared


def _whole(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _number(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and 0 < value <= 1e6


def _text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable() and value.strip() == value


_COUNTS = ("events", "bytes", "streams", "expensive")
_NUMBERS = (*_COUNTS, "rate")
_A_NUMBER = Sentence("a whole number, 0 or more")
_A_TEXT = Sentence("a text of up to 80 letters")
_KINDS: dict[str, tuple[Callable[[object], bool], Sentence]] = {
    **dict.fromkeys(_COUNTS, (_whole, _A_NUMBER)),
    "rate": (_number, Sentence("a number above 0")),
    **dict.fromkeys(("title", "ask"), (_text, _A_TEXT)),
    "language": (lambda value: value in LANGUAGES, Sentence("one of en, de, fr")),
}
"""What each setting may be, and how that is said."""


def parsed(key: str, text: str) -> object:
    """Return the value of a setting as it was typed, None for an empty one; what is no value is refused later.

    >>> parsed("events", "100"), parsed("title", "100"), parsed("events", "many"), parsed("ask", "")
    (100, '100', 'many', None)
    """
    if not text:
        return None
    if key in _NUMBERS:
        with suppress(ValueError):
            number: float = int(text) if text.isdecimal() else float(text)
            return number
    return text


class HouseSettings:
    """The settings of the clubs of a house, in its store. Safe to share between threads and programs."""

    def __init__(self, house: Path) -> None:
        self._store = kept_for(house, "settings", _FILE, {})

    def of(self, club: str) -> ClubSettings:
        """Return the settings of a club: its own, and those of all clubs where it has none."""
        rows = self._store.rows(
            "SELECT key, value FROM settings WHERE club IN (?, ?) ORDER BY club = ?", EVERY, club, club
        )
        return ClubSettings(**{key: json.loads(value) for key, value in rows if key in ClubSettings._fields})

    def change(self, club: str, values: Mapping[str, Any]) -> ClubSettings:
        """Set some settings of a club, or of EVERY, None to forget one; return all that counts for it now.

        Raises LedgerError `house.setting`; nothing is changed then.
        """
        for key, value in values.items():
            _expect(key, value)

        def work(execute: Execute) -> None:
            for key, value in values.items():
                execute("DELETE FROM settings WHERE club = ? AND key = ?", (club, key))
                if value is not None:
                    execute("INSERT INTO settings (club, key, value) VALUES (?, ?, ?)", (club, key, json.dumps(value)))

        self._store.change(work)
        return self.of(club)

    def mentioning(self, mention: Mention) -> list[tuple[str, str]]:
        """Return the clubs and keys of settings that mention a person."""
        rows = self._store.rows("SELECT club, key, value FROM settings")
        return [(club, key) for club, key, value in rows if mention(str(json.loads(value)))]

    def forget(self, mention: Mention) -> None:
        """Forget the settings that mention a person; nothing is left of them in the file."""
        if found := self.mentioning(mention):
            self._store.change(
                lambda execute: [execute("DELETE FROM settings WHERE club = ? AND key = ?", each) for each in found]
            )
            self._store.empty()

    @staticmethod
    def known(club: str, clubs: Collection[str]) -> str:
        """Return the name of a club, or EVERY; raises LedgerError `house.unknown`."""
        if club != EVERY and club not in clubs:
            raise LedgerError("house.unknown", advising(f"there is no club {club[:_LONGEST]}{meant(club, clubs)}"))
        return club

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def _expect(key: str, value: object) -> None:
    if key not in _KINDS:
        message = f"{key} is no setting of a club{meant(key, _KINDS)}: there are {listed([*_KINDS])}"
        raise LedgerError("house.setting", advising(message))
    fits, said = _KINDS[key]
    if value is not None and not fits(value):
        raise LedgerError("house.setting", advising(Sentence("{key} must be {kind}", key=key, kind=said)))
