"""Events that come all at once give the match that they give one by one, whatever is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError, RuleError
from cardledger.rules import games
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import begin
from cardledger.rules.engine.phases import TrickPlay
from cardledger.rules.engine.phases.whole_tricks import play_tricks
from cardledger.rules.stream import Stream
from tests.tables import SIZES, Policy, any_match, hide, opening, state

WHOLE = [
    id
    for id, game in games.games().items()
    if any(isinstance(phase, TrickPlay) and phase.whole for phase in game.phases)
]
"""Games whose tricks follow each other."""


def folded(events: list[ev.Event], ends: list[int], audit: bool) -> tuple[Stream, tuple[object, ...] | None]:
    """Return the stream of a match that comes in parts, which end at these places, and what was refused."""
    stream, start = Stream(events[0], audit), 1
    try:
        for end in ends:
            stream.extend(events[start:end])
            start = end
    except (LedgerError, TypeError) as error:  # a list for a card is nothing that a file can say
        return stream, (type(error), str(error), getattr(error, "legal", None))
    return stream, None


def seen(stream: Stream) -> tuple[object, ...]:
    """Return all that can be seen of a stream."""
    table, chains = stream.table, [chain[0] for chain in stream.heads]
    moment = table.seq, table.phase, table.playing, table.lead, table.follow
    return state(table), moment, stream.events, chains, stream.corrections, stream.amended


def corrected(events: list[ev.Event], rng: Random) -> list[ev.Event]:
    """Return a match with a note, an amend that changes nothing, and events taken back and recorded again."""
    at = rng.randrange(2, len(events) + 1)
    back = rng.randrange(1, at)
    again = events[back:at]
    note = ev.Note(text="again", about=back)
    same = ev.Amend(about=at, event=events[at - 1]) if at > 1 else note
    return [*events[:at], note, same, ev.Retract(to=back), *again, *events[at:]]


def spoilt(events: list[ev.Event], rng: Random) -> list[ev.Event]:
    """Return a match with an event that says something else: a card, a seat or a number."""
    plays = [place for place, event in enumerate(events) if isinstance(event, ev.Play)]
    if not plays:
        return events
    place = rng.choice(plays)
    others: list[dict[str, Any]] = [
        {"card": rng.choice([event.card for event in events if isinstance(event, ev.Play)])},
        {"card": "?"},
        {"card": ["2C"]},
        {"seat": rng.randrange(-1, 8)},
        {"seq": rng.randrange(1, len(events))},
    ]
    wrong = msgspec.structs.replace(events[place], **rng.choice(others))
    return [*events[:place], wrong, *events[place + 1 :]]


@given(
    st.sampled_from(SIZES), st.integers(0, 2**32), st.sampled_from(["strict", "record"]), st.sampled_from([0, 0.03, 0.3])
)  # fmt: skip
@settings(max_examples=250)
def test_events_at_once_give_what_they_give_one_by_one(
    game: tuple[str, int], seed: int, policy: Policy, wild: float
) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy, wild=wild, events=rng.randrange(20, 160))
    if rng.random() < 0.2:
        events = hide(events, policy)
    if rng.random() < 0.3:
        events = corrected(events, rng)
    if rng.random() < 0.5:
        events = [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(events, 1)]
    if rng.random() < 0.5:
        events = spoilt(events, rng)
    audit, number = rng.random() < 0.2, len(events)
    one_by_one, refused = folded(events, [*range(1, number + 1)], audit)
    for ends in ([number], [*sorted(rng.choices(range(1, number), k=5)), number]):
        at_once, refused_at_once = folded(events, ends, audit)
        assert refused_at_once == refused
        assert seen(at_once) == seen(one_by_one)


@pytest.mark.parametrize("game", WHOLE)
def test_regular_tricks_are_played_whole(game: str) -> None:
    """Or else nothing is gained: of the plays of sensible players, most are."""
    whole = plays = 0
    for events in league(game, 4, 1, 2, ("cautious",), max_hands=2):
        stream, at = Stream(events[0]), 1
        while at < len(events):
            table, begun = stream.table, at
            if table.playing is not None and not table.hand.trick:
                at = play_tricks(table, table.playing, stream.events, events, at)
                whole += at - begun
            if at == begun:
                stream.append(events[at])
                at += 1
        assert stream.events == events
        plays += sum(isinstance(event, ev.Play) for event in events)
    assert whole > 0.7 * plays


def test_a_trick_that_cannot_end_lacks_its_last_card_only() -> None:
    """A rule of a game may fail: what came before the event that it failed on is recorded."""

    def fails(match: Any) -> str | None:
        raise RuleError("match.target", "there is no end")

    whist = games.game("whist")
    game = replace(whist, scoring=replace(whist.scoring, over=fails))
    (events,) = league("whist", 4, 1, 1, ("cautious",), max_hands=1)
    stream = Stream(opening("whist", 4), begin=lambda event: begin(game, event))
    with pytest.raises(RuleError, match="there is no end"):
        stream.extend(events[1:])
    last = max(seq for seq, event in enumerate(events, 1) if isinstance(event, ev.Play))
    assert (stream.seq, stream.table.seq) == (last - 1, last)
    assert stream.events[1:] == events[1 : last - 1]
