"""Judging hidden hands: a hand played out is judged on all its cards, one cut short on the cards shown in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from cardledger.rules.engine.hidden import World
    from cardledger.rules.engine.match import Match


def stand(match: Match[Any]) -> None:
    """Keep a copy of the match before the next phase: a hidden hand will be judged from here."""
    for world in match.worlds:
        world.stand()
    match.since = []
    match.base = None
    match.base = match.copy()


def judge_played_out(match: Match[Any], world: World) -> None:
    """Replay a hidden hand with the cards that its plays revealed, and keep the result.

    A breach is recorded even under `strict`, as it can no longer be refused.
    """
    judged = match.base.copy()
    hand = judged.hand
    hand.held = world.dealt.copy()
    hand.aside = hand.deck & ~sum(world.dealt)
    judged.worlds = []
    judged.hidden, judged.judges, judged.hindsight, judged.strict = False, True, True, False
    judged.next_phase()
    for event, seq in match.since:
        judged.apply(event, seq)
    judged.hindsight, judged.strict = False, match.strict
    match.become(judged)


def judge_cut(match: Match[Any]) -> None:
    """Judge a hidden hand that is cut short, if the edition does so.

    Each event is judged as if the seat had held exactly the cards shown at that moment: those that it plays or gives
    away with their next move. More cards never make a card legal, so a breach found this way is certain. The events
    stay as recorded.
    """
    if not match.hidden or not match.game.judges_cut:
        return
    since = match.since[:-1]  # without the event that cuts the hand short
    shown = cards_shown(match, [event for event, _ in since])
    judged = match.base.copy()
    judged.judges, judged.hindsight, judged.strict = True, True, False
    for event, _ in since:
        if isinstance(event, ev.Play):
            judged.played_before_cut |= match.pack.mask[event.card]
    judged.next_phase()
    for (event, seq), held in zip(since, shown, strict=True):
        judged.hand.held = held
        judged.apply(event, seq)
    judged.hand.held = [0] * match.n
    judged.judges, judged.hindsight, judged.strict, judged.played_before_cut = False, False, match.strict, 0
    judged.seq, judged.base = match.seq, match.base
    judged.since.append(match.since[-1])
    match.become(judged)


def cards_shown(match: Match[Any], events: list[ev.Event]) -> list[list[int]]:
    """Return for each event the cards shown by seat at that moment; of twins the lowest stands for all."""
    mask, of = match.pack.mask, match.pack.of
    shown = [0] * match.n
    moments = []
    for event in reversed(events):
        if isinstance(event, ev.Play):
            shown[event.seat] |= of[event.card][1]
        elif isinstance(event, ev.Give):
            faces = event.cards if isinstance(event.cards, tuple) else (event.card,) if event.card else ()
            for face in faces:
                shown[event.to] &= ~mask[face]
                shown[event.seat] |= of[face][1]
        elif isinstance(event, ev.Draw):
            if event.cards is None:  # each card shown later may be one of those drawn
                shown[event.seat] = 0
            for face in event.cards or ():
                shown[event.seat] &= ~mask[face]
        moments.append(shown.copy())
    return moments[::-1]
