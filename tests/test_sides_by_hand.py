"""Sides that change from hand to hand: a declarer against two defenders, counted hand by hand wherever partners count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cardledger.record.matches.describe import account
from cardledger.record.matches.replay import result
from cardledger.record.readmodels.questions.careers import meetings, met
from cardledger.record.readmodels.questions.match_list import list_matches, match_ids
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.sides import each_alone
from cardledger.rules.stream import Stream
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.strength.company import leagues
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.bringing import brought
from tests.plugin.declarer import GAME, declarer_of
from tests.web.club import sign_in

PLAYERS = ("ana", "ben", "cai", "dan")


@pytest.fixture(autouse=True, scope="module")
def known() -> Iterator[None]:
    """The game is known."""
    with brought(GAME):
        yield


def match(seed: int) -> list[ev.Event]:
    """Three of the four players play a match."""
    rng = Random(seed)
    return simulate("declarer", 3, rng, ["cautious", "random"], players=rng.sample(PLAYERS, 3))


MATCHES = range(40)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A ledger of many matches, one of them not to the end."""
    with Ledger(tmp_path_factory.mktemp("declarer") / "club.db") as ledger:
        for seed in MATCHES:
            events = match(seed)
            ledger.record(None, events[:-3] if seed == 7 else events, 0, "tests")
        yield ledger


def played(ledger: Ledger) -> Iterator[tuple[str, Any, Any]]:
    """Every complete hand with its match."""
    for id in match_ids(ledger):
        table = ledger.stream(id).table
        for hand in table.hands:
            if hand.scores is not None:
                yield id, table, hand


def how(hand: Any, seat: int, other: int) -> str:
    """How two seats met in a hand, as a small program says it."""
    return "against" if declarer_of(hand) in (seat, other) else "with"


def test_the_sides_of_a_hand_are_known_once_all_have_bid() -> None:
    stream = Stream(match(1)[0])
    for event in match(1)[1:5]:
        assert stream.table.hand.side == (0, 1, 2)
        stream.append(event)
    hand = stream.table.hand
    declarer = declarer_of(hand)
    assert hand.moment == "play"
    assert hand.side == tuple(int(seat != declarer) for seat in range(3))
    assert stream.table.side == (0, 1, 2), "each plays the match alone"


def test_result_and_account_say_who_played_together() -> None:
    table = Stream.of(match(1)).table
    shown, told = result(table), [*account(table)]
    for hand, one in zip(table.hands, shown["hands"], strict=True):
        declarer = declarer_of(hand)
        defenders = [seat for seat in range(3) if seat != declarer]
        assert one["sides"] == [[declarer], defenders]
        first, second = (table.players[seat] for seat in defenders)
        assert f"  {table.players[declarer]} against {first} and {second}" in told
    assert "sides" not in shown


def test_a_claim_counts_by_side_of_the_hand() -> None:
    stream = Stream.of(match(1)[:5])
    hand = stream.table.hand
    first, second = (seat for seat in range(3) if seat != declarer_of(hand))
    tricks = [0, 0, 0]
    tricks[first], tricks[second] = 3, 7
    stream.append(ev.Claim(tricks=tuple(tricks)))
    taken = stream.table.hands[0].taken
    assert (taken[first], taken[second], taken[declarer_of(hand)]) == (10, 0, 0)


def test_tables_count_partners_and_opponents_hand_by_hand(ledger: Ledger) -> None:
    hands: Counter[Any] = Counter()
    points: Counter[Any] = Counter()
    sides = {}
    for id, table, hand in played(ledger):
        sides |= {(id, hand.number, seat): int(seat != declarer_of(hand)) for seat in range(table.n)}
        for seat, other in permutations(range(table.n), 2):
            key = id, seat, other, how(hand, seat, other)
            hands[key] += 1
            points[key] += hand.scores[seat] - (hand.scores[other] if key[-1] == "against" else 0)
    reader = ledger.views.reader
    rows = reader.execute("SELECT match, seat, other, how, hands, gain FROM company").fetchall()
    assert {row[:4]: row[4:] for row in rows} == {key: (hands[key], points[key]) for key in hands}
    kept = reader.execute("SELECT match, hand, seat, side FROM seats WHERE score IS NOT NULL")
    assert {row[:3]: row[3] for row in kept} == sides


def test_head_to_head_and_lists_of_matches_tell_partners_from_opponents(ledger: Ledger) -> None:
    for one, other in permutations(PLAYERS, 2):
        hands: Counter[str] = Counter()
        points: Counter[str] = Counter()
        together: dict[str, set[str]] = {"with": set(), "against": set()}
        for id, table, hand in played(ledger):
            if {one, other} <= {*table.players}:
                a, b = table.players.index(one), table.players.index(other)
                kind = how(hand, a, b)
                together[kind].add(id)
                hands[kind] += 1
                points[kind] += hand.scores[a] - (hand.scores[b] if kind == "against" else 0)
        found = {row["how"]: row for row in met(ledger, one, other)}
        assert {kind: (row["matches"], row["hands"], row["points"]) for kind, row in found.items()} == {
            kind: (len(together[kind]), hands[kind], points[kind]) for kind in found
        }
        assert {*found} == {kind for kind in together if together[kind]}
        for kind, filter in (("with", "partner"), ("against", "against")):
            assert {row["match"] for row in meetings(ledger, one, other, how=kind)} == together[kind]
            listed = list_matches(ledger, 100, player=one, **{filter: other})
            assert {row["match"] for row in listed.matches} == together[kind]


def test_statistics_split_by_partner_count_the_hands_of_defenders(ledger: Ledger) -> None:
    hands: Counter[tuple[str, str]] = Counter()
    points: Counter[tuple[str, str]] = Counter()
    for _, table, hand in played(ledger):
        for seat, other in permutations(range(3), 2):
            if how(hand, seat, other) == "with":
                pair = table.players[seat], table.players[other]
                hands[pair] += 1
                points[pair] += hand.scores[seat]
    statistics = Statistics.of(ledger.views)
    rows = statistics.players("declarer", Query(by="partner"), "points").rows
    assert {(row["player"], row["group"]): row["cases"] for row in rows} == hands
    for row in rows:
        pair = row["player"], row["group"]
        assert row["value"] == pytest.approx(points[pair] / hands[pair], abs=1e-3)
    crossed = statistics.players("declarer", Query(by="partner,seat"), "points").rows
    assert sum(row["cases"] for row in crossed) == sum(hands.values())


def test_strengths_are_estimated_from_the_sides_of_each_hand(ledger: Ledger) -> None:
    sheet = Statistics.of(ledger.views).sheets.sheet("declarer")
    tally = Tally(sheet, Query())
    (league,) = leagues(tally, each_alone)
    names, ids = sheet.text("player"), sheet.text("match")
    seen: Counter[Any] = Counter()
    for company in league.companies:
        assert sorted(company.sides) == [0, 1, 1]
        for who, counted, row in zip(company.who, company.hands, company.match, strict=True):
            players = tuple(names[league.players[at]] for at in who.tolist())
            seen[ids[sheet.matches["match"][row]], players, company.sides] += int(counted[0])
            assert counted[0] == counted[1]
    expected = Counter((id, table.players, hand.side) for id, table, hand in played(ledger))
    assert seen == expected
    assert np.isclose(league.hands.sum(), 3 * sum(expected.values()))


def test_company_counts_a_match_once_however_often_sides_changed(ledger: Ledger) -> None:
    rows = Statistics.of(ledger.views).company("ana", Query(), "declarer").rows
    assert {row["how"] for row in rows} == {"with", "against"}
    for row in rows:
        met_like_that = [
            (id, hand.number)
            for id, table, hand in played(ledger)
            if {"ana", row["player"]} <= {*table.players}
            and how(hand, table.players.index("ana"), table.players.index(row["player"])) == row["how"]
        ]
        assert row["matches"] == len({id for id, _ in met_like_that})
        assert row["hands"] == len(met_like_that)


def test_a_correction_changes_who_met_whom_and_a_rebuild_finds_the_same(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        events = match(3)
        id = ledger.record(None, events, 0, "tests").match
        (first,) = [seq for seq, event in enumerate(events, 1) if isinstance(event, ev.Deal)][1:2]
        ledger.record(id, [ev.Retract(to=first - 1)], len(events), "tests")
        reader = ledger.views.reader
        (hand,) = ledger.stream(id).table.hands
        rows = set(reader.execute("SELECT seat, other, how, hands FROM company"))
        assert rows == {(a, b, how(hand, a, b), 1) for a, b in permutations(range(3), 2)}


def test_ratings_are_of_the_match_in_which_each_plays_alone(ledger: Ledger) -> None:
    rows = Statistics.of(ledger.views).ratings("declarer").rows
    assert {row["player"] for row in rows} == {*PLAYERS}
    assert len({row["rating"] for row in rows}) == 4


def test_the_api_gives_the_sides_of_each_hand(tmp_path: Path) -> None:
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    sign_in(app)
    client = app.test_client()
    ids = [ledger_of(app).record(None, match(seed), 0, "tests").match for seed in range(3)]
    hands = client.get(f"/api/v1/matches/{ids[0]}").json["result"]["hands"]
    assert all(sorted(map(len, hand["sides"])) == [1, 2] for hand in hands)
    names = Stream.of(match(0)).table.players
    for address in (
        f"/api/v1/players/{names[0]}/head-to-head/{names[1]}",
        f"/api/v1/matches?partner={names[0]}",
    ):
        assert client.get(address).status_code == 200, address
    assert client.get(f"/matches/{ids[0]}").status_code == 200
    access_of(app).close()
    ledger_of(app).close()
