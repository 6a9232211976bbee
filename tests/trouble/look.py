"""Looking at a ledger after trouble: all that was acknowledged is there, nothing is half, and everything fits."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec

from cardledger.record.backup.examine import examine
from cardledger.record.backup.manifest import read_manifest
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.survey import survey
from cardledger.record.readmodels import MODELS, SUMMARIES
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.paths import Family
from cardledger.record.store.sqlite import expect_sound
from cardledger_api.auth.tokens import Tokens, digest_of
from tests.trouble.said import Said


def expect_kept(ledger: Ledger, said: Said) -> None:
    """Expect every acknowledged event, with its id and hash, and no batch and no group of matches in part."""
    lengths = ledger.store.lengths({*said.stored, *(match for group in said.groups.values() for match in group)})
    for match, events in said.stored.items():
        rows = {row.seq: row for row in ledger.store.read(match)}
        for seq, (id, hash) in events.items():
            assert seq in rows, f"event {seq} of {match} was acknowledged and is lost"
            found = msgspec.json.decode(rows[seq].line)["id"], rows[seq].hash.hex()
            assert found == (id, hash), f"event {seq} of {match} is another"
    ends: dict[str, set[int]] = {}
    for group in said.groups.values():
        assert len({lengths.get(match, 0) >= end for match, end in group.items()}) == 1, f"in part only: {group}"
        for match, end in group.items():
            ends.setdefault(match, {0}).add(end)
    for match, those in ends.items():
        assert lengths.get(match, 0) in those, f"{match} is at {lengths.get(match)}: half of something"


def expect_fits(path: Path, said: Said) -> None:
    """Expect every acknowledged event, and that everything in a ledger and beside it passes `verify`."""
    with Ledger(path) as ledger:
        expect_sound(ledger.store)
        expect_kept(ledger, said)
        assert [(match, str(error)) for match, error in ledger.verify() if error] == []
        expect_sealed(ledger, said)
    for copy, events in said.copies:
        expect_copy(path.parent / copy, events)
    if said.tokens:
        with closing(Tokens(path)) as tokens:
            for text in said.tokens:
                assert tokens.find(digest_of(text)) is not None, "a token that was given out is not known"


def expect_rebuilt_the_same(ledger: Ledger) -> None:
    """Expect the read models to equal a rebuild, byte for byte."""
    before = tables(ledger)
    for _ in ledger.rebuild():
        pass
    assert tables(ledger) == before, "the read models are not what a rebuild makes of the events"


def expect_sealed(ledger: Ledger, said: Said) -> None:
    """Expect every published checkpoint to be stored and to fit, and that the next one can be made."""
    if not (said.sealed or Log.begun(ledger)):
        return
    with Log(ledger) as log:
        kept = {(checkpoint.size, checkpoint.root.hex()) for checkpoint in log.checkpoints.all()}
        assert kept >= {*said.sealed}, "a checkpoint that was shown is lost"
        survey(log)
        if ledger.store.last_position():
            assert log.seal().size == ledger.store.last_position()


def expect_copy(path: Path, events: int) -> None:
    """Expect a complete backup or restored ledger with at least this many events."""
    course = examine(path)
    assert course.events >= events, "a backup has lost something"
    manifest = read_manifest(Family(path).manifest)
    assert manifest is None or manifest.events <= course.events, "a backup has lost something"


def tables(ledger: Ledger) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of the read models."""
    ledger.views.catch_up()
    reader = ledger.views.file.reader
    return {
        model.name: sorted(reader.execute(f"SELECT * FROM {model.name}"), key=repr) for model in (*MODELS, *SUMMARIES)
    }
