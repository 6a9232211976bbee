"""Twelve evenings of a club, run by different people with a browser at a server, beside a small program that knows no events."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.rounding import printed
from cardledger_api.auth.tokens import Tokens
from tests.evenings.night import record
from tests.waiting import LIMIT
from tests.web.server import command, running

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

MEMBERS = [
    "Annabella", "Bertram", "Cleo", "Dorothea", "Emil", "Florence", "Gustavo", "Hieronymus", "Ignatius", "Josephine",
    "Konstantin", "Leopold", "Margarita", "Nikolai",
]  # fmt: skip
FIRST = date(2026, 1, 6)
POINTS = (4, 3, 2, 1)
BEST, LEAST = 6, 5
Table = dict[str, int]
"""The points of everybody at a table, as they were in the end; fewest win."""


class Phone:
    """A browser of somebody with a token, without script; `at` is the address of the page it shows."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self.token = token
        self.at = address

    def page(self, path: str) -> str:
        return self._answer(Request(self.address + path))[1]

    def send(self, path: str, form: dict[str, Any]) -> tuple[int, str]:
        """Send a form; return the status and the page that comes in the end."""
        data = urlencode(form, doseq=True).encode()
        return self._answer(Request(self.address + path, data, {"Origin": self.address}))

    def _answer(self, request: Request) -> tuple[int, str]:
        request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=LIMIT) as answer:
                self.at = answer.url
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()


def hidden(text: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text)}


def seated(text: str) -> dict[str, list[str]]:
    """Return the players proposed for each table."""
    tables = defaultdict(list)
    for name, options in re.findall(r'<select name="(table-\d+)"[^>]*>(.*?)</select>', text, re.S):
        tables[name].extend(re.findall(r'value="([^"]*)" selected', options))
    return dict(tables)


class Evening:
    """An evening run by one scorer with all the mistakes that people make."""

    def __init__(self, phone: Phone, rng: Random, id: str) -> None:
        self.phone = phone
        self.rng = rng
        self.path = f"/evenings/{id}"
        self.tables: list[Table] = []

    def come(self, shown: list[str], here: list[str], more: str = "", **meant: str) -> None:
        form = {"shown": shown, "here": here, "more": more}
        status, text = self.phone.send(f"{self.path}/players", form)
        if meant:
            assert status == 400
            assert "meant:" in text
            given = {f"meant:{wrong}": right for wrong, right in meant.items()}
            status, text = self.phone.send(f"{self.path}/players", form | given)
        assert status == 200, text

    def round(self, number: int) -> None:
        text = self.phone.page(f"{self.path}/round")
        tables = seated(text)
        assert tables, text
        status, text = self.phone.send(f"{self.path}/round", {**hidden(text), **tables, "by_hand": "yes"})
        assert status == 200, text
        for table, players in enumerate(tables.values(), 1):
            points = [self.rng.randrange(0, 27) for _ in players]
            if self.rng.random() < 0.3:  # the sheet was read from the wrong side
                self.result(number, table, points[::-1])
            self.result(number, table, points)
            self.tables.append(dict(zip(players, points, strict=True)))

    def result(self, round: int, table: int, points: list[int]) -> None:
        values = {f"value-{seat}": each for seat, each in enumerate(points)}
        form = {"round": round, "table": table, "form": "points", **values}
        status, text = self.phone.send(f"{self.path}/results", form)
        assert status == 200, text

    def end(self) -> None:
        for what in ("close", "publish"):
            status, text = self.phone.send(f"{self.path}/{what}", {})
            assert status == 200, text


def by_hand(evenings: list[list[Table]], same: dict[str, str]) -> dict[str, str]:
    """The small program: points for places at each table, added up; the best evenings of those who came often enough."""
    values: dict[str, list[Fraction]] = defaultdict(list)
    for tables in evenings:
        tonight: dict[str, Fraction] = defaultdict(Fraction)
        for table in tables:
            for player, points in table.items():
                above = sum(other < points for other in table.values())
                equal = sum(other == points for other in table.values())
                won = [POINTS[place] if place < len(POINTS) else 0 for place in range(above, above + equal)]
                tonight[same.get(player, player)] += Fraction(sum(won), equal)
        for player, value in tonight.items():
            values[player].append(value)
    return {
        player: printed(sum(sorted(each, reverse=True)[:BEST], Fraction(0)))
        for player, each in values.items()
        if len(each) >= LEAST
    }


def test_a_season_of_twelve_evenings_is_the_one_that_a_small_program_computes(tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    with Ledger(db) as ledger:
        members = ({"type": "member", "player": name, "from": "2020-01-01"} for name in MEMBERS)
        club = record(ledger, None, {"type": "club", "name": "Harbour", "place": "Inn"}, *members)
        count = {"best": BEST, "min_nights": LEAST}
        days = {"from": str(FIRST), "until": "2026-12-31"}
        league = record(ledger, None, {"type": "league", "club": club, "name": "2026", **days, "count": count})
    with closing(Tokens(db)) as tokens:
        admin, *scorers = [tokens.create(f"scorer {n}", "scorer" if n else "admin", 9) for n in range(4)]
        with running(command("serve", "--db", str(db), "--port", "0")) as (address, _):
            evenings = [
                played(Phone(address, scorers[number % 3]), tokens, number, club, league) for number in range(12)
            ]
            merged = Phone(address, admin).send(
                "/people", {"change": "merge", "player": "Hieronymos", "into": "Hieronymus", "expected": "0"}
            )
            assert merged[0] == 200, merged[1]
            ranking = json.loads(Phone(address, scorers[0]).page(f"/api/v1/leagues/{league}/ranking"))
            shown = Phone(address, scorers[0]).page(f"/leagues/{league}")
    expected = by_hand([evening.tables for evening in evenings], {"Hieronymos": "Hieronymus"})
    rows = {row["players"][0]: row["total"] for row in ranking["ranking"] if row["place"]}
    assert rows == expected
    assert len(rows) >= 8
    for player, total in expected.items():
        assert re.search(rf"{player}.*?{re.escape(total)}", shown, re.S)


def played(phone: Phone, tokens: Tokens, number: int, club: str, league: str) -> Evening:
    """Run one evening from its opening to its publication."""
    rng, day = Random(number), str(FIRST + timedelta(weeks=number))
    members = rng.sample(MEMBERS, rng.randint(7, 11))
    here, late = members[:-1], members[-1]
    if number == 4:  # somebody takes a member for somebody new
        here = [name for name in here if name != "Hieronymus"]
        late = "Hieronymos"
    form = {
        "id": hidden(phone.page("/evenings/new"))["id"], "club": club, "league": league, "date": day, "place": "Inn",
        "game": "hearts", "scoring": "places", "points": " ".join(map(str, POINTS)), "here": here,
        "hearts.break_hearts": "yes", "hearts.clean_first_trick": "yes",
    }  # fmt: skip
    status, text = phone.send("/evenings/new", form)
    assert status == 200, text
    id = phone.at.split("/")[-2]
    if number % 3 == 2:  # a phone lent for the evening keeps the score
        phone = Phone(phone.address, tokens.invite(f"phone {number}", id, datetime.now(UTC) + timedelta(hours=1)))
    evening = Evening(phone, rng, id)
    evening.round(1)
    if number == 4:
        evening.come(here, here, late, Hieronymos="Hieronymos")
    elif number % 2:
        wrong = f"{late[:-1]}x"  # the scorer mistypes a member and takes the suggestion
        evening.come(here, here, wrong, **{wrong: late})
    else:
        evening.come(here, [*here, late])
    evening.round(2)
    leaving = rng.choice(here)
    evening.come([*here, late], [name for name in [*here, late] if name != leaving])
    evening.round(3)
    evening.end()
    if number in (3, 7):  # a result was wrong, and somebody says so at the bar
        status, text = phone.send(f"{evening.path}/reopen", {})
        assert status == 200, text
        first = evening.tables[0]
        first |= {player: rng.randrange(27) for player in first}
        evening.result(1, 1, [*first.values()])
        evening.end()
    return evening
