"""Every filter of a page is in the API, and in the command line where it has a command for it: the table, and that it is whole."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from marshmallow import Schema
from werkzeug.exceptions import HTTPException

from cardledger.cli import main as cli
from cardledger_api import PREFIX
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.pages import audits, hands, matches, players, receipts, season, statistics, violations, what_if
from tests.evenings.night import made
from tests.test_parity import commands
from tests.web.club import fill, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from flask import Flask

Places = tuple[str, str]
"""Where a filter is in the API (operation and argument) and on the command line; `-`: there is no such command. An argument stands without dashes."""


def same(operation: str, command: str, *names: str) -> dict[str, Places]:
    """Return the places of filters that have one name everywhere."""
    return {
        name: (f"{operation} {name}", "-" if command == "-" else f"{command} --{name.replace('_', '-')}")
        for name in names
    }


OF_SHEETS = ("event", "against", "seat", "turn", "size", "option", "policy", "where")
"""Filters for the hands of statistics."""
FILTERS: dict[str, dict[str, Places]] = {
    "/matches": same(
        "GET /matches", "matches", "game", "player", "event", "table", "place", "since", "until", "date", "status", "after"
    )
    | {"violations": ("GET /matches violations", "matches --irregular")},
    "/hands": same(
        "GET /hands", "hands", "seats", "player", "seat", "turn", "where", "since", "until", "ended_by", "score_min",
        "score_max", "rule", "violation", "doubtful", "after", "event", "card", "how",
    )
    | {"game": ("GET /hands game", "hands GAME")}
    | dict.fromkeys(("what", "value"), ("GET /hands where", "hands --where")),
    "/violations": same("GET /violations", "-", "game", "rule", "player", "since", "until", "after"),
    "/players": same("GET /players", "-", "q", "game")
    | {"order": ("GET /players sort", "-"), "page": ("GET /players after", "-")},
    "/players/<player:player>": same("GET /matches", "matches", "game", "seats", "seat", "since", "until", "after")
    | {"place": ("GET /matches rank", "matches --rank"), "measure": ("GET /stats/players measure", "stats players --measure")}
    | {name: (f"GET /players/PLAYER/stats {name}", f"stats player --{name}") for name in (*OF_SHEETS, "by") if name != "seat"}
    | {"and": ("GET /players/PLAYER/stats by", "stats player --by")}
    | dict.fromkeys(("decisions", "decisions_and"), ("GET /players/PLAYER/habits by", "habits --by")),
    "/players/<player:player>/against/<player:other>": same("GET /matches", "matches", "game", "seats")
    | {"how": ("GET /matches partner", "matches --partner")},
    "/stats/<game>": same("GET /stats/players", "stats players", "since", "until", *OF_SHEETS),
    "/stats/<game>/pairs": same("GET /stats/pairs", "stats pairs", "since", "until", *OF_SHEETS),
    "/stats/<game>/what-if": same("GET /stats/what-if", "-", "outcome", "after")
    | {"rules": ("GET /stats/what-if rules", "what-if --rules")},
    "/games/<id>/leaders": {"seats": ("GET /stats/players size", "stats players --size")},
    "/season": same("GET /season", "-", "event", "since", "until"),
    "/search": same("GET /search", "-", "q"),
    "/worth-seeing": same("GET /hands/worth-seeing", "-", "game", "kind", "limit"),
    "/evenings": {"after": ("GET /sessions after", "-"), "player": ("GET /sessions player", "evening list --player")},
    "/evenings/<evening>": {"as_of": ("GET /sessions/SESSION/ranking as_of", "evening show --as-of")},
    "/evenings/<evening>.txt": {"as_of": ("GET /sessions/SESSION/ranking as_of", "evening show --as-of")},
    "/evenings/<evening>/boards/<int:board>": {"as_of": ("GET /sessions/SESSION/travellers as_of", "evening boards --as-of")},
    "/evenings/<evening>/cards/<int:entry>": {"as_of": ("GET /sessions/SESSION/cards/ENTRY as_of", "evening card --as-of")},
    "/leagues/<league>": {"as_of": ("GET /leagues/LEAGUE/ranking as_of", "evening show --as-of")},
    "/evenings/<evening>/round": {
        "game": ("GET /sessions/SESSION/round game", "evening round --game"),
        "size": ("GET /sessions/SESSION/round largest", "evening round --largest"),
    },
    "/matches/<match>/audit": {
        "at": ("GET /matches/MATCH/audit at", "show --at"),
        "until": ("GET /matches/MATCH/audit at", "show --at"),
        "show": ("GET /matches/MATCH/audit show", "show --only"),
        "after": ("GET /matches/MATCH/audit at", "show --at"),
    },
    "/matches/<match>/replay": {"view": ("GET /matches/MATCH/hands/HAND/replay view", "-")},
    "/matches/<match>/replay/<int:seq>": {"view": ("GET /matches/MATCH/hands/HAND/replay view", "-")},
    "/tables/<name>.csv": {
        name: (f"GET /tables/NAME {name}", "-")
        for name in ("since", "until", *OF_SHEETS, "by", "player", "game", "other", "kind", "deal", "limit", "rules")
    },
}  # fmt: skip
FILTERS["/tables/<name>.parquet"] = FILTERS["/tables/<name>.csv"]
NO_FILTERS = {
    "lang": "the language of the page",
    "token": "signs in",
    "next": "where to go after signing in",
    "embed": "shows the page in a frame",
    "seq": "a figure of a printed receipt, to be checked",
    "hash": "a figure of a printed receipt, to be checked",
}
OF_FORMS = {
    ("/", "game"), ("/matches/new", "game"), ("/matches/new", "players"), ("/evenings/new", "club"), ("/evenings/new", "as_last"), ("/invitations", "for"), ("/evenings/<evening>/movement", "*"),
    ("/evenings/<evening>/entries", "boards"), ("/evenings/<evening>/results", "*"), ("/matches/<match>/swap", "*"),
    ("/evenings/import", "*"), ("/matches/<match>/receipt/check", "size"), ("/matches/<match>/score/log", "all"),
}  # fmt: skip
"""What fills in a form, or unfolds a page; it chooses nothing from a list."""
SCHEMAS: dict[str, Schema] = {
    "/matches": matches.QUERY,
    "/hands": hands.HANDS,
    "/violations": violations.QUERY,
    "/players": players.LIST,
    "/players/<player:player>": players.QUERY,
    "/season": season.QUERY,
    "/worth-seeing": statistics.QUERY,
    "/stats/<game>/what-if": what_if.QUERY,
    "/matches/<match>/audit": audits.QUERY,
    "/matches/<match>/receipt/check": receipts.QUERY,
}
UNUSED = {
    "/hands": {"limit", "sort", "total"},
    "/players/<player:player>": {"how"},
    "/stats/<game>/what-if": {"limit", "total"},
}
"""What a page's schema has and the page does not take."""


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Flask]:
    """The pages and the API of a club with evenings, for an admin."""
    app = create_app(tmp_path / "club.db")
    fill(ledger_of(app))
    made(ledger_of(app))
    sign_in(app)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def missing(page: str, names: Mapping[str, object] | set[str]) -> set[str]:
    """Return the names that a page takes and that the table has not."""
    return {
        name
        for name in names
        if name not in FILTERS.get(page, ()) and name not in NO_FILTERS and not {(page, name), (page, "*")} & OF_FORMS
    }


@pytest.mark.parametrize("page", SCHEMAS)
def test_every_filter_that_a_page_declares_is_in_the_table(page: str) -> None:
    assert missing(page, {*SCHEMAS[page].fields} - UNUSED.get(page, set())) == set()


@pytest.mark.long
def test_every_filter_that_a_link_or_a_form_of_a_page_uses_is_in_the_table(club: Flask) -> None:
    client, routes = club.test_client(), club.url_map.bind("localhost")
    waiting, visited, used = ["/"], set[tuple[str, ...]](), dict[str, set[str]]()
    while waiting:
        with client.get(waiting.pop(0), follow_redirects=True) as answer:
            text, base = answer.text if answer.mimetype == "text/html" else "", answer.request.path
        for address, names in [*linked(text, base), *asked(text, base)]:
            try:
                page = routes.match(urlsplit(address).path, method="GET", return_rule=True)[0].rule
            except HTTPException:
                continue
            if page.startswith(PREFIX):
                continue
            used.setdefault(page, set()).update(names)
            # One page of each kind, and one with each set of filters, show all there is.
            if (page, *sorted(names)) not in visited:
                visited.add((page, *sorted(names)))
                waiting.append(address)
    assert sum(map(len, used.values())) > 100
    assert {page: unknown for page, names in used.items() if (unknown := missing(page, names))} == {}


def linked(text: str, base: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the addresses of our own that a page links to, each with the names of its arguments."""
    for link in re.findall(r' href="([^"]*)"', text):
        address = urlsplit(urljoin(base, unescape(link)))
        if not address.netloc:
            yield address._replace(fragment="").geturl(), {*parse_qs(address.query, keep_blank_values=True)}


def asked(text: str, base: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the addresses that the forms of a page ask, each with the names of its fields."""
    for head, form in re.findall(r'<form([^>]*method="get"[^>]*)>(.*?)</form>', text, re.DOTALL):
        (address,) = re.findall(r' action="([^"]*)"', head)
        yield urljoin(base, unescape(address)), {*re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]*)"', form)}


def test_every_filter_of_the_table_is_in_the_api_and_in_its_command(club: Flask) -> None:
    document = club.test_client().get(f"{PREFIX}/openapi.json").json
    arguments = {
        f"{method.upper()} {re.sub('{(.*?)}', lambda found: found[1].upper(), path.removeprefix(PREFIX))}": {
            each["name"] for each in operation["parameters"] if each["in"] == "query"
        }
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method == "get" and "parameters" in operation
    }
    options = {
        name: {opt for each in command.params for opt in (*each.opts, str(each.metavar).strip("[]"))}
        for name, command in commands(cli.main)
    }
    for page, filters in FILTERS.items():
        for name, (place, option) in filters.items():
            operation, _, argument = place.rpartition(" ")
            assert argument in arguments[operation], (page, name, place)
            command, _, flag = option.rpartition(" ")
            assert option == "-" or flag in options[command], (page, name, option)


def test_every_page_of_the_table_exists(club: Flask) -> None:
    assert FILTERS.keys() | {page for page, _ in OF_FORMS} <= {rule.rule for rule in club.url_map.iter_rules()}
