"""Writers under load, for killing: several matches at once, imports, corrections, with read models, seals and a backup."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec

from cardledger.cli.main import main
from cardledger.record.matches.matchfile import read_matches, write
from cardledger.record.proofs import sealer
from cardledger.record.proofs.log import Log
from cardledger.record.readmodels.tables import ratings
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from tests.trouble.said import Teller, tell

_GAMES = ("diversity", "diamonds-bid", "poison-hearts", "ruff", "diamonds-draw")
COURSES = [[*simulate(game, 4, Random(seed), ["random"], max_hands=1)] for seed in range(4) for game in _GAMES]
"""Matches to record."""
_LOGS = (4, 20, 100)
"""Pages of the log after which it is written back; the last is what a ledger has."""


def batches(course: list[ev.Event], rng: Random) -> Iterator[list[ev.Event]]:
    """Yield a match in batches, now and then with a correction that leaves it as it was."""
    played = seq = 0
    while played < len(course):
        some = course[played : played + rng.randrange(1, 10)]
        played, seq = played + len(some), seq + len(some)
        yield some
        if played > 2 and not isinstance(some[-1], ev.End) and rng.random() < 0.3:
            seq += 3
            yield [ev.Retract(to=seq - 4), some[-1], ev.Amend(about=seq - 1, event=some[-1])]


def new_id(rng: Random) -> str:
    """Return the id of a new match."""
    return str(UUID(int=rng.getrandbits(128), version=4))


def opened_as(course: list[ev.Event], match: str) -> list[ev.Event]:
    """Return a match that begins with an id of its own."""
    return [msgspec.structs.replace(course[0], id=match), *course[1:]]


def keep_recording(db: str, seed: int) -> None:
    """Record and import for ever, in several threads, while read models and seals follow."""
    rng = Random(seed)
    ledger = Ledger(Path(db))
    ledger.store.file.writer.execute(f"PRAGMA wal_autocheckpoint = {rng.choice(_LOGS)}")  # type: ignore[attr-defined]
    tell("open")
    others = rng.sample([_import, _import, _read, _seal, _rebuild], 3)
    for work in (_record, _record, *others):
        threading.Thread(target=work, args=(ledger, Random(rng.random()))).start()
    threading.Event().wait()


def _record(ledger: Ledger, rng: Random) -> None:
    teller = Teller()
    while True:
        match, seq = new_id(rng), 0
        for events in batches(rng.choice(COURSES), rng):
            teller.intend((match, seq + len(events)))
            done = ledger.record(match, events, seq)
            teller.recorded(done)
            seq = done.seq


def _import(ledger: Ledger, rng: Random) -> None:
    teller = Teller()
    while True:
        night = [opened_as(rng.choice(COURSES), new_id(rng)) for _ in range(rng.randrange(1, 5))]
        teller.intend(*((str(match[0].id), len(match)) for match in night))
        for item in ledger.import_matches(read_matches(BytesIO(b"".join(map(write, night))), "night")):
            last = ledger.store.read(item.match)[-1]
            teller.tell("stored", last.match, last.seq, msgspec.json.decode(last.line)["id"], last.hash.hex())


def _read(ledger: Ledger, _rng: Random) -> None:
    while True:
        ledger.views.catch_up()
        ratings.bring_up_to_date(ledger.views)


def _seal(ledger: Ledger, _rng: Random) -> None:
    while True:
        with Log(ledger) as log:
            made = log.seal()
        tell("sealed", made.size, made.root.hex())


def _rebuild(ledger: Ledger, _rng: Random) -> None:
    while True:
        for _ in ledger.rebuild():
            pass


def keep_serving(db: str) -> None:
    """Serve, and seal as often as can be."""
    sealer.LOOK_SECONDS = sealer.AT_LEAST_SECONDS = sealer.AT_MOST_SECONDS = 0.02
    main(["serve", "--db", db, "--port", "0", "--rate", "0"])


def keep_backing_up(db: str, target: str) -> None:
    """Keep a second place up with a ledger."""
    main(["backup", target, "--every", "0.1", "--db", db])
