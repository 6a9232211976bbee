"""Ours: the checked fold game by game; states rebuilt from rows; hands appended."""

from __future__ import annotations

import sys
from pathlib import Path

from measured import Watch, speed

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.codec import decode
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.game import Game
from cardledger.rules.games import COMPILED, games, start
from cardledger.rules.stream import Stream

BUILD = "compiled" if COMPILED else "pure"
NO_DECISIONS = ev.Open | ev.Deal | ev.End


def main(folder: Path, what: str) -> None:
    """Measure."""
    if what == "append":
        append(folder)
        return
    for game in games().values():
        measure(
            game, [match.events for match in read_file(folder / f"{game.id}.jsonl") if isinstance(match, MatchInFile)]
        )
    ledger = Ledger(folder / "ledger.db")
    events = sum(len(recording.lines) for recording in ledger.store.recordings())
    speed(f"{BUILD} rebuild", events, lambda: [Stream.of(decode(r.lines)) and None for r in ledger.store.recordings()])
    ledger.close()


def measure(game: Game, matches: list[list[ev.Event]]) -> None:
    """Measure the fold of a game's matches."""
    decisions = sum(not isinstance(event, NO_DECISIONS) for match in matches for event in match)
    speed(f"{BUILD} {game.id} table", decisions, lambda: [fold(match) for match in matches])
    speed(f"{BUILD} {game.id} stream", decisions, lambda: [Stream.of(match) and None for match in matches])


def fold(events: list[ev.Event]) -> None:
    """Fold a match event by event, as it is judged live."""
    first, *rest = events
    assert isinstance(first, ev.Open)
    apply = start(first).apply
    for seq, event in enumerate(rest, 2):
        apply(event, seq)


def append(folder: Path) -> None:
    """Record hands of 56 events, each a match judged whole and on disk when it is done."""
    ledger = Ledger(folder / f"{BUILD}.db")
    watch = Watch()
    for match in read_file(folder / "appended.jsonl"):
        assert isinstance(match, MatchInFile)
        watch.time(lambda: ledger.record(None, match.events, 0))  # noqa: B023 # at once
    watch.say(f"{BUILD} append", 56)
    ledger.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
