"""Clubs, sessions and leagues in a ledger: recorded as matches are, beside matches, and kept out of what is theirs."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import ConflictError, FormatError, LedgerError, RuleError, StoreError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.people import Merge
from cardledger.record.readmodels.questions.evening_list import clubs, comers, list_evenings, open_leagues, table_of
from cardledger.record.readmodels.tables.evenings import EVENINGS
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.sqlite import SqliteStore
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.shape import event_of
from tests.evenings.night import FOUR, Night, made, opening, play, record, result, table


@pytest.fixture
def night(ledger: Ledger) -> Night:
    return made(ledger)


def code_of(call) -> str:
    with pytest.raises(LedgerError) as caught:
        call()
    return caught.value.code


def rows(ledger: Ledger) -> list[tuple]:
    return ledger.views.reader.execute(f"SELECT * FROM {EVENINGS.name} ORDER BY evening").fetchall()


# --- recording


def test_the_events_of_an_evening_get_number_id_time_and_recorder(ledger: Ledger, night: Night) -> None:
    first, second = ledger.evenings.events(night.session)[:2]
    assert night.session.startswith("session-")
    assert first.id == night.session
    assert (first.seq, second.seq, second.by) == (1, 2, "tests")
    assert str(second.at).endswith("Z")
    assert second.id not in (None, first.id)
    state = ledger.evenings.stream(night.session).state
    assert isinstance(state, SessionState)
    assert [*state.here] == [*FOUR]


def test_a_batch_with_a_wrong_event_stores_nothing(ledger: Ledger, night: Night) -> None:
    before = ledger.store.last_position()
    with pytest.raises(RuleError) as caught:
        record(
            ledger, night.session, table(3), {"type": "arrive", "player": "eva"}, {"type": "arrive", "player": "eva"}
        )
    assert (caught.value.code, caught.value.index) == ("session.player", 2)
    assert ledger.store.last_position() == before


def test_a_writer_who_missed_an_event_gets_a_conflict(ledger: Ledger, night: Night) -> None:
    with pytest.raises(ConflictError):
        ledger.evenings.record(night.session, [ev.Arrive(player="eva")], 3, as_written=False)


def test_an_event_sent_twice_gets_the_first_answer(ledger: Ledger, night: Night) -> None:
    seq = ledger.evenings.stream(night.session).seq
    event = ev.Arrive(player="eva", id="4fbb1c5e-3bd4-4a3b-8c5d-5a8e7a0d5d11")
    first = ledger.evenings.record(night.session, [event], seq, as_written=False)
    again = ledger.evenings.record(night.session, [event], seq, as_written=False)
    assert (first.new, again.new) == (True, False)
    assert first._replace(new=False) == again


def test_a_correction_makes_the_evening_as_if_it_had_been_so(ledger: Ledger, night: Night) -> None:
    other = play(ledger, seed=5)
    record(ledger, night.session, {"type": "amend", "about": 9, "event": result(2, other), "reason": "wrong match"})
    state = ledger.evenings.stream(night.session).state
    assert state.results[2, 1, None][1].match == other


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (result(3, "00000000-0000-4000-8000-000000000000"), "store.unknown"),
        ({"type": "arrive", "player": " eva"}, "people.name"),
        ({"type": "member", "player": "eva"}, "session.phase"),
    ],
)
def test_an_event_that_does_not_fit_is_refused(ledger: Ledger, night: Night, event: dict, code: str) -> None:
    record(ledger, night.session, table(3))
    assert code_of(lambda: record(ledger, night.session, event)) == code


def test_a_void_match_is_no_result(ledger: Ledger, night: Night) -> None:
    match = play(ledger, seed=8)
    ledger.record(match, [match_events.Void(reason="marked deck")], ledger.stream(match).seq)
    record(ledger, night.session, table(3))
    assert code_of(lambda: record(ledger, night.session, result(3, match))) == "session.phase"


def test_what_an_opening_names_must_be_there(ledger: Ledger, night: Night) -> None:
    for wrong in (night.session, "club-00000000-0000-4000-8000-000000000000"):
        assert code_of(lambda wrong=wrong: record(ledger, None, opening(club=wrong))) == "store.unknown"
    assert code_of(lambda: record(ledger, night.league, {"type": "counts", "session": night.club})) == "store.unknown"


def test_an_id_says_the_kind_of_its_stream(ledger: Ledger, night: Night) -> None:
    for id in ("9d0c5cf2-5c25-4f4c-8e05-0c6e04e04a11", night.club.replace("club", "league")):
        with pytest.raises(FormatError):
            ledger.evenings.record(id, [ev.Club(name="Monday")], 0, as_written=False)
    assert code_of(lambda: ledger.record(night.session, [match_events.Note(text="hello")], 9)) == "format.value"
    assert (
        code_of(
            lambda: ledger.evenings.record(night.matches[0], [match_events.Note(text="hello")], 9, as_written=False)
        )
        == "store.unknown"
    )
    assert ledger.evenings.resolve(night.session[:12]) == night.session
    assert ledger.evenings.resolve(night.league.partition("-")[2][:8]) == night.league


def test_a_match_gives_points_places_and_hands(ledger: Ledger, night: Night) -> None:
    outcome = ledger.evenings.at().result_of(night.matches[0])
    totals = ledger.stream(night.matches[0]).table.totals
    assert outcome.points == tuple(totals)
    assert outcome.places == tuple(1 + sum(other < mine for other in totals) for mine in totals)  # fewest win
    assert outcome.hands == 1


# --- beside matches


def test_evenings_are_no_matches(ledger: Ledger, night: Night) -> None:
    assert ledger.matches() == night.matches
    assert ledger.evenings.ids() == [night.club, night.session, night.league]
    assert code_of(lambda: ledger.stream(night.session)) == "store.unknown"
    assert code_of(lambda: [*ledger.export([night.session])]) == "store.unknown"
    assert code_of(lambda: ledger.resolve(night.session)) == "store.unknown"
    assert ledger.events(night.session) == []
    exported = "".join(ledger.export(ledger.matches()))
    assert {json.loads(line)["type"] for line in exported.splitlines()}.isdisjoint({"session", "club", "league"})


def test_read_models_list_evenings_and_equal_a_rebuild(ledger: Ledger, night: Night) -> None:
    ledger.views.catch_up()
    listed = rows(ledger)
    assert [(row[0], row[2], row[3]) for row in listed] == [
        (night.club, "club", "Whist on Tuesday"), (night.league, "league", "Spring"), (night.session, "session", "Tuesday"),
    ]  # fmt: skip
    assert ledger.count() == ledger.store.last_position()
    for _ in ledger.rebuild():
        pass
    assert rows(ledger) == listed


def test_verify_checks_hashes_fold_and_rows_of_evenings(ledger: Ledger, night: Night) -> None:
    assert {id: error for id, error in ledger.verify() if error} == {}
    assert {night.club, night.session, night.league} <= {id for id, _ in ledger.verify()}
    with ledger.views.file.writing() as db:
        db.execute("UPDATE evenings SET name = 'Monday' WHERE evening = ?", (night.session,))
    wrong = {id: error.code for id, error in ledger.verify() if error}
    assert wrong == {night.session: "store.views"}


def test_a_tampered_evening_is_found(ledger: Ledger, night: Night, tmp_path: Path) -> None:
    store = ledger.store
    assert isinstance(store, SqliteStore)
    with store.file.writing() as db:
        db.execute("DROP TRIGGER events_are_final")
        db.execute(
            "UPDATE events SET line = replace(line, '\"round\":2', '\"round\":1') WHERE match = ?", (night.session,)
        )
    wrong = {id: error.code for id, error in ledger.verify() if error}
    assert wrong[night.session] == "store.hash"
    assert night.club not in wrong


def test_a_backup_and_a_copy_carry_evenings(ledger: Ledger, night: Night, tmp_path: Path) -> None:
    for command in (
        ["backup", str(tmp_path / "b.db"), "--db", str(tmp_path / "club.db")],
        ["restore", str(tmp_path / "b.db"), str(tmp_path / "new.db")],
        ["copy", str(tmp_path / "club.db"), str(tmp_path / "copy.db")],
    ):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
    for name in ("new.db", "copy.db"):
        with Ledger(tmp_path / name) as other:
            for id in ledger.evenings.ids():
                assert other.evenings.events(id) == ledger.evenings.events(id)
            assert [error for _, error in other.verify() if error] == []


def test_verify_and_doctor_say_what_is_there(ledger: Ledger, night: Night, tmp_path: Path) -> None:
    ledger.views.catch_up()
    verified = CliRunner().invoke(main, ["verify", "--db", str(tmp_path / "club.db")])
    assert "2 matches, 3 clubs, sessions and leagues, " in verified.output
    doctor = CliRunner().invoke(main, ["doctor", "--db", str(tmp_path / "club.db")])
    assert doctor.exit_code == 0, doctor.output
    assert "problem" not in doctor.output


def test_an_event_of_an_evening_can_be_proved(ledger: Ledger, night: Night, tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "club.db")]
    assert CliRunner().invoke(main, ["checkpoint", *db]).exit_code == 0
    for event in (f"{night.session}#1", night.league[:12]):
        proved = CliRunner().invoke(main, ["prove", event, *db])
        assert proved.exit_code == 0, proved.output
        assert proved.stdout.startswith("c2sp.org/tlog-proof@v1")


def test_an_archive_leaves_evenings_out(ledger: Ledger, night: Night, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    packed = CliRunner().invoke(main, ["pack", str(tmp_path / "a.parquet"), "--db", str(tmp_path / "club.db")])
    assert packed.exit_code == 0, packed.output
    unpacked = CliRunner().invoke(main, ["unpack", str(tmp_path / "a.parquet"), "--db", str(tmp_path / "other.db")])
    assert unpacked.exit_code == 0, unpacked.output
    with Ledger(tmp_path / "other.db") as other:
        assert {*other.matches()} == {*night.matches}
        assert other.evenings.ids() == []


# --- names


def test_a_misspelt_name_on_paper_can_be_merged(ledger: Ledger, night: Night) -> None:
    record(ledger, night.session, {"type": "arrive", "player": "Annabela"})
    ledger.record_people([Merge(player="Annabela", into="Annabella")], 0, "tests")
    assert ledger.people().person("Annabela") == "Annabella"
    with pytest.raises(RuleError, match="no one has played"):
        ledger.record_people([Merge(player="zoe", into="Annabella")], 1, "tests")


def test_two_who_play_in_one_round_of_an_evening_are_not_merged(ledger: Ledger, night: Night) -> None:
    paper = record(
        ledger, None, opening(name="Wednesday", date="2026-01-07"),
        *({**table(1, players), "table": number} for number, players in enumerate((("eva", "fay"), ("gus", "hal")), 1)),
        table(2, ("eva", "ivo")),
    )  # fmt: skip

    def merge(player: str, into: str) -> None:
        ledger.record_people([Merge(player=player, into=into)], ledger.people().seq, "tests")

    said = (
        rf"eva and gus both sat at tables 1 and 2 in round 1 of Wednesday, 2026-01-07 \({paper}\): they are two people"
    )
    for player, into, message in (
        ("gus", "eva", said.replace("eva and gus", "gus and eva").replace("1 and 2 in", "2 and 1 in")),
        ("eva", "ivo", "at table 1 in round 2"),
        ("ben", "chloe", "sat at the same table in match"),
    ):
        with pytest.raises(RuleError, match=message) as caught:
            merge(player, into)
        assert caught.value.code == "people.table"
    merge("ivo", "gus")  # in different rounds: a substitute under another name, say
    with pytest.raises(RuleError, match="fay and gus both sat at tables 1 and 2 in round 1"):
        merge("fay", "ivo")


def test_two_ids_of_one_person_are_refused_in_one_round(ledger: Ledger, night: Night) -> None:
    for id in ("ann", "bea"):
        record(ledger, night.session, {"type": "arrive", "player": id})
    ledger.record_people([Merge(player="ann", into="Annabella")], 0, "tests")
    before = ledger.store.last_position()
    tables = [FOUR, ("ann", "bea", "cem", "dan")]
    said = "Annabella and ann are two ids of one person, and would both play in round 3: seat one of them, or split"
    for call in (
        lambda: record(ledger, night.session, table(3), {**table(3, tables[1]), "table": 2}),
        lambda: ledger.evenings.rounds.open(night.session, "tests", tables=tables),
        lambda: ledger.evenings.rounds.set(night.session, "tests", tables=tables),
    ):
        with pytest.raises(RuleError, match=said) as caught:
            call()
        assert (caught.value.code, caught.value.index) == ("people.table", 1)
    assert ledger.store.last_position() == before  # no match was opened
    record(ledger, night.session, table(3), {**table(4, tables[1]), "table": 2})
    seq = ledger.evenings.stream(night.session).seq - 1
    with pytest.raises(RuleError, match="play in round 3"):  # a correction makes no second seat either
        record(ledger, night.session, {"type": "amend", "about": seq, "event": table(3, ("Annabella", "ann", "bea"))})


def test_the_players_of_an_evening_are_those_of_the_events_that_count(ledger: Ledger, night: Night) -> None:
    def players() -> set[str]:
        ledger.views.catch_up()
        found = ledger.views.reader.execute(
            "SELECT recorded_as FROM evening_players WHERE evening = ?", (night.session,)
        )
        return {player for (player,) in found}

    record(ledger, night.session, {"type": "arrive", "player": "eva"}, {"type": "leave", "player": "eva"})
    assert players() == {*FOUR, "eva"}
    record(ledger, night.session, {"type": "retract", "to": ledger.evenings.stream(night.session).seq - 2})
    assert players() == {*FOUR}
    left = erase(ledger, examine(ledger, "Annabella"), "admin")
    assert players() == {left, *FOUR[1:]}
    assert [error for _, error in ledger.verify() if error] == []


def test_stored_lines_of_an_evening_hold_no_personal_word(ledger: Ledger, night: Night) -> None:
    record(ledger, night.session, {"type": "note", "text": "chloe brought cake"})
    record(ledger, night.session, {"type": "close", "reason": "chloe went home"})
    seats = json.loads(ledger.store.read(night.session)[5].line)["seats"]
    assert all(map(is_pseudonym, seats))
    lines = "".join(row.line for id in ledger.evenings.ids() for row in ledger.store.read(id))
    for word in (*FOUR, "Nr. 4711", "cake", "went home", '"tests"'):
        assert word not in lines, word
    assert ledger.evenings.events(night.session)[5].seats == FOUR  # type: ignore[attr-defined]


def test_entries_and_names_at_one_table_are_read_as_written(ledger: Ledger) -> None:
    first = {"type": "entry", "number": 7, "players": ["ana"]}
    mixed = record(ledger, None, opening(name="~" + "A" * 26), first, table(1, (7, "ben", "chloe", "dev")))  # type: ignore[arg-type]
    events = ledger.evenings.events(mixed)
    assert events[0].name == "~" + "A" * 26  # type: ignore[attr-defined]
    assert events[2].seats == (7, "ben", "chloe", "dev")  # type: ignore[attr-defined]


def test_an_erased_player_is_gone_from_evenings_and_every_hash_fits(
    ledger: Ledger, night: Night, tmp_path: Path
) -> None:
    record(ledger, night.session, {"type": "note", "text": "Annabella won the cake"})
    found = examine(ledger, "Annabella")
    assert found.numbers == ("Nr. 4711",)
    assert "their member number (Nr. 4711)" in found.in_words
    left = erase(ledger, found, "admin")
    state = ledger.evenings.stream(night.session).state
    assert [*state.here] == [left, *FOUR[1:]]
    assert is_pseudonym(ledger.evenings.events(night.session)[-1].text)  # type: ignore[attr-defined]
    assert [error for _, error in ledger.verify() if error] == []
    ledger.close()
    for path in tmp_path.iterdir():
        assert b"Annabella" not in path.read_bytes(), path
        assert b"Nr. 4711" not in path.read_bytes(), path


def test_a_ledger_from_before_evenings_opens_as_before(ledger: Ledger, tmp_path: Path) -> None:
    match = play(ledger)
    ledger.close()
    with closing(Ledger(tmp_path / "club.db")) as again:
        assert again.matches() == [match]
        assert again.evenings.ids() == []
        assert code_of(lambda: again.evenings.stream("session-1")) == "store.unknown"
        with pytest.raises(StoreError):
            again.evenings.resolve("session")


def test_a_match_is_found_at_its_table_of_the_evening_and_a_correction_moves_it(ledger: Ledger, night: Night) -> None:
    found = [table_of(ledger, match) for match in night.matches]
    assert [(each.evening, each.name, each.round, each.table) for each in found if each] == [
        (night.session, "Tuesday", 1, 1), (night.session, "Tuesday", 2, 1),
    ]  # fmt: skip
    seq = ledger.evenings.stream(night.session).seq
    points = {"type": "result", "round": 2, "table": 1, "points": [1, 2, 3, 7]}
    record(ledger, night.session, {"type": "amend", "about": seq, "event": points})
    assert table_of(ledger, night.matches[1]) is None
    grown = ledger.views.reader.execute("SELECT * FROM evening_results").fetchall()
    assert [(row[1], row[4]) for row in grown] == [(1, night.matches[0]), (2, None)]
    for _ in ledger.rebuild():
        pass
    assert ledger.views.reader.execute("SELECT * FROM evening_results").fetchall() == grown


def test_evenings_are_listed_by_day_the_newest_first_with_the_number_of_players(ledger: Ledger, night: Night) -> None:
    later = record(ledger, None, opening(club=night.club, date="2026-02-03"), {"type": "arrive", "player": "ben"})
    first = list_evenings(ledger, 1)
    second = list_evenings(ledger, 1, first.next)
    assert [(row["evening"], row["players"], row["club_name"]) for row in (*first.evenings, *second.evenings)] == [
        (later, 1, "Whist on Tuesday"), (night.session, 4, "Whist on Tuesday"),
    ]  # fmt: skip
    assert second.next is None


def test_the_club_used_last_comes_first_with_those_who_came_and_its_leagues(ledger: Ledger, night: Night) -> None:
    other = record(ledger, None, {"type": "club", "name": "Spades"})
    assert [*clubs(ledger)] == [night.club, other]
    record(ledger, None, opening(club=other), {"type": "arrive", "player": "zoe"})
    assert [*clubs(ledger)] == [other, night.club]
    assert (comers(ledger, other), {*comers(ledger, night.club)}) == (["zoe"], {*FOUR})
    assert open_leagues(ledger, night.club, "2026-06-30") == {night.league: "Spring"}
    assert open_leagues(ledger, night.club, "2026-07-01") == open_leagues(ledger, other, "2026-06-30") == {}


WHIST = {"game": "whist", "scoring": {"kind": "total"}}


@pytest.mark.parametrize("points", [[8, 5, 9, 4], [8, 5, 8, 6], [0, 0, 1, 0]])
def test_points_of_partners_that_differ_are_refused_and_nothing_is_stored(ledger: Ledger, points: list[int]) -> None:
    session = record(ledger, None, opening(**WHIST), *({"type": "arrive", "player": player} for player in FOUR))
    seq = ledger.evenings.stream(session).seq
    entered = {"type": "result", "round": 1, "table": 1, "points": points}
    with pytest.raises(RuleError, match="are partners in Whist") as refused:
        record(ledger, session, table(1), entered)
    assert (refused.value.code, refused.value.index) == ("session.partners", 1)
    assert ledger.evenings.stream(session).seq == seq
    # An old one, with its own time, is as it was; a correction is new.
    record(ledger, session, table(1), entered | {"at": "2020-01-07T20:00:00Z"})
    about = ledger.evenings.stream(session).seq
    with pytest.raises(RuleError, match="have their points together"):
        record(ledger, session, {"type": "amend", "about": about, "event": entered})
    record(ledger, session, {"type": "amend", "about": about, "event": entered | {"points": [8, 5, 8, 5]}})


def test_points_that_no_hands_can_give_are_refused_unless_they_count_as_written(ledger: Ledger) -> None:
    """Pages, the API, the command and programs in Python ask by this; what a program of the house records counts."""
    hearts = {"game": "hearts", "scoring": {"kind": "total"}}
    session = record(ledger, None, opening(**hearts), *({"type": "arrive", "player": player} for player in FOUR))
    record(ledger, session, table(1))
    entered = event_of({"type": "result", "round": 1, "table": 1, "points": [8, 5, 6, 9]})
    seq = ledger.evenings.stream(session).seq
    with pytest.raises(RuleError, match="these points are doubtful") as refused:
        ledger.evenings.record(session, [entered], seq, as_written=False)
    assert (refused.value.code, refused.value.index) == ("session.sum", 0)
    assert ledger.evenings.stream(session).seq == seq
    right = event_of({"type": "result", "round": 1, "table": 1, "points": [13, 13, 0, 26]})
    ledger.evenings.record(session, [right], seq, as_written=False)
    correction = event_of(
        {"type": "amend", "about": seq + 1, "event": {"type": "result", "round": 1, "table": 1, "points": [8, 5, 6, 9]}}
    )
    with pytest.raises(RuleError, match="count as written"):
        ledger.evenings.record(session, [correction], seq + 1, as_written=False)
    ledger.evenings.record(session, [correction], seq + 1, as_written=True)


def test_the_command_asks_about_points_that_no_hands_can_give(tmp_path: Path) -> None:
    lines = [
        {"type": "session", "club": None, "name": "Paper", "date": "2026-01-06", "game": "hearts", "unit": "player", "scoring": {"kind": "total"}},
        *({"type": "arrive", "player": player} for player in FOUR),
        table(1),
        {"type": "result", "round": 1, "table": 1, "points": [8, 5, 6, 9]},
    ]  # fmt: skip
    file, db = tmp_path / "evening.jsonl", str(tmp_path / "club.db")
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    asked = CliRunner().invoke(main, ["evening", "open", str(file), "--db", db])
    assert (asked.exit_code, "session.sum" in asked.stderr) == (2, True), asked.output
    taken = CliRunner().invoke(main, ["evening", "open", str(file), "--as-written", "--db", db])
    assert taken.exit_code == 0, taken.output
    words = ["evening", "said", "Paper", "1", "8", "5", "6", "8", "--settle", "--db", db]
    asked = CliRunner().invoke(main, words)
    assert (asked.exit_code, "session.sum" in asked.stderr) == (2, True), asked.output
    assert CliRunner().invoke(main, [*words, "--as-written"]).exit_code == 0


def test_points_without_partners_may_all_differ(ledger: Ledger) -> None:
    session = record(ledger, None, opening(game="hearts"), *({"type": "arrive", "player": player} for player in FOUR))
    record(ledger, session, table(1), {"type": "result", "round": 1, "table": 1, "points": [1, 2, 3, 20]})
    other = record(
        ledger, None, opening(**WHIST | {"game": None}), *({"type": "arrive", "player": player} for player in FOUR)
    )
    record(ledger, other, table(1), {"type": "result", "round": 1, "table": 1, "points": [1, 2, 3, 20]})
