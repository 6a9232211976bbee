"""A person's name in what a house keeps: a club's erasure says that it stays, and the house takes it out."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from cardledger.record.recording.erasing import examine
from cardledger.record.recording.ledger import Ledger
from cardledger_api.acts.acts import Acts
from cardledger_api.auth.tokens import Tokens
from cardledger_api.beside.house import house_at, houses_beside
from cardledger_web.clubs.forgetting import STAYS
from cardledger_web.clubs.making import make_club
from cardledger_web.clubs.settings import EVERY, HouseSettings
from tests.test_cli import run
from tests.web.club import opened

WHO = "Chloe Petit"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house with a club, whose federation is a person with a name."""
    house = house_at(tmp_path)
    make_club(tmp_path, "ulm", WHO, "a test")
    with closing(Tokens(house)) as tokens, closing(HouseSettings(house)) as settings:
        for name in (WHO, f"phone of {WHO}", "Ben"):
            tokens.create(name, "admin", 1)
        settings.change(EVERY, {"ask": f"{WHO}, 0731 123456", "events": 7})
    return house


def test_the_house_takes_a_name_from_all_that_it_keeps(house: Path, tmp_path: Path) -> None:
    run("clubs", "forget", str(tmp_path), WHO)
    with closing(Tokens(house)) as tokens, closing(Acts(house)) as acts, closing(HouseSettings(house)) as settings:
        states = {token.name: state for token, state in tokens.all()}
        assert states["Ben"] == "valid" and sorted(states.values()) == ["revoked", "valid", "valid"]
        assert any(act.about == "ulm" for act in acts.all()), "what was done stays"
        assert (settings.of("ulm").ask, settings.of("ulm").events) == (None, 7)
    kept = b"".join(path.read_bytes() for path in tmp_path.glob(".house.*"))
    assert b"chloe" not in kept.lower()


def test_an_erasure_in_a_club_says_that_the_name_stays_in_the_house(house: Path, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ulm.db") as ledger:
        ledger.record(None, [opened(players=(WHO, "ben", "ana", "dev"))], 0)
        assert STAYS in examine(ledger, WHO).stays
        assert STAYS not in examine(ledger, "dev").stays
    run("clubs", "forget", str(tmp_path), WHO)
    with Ledger(tmp_path / "ulm.db") as ledger:
        assert STAYS not in examine(ledger, WHO).stays


def test_the_houses_of_a_folder_are_found_by_any_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "clubs.toml").touch()
    ledger = tmp_path / "ulm.db"
    assert houses_beside(ledger) == []
    for clubs in (tmp_path, tmp_path / "clubs.toml"):
        with closing(Acts(house_at(clubs))) as acts:
            acts.note("Vogt", "a test", "")
    assert houses_beside(ledger) == [tmp_path / ".clubs.house.db", tmp_path / ".house.db"]
