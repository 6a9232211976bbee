"""What a phone that saw a checkpoint says of the next one: the same ledger, grown, or not the one that was promised.

The phone keeps a signed note and the keys it knows, and nothing else; the checks are those of the program that anybody can
download.
"""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from cardledger_web.static.check_receipt import (
    CannotCheckError,
    SignedNote,
    WrongError,
    checkpoint_of,
    expect_signed,
    joined,
    key_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST: Final = "first"
"""Nothing was kept before."""
GROWN: Final = "grown"
"""The ledger holds what it had promised, and perhaps more."""
KEY: Final = "key"
"""The same, but signed with a key that this phone did not know."""
OTHER: Final = "other"
"""Another ledger is there: a new log continues nothing."""
FEWER: Final = "fewer"
"""The ledger shows fewer events than it had promised."""
DIFFERS: Final = "differs"
"""The events are not those that were promised."""
UNPROVEN: Final = "unproven"
"""The ledger gave no proof that it continues what it had promised."""
UNSIGNED: Final = "unsigned"
"""The checkpoint is none, or is not signed with a key of the ledger."""


def looked_at(note: str, keys: list[str], kept: Mapping[str, Any] | None, proof: str | None) -> dict[str, Any]:
    """Compare a checkpoint with the one that was kept.

    Args:
        note: the signed note that the ledger shows now.
        keys: the verifier keys that it says are its own.
        kept: what this function returned as `shown` for the last checkpoint of this log, or else of another one that was
            at this address; None at the first one.
        proof: the consistency proof between the two as the API answers it, None if there is none.

    Returns:
        The `verdict`; as `shown` what a phone keeps: note, name of the log, number of
        events, root, time and known keys; `why` tells more.
    """
    known: list[str] = [*kept["keys"]] if kept else []
    try:
        now = checkpoint_of(note)
        when, signers = _signed(now, [*dict.fromkeys([*known, *keys])])
    except WrongError as error:
        return {"verdict": UNSIGNED, "shown": {"note": note, "keys": keys}, "why": str(error)}
    shown = {
        "note": note, "origin": now.origin, "size": now.size, "root": base64.b64encode(now.root).decode(), "at": when,
        "keys": signers,
    }  # fmt: skip
    if kept is None:
        return {"verdict": FIRST, "shown": shown, "why": ""}
    try:
        before = checkpoint_of(kept["note"])
    except WrongError:  # what this phone kept is damaged: it is no promise of the ledger
        return {"verdict": FIRST, "shown": shown, "why": ""}
    if now.origin != before.origin:
        return {"verdict": OTHER, "shown": shown, "why": ""}
    shown["keys"] = all_keys = [*dict.fromkeys([*known, *signers])]
    if now.size < before.size:
        return {"verdict": FEWER, "shown": shown, "why": ""}
    try:
        # The ledger names the keys: whether this phone knows one of them is asked below.
        [*joined(before, now, [key_of(key) for key in all_keys], proof)]
    except WrongError as error:
        return {"verdict": DIFFERS, "shown": shown, "why": str(error)}
    except CannotCheckError as error:
        return {"verdict": UNPROVEN, "shown": shown, "why": str(error)}
    return {"verdict": GROWN if {*known} & {*signers} else KEY, "shown": shown, "why": ""}


def _signed(note: SignedNote, keys: list[str]) -> tuple[str, list[str]]:
    """Return when a checkpoint was signed, and with which of some keys; raises WrongError for none."""
    when, signers = "", []
    for key in keys:
        with suppress(WrongError):
            when = f"{expect_signed(note, [key_of(key)], by_all=False):%Y-%m-%dT%H:%M:%SZ}"
            signers.append(key)
    if not signers:
        raise WrongError("the checkpoint is not signed with a key of this ledger")
    return when, signers
