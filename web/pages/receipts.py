"""Receipts of matches: a page to print, the file to keep, and the check that a printed one leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import segno
from flask import Response, render_template, request, url_for
from markupsafe import Markup
from marshmallow import EXCLUDE, Schema, fields, validate

from api.fields import Whole
from api.problems import status_of
from api.secrecy import public_row, withheld
from ledger.games import game
from ledger.proofs import Place, ProofError
from ledger.proofs.keys import written
from ledger.proofs.log import Log
from ledger.proofs.notes import as_base64
from ledger.proofs.receipts import as_file, confirmed, proven, receipt
from ledger.readmodels.matchlist import match_row
from web.pages.downloads import download

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger

_QR_BORDER = 4
"""Empty modules around the code, as readers of QR codes want them."""


class _CheckQuery(Schema):
    """What a printed receipt says: its last event, the hash of that, and how many events were sealed."""

    seq = Whole(required=True, validate=validate.Range(1, 10**9))
    hash = fields.String(required=True, validate=validate.Regexp("^[0-9a-f]{64}$"))
    size = Whole(required=True, validate=validate.Range(1, 10**12))


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of receipts."""

    @pages.get("/matches/<match>/receipt")
    def receipt_page(match: str) -> str | tuple[str, int]:
        row = public_row(ledger, match_row(ledger, match))
        about: dict[str, Any] = {"row": row, "game": game(row["game"]), "table": ledger.stream(match).table}
        if withheld(ledger, match):
            return render_template("receipt.html", **about)
        try:
            with Log(ledger) as log:
                _, found = proven(log, match)
                key, when = log.ring.verifier, written(log.signed_at(found.checkpoint))
        except ProofError as error:
            return render_template("receipt.html", **about, wrong=error), status_of(error)
        said: dict[str, Any] = {"seq": found.place.seq, "hash": found.hash.hex(), "size": found.checkpoint.size}
        address = url_for("pages.receipt_check", match=match, **said, _external=True)
        return render_template(
            "receipt.html", **about, found=found, key=key, when=when, said=said, code=qr_code(address)
        )

    @pages.get("/matches/<match>/receipt.json")
    def receipt_file(match: str) -> Response | tuple[str, int]:
        row = match_row(ledger, match)
        if withheld(ledger, match):
            about = {"row": public_row(ledger, row), "game": game(row["game"]), "table": ledger.stream(match).table}
            return render_template("receipt.html", **about), 403
        with Log(ledger) as log:
            content = as_file(receipt(log, match))
        return download(content, f"{match}.receipt.json", "application/json")

    @pages.get("/matches/<match>/receipt/check")
    def receipt_check(match: str) -> str | tuple[str, int]:
        row = match_row(ledger, match)
        asked = _CheckQuery(unknown=EXCLUDE).load(request.args)
        about = {"row": public_row(ledger, row), "game": game(row["game"]), "asked": asked}
        # Whether a hash is the right one would tell which of a few cards a hand holds.
        if withheld(ledger, match, asked["seq"]):
            return render_template("receipt_check.html", **about, hidden=True), 403
        try:
            with Log(ledger) as log:
                found = confirmed(log, Place(match, asked["seq"]), bytes.fromhex(asked["hash"]), asked["size"])
                latest, when = log.latest(), written(log.signed_at(found))
        except ProofError as error:
            return render_template("receipt_check.html", **about, wrong=error), status_of(error)
        root = as_base64(found.root)
        return render_template("receipt_check.html", **about, found=found, root=root, latest=latest, when=when)


def qr_code(text: str) -> Markup:
    """Return a QR code as an SVG that scales; dark on light in every colour scheme, for cameras to see."""
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=_QR_BORDER, light="#fff", lineclass=None, svgclass="code"))  # noqa: S704 - drawn of squares alone
