"""Prints digests of everything that follows from the golden ledger and the samples; any Python with cardledger can run it.

    python everywhere.py ROOT FOLDER AT

ROOT is the source tree, FOLDER an empty one for files, AT where the ledger is to be: a file, or an address of PostgreSQL.
Only what is installed is imported, no test. What has no time gets one, and salts are counted instead of drawn, so that hashes
follow from the input alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from shutil import copyfile

import msgspec
from click.testing import CliRunner

from cardledger.cli.main import main as cardledger
from cardledger.record.backup.copying import transfer
from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.matches.replay import result
from cardledger.record.proofs.keys import read_ring
from cardledger.record.proofs.tree import Tree
from cardledger.record.readmodels import MODELS
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import where
from cardledger.record.store.sqlite import SqliteStore
from cardledger.rules.games import games
from cardledger.rules.stream import Stream

Said = tuple[str, str]


def digest(*said: object) -> str:
    """Return a digest of what is said as JSON, and of texts as they are."""
    texts = (one if isinstance(one, str) else json.dumps(one, default=repr) for one in said)
    return sha256("\n".join(texts).encode()).hexdigest()


def fill(root: Path, folder: Path, ledger: Ledger) -> None:
    """Put the golden ledger and then the samples into an empty one."""
    copyfile(root / "tests/golden/v1/club.db", folder / "golden.db")
    with closing(SqliteStore(folder / "golden.db")) as golden:
        transfer(golden, ledger.store, golden.last_position())
    minute, salts = count(), count()
    ledger.store.names.salt = lambda size: next(salts).to_bytes(size, "big")
    for path in sorted((root / "samples").glob("*.jsonl")):
        for match in read_file(path):
            assert isinstance(match, MatchInFile), match
            events = [
                msgspec.structs.replace(event, at=event.at or f"2026-05-01T{next(minute) // 60 % 24:02}:00:00Z")
                for event in match.events
            ]
            (stored,) = ledger.import_matches([replace(match, events=events)], "golden")
            assert not hasattr(stored, "error"), stored


def said(root: Path, folder: Path, at: str) -> Iterator[Said]:
    """Yield what each thing is called with a digest of it."""
    with Ledger(where(at), views=folder / "views.db") as ledger:
        fill(root, folder, ledger)
        rows = [*ledger.store.read_all()]
        yield "events", digest(*(f"{row.match} {row.seq} {row.hash.hex()} {row.line}" for row in rows))
        # Positions may have gaps on PostgreSQL; the order has none.
        place = {row.position: number for number, row in enumerate(rows, 1)}
        replays, audits, steps = [], [], []
        for match in ledger.matches():
            events = ledger.events(match)
            replays.append(result(ledger.stream(match).table))
            audits.append(Stream.of(events, audit=True).table.trail)
            stream = Stream(events[0])
            for event in events[1:]:
                stream.append(event)
                steps.append(digest(result(stream.table), stream.table.choices()))
        yield "replays", digest(replays)
        yield "audits", digest(audits)
        yield "every state on the way", digest(steps)
        ledger.views.catch_up()
        for model in MODELS:
            found = ledger.views.reader.execute(f"SELECT * FROM {model.name}")
            columns = [name for name, *_ in found.description]
            kept = [
                [
                    place.get(value, value) if name == "position" else value
                    for name, value in zip(columns, row, strict=True)
                ]
                for row in found
            ]
            yield f"read model {model.name}", digest(sorted(map(json.dumps, kept)))
        with closing(
            Tree(folder / "proofs.db", ledger.store, read_ring(root / "tests/golden/v1/club.key").leaves)
        ) as tree:
            tree.grow()
            with tree.held() as tiles:
                yield f"root of {tiles.size}", tiles.root().hex()
        yield "verified", str([error for _, error in ledger.verify() if error])
    for game in games():
        for what in ("players", "ratings"):
            asked = CliRunner().invoke(cardledger, ["stats", what, game, "--json", "--db", at])
            told = asked.output
            if asked.exit_code == 0:
                value = json.loads(told)
                for basis in value["basis"].values():
                    basis["position"] = place.get(basis["position"], basis["position"])
                told = json.dumps(value)
            yield f"{what} of {game}", digest(told)


if __name__ == "__main__":
    for name, value in said(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]):
        sys.stdout.write(f"{name}: {value}\n")
