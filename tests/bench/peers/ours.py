"""Ours: the checked fold game by game, from events and from ints; states rebuilt from rows; hands appended."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from measured import Watch, speed

from ledger import events as ev
from ledger.corrections import Stream
from ledger.game import Game, TrickGame
from ledger.games import COMPILED, games, start
from ledger.ledger import Ledger
from ledger.matchfile import Match, read_file
from ledger.plays import play_on
from ledger.store.codec import decode

BUILD = "compiled" if COMPILED else "pure"
NO_DECISIONS = ev.Open | ev.Deal | ev.End


def main(folder: Path, what: str) -> None:
    """Measure."""
    if what == "append":
        append(folder)
        return
    for game in games().values():
        measure(game, [match.events for match in read_file(folder / f"{game.id}.jsonl") if isinstance(match, Match)])
    ledger = Ledger(folder / "ledger.db")
    events = sum(len(recording.lines) for recording in ledger.store.recordings())
    speed(f"{BUILD} rebuild", events, lambda: [Stream.of(decode(r.lines)) and None for r in ledger.store.recordings()])
    ledger.close()


def measure(game: Game, matches: list[list[ev.Event]]) -> None:
    """Measure the fold of a game's matches."""
    decisions = sum(not isinstance(event, NO_DECISIONS) for match in matches for event in match)
    speed(f"{BUILD} {game.id} table", decisions, lambda: [fold(match) for match in matches])
    speed(f"{BUILD} {game.id} stream", decisions, lambda: [Stream.of(match) and None for match in matches])
    if isinstance(game, TrickGame):
        numbers = [as_ints(match) for match in matches]
        speed(f"{BUILD} {game.id} ints", decisions, lambda: [fold_ints(*match) for match in numbers])


def fold(events: list[ev.Event]) -> None:
    """Fold a match event by event, as it is judged live."""
    first, *rest = events
    assert isinstance(first, ev.Open)
    apply = start(first).apply
    for seq, event in enumerate(rest, 2):
        apply(event, seq)


def as_ints(events: list[ev.Event]) -> tuple[list[int], list[int], list[tuple[int, ev.Event]]]:
    """Return a match as the packed form keeps it: by place who plays which card, in ints, and the other events with their places."""
    table: Any = Stream.of(events).table
    played = (
        ((leader + place) % table.n, card)
        for hand in table.hands
        for leader, cards, _, _ in hand.tricks
        for place, card in enumerate(cards)
    )
    plays = [next(played) if type(event) is ev.Play else (-1, -1) for event in events]
    others = [(place, event) for place, event in enumerate(events) if type(event) is not ev.Play]
    return [seat for seat, _ in plays], [card for _, card in plays], others


def fold_ints(seats: list[int], cards: list[int], others: list[tuple[int, ev.Event]]) -> None:
    """Fold a match whose plays are ints, those in a row at once."""
    (_, opening), *rest = others
    assert isinstance(opening, ev.Open)
    table: Any = start(opening)
    done = 1
    for place, event in rest:
        play_on(table, seats, cards, done, place)
        table.apply(event, place + 1)
        done = place + 1
    play_on(table, seats, cards, done, len(cards))


def append(folder: Path) -> None:
    """Record hands of 56 events, each a match judged whole and on disk when it is done."""
    ledger = Ledger(folder / f"{BUILD}.db")
    watch = Watch()
    for match in read_file(folder / "appended.jsonl"):
        assert isinstance(match, Match)
        watch.time(lambda: ledger.record(None, match.events, 0))  # noqa: B023 # at once
    watch.say(f"{BUILD} append", 56)
    ledger.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
