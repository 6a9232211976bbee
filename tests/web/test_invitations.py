"""The page of invitations: an admin gives one with a link and a QR code, sees all that were given, and withdraws them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING

from cardledger_web.app import access_of, ledger_of
from tests.evenings.night import record, under_way
from tests.web.club import sign_in

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

HERE = {"Sec-Fetch-Site": "same-origin"}


def invite(client: FlaskClient, scope: str, status: int = 200, **more: str) -> str:
    answer = client.post("/invitations", data={"scope": scope, **more}, headers=HERE)
    assert answer.status_code == status, answer.text
    return answer.text


def link(text: str) -> str:
    (found,) = re.findall(r'readonly value="([^"]+)"', text)
    return unescape(found)


def names(client: FlaskClient) -> list[tuple[str, bool]]:
    """Return the names of the listed invitations, each with whether it can be withdrawn."""
    rows = re.findall(r'<tr><th scope="row".*?</tr>', client.get("/invitations").text, re.S)
    return [(re.findall(r"<bdi>(.*?)</bdi>", row)[0], "Withdraw" in row) for row in rows]


def test_a_link_makes_a_phone_a_scorer_of_one_table_until_it_is_withdrawn(empty: Flask) -> None:
    session, (first, second) = under_way(ledger_of(empty), 2, 9)
    admin = empty.test_client()
    text = invite(admin, second)
    assert "<svg" in text
    assert "Table 2, Tuesday" in text
    empty.test_client_class = None
    phone = empty.test_client()
    answer = phone.get(link(text))
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{second}/score")
    page = phone.get(answer.headers["Location"])
    assert page.status_code == 200
    assert "<small>invited</small>" in page.text
    assert page.headers["Cache-Control"] == "no-store", "it shows cards in play"
    assert phone.get(f"/matches/{first}/score").status_code == 403
    assert names(admin) == [("Table 2, Tuesday", True)]
    withdrawn = admin.post("/invitations/withdraw", data={"name": "Table 2, Tuesday"}, headers=HERE)
    assert withdrawn.status_code == 200
    assert names(admin) == [("Table 2, Tuesday", False)]
    assert phone.get(f"/matches/{second}/score").status_code == 401
    again = admin.post("/invitations/withdraw", data={"name": "Table 2, Tuesday"}, headers=HERE)
    assert again.status_code == 409
    assert session.startswith("session-")


def test_a_link_to_a_table_leads_to_what_it_plays_now(empty: Flask) -> None:
    session, matches = under_way(ledger_of(empty), 2, 9)
    admin = empty.test_client()
    text = invite(admin, f"{session}/2")
    assert "Table 2, Tuesday" in text
    invite(admin, f"{session}/7", 400)
    empty.test_client_class = None
    phone = empty.test_client()
    assert phone.get(link(text)).headers["Location"] == f"/evenings/{session}/tables/2"
    assert phone.get(f"/evenings/{session}/tables/2").headers["Location"] == f"/matches/{matches[1]}/score"
    assert phone.get(f"/matches/{matches[1]}/score").status_code == 200
    assert phone.get(f"/matches/{matches[0]}/score").status_code == 403


def test_an_invitation_to_an_evening_leads_to_it_and_ends_with_the_next_day(empty: Flask) -> None:
    today = datetime.now().astimezone().date()
    session, matches = under_way(ledger_of(empty), 1, 9)
    text = invite(empty.test_client(), session)
    ((token, _),) = access_of(empty).tokens.all()
    assert token.name == "Tuesday, 6 January 2026"
    end = datetime.fromisoformat(str(token.expires)).astimezone()
    assert end.hour == 0
    assert end.date() - today in (timedelta(days=2), timedelta(days=3))  # the latter at midnight
    empty.test_client_class = None
    phone = empty.test_client()
    assert phone.get(link(text)).headers["Location"] == f"/evenings/{session}"
    assert phone.get(f"/matches/{matches[0]}/score").status_code == 200


def test_two_invitations_to_a_table_have_different_names(empty: Flask) -> None:
    _, (match,) = under_way(ledger_of(empty), 1, 9)
    client = empty.test_client()
    for _ in range(2):
        invite(client, match)
    invite(client, match, name="  Table 1, left phone ")
    assert {name for name, _ in names(client)} == {"Table 1, Tuesday", "Table 1, Tuesday (2)", "Table 1, left phone"}
    text = invite(client, match, 400, name="Table 1, left phone")
    assert "Table 1, left phone has a valid token" in text
    assert 'value="Table 1, left phone"' in text, "what was typed is still there"


def test_what_cannot_be_scored_and_days_that_cannot_be_are_refused(empty: Flask) -> None:
    _, (match,) = under_way(ledger_of(empty), 1, 9)
    club = record(ledger_of(empty), None, {"type": "club", "name": "Monday"})
    client = empty.test_client()
    for scope in ("", club, "x", "session-11111111-1111-4111-8111-111111111111"):
        invite(client, scope, 400)
    for until in ("tomorrow", "2020-01-01", "2999-01-01"):
        assert "day" in invite(client, match, 400, until=until)
    assert access_of(empty).tokens.all() == []


def test_the_form_offers_what_is_open_and_what_was_asked_for(empty: Flask) -> None:
    session, (first, second) = under_way(ledger_of(empty), 2, 9)
    one, two = f"{session}/1", f"{session}/2"
    for asked, offered in (
        ("", [one, two, session, second, first]),
        (f"?for={session}", [one, two, session, second, first]),
        (f"?for={second}", [two, second, one, session, first]),
    ):
        text = empty.test_client().get(f"/invitations{asked}").text
        assert re.findall(r'<option value="([^"]+)"', text) == offered
        assert "selected" not in text, "the first is the narrowest"
    assert f'href="/invitations?for={session}"' in empty.test_client().get(f"/evenings/{session}").text
    assert f'href="/invitations?for={first}"' in empty.test_client().get(f"/matches/{first}").text


def test_invitations_are_for_admins(empty: Flask) -> None:
    session, (match,) = under_way(ledger_of(empty), 1, 9)
    for role in ("reader", "scorer"):
        sign_in(empty, role)
        client = empty.test_client()
        assert client.get("/invitations").status_code == 403
        assert client.post("/invitations", data={"scope": match}, headers=HERE).status_code == 403
        assert client.post("/invitations/withdraw", data={"name": "x"}, headers=HERE).status_code == 403
        assert "/invitations" not in client.get(f"/evenings/{session}").text


def test_the_tokens_of_people_cannot_be_withdrawn_here(empty: Flask) -> None:
    access_of(empty).tokens.create("ana", "scorer", 1)
    answer = empty.test_client().post("/invitations/withdraw", data={"name": "ana"}, headers=HERE)
    assert answer.status_code == 409
    assert [state for _, state in access_of(empty).tokens.all()] == ["valid"]
    assert "ana" not in [name for name, _ in names(empty.test_client())]
