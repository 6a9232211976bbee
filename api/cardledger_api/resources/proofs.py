"""The resource of proofs.

Checkpoints, the keys that sign them, proofs that the record is unchanged, receipts of matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, abort
from marshmallow import Schema, fields

from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.keys import written
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import as_base64
from cardledger.record.proofs.receipts import receipt, tlog_proof
from cardledger_api.auth.visible import withheld
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.answers import as_json
from cardledger_api.http.fields import Whole, between
from cardledger_api.http.operations import JSON, media_wanted
from cardledger_api.resources.table import CARDS_IN_PLAY

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

TEXT = "text/plain"
_ACCEPT = {"Accept": f"{JSON}, or {TEXT} for the form of C2SP"}


class ProofQuery(Schema):
    """The event; the latest by default."""

    seq = Whole(load_default=None, validate=between(1, 10**9), metadata={"description": "number of the event"})


class ConsistencyQuery(Schema):
    """Two sizes of the tree: numbers of events, such as those of two checkpoints."""

    first = Whole(required=True, validate=between(1, 10**12), metadata={"description": "events of the smaller tree"})
    second = Whole(required=True, validate=between(1, 10**12), metadata={"description": "events of the larger tree"})


class CheckpointSchema(Schema):
    """A checkpoint: the number of events, their Merkle root (RFC 9162) in base64, and the signed note."""

    origin = fields.String()
    size = fields.Integer()
    root = fields.String()
    signed_at = fields.String()
    note = fields.String()


class KeySchema(Schema):
    """A verifier key (`name+id+key`) and the time for which it signed; `until` is null for the current key."""

    key = fields.String()
    since = fields.String()
    until = fields.String(allow_none=True)


class KeyListSchema(Schema):
    """The keys of this ledger, the current one first."""

    origin = fields.String()
    keys = fields.List(fields.Nested(KeySchema))


class ConsistencySchema(Schema):
    """The proof that the larger tree begins with the smaller one (RFC 9162, section 2.1.4); hashes are base64."""

    first = fields.Integer()
    second = fields.Integer()
    first_root = fields.String()
    second_root = fields.String()
    path = fields.List(fields.String())


class InclusionSchema(Schema):
    """The proof that an event is in a checkpoint (RFC 9162, section 2.1.3).

    The sealed bytes are `MATCH SEQ HASH SALT`; `hash` is the chained hash of the event. `path` is base64.
    """

    match = fields.String()
    seq = fields.Integer()
    hash = fields.String()
    salt = fields.String()
    index = fields.Integer()
    path = fields.List(fields.String())
    checkpoint = fields.String()


class SealedEventSchema(Schema):
    """An event of a receipt.

    Its chained hash, salt and leaf, and its stored line, in pseudonyms (null if it is not shown).
    """

    hash = fields.String()
    salt = fields.String()
    index = fields.Integer()
    line = fields.String(allow_none=True)


class OpenedSchema(Schema):
    """A pseudonym and its text: `~` and 26 letters of the base 32 of SHA-256 over salt and text."""

    salt = fields.String()
    text = fields.String()


class ReceiptSchema(Schema):
    """A receipt: a match with the proof that each of its events was sealed.

    `checkpoint` is the signed note. `path` holds, in base64, the hashes beside the way from the events' leaves to its
    root: for each half of the tree, and each half of that, without any of the leaves, after those of the other half.
    """

    receipt = fields.String()
    match = fields.String()
    keys = fields.List(fields.String())
    checkpoint = fields.String()
    path = fields.List(fields.String())
    names = fields.Dict(fields.String(), fields.Nested(OpenedSchema))
    events = fields.List(fields.Nested(SealedEventSchema))


@operations.add(
    "GET",
    "/checkpoint",
    answer=CheckpointSchema,
    media=(JSON, TEXT),
    problems=(406, 409),
    headers=_ACCEPT,
)
def read_checkpoint() -> dict[str, Any] | Response:
    """Read the latest checkpoint of the ledger.

    Keep it: a ledger that is changed later cannot fit it again. As text/plain it is the signed note
    alone (c2sp.org/tlog-checkpoint).
    """
    ledger = current_ledger()
    media = media_wanted(JSON, TEXT)
    with Log(ledger) as log:
        checkpoint = log.latest()
        signed = written(log.signed_at(checkpoint))
    if media == TEXT:
        return _given(checkpoint.note, TEXT)
    root = as_base64(checkpoint.root)
    answer = {
        "origin": checkpoint.origin,
        "size": checkpoint.size,
        "root": root,
        "signed_at": signed,
        "note": checkpoint.note,
    }
    return _given(as_json(answer), JSON)


@operations.add("GET", "/checkpoint/keys", answer=KeyListSchema)
def list_of_keys() -> dict[str, Any]:
    """Read the verifier keys of the ledger, which distinguish its checkpoints from those of any other."""
    ledger = current_ledger()
    with Log(ledger) as log:
        return {"origin": log.ring.origin, "keys": log.ring.known}


@operations.add(
    "GET",
    "/checkpoint/consistency",
    query=ConsistencyQuery,
    answer=ConsistencySchema,
    problems=(409, 422),
    example={"query": {"first": 1, "second": 2}},
)
def read_consistency(query: dict[str, Any]) -> dict[str, Any]:
    """Read the proof that the tree of one checkpoint begins with that of an earlier one."""
    ledger = current_ledger()
    with Log(ledger) as log:
        log.latest()
        consistency = log.consistency(query["first"], query["second"])
    return {
        "first": consistency.first,
        "second": consistency.second,
        "first_root": as_base64(consistency.first_root),
        "second_root": as_base64(consistency.second_root),
        "path": [as_base64(hash) for hash in consistency.path],
    }


@operations.add(
    "GET",
    "/matches/<match>/proof",
    query=ProofQuery,
    answer=InclusionSchema,
    media=(JSON, TEXT),
    problems=(406, 409, 422),
    headers=_ACCEPT,
    example={"path": {"match": "MATCH"}, "query": {"seq": 1}},
)
def read_proof(match: str, query: dict[str, Any]) -> Response:
    """Read the proof that an event, and all events before it in its match, are in the latest checkpoint.

    As text/plain it is a c2sp.org/tlog-proof. While a hand is under way, only scorers may read proofs of hidden
    cards: the hash of a line with one unknown card would reveal that card.
    """
    ledger = current_ledger()
    media = media_wanted(JSON, TEXT)
    place = EventPlace(match, query["seq"] or ledger.stream(match).seq)
    _expect_shown(ledger, match, place.seq)
    with Log(ledger) as log:
        inclusion = log.inclusion(place)
    if media == TEXT:
        return _given(tlog_proof(inclusion), TEXT)
    answer = {
        "match": match, "seq": place.seq, "hash": inclusion.hash.hex(), "salt": inclusion.salt.hex(),
        "index": inclusion.index, "path": [as_base64(hash) for hash in inclusion.path], "checkpoint": inclusion.checkpoint.note,
    }  # fmt: skip
    return _given(as_json(answer), JSON)


@operations.add(
    "GET",
    "/matches/<match>/receipt",
    answer=ReceiptSchema,
    problems=(409,),
    headers={"Authorization": "Bearer and a token; while a hand is under way, a scorer's token"},
    example={"path": {"match": "MATCH"}, "headers": {"Authorization": "Bearer TOKEN"}},
)
def read_receipt(match: str) -> dict[str, Any]:
    """Read the receipt of a match: all its events, and the proof that they were sealed.

    It can be checked later without this server, with /static/check_receipt.py. While a hand is under way, only
    scorers may read it.
    """
    ledger = current_ledger()
    _expect_shown(ledger, match)
    with Log(ledger) as log:
        return receipt(log, match)


def _expect_shown(ledger: Ledger, match: str, upto: int | None = None) -> None:
    """Refuse an answer that would reveal cards hidden from the user; raises StoreError `store.unknown`."""
    if withheld(ledger, match, upto):
        abort(403, CARDS_IN_PLAY)


def _given(content: str | bytes, media: str) -> Response:
    """Return an answer in one of several media."""
    kind = f"{media}; charset=utf-8" if media == TEXT else media
    return Response(content, headers={"Vary": "Accept, Authorization", "Cache-Control": "no-cache"}, content_type=kind)
