"""A phone that keeps the last checkpoint: it notices whatever was done to a ledger since, and nothing else."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from cardledger_web.engine.inside import Inside
from cardledger_web.engine.witness import looked_at
from tests.proofs.club import over, rehash, tampering
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

served = contextmanager(opened)
ENGINE = Inside()


class Phone:
    """An honest phone: it asks what static/witness.js asks, and keeps what that keeps."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.kept: dict[str, Any] | None = None

    def looks(self) -> str:
        now = self.client.get("/api/v1/checkpoint").json
        keys = [known["key"] for known in self.client.get("/api/v1/checkpoint/keys").json["keys"]]
        proof = None
        if self.kept and self.kept["size"] < now["size"]:
            sizes = {"first": self.kept["size"], "second": now["size"]}
            proof = self.client.get("/api/v1/checkpoint/consistency", query_string=sizes).text
        asked = {"ask": "looked_at", "note": now["note"], "keys": keys, "kept": self.kept, "proof": proof}
        told = json.loads(ENGINE.answer(json.dumps(asked)))["told"]
        self.kept = told["shown"]
        verdict: str = told["verdict"]
        return verdict


def seal(ledger: Ledger) -> None:
    with Log(ledger) as log:
        log.seal()


def rewritten(path: Path, change: Callable[[Any], None]) -> None:
    """Rewrite a night as its club could: the events, all hashes, no tree, no checkpoint; then seal it with the club's own key."""
    with tampering(path) as db:
        change(db)
        rehash(db)
    for other in path.parent.iterdir():
        if other.name not in (path.name, f"{path.stem}.key"):
            other.unlink()
    with Ledger(path) as ledger:
        seal(ledger)


def a_card(db: Any) -> None:
    db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 7')


def the_last(db: Any) -> None:
    db.execute("DELETE FROM events WHERE position = (SELECT max(position) FROM events)")


@pytest.fixture
def phone(empty: Flask) -> Phone:
    over(ledger_of(empty))
    seal(ledger_of(empty))
    return Phone(empty.test_client())


def test_a_ledger_that_grows_is_what_it_was(empty: Flask, phone: Phone) -> None:
    assert phone.looks() == "first"
    assert phone.looks() == "grown"
    over(ledger_of(empty), seed=2)
    seal(ledger_of(empty))
    assert phone.looks() == "grown"


def test_a_phone_keeps_no_names(empty: Flask, phone: Phone) -> None:
    ledger = ledger_of(empty)
    phone.looks()
    kept = json.dumps(phone.kept)
    assert not [name for name in ledger.stream(over(ledger)).table.players if name in kept]
    assert {*(phone.kept or {})} == {"note", "origin", "size", "root", "at", "keys"}
    assert len(kept) < 2_000


@pytest.mark.parametrize(("change", "more", "verdict"), [
    (a_card, 0, "differs"), (a_card, 1, "differs"), (the_last, 0, "fewer"), (the_last, 1, "differs"),
])  # fmt: skip
def test_a_club_that_rewrote_its_night_is_caught_by_a_phone_that_was_there(
    tmp_path: Path, change: Callable[[Any], None], more: int, verdict: str
) -> None:
    path = tmp_path / "club.db"
    with served(path) as before:
        match = over(ledger_of(before))
        seal(ledger_of(before))
        phone = Phone(before.test_client())
        assert phone.looks() == "first"
    rewritten(path, change)
    with served(path) as after:
        ledger = ledger_of(after)
        if more:
            ledger.record(match, [ev.Note(text="late")] * 3, ledger.stream(match).seq)
            seal(ledger)
        newcomer = Phone(after.test_client())
        assert newcomer.looks() == "first", "without a phone that was there nobody would notice"
        phone.client = after.test_client()
        assert phone.looks() == verdict
        assert phone.looks() == "grown", "it is told once; the evidence stays"


def test_a_new_key_and_a_new_log_are_told_apart(empty: Flask, phone: Phone) -> None:
    phone.looks()
    ledger = ledger_of(empty)
    with Log(ledger) as log:
        log.rotate()
    assert phone.looks() == "grown", "the note that both keys signed introduces the new one"
    over(ledger, seed=2)
    seal(ledger)
    assert phone.looks() == "grown"
    with Log(ledger) as log:
        log.rotate()
    over(ledger, seed=3)
    seal(ledger)
    assert phone.looks() == "key", "this phone was not there when both keys signed"
    for suffix in (".key", ".checkpoints", ".proofs.db"):
        ledger.store.file.path.with_suffix(suffix).unlink(missing_ok=True)
    seal(ledger)
    assert phone.looks() == "other"


def test_an_answer_that_is_no_checkpoint_is_one_of_nobody(empty: Flask, phone: Phone) -> None:
    phone.looks()
    kept = phone.kept
    assert kept is not None
    for note in ("", "x", kept["note"].replace("\n", "\n\n", 1), kept["note"].replace(str(kept["size"]), "9", 1)):
        told = looked_at(note, kept["keys"], kept, None)
        assert told["verdict"] == "unsigned", note
    for proof in (None, "", "[]", '{"first": 1, "second": 2, "path": []}'):
        over(ledger_of(empty), seed=4)
        seal(ledger_of(empty))
        now = phone.client.get("/api/v1/checkpoint").json["note"]
        assert looked_at(now, kept["keys"], kept, proof)["verdict"] == "unproven"
    assert looked_at(kept["note"], kept["keys"], kept | {"note": "damaged"}, None)["verdict"] == "first"
