"""Receipts checked in the browser, in the words of the program that anybody can download."""

from __future__ import annotations

from typing import Any
from zlib import compress, decompressobj, error

from cardledger_web.static.check_receipt import told

MOST_PRINTED = 100_000
"""Bytes of a printed proof, at most; one of the largest ledgers has some 2,000."""
MOST_DIGITS = 4_000
"""Digits of a printed proof, at most: Python reads no longer numbers, and no code holds them."""


def checked(receipt: str, keys: list[str], match: str | None = None) -> dict[str, Any]:
    """Check a receipt or a proof.

    Args:
        receipt: the text of the file, or the digits of a printed code.
        keys: verifier keys of the ledger from a source that the reader trusts; none to believe the receipt.
        match: a match file to compare with it, if there is one.

    Returns:
        The `status`, as the command's exit status, and the `lines` that the command prints.
    """
    status, lines = told(unprinted(receipt) if receipt.isdecimal() else receipt, keys, match)
    return {"status": status, "lines": lines}


def printed(proof: str) -> str:
    """Return a proof as digits, the densest text that a QR code can hold."""
    return str(int.from_bytes(compress(proof.encode(), 9), "big"))


def unprinted(digits: str) -> str:
    """Return the proof that digits stand for; digits of nothing are returned as they are."""
    if len(digits) > MOST_DIGITS:
        return digits
    number = int(digits)
    try:
        found = decompressobj().decompress(number.to_bytes((number.bit_length() + 7) // 8, "big"), MOST_PRINTED)
        return found.decode()
    except (error, UnicodeDecodeError):
        return digits
