"""A progressive drive on its pages: from a pasted list of names to the prizes, and what is refused on the way."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.web.test_evening_pages import hidden, send, sessions, state
from tests.web.test_pages import page
from tests.web.test_scoring import signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

Seats = dict[int, list[str]]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """An application with a ledger of its own, so that no name looks like a known one."""
    app = create_app(tmp_path / "hall.db", limits=Limits.of(0))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def ledger(app: Flask) -> Ledger:
    return ledger_of(app)


@pytest.fixture
def scorer(app: Flask) -> FlaskClient:
    return signed_in(app, "scorer")


def people(number: int, prefix: str = "Person") -> list[str]:
    """Return names that are not alike."""
    return [f"{prefix} {first}{second}" for first in "ABCDEFGHIJ" for second in "KLMNOPQRSTUVWXYZ"][:number]


def opened(client: FlaskClient, ledger: Ledger, lines: list[str], **form: Any) -> str:
    """Open an evening of whist with a pasted list; return its id."""
    blank = hidden(page(client, "/evenings/new?club=new"))
    sent = {
        "club_name": "Hall",
        "date": "2026-11-20",
        "game": "whist",
        "competes": "individual",
        "field": "\n".join(lines),
        **form,
    }
    answer = send(client, "/evenings/new", **blank, **sent)
    assert answer.status_code == 303, re.findall(r'class="warn"[^>]*>([^<]*)', answer.text)
    return sessions(ledger)[-1]


def begun(client: FlaskClient, session: str, **form: Any) -> None:
    answer = send(
        client, f"/evenings/{session}/drive/begin", **{"hands": "24", "moves": "winners_up", "trumps": "cycle", **form}
    )
    assert (answer.status_code, answer.location) == (303, f"/evenings/{session}/drive"), answer.text


def seats(text: str) -> Seats:
    """Return the names at each table of a sheet: first pair, then second."""
    found: Seats = {}
    for number, row in re.findall(r'<li id="table-(\d+)"(.*?)</li>', text, re.DOTALL):
        found[int(number)] = [unescape(name) for name in re.findall(r'class="player"[^>]*>([^<]*)<', row)]
    return found


def enter(client: FlaskClient, session: str, tricks: dict[int, str], round: int | None = None) -> Any:
    text = (
        page(client, f"/evenings/{session}/drive" + (f"?hand={round}" if round else ""))
        .partition('class="drive"')[2]
        .partition("</form>")[0]
    )
    fields = {
        name: unescape(value) for name, value in re.findall(r'type="hidden" name="([\w-]+)" value="([^"]*)"', text)
    }
    return send(
        client,
        f"/evenings/{session}/drive/tricks",
        **fields,
        **{f"tricks-{table}": said for table, said in tricks.items()},
    )


@pytest.mark.parametrize("number", [50, 52, 53])
def test_a_drive_is_played_to_its_end_over_http(scorer: FlaskClient, ledger: Ledger, number: int) -> None:
    names = people(number, f"Field{'ABC'[number % 3]}")
    session = opened(scorer, ledger, names)
    text = page(scorer, f"/evenings/{session}/drive/begin")
    assert "A progressive drive" in text
    assert ("sit out each hand" in text or "sits out each hand" in text) == (number != 52)
    begun(scorer, session)
    chance, total, together = Random(number), Counter[str](), Counter[frozenset[str]]()
    for hand in range(1, 25):
        text = page(scorer, f"/evenings/{session}/drive")
        assert f"Hand {hand} of 24" in text
        assert ("hearts", "clubs", "diamonds", "spades")[(hand - 1) % 4] in text
        tables = seats(text)
        assert len(tables) == number // 4
        tricks = {table: chance.randrange(14) for table in tables}
        for table, (a, b, c, d) in tables.items():
            total.update({a: tricks[table], b: tricks[table], c: 13 - tricks[table], d: 13 - tricks[table]})
            together.update([frozenset((a, b)), frozenset((c, d))])
        playing = {name for four in tables.values() for name in four}
        total.update(dict.fromkeys(set(names) - playing, 7))
        assert enter(scorer, session, {table: str(took) for table, took in tricks.items()}).status_code == 303
        if hand < 24:
            answer = send(scorer, f"/evenings/{session}/drive/hand", round=str(hand + 1))
            assert answer.status_code == 303, answer.text
    assert max(together.values()) <= 6
    assert "All hands are played." in page(scorer, f"/evenings/{session}/drive")
    rows = ledger.evenings.rankings.ranking(session).rows
    assert {row["players"][0]: int(row["total"]) for row in rows} == total
    assert sum(total.values()) == 24 * (26 * (number // 4) + 7 * (number % 4))
    again = page(scorer, "/evenings/new")
    assert '<option value="whist" selected>' in again and re.search(r'value="individual" checked', again)
    text = page(scorer, f"/evenings/{session}")
    best = max(total.values())
    assert f"{best} tricks" in text and "Booby prize" in text and "Best first half" in text


def test_every_game_of_partners_is_offered_and_one_that_cannot_is_refused(scorer: FlaskClient, ledger: Ledger) -> None:
    for game in ("whist", "euchre", "spades"):
        session = opened(
            scorer, ledger, people(4), game=game, club_name=game, **{f"meant:{name}": name for name in people(4)}
        )
        assert ('name="trumps"' in page(scorer, f"/evenings/{session}/drive/begin")) == (game == "whist")
        begun(scorer, session, hands="12")
        text = page(scorer, f"/evenings/{session}/drive")
        assert len(seats(text)) == 1
        assert ("hearts are trump" in text) == (game == "whist"), "elsewhere players decide"
    blank = hidden(page(scorer, "/evenings/new?club=new"))
    answer = send(
        scorer,
        "/evenings/new",
        **blank,
        club_name="x",
        game="hecto-diversity",
        competes="individual",
        more="a, b, c, d",
    )
    assert answer.status_code == 400 and "Boards are compared here" in answer.text


def test_the_form_keeps_what_was_written_when_a_table_is_wrong(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(8, "Wrong"))
    begun(scorer, session)
    before = len(ledger.evenings.events(session))
    answer = enter(scorer, session, {1: "8", 2: "8 6"})
    assert answer.status_code == 400
    assert "8 and 6 make 14; the tricks of a hand are 13." in answer.text and 'value="8 6"' in answer.text
    for said in ("14", "x", "-1", "1 2 3", "³"):
        assert "0 to 13" in enter(scorer, session, {2: said}).text
    assert len(ledger.evenings.events(session)) == before, "nothing is stored in part"
    assert enter(scorer, session, {1: "8", 2: ""}).status_code == 303
    text = page(scorer, f"/evenings/{session}/drive")
    assert "Seat everybody for hand 2" not in text
    assert send(scorer, f"/evenings/{session}/drive/hand", round="2").status_code == 422
    assert enter(scorer, session, {2: "8 5"}).status_code == 303
    assert "Seat everybody for hand 2" in page(scorer, f"/evenings/{session}/drive")
    assert "write the right number" in enter(scorer, session, {1: "", 2: "8"}).text


def test_a_table_that_comes_twice_is_refused(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(8, "Twice"))
    begun(scorer, session)
    before = len(ledger.evenings.events(session))
    fields = hidden(page(scorer, f"/evenings/{session}/drive"))
    answer = send(
        scorer, f"/evenings/{session}/drive/tricks", **fields | {"round": "1", "tricks-1": ["8", "5"], "tricks-2": "3"}
    )
    assert (answer.status_code, "0 to 13" in answer.text) == (400, True)
    assert len(ledger.evenings.events(session)) == before


def test_an_earlier_hand_is_corrected_and_the_seating_stays(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(12, "Fix"))
    begun(scorer, session)
    for hand in (1, 2, 3):
        tables = seats(page(scorer, f"/evenings/{session}/drive"))
        enter(scorer, session, dict.fromkeys(tables, "9"))
        send(scorer, f"/evenings/{session}/drive/hand", round=str(hand + 1))
    played = [seats(page(scorer, f"/evenings/{session}/drive?hand={hand}")) for hand in (1, 2, 3, 4)]
    text = page(scorer, f"/evenings/{session}/drive?hand=1")
    assert "stay seated as they were played" in text
    answer = enter(scorer, session, {1: "2", 2: "9", 3: "9"}, round=1)
    assert (answer.status_code, answer.location) == (303, f"/evenings/{session}/drive?hand=1")
    assert [seats(page(scorer, f"/evenings/{session}/drive?hand={hand}")) for hand in (1, 2, 3, 4)] == played
    total = Counter[str]()
    for hand, tables in enumerate(played[:3], 1):
        for table, (a, b, c, d) in tables.items():
            took = 2 if (hand, table) == (1, 1) else 9
            total.update({a: took, b: took, c: 13 - took, d: 13 - took})
    rows = ledger.evenings.rankings.ranking(session).rows
    assert {row["players"][0]: int(row["total"]) for row in rows} == total
    assert page(scorer, f"/evenings/{session}/drive?hand=5", 404)


def test_the_next_drive_of_a_club_begins_as_its_last(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(4))
    begun(scorer, session, hands="15", trumps="cycle-nt")
    club = str(state(ledger, session).opening.club)
    form = hidden(page(scorer, f"/evenings/new?club={club}"))
    send(scorer, "/evenings/new", **form, date="2026-11-27", game="whist", competes="individual", here=people(4))
    text = page(scorer, f"/evenings/{sessions(ledger)[-1]}/drive/begin")
    assert (
        'name="hands" value="15"' in text
        and 'value="cycle-nt" checked' in text
        and 'value="winners_up" checked' in text
    )


def test_two_scorers_who_differ_are_told_so(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(4, "Two"))
    begun(scorer, session)
    fields = {"round": "1", "was-1": ""}
    path = f"/evenings/{session}/drive/tricks"
    assert send(scorer, path, **fields, **{"tricks-1": "8"}).status_code == 303
    assert send(scorer, path, **fields, **{"tricks-1": "8"}).status_code == 303, "the same again"
    answer = send(scorer, path, **fields, **{"tricks-1": "7"})
    assert answer.status_code == 400 and "Somebody recorded 8 5 meanwhile" in answer.text
    assert send(scorer, path, **{"round": "1", "was-1": "8 5", "tricks-1": "7"}).status_code == 303
    assert state(ledger, session).results[1, 1, None][1].points == (7, 6, 7, 6)


def test_ladies_stand_first_in_a_list_of_pairs_and_go_up(scorer: FlaskClient, ledger: Ledger) -> None:
    lines = [f"{lady} / {man}" for lady, man in zip(people(10, "Lady"), people(10, "Sir"), strict=True)]
    session = opened(scorer, ledger, lines, ladies_first="yes")
    text = page(scorer, f"/evenings/{session}/drive/begin")
    assert len(re.findall(r'name="ladies" value="Lady [^"]*" checked', text)) == 10
    begun(scorer, session, moves="ladies_up", ladies=people(10, "Lady"))
    tables = seats(page(scorer, f"/evenings/{session}/drive"))
    assert all(a.startswith("Lady") and b.startswith("Sir") for a, b, *_ in tables.values())
    assert tables[1][:2] == lines[0].split(" / ")
    enter(scorer, session, dict.fromkeys(tables, "10"))
    send(scorer, f"/evenings/{session}/drive/hand", round="2")
    after = seats(page(scorer, f"/evenings/{session}/drive"))
    assert tables[1][0] in after[2] and tables[2][1] in after[1]
    text = page(scorer, f"/evenings/{session}")
    assert "Best lady" in text and "Best gentleman" in text and "tied" in text


def test_a_drive_where_ladies_go_up_needs_ladies(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(8, "None"))
    path = f"/evenings/{session}/drive/begin"
    for form, said in (
        ({"hands": "0"}, "1 to 60"),
        ({"moves": "x"}, "one of the two"),
        ({"trumps": "x"}, "one of the three"),
        ({"moves": "ladies_up"}, "Tap who plays as a lady"),
    ):
        answer = send(scorer, path, **{"hands": "24", "moves": "winners_up", "trumps": "game", **form})
        assert answer.status_code == 400 and said in answer.text, form
    assert not state(ledger, session).movements


def test_who_comes_late_to_a_drive_of_ladies_and_gentlemen_is_asked_for(scorer: FlaskClient, ledger: Ledger) -> None:
    lines = [f"{lady} / {man}" for lady, man in zip(people(4, "Lady"), people(4, "Sir"), strict=True)]
    session = opened(scorer, ledger, lines, ladies_first="yes")
    begun(scorer, session, moves="ladies_up", ladies=people(4, "Lady"))
    enter(scorer, session, {1: "9", 2: "4"})
    here = [*state(ledger, session).here]
    come = {"shown": here, "here": here, "more": "Zebedee Late"}
    assert send(scorer, f"/evenings/{session}/players", **come).status_code == 303
    answer = send(scorer, f"/evenings/{session}/drive/hand", round="2")
    assert answer.status_code == 422 and "Zebedee Late plays as neither lady nor gentleman" in answer.text
    path = f"/evenings/{session}/drive/ladies"
    assert send(scorer, path, ladies=people(4, "Lady")).status_code == 303
    assert send(scorer, f"/evenings/{session}/drive/hand", round="2").status_code == 303
    assert "Zebedee Late" in page(scorer, f"/evenings/{session}/drive")
    before = len(ledger.evenings.events(session))
    assert send(scorer, path, ladies=people(4, "Lady")).status_code == 303
    assert len(ledger.evenings.events(session)) == before, "the same again records nothing"


def test_the_log_of_a_long_evening_shows_the_latest_events_and_leads_to_all(
    scorer: FlaskClient, ledger: Ledger
) -> None:
    session = opened(scorer, ledger, people(160))
    begun(scorer, session)
    enter(scorer, session, dict.fromkeys(range(1, 41), "8"))
    text = page(scorer, f"/evenings/{session}")
    recorded = len(ledger.evenings.events(session))
    assert recorded > 400 and text.count('<li id="e') == 400
    assert f"/evenings/{session}?log=all#log" in text
    assert page(scorer, f"/evenings/{session}?log=all").count('<li id="e') == recorded


@pytest.mark.parametrize("suffix", [".txt", ".png", "/screen", "/results"])
def test_what_else_shows_an_evening_shows_a_drive(scorer: FlaskClient, ledger: Ledger, suffix: str) -> None:
    session = opened(scorer, ledger, people(9))
    begun(scorer, session, hands="1")
    query = "?round=1&table=1" if suffix == "/results" else ""
    assert scorer.get(f"/evenings/{session}{suffix}{query}").status_code == 200
    enter(scorer, session, {1: "9", 2: "4"})
    answer = scorer.get(f"/evenings/{session}{suffix}{query}")
    assert answer.status_code == 200
    assert suffix != ".txt" or "Best of all" in answer.text and "Round 1" not in answer.text


def test_readers_see_the_sheet_and_the_card_of_a_player_and_no_form(
    app: Flask, scorer: FlaskClient, ledger: Ledger
) -> None:
    session = opened(scorer, ledger, people(9, "Read"))
    reader = app.test_client()
    assert reader.get(f"/evenings/{session}/drive").location == f"/evenings/{session}"
    assert scorer.get(f"/evenings/{session}/drive").location == f"/evenings/{session}/drive/begin"
    assert "Play a progressive drive" in page(scorer, f"/evenings/{session}/round")
    begun(scorer, session, trumps="cycle-nt")
    tables = seats(page(scorer, f"/evenings/{session}/drive"))
    enter(scorer, session, {1: "9", 2: "4"})
    assert send(scorer, f"/evenings/{session}/drive/hidden-table", table="2").status_code == 303
    assert send(scorer, f"/evenings/{session}/drive/hidden-table", table="7").status_code == 422
    text = page(reader, f"/evenings/{session}/drive")
    assert "<form" not in text.partition("<main")[2] and "The hidden table is table 2." in text
    card = page(reader, f"/evenings/{session}/cards/1")
    assert tables[1][1] in card and tables[1][2] in card and "With" in card
    assert "sat out" in page(reader, f"/evenings/{session}/cards/9")
    assert f"/evenings/{session}/cards/1" in page(reader, f"/evenings/{session}")
    assert "Scoring is for scorers" in send(reader, f"/evenings/{session}/drive/hand", round="2").text


def test_a_seating_is_taken_back_before_anybody_has_played(scorer: FlaskClient, ledger: Ledger) -> None:
    session = opened(scorer, ledger, people(8, "Back"))
    begun(scorer, session)
    enter(scorer, session, {1: "9", 2: "4"})
    send(scorer, f"/evenings/{session}/drive/hand", round="2")
    wrong = seats(page(scorer, f"/evenings/{session}/drive"))
    assert "Take this seating back" in page(scorer, f"/evenings/{session}/drive")
    assert send(scorer, f"/evenings/{session}/round/back", round="2").status_code == 303
    answer = enter(scorer, session, {1: "4", 2: "4"})
    assert answer.status_code == 303, re.findall(r'class="warn"[^>]*>([^<]*)', answer.text)
    send(scorer, f"/evenings/{session}/drive/hand", round="2")
    assert seats(page(scorer, f"/evenings/{session}/drive")) != wrong
    assert isinstance(ledger.evenings.stream(session).state, SessionState)


def test_a_field_of_pairs_is_pasted_with_numbers_and_competes_at_once(scorer: FlaskClient, ledger: Ledger) -> None:
    names = people(16, "Pair")
    lines = [f"{9 - n}. {names[2 * n - 2]} / {names[2 * n - 1]}" for n in range(1, 9)]
    session = opened(scorer, ledger, lines, game="bridge", competes="pairs", boards="2")
    found = state(ledger, session)
    assert {number: found.players(number, 1) for number in found.entries} == {
        9 - n: (names[2 * n - 2], names[2 * n - 1]) for n in range(1, 9)
    }
    assert {*found.here} == {*names}
    assert "Howell" in page(scorer, f"/evenings/{session}/movement")


def test_the_same_people_as_last_time_are_on_the_form_with_their_numbers(scorer: FlaskClient, ledger: Ledger) -> None:
    names = people(16, "Again")
    lines = [f"{n}. {names[2 * n - 2]} / {names[2 * n - 1]}" for n in range(1, 9)]
    pairs = state(ledger, opened(scorer, ledger, lines, game="bridge", competes="pairs", boards="2"))
    address = f"/evenings/new?club={pairs.opening.club}"
    assert "as_last=1" in page(scorer, address)
    again = page(scorer, f"{address}&as_last=1")
    assert "\n".join(lines) in again
    form = hidden(again) | {"game": "bridge", "competes": "pairs", "boards": "2", "field": "\n".join(lines)}
    send(scorer, "/evenings/new", **form)
    found = state(ledger, sessions(ledger)[-1])
    assert {number: found.players(number, 1) for number in found.entries} == {
        number: pairs.players(number, 1) for number in pairs.entries
    }


def test_players_who_came_last_time_are_ticked(scorer: FlaskClient, ledger: Ledger) -> None:
    names = people(8, "Tick")
    single = state(ledger, opened(scorer, ledger, names, game="hearts", competes="players"))
    again = page(scorer, f"/evenings/new?club={single.opening.club}&as_last=1")
    assert {name for name in names if re.search(rf'name="here" value="{name}" checked', again)} == {*names}


@pytest.mark.parametrize(
    ("competes", "text", "said"),
    [
        ("pairs", "Solo Zed", "Line 1 has 1 name. A pair has two players."),
        ("pairs", "9. Zed Q / Yot W", "from 1 to 2"),
        ("individual", "Zed, Q", "Line 1 has a comma"),
        ("teams", "Zed Q / Yot W", "four to six"),
    ],
    ids=["pair", "number", "comma", "team"],
)
def test_a_line_that_cannot_be_is_said_beside_the_list(
    scorer: FlaskClient, ledger: Ledger, competes: str, text: str, said: str
) -> None:
    before = len(sessions(ledger))
    form = hidden(page(scorer, "/evenings/new?club=new"))
    answer = send(scorer, "/evenings/new", **form, club_name="y", game="bridge", competes=competes, field=text)
    assert answer.status_code == 400 and said in answer.text
    assert len(sessions(ledger)) == before


def test_a_pasted_name_that_looks_like_a_known_one_is_asked_about(scorer: FlaskClient, ledger: Ledger) -> None:
    opened(scorer, ledger, ["Quentin Zuckermann", *people(3, "Ask")])
    form = hidden(page(scorer, "/evenings/new?club=new"))
    sent = form | {
        "club_name": "z",
        "game": "whist",
        "competes": "individual",
        "field": "Quentin Zuckerman\nOther Name",
    }
    answer = send(scorer, "/evenings/new", **sent)
    assert answer.status_code == 400 and "meant:Quentin Zuckerman" in answer.text
    answer = send(scorer, "/evenings/new", **sent, **{"meant:Quentin Zuckerman": "Quentin Zuckermann"})
    assert answer.status_code == 303
    assert [*state(ledger, sessions(ledger)[-1]).here] == ["Quentin Zuckermann", "Other Name"]
