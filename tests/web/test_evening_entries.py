"""An evening of pairs, of teams, or of changing pairs is opened on the pages alone: who competes, then who plays whom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.web.test_evening_pages import hidden, send
from tests.web.test_pages import page
from tests.web.test_scoring import asked, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

SIXTEEN = [
    "Adam", "Berta", "Cleo", "Dragomir", "Emil", "Friederike", "Gustav", "Hortense", "Ivo", "Juliane", "Klothilde", "Ludwig",
    "Mirabelle", "Noah", "Oswald", "Philippa",
]  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application whose clients have no token unless they sign in."""
    app = create_app(tmp_path_factory.mktemp("entries") / "club.db", limits=Limits.of(0))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture(scope="module")
def scorer(app: Flask) -> FlaskClient:
    """A browser signed in as a scorer."""
    return signed_in(app, "scorer")


def begun(scorer: FlaskClient, competes: str, **form: Any) -> str:
    """Open an evening; return the address that follows."""
    text = page(scorer, "/evenings/new?club=new")
    answer = send(
        scorer, "/evenings/new", **hidden(text), club_name="Bridge Club", competes=competes, boards="3", **form
    )
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def lines(players: list[str], size: int, where: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of entries, `size` players each; `where` are their lines."""
    form: dict[str, Any] = {}
    for place in range(1, len(players) // size + 1):
        form[f"number-{place}"] = str(place)
        form[f"name-{place}"] = players[size * (place - 1) : size * place]
        form[f"line-{place}"] = where[place - 1] if where else ""
    return form


def state_of(app: Flask, path: str) -> SessionState:
    state = ledger_of(app).evenings.stream(path.split("/")[2]).state
    assert isinstance(state, SessionState)
    return state


def follow(scorer: FlaskClient, path: str, **form: Any) -> str:
    answer = send(scorer, path, **form)
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def choices(text: str) -> list[str]:
    return re.findall(r'name="movement" value="([\w-]+)"', text)


def test_pairs_are_opened_on_the_pages_from_the_form_to_the_boards_of_the_first_round(
    app: Flask, scorer: FlaskClient
) -> None:
    path = begun(scorer, "pairs", board_scoring="butler")
    assert path.endswith("/entries?boards=3")
    entries = path.partition("?")[0]
    evening = entries.removesuffix("/entries")
    # Whoever goes on too early is led to what is still needed.
    assert scorer.get(f"{evening}/round").location == entries
    assert scorer.get(f"{evening}/movement").location == entries
    text = page(scorer, path)
    form = {**hidden(text), **lines(SIXTEEN, 2, ("ns",) * 4 + ("ew",) * 4)}
    path = follow(scorer, entries, **form)
    assert path == f"{evening}/movement?boards=3"
    assert scorer.get(f"{evening}/round").location == f"{evening}/movement"
    text = page(scorer, path)
    assert choices(text) == [
        "howell", "mitchell-skip", "mitchell-skip-switch", "mitchell-share", "mitchell-share-switch", "swiss",
    ]  # fmt: skip
    assert "7 rounds of 3 boards, 21 in all." in text
    assert "3 rounds of 3 boards: each plays 9 of the 12." in text
    shorter = page(scorer, f"{evening}/movement?boards=2&rounds=5")
    assert "5 rounds of 2 boards" in shorter
    path = follow(scorer, f"{evening}/movement", **hidden(text), movement="mitchell-skip-switch")
    assert path == f"{evening}/round"
    assert page(scorer, path).count("table-card") == 4
    path = follow(scorer, path, round="1", game="bridge")
    text_of_evening = page(scorer, path)
    assert text_of_evening.count("Score table") == 4
    assert "<small>round 2</small>" not in text_of_evening, "rounds that are not open yet do not wait"
    state = state_of(app, path)
    assert (state.opening.unit, state.opening.scoring.kind, state.opening.game) == ("pair", "butler", "bridge")
    assert {number: seated.boards for number, seated in state.tables(1).items()} == {
        1: (1, 2, 3), 2: (4, 5, 6), 3: (7, 8, 9), 4: (10, 11, 12),
    }  # fmt: skip
    assert (len(state.here), len(state.results), state.movements[0].arrow_switch) == (16, 12, 1)
    # The next evening of this club is as this one.
    again = page(scorer, "/evenings/new")
    assert re.search(r'name="competes" value="pairs" checked', again)
    assert re.search(r'name="board_scoring" value="butler" checked', again)
    assert 'name="boards" value="3"' in again
    # The page of the movement, shown before the round, changes the rounds to come no more.
    answer = send(scorer, f"{evening}/movement", **hidden(text), movement="howell")
    assert (answer.status_code, "look at it again" in answer.text) == (400, True)
    assert "this begins with round 2" in page(scorer, f"{evening}/movement")
    # Numbers and lines stay as they are now.
    answer = send(scorer, entries, **form | {"line-1": "ew"})
    assert (answer.status_code, "has begun" in answer.text) == (400, True)


def test_a_substitute_is_entered_on_the_page_of_the_evening_once_a_round_has_begun(
    app: Flask, scorer: FlaskClient
) -> None:
    entries = begun(scorer, "pairs").partition("?")[0]
    evening = entries.removesuffix("/entries")
    movement = follow(scorer, entries, **lines(SIXTEEN[:8], 2)).partition("?")[0]
    assert "Substitutes" not in page(scorer, evening)
    follow(scorer, movement, boards="2", movement="howell")
    follow(scorer, f"{evening}/round", round="1", game="bridge")
    assert f'href="{entries}">Substitutes, latecomers</a>' in page(scorer, evening)
    text = page(scorer, entries)
    assert "they play from round 2 on" in text
    assert text.count('name="name-') == 8, "no empty lines: who competes stays"
    assert 'name="more"' not in text
    form = hidden(text)
    names = lines(SIXTEEN[:8], 2)
    answer = send(scorer, entries, **form | names | {"name-1": ["Adam", ""]})
    assert (answer.status_code, "A pair has two players." in answer.text) == (400, True)
    # Berta goes home; Cleo of the second pair takes her place, and Quirin that of Cleo.
    sent = form | names | {"name-1": ["Adam", "Cleo"], "name-2": ["Quirin", "Dragomir"]}
    assert follow(scorer, entries, **sent) == evening
    state = state_of(app, evening)
    assert [state.players(number, round) for round in (1, 2) for number in (1, 2)] == [
        ("Adam", "Berta"), ("Cleo", "Dragomir"), ("Adam", "Cleo"), ("Quirin", "Dragomir"),
    ]  # fmt: skip
    assert {"Quirin", "Berta"} & {*state.here} == {"Quirin"}
    position = ledger_of(app).store.last_position()
    follow(scorer, entries, **sent)
    assert ledger_of(app).store.last_position() == position, "the same form again records nothing"
    assert "Quirin" in page(scorer, follow(scorer, f"{evening}/round", round="2", game="bridge"))


def test_a_single_player_in_changing_pairs_has_a_substitute_too(app: Flask, scorer: FlaskClient) -> None:
    path = begun(scorer, "individual", more=", ".join(SIXTEEN[:8]))
    evening = path.partition("/movement")[0]
    assert scorer.get(f"{evening}/entries").status_code == 404
    follow(scorer, path.partition("?")[0], **hidden(page(scorer, path)), movement="individual")
    follow(scorer, f"{evening}/round", round="1", game="bridge")
    sent = hidden(page(scorer, f"{evening}/entries")) | lines(["Quirin", *SIXTEEN[1:8]], 1)
    follow(scorer, f"{evening}/entries", **sent)
    assert state_of(app, evening).players(1, 2) == ("Quirin",)


def test_enter_in_a_name_saves_and_adds_no_lines(scorer: FlaskClient) -> None:
    """A browser presses the first button of a form."""
    form = page(scorer, begun(scorer, "pairs")).partition('<form class="opening')[2].partition("</form>")[0]
    first, second = re.findall(r"<button[^>]*>([^<]+)", form)
    assert (first, second) == ("Save and go on", "More lines")


def test_two_teams_of_four_play_a_match_that_is_opened_on_the_pages(app: Flask, scorer: FlaskClient) -> None:
    path = begun(scorer, "teams")
    path = follow(scorer, path.partition("?")[0], boards="8", **lines(SIXTEEN[:8], 4))
    text = page(scorer, path)
    assert choices(text) == ["swiss"]
    path = follow(scorer, path.partition("?")[0], **hidden(text), movement="swiss")
    path = follow(scorer, path, round="1", game="bridge")
    state = state_of(app, path)
    assert (state.opening.scoring.kind, state.opening.scoring.vp) == ("teams", True)
    assert [(seated.seats, seated.boards) for seated in state.tables(1).values()] == [
        ((1, 2), (1, 2, 3, 4, 5, 6, 7, 8)),
        ((2, 1), (1, 2, 3, 4, 5, 6, 7, 8)),
    ]
    assert page(scorer, path).count("Score table") == 2


def test_single_players_in_changing_pairs_are_numbered_as_they_came(app: Flask, scorer: FlaskClient) -> None:
    path = begun(scorer, "individual", more=", ".join(SIXTEEN[:9]))
    assert path.endswith("/movement?boards=3")
    evening = path.partition("/movement")[0]
    text = page(scorer, path)
    assert choices(text) == []
    assert "is for 4, 5, 8, 12, 13, 16, 17, 20 players; 9 are here" in text
    here = hidden(page(scorer, f"{evening}/players"))
    send(scorer, f"{evening}/players", **here | {"shown": SIXTEEN[:9]}, here=SIXTEEN[:8])
    text = page(scorer, path)
    assert "7 rounds of 3 boards" in text
    path = follow(scorer, path.partition("?")[0], **hidden(text), movement="individual")
    path = follow(scorer, path, round="1", game="bridge")
    state = state_of(app, path)
    assert [state.players(number, 1) for number in state.entries] == [(name,) for name in SIXTEEN[:8]]
    assert [seated.boards for seated in state.tables(1).values()] == [(1, 2, 3), (1, 2, 3)]


def test_pairs_entered_again_replace_those_before_and_their_movement(app: Flask, scorer: FlaskClient) -> None:
    entries = begun(scorer, "pairs").partition("?")[0]
    evening = entries.removesuffix("/entries")
    movement = follow(scorer, entries, **lines(SIXTEEN[:12], 2)).partition("?")[0]
    follow(scorer, movement, boards="2", movement="mitchell")
    assert 'value="Berta"' in page(scorer, entries)
    exchanged = ["Adam", "Cleo", "Berta", "Dragomir", *SIXTEEN[4:10]]
    position = ledger_of(app).store.last_position()
    form = lines(exchanged, 2)
    follow(scorer, entries, **form)
    state = state_of(app, entries)
    assert [state.players(number, 1) for number in (1, 2)] == [("Adam", "Cleo"), ("Berta", "Dragomir")]
    assert (len(state.entries), len(state.here), state.movements) == (5, 10, [])
    assert ledger_of(app).store.last_position() > position
    position = ledger_of(app).store.last_position()
    follow(scorer, entries, **form)
    assert ledger_of(app).store.last_position() == position, "the same form again records nothing"
    assert "One sits out each round." in page(scorer, f"{evening}/movement")


def test_an_odd_number_of_pairs_may_leave_out_any_number(app: Flask, scorer: FlaskClient) -> None:
    entries = begun(scorer, "pairs").partition("?")[0]
    form = lines(SIXTEEN[:14], 2, ("ns",) * 3 + ("ew",) * 4)
    form |= {f"number-{place}": str(place + 1) for place in range(4, 8)}
    movement = follow(scorer, entries, **form)
    assert "mitchell-skip" in choices(page(scorer, movement))
    # Number 4 sits north-south in a Mitchell of four tables, so who wants east-west gets a number there.
    form |= {"number-4": "4"}
    movement = page(scorer, follow(scorer, entries, **form))
    assert choices(movement)[:2] == ["howell", "mitchell-skip"]
    assert "Numbers change so that all sit as they asked to: 4 becomes 5." in movement
    follow(scorer, f"{entries.removesuffix('/entries')}/movement", **hidden(movement), movement="mitchell-skip")
    assert sorted(state_of(app, entries).entries) == [1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("wrong", "field", "said"),
    [
        ({"name-2": ["Cleo", ""]}, "names-2", "A pair has two players."),
        ({"name-2": ["Cleo", "Adam"]}, "names-2", "Adam is entered twice"),
        ({"name-2": ["Cleo", "Cleo"]}, "names-2", "Cleo is entered twice"),
        ({"name-2": ["Cleo", "x" * 65]}, "names-2", "write 1 to 64"),
        ({"number-2": "1"}, "number-2", "in another line too"),
        ({"number-2": "9"}, "number-2", "from 1 to 4"),
        ({"number-2": "two"}, "number-2", "from 1 to 4"),
        ({"line-2": "up"}, "line-2", "Choose one of the lines"),
    ],
)
def test_a_mistake_in_a_line_is_said_there_and_nothing_is_stored(
    app: Flask, scorer: FlaskClient, wrong: dict[str, Any], field: str, said: str
) -> None:
    path = begun(scorer, "pairs").partition("?")[0]
    position = ledger_of(app).store.last_position()
    answer = send(scorer, path, **lines(SIXTEEN[:8], 2) | wrong)
    assert answer.status_code == 400
    found = re.search(rf'id="wrong-{field}">([^<]*)<', answer.text)
    assert found and said in found[1]
    assert f'wrong-{field}"' in answer.text.split("</li>")[1]
    assert 'value="Berta"' in answer.text
    assert ledger_of(app).store.last_position() == position


def test_a_name_like_a_known_one_is_asked_about_and_more_lines_store_nothing(app: Flask, scorer: FlaskClient) -> None:
    begun(scorer, "players", more="Friederike")
    path = begun(scorer, "pairs").partition("?")[0]
    position = ledger_of(app).store.last_position()
    form = lines(["Adam", "Frederike", "Cleo", "Dragomir"], 2)
    answer = send(scorer, path, **form)
    assert (answer.status_code, asked(answer)) == (400, {"Frederike": ["Friederike", "Frederike"]})
    answer = send(scorer, path, **form, more="yes")
    assert (answer.status_code, answer.text.count('name="number-')) == (200, 6)
    assert ledger_of(app).store.last_position() == position
    follow(scorer, path, **form, **{"meant:Frederike": "Friederike"})
    assert state_of(app, path).players(1, 1) == ("Adam", "Friederike")


@pytest.mark.parametrize(
    ("form", "field", "said"),
    [
        ({"competes": "crowds"}, "competes", "Choose one of the four"),
        ({"competes": "pairs", "boards": "0"}, "boards", "1 to 64 boards"),
        ({"competes": "pairs", "board_scoring": "luck"}, "board_scoring", "Choose one of the three"),
        ({"competes": "teams", "game": "hearts"}, "game", "Choose Contract bridge"),
    ],
)
def test_an_evening_of_boards_that_cannot_be_is_not_opened(
    app: Flask, scorer: FlaskClient, form: dict[str, str], field: str, said: str
) -> None:
    text = page(scorer, "/evenings/new?club=new")
    before = ledger_of(app).evenings.ids("session")
    answer = send(scorer, "/evenings/new", **hidden(text), club_name="Bridge Club", **form)
    assert answer.status_code == 400
    found = re.search(rf'id="wrong-{field}">([^<]*)<', answer.text)
    assert found and said in found[1]
    assert ledger_of(app).evenings.ids("session") == before


def test_a_movement_that_does_not_suit_is_refused(app: Flask, scorer: FlaskClient) -> None:
    entries = begun(scorer, "pairs").partition("?")[0]
    path = follow(scorer, entries, **lines(SIXTEEN[:12], 2)).partition("?")[0]
    for form, said in (
        ({"movement": "mitchell-skip"}, "choose another"),
        ({"movement": "howell", "boards": "many"}, "1 to 64 boards"),
        ({"movement": "howell", "rounds": "0"}, "Write a number of rounds"),
    ):
        answer = send(scorer, path, **{"boards": "2"} | form)
        assert (answer.status_code, said in answer.text) == (400, True), form
    assert not any(isinstance(event, ev.Movement) for event in ledger_of(app).evenings.events(entries.split("/")[2]))


def test_a_movement_cut_short_says_which_boards_compare_nobody_before_it_is_chosen(
    app: Flask, scorer: FlaskClient
) -> None:
    path = begun(scorer, "pairs", board_scoring="matchpoints")
    entries = path.partition("?")[0]
    evening = entries.removesuffix("/entries")
    follow(scorer, entries, **{**hidden(page(scorer, path)), **lines(SIXTEEN, 2)})
    whole = page(scorer, f"{evening}/movement?boards=2")
    assert "cut short" not in whole
    assert "compare nobody" not in whole
    short = page(scorer, f"{evening}/movement?boards=2&rounds=2")
    assert re.search(r"It is cut short: some boards are played more often than others \(1 to \d\).", short)
    assert re.search(r"\d+ of the \d+ boards would be played at one table only: they compare nobody.", short)


def test_28_pairs_are_played_in_two_sections_that_fit_three_hours(app: Flask, scorer: FlaskClient) -> None:
    entries = begun(scorer, "pairs").partition("?")[0]
    evening = entries.removesuffix("/entries")
    names = [f"{letter}{number} Quill" for number in range(1, 29) for letter in "XY"]
    where = tuple("stays" if number == 20 else "" for number in range(1, 29))
    form = lines(names, 2, where)
    follow(scorer, entries, **form)
    text = page(scorer, f"{evening}/movement?minutes=180")
    assert "The time is not enough for this one: Howell, with 54 boards for everybody." in text
    assert "13 rounds of 2 boards, 26 in all." in text
    assert "Section B has 7 tables: numbers 15 to 28." in text
    assert "Numbers change so that all sit as they asked to: 14 becomes 20 and 20 becomes 14." in text
    path = follow(
        scorer, f"{evening}/movement", **hidden(text), movement="2-sections-howell", compare="all", rank="section"
    )
    state = state_of(app, path)
    assert state.movements[0].sections == (7, 7) and state.entries[14][-1].stays
    shown = page(scorer, path)
    assert "Table A7" in shown and "Table B1" in shown and "Table 8" not in shown
    follow(scorer, path, round="1", game="bridge")
    shown = page(scorer, evening)
    assert "Score table B1" in shown
    ledger, id = ledger_of(app), evening.split("/")[2]
    averages = [ev.Absent(round=1, table=table, why="average") for table in (1, 8)]
    ledger.evenings.record(id, averages, ledger.evenings.stream(id).seq, as_written=False)
    shown = page(scorer, evening)
    assert '<h3 class="line">Section A</h3>' in shown and '<h3 class="line">Section B</h3>' in shown
    match = next(result.match or "" for at, (_, result) in state_of(app, path).results.items() if at[1] == 8)
    opening = ledger_of(app).stream(match).table.opening
    assert opening.table == "B1"
    assert "Table B1" in page(scorer, f"/matches/{match}")
    assert "Section B" in page(scorer, f"{evening}/screen")


def test_a_time_that_is_no_number_is_said_beside_its_field(scorer: FlaskClient) -> None:
    entries = begun(scorer, "pairs").partition("?")[0]
    follow(scorer, entries, **lines(SIXTEEN, 2))
    text = page(scorer, entries.replace("/entries", "/movement?minutes=soon"))
    assert "Write the time to play in minutes, or nothing." in text and not choices(text)
