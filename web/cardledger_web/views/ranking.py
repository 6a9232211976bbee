"""The ranking of an evening or a league, as pages show it: its rows, and how they differ from what was published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardledger_web.languages import N_, _

if TYPE_CHECKING:
    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.rankings import Published
    from cardledger.rules.evenings.standings import Standing

ON_PODIUM = 3
"""The places that are shown first and large."""


def step(place: str | None) -> int:
    """Return a place as a number, 0 for none.

    >>> step("3="), step("")
    (3, 0)
    """
    return int((place or "").rstrip("=") or 0)


class RankedRow:
    """A row of a ranking, with its place as printed."""

    __slots__ = ()
    place: str

    @property
    def step(self) -> int:
        """The place as a number, 0 for none."""
        return step(self.place)


@dataclass(frozen=True, slots=True)
class PlaceRow(RankedRow):
    """An entry in the ranking, numbers as printed.

    `why` says why it has no place, `then` what was published if that differs.

    `moved` is `up`, `down`, `new` or `same`: its place compared with the published one.
    """

    entry: int
    place: str
    players: tuple[str, ...]
    line: str | None
    total: str
    percent: str | None
    played: int
    why: str
    then: ChangedRow | None
    moved: str
    section: str | None = None


GROUPS = {
    (False, "ns"): N_("North-south"),
    (False, "ew"): N_("East-west"),
    (True, ""): N_("Section %(section)s"),
    (True, "ns"): N_("Section %(section)s, north-south"),
    (True, "ew"): N_("Section %(section)s, east-west"),
}
"""What stands above a ranking where there are several, by whether it is that of a section, and by its line."""


def heading(section: str | None, line: str | None) -> str:
    """Return what stands above the ranking of a section or of a line; nothing where there is one."""
    said = GROUPS.get((section is not None, line or ""))
    return _(said, section=section) if said else ""


def publications(
    ledger: Ledger, id: str, position: int | None, *, ranked: bool
) -> tuple[list[Published], list[ChangedRow]]:
    """Return what was published of a session or a league up to a position, and what differs then from the last of it.

    Without a ranking (`ranked` false) nothing can be compared.
    """
    published = ledger.evenings.rankings.published(id, position)
    if not published or not ranked:
        return published, []
    return published, ledger.evenings.rankings.compared(id, published[-1].ranking.position, position).rows


def why_no_place(standing: Standing, busiest: int) -> str:
    """Return why an entry has no place."""
    if standing.place:
        return ""
    if not standing.played:
        return _("has not played")
    return _("played %(played)s of %(busiest)s: less than half", played=standing.played, busiest=busiest)


def moved(row: ChangedRow | None) -> str:
    """Return how a place differs from the published one.

    `up`, `down`, `new`, `same`, or nothing if it does not differ.
    """
    if row is None:
        return ""
    then, now = step(row.place_then), step(row.place_now)
    if not then:
        return "new" if now else "same"
    return "same" if then == now else "up" if 0 < now < then else "down"
