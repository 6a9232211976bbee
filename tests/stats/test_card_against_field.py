"""A player's cards against the field: intervals hold, chance names nobody, and what is there is found."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np
import pytest

from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.record.readmodels.questions.hand_list import count_hands
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.card_against_field import CardAgainstField, cards_against_field
from cardledger.study.stats.card_worth import FEWEST_EVENINGS
from tests.stats.bot_deals import bot_deals

CARDS = [str(at) for at in range(12)]


def league(
    rng: np.random.Generator, more: np.ndarray, evenings: int, hands: int, form: float
) -> list[CardAgainstField]:
    """Return what player 0 of four makes of twelve cards beside the others; `more` is the truth by card.

    Each hand has three cards of the twelve, and each player good evenings and bad ones.
    """
    n = evenings * hands
    dealt = np.argsort(rng.random((n, 12)), axis=1).reshape(n, 4, 3)
    worth = np.linspace(-1, 1, 12)
    points = worth[dealt].sum(axis=2) + rng.normal(0, 2, (n, 4))
    points[:, 0] += more[dealt[:, 0]].sum(axis=1)
    points += np.repeat(rng.normal(0, form, (evenings, 4)), hands, axis=0)
    hand = np.arange(n * 4)
    held = np.repeat(hand, 3), dealt.ravel()
    place = np.zeros(n * 4, dtype=int)
    return cards_against_field(
        CARDS, held, points.ravel(), place, hand // (4 * hands), hand, hand % 4 == 0, fewest=False
    )


@pytest.mark.parametrize(("evenings", "form"), [(10, 0.0), (30, 0.7)])
def test_intervals_hold_and_leaning_comes_nearer(evenings: int, form: float) -> None:
    """With the card itself, a player's hand has two others, each as likely: so they are in the truth."""
    rng, hit, errors, number = np.random.default_rng(4), np.zeros(2), np.zeros(2), 0
    for _ in range(100):
        more = rng.normal(0, 0.3, 12)
        true = more + 2 * (more.sum() - more) / 11
        for one, truly in zip(league(rng, more, evenings, 12, form), true, strict=True):
            if one.low is None or one.high is None or one.difference is None:
                continue
            assert one.believed is not None and one.believed_low is not None and one.believed_high is not None
            hit += one.low <= truly <= one.high, one.believed_low <= truly <= one.believed_high
            errors += (one.difference - truly) ** 2, (one.believed - truly) ** 2
            number += 1
    assert all(0.93 <= share <= 0.98 for share in hit / number)
    assert errors[1] < errors[0]


def test_chance_names_no_card_and_what_is_there_is_found() -> None:
    rng, nothing, gift = np.random.default_rng(9), np.zeros(12), np.zeros(12)
    gift[3] = 2.0
    named = [any(one.verdict for one in league(rng, nothing, 12, 12, 0.5)) for _ in range(200)]
    assert np.mean(named) <= 0.06
    found = [league(rng, gift, 30, 12, 0.5)[3].verdict for _ in range(40)]
    assert found.count("better") >= 36


def test_fewer_points_are_better_where_the_fewest_win() -> None:
    rng, gift = np.random.default_rng(9), np.zeros(12)
    gift[3] = 3.0
    n = 40 * 12
    assert league(rng, gift, 40, 12, 0.0)[3].verdict == "better"
    hand, own = np.arange(2 * n), np.arange(2 * n) % 2 == 0
    points = np.where(own, 3.0, 0.0) + rng.normal(0, 1, 2 * n)
    rows = cards_against_field(
        ["A"],
        (hand, np.zeros(2 * n, dtype=int)),
        points,
        np.zeros(2 * n, dtype=int),
        hand // 24,
        hand,
        own,
        fewest=True,
    )
    assert rows[0].verdict == "worse"


def test_a_card_of_few_evenings_has_counts_only() -> None:
    (first, *_) = league(np.random.default_rng(1), np.zeros(12), FEWEST_EVENINGS - 1, 12, 0.0)
    assert first.hands > 0 and first.others_hands > 0
    assert (first.worth, first.difference, first.believed, first.q, first.verdict) == (None, None, None, None, "")


@pytest.mark.parametrize("how", WAYS)
def test_a_players_hands_are_those_listed_and_all_hands_are_someones(ledger: Ledger, how: str) -> None:
    for day in range(FEWEST_EVENINGS):
        events = simulate("whist", 4, Random(day), ("cautious",), max_hands=2)
        events[0] = msgspec.structs.replace(events[0], date=f"2026-03-{day + 1:02}")
        ledger.record(None, events, 0)
    ledger.views.catch_up()
    statistics = Statistics.of(ledger.views)
    players = ledger.stream(ledger.matches()[0]).table.players
    every = {row["card"]: row["hands"] for row in statistics.cards("whist", Query(), how).rows}
    by_player = {player: statistics.cards("whist", Query(), how, player).rows for player in players}
    for at, (card, hands) in enumerate(every.items()):
        assert sum(rows[at]["hands"] for rows in by_player.values()) == hands
        assert all(rows[at]["others_hands"] == hands - rows[at]["hands"] for rows in by_player.values())
        for player, rows in by_player.items() if card == "QS" else ():
            asked = {"game": "whist", "player": player, "card": card, "how": how}
            assert count_hands(ledger, **asked) == rows[at]["hands"]


@pytest.mark.long
@pytest.mark.parametrize("game", ["hearts", "spades"])
def test_equal_bots_differ_by_chance_alone(game: str) -> None:
    """Each seat is a player; the same bots sit at all of them. Leagues of 40 evenings of 20 hands from 20,000 deals."""
    deals, rng = bot_deals(game, 20_000), np.random.default_rng(3)
    for how in WAYS:
        held, named, number = 0, 0, 0
        for _ in range(60):
            drawn = rng.choice(20_000, 800, replace=False)
            rows = deals.against_field(how, drawn, 20, int(rng.integers(4)))
            known = [(row.low, row.high) for row in rows if row.low is not None and row.high is not None]
            held, number = held + sum(low <= 0 <= high for low, high in known), number + len(known)
            named += any(row.verdict for row in rows)
        print(f"{game}, {how}: {held / number:.1%} hold no difference, a card named in {named} of 60 leagues")  # noqa: T201
        assert 0.91 <= held / number <= 0.985  # the cards of a league share its luck: about 60 cases, not 3,000
        assert named <= 6
