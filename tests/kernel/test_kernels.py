"""Kernels: written from the source of rules and bots, and equal to the live table in every rollout and every review."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.rules.bots.monte_carlo import MonteCarlo
from cardledger.rules.bots.rollouts import cards_gone, order_stock, play_out, play_up
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.study import Bot, Study
from cardledger.rules.games import editions, game
from cardledger.rules.kernel import kernels
from cardledger.rules.kernel.fit import unfit
from cardledger.rules.kernel.source import COUNTED, MORE, fields_of, module_text
from cardledger.rules.kernel.subset import growing_fields
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.luck.values import random_deal, value
from cardledger.study.stats.review.review import review
from cardledger.study.stats.review.reviews import WORTH_COMPILING, compile_kernels
from tests.bench.expected import situations
from tests.kernel.chosen import IN_CI, OF_TRICKS
from tests.stats.night import evening, hands, recorded
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.rules.engine.events import Event
    from cardledger.rules.engine.state import Hand

NOISES = (0.0, 0.1, 0.25, 1.0)


def test_chance_is_splitmix64() -> None:
    chance = Chance(1234567)
    assert [chance.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("id", OF_TRICKS)
def test_every_game_of_tricks_has_a_kernel_written_from_its_own_source(id: str) -> None:
    for one in editions()[id].values():
        assert unfit(one) == []
    chosen = game(id)
    pack = chosen.pack(chosen.fill({}, chosen.players[0]))
    text = module_text(chosen, pack)
    functions = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    assert {"kernel_worlds__play_out", "kernel_worlds__trials"} <= functions
    assert any(name.startswith(f"games_{id.removesuffix('-2').replace('-', '_')}_bot__") for name in functions)
    assert text == module_text(chosen, pack)


@pytest.mark.parametrize("id", OF_TRICKS)
def test_the_record_of_a_kernel_has_the_fields_of_the_hand_and_few_more(id: str) -> None:
    names = {name for name, _ in fields_of(game(id))}
    more = {*MORE, *(COUNTED.format(name) for name in growing_fields(game(id).hand))} - {"turn"}
    assert names - {one.name for one in fields(game(id).hand)} <= more


def strange(hand: Hand, seat: int, legal: int, unseen: int) -> int:
    return max(range(52), key=lambda card: legal >> card & 1)


def test_a_game_outside_the_subset_has_no_kernel_and_cardledger_games_names_the_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odd = replace(game("ruff"), study=Study(bot=Bot(strange)))
    (why, *_) = unfit(odd)
    line = strange.__code__.co_firstlineno + 1
    assert why.startswith(f"{__name__}.strange:{line} ")
    assert kernels.kernel(odd, odd.pack({}), compiling=True) is None
    monkeypatch.setattr("cardledger.cli.rulebooks.games", lambda: {"odd": odd})
    listed = " ".join(CliRunner().invoke(main, ["games"]).output.split())
    assert f"It has no kernel: {why}." in listed


def test_no_kernel_is_compiled_unless_somebody_asks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernels.FOLDER, str(tmp_path / "kernels"))
    dealt = random_deal(situations()[0], Random(1))
    assert kernels.kernel_of(dealt.table()) is None
    assert not (tmp_path / "kernels").exists()


def test_honours_are_left_to_the_live_table() -> None:
    whist = next(one for one in situations() if one.game == "whist")
    table = replace(whist, options=(*whist.options[:-1], ("honours", True))).table()
    assert table.options["honours"]
    assert kernels.kernel_of(table) is None


def test_threads_that_load_a_kernel_at_the_same_time_get_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "loaded_by_two_threads.py"
    path.write_text("import time\ntime.sleep(0.1)\nSTATE = 1\n")
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda _: kernels.module_of(path).STATE, range(3))) == [1, 1, 1]


# --- with numba


def moments(id: str, number: int) -> Iterator[tuple[Any, tuple[float, ...]]]:
    """Yield tables of a game at which a card is due, from the first lead to late in the hand, and a noise."""
    rng = Random(id)
    of_game = [one for one in situations() if one.game == id]
    for at in range(number):
        dealt = random_deal(of_game[at % len(of_game)], rng)
        table = dealt.table(strict=False)
        noise = (NOISES[at // len(of_game) % 4],) * table.n
        order_stock(table, dealt.stock, Chance(at))
        for _ in range(rng.choice((0, 0, 3, 10, 25))):
            if not play_up(table, Chance(at), noise):
                break
            seat, hand = table.hand.turn, table.hand
            legal = table.playing.legal_cards(table, hand, hand.held[seat])
            if not legal:
                break
            card = Chance(at).card(hand.held[seat] if at % 3 == 0 else legal)  # now and then against the rules
            table.play(seat, card, 9)
        if play_up(table, Chance(at), noise) and table.playing.legal_cards(
            table, table.hand, table.hand.held[table.hand.turn]
        ):
            yield table, noise


def test_games_are_compiled_once_twenty_hands_wait_for_a_review(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(kernels, "warm", lambda one: asked.append(one.id))
    with recorded(tmp_path / "club.db", evening("ruff", n=3, matches=7, hands=3)) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        hands_waiting = store.hands("key IS NOT NULL")
        assert len(hands_waiting) >= WORTH_COMPILING
        compile_kernels(hands_waiting[: WORTH_COMPILING - 1], store)
        assert asked == []
        compile_kernels(hands_waiting, store)
        assert asked == ["ruff"]


@pytest.mark.usefixtures("fast")
def test_warm_names_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(kernels.FOLDER, str(tmp_path / "file"))
    answer = CliRunner().invoke(main, ["warm", "whist"])
    assert answer.exit_code == 2
    assert f"store.write: {tmp_path / 'file'} cannot be written" in answer.output


def test_warm_without_numba_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kernels.SWITCH, "0")
    answer = CliRunner().invoke(main, ["warm"])
    assert answer.exit_code == 2
    assert "store.extra: compiled games need numba: pip install 'cardledger[fast]'" in answer.output


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", IN_CI)
def test_every_rollout_of_the_kernel_is_that_of_the_live_table(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = kernels.warm(game(id))
    assert kernels.kernel(game(id), game(id).pack(game(id).fill({}, game(id).players[0]))) is first
    seeds = count(1)
    for table, noise in moments(id, 400 if THOROUGH else 120):
        kernel = kernels.kernel_of(table)
        assert kernel is not None
        seed = Chance.of(str(next(seeds))).state
        row = kernel.pack(table, cards_gone(table.hand))
        assert kernel.play_out([row], [seed], noise) == [play_out(table.copy(), Chance(seed), noise)]
    deal = random_deal(next(one for one in situations() if one.game == id), Random(1))
    (played,) = hands(id, n=max(3, game(id).players[0]), hands=1)[:1]
    assert played.dealt is not None
    quick = value(deal), review(played.dealt, played.hand.dealer, played.events)
    chosen = monte_carlo(id)
    monkeypatch.setenv(kernels.SWITCH, "0")
    assert kernels.kernel_of(deal.table()) is None
    assert (value(deal), review(played.dealt, played.hand.dealer, played.events)) == quick
    assert monte_carlo(id) == chosen


def monte_carlo(id: str) -> list[Event]:
    """Return a hand in which the Monte Carlo bot sits first."""
    n = max(3, game(id).players[0])
    return simulate(id, n, Random(6), [MonteCarlo(3), *["cautious"] * (n - 1)], players=[*"abcd"[:n]], max_hands=1)


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_the_kernel_of_another_rule_is_found_out() -> None:
    ruff = game("ruff")
    wrong = replace(ruff, phases=game("ruff-2").phases)
    kernel = kernels.kernel(wrong, ruff.pack({}), compiling=True)
    assert kernel is not None
    differing = 0
    for at, (table, noise) in enumerate(moments("ruff", 40)):
        row = kernel.pack(table, cards_gone(table.hand))
        differing += kernel.play_out([row], [at], noise) != [play_out(table.copy(), Chance(at), noise)]
    assert differing > 10
