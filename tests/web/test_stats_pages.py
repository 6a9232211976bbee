"""Pages of statistics: what the program computes, with what it was computed from, and links to the hands behind it."""

from __future__ import annotations

import csv
import io
import re
import threading
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import plotly.graph_objects as go
import pytest
from markupsafe import escape

from cardledger.record.matches.matchfile import MatchInFile
from cardledger.rules.bots.simulation import league, simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.analyse.what_if_answers import WhatIfAnswers
from cardledger.study.stats import Query, Statistics, StatsTable
from cardledger.study.stats.definitions import definitions
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.measures.differences import verdicts
from cardledger.study.stats.review.reviews import compute
from cardledger_api.resources.tables import TABLES
from cardledger_web.app import ledger_of
from cardledger_web.figures import linked
from cardledger_web.figures import stats as figures_stats
from cardledger_web.figures.linked import FieldPlayer, FigureMark
from cardledger_web.views import stats as statsview
from tests.evenings.bridge import pairs, play
from tests.waiting import LIMIT, wait_until
from tests.web.club import HOSTILE
from tests.web.test_pages import links, page
from tests.web.test_players_page import cells, number_of_hands

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger


def played(ledger: Ledger, game: str, matches: int, bots: tuple[str, ...], hands: int = 4) -> None:
    """Record matches of bots."""
    for number, events in enumerate(league(game, 4, 5, matches, bots, max_hands=hands)):
        list(ledger.import_matches([MatchInFile("bots", number, Stream.of(events), events)], day="2026-01-01"))


def shown(value: float, kind: str = "mean") -> str:
    return statsview.number(value, kind)


def test_the_measures_of_a_player_equal_those_of_the_api(app: Flask, client: FlaskClient) -> None:
    for game in games():
        told = client.get(f"/api/v1/players/ana/stats?game={game}").json["rows"]
        rows = cells(page(client, f"/players/ana?game={game}"), "Measures") if told else []
        assert [(row[1][0], row[6][0], row[7][0]) for row in rows] == [
            (shown(one["value"], one["kind"]), str(one["cases"]), str(one["matches"])) for one in told
        ]
        for row, one in zip(rows, told, strict=True):
            assert one["title"] in row[0][0]
            assert row[2][0] == (statsview.interval(one["low"], one["high"], one["kind"]) or "\u2013")


def test_a_measure_is_split_by_every_dimension(client: FlaskClient) -> None:
    for by in (
        "month",
        "year",
        "event",
        "seat",
        "turn",
        "size",
        "place",
        "options",
        "opponent",
        "partner",
        "lead",
        "bid",
    ):
        told = client.get(f"/api/v1/players/ana/stats?game=diamonds-bid&by={by}").json["rows"]
        wanted = [one for one in told if one["measure"] == "points"]
        rows = cells(page(client, f"/players/ana?game=diamonds-bid&by={by}"), "Measures")
        assert [row[1][0] for row in rows] == [shown(one["value"]) for one in wanted], by


def test_a_dimension_that_the_game_lacks_is_left_out_with_a_note(client: FlaskClient) -> None:
    text = page(client, "/players/ana?game=ruff&by=bid")
    assert "Ruff has no bid" in text


@pytest.mark.parametrize("by", ["standing", "trump_length", "bid", "turn", "void_suits,turn", "seat,high_cards"])
def test_cases_of_a_situation_lead_to_its_hands(client: FlaskClient, by: str) -> None:
    first, _, second = by.partition(",")
    text = page(client, f"/players/ana?game=diamonds-bid&by={first}&and={second}&where=standing:level")
    rows = cells(text, "Measures")
    known = [row for row in rows if "not said" not in row[0][0]]
    assert known
    place = len(by.split(",")) + 5
    for row in known[:3]:
        number, link = row[place]
        assert number_of_hands(client, link) == int(number), link


@pytest.mark.parametrize("query", ["", "&since=2026-01-01", "&by=seat", "&by=month", "&size=4"])
def test_cases_link_to_the_hands_behind_them(client: FlaskClient, query: str) -> None:
    rows = cells(page(client, f"/players/ana?game=diamonds-bid{query}"), "Measures")
    assert rows
    if "by" not in query and "size" not in query:
        number, link = rows[1][6]
        assert page(client, link).count('<li class="match">') == int(number), link
    for row in rows[:4] if "by" in query else rows[:1]:
        number, link = row[6]
        assert number_of_hands(client, link) == int(number), link


def test_a_filter_without_a_list_of_hands_has_no_link(client: FlaskClient) -> None:
    text = page(client, "/players/ana?game=diversity&against=ben")
    assert all(row[6][1] == "" for row in cells(text, "Measures"))


def test_every_page_shows_its_basis(app: Flask, client: FlaskClient) -> None:
    position = f"{ledger_of(app).store.last_position():,}"
    for path in ("/players/ana?game=ruff", "/stats/ruff", "/season", "/worth-seeing"):
        assert f"number {position} of the ledger" in " ".join(page(client, path).split()), path
    assert "ruff/" in page(client, "/stats/ruff")
    assert "Left out:" in page(client, "/stats/ruff")


def test_the_comparison_of_a_game_equals_that_of_the_api(client: FlaskClient) -> None:
    for game in games():
        told = client.get(f"/api/v1/stats/players?game={game}").json["rows"]
        text = page(client, f"/stats/{game}")
        rows = cells(text, "Players compared")
        assert [(row[3][0].split()[0], row[2][0].split()[0]) for row in rows] == [
            (shown(one["points"]), str(one["hands"])) for one in told
        ]
        assert ("for no player yet" in text) == all(one["rank"] is None for one in told)
        assert [row[0][0] for row in rows] == [statsview.place(one) or "\u2013" for one in told]


def test_a_player_of_one_match_has_no_place_and_the_page_says_why(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    for dealer, players in enumerate(("abcd", "badc", "cbda", "abce")):
        events = [ev.Deal(dealer=dealer, hands=None), ev.Score(scores=(1 + dealer, 3, 3, 6 - dealer))]
        ledger.record(None, [ev.Open(game="diversity", players=tuple(players)), *events], 0)
        if not dealer:
            assert "too few matches to compare" in page(client, "/stats/diversity")
    assert "one match is too few for a place" in page(client, "/stats/diversity")
    assert "No place yet: one match is too few for a place" in page(client, "/players/e?game=diversity")
    assert "No place yet" not in page(client, "/players/a?game=diversity")


def test_strength_over_time_equals_that_of_the_api(empty: Flask) -> None:
    played(ledger_of(empty), "diversity", 12, ("cautious", "random"), 2)
    client = empty.test_client()
    players = client.get("/api/v1/stats/players?game=diversity").json["rows"]
    player = max(players, key=lambda row: row["matches"])["player"]
    (told,) = client.get(f"/api/v1/players/{player}/change?game=diversity").json["rows"]
    rows = cells(page(client, f"/players/{player}?game=diversity"), "Strength over time")
    assert [row[1][0] for row in rows][:2] == [shown(told["season"]), shown(told["now"])]
    assert f"/tables/change.csv?player={player}" in page(client, f"/players/{player}?game=diversity")


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """A league in which one of two kinds of bots is much better."""
    from cardledger.record.recording.ledger import Ledger

    ledger = Ledger(tmp_path_factory.mktemp("bots") / "bots.db")
    played(ledger, "diversity", 30, ("cautious", "random", "cautious", "random", "random"))
    yield ledger
    ledger.close()


def test_differences_beyond_chance_are_marked_and_equality_is_not(bots: Ledger) -> None:
    sheet = Statistics.of(bots.views).sheets.sheet("diversity")
    players = sorted(sheet.texts["player"])
    marked = {player: verdicts(sheet, Query(), player).get(("points", None), "") for player in players}
    good = {player for player in players if "cautious" in player}
    assert good
    assert {player for player in players if marked[player] == "better"} == good
    assert not any(marked[player] == "better" for player in set(players) - good)


def test_equal_players_are_hardly_ever_marked(bots: Ledger) -> None:
    """Random names for each match make all players equal: marks are then due to chance, in at most one table of twenty."""
    sheet = Statistics.of(bots.views).sheets.sheet("diversity")
    seats, rng = sheet.seats, Random(3)
    kept, codes = seats["player"].copy(), sorted(sheet.texts["player"].values())
    found = []
    for _ in range(60):
        for match in set(seats["row"].tolist()):
            rows = [row for row, of in enumerate(seats["row"].tolist()) if of == match]
            seats["player"][rows] = rng.sample(codes, len(rows))
        found.append(bool(verdicts(sheet, Query(), next(iter(sheet.texts["player"])))))
    seats["player"][:] = kept
    assert sum(found) <= 6


def test_the_interval_of_a_difference_is_that_of_matches_as_a_whole(app: Flask, client: FlaskClient) -> None:
    ledger, sums, hands = ledger_of(app), [], []
    for match in ledger.matches():
        table = ledger.stream(match).table
        number = sum(hand.scores is not None for hand in table.hands)
        if {"ana", "ben"} <= {*table.players} and table.game.id == "diversity" and number:
            ana, ben = (table.totals[table.players.index(name)] for name in ("ana", "ben"))
            sums.append(ana - ben)
            hands.append(number)
    from cardledger.study.stats.luck.luck import interval

    mean, low, high = interval(sums, hands)
    rows = cells(page(client, "/players/ana/against/ben"), "Head to head by game")
    (row,) = (row for row in rows if "game=diversity&" in row[0][1])
    assert low is not None
    assert high is not None
    wanted = f"{mean:+.2f} {low:+.2f} to {high:+.2f}".replace("-", "\u2212")
    assert row[6][0] == wanted


def test_a_season_is_the_sum_of_its_matches(client: FlaskClient) -> None:
    everything = client.get("/api/v1/matches?limit=200").json["matches"]
    years = {match["date"][:4] for match in everything}
    year = max(years)
    wanted = [match for match in everything if match["date"][:4] == year]
    text = page(client, "/season")
    assert f">{len(wanted)} match" in text
    came = {row[0][0]: int(row[2][0]) for row in cells(text, "Players who came")}
    assert came == {
        " ".join(name.split()): sum(name in match["players"] for match in wanted)
        for name in {name for match in wanted for name in match["players"]}
    }
    event = next(match["event"] for match in everything if match["event"] and "{" not in match["event"])
    number = sum(match["event"] == event for match in everything)
    assert f">{number} match" in page(client, f"/season?event={event}")
    assert "No match fits" in page(client, "/season?event=nobody")


def test_hands_worth_seeing_lead_into_the_replayer(app: Flask, client: FlaskClient) -> None:
    text = page(client, "/worth-seeing?kind=swing&game=diamonds-bid")
    found = client.get("/api/v1/hands/worth-seeing?kind=swing&game=diamonds-bid&limit=25").json["sights"]
    assert found
    for one in found:
        link = f"/matches/{one['match']}/replay/{one['seq']}"
        assert link in links(text)
    assert client.get(link).status_code == 200
    amounts = [int(number) for number in re.findall(r"<b>(\d+) points? apart", text)]
    assert amounts == sorted(amounts, reverse=True)


def test_a_deal_at_two_tables_is_compared(empty: Flask) -> None:
    ledger = ledger_of(empty)
    events = simulate("ruff", 3, Random(7), ["cautious"], {"rounds": 1}, max_hands=1)
    for _ in range(2):
        ledger.record(None, events, 0)
    client = empty.test_client()
    (link,) = {link for link in links(page(client, "/worth-seeing")) if link.startswith("/deals/")}
    rows = cells(page(client, link), "Tables")
    assert len(rows) == 6
    assert all(row[3][0] == "1" and row[4][0] == "0.00" for row in rows)
    assert page(client, "/deals/nobody", 404)


def test_every_table_can_be_taken_away(app: Flask, client: FlaskClient) -> None:
    WhatIfAnswers.of(ledger_of(app)).patience = None
    text = "".join(
        page(client, path)
        for path in ("/players/ana?game=ruff&by=month", "/stats/ruff", "/season", "/worth-seeing", "/players/ana/against/ben",
                         "/stats/ruff/what-if?rules=ruff-2/2")
    )  # fmt: skip
    offered = {link for link in links(text) if link.startswith("/tables/")}
    assert {link[8:].partition(".")[0] for link in offered} >= set(TABLES) - {
        "luck",
        "deal",
        "change",
        "company",
        "evenings",
        "cards",
        "decisions",
        "after-bad-hand",
        "dealer",
        "forecasts",
        "partner-calls",
        "definitions",
    }
    for link in offered:
        answer = client.get(link)
        assert answer.status_code == 200, link
        if ".csv" in link:
            assert answer.content_type == "text/csv; charset=utf-8"
            rows = [*csv.reader(io.StringIO(answer.text.lstrip("\ufeff")))]
            assert len({len(row) for row in rows}) <= 1, link
        else:
            parquet = pytest.importorskip("pyarrow.parquet")
            assert parquet.read_table(io.BytesIO(answer.data)).num_rows >= 0
    told = client.get("/api/v1/players/ana/stats?game=ruff&by=month").json["rows"]
    (link,) = {link for link in offered if "/player.csv" in link}
    rows = [*csv.DictReader(io.StringIO(client.get(link).text.lstrip("\ufeff")))]
    assert [row["value"] for row in rows] == [str(one["value"]) for one in told]


def test_a_table_holds_no_formula(empty: Flask) -> None:
    name = "=HYPERLINK(1)"
    ledger_of(empty).record(
        None, [ev.Open(game="ruff", players=(name, "b", "c"), options={"rounds": 1}), ev.Deal(dealer=0, hands=None), ev.Score(scores=(1, 2, 3))], 0
    )  # fmt: skip
    text = empty.test_client().get("/tables/attendance.csv").text
    assert f"'{name}" in text
    assert not re.search(r"(^|,)\"?=", text, re.M)


def test_without_pyarrow_parquet_is_a_clear_sentence(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger_web.pages.tables.find_spec", lambda name: None)
    answer = client.get("/tables/players.parquet?game=ruff")
    assert answer.status_code == 501
    assert "cardledger[analytics]" in answer.text


@pytest.mark.parametrize("path", [
    "/stats/skat", "/deals/x", "/tables/nothing.csv", "/tables/players.csv", "/players/ana?measure=nothing",
    "/tables/player.csv?player=nobody",
])  # fmt: skip
def test_a_missing_page_is_a_friendly_404(client: FlaskClient, path: str) -> None:
    assert "There is nothing here" in page(client, path, 404)


@pytest.mark.parametrize("path", [
    "/stats/ruff?since=x", "/stats/ruff?seat=-1", "/season?until=x", "/worth-seeing?kind=x", "/players/ana?option=x",
    "/worth-seeing?game=skat", "/worth-seeing?limit=99999999999999999999",
])  # fmt: skip
def test_a_nonsensical_request_is_a_friendly_400(client: FlaskClient, path: str) -> None:
    assert "does not make sense" in page(client, path, 400)


@pytest.mark.parametrize("value", ["[1]", "[" * 3000, "{", "1e999"])
def test_an_impossible_option_value_selects_nothing(client: FlaskClient, value: str) -> None:
    assert "No complete hand fits." in page(client, f"/stats/ruff?option=rounds:{value}")


def test_an_empty_ledger_has_these_pages_too(empty: Flask) -> None:
    client = empty.test_client()
    for path in ("/season", "/worth-seeing", "/stats/ruff", "/people", "/tables/attendance.csv"):
        assert client.get(path).status_code == 200, path


@pytest.mark.long
def test_luck_and_review_are_shown_as_computed_with_what_is_still_missing(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    played(ledger, "ruff", 2, ("cautious", "random"), 1)
    player = ledger.stream(ledger.matches()[0]).table.players[0]
    before = page(client, f"/players/{player}?game=ruff")
    assert "cardledger luck ruff" in before
    assert "without the luck of the deal" not in before
    match = ledger.matches()[0]
    with LuckStore(ledger) as store:
        store.catch_up()
        assert len([*compute(store.hands("match = ?", (match,)), store)]) == 1
    after = page(client, f"/players/{player}?game=ruff")
    assert "without the luck of the deal" in after
    assert "given up by choices" in after
    told = client.get(f"/api/v1/matches/{match}/review").json["hands"][0]
    text = page(client, f"/matches/{match}/replay/2")
    marks = re.findall(r'data-seq="(\d+)" class="(bad|doubtful|fine)"', text)
    assert [int(seq) for seq, _ in marks] == [made["seq"] for made in told["decisions"]]
    assert [mark == "bad" for _, mark in marks] == [made["bad"] for made in told["decisions"]]
    assert "Result:" in text


def test_a_hand_under_way_is_not_reviewed(empty: Flask) -> None:
    ledger = ledger_of(empty)
    events = simulate("ruff", 3, Random(1), ["random"], {}, max_hands=1)
    match = ledger.record(None, events[:4], 0).match
    for path in (f"/matches/{match}/replay/3", "/worth-seeing"):
        assert 'id="review"' not in page(empty.test_client(), path)


@pytest.mark.long
def test_plotly_accepts_the_figures() -> None:
    spans = [(1.0, 0.5, 1.5), (2.0, None, None)]
    for figure in (
        figures_stats.forest(["a", HOSTILE[2]], spans, [(1.0, 0.5, 1.5), None], "points a hand"),
        figures_stats.groups(["2026-10", "2026-11"], spans, [1.0, None], "points", "month"),
        figures_stats.history(["2026-11-21"] * 20, [25.0] * 20, [8.0] * 20),
        figures_stats.spread([-3, 0, 7], [1, 5, 2]),
        figures_stats.spread([*range(-200, 200)], [1] * 400),
        figures_stats.means(["1", "2"], spans, "points a hand", "place from the dealer"),
        linked.standings(
            [FieldPlayer("a", "/a", (3.0, 2.0, 4.0))], 0, [("as scored", "circle-open", 9.0)], 2.5, "points"
        ),
        linked.evenings([FigureMark("2026-11-21", 2.0, HOSTILE[2], "/a")], "points"),
        linked.months([FigureMark("2026-11-01", 2.0, "", "/a")] * 2, spans, [1.0, None], "points"),
        linked.nights([FigureMark("2026-11-21", 9, "", "/a")], "hands"),
        linked.apart([FigureMark("Tricks", 1.8, "", "/a")], [True]),
    ):
        go.Figure(figure.to_dict())
        assert len(figure.to_json()) < 6000
    assert sum(figures_stats.spread([*range(-200, 200)], [1] * 400).data[0].y) == 400


@pytest.mark.parametrize("path", ["/stats/diversity", "/season", "/worth-seeing"])
def test_hostile_names_are_inert_in_statistics(client: FlaskClient, path: str) -> None:
    text = page(client, path)
    assert str(escape(HOSTILE[0])) in text
    assert HOSTILE[0] not in text
    assert "<img src=x" not in text


def test_pairs_that_stand_out_are_for_admins_and_accuse_nobody(app: Flask, client: FlaskClient) -> None:
    text = page(client, "/stats/diversity/pairs")
    assert "says nothing about anybody’s conduct" in text
    assert "/stats/diversity/pairs" in page(client, "/stats/diversity")
    told = client.get("/api/v1/stats/pairs?game=diversity").json
    assert told["rows"] == []


def test_a_page_of_a_large_league_says_at_once_that_its_figures_are_being_computed(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardledger.study.stats.tables.LARGE", 1)
    go_on, players = threading.Event(), Statistics.players

    def slow(*given: Any) -> StatsTable:
        go_on.wait(LIMIT)
        return players(*given)

    monkeypatch.setattr(Statistics, "players", slow)
    pages = ("/stats/diversity", "/games/diversity/leaders", "/players/ana?game=diversity")
    for path in pages:
        told = client.get(path)
        assert (told.status_code, told.headers["Retry-After"]) == (503, "2")
        assert 'http-equiv="refresh" content="2"' in told.text
        assert "The figures are being computed" in told.text
    for path in ("/api/v1/stats/players?game=diversity", "/api/v1/tables/players?game=diversity"):
        told = client.get(path)
        assert (told.status_code, told.headers["Retry-After"]) == (503, "2")
        assert told.json["code"] == "store.computing"
    go_on.set()
    wait_until(lambda: {client.get(path).status_code for path in pages} == {200}, "the figures")
    assert 'http-equiv="refresh"' not in client.get(pages[0]).text
    told = client.get("/api/v1/players/nobody/stats")
    assert told.json["code"] == "store.unknown", "what is wrong is said, not that it is being computed"


def test_a_game_that_compares_tables_is_measured_in_what_the_reader_chooses(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    play(ledger, pairs(ledger, 3, 1), Random(4))
    for scale, head in (("points", "Points a hand"), ("field", "Percent"), ("imps", "IMPs a board")):
        shown = client.get(f"/stats/bridge?scale={scale}").text
        choice = re.search(r"Measured in.*?</p>", shown, re.S)
        assert choice is not None
        assert re.findall(r'scale=(\w+)|href="/stats/bridge"', choice[0]) == ["", "field", "imps"]
        assert re.findall(r'aria-current="page">(.*?)<', choice[0]) == [
            {"points": "points a hand", "field": "matchpoints", "imps": "IMPs"}[scale]
        ]
        assert f">{head}</abbr>" in shown
        assert "/players/a1?game=bridge&amp;scale" not in shown, "a player's page stands on points alone"
        told = client.get(f"/tables/players.csv?game=bridge&scale={scale}").text
        by_player = {row["player"]: float(row["points"]) for row in csv.DictReader(io.StringIO(told.lstrip("\ufeff")))}
        expected = Statistics(ledger.views).players("bridge", Query.parse({"scale": scale})).rows
        assert by_player == pytest.approx({row["player"]: row["points"] for row in expected}, rel=1e-4)
        assert client.get(f"/stats/bridge/partnerships?scale={scale}").status_code == 200
    assert "Measured in" not in client.get("/stats/hearts").text
    for address in ("/stats/hearts?scale=imps", "/tables/field.csv?game=bridge&scale=field"):
        refused = client.get(address)
        assert refused.status_code in (400, 404)
        assert "scale" in refused.text


def test_each_card_stands_with_what_it_is_worth_once_there_are_evenings_enough(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "Too few evenings" in client.get("/stats/whist/cards").text
    played(ledger, "whist", 8, ("cautious",) * 4)
    told = client.get("/stats/whist/cards").text
    assert re.findall(r'<th scope="row" class="left">(\w+[♣♦♥♠]\ufe0e?)</th>', told)
    assert "The best card is" in told
    rows = client.get("/api/v1/stats/cards?game=whist").json["rows"]
    assert len(rows) == 52
    assert told.count('<th scope="row"') == sum(row["pooled"] is not None for row in rows)


def test_each_number_of_hands_with_a_card_leads_to_those_hands(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    played(ledger, "hearts", 8, ("cautious",) * 4)
    player = ledger.stream(ledger.matches()[0]).table.players[0]
    for how, who in (("dealt", None), ("held", None), ("led", None), ("played", player), ("won", player)):
        of = f"game=hearts&how={how}" + (f"&player={who}" if who else "")
        rows = client.get(f"/api/v1/stats/cards?{of}").json["rows"]
        known = [row for row in rows if row["believed" if who else "pooled"] is not None]
        told = client.get(f"/stats/hearts/cards?how={how}" + (f"&player={who}" if who else "")).text
        links = [unescape(link) for link in re.findall(r'<td><a href="([^"]*/hands\?[^"]*)">', told)]
        assert len(links) == len(known) > 0
        for row in known[:3]:
            (link,) = [link for link in links if f"card={row['card']}&" in f"{link}&"]
            found = client.get(f"/api/v1{link}&total=true").json
            assert found["total"] == row["hands"]
            assert client.get(link).status_code == 200
        csv = client.get(f"/tables/cards.csv?{of}").text.splitlines()
        assert len(csv) == len(rows) + 1
        assert csv[0].lstrip("\ufeff").startswith("card,hands,evenings,worth")
        assert ("difference" in csv[0]) == bool(who)
    asked = re.search(r'<a href="(/stats/hearts/cards\?[^"]*)">', client.get(f"/players/{player}?game=hearts").text)
    assert asked is not None
    assert f"player={player}" in asked[1]
    assert client.get(unescape(asked[1])).status_code == 200
    assert "no advice to lead it" in client.get("/stats/hearts/cards?how=led").text
    assert "no advice" not in client.get("/stats/hearts/cards").text


@pytest.mark.parametrize(
    "asked", ["hearts/cards?how=eaten", "hecto-diversity/cards?how=led", "hearts/cards?player=nobody"]
)
def test_a_card_is_not_asked_for_what_it_cannot_tell(empty: Flask, asked: str) -> None:
    assert empty.test_client().get(f"/stats/{asked}").status_code == 404


def test_the_cost_of_each_kind_of_decision_stands_with_its_worst_hand_once_hands_are_reviewed(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "No hand of this game has been reviewed yet" in client.get("/stats/ruff/decisions").text
    played(ledger, "ruff", 2, ("cautious", "random") * 2, hands=1)
    with LuckStore(ledger) as store:
        store.catch_up()
        list(compute(store.hands(), store))
    told = client.get("/stats/ruff/decisions").text
    rows = client.get("/api/v1/stats/decisions?game=ruff").json["rows"]
    leads = client.get("/api/v1/stats/decisions?game=ruff&of=opening-leads").json["rows"]
    assert told.count('<th scope="row"') == len(rows) + len(leads) > 2
    assert client.get("/tables/decisions.csv?game=ruff&of=nothing").status_code == 404
    worst = next(row for row in rows if row["match"])
    assert f"/matches/{worst['match']}" in told
    assert "Most points are given up by this kind of decision" in told
    assert client.get("/tables/decisions.csv?game=ruff").text.count("\n") == len(rows) + 1
    assert client.get("/stats/nothing/decisions").status_code == 404


def test_after_a_bad_hand_the_page_says_what_the_table_says(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "Too few hands are recorded yet" in client.get("/stats/ruff/after-bad-hand").text
    played(ledger, "ruff", 8, ("cautious", "random") * 2, hands=8)
    told = client.get("/stats/ruff/after-bad-hand").text
    rows = client.get("/api/v1/stats/after-bad-hand?game=ruff").json["rows"]
    assert [row["player"] for row in rows].count(None) == 1
    assert told.count('<th scope="row"') == len(rows) > 2
    assert client.get("/tables/after-bad-hand.csv?game=ruff").text.count("\n") == len(rows) + 1
    by_result = client.get("/api/v1/stats/after-bad-hand?game=ruff&bad=result").json["rows"]
    assert len(by_result) == len(rows)
    assert client.get("/stats/ruff/after-bad-hand?bad=result").status_code == 200
    for wrong in (
        "/stats/nothing/after-bad-hand",
        "/stats/ruff/after-bad-hand?bad=x",
        "/tables/after-bad-hand.csv?game=ruff&bad=x",
    ):
        assert client.get(wrong).status_code == 404  # fmt: skip


def test_the_page_of_forecasts_says_what_the_table_says(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "Nothing could be foretold yet" in client.get("/forecasts").text
    assert client.get("/forecasts?game=ruff").status_code == 200
    for day in range(1, 7):
        events = simulate("ruff", 4, Random(day), ["cautious", "random"] * 2)
        opening = msgspec.structs.replace(events[0], date=f"2026-01-0{day}")
        ledger.record(None, [opening, *events[1:]], 0)
    told = client.get("/forecasts?game=ruff").text
    rows = client.get("/api/v1/stats/forecasts?game=ruff").json["rows"]
    assert {row["game"] for row in rows} == {"ruff"}
    assert told.count('<th scope="row"') == len(rows) > 2
    assert f"{rows[0]['brier']:.3f}" in told
    assert client.get("/api/v1/stats/forecasts").json["rows"] == rows
    assert client.get("/tables/forecasts.csv?game=ruff").text.count("\n") == len(rows) + 1
    assert 'href="/forecasts?game=ruff"' in client.get("/stats/ruff").text
    assert client.get("/forecasts?game=nothing").status_code == 404


def test_what_a_partners_call_was_worth_is_on_a_page(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "No hand with calls of a partner is recorded yet" in client.get("/stats/spades/partner-calls").text
    played(ledger, "spades", 3, ("cautious",) * 4)
    told = client.get("/stats/spades/partner-calls").text
    rows = client.get("/api/v1/stats/partner-calls?game=spades").json["rows"]
    assert told.count('<th scope="row"') == len(rows) > 1
    assert client.get("/tables/partner-calls.csv?game=spades").text.count("\n") == len(rows) + 1
    assert "/stats/spades/partner-calls" in client.get("/stats/spades").text
    for wrong in (
        "/stats/hearts/partner-calls",
        "/stats/nothing/partner-calls",
        "/stats/spades/partner-calls?of=x",
        "/tables/partner-calls.csv?game=hearts",
        "/api/v1/stats/partner-calls?game=hearts",
    ):
        assert client.get(wrong).status_code == 404, wrong  # fmt: skip


def test_a_split_is_made_or_refused_never_left_out_without_a_word(app: Flask, client: FlaskClient) -> None:
    told = cells(page(client, "/stats/ruff?by=turn"), "Measures of the field")
    assert {row[1][0] for row in told if row[0][0].startswith("Points a hand")} >= {"1", "2", "3", "4"}
    by_turn = client.get("/tables/field.csv?game=ruff&by=turn").text
    rows = [row for row in csv.DictReader(io.StringIO(by_turn.lstrip("\ufeff"))) if row["measure"] == "points"]
    assert [row["group"] for row in rows][:4] == ["1", "2", "3", "4"]
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows if row["low"])
    assert "group" in client.get("/tables/players.csv?game=ruff&by=turn").text.partition("\n")[0]
    for path in (
        "/stats/ruff/cards",
        "/stats/ruff/decisions",
        "/stats/ruff/after-bad-hand",
        "/stats/spades/partner-calls",
        "/stats/spades/partnerships",
        "/tables/cards.csv?game=ruff",
        "/tables/change.csv?player=ana",
        "/tables/points.csv?game=ruff",
    ):
        split = f"{path}{'&' if '?' in path else '?'}by=turn"
        refused = client.get(split)
        assert refused.status_code == 400, split
        assert "leave out" in refused.text, split
        assert client.get(split.replace("turn", "")).status_code == 200, split  # fmt: skip
    for link in links(page(client, "/stats/ruff?by=turn")) + links(page(client, "/players/ana?game=ruff&by=turn")):
        if link.startswith(("/stats/", "/tables/")) and not link.endswith("parquet"):
            assert client.get(link).status_code == 200, link


def test_whether_the_dealer_is_favoured_is_on_a_page(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "No complete hand" in client.get("/dealer").text
    played(ledger, "ruff", 3, ("cautious",) * 4)
    told = client.get("/dealer").text
    rows = client.get("/api/v1/stats/dealer").json["rows"]
    assert [row["game"] for row in rows] == [None, "ruff"]
    assert told.count('<th scope="row"') == len(rows)
    assert "Too few evenings to tell" in told
    assert client.get("/tables/dealer.csv").text.count("\n") == len(rows) + 1
    assert 'href="/dealer"' in client.get("/stats/ruff").text
    assert [row["game"] for row in client.get("/api/v1/stats/dealer?game=ruff").json["rows"]] == ["ruff"]


def test_two_players_head_to_head_have_a_chance_of_being_ahead_next_time(app: Flask, client: FlaskClient) -> None:
    told = page(client, "/players/ana/against/ben")
    rows = client.get("/api/v1/players/ana/head-to-head/ben").json["rows"]
    chances = [row["chance"] for row in rows if row["how"] == "against" and row["chance"] is not None]
    assert chances
    assert all(0 < chance < 1 for chance in chances)
    assert any(f"with a chance of {shown(chance, 'share')}" in " ".join(told.split()) for chance in chances)


def test_the_editions_below_a_table_lead_to_what_changed(client: FlaskClient) -> None:
    known = page(client, "/definitions")
    assert {row["edition"] for row in definitions().rows if row["game"] is None} <= {
        *re.findall(r' id="([^"]*)"', known)
    }
    for path in (
        "/players/ana?game=ruff",
        "/stats/ruff",
        "/stats/ruff/decisions",
        "/stats/ruff/cards",
    ):
        text = page(client, path)
        named = re.findall(r'<a href="/definitions#([^"]*)">([^<]*)</a>', text)
        assert named, path
        for place, said in named:
            assert place == said and f'id="{place}"' in known, path
    assert "Edition ruffs-1." in page(client, "/players/ana?game=ruff")
