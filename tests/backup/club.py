"""A ledger with something of everything, at rest, and what it says."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from cardledger.record.matches.replay import result
from cardledger.record.people.people import Name
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate

GAMES = ("diversity", "diamonds-bid", "poison-hearts", "hecto-diversity", "ruff", "ruff-2", "diamonds-draw")


def record_some(ledger: Ledger, matches: int = 3, seed: int = 1) -> list[str]:
    """Record matches of every game in turn, event by event mixed with each other; return their ids."""
    rng = Random(seed)
    ids = [f"{seed:08x}-0000-4000-8000-{number:012x}" for number in range(matches)]
    waiting = {
        id: [*simulate(GAMES[number % len(GAMES)], 4, Random(seed + number), ["random"], max_hands=1)]
        for number, id in enumerate(ids)
    }
    done = dict.fromkeys(ids, 0)
    while waiting:
        id = rng.choice(sorted(waiting))
        some = waiting[id][done[id] : done[id] + rng.randrange(1, 30)]
        ledger.record(id, some, done[id])
        done[id] += len(some)
        if done[id] == len(waiting[id]):
            del waiting[id]
    return ids


def named(ledger: Ledger) -> None:
    """Record a name for a player."""
    player = ledger.stream(ledger.matches()[0]).table.players[0]
    ledger.record_people([Name(player=player, name="Ana Lima")], 0, "tests")


def said(ledger: Ledger) -> dict[str, Any]:
    """Return everything that follows from a ledger: the replay and the lines of every match, and the people."""
    ids = ledger.matches()
    return {
        "matches": ids,
        "replays": [result(ledger.stream(id).table) for id in ids],
        "export": "".join(ledger.export(ids)),
        "people": [str(event) for event in ledger.people().events],
    }


def made(path: Path, matches: int = 3, seed: int = 1) -> dict[str, Any]:
    """Make a ledger at a path and close it; return what it says."""
    with Ledger(path) as ledger:
        record_some(ledger, matches, seed)
        named(ledger)
        return said(ledger)
