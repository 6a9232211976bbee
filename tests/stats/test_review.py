"""Decision review: forced choices are left out, blunders are found, the best play costs nothing, hands under way are secret."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import RuleError
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.chance import Chance
from cardledger.rules.games import games, start
from cardledger.rules.knowledge.possible_worlds import Knowledge, PossibleWorlds
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck import accounts
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review import reviews
from cardledger.study.stats.review.review import EDITION, THOROUGH, USUAL, Decision, Method, review, rotated
from cardledger.study.stats.review.reviews import beta_binomial, by_player, compute, stored_review
from cardledger.study.stats.review.worth_seeing import KINDS
from cardledger_web.app import access_of, create_app, ledger_of
from tests.stats.night import GAMES, evening, hands, recorded
from tests.waiting import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.study.stats.luck.deals import PlayedHand


QUICK = Method(EDITION, 3, 3)
"""Fewer worlds, where it does not matter how sure the costs are."""


def reviewed(played: PlayedHand, method: Method = USUAL) -> list[Decision]:
    assert played.dealt is not None
    return review(played.dealt, played.hand.dealer, played.events, method)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_choice_that_was_not_forced_is_reviewed_and_no_other(game: str) -> None:
    (played, *_) = hands(game, n=3 if 3 in games()[game].players else 4, hands=1)
    assert played.dealt is not None
    free = []
    table = played.dealt.table()
    for seq, event in played.events[1:]:
        act = rotated(event, played.hand.dealer, table.n)
        options = [one for choice in table.choices() if choice.seat == act.seat for one in events_of(choice)]
        if len(options) > 1:
            free.append((seq, event.seat, len(options)))
        table.apply(act, seq)
    found = reviewed(played, QUICK)
    assert [(one.seq, one.seat, one.options) for one in found] == free
    assert found == reviewed(played, QUICK)
    assert all(one.cost == 0 == one.error for one in found if one.made == one.best)


@pytest.mark.parametrize("game", ["diamonds-bid", "ruff", "poison-hearts"])
def test_a_hidden_hand_is_reviewed_as_one_that_was_seen(game: str) -> None:
    seen, hidden = (hands(game, n=3, hands=1, hidden=hidden)[0] for hidden in (False, True))
    assert [one.cost for one in reviewed(hidden, QUICK)] == [one.cost for one in reviewed(seen, QUICK)]


@pytest.mark.long
def test_a_planted_blunder_is_found() -> None:
    # The dealer bids 26 of 26 tricks with any hand.
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


@pytest.mark.long
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
    """Return the cards in all hands, in the stock, and face down beside them."""
    cards: int = sum(table.hand.held) | table.hand.aside | getattr(table.hand, "stock", 0)
    return cards


@pytest.mark.parametrize("game", GAMES)
def test_possible_worlds_keep_what_a_seat_knows(game: str) -> None:
    worlds = changed = 0
    for played in hands(game, n=4, hands=1):
        assert played.dealt is not None
        table, knowledge = played.dealt.table(), Knowledge(4)
        for number, (seq, event) in enumerate(played.events[1:]):
            if number % 3 == 0:
                seat = rotated(event, played.hand.dealer, 4).seat
                possible = PossibleWorlds(table, seat, knowledge)
                other, seen = possible.draw(Chance(number)), possible.match  # cards that others passed are back
                worlds += 1
                assert other.hand.held[seat] == table.hand.held[seat]
                assert [held.bit_count() for held in other.hand.held] == [held.bit_count() for held in seen.hand.held]
                away = knowledge.laid_away((seat, table.hand.acts_for[seat]))  # any unseen card may have been laid away
                assert everything(other) & ~(everything(seen) | away) == 0
                assert everything(other).bit_count() == everything(seen).bit_count()
                assert all(
                    shown & ~held == 0 for shown, held in zip(knowledge.known[seat], other.hand.held, strict=True)
                )
                if other.hand.held != seen.hand.held:
                    changed += 1
                    others = [one for one in range(4) if one != seat]
                    assert not any(other.hand.held[one] & knowledge.void[one] for one in others)
            knowledge.apply(table, rotated(event, played.hand.dealer, 4), seq)
    assert changed > worlds / 2


def test_voids_shown_by_the_play_are_true() -> None:
    for game in ("diamonds-bid", "ruff", "poison-hearts", "diamonds-draw"):
        for played in hands(game, matches=3, hands=1):
            assert played.dealt is not None
            table, knowledge = played.dealt.table(), Knowledge(4)
            for seq, event in played.events[1:]:
                knowledge.apply(table, rotated(event, played.hand.dealer, 4), seq)
                assert not any(held & void for held, void in zip(table.hand.held, knowledge.void, strict=True)), game


def test_a_card_turned_up_stays_where_all_have_seen_it_go() -> None:
    """In whist the dealer keeps it; in euchre the dealer who takes it up may lay it away, but nobody else gets it."""
    for game in ("whist", "euchre"):
        looked = 0
        for number in range(6):
            opening, *events = simulate(game, 4, Random(number), ["cautious"], players=[*"abcd"], max_hands=1)
            table, knowledge = Stream.of([opening]).table, Knowledge(4)
            for seq, event in enumerate(events, 2):
                knowledge.apply(table, event, seq)
                hand = table.hand
                (holder, *_) = [seat for seat, held in enumerate(hand.held) if held >> max(0, hand.upcard) & 1] or [-1]
                if hand.over or hand.upcard < 0 or holder < 0 or hand.turn in (None, holder):
                    continue
                looked += 1
                world = PossibleWorlds(table, hand.turn, knowledge).draw(Chance(seq))
                others = [held for seat, held in enumerate(world.hand.held) if seat != holder]
                assert not any(held >> hand.upcard & 1 for held in others)
                assert game == "euchre" or world.hand.held[holder] >> hand.upcard & 1
        assert looked > 20, game


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


@pytest.mark.long
def test_the_api_returns_outcome_luck_and_cost_but_nothing_about_hands_under_way(
    club: tuple[Path, list[ev.Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(
        "cardledger.study.stats.review.reviewer.compute", lambda *of: go_on.wait(LIMIT) and compute(*of)
    )
    monkeypatch.setattr("cardledger_api.resources.review.SECONDS", 0.0)
    path, other = club
    app = create_app(path)
    client = app.test_client()
    try:
        draw, under_way = ledger_of(app).matches()
        first = client.get(f"/api/v1/matches/{draw}/review?hand=2").json
        assert first["pending"] == 2  # nobody waits longer than said
        assert first["hands"][0]["decisions"] is None
        monkeypatch.setattr("cardledger_api.resources.review.SECONDS", LIMIT)
        go_on.set()
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


@pytest.mark.long
def test_the_command_shows_costs_beside_the_outcome(club: tuple[Path, list[ev.Event]]) -> None:
    path, _ = club
    listed = CliRunner().invoke(main, ["matches", "--db", str(path)]).output.splitlines()
    match = next(line for line in listed if "diamonds-draw" in line)[:36]
    told = CliRunner().invoke(main, ["review", match, "--db", str(path)])
    assert told.exit_code == 0, told.output
    assert "gave up" in told.output
    account = json.loads(CliRunner().invoke(main, ["review", match, "--hand", "1", "--json", "--db", str(path)]).output)
    assert [hand["hand"] for hand in account["hands"]] == [1]


def test_a_thorough_review_is_kept_beside_the_usual_one_and_named(tmp_path: Path) -> None:
    few = Method(THOROUGH.edition, 4, 2)
    with recorded(tmp_path / "club.db", evening("euchre", hands=1)) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        (hand,) = store.hands()
        for method in (few, QUICK):
            assert stored_review(hand, store, method).unreviewed
            assert [*compute([hand], store, method)] == [(hand, None)]
        assert accounts.pending_reviews(store, "euchre") == 0
        usual, thorough = (stored_review(hand, store, method).decisions for method in (USUAL, THOROUGH))
        assert None not in (usual, thorough)
        assert usual != thorough
        told = [accounts.of_match(store, hand.match, *method) for method in ((), (THOROUGH,))]
        assert [one["basis"]["review"] for one in told] == ["review-4", "review-4-thorough"]
        assert [one["hands"][0]["decisions"] == told[0]["hands"][0]["decisions"] for one in told] == [True, False]


def test_a_hand_that_cannot_be_played_again_is_named_and_the_others_are_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "club.db"
    with recorded(path, evening("euchre", hands=2)), monkeypatch.context() as patch:
        seen: list[object] = []

        def refused(*of: Any) -> list[Decision]:
            seen.append(of)
            if len(seen) == 1:
                raise RuleError("table.phase", "the auction is not over")
            return review(*of[:3], QUICK)

        patch.setattr(reviews, "review", refused)
        done = CliRunner().invoke(main, ["luck", "--reviews", "--db", str(path)])
    assert done.exit_code == 0, done.output
    assert ", hand 1: left out, bots cannot play it again: table.phase: the auction is not over\n" in done.stderr
    with Ledger(path) as ledger, LuckStore(ledger) as store:
        first, second = (stored_review(hand, store) for hand in store.hands())
        assert (first.unreviewed, second.unreviewed) == (True, False)


def test_reviews_of_a_file_that_kept_one_for_each_hand_stay_readable(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", n=3, hands=1)) as ledger:
        with LuckStore(ledger) as store:
            store.catch_up()
            (hand,) = store.hands()
            store.keep_review(hand.match, hand.hand, EDITION, [[1, 0, "play", "2C", "3C", 2, 0.5, 0.1]], [])
        with closing(sqlite3.connect(tmp_path / "club.luck.db")) as db:
            db.executescript(
                """CREATE TABLE old (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL,
                decisions TEXT NOT NULL, draws TEXT NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID;
                INSERT INTO old SELECT * FROM reviews; DROP TABLE reviews; DROP TABLE puzzles; DROP TABLE weighed; ALTER TABLE old RENAME TO reviews;
                PRAGMA user_version = 3;"""
            )
        with LuckStore(ledger) as store:
            (decision,) = stored_review(hand, store).decisions or ()
            assert decision.cost == 0.5
            store.keep_review(hand.match, hand.hand, THOROUGH.edition, [], [])
            assert stored_review(hand, store).decisions == [decision]


def test_the_command_says_where_the_reference_of_a_thorough_review_is_not_known_to_be_stronger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardledger.study.stats.review.reviews.review", lambda *_: [])
    with recorded(tmp_path / "club.db", [*evening("euchre", hands=1), *evening("ruff", n=3, hands=1)]) as ledger:
        told = {}
        for match in ledger.matches():
            words = ["review", match, "--thorough", "--db", str(tmp_path / "club.db")]
            told[ledger.stream(match).table.game.id] = CliRunner().invoke(main, words)
    assert [one.exit_code for one in told.values()] == [0, 0]
    assert "euchre: the Monte Carlo bot is not known to be stronger" in told["euchre"].output
    assert "not known" not in told["ruff"].output


@pytest.mark.long
def test_costs_of_a_player_are_those_of_the_decisions(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("ruff", matches=2, hands=2)) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        found = store.hands()
        assert all(stored_review(hand, store).pending for hand in found)
        for _ in compute(found, store, QUICK):
            pass
        reviews = [stored_review(hand, store) for hand in found]
        players = store.players("game = ?", ("ruff",))
        told = by_player(reviews, players)
        for one in told:
            costs = [
                each.cost(seat) for each in reviews for seat in range(4) if players[each.hand.match, seat] == one.player
            ]
            assert one.cost == pytest.approx(sum(costs) / len(costs))
        (costly, *_) = [*KINDS["costliest"](store, "ruff", 1)] or [None]
        if costly is not None:
            assert costly.amount == max(each.cost for one in reviews for each in one.decisions or () if each.bad)
