"""The ledger: recording is judged, all or nothing, idempotent and chained; imports and exports keep every byte."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
import threading
import uuid
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from cardledger.errors import ConflictError, FormatError, RuleError, StoreError
from cardledger.record.matches.match_size import MAX_EVENTS
from cardledger.record.matches.matchfile import Problem, read_file, read_matches
from cardledger.record.matches.replay import result
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.results import Imported
from cardledger.record.store import Append
from cardledger.record.store.chain import START, chain
from cardledger.rules.engine import events as ev
from tests.conftest import SAMPLES
from tests.waiting import LIMIT

OPEN = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))
DEAL = ev.Deal(dealer=0, hands=None)
CLUB_NIGHT = SAMPLES / "diversity-club-night.jsonl"


def plays(*cards: str, first: int = 1) -> list[ev.Event]:
    return [ev.Play(seat=(first + i) % 4, card=card) for i, card in enumerate(cards)]


def import_bytes(ledger: Ledger, content: bytes, **options: bool) -> list[Imported | Problem]:
    return list(ledger.import_matches(read_matches(BytesIO(content), "f", **options)))


# --- recording


def test_events_get_number_id_time_and_recorder(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN, DEAL], 0, by="eva").match
    first, second = ledger.events(match)
    assert first.id == match
    assert (first.seq, second.seq) == (1, 2)
    assert (first.by, second.by) == ("eva", "eva")
    assert str(first.at).endswith("Z")
    assert uuid.UUID(second.id).version == 8


def test_an_opening_is_stored_with_its_rulebook_edition(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN], 0).match
    opening = ledger.events(match)[0]
    assert isinstance(opening, ev.Open)
    assert opening.rules == "diversity/2"


def test_a_refused_event_stores_nothing_of_its_batch(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN, DEAL], 0).match
    with pytest.raises(RuleError) as caught:
        ledger.record(match, plays("9S", "TH", "9S"), 2)
    assert (caught.value.code, caught.value.index) == ("table.holding", 2)
    assert len(ledger.events(match)) == 2
    assert ledger.record(match, plays("9S", "TH", "6C"), 2).seq == 5


def test_a_full_match_takes_no_more_and_names_the_first_event_without_room(ledger: Ledger) -> None:
    notes = [ev.Note(text="late")] * MAX_EVENTS
    with pytest.raises(FormatError) as caught:
        ledger.record(None, [OPEN, *notes], 0)
    assert (caught.value.code, caught.value.index) == ("format.size", MAX_EVENTS)
    (problem,) = read_matches(BytesIO(b"".join(ev.encode(event) + b"\n" for event in [OPEN, *notes])), "f")
    assert isinstance(problem, Problem)
    assert (problem.line, problem.error.code) == (MAX_EVENTS + 1, "format.size")


def test_a_refused_opening_leaves_no_match(ledger: Ledger) -> None:
    with pytest.raises(RuleError):
        ledger.record(None, [OPEN, *plays("9S")], 0)
    assert ledger.matches() == []


def test_a_stale_seq_is_a_conflict_that_names_the_current_one(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN, DEAL], 0).match
    ledger.record(match, plays("9S"), 2)
    with pytest.raises(ConflictError) as caught:
        ledger.record(match, plays("TH", first=2), 2)
    assert caught.value.current == 3


def test_a_missing_match_is_unknown(ledger: Ledger) -> None:
    for call in (lambda: ledger.record(str(uuid.uuid4()), plays("9S"), 5), lambda: ledger.stream(str(uuid.uuid4()))):
        with pytest.raises(StoreError) as caught:
            call()
        assert caught.value.code == "store.unknown"


def test_the_same_events_again_get_the_same_answer(ledger: Ledger) -> None:
    ids = [str(uuid.uuid4()) for _ in range(4)]
    opening = [msgspec.structs.replace(event, id=id) for event, id in zip([OPEN, DEAL], ids, strict=False)]
    first = ledger.record(None, opening, 0)
    assert ledger.record(first.match, opening, 0) == first._replace(new=False)
    card = [msgspec.structs.replace(plays("9S")[0], id=ids[2])]
    recorded = ledger.record(first.match, card, 2)
    ledger.record(first.match, plays("TH", first=2), 3)
    assert ledger.record(first.match, card, 2) == recorded._replace(new=False)
    assert len(ledger.events(first.match)) == 4


def test_an_opening_with_an_id_is_recognised_with_the_events_of_the_same_call(ledger: Ledger) -> None:
    opening = msgspec.structs.replace(OPEN, id=str(uuid.uuid4()))
    first = ledger.record(None, [opening, DEAL, *plays("9S")], 0)
    assert ledger.record(None, [opening, DEAL, *plays("9S")], 0) == first._replace(new=False)
    assert ledger.record(None, [opening, DEAL], 0).seq == 2
    for others in ([opening, DEAL, *plays("TH")], [opening, DEAL, *plays("9S"), ev.Note(text="new")]):
        with pytest.raises(StoreError) as caught:
            ledger.record(None, others, 0)
        assert caught.value.code == "store.duplicate"
    assert len(ledger.events(first.match)) == 3


def test_the_same_events_again_get_the_same_answer_from_another_process(ledger: Ledger, tmp_path: Path) -> None:
    match = ledger.record(None, [OPEN, DEAL], 0).match
    card = [msgspec.structs.replace(plays("9S")[0], id=str(uuid.uuid4()))]
    with Ledger(tmp_path / "club.db") as other:
        other.stream(match)
        recorded = ledger.record(match, card, 2)
        ledger.record(match, plays("TH", first=2), 3)
        assert other.record(match, card, 2) == recorded._replace(new=False)
        with pytest.raises(ConflictError):
            other.record(match, plays("9S"), 2)


def test_an_id_used_for_something_else_is_refused(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN, DEAL], 0).match
    id = str(uuid.uuid4())
    ledger.record(match, [msgspec.structs.replace(plays("9S")[0], id=id)], 2)
    for events in ([ev.Note(text="x", id=id)], [*plays("TH", first=2), ev.Note(text="x", id=id)]):
        with pytest.raises(StoreError) as caught:
            ledger.record(match, events, 3)
        assert caught.value.code == "store.duplicate"


def test_a_new_event_among_repeated_ones_is_refused_even_if_it_says_the_same(ledger: Ledger) -> None:
    """Taken for the stored one, it would be acknowledged and lost."""
    told = [ev.Note(text="a misdeal", id=str(uuid.uuid4())) for _ in range(2)]
    match = ledger.record(None, [OPEN, *told], 0).match
    anew = ev.Note(text="a misdeal", id=str(uuid.uuid4()))
    for events in ([told[0], anew], [told[0], anew, told[1]], [told[0], told[1], anew], [told[1], told[0]]):
        with pytest.raises(StoreError) as caught:
            ledger.record(match, events, 1)
        assert caught.value.code == "store.duplicate"
    assert ledger.record(match, [anew], 3).new
    assert [event.id for event in ledger.events(match)[1:]] == [told[0].id, told[1].id, anew.id]


def test_two_events_of_a_match_cannot_share_an_id(ledger: Ledger) -> None:
    id = str(uuid.uuid4())
    twins = [msgspec.structs.replace(event, id=id) for event in (ev.Note(text="x"), ev.Note(text="y"))]
    with pytest.raises(StoreError) as caught:
        ledger.record(None, [OPEN, *twins], 0)
    assert (caught.value.code, caught.value.index) == ("store.duplicate", 2)
    (problem,) = import_bytes(ledger, b"\n".join(map(ev.encode, [OPEN, *twins])))
    assert isinstance(problem, Problem)
    assert problem.error.code == "store.duplicate"
    assert ledger.matches() == []


@pytest.mark.parametrize("match", ["club", "../../etc", "5A0EA0C2-77F1-4C8E-8CC2-9B4DBE6F0A55", "5a0ea0c2"])
def test_a_match_id_is_a_uuid(ledger: Ledger, match: str) -> None:
    with pytest.raises(FormatError) as caught:
        ledger.record(match, [OPEN], 0)
    assert caught.value.code == "format.value"


def test_an_opening_is_recorded_under_its_own_id(ledger: Ledger) -> None:
    opening = msgspec.structs.replace(OPEN, id=str(uuid.uuid4()))
    with pytest.raises(FormatError):
        ledger.record(str(uuid.uuid4()), [opening], 0)
    assert ledger.record(None, [opening], 0).match == opening.id


def test_points_no_database_could_hold_are_refused(ledger: Ledger) -> None:
    with pytest.raises(RuleError) as caught:
        ledger.record(None, [OPEN, DEAL, ev.Score(scores=(10**30, 0, 0, 0))], 0)
    assert caught.value.code == "table.range"


def test_recording_and_catching_up_in_threads_do_not_deadlock(ledger: Ledger) -> None:
    stop = threading.Event()

    def catch_up() -> None:
        while not stop.is_set():
            ledger.views.catch_up()

    threads = [threading.Thread(target=catch_up, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    match = ledger.record(None, [OPEN], 0).match
    for seq in range(1, 60):
        ledger.record(match, [ev.Note(text="x")], seq)
        list(ledger.import_matches(read_matches(BytesIO(ev.encode(OPEN)), "f")))
    stop.set()
    for thread in threads:
        thread.join(LIMIT)
        assert not thread.is_alive()


def test_stored_events_are_acknowledged_even_if_the_read_models_fail(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(patience: float | None) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ledger.views.file, "writing", full)
        match = ledger.record(None, [OPEN], 0).match
        imported = import_bytes(ledger, CLUB_NIGHT.read_bytes())
        assert all(isinstance(item, Imported) and item.new for item in imported)
        assert ledger.views.reader.execute("SELECT count(*) FROM matches").fetchone()[0] == 0
    assert ledger.record(match, [DEAL], 1).seq == 2
    assert ledger.views.reader.execute("SELECT count(*) FROM matches").fetchone()[0] == 1 + len(imported)


def test_no_events_are_refused(ledger: Ledger) -> None:
    with pytest.raises(StoreError) as caught:
        ledger.record(None, [], 0)
    assert caught.value.code == "store.empty"


def test_two_ledgers_on_one_file_see_each_other(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger(tmp_path / "club.db")
    match = ledger.record(None, [OPEN, DEAL], 0).match
    other.record(match, plays("9S"), 2)
    with pytest.raises(ConflictError):
        ledger.record(match, plays("TH", first=2), 2)
    assert ledger.record(match, plays("TH", first=2), 3).seq == 4
    assert other.stream(match).table.hand.trick == ledger.stream(match).table.hand.trick
    other.close()


def test_threads_that_append_to_one_match_win_one_seq_each(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN], 0).match
    won: list[int] = []

    def append(name: str) -> None:
        for _ in range(20):
            with suppress(ConflictError):
                won.append(ledger.record(match, [ev.Note(text=name)], len(ledger.events(match))).seq)

    threads = [threading.Thread(target=append, args=(f"t{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == list(range(2, len(won) + 2))
    assert len(ledger.events(match)) == len(won) + 1


# --- the chain


def test_every_hash_covers_the_event_before_it(ledger: Ledger) -> None:
    match = ledger.record(None, [OPEN, DEAL, *plays("9S")], 0).match
    before = bytes(32)
    for row in ledger.store.read(match):
        before = hashlib.sha256(before + row.line.encode()).digest()
        assert row.hash == before


def tamper(path: Path, statement: str) -> None:
    """Change the file behind the ledger's back."""
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER events_are_kept")
    db.execute("DROP TRIGGER events_are_final")
    db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    ("statement", "index", "code"),
    [
        ("UPDATE events SET line = replace(line, '9S', '8S') WHERE seq = 3", 2, "store.hash"),
        ("UPDATE events SET line = '{' WHERE seq = 3", 2, "store.hash"),
        ("UPDATE events SET hash = zeroblob(32) WHERE seq = 2", 1, "store.hash"),
        ("DELETE FROM events WHERE seq = 3", 2, "store.gap"),
        ("DELETE FROM events WHERE seq = 1", 0, "store.gap"),
        ("UPDATE events SET match = 'other'", 0, "store.hash"),
    ],
)
def test_verify_names_the_first_event_that_does_not_fit(tmp_path: Path, statement: str, index: int, code: str) -> None:
    ledger = Ledger(tmp_path / "club.db")
    ledger.record(None, [OPEN, DEAL, *plays("9S", "TH")], 0)
    ledger.close()
    tamper(tmp_path / "club.db", statement)
    ledger = Ledger(tmp_path / "club.db")
    ((_, error),) = ledger.verify()
    assert error is not None
    assert (error.index, error.code) == (index, code)
    ledger.close()


def test_verify_finds_a_read_model_that_does_not_follow_from_the_events(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, [OPEN, DEAL, *plays("9S", "TH", "6C", "6D")], 0)
    ledger.views.catch_up()
    db = sqlite3.connect(tmp_path / "club.views.db")
    db.execute("UPDATE tricks SET taker = 1")
    db.commit()
    db.close()
    ((_, error),) = ledger.verify()
    assert error is not None
    assert error.code == "store.views"
    list(ledger.rebuild())
    assert [error for _, error in ledger.verify()] == [None]


def test_verify_refuses_impossible_play_even_with_sound_hashes(ledger: Ledger) -> None:
    match = str(uuid.uuid4())
    events = [
        msgspec.structs.replace(event, seq=seq, id=match, at="2026-01-01T00:00:00Z")
        for seq, event in enumerate([OPEN, DEAL, *plays("9S", first=3)], 1)
    ]
    lines = [ev.encode(event).decode() for event in events]
    # The last line is no event, but the one before breaks a rule already.
    ledger.store.append([Append(match, 0, chain(START, [*lines, "{"]))])
    sound = ledger.record(None, [OPEN], 0).match
    found = {id: error and (error.code, error.index) for id, error in ledger.verify()}
    assert found == {sound: None, match: ("table.turn", 2)}
    assert [row["match"] for row in ledger.views.reader.query("SELECT match FROM matches")] == [sound]


# --- files


def test_importing_the_same_file_again_stores_nothing_new(ledger: Ledger) -> None:
    first = list(ledger.import_matches(read_file(CLUB_NIGHT)))
    again = list(ledger.import_matches(read_file(CLUB_NIGHT)))
    assert [item.new for item in first] == [item.events for item in first]
    assert [item.new for item in again] == [0, 0]
    assert [item.match for item in again] == [item.match for item in first]


@pytest.mark.long
def test_export_and_import_keep_every_byte_after_the_first_export(ledger: Ledger, tmp_path: Path) -> None:
    for path in sorted(SAMPLES.glob("*.jsonl")):
        list(ledger.import_matches(read_file(path)))
    exported = "".join(ledger.export(ledger.matches())).encode()
    other = Ledger(tmp_path / "other.db")
    assert not [item for item in import_bytes(other, exported) if isinstance(item, Problem)]
    assert "".join(other.export(other.matches())).encode() == exported
    other.close()


def test_exported_events_carry_number_id_time_and_recorder(ledger: Ledger) -> None:
    list(ledger.import_matches(read_file(CLUB_NIGHT)))
    for text in ledger.export(ledger.matches()):
        for seq, line in enumerate(text.splitlines(), 1):
            event = json.loads(line)
            assert event["seq"] == seq
            assert {"id", "at", "by"} <= event.keys()


@pytest.mark.parametrize("theirs", [1, 2])
def test_two_copies_of_the_same_matches_at_once_store_each_event_once(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theirs: int
) -> None:
    """Another server stores a number of the matches first, right after the check found none of them."""
    matches = [item for item in read_file(CLUB_NIGHT) if not isinstance(item, Problem)]
    store = ledger.store
    append, tried = store.append, []

    def late(appends: list[Append]) -> list[int]:
        if not tried:
            with Ledger(tmp_path / "club.db") as other:
                assert sum(one.new for one in other.import_matches(matches[:theirs])) > 0
        tried.append([one.match for one in appends])
        return append(appends)

    monkeypatch.setattr(store, "append", late)
    told = list(ledger.import_matches(matches))
    assert [one.new for one in told] == [0] * theirs + [one.events for one in told[theirs:]]
    assert len(tried[0]) == len(matches)
    assert tried[1:] == [[one.match] for one in told[theirs:]]
    assert [error for _, error in ledger.verify() if error] == []
    for one, match in zip(told, matches, strict=True):
        assert result(ledger.stream(one.match).table) == result(match.stream.table)


def test_equal_matches_in_one_file_are_different_matches(ledger: Ledger) -> None:
    sheet = ev.encode(OPEN) + b"\n" + ev.encode(DEAL) + b'\n{"type":"claim","tricks":[13,0,0,0]}\n'
    first = import_bytes(ledger, sheet * 3)
    assert len({item.match for item in first}) == 3
    assert [item.new for item in import_bytes(ledger, sheet * 3)] == [0, 0, 0]
    assert [item.new for item in import_bytes(ledger, sheet * 4)] == [0, 0, 0, 3]


_IMPORT = """
import sys
from pathlib import Path
from cardledger.record.matches.matchfile import read_file
from cardledger.record.recording import importer
from cardledger.record.recording.ledger import Ledger
importer._BATCH = 60
with Ledger(sys.argv[1]) as club:
    for item in club.import_matches(read_file(Path(sys.argv[2]))):
        print(item.new)
"""


@pytest.mark.long
def test_processes_that_import_one_file_at_once_store_it_once(tmp_path: Path) -> None:
    matches = tmp_path / "matches.jsonl"
    matches.write_bytes(b"".join(path.read_bytes() for path in sorted(SAMPLES.glob("*.jsonl"))))
    command = [sys.executable, "-c", _IMPORT, tmp_path / "club.db", matches]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [worker.communicate(timeout=LIMIT) for worker in workers]
    assert [errors for _, errors in said] == ["", "", ""]
    lines = len(matches.read_bytes().splitlines())
    assert sum(int(new) for output, _ in said for new in output.split()) == lines
    with Ledger(tmp_path / "club.db") as club:
        assert club.store.last_position() == lines
        assert [error for _, error in club.verify() if error] == []


def test_a_match_with_an_id_grows_with_its_file(ledger: Ledger) -> None:
    opening = msgspec.structs.replace(OPEN, id=str(uuid.uuid4()))
    lines = [ev.encode(event) for event in [opening, DEAL, *plays("9S", "TH")]]
    assert [item.new for item in import_bytes(ledger, b"\n".join(lines[:3]))] == [3]
    assert [item.new for item in import_bytes(ledger, b"\n".join(lines))] == [1]
    assert [item.new for item in import_bytes(ledger, b"\n".join(lines[:2]))] == [0]
    assert ledger.stream(str(opening.id)).seq == 4


def test_a_match_that_took_another_course_is_a_problem_at_its_line(ledger: Ledger) -> None:
    opening = ev.encode(msgspec.structs.replace(OPEN, id=str(uuid.uuid4()))) + b"\n" + ev.encode(DEAL) + b"\n"
    import_bytes(ledger, opening + ev.encode(plays("9S")[0]))
    (problem,) = import_bytes(ledger, b"\n" + opening + ev.encode(plays("8S")[0]))
    assert isinstance(problem, Problem)
    assert (problem.line, problem.error.code) == (2, "store.differs")


def test_no_part_of_a_wrong_match_is_stored_but_the_matches_before_it_are(ledger: Ledger) -> None:
    good = CLUB_NIGHT.read_bytes()
    bad = ev.encode(OPEN) + b"\n" + ev.encode(DEAL) + b"\n" + ev.encode(plays("9S", first=2)[0]) + b"\n"
    found = import_bytes(ledger, good + bad + good)
    assert [type(item) for item in found] == [Imported, Imported, Problem]
    assert len(ledger.matches()) == 2
    found = import_bytes(ledger, good + bad + good, keep_going=True)
    assert [type(item) for item in found] == [Imported, Imported, Problem, Imported, Imported]


def test_a_stored_match_replays_to_the_result_of_its_file(ledger: Ledger) -> None:
    for path in sorted(SAMPLES.glob("*.jsonl")):
        for match, item in zip(read_file(path), list(ledger.import_matches(read_file(path))), strict=True):
            assert result(ledger.stream(item.match).table) == result(match.stream.table)


def test_an_id_may_be_cut_short_as_long_as_it_is_clear(ledger: Ledger) -> None:
    opening = [msgspec.structs.replace(OPEN, id=f"aaaa{i}aaa-0000-4000-8000-000000000000") for i in (1, 2)]
    for event in opening:
        ledger.record(None, [event], 0)
    assert ledger.resolve("AAAA1") == opening[0].id
    for prefix, code in (("aaaa", "store.ambiguous"), ("b", "store.unknown"), ("%", "store.unknown")):
        with pytest.raises(StoreError) as caught:
            ledger.resolve(prefix)
        assert caught.value.code == code
