"""Days that nobody knows: a file without a date has none, what goes by days leaves it out and says so, and it is never guessed."""

from __future__ import annotations

import io
import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.errors import FormatError
from cardledger.record.matches.matchfile import MatchInFile, Problem, write
from cardledger.record.matches.shape import written_day
from cardledger.record.readmodels.arrow_tables import table_of
from cardledger.record.readmodels.questions.careers import matches_of
from cardledger.record.readmodels.questions.season import season
from cardledger.record.readmodels.questions.shared_deals import held_back
from cardledger.record.readmodels.tables.matches import MATCHES
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import UNKNOWN, is_day, known_day, known_period
from cardledger.rules.stream import Stream
from cardledger.study.stats import Statistics
from cardledger.study.stats.query import Query
from cardledger_web.app import access_of, create_app, ledger_of
from tests.bridge_files.made import pbn
from tests.bridge_files.test_usebio_evenings import FOUR, file_of
from tests.web.club import sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result
    from flask import Flask

FOUR_PLAYERS = ("ana", "ben", "chloe", "dev")


def played(seed: int, date: str | None, **opening: Any) -> MatchInFile:
    """Return a match of a file, with what its opening says of its day."""
    first, *rest = simulate("diversity", 4, Random(seed), ["random"], {"hands": 1}, players=FOUR_PLAYERS)
    events = [
        ev.Open(**{**{key: getattr(first, key) for key in ("game", "players", "options")}, "date": date, **opening}),
        *rest,
    ]
    return MatchInFile("night.jsonl", seed, Stream.of(events), events)


def stored(ledger: Ledger, *matches: MatchInFile, day: str = UNKNOWN) -> list[str]:
    """Store matches of a file, and return their ids."""
    answers = [*ledger.import_matches(matches, day=day)]
    assert not [answer for answer in answers if isinstance(answer, Problem)], answers
    return [answer.match for answer in answers if not isinstance(answer, Problem)]


def days(ledger: Ledger) -> list[tuple[str | None, str | None]]:
    """Return the day and the period of every match, in the order of recording."""
    ledger.views.catch_up()
    return ledger.views.reader.execute("SELECT date, period FROM matches ORDER BY position").fetchall()


def run(*arguments: object, code: int = 0) -> Result:
    told = CliRunner().invoke(main, [*map(str, arguments)])
    assert told.exit_code == code, told.output
    return told


# --- what may be said


@given(st.text(max_size=12) | st.from_regex(r"[0-2]\d{3}(-[01]\d(-[0-3]\d)?)?", fullmatch=True))
def test_what_is_no_day_is_refused_and_what_is_one_is_a_day_or_a_period_or_unknown(said: str) -> None:
    if not is_day(said):
        with pytest.raises(FormatError) as caught:
            written_day(said)
        assert caught.value.code == "format.value"
    else:
        assert written_day(said) == said
        assert (known_day(said) is not None) + (known_period(said) is not None) + (said == UNKNOWN) == 1


@pytest.mark.parametrize(
    ("date", "known"),
    [
        ("1977.05.03", ("1977-05-03", None)),
        ("1977.05.??", (None, "1977-05")),
        ("1977.??.??", (None, "1977")),
        ("????.??.??", (None, None)),
        ("?", (None, None)),
        ("1977.13.??", (None, None)),
        ("1977.??.12", (None, None)),
        (None, (None, None)),
    ],
)
def test_a_file_of_bridge_says_what_it_knows_and_is_written_so(
    tmp_path: Path, date: str | None, known: tuple[str | None, str | None]
) -> None:
    file, db = tmp_path / "made.pbn", tmp_path / "club.db"
    file.write_text(pbn(Date=date))
    assert ("file.day" in run("import", file, "--db", db).stderr) == (known == (None, None))
    with Ledger(db) as ledger:
        assert days(ledger) == [known]
        assert next(iter(ledger.verify()))[1] is None
    assert f'[Date "{date or "?"}"]' in run("export", "--db", db, "--format", "pbn").output


# --- the day beside the file


def test_a_year_in_the_title_is_proposed_and_never_taken(tmp_path: Path) -> None:
    file, db = tmp_path / "final.pbn", tmp_path / "club.db"
    file.write_text(pbn(Event="Bermuda Bowl 1977", Date=None) + pbn(Event="Bermuda Bowl 1977", Date=None, Board="2"))
    said = run("import", file, "--db", db).stderr
    assert "2 matches have no day; the title of the event says 1977 (Bermuda Bowl 1977): give --date 1977" in said
    with Ledger(db) as ledger:
        assert days(ledger) == [(None, None)] * 2


def test_two_years_in_a_title_propose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "final.pbn"
    file.write_text(pbn(Event="League 1999/2000", Date=None))
    assert "it stays unknown unless you give it" in run("import", file, "--db", tmp_path / "club.db").stderr


def test_a_day_is_given_for_those_without_one_and_for_no_other(tmp_path: Path) -> None:
    file, db = tmp_path / "night.pbn", tmp_path / "club.db"
    file.write_text(
        pbn(Date=None) + pbn(Board="2") + pbn(Date="2026.??.??", Board="3") + pbn(Date="1977.??.??", Board="4")
    )
    assert "file.day" not in run("import", file, "--db", db, "--date", "2026-03-01").stderr
    with Ledger(db) as ledger:
        assert days(ledger) == [("2026-03-01", None), ("2026-03-14", None), ("2026-03-01", None), (None, "1977")]
        [dated] = [*ledger.export([ledger.matches()[0]])]
    assert '[Date "2026.03.01"]' in run("export", "--db", db, "--format", "pbn").output, dated


@pytest.mark.parametrize("said", ["yesterday", "2026-02-30", "1.3.2026", "2026-3-1"])
def test_what_is_no_day_is_refused_before_anything_is_stored(tmp_path: Path, said: str) -> None:
    file, db = tmp_path / "night.pbn", tmp_path / "club.db"
    file.write_text(pbn(Date=None))
    assert "2026-01-31" in run("import", file, "--db", db, "--date", said, code=2).output
    assert not db.exists()


def test_a_file_imported_again_with_a_day_says_the_day_later(ledger: Ledger) -> None:
    one, two = played(1, None), played(2, None)
    ids = stored(ledger, one, two)
    assert days(ledger) == [(None, None)] * 2
    assert stored(ledger, one, two, day="1977") == ids
    assert days(ledger) == [(None, "1977")] * 2
    assert stored(ledger, one, two, day="1977-05-03") == ids
    assert stored(ledger, one, two, day="1977") == stored(ledger, one, two) == ids
    assert days(ledger) == [("1977-05-03", None)] * 2
    assert len(ledger.events(ids[0])) == len(one.events) + 2
    problem, _ = ledger.import_matches([one, two], day="1978-01-01")
    assert isinstance(problem, Problem)
    assert problem.error.code == "store.differs"
    assert f"cardledger amend {ids[0]} 1 date=1978-01-01" in problem.error.message
    assert not [error for _, error in ledger.verify() if error]


def test_an_exported_match_of_an_unknown_day_is_the_same_elsewhere(ledger: Ledger, tmp_path: Path) -> None:
    stored(ledger, played(1, None), played(2, "1977"))
    text = "".join(ledger.export(ledger.matches()))
    (tmp_path / "out.jsonl").write_text(text)
    run("import", tmp_path / "out.jsonl", "--db", tmp_path / "copy.db")
    with Ledger(tmp_path / "copy.db") as copy:
        assert "".join(copy.export(copy.matches())) == text
        assert days(copy) == [(None, None), (None, "1977")]


def test_the_day_is_said_by_an_amend_too(ledger: Ledger) -> None:
    (match,) = stored(ledger, played(1, None))
    path = ledger.store.file.path
    run("amend", match, 1, "date=2026-02-03", "--db", path)
    assert days(ledger) == [("2026-02-03", None)]


def test_a_session_of_usebio_without_a_day_is_an_evening_once_its_day_is_given(tmp_path: Path) -> None:
    file, db = tmp_path / "night.xml", tmp_path / "club.db"
    file.write_text(re.sub("<DATE>.*?</DATE>", "", file_of(FOUR)), "utf-8")
    assert "session-" not in run("import", file, "--db", db).output
    assert "session-" in run("import", file, "--db", db, "--date", "2026-03-14").output
    with Ledger(db) as ledger:
        assert days(ledger) == [("2026-03-14", None)] * len(FOUR)


@pytest.mark.parametrize(
    ("before", "after"), [((), ("--date", "2026-03-01")), (("--date", "2026-03-01"), ()), ((), ())]
)
def test_a_corrected_file_is_recognised_whether_its_day_is_known_or_not(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """An unknown day may be any."""
    file, db = tmp_path / "night.jsonl", tmp_path / "club.db"
    opening = ev.Open(game="diversity", players=FOUR_PLAYERS)
    for points, words, code in (((4, 3, 3, 3), before, 0), ((3, 4, 3, 3), after, 2)):
        file.write_bytes(write([opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=points)]))
        told = run("import", file, "--db", db, *words, code=code)
    assert "store.similar" in told.output


def test_another_day_is_another_match(tmp_path: Path) -> None:
    file, db = tmp_path / "night.jsonl", tmp_path / "club.db"
    opening = ev.Open(game="diversity", players=FOUR_PLAYERS)
    for points, day in (((4, 3, 3, 3), "2026-03-01"), ((3, 4, 3, 3), "2026-03-08")):
        file.write_bytes(write([opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=points)]))
        run("import", file, "--db", db, "--date", day)


def test_matches_that_bots_play_into_a_ledger_are_of_today(tmp_path: Path) -> None:
    run("simulate", "diversity", "--matches", 1, "--db", tmp_path / "club.db")
    with Ledger(tmp_path / "club.db") as ledger:
        [(date, period)] = days(ledger)
    assert (date is not None, period) == (True, None)


# --- what goes by days


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """Ten matches of known days, three of an unknown one, one of 1977."""
    with Ledger(tmp_path_factory.mktemp("club") / "club.db") as opened:
        known = [played(seed, f"2026-01-{seed:02}", event="Club night") for seed in range(1, 11)]
        unknown = [played(seed, None, event="Club night" if seed < 23 else None) for seed in range(21, 24)]
        stored(opened, *unknown, *known, played(30, "1977"))
        opened.views.catch_up()
        yield opened


def test_statistics_by_days_leave_out_what_has_none_and_say_so(club: Ledger) -> None:
    statistics = Statistics.of(club.views)
    for query in (Query(by="month"), Query(by="year"), Query(since="1900-01-01"), Query(until="2099-12-31")):
        table = statistics.player("ana", query, "diversity")
        assert table.basis["diversity"].undated == 4
        assert table.basis["diversity"].matches == 10
        assert query.by is None or None not in {row["group"] for row in table.rows}
    whole = statistics.player("ana", Query(), "diversity").basis["diversity"]
    assert (whole.matches, whole.undated) == (14, 0)
    text = run("stats", "player", "ana", "--by", "month", "--db", club.store.file.path).output
    assert "4 of an unknown day" in text


def test_ratings_and_courses_leave_them_out(club: Ledger) -> None:
    statistics = Statistics.of(club.views)
    rated = statistics.ratings("diversity", "ana")
    assert [row["number"] for row in rated.rows] == [*range(1, 11)]
    assert rated.basis["diversity"].undated == 4
    course = statistics.evenings("ana", Query(), "diversity")
    assert {row["day"] for row in course.rows} <= {f"2026-01-{day:02}" for day in range(1, 11)}
    assert course.basis["diversity"].undated == 4


def test_a_player_of_unknown_days_alone_has_no_rating_and_a_page_all_the_same(tmp_path: Path) -> None:
    app = create_app(tmp_path / "club.db")
    with ledger_of(app) as ledger:
        stored(ledger, played(1, None))
        sign_in(app)
        client = app.test_client()
        for address in ("/players/ana", "/stats/diversity", "/season", "/stats/diversity/forecasts", "/"):
            assert client.get(address, follow_redirects=True).status_code in (200, 404), address
        assert "day unknown" in client.get("/players/ana").text
        access_of(app).close()


def test_a_season_of_days_does_not_count_them_and_one_of_an_event_does(club: Ledger) -> None:
    of_days = season(club, fewest=frozenset(), since="1900-01-01")
    assert (of_days.matches, of_days.undated) == (10, 4)
    of_event = season(club, fewest=frozenset(), event="Club night")
    assert (of_event.matches, of_event.undated, len(of_event.days)) == (12, 2, 10)
    assert (of_event.first, of_event.last) == ("2026-01-01", "2026-01-10")


def test_lists_have_them_last_and_pages_of_a_list_miss_none(club: Ledger) -> None:
    whole = [row["match"] for row in matches_of(club, "ana", 100).matches]
    assert [row["date"] is None for row in matches_of(club, "ana", 100).matches] == [False] * 10 + [True] * 4
    found: list[str] = []
    after = None
    while True:
        page = matches_of(club, "ana", 3, after)
        found += [row["match"] for row in page.matches]
        after = page.next
        if after is None:
            break
    assert found == whole


def test_tables_for_other_programs_have_null(club: Ledger) -> None:
    rows = club.views.reader.execute("SELECT * FROM matches").fetchall()
    assert table_of(MATCHES, rows)["date"].null_count == 4


def test_a_deal_stays_hidden_while_a_table_of_the_event_plays_whatever_its_day(ledger: Ledger) -> None:
    """An unknown day may be any: what is not known is hidden."""
    _, *rest = simulate("diversity", 4, Random(5), ["random"], {"hands": 1}, players=FOUR_PLAYERS)
    done = [
        ev.Open(game="diversity", players=FOUR_PLAYERS, options={"hands": 1}, event="Cup", date="2026-01-01"),
        *rest,
    ]
    waiting = ev.Open(game="diversity", players=tuple("efgh"), options={"hands": 1}, event="Cup", date=UNKNOWN)
    match = ledger.record(None, done, 0).match
    ledger.views.catch_up()
    assert not held_back(ledger.views)
    ledger.record(None, [waiting], 0)
    ledger.views.catch_up()
    assert held_back(ledger.views)[match].hands >= {1}


# --- over HTTP and on pages


@pytest.fixture
def app(club: Ledger, tmp_path: Path) -> Iterator[Flask]:
    path = tmp_path / "copy.db"
    (tmp_path / "out.jsonl").write_text("".join(club.export(club.matches())))
    run("import", tmp_path / "out.jsonl", "--db", path)
    made = create_app(path)
    sign_in(made)
    yield made
    access_of(made).close()
    ledger_of(made).close()


def test_the_api_finds_them_and_takes_a_day(app: Flask) -> None:
    client = app.test_client()
    asked = client.get("/api/v1/matches?date=unknown&total=true").json
    assert asked["total"] == 4
    assert {(row["date"], row["period"]) for row in asked["matches"]} == {(None, None), (None, "1977")}
    assert client.get("/api/v1/matches?date=known&total=true").json["total"] == 10
    assert client.get("/api/v1/matches?since=1900-01-01&total=true").json["total"] == 10
    board = {"data": pbn(Event="Bermuda Bowl 1977", Date=None), "content_type": "text/plain"}
    report = client.post("/api/v1/import", **board).json
    assert [each["code"] for each in report["warnings"]] == ["file.day"]
    assert client.post("/api/v1/import?date=1977", **board).json["warnings"] == []
    match = report["matches"][0]["match"]
    assert client.get(f"/api/v1/matches/{match}").json["period"] == "1977"
    assert client.post("/api/v1/import?date=soon", **board).json["code"] == "format.value"


def test_the_page_of_boards_asks_for_the_day(app: Flask) -> None:
    client = app.test_client()
    sent = {"file": (io.BytesIO(pbn(Event="Cup 1977", Date=None).encode()), "cup.pbn")}
    shown = client.post("/boards/import", data=sent, content_type="multipart/form-data").text
    assert 'name="date"' in shown
    assert "give --date 1977" in unescape(shown)
    kept = unescape(re.search(r'name="kept" value="([^"]*)"', shown)[1])  # type: ignore[index]
    wrong = client.post("/boards/import", data={"kept": kept, "store": "yes", "date": "soon"})
    assert wrong.status_code == 400
    assert 'value="soon"' in wrong.text
    assert client.post("/boards/import", data={"kept": kept, "store": "yes", "date": "1977"}).status_code == 303
    assert "1977" in client.get("/matches?game=bridge&date=unknown").text


def test_no_page_fails_without_a_day(app: Flask) -> None:
    """Follow the links from the home page, each kind of address once."""
    client, waiting, kinds = (
        app.test_client(),
        ["/", "/matches?date=unknown", "/season", "/violations", "/players"],
        set(),
    )
    without = [row["id"] for row in client.get("/api/v1/matches?date=unknown").json["matches"]]
    waiting += [f"/matches/{match}" for match in without[:2]]
    while waiting:
        asked = waiting.pop()
        answer = client.get(asked, follow_redirects=True)
        assert answer.status_code == 200, asked
        text = answer.text if answer.mimetype == "text/html" and not asked.startswith("/api/") else ""
        answer.close()
        assert not re.search(r"[\">,] ?None[\"<,]", re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S)), asked
        for link in re.findall(r' (?:href|src)="([^"]*)"', text):
            address = urljoin(asked, unescape(link)).partition("#")[0]
            kind = re.sub(r"=[^&]*", "", re.sub(r"/replay/.*", "/replay/…", address))
            if "/matches/" not in kind or not any(match in kind for match in without):
                kind = re.sub(r"^(/\w+)/[^/?]+(?=[/?])", r"\1/…", kind)
            if (
                address.startswith("/")
                and not address.startswith(("/help", "/static", "/rulebook"))
                and kind not in kinds
            ):
                kinds.add(kind)
                waiting.append(address)
    assert "day unknown" in client.get("/matches?date=unknown").text
    assert ">1977<" in client.get("/matches?date=unknown").text
