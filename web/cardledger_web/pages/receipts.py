"""Receipts of matches: a page to print, a file to save, and the check that the QR code leads to."""

from __future__ import annotations

from typing import Any

from flask import Response, render_template, request, url_for
from marshmallow import EXCLUDE, Schema, fields, validate

from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.keys import written
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import as_base64
from cardledger.record.proofs.receipts import as_file, confirmed, proven, receipt, tlog_proof
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger_api.auth.visible import public_row, withheld
from cardledger_api.current import current_ledger
from cardledger_api.http.fields import Whole
from cardledger_api.http.findings import ANSWER, findings_here
from cardledger_api.http.problems import status_of
from cardledger_web.engine.checking import printed
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.downloads import download
from cardledger_web.views.qr import qr_code, qr_code_with


class _CheckQuery(Schema):
    """The figures of a printed receipt: its last event, that event's hash, and the number of sealed events."""

    seq = Whole(required=True, validate=validate.Range(1, 10**9))
    hash = fields.String(required=True, validate=validate.Regexp("^[0-9a-f]{64}$"))
    size = Whole(required=True, validate=validate.Range(1, 10**12))


QUERY = _CheckQuery(unknown=EXCLUDE)
"""The query of the page\'s address."""


@pages.get("/matches/<match>/receipt")
def receipt_page(match: str) -> str | tuple[str, int]:
    ledger = current_ledger()
    row = public_row(ledger, match_row(ledger, match))
    about: dict[str, Any] = {"row": row, "game": game(row["game"]), "table": ledger.stream(match).table}
    if withheld(ledger, match):
        return render_template("receipt.html", **about)
    try:
        with Log(ledger) as log:
            proof = proven(log, match)
            when = written(log.signed_at(proof.checkpoint))
            key = proof.checkpoint.signers(log.ring.verifiers)[0]  # it may have been another one then
    except ProofError as error:
        findings_here().tell(ANSWER, error, match)
        return render_template("receipt.html", **about, wrong=error), status_of(error)
    arguments: dict[str, Any] = {"seq": proof.place.seq, "hash": proof.hash.hex(), "size": proof.checkpoint.size}
    address = url_for("pages.receipt_check", match=match, **arguments, _external=True)
    digits = printed(tlog_proof(proof))
    code = qr_code_with(f"{address}#", digits) or qr_code(address)
    return render_template(
        "receipt.html", **about, found=proof, key=key, when=when, said=arguments, digits=digits, code=code
    )


@pages.get("/receipts/check")
def receipt_here() -> str:
    """Show the page that checks receipts in the browser; it knows nothing of this ledger or of its reader."""
    return render_template("receipt_here.html")


@pages.get("/matches/<match>/receipt.json")
def receipt_file(match: str) -> Response | tuple[str, int]:
    ledger = current_ledger()
    row = match_row(ledger, match)
    if withheld(ledger, match):
        about = {"row": public_row(ledger, row), "game": game(row["game"]), "table": ledger.stream(match).table}
        return render_template("receipt.html", **about), 403
    with Log(ledger) as log:
        content = as_file(receipt(log, match))
    return download(content, f"{match}.receipt.json", "application/json")


@pages.get("/matches/<match>/receipt/check")
def receipt_check(match: str) -> str | tuple[str, int]:
    ledger = current_ledger()
    row = match_row(ledger, match)
    asked = QUERY.load(request.args)
    about = {"row": public_row(ledger, row), "game": game(row["game"]), "asked": asked}
    # Checking a hash would reveal which of a few cards a hand holds.
    if withheld(ledger, match, asked["seq"]):
        return render_template("receipt_check.html", **about, hidden=True), 403
    try:
        with Log(ledger) as log:
            checkpoint = confirmed(log, EventPlace(match, asked["seq"]), bytes.fromhex(asked["hash"]), asked["size"])
            latest, when = log.latest(), written(log.signed_at(checkpoint))
    except ProofError as error:
        return render_template("receipt_check.html", **about, wrong=error), status_of(error)
    root = as_base64(checkpoint.root)
    return render_template("receipt_check.html", **about, found=checkpoint, root=root, latest=latest, when=when)
