"""Rankings as published and as corrected now: the same record gives both, whatever comes later."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.people.people import Merge
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.moment import position_of
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings import evening_events as ev
from tests.evenings.night import FOUR, Night, made, opening, play, record, result, table


@pytest.fixture
def night(ledger: Ledger) -> Night:
    return made(ledger)


def publish(ledger: Ledger, id: str, **keys: object) -> ev.Publish:
    """Publish a ranking; return the event as recorded."""
    record(ledger, id, {"type": "publish", **keys})
    event = ledger.evenings.events(id)[-1]
    assert isinstance(event, ev.Publish)
    return event


def void(ledger: Ledger, match: str) -> None:
    ledger.record(match, [match_events.Void(reason="marked deck")], ledger.stream(match).seq)


def paper(ledger: Ledger, *rounds: list[int]) -> str:
    """Record a session whose points are from paper."""
    events = [
        each
        for round, points in enumerate(rounds, 1)
        for each in (table(round), {"type": "result", "round": round, "table": 1, "points": points})
    ]
    return record(ledger, None, opening(scoring={"kind": "total"}), *events)


def places(ledger: Ledger, id: str, position: int | None = None) -> dict[str, str]:
    rows = ledger.evenings.rankings.ranking(id, position).rows
    return {row["players"][0]: f"{row['place']} {row['total']}" for row in rows}


def test_a_publication_gets_its_position_and_hash(ledger: Ledger, night: Night) -> None:
    last = ledger.store.last_position()
    event = publish(ledger, night.session, text="thanks to Annabella")
    assert event.at_position == last
    assert event.hash == ledger.evenings.rankings.ranking(night.session, last).hash
    (published,) = ledger.evenings.rankings.published(night.session)
    assert (published.seq, published.fits) == (ledger.evenings.stream(night.session).seq, True)


def test_a_publication_that_does_not_agree_is_refused(ledger: Ledger, night: Night) -> None:
    last = ledger.store.last_position()
    for wrong in ({"hash": "0" * 64}, {"at_position": last + 1}):
        with pytest.raises(RuleError) as caught:
            publish(ledger, night.session, **wrong)
        assert caught.value.code == "session.position"
    right = ledger.evenings.rankings.ranking(night.session)
    record(ledger, night.club, {"type": "member", "player": "eva"})  # a moment later
    event = publish(ledger, night.session, at_position=right.position, hash=right.hash)
    assert (event.at_position, event.hash) == (right.position, right.hash)


def test_a_publication_sent_twice_is_one(ledger: Ledger, night: Night) -> None:
    seq, event = ledger.evenings.stream(night.session).seq, ev.Publish(id="4fbb1c5e-3bd4-4a3b-8c5d-5a8e7a0d5d11")
    first = ledger.evenings.record(night.session, [event], seq, as_written=False)
    again = ledger.evenings.record(night.session, [event], seq, as_written=False)
    assert (again.new, again.hash) == (False, first.hash)


def test_a_publication_stands_alone_and_is_never_altered(ledger: Ledger, night: Night) -> None:
    with pytest.raises(RuleError, match="alone"):
        record(ledger, night.session, {"type": "arrive", "player": "eva"}, {"type": "publish"})
    publish(ledger, night.session)
    seq = ledger.evenings.stream(night.session).seq
    with pytest.raises(RuleError, match="publish again"):
        record(ledger, night.session, {"type": "amend", "about": seq, "event": {"type": "publish", "text": "other"}})
    record(ledger, night.session, {"type": "retract", "to": seq - 1})
    assert [each.seq for each in ledger.evenings.rankings.published(night.session)] == [seq]


def test_a_correction_in_a_match_changes_the_ranking_now_and_not_the_published_one(
    ledger: Ledger, night: Night
) -> None:
    event = publish(ledger, night.session)
    then, position = places(ledger, night.session), ledger.store.last_position()
    other = night.matches[0]
    ledger.record(other, [match_events.Retract(to=1, reason="wrong cards")], ledger.stream(other).seq)
    assert places(ledger, night.session) != then
    assert places(ledger, night.session, event.at_position) == places(ledger, night.session, position) == then
    assert [each.fits for each in ledger.evenings.rankings.published(night.session)] == [True]
    with Ledger(ledger.at) as again:  # nothing in memory
        assert places(again, night.session, event.at_position) == then
        assert again.evenings.rankings.published(night.session)[0].fits


def test_what_differs_is_listed_with_the_events_that_touch_it(ledger: Ledger) -> None:
    id = paper(ledger, [20, 15, 10, 5], [1, 2, 3, 4])
    event = publish(ledger, id)
    assert event.at_position is not None
    fixed = {"type": "result", "round": 2, "table": 1, "points": [1, 2, 30, 4]}
    record(ledger, id, {"type": "amend", "about": 5, "event": fixed, "reason": "read as 3, it was 30"})
    record(ledger, id, {"type": "adjust", "entry": 4, "penalty": 2, "law": "late"}, {"type": "note", "text": "cake"})
    found = ledger.evenings.rankings.compared(id, event.at_position)
    assert [row.players for row in found.rows] == [("dev",), ("ben",), ("Annabella",), ("chloe",)]
    dev, ben, _, chloe = found.rows
    assert (chloe.place_then, chloe.place_now, chloe.total_then, chloe.total_now) == ("2", "4", "13.00", "40.00")
    assert [(change.round, change.then, change.now) for change in chloe.changes] == [(2, "3.00", "30.00")]
    assert [later.event.reason for later in chloe.events] == ["read as 3, it was 30"]  # type: ignore[attr-defined]
    assert [later.event.law for later in dev.events] == ["late"]  # type: ignore[attr-defined]
    assert (dev.total_then, dev.total_now) == ("9.00", "11.00")  # fewest points win
    assert (ben.changes, ben.events) == ((), ())  # another place, by what others scored


def test_a_correction_of_a_match_is_named_beside_what_it_changed(ledger: Ledger, night: Night) -> None:
    event = publish(ledger, night.session)
    match = night.matches[1]
    ledger.record(match, [match_events.Retract(to=1, reason="wrong cards")], ledger.stream(match).seq)
    rows = ledger.evenings.rankings.compared(night.session, event.at_position or 0).rows
    assert rows
    assert {(later.stream, later.event.reason) for row in rows for later in row.events} == {(match, "wrong cards")}  # type: ignore[attr-defined]


def test_a_league_counts_its_sessions_and_is_published_as_they_are(ledger: Ledger, night: Night) -> None:
    other = paper(ledger, [20, 15, 10, 5])
    record(ledger, night.league, {"type": "counts", "session": other})
    event = publish(ledger, night.league)
    before = places(ledger, night.league)
    assert {*before} == {*FOUR}
    record(
        ledger,
        other,
        {"type": "amend", "about": 3, "event": {"type": "result", "round": 1, "table": 1, "points": [0, 0, 0, 99]}},
    )
    found = ledger.evenings.rankings.compared(night.league, event.at_position or 0)
    assert places(ledger, night.league, event.at_position) == before
    assert ("dev",) in {row.players for row in found.rows}
    assert ledger.evenings.rankings.published(night.league)[0].fits


def test_two_ids_of_one_person_are_one_player_of_a_league(ledger: Ledger, night: Night) -> None:
    match = play(ledger, ("Anna", "ben", "chloe", "dev"), seed=4)
    other = record(ledger, None, opening(date="2026-01-13"), table(1, ("Anna", *FOUR[1:])), result(1, match))
    record(ledger, night.league, {"type": "counts", "session": other})
    position = ledger.store.last_position()
    assert "Anna" in places(ledger, night.league)
    ledger.record_people([Merge(player="Anna", into="Annabella")], 0, "tests")
    assert {*places(ledger, night.league)} == {*FOUR}
    assert "Anna" in places(ledger, night.league, position)


def test_an_erased_person_shows_as_erased_and_every_published_hash_still_fits(ledger: Ledger, night: Night) -> None:
    for id in (night.session, night.league):
        publish(ledger, id)
    before = {id: places(ledger, id) for id in (night.session, night.league)}
    left = erase(ledger, examine(ledger, "Annabella"), "admin")
    for id, was in before.items():
        (published,) = ledger.evenings.rankings.published(id)
        assert published.fits
        shown = {row["players"][0] for row in published.ranking.rows}
        assert shown == {left, *FOUR[1:]}
        assert places(ledger, id)[left] == was["Annabella"]


def test_a_void_match_is_named_with_round_and_table_by_the_ranking_that_needs_it(ledger: Ledger, night: Night) -> None:
    event = publish(ledger, night.session)
    void(ledger, night.matches[0])
    with pytest.raises(RuleError, match=f"at table 1 in round 1, match {night.matches[0]} is void"):
        ledger.evenings.rankings.ranking(night.session)
    assert ledger.evenings.rankings.ranking(night.session, event.at_position).hash == event.hash


def test_a_club_has_no_ranking(ledger: Ledger, night: Night) -> None:
    with pytest.raises(LedgerError, match="club has no ranking"):
        ledger.evenings.rankings.ranking(night.club)


def test_a_position_is_a_number_or_a_time(ledger: Ledger, night: Night) -> None:
    last = ledger.store.last_position()
    assert position_of(ledger.store, "12") == 12
    now = datetime.now().astimezone()
    assert position_of(ledger.store, (now + timedelta(minutes=1)).isoformat()) == last
    assert position_of(ledger.store, "2020-01-01") == 0
    first = ledger.evenings.events(night.session)[-1]
    assert position_of(ledger.store, str(first.at)) >= ledger.store.read(night.session)[-1].position
    with pytest.raises(FormatError):
        position_of(ledger.store, "yesterday")
    with pytest.raises(RuleError):
        position_of(ledger.store, str(last + 1))


def test_a_late_arrival_or_a_note_changes_no_ranking_and_a_drawn_lot_does(ledger: Ledger) -> None:
    drawn = opening(scoring={"kind": "total", "ties": ["lot"]})
    points = {"type": "result", "round": 1, "table": 1, "points": [7, 7, 9, 9]}
    id = record(ledger, None, drawn, table(1), points)
    before = ledger.evenings.rankings.ranking(id)
    record(ledger, id, {"type": "note", "text": "cake"}, {"type": "arrive", "player": "eva"})
    assert ledger.evenings.rankings.ranking(id).hash == before.hash
    record(ledger, id, {"type": "note", "text": "lot: 2 1 4 3"})
    now = ledger.evenings.rankings.ranking(id)
    assert [row["players"][0] for row in now.rows] == ["ben", "Annabella", "dev", "chloe"]
    assert ledger.evenings.rankings.ranking(id, before.position) == before


def test_a_published_hash_that_does_not_fit_is_found_by_verify_and_doctor(ledger: Ledger) -> None:
    drawn = opening(scoring={"kind": "total", "ties": ["lot"]})
    points = {"type": "result", "round": 1, "table": 1, "points": [7, 7, 9, 9]}
    id = record(ledger, None, drawn, table(1), points, {"type": "note", "text": "lot: 2 1 4 3"})
    publish(ledger, id)
    run = CliRunner().invoke
    db = ["--db", str(ledger.at)]
    ledger.views.catch_up()
    assert run(main, ["verify", *db]).exit_code == 0
    assert "published    the rankings published of one session or league follow" in run(main, ["doctor", *db]).output
    wrong = ev.Publish(at_position=ledger.store.last_position(), hash="0" * 64)
    ledger.take(
        id, [wrong], ledger.evenings.stream(id).seq, Recorder("tests")
    )  # as a program would that hashes wrongly
    (found,) = [(evening, error) for evening, error in ledger.verify() if error]
    assert (found[0], found[1].code, found[1].index) == (id, "store.published", 5)
    verified = run(main, ["verify", *db])
    assert (verified.exit_code, f"{id}:6: store.published: " in verified.output) == (1, True)
    doctor = run(main, ["doctor", *db])
    assert (doctor.exit_code, f"X published    store.published: {id}, event 6: " in doctor.output) == (1, True)
    assert "cannot" not in doctor.output
