"""The list of names that was pasted into the form of an evening: who is meant, and who competes under which number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from cardledger.errors import LedgerError
from cardledger.record.people.pasted_field import LONGEST_FIELD, PastedLine, pasted_field
from cardledger.rules.evenings import evening_events as ev
from cardledger_web.languages import _, ngettext
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.known_players import KnownPlayers
    from cardledger_web.views.evening_opening import EveningOpening

UNITS: dict[str, Literal["player", "pair", "team"]] = {
    "players": "player", "pairs": "pair", "teams": "team", "individual": "player",
}  # fmt: skip
"""What has a number, by who competes."""
_SIZES = {"player": (1, 2), "pair": (2, 2), "team": (4, 6)}
"""The fewest and the most names in a line."""
_KINDS: tuple[Literal["lady"], Literal["gentleman"]] = ("lady", "gentleman")


@dataclass
class PastedNames:
    """The lines of the list, with players for names; `said` are the names as they were written."""

    lines: list[PastedLine] = field(default_factory=list)
    said: frozenset[str] = frozenset()

    @property
    def names(self) -> list[str]:
        """The players, line by line."""
        return [name for line in self.lines for name in line.names]

    def read(self, form: EveningOpening) -> None:
        """Read the list of a form; a mistake stands beside it."""
        text = form.texts.get("field", "")
        try:
            self.lines = pasted_field(text[:LONGEST_FIELD])
        except LedgerError as error:
            form.wrong["field"] = sentence(error)
        self.said = frozenset(self.names)

    def settle(self, form: EveningOpening, settled: Sequence[str], known: KnownPlayers) -> None:
        """Put in the players who are meant; the list shows those whom the scorer chose."""
        chosen = dict(zip(self.names, settled, strict=True))
        open_questions = [name for name in form.asked if form.meant(name) != name]
        if self.said.intersection(open_questions):
            form.wrong["field"] = form.wrong["players"]
            if self.said.issuperset(open_questions):
                del form.wrong["players"]
        if any(name != player for name, player in chosen.items()):
            form.texts["field"] = "\n".join(
                f"{'' if line.number is None else f'{line.number}. '}{' / '.join(chosen[name] for name in line.names)}"
                for line in self.lines
            )

        def person(name: str) -> str:
            ids = known.called(chosen[name])
            return ids[0] if len(ids) == 1 else chosen[name]

        self.lines = [line._replace(names=tuple(map(person, line.names))) for line in self.lines]

    def entries(self, form: EveningOpening) -> list[ev.Entry]:
        """Return who competes under which number.

        Nothing where numbers come later. A mistake stands beside the list.
        """
        unit = UNITS.get(form.competes, "player")
        ladies_first = form.drives and "ladies_first" in form.texts
        for line in self.lines:
            least, most = (2, 2) if ladies_first else _SIZES[unit]
            if not least <= len(line.names) <= most:
                form.wrong.setdefault("field", self._wrong_size(line, unit, ladies_first))
        numbers = [line.number or place for place, line in enumerate(self.lines, 1)]
        most = len(numbers) + len(numbers) % 2
        if unit != "player" and numbers and max(numbers) > most:
            form.wrong.setdefault("field", _("The numbers go from 1 to %(most)s here: write one of them.", most=most))
        if form.wrong:
            return []
        if unit != "player":
            return sorted(
                (ev.Entry(number=n, players=line.names) for n, line in zip(numbers, self.lines, strict=True)),
                key=lambda entry: entry.number,
            )
        if ladies_first:
            return [
                ev.Entry(number=2 * place + at, players=(name,), plays_as=_KINDS[at - 1])
                for place, line in enumerate(self.lines)
                for at, name in enumerate(line.names, 1)
            ]
        return []

    @staticmethod
    def _wrong_size(line: PastedLine, unit: str, ladies_first: bool) -> str:
        names = ngettext(
            "Line %(line)s has %(num)s name.", "Line %(line)s has %(num)s names.", len(line.names), line=line.line
        )
        wanted = (
            _("Write a lady and a gentleman.") if ladies_first
            else _("Write one name, or two partners.") if unit == "player"
            else _("A pair has two players.") if unit == "pair"
            else _("A team has four to six players.")
        )  # fmt: skip
        return f"{names} {wanted}"
