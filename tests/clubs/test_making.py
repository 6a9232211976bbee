"""Making a club: whole or not at all, once for each name, and nothing of another club's comes along."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from cardledger.errors import LedgerError
from cardledger.record.recording.ledger import Ledger
from cardledger_api.acts.acts import Acts
from cardledger_api.auth.tokens import Tokens, digest_of
from cardledger_api.beside.house import house_at
from cardledger_web.clubs import making
from cardledger_web.clubs.making import NewClub, make_club
from cardledger_web.clubs.places import ClubPlace, places_at
from tests.test_cli import run


def made(folder: Path, name: str = "ulm", admin: str = "Samira") -> NewClub:
    return make_club(folder, name, "Vogt", "a test", admin=admin)


def seen(folder: Path) -> list[str]:
    """Return the names of all files but locks, and those of the house."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_a_club_is_an_empty_ledger_with_an_admin(tmp_path: Path) -> None:
    new = made(tmp_path)
    assert places_at(tmp_path) == {"ulm": new.place} == {"ulm": ClubPlace(tmp_path / "ulm.db")}
    assert seen(tmp_path) == ["ulm.access.db", "ulm.acts.db", "ulm.db"]
    with closing(Tokens(tmp_path / "ulm.db")) as tokens:
        token = tokens.find(digest_of(new.token))
        assert token is not None and (token.name, token.role, token.scope) == ("Samira", "admin", None)
    with Ledger(tmp_path / "ulm.db") as ledger:
        assert ledger.store.last_position() == 0


def test_who_made_it_is_in_the_acts_of_the_house_and_of_the_club(tmp_path: Path) -> None:
    made(tmp_path)
    noted = {}
    for at in (house_at(tmp_path), tmp_path / "ulm.db"):
        with closing(Acts(at)) as acts:
            noted[at.name] = [(act.who, act.what, act.about) for act in acts.all()]
    assert noted == {".house.db": [("Vogt", "a test", "ulm")], "ulm.db": [("Vogt", "a test", "admin Samira")]}


@pytest.mark.parametrize(
    "name",
    ["", "Ulm", "../ulm", "ulm/2", "/etc/ulm", ".house", "ulm.db", "-ulm", "ulm-", "u" * 41, "ülm", "ulm\n", "ulm\0", "nul", "com1"],
)  # fmt: skip
def test_a_name_that_no_club_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(LedgerError) as refused:
        made(tmp_path, name)
    assert refused.value.code == "house.name"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["ulm.db", "ulm.access.db", "ulm.views.db", "ulm.key", "ULM.db"])
def test_a_name_of_which_there_are_files_is_refused_and_they_stay(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("kept")
    with pytest.raises(LedgerError) as refused:
        made(tmp_path)
    assert refused.value.code == "house.exists"
    assert str(tmp_path) not in str(refused.value), "who asks may be elsewhere"
    assert seen(tmp_path) == [there] and (tmp_path / there).read_text() == "kept"


def test_names_that_begin_alike_are_different_clubs(tmp_path: Path) -> None:
    for name in ("ulm-2", "ulm", "ulm-2-b"):
        made(tmp_path, name)
    assert sorted(places_at(tmp_path)) == ["ulm", "ulm-2", "ulm-2-b"]


def test_a_list_is_its_owners_to_write(tmp_path: Path) -> None:
    (tmp_path / "clubs.toml").write_text("")
    with pytest.raises(LedgerError) as refused:
        made(tmp_path / "clubs.toml")
    assert refused.value.code == "house.list"


def test_an_admin_who_cannot_be_named_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(LedgerError) as refused:
        made(tmp_path, admin="a\nb")
    assert refused.value.code == "access.name"
    assert seen(tmp_path) == [] and not [*tmp_path.glob(".*.making")]
    made(tmp_path)


def test_of_two_makings_of_one_name_one_wins(tmp_path: Path) -> None:
    found: list[NewClub | LedgerError] = []
    begin = Barrier(4)

    def make(admin: str) -> None:
        begin.wait()
        try:
            found.append(made(tmp_path, admin=admin))
        except LedgerError as error:
            found.append(error)

    threads = [Thread(target=make, args=(f"admin {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (won,) = [each for each in found if isinstance(each, NewClub)]
    assert [each.code for each in found if isinstance(each, LedgerError)] == ["house.exists"] * 3
    with closing(Tokens(tmp_path / "ulm.db")) as tokens:
        assert [token.name for token, _ in tokens.all()] == [won.admin]


class Killed(BaseException):
    """Stands for a program that ends at once: nothing after it runs."""


@pytest.mark.parametrize("number", range(12))
def test_a_making_that_is_killed_anywhere_leaves_no_club_and_the_next_one_cleans_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The program ends before its `number`-th change of a file or folder."""
    changes = 0

    def until(change: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **more: Any) -> Any:
            nonlocal changes
            changes += 1
            if changes > number:
                raise Killed
            return change(*given, **more)

        return counted

    with monkeypatch.context() as patch:
        for owner, name in (
            (Path, "mkdir"), (Path, "rename"), (making, "opened"), (making, "sync_folder"), (making, "house_at"),
            (Tokens, "create"), (Acts, "note"),
        ):  # fmt: skip
            patch.setattr(owner, name, until(getattr(owner, name)))
        patch.setattr(making, "clear", lambda *_: None)  # a program that is dead clears nothing
        with suppress(Killed):
            made(tmp_path, admin="First")
    finished = (tmp_path / "ulm.db").exists()
    assert finished or changes > number
    assert [*places_at(tmp_path)] == (["ulm"] if finished else [])
    if finished:
        made(tmp_path, "kiel")
        with closing(Tokens(tmp_path / "ulm.db")) as tokens:
            assert [token.name for token, _ in tokens.all()] == ["First"]
    else:
        made(tmp_path, admin="Second")
        with closing(Tokens(tmp_path / "ulm.db")) as tokens:
            assert [token.name for token, _ in tokens.all()] == ["Second"], "no token of the one that was killed"
    assert not [*tmp_path.glob(".*.making")]


def test_a_disk_that_fails_in_the_middle_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if self.name == "ulm.db":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(LedgerError) as refused:
        made(tmp_path)
    assert refused.value.code == "store.write" and seen(tmp_path) == []


def test_the_command_prints_the_token_and_notes_who_ran_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger_api.acts.command.getuser", lambda: "samira")
    told = run("clubs", "create", str(tmp_path), "ulm")
    with closing(Tokens(tmp_path / "ulm.db")) as tokens:
        assert tokens.find(digest_of(told.stdout.strip())) is not None
    (act,) = json.loads(run("acts", "--clubs", str(tmp_path), "--json").stdout)["acts"]
    assert (act["who"], act["what"], act["about"]) == ("samira on the command line", "cardledger clubs create", "ulm")
    again = run("clubs", "create", str(tmp_path), "ulm", status=2)
    assert "house.exists" in again.stderr
