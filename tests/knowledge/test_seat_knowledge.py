"""What a seat can know: the true deal always fits, shares are right on average, and nothing hidden is used."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import RuleError
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.unseen import without_unseen
from cardledger.rules.games import games
from cardledger.rules.knowledge import SeatKnowledge, knowledge
from cardledger.rules.stream import Stream
from tests.conftest import EVERYDAY, SAMPLES
from tests.tables import Sitting, ending, hide

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = {"diamonds-draw": 3}


def moments(
    game: str, seed: int, every: int, hands: int = 1
) -> Iterator[tuple[Stream, SeatKnowledge, list[list[str]]]]:
    """Yield what seats know at moments of a match between bots, with the cards that each seat truly holds."""
    n = SIZES.get(game, 4 if 4 in games()[game].players else games()[game].players[0])
    events = simulate(game, n, Random(seed), ["random"], max_hands=hands)
    for at in range(2, len(events) + 1, every):
        stream = Stream.of(events[:at])
        hand = stream.table.hand
        if not any(hand.held) or hand.hidden:
            continue
        faces = stream.table.pack.faces
        truth = [[faces[card] for card in cards_in(held)] for held in hand.held]
        yield stream, knowledge(stream, at % n), truth


def fits(known: SeatKnowledge, truth: list[list[str]]) -> bool:
    """Tell whether the true deal is one of those that knowledge counts."""
    left = [[*cards] for cards in truth]
    for seat, cards in enumerate(known.known):
        for face in cards:
            left[seat].remove(face)
    for seat, cards in enumerate(left):
        may = [one.face for one in known.unseen if one.shares.get(seat, 0) > 0]
        for face in cards:
            if face not in may:
                return False
            may.remove(face)
    return True


@pytest.mark.parametrize("game", EVERYDAY)
def test_the_true_deal_is_never_excluded_and_numbers_add_up(game: str) -> None:
    for seed in range(2):
        for _, known, truth in moments(game, seed, 7):
            assert known.deals >= 1
            assert fits(known, truth), known
            for place, size in enumerate(known.sizes):
                assert sum(one.shares.get(place, 0) for one in known.unseen) == pytest.approx(size)
            for one in known.unseen:
                assert sum(one.shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("game", EVERYDAY)
def test_what_somebody_does_not_hold_is_named_with_the_event_that_showed_it(game: str) -> None:
    for stream, known, _ in moments(game, 3, 5):
        for denial in known.denials:
            assert 1 < denial.seq <= stream.seq
            assert denial.seat != known.seat
            assert not any(one.shares.get(denial.seat) for one in known.unseen if one.face in denial.faces)
        barred = {(each.seat, face) for each in known.denials for face in each.faces}
        for one in known.unseen:
            for seat, size in enumerate(known.sizes[:-1]):
                if size and seat not in one.shares and 0 < max(one.shares.values()) < 1:
                    told = (seat, one.face) in barred
                    full = [other for other in known.unseen if other.shares.get(seat) == 1]
                    assert told or len(full) == size, (one, seat)


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(games()))
def test_the_true_deal_is_never_excluded_in_any_game(game: str) -> None:
    number = 0
    for seed in range(60):
        for _, known, truth in moments(game, seed, 1, hands=2):
            number += 1
            assert fits(known, truth), (seed, known)
    print(f"{game}: {number} moments")  # noqa: T201


def test_who_did_not_follow_suit_cannot_hold_the_suit() -> None:
    rng = Random(5)
    for _ in range(20):
        events = simulate("whist", 4, rng, ["random"], max_hands=1)
        for at, event in enumerate(events, 1):
            stream = Stream.of(events[:at])
            hand = stream.table.hand
            if isinstance(event, ev.Play) and len(hand.trick) > 1 and event.card[-1] != _led(stream):
                other = (event.seat + 1) % 4
                for one in knowledge(stream, other).unseen:
                    if one.face[-1] == _led(stream):
                        assert event.seat not in one.shares
                return
    pytest.fail("nobody was void")


def test_a_revoke_that_came_to_light_denies_nothing_any_more() -> None:
    """Until a card of the suit is played, nobody knows of the revoke; from there on nothing follows from it."""
    match = Sitting("whist", 4, "record").deal("2C 3C", "4C 5C 2H 3H", "6C 7C", "8C 9C", dealer=3)
    for card in ("2C", "2H", "6C", "8C"):
        match.play(card)
    held = [one.shares for one in knowledge(match.stream, 0).unseen if one.face == "5C"]
    assert 1 not in held[0]
    assert [one.seat for one in knowledge(match.stream, 0).denials] == [1]
    leader = match.table.hand.turn
    while match.table.hand.turn != 1:
        match.play("3C" if match.table.hand.turn == 0 else "9C" if leader == match.table.hand.turn else "7C")
    match.play("4C")
    told = knowledge(match.stream, 0)
    assert told.denials == []
    assert all(1 in one.shares for one in told.unseen if one.face == "5C")
    hidden = knowledge(Stream.of(hide(match.stream.events, "record")), 0)
    assert hidden.denials == []
    assert any(1 in one.shares for one in hidden.unseen if one.face == "5C")


def _led(stream: Stream) -> str:
    return stream.table.pack.faces[stream.table.hand.trick[0]][-1]


def test_another_deal_of_what_is_unseen_changes_nothing_that_a_seat_knows() -> None:
    """Knowledge uses nothing hidden: cards that two others hold unseen may change hands."""
    events = simulate("whist", 4, Random(3), ["random"], max_hands=1)
    deal = next(at for at, event in enumerate(events) if isinstance(event, ev.Deal))
    hands = [[*hand] for hand in events[deal].hands]
    upcard = events[deal].upcard if hasattr(events[deal], "upcard") else None
    one = next(card for card in hands[1] if card != upcard)
    two = next(card for card in hands[2] if card != upcard)
    hands[1][hands[1].index(one)], hands[2][hands[2].index(two)] = two, one
    import msgspec

    other = [*events[:deal], msgspec.structs.replace(events[deal], hands=tuple(map(tuple, hands)))]
    assert knowledge(Stream.of(other), 0) == knowledge(Stream.of(events[: deal + 1]), 0)


def test_shares_are_right_on_average() -> None:
    """Over many deals, of the cards with a share of about p at a place, p are there."""
    bins = [[0.0, 0, 0] for _ in range(5)]
    for seed in range(10):
        for _, known, truth in moments("ruff", seed, 9):
            for one in known.unseen:
                for place, share in one.shares.items():
                    if place < len(truth) and share < 1:
                        cell = bins[min(int(share * 5), 4)]
                        cell[0] += share
                        cell[1] += one.face in truth[place]
                        cell[2] += 1
    for told, true, number in bins:
        if number > 200:
            assert true / number == pytest.approx(told / number, abs=0.06)


@pytest.mark.parametrize("game", EVERYDAY)
def test_of_cards_that_were_not_recorded_the_true_deal_is_never_excluded(game: str) -> None:
    for seed in range(2):
        for stream, known, truth in moments(game, seed, 9):
            at, n = stream.seq, stream.table.n
            hidden = Stream.of(hide(stream.events, "record"))
            if not hidden.table.hidden:
                continue
            told = knowledge(hidden, 0)
            assert not told.recorded
            assert fits(told, truth), (at, told)
            if not any(isinstance(event, ev.Draw | ev.Give) for event in stream.events):  # those name cards
                assert told.deals >= known.deals, "a seat that knows its own hand knows more"
            assert all(sum(one.shares.values()) == pytest.approx(1) for one in told.unseen)
            held = [len(cards) + size for cards, size in zip(told.known, told.sizes, strict=False)]
            if len(hidden.table.worlds) == 1:
                assert held == [len(cards) for cards in truth]
            assert knowledge(hidden, n - 1)._replace(seat=0) == told, "the same for all"


@pytest.mark.parametrize("game", sorted(games()))
def test_of_cards_that_nobody_recorded_everything_adds_up_in_any_game(game: str) -> None:
    """A scorer who sees no hand, no stock, and nothing that is passed or laid away face down."""
    rules, told = games()[game], 0
    n = SIZES.get(game, 4 if 4 in rules.players else rules.players[0])
    events = simulate(game, n, Random(1), ["random"], max_hands=1)
    hidden = [without_unseen(event, rules) for event in events]
    for at in range(3, len(events), 11):
        stream, truth = Stream.of(hidden[:at]), Stream.of(events[:at]).table
        if not stream.table.hidden or truth.hand.over or not any(truth.hand.held):
            continue
        known = knowledge(stream, 0)
        faces = truth.pack.faces
        assert fits(known, [[faces[card] for card in cards_in(held)] for held in truth.hand.held]), at
        assert all(sum(one.shares.values()) == pytest.approx(1) for one in known.unseen)
        told += 1
    assert told


def test_before_a_deal_there_is_nothing_to_know() -> None:
    events = [ev.Open(game="ruff", players=tuple("abcd"))]
    with pytest.raises(RuleError, match="nobody holds cards"):
        knowledge(Stream.of(events), 0)


def test_a_tie_that_may_have_left_the_hands_is_counted_both_ways() -> None:
    """Two worlds: the tied cards are back in the hands, or out of play; each counts as many deals as it has."""
    known = ending("R3 R3", "R4 Y5", "R4 G8").play("R3 R4 R4")
    hidden = Stream.of(hide(known.stream.events, "strict"))
    assert len(hidden.table.worlds) == 2
    told = knowledge(hidden, 0)
    assert fits(told, [["R3"], ["Y5"], ["G8"]])
    assert fits(told, [["R3", "R3"], ["R4", "Y5"], ["R4", "G8"]])


def test_it_is_shown_as_text_and_as_the_api_answers_it() -> None:
    file = SAMPLES / "diversity-club-night.jsonl"
    shown = CliRunner().invoke(main, ["replay", str(file), "--at", "20", "--known-to", "1"])
    assert shown.exit_code == 0, shown.output
    assert "ben has not seen 26 cards" in shown.stdout
    told = json.loads(
        CliRunner()
        .invoke(main, ["replay", str(file), "--at", "20", "--known-to", "1", "--json"])
        .stdout.splitlines()[0]
    )
    assert len(told["unseen"]) == 26 == sum(told["sizes"])
    refused = CliRunner().invoke(main, ["replay", str(file), "--at", "20", "--known-to", "9"])
    assert refused.exit_code == 2
    assert "table.range" in refused.output
