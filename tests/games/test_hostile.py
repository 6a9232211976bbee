"""Any event is accepted, or refused with a code of the rulebook; nothing else ever happens."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.matches.replay import result
from cardledger.rules import games
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.editions import newest
from cardledger.rules.engine.table_view import state
from tests.games.folding import hide
from tests.games.options import any_options
from tests.tables import opening, step
from tests.thorough import many

SIZES = [(id, n) for id, known in games.editions().items() for n in newest(known).players]
WORDS = ("pass", "nil", "blind nil", "order up", "hearts", "spades alone", "alone", "1NT", "")


def anything(match: Any, rng: Random) -> ev.Event:
    """Return an event of any kind, with contents by chance, some of it close to what would fit."""
    n, faces = match.n, match.pack.faces

    def seat() -> int:
        turn = match.hand.turn if match.hand.turn is not None else rng.randrange(n)
        return turn if rng.random() < 0.6 else rng.randrange(-1, n + 1)

    def card() -> str:
        held = match.pack.list(match.may_hold(rng.randrange(n)))
        return rng.choice(held if held and rng.random() < 0.6 else [*faces, "XX", ""])

    def cards(most: int) -> tuple[str, ...]:
        return tuple(card() for _ in range(rng.randrange(most)))

    def numbers() -> tuple[int, ...]:
        return tuple(rng.randrange(-1, 14) for _ in range(n if rng.random() < 0.8 else rng.randrange(9)))

    kinds: list[Any] = [
        lambda: ev.Play(seat=seat(), card=card()),
        lambda: ev.Bid(seat=seat(), amount=rng.randrange(-2, 20)),
        lambda: ev.Call(seat=seat(), call=rng.choice(WORDS)),
        lambda: ev.Pass(seat=seat()),
        lambda: ev.Draw(seat=seat(), source=rng.choice(("stock", "discards")), cards=cards(4)),
        lambda: ev.Discard(seat=seat(), card=rng.choice((card(), None))),
        lambda: ev.Close(seat=seat(), card=card()),
        lambda: ev.Layoff(seat=seat(), card=card()),
        lambda: ev.Collect(seat=seat(), source=seat()),
        lambda: ev.Ask(seat=seat(), source=seat(), suit=rng.choice(("C", "D", "H", "S"))),
        lambda: ev.Give(seat=seat(), to=seat(), card=card()),
        lambda: ev.Give(seat=seat(), to=seat(), cards=rng.choice((cards(5), None))),
        lambda: ev.Claim(tricks=numbers()),
        lambda: ev.Claim(tricks=(match.hand.tricks_left, *[0] * (n - 1)), seat=rng.choice((None, seat()))),
        lambda: ev.Score(scores=numbers()),
        lambda: ev.Adjust(kind="penalty", law="x", points=3),
        lambda: ev.Deal(
            dealer=rng.choice((None, seat())),
            starter=rng.choice((None, None, seat())),
            hands=rng.choice((None, tuple(cards(14) for _ in range(n)))),
            aside=rng.choice((None, cards(4))),
            upcard=rng.choice((UNSET, None, card())),
            stock=rng.choice((None, None, cards(20))),
        ),
    ]
    event: ev.Event = rng.choice(kinds)()
    return event


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=many(40, 400))
def test_an_event_is_taken_or_refused_by_a_rule(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    match = games.start(
        opening(*game, rng.choice(("strict", "record")), **any_options(*game, rng))  # type: ignore[arg-type]
    )
    match.trail = []
    refused: list[LedgerError] = []
    seq, hidden = 1, rng.random()
    while seq < 120 and match.status == "open":
        event = anything(match, rng) if rng.random() < 0.5 else step(match, rng, 0.2)
        if rng.random() < hidden:
            (event,) = hide([event])
        try:
            match.apply(event, seq + 1)
        except (FormatError, RuleError) as error:
            refused.append(error)
        else:
            seq += 1
        result(match)
        state(match)
    book = match.game.book
    assert all(error.message and (error.code in book or error.code.startswith("format.")) for error in refused)
    assert all(ruling.rule in book for ruling in match.trail)
