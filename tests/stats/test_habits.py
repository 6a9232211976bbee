"""Habits: what decisions cost by situation, from reviewed hands."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from cardledger.cli.luck import habits_command
from cardledger.errors import StoreError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.situations import trumps_of
from cardledger.rules.games import game as game_of
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review import habits
from cardledger.study.stats.review.review import Decision
from cardledger.study.stats.review.situations import NUMBER, SITUATIONS, card_led, situations_of
from tests.stats.night import GAMES, evening, hands, recorded

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("game", GAMES)
def test_every_act_of_a_seat_has_its_situations(game: str) -> None:
    (played,) = hands(game, n=3 if game == "diamonds-draw" else 4, hands=1)
    assert played.dealt is not None
    values = dict(situations_of(played.dealt, played.hand.dealer, played.events))
    assert [*values] == [seq for seq, event in played.events[1:] if hasattr(event, "seat")]
    tricks = [event for _, event in played.events if isinstance(event, ev.Play)]
    leads = [one for one in values.values() if one["choice"] in ("lead", "opening lead")]
    assert len(leads) == len(played.hand.tricks)
    assert sum("place" in one for one in values.values()) == len(tricks)
    assert {key for one in values.values() for key in one} <= {kind.id for kind in SITUATIONS}
    assert all(one["place"] == "1" for one in leads)
    calls = {seq for seq, event in played.events[1:] if event.called() is not None}
    assert {seq for seq, one in values.items() if one["kind"] in ("bid", "pass") and one["choice"] != "pass"} <= calls
    for one in values.values():
        assert one["choice"] != "void" or one["kind"] in ("trump", "discard")
        assert not one["kind"].startswith("lead") or one["place"] == "1"
    numbers = [value["trick_number"] for _, value in situations_of(
        played.dealt, played.hand.dealer, played.events, [NUMBER]) if value]  # fmt: skip
    assert [int(number) for number in numbers] == sorted(map(int, numbers))
    assert set(numbers) == {str(number) for number in range(1, len(leads) + 1)}


@pytest.mark.parametrize("game", GAMES)
def test_every_lead_says_what_was_led_and_no_other_card_does(game: str) -> None:
    (played,) = hands(game, n=3 if game == "diamonds-draw" else 4, hands=1)
    assert played.dealt is not None
    for values in dict(situations_of(played.dealt, played.hand.dealer, played.events)).values():
        assert ("led" in values) == (values.get("place") == "1")
        if "led" in values:
            assert values["led"].endswith("trump") == values["kind"].endswith("of a trump")


def test_a_card_led_is_of_the_length_of_its_suit_in_the_hand() -> None:
    (played,) = hands("whist", hands=1)
    assert played.dealt is not None
    table = played.dealt.table(strict=False)
    table.hand.held[0] = sum(table.pack.mask[card] for card in ["AS", "2S", "3S", "9S", "KC", "4C", "7D"])
    trumps = trumps_of(table.game.orders, table.hand.order)
    expected = {
        "AS": "high from a long suit", "2S": "low from a long suit", "KC": "high from a short suit",
        "4C": "low from a short suit", "7D": "singleton",
    }  # fmt: skip
    for card, word in expected.items():
        told = card_led(table, ev.Play(seat=0, card=card))
        high = "high" if card[0] in "AKQ" else "low"
        assert told == (f"{high} trump" if table.pack.mask[card] & trumps else word)


def test_trumping_and_discarding_are_two_kinds_of_decision() -> None:
    """Of a hand of whist with clubs as trumps, kinds are those of the cards played."""
    (played,) = hands("whist", hands=1)
    assert played.dealt is not None
    cards = {seq: event.card for seq, event in played.events if isinstance(event, ev.Play)}
    trumps = trumps_of(game_of("whist").orders, played.hand.order)
    mask = game_of("whist").pack({}).mask
    told = dict(situations_of(played.dealt, played.hand.dealer, played.events))
    kinds = {told[seq]["kind"] for seq in cards}
    assert {"lead", "follow suit"} <= kinds
    for seq, card in cards.items():
        kind = told[seq]["kind"]
        assert kind == "follow suit" or (kind == "trump" or kind.endswith("of a trump")) == bool(mask[card] & trumps)


def decisions(matches: int, cost: float) -> dict[tuple[str, int], list[habits.Decided]]:
    """Return decisions of real hands: each card of a seat that is void gave up `cost`, and every other decision nothing."""
    rows: dict[tuple[str, int], list[habits.Decided]] = {}
    for match, events in enumerate(evening("ruff", matches=matches, hands=2)):
        for played in hands_of(Stream.of(events)):
            assert played.dealt is not None
            acts = {seq: event for seq, event in played.events if isinstance(event, ev.Play)}
            for seq, values in situations_of(played.dealt, played.hand.dealer, played.events):
                if seq in acts:
                    play = acts[seq]
                    given = cost * (1 + seq % 3) if values["choice"] == "void" else 0.0
                    one = Decision(seq, play.seat, "play", play.card, "x", 2, given, 0.01)
                    rows.setdefault((f"m{match}", play.seat), []).append(
                        habits.Decided(f"m{match}", played.hand.number, 4, values, one)
                    )
    return rows


def test_the_costs_of_a_player_add_up_in_every_situation() -> None:
    rows = decisions(6, 1.0)
    account = habits.by_player(rows, {key: f"player {key[1]}" for key in rows}, "ruff")
    assert len(account) == 4
    for player, told in account.items():
        own = [one for (_, seat), some in rows.items() if player == f"player {seat}" for one in some]
        for situation in told["situations"]:
            if situation["id"] == "led":
                continue  # only leads have it
            assert sum(row["decisions"] for row in situation["rows"]) == len(own)
            assert sum(row["a_hand"] for row in situation["rows"]) == pytest.approx(
                sum(one.decision.cost for one in own) / told["hands"]
            )
        assert told["habits"] == [], "what costs everybody as much is nobody's habit"


def test_the_dear_habit_of_one_is_named_with_what_it_costs_the_others() -> None:
    rows = decisions(30, 1.0)
    for (_, seat), some in rows.items():
        if seat:
            some[:] = [one._replace(decision=replace(one.decision, cost=one.decision.cost / 8)) for one in some]
    account = habits.by_player(rows, {key: f"player {key[1]}" for key in rows}, "ruff")
    assert [player for player, told in account.items() if told["habits"]] == ["player 0"]
    for told in account.values():
        assert {habit["choice"] for habit in told["habits"]} <= {"void"}
        amounts = [(habit["cost"] - habit["others"]) * habit["decisions"] for habit in told["habits"]]
        assert amounts == sorted(amounts, reverse=True)
        for habit in told["habits"]:
            costs = [one["cost"] for one in habit["examples"]]
            assert costs == sorted(costs, reverse=True)
            assert len(costs) <= habits.COSTLIEST
            assert "void" in habits.in_words(habit)


def test_without_costs_there_is_no_habit() -> None:
    rows = decisions(2, 0.0)
    account = habits.by_player(rows, dict.fromkeys(rows, "ana"), "ruff")
    assert account["ana"]["habits"] == []


def test_costs_are_split_by_two_situations_and_filtered_by_others() -> None:
    rows = [one for some in decisions(6, 1.0).values() for one in some]
    both = habits.split(rows, ("choice", "trick"), ())
    assert sum(row["decisions"] for row in both) == len(rows)
    voids = [row for row in both if row["values"][0] == "void"]
    assert all(row["cost"] > 0 for row in voids)
    assert all(row["cost"] == 0 for row in both if row not in voids)
    late = habits.split(rows, ("trick",), (("choice", "void"),))
    assert [(row["values"], row["decisions"]) for row in late] == [
        (row["values"][1:], row["decisions"]) for row in voids
    ]
    assert all(row["examples"][0]["cost"] == max(one["cost"] for one in row["examples"]) for row in late)
    with pytest.raises(StoreError, match="no situation 'moon'"):
        habits.split(rows, ("moon",), ())


def free_of_habits(rng: np.random.Generator, matches: int, hands: int, dear: dict[str, float]) -> list[habits.Decided]:
    """Return reviewed decisions of a player that give up nothing, but for kinds in `dear`; costs are skewed, as reviews are."""
    rows, places = (
        [],
        [("follow suit", str(place)) for place in (2, 3, 4)] + [("void", str(place)) for place in (2, 3, 4)],
    )
    kinds = [("lead", "1"), ("opening lead", "1"), *places]
    for match in range(matches):
        mood = rng.normal(0, 0.1)
        for seq in range(hands * 10):
            choice, place = kinds[rng.integers(len(kinds))]
            noise = mood + (rng.exponential(0.5) - 0.5 if rng.random() < 0.3 else rng.normal(0, 0.1))
            one = Decision(seq, 0, "play", "a", "b", 3, dear.get(choice, 0.0) + noise, 0.1)
            rows.append(habits.Decided(f"m{match}", seq // 10 + 1, 4, {"choice": choice, "place": place}, one))
    return rows


def named(rng: np.random.Generator, leagues: int, matches: int, dear: dict[str, float]) -> list[list[str]]:
    """Return the habits named of the players at so many tables; only the first of four has dear kinds of decisions."""
    found = []
    for _ in range(leagues):
        rows: dict[tuple[str, int], list[habits.Decided]] = defaultdict(list)
        for seat in range(4):
            for one in free_of_habits(rng, matches, 4, {} if seat else dear):
                rows[one.match, seat].append(one)
        account = habits.by_player(rows, {key: f"player {key[1]}" for key in rows}, "ruff")
        found += [[habit["choice"] for habit in told["habits"]] for told in account.values()]
    return found


def test_a_dear_habit_is_named_among_kinds_of_decisions_that_cost_nothing() -> None:
    first, *others = named(np.random.default_rng(2), 1, 30, {"void": 0.5})
    assert set(first) == {"void"}
    assert others == [[], [], []]


@pytest.mark.long
def test_few_habits_are_named_by_chance() -> None:
    """Of players without a habit at most 5% have one named, and of a player's named habits at most 5% are none on average.

    The second is the rate of false discoveries (Benjamini and Hochberg 1995): the mean over players, not the share of all.
    Either may miss by three standard errors.
    """
    rng, leagues = np.random.default_rng(3), 50
    most = 0.05 + 3 * (0.05 * 0.95 / leagues) ** 0.5
    for matches in (6, 40):
        share = float(np.mean([bool(found) for found in named(rng, leagues, matches, {})]))
        wrong = [[choice != "void" for choice in found] for found in named(rng, leagues, matches, {"void": 0.15})]
        false = float(np.mean([np.mean(one) if one else 0.0 for one in wrong]))
        print(f"{matches} matches: {share:.3f} without a habit have one named, {false:.3f} false discoveries")  # noqa: T201
        assert share <= most
        assert false <= most
        assert any(wrong), "a habit must be found sometimes"


def test_the_command_says_how_many_hands_are_still_to_be_reviewed(tmp_path: Path) -> None:
    recorded(tmp_path / "club.db", evening("ruff", matches=1, hands=1)).close()
    run = CliRunner().invoke(habits_command, ["ana", "ruff", "--json", "--db", str(tmp_path / "club.db")])
    assert run.exit_code == 0, run.output
    account = json.loads(run.output)
    assert (account["hands"], account["pending"], account["habits"]) == (0, 1, [])
    shown = CliRunner().invoke(habits_command, ["ana", "ruff", "--db", str(tmp_path / "club.db")]).output
    assert "0 reviewed hands of ruff, 1 of the game to be reviewed" in shown
