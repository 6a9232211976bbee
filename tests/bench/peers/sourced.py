"""The `eventsourcing` library on SQLite: hands of 56 events (a deal, 52 plays, 3 notes) appended, and read back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from measured import Watch, speed

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import standard_pack
from tests.bench.reducer import Reducer

HANDS = 40
OF = standard_pack().of


class Hand(Aggregate):
    """A hand of `diversity` that does what the reducer does."""

    @event("Dealt")
    def __init__(self, dealer: int, hands: list[list[str]]) -> None:
        held = [sum(OF[face][1] for face in hand) for hand in hands]
        self.hand = Reducer(held, (dealer + 1) % 4)
        self.notes: list[str] = []

    @event("Noted")
    def note(self, text: str) -> None:
        """Take in a note."""
        self.notes.append(text)

    @event("Played")
    def play(self, seat: int, card: str) -> None:
        """Take in a play."""
        self.hand.play(seat, OF[card][0])


def main(folder: Path, what: str) -> None:
    """Measure."""
    app = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "sourced.db")})
    hands, watch = [], Watch()
    for deal, *plays in dealt(folder / "diversity.jsonl"):
        watch.time(lambda: hands.append(append(app, deal, plays)))  # noqa: B023 # at once
    if what == "append":
        watch.say("eventsourcing append", 56)
    else:
        speed("eventsourcing rebuild", 56 * len(hands), lambda: [app.repository.get(hand) for hand in hands])


def append(app: Application[Any], deal: ev.Deal, plays: list[ev.Play]) -> Any:
    """Save a hand, and return its id."""
    assert deal.hands is not None
    hand = Hand(deal.dealer, deal.hands)
    for play in plays:
        hand.play(play.seat, play.card)
    for text in "abc":
        hand.note(text)
    app.save(hand)
    return hand.id


def dealt(file: Path) -> list[list[Any]]:
    """Return the deal and the plays of some hands."""
    hands: list[list[Any]] = []
    for match in read_file(file):
        assert isinstance(match, MatchInFile)
        for one in match.events:
            if isinstance(one, ev.Deal):
                hands.append([one])
            elif isinstance(one, ev.Play):
                hands[-1].append(one)
    return hands[:HANDS]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
