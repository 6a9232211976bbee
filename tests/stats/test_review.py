"""Decision review: forced choices are none, blunders are found, the best play costs nothing, nothing under way is told."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from ledger import events as ev
from ledger.bots.random_bot import events_of
from ledger.cli import main
from ledger.corrections import Stream
from ledger.games import start
from ledger.stats import review as reviewing
from ledger.stats.deals import hands_of
from ledger.stats.kept import Kept
from ledger.stats.possible import Knowledge, world
from ledger.stats.review import Decision, review, turned
from ledger.stats.reviews import beta_binomial, by_player, compute, kept_review
from ledger.stats.worth_seeing import KINDS
from tests.stats.night import GAMES, evening, hands, recorded
from web.app import access_of, create_app, ledger_of

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.stats.deals import Played


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer worlds, where it does not matter how sure the costs are."""
    monkeypatch.setattr(reviewing, "CHOOSING", 3)
    monkeypatch.setattr(reviewing, "JUDGING", 3)


def reviewed(played: Played) -> list[Decision]:
    assert played.dealt is not None
    return review(played.dealt, played.hand.dealer, played.events)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", GAMES)
def test_every_choice_that_was_not_forced_is_reviewed_and_no_other(game: str) -> None:
    (played, *_) = hands(game, n=3 if game != "diversity" else 4, hands=1)
    assert played.dealt is not None
    free = []
    table = played.dealt.table()
    for seq, event in played.events[1:]:
        act = turned(event, played.hand.dealer, table.n)
        options = [one for choice in table.choices() if choice.seat is not None for one in events_of(choice)]
        if len(options) > 1:
            free.append((seq, event.seat, len(options)))
        table.apply(act, seq)
    found = reviewed(played)
    assert [(one.seq, one.seat, one.options) for one in found] == free
    assert found == reviewed(played)
    assert all(one.cost == 0 == one.error for one in found if one.made == one.best)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", ["diamonds-bid", "ruff", "poison-hearts"])
def test_a_hidden_hand_is_reviewed_as_one_that_was_seen(game: str) -> None:
    seen, hidden = (hands(game, n=3, hands=1, hidden=hidden)[0] for hidden in (False, True))
    assert [one.cost for one in reviewed(hidden)] == [one.cost for one in reviewed(seen)]


def test_a_planted_blunder_is_found() -> None:
    # Whoever deals bids 26 of 26 tricks with any hand.
    (events,) = evening("diamonds-bid", n=2, hands=1)
    table = start(events[0])  # type: ignore[arg-type]
    played: list[tuple[int, ev.Event]] = []
    for seq, event in enumerate(events[1:], 2):
        if isinstance(event, ev.Bid) and event.seat == 0:
            event = ev.Bid(seat=0, amount=26)
        table.apply(event, seq)
        played.append((seq, event))
    (hand,) = hands("diamonds-bid", n=2, hands=1)
    assert hand.dealt is not None
    found = review(hand.dealt, hand.hand.dealer, played)
    worst = max(found, key=lambda one: one.cost)
    assert (worst.type, worst.seat, worst.made) == ("bid", 0, "26")
    assert worst.bad
    assert worst.cost > 20


def test_random_play_gives_up_more_than_sensible_play() -> None:
    given_up = {"cautious": 0.0, "random": 0.0}
    for events in evening("ruff", matches=3, hands=1):
        stream = Stream.of(events)
        for played in hands_of(stream):
            for one in reviewed(played):
                given_up[stream.table.players[one.seat].partition("-")[0]] += one.cost
                assert one.cost <= 12
    assert given_up["random"] > given_up["cautious"] + 1


def everything(table: Any) -> int:
    """Return the cards in all hands and in the stock."""
    rest: int = table.stack if hasattr(table, "stack") else getattr(table, "stock", 0) or 0
    return sum(table.held) | rest


@pytest.mark.parametrize("game", GAMES)
def test_possible_worlds_keep_what_a_seat_knows(game: str) -> None:
    worlds = changed = 0
    for played in hands(game, n=4, hands=1):
        assert played.dealt is not None
        table, knowledge = played.dealt.table(), Knowledge(4)
        for number, (seq, event) in enumerate(played.events[1:]):
            if number % 3 == 0:
                seat = table.turn
                other = world(table, seat, knowledge, Random(number))
                worlds += 1
                assert other.held[seat] == table.held[seat]
                assert [held.bit_count() for held in other.held] == [held.bit_count() for held in table.held]
                assert everything(other) == everything(table)
                assert all(seen & ~held == 0 for seen, held in zip(knowledge.known[seat], other.held, strict=True))
                if other.held != table.held:
                    changed += 1
                    others = [one for one in range(4) if one != seat]
                    assert not any(other.held[one] & knowledge.void[one] for one in others)
            act = turned(event, played.hand.dealer, 4)
            table.apply(act, seq)
            knowledge.see(table, act)
    assert changed > worlds / 2


def test_voids_shown_by_the_play_are_true() -> None:
    for game in ("diamonds-bid", "ruff", "poison-hearts", "diamonds-draw"):
        for played in hands(game, matches=3, hands=1):
            assert played.dealt is not None
            table, knowledge = played.dealt.table(), Knowledge(4)
            for seq, event in played.events[1:]:
                act = turned(event, played.hand.dealer, 4)
                table.apply(act, seq)
                knowledge.see(table, act)
                assert not any(held & void for held, void in zip(table.held, knowledge.void, strict=True)), game


def test_the_rate_of_bad_moves_is_wider_where_matches_differ() -> None:
    even, uneven = beta_binomial([5] * 10, [50] * 10), beta_binomial([0, 0, 0, 0, 0, 10, 10, 10, 10, 10], [50] * 10)
    assert even[0] < 0.1 < even[1]
    assert uneven[1] - uneven[0] > 1.5 * (even[1] - even[0])
    assert beta_binomial([], []) == (0.0, 1.0)
    assert beta_binomial([0], [40])[0] == 0


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[ev.Event]]:
    """A ledger with a complete match and one under way."""
    folder = tmp_path_factory.mktemp("review")
    (events,) = evening("diamonds-draw", n=3, hands=2)
    (other,) = evening("diversity", hands=1)
    recorded(folder / "club.db", [events, other[:30]]).close()
    return folder / "club.db", other


def test_the_api_tells_outcome_luck_and_cost_and_nothing_of_hands_under_way(
    club: tuple[Path, list[ev.Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.review.SECONDS", 0.0)
    path, other = club
    app = create_app(path)
    client = app.test_client()
    try:
        draw, under_way = ledger_of(app).matches()
        first = client.get(f"/api/v1/matches/{draw}/review?hand=2").json
        assert first["pending"] == 2  # nobody waits longer than said
        assert first["hands"][0]["decisions"] is None
        monkeypatch.setattr("api.review.SECONDS", 60)
        told = client.get(f"/api/v1/matches/{draw}/review").json
        assert told["pending"] == 0
        for hand in told["hands"]:
            assert len(hand["scores"]) == len(hand["luck"]) == len(hand["cost"]) == len(hand["draw_luck"]) == 3
            for seat in range(3):
                costs = [one["cost"] for one in hand["decisions"] if one["seat"] == seat]
                assert hand["cost"][seat] == pytest.approx(sum(costs))
        (hand,) = client.get(f"/api/v1/matches/{under_way}/review").json["hands"]
        assert (hand["left_out"], hand["scores"], hand["decisions"], hand["deal"]) == ("under way", None, None, None)
        deal = other[1]
        assert isinstance(deal, ev.Deal)
        assert deal.hands is not None
        text = (
            client.get(f"/api/v1/matches/{under_way}/review").text
            + client.get("/api/v1/hands/worth-seeing?game=diversity").text
        )
        assert not any(f'"{face}"' in text for hand in deal.hands for face in hand)
        sights = client.get("/api/v1/hands/worth-seeing?game=diamonds-draw").json
        assert {one["kind"] for one in sights["sights"]} >= {"swing", "closest"}
        assert client.get(f"/api/v1/deals/{told['hands'][0]['deal']}").json["most"] == 0
        assert client.get("/api/v1/deals/none").status_code == 404
        luck = client.get("/api/v1/luck?game=diamonds-draw").json
        assert (luck["hands"], luck["pending"], luck["reviews_pending"]) == (2, 0, 0)
        assert {one["player"] for one in luck["reviews"]} == {one["player"] for one in luck["players"]}
    finally:
        access_of(app).close()
        ledger_of(app).close()


def test_the_command_shows_costs_beside_the_outcome(club: tuple[Path, list[ev.Event]]) -> None:
    path, _ = club
    listed = CliRunner().invoke(main, ["matches", "--db", str(path)]).output.splitlines()
    match = next(line for line in listed if "diamonds-draw" in line)[:36]
    told = CliRunner().invoke(main, ["review", match, "--db", str(path)])
    assert told.exit_code == 0, told.output
    assert "gave up" in told.output
    account = json.loads(CliRunner().invoke(main, ["review", match, "--hand", "1", "--json", "--db", str(path)]).output)
    assert [hand["hand"] for hand in account["hands"]] == [1]


@pytest.mark.usefixtures("quick")
def test_costs_of_a_player_are_those_of_the_decisions(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", matches=2, hands=2)) as ledger, Kept(ledger) as kept:
        kept.catch_up()
        found = kept.hands()
        assert all(kept_review(hand, kept).pending for hand in found)
        for _ in compute(found, kept):
            pass
        reviews = [kept_review(hand, kept) for hand in found]
        players = kept.players("game = ?", ("ruff",))
        told = by_player(reviews, players)
        for one in told:
            costs = [
                each.cost(seat) for each in reviews for seat in range(4) if players[each.hand.match, seat] == one.player
            ]
            assert one.cost == pytest.approx(sum(costs) / len(costs))
        (costly, *_) = [*KINDS["costliest"](kept, "ruff", 1)] or [None]
        if costly is not None:
            assert costly.amount == max(each.cost for one in reviews for each in one.decisions or () if each.bad)
