"""The opening of a match is amended on a page: players, options, time and place."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.web.conftest import opened as application

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

FOUR = ("ana", "ben", "chloe", "dev")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application whose clients are an admin's, for all amendments."""
    yield from application(tmp_path_factory.mktemp("openings") / "club.db")


def played(app: Flask, **options: Any) -> str:
    opening = ev.Open(game="whist", players=FOUR, options=options, policy="record", event="Tuesday", date="2026-01-06")
    deal = ev.Deal(dealer=0, hands=None, upcard=None)
    return ledger_of(app).record(None, [opening, deal, ev.Claim(tricks=(5, 2, 4, 2))], 0).match


def form_of(app: Flask, match: str) -> dict[str, Any]:
    """Return the fields of the page as a browser would send them."""
    text = app.test_client().get(f"/matches/{match}/opening").text
    fields = [
        dict(re.findall(r'(\w+)="([^"]*)"', tag)) | {"on": "checked" in tag}
        for tag in re.findall(r"<input [^>]*>", text)
    ]
    form: dict[str, Any] = {"player": []}
    for each in fields:
        if each.get("type") in ("checkbox", "radio") and not each["on"]:
            continue
        value = unescape(each.get("value", ""))
        if each["name"] == "player":
            form["player"].append(value)
        else:
            form[each["name"]] = value
    for name, select in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', text, re.S):
        form[name] = re.findall(r'<option value="([^"]+)" selected>', select)[0]
    return form


def send(app: Flask, match: str, **changed: Any) -> Any:
    form = form_of(app, match) | {name.replace("__", "."): value for name, value in changed.items()}
    return app.test_client().post(f"/matches/{match}/opening", data=form)


def test_players_place_date_and_event_are_amended_on_the_page(app: Flask) -> None:
    match = played(app)
    answer = send(
        app,
        match,
        player=["ana", "ben", "chloe", "zoran"],
        place="Town hall",
        date="2026-01-07",
        event="",
        reason="misread",
    )
    assert (answer.status_code, answer.location) == (303, f"/matches/{match}")
    last = ledger_of(app).events(match)[-1]
    assert isinstance(last, ev.Amend)
    assert (last.about, last.reason) == (1, "misread")
    opening = ledger_of(app).stream(match).table.opening
    assert (opening.players[3], opening.place, opening.date, opening.event) == (
        "zoran",
        "Town hall",
        "2026-01-07",
        None,
    )
    assert opening.policy == "record"
    assert form_of(app, match)["place"] == "Town hall"


def test_a_form_that_changes_nothing_records_nothing(app: Flask) -> None:
    match = played(app, scoring="all", hands=8)
    assert "Nothing is changed yet." in send(app, match).text
    assert len(ledger_of(app).events(match)) == 3


def test_options_that_change_results_are_shown_before_they_are_recorded(app: Flask) -> None:
    match = played(app, hands=8)
    first = send(app, match, whist__scoring="all")
    assert first.status_code == 200
    lines = re.findall(r"<li><bdi>([^<]+)</bdi></li>", first.text)
    assert lines[:2] == ["ana: 3 → 9 points", "ben: 0 → 4 points"]
    assert len(ledger_of(app).events(match)) == 3
    assert send(app, match, whist__scoring="all", sure=str(len(lines))).status_code == 303
    assert ledger_of(app).stream(match).table.totals == [9, 4, 9, 4]


def test_what_the_ledger_refuses_is_said_on_the_form(app: Flask) -> None:
    match = played(app)
    assert "sits at two seats" in send(app, match, player=["ana", "ana", "chloe", "dev"]).text
    assert "Write the day as" in send(app, match, date="yesterday").text
    assert "recorded meanwhile" in send(app, match, seq="2", place="elsewhere").text
    assert len(ledger_of(app).events(match)) == 3
