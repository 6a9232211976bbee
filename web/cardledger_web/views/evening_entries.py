"""The form of the pairs or teams of an evening."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardledger.errors import RuleError
from cardledger.record.people.spelling import A_NAME, expect_name, tidy_name
from cardledger.record.recording.latecomers import empty_places
from cardledger.rules.evenings import evening_events as ev
from cardledger_web.languages import N_, _
from cardledger_web.views.form import Form, sentence

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.known_players import KnownPlayers
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.session import SessionState

STAYS = "stays"
"""Where a pair sits that cannot move."""
SIZES = {"player": (1, 1), "pair": (2, 2), "team": (4, 6)}
"""The fewest and the most players under a number."""
LINES = {"": N_("either line"), "ns": N_("N/S"), "ew": N_("E/W"), STAYS: N_("stays at one table")}
"""Where a pair asks to sit."""
MORE = 4
"""The empty lines that are added at once."""
_FIRST = {"pair": 8, "team": 4}
_MOST = 100
"""The most entries of an evening; no section has more."""


@dataclass
class EntryRow:
    """A line of the form, as filled in: number, line, and the names of the players."""

    number: str
    line: str
    names: list[str]

    @property
    def players(self) -> list[str]:
        """The names that are filled in."""
        return [name for name in self.names if name]


@dataclass
class EntriesForm(Form):
    """Who competes in an evening, one line each.

    `kept` are the numbers that stay, once the first round has begun: only their players can change then. `late` are the
    lines of numbers that nobody has, for who comes late.
    """

    unit: str
    kept: frozenset[int] = frozenset()
    rows: list[EntryRow] = field(default_factory=list)
    late: list[EntryRow] = field(default_factory=list)

    def ask(self, known: KnownPlayers) -> None:
        """Put in the players that the scorer chose, and ask about names that only look like those of players."""
        names = [name for row in (*self.rows, *self.late) for name in row.players]
        settled = iter(self.settled(names, known))
        for row in (*self.rows, *self.late):
            row.names = [next(settled) if name else "" for name in row.names]

    def entries(self, ledger: Ledger, known: KnownPlayers) -> list[ev.Entry] | None:
        """Return the entries by number, or None after an error, which `wrong` then names beside its line."""
        kept = {str(number) for number in self.kept}
        filled = [(place, row) for place, row in enumerate(self.rows, 1) if row.players or row.number in kept]
        most = max(self.kept, default=len(filled) + len(filled) % 2)
        numbers: dict[int, int] = {}
        plays: dict[str, str] = {}
        entries = []
        for place, row in filled:
            number = int(row.number) if row.number.isascii() and row.number.isdecimal() and len(row.number) < 4 else 0
            if not 1 <= number <= most:
                self.wrong[f"number-{place}"] = _(
                    "The numbers go from 1 to %(most)s here: write one of them.", most=most
                )
            elif number in numbers:
                self.wrong[f"number-{place}"] = _("Number %(number)s is in another line too.", number=number)
            numbers[number] = place
            if row.line not in LINES:
                self.wrong[f"line-{place}"] = _("Choose one of the lines.")
            players = self._players(ledger, known, f"names-{place}", row)
            for player in players:
                if (other := plays.setdefault(player, row.number)) != row.number or players.count(player) > 1:
                    self.wrong.setdefault(
                        f"names-{place}",
                        _(
                            "%(player)s is entered twice, under %(one)s and %(other)s.",
                            player=row.players[players.index(player)],
                            one=other,
                            other=row.number,
                        ),
                    )
            if not self.wrong:
                line = None if row.line in ("", STAYS) else row.line
                entries.append(
                    ev.Entry(number=number, players=(*players,), line=line, stays=row.line == STAYS)  # type: ignore[arg-type]  # a key of LINES
                )
        if len(filled) < 2 and not self.wrong:
            self.wrong[""] = _("Enter two or more, one in each line.")
        return None if self.wrong else sorted(entries, key=lambda entry: entry.number)

    def latecomers(self, ledger: Ledger, known: KnownPlayers) -> dict[int, list[str]]:
        """Return the players of the empty numbers that are filled in; errors are in `wrong`."""
        filled = {int(row.number): row for row in self.late if row.players}
        if filled and self.texts.get("sits") not in ("now", "next"):
            self.wrong["sits"] = _("Say when they sit down.")
        return {number: self._players(ledger, known, f"late-{number}", row) for number, row in filled.items()}

    def _players(self, ledger: Ledger, known: KnownPlayers, field: str, row: EntryRow) -> list[str]:
        """Return the players of a line; their number and their names must be right, or `field` is wrong."""
        least, most = SIZES[self.unit]
        if not least <= len(row.players) <= most:
            self.wrong[field] = (
                _("A name is missing.") if self.unit == "player"
                else _("A pair has two players.") if self.unit == "pair"
                else _("A team has four to six players.")
            )  # fmt: skip
        for name in row.players:
            try:
                expect_name(name, A_NAME)
            except RuleError as error:
                self.wrong[field] = sentence(error)
        called = [known.called(name) for name in row.players]
        people = ledger.people()
        return [people.person(ids[0] if len(ids) == 1 else name) for ids, name in zip(called, row.players, strict=True)]

    def lengthen(self) -> None:
        """Add empty lines."""
        most = SIZES[self.unit][1]
        for _more in range(MORE if len(self.rows) < _MOST else 0):
            self.rows.append(EntryRow(str(len(self.rows) + 1), "", [""] * most))


def entries_of(form: MultiDict[str, str], state: SessionState) -> EntriesForm:
    """Return the content of a form, without blanks around names."""
    texts = {name: text.strip() for name, text in form.items()}
    filled = _blank(state)
    filled.texts, most = texts, SIZES[filled.unit][1]
    for place in range(1, _MOST + MORE):
        if f"number-{place}" not in form:
            break
        names = [tidy_name(name) for name in form.getlist(f"name-{place}")][:most]
        names += [""] * (most - len(names))
        filled.rows.append(EntryRow(texts[f"number-{place}"], texts.get(f"line-{place}", ""), names))
    for row in filled.late:
        names = [tidy_name(name) for name in form.getlist(f"late-{row.number}")][:most]
        row.names = names + [""] * (len(row.names) - len(names))
    return filled


def entered_already(state: SessionState) -> EntriesForm:
    """Return the form with the entries of an evening, and empty lines after them."""
    form = _blank(state)
    most = SIZES[form.unit][1]
    for number, (*_earlier, lineup) in sorted(state.entries.items()):
        names = [*lineup.players][:most]
        form.rows.append(
            EntryRow(str(number), STAYS if lineup.stays else lineup.line or "", names + [""] * (most - len(names)))
        )
    while not form.kept and (len(form.rows) < _FIRST[form.unit] or len(form.rows) == len(state.entries)):
        form.lengthen()
    return form


def _blank(state: SessionState) -> EntriesForm:
    """Return the form without lines, but those of numbers that the movement seats and nobody has."""
    unit = state.opening.unit
    late = [EntryRow(str(place.number), "", [""] * SIZES[unit][1]) for place in empty_places(state)]
    return EntriesForm(unit, frozenset(state.entries if state.round else ()), late=late)
