"""What a seat may imagine: a deal that is the same to it, moves of others in it, and nothing of what they truly held."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import LedgerError, RuleError
from cardledger.record.matches.seat_view import seat_view
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.chance import Chance
from cardledger.rules.games import games
from cardledger.rules.knowledge import PossibleDeals
from cardledger.rules.knowledge.imagined import DRAWS, Imagined, possible_faces
from cardledger.rules.stream import Stream
from tests.conftest import EVERYDAY
from tests.tables import Sitting

if TYPE_CHECKING:
    from collections.abc import Iterator


def moments(game: str, seed: int, every: int) -> Iterator[tuple[list[ev.Event], Stream, int]]:
    """Yield the events up to moments of a match between bots, the match then, and a seat."""
    sizes, rng = games()[game].sizes, Random(seed)
    events = [*simulate(game, rng.choice(sizes), rng, ["random"], max_hands=2)]
    for at in range(2, len(events) + 1, every):
        stream = Stream.of(events[:at])
        if any(stream.table.hand.held) and not stream.table.hand.over and not stream.table.hidden:
            yield events[:at], stream, rng.randrange(stream.table.n)


@pytest.mark.parametrize("game", EVERYDAY)
def test_an_imagined_deal_is_the_same_to_the_seat_and_breaks_no_other_rule(game: str) -> None:
    imagined, other, codes = 0, 0, set[str]()
    for seed in range(3):
        for events, true, seat in moments(game, seed, 11):
            try:
                stream = Imagined(events, seat).stream(Chance.of(f"{seed}"))
            except RuleError as error:
                codes.add(error.code)
                continue
            imagined += 1
            other += stream.table.hand.held != true.table.hand.held
            assert seat_view(stream.table, seat) == seat_view(true.table, seat)
            assert [one[:4] for one in stream.table.violations] == [one[:4] for one in true.table.violations]
    assert codes <= {"table.holding"}
    assert imagined > 5
    assert other > imagined / 3, "most moments leave something open"


@pytest.mark.parametrize("game", EVERYDAY)
def test_what_another_player_can_do_as_far_as_a_seat_knows_can_be_tried(game: str) -> None:
    tried, refused = 0, list[str]()
    for seed in range(3):
        for events, true, seat in moments(game, seed, 13):
            turn = true.table.hand.turn
            kinds = {choice.type for choice in true.table.choices()}
            if turn is None or "play" not in kinds or seat in (turn, true.table.hand.acts_for[turn]):
                continue
            face = Random(seed).choice(possible_faces(true, seat, turn))
            try:
                after = Imagined(events, seat).tried([ev.Play(seat=turn, card=face)], "seed")
            except LedgerError as error:
                refused.append(error.code)
                continue
            tried += 1
            assert after.events[-1] == ev.Play(seat=turn, card=face)
            assert len(after.table.violations) == len(true.table.violations)
    assert tried >= len(refused)
    assert all(code in games()[game].book for code in refused)


def test_what_is_tried_says_nothing_of_what_they_truly_held() -> None:
    """Two deals that differ in cards which the seat has not seen: the same moves are shown in the same way."""
    one = Sitting("whist", 4).deal("2C 3C", "4C 5C 2H", "6C 7C 2D", "8C 9C 2S", dealer=3)
    two = Sitting("whist", 4).deal("2C 3C", "4C 5C 2H", "6C 9C 2D", "8C 7C 2S", dealer=3)
    assert one.table.hand.held != two.table.hand.held
    clubs = [face for face in possible_faces(one.stream, 0, 1) if face[-1] == "C"]
    moves = [ev.Play(seat=0, card="2C"), ev.Play(seat=1, card=clubs[-1])]
    shown = []
    for sitting in (one, two):
        events = [*sitting.stream.events]
        assert seat_view(sitting.table, 0) == seat_view(one.table, 0)
        shown.append(seat_view(Imagined(events, 0).tried(moves, "seed").table, 0))
    assert shown[0] == shown[1]


def test_a_void_that_a_line_shows_holds_in_it() -> None:
    """Who does not follow in a line has no card of the suit later in it."""
    match = Sitting("whist", 4).deal("2C 3C 4C", dealer=3)
    events = [*match.stream.events]
    seat_one = [face for face in possible_faces(match.stream, 0, 1) if face[-1] == "H"]
    line: list[ev.Event] = [ev.Play(seat=0, card="2C"), ev.Play(seat=1, card=seat_one[0])]
    after = Imagined(events, 0).tried(line, "seed")
    assert not any(face.endswith("C") for face in possible_faces(after, 0, 1))


def test_own_moves_are_judged_and_said() -> None:
    match = Sitting("whist", 4).deal("2C 3D", dealer=3)
    imagined = Imagined([*match.stream.events], 0)
    with pytest.raises(RuleError) as refused:
        imagined.tried([ev.Play(seat=0, card="2C"), ev.Play(seat=0, card="3D")], "seed")
    assert (refused.value.code, refused.value.index) == ("table.turn", 1)


def test_where_no_cards_were_recorded_nothing_is_imagined() -> None:
    match = Sitting("whist", 4).deal(hidden=True)
    with pytest.raises(RuleError, match="not recorded"):
        Imagined([*match.stream.events], 0)


def test_what_a_refused_line_showed_is_forgotten() -> None:
    """A line is tried again without the move that was refused: what that move would have shown binds nobody."""
    match = Sitting("whist", 4).deal("2C 3D", dealer=3)
    moves = [ev.Play(seat=0, card="2C")]
    fresh = Imagined([*match.stream.events], 0).tried(moves, "seed")
    again = Imagined([*match.stream.events], 0)
    other = next(face for face in possible_faces(match.stream, 0, 1) if face[-1] == "H")
    with pytest.raises(RuleError):
        again.tried([*moves, ev.Play(seat=1, card=other), ev.Play(seat=1, card=other)], "seed")
    assert again.tried(moves, "seed").table.hand.held == fresh.table.hand.held


def test_so_many_deals_are_drawn_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = PossibleDeals.draw
    monkeypatch.setattr(PossibleDeals, "draw", lambda self, chance: drawn.append(1) or draw(self, chance))
    monkeypatch.setattr(Imagined, "played", lambda *_: False)
    match = Sitting("whist", 4).deal(dealer=3)
    with pytest.raises(RuleError, match="no deal was found"):
        Imagined([*match.stream.events], 0).tried([], "seed")
    assert len(drawn) == DRAWS
