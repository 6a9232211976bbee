"""Where the ledgers of clubs are: what a folder and a list say, and what they may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardledger.errors import LedgerError
from cardledger.record.store.address import Address
from cardledger_web.clubs.places import ClubPlace, places_at


def test_a_folder_has_a_club_for_each_ledger_and_tokens_alone_are_none(tmp_path: Path) -> None:
    for name in (
        "ulm.db",
        "ulm.views.db",
        "ulm.access.db",
        "kiel-2.db",
        "notes.txt",
        "bonn.access.db",
        "aachen.views.db",
    ):
        (tmp_path / name).touch()
    assert places_at(tmp_path) == {
        "aachen": ClubPlace(tmp_path / "aachen.db"),  # opening it says that its ledger is missing
        "kiel-2": ClubPlace(tmp_path / "kiel-2.db"),
        "ulm": ClubPlace(tmp_path / "ulm.db"),
    }


@pytest.mark.parametrize(
    "name", ["Ulm Club.db", "ULM.db", "-ulm.db", "ulm_2.db", "old.copy.db", f"{'u' * 41}.db", "ü.db"]
)
def test_a_database_whose_name_is_no_clubs_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "kiel.db").touch()
    (tmp_path / name).touch()
    with pytest.raises(LedgerError, match="cannot be the ledger of a club") as refused:
        places_at(tmp_path)
    assert refused.value.code == "config.value" and name in str(refused.value)


def test_a_list_names_files_databases_and_hosts(tmp_path: Path) -> None:
    path = tmp_path / "clubs.toml"
    path.write_text(
        """
        ulm = {db = "ulm/ledger.db", host = "ulm.example.org"}
        [kiel]
        db = "postgresql://kiel@db.example.org/kiel"
        """
    )
    assert places_at(path) == {
        "ulm": ClubPlace(tmp_path / "ulm/ledger.db", "ulm.example.org"),
        "kiel": ClubPlace(Address("postgresql://kiel@db.example.org/kiel")),
    }


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("ulm", "config.file", "clubs.toml"),
        ('ulm = "ulm.db"', "config.value", "ulm must be a table, written [ulm]"),
        ("[ulm]", "config.value", "ulm has no db"),
        ("[ulm]\ndb = 1", "config.value", "ulm.db must be a text"),
        ('[ulm]\ndb = "u.db"\nhots = "x"', "config.key", "did you mean 'host'?"),
        ('[ulm]\ndb = "u.db"\nhost = "https://x"', "config.value", "ulm.host is no name of a host"),
        ('[Ulm]\ndb = "u.db"', "config.value", "Ulm cannot be the name of a club"),
        ('[a]\ndb = "u.db"\n[b]\ndb = "u.db"', "config.value", "two clubs have"),
        ('[a]\ndb = "u.db"\nhost = "x"\n[b]\ndb = "v.db"\nhost = "x"', "config.value", "two clubs have x"),
    ],
)
def test_a_list_that_is_wrong_says_where(tmp_path: Path, text: str, code: str, said: str) -> None:
    path = tmp_path / "clubs.toml"
    path.write_text(text)
    with pytest.raises(LedgerError) as refused:
        places_at(path)
    assert refused.value.code == code
    assert said in str(refused.value)


def test_what_is_neither_folder_nor_list_says_so(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="is no folder, and cannot be read as a list"):
        places_at(tmp_path / "none")
