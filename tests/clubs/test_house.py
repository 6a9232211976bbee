"""A house of clubs: each below its path, open while somebody asks for it, and apart from all others."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse
from werkzeug.wrappers import Response

from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.tokens import Tokens
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.http.streams import ALL, FORMS, Topic, streams_of
from cardledger_web.app import create_app, ledger_of
from cardledger_web.clubs.club import HouseClub
from cardledger_web.clubs.front import front
from cardledger_web.clubs.house import House
from cardledger_web.clubs.places import ClubPlace, places_at
from cardledger_web.serving.open_files import opened
from cardledger_web.serving.server_parts import ServerParts
from tests.web.club import opened as opening

NAMES = ("bonn", "kiel", "ulm")


class Time:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger for each club, of one match whose players have the club's name."""
    path = tmp_path_factory.mktemp("clubs")
    for name in NAMES:
        with Ledger(path / f"{name}.db") as ledger:
            ledger.record(None, [opening(players=tuple(f"{name}-{seat}" for seat in "abcd"))], 0)
    return path


@pytest.fixture
def folder(ledgers: Path, tmp_path: Path) -> Path:
    """A copy of the ledgers."""
    return copytree(ledgers, tmp_path / "clubs", ignore=ignore_patterns("*.lock"))


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def opened_clubs() -> list[str]:
    """The clubs whose ledgers were opened, one after another."""
    return []


@pytest.fixture
def house(folder: Path, time: Time, opened_clubs: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    def made(club: HouseClub, shared: ServerParts) -> Flask:
        opened_clubs.append(club.name)
        return create_app(club.place.at, shared=shared, limits=Limits.of(0), hosts=None)

    # What the tests before left is no part of the house: only what came since is searched for ledgers that were closed.
    gc.freeze()
    monkeypatch.setattr("cardledger_web.clubs.house.search_everything", gc.collect)
    places = places_at(folder) | {"ulm": ClubPlace(folder / "ulm.db", "ulm.example.org")}
    house = House(places, made, front(lambda: [*places], listed=True), idle=60, most_awake=2, clock=time)
    yield house
    house.close()


class Browser(Client):
    """Reads every answer to its end, as browsers do."""

    def open(self, *args: Any, **more: Any) -> TestResponse:
        return super().open(*args, buffered=True, **more)


@pytest.fixture
def browser(house: House) -> Browser:
    return Browser(house, Response)


def awake(house: House) -> set[str]:
    return {club.name for club in house.awake()}


def test_the_first_page_leads_to_every_club(browser: Browser) -> None:
    page = browser.get("/").get_data(as_text=True)
    assert all(f'href="/c/{name}/"' in page for name in NAMES)


def test_a_club_answers_for_its_own_ledger_below_its_path(browser: Browser) -> None:
    assert browser.get("/c/ulm").headers["Location"] == "/c/ulm/"
    told = browser.get("/c/ulm/api/v1/players").get_data(as_text=True)
    assert "ulm-a" in told and "kiel-a" not in told
    page = browser.get("/c/ulm/matches").get_data(as_text=True)
    assert 'href="/c/ulm/' in page and 'href="/matches' not in page


def test_a_ledger_opens_at_its_first_request_and_closes_when_nobody_asks(
    house: House, browser: Browser, time: Time
) -> None:
    assert awake(house) == set()
    browser.get("/c/ulm/")
    assert awake(house) == {"ulm"}
    time.now = 59
    house.look()
    assert awake(house) == {"ulm"}
    time.now = 61
    house.look()
    assert awake(house) == set()
    assert browser.get("/c/ulm/").status_code == 200


def test_a_ledger_stays_open_while_it_answers_or_is_followed(house: House, browser: Browser, time: Time) -> None:
    club = house.clubs["ulm"]
    app = club.enter()
    time.now = 600
    house.look()
    assert club.awake
    club.leave()
    with app.test_request_context("/"):
        stream = streams_of(app).open(
            Topic(None, whole=False), 0, FORMS["text/event-stream"], "c", 0, "h", lambda: True
        )
    assert stream is not None
    time.now = 1200
    house.look()
    assert club.awake
    stream.close()
    house.look()
    assert not club.awake


def test_who_signed_in_stays_so_while_the_ledger_is_closed(
    house: House, browser: Browser, folder: Path, time: Time
) -> None:
    tokens = Tokens(folder / "ulm.db")
    token = tokens.create("Samira", "scorer", 1)
    tokens.close()
    browser.get(f"/c/ulm/?token={token}")
    assert "Samira" in browser.get("/c/ulm/").get_data(as_text=True)
    time.now = 61
    house.look()
    assert awake(house) == set()
    assert "Samira" in browser.get("/c/ulm/").get_data(as_text=True)
    assert "Samira" not in browser.get("/c/kiel/").get_data(as_text=True), "a token is good for its own club"


def test_a_ledger_stays_open_while_something_waits_for_its_webhooks(
    house: House, browser: Browser, folder: Path, time: Time
) -> None:
    browser.get("/c/ulm/")
    hooks = Hooks(folder / "ulm.db", private=True)
    hook = hooks.add("news", "http://127.0.0.1:9/", "reader", ALL, 0)
    time.now = 1000
    house.look()
    assert "ulm" in awake(house)
    for name in ("kiel", "bonn"):
        time.now += 1
        assert browser.get(f"/c/{name}/").status_code == 200
    assert awake(house) == {"kiel", "bonn"}, "another one needs the place"
    time.now += 1000
    for _ in range(len(NAMES) + 2):
        house.look()
    assert "ulm" in awake(house), "it is opened again, to send what waits"
    hooks.remove(hook.id)
    hooks.close()
    time.now += 1000
    house.look()
    assert awake(house) == set()


def test_after_a_start_each_ledger_is_looked_at_once_and_one_that_has_nothing_to_send_is_closed_at_once(
    house: House, opened_clubs: list[str]
) -> None:
    house.start()
    for _ in NAMES:
        house.look()
        assert awake(house) == set()
    assert {*opened_clubs} == {*NAMES}


def test_so_many_are_open_at_once_and_the_one_that_rests_longest_gives_way(
    house: House, browser: Browser, time: Time
) -> None:
    for time.now, name in enumerate(NAMES):
        assert browser.get(f"/c/{name}/").status_code == 200
    assert awake(house) == {"kiel", "ulm"}
    for name in ("kiel", "ulm"):
        house.clubs[name].enter()
    full = browser.get("/c/bonn/")
    assert full.status_code == 503 and full.headers["Retry-After"] == "60"
    assert browser.get("/c/kiel/").status_code == 200
    for name in ("kiel", "ulm"):
        house.clubs[name].leave()
    assert browser.get("/c/bonn/").status_code == 200


def test_a_ledger_that_cannot_be_opened_is_its_own_clubs_trouble(folder: Path, house: House, browser: Browser) -> None:
    (folder / "kiel.db").write_bytes(b"no ledger" * 1000)
    page, told = browser.get("/c/kiel/"), browser.get("/c/kiel/api/v1/matches")
    assert page.status_code == told.status_code == 503
    assert told.json is not None and told.json["code"].startswith("store.")
    assert str(folder) not in page.get_data(as_text=True)
    assert browser.get("/c/ulm/").status_code == 200


@pytest.mark.parametrize(
    ("address", "status"), [("/c/berlin/", 404), ("/c/", 404), ("/c/ULM/", 404), ("/matches", 404)]
)
def test_what_is_no_club_says_so(browser: Browser, address: str, status: int) -> None:
    answer = browser.get(address)
    assert answer.status_code == status
    assert "<h1>" in answer.get_data(as_text=True)


def test_programs_get_problem_details(browser: Browser) -> None:
    told = browser.get("/c/berlin/api/v1/matches").json
    assert told is not None and told["code"] == "http.not-found" and told["instance"] == "/c/berlin/api/v1/matches"


def test_clubs_that_come_and_go_leave_no_files_or_threads(house: House, browser: Browser, time: Time) -> None:
    def round() -> None:
        for name in NAMES:
            time.now += 100
            browser.get(f"/c/{name}/matches")
            house.look()

    round()
    before = opened(), threading.active_count()
    for _ in range(5):
        round()
    assert (opened(), threading.active_count()) == before


@pytest.mark.parametrize("page", ["", "games/diversity/stats", "what-if"])
def test_a_closed_ledger_is_freed_whatever_was_asked(house: House, browser: Browser, time: Time, page: str) -> None:
    club = house.clubs["ulm"]
    browser.get(f"/c/ulm/{page}", headers={"Accept": "application/json"})
    app = club.enter()
    watched = [weakref.ref(each) for each in (app, ledger_of(app), ledger_of(app).views)]
    club.leave()
    del app
    time.now = 61
    house.look()
    assert [each() for each in watched] == [None] * 3


def test_many_who_come_at_once_open_it_once(house: House, opened_clubs: list[str]) -> None:
    codes = []
    threads = [
        threading.Thread(target=lambda: codes.append(Browser(house, Response).get("/c/ulm/").status_code))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [200] * 6 and opened_clubs == ["ulm"]


def test_a_host_of_its_own_leads_to_a_club_without_a_path(browser: Browser) -> None:
    page = browser.get("/matches", base_url="http://ulm.example.org:8000").get_data(as_text=True)
    assert "ulm-a" in page and 'href="/matches/' in page
    assert "ulm-a" not in browser.get("/").get_data(as_text=True)
    assert browser.get("/c/kiel/", base_url="http://ulm.example.org").status_code == 404


def test_the_house_tells_of_its_health_and_each_club_of_its_own(browser: Browser, house: House) -> None:
    ready: Any = browser.get("/health/ready").json
    assert ready["ready"] and [*ready["checks"]] == ["files"]
    told = browser.get("/c/ulm/health/ready").json
    assert told is not None and told["ready"] and "read_models" in told["checks"]
    assert ledger_of(house.clubs["ulm"].enter()).store.last_position() == 1
    house.clubs["ulm"].leave()


def test_behind_a_proxy_clubs_are_found_by_host_and_keep_to_its_path(folder: Path, time: Time) -> None:
    def made(club: HouseClub, shared: ServerParts) -> Flask:
        return create_app(club.place.at, shared=shared, limits=Limits.of(0), hosts=None)

    places = places_at(folder) | {"ulm": ClubPlace(folder / "ulm.db", "ulm.example.org")}
    for proxies in (0, 1):
        house = House(places, made, front(lambda: [*places], listed=True, hosts=None), proxies=proxies, clock=time)
        browser = Browser(house, Response)
        own = browser.get("/", headers={"X-Forwarded-Host": "ulm.example.org"}).get_data(as_text=True)
        page = browser.get("/c/ulm/matches", headers={"X-Forwarded-Prefix": "/cards"}).get_data(as_text=True)
        first = browser.get("/", headers={"X-Forwarded-Prefix": "/cards"}).get_data(as_text=True)
        house.close()
        assert ("ulm-a" in own or 'href="/matches' in own) is bool(proxies)
        assert ('href="/cards/c/ulm/' in page) is bool(proxies) and 'href="/cards/matches' not in page
        assert ('href="/cards/c/ulm/"' in first) is bool(proxies)


def test_clubs_come_while_others_look(house: House, folder: Path) -> None:
    """Threads that look see a club with its host or not at all."""
    wrong: list[str] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            wrong.extend(
                f"club-{number}"
                for number in range(100)
                if house.party("/", f"host-{number}.example.org") and f"club-{number}" not in house.clubs
            )

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(100):
        place = ClubPlace(folder / f"club-{number}.db", f"host-{number}.example.org")
        assert house.add(f"club-{number}", place) is house.add(f"club-{number}", place)
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == [] and len(house.clubs) == 100 + len(NAMES)
