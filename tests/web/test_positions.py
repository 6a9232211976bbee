"""The positions of a hand as the replayer asks for them: drawn like their pages, and as visible; other lines too."""

from __future__ import annotations

import gzip
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.api.recording import as_role, match_of
from tests.conftest import EVERYDAY
from tests.web.test_pages import matches, page
from tests.web.test_replay import hand_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask
    from flask.testing import FlaskClient


def drawn_positions(client: FlaskClient, match: str, hand: int = 1, query: str = "") -> list[list[str]]:
    """Return the table, the event and the choices of each position of a hand, as the script puts them together."""
    answer = client.get(f"/matches/{match}/hands/{hand}/positions{query}")
    assert answer.status_code == 200, answer.text
    pieces = answer.json["pieces"]
    return [["".join(pieces[place] for place in places) for places in parts] for parts in answer.json["positions"]]


@pytest.mark.parametrize("game", EVERYDAY)
def test_the_script_shows_every_position_as_its_page_draws_it(client: FlaskClient, game: str) -> None:
    """With buttons in the place of cards that can be tried, or that lead to the event that played them."""
    for match in matches(client, f"&game={game}")[:2]:
        answer = hand_of(client, match)
        shown = drawn_positions(client, match)
        assert len(shown) == len(answer["steps"])
        for seq in (answer["first"], answer["first"] + len(shown) // 2, answer["last"]):
            text = page(client, f"/matches/{match}/replay/{seq}")
            table, event, _ = shown[seq - answer["first"]]
            assert event.strip() in text
            assert without_buttons(table) in text


def test_cards_that_were_played_lead_to_the_event_that_played_them(client: FlaskClient) -> None:
    """With two packs a card is played twice; no button leads to an event to come."""
    for game in ("poison-hearts", "ruff"):
        for match in matches(client, f"&game={game}")[:2]:
            plays = {step["seq"]: step["counts"] for step in hand_of(client, match)["steps"]}
            first = hand_of(client, match)["first"]
            for seq, (table, *_) in enumerate(drawn_positions(client, match), first):
                led = re.findall(r'data-face="([^"]+)" [^>]*data-seat="(\d)" data-seq="(\d+)"', table)
                assert len(led) == table.count("data-seq") == table.count('<li class="played">')
                for face, seat, at in led:
                    assert int(at) <= seq
                    assert plays[int(at)].items() >= {"type": "play", "seat": int(seat), "card": face}.items()


def without_buttons(table: str) -> str:
    plain = re.sub(r' type="button" data-seat="\d"(?: data-move="[^"]*")?(?: data-seq="\d+")?', ' role="img"', table)
    plain = plain.replace('role="toolbar"', 'role="group"')
    return plain.replace("<button", "<span").replace("</button>", "</span>")


def test_positions_have_a_tag_and_are_not_sent_twice(client: FlaskClient) -> None:
    (match,) = matches(client, "&game=ruff")[:1]
    first = client.get(f"/matches/{match}/hands/1/positions")
    again = client.get(f"/matches/{match}/hands/1/positions", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(f"/matches/{match}/hands/1/positions?view=1").headers["ETag"] != first.headers["ETag"]


def test_positions_that_are_not_there_are_refused(client: FlaskClient) -> None:
    (match,) = matches(client, "&game=ruff")[:1]
    assert client.get(f"/matches/{match}/hands/999/positions").status_code == 404
    assert client.get(f"/matches/{match}/hands/0/positions").status_code == 404
    assert client.get(f"/matches/{match}/hands/1/positions?view=9").status_code == 422
    assert client.get(f"/matches/{match}/hands/1/positions?until=x").status_code == 404
    assert client.get("/matches/nothing/hands/1/positions").status_code == 404


@pytest.mark.parametrize("game", EVERYDAY)
def test_the_positions_of_a_hand_fit_into_one_answer(game: str, empty: Flask) -> None:
    """What repeats is sent once: also without compression an answer is no larger than a picture."""
    match = ledger_of(empty).record(None, simulate(game, 4, Random(1), ["cautious"], max_hands=1), 0).match
    answer = empty.test_client().get(f"/matches/{match}/hands/1/positions")
    assert len(answer.data) < 4_000 * len(answer.json["positions"])
    assert len(gzip.compress(answer.data)) < 40_000


# --- who may see which position


def faces(tables: Iterable[str]) -> set[str]:
    return set(re.findall(r'data-face="([^"]+)"', "".join(tables)))


def under_way(app: Flask, game: str, events: int) -> tuple[str, set[str], set[str]]:
    """Record the beginning of a hand; return the match, the cards of seat 1 as dealt, and the cards played."""
    recorded = match_of(game, hands=1)[:events]
    match = ledger_of(app).record(None, recorded, 0).match
    (deal,) = (event for event in recorded if isinstance(event, ev.Deal))
    assert deal.hands is not None
    return match, set(deal.hands[1]), {event.card for event in recorded if isinstance(event, ev.Play)}


def test_positions_of_a_hand_under_way_hide_what_the_page_hides(empty: Flask) -> None:
    match, _, played = under_way(empty, "ruff", 6)
    scorer, reader = empty.test_client(), as_role(empty, "reader")
    whole = faces(table for table, *_ in drawn_positions(scorer, match))
    assert len(whole) > 40
    for client, query in ((reader, ""), (reader, "?view=spectator"), (scorer, "?embed=1"), (reader, "?until=6")):
        parts = drawn_positions(client, match, query=query)
        assert faces(table for table, *_ in parts) == played
        told = "".join(event + choices for _, event, choices in parts)
        assert not re.search(r"data-move|is one of the cards", told)
    for query in ("view=all", "view=0", "view=0&until=6"):
        assert reader.get(f"/matches/{match}/hands/1/positions?{query}").status_code == 403
        assert scorer.get(f"/matches/{match}/hands/1/positions?{query}&embed=1").status_code == 403


def test_the_view_of_a_seat_has_the_cards_of_that_seat_only(empty: Flask) -> None:
    match, own, _ = under_way(empty, "ruff", 6)
    scorer = empty.test_client()
    plays = [event for event in ledger_of(empty).events(match) if isinstance(event, ev.Play)]
    shown = drawn_positions(scorer, match, query="?view=1")
    for seq, (table, _, choices) in enumerate(shown, 1):
        on_table = {play.card for place, play in enumerate(plays, 3) if place <= seq}
        assert faces([table]) <= own | on_table
        moves = re.findall(r'data-move="([^"]+)"', table + choices)
        assert all(move == "?" or move.startswith("play.1.") for move in moves), "its own cards, or to begin a line"
    assert own <= faces(table for table, *_ in shown)


def test_nothing_of_a_later_event_is_among_positions_that_stop(empty: Flask) -> None:
    events = simulate("ruff", 4, Random(1), ["cautious"], max_hands=2)
    match = ledger_of(empty).record(None, events, 0).match
    client = empty.test_client()
    until = drawn_positions(client, match, query="?until=20&view=spectator")
    assert len(until) == 20
    played = {event.card for event in events[:20] if isinstance(event, ev.Play)}
    assert faces(table for table, *_ in until) <= played
    assert client.get(f"/matches/{match}/hands/2/positions?until=20").status_code == 404


# --- other lines


def tried(client: FlaskClient, match: str, seq: int, line: str) -> Any:
    answer = client.get(f"/matches/{match}/replay/{seq}/what-if", query_string={"line": line})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_line_is_tried_move_by_move_and_drawn(empty: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events, 0).match
    client, line, at = empty.test_client(), list[str](), 10
    table = drawn_positions(client, match)[at - 1][0]
    while moves := re.findall(r'data-move="([^"]+)"', table):
        line.append(moves[-1])
        found = tried(client, match, at, "~".join(line))
        assert (found["moves"], found["trouble"]) == (line, "")
        table = found["table"]
        assert "data-seq" not in table
    assert len(line) > 30
    assert "The hand would be over" in table
    assert "Totals would be" in found["words"]
    assert client.get(f"/api/v1/matches/{match}").json["seq"] == len(events)


def test_tables_that_scripts_show_speak_the_language_of_the_page(empty: Flask) -> None:
    match = ledger_of(empty).record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match
    client = empty.test_client()
    client.set_cookie("lang", "de")
    table = drawn_positions(client, match)[9][0]
    assert "am Zug" in table
    (move, *_) = re.findall(r'data-move="([^"]+)"', table)
    assert tried(client, match, 10, move)["words"].startswith("Nach Ereignis 10, nirgends gespeichert:")


def test_a_line_goes_up_to_the_move_that_is_refused(empty: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events, 0).match
    client = empty.test_client()
    (move, *_) = re.findall(r'data-move="([^"]+)"', drawn_positions(client, match)[9][0])
    for wrong in (move, "play.x", "deal", "play.1.9S.4", "nothing.1", "play.1.%E0", "score.1"):
        found = tried(client, match, 10, f"{move}~{wrong}")
        assert found["moves"] == [move]
        assert found["trouble"]
        assert tried(client, match, 10, wrong if wrong != move else "x")["moves"] == []
    assert client.get(f"/matches/{match}/replay/999/what-if?line={move}").status_code == 404


def test_nobody_tries_lines_with_cards_that_they_may_not_see(empty: Flask) -> None:
    match, _, _ = under_way(empty, "ruff", 6)
    scorer, reader = empty.test_client(), as_role(empty, "reader")
    (move, *_) = re.findall(r'data-move="([^"]+)"', drawn_positions(scorer, match)[-1][0])
    assert tried(scorer, match, 6, move)["moves"] == [move]
    for at in (1, 2, 6):
        assert reader.get(f"/matches/{match}/replay/{at}/what-if?line={move}").status_code == 403
        assert scorer.get(f"/matches/{match}/replay/{at}/what-if?line={move}&embed=1").status_code == 403


@pytest.mark.parametrize("game", ["ruff", "hearts"])
@pytest.mark.parametrize("query", ["", "embed=1"])
def test_who_follows_gets_only_what_is_new_and_has_the_same_as_who_comes_then(
    empty: Flask, game: str, query: str
) -> None:
    ledger, events = ledger_of(empty), match_of(game, hands=1)
    first = next(place for place, event in enumerate(events) if isinstance(event, ev.Play)) + 1
    match = ledger.record(None, events[:first], 0).match
    client = empty.test_client()
    path = f"/matches/{match}/hands/1/positions?{query}"
    had = client.get(path).json
    for seq in range(first, first + 5):
        ledger.record(match, events[seq : seq + 1], seq)
        answer = client.get(f"{path}&after={seq}")
        news, whole = answer.json, client.get(path).json
        assert len(answer.data) < len(client.get(path).data) / 2
        own = [*dict.fromkeys(place for places in had["positions"][-1] for place in places)]
        count, length = news["known"]
        assert (len(own), sum(len(had["pieces"][place]) for place in own)) == (count, length)
        pieces = [had["pieces"][place] for place in own] + news["pieces"]
        said = [["".join(pieces[place] for place in places) for places in parts] for parts in news["positions"]]
        now = whole["positions"][seq - whole["first"] + 1 :]
        assert said == [["".join(whole["pieces"][place] for place in places) for places in parts] for parts in now]
        assert (news["line"], len(news["log"])) == (whole["line"], 1)
        had = whole
    ledger.record(match, [ev.Retract(to=first + 3)], first + 5)
    assert client.get(f"{path}&after={first + 5}").json == {"again": True}, "what was shown has changed"
