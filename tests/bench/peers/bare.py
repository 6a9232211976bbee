"""The lower bound: rows read by sqlite3 and msgspec into a reducer written for one game, and 56 rows inserted."""

from __future__ import annotations

import sqlite3
import sys
import uuid
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
from measured import Watch, speed

from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import standard_pack
from tests.bench.reducer import Reducer

OF = standard_pack().of


class Written(msgspec.Struct, tag_field="type", kw_only=True, gc=False):
    """What every event says."""

    seq: int
    id: str
    at: str
    by: str


class Open(Written, tag="open"):
    """An opening."""

    players: tuple[str, ...]


class Deal(Written, tag="deal"):
    """A deal."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]


class Play(Written, tag="play"):
    """A play."""

    seat: int
    card: str


def main(folder: Path, what: str) -> None:
    """Measure."""
    if what == "append":
        append(folder)
        return
    ledger = sqlite3.connect(f"file:{folder / 'ledger.db'}?mode=ro", uri=True)
    (events,) = ledger.execute("SELECT count(*) FROM events").fetchone()
    decode = msgspec.json.Decoder(list[Open | Deal | Play]).decode
    speed("reducer rebuild", events, lambda: rebuild(ledger, decode))


def rebuild(ledger: sqlite3.Connection, decode: Any) -> None:
    """Read every match and reduce it."""
    rows = ledger.execute("SELECT match, line FROM events ORDER BY match, seq")
    for _, lines in groupby(rows, itemgetter(0)):
        hand = None
        for event in decode(f"[{','.join([line for _, line in lines])}]"):
            kind = type(event)
            if kind is Play:
                assert hand is not None
                hand.play(event.seat, OF[event.card][0])
            elif kind is Deal:
                hand = Reducer([sum(OF[face][1] for face in held) for held in event.hands], (event.dealer + 1) % 4)


def append(folder: Path) -> None:
    """Insert hands of 56 events, each hand in a transaction that is on disk when it is done."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, match, seq, line, hash)")
    bare.execute("CREATE UNIQUE INDEX IF NOT EXISTS events_match_seq ON events (match, seq)")
    watch = Watch()
    for match in read_file(folder / "appended.jsonl"):
        assert isinstance(match, MatchInFile)
        watch.time(lambda: insert(bare, str(uuid.uuid4()), match.events))  # noqa: B023 # at once
    watch.say("sqlite3 append", 56)


def insert(bare: sqlite3.Connection, match: str, events: list[ev.Event]) -> None:
    """Insert a hand."""
    rows = [(match, seq, ev.encode(event), bytes(32)) for seq, event in enumerate(events, 1)]
    bare.execute("BEGIN IMMEDIATE")
    bare.executemany("INSERT INTO events (match, seq, line, hash) VALUES (?, ?, ?, ?)", rows)
    bare.execute("COMMIT")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
