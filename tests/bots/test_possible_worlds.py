"""Possible worlds: every deal that fits what a seat knows is as likely as any other, the true one too, at the table and in kernels."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardledger.rules.bots.rollouts import cards_gone
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.bots.trials import Trials, options_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.games import game, games, start
from cardledger.rules.kernel import kernels
from cardledger.rules.knowledge.possible_worlds import Knowledge, PossibleWorlds
from tests.kernel.conftest import fast  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator

Places = tuple[int, ...]
"""The cards of each seat, and those of the stock or left over."""


def moments(id: str, seed: int, n: int = 4, hands: int = 3) -> Iterator[tuple[Any, int, Knowledge, ev.Event]]:
    """Yield the tables of a match between careless bots, who acts, what the seats know, and what comes."""
    opening, *events = simulate(id, n, Random(f"{id}/{seed}"), ["random"], players=[*"abcdefgh"[:n]], max_hands=hands)
    assert isinstance(opening, ev.Open)
    table, knowledge = start(opening), Knowledge(n)
    for seq, event in enumerate(events, 2):
        if any(table.hand.held) and hasattr(event, "seat") and not table.hand.over:
            yield table, event.seat, knowledge, event
        knowledge.apply(table, event, seq)


def small(id: str, most: int, number: int) -> Iterator[PossibleWorlds]:
    """Yield some moments at which somebody is void and few deals fit."""
    for seed in range(200):
        for table, seat, knowledge, event in moments(id, seed):
            worlds = PossibleWorlds(table, seat, knowledge)
            if worlds.deals.cards.bit_count() > 12:
                continue
            if isinstance(event, ev.Play) and 5 < worlds.deals.number <= most and len(worlds.deals.table.groups) > 2:
                yield worlds
                number -= 1
                if not number:
                    return
                break


def places(table: Any) -> Places:
    """Return where the cards of a table are."""
    return (*table.hand.held, table.hand.stock if hasattr(table.hand, "stock") else table.hand.aside)


def every_world(worlds: PossibleWorlds) -> set[Places]:
    """Write down all deals that fit, as the cards by place."""
    deals, found = worlds.deals, set()
    cards = cards_in(deals.cards)
    waiting = [(0, (*worlds.seen, 0, 0), deals.needs)]
    for number, dealt, needs in waiting:  # it grows as it is gone through
        if number == len(cards):
            *hands, left_over, _ = dealt
            found.add((*hands, left_over or places(worlds.match)[-1]))
            continue
        for place, need in enumerate(needs):
            if need and not deals.barred[place] >> cards[number] & 1:
                more = dealt[place] | 1 << cards[number]
                left = (*needs[:place], need - 1, *needs[place + 1 :])
                waiting.append((number + 1, (*dealt[:place], more, *dealt[place + 1 :]), left))
    return found


def assert_even(found: Counter[Places], every: set[Places]) -> None:
    """Hold worlds to be equally likely (chi squared), and the true one no more than any other."""
    assert {*found} == every
    each = found.total() / len(every)
    assert sum((often - each) ** 2 / each for often in found.values()) < len(every) + 5 * (2 * len(every)) ** 0.5


def of_kernel(worlds: PossibleWorlds, seeds: list[int]) -> list[Places]:
    """Return the worlds of a kernel, one for each seed."""
    kernel = kernels.kernel_of(worlds.match)
    assert isinstance(kernel, kernels.Kernel)
    start = kernel.records([kernel.pack(worlds.match, cards_gone(worlds.match.hand))])
    work, (_, trials, _) = np.zeros(2, kernel.state), kernel.functions
    seen = np.array([*worlds.seen, *[0] * (9 - len(worlds.seen))], np.int64)
    table = [np.array(rows, np.int64) for rows in worlds.deals.table]
    found = []
    for seed in seeds:
        trials(
            start, work, 0, 1, seen, *table, np.array([seed], np.uint64), np.zeros(0, np.int64), np.zeros(8),
            np.zeros((0, 1), np.int64),
        )  # fmt: skip
        held = work["held"][0][: worlds.match.n].tolist()
        found.append((*held, int(work["stock" if "stock" in work.dtype.names else "aside"][0])))
    return found


@pytest.mark.parametrize("id", ["hearts", "ruff", "diamonds-draw", "poison-hearts"])
def test_every_world_is_drawn_as_often_where_somebody_is_void(id: str) -> None:
    tried = 0
    for worlds in small(id, 200, 3):
        every = every_world(worlds)
        assert len(every) == worlds.deals.number
        found = Counter(places(worlds.draw(Chance.of(f"{number}"))) for number in range(40 * len(every)))
        assert places(worlds.match) in every
        assert_even(found, every)
        tried += 1
    assert tried


@pytest.mark.long  # every day a kernel's worlds are those of the table, of which the test above is
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", ["diamonds-draw", "poison-hearts"])
def test_every_world_of_a_kernel_is_drawn_as_often(id: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    tried = 0
    for worlds in small(id, 200, 3):
        every = every_world(worlds)
        found = of_kernel(worlds, [Chance.of(f"kernel {number}").state for number in range(60 * len(every))])
        assert_even(Counter(found), every)
        tried += 1
    assert tried


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", ["diamonds-draw", "poison-hearts"])
def test_a_kernel_deals_the_very_worlds_of_the_table(id: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    bound = 0
    for seed in range(3):
        for number, (table, seat, knowledge, event) in enumerate(moments(id, seed)):
            worlds = PossibleWorlds(table, seat, knowledge)
            if isinstance(event, ev.Play) and worlds.deals.cards:
                seeds = [number, 2**64 - 1 - number]
                assert of_kernel(worlds, seeds) == [places(worlds.draw(Chance(one))) for one in seeds]
                bound += len(worlds.deals.table.rows) > 1
    assert bound > 20


def narrow() -> PossibleWorlds:
    """Return worlds in which cards dealt one by one hardly ever find a place: all eight clubs must go to the last seat.

    They may lie at the second seat too, but its eight cards and those of the third are the sixteen diamonds and hearts.
    """
    table, _, knowledge, _ = next(moments("poison-hearts", 0))
    table, both, clubs = table.copy(), 0xFFFF, 0xFF0000
    table.hand.held = [0xFF000000, 0x00FF, 0xFF00, clubs]
    knowledge.void = [0, 0, clubs, both]
    return PossibleWorlds(table, 0, knowledge)


def assert_narrow(found: list[Places]) -> None:
    """Hold them to be dealt so, the true deal as rarely as any other of the 12,870."""
    assert all(world[3] == 0xFF0000 for world in found)
    assert len({*found}) > 0.9 * len(found)
    assert found.count((0xFF000000, 0x00FF, 0xFF00, 0xFF0000, 0)) < 3


def test_the_true_deal_is_no_refuge_where_attempts_at_random_come_to_dead_ends() -> None:
    worlds = narrow()
    assert worlds.deals.number == 12_870
    assert_narrow([places(worlds.draw(Chance.of(f"{number}"))) for number in range(400)])


@pytest.mark.usefixtures("fast")
def test_nor_is_it_in_a_kernel() -> None:
    kernels.warm(game("poison-hearts"), kernels.Kernel)
    assert_narrow(of_kernel(narrow(), [Chance.of(f"{number}").state for number in range(400)]))


def test_where_no_deal_fits_nothing_is_taken_from_what_was_not_played_and_the_true_deal_stays_hidden() -> None:
    table = start(ev.Open(game="hearts", rules="hearts/1", players=("a", "b", "c", "d"), options={}))
    table.hand.held = [1 << 40, 0b1, 0b10, 0b100]
    table.hand.over = False
    knowledge = Knowledge(4)
    knowledge.void = [0, 0b111, 0, 0]  # nobody can hold what it holds
    worlds = PossibleWorlds(table, 0, knowledge)
    assert worlds.deals.number == 6
    assert_even(Counter(places(worlds.draw(Chance(number))) for number in range(3_000)), every_world(worlds))


@pytest.mark.parametrize("id", sorted(one.id for one in games().values() if one.study.bot is not None))
def test_worlds_do_not_depend_on_what_the_seat_has_not_seen(id: str) -> None:
    """A table like the true one to the eyes of a seat has the same worlds, drawn by the same chance."""
    n = 4 if 4 in game(id).players else game(id).players[0]
    for number, (table, seat, knowledge, _) in enumerate(moments(id, 1, n)):
        if number % 5:
            continue
        worlds = PossibleWorlds(table, seat, knowledge)
        other = worlds.draw(Chance(number))
        again = PossibleWorlds(other, seat, knowledge) if not any(knowledge.laid) else worlds
        assert again.seen == worlds.seen
        assert again.deals.table == worlds.deals.table
        assert places(again.draw(Chance(1))) == places(worlds.draw(Chance(1)))


def test_cards_that_others_passed_face_down_are_not_known_in_a_world() -> None:
    looked = 0
    for table, seat, knowledge, event in moments("hearts", 2):
        if not isinstance(event, ev.Give) or sum(map(bool, table.hand.passed)) < 2:
            continue
        looked += 1
        worlds = PossibleWorlds(table, seat, knowledge)
        assert not any(worlds.match.hand.passed)
        assert worlds.deals.cards.bit_count() == 39
        trials = Trials(table, seat, knowledge, "seed", 0.1)
        (act, *_) = options_of(table, event)
        assert len(trials.points([act], range(3))[0]) == 3
    assert looked > 2


def test_who_passed_cards_knows_where_they_are_until_they_are_played() -> None:
    table, *_, knowledge, event = next(one for one in moments("hearts", 2) if isinstance(one[3], ev.Play))
    assert isinstance(event, ev.Play)
    for seat, passed in enumerate(table.hand.passed):
        assert sum(PossibleWorlds(table, seat, knowledge).seen) == table.hand.held[seat] | passed


def test_a_card_laid_away_face_down_may_be_any_the_others_have_not_seen() -> None:
    looked = 0
    for seed in range(12):
        for table, seat, knowledge, event in moments("euchre", seed):
            laid = sum(knowledge.laid)
            if not isinstance(event, ev.Play) or not laid:
                continue
            looked += 1
            worlds = PossibleWorlds(table, seat, knowledge)
            if knowledge.laid[seat]:
                assert not worlds.deals.cards & laid
                continue
            assert worlds.deals.cards & laid
            assert worlds.deals.needs[-1] == 1
            *_, left_over, away = worlds.deals.draw(Chance(seed))
            assert not left_over & knowledge.taken_up
            assert away.bit_count() == 1
    assert looked > 20
