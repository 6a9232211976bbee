"""Roles: who may do what, for every operation there is, with every kind of token and without."""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cardledger.record.store.streams import KINDS
from cardledger.rules.evenings.shape import event_of
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.tokens import Tokens, new_text
from cardledger_api.http.operations import ROLES
from cardledger_web.app import access_of, create_app, ledger_of
from tests.evenings.night import OPENINGS
from tests.web.club import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

HOLDERS: dict[str, str | None] = {
    "nobody": None,
    "a word": None,
    "another scheme": None,
    "reader": "reader",
    "scorer": "scorer",
    "admin": "admin",
    "invited": "reader",
    "expired": None,
    "revoked": None,
    "garbage": None,
    "empty": None,
    "twice": None,
    "lower case": None,
}
"""Who asks, and the role that this is good for."""
INVALID = {"expired", "revoked", "garbage", "empty", "twice", "lower case"}
"""Those who give a token that is none."""
PARTS = {
    "match": "MATCH",
    "game": "diversity",
    "player": "a",
    "hand": "1",
    "number": "1",
    "seq": "1",
    "seat": "0",
    "entry": "1",
    "board": "1",
    "table": "1",
}
PARTS |= {kind: f"{kind}-0b54a1a2-0000-4000-8000-000000000001" for kind in KINDS}


class Club(NamedTuple):
    """An application, with the headers of everybody who may ask."""

    app: Flask
    headers: dict[str, dict[str, str]]
    match: str


def make(folder, open_reading: bool) -> Iterator[Club]:
    db = folder / "club.db"
    with closing(Tokens(db, lambda: datetime.now(UTC) - timedelta(days=9))) as before:
        expired = before.create("expired", "admin", 1)
    with closing(Tokens(db)) as tokens:
        texts = {role: tokens.create(role, role, 1) for role in ROLES}
        texts["invited"] = tokens.invite("invited", f"{PARTS['session']}/1", datetime.now(UTC) + timedelta(days=1))
        revoked = tokens.create("revoked", "admin", 1)
        tokens.revoke("revoked")
    app = create_app(db, open_reading=open_reading, limits=Limits.of(0))
    match = ledger_of(app).record(None, [opened()], 0).match
    for kind, events in OPENINGS.items():
        ledger_of(app).evenings.record(PARTS[kind], [event_of(events)], 0, as_written=False)
    admin = texts["admin"]
    given = {
        **{role: f"Bearer {text}" for role, text in texts.items()},
        "a word": admin,
        "another scheme": f"Basic {admin}",
        "expired": f"Bearer {expired}",
        "revoked": f"Bearer {revoked}",
        "garbage": f"Bearer {new_text()}",
        "empty": "Bearer ",
        "twice": f"Bearer {admin}, Bearer {admin}",
        "lower case": f"Bearer {admin.lower()}",
    }
    yield Club(app, {who: {"Authorization": text} for who, text in given.items()} | {"nobody": {}}, match)
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture(scope="module")
def opened_club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club where everybody may read."""
    yield from make(tmp_path_factory.mktemp("opened"), open_reading=True)


@pytest.fixture(scope="module")
def closed_club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club where reading takes a token."""
    yield from make(tmp_path_factory.mktemp("closed"), open_reading=False)


def expected(who: str, wanted: str, open_reading: bool) -> int | None:
    """Return the status of the refusal, None for whatever else."""
    role = HOLDERS[who]
    if who in INVALID or (role is None and not (open_reading and wanted == "reader")):
        return 401
    return 403 if role is not None and ROLES.index(role) < ROLES.index(wanted) else None


def operations(app: Flask) -> list[tuple[str, str, str]]:
    """Return method, address and role of every operation, as the API describes itself."""
    admin = access_of(app).lend("describer", "admin")
    answer = app.test_client().get("/api/v1/openapi.json", headers={"Authorization": f"Bearer {admin}"})
    found = [
        (method.upper(), path, operation["x-role"])
        for path, item in json.loads(answer.data)["paths"].items()
        for method, operation in item.items()
        if method in {"get", "post", "put", "patch", "delete"}
    ]
    assert found
    return found


def test_every_operation_answers_or_refuses_everybody_as_its_role_says(opened_club: Club, closed_club: Club) -> None:
    cells = 0
    for open_reading, club in ((True, opened_club), (False, closed_club)):
        for method, path, role in operations(club.app):
            address = re.sub(r"{(\w+)}", lambda part: PARTS.get(part[1], "x"), path).replace("MATCH", club.match)
            for who in HOLDERS:
                answer = club.app.test_client().open(address, method=method, headers=club.headers[who])
                cell = (who, method, path, role, "open" if open_reading else "closed", answer.status_code)
                wanted = expected(who, role, open_reading)
                if wanted is None:
                    assert answer.status_code not in (401, 403), cell
                    assert answer.status_code < 500, cell
                else:
                    assert answer.status_code == wanted, cell
                    assert answer.content_type == "application/problem+json", cell
                    code = {401: "access.token", 403: "access.role"}[wanted]
                    assert answer.get_json(force=True)["code"] == code, cell
                    challenge = answer.headers.get("WWW-Authenticate", "")
                    assert challenge.startswith("Bearer ") == (wanted == 401), cell
                answer.close()
                cells += 1
    assert cells == 2 * len(operations(opened_club.app)) * len(HOLDERS)


def test_every_route_of_the_api_is_a_described_operation(opened_club: Club) -> None:
    described = {(method, re.sub(r"{\w+}", "<>", path)) for method, path, _ in operations(opened_club.app)}
    routes = {
        (method, re.sub(r"<[^>]*>", "<>", rule.rule))
        for rule in opened_club.app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == described


def test_changes_need_at_least_a_scorer(opened_club: Club) -> None:
    harmless = {
        "POST /api/v1/matches/{match}/what-if",
        # For oneself, with a token of one's own name: tests/api/test_answers.py.
        "POST /api/v1/matches/{match}/hands/{hand}/answers",
        "POST /api/v1/players/{player}/posed",
        # Likewise: tests/web/test_shown_names.py.
        "POST /api/v1/players/{player}/shown",
        # For those invited to the lesson: tests/web/test_lessons.py.
        "POST /api/v1/lessons/{lesson}/votes",
    }
    for method, path, role in operations(opened_club.app):
        if method != "GET" and f"{method} {path}" not in harmless:
            assert role != "reader", f"{method} {path}"


def test_nothing_but_styles_scripts_and_the_way_in_is_open_where_reading_is_not(closed_club: Club) -> None:
    for rule in closed_club.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: PARTS.get(part[1], "x"), rule.rule)
        path = path.replace("MATCH", closed_club.match)
        for method in rule.methods:
            elsewhere = {"REMOTE_ADDR": "192.0.2.1"}  # metrics are open to this computer
            answer = closed_club.app.test_client().open(path, method=method, environ_base=elsewhere)
            if path.startswith("/static/") or path in ("/sign-in", "/sign-out"):
                assert answer.status_code != 401, (method, path)
            else:
                assert answer.status_code == 401, (method, path)
            answer.close()


def test_every_page_is_open_where_reading_is(opened_club: Club) -> None:
    for path in ("/", "/games", "/games/ruff", f"/matches/{opened_club.match}", f"/matches/{opened_club.match}.jsonl"):
        assert opened_club.app.test_client().get(path).status_code == 200
