"""`import cardledger`: what other programs may rely on."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import cardledger
from cardledger.cli.main import main
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from tests.evenings.bridge import pairs
from tests.evenings.bridge import play as played
from tests.evenings.night import event_of

SAMPLES = Path(__file__).parent.parent / "samples"


def test_all_public_names_exist_and_are_documented() -> None:
    for name in cardledger.__all__:
        assert getattr(cardledger, name).__doc__
        assert not find_spec(f"cardledger.{name}"), f"once it is imported, the module {name} would hide the public name"
    assert dir(cardledger) == sorted(cardledger.__all__)
    with pytest.raises(AttributeError):
        _ = cardledger.nothing


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import cardledger, sys; print([name for name in ('numpy', 'flask', 'msgspec') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_match_file_is_read_and_replayed() -> None:
    match, *_ = cardledger.read(SAMPLES / "diversity-club-night.jsonl")
    assert match.result["game"] == "diversity"
    assert match.at(1).state["choices"][0]["type"] == "deal"
    assert any(entry.rulings for entry in match.rulings())
    assert "Totals: " in str(match)
    assert "<table>" in match._repr_html_()
    with pytest.raises(cardledger.LedgerError):
        match.at(10_000)


def test_a_problem_of_a_file_says_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text('{"type":"open","game":"nothing","players":["a"]}\n')
    with pytest.raises(cardledger.LedgerError, match=r"broken\.jsonl:1: there is no game 'nothing'"):
        cardledger.read(file)


def test_a_ledger_is_made_written_to_and_read_as_tables(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(cardledger.LedgerError):
        cardledger.open(tmp_path / "club.db")
    with cardledger.open(tmp_path / "club.db", create=True) as club:
        (first, *_) = club.import_file(SAMPLES / "ruff-2-rounds.jsonl")
        opened = club.record(None, [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))], 0)
        assert club.match_ids[-1] == opened
        assert club.replay(opened[:8]).result["status"] == "open"
        for table in (club.matches, club.hands, club.seats, club.tricks, club.players, club.violations, club.plays):
            assert table().num_rows >= (table not in (club.violations,))
        plays = club.plays().to_pylist()
        tricks = [trick for hand in club.replay(first).result["hands"] for trick in hand["tricks"]]
        assert [play["card"] for play in plays if play["match"] == first] == [
            card for trick in tricks for card in trick["cards"]
        ]
        assert plays[0]["name"] == plays[0]["player"]
        with pytest.raises(cardledger.LedgerError, match="there is no table"):
            club.table("nothing")


def test_tables_have_real_days_times_and_truth_values_and_say_what_they_are(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with cardledger.open(tmp_path / "club.db", create=True) as club:
        club.import_file(SAMPLES / "ruff-2-rounds.jsonl")
        matches, players = club.matches(), club.players()
    types = {field.name: str(field.type) for field in matches.schema}
    assert (types["date"], types["recorded_at"]) == ("date32[day]", "timestamp[us, tz=UTC]")
    assert str(players.schema.field("won").type) == "bool"
    assert all(field.metadata[b"meaning"] for field in (*matches.schema, *players.schema))
    about = json.loads(matches.schema.metadata[b"cardledger"])
    assert (about["table"], about["version"]) == ("matches", version("cardledger"))
    assert about["position"] == sum(row["seq"] for row in matches.to_pylist())


@pytest.mark.long
def test_luck_and_cost_are_joined_to_seats_and_decisions_once_they_are_computed(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with cardledger.open(tmp_path / "club.db", create=True) as club:
        opening, *events = simulate("diversity", 4, Random(3), ["cautious"], {"hands": 1}, max_hands=1)
        club.record(None, [opening, *events], 0)
        assert {row["luck"] for row in club.seats().to_pylist()} == {None}
        assert club.compute_reviews("ruff") == 0
        assert club.compute_reviews() == 1
        seats, decisions = club.seats().to_pylist(), club.decisions().to_pylist()
    assert sum(row["luck"] for row in seats) == pytest.approx(0, abs=1e-9)
    for row in seats:
        # β is that of one hand alone: its prior (`luck.BETA`).
        assert row["adjusted"] == pytest.approx(row["score"] - 0.9 * row["luck"])
        own = [one["cost"] for one in decisions if one["seat"] == row["seat"]]
        assert row["cost"] == pytest.approx(sum(own))
    assert {one["name"] for one in decisions} <= {row["name"] for row in seats}
    leads = [one for one in decisions if one["place"] == 1]
    assert {one["kind"] for one in leads} == {"opening lead", "lead"}
    assert {one["trick"] for one in leads if one["kind"] == "opening lead"} == {1}
    assert all(json.loads(one["situations"])["kind"] == one["kind"] for one in decisions)
    assert all("trick_number" not in json.loads(one["situations"]) for one in decisions)


@pytest.mark.long
def test_the_notebook_of_the_samples_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "polars", "duckdb"):
        pytest.importorskip(module)
    cells = json.loads((SAMPLES / "analysis.ipynb").read_text())["cells"]
    monkeypatch.chdir(SAMPLES)
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_every_hand_has_a_picture_with_its_cards_and_none_that_was_not_recorded(file: Path) -> None:
    for match in cardledger.read(file):
        for hand in match.stream.table.hands:
            svg = match.hand(hand.number)._repr_svg_()
            root = ElementTree.fromstring(svg)
            shown = " ".join(root.itertext())
            assert all(player in shown for player in match.stream.table.players)
            assert ("cards not recorded" in shown) == (match.at(hand.first).state["hands"] is None)
        ElementTree.fromstring(match.table.svg)
    with pytest.raises(cardledger.LedgerError, match="the match has hands 1 to"):
        match.hand(99)


def test_a_fold_under_another_edition_is_one_call() -> None:
    match, *_ = cardledger.read(SAMPLES / "ruff-debts.jsonl")
    assert match.under("ruff/1").result == match.result


def test_statistics_are_those_of_the_command_as_arrow_tables(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with cardledger.open(tmp_path / "club.db", create=True) as club:
        club.import_file(SAMPLES / "hearts-score-sheet.jsonl")
        statistics = club.statistics
        compared = statistics.players("hearts")
        answer = CliRunner().invoke(main, ["stats", "players", "hearts", "--json", "--db", str(tmp_path / "club.db")])
        assert compared.to_pylist() == json.loads(answer.stdout)["rows"]
        assert json.loads(compared.schema.metadata[b"cardledger"])["basis"].keys() == {"hearts"}
        one, other = compared.column("player").to_pylist()[:2]
        assert set(statistics.player(one, by="month").column("group").to_pylist()) != {None}
        assert statistics.head_to_head(one, other).num_rows == 1
        for table in (
            statistics.change(one),
            statistics.company(one),
            statistics.pairs("hearts"),
            statistics.partnerships("whist"),
            statistics.cards("hearts"),
            statistics.decisions("hearts"),
            statistics.after_bad_hand("hearts"),
            statistics.dealer(),
            statistics.forecasts(),
            statistics.partner_calls("spades"),
            statistics.measures("hearts"),
        ):
            assert table.column_names
        club.import_file(SAMPLES / "hearts-moon.jsonl")
        assert sum(statistics.players("hearts").column("hands").to_pylist()) > sum(compared.column("hands").to_pylist())
        assert statistics.ratings("hearts").num_rows == 4
        with pytest.raises(cardledger.LedgerError, match="no filter 'colour'"):
            statistics.players("hearts", colour="red")


def test_an_evening_is_recorded_ranked_and_corrected(tmp_path: Path) -> None:
    lines = (SAMPLES / "evenings" / "tuesday.jsonl").read_text("utf-8").splitlines()
    club_events, session_events = ([event_of(json.loads(line)) for line in some] for some in (lines[:4], lines[4:13]))
    with cardledger.open(tmp_path / "club.db", create=True) as club:
        evenings = club.evenings
        assert evenings.ids() == []
        assert evenings.record(None, club_events, 0).startswith("club-")
        session = evenings.record(None, session_events, 0)
        assert evenings.ids("session") == [session]
        assert len(evenings.events("session-7c1d")) == 9
        evenings.record(session, [event_of({"type": "publish"})], 9)
        first = evenings.ranking(session)
        assert first["ranking"][0]["players"] == ["ben"]
        amended = {"type": "result", "round": 2, "table": 1, "points": [0, 26, 28, 24]}
        evenings.record(session, [event_of({"type": "amend", "about": 9, "event": amended})], 10)
        then = evenings.ranking(session, as_of=first["position"])
        assert then["ranking"] == first["ranking"] != evenings.ranking(session)["ranking"]
        assert evenings.ranking(session)["differences"]
        with pytest.raises(cardledger.LedgerError, match="there is no"):
            evenings.ranking("session-none")


def test_travellers_and_cards_are_those_of_the_pages(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        session = pairs(ledger, 3, 1)
        played(ledger, session, Random(4))
    with cardledger.open(tmp_path / "club.db") as club:
        assert [board["board"] for board in club.evenings.travellers(session)] == [1, 2, 3]
        assert len(club.evenings.card(session, 1)["lines"]) == 3
