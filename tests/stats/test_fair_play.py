"""Fair play: a bot that sees hidden cards gains by it, honest bots do not, and nobody is named by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardledger.rules.games import game
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from cardledger.study.stats.fair_play import (
    FALSE_ALARMS,
    MARGIN,
    MIN_DECISIONS,
    MIN_EVENINGS,
    EveningGain,
    chance_of,
    evening_of,
    fair_play,
)
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.foresight import USUAL, Foresight, WorldsUsed, foresight
from tests.kernel.conftest import fast  # noqa: F401 - a fixture
from tests.stats.card_readers import careful, careless, one_hand, reader, seer, strong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.stats.card_readers import Player


SMALL = WorldsUsed("small", 24, 8, 8)


def judged(id: str, players: list[Player], hands: int, worlds: WorldsUsed) -> Iterator[list[list[Foresight]]]:
    """Yield the foresight of each seat's decisions, hand by hand."""
    for hand in range(hands):
        for played in hands_of(Stream.of(one_hand(id, players, f"fair/{id}/{hand}"))):
            if played.why is None and played.dealt is not None:
                found = foresight(played.dealt, played.hand.dealer, played.events, worlds)
                yield [[one for one in found if one.seat == seat] for seat in range(4)]


def test_decisions_are_measured_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kernels.SWITCH, "0")
    for id in ("euchre", "ruff"):
        (first,) = judged(id, [careful] * 4, 1, SMALL)
        (again,) = judged(id, [careful] * 4, 1, SMALL)
        assert first == again
        assert all(one.most >= max(0.0, one.gain) for of_seat in first for one in of_seat)
        assert all(one.gain == one.expected == 0 for of_seat in first for one in of_seat if one.made == one.best)
        assert any(one.gain for of_seat in first for one in of_seat)


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_who_sees_all_hands_gains_by_it() -> None:
    kernels.warm(game("hearts"), kernels.Kernel)
    gains: list[float] = []
    honest: list[float] = []
    for sees, *others in judged("hearts", [seer(1.0), careful, careful, careful], 12, SMALL):
        gains.append(sum(one.gain for one in sees))
        honest += (sum(one.gain for one in of_seat) for of_seat in others)
    assert np.mean(gains) > 2 * np.std(gains) / len(gains) ** 0.5
    assert np.mean(honest) < np.mean(gains) / 2


def club(
    rng: np.random.Generator, players: int, evenings: int, sight: float = 0.0
) -> dict[tuple[str, str], list[EveningGain]]:
    """Return a club of players whose evenings are skewed and differ, one of whom sees a share of what there is to see."""
    found = {}
    for player in range(players):
        most = rng.gamma(4, 2, evenings)
        luck = rng.exponential(6, evenings) - 6
        gain = luck + (sight if player == 0 else 0.0) * most
        found["hearts", f"p{player}"] = [
            EveningGain(80, float(a), float(a), float(b)) for a, b in zip(gain, most, strict=True)
        ]
    return found


def test_nobody_honest_is_named_by_chance_and_who_sees_most_is() -> None:
    rng = np.random.default_rng(5)
    alarms = [any(one.stands_out for one in fair_play(club(rng, 12, 20))) for _ in range(300)]
    assert np.mean(alarms) <= FALSE_ALARMS
    named = [[one.player for one in fair_play(club(rng, 12, 40, 0.9)) if one.stands_out] for _ in range(60)]
    assert np.mean([one == ["p0"] for one in named]) > 0.9


def test_a_margin_is_never_counted() -> None:
    rng = np.random.default_rng(6)
    within = [chance_of(next(iter(club(rng, 1, 400, MARGIN).values()))) for _ in range(40)]
    assert 0.3 < np.mean(within) < 0.7


def test_both_sums_must_speak() -> None:
    strong = [EveningGain(80, 5.0 + k % 3, 5.0 + k % 2, 8.0) for k in range(20)]
    assert chance_of(strong) < 1e-6
    assert chance_of([one._replace(gain=-one.gain) for one in strong]) > 0.99
    assert chance_of([one._replace(surplus=0.0 + k % 2 - 0.5) for k, one in enumerate(strong)]) > 0.5


def test_too_little_is_not_tested() -> None:
    evening = EveningGain(MIN_DECISIONS, 9.0, 9.0, 9.0)
    few = {
        ("hearts", "ana"): [evening] * (MIN_EVENINGS - 1),
        ("hearts", "ben"): [EveningGain(1, 9.0, 9.0, 9.0)] * MIN_EVENINGS,
    }
    assert fair_play(few) == []
    assert fair_play({("hearts", "ana"): [evening] * MIN_EVENINGS})[0].chance == 1.0, (
        "without any spread nothing is known"
    )
    assert evening_of([]) == EveningGain(0, 0, 0, 0)


def test_more_players_need_more() -> None:
    evenings = [EveningGain(80, 2.0 + k % 5, 2.0 + k % 5, 4.0) for k in range(12)]
    alone = fair_play({("hearts", "ana"): evenings})[0]
    among = fair_play({("hearts", "ana"): evenings} | {(f"g{k}", "ben"): evenings for k in range(9)})
    assert alone.corrected == alone.chance
    assert all(one.corrected == pytest.approx(10 * alone.chance) for one in among)


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", ["hearts", "spades", "whist"])
def test_honest_bots_gain_nothing(id: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    players = [strong, careful, reader, careless]
    hands = [[evening_of(one) for one in seats] for seats in judged(id, players, 120, USUAL)]
    for seat in range(4):
        values = np.array([hand[seat].gain - MARGIN * hand[seat].most for hand in hands])
        assert values.mean() < 3 * values.std() / len(values) ** 0.5
