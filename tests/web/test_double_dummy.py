"""Double-dummy results of a match: kept beside the ledger, shown on pages, in the API and by the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest
from click.testing import CliRunner

import cardledger
from cardledger.cli.main import main
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.measures import OPEN_CARDS
from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.analysis import counts_of, solve, solve_news, stored
from cardledger.study.stats.double_dummy.columns import solved_hands
from cardledger.study.stats.double_dummy.open_deal import open_deals
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.conftest import SAMPLES

if TYPE_CHECKING:
    from flask import Flask


@pytest.fixture
def endplay() -> None:
    pytest.importorskip("endplay")


def board() -> list[ev.Event]:
    """Return a match of one board that was played out: 3NT by West, eight calls, 52 cards."""
    opening, *events = cardledger.read(SAMPLES / "bridge-club-night.jsonl")[0].events
    return [msgspec.structs.replace(opening, options={"boards": 1}), *events[:60]]


def test_the_analysis_of_a_match_is_kept_with_its_costs(empty: Flask, endplay: None) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, board(), 0).match
    with LuckStore(ledger) as store:
        (deal,) = open_deals(ledger.stream(match))
        assert stored(deal, store) is None
        assert (solve_news(ledger, store), solve_news(ledger, store)) == (1, 0)
        found = stored(deal, store)
        assert found is not None
        assert (found.expected, found.beyond, found.par.score) == (8, 2, -980)
        assert [(one.card, one.cost) for one in found.cards if one.cost] == [("TD", 4), ("AD", 1), ("4C", 1)]
        counts = counts_of(found)
        assert set(counts) <= OPEN_CARDS
        assert counts["dd_beyond"] == [0, 0, 0, 2]
        assert counts["dd_cost"] == [4, 0, 0, 2]
    solved = solved_hands(ledger.views)
    assert solved is not None
    assert (solved.match, solved.seq) == ([match], {match: 61})
    assert solved.counts["dd_cost"].tolist() == [[4, 0, 0, 2]]


def test_a_corrected_hand_is_analysed_again(empty: Flask, endplay: None) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, board(), 0).match
    with LuckStore(ledger) as store:
        assert [*solve(ledger, store, match)]
        ledger.record(match, [ev.Retract(to=57), ev.Claim(tricks=(1, 0, 0, 0))], 61)
        (deal,) = open_deals(ledger.stream(match))
        assert len(deal.plays) == 48
        assert stored(deal, store) is None


def test_page_api_and_command_show_the_same(empty: Flask, endplay: None) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    match = ledger.record(None, board(), 0).match
    assert "is computed while nothing is recorded" in client.get(f"/matches/{match}/hands/1").text
    assert client.get(f"/api/v1/matches/{match}/double-dummy").json["pending"] == 1
    told = CliRunner().invoke(main, ["double-dummy", match, "--json", "--db", str(ledger.at)])
    answer = client.get(f"/api/v1/matches/{match}/double-dummy").json
    assert answer["pending"] == 0
    assert answer["hands"] == [json.loads(told.output)]
    assert answer["hands"][0]["table"]["NT"] == [0, 8, 0, 8]
    page = client.get(f"/matches/{match}/hands/1").text
    assert "Par for North and South: \u2212980 (6♠\ufe0e EW =)" in page
    assert "dev</bdi> gave up 1 trick" in page


def test_a_board_that_another_table_plays_gives_nothing_away(empty: Flask, endplay: None) -> None:
    ledger = ledger_of(empty)
    opening, *rest = board()
    first = ledger.record(None, [msgspec.structs.replace(opening, event="Pairs"), *rest], 0).match
    with LuckStore(ledger) as store:
        assert [*solve(ledger, store, first)]
    reader = as_role(empty, "reader")
    assert "With all cards open" in reader.get(f"/matches/{first}/hands/1").text
    others = msgspec.structs.replace(opening, event="Pairs", players=("eva", "finn", "gil", "hana"), id=None)
    ledger.record(None, [others, rest[0]], 0)
    assert "With all cards open" not in reader.get(f"/matches/{first}/hands/1").text
    answer = reader.get(f"/api/v1/matches/{first}/double-dummy").json
    assert 1 not in {hand["hand"] for hand in answer["hands"]}
    assert 'class="compass"' not in reader.get(f"/matches/{first}/hands/1").text


def test_without_the_extra_a_sentence_says_how_to_get_it(empty: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    match = ledger_of(empty).record(None, board(), 0).match
    monkeypatch.setattr(solver, "installed", lambda: False)
    text = empty.test_client().get(f"/matches/{match}/hands/1").text
    assert "For double-dummy tables, install cardledger[bridge]." in text
    told = CliRunner().invoke(main, ["double-dummy", match, "--db", str(ledger_of(empty).at)])
    assert told.exit_code == 1
    assert 'pip install "cardledger[bridge]"' in told.output


def test_the_command_says_so_where_no_cards_are_known(empty: Flask, endplay: None) -> None:
    ledger = ledger_of(empty)
    opening = msgspec.structs.replace(board()[0], options={"boards": 2})
    match = ledger.record(
        None, [opening, ev.Deal(hands=None, dealer=0, vulnerable="none"), ev.Score(scores=(110, -110, 110, -110))], 0
    ).match
    for more, said in (((), "No finished hand of this match"), (("--hand", "2"), "Hand 2 of this match")):
        result = CliRunner().invoke(main, ["double-dummy", match, *more, "--db", str(ledger.at)])
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith(said)
