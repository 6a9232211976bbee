"""The register: changes to people are recorded as events, reflected everywhere, and can be reversed."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from cardledger.errors import ConflictError, RuleError, StoreError
from cardledger.record.people.people import STREAM, Merge, Name, Sat, Split
from cardledger.record.readmodels import MODELS, SUMMARIES
from cardledger.record.readmodels.questions.match_list import list_matches
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.events import Event

NIGHTS = (("ana", "ben", "chloe", "dev"), ("ann", "ben", "eva", "dev"), ("ana", "eva", "ben", "fay"))


@pytest.fixture
def club(ledger: Ledger) -> Ledger:
    """Three nights; `ana` and `ann` never sat at one table."""
    for number, players in enumerate(NIGHTS):
        events = simulate("diversity", 4, Random(number), ["random"], {"hands": 1}, players=players, max_hands=1)
        ledger.record(None, list(events), 0)
    return ledger


def tell(ledger: Ledger, *events: Event) -> None:
    ledger.record_people(events, ledger.people().seq, "test")


def rows(ledger: Ledger) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of the read models and summaries."""
    ledger.views.catch_up()
    reader = ledger.views.file.reader
    return {
        kept.name: sorted(reader.execute(f"SELECT * FROM {kept.name}").fetchall(), key=repr)
        for kept in (*MODELS, *SUMMARIES)
    }


def matches_of(ledger: Ledger, player: str) -> int:
    return len(list_matches(ledger, 100, player=player).matches)


def test_a_merge_is_reflected_in_every_match_past_and_to_come(club: Ledger) -> None:
    tell(club, Merge(player="ann", into="ana"))
    assert matches_of(club, "ana") == 3
    seated = {(row[0], row[1], row[2]): row[3] for row in rows(club)["seats"]}
    assert "ann" not in seated.values()
    events = simulate("diversity", 4, Random(9), ["random"], {"hands": 1}, players=NIGHTS[1], max_hands=1)
    club.record(None, list(events), 0)
    assert matches_of(club, "ana") == 4


def test_either_id_finds_the_person(club: Ledger) -> None:
    tell(club, Merge(player="ann", into="ana"))
    assert matches_of(club, "ann") == 3


def test_a_match_keeps_the_ids_it_was_recorded_with(club: Ledger) -> None:
    before = "".join(club.export(club.matches()))
    tell(club, Merge(player="ann", into="ana"), Name(player="ana", name="Ana Lima"))
    assert "".join(club.export(club.matches())) == before


def test_splitting_a_person_restores_every_row(club: Ledger) -> None:
    before = rows(club)
    tell(club, Merge(player="ann", into="ana"))
    assert rows(club) != before
    tell(club, Split(player="ann"))
    assert rows(club) == before


def test_a_substitute_gets_the_points_until_that_is_taken_back(club: Ledger) -> None:
    before = rows(club)
    match = club.matches()[0]
    tell(club, Sat(match=match, seat=3, player="dave"))
    assert matches_of(club, "dave") == 1
    assert matches_of(club, "dev") == 1
    tell(club, Sat(match=match, seat=3, player=None))
    assert rows(club) == before


def test_rebuilt_read_models_are_the_same(club: Ledger) -> None:
    tell(club, Merge(player="ann", into="ana"), Sat(match=club.matches()[2], seat=3, player="ann2"))
    before = rows(club)
    for _ in club.rebuild():
        pass
    assert rows(club) == before
    assert [error for _, error in club.verify() if error] == []


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Merge(player="ana", into="ben"), "people.table"),
        (Merge(player="ana", into="ana"), "people.circle"),
        (Merge(player="nobody", into="ana"), "people.unknown"),
        (Merge(player="ana", into="nobody"), "people.unknown"),
        (Split(player="ana"), "people.merged"),
        (Name(player="nobody", name="Nobody"), "people.unknown"),
        (Name(player="ana", name=" "), "people.name"),
        (Name(player="ana", name="a" * 65), "people.name"),
        (Name(player="ana", name="two\nlines"), "people.name"),
        (Sat(match="none", seat=0, player="x"), "people.unknown"),
    ],
)
def test_a_slip_is_refused_by_its_rule_and_nothing_is_stored(club: Ledger, event: Event, code: str) -> None:
    before = rows(club)
    with pytest.raises(RuleError) as refused:
        tell(club, Name(player="ben", name="Ben"), event)
    assert (refused.value.code, refused.value.index) == (code, 1)
    assert club.people().seq == 0
    assert rows(club) == before


def test_nobody_sits_twice_at_a_table(club: Ledger) -> None:
    with pytest.raises(RuleError) as refused:
        tell(club, Sat(match=club.matches()[0], seat=0, player="ben"))
    assert refused.value.code == "people.table"
    for seat in (4, -1, 2**63, 10**30):
        with pytest.raises(RuleError) as refused:
            tell(club, Sat(match=club.matches()[0], seat=seat, player="zed"))
        assert refused.value.code == "people.unknown"


def test_a_change_without_the_latest_state_is_refused(club: Ledger) -> None:
    tell(club, Name(player="ana", name="Ana"))
    with pytest.raises(ConflictError) as refused:
        club.record_people([Name(player="ana", name="Anna")], 0, "test")
    assert refused.value.current == 1


def test_the_list_of_people_is_not_a_match(club: Ledger) -> None:
    tell(club, Name(player="ana", name="Ana"))
    assert STREAM not in club.matches()
    for ask in (club.stream, club.resolve, lambda match: list(club.export([match]))):
        with pytest.raises(StoreError) as refused:
            ask(STREAM)
        assert refused.value.code == "store.unknown"


def test_another_process_sees_the_same_people(club: Ledger, tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as other:
        assert other.people().name("ann") == "ann"
        tell(club, Merge(player="ann", into="ana"), Name(player="ana", name="Ana Lima"))
        assert other.people().name("ann") == "Ana Lima"
        assert matches_of(other, "ana") == 3


def test_verify_names_a_change_that_was_tampered_with(club: Ledger, tmp_path: Path) -> None:
    tell(club, Name(player="ana", name="Ana"), Merge(player="ann", into="ana"))
    with sqlite3.connect(tmp_path / "club.db") as db:
        db.execute("DROP TRIGGER events_are_final")
        db.execute("UPDATE events SET line = replace(line, '~', '-') WHERE match = ? AND seq = 2", (STREAM,))
    db.close()
    (wrong,) = [(match, error) for match, error in club.verify() if error and match == STREAM]
    assert (wrong[1].code, wrong[1].index) == ("store.hash", 1)
