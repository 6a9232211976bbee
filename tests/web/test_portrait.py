"""A player at a glance: the sentences say what the tables say, and every mark of a figure leads to what it shows."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.people.people import Name
from cardledger.rules.engine import events as ev
from cardledger.rules.games import game
from cardledger.study.stats import Query, Statistics
from cardledger_web.app import ledger_of
from cardledger_web.views.portrait import PortraitView
from tests.web.test_pages import page
from tests.web.test_stats_pages import played

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

TAGS = re.compile(r"<[^>]+>")
WEEKLY = ("cautious-a", "random-b", "cautious-c", "random-d", "random-e")
BOTS = ("cautious", "random", "cautious", "random", "random")


def figures(text: str) -> dict[str, dict[str, Any]]:
    """Return the figures of a glance by their captions, as Plotly's JSON."""
    found = re.findall(
        r'<figcaption[^>]*>([^<]*)</figcaption>(?:\s*<p(?:(?!</p>).)*</p>\s*)?<div [^>]*data-figure="([^"]*)"',
        text,
        re.DOTALL,
    )
    return {caption: json.loads(unescape(drawn)) for caption, drawn in found}


def said(text: str) -> list[str]:
    """Return the sentences of a glance."""
    some = re.findall(r'<p class="said">(.*?)</p>', text, re.DOTALL)
    for listed in re.findall(r'<ul class="said">(.*?)</ul>', text, re.DOTALL):
        some += re.findall(r"<li>(.*?)</li>", listed, re.DOTALL)
    return [" ".join(TAGS.sub("", one).split()) for one in some]


def addresses(drawn: dict[str, Any]) -> list[str]:
    return [about[1] for trace in drawn["data"] if "linked" in trace.get("meta", ()) for about in trace["customdata"]]


def choices(text: str) -> list[tuple[str, str]]:
    """Return what is chosen in words, with the addresses that take it back."""
    found = re.findall(r'<a class="taken" href="([^"]*)"><bdi>(.*?)</bdi>', text)
    return [(unescape(words), unescape(address)) for address, words in found]


def current(text: str, caption: str) -> list[str]:
    """Return the addresses of the marks that a picture says are chosen, first on a desk and then on a phone."""
    (drawn,) = re.findall(rf"<figcaption>{caption}</figcaption>(.*?)</figure>", text, re.DOTALL)
    return [unescape(one) for one in re.findall(r'<a href="([^"]*)" aria-current="true">', drawn)]


@pytest.fixture
def league(empty: Flask) -> Flask:
    """A league in which one of two kinds of bots is much better, on days far apart."""
    played(ledger_of(empty), "diversity", 30, BOTS)
    return empty


@pytest.fixture
def year(empty: Flask) -> Flask:
    """A like league by its score sheets, a match a week."""
    chance = Random(1)
    for number in range(30):
        seated = chance.sample(WEEKLY, 4)
        day = (date(2026, 1, 6) + timedelta(weeks=number)).isoformat()
        opening = ev.Open(game="diversity", players=tuple(seated), date=day, event="club", options={"hands": 2})
        points = [[chance.randrange(4) + 2 * one.startswith("random") for one in seated] for _ in range(2)]
        hands = [
            event
            for dealer, one in enumerate(points)
            for event in (ev.Deal(dealer=dealer, hands=None), ev.Score(scores=tuple(one)))
        ]
        ledger_of(empty).record(None, [opening, *hands], 0)
    return empty


def test_a_glance_says_who_is_better_and_who_is_worse(league: Flask) -> None:
    table = Statistics.of(ledger_of(league).views).players("diversity", Query())
    client = league.test_client()
    assert {row["verdict"] for row in table.rows} == {"better", "worse"}
    for row in table.rows:
        first, *_ = said(page(client, f"/players/{row['player']}?game=diversity"))
        assert first.startswith(f"{row['verdict'].capitalize()} than the average of 5 players, by more than chance")
    better = [row["player"] for row in table.rows if row["verdict"] == "better"]
    assert said(page(client, "/stats/diversity"))[0] == (
        f"Better than the average by more than chance: {', '.join(better)}."
    )


@pytest.mark.parametrize("path", ["/players/ana?game=ruff", "/players/ana?game=ruff&measure=violations", "/season"])
def test_every_mark_leads_to_a_page(client: FlaskClient, path: str) -> None:
    found = {address for drawn in figures(page(client, path)).values() for address in addresses(drawn)}
    assert found
    for address in found:
        page(client, address)


@pytest.fixture
def friends(empty: Flask) -> Flask:
    """Three evenings of four friends in three months, each with a deal by everybody."""
    for day, points in (("2026-03-03", (0, 4, 4, 5)), ("2026-04-10", (8, 1, 2, 2)), ("2026-06-17", (1, 4, 3, 5))):
        for dealer in range(4):
            opening = ev.Open(game="diversity", players=tuple("abcd"), date=day, event=day, options={"hands": 1})
            ledger_of(empty).record(None, [opening, ev.Deal(dealer=dealer, hands=None), ev.Score(scores=points)], 0)
    return empty


def test_a_day_chosen_filters_the_other_figures_and_the_course_goes_on_around_it(friends: Flask) -> None:
    client = friends.test_client()
    whole = figures(page(client, "/players/a?game=diversity"))["How it has gone"]
    days = addresses(whole)
    assert len(days) == 3
    seen = page(client, days[1])
    course = figures(seen)["How it has gone"]
    (chosen,) = [trace for trace in course["data"] if trace.get("meta", {}).get("chosen")]
    ((said, back),) = chosen["customdata"]
    assert said.startswith("10 April 2026") and said.endswith("Chosen: show all again")
    assert back == "/players/a?game=diversity"
    assert {*addresses(course)} == {days[0], days[2], back}, "the other days can be chosen instead"
    assert choices(seen) == [("only 10 April 2026", back)]
    found = re.search(r"Points a hand</summary>.*?<td><b>([^<]*)</b>", seen, re.DOTALL)
    assert found is not None
    assert found[1] == "8.00"


def test_what_is_chosen_is_marked_where_it_was_chosen_and_one_link_takes_it_back(year: Flask) -> None:
    client, start = year.test_client(), "/players/random-b?game=diversity"
    whole = page(client, start)
    assert not choices(whole) and 'aria-current="true"' not in "".join(re.findall(r"<svg.*?</svg>", whole, re.DOTALL))
    stands_out = figures(whole)["What stands out"]
    measure = next(one for one in addresses(stands_out) if "measure=wins" in one)
    other = next(one for one in addresses(stands_out) if "against=" in one)
    day = addresses(figures(whole)["How it has gone"])[0]
    for chosen, caption in ((measure, "What stands out"), (other, "What stands out"), (day, "How it has gone")):
        seen = page(client, chosen)
        assert current(seen, caption) == [start] * 2, chosen
        assert [address for _, address in choices(seen)] == [start]


def test_the_days_of_a_season_go_on_around_the_one_that_is_chosen(year: Flask) -> None:
    client = year.test_client()
    whole = figures(page(client, "/season?event=club"))["Days of play"]
    day = addresses(whole)[2]
    seen = page(client, day)
    assert current(seen, "Days of play") == ["/season?event=club"] * 2
    assert len(addresses(figures(seen)["Days of play"])) == len(addresses(whole)) == 30
    assert re.search(r'<a class="taken" href="/season\?event=club">', seen)
    assert ">1 match<" in seen, "all but the days is of that day"
    latest = page(client, addresses(figures(page(client, "/season"))["Days of play"])[0])
    assert current(latest, "Days of play") == ["/season?since=2026-01-01&until=2026-12-31"] * 2


def test_what_is_chosen_adds_up_and_each_is_taken_back_alone(year: Flask) -> None:
    client = year.test_client()
    stands_out = figures(page(client, "/players/random-b?game=diversity&measure=wins"))["What stands out"]
    other = next(one for one in addresses(stands_out) if "against=" in one)
    assert "measure=wins" in other, "the measure stays chosen"
    seen = page(client, other)
    month = next(one for one in addresses(figures(seen)["How it has gone"]) if "since=" in one)
    seen = page(client, month)
    words = [words for words, _ in choices(seen)]
    assert words[0].startswith("from ") and words[1].startswith("with ") and words[2] == "measure: Matches won"
    assert len(current(seen, "How it has gone")) == 2
    for _, address in choices(seen):
        assert len(choices(page(client, address))) == 2


def test_a_measure_chosen_is_shown_month_by_month(friends: Flask) -> None:
    client = friends.test_client()
    drawn = figures(page(client, "/players/a?game=diversity&measure=wins"))["How it has gone"]
    rows = client.get("/api/v1/players/a/stats?game=diversity&by=month").json["rows"]
    of = [row for row in rows if row["measure"] == "wins"]
    assert [row["value"] for row in of] == [1.0, 0.0, 1.0]
    assert drawn["data"][0]["y"] == [1.0, 0.0, 1.0]
    assert drawn["data"][1]["y"] == [row["others"] for row in of]
    march, april, june = drawn["data"][0]["x"]
    assert (april - march, june - april) == (31, 61), "a pause is as long as it was"


def test_a_player_has_a_picture_to_show(client: FlaskClient) -> None:
    picture = client.get("/players/ana/games/ruff.png")
    assert picture.data.startswith(b"\x89PNG")
    again = client.get("/players/ana/games/ruff.png", headers={"If-None-Match": picture.headers["ETag"]})
    assert again.status_code == 304
    drawn = client.get("/players/ana/games/ruff.svg")
    assert drawn.content_type == "image/svg+xml; charset=utf-8"
    assert "<script" not in drawn.text
    for path in ("/players/nobody/games/ruff.png", "/players/ana/games/chess.svg", "/players/ana/games/chess.png"):
        assert client.get(path).status_code == 404, path


def test_the_picture_rises_where_a_player_does_better(friends: Flask) -> None:
    with friends.test_request_context():
        views = ledger_of(friends).views
        found = PortraitView(Statistics.of(views), "a", game("diversity"), Query(), None, ()).portrait(
            ledger_of(friends).people(), None
        )
    assert found is not None
    first, second, third = found.results
    assert second < third < first, "0, 8 and 1 points, of which the fewest win"


@pytest.mark.parametrize("path", ["/players/ana?game=ruff", "/stats/ruff", "/season"])
def test_what_is_below_the_first_screen_is_opened_when_wanted(client: FlaskClient, path: str) -> None:
    text = page(client, path)
    first = text.index('<details class="fold"')
    assert "<table" not in text[:first]
    assert text.index('data-figure="') < first
    # Nothing is left out: every table stands in a part that can be opened.
    assert tables_outside(text) == 0


def tables_outside(text: str) -> int:
    """Count the tables that stand in no part that can be opened."""
    opened, outside = [0], 0
    for end, what in re.findall(r"<(/?)(details|table)\b", text):
        if what == "details":
            opened.append(opened[-1] + (-1 if end else 1))
        elif not end:
            outside += opened[-1] == 0
    return outside


def test_a_filter_opens_the_part_that_it_is_about(client: FlaskClient) -> None:
    assert re.search(
        r'<details class="fold" open><summary><h2 id="statistics"', page(client, "/players/ana?game=ruff&by=month")
    )
    assert re.search(
        r'<details class="fold" open><summary><h2 id="game"', page(client, "/players/ana?game=ruff&seat=0")
    )
    assert re.search(r'<details class="fold" open><summary><h2 id="choose"', page(client, "/season?event=nobody+came"))


def other(text: str, words: str) -> list[str]:
    """Return the addresses of links with some words."""
    return [unescape(address) for address, said in re.findall(r'<a href="([^"]*)">(.*?)</a>', text) if words in said]


def test_others_stand_beside_a_player_in_every_figure_with_the_chance_to_be_ahead(year: Flask) -> None:
    client, names = year.test_client(), ["cautious-a", "random-d"]
    text = page(client, "/players/random-b?game=diversity&beside=Cautious-A&beside=random-d")
    assert [words for words, _ in choices(text)] == [f"beside {name}" for name in names]
    for caption, drawn in figures(text).items():
        found = {line["name"].strip("\u2068\u2069"): line for line in drawn["data"] if "name" in line}
        assert found.keys() >= {*names}, caption
        assert [found[name]["meta"]["colour"] for name in names] == [3, 5], caption
    rows = client.get("/api/v1/players/random-b/head-to-head/cautious-a").json["rows"]
    (row,) = [row for row in rows if row["how"] == "against"]
    assert f"with a chance of {row['chance']:.0%}" in " ".join(TAGS.sub("", text).split())
    assert f"In {row['matches']} matches against each other" in text
    table = re.search(
        r'<table class="listed">\s*<thead><tr><th scope="col" class="left">Measure</th>(.*?)</table>', text, re.DOTALL
    )
    assert table is not None
    for name in names:
        points = next(
            one for one in client.get(f"/api/v1/players/{name}/stats").json["rows"] if one["measure"] == "points"
        )
        assert f"<b>{points['value']:.2f}</b>" in table[1].split("</tr>")[1]


def test_what_is_chosen_keeps_the_others_beside(year: Flask) -> None:
    client = year.test_client()
    drawn = figures(page(client, "/players/random-b?game=diversity&beside=random-d&measure=wins"))
    for address in addresses(drawn["How it has gone"]) + addresses(drawn["What stands out"]):
        assert "beside=random-d" in address or "head-to-head" in address
    months = [line for line in drawn["How it has gone"]["data"] if "random-d" in line.get("name", "")]
    own = client.get("/api/v1/players/random-d/stats?game=diversity&by=month").json["rows"]
    assert months[0]["y"] == [round(row["value"], 3) for row in own if row["measure"] == "wins"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("random-x", "No player of this game has this name. Did you mean random-d, random-e?"),
        ("nobody", "No player of this game has this name."),
        ("<b>", "No player of this game has this name."),
        ("random-b", "This is the same player."),
        ("random-d&beside=random-e&beside=cautious-a", "At most 2 players can stand beside another."),
    ],
)
def test_names_that_nobody_can_be_compared_by_are_refused(year: Flask, asked: str, why: str) -> None:
    text = page(year.test_client(), f"/players/random-b?game=diversity&beside={asked}", 400)
    (alert,) = re.findall(r'role="alert">(.*?)</p>', text)
    assert " ".join(unescape(TAGS.sub("", alert)).split()).endswith(f": {why}")
    for address in other(alert, "random"):
        assert page(year.test_client(), address)


def test_a_name_that_two_players_have_asks_which_is_meant(year: Flask) -> None:
    ledger = ledger_of(year)
    for id in ("random-d", "random-e"):
        ledger.record_people([Name(player=id, name="Rand")], ledger.people().seq, "ada")
    text = page(year.test_client(), "/players/random-b?game=diversity&beside=rand", 400)
    assert "Several players have this name." in text
    assert {*other(text, "Rand")} >= {f"/players/random-b?game=diversity&beside=random-{one}" for one in "de"}
