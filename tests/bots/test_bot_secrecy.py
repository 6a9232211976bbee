"""Bots look at nothing their seat cannot see: changing every card it has not seen changes no choice."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.rules.bots import BOTS
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.bots import Bot
    from cardledger.rules.engine.match import Match

EVERY = 3
"""One decision out of so many is examined."""


@pytest.mark.parametrize("name", ["random", "cautious"])
@pytest.mark.parametrize(("game", "n"), [(game.id, n) for game in games().values() for n in game.players])
def test_cards_not_seen_change_no_choice(game: str, n: int, name: str) -> None:
    found = [*same_choices(BOTS[name], game, n, name)]
    assert len(found) > 5
    assert all(found)


def test_a_bot_that_peeks_is_found_out() -> None:
    def peeking(table: Any, rng: Random) -> ev.Event:
        assert table.hand.turn is not None
        del rng
        own, next_hand = (table.hand.held[(table.hand.turn + i) % table.n] for i in (0, 1))
        cards = table.pack.list(own)
        return ev.Play(seat=table.hand.turn, card=cards[next_hand % len(cards)])

    assert not all(same_choices(peeking, "diversity", 4, "random"))


def same_choices(bot: Bot, game: str, n: int, played_by: str) -> Iterator[bool]:
    """Yield for decisions of a match whether the bot chooses the same in a world that looks the same to its seat."""
    rng = Random(f"{game}/{n}")
    options = {"boards": 4} if game == "bridge" else {}
    events = simulate(game, n, rng, [played_by], options, max_hands=4)
    stream = Stream(events[0])
    for place, event in enumerate(events[1:], 1):
        if place % EVERY == 0 and not stream.table.hand.over:
            other = world_like(events[:place], stream.table, rng)
            if may_do(stream.table) == may_do(other):
                yield bot(stream.table, Random(place)) == bot(other, Random(place))
        stream.append(event)


def may_do(table: Match[Any]) -> list[object]:
    """Return what the seat to act may do as far as it can tell.

    Where that differs, so would its knowledge: in `diamonds-draw`, a diamond that others threw in is no ruff in a
    world in which it would have been a revoke, and does not allow to lead diamonds.
    """
    choices = table.choices()
    return [choice.sources if choice.type == "draw" else choice for choice in choices]


def world_like(events: list[ev.Event], table: Any, rng: Random) -> Match[Any]:
    """Return the table as it would be, had the cards unseen by the seat to act lain otherwise.

    All cards it has not seen are exchanged throughout the hand's record. That may make plays of others irregular
    (they seem to revoke), so the policy is `record`.
    """
    deal_at = max(i for i, event in enumerate(events) if isinstance(event, ev.Deal))
    deal, hand = events[deal_at], events[deal_at + 1 :]
    assert isinstance(deal, ev.Deal)
    assert deal.hands is not None
    seat = table.choices()[0].seat
    shown = {seat, table.hand.acts_for[seat], *(one for one in range(table.n) if table.hand.open_hands >> one & 1)}
    seen = {*(face for one in shown for face in deal.hands[one]), *(deal.aside or ()), deal.upcard}
    for event in hand:
        seen.add(getattr(event, "card", None))
        if isinstance(event, ev.Draw) and (event.seat == seat or event.source == "discards"):
            seen.update(event.cards)
        if (
            isinstance(event, ev.Give)
            and isinstance(event.cards, tuple)
            and event.to == seat
            and table.hand.turn == seat
        ):
            seen.update(event.cards)
    closer = getattr(table.hand, "closer", -1)
    if closer >= 0:
        seen.update(table.pack.list(table.hand.held[closer]))
    # Faces of which there are two copies change places among themselves.
    dealt = (*deal.hands, deal.stock or (), deal.aside or (), (deal.upcard,) if deal.upcard else ())
    copies = Counter(face for faces in dealt for face in faces)
    becomes = {face: face for face in copies}
    for number in set(copies.values()):
        unseen = sorted(face for face in copies if copies[face] == number and face not in seen)
        becomes.update(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))

    def changed(faces: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(becomes[face] for face in faces)

    stream = Stream(msgspec.structs.replace(events[0], policy="record"))
    for event in events[1:deal_at]:
        stream.append(event)
    hands = tuple(changed(faces) for faces in deal.hands)
    stream.append(msgspec.structs.replace(deal, hands=hands, stock=deal.stock and changed(deal.stock)))
    for event in hand:
        drawn = isinstance(event, ev.Draw) or isinstance(event, ev.Give) and isinstance(event.cards, tuple)
        stream.append(msgspec.structs.replace(event, cards=changed(event.cards)) if drawn else event)
    return stream.table
