"""Luck-adjusted points: left-out hands are counted, sums are preserved, β adds no bias, draws are fair, deals are tested."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from statistics import mean
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.games import start
from cardledger.study.stats.luck import accounts, luck, values
from cardledger.study.stats.luck.draw_luck import draw_luck, draws_of
from cardledger.study.stats.luck.duplicates import compare
from cardledger.study.stats.luck.luck import (
    BETA,
    SeatLuck,
    adjusted,
    betas,
    by_player,
    compute_luck,
    reductions,
    seats_of,
    stored_luck,
)
from cardledger.study.stats.luck.luck_store import LuckStore, StoredHand
from cardledger.study.stats.luck.shuffling import check_deals
from cardledger.study.stats.luck.values import random_deal
from cardledger.study.stats.review.review import rotated
from tests.bench.expected import situations
from tests.stats.night import evening, hands, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debts make many situations, of which tests need no exact mean."""
    monkeypatch.setattr(values, "FEW_DEALS", 20)


@pytest.fixture(scope="module")
def ruffs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A few matches of ruff."""
    with recorded(tmp_path_factory.mktemp("luck") / "club.db", evening("ruff", matches=6, hands=3)) as ledger:
        yield ledger


def known(store: LuckStore, game: str) -> list[StoredHand]:
    store.catch_up()
    return store.hands("game = ?", (game,))


def test_points_of_tricks_add_up_as_before_when_adjusted(ruffs: Ledger) -> None:
    with LuckStore(ruffs) as store:
        hands = known(store, "ruff")
        for hand in hands:
            compute_luck(hand, store)
        seats, left_out = seats_of(hands, store)
    assert not left_out
    better = adjusted(seats)
    assert better != [one.score for one in seats]
    for hand in {(one.match, one.hand) for one in seats}:
        own = [i for i, one in enumerate(seats) if (one.match, one.hand) == hand]
        assert sum(better[i] for i in own) == pytest.approx(12, abs=1e-9)


def test_results_are_stored_and_are_the_same_when_computed_again(ruffs: Ledger, tmp_path: Path) -> None:
    def dump(store: LuckStore) -> list[str]:
        for hand in known(store, "ruff"):
            compute_luck(hand, store)
        with store.file.reader.apart() as db:
            return [*db.iterdump()]

    with LuckStore(ruffs) as store:
        first = dump(store)
        path = store.file.path
    for file in path.parent.glob(path.name + "*"):
        file.unlink()
    with LuckStore(ruffs) as store:
        hands = known(store, "ruff")
        assert stored_luck(hands[0], store) is None
        for hand in reversed(hands):
            compute_luck(hand, store)
        assert dump(store) == first


def test_hands_without_luck_are_left_out_and_counted_by_reason(tmp_path: Path) -> None:
    (diversity,), (hidden,) = evening("diversity"), evening("hecto-diversity", hidden=True)
    opening, deal, *plays = diversity
    claimed = [opening, deal, *plays[:8], ev.Claim(tricks=(11, 0, 0, 0))]
    under_way = [replace_players(opening, "x"), deal, *plays[:9]]
    with recorded(tmp_path / "club.db", [claimed, under_way, hidden]) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        assert seats_of(store.hands(), store)[1] == {
            "pending": 1,
            "under way": 1,
            "score": 2,
        }  # the deal claimed is known
        told = json.dumps([hand._asdict() for hand in store.hands("why = 'under way'")], default=str)
        assert not any(face in told for hand in deal.hands for face in hand)  # type: ignore[attr-defined]


def replace_players(opening: ev.Event, name: str) -> ev.Open:
    assert isinstance(opening, ev.Open)
    return ev.Open(game=opening.game, players=tuple(f"{name}{i}" for i in range(4)), options=opening.options)


def test_corrections_replace_the_stored_hand(tmp_path: Path) -> None:
    (events,) = evening("diversity", hands=1)
    with recorded(tmp_path / "club.db", [events]) as ledger, LuckStore(ledger) as store:
        (hand,) = known(store, "diversity")
        store.keep_review(hand.match, 1, "e", [], [])
        ledger.record(hand.match, [ev.Note(text="so it was")], len(events))
        (again,) = known(store, "diversity")
        assert again == hand
        assert store.review(hand.match, 1, "e") == ([], [])
        ledger.record(hand.match, [ev.Retract(to=len(events) - 4)], len(events) + 1)
        (undone,) = known(store, "diversity")
        assert (undone.why, undone.dealt, undone.key) == ("under way", None, None)
        assert store.review(hand.match, 1, "e") is None


def seat(match: str, fold: int, score: int, lucky: float) -> SeatLuck:
    return SeatLuck(match, 1, 0, "diversity", 4, fold, score, lucky)


def test_the_slope_for_a_match_comes_from_other_matches() -> None:
    rng = Random(1)
    others = [seat(f"m{i}", i % 9, round(10 * (x := rng.gauss(0, 1))), x) for i in range(900)]
    one = [seat("odd", 9, 1000, 3.0), seat("odd", 9, -1000, -3.0)]
    assert betas(others + one)["diversity", 4, 9] == pytest.approx(10, rel=0.15)
    assert betas(others + [replace(x, score=-x.score) for x in one])["diversity", 4, 9] == pytest.approx(10, rel=0.15)
    assert betas(one) == {("diversity", 4, 9): BETA}


def test_luck_that_explains_half_narrows_intervals_as_stated() -> None:
    rng, seats = Random(2), []
    for i in range(2000):
        lucky = rng.gauss(0, 10)
        seats.append(seat(f"m{i}", i % 10, round(lucky + rng.gauss(0, 10)), lucky))
    (told,) = reductions(seats)
    assert told.explained == pytest.approx(0.5, abs=0.05)
    assert told.factor == pytest.approx(2**0.5, abs=0.08)
    (player,) = by_player(seats, ["ana"] * 2000)
    assert player.low is not None
    assert player.high is not None
    assert player.adjusted_low is not None
    assert player.adjusted_high is not None
    assert (player.high - player.low) / (player.adjusted_high - player.adjusted_low) == pytest.approx(
        told.factor, rel=0.02
    )


@pytest.mark.parametrize("game", ["diamonds-draw", "hecto-diversity"])
def test_the_mean_of_draw_luck_over_the_stock_is_0(game: str) -> None:
    for played in hands(game):
        assert played.dealt is not None
        table = played.dealt.table()
        for seq, event in played.events[1:]:
            if table.hand.moment == "draw":
                break
            table.apply(rotated(event, played.hand.dealer, table.n), seq)
        stock = [table.pack.faces[card] for card in cards_in(table.hand.stock)]
        lucks = [draw_luck(table, [face]) for face in stock]
        assert mean(lucks) == pytest.approx(0, abs=1e-12)
        assert max(lucks) > 0 > min(lucks)
        drawn = draws_of(played.dealt, played.hand.dealer, played.events)
        events = [event for _, event in played.events if isinstance(event, ev.Draw) and event.source == "stock"]
        assert [one.cards for one in drawn] == [event.cards for event in events]
        assert [one.seat for one in drawn] == [event.seat for event in events]


@pytest.mark.parametrize("game", ["diversity", "poison-hearts", "diamonds-bid", "hecto-diversity"])
def test_random_deals_look_random_and_others_do_not(game: str) -> None:
    situation = next(one for one in situations() if (one.game, one.n) == (game, 5 if game == "diamonds-bid" else 4))
    rng = Random(5)
    deals = [random_deal(situation, rng) for _ in range(60)]
    assert not any(one.doubtful for one in check_deals(deals))
    assert check_deals(deals[:5]) == []
    pack = situation.table().pack
    sorted_ones = []
    for dealt in deals:  # the first hand keeps every low card it can get from the second
        first, second, *rest = dealt.hands
        both = sorted([*first, *second], key=lambda face: pack.of[face][0])
        sorted_ones.append(replace(dealt, hands=(tuple(both[: len(first)]), tuple(both[len(first) :]), *rest)))
    assert all(one.doubtful for one in check_deals(sorted_ones))


def test_the_same_deal_at_other_tables_is_compared_seat_by_seat(tmp_path: Path) -> None:
    (first,) = evening("diversity", hands=1)
    (other,) = [
        [ev.Open(game="diversity", players=("p", "q", "r", "s")), first[1], *rest] for rest in [replayed(first[1])]
    ]
    with recorded(tmp_path / "club.db", [first, other]) as ledger, LuckStore(ledger) as store:
        hands = known(store, "diversity")
        assert len({hand.deal for hand in hands}) == 1
        found = compare(hands)
        for place in range(4):
            a, b = (one for one in found if one.place == place)
            assert a.matchpoints + b.matchpoints == 2
            assert a.difference == -b.difference == (b.score - a.score) / 2  # fewest points are best
            assert a.matchpoints == (a.score < b.score) * 2 + (a.score == b.score)
        assert hands[0].deal is not None
        account = accounts.of_deal(store, hands[0].deal, hidden=lambda _match, _hand: False)
        assert {one["player"] for table in account["tables"] for one in table["seats"]} >= {"p", "q", "r", "s"}


def replayed(deal: ev.Event) -> list[ev.Event]:
    """Return other plays of a deal: everybody plays the first legal card."""
    table = start(ev.Open(game="diversity", players=("p", "q", "r", "s")))
    table.apply(deal, 2)
    hand, events = table.hand, []
    while not hand.over:
        choice = table.choices()[0]
        assert choice.seat is not None
        events.append(ev.Play(seat=choice.seat, card=choice.cards[0]))
        table.apply(events[-1], 3)
    return [*events]


def test_the_command_prints_points_and_what_was_left_out(ruffs: Ledger) -> None:
    path = str(ruffs.views.file.path).replace(".views", "")
    told = CliRunner().invoke(main, ["luck", "ruff", "--db", path])
    assert told.exit_code == 0, told.output
    assert "18 hands whose deal is known" in told.output
    assert "adjusted" in told.output
    narrow = CliRunner().invoke(main, ["luck", "ruff", "--db", path], env={"COLUMNS": "80"}).stdout
    assert max(map(len, narrow.splitlines())) <= 80
    assert narrow.split() == told.stdout.split()
    account = json.loads(CliRunner().invoke(main, ["luck", "ruff", "--json", "--db", path]).output)
    assert account["pending"] == 0
    assert account["hands"] == 18
    assert account["reviews_pending"] == 18
    assert account["basis"]["bots"] == luck.EDITION
