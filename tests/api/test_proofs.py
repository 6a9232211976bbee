"""Proofs over HTTP: what the API gives convinces a stranger's program, and tells nothing of cards in play."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import as_base64
from cardledger.record.store.codec import decode_one
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.proofs.club import over, rehash, tampering
from tests.proofs.verifier import verifier
from tests.web.club import sign_in

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

API = "/api/v1"


def told(client: FlaskClient, path: str, status: int = 200) -> Any:
    answer = client.get(API + path)
    assert answer.status_code == status, (path, answer.text)
    return answer.get_json(force=True)


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(API + path, headers={"Accept": "text/plain"})
    assert (answer.status_code, answer.content_type) == (200, "text/plain; charset=utf-8")
    return answer.text


def key(client: FlaskClient) -> str:
    return told(client, "/checkpoint/keys")["keys"][0]["key"]


def test_a_receipt_and_a_proof_convince_a_stranger(empty: Flask) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    receipt = client.get(f"{API}/matches/{match}/receipt").text
    assert "follow one from the other" in "\n".join(verifier.check(receipt, key(client)))
    proof = text(client, f"/matches/{match}/proof?seq=3")
    assert "event 3 is number 3 of" in "\n".join(verifier.check(proof, key(client)))


def test_the_proof_as_json_is_all_that_is_needed(empty: Flask) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    found = told(client, f"/matches/{match}/proof?seq=5")
    leaf = sha256(b"\x00" + f"{match} 5 {found['hash']} {found['salt']}".encode()).digest()
    checkpoint = verifier.checkpoint_of(found["checkpoint"])
    path = [base64.b64decode(hash) for hash in found["path"]]
    assert verifier.includes(checkpoint.root, checkpoint.size, [(found["index"], leaf)], path)
    assert found["hash"] == ledger_of(empty).store.read(match)[4].hash.hex()


def test_the_checkpoint_is_a_signed_note_and_json(empty: Flask) -> None:
    client = empty.test_client()
    over(ledger_of(empty))
    found = told(client, "/checkpoint")
    note = text(client, "/checkpoint")
    assert found["note"] == note
    checkpoint = verifier.checkpoint_of(note)
    assert (found["origin"], found["size"], base64.b64decode(found["root"])) == checkpoint[:3]
    signed = verifier.expect_signed(checkpoint, [verifier.key_of(key(client))], by_all=True)
    assert f"{signed:%Y-%m-%dT%H:%M:%SZ}" == found["signed_at"]
    assert client.get(f"{API}/checkpoint", headers={"Accept": "text/html"}).status_code == 406


def test_checkpoints_go_on_from_each_other(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    over(ledger)
    first = verifier.checkpoint_of(text(client, "/checkpoint"))
    match = over(ledger, seed=2)
    told(client, f"/matches/{match}/receipt")
    second = verifier.checkpoint_of(text(client, "/checkpoint"))
    assert second.size > first.size
    found = told(client, f"/checkpoint/consistency?first={first.size}&second={second.size}")
    path = [base64.b64decode(hash) for hash in found["path"]]
    assert verifier.goes_on(first.size, second.size, first.root, second.root, path)
    assert base64.b64decode(found["first_root"]) == first.root


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/checkpoint/consistency?first=2&second=1", 422, "proofs.range"),
        ("/checkpoint/consistency?first=1&second=999999", 422, "proofs.range"),
        ("/checkpoint/consistency?first=0&second=1", 400, "format.value"),
        ("/checkpoint/consistency", 400, "format.value"),
        ("/matches/MATCH/proof?seq=999", 422, "proofs.range"),
        ("/matches/MATCH/proof?seq=0", 400, "format.value"),
        ("/matches/nobody/proof", 404, "store.unknown"),
        ("/matches/nobody/receipt", 404, "store.unknown"),
        ("/matches/people/receipt", 404, "store.unknown"),
    ],
)
def test_an_impossible_proof_is_refused_with_a_code(empty: Flask, path: str, status: int, code: str) -> None:
    match = over(ledger_of(empty))
    assert told(empty.test_client(), path.replace("MATCH", match), status)["code"] == code


def test_a_ledger_that_differs_from_its_seal_gives_a_409_that_names_the_event(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    told(client, f"/matches/{match}/receipt")
    with tampering(ledger.store.file.path) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 4')
        rehash(db)
    for path in (f"/matches/{match}/receipt", f"/matches/{match}/proof?seq=4"):
        found = told(client, path, 409)
        assert found["code"] == "proofs.differs"
        assert found["index"] == (3 if "proof" in path else ledger.store.read(match)[-1].seq - 1)


# --- cards in play


def under_way(app: Flask) -> tuple[str, int]:
    """Record a match up to a card drawn from the stock; return its id and the number of that event."""
    events = [*simulate("hecto-diversity", 3, Random(7), ["random"], {}, max_hands=1)]
    place = next(at for at, event in enumerate(events) if isinstance(event, ev.Draw) and event.source == "stock")
    match, seq, *_ = ledger_of(app).record(None, events[: place + 1], 0)
    return match, seq


def test_proofs_of_cards_in_play_are_for_scorers(empty: Flask) -> None:
    match, seq = under_way(empty)
    scorer = empty.test_client()
    told(scorer, f"/matches/{match}/receipt")
    told(scorer, f"/matches/{match}/proof?seq={seq}")
    sign_in(empty, "reader")
    reader = empty.test_client()
    for path in ("receipt", "proof", f"proof?seq={seq}", "proof?seq=2"):
        assert told(reader, f"/matches/{match}/{path}", 403)["code"] == "http.forbidden"
    told(reader, f"/matches/{match}/proof?seq=1")
    ledger_of(empty).record(match, [ev.End()], seq)
    told(reader, f"/matches/{match}/receipt")
    told(reader, f"/matches/{match}/proof?seq={seq}")


def test_no_answer_to_readers_reveals_a_drawn_card(empty: Flask) -> None:
    """If all but one card of a line is known, every candidate card gives a hash, and one of them is right."""
    ledger, (match, seq) = ledger_of(empty), under_way(empty)
    sign_in(empty, "reader")
    reader = empty.test_client()
    size = told(reader, "/checkpoint")["size"]
    other = over(ledger, seed=5)
    seen = json.dumps([
        told(reader, "/checkpoint"),
        told(reader, f"/matches/{other}/receipt"),
        *(told(reader, f"/checkpoint/consistency?first={first}&second={size}") for first in range(1, size + 1)),
        *(told(reader, f"/matches/{other}/proof?seq={at}") for at in range(1, 20)),
        told(reader, f"/matches/{match}/proof?seq=1"),
    ])  # fmt: skip
    *before, drawn = ledger.store.read(match)
    with Log(ledger) as log:
        index = log.tree.index(EventPlace(match, seq))
        assert index is not None
        assert as_base64(log.tree.tiles.leaf(index)) in seen  # the salt is there, for those who may see it
    (card,) = decode_one(drawn.line).cards
    faces = ledger.stream(match).table.pack.faces
    assert card in faces
    for face in faces:
        guess = drawn.line.replace(f'"cards":["{card}"]', f'"cards":["{face}"]')
        hash = sha256(before[-1].hash + guess.encode()).digest()
        leaf = sha256(b"\x00" + f"{match} {seq} {hash.hex()}".encode()).digest()
        assert not [each for each in (hash.hex(), as_base64(hash), as_base64(leaf)) if each in seen]
