"""A void match counts nowhere, is listed as void, can be replayed, and is brought back as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pyarrow import parquet

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.matches.replay import result
from cardledger.record.readmodels import MODELS, SUMMARIES, ratings
from cardledger.record.readmodels.arrow_tables import table_of
from cardledger.record.readmodels.questions.match_list import list_matches, match_ids
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.analyse.sources import of_archives, of_ledger
from cardledger.study.archive import files
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.analyse.conftest import contents, run
from tests.conftest import SAMPLES
from tests.tables import Sitting, opening
from tests.web.club import sign_in
from tests.web.conftest import empty

__all__ = ["empty"]

if TYPE_CHECKING:
    from collections.abc import Iterator


VOID = 5
"""One in this many matches is void."""


def sample_matches() -> list[MatchInFile]:
    found = [match for path in sorted(SAMPLES.glob("*.jsonl")) for match in read_file(path)]
    return [match for match in found if isinstance(match, MatchInFile)]


def filled(path: Path) -> Iterator[Flask]:
    app = create_app(path, limits=Limits.of(0))
    sign_in(app)
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A club that never recorded some of the samples."""
    for app in filled(tmp_path_factory.mktemp("without") / "club.db"):
        kept = [match for number, match in enumerate(sample_matches()) if number % VOID]
        assert all(done.new for done in ledger_of(app).import_matches(kept))
        yield app


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A club that recorded all samples, read its statistics, and then declared those matches void."""
    for app in filled(tmp_path_factory.mktemp("club") / "club.db"):
        ledger = ledger_of(app)
        done = list(ledger.import_matches(sample_matches()))
        client = app.test_client()
        for address in ADDRESSES:
            assert client.get(address).status_code == 200, address
        for number, imported in enumerate(done):
            if number % VOID == 0:
                ledger.record(imported.match, [ev.Void(reason="the pack was not whole")], imported.events)
        ledger.views.catch_up()
        yield app


def void_ones(ledger: Ledger) -> list[str]:
    return match_ids(ledger, status="void")


ADDRESSES = [
    "/api/v1/players?limit=200",
    "/api/v1/hands?limit=100",
    "/api/v1/violations?limit=200",
    "/api/v1/matches?limit=200&status=complete",
    "/api/v1/matches?limit=200&status=open",
    "/api/v1/matches?limit=200&status=ended",
    *(f"/api/v1/stats/players?game={id}" for id in games()),
    *(f"/api/v1/stats/ratings?game={id}" for id in games()),
    *(f"/api/v1/luck?game={id}" for id in games()),
    *(f"/api/v1/hands/worth-seeing?game={id}" for id in games()),
    *(f"/games/{id}/leaders" for id in games()),
    *(f"/stats/{id}" for id in games()),
    *(f"/games/{id}" for id in games()),
    "/players",
    "/violations",
    "/hands",
    "/season",
    "/season?since=2000-01-01",
    "/worth-seeing",
    *(f"/players/{name}" for name in ("ana", "ben", "eva")),
    "/players/ana/against/ben",
    *(f"/tables/{name}.csv?game=diversity" for name in ("players", "ratings")),
]


def plain(value: Any) -> Any:
    """Return an answer without positions in the ledger: those depend on the other matches."""
    if isinstance(value, dict):
        return {
            key: plain(one)
            for key, one in value.items()
            if key not in ("position", "next", "opened_at", "recorded_at", "hash")
        }
    return [plain(one) for one in value] if isinstance(value, list) else value


def words(page: str) -> str:
    """Return a page without places in the ledger and times of day."""
    return re.sub(r"number [\d,]+ of the ledger|after=[\d.]+|\d\d:\d\d(:\d\d)?", "", page)


def tables(ledger: Ledger) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the read models without times and places in the ledger, those of void matches apart."""
    ratings.bring_up_to_date(ledger.views)
    found = {}
    for table in (*MODELS, *SUMMARIES, ratings.RATINGS):
        left_out = ("position", "opened_at", "recorded_at", "hash", "matches_recorded", "recorded", "number")
        columns = ", ".join(name for name in table.columns if name not in left_out)
        where = "WHERE status <> 'void'" if table.name == "matches" else ""
        if table.name in ("deals", "boards"):  # a deal is still secret while another table plays it
            where = "WHERE match IN (SELECT match FROM matches WHERE status <> 'void')"
        where = "WHERE matches > 0" if table.name.startswith("named_") else where
        found[table.name] = sorted(ledger.views.reader.execute(f"SELECT {columns} FROM {table.name} {where}"), key=repr)
    return found


@pytest.mark.long
def test_no_table_of_the_read_models_counts_a_void_match(club: Flask, without: Flask) -> None:
    counted, expected = tables(ledger_of(club)), tables(ledger_of(without))
    for name, rows in expected.items():
        assert counted[name] == rows, name


@pytest.mark.long
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_answer_counts_a_void_match(club: Flask, without: Flask, address: str) -> None:
    answers = [app.test_client().get(address) for app in (club, without)]
    assert [answer.status_code for answer in answers] == [200, 200]
    counted, expected = (plain(answer.json) if answer.is_json else words(answer.text) for answer in answers)
    assert counted == expected


@pytest.mark.long
def test_void_matches_are_listed_as_void_for_their_players_too(club: Flask) -> None:
    ledger, client = ledger_of(club), club.test_client()
    listed = client.get("/api/v1/matches?status=void&limit=200").json["matches"]
    assert [row["id"] for row in listed] == void_ones(ledger)[::-1]
    assert len(listed) == len(sample_matches()[::VOID])
    assert all(row["status"] == "void" and not row["winners"] and not row["violations"] for row in listed)
    everything = client.get("/api/v1/matches?limit=200").json["matches"]
    assert {row["id"] for row in listed} < {row["id"] for row in everything}
    for player in {player for row in listed for player in row["players"]}:
        mine = [row["id"] for row in everything if player in row["players"]]
        assert [row["match"] for row in list_matches(ledger, 200, player=player).matches] == mine
        assert match_ids(ledger, player=player) == mine[::-1]
    assert '<span class="badge void">void</span>' in client.get("/matches?status=void").text


@pytest.mark.long
def test_paging_through_a_players_matches_works_with_void_matches(club: Flask) -> None:
    ledger = ledger_of(club)
    paged: list[str] = []
    after = None
    while True:
        page = list_matches(ledger, 2, after, player="ana")
        paged += [row["match"] for row in page.matches]
        if (after := page.next) is None:
            break
    assert paged == match_ids(ledger, player="ana")[::-1]
    assert set(paged) & {*void_ones(ledger)}


@pytest.mark.long
def test_a_void_match_can_still_be_replayed(club: Flask) -> None:
    ledger, client = ledger_of(club), club.test_client()
    for match in void_ones(ledger):
        *played, void = ledger.events(match)
        assert isinstance(void, ev.Void)
        found = client.get(f"/api/v1/matches/{match}").json["result"]
        assert found == result(Stream.of(played).table) | {"status": "void", "winners": []}
        for number, hand in enumerate(found["hands"], 1):
            steps = client.get(f"/api/v1/matches/{match}/hands/{number}/replay").json
            assert len(steps["tricks"]) == len(hand["tricks"])
        for path in (
            "",
            "/audit",
            f"/replay/{len(played)}",
            f"/replay/{len(played) + 1}",
            "/receipt",
            ".jsonl",
            ".csv",
        ):
            assert client.get(f"/matches/{match}{path}").status_code == 200, path
        shown = client.get(f"/matches/{match}").text
        assert "the match is void and counts nowhere (the pack was not whole)" in shown
        assert client.get(f"/api/v1/matches/{match}/table").json["choices"] == []


def dump(ledger: Ledger) -> list[str]:
    with ledger.views.reader.apart() as db:
        return [*db.iterdump()]


def test_read_models_with_void_matches_follow_from_the_events(club: Flask) -> None:
    ledger = ledger_of(club)
    ratings.bring_up_to_date(ledger.views)
    grown = dump(ledger)
    assert [error for _, error in ledger.verify() if error is not None] == []
    list(ledger.rebuild())
    ratings.bring_up_to_date(ledger.views)
    assert dump(ledger) == grown


def test_an_archive_and_its_analysis_count_no_void_match(club: Flask, tmp_path: Path) -> None:
    ledger = ledger_of(club)
    ledger.views.catch_up()
    recordings = files.with_names(ledger.store.recordings(), ledger.store.names)
    files.pack(recordings, tmp_path / "club.parquet", ledger.store.last_position())
    run(of_archives([tmp_path / "club.parquet"]), tmp_path / "packed")
    run(of_ledger(Path(ledger.store.name)), tmp_path / "stored")
    assert contents(tmp_path / "packed") == contents(tmp_path / "stored")
    for table in (*MODELS, *SUMMARIES):
        key = ", ".join(table.key)
        rows = ledger.views.reader.execute(f"SELECT * FROM {table.name} ORDER BY {key}").fetchall()
        analysed = parquet.read_table(tmp_path / "packed" / f"{table.name}.parquet")
        assert analysed.to_pylist() == table_of(table, rows).to_pylist()
    said = json.loads((tmp_path / "packed" / "summary.json").read_bytes())["games"]
    void = sum(game["status"].get("void", 0) for game in said.values())
    assert void == len(void_ones(ledger))
    assert all(sum(game["status"].values()) == game["matches"] for game in said.values())


def test_a_match_brought_back_counts_as_if_it_had_never_been_void(tmp_path: Path) -> None:
    matches = sample_matches()[::3]
    with Ledger(tmp_path / "club.db") as ledger, Ledger(tmp_path / "other.db") as other:
        done = list(ledger.import_matches(matches))
        list(other.import_matches(matches))
        for imported in done:
            ledger.record(imported.match, [ev.Void()], imported.events)
        ledger.views.catch_up()
        assert not any(tables(ledger)[name] for name in ("players", "hands", "counts", "careers", "ratings"))
        with LuckStore(ledger) as store:
            store.catch_up()
            assert not store.has_more_than(0)
        for imported in done:
            ledger.record(imported.match, [ev.Retract(to=imported.events)], imported.events + 1)
        ledger.views.catch_up()
        other.views.catch_up()
        brought, expected = tables(ledger), tables(other)
        for name in brought.keys() - {"matches"}:
            assert brought[name] == expected[name], name
        columns = "match, status, totals, winners, hands, hands_complete, violations, seq - 2, corrections - 2"
        now = ledger.views.reader.execute(f"SELECT {columns} FROM matches ORDER BY 1").fetchall()
        columns = columns.replace(" - 2", "")
        assert now == other.views.reader.execute(f"SELECT {columns} FROM matches ORDER BY 1").fetchall()


def test_the_hand_a_void_match_was_in_stays_hidden(empty: Flask) -> None:
    deal = Sitting("diversity", 4).deal().stream.events[1]
    assert isinstance(deal, ev.Deal)
    assert deal.hands
    match = ledger_of(empty).record(None, [opening("diversity", 4), deal, ev.Void()], 0).match
    reader = FlaskClient(empty, empty.response_class)
    for path in ("/events", "/table?at=2", "/hands/1/replay", "/audit"):
        assert deal.hands[0][0] not in reader.get(f"/api/v1/matches/{match}{path}").text
        assert deal.hands[0][0] in empty.test_client().get(f"/api/v1/matches/{match}{path}").text
