"""A federation's token: it shows the state of all clubs, and gives no right in any of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import Client
from werkzeug.wrappers import Response

from cardledger_api.auth.house import house_at
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.tokens import Tokens
from cardledger_web.app import create_app
from cardledger_web.clubs.club import HouseClub
from cardledger_web.clubs.federation import add_federation
from cardledger_web.clubs.front import front
from cardledger_web.clubs.house import House
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import places_at
from cardledger_web.serving.server_parts import ServerParts
from tests.clubs.test_overview import club
from tests.test_cli import run

LIST = "/api/v1/clubs"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Client]:
    club(tmp_path / "ulm.db")
    (tmp_path / "text.db").write_text("no database")

    def made(club: HouseClub, shared: ServerParts) -> Flask:
        return create_app(club.at, shared=shared, limits=Limits.of(0), hosts=None, open_reading=False)

    places, app = places_at(tmp_path), front(list, listed=False)
    house = House(places, made, app)
    with closing(house), closing(Tokens(house_at(tmp_path))) as tokens:
        add_federation(app, tokens, lambda: overview(places, lambda name: house.clubs[name].findings()))
        yield Client(house, Response)


def made_token(folder: Path, role: str) -> str:
    """Return a new token of the house, made as its users make one."""
    return run("token", "create", role, "--role", role, "--clubs", str(folder)).stdout.strip()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_of_the_house_shows_the_state_of_every_club(browser: Client, tmp_path: Path) -> None:
    answer = browser.get(LIST, headers=bearer(made_token(tmp_path, "admin")))
    assert answer.json is not None
    assert {each["name"]: each["opens"] for each in answer.json["clubs"]} == {"ulm": True, "text": False}
    assert answer.headers["Cache-Control"] == "no-store"
    assert [*places_at(tmp_path)] == ["text", "ulm"], "the file of its tokens is no club"


def test_a_link_signs_a_browser_in_and_the_page_shows_the_same(browser: Client, tmp_path: Path) -> None:
    answer = browser.get(f"/clubs?token={made_token(tmp_path, 'admin')}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/clubs")
    page = browser.get("/clubs").get_data(as_text=True)
    assert 'href="/c/ulm/"' in page and "store.open" in page
    run("token", "revoke", "admin", "--clubs", str(tmp_path))
    assert browser.get("/clubs").status_code == 401, "a revoked token ends its sessions"


@pytest.mark.parametrize("path", ["/clubs", LIST])
def test_nobody_else_sees_it(browser: Client, tmp_path: Path, path: str) -> None:
    with closing(Tokens(tmp_path / "ulm.db")) as tokens:
        of_club = tokens.create("Samira", "admin", 1)
    assert browser.get(path).status_code == 401
    assert browser.get(path, headers=bearer(of_club)).status_code == 401
    answer = browser.get(path, headers=bearer(made_token(tmp_path, "scorer")))
    assert answer.status_code == 403
    assert "ulm" not in answer.get_data(as_text=True)


def test_it_is_good_in_no_club(browser: Client, tmp_path: Path) -> None:
    token = made_token(tmp_path, "admin")
    browser.get(f"/clubs?token={token}")
    for path in ("/c/ulm/api/v1/players", "/c/ulm/matches"):
        assert browser.get(path).status_code == 401, "nor is the cookie"
        assert browser.get(path, headers=bearer(token)).status_code == 401
