"""A federation's token: it shows the state of all clubs, and gives no right in any of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator
from werkzeug.test import Client
from werkzeug.wrappers import Response

from cardledger_api.acts.acts import Acts
from cardledger_api.auth.limits import Limits, Rate
from cardledger_api.auth.tokens import Tokens
from cardledger_api.auth.users import Users
from cardledger_api.beside.house import house_at
from cardledger_web.clubs.club import HouseClub
from cardledger_web.clubs.federation import add_federation
from cardledger_web.clubs.front import front
from cardledger_web.clubs.house import House
from cardledger_web.clubs.managing import ManagedHouse
from cardledger_web.clubs.opening import open_club
from cardledger_web.clubs.operations import ClubGlanceSchema, ClubSettingsSchema, NewClubSchema, WantedClubSchema
from cardledger_web.clubs.places import found_at, places_at
from cardledger_web.clubs.settings import HouseSettings
from cardledger_web.serving.server_parts import ServerParts
from tests.clubs.test_overview import club
from tests.test_cli import run

FLOOD = 30
"""Requests that a client of the front may make at once."""
LIST = "/api/v1/clubs"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Client]:
    club(tmp_path / "ulm.db")
    (tmp_path / "text.db").write_text("no database")

    def made(club: HouseClub, shared: ServerParts) -> Flask:
        return open_club(club, shared, rules, Limits.of(0), hosts=None, open_reading=False)

    app, rules = front(list, listed=False, hosts=None), HouseSettings(house_at(tmp_path))
    house = House(places_at(tmp_path), made, app, find=partial(found_at, tmp_path))
    with closing(rules), closing(house), closing(Tokens(house_at(tmp_path))) as tokens:
        managed = ManagedHouse(tmp_path, house, rules)
        add_federation(app, Users(tokens, open_reading=False), managed, Limits(reads=Rate(0.001, FLOOD)))
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


HERE = {"Sec-Fetch-Site": "same-origin"}


def test_a_club_that_is_made_answers_at_once_to_its_first_admin(browser: Client, tmp_path: Path) -> None:
    token = made_token(tmp_path, "admin")
    assert browser.get("/c/kiel/").status_code == 404
    answer = browser.post(LIST, headers=bearer(token), json={"name": "kiel", "admin": "Samira"})
    new: Any = answer.json
    assert (answer.status_code, answer.headers["Location"], new["path"]) == (201, "/c/kiel/", "/c/kiel/")
    assert answer.headers["Cache-Control"] == "no-store", "it holds a token"
    me: Any = browser.get("/c/kiel/api/v1/me", headers=bearer(new["token"])).json
    assert (me["name"], me["role"]) == ("Samira", "admin")
    assert browser.get("/c/kiel/api/v1/me", headers=bearer(token)).status_code == 401
    again = browser.post(LIST, headers=bearer(token), json={"name": "kiel"})
    told: Any = again.json
    assert (again.status_code, told["code"]) == (409, "house.exists")
    with closing(Acts(house_at(tmp_path))) as acts:
        assert ("admin", "POST /api/v1/clubs", "kiel") in {(act.who, act.what, act.about) for act in acts.all()}


def test_a_club_that_a_command_makes_answers_at_once_and_is_listed(browser: Client, tmp_path: Path) -> None:
    token = made_token(tmp_path, "admin")
    of_club = run("clubs", "create", str(tmp_path), "kiel").stdout.strip()
    assert browser.get("/c/kiel/api/v1/me", headers=bearer(of_club)).status_code == 200
    run("clubs", "create", str(tmp_path), "bonn")
    listed: Any = browser.get(LIST, headers=bearer(token)).json
    assert {"bonn", "kiel"} <= {club["name"] for club in listed["clubs"]}


def test_the_page_makes_a_club_and_shows_the_link_of_its_admin_once(browser: Client, tmp_path: Path) -> None:
    browser.get(f"/clubs?token={made_token(tmp_path, 'admin')}")
    page = browser.post("/clubs", data={"name": "kiel", "admin": "Samira"}, headers=HERE).get_data(as_text=True)
    link = re.search(r'value="http://localhost(/c/kiel/\?token=cl_[\w-]+)"', page)
    assert link is not None
    assert browser.get(link[1]).status_code == 303
    assert "cl_" not in browser.get("/clubs").get_data(as_text=True)
    refused = browser.post("/clubs", data={"name": "Kiel"}, headers=HERE)
    assert refused.status_code == 422 and 'value="Kiel"' in refused.get_data(as_text=True)


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://elsewhere.example"}])
@pytest.mark.parametrize("path", ["/clubs", LIST])
def test_a_page_of_another_site_makes_no_club(
    browser: Client, tmp_path: Path, path: str, headers: dict[str, str]
) -> None:
    browser.get(f"/clubs?token={made_token(tmp_path, 'admin')}")
    data: dict[str, Any] = {"json": {"name": "kiel"}} if path == LIST else {"data": {"name": "kiel"}}
    assert browser.post(path, headers=headers, **data).status_code == 403
    assert not (tmp_path / "kiel.db").exists()


@pytest.mark.parametrize(
    ("body", "where"), [({}, "#/name"), ({"name": "a", "days": 0}, "#/days"), ({"name": "a", "x": 1}, "#/x")]
)
def test_a_request_that_is_wrong_says_where(browser: Client, tmp_path: Path, body: dict[str, Any], where: str) -> None:
    told: Any = browser.post(LIST, headers=bearer(made_token(tmp_path, "admin")), json=body).json
    assert (told["status"], told["code"], told["errors"][0]["pointer"]) == (400, "format.value", where)


def test_only_an_admin_of_the_house_makes_clubs(browser: Client, tmp_path: Path) -> None:
    with closing(Tokens(tmp_path / "ulm.db")) as tokens:
        of_club = tokens.create("Samira", "admin", 1)
    for token in (of_club, made_token(tmp_path, "scorer")):
        assert browser.post(LIST, headers=bearer(token), json={"name": "kiel"}).status_code in (401, 403)
    assert not (tmp_path / "kiel.db").exists()


def test_a_flood_for_clubs_that_do_not_exist_is_slowed_down(browser: Client) -> None:
    answers = {browser.get(f"/c/none-{number}/").status_code for number in range(FLOOD + 1)}
    assert answers == {404, 429}
    assert browser.get("/c/ulm/api/v1/me").status_code == 401, "clubs go on"


def test_signing_out_ends_the_session(browser: Client, tmp_path: Path) -> None:
    browser.get(f"/clubs?token={made_token(tmp_path, 'admin')}")
    assert browser.post("/sign-out").status_code == 403
    assert browser.post("/sign-out", headers=HERE).status_code == 303
    assert browser.get("/clubs").status_code == 401


def test_the_house_describes_its_own_operations_and_the_codes_of_its_problems(browser: Client, tmp_path: Path) -> None:
    reader = bearer(made_token(tmp_path, "reader"))
    document = browser.get("/api/v1/openapi.json", headers=reader).json
    assert document is not None
    OpenAPIV31SpecValidator(document).validate()
    of_house = [rule for rule in front_of(browser).url_map.iter_rules() if rule.rule.startswith("/api/v1/")]
    assert {(path, method.upper()) for path, item in document["paths"].items() for method in item} == {
        (rule.rule.replace("<", "{").replace(">", "}"), method)
        for rule in of_house
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    schemas = document["components"]["schemas"]
    for schema in (ClubGlanceSchema, WantedClubSchema, NewClubSchema, ClubSettingsSchema):
        said = schemas[schema.__name__.removesuffix("Schema")]["properties"]
        own = {key: field.metadata.get("description") for key, field in schema().fields.items()}
        assert own == {key: one["description"] for key, one in said.items()}
    assert "Make a club" in browser.get("/api/v1/", headers=reader).get_data(as_text=True)
    assert browser.get("/api/v1/docs.css", headers=reader).status_code == 200
    refused = browser.get(f"{LIST}/none", headers=bearer(made_token(tmp_path, "admin"))).json
    assert refused is not None
    told = browser.get(refused["type"], headers=reader).json
    assert told is not None
    assert told["code"] == refused["code"] == "house.unknown" and told["remedy"]


def front_of(browser: Client) -> Flask:
    """Return the application of the front."""
    app = browser.application.front
    assert isinstance(app, Flask)
    return app
