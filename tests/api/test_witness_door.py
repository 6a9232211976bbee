"""The address where logs send their checkpoints: in the form of the protocol, without a token, with limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.proofs import notes
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.submissions import MOST_BYTES, Submission
from cardledger.record.proofs.witness_file import WitnessFile
from cardledger.record.recording.ledger import Ledger
from cardledger_api.beside.times import utc_now
from cardledger_web.app import access_of, create_app, ledger_of
from tests.proofs.club import over

if TYPE_CHECKING:
    from pathlib import Path

DOOR = "/witness/add-checkpoint"


def test_a_log_that_an_admin_named_is_signed_without_a_token(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    with Ledger(tmp_path / "club" / "club.db") as ledger, Log(ledger) as log:
        over(ledger)
        log.seal()
        key, sent = log.ring.verifier, Submission(0, [], log.stated(utc_now()))
    app = create_app(tmp_path / "next.db", open_reading=False)
    client = app.test_client()
    assert client.post(DOOR, data=str(sent)).status_code == 404
    file = WitnessFile(tmp_path / "next.witness.db")
    file.know(key)
    answer = client.post(DOOR, data=str(sent))
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    with Log(ledger_of(app)) as log:
        assert notes.read(sent.checkpoint.note + answer.text).cosigned_at(log.ring.verifier) is not None
    again = client.post(DOOR, data=str(sent))
    size = f"{sent.checkpoint.size}\n"
    assert (again.status_code, again.headers["Content-Type"], again.text) == (409, "text/x.tlog.size", size)
    assert client.get(DOOR).status_code == 405
    assert client.post(DOOR, data=b"x" * (MOST_BYTES + 1)).status_code == 413
    assert client.post(DOOR, data=b"\xff").status_code == 400
    file.close()
    ledger_of(app).close()
    access_of(app).close()
