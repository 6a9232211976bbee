"""The page of violations: counted from every side, honestly related to hands, and each with a way to look at it."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING

import plotly.graph_objects as go
import pytest

from cardledger.record.readmodels.questions.violation_list import judged_hands
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from cardledger_web.figures.records import ahead, bars, by_month, form
from cardledger_web.languages import rule_name
from tests.web.club import opened, sign_in
from tests.web.test_pages import links, page
from tests.web.test_secrecy import under_way

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


@pytest.fixture
def found(client: FlaskClient) -> list[dict[str, object]]:
    """Every violation of the club's ledger, as the API tells them."""
    return client.get("/api/v1/violations?limit=200").json["violations"]


def facet(text: str, name: str) -> dict[str, int]:
    """Return a table of counts."""
    table = text.partition(f'aria-labelledby="by-{name}"')[2].partition("</table>")[0]
    rows = re.findall(r'<th scope="row"[^>]*>(.*?)</th>\s*<td><a [^>]*>(\d+)</a>', table, re.S)
    return {unescape(re.sub(r"<[^>]+>", "", name)): int(number) for name, number in rows}


def test_the_tables_add_up_from_every_side(client: FlaskClient, found: list[dict[str, object]]) -> None:
    text = page(client, "/violations")
    assert facet(text, "rule") == Counter(rule_name(str(violation["rule"])) for violation in found)
    assert facet(text, "player") == Counter(violation["player"] for violation in found)
    assert sum(facet(text, "game").values()) == sum(facet(text, "month").values()) == len(found)
    for name, box in zip(("rule", "player", "game"), re.findall(r'data-figure="([^"]+)"', text), strict=False):
        assert sum(json.loads(unescape(box))["data"][0]["x"]) == len(found), name


@pytest.mark.parametrize("by", ["rule", "player", "game"])
def test_a_number_links_to_exactly_those_violations(
    client: FlaskClient, found: list[dict[str, object]], by: str
) -> None:
    for value, number in Counter(str(violation[by]) for violation in found).items():
        text = page(client, f"/violations?{by}={value}")
        assert f"<b>{number} violation{'s' if number > 1 else ''}</b>" in text
        assert text.count('class="look"') == min(number, 25)


def test_days_narrow_the_list(client: FlaskClient, found: list[dict[str, object]]) -> None:
    text = page(client, "/violations")
    months = facet(text, "month")
    links_of_month = [link for link in links(text) if "since=" in link]
    assert [link.split("&")[0] for link in links_of_month] == [f"/violations?since={month}-01" for month in months]
    for link, number in zip(links_of_month, months.values(), strict=True):
        assert f"<b>{number} violation{'s' if number > 1 else ''}</b>" in page(client, link)
    assert "No violation fits" in page(client, "/violations?since=2030-01-01")


def test_pages_neither_repeat_nor_skip(client: FlaskClient, found: list[dict[str, object]]) -> None:
    path, seen = "/violations", []
    while path:
        text = page(client, path)
        seen += re.findall(r'/matches/([^/"]+)/audit\?at=(\d+)#e\2"', text.partition('id="doubtful"')[0])
        following = re.search(r'<a rel="next" href="([^"#]+)', text)
        path = unescape(following[1]) if following else ""
    assert seen == [(violation["match"], str(violation["seq"])) for violation in found]


def test_rates_count_only_hands_that_were_judged_card_by_card(app: Flask, client: FlaskClient) -> None:
    ledger = ledger_of(app)
    hands = broken = 0
    for match in ledger.matches():
        table = ledger.stream(match).table
        if table.opening.policy == "record":
            judged = [hand for hand in table.hands if hand.scores and not hand.agreed and hand.claimed is None]
            hands += len(judged)
            broken += sum(hand.first <= one.seq <= (hand.last or 0) for hand in judged for one in table.violations)
    text = " ".join(page(client, "/violations").split())
    assert f"<b>{100 * broken / hands:.1f}</b> per 100 hands: {broken} in {hands} hands." in text


def test_a_reader_gets_no_events_of_a_hand_under_way(empty: Flask) -> None:
    under_way(empty)
    assert "1 violation</b>" in page(empty.test_client(), "/violations")
    assert "broken <a" in page(empty.test_client(), "/games/ruff")
    sign_in(empty, "reader")
    client = empty.test_client()
    assert "Nothing irregular is recorded" in page(client, "/violations")
    assert "broken <a" not in page(client, "/games/ruff")
    assert "broke " not in page(client, "/hands")
    assert "None that counts" in page(client, "/players/random-b")


def test_plotly_accepts_the_figures_and_names_in_them_are_text() -> None:
    names = ["<b>x</b>", *("n" * 60 + str(number) for number in range(15))]
    drawn = [
        bars(names, list(range(16, 0, -1)), "violations"),
        by_month(["2026-11", "2016-01"], [2, 1], "violations"),
        form(["2026-11-21"] * 3, [1, 2, 3], [1, 1, 2]),
        ahead("<b>x</b>", ["2026-11-21"], [-3]),
    ]
    for figure in drawn:
        data = json.loads(figure.to_json())
        assert go.Figure(data).to_plotly_json()["data"]
        assert len(json.dumps(data)) < 4000
    assert drawn[0].data[0].y[0] == "\u2068&lt;b&gt;x&lt;/b&gt;\u2069"
    assert len(set(drawn[0].data[0].y)) == 13
    assert sum(drawn[0].data[0].x) == sum(range(17))
    assert len(drawn[1].data[0].x) == 60


@pytest.mark.parametrize("query", ["after=1", "since=yesterday"])
def test_a_wrong_question_is_a_friendly_400(client: FlaskClient, query: str) -> None:
    assert "does not make sense" in page(client, f"/violations?{query}", 400)


# --- doubtful score sheets


@pytest.mark.long
def test_doubtful_score_sheets_are_listed_with_links_to_their_hands(empty: Flask) -> None:
    client = empty.test_client()
    sheet = [ev.Deal(dealer=0, hands=None), ev.Score(scores=(4, 4, 4, 4))]
    assert "Doubtful" not in page(client, "/violations")
    matches = [ledger_of(empty).record(None, [opened(), *sheet], 0).match for _ in range(11)]
    text = page(client, "/violations")
    assert "Nothing irregular is recorded" in text  # no rule was broken by them
    assert text.count("a hand has 13 tricks, so its points add up to 13, not to 16") == 10
    assert f"/matches/{matches[-1]}/hands/1" in links(text)
    assert matches[0] not in text
    (more,) = (link for link in links(text) if "doubtful=true" in link)
    assert page(client, unescape(more)).count("doubtful points:") == 11
    assert "Doubtful" not in page(client, "/violations?rule=follow.suit")
    assert "Doubtful" not in page(client, "/violations?player=nobody")
    assert "Doubtful" in page(client, "/violations?game=diversity&player=a")
    assert "The points of hand 1 are doubtful: a hand has 13 tricks" in page(client, f"/matches/{matches[0]}")


def test_hands_of_score_sheets_do_not_make_the_page_slower(empty: Flask) -> None:
    """Nothing is looked up for each hand: SQLite takes hardly more steps with two hundred hands than with two."""
    ledger = ledger_of(empty)

    def steps() -> int:
        taken = []
        with ledger.views.reader.snapshot() as reader:
            assert reader.held is not None
            reader.held.set_progress_handler(lambda: taken.append(1), 10)
            judged_hands(ledger, under_way=False)
            reader.held.set_progress_handler(None, 10)
        return len(taken)

    numbers = []
    for hands in (2, 200):
        lines = [
            event
            for hand in range(hands)
            for event in (ev.Deal(dealer=hand % 4, hands=None), ev.Score(scores=(1, 2, 4, 6)))
        ]
        ledger.record(None, [ev.Open(game="diversity", players=(*"abcd",), options={"hands": hands}), *lines], 0)
        numbers.append(steps())
    assert numbers[1] < 3 * numbers[0], "in tens of steps"
