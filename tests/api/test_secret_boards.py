"""A board of bridge at several tables: nothing of it is shown to readers until the last table has finished it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.record.readmodels import MODELS
from cardledger.study.stats.query import Query
from cardledger.study.stats.tables import Statistics
from cardledger_api.http.streams import Topic
from cardledger_api.resources.live import LedgerFeed
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_shared_deals import surfaces, told, totals
from tests.evenings.bridge import open_round, pairs, score_table
from tests.evenings.night import record

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

API = "/api/v1"
SLAM, PART = ("6NTXX", 0, 12), ("2C", 1, 8)


@pytest.fixture
def ledger_(empty: Flask) -> Ledger:
    return ledger_of(empty)


def of_evening(session: str) -> list[str]:
    """Return every address that shows an evening."""
    api, page = f"{API}/sessions/{session}", f"/evenings/{session}"
    of_api = [f"{api}{more}" for more in ("", "/events", "/ranking", "/travellers")]
    return [*of_api, *(f"{page}{more}" for more in ("", ".txt", "/screen")), "/evenings", "/evenings.atom"]


def everything(app: Flask, session: str, match: str) -> dict[str, str]:
    """Return what a reader sees of an evening, of a match and of its players, anywhere."""
    player = ledger_of(app).stream(match).table.players[0]
    addresses = [*of_evening(session), *surfaces(app, match, 1), *totals("bridge", player), f"/search?q={match}"]
    some = [address for address in addresses if not any(word in address for word in ("against", "other=", "/replay/"))]
    return told(as_role(app, "reader"), [*some, f"/matches/{match}.svg"])


def tells(answers: dict[str, str]) -> set[str]:
    """Return the addresses that tell the result of the slam: its contract or its points."""
    return {
        address for address, text in answers.items() if any(sign in text for sign in ("6NT", "1660", "1 660", "6♠"))
    }


def begun(ledger: Ledger) -> tuple[str, dict[int, str]]:
    """Open an evening of three tables with a board each; the slam of board 1 has been played at the first."""
    session = pairs(ledger, 3, 1)
    matches = open_round(ledger, session)
    score_table(ledger, matches[1], {1: SLAM})
    return session, matches


def finish(ledger: Ledger, session: str) -> str:
    """Play all other boards of an evening; return the match of the last table."""
    state = ledger.evenings.stream(session).state
    for round in (1, 2, 3):
        matches = open_round(ledger, session) if round > 1 else {}
        for table in (1, 2, 3):
            results = ledger.evenings.stream(session).state.results
            match = matches.get(table) or next(r.match for at, (_, r) in results.items() if at[:2] == (round, table))
            if not ledger.stream(match).table.hands and (round, table) != (3, 3):
                score_table(ledger, match, dict.fromkeys(state.tables(round)[table].boards, PART))
    return match


@pytest.mark.long
def test_a_board_is_secret_everywhere_until_the_last_table_has_finished_it(empty: Flask, ledger_: Ledger) -> None:
    session, matches = begun(ledger_)
    before = everything(empty, session, matches[1])
    assert tells(before) == set()
    of_match = {address: text for address, text in before.items() if matches[1] in address and "search" not in address}
    assert {text[:3] for text in of_match.values()} == {"403"}
    assert f'/matches/{matches[1]}"' not in before[f"/search?q={matches[1]}"]
    last = finish(ledger_, session)
    (waits,) = ledger_.evenings.stream(session).state.tables(3)[3].boards
    still = everything(empty, session, matches[1])
    assert bool(tells(still)) == (waits != 1), "board 1 opens with its own last table"
    score_table(ledger_, last, {waits: PART})
    after = everything(empty, session, matches[1])
    assert {text[:3] for address, text in after.items() if matches[1] in address} <= {"200", "302"}
    assert tells(after) >= {
        f"{API}/matches/{matches[1]}", f"{API}/matches/{matches[1]}/events", f"{API}/sessions/{session}/travellers",
        f"/evenings/{session}", f"/matches/{matches[1]}", f"{API}/export",
    }  # fmt: skip


def test_scorers_see_a_secret_board_and_closing_the_evening_opens_it(empty: Flask, ledger_: Ledger) -> None:
    session, matches = begun(ledger_)
    scorer, reader = as_role(empty, "scorer"), as_role(empty, "reader")
    travellers = f"{API}/sessions/{session}/travellers"
    assert scorer.get(f"{API}/matches/{matches[1]}").json["result"]["hands"][0]["contract"] == "6NTXX"
    assert len(scorer.get(travellers).json["boards"]) == 1
    assert reader.get(travellers).json["boards"] == []
    pages = (
        f"{API}/matches/{matches[1]}",
        *(f"/matches/{matches[1]}{more}" for more in ("", ".png", ".svg", ".jsonl")),
    )
    assert [reader.get(page).status_code for page in pages] == [403] * 5
    record(ledger_, session, {"type": "close"})
    assert len(reader.get(travellers).json["boards"]) == 1
    assert reader.get(f"{API}/matches/{matches[1]}").json["result"]["hands"][0]["contract"] == "6NTXX"


def test_results_and_rulings_without_a_match_are_secret_too(empty: Flask, ledger_: Ledger) -> None:
    session = pairs(ledger_, 3, 1)
    at = {"round": 1, "table": 1, "board": 1}
    record(
        ledger_, session, {"type": "result", **at, "contract": "6NTXX", "declarer": 0, "tricks": 12},
        {"type": "adjust", **at, "ns": 61, "ew": 39, "law": "12C2", "reason": "heard the result of the 6NT next door"},
        {"type": "amend", "about": 9, "event": {"type": "result", **at, "score": 1660}},
    )  # fmt: skip
    reader = as_role(empty, "reader")
    answers = told(reader, of_evening(session))
    assert tells(answers) == set()
    assert not any("next door" in text or "12C2" in text for text in answers.values())
    record(ledger_, session, {"type": "close"})
    assert tells(told(reader, of_evening(session))) >= {f"{API}/sessions/{session}", f"/evenings/{session}"}


def test_a_publication_during_play_shows_what_was_published_and_nothing_else(empty: Flask, ledger_: Ledger) -> None:
    session, _ = begun(ledger_)
    record(ledger_, session, {"type": "publish"})
    reader = as_role(empty, "reader")
    ranking = reader.get(f"{API}/sessions/{session}/ranking").json
    assert {row["played"] for row in ranking["ranking"]} == {0}
    assert max(row["played"] for row in ranking["published"][0]["ranking"]) == 1
    assert ranking["differences"] == []


def test_statistics_of_everybody_leave_the_match_out_until_it_is_open(empty: Flask, ledger_: Ledger) -> None:
    session, matches = begun(ledger_)
    scorer = as_role(empty, "scorer")
    player = ledger_.stream(matches[1]).table.players[0]

    def known() -> tuple[object, ...]:
        lists = (scorer.get(f"{API}/stats/{name}?game=bridge").text for name in ("ratings", "players"))
        return tuple(f'"{player}"' in text for text in lists)

    assert known() == (False, False)
    score_table(
        ledger_,
        finish(ledger_, session),
        dict.fromkeys(ledger_.evenings.stream(session).state.tables(3)[3].boards, PART),
    )
    assert known() == (True, True)
    before = [
        row for name in ("players", "seats", "counts") for row in ledger_.views.reader.query(f"SELECT * FROM {name}")
    ]
    for _ in ledger_.views.rebuild():
        pass
    after = [
        row for name in ("players", "seats", "counts") for row in ledger_.views.reader.query(f"SELECT * FROM {name}")
    ]
    assert before == after


def test_live_streams_of_readers_leave_out_matches_with_a_secret_board(ledger_: Ledger) -> None:
    session, matches = begun(ledger_)
    feed = LedgerFeed(ledger_)

    def told_of(topic: Topic) -> str:
        return "".join(news.data for news in feed.news(topic, 0))

    assert "6NTXX" in told_of(Topic(None, True))
    assert "6NTXX" not in told_of(Topic(None, False))
    assert told_of(Topic(matches[1], False)) == ""
    record(ledger_, session, {"type": "close"})
    assert "6NTXX" in told_of(Topic(None, False))


def boards_counted(stats: Statistics) -> dict[str, int]:
    """Return the number of boards of each player that count in statistics."""
    return {row["player"]: row["cases"] for row in stats.players("bridge", Query(), "points").rows}


def test_a_process_that_ended_before_it_showed_a_board_leaves_nothing_hidden(ledger_: Ledger) -> None:
    """Matches are shown in a transaction after the one that moves the position; here the second is undone.

    Statistics read in between count the match afterwards.
    """
    session, matches = begun(ledger_)
    record(ledger_, session, {"type": "close"})
    stats = Statistics(ledger_.views)
    whole = boards_counted(stats)
    assert set(whole.values()) == {1}
    with ledger_.views.file.writing() as db:
        db.execute("INSERT INTO secret_matches VALUES (?)", (matches[1],))
        for model in MODELS:
            if not model.lists_void:
                db.execute(model.delete, (matches[1],))
    boards_counted(between := Statistics(ledger_.views))
    ledger_.views.catch_up()
    assert [boards_counted(each) for each in (stats, between, Statistics(ledger_.views))] == [whole] * 3
