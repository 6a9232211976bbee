"""The next round of an evening: proposed with reasons, opened with one call, and scored from its matches."""

from __future__ import annotations

import pytest

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as match_events
from cardledger.rules.engine.events import Deal, Retract, Score, Void
from cardledger.rules.evenings.session import SessionState
from tests.evenings.night import opening, record

TEN = ("ana", "ben", "cai", "dan", "eva", "fay", "gus", "hal", "ivo", "jan")
BY = Recorder("tests")


def begun(ledger: Ledger, *players: str, **keys) -> str:
    arrivals = ({"type": "arrive", "player": player} for player in players)
    return record(ledger, None, opening(**keys), *arrivals)


def state(ledger: Ledger, session: str) -> SessionState:
    found = ledger.evenings.stream(session).state
    assert isinstance(found, SessionState)
    return found


def score(ledger: Ledger, match: str, *points: int) -> None:
    ledger.record(match, [Deal(dealer=0, hands=None), Score(scores=points)], ledger.stream(match).seq, "tests")


def test_one_call_opens_a_match_at_each_table_with_everything_filled_in(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:8], game="hearts", options={"target": 50}, place="Hall")
    opened = ledger.evenings.rounds.open(session, BY)
    assert [table.number for table in opened] == [1, 2]
    first = ledger.events(str(opened[1].match))[0]
    assert isinstance(first, match_events.Open)
    assert (first.game, first.players, first.options) == ("hearts", TEN[4:8], {"target": 50})
    assert (first.event, first.table, first.place, first.date) == ("Tuesday", "2", "Hall", "2026-01-06")
    results = state(ledger, session).results
    assert {at: result.match for at, (_, result) in results.items()} == {
        (1, table.number, None): table.match for table in opened
    }


def test_the_next_round_seats_players_who_have_not_met(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:8], game="hearts")
    ledger.evenings.rounds.open(session, BY)
    proposal = ledger.evenings.rounds.propose(session)
    assert (proposal.round, proposal.sitting_out) == (2, ())
    # The worked case of "who comes plays": ABCD EFGH, then FEDC BAHG.
    assert [table.players for table in proposal.tables] == [
        ("fay", "eva", "dan", "cai"), ("ben", "ana", "hal", "gus"),
    ]  # fmt: skip
    assert any("have not met this season" in reason for reason in proposal.reasons)


def test_the_season_remembers_earlier_evenings_of_the_club_and_not_those_of_others(ledger: Ledger) -> None:
    clubs = [record(ledger, None, {"type": "club", "name": name}) for name in ("Porto", "Braga")]
    before = begun(ledger, *TEN[:8], game="hearts", club=clubs[0], date="2026-01-05")
    ledger.evenings.rounds.open(before, BY)
    for club, met in zip(clubs, (True, False), strict=True):
        session = begun(ledger, *TEN[:8], game="hearts", club=club)
        tables = [table.players for table in ledger.evenings.rounds.propose(session).tables]
        assert (tables != [TEN[:4], TEN[4:8]]) == met


def test_tables_fit_the_game_and_the_number_of_players(ledger: Ledger) -> None:
    session = begun(ledger, *TEN, game=None)
    propose = ledger.evenings.rounds.propose
    assert [len(table.players) for table in propose(session, "whist").tables] == [4, 4]
    assert len(propose(session, "whist").sitting_out) == 2
    assert [len(table.players) for table in propose(session, "oh-hell").tables] == [5, 5]
    assert [len(table.players) for table in propose(session, "oh-hell", largest=4).tables] == [4, 3, 3]
    with pytest.raises(FormatError, match="a round needs a game"):
        ledger.evenings.rounds.open(session, BY)


def test_a_round_opened_twice_gives_the_same_matches(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:8], game="hearts")
    tables = [table.players for table in ledger.evenings.rounds.propose(session).tables]
    opened = ledger.evenings.rounds.open(session, BY, round=1, tables=tables)
    position = ledger.store.last_position()
    assert ledger.evenings.rounds.open(session, BY, round=1, tables=tables) == opened
    assert ledger.store.last_position() == position
    with pytest.raises(RuleError, match="round 2 comes next"):
        ledger.evenings.rounds.open(session, BY, round=1, tables=[tables[1], tables[0]])


def test_tables_are_set_without_matches_once_and_can_still_be_opened(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:8], game="hearts")
    rounds = ledger.evenings.rounds
    tables = [table.players for table in rounds.propose(session).tables]
    for _ in range(2):
        rounds.set(session, BY, round=1, tables=tables)
    assert ledger.evenings.stream(session).seq == 1 + 8 + 2
    assert state(ledger, session).results == {}
    with pytest.raises(RuleError, match="round 1 comes next, not round 2"):
        rounds.set(session, BY, round=2)
    assert [table.players for table in rounds.propose(session).tables] == tables
    assert len(rounds.open(session, BY, round=1, tables=tables)) == 2
    assert ledger.evenings.stream(session).seq == 1 + 8 + 2 + 2


def test_a_round_is_taken_back_before_a_card_is_played_and_who_came_since_is_seated(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:7], game="hearts")
    rounds = ledger.evenings.rounds
    opened = rounds.open(session, BY)
    record(ledger, session, {"type": "arrive", "player": "hal"})
    for _ in range(2):
        rounds.take_back(session, BY, 1)
    assert [*state(ledger, session).here] == [*TEN[:8]]
    assert (state(ledger, session).rounds, state(ledger, session).round) == ([], 0)
    assert all(ledger.stream(str(table.match)).void for table in opened)
    again = rounds.open(session, BY)
    assert (len(opened), len(again)) == (1, 2)
    score(ledger, str(again[0].match), 0, 20, 5, 1)
    with pytest.raises(RuleError, match="table 1 has begun"):
        rounds.take_back(session, BY, 1)
    rounds.open(session, BY)
    with pytest.raises(RuleError, match="round 2 follows round 1"):
        rounds.take_back(session, BY, 1)


def test_tables_opened_before_a_crash_are_used_by_the_next_call(ledger: Ledger, monkeypatch) -> None:
    session = begun(ledger, *TEN[:8], game="hearts")

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ledger.evenings, "record", crash)
        with pytest.raises(KeyboardInterrupt):
            ledger.evenings.rounds.open(session, BY)
    matches = ledger.store.lengths([id for id in ledger.store.matches() if "-" in id]).keys() - {session}
    opened = ledger.evenings.rounds.open(session, BY)
    assert {table.match for table in opened} == matches


def test_a_table_whose_match_was_void_is_opened_with_another(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:4], game="hearts")
    (table,) = ledger.evenings.rounds.open(session, BY)
    match = str(table.match)
    ledger.record(match, [Void(reason="wrong players")], 1, "tests")
    seq = ledger.evenings.stream(session).seq
    ledger.evenings.record(session, [Retract(to=seq - 2)], seq, as_written=False)
    (again,) = ledger.evenings.rounds.open(session, BY)
    assert again.match != match
    assert not ledger.stream(str(again.match)).void


def test_a_game_that_cannot_be_played_opens_nothing(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:8], game=None)
    position = ledger.store.last_position()
    for tables in ([TEN[:4], TEN[3:7]], [TEN[:2], TEN[4:8]], [["nobody\n"] * 4]):
        with pytest.raises(LedgerError):
            ledger.evenings.rounds.open(session, BY, game="euchre", tables=tables)
        assert ledger.store.last_position() == position


def test_the_standing_counts_a_match_from_its_first_hand_on(ledger: Ledger) -> None:
    session = begun(ledger, *TEN[:4], game="hearts", scoring={"kind": "total"})
    (table,) = ledger.evenings.rounds.open(session, BY)
    ranking = ledger.evenings.rankings.ranking
    assert {row["place"] for row in ranking(session).rows} == {""}
    score(ledger, str(table.match), 0, 20, 5, 1)
    assert [(row["place"], row["players"], row["total"]) for row in ranking(session).rows][:2] == [
        ("1", ["ana"], "0.00"), ("2", ["dan"], "1.00"),
    ]  # fmt: skip


def test_pairs_are_seated_opposite_their_partners_as_the_movement_says(ledger: Ledger) -> None:
    pairs = [{"type": "entry", "number": n, "players": [f"{name}{n}" for name in "ab"]} for n in range(1, 5)]
    movement = {"type": "movement", "kind": "howell", "entries": 4}
    session = record(
        ledger, None, opening(unit="pair", game="whist", scoring={"kind": "total"}), *pairs, movement
    )  # fmt: skip
    proposal = ledger.evenings.rounds.propose(session)
    assert not proposal.decided
    north, east, south, west = proposal.tables[0].players
    assert (north[1:], east[1:]) == (south[1:], west[1:])
    opened = ledger.evenings.rounds.open(session, BY)
    assert ledger.stream(str(opened[0].match)).table.players == (north, east, south, west)


def test_a_swiss_round_is_drawn_and_recorded_when_it_is_opened(ledger: Ledger) -> None:
    pairs = [{"type": "entry", "number": n, "players": [f"{name}{n}" for name in "ab"]} for n in range(1, 5)]
    session = record(
        ledger, None, opening(unit="pair", game="spades", scoring={"kind": "total"}), *pairs,
        {"type": "movement", "kind": "swiss"},
    )  # fmt: skip
    first = ledger.evenings.rounds.open(session, BY)
    for table in first:
        score(ledger, str(table.match), 50, 0, 50, 0)
    tables = ledger.evenings.rounds.propose(session).tables
    assert [{player[1:] for player in table.players} for table in tables] == [{"1", "3"}, {"2", "4"}]


def test_pairs_without_a_movement_are_not_seated_by_chance(ledger: Ledger) -> None:
    session = record(ledger, None, opening(unit="pair"), {"type": "entry", "number": 1, "players": ["ana", "ben"]})
    with pytest.raises(RuleError) as caught:
        ledger.evenings.rounds.propose(session)
    assert caught.value.code == "session.movement"
