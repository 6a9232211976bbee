"""Open data: an edition has nothing but open columns of matches that are over, the same bytes everywhere, and says what k is."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import defaultdict
from datetime import date
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.errors import LedgerError, StoreError
from cardledger.record.proofs.handed import checkpoints_in
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.survey import survey
from cardledger.record.readmodels import TABLES
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.study.open_data.anonymous_edition import CHECKPOINT, EditionTerms, PublishedEdition, publish
from cardledger.study.open_data.attendance import MOST_WEEKS, anonymity, published_day, weeks_of
from cardledger.study.open_data.open_columns import OPEN_COLUMNS, fields_of
from cardledger_web.commands.demo import import_season
from tests.conftest import SAMPLES

SALT = b"The salt of the sample is public"
TITLE, PUBLISHER = "A season of cards", "Harbour Card Club (made up)"


def terms(**changed: Any) -> EditionTerms:
    return EditionTerms(
        **{"title": TITLE, "publisher": PUBLISHER, "licence": "CC0-1.0", "k": 1, "salt": SALT} | changed
    )


def read(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"{table}.csv").open(newline="", encoding="utf-8") as file:
        return [*csv.DictReader(file)]


def sheet(ledger: Ledger, *players: str, day: str = "2026-01-01", last: ev.Event | None = None) -> str:
    """Record a match of one hand by its points, and return its id."""
    opening = ev.Open(
        game="ruff", players=players, options={"rounds": 1}, date=day, event="Club night", place="The Old Mill"
    )
    events: list[ev.Event] = [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(5, 4, 6))]
    return ledger.record(None, [*events, last] if last else events, 0).match


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("season") / "season.db"
    with Ledger(path) as ledger:
        for _ in import_season(ledger):
            pass
    return path


@pytest.fixture(scope="module")
def edition(season: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PublishedEdition]:
    folder = tmp_path_factory.mktemp("open") / "data"
    with Ledger(season) as ledger:
        return folder, publish(ledger, folder, terms(k=5))


def test_the_sample_is_the_season_of_the_demo_byte_by_byte(edition: tuple[Path, PublishedEdition]) -> None:
    """The season is the same in every ledger, so another machine made the sample."""
    sample = {file.name: file.read_bytes() for file in (SAMPLES / "open-data").iterdir()}
    assert {file.name: file.read_bytes() for file in edition[0].iterdir()} == sample


def test_nothing_that_names_somebody_or_an_evening_goes_out(
    season: Path, edition: tuple[Path, PublishedEdition]
) -> None:
    written = {file.name: file.read_text() for file in edition[0].iterdir()}
    with Ledger(season) as ledger:
        read = ledger.views.reader.execute
        secret = {
            row[0] for table in ("matches", "evenings") for row in read(f"SELECT {TABLES[table].key[0]} FROM {table}")
        }
        secret |= {
            name for row in read("SELECT event, table_name, venue, hash, date FROM matches") for name in row if name
        }
        secret |= {row[0] for row in read("SELECT player FROM players")}
        secret |= {row[0] for row in read("SELECT opened_at FROM matches")}
    short = {one for one in secret if len(one) > 3}
    assert len(short) > 300
    for name, text in written.items():
        assert [one for one in short if one in text] == [], name


def test_only_columns_that_are_declared_open_go_out(edition: tuple[Path, PublishedEdition]) -> None:
    folder, done = edition
    assert {file.stem for file in folder.glob("*.csv")} == OPEN_COLUMNS.keys()
    for table, columns in OPEN_COLUMNS.items():
        rows = read(folder, table)
        assert len(rows) == done.rows[table] > 0
        assert [*rows[0]] == [*columns]
        assert {*TABLES[table].key} <= {*columns}
        for field in fields_of(table):
            kind, meaning = TABLES[table].columns[field.name]
            if "id of the match" in meaning or "id of the person" in meaning or "player id" in meaning:
                assert field.treatment in ("match", "player")
            if kind.startswith(("DATE", "TIMESTAMP")):
                assert field.treatment == "day"
            assert "as written" not in meaning


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what the validators use
def test_other_programs_and_checksums_accept_it(edition: tuple[Path, PublishedEdition]) -> None:
    folder, done = edition
    report = import_module("frictionless").validate(str(folder / "datapackage.json"))
    assert report.valid, report.flatten(["type", "note"])
    croissant = import_module("mlcroissant").Dataset(jsonld=str(folder / "croissant.json"))
    assert not croissant.metadata.ctx.issues.errors
    for table in OPEN_COLUMNS:
        assert sum(1 for _ in croissant.records(record_set=table)) == done.rows[table]
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert len((folder / "SHA256SUMS").read_text().splitlines()) == len([*folder.iterdir()]) - 1


def test_matches_that_are_not_over_or_count_nowhere_stay_out(ledger: Ledger, tmp_path: Path) -> None:
    sheet(ledger, "ana", "ben", "chloe")
    sheet(ledger, "ana", "ben", "chloe", last=ev.Void())
    ledger.record(None, [ev.Open(game="ruff", players=("ana", "ben", "chloe")), ev.Deal(dealer=0, hands=None)], 0)
    done = publish(ledger, tmp_path / "data", terms(regular=1))
    assert (done.rows["matches"], done.left_out) == (1, 2)
    assert {row["match"] for table in OPEN_COLUMNS for row in read(tmp_path / "data", table)} == {"1"}


def test_a_match_with_a_hand_that_another_table_still_plays_stays_out(ledger: Ledger, tmp_path: Path) -> None:
    events = simulate("whist", 4, Random(1), ("random",), max_hands=2)
    ledger.record(None, [*events, ev.End()] if Stream.of(events).table.status == "open" else events, 0)
    assert publish(ledger, tmp_path / "before", terms(regular=1)).rows["matches"] == 1
    ledger.record(None, events[:2], 0)
    with pytest.raises(LedgerError) as refused:
        publish(ledger, tmp_path / "after", terms(regular=1))
    assert refused.value.code == "publish.empty"


def test_guests_and_erased_people_have_no_number(ledger: Ledger, tmp_path: Path) -> None:
    for day in ("2026-01-01", "2026-01-08", "2026-01-15"):
        sheet(ledger, "ana", "ben", f"guest {day}", day=day)
    done = publish(ledger, tmp_path / "data", terms(k=2))
    assert (done.anonymity.numbered, done.without_number) == (2, 3)
    assert [row["player"] for row in read(tmp_path / "data", "players") if row["seat"] == "2"] == ["", "", ""]
    erase(ledger, examine(ledger, "ben"), "admin")
    done = publish(ledger, tmp_path / "later", terms(k=1))
    assert (done.anonymity.numbered, done.without_number) == (1, 4)
    assert [row["player"] for row in read(tmp_path / "later", "players") if row["seat"] == "1"] == ["", "", ""]


def test_too_few_with_the_same_attendance_are_refused_and_nothing_is_written(ledger: Ledger, tmp_path: Path) -> None:
    for day in ("2026-01-01", "2026-02-01"):
        sheet(ledger, "ana", "ben", "chloe", day=day)
    sheet(ledger, "ana", "ben", "dora", day="2026-03-01")
    for days, k in (("none", 3), ("year", 3), ("month", 1), ("day", 1)):
        more = terms(k=k + 1, days=days, regular=2)
        with pytest.raises(LedgerError) as refused:
            publish(ledger, tmp_path / "data", more)
        assert refused.value.code == "publish.anonymity"
        assert not [*tmp_path.glob("*data*"), *tmp_path.glob(".publishing*")]
    assert publish(ledger, tmp_path / "data", terms(k=3, regular=2)).anonymity.days == 3
    with pytest.raises(StoreError):
        publish(ledger, tmp_path / "data", terms(regular=2))
    for wrong in (terms(salt=b"short"), terms(licence="mine")):
        with pytest.raises(LedgerError, match=r"salt|licence"):
            publish(ledger, tmp_path / "other", wrong)


def test_numbers_are_others_each_time_unless_a_salt_is_kept(ledger: Ledger, tmp_path: Path) -> None:
    for number in range(12):
        sheet(ledger, *(f"player {(number + seat) % 9}" for seat in range(3)))
    written = []
    for name, salt in (("a", SALT), ("b", SALT), ("c", None), ("d", None)):
        publish(ledger, tmp_path / name, terms(salt=salt, regular=1))
        written.append((tmp_path / name / "players.csv").read_bytes())
    assert written[0] == written[1]
    assert len({*written}) == 3


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "2026", "2027"])), max_size=12))
def test_k_is_the_smallest_group_with_the_same_days(sat: list[tuple[str, str]]) -> None:
    days: dict[str, list[str]] = defaultdict(list)
    for player, day in sat:
        days[player].append(day)
    alike = [sum({*one} == {*other} for other in days.values()) for one in days.values()]
    exactly = [sum(sorted(one) == sorted(other) for other in days.values()) for one in days.values()]
    assert anonymity(sat) == (len(days), min(alike, default=0), min(exactly, default=0))


def test_days_are_as_coarse_as_they_are_asked_for() -> None:
    made = [published_day("2026-05-14", days, 9) for days in ("none", "year", "quarter", "month", "week", "day")]
    assert made == ["", "2026", "2026-Q2", "2026-05", "2026-W20", "2026-05-14"]
    assert published_day("some day", "day", 9) == ""


def test_shifted_days_keep_weekdays_and_the_time_between_evenings(ledger: Ledger, tmp_path: Path) -> None:
    true = ("2026-01-01", "2026-01-08", "2026-03-05", "2028-02-29")
    for day in true:
        sheet(ledger, "ana", "ben", "chloe", day=day)
    found = []
    for name, salt in (("a", SALT), ("b", SALT + b"!"), ("c", None)):
        done = publish(ledger, tmp_path / name, terms(k=3, days="shifted", salt=salt))
        assert done.anonymity == (3, 3, 3)
        days = sorted(date.fromisoformat(row["date"]) for row in read(tmp_path / name, "matches"))
        back = {date.fromisoformat(one) - other for one, other in zip(true, days, strict=True)}
        assert len(back) == 1
        (shift,) = back
        assert shift.days % 7 == 0
        assert 1 <= shift.days // 7 <= MOST_WEEKS
        found.append(shift)
    assert found[0] != found[1]
    reports = [(tmp_path / name / "REPORT.md").read_text() for name in ("a", "b")]
    assert reports[0] == reports[1], "a report does not tell the shift"
    assert "can find out by how much" in reports[0]
    assert published_day("0001-01-01", "shifted", 1) == ""


def test_shifts_are_spread_over_twenty_years() -> None:
    weeks = {weeks_of(bytes([number, 0])) for number in range(200)}
    assert len(weeks) > 150
    assert min(weeks) >= 1
    assert max(weeks) <= MOST_WEEKS


def test_the_signed_checkpoint_goes_along_only_when_it_is_asked_for(ledger: Ledger, tmp_path: Path) -> None:
    for day in ("2026-01-01", "2026-02-01"):
        sheet(ledger, "ana", "ben", "chloe", day=day)
    assert publish(ledger, tmp_path / "plain", terms(regular=1)).sealed is None
    assert not (tmp_path / "plain" / CHECKPOINT).exists()
    done = publish(ledger, tmp_path / "sealed", terms(regular=1, checkpoint=True))
    (given,) = checkpoints_in((tmp_path / "sealed" / CHECKPOINT).read_text())
    assert given.size == done.sealed == ledger.count()
    with Log(ledger) as log:
        survey(log, [given])
    assert CHECKPOINT in (tmp_path / "sealed" / "SHA256SUMS").read_text()
    assert f"first {done.sealed} events" in (tmp_path / "sealed" / "REPORT.md").read_text()


def test_the_command_says_k_and_what_to_read(season: Path, tmp_path: Path) -> None:
    given_ = ["--db", str(season), "--title", TITLE, "--publisher", PUBLISHER, "--license", "CC0-1.0"]
    said = CliRunner().invoke(main, ["publish-data", str(tmp_path / "a"), *given_, "--k", "5", "--json"])
    assert said.exit_code == 0, said.output
    assert json.loads(said.output)["k"] == 16
    refused = CliRunner().invoke(main, ["publish-data", str(tmp_path / "b"), *given_, "--k", "17"])
    assert (refused.exit_code, (tmp_path / "b").exists()) == (2, False)
    assert "publish.anonymity" in refused.output
