"""A damaged ledger file gives a refusal with a code, or exactly the same replay; never another answer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import LedgerError
from cardledger.record.proofs.accepting import go_on
from cardledger.record.recording.ledger import Ledger
from tests.backup.club import made, record_some, said
from tests.backup.damage import damaged
from tests.thorough import many

CODES = {"store.open", "store.damaged", "store.version", "store.gap", "store.hash", "store.line", "store.name"}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    path = tmp_path_factory.mktemp("sound") / "club.db"
    return path, made(path)


def outcome(path: Path, views: Path, expected: dict[str, Any]) -> str:
    """Return the code with which a ledger is refused, or "same"; any other outcome fails."""
    try:
        with Ledger(path, create=False, views=views) as ledger:
            assert said(ledger) == expected
    except LedgerError as error:
        return error.code
    return "same"


def try_many(club: tuple[Path, dict[str, Any]], folder: Path, seeds: range) -> Counter[str]:
    source, expected = club
    content = source.read_bytes()
    path, views = folder / "club.db", folder / "views.db"
    found = Counter[str]()
    for seed in seeds:
        kind, changed = damaged(content, Random(seed))
        for ending in ("", "-wal", "-shm"):
            Path(f"{path}{ending}").unlink(missing_ok=True)
        path.write_bytes(changed)
        try:
            code = outcome(path, views, expected)
            assert code in {*CODES, "same"}
            found[code] += 1
        except BaseException as error:
            raise AssertionError(f"seed {seed}, {kind}: {error!r}") from error
    return found


@pytest.mark.long
def test_a_damaged_file_is_refused_or_says_the_same(club: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    found = try_many(club, tmp_path, range(200))
    assert found["store.damaged"] > 30
    assert found["store.hash"] > 3
    assert found["same"] < 100


def test_a_damaged_log_loses_at_most_its_end(club: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """SQLite reads a log up to the first page that is not whole; no event before that is another for it."""
    source, home = tmp_path / "club.db", tmp_path / "home"
    source.write_bytes(club[0].read_bytes())
    home.mkdir()
    with Ledger(source) as ledger:
        record_some(ledger, 2, seed=5)
        whole = said(ledger)
        names = ("club.db", "club.db-wal", "club.views.db")
        ledger.views.catch_up()
        before = {name: source.with_name(name).read_bytes() for name in names}
        views_log = source.with_name("club.views.db-wal").read_bytes()
    found, refused = Counter[int](), set[str]()
    for seed in range(14):
        for path in home.iterdir():
            path.unlink()
        for name, content in before.items():
            (home / name).write_bytes(damaged(content, Random(seed))[1] if name.endswith("-wal") else content)
        (home / "club.views.db-wal").write_bytes(views_log)
        try:
            with Ledger(home / "club.db", create=False) as ledger:
                lines = said(ledger)["export"].splitlines()
                assert set(lines) <= set(whole["export"].splitlines())
                found[len(lines)] += 1
                lost = len(lines) < len(whole["export"].splitlines())
                assert (ledger.store.refusal is not None) == lost, "the read models go further"
                if lost:
                    assert [*go_on(ledger)]
                assert [error for _, error in ledger.verify() if error] == []
                assert ledger.count() == len(lines) + len(ledger.people().events)
        except LedgerError as error:
            refused.add(error.code)
    assert refused <= CODES
    assert len(found) > 1, "some logs lost more than others"


@pytest.mark.long
def test_thousands_of_damaged_files_are_refused_or_say_the_same(
    club: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    tried = many(2_000, 10_000)
    found = try_many(club, tmp_path, range(1000, 1000 + tried))
    assert found["same"] < 0.4 * tried
    assert {"store.open", "store.damaged", "store.version", "store.hash"} <= found.keys()


def commands(path: Path, match: str) -> list[list[str]]:
    """Return the commands that read a whole ledger, or one match of it."""
    beside = path.parent
    db = ["--db", str(path)]
    return [
        ["export", *db], ["show", match, "--json", *db], ["matches", *db], ["verify", *db], ["rebuild", *db],
        ["backup", str(beside / "backup.db"), *db], ["restore", str(path), str(beside / "restored.db")],
        ["copy", str(path), str(beside / "copy.db")], ["doctor", "--json", *db],
    ]  # fmt: skip


def run(words: list[str]) -> tuple[int, str]:
    """Run a command; return its status and what it says, with the time and the place it was said at left out."""
    found = CliRunner().invoke(main, words)
    assert found.exception is None or isinstance(found.exception, SystemExit), (words, found.exception)
    assert "Traceback" not in found.output
    if found.exit_code:
        assert words[0] == "doctor" or any(f"{code}:" in found.stderr for code in CODES), (words, found.stderr)
    return found.exit_code, found.stdout if words[0] in {"export", "show", "matches"} else ""


def try_commands(club: tuple[Path, dict[str, Any]], folder: Path, seeds: range) -> Counter[int]:
    source, expected = club
    content, match = source.read_bytes(), expected["matches"][1]
    sound = folder / "sound"
    sound.mkdir()
    (sound / "club.db").write_bytes(content)
    wanted = {words[0]: run(words) for words in commands(sound / "club.db", match)}
    assert {status for status, _ in wanted.values()} == {0}
    statuses = Counter[int]()
    for seed in seeds:
        kind, changed = damaged(content, Random(seed))
        place = folder / str(seed)
        place.mkdir()
        (place / "club.db").write_bytes(changed)
        for words in commands(place / "club.db", match):
            status, stdout = run(words)
            statuses[status] += 1
            assert status or (status, stdout) == wanted[words[0]], (seed, kind, words)
    return statuses


@pytest.mark.long
def test_no_command_gives_another_answer_or_a_traceback(club: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    statuses = try_commands(club, tmp_path, range(20_000, 20_008))
    assert statuses[2] > 5


@pytest.mark.long
def test_no_command_gives_another_answer_or_a_traceback_very_often(
    club: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    try_commands(club, tmp_path, range(21_000, 21_000 + many(40, 150)))
