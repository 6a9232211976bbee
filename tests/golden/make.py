"""Makes the golden ledger of this version: python -m tests.golden.make VERSION; done once for every version of a file's tables.

`tests/golden/VERSION/` holds a ledger as that version of the program wrote it, and the answers of that version. These files
are never made again: later versions must give the same answers. The key in them is a key for tests.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from cardledger.record.matches.replay import result
from cardledger.record.people.people import Name
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.receipts import as_file, receipt
from cardledger.record.readmodels import MODELS
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.study.archive import files
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_api.auth.tokens import Tokens

HERE = Path(__file__).parent
GAMES = {
    "diversity": 24, "diamonds-bid": 14, "poison-hearts": 12, "hecto-diversity": 14, "ruff": 16, "ruff-2": 12,
    "diamonds-draw": 12,
}  # fmt: skip
"""Games, and how many events of each: so few that files stay small."""
_HANDS = "SELECT match, hand, dealer, ended_by, tricks, hidden, first_seq, last_seq FROM hands ORDER BY match, hand"
"""What every version has told of hands."""
DUMPED = ("views", "luck", "proofs")
"""Databases that follow from the events; kept as SQL, as most of their pages are empty."""


def record(path: Path) -> None:
    """Record matches of every game, corrections, people, one of them erased, a checkpoint, a token."""
    with Ledger(path) as ledger:
        for number, (game, count) in enumerate(GAMES.items()):
            events = [*simulate(game, 4, Random(number), ["random"], max_hands=1)][:count]
            match, seq, *_ = ledger.record(None, events, 0)
            _, seq, *_ = ledger.record(match, [ev.Note(text="Grüße – 🂡")], seq)
            ledger.record(match, [ev.Retract(to=seq - 2, reason="wrong card")], seq)
        ledger.record_people([Name(player="random-a", name="Ána")], 0, "golden")
        erase(ledger, examine(ledger, "random-d"), "golden")
        with LuckStore(ledger) as store:
            store.catch_up()
        with Log(ledger) as log:
            log.seal()
    tokens = Tokens(path)
    tokens.create("ana", "scorer", 36_500)
    tokens.close()


def told(ledger: Ledger) -> dict[str, Any]:
    """Return what a ledger says: replays, hashes, read models, people."""
    ids = ledger.matches()
    ledger.views.catch_up()
    reader = ledger.views.reader
    return {
        "replays": {id: json.loads(json.dumps(result(ledger.stream(id).table))) for id in ids},
        "hashes": {id: ledger.folded(id).hash.hex() for id in ids},
        "hands": [list(row) for row in reader.execute(_HANDS)],
        "totals": [
            list(row) for row in reader.execute("SELECT match, player, total FROM players ORDER BY match, seat")
        ],
        "tables": sorted(model.name for model in MODELS),
        "people": [json.loads(ev.encode(event)) for event in ledger.people().events],
    }


def dump(path: Path) -> str:
    """Return a database as SQL, with what marks it as ours."""
    with closing(sqlite3.connect(path)) as db:
        marks = "".join(
            f"PRAGMA {name} = {db.execute(f'PRAGMA {name}').fetchone()[0]};\n"
            for name in ("application_id", "user_version")
        )
        return marks + "\n".join(db.iterdump()) + "\n"


def main(version: str) -> None:
    """Make the folder of a version; it must not be there."""
    target = HERE / version
    target.mkdir()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "club.db"
        record(path)
        with Ledger(path, create=False) as ledger:
            (target / "told.json").write_text(json.dumps(told(ledger), ensure_ascii=False, indent=0, sort_keys=True))
            with Log(ledger) as log:
                (target / "club.receipt.json").write_text(as_file(receipt(log, ledger.matches()[0])))
            everything = files.with_names(ledger.store.recordings(), ledger.store.names)
            files.pack(everything, target / "club.parquet", ledger.store.last_position())
        for name in ("club.db", "club.access.db", "club.key", "club.checkpoints"):
            copyfile(path.with_name(name), target / name)
        for what in DUMPED:
            (target / f"club.{what}.sql").write_text(dump(path.with_name(f"club.{what}.db")))


if __name__ == "__main__":
    main(sys.argv[1])
