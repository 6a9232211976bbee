"""Tables of statistics: filtered and split as asked, compared honestly, and told what they were computed from."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from ledger import events as ev
from ledger.bots.simulation import simulate
from ledger.errors import FormatError, StoreError
from ledger.games import games
from ledger.ledger import Ledger
from ledger.people import Merge, Split
from ledger.stats import DIMENSIONS, Query, Statistics
from ledger.stats.compare import MIN_HANDS, MIN_MATCHES


def sheet_line(scores: tuple[int, ...], dealer: int = 0) -> list[ev.Event]:
    """Return a hand of which only the points are known."""
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


def test_filters_let_through_what_they_say(small: Ledger) -> None:
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


def test_dimensions_split_what_there_is(small: Ledger) -> None:
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


@pytest.mark.parametrize("id", games())
def test_every_dimension_splits_every_hand_once(id: str, stats: Statistics) -> None:
    """But for opponents: there a hand counts once for each of them."""
    sheet = stats.sheets.sheet(id)
    for by in (*DIMENSIONS, *sheet.names[2:]):
        whole = {row["player"]: row for row in stats.players(id, Query(), "points").rows}
        split: dict[str, int] = {}
        for row in stats.players(id, Query(by=by), "points").rows:
            split[row["player"]] = split.get(row["player"], 0) + row["cases"]
        if by == "opponent":
            assert all(split[player] >= row["cases"] for player, row in whole.items())
        else:
            assert split == {player: row["cases"] for player, row in whole.items()}, by


def test_the_others_are_all_who_are_not_the_player(small: Ledger) -> None:
    (row,) = [
        row for row in Statistics(small.views).player("e", Query(), "diversity").rows if row["measure"] == "points"
    ]
    assert row["value"] == (3 + 6) / 2
    assert row["others"] == pytest.approx((13 + 13 + 13 + 13 + 10 + 7) / 22, rel=1e-5)


def test_what_was_left_out_is_told(ledger: Ledger) -> None:
    ledger.record(None, [opening(), *sheet_line((1, 2, 4, 6)), ev.Deal(dealer=1, hands=None)], 0)
    ledger.record(None, [opening(), ev.Deal(dealer=1, hands=None), ev.End()], 0)
    claimed = [ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 4, 6))]
    ledger.record(None, [opening(), *claimed], 0)
    (basis,) = Statistics(ledger.views).players("diversity", Query()).basis.values()
    assert (basis.matches, basis.hands, basis.score_only, basis.hidden) == (3, 2, 1, 2)
    assert (basis.under_way, basis.abandoned) == (1, 1)
    assert (basis.position, basis.rules) == (ledger.store.last_position(), ("diversity/1",))


def test_nobody_is_ranked_with_too_few_hands(small: Ledger) -> None:
    for row in Statistics(small.views).players("diversity", Query()).rows:
        assert row["rank"] is row["best"] is row["verdict"] is None
        assert row["note"] == f"too few hands: {row['hands']} of {MIN_HANDS}"


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


def test_with_enough_hands_the_best_is_ranked_first_and_told_apart(ledger: Ledger) -> None:
    league(ledger, 40, 4)
    table = Statistics(ledger.views).players("diversity", Query())
    ranked = [row for row in table.rows if row["rank"]]
    assert [row["player"] for row in ranked] == ["a", "b", "c", "d"]
    assert ranked[0]["verdict"] == "better"
    assert ranked[-1]["verdict"] == "worse"
    assert ranked[0]["best"] > 0.99
    assert sum(row["best"] for row in ranked) == pytest.approx(1)
    for row in ranked:
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
        assert row["believed_low"] < row["believed"] < row["believed_high"]
    assert all(row["note"].startswith("too few hands") for row in table.rows[4:])


def test_matches_too_few_to_tell_the_error_are_not_enough_either(ledger: Ledger) -> None:
    league(ledger, MIN_MATCHES - 1, 40)
    for row in Statistics(ledger.views).players("diversity", Query()).rows:
        assert row["rank"] is None
        assert row["note"].startswith("too few")


@pytest.mark.parametrize("points", [3, 10**12])
def test_players_who_always_score_the_same_are_told_apart_by_nothing(ledger: Ledger, points: int) -> None:
    for _ in range(25):
        ledger.record(None, [opening(), *(line for hand in range(4) for line in sheet_line((points,) * 4, hand))], 0)
    for row in Statistics(ledger.views).players("diversity", Query()).rows:
        assert row["points"] == points
        assert row["verdict"] == ""
        assert row["rank_low"] < row["rank_high"]


def test_seats_that_never_change_can_be_asked_for_too(ledger: Ledger) -> None:
    league(ledger, 40, 4)
    stats = Statistics(ledger.views)
    for query in (Query(seat=0), Query(turn=1), Query(against=("a",)), Query(against=("a", "b")), Query(size=2)):
        assert all(row["points"] is not None for row in stats.players("diversity", query).rows)


def test_the_same_events_give_the_same_answers(ledger: Ledger) -> None:
    league(ledger, 30, 4)
    before = Statistics(ledger.views).players("diversity", Query()).rows
    list(ledger.rebuild())
    assert Statistics(ledger.views).players("diversity", Query()).rows == before


def test_answers_follow_what_is_recorded_and_corrected(ledger: Ledger) -> None:
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


@pytest.mark.parametrize("id", games())
def test_mended_sheets_are_as_sheets_read_anew(id: str, tmp_path: Path) -> None:
    """Matches grow event by event, taking turns, while statistics are asked for."""
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


def test_who_or_what_is_not_there_is_said(stats: Statistics) -> None:
    with pytest.raises(StoreError, match="no player"):
        stats.player("nobody", Query())
    with pytest.raises(FormatError, match="no game"):
        stats.players("chess", Query())
    with pytest.raises(StoreError, match="no measure"):
        stats.players("ruff", Query(), "four-suits")
    with pytest.raises(StoreError, match="not split by"):
        stats.players("ruff", Query(by="colour"))


def test_measures_of_whole_matches_do_not_go_by_hands(stats: Statistics) -> None:
    table = stats.players("ruff", Query(by="turn"), "wins")
    assert not table.rows
    assert "whole matches" in table.notes[0]


def test_numbers_are_plain_json(stats: Statistics) -> None:
    for table in (stats.players("ruff", Query()), stats.player("cautious-a", Query(by="bid"))):
        json.dumps(table.rows, allow_nan=False)


def test_people_who_are_one_are_one_until_they_are_split_again(small: Ledger) -> None:
    stats = Statistics(small.views)
    before = stats.players("diversity", Query()).rows, stats.ratings("diversity").rows
    small.register.record([Merge(player="e", into="d")], 0, "tests", small.views)
    assert stats.player("e", Query(), "diversity").rows == stats.player("d", Query(), "diversity").rows
    assert value(stats, "d") == pytest.approx((5 + 6 + 4 + 4 + 3 + 6) / 6, rel=1e-5)
    assert value(stats, "a", against=("e",)) == value(stats, "a")
    assert {row["player"] for row in stats.players("diversity", Query()).rows} == {*"abcd"}
    assert {row["player"]: row["played"] for row in stats.ratings("diversity").rows} == dict.fromkeys("abcd", 3)
    assert len(stats.ratings("diversity", "e").rows) == 3
    small.register.record([Split(player="e")], 1, "tests", small.views)
    assert (stats.players("diversity", Query()).rows, stats.ratings("diversity").rows) == before
