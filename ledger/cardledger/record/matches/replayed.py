"""A hand with all its positions in one value, as the API answers it: on a server, and in a browser without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from cardledger.record.matches.describe import event_in_words
from cardledger.record.matches.hand_replay import HandReplay, ended_by
from cardledger.record.matches.seat_view import full_view, seat_of, seat_view
from cardledger.record.matches.withholding import redacted
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match

if TYPE_CHECKING:
    from cardledger.record.matches.hand_replay import Step
    from cardledger.rules.engine.game import Game
    from cardledger.rules.stream import Stream

OF_ALL_STEPS = ("match", "view", "seq", "counted", "game", "players", "violations")
"""Keys of a table that a replay gives once or not at all."""
Words = Callable[[ev.Event, Match[Any], Sequence[str]], str]
"""Says an event of a match, with the names of its players."""


class Veil(Protocol):
    """What readers may not see yet (`cardledger.record.recording.secrecy.Secrets`)."""

    def covers(self, seq: int) -> bool:
        """Tell whether the cards of an event are secret."""
        ...

    def public(self, event: ev.Event, seq: int) -> ev.Event:
        """Return an event as readers may see it."""
        ...


def in_english(event: ev.Event, _table: Match[Any], names: Sequence[str]) -> str:
    """Say an event in English."""
    return event_in_words(event, names)


def replayed(
    match: str,
    stream: Stream,
    events: Sequence[ev.Event],
    number: int,
    names: Sequence[str],
    *,
    view: str = "all",
    secrets: Veil | None = None,
    words: Words = in_english,
) -> dict[str, Any]:
    """Return a hand of a match event by event.

    Args:
        match: the id of the match.
        stream: the match, judged.
        events: its events as recorded.
        number: the number of the hand.
        names: what the players are called, by seat.
        view: `all`, `spectator`, or the number of a seat.
        secrets: what the reader may not see, None for a reader who may see all of it.
        words: says an event.

    Raises FormatError `format.value` for what is no view.
    """
    replay = HandReplay(stream, events, number)
    table, hand = stream.table, replay.hand
    steps, ends = _steps(replay, seat_of(view, table), secrets, lambda event: words(event, table, names), names)
    tricks = hand.tricks if hand else []
    return {
        "match": match,
        "game": table.game.id,
        "players": table.players,
        "names": [*names],
        "status": table.status,
        "seq": stream.seq,
        "hand": number if hand else 0,
        "hands": len(table.hands),
        "hidden": hand is not None and hand.hidden,
        "ended_by": hand and ended_by(hand),
        "end": hand and hand.last,
        "scores": hand and hand.scores,
        "view": view,
        "first": replay.first,
        "last": replay.last,
        "tricks": [
            {"leader": seats[0], "seats": seats, "cards": [table.pack.faces[card] for card in cards]}
            | {"taker": taker, "rule": rule, "seq": seq, "back": back}
            for (seats, cards, taker, rule), (seq, back) in zip(tricks, ends, strict=True)
        ],
        "amendments": [
            msgspec.to_builtins(events[number - 1] if secrets is None else secrets.public(events[number - 1], number))
            for number in replay.amendments
        ],
        "steps": steps,
    }


def _steps(
    replay: HandReplay,
    seat: int | None,
    secrets: Veil | None,
    words: Callable[[ev.Event], str],
    names: Sequence[str],
) -> tuple[list[dict[str, Any]], list[tuple[int, bool]]]:
    """Return the steps of a hand as a seat sees them, and for each trick its last event and whether its cards went back."""
    steps: list[dict[str, Any]] = []
    ends: list[tuple[int, bool]] = []
    shown: dict[str, Any] = {}
    left = 0
    for step, table in replay.tables():
        hand = table.hand
        state = {} if shown and step.counts is None else full_view(table) if seat is None else seat_view(table, seat)
        if not hand.over and len(hand.tricks) > len(ends):
            ends.append((step.seq, hand.tricks[-1][2] is None and hand.tricks_left == left))
        left = hand.tricks_left
        # Copied at once: the table goes on changing.
        seen = msgspec.to_builtins({key: value for key, value in state.items() if key not in OF_ALL_STEPS})
        changed = {key: value for key, value in seen.items() if key not in shown or shown[key] != value}
        shown |= changed
        steps.append(_shown(step, words, seat, secrets, table.game) | {"tricks": len(ends), "table": changed})
    rulings, book = replay.rulings(), table.game.book
    for item in steps:
        shown_rulings = [] if item["withheld"] else rulings.get(item["seq"], [])
        item["rulings"] = [
            {
                "rule": ruling.rule,
                "verdict": ruling.verdict,
                "text": ruling.with_names(names).text if seat is None else book[ruling.rule].text,
            }
            for ruling in shown_rulings
        ]
    return steps, ends


def _shown(
    step: Step, words: Callable[[ev.Event], str], seat: int | None, secrets: Veil | None, game: Game[Any]
) -> dict[str, Any]:
    """Return a step without its table, as a seat may see it."""
    event, counts = _seen(step.event, seat, game), step.counts and _seen(step.counts, seat, game)
    if secrets is not None:
        event, counts = secrets.public(event, step.seq), counts and secrets.public(counts, step.seq)
    amended = {"recorded": words(_as_dealt(event, step.event))} if counts and step.by is not None else {}
    return {
        "seq": step.seq,
        "event": msgspec.to_builtins(event),
        "counts": counts and msgspec.to_builtins(counts),
        "role": step.event.role,
        "words": words(_as_dealt(counts or event, step.counts or step.event)),
        "by": step.by,
        "withheld": secrets is not None and secrets.covers(step.seq),
    } | amended


def _as_dealt(shown: ev.Event, whole: ev.Event) -> ev.Event:
    """Return an event as it is said; a deal with hidden hands is described as recorded."""
    if isinstance(shown, ev.Deal) and shown != whole:
        return msgspec.structs.replace(shown, hands=())
    return shown


def _seen(event: ev.Event, seat: int | None, game: Game[Any]) -> ev.Event:
    """Return an event as a seat sees it, SPECTATOR, or None for all."""
    if seat is None or seat in (getattr(event, "seat", None), getattr(event, "to", None)):
        return event
    if isinstance(event, ev.Amend) and seat in (getattr(event.event, "seat", None), getattr(event.event, "to", None)):
        return event
    return redacted(event, game)
