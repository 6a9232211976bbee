"""The address where logs send their checkpoints to be signed: `POST /witness/add-checkpoint`.

The protocol (https://c2sp.org/tlog-witness) knows no tokens: the signature of the log is its pass.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.submissions import MOST_BYTES
from cardledger.record.proofs.witness import TEXT, Reply, Witness
from cardledger.record.proofs.witness_file import WitnessFile
from cardledger.record.store.opening import family
from cardledger_api.beside.times import utc_now

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from cardledger.record.proofs.keys import KeyRing
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store.address import Where

PATH = "/witness/add-checkpoint"


def add_witness(app: Flask, ledger: Ledger, at: Where) -> None:
    """Answer logs before any other check."""
    answer = app.wsgi_app
    file = WitnessFile(family(at, ledger.store).witness)

    def ring() -> KeyRing:
        with Log(ledger) as log:
            return log.ring

    witness = Witness(file, ring, utc_now)

    def with_witness(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] != PATH:
            return answer(environ, start_response)
        reply = _answered(witness, environ)
        status, body = HTTPStatus(reply.status), reply.body.encode()
        headers = [("Content-Type", reply.media), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            headers.append(("Allow", "POST"))
        start_response(f"{status.value} {status.phrase}", headers)
        return [body]

    app.wsgi_app = with_witness  # type: ignore[method-assign]


def _answered(witness: Witness, environ: WSGIEnvironment) -> Reply:
    if environ["REQUEST_METHOD"] != "POST":
        return Reply(405, "send a checkpoint by POST\n")
    length = environ.get("CONTENT_LENGTH") or ""
    if not (length.isascii() and length.isdigit()):
        return Reply(411, "say how long the body is\n")
    if int(length) > MOST_BYTES:
        return Reply(413, f"a checkpoint and its proof have at most {MOST_BYTES} bytes\n")
    try:
        return witness.add_checkpoint(environ["wsgi.input"].read(int(length)))
    except LedgerError as error:
        return Reply(503, json.dumps({"code": error.code}) + "\n", TEXT)
