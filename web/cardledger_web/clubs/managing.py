"""A house as its federation manages it while it answers: the state of its clubs, new ones, and their settings."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger_api.acts.acts import Acts
from cardledger_api.beside.house import house_at
from cardledger_web.clubs.making import make_club
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import places_at
from cardledger_web.clubs.settings import EVERY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardledger_web.clubs.house import House
    from cardledger_web.clubs.making import NewClub
    from cardledger_web.clubs.overview import ClubGlance
    from cardledger_web.clubs.settings import ClubSettings, HouseSettings


class FederationAct(NamedTuple):
    """Who asks for something, and by which request: as it is noted among the acts."""

    who: str
    what: str


class ManagedHouse(NamedTuple):
    """A house, with the folder or list of its clubs, and what is set for them."""

    clubs: Path
    house: House
    settings: HouseSettings

    def states(self) -> list[ClubGlance]:
        """Return the state of all clubs, those that came since the start too."""
        if self.clubs.is_dir():
            with suppress(LedgerError):  # a file of a wrong name: the others are there all the same
                for name, place in places_at(self.clubs).items():
                    self.house.add(name, place)
        return overview(self.house.places, lambda name: self.house.clubs[name].findings())

    def make(self, name: str, admin: str, days: int, by: FederationAct) -> NewClub:
        """Make a club that answers at once; raises LedgerError as `make_club` does."""
        new = make_club(self.clubs, name, *by, admin=admin, days=days)
        self.house.add(new.name, new.place)
        return new

    def settings_of(self, club: str) -> ClubSettings:
        """Return the settings that count for a club, or for all others; raises LedgerError `house.unknown`."""
        return self.settings.of(self._known(club))

    def change(self, club: str, values: Mapping[str, Any], by: FederationAct) -> ClubSettings:
        """Change settings of a club, or of EVERY; raises LedgerError `house.unknown`, `house.setting`."""
        settings = change_settings(self.clubs, self.settings, self._known(club), values, by)
        for name in self.house.clubs if club == EVERY else (club,):
            self.house.renew(name)
        return settings

    def _known(self, club: str) -> str:
        self.house.club(club)
        return self.settings.known(club, self.house.clubs)


def change_settings(
    clubs: Path, settings: HouseSettings, club: str, values: Mapping[str, Any], by: FederationAct
) -> ClubSettings:
    """Change settings of a club and note who did; return all that count for it now."""
    changed = settings.change(club, values)
    with closing(Acts(house_at(clubs))) as acts:
        acts.note(*by, f"{club} {' '.join(f'{key}={value}' for key, value in values.items())}")
    return changed
