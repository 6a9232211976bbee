"""Pages of players: numbers are the sums of the hands, and each links to the hands behind it, for any name."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from tests.web.club import HOSTILE, LONG_AGO
from tests.web.test_pages import links, page

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

STRANGE = (
    "a/b",
    "..",
    ".",
    "a//b",
    "/a",
    "50%",
    "a%2Fb",
    "x/against/y",
    "?q=1#e",
    "new",
    "à la carte",
    "+",
    "%25",
    "&amp;",
)


def number_of_hands(client: FlaskClient, path: str) -> int:
    """Return how many hands a list has, on all its pages."""
    number = 0
    while path:
        text = page(client, path)
        number += text.count('<li class="found">')
        found = re.search(r'<a rel="next" href="([^"]+)"', text)
        path = unescape(found[1]) if found else ""
    return number


def cells(text: str, label: str) -> list[list[tuple[str, str]]]:
    """Return the rows of a table, cells with their text and first link."""
    table = text.partition(f'"{label}"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.findall(r"<t[hd].*?</t[hd]>", row, re.S) for row in re.findall(r"<tr.*?</tr>", table, re.S)]
    return [
        [(unescape(" ".join(re.sub(r"<[^>]+>", " ", cell).split())), unescape((re.findall(r'href="([^"]+)"', cell) or [""])[0]))
         for cell in row]
        for row in rows
    ]  # fmt: skip


def test_results_are_the_sums_of_the_hands(app: Flask, client: FlaskClient) -> None:
    ledger = ledger_of(app)
    wanted = {}
    for match in ledger.matches():
        table = ledger.stream(match).table
        if "ana" in table.players:
            seat = table.players.index("ana")
            which = "fewest" if table.game.scoring.fewest else "most"
            row = wanted.setdefault((table.game.title, table.n, which), Counter())
            row["matches"] += 1
            row["hands"] += sum(hand.scores is not None for hand in table.hands)
            row["points"] += table.totals[seat]
            row["won"] += seat in table.winners
            row["complete"] += table.status == "complete"
    shown = {}
    for game, matches, hands, a_hand, won, *_ in cells(page(client, "/players/ana"), "Results by game"):
        title, seats, which = re.fullmatch(r"(.*) (\d) players, (\w+) points win", game[0]).groups()
        shown[title, int(seats), which] = (matches[0], hands[0], a_hand[0].replace("\u2212", "-"), won[0])
    assert shown == {
        key: (
            str(row["matches"]), str(row["hands"]), f"{row['points'] / row['hands']:.2f}",
            f"{row['won']} of {row['complete']}",
        )
        for key, row in wanted.items()
    }  # fmt: skip


def test_every_number_of_hands_links_to_that_many_hands(client: FlaskClient) -> None:
    text = page(client, "/players/ana?game=ruff")
    for label in ("Results by game", "by-seat", "by-month"):
        for row in cells(text, label):
            number, link = row[2]
            assert number_of_hands(client, link) == int(number), link


@pytest.mark.long
def test_every_number_of_matches_links_to_that_many_matches(client: FlaskClient) -> None:
    text = page(client, "/players/ana?game=diversity")
    for label in ("by-seat", "by-month"):
        for row in cells(text, label):
            number, link = row[1]
            assert len(cells(page(client, link), "matches")) == int(number), link
    for link in {link for link in links(text) if "place=" in link}:
        number = re.search(re.escape(link).replace("&", "&amp;") + r'">(\d+)<', text)[1]
        assert len(cells(page(client, link.partition("#")[0]), "matches")) == int(number), link


def test_matches_come_in_pages_that_neither_repeat_nor_skip(empty: Flask) -> None:
    ledger = ledger_of(empty)
    for day in range(23):
        opening = ev.Open(
            game="ruff", players=("a", "b", "c"), options={"rounds": 1}, date=f"2026-11-{1 + day // 2:02}"
        )
        ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(day, 1, 2))], 0)
    client = empty.test_client()
    path, seen = "/players/a", []
    while path:
        text = page(client, path)
        seen += [row[2][0] for row in cells(text, "matches")]
        found = re.search(r'<a rel="next" href="([^"#]+)', text)
        path = unescape(found[1]) if found else ""
    assert seen == [str(day) for day in reversed(range(23))]
    assert "data-figure" in page(client, "/players/a")
    assert len(cells(page(client, "/players/a?place=2"), "matches")) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", [*STRANGE, *HOSTILE])
def test_a_player_has_a_page_whatever_the_name(empty: Flask, name: str) -> None:
    ledger_of(empty).record(None, [ev.Open(game="ruff", players=(name, "b", "c"), at=LONG_AGO)], 0)
    client = empty.test_client()
    (path,) = {
        link for link in links(page(client, "/players?q=" + quote(name))) if re.fullmatch(r"/players/[^?]+", link)
    }
    # What a browser does to an address before it asks: single dots and double dots go, also encoded ones.
    assert not any(unquote(part) in (".", "..", "") for part in path.split("/")[1:])
    for address in (path, f"{path}/against/b"):
        text = page(client, address)
        heading = unescape(re.sub(r"<[^>]+>", "", re.search(r"<h1>(.*?)</h1>", text, re.S)[1]))
        assert heading.startswith(name)


@pytest.mark.parametrize("path", ["/players/nobody", "/players/ana?game=skat", "/players/ana?seats=9", "/players/%FF",
                                  "/players/ana/against/ana", "/players/ana/against/nobody"])  # fmt: skip
def test_an_unknown_player_is_a_friendly_404(client: FlaskClient, path: str) -> None:
    assert "There is nothing here" in page(client, path, 404)


@pytest.mark.parametrize("query", ["after=x", "seat=x", "seats=-1", "since=x"])
def test_a_wrong_question_is_a_friendly_400(client: FlaskClient, query: str) -> None:
    assert "does not make sense" in page(client, f"/players/ana?{query}", 400)


def test_the_list_finds_people_with_their_changes(client: FlaskClient) -> None:
    everyone = {row["id"]: row for row in client.get("/api/v1/players?limit=200").json["players"]}
    rows = cells(page(client, "/players"), "Players")
    assert {row[0][0]: (int(row[1][0]), int(row[3][0])) for row in rows} == {
        " ".join(name.split()): (told["matches"], told["hands"]) for name, told in everyone.items()
    }
    assert [int(row[3][0]) for row in rows] == sorted((int(row[3][0]) for row in rows), reverse=True)
    assert [row[0][0] for row in cells(page(client, "/players?q=AN"), "Players")] == ["ana", "hana"]
    named = [row[0][0] for row in cells(page(client, "/players?order=name&game=ruff"), "Players")]
    assert named == sorted(named)
    assert "Nobody fits" in page(client, "/players?q=zzz")
    assert "Nobody fits" in page(client, "/players?page=99")


def test_head_to_head_counts_the_matches_both_sat_in(app: Flask, client: FlaskClient) -> None:
    ledger = ledger_of(app)
    wanted = {}
    for match in ledger.matches():
        table = ledger.stream(match).table
        if {"ana", "ben"} <= {*table.players}:
            ana, ben = (table.totals[table.players.index(name)] for name in ("ana", "ben"))
            row = wanted.setdefault((table.game.id, table.n), Counter())
            row["matches"] += 1
            row["difference"] += ana - ben
            if table.status == "complete":
                better = ana < ben if games()[table.game.id].scoring.fewest else ana > ben
                row["level" if ana == ben else "ana" if better else "ben"] += 1
    rows = cells(page(client, "/players/ana/against/ben"), "Head to head by game")
    assert len(rows) == len(wanted)
    for game, matches, hands, ana, ben, level, difference in rows:
        row = wanted[re.search(r"game=([\w-]+)", game[1])[1], int(re.search(r"seats=(\d)", game[1])[1])]
        assert [int(cell[0]) for cell in (matches, ana, ben, level)] == [
            row[key] for key in ("matches", "ana", "ben", "level")
        ]
        assert float(difference[0].split()[0].replace("\u2212", "-")) == pytest.approx(
            row["difference"] / int(hands[0]), abs=0.0051
        )
        assert len(cells(page(client, game[1]), "Matches together")) == row["matches"]


def test_two_players_who_never_met_get_a_note(client: FlaskClient) -> None:
    assert "never sat at one table" in page(client, f"/players/ana/against/{quote(HOSTILE[3])}")


def test_hostile_names_are_inert(client: FlaskClient) -> None:
    for path in ("/players", "/hands", f"/players/{quote(HOSTILE[2], safe='').replace('%2F', '%252F')}"):
        text = page(client, path)
        assert "<img src=x" not in text
        text = re.sub(r'data-figure="[^"]*"|<svg.*?</svg>|<title>.*?</title>|="[^"]*"', "", text, flags=re.S)
        assert len(re.findall(r"<bdi[^>]*>[^<]*\u202e[^<]*</bdi>", text)) == text.count("\u202e") > 0
