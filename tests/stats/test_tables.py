"""Tables of statistics: filters and splits, honest comparison, and the basis of the numbers."""

from __future__ import annotations

import json
import threading
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from cardledger.errors import FormatError, StoreError
from cardledger.record.people.people import Merge, Split
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.study.stats import DIMENSIONS, Query, Statistics
from cardledger.study.stats.compare import compare
from cardledger.study.stats.measures.sheet import Sheet
from tests.waiting import wait_until


def sheet_line(scores: tuple[int, ...], dealer: int = 0) -> list[ev.Event]:
    """Return a hand with known points but no cards."""
    return [ev.Deal(dealer=dealer, hands=None), ev.Score(scores=scores)]


def opening(*players: str, **more: object) -> ev.Open:
    return ev.Open(game="diversity", players=players or tuple("abcd"), options={"hands": 2}, **more)


def value(stats: Statistics, player: str, measure: str = "points", **query: object) -> float | None:
    rows = stats.player(player, Query(**query), "diversity").rows
    return next((row["value"] for row in rows if row["measure"] == measure), None)


@pytest.fixture
def small(ledger: Ledger) -> Ledger:
    """Three matches of two hands, on three nights, the seats changing."""
    nights = (("abcd", "2026-01-05", "club"), ("badc", "2026-01-20", "cup"), ("abce", "2026-02-01", None))
    for number, (players, date, event) in enumerate(nights):
        hands = sheet_line((number, 4, 4, 5 - number)) + sheet_line((1, 2, 4, 6), 1)
        ledger.record(None, [opening(*players, date=date, event=event), *hands], 0)
    return ledger


def test_filters_let_through_exactly_their_matches(small: Ledger) -> None:
    stats = Statistics(small.views)
    assert value(stats, "a") == pytest.approx((0 + 1 + 4 + 2 + 2 + 1) / 6, rel=1e-5)
    assert value(stats, "a", since="2026-01-20") == pytest.approx((4 + 2 + 2 + 1) / 4)
    assert value(stats, "a", until="2026-01-05") == 0.5
    assert value(stats, "a", event="cup") == 3
    assert value(stats, "a", against=("d",)) == pytest.approx((0 + 1 + 4 + 2) / 4)
    assert value(stats, "a", against=("d", "e")) is None
    assert value(stats, "a", seat=1) == 3
    assert value(stats, "a", turn=4) == pytest.approx((0 + 2 + 2) / 3, rel=1e-5)
    assert value(stats, "a", option=(("hands", 2),)) == value(stats, "a")
    assert value(stats, "a", option=(("hands", 3),)) is None
    assert value(stats, "a", size=5) is None
    assert value(stats, "a", policy="record") is None


def test_dimensions_split_all_hands(small: Ledger) -> None:
    stats = Statistics(small.views)

    def groups(by: str) -> dict[object, float]:
        rows = stats.player("a", Query(by=by), "diversity").rows
        return {row["group"]: row["cases"] for row in rows if row["measure"] == "points"}

    assert groups("month") == {"2026-01": 4, "2026-02": 2}
    assert groups("event") == {"club": 2, "cup": 2, None: 2}
    assert groups("seat") == {0: 4, 1: 2}
    assert groups("turn") == {1: 1, 3: 2, 4: 3}
    assert groups("opponent") == {"b": 6, "c": 6, "d": 4, "e": 2}
    assert groups("place") == {1: 4, 2: 2}


@pytest.mark.long
@pytest.mark.parametrize("id", games())
def test_every_dimension_splits_every_hand_once(id: str, stats: Statistics) -> None:
    """But for opponents: there a hand counts once for each of them; and a hand without a partner has no row for partners."""
    sheet = stats.sheets.sheet(id)
    for by in (*DIMENSIONS, *sheet.splits()):
        whole = {row["player"]: row for row in stats.players(id, Query(), "points").rows}
        split: dict[str, int] = {}
        for row in stats.players(id, Query(by=by), "points").rows:
            split[row["player"]] = split.get(row["player"], 0) + row["cases"]
        cases = {player: row["cases"] for player, row in whole.items()}
        if by == "opponent":
            assert all(split[player] >= number for player, number in cases.items())
        elif by == "partner":
            assert split == (cases if games()[id].has_sides else {})
        else:
            assert split == cases, by


def test_the_others_are_all_players_except_the_player(small: Ledger) -> None:
    (row,) = [
        row for row in Statistics(small.views).player("e", Query(), "diversity").rows if row["measure"] == "points"
    ]
    assert row["value"] == (3 + 6) / 2
    assert row["others"] == pytest.approx((13 + 13 + 13 + 13 + 10 + 7) / 22, rel=1e-5)


def test_left_out_matches_are_reported(ledger: Ledger) -> None:
    ledger.record(None, [opening(), *sheet_line((1, 2, 4, 6)), ev.Deal(dealer=1, hands=None)], 0)
    ledger.record(None, [opening(), ev.Deal(dealer=1, hands=None), ev.End()], 0)
    claimed = [ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 4, 6))]
    ledger.record(None, [opening(), *claimed], 0)
    (basis,) = Statistics(ledger.views).players("diversity", Query()).basis.values()
    assert (basis.matches, basis.hands, basis.score_only, basis.hidden) == (3, 2, 1, 2)
    assert (basis.under_way, basis.abandoned) == (1, 1)
    assert (basis.position, basis.rules) == (ledger.store.last_position(), ("diversity/2",))


def test_two_matches_give_a_place_and_one_does_not(small: Ledger) -> None:
    rows = {row["player"]: row for row in Statistics(small.views).players("diversity", Query()).rows}
    for player in "abcd":
        assert 1 <= rows[player]["rank_low"] <= rows[player]["rank_high"] <= rows[player]["ranked"] == 4
        assert rows[player]["verdict"] == ""
    guest = rows["e"]
    assert guest["rank_low"] is guest["rank"] is guest["best"] is None
    assert guest["note"] == "one match is too few for a place"
    assert guest["believed_low"] < guest["believed"] < guest["believed_high"]


def test_a_player_has_a_place_only_if_the_interval_covers_at_most_half_of_the_players(ledger: Ledger) -> None:
    league(ledger, 4, 4)
    for row in Statistics(ledger.views).players("diversity", Query()).rows:
        if row["rank_low"] is not None:
            wide = 2 * (row["rank_high"] - row["rank_low"] + 1) > row["ranked"]
            assert (row["rank"] is None) == wide


def test_clubs_that_never_met_are_pools_of_their_own(ledger: Ledger) -> None:
    rng = Random(4)

    def night(players: str) -> None:
        hands = (sheet_line(tuple(rng.sample((1, 2, 4, 6), 4)), dealer) for dealer in range(2))
        seated = rng.sample(players, 4)
        ledger.record(None, [opening(*seated), *(line for hand in hands for line in hand)], 0)

    for _ in range(30):
        night("abcd")
        night("wxyz")
    table = Statistics(ledger.views).players("diversity", Query())
    assert {frozenset(pool.players) for pool in table.comparison.pools} == {frozenset("abcd"), frozenset("wxyz")}
    assert {row["ranked"] for row in table.rows} == {4}
    assert "pools 1 and 2 never met, not even through other players" in table.notes
    night("abwx")
    table = Statistics(ledger.views).players("diversity", Query())
    (between,) = table.comparison.between
    assert between.matches == 1
    assert between.low < between.difference < between.high
    assert any("by 1 match with players of both" in note for note in table.notes)


def league(ledger: Ledger, matches: int, hands: int) -> None:
    """Record matches in which `a` always does best and `d` worst, among others not ranked."""
    rng = Random(3)
    for number in range(matches):
        players = [*"abcd"] if number % 5 else [*"abc", f"guest-{number}"]
        rng.shuffle(players)
        events: list[ev.Event] = [ev.Open(game="diversity", players=tuple(players), options={"hands": hands})]
        for hand in range(hands):
            goal = {"a": 1, "b": 3, "c": 4, "d": 5}
            wanted = [goal.get(player, 5) + rng.choice((-1, 0, 1)) for player in players]
            wanted[0] += 13 - sum(wanted)
            events += sheet_line(tuple(wanted), hand % 4)
        ledger.record(None, events, 0)


def test_with_enough_hands_the_best_player_is_ranked_first_with_a_verdict(ledger: Ledger) -> None:
    league(ledger, 40, 4)
    table = Statistics(ledger.views).players("diversity", Query())
    ranked = [row for row in table.rows if row["ranked"]]
    assert [row["player"] for row in ranked] == ["a", "b", "c", "d"]
    assert [row["rank"] for row in ranked] == [1, 2, 3, 4]
    assert ranked[0]["verdict"] == "better"
    assert ranked[-1]["verdict"] == "worse"
    assert ranked[0]["best"] > 0.99
    assert sum(row["best"] for row in ranked) == pytest.approx(1)
    for row in ranked:
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
        assert row["believed_low"] < row["believed"] < row["believed_high"]
        assert (row["more_hands"] is None) == bool(row["verdict"])
    assert all(row["note"] == "one match is too few for a place" for row in table.rows[4:])


@pytest.mark.parametrize("points", [3, 10**12])
def test_players_with_constant_scores_get_no_verdict(ledger: Ledger, points: int) -> None:
    for _ in range(25):
        ledger.record(None, [opening(), *(line for hand in range(4) for line in sheet_line((points,) * 4, hand))], 0)
    for row in Statistics(ledger.views).players("diversity", Query()).rows:
        assert row["points"] == points
        assert row["verdict"] == ""
        assert row["rank_low"] < row["rank_high"]


def test_fixed_seats_can_be_chosen_too(ledger: Ledger) -> None:
    league(ledger, 40, 4)
    stats = Statistics(ledger.views)
    for query in (Query(seat=0), Query(turn=1), Query(against=("a",)), Query(against=("a", "b")), Query(size=2)):
        assert all(row["points"] is not None for row in stats.players("diversity", query).rows)


def test_the_same_events_give_the_same_answers(ledger: Ledger) -> None:
    league(ledger, 30, 4)
    before = Statistics(ledger.views).players("diversity", Query()).rows
    list(ledger.rebuild())
    assert Statistics(ledger.views).players("diversity", Query()).rows == before


def test_answers_follow_new_events_and_corrections(ledger: Ledger) -> None:
    kept = Statistics(ledger.views)
    match = ledger.record(None, [opening(), *sheet_line((1, 2, 4, 6))], 0).match
    assert value(kept, "a") == 1
    ledger.record(match, sheet_line((3, 2, 4, 4), 1), 3)
    assert value(kept, "a") == 2
    ledger.record(None, [opening("a", "x", "y", "z"), *sheet_line((5, 2, 4, 2))], 0)
    assert value(kept, "a") == 3
    ledger.record(match, [ev.Amend(about=3, event=ev.Score(scores=(4, 2, 4, 3)))], 5)
    assert value(kept, "a") == 4
    ledger.record(match, [ev.Retract(to=3)], 6)
    assert value(kept, "a") == 3


@pytest.mark.long
@pytest.mark.parametrize("id", games())
def test_an_updated_sheet_equals_a_fresh_one(id: str, tmp_path: Path) -> None:
    """Matches grow event by event, in turn, while statistics are read."""
    with Ledger(tmp_path / "club.db") as ledger:
        kept = Statistics(ledger.views)
        matches = [simulate(id, 4, Random(n), ["random"], players=tuple("abcd"), max_hands=3) for n in range(4)]
        running = [(events, None, 0) for events in matches]
        while running:
            rest = []
            for events, match, done in running:
                recorded = ledger.record(match, events[done : done + 61], done).match
                if done + 61 < len(events):
                    rest.append((events, recorded, done + 61))
            running = rest
            fresh = Statistics(ledger.views)
            for query in (Query(), Query(by="turn"), Query(turn=2)):
                assert kept.player("a", query, id).rows == fresh.player("a", query, id).rows
            assert kept.players(id, Query()).rows == fresh.players(id, Query()).rows


def test_a_large_league_is_compared_before_anybody_asks(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.study.stats.tables.LARGE", 5)
    for players in ("abcd", "abce"):
        ledger.record(None, [opening(*players), *sheet_line((1, 2, 4, 6))], 0)
    ledger.record(None, [ev.Open(game="spades", players=tuple("abcd")), *sheet_line((61, 50, 61, 50))], 0)
    ledger.views.catch_up()
    kept, compared = Statistics.of(ledger.views), list[str]()
    monkeypatch.setattr(
        "cardledger.study.stats.tables.compare",
        lambda tally, **given: compared.append(tally.sheet.game) or compare(tally, **given),
    )
    kept.warm()
    assert compared == ["diversity"], "spades is a small league"
    kept.players("diversity", Query())
    assert compared == ["diversity"]


def test_in_a_large_league_an_answer_of_a_moment_ago_serves(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.study.stats.tables.LARGE", 5)
    kept = Statistics.of(ledger.views)

    def players() -> set[str]:
        table = kept.recent("diversity", "all", lambda: kept.players("diversity", Query()))
        return {row["player"] for row in table.rows}

    ledger.record(None, [opening(), *sheet_line((1, 2, 4, 6))], 0)
    assert players() == {*"abcd"}
    ledger.record(None, [opening(*"abxy"), *sheet_line((1, 2, 4, 6))], 0)
    assert players() == {*"abcdxy"}, "small yet"
    ledger.record(None, [opening(*"abcz"), *sheet_line((1, 2, 4, 6))], 0)
    reader = threading.get_ident()
    caught_up = kept.sheets.sheet

    def elsewhere(id: str) -> Sheet:
        assert threading.get_ident() != reader, "nobody waits for the sheet"
        return caught_up(id)

    monkeypatch.setattr(kept.sheets, "sheet", elsewhere)
    assert players() == {*"abcdxy"}, "as of a moment ago"
    wait_until(lambda: players() == {*"abcdxyz"}, "the new player")


def test_violations_count_under_record_alone(ledger: Ledger) -> None:
    played = simulate("diamonds-bid", 4, Random(1), ["random"], players=tuple("abcd"), policy="record", max_hands=2)
    ledger.record(None, played, 0)
    ledger.record(None, simulate("diamonds-bid", 4, Random(2), ["random"], players=tuple("abcd"), max_hands=2), 0)
    (row,) = [
        row
        for row in Statistics(ledger.views).player("a", Query(), "diamonds-bid").rows
        if row["measure"] == "violations"
    ]
    exposed = sum(hand.exposed[0] for hand in ledger.stream(ledger.matches()[0]).table.hands)
    assert (row["cases"], row["matches"], row["low"]) == (exposed, 1, 0)
    assert 0 < row["high"] < 1


def test_unknown_players_games_measures_and_dimensions_are_named(stats: Statistics) -> None:
    with pytest.raises(StoreError, match="no player"):
        stats.player("nobody", Query())
    with pytest.raises(FormatError, match="no game"):
        stats.players("chess", Query())
    with pytest.raises(StoreError, match="no measure"):
        stats.players("ruff", Query(), "four-suits")
    with pytest.raises(StoreError, match="cannot be split by"):
        stats.players("ruff", Query(by="colour"))


def test_a_filter_by_seat_compares_those_who_sat_there_without_their_partners(ledger: Ledger) -> None:
    for seed in range(3):
        ledger.record(None, simulate("whist", 4, Random(seed), ["random"], players=tuple("abcd"), max_hands=2), 0)
    table = Statistics(ledger.views).players("whist", Query(seat=2))
    (row,) = table.rows
    assert (row["player"], row["matches"]) == ("c", 3)
    assert table.comparison is not None
    (pool,) = table.comparison.pools
    assert (pool.players, pool.hands, round(pool.mean, 4)) == (("c",), row["hands"], row["points"])


@pytest.mark.parametrize("by", ["points", "bid", "turn", "event", "opponent"])
def test_a_player_without_such_hands_has_an_empty_table_however_it_is_split(ledger: Ledger, by: str) -> None:
    ledger.record(None, simulate("diamonds-bid", 4, Random(2), ["random"], players=tuple("abcd"), max_hands=2), 0)
    assert Statistics(ledger.views).player("a", Query(seat=3, by=by), "diamonds-bid").rows == []


def test_measures_of_whole_matches_cannot_be_split_by_hands(stats: Statistics) -> None:
    table = stats.players("ruff", Query(by="turn"), "wins")
    assert not table.rows
    assert "whole matches" in table.notes[0]


def test_numbers_are_plain_json(stats: Statistics) -> None:
    for table in (stats.players("ruff", Query()), stats.player("cautious-a", Query(by="bid"))):
        json.dumps(table.rows, allow_nan=False)


def test_merged_people_stay_one_until_they_are_split(small: Ledger) -> None:
    stats = Statistics(small.views)
    before = stats.players("diversity", Query()).rows, stats.ratings("diversity").rows
    small.record_people([Merge(player="e", into="d")], 0, "tests")
    assert stats.player("e", Query(), "diversity").rows == stats.player("d", Query(), "diversity").rows
    assert value(stats, "d") == pytest.approx((5 + 6 + 4 + 4 + 3 + 6) / 6, rel=1e-5)
    assert value(stats, "a", against=("e",)) == value(stats, "a")
    assert {row["player"] for row in stats.players("diversity", Query()).rows} == {*"abcd"}
    assert {row["player"]: row["played"] for row in stats.ratings("diversity").rows} == dict.fromkeys("abcd", 3)
    assert len(stats.ratings("diversity", "e").rows) == 3
    small.record_people([Split(player="e")], 1, "tests")
    assert (stats.players("diversity", Query()).rows, stats.ratings("diversity").rows) == before


def test_partners_are_not_compared_as_opponents(ledger: Ledger) -> None:
    """Whoever sits with ana is 10 points ahead of the others: that is what she is worth, and it is hers alone."""
    for number, others in enumerate(permutations("bcd")):
        for luck in (-20, 20):
            scores = (60 + luck, 50 - luck, 60 + luck, 50 - luck)
            events = [ev.Open(game="spades", players=("a", *others)), *sheet_line(scores, number % 4)]
            ledger.record(None, events, 0)
    ledger.views.catch_up()
    adjusted = {row["player"]: row["adjusted"] for row in Statistics(ledger.views).players("spades", Query()).rows}
    assert [adjusted["a"] - adjusted[other] for other in "bcd"] == pytest.approx([10, 10, 10])
