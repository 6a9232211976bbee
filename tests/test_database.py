"""The read models as an interface: keys that hold, words that mean one thing, meanings in the schema, names of people."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from pyarrow import parquet

from cardledger.cli.main import main
from cardledger.record.matches.matchfile import read_file
from cardledger.record.people.people import Merge, Name, Split
from cardledger.record.readmodels import TABLES
from cardledger.record.readmodels.tables.ratings import bring_up_to_date
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.meanings import EVENTS, LOG, NAMES, NEEDS
from cardledger.record.store.sqlite import KIND, SCHEMA, VERSION
from cardledger.record.store.statements import without_remarks
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import VOID
from tests.conftest import SAMPLES
from tests.evenings.night import made

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOME = ("diversity-corrections", "bridge-club-night", "euchre-alone", "hearts-moon", "poison-hearts-double-suits")
OF_A_TABLE = {"status", "name", "hands", "matches", "total", "rules", "won", "count"}
"""Words that say how many of a thing, or in what state the thing is: what they are about is the table."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger of some samples, one of them void, and an evening."""
    with Ledger(tmp_path_factory.mktemp("club") / "club.db") as ledger:
        for name in SOME:
            list(ledger.import_matches(read_file(SAMPLES / f"{name}.jsonl")))
        match = ledger.matches()[0]
        ledger.record(match, [ev.Void()], ledger.stream(match).seq)
        made(ledger)
        ledger.views.catch_up()
        bring_up_to_date(ledger.views)
        yield ledger


def test_every_foreign_key_points_at_a_row(club: Ledger) -> None:
    assert club.views.reader.execute("PRAGMA foreign_key_check").fetchall() == []
    keys = {name: club.views.reader.execute(f"PRAGMA foreign_key_list({name})").fetchall() for name in TABLES}
    assert {row[2] for row in keys["seats"]} == {"matches", "hands", "players", "people"}
    assert {row[2] for row in keys["evening_results"]} == {"evenings", "matches"}


def test_one_word_means_one_thing_in_all_tables() -> None:
    meant: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for table in TABLES.values():
        for name, (kind, meaning) in table.columns.items():
            meant[name].add((kind.partition(" ")[0], meaning.partition("; here ")[0]))
    assert {name: meanings for name, meanings in meant.items() if len(meanings) > 1 and name not in OF_A_TABLE} == {}


def test_the_schema_says_what_each_table_and_column_means(club: Ledger) -> None:
    statements = dict(club.views.reader.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')"))
    for name, table in TABLES.items():
        assert table.about in statements[name]
        for column, (_, meaning) in table.columns.items():
            assert any(
                line.split()[0].rstrip(",") == column and line.endswith(f"-- {meaning}")
                for line in statements[name].splitlines()
            )


def test_the_view_of_plays_is_what_was_played(club: Ledger) -> None:
    played = []
    for match in club.matches():
        folded = club.folded(match)
        table = folded.stream.table
        for hand in table.hands if table.status != VOID else ():
            for trick, (seats, cards, taker, _) in enumerate(hand.tricks, 1):
                for play, (seat, card) in enumerate(zip(seats, cards, strict=True), 1):
                    player, face = folded.players[seat], table.pack.faces[card]
                    played.append((match, table.game.id, hand.number, trick, play, seat, player, face, seat == taker))
    assert {game for _, game, *_ in played} >= {"euchre", "bridge", "hearts"}
    assert sorted(club.views.reader.execute("SELECT * FROM plays")) == sorted(played)


def run(*words: str) -> str:
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


def people(ledger: Ledger) -> dict[str, tuple[str, list[str]]]:
    ledger.views.catch_up()
    return {id: (name, json.loads(ids)) for id, name, ids in ledger.views.reader.execute("SELECT * FROM people")}


def test_people_have_their_names_as_known_now(ledger: Ledger) -> None:
    match = ledger.record(None, [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))], 0).match
    assert people(ledger) == {id: (id, [id]) for id in ("ana", "ben", "chloe", "dev")}
    other = ledger.record(None, [ev.Open(game="diversity", players=("hana", "ben", "chloe", "dev"))], 0).match

    def say(*events: Name | Merge | Split) -> dict[str, tuple[str, list[str]]]:
        ledger.record_people(events, ledger.people().seq, "me")
        return people(ledger)

    assert say(Name(player="ana", name="Ana Lima"))["ana"] == ("Ana Lima", ["ana"])
    merged = say(Merge(player="hana", into="ana"))
    assert merged["ana"] == ("Ana Lima", ["ana", "hana"])
    assert "hana" not in merged
    assert "hana" in say(Split(player="hana"))
    ledger.record(
        other, [ev.Amend(about=1, event=ev.Open(game="diversity", players=("eva", "ben", "chloe", "dev")))], 1
    )
    assert {"hana", "eva"} & people(ledger).keys() == {"eva"}
    ledger.record(match, [ev.Void()], 1)
    assert people(ledger).keys() == {"ana", "eva", "ben", "chloe", "dev"}, "ana has a name"
    grown = people(ledger)
    list(ledger.rebuild())
    assert people(ledger) == grown
    assert ledger.views.differing_summary() is None


def test_an_erased_person_is_erased_from_the_table_of_people_too(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, [ev.Open(game="diversity", players=("Annabella", "ben", "chloe", "dev"))], 0)
    ledger.record_people([Name(player="Annabella", name="Annabella Lima")], 0, "me")
    assert people(ledger)["Annabella"][0] == "Annabella Lima"
    left = erase(ledger, examine(ledger, "Annabella"), "me")
    assert people(ledger)[left] == (f"erased player {left[1:5]}", [left])
    ledger.close()
    assert not [path for path in tmp_path.glob("club.views.db*") if b"Annabella" in path.read_bytes()]


def test_a_ledger_whose_read_models_are_of_the_version_before_opens(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))], 0)
    ledger.close()
    db = sqlite3.connect(tmp_path / "club.views.db")
    db.execute("PRAGMA user_version = 15")
    db.execute("DROP TABLE people")
    db.close()
    with Ledger(tmp_path / "club.db") as again:
        assert people(again).keys() == {"ana", "ben", "chloe", "dev"}


def test_the_metadata_for_datasette_describe_every_table_and_column_of_the_file(club: Ledger) -> None:
    path = club.views.file.path
    said = json.loads(run("tables", "--datasette", "--db", str(path.with_name("club.db"))))
    assert said["databases"].keys() == {"club", "club.views"} == {path.with_name("club.db").stem, path.stem}
    for name, database in said["databases"].items():
        db = sqlite3.connect(path.with_name(f"{name}.db"))
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"):
            about = database["tables"][table]
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            assert about.get("hidden") or (about["description"] and [*about["columns"]] == columns), table
            assert all(about.get("columns", {}).values())
            assert about.get("label_column", columns[0]) in columns
            assert {*about.get("facets", ())} <= {*columns}
        db.close()


def test_the_schema_of_a_new_ledger_says_what_each_table_and_column_means(tmp_path: Path) -> None:
    Ledger(tmp_path / "club.db").close()
    with closing(sqlite3.connect(tmp_path / "club.db")) as db:
        for name, meaning in (("events", EVENTS), ("names", NAMES), ("needs", NEEDS)):
            (said,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
            assert said.splitlines()[0] == f"CREATE TABLE {name} ( -- {meaning.table}"
            columns = re.findall(r"^ +(\w+) .* -- (.+)$", said, re.MULTILINE)
            assert columns == [(row[1], meaning.columns[row[1]]) for row in db.execute(f"PRAGMA table_info({name})")]
        assert [row[1] for row in db.execute("PRAGMA table_info(log)")] == [*LOG.columns]


def test_a_ledger_without_these_comments_opens_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in SCHEMA:
            db.execute(without_remarks(statement))
        db.execute(f"PRAGMA application_id = {KIND}")
        db.execute(f"PRAGMA user_version = {VERSION}")
    with Ledger(path) as ledger:
        ledger.record(None, [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))], 0)
    with closing(sqlite3.connect(path)) as db:
        schema = [sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
    assert sorted(schema) == sorted(without_remarks(made) for made in SCHEMA if made.startswith("CREATE"))


def test_a_table_is_written_with_its_meanings_position_and_real_days(club: Ledger, tmp_path: Path) -> None:
    db = str(club.views.file.path.with_name("club.db"))
    run("tables", "players", "--parquet", str(tmp_path / "players.parquet"), "--db", db)
    schema = parquet.read_schema(tmp_path / "players.parquet")
    assert str(schema.field("date").type) == "date32[day]"
    assert schema.field("place").metadata[b"meaning"].decode() == TABLES["players"].columns["place"][1]
    about = json.loads(schema.metadata[b"cardledger"])
    assert (about["table"], about["position"]) == ("players", club.views.position)
    assert about["version"]
    rows = run("tables", "plays", "--csv", "--db", db).splitlines()
    assert rows[0].split(",") == [*TABLES["plays"].columns, "name"]
    assert len(rows) - 1 == club.views.reader.execute("SELECT count(*) FROM plays").fetchone()[0]
    assert {one["name"] for one in json.loads(run("tables", "--json"))} == TABLES.keys()
