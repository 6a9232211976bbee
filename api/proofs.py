"""The resource of proofs: checkpoints, the keys that sign them, proofs that nothing was changed, receipts of matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, abort
from marshmallow import Schema, fields, validate

from api.answers import as_json
from api.fields import Whole
from api.operations import JSON, media_wanted
from api.secrecy import withheld
from api.table import CARDS_IN_PLAY
from ledger.proofs import Place
from ledger.proofs.keys import written
from ledger.proofs.log import Log
from ledger.proofs.notes import as_base64
from ledger.proofs.receipts import receipt, tlog_proof

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.ledger import Ledger

TEXT = "text/plain"
_ACCEPT = {"Accept": f"{JSON}, or {TEXT} for the form of C2SP"}


class ProofQuery(Schema):
    """Of which event; the latest, unless it is said."""

    seq = Whole(load_default=None, validate=validate.Range(1, 10**9), metadata={"description": "number of the event"})


class ConsistencyQuery(Schema):
    """Between which sizes of the tree: numbers of events, such as those of two checkpoints."""

    first = Whole(
        required=True, validate=validate.Range(1, 10**12), metadata={"description": "events of the smaller tree"}
    )
    second = Whole(
        required=True, validate=validate.Range(1, 10**12), metadata={"description": "events of the larger tree"}
    )


class CheckpointSchema(Schema):
    """So many events, their Merkle root (RFC 9162) in base64, and the signed note that says so."""

    origin = fields.String()
    size = fields.Integer()
    root = fields.String()
    signed_at = fields.String()
    note = fields.String()


class KeySchema(Schema):
    """A verifier key (`name+id+key`), since when it signed, and until when; `until` is null for the one that does."""

    key = fields.String()
    since = fields.String()
    until = fields.String(allow_none=True)


class KeyListSchema(Schema):
    """The keys of this ledger, the one that signs now first."""

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

    What is sealed are the bytes `MATCH SEQ HASH SALT`; `hash` is the chained hash of the event. `path` is base64.
    """

    match = fields.String()
    seq = fields.Integer()
    hash = fields.String()
    salt = fields.String()
    index = fields.Integer()
    path = fields.List(fields.String())
    checkpoint = fields.String()


class SealedEventSchema(Schema):
    """An event of a receipt: its chained hash, and its line as stored, in pseudonyms (null where it is not shown)."""

    hash = fields.String()
    line = fields.String(allow_none=True)


class OpenedSchema(Schema):
    """What a pseudonym stands for: `~` and 26 letters of the base 32 of SHA-256 over salt and text."""

    salt = fields.String()
    text = fields.String()


class ReceiptSchema(Schema):
    """A receipt: a match with the proof (a C2SP tlog-proof) that its last event, and so all of it, was sealed."""

    receipt = fields.String()
    match = fields.String()
    keys = fields.List(fields.String())
    salt = fields.String()
    proof = fields.String()
    names = fields.Dict(fields.String(), fields.Nested(OpenedSchema))
    events = fields.List(fields.Nested(SealedEventSchema))


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on proofs."""

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

        Keep it: whoever changes something later cannot make the ledger fit it again. As text/plain it is the signed note
        alone (c2sp.org/tlog-checkpoint).
        """
        media = media_wanted(JSON, TEXT)
        with Log(ledger) as log:
            found = log.latest()
            signed = written(log.signed_at(found))
        if media == TEXT:
            return _given(found.note, TEXT)
        root = as_base64(found.root)
        told = {"origin": found.origin, "size": found.size, "root": root, "signed_at": signed, "note": found.note}
        return _given(as_json(told), JSON)

    @operations.add("GET", "/checkpoint/keys", answer=KeyListSchema)
    def list_of_keys() -> dict[str, Any]:
        """Read the verifier keys of the ledger, by which its checkpoints are told from any other."""
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
        with Log(ledger) as log:
            log.latest()
            found = log.consistency(query["first"], query["second"])
        return {
            "first": found.first,
            "second": found.second,
            "first_root": as_base64(found.first_root),
            "second_root": as_base64(found.second_root),
            "path": [as_base64(hash) for hash in found.path],
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
        """Read the proof that an event, and with it all before it in its match, is in the latest checkpoint.

        As text/plain it is a c2sp.org/tlog-proof. While a hand is under way, proofs of what nobody may see yet are for
        scorers: of a line with one unknown card a hash would tell which.
        """
        media = media_wanted(JSON, TEXT)
        place = Place(match, query["seq"] or ledger.stream(match).seq)
        _expect_shown(ledger, match, place.seq)
        with Log(ledger) as log:
            found = log.inclusion(place)
        if media == TEXT:
            return _given(tlog_proof(found), TEXT)
        told = {
            "match": match, "seq": place.seq, "hash": found.hash.hex(), "salt": found.salt.hex(), "index": found.index,
            "path": [as_base64(hash) for hash in found.path], "checkpoint": found.checkpoint.note,
        }  # fmt: skip
        return _given(as_json(told), JSON)

    @operations.add(
        "GET",
        "/matches/<match>/receipt",
        answer=ReceiptSchema,
        problems=(409,),
        headers={"Authorization": "Bearer and a token: while a hand is under way, that of a scorer"},
        example={"path": {"match": "MATCH"}, "headers": {"Authorization": "Bearer TOKEN"}},
    )
    def read_receipt(match: str) -> dict[str, Any]:
        """Read the receipt of a match: all its events, and the proof that they were sealed.

        Whoever keeps it can have it checked later without this server, by /static/check_receipt.py. While a hand is under
        way it is for scorers.
        """
        _expect_shown(ledger, match)
        with Log(ledger) as log:
            return receipt(log, match)


def _expect_shown(ledger: Ledger, match: str, upto: int | None = None) -> None:
    """Refuse what would tell of cards that whoever asks may not see yet; raises StoreError `store.unknown`."""
    if withheld(ledger, match, upto):
        abort(403, CARDS_IN_PLAY)


def _given(content: str | bytes, media: str) -> Response:
    """Return an answer in one of several media."""
    kind = f"{media}; charset=utf-8" if media == TEXT else media
    return Response(content, headers={"Vary": "Accept, Authorization", "Cache-Control": "no-cache"}, content_type=kind)
