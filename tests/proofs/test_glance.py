"""A glance at a match finds an end that is not the sealed one, reads only, and waits for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardledger.record.proofs import ProofError
from cardledger.record.proofs.glance import expect_sealed_end
from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.proofs.club import record_some, rehash, tampering


@pytest.fixture
def sealed(ledger: Ledger) -> tuple[Ledger, str, str]:
    ids = record_some(ledger)
    with Log(ledger) as log:
        log.seal()
    return ledger, *ids


def looked(ledger: Ledger, match: str) -> str | None:
    try:
        expect_sealed_end(ledger, match, ledger.store.read(match))
    except ProofError as error:
        return error.code
    return None


def test_a_match_fits_its_seal_with_and_without_later_events(sealed) -> None:
    ledger, match, other = sealed
    assert (looked(ledger, match), looked(ledger, other)) == (None, None)
    before = ledger.store.read(match)
    ledger.record(match, [ev.Note(text="more")], 6)
    assert looked(ledger, match) is None
    with Log(ledger) as log:
        log.seal()
    expect_sealed_end(ledger, match, before)  # read before, compared after


def test_another_end_and_one_cut_off_are_found(sealed) -> None:
    ledger, match, other = sealed
    with tampering(ledger.store.file.path) as db:
        db.execute(
            'UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 1 AND match = ?', (match,)
        )
        db.execute("DELETE FROM events WHERE match = ? AND seq > 2", (other,))
        rehash(db)
    assert (looked(ledger, match), looked(ledger, other)) == ("proofs.differs", "proofs.missing")


def test_without_a_tree_or_with_a_damaged_one_there_is_no_finding(sealed, tmp_path: Path) -> None:
    ledger, match, _ = sealed
    tree = tmp_path / "club.proofs.db"
    content = tree.read_bytes()
    for other in (b"", b"no database", content[:5000], content[:4096] + bytes(len(content) - 4096)):
        tree.write_bytes(other)
        assert looked(ledger, match) is None
    tree.unlink()
    assert looked(ledger, match) is None
    assert not tree.exists()


def test_a_lock_on_the_tree_delays_no_page(sealed) -> None:
    ledger, match, _ = sealed
    with Log(ledger) as log, log.tree.held():
        assert looked(ledger, match) is None
