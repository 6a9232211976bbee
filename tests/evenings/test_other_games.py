"""A game without rules: an evening of canasta is seated, its results are entered, and its ranking is honest."""

from __future__ import annotations

from collections import Counter

import pytest

from cardledger.errors import FormatError, RuleError
from cardledger.record.people.recorders import Recorder
from cardledger.record.readmodels.questions.evening_list import list_evenings, other_games
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.session import SessionState
from tests.evenings.evening import opening as bare_opening
from tests.evenings.evening import places, stream
from tests.evenings.night import opening, record

TWELVE = ("ana", "ben", "cai", "dan", "eva", "fay", "gus", "hal", "ivo", "jan", "kim", "lea")
BY = Recorder("tests")


def canasta(**keys: object) -> dict[str, object]:
    return bare_opening("total", "player") | {"other_game": "Canasta", "sizes": [4], "partners": True} | keys


def begun(ledger: Ledger, players: tuple[str, ...] = TWELVE, **keys: object) -> str:
    arrivals = ({"type": "arrive", "player": player} for player in players)
    return record(ledger, None, canasta(**keys), *arrivals)


def state(ledger: Ledger, session: str) -> SessionState:
    found = ledger.evenings.stream(session).state
    assert isinstance(found, SessionState)
    return found


def result(*points: int, **keys: object) -> dict[str, object]:
    return {"type": "result", "round": 1, "table": 1, **({"points": [*points]} if points else {}), **keys}


TABLE = {"type": "table", "round": 1, "table": 1, "seats": ["ana", "ben", "cai", "dan"]}
HERE = [{"type": "arrive", "player": player} for player in TWELVE]


@pytest.mark.parametrize(
    ("fewest", "ranked"), [(False, ["ana", "cai", "ben", "dan"]), (True, ["ben", "dan", "ana", "cai"])]
)
def test_the_evening_says_who_wins(fewest: bool, ranked: list[str]) -> None:
    evening = stream(
        canasta(scoring={"kind": "total", "fewest": fewest}), *HERE[:4], TABLE, result(2500, 1200, 2500, 1200)
    )
    found = places(evening)
    assert isinstance(evening.state, SessionState)
    assert [evening.state.everybody(entry)[0] for entry, _, _ in found] == ranked
    assert [place for _, place, _ in found] == ["1=", "1=", "3=", "3="]


def test_points_for_places_are_shared_by_partners() -> None:
    evening = stream(canasta(scoring={"kind": "places"}), *HERE[:4], TABLE, result(places=[1, 3, 1, 3]))
    assert [points for _, _, points in places(evening)] == [3.5, 3.5, 1.5, 1.5]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"game": "hearts"}, "leave one out"),
        ({"options": {"target": 50}}, "no options"),
        ({"scoring": {"kind": "matchpoints"}}, "not by matchpoints"),
        ({"other_game": " Canasta"}, "without blanks around it"),
        ({"other_game": ""}, "1 to 60 characters"),
        ({"other_game": "x" * 61}, "1 to 60 characters"),
        ({"sizes": [1, 4]}, "from 2 to 20"),
        ({"sizes": [4, 21]}, "from 2 to 20"),
        ({"sizes": [4, 3]}, "smaller ones first"),
        ({"sizes": [4, 4]}, "each once"),
        ({"sizes": [3, 5]}, "another even number"),
        ({"unit": "pair"}, "competes together anyway"),
    ],
)
def test_what_it_cannot_be_is_refused(keys: dict[str, object], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        stream(canasta(**keys))


@pytest.mark.parametrize("keys", [{"sizes": [4]}, {"partners": True}])
def test_a_game_with_rules_says_itself_who_plays(keys: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="are for an 'other_game'"):
        stream(bare_opening("total", "player") | {"game": "hearts"} | keys)


@pytest.mark.parametrize("name", ["Hearts", "HERZEN", "dame de pique"])
def test_a_game_that_has_rules_here_is_given_by_its_id(ledger: Ledger, name: str) -> None:
    with pytest.raises(FormatError, match="has rules here: give it as the game hearts"):
        begun(ledger, other_game=name)


def test_an_unknown_game_is_no_game_of_an_evening(ledger: Ledger) -> None:
    with pytest.raises(FormatError, match="there is no game 'canasta'") as caught:
        record(ledger, None, opening(game="canasta"))
    assert caught.value.code == "format.game"
    assert "can have it as its 'other_game'" in caught.value.message


def test_three_tables_are_set_without_matches_and_ranked(ledger: Ledger) -> None:
    session = begun(ledger, scoring={"kind": "total", "decimals": 0})
    opened = ledger.evenings.rounds.open(session, BY)
    assert [(each.number, each.match) for each in opened] == [(1, None), (2, None), (3, None)]
    assert ledger.evenings.rounds.open(session, BY, round=1) == opened
    for table, points in ((1, 3000), (2, 2000), (3, 1000)):
        record(ledger, session, result(points, 500, points, 500, table=table))
    rows = ledger.evenings.rankings.ranking(session).rows
    assert [(row["place"], row["total"]) for row in rows][:4] == [
        ("1=", "3000"),
        ("1=", "3000"),
        ("3=", "2000"),
        ("3=", "2000"),
    ]
    assert ledger.evenings.rounds.propose(session).round == 2


def test_partners_change_from_round_to_round(ledger: Ledger) -> None:
    session = begun(ledger, TWELVE[:4])
    seen = set()
    for round in (1, 2, 3):
        ledger.evenings.rounds.open(session, BY, round=round)
        players = state(ledger, session).by_seat(round, state(ledger, session).tables(round)[1])
        seen.add(frozenset(players[::2]) | {"with"} if "ana" in players[::2] else frozenset(players[1::2]) | {"with"})
        record(ledger, session, result(9, 1, 9, 1, round=round))
    assert len(seen) == 3


@pytest.mark.parametrize("given", [{"points": [9, 1, 8, 1]}, {"places": [1, 3, 1, 4]}, {"places": [1, 2, 2, 4]}])
def test_partners_have_the_same(ledger: Ledger, given: dict[str, object]) -> None:
    session = begun(ledger, scoring={"kind": "places"})
    ledger.evenings.rounds.open(session, BY)
    with pytest.raises(RuleError, match="are partners in Canasta") as caught:
        record(ledger, session, {"type": "result", "round": 1, "table": 1, **given})
    assert caught.value.code == "session.partners"


def test_tables_have_the_sizes_of_the_game(ledger: Ledger) -> None:
    rummy = begun(ledger, TWELVE[:10], other_game="Rummy", sizes=[2, 3], partners=False)
    assert [len(table.players) for table in ledger.evenings.rounds.propose(rummy).tables] == [3, 3, 2, 2]
    with pytest.raises(RuleError, match="Rummy is for no other number"):
        ledger.evenings.rounds.propose(rummy, smallest=6)


def test_a_round_of_such_an_evening_can_be_a_game_with_rules(ledger: Ledger) -> None:
    session = begun(ledger, TWELVE[:4], partners=False)
    (opened,) = ledger.evenings.rounds.open(session, BY, game="hearts")
    assert opened.match is not None
    assert state(ledger, session).tables(1)[1].game == "hearts"


def test_it_is_in_the_list_by_any_spelling_and_in_no_other(ledger: Ledger) -> None:
    first = begun(ledger, other_game="Rummé")
    second = begun(ledger, other_game="RUMME", date="2026-02-06")
    begun(ledger, other_game="Canasta")
    found = list_evenings(ledger, 9, other_game="rumme").evenings
    assert [row["evening"] for row in found] == [second, first]
    assert [row["game"] for row in found] == [None, None]
    assert not list_evenings(ledger, 9, other_game="rum").evenings
    assert not list_evenings(ledger, 9, game="hearts").evenings
    assert other_games(ledger) == ["RUMME", "Canasta"]


def test_an_evening_without_such_a_game_has_the_bytes_it_had(ledger: Ledger) -> None:
    session = record(ledger, None, opening(game="hearts"))
    (line,) = [row.line for row in ledger.store.read(session)]
    assert not any(word in line for word in ("other_game", "sizes", "partners"))


def test_its_name_can_be_erased(ledger: Ledger) -> None:
    session = begun(ledger, other_game="Gretas Spiel")
    (first, *_) = [row.line for row in ledger.store.read(session)]
    assert "Greta" not in first


def test_fixed_pairs_meet_each_other_as_seldom_as_can_be(ledger: Ledger) -> None:
    pairs = [TWELVE[at : at + 2] for at in range(0, 10, 2)]
    entries = ({"type": "entry", "number": n, "players": [*pair]} for n, pair in enumerate(pairs, 1))
    keys = {"unit": "pair", "partners": False, "sizes": [], "scoring": {"kind": "total", "decimals": 0}}
    session = record(ledger, None, canasta(**keys), *entries)
    met: Counter[frozenset[int]] = Counter()
    alone = []
    for round in range(1, 6):
        opened = ledger.evenings.rounds.open(session, BY, round=round)
        assert ledger.evenings.rounds.open(session, BY, round=round) == opened, "the same call again changes nothing"
        tables = state(ledger, session).tables(round)
        met.update(frozenset(table.seats) for table in tables.values() if table.plays)
        alone += [table.bye for table in tables.values() if table.bye]
        for table in (1, 2):
            record(ledger, session, result(10 * round, 3, round=round, table=table))
    assert sorted(alone) == [1, 2, 3, 4, 5]
    assert len(met) == sum(met.values()) == 10
    assert state(ledger, session).by_seat(1, state(ledger, session).tables(1)[1]) == ("ana", "cai", "ben", "dan")
    assert next(row["place"] for row in ledger.evenings.rankings.ranking(session).rows) == "1"


def driven(ledger: Ledger, players: tuple[str, ...] = TWELVE[:8], **keys: object) -> str:
    session = begun(ledger, players, scoring={"kind": "total", "decimals": 0}, **keys)
    ledger.evenings.drives.begin(session, "tests", hands=3)
    ledger.evenings.rounds.set(session, BY)
    return session


def test_a_drive_of_partners_moves_the_pair_that_won_also_of_equals(ledger: Ledger) -> None:
    session = driven(ledger)
    ledger.evenings.drives.enter(session, "tests", 1, {1: (3250, -120), 2: (1800, 1800)})
    first = [state(ledger, session).tables(1)[table].seats for table in (1, 2)]
    assert state(ledger, session).results[1, 1, None][1].points == (3250, -120, 3250, -120)
    ledger.evenings.rounds.set(session, BY)
    second = [state(ledger, session).tables(2)[table].seats for table in (1, 2)]
    assert {*second[0]} == {first[0][1], first[0][3], first[1][0], first[1][2]}, "of equals those go who sit first"
    together = {frozenset(seats[one::2]) for seats in first for one in (0, 1)}
    assert together.isdisjoint({frozenset(seats[one::2]) for seats in second for one in (0, 1)}), "partners change"
    with pytest.raises(RuleError, match="are partners in Canasta"):
        ledger.evenings.drives.enter(session, "tests", 2, {1: (10, 20, 11, 20)})


def test_a_drive_of_those_who_play_alone_moves_the_best_two(ledger: Ledger) -> None:
    session = driven(ledger, other_game="Rummy", partners=False)
    ledger.evenings.drives.enter(session, "tests", 1, {1: (1, 20, 30, 4), 2: (50, 6, 7, 80)})
    first = [state(ledger, session).tables(1)[table].seats for table in (1, 2)]
    ledger.evenings.rounds.set(session, BY)
    second = {*state(ledger, session).tables(2)[1].seats}
    assert second == {first[0][0], first[0][3], first[1][0], first[1][3]}


def test_a_drive_needs_tables_of_four(ledger: Ledger) -> None:
    session = begun(ledger, other_game="Skat", sizes=[3], partners=False, scoring={"kind": "total"})
    with pytest.raises(RuleError, match="for four at a table"):
        ledger.evenings.drives.begin(session, "tests")


def test_a_second_game_of_an_evening_is_an_evening_of_its_own(ledger: Ledger) -> None:
    with pytest.raises(FormatError, match="open an evening of its own for it, and let both count in one league"):
        record(ledger, begun(ledger), TABLE | {"game": "Skat"})
