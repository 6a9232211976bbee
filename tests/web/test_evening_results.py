"""The result of a night: winners first, the published ranking beside the one now, and nothing that readers may not see."""

from __future__ import annotations

import re
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from cardledger.errors import RuleError
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.rankings import Rankings
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as match_events
from cardledger_web.app import ledger_of
from cardledger_web.dates import today
from tests.api.recording import as_role
from tests.evenings.night import FOUR, Night, end_early, made, opening, play, record, table
from tests.web.club import HOSTILE, sign_in
from tests.web.test_secrecy import under_way as with_revoke

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def night(empty: Flask) -> Night:
    """A club, a league and an evening of two rounds, published and closed."""
    ledger = ledger_of(empty)
    night = made(ledger)
    record(ledger, night.session, {"type": "publish", "text": "well played"})
    record(ledger, night.session, {"type": "close"})
    return night


@pytest.fixture
def visitor(empty: Flask) -> FlaskClient:
    """A client whose user reads only."""
    sign_in(empty, "reader")
    return empty.test_client()


def words(text: str) -> str:
    """Return what a page says, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split())


def of_points(app: Flask, *rounds: list[int], **keys: Any) -> str:
    """Record an evening of results from paper; return its id."""
    results = [
        event
        for number, points in enumerate(rounds, 1)
        for event in (table(number), {"type": "result", "round": number, "table": 1, "points": points})
    ]
    return record(ledger_of(app), None, opening(**keys), *results)


def under_way(app: Flask, events: int, session: str | None = None) -> tuple[str, str]:
    """Open a table of an evening and record the first events of its match; return both ids."""
    ledger = ledger_of(app)
    session = session or record(ledger, None, opening(), *({"type": "arrive", "player": player} for player in FOUR))
    match = ledger.evenings.rounds.open(session, "tests")[0].match
    assert match
    seated = ledger.stream(match).table.players
    found = simulate("diversity", 4, Random(1), ["random"], players=seated)
    ledger.record(match, [*found][1:events], 1)
    return session, match


def test_the_winners_come_first_and_large_and_then_everybody(empty: Flask, visitor: FlaskClient) -> None:
    session = of_points(empty, [1, 9, 5, 7], [2, 8, 5, 5])
    text = visitor.get(f"/evenings/{session}").text
    podium = text.partition('<ol class="podium"')[2].partition("</ol>")[0]
    ranking = text.partition('<table class="ranking"')[2].partition("</table>")[0]
    names = re.compile(r'<bdi class="player">(\w+)</bdi>')
    assert names.findall(podium) == ["Annabella", "chloe", "dev"], "the fewest points win this game"
    assert re.findall(r'class="step-(\d)"', podium) == ["1", "2", "3"]
    assert names.findall(ranking) == ["Annabella", "chloe", "dev", "ben"]
    assert text.index('class="podium"') < text.index('class="ranking"')
    assert "8.00" in ranking


def test_equal_ones_share_a_place_and_those_without_one_say_why(empty: Flask, visitor: FlaskClient) -> None:
    ledger = ledger_of(empty)
    session = of_points(empty, [1, 1, 5, 7], [1, 1, 5, 7], [1, 1, 5, 7])
    late = ("Annabella", "ben", "chloe", "eva")
    record(ledger, session, {"type": "arrive", "player": "zoe"}, table(4, late), {"type": "result", "round": 4, "table": 1, "points": [1, 1, 5, 7]})  # fmt: skip
    record(ledger, session, {"type": "entry", "number": 9, "players": ["zoe"]})
    told = words(visitor.get(f"/evenings/{session}").text)
    assert "1= . place: Annabella" in told
    assert "Without a place: eva (played 1 of 4: less than half); zoe (has not played)." in told
    record(ledger, session, {"type": "arrive", "player": "yan"}, {"type": "entry", "number": 10, "players": ["yan"]})
    for told in (words(visitor.get(f"/evenings/{session}").text), visitor.get(f"/evenings/{session}.txt").text):
        assert "eva (played 1 of 4: less than half); zoe, yan (has not played)." in told.replace(" ,", ",")


def test_tables_count_seats_from_one_and_lead_to_match_and_event(night: Night, visitor: FlaskClient) -> None:
    text = visitor.get(f"/evenings/{night.session}").text
    rounds = text.partition('aria-labelledby="rounds"')[2]
    first = rounds.partition("<h3>Round 1</h3>")[2].partition("</ul>")[0]
    assert re.findall(r'<th scope="row">(\d)</th>', first) == ["1", "2", "3", "4"]
    assert f'href="/matches/{night.matches[0]}"' in first
    (seq,) = re.findall(r'class="seq" href="#e(\d+)"', first)
    log = re.findall(rf'<li id="e{seq}".*?</li>', text, re.S)[0]
    assert "round 1, table 1: a match" in words(f"<main>{log}")
    assert "tests" in log, "who recorded it"


def test_only_scorers_get_links_to_score_the_tables_under_way(empty: Flask, visitor: FlaskClient) -> None:
    session, match = under_way(empty, 7)
    link = f'href="/matches/{match}/score"'
    assert link not in visitor.get(f"/evenings/{session}").text
    assert "hand 1" in words(visitor.get(f"/evenings/{session}").text)
    sign_in(empty, "scorer")
    assert link in empty.test_client().get(f"/evenings/{session}").text


def test_a_correction_stands_beside_what_was_published_with_its_reason(
    empty: Flask, night: Night, visitor: FlaskClient
) -> None:
    ledger = ledger_of(empty)
    (published,) = ledger.evenings.rankings.published(night.session)
    before = words(visitor.get(f"/evenings/{night.session}").text)
    assert "Changed since it was published" not in before
    end_early(ledger, night.matches[0])
    differs = {}
    for who, client in (("reader", visitor), ("scorer", as_role(empty, "scorer"))):
        text = client.get(f"/evenings/{night.session}").text
        differs[who] = text.partition('id="differs"')[2].partition("</section>")[0]
    assert "Annabella misdealt" in differs["scorer"]
    assert "is taken back" in differs["reader"]
    assert "misdealt" not in differs["reader"], "the hand is under way again, and a reason can name a card"
    text = visitor.get(f"/evenings/{night.session}").text
    assert f'href="/matches/{night.matches[0]}/replay/{ledger.stream(night.matches[0]).seq}"' in differs["reader"]
    assert 'class="moved' in text
    address = f"/evenings/{night.session}?as_of={published.ranking.position}"
    assert f'href="{address}"' in text
    then = visitor.get(address).text.partition('<table class="ranking"')[2].partition("</table>")[0]
    shown = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td><b>(.*?)</b></td>", then)]
    assert shown == [row["total"] for row in published.ranking.rows]


def test_a_ruling_names_the_player_and_its_law(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    record(
        ledger_of(empty), night.session, {"type": "adjust", "entry": 2, "penalty": 1, "law": "L74", "reason": "late"}
    )
    text = visitor.get(f"/evenings/{night.session}").text
    assert "penalty of 1 for ben (L74, late)" in text.partition('id="special"')[2]
    assert "penalty of 1 for ben (L74, late)" in text.partition('id="differs"')[2].partition("</section>")[0]


def test_a_time_is_as_good_as_a_position(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    answer = visitor.get(f"/evenings/{night.session}?as_of=2999-01-01T00:00")
    assert answer.status_code == 200
    last = ledger_of(empty).store.last_position()
    assert f"As of position {last}" in words(answer.text)


@pytest.mark.parametrize(
    ("said", "status", "told"),
    [
        ("yesterday", 400, "neither a position nor a time"),
        ("1", 422, "nothing of this was recorded at position 1"),
        ("987654321", 422, "There is no position 987654321"),
        ("9" * 5000, 422, "There is no position"),
    ],
)
def test_a_moment_that_cannot_be_is_refused_in_words(
    night: Night, visitor: FlaskClient, said: str, status: int, told: str
) -> None:
    for path in (f"/evenings/{night.session}", f"/evenings/{night.session}.txt", f"/leagues/{night.league}"):
        answer = visitor.get(f"{path}?as_of={said}")
        assert answer.status_code == status, path
        assert told.lower() in words(answer.text).lower().replace("&#39;", "'")


def test_a_publication_that_does_not_fit_is_said_loudly(
    night: Night, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = Rankings.published
    monkeypatch.setattr(
        Rankings, "published", lambda self, *asked: [each._replace(fits=False) for each in published(self, *asked)]
    )
    text = visitor.get(f"/evenings/{night.session}").text
    assert re.search(r'class="alarm" role="alert"><strong>The ranking published in event \d+ does not fit', text)


def test_a_void_match_leaves_the_published_ranking(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    ledger = ledger_of(empty)
    ledger.record(night.matches[0], [match_events.Void(reason="wrong cards")], ledger.stream(night.matches[0]).seq)
    answer = visitor.get(f"/evenings/{night.session}")
    told = words(answer.text)
    assert answer.status_code == 200
    assert re.search(rf"There is no ranking now: .*{night.matches[0]}.* is void", told)
    assert "as it was published last" in told
    assert "Annabella" in answer.text.partition('aria-label="Ranking as published"')[2].partition("</table>")[0]
    for path in ("/", f"/leagues/{night.league}", f"/clubs/{night.club}", "/evenings.atom", "/evenings.ics",
                 f"/evenings/{night.session}.txt", f"/evenings/{night.session}.png"):  # fmt: skip
        assert visitor.get(path).status_code == 200, path


def test_a_picture_of_a_hand_under_way_shows_no_card_that_readers_may_not_see(empty: Flask) -> None:
    session, match = under_way(empty, 7)
    shown = {}
    for role in ("reader", "admin"):
        sign_in(empty, role)
        client = empty.test_client()
        shown[role] = [client.get(f"/matches/{match}/{path}.png").data for path in ("hands/1", "replay/7")]
        assert all(picture[:4] == b"\x89PNG" for picture in shown[role])
    assert shown["reader"] == shown["admin"]
    dealt = ledger_of(empty).stream(match).events[1]
    assert isinstance(dealt, match_events.Deal)
    ledger_of(empty).record(match, [match_events.End(reason="late")], 7)
    assert empty.test_client().get(f"/matches/{match}/replay/7.png").data != shown["admin"][1], "all is seen at the end"
    assert session


def test_the_page_of_an_evening_tells_no_ruling_of_a_hand_under_way(empty: Flask, visitor: FlaskClient) -> None:
    match, _ = with_revoke(empty)
    players = ledger_of(empty).stream(match).table.players
    seated = {"type": "table", "round": 1, "table": 1, "seats": [*players]}
    named = {"type": "result", "round": 1, "table": 1, "match": match}
    session = record(ledger_of(empty), None, opening(game="ruff"), seated, named)
    assert "follow.suit" not in visitor.get(f"/evenings/{session}").text
    assert "follow.suit" not in visitor.get("/").text
    sign_in(empty, "scorer")
    assert "follow.suit" in empty.test_client().get(f"/evenings/{session}").text


def test_names_that_mean_harm_are_only_text(empty: Flask, visitor: FlaskClient) -> None:
    name = f"{HOSTILE[0]}{HOSTILE[1]}Tuesday"
    for turned in ("\u202e", "\u2066", "\u200f", "\u200b", "\x07"):  # names of things would turn the text around them
        with pytest.raises(RuleError, match=r"people\.name"):
            record(ledger_of(empty), None, {"type": "club", "name": f"Old {turned}Mill"})
    club = record(ledger_of(empty), None, {"type": "club", "name": name, "place": HOSTILE[1]})
    league = record(ledger_of(empty), None, {"type": "league", "club": club, "name": name, "from": "2026-01-01", "until": "2026-02-01", "count": {}})  # fmt: skip
    session = of_points(empty, [1, 2, 3, 4], name=name, place=HOSTILE[0], club=club, league=league)
    record(ledger_of(empty), session, {"type": "publish", "text": name}, by=name[:60])
    for path in ("/", f"/evenings/{session}", f"/clubs/{club}", f"/leagues/{league}"):
        text = visitor.get(path).text
        assert "alert(1)" in text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert text.count("\u202e") == len(re.findall(r"<bdi[^>]*>[^<]*\u202e[^<]*</bdi>", text)), path
    for path in ("/evenings.atom", "/evenings.ics", f"/evenings/{session}.txt"):
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert "\u202e" not in answer.text
    assert visitor.get(f"/evenings/{session}.png").status_code == 200
    entry = ET.fromstring(visitor.get("/evenings.atom").data).find(f"{ATOM}entry")
    assert entry is not None
    assert (entry.findtext(f"{ATOM}title") or "").startswith(HOSTILE[0])


def test_an_erased_player_shows_as_erased_everywhere(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    ledger = ledger_of(empty)
    erase(ledger, examine(ledger, "Annabella"), "admin")
    for path in ("/", f"/evenings/{night.session}", f"/leagues/{night.league}", f"/clubs/{night.club}",
                 f"/evenings/{night.session}.txt"):  # fmt: skip
        text = visitor.get(path).text
        assert "Annabella" not in text, path
        assert "erased player" in text, path
    assert "does not fit" not in visitor.get(f"/evenings/{night.session}").text


def test_an_evening_is_pasted_into_a_mail_as_text(night: Night, visitor: FlaskClient) -> None:
    answer = visitor.get(f"/evenings/{night.session}.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    lines = answer.text.splitlines()
    assert lines[:2] == ["Tuesday", "6 January 2026, Diversity"]
    assert lines[-1] == f"http://localhost/evenings/{night.session}"
    assert [line.split()[0] for line in lines[4:8]] == sorted(line.split()[0] for line in lines[4:8])
    assert {line.split()[1] for line in lines[4:8]} == {*FOUR}
    assert len({len(line) for line in lines[4:8]}) == 1, "points stand below each other"
    assert any(line.startswith("  Table 1: Annabella ") for line in lines)


def test_the_feed_lists_evenings_that_are_published_or_closed(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    of_points(empty, [1, 2, 3, 4], date="2026-01-13")
    answer = visitor.get("/evenings.atom")
    assert answer.content_type.startswith("application/atom+xml")
    entries = ET.fromstring(answer.data).findall(f"{ATOM}entry")
    (entry,) = entries
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"http://localhost/evenings/{night.session}"
    assert entry.findtext(f"{ATOM}id") == f"urn:uuid:{night.session.removeprefix('session-')}"
    assert (entry.findtext(f"{ATOM}summary") or "").startswith("1")
    assert entry.findtext(f"{ATOM}updated") == ledger_of(empty).evenings.events(night.session)[-1].at


def test_places_that_are_shared_are_told_without_a_dot(empty: Flask, visitor: FlaskClient) -> None:
    session = of_points(empty, [1, 5, 5, 7])
    record(ledger_of(empty), session, {"type": "close"})
    entry = ET.fromstring(visitor.get("/evenings.atom").data).find(f"{ATOM}entry")
    assert entry is not None
    assert entry.findtext(f"{ATOM}summary") == "1. Annabella, 2= ben, 2= chloe"


def test_a_calendar_has_every_evening_on_its_day(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    later = of_points(empty, date="2026-12-31", name="New year; cards, and more \N{GREEK SMALL LETTER ALPHA}" * 3)
    answer = visitor.get("/evenings.ics")
    assert answer.content_type.startswith("text/calendar")
    assert answer.data.endswith(b"END:VCALENDAR\r\n")
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    whole = answer.data.replace(b"\r\n ", b"").decode().split("\r\n")
    events = "\n".join(whole).split("BEGIN:VEVENT")[1:]
    assert [re.findall(r"UID:(.+)", event)[0] for event in events] == [later, night.session]
    assert "DTSTART;VALUE=DATE:20261231\nDTEND;VALUE=DATE:20270101" in events[0]
    assert "SUMMARY:New year\\; cards\\, and more α" in events[0]


def test_every_link_has_a_preview_with_a_whole_address(night: Night, visitor: FlaskClient) -> None:
    match = night.matches[0]
    pages = (
        f"/evenings/{night.session}",
        f"/matches/{match}",
        f"/matches/{match}/hands/1",
        f"/matches/{match}/replay/9",
    )
    for path in pages:
        text = visitor.get(path).text
        told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', text))
        assert told["url"] == f"http://localhost{path}"
        assert told["title"]
        assert told["description"]
        picture = visitor.get(urlsplit(told["image"]).path)
        assert picture.content_type == "image/png"
        assert picture.data[:8] == b"\x89PNG\r\n\x1a\n"
        size = int.from_bytes(picture.data[16:20]), int.from_bytes(picture.data[20:24])
        assert size == (1200, 630)
        again = visitor.get(urlsplit(told["image"]).path, headers={"If-None-Match": picture.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    assert visitor.get(f"/matches/{match}/hands/9.png").status_code == 404
    assert visitor.get(f"/matches/{match}/replay/9999.png").status_code == 404


def test_feed_calendar_and_text_are_sent_again_only_if_they_changed(
    empty: Flask, night: Night, visitor: FlaskClient
) -> None:
    for path in ("/evenings.atom", "/evenings.ics", f"/evenings/{night.session}.txt"):
        tag = {"If-None-Match": visitor.get(path).headers["ETag"]}
        assert visitor.get(path, headers=tag).status_code == 304
        record(ledger_of(empty), night.session, {"type": "adjust", "entry": 1, "penalty": 9})
        assert visitor.get(path, headers=tag).status_code == 200


def test_a_league_published_before_its_last_night_is_not_final_and_says_how_many_nights_came_since(
    empty: Flask, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ledger_of(empty)
    league = record(ledger, None, {"type": "league", "club": None, "name": "Long", "from": "2026-01-01", "until": "2100-06-30", "count": {}})  # fmt: skip
    nights = [of_points(empty, [1, 2, 3, 4], date=f"2026-01-{day:02}") for day in (6, 13, 20)]
    record(ledger, league, {"type": "counts", "session": nights[0]})
    record(ledger, league, {"type": "publish"})
    for session in nights[1:]:
        record(ledger, league, {"type": "counts", "session": session})
    text = words(visitor.get(f"/leagues/{league}").text)
    assert "Since the table was published, 2 nights came in." in text
    assert "Changed since it was published" not in text
    monkeypatch.setattr("cardledger_web.pages.evening_results.today", lambda: "2100-07-01")
    text = words(visitor.get(f"/leagues/{league}").text)
    assert "The league is over; its table becomes final when it is published." in text


def test_a_league_shows_each_night_and_which_do_not_count(empty: Flask, visitor: FlaskClient) -> None:
    ledger = ledger_of(empty)
    league = record(ledger, None, {"type": "league", "club": None, "name": "Spring", "from": "2026-01-01", "until": "2026-06-30", "count": {"best": 1}})  # fmt: skip
    nights = [
        of_points(empty, points, date=f"2026-01-{day:02}") for day, points in ((6, [1, 2, 3, 4]), (13, [4, 3, 2, 1]))
    ]
    for session in nights:
        record(ledger, league, {"type": "counts", "session": session})
    record(ledger, league, {"type": "publish"})
    text = visitor.get(f"/leagues/{league}").text
    for session, day in zip(nights, ("6 Jan", "13 Jan"), strict=True):
        assert re.search(rf'<a href="/evenings/{session}"[^>]*><time[^>]*>{day}</time>', text)
    (row,) = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*Annabella(?:(?!</tr>).)*</tr>", text.partition('league">')[2], re.S)
    cells = re.findall(r"<td([^>]*)>([\d.]+)<", row)
    assert cells[-2:] == [("", "4.00"), (' class="dropped"', "1.00")]
    assert "The table published last is final" in words(text)
    seq = ledger.evenings.stream(nights[0]).state.results[1, 1, None][0]
    amend = {"type": "amend", "about": seq, "event": {"type": "result", "round": 1, "table": 1, "points": [9, 2, 3, 4]}}
    record(ledger, nights[0], amend)
    differs = visitor.get(f"/leagues/{league}").text.partition('id="differs"')[2]
    assert "Annabella" in differs
    (published,) = ledger.evenings.rankings.published(league)
    then = visitor.get(f"/leagues/{league}?as_of={published.ranking.position}").text
    assert 'id="differs"' not in then


def test_numbers_of_members_are_for_scorers(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    text = visitor.get(f"/clubs/{night.club}").text
    assert "Annabella" in text
    assert "4711" not in text
    assert f'href="/evenings/{night.session}"' in text
    assert f'href="/leagues/{night.league}"' in text
    sign_in(empty, "scorer")
    assert "4711" in empty.test_client().get(f"/clubs/{night.club}").text


def test_an_id_of_another_kind_is_not_found(night: Night, visitor: FlaskClient) -> None:
    ids = (night.session, night.league, night.club, night.matches[0], "session-x")
    for kind, right in (("evenings", night.session), ("leagues", night.league), ("clubs", night.club)):
        for id in ids:
            assert visitor.get(f"/{kind}/{id}").status_code == (200 if id == right else 404), (kind, id)


def test_the_home_page_is_last_night_winners_first(empty: Flask, night: Night, visitor: FlaskClient) -> None:
    coming = f"{date.fromisoformat(today()) + timedelta(days=3)}"
    of_points(empty, date=coming, name="Next week")
    text = visitor.get("/").text
    main = text.partition("<main")[2]
    assert main.index('id="tonight"') < main.index('type="search"') < main.index('id="lately"')
    assert "Last time" in main
    assert "Next week" not in main
    assert f'href="/evenings/{night.session}"' in main
    assert re.findall(r'class="step-1">.*?</li>', main, re.S)


def test_tables_under_way_are_on_the_home_page_once(empty: Flask, visitor: FlaskClient) -> None:
    session = record(ledger_of(empty), None, opening(date=today()), *({"type": "arrive", "player": player} for player in FOUR))  # fmt: skip
    _, match = under_way(empty, 7, session)
    text = visitor.get("/").text.partition("<main")[2]
    assert "Tonight" in text
    assert text.count(f'href="/matches/{match}"') == 1
    assert "hand 1" in words(f"<main>{text}")
    assert match not in text.partition('type="search"')[2]


def test_an_evening_that_cannot_be_read_leaves_the_home_page(
    empty: Flask, night: Night, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(ledger_of(empty))
    monkeypatch.setattr(ledger_of(empty).evenings, "at", lambda *_: ledger_of(empty).stream(night.session))
    answer = visitor.get("/")
    assert answer.status_code == 200
    assert 'id="lately"' in answer.text


def test_boards_are_compared_on_travellers_and_two_lines_win(empty: Flask, visitor: FlaskClient) -> None:
    pairs = [
        {
            "type": "entry",
            "number": number,
            "players": [f"one{number}", f"two{number}"],
            "line": "ns" if number < 4 else "ew",
        }
        for number in range(1, 7)
    ]
    session = record(
        ledger_of(empty), None, opening(game=None, unit="pair", scoring={"kind": "matchpoints"}), *pairs,
        {"type": "movement", "kind": "mitchell", "tables": 3, "boards": 1},
        {"type": "result", "round": 1, "table": 2, "board": 2, "contract": "4S", "declarer": 0, "tricks": 10},
        {"type": "result", "round": 2, "table": 1, "board": 2, "score": -50},
    )  # fmt: skip
    text = visitor.get(f"/evenings/{session}").text
    board = text.partition('id="board-2"')[2].partition("</table>")[0]
    assert "4♠︎" in board
    assert "620" in board
    assert "−50" in board
    assert re.findall(r'class="line">([\w-]+)<', text) == ["North-south", "East-west"]
    assert text.count('class="podium"') == 2
    events = re.findall(r'class="seq" href="#(e\d+)"', board)
    assert len(events) == 2
    for seq in events:
        assert f'id="{seq}"' in text


def test_who_met_whom_is_counted(night: Night, visitor: FlaskClient) -> None:
    met = visitor.get(f"/evenings/{night.session}").text.partition('class="met"')[2].partition("</details>")[0]
    rows = re.findall(r"<tr>\s*<th.*?</tr>", met, re.S)
    assert [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in rows] == [
        ["2" if row != column else "" for column in range(4)] for row in range(4)
    ]


def test_an_evening_without_anything_yet_is_a_page_too(empty: Flask, visitor: FlaskClient) -> None:
    session = record(ledger_of(empty), None, opening())
    for path in (f"/evenings/{session}", f"/evenings/{session}.txt", f"/evenings/{session}.png", "/"):
        assert visitor.get(path).status_code == 200
    assert "Nobody has sat down yet" in visitor.get(f"/evenings/{session}").text
