"""What a federation sets for a club holds in that club and no other, and the club cannot raise it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import TooManyRequests
from werkzeug.test import Client
from werkzeug.wrappers import Response

from cardledger.errors import StoreError
from cardledger.record.matches.matchfile import Problem, read_file
from cardledger.record.people.people import Name
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.quota import Quota
from cardledger_api.acts.acts import Acts
from cardledger_api.auth.limits import Limits
from cardledger_api.auth.tokens import Tokens
from cardledger_api.auth.users import Users
from cardledger_api.beside.house import house_at
from cardledger_api.http.gate import Gate
from cardledger_api.http.quotas import OwnGate, OwnPlaces
from cardledger_api.http.shared_places import Places
from cardledger_api.http.streams import streams_of
from cardledger_web.clubs.club import HouseClub
from cardledger_web.clubs.federation import add_federation
from cardledger_web.clubs.front import front
from cardledger_web.clubs.house import House
from cardledger_web.clubs.making import make_club
from cardledger_web.clubs.managing import ManagedHouse
from cardledger_web.clubs.opening import open_club
from cardledger_web.clubs.places import places_at
from cardledger_web.clubs.settings import EVERY, ClubSettings, HouseSettings
from cardledger_web.serving.server_parts import ServerParts
from tests.test_cli import run
from tests.web.club import opened

OPENING = {"type": "open", "game": "whist", "players": ["ana", "ben", "chloe", "dev"]}


class Clubs:
    """A house with two clubs, `ulm` and `kiel`, and the tokens of their admins and of the federation."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.settings = folder, HouseSettings(house_at(folder))
        self.tokens = {name: make_club(folder, name, "Vogt", "a test").token for name in ("ulm", "kiel")}

        def made(club: HouseClub, shared: ServerParts) -> Flask:
            return open_club(club, shared, self.settings, Limits.of(0), hosts=None, open_reading=False)

        app = front(list, listed=False, hosts=None)
        self.house, self.users = House(places_at(folder), made, app), Tokens(house_at(folder))
        self.tokens["house"] = self.users.create("federation", "admin", 1)
        add_federation(
            app, Users(self.users, open_reading=False), ManagedHouse(folder, self.house, self.settings), Limits()
        )
        self.browser = Client(self.house, Response)

    def ask(self, path: str, by: str, method: str = "GET", **more: Any) -> Any:
        """Return the answer to a request with the token of a club's admin, or of the federation."""
        more.setdefault("headers", {})["Authorization"] = f"Bearer {self.tokens[by]}"
        return self.browser.open(path, method=method, buffered=True, **more)

    def set(self, club: str, **values: Any) -> Any:
        """Return the answer to a change of settings by the federation."""
        return self.ask(f"/api/v1/clubs/{club}", "house", "PATCH", json=values)

    def record(self, club: str) -> Any:
        """Return the answer to the opening of a match in a club."""
        return self.ask(f"/c/{club}/api/v1/matches", club, "POST", json={"events": [OPENING]})

    def close(self) -> None:
        """Close everything."""
        self.house.close()
        self.users.close()
        self.settings.close()


@pytest.fixture
def clubs(tmp_path: Path) -> Iterator[Clubs]:
    with closing(Clubs(tmp_path)) as clubs:
        yield clubs


def test_a_club_at_its_quota_says_which_and_whom_to_ask_and_reading_goes_on(clubs: Clubs) -> None:
    clubs.set("ulm", events=2, ask="Samira Vogt")
    assert [clubs.record("ulm").status_code for _ in range(3)] == [201, 201, 422]
    refused = clubs.record("ulm").json
    assert refused["code"] == "store.quota"
    assert all(word in refused["detail"] for word in ("may hold 2 events", "has 2", "Samira Vogt"))
    assert len(clubs.ask("/c/ulm/api/v1/matches", "ulm").json["matches"]) == 2
    assert clubs.record("kiel").status_code == 201, "another club goes on"


def test_a_quota_that_is_raised_or_forgotten_counts_at_once(clubs: Clubs) -> None:
    clubs.set("ulm", events=0)
    assert clubs.record("ulm").status_code == 422
    clubs.set("ulm", events=1)
    assert [clubs.record("ulm").status_code for _ in range(2)] == [201, 422]
    run("clubs", "set", str(clubs.folder), "--club", "ulm", "events=")
    assert clubs.record("ulm").status_code == 201


def test_a_page_says_so_too_and_nothing_is_recorded(clubs: Clubs) -> None:
    clubs.set("ulm", events=0)
    form = {"game": "whist", "player": ["ana", "ben", "chloe", "dev"]}
    answer = clubs.ask("/c/ulm/matches/new", "ulm", "POST", data=form, headers={"Sec-Fetch-Site": "same-origin"})
    assert "may hold 0 events" in answer.get_data(as_text=True)
    assert clubs.ask("/c/ulm/api/v1/matches", "ulm").json["matches"] == []


def test_the_bytes_of_all_files_count(clubs: Clubs) -> None:
    clubs.set("ulm", bytes=1_000)
    refused = clubs.record("ulm").json
    assert refused["code"] == "store.quota" and "MB" in refused["detail"]


def test_somebody_is_erased_beyond_a_quota_and_nothing_else_is_recorded(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        ledger.record(None, [opened()], 0)
        ledger.store.quota = lambda: Quota(events=1)
        with pytest.raises(StoreError) as refused:
            ledger.record_people([Name(player=opened().players[0], name="Ana Lima")], 0, "Vogt")
        assert refused.value.code == "store.quota"
        erase(ledger, examine(ledger, opened().players[0]), "Vogt")
        assert ledger.store.last_position() == 2


def test_of_an_import_what_fits_is_stored_and_the_rest_is_said(tmp_path: Path) -> None:
    made, path = tmp_path / "made.db", tmp_path / "matches.jsonl"
    with Ledger(made) as ledger:
        for _ in range(3):
            ledger.record(None, [opened()], 0)
    path.write_text(run("export", "--db", str(made)).stdout)
    with Ledger(tmp_path / "club.db") as ledger:
        ledger.store.quota = lambda: Quota(events=2)
        found = [*ledger.import_matches(read_file(path))]
        problems = [each for each in found if isinstance(each, Problem)]
        assert problems and all(each.error.code == "store.quota" for each in problems)
        assert ledger.store.last_position() <= 2


def test_settings_of_all_clubs_count_where_a_club_has_none(clubs: Clubs) -> None:
    clubs.set(EVERY, events=5, title="Cards")
    clubs.set("ulm", events=7)
    assert clubs.settings.of("ulm") == ClubSettings(events=7, title="Cards")
    assert clubs.settings.of("kiel") == ClubSettings(events=5, title="Cards")
    assert clubs.ask("/api/v1/clubs/kiel", "house").json["events"] == 5


def test_only_the_federation_sets_them_and_it_is_noted(clubs: Clubs) -> None:
    for path in ("/api/v1/clubs/ulm", "/c/ulm/api/v1/clubs/ulm"):
        assert clubs.ask(path, "ulm", "PATCH", json={"events": 9}).status_code in (401, 404, 405)
    assert clubs.settings.of("ulm").events is None
    clubs.set("ulm", events=9)
    with closing(Acts(house_at(clubs.folder))) as acts:
        assert ("federation", "PATCH /api/v1/clubs/<club>", "ulm events=9") in {act[:3] for act in acts.all()}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"events": -1}, "house.setting"), ({"rate": 0}, "house.setting"), ({"language": "tlh"}, "house.setting"),
        ({"title": "a\nb"}, "house.setting"), ({"title": ""}, "house.setting"), ({"title": "x" * 81}, "house.setting"),
        ({"events": 1.5}, "format.value"), ({"evnets": 1}, "format.value"),
    ],
)  # fmt: skip
def test_a_wrong_value_changes_nothing(clubs: Clubs, values: dict[str, Any], code: str) -> None:
    assert clubs.set("ulm", streams=3, **values).json["code"] == code
    assert clubs.settings.of("ulm") == ClubSettings()


def test_a_club_that_is_not_there_has_no_settings(clubs: Clubs) -> None:
    answer = clubs.set("umm", events=1)
    assert (answer.status_code, answer.json["code"]) == (404, "house.unknown")


def test_the_name_and_the_language_of_a_club_are_on_its_pages_only(clubs: Clubs) -> None:
    clubs.ask("/c/ulm/matches", "ulm")
    clubs.set("ulm", title="Card Club Ulm", language="de")
    page = clubs.ask("/c/ulm/matches", "ulm").get_data(as_text=True)
    assert "Card Club Ulm</title>" in page and '<html lang="de"' in page
    french = clubs.ask("/c/ulm/matches", "ulm", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    assert '<html lang="fr"' in french, "a reader's own language counts"
    other = clubs.ask("/c/kiel/matches", "kiel").get_data(as_text=True)
    assert "Card Club Ulm" not in other and '<html lang="en"' in other


def test_a_rate_is_the_clubs_own(clubs: Clubs) -> None:
    clubs.set("ulm", rate=0.001)

    def asked(club: str) -> set[int]:
        return {clubs.ask(f"/c/{club}/api/v1/me", club).status_code for _ in range(3)}

    assert asked("ulm") == {200, 429} and asked("kiel") == {200}


def test_live_streams_of_a_club_are_counted_apart_and_those_of_the_server_too() -> None:
    shared = Places(3)
    ulm, kiel = OwnPlaces(1, shared, "Vogt"), OwnPlaces(5, shared, "Vogt")
    taken = ulm.take("ana", 0, list)
    assert taken is not None
    with pytest.raises(TooManyRequests, match="may have 1 live streams at once, and has them: ask Vogt"):
        ulm.take("ana", 0, list)
    others = [kiel.take("ben", 0, list) for _ in range(3)]
    assert others[2] is None and len(shared) == 3
    ulm.give_back(taken)
    ulm.give_back(taken)
    assert (len(shared), len(ulm), len(kiel)) == (2, 0, 2)
    assert ulm.take("ana", 0, list) is not None


def test_who_loses_a_place_of_the_server_has_none_of_the_club_either() -> None:
    shared = Places(1)
    ulm, kiel = OwnPlaces(2, shared, ""), OwnPlaces(2, shared, "")
    lost: list[str] = []
    place = ulm.take("reader", 1, lambda: (lost.append("reader"), ulm.give_back(place)))
    assert place is not None
    assert kiel.take("scorer", 2, list) is not None
    assert lost == ["reader"] and (len(ulm), len(kiel), len(shared)) == (0, 1, 1)


def test_expensive_answers_of_a_club_are_counted_apart() -> None:
    shared = Gate(most=4, each=4)
    gate = OwnGate(1, shared, "Vogt")
    leave = gate.enter("ana", 1)
    with pytest.raises(TooManyRequests, match="may have 1 expensive answers at once, and has them: ask Vogt"):
        gate.enter("ben", 1)
    assert (gate.inside, shared.inside) == (1, 1)
    leave()
    leave()
    assert (gate.inside, shared.inside) == (0, 0)


def test_quotas_for_streams_and_expensive_answers_reach_the_application(clubs: Clubs) -> None:
    clubs.set("ulm", streams=0, expensive=0)
    streams = clubs.ask("/c/ulm/api/v1/live", "ulm")
    assert (streams.status_code, streams.json["code"]) == (429, "access.quota")
    heavy = clubs.ask("/c/ulm/api/v1/deals", "ulm")
    assert (heavy.status_code, heavy.json["code"]) == (429, "access.quota")
    assert clubs.ask("/c/ulm/matches", "ulm").status_code == 200


def test_a_club_with_new_settings_opens_anew_when_nobody_asks(clubs: Clubs) -> None:
    clubs.ask("/c/ulm/matches", "ulm")
    club = clubs.house.clubs["ulm"]
    app = club.enter()
    clubs.set("ulm", title="Ulm")
    assert club.awake, "somebody asks just now"
    assert streams_of(app).stopped, "who follows it comes again"
    club.leave()
    clubs.house.look()
    assert not club.awake
    assert "Ulm</title>" in clubs.ask("/c/ulm/matches", "ulm").get_data(as_text=True)


def test_the_command_sets_shows_and_forgets(tmp_path: Path) -> None:
    make_club(tmp_path, "ulm", "Vogt", "a test")
    words = ("clubs", "set", str(tmp_path), "--club", "ulm")
    told = json.loads(run(*words, "events=10", "title=12", "ask=Vogt", "rate=2.5", "--json").stdout)
    assert {key: value for key, value in told.items() if value is not None} == {
        "events": 10, "title": "12", "ask": "Vogt", "rate": 2.5,
    }  # fmt: skip
    assert "events" in run(*words).stdout and "events" not in run(*words, "events=").stdout
    assert "did you mean 'events'" in run(*words, "evnts=1", status=2).stderr
    assert "house.setting" in run(*words, "events=many", status=2).stderr
    assert "house.setting" in run(*words, "events", status=2).stderr
    assert "house.unknown" in run("clubs", "set", str(tmp_path), "--club", "kiel", "events=1", status=2).stderr


def test_the_page_of_settings_changes_only_what_was_changed_there(clubs: Clubs) -> None:
    clubs.set(EVERY, events=5)
    here = {"Sec-Fetch-Site": "same-origin"}
    page = clubs.ask("/clubs/ulm", "house").get_data(as_text=True)
    assert 'name="events" type="number" min="0" step="1" value="5"' in page
    form = {"events": "5", "bytes": "", "streams": "3", "title": "Card Club Ulm", "language": "de", "rate": "2.5"}
    assert clubs.ask("/clubs/ulm", "house", "POST", data=form, headers=here).status_code == 303
    clubs.set(EVERY, events=6)
    expected = ClubSettings(events=6, streams=3, title="Card Club Ulm", language="de", rate=2.5)
    assert clubs.settings.of("ulm") == expected
    refused = clubs.ask("/clubs/ulm", "house", "POST", data={"events": "-1"}, headers=here)
    assert refused.status_code == 422 and 'value="-1"' in refused.get_data(as_text=True)
    assert clubs.settings.of("ulm") == expected
    assert clubs.ask("/clubs/none", "house").status_code == 404
    assert clubs.ask("/clubs/ulm", "ulm").status_code == 401
    assert clubs.ask("/clubs/*", "house", "POST", data={"events": ""}, headers=here).status_code == 303
    assert clubs.settings.of("kiel") == ClubSettings()
