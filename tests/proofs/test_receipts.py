"""Receipts, and the program that checks them: nothing of ours in it, and nothing gets past it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import VerifierKey, as_base64, read, sign
from cardledger.record.proofs.receipts import as_file, confirmed, receipt, tlog_proof
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.proofs.club import NOW, over, record_some
from tests.proofs.older import older_receipt
from tests.proofs.verifier import FILE, verifier
from tests.thorough import many


@dataclass
class Sealed:
    """A match that was sealed, with all that somebody could have of it."""

    ledger: Ledger
    log: Log
    match: str
    receipt: str
    key: str
    lines: str
    stored: str
    proof: str


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sealed]:
    with Ledger(tmp_path_factory.mktemp("receipts") / "club.db") as ledger, Log(ledger) as log:
        match, _ = record_some(ledger)
        over(ledger, seed=4)
        log.seal(NOW)
        (lines,) = ledger.export([match])
        (stored,) = ledger.export([match], as_stored=True)
        proof = tlog_proof(log.inclusion(EventPlace(match, 4)))
        yield Sealed(ledger, log, match, as_file(receipt(log, match)), str(log.ring.verifier), lines, stored, proof)


def checked(*given: Any) -> tuple[int, str]:
    """Return exit status and text of a check within this process."""
    try:
        return 0, "\n".join(verifier.check(*given))
    except verifier.WrongError as error:
        return 1, str(error)
    except (verifier.CannotCheckError, UnicodeError) as error:
        return 2, str(error)


def changed(sealed: Sealed, **parts: Any) -> str:
    return json.dumps(json.loads(sealed.receipt) | parts)


# --- the program


def test_the_checker_shares_no_code_and_needs_no_library() -> None:
    tree = ast.parse(FILE.read_text())
    imported = {
        (node.module or "").partition(".")[0] if isinstance(node, ast.ImportFrom) else name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= {*sys.stdlib_module_names}
    assert not imported & {"ledger", "api", "web", "ctypes", "socket", "subprocess", "urllib", "http", "importlib"}
    assert not {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & {"exec", "eval", "__import__"}


def test_the_checker_runs_alone_and_explains_its_findings(sealed: Sealed, tmp_path: Path) -> None:
    (tmp_path / "receipt.json").write_text(sealed.receipt)
    (tmp_path / "match.jsonl").write_text(sealed.lines)
    alone = tmp_path / "check_receipt.py"
    alone.write_bytes(FILE.read_bytes())

    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-I", "-S", str(alone), *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    day = sealed.lines.partition('"at":"')[2][:10]
    status, said = run("receipt.json", "--key", sealed.key, "--match", "match.jsonl")
    assert status == 0
    assert f"match {sealed.match}: diversity, {day}, played by ana, ben, chloe, dev" in said
    assert "they were sealed on 2026-11-21 at 19:04:31 UTC" in said
    assert "Everything is as it was sealed." in said
    (tmp_path / "receipt.json").write_text(sealed.receipt.replace("chloe", "cloe"))
    status, said = run("receipt.json", "--key", sealed.key)
    assert status == 1
    assert "WRONG, this is not what was sealed: the name given for ~" in said
    for words in (("nothing.json",), ("match.jsonl",), ("check_receipt.py",)):
        assert run(*words)[0] == 2


# --- receipts


def test_a_receipt_fits_itself_its_key_and_its_match_file(sealed: Sealed) -> None:
    assert checked(sealed.receipt, None)[0] == 0
    assert "only the receipt itself says that this key" in checked(sealed.receipt, None)[1]
    status, said = checked(sealed.receipt, sealed.key, sealed.lines)
    assert (status, "only the receipt itself" in said) == (0, False)
    assert "its 6 events follow one from the other" in said
    assert "the match file holds the same 6 events" in said


def test_a_receipt_is_read_by_people_too(sealed: Sealed) -> None:
    told = json.loads(sealed.receipt)
    assert [*told] == ["receipt", "match", "keys", "checkpoint", "path", "names", "events"]
    assert [event["line"] for event in told["events"]] == sealed.stored.splitlines()
    assert sum('"line"' in line for line in sealed.receipt.splitlines()) == 6


def test_a_proof_fits_with_the_match_file_it_is_about(sealed: Sealed) -> None:
    status, said = checked(sealed.proof, sealed.key, sealed.stored)
    assert status == 0
    assert "the match file holds the same 4 events" in said
    assert "but the 2 later ones" in said
    assert checked(sealed.proof, None)[0] == 2
    assert "--as-stored" in checked(sealed.proof, sealed.key, sealed.lines)[1]
    lines = sealed.stored.splitlines(keepends=True)
    assert checked(sealed.proof, sealed.key, "".join(lines[:3])) == (
        1,
        "event 4 is missing from the match file: 4 were sealed",
    )
    assert checked(sealed.proof, sealed.key, "".join([*lines[:2], *lines[3:]]))[0] == 1


def flips(sealed: Sealed, step: int) -> int:
    """Check the receipt with bits flipped; return how many of them were caught."""
    whole, meaning = sealed.receipt.encode(), json.loads(sealed.receipt)
    caught = 0
    for bit in range(0, len(whole) * 8, step):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << (bit // 8 + bit) % 8
        try:
            text = flipped.decode()
        except UnicodeDecodeError:
            caught += 1
            continue
        status, _ = checked(text, None)
        if status == 0:
            assert json.loads(text) == meaning, bit  # a blank for another
        else:
            caught += 1
            assert checked(text, sealed.key)[0] != 0, bit
    return caught


def test_no_changed_bit_of_a_receipt_gets_past_the_program(sealed: Sealed) -> None:
    assert flips(sealed, 41) > 400


@pytest.mark.long
def test_no_changed_bit_of_a_whole_receipt_gets_past_the_program(sealed: Sealed) -> None:
    assert flips(sealed, many(5, 1)) > many(3_000, 15_000)


def test_no_event_of_a_receipt_can_be_changed_left_out_moved_or_put_in(sealed: Sealed) -> None:
    events = json.loads(sealed.receipt)["events"]
    for place in range(6):
        dropped = [*events[:place], *events[place + 1 :]]
        doubled = [*events[: place + 1], *events[place:]]
        other = {**events[place], "line": events[place]["line"].replace('"seat":', '"seat": ') + " "}
        renamed = [*events[:place], other, *events[place + 1 :]]
        for wrong in (dropped, doubled, renamed):
            assert checked(changed(sealed, events=wrong), None)[0] == 1
        assert f"event {place + 1} of the receipt" in checked(changed(sealed, events=renamed), None)[1]
        for after in range(place + 1, 6):
            moved = events.copy()
            moved[place], moved[after] = moved[after], moved[place]
            assert checked(changed(sealed, events=moved), None)[0] == 1


def test_recomputing_all_hashes_does_not_fool_the_checkpoint(sealed: Sealed) -> None:
    events, before = json.loads(sealed.receipt)["events"], "00" * 32
    events[3]["line"] = events[3]["line"].replace('"by":"', '"by":"x')
    for event in events:
        before = event["hash"] = verifier.linked(before, event["line"])
    status, said = checked(changed(sealed, events=events), None)
    assert (status, "not in the checkpoint" in said) == (1, True)


def test_a_receipt_signed_with_another_key_is_detected(sealed: Sealed, tmp_path: Path) -> None:
    with Ledger(tmp_path / "forged.db") as ledger, Log(ledger) as forger:
        match, _ = record_some(ledger)
        forged = receipt(forger, match)
        # Under the name of the real ledger, and with its key beside the forger's.
        size, root = forger.latest().size, forger.latest().root
        note = sign(sealed.log.ring.origin, size, root, NOW, forger.ring.signer)
        public = forger.ring.verifier.public
        key = str(type(sealed.log.ring.verifier)(sealed.log.ring.origin, public))
        named = {**forged, "checkpoint": note.note}
    assert checked(json.dumps(forged), None)[0] == 0
    assert checked(json.dumps(forged), sealed.key)[0] == 1
    assert checked(json.dumps({**named, "keys": [key]}), None)[0] == 0
    for keys in ([sealed.key, key], [key, sealed.key], [sealed.key]):
        assert checked(json.dumps({**named, "keys": keys}), None)[0] == 1
    status, said = checked(json.dumps({**named, "keys": [key]}), sealed.key)
    assert (status, "if it fits none of them, this is no receipt of the ledger" in said) == (2, True)


def hiding(receipt: str | dict[str, Any], *places: int) -> str:
    """Return a receipt without the lines of some of its events."""
    told = json.loads(receipt) if isinstance(receipt, str) else receipt
    events = [{**event, "line": None} if seq in places else event for seq, event in enumerate(told["events"], 1)]
    named = json.dumps([event["line"] for event in events])
    names = {pseudonym: name for pseudonym, name in told.get("names", {}).items() if pseudonym in named}
    return json.dumps({**told, "events": events, **({"names": names} if "names" in told else {})})


def test_events_that_are_not_shown_are_covered_and_all_others_proven_all_the_same(sealed: Sealed) -> None:
    """A receipt must be possible for a match with an unreadable line."""
    for places in ((1,), (3,), (6,), (1, 2), (5, 6), (2, 4, 6), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6)):
        told = json.loads(hiding(sealed.receipt, *places))
        status, said = checked(json.dumps(told), sealed.key)
        assert (status, f"{len(places)} of them are not shown" in said) == (0, True)
        for place in range(6):
            wrong = [{**event, "hash": "ab" * 32} if at == place else event for at, event in enumerate(told["events"])]
            assert checked(json.dumps({**told, "events": wrong}), sealed.key)[0] == 1


def test_events_before_a_hidden_event_are_bound_to_the_root(sealed: Sealed) -> None:
    """Rotate the players and the deal, recompute all hashes, and hide only the last line."""
    told = json.loads(sealed.receipt)
    opening, deal, *_, last = told["events"]
    sealed_last, before = last["hash"], "00" * 32
    names = sorted(told["names"], key=opening["line"].index)[:4]
    for old, new in zip(names, "1234", strict=True):
        opening["line"] = opening["line"].replace(old, new)
    for old, new in zip("2341", names, strict=True):
        opening["line"] = opening["line"].replace(old, new)
    hands = json.loads(deal["line"])["hands"]
    deal["line"] = deal["line"].replace(
        json.dumps(hands, separators=(",", ":")), json.dumps([*hands[1:], hands[0]], separators=(",", ":"))
    )
    for event in told["events"]:
        before = event["hash"] = verifier.linked(before, event["line"])
    for last["hash"] in (sealed_last, before):
        status, said = checked(hiding(told, 6), sealed.key)
        assert (status, "not in the checkpoint" in said) == (1, True)


@pytest.mark.parametrize("form", [1, 2])
def test_an_older_receipt_says_what_it_proves_and_what_it_does_not(sealed: Sealed, form: int) -> None:
    told = older_receipt(sealed.log, sealed.match, form)
    assert checked(json.dumps(told), sealed.key, sealed.stored if form == 1 else sealed.lines)[0] == 0
    for places, relied in (((3,), "events 4 to 6"), ((2, 5), "events 6 to 6"), ((6,), "no other")):
        status, said = checked(hiding(told, *places), sealed.key)
        assert (status, f"{relied} can be trusted" in said) == (2, True), said
        assert f"event {places[-1]} is not shown" in said
        # The match file has what the receipt does not show: then all follow from one another again.
        assert checked(hiding(told, *places), sealed.key, sealed.stored)[0] == 0
        assert checked(hiding(told, *places), sealed.key, sealed.stored.replace('"by":"', '"by":"x'))[0] != 0
    for places in ((1,), (1, 2), (1, 2, 3, 4, 5, 6)):  # nothing shown stands before these
        assert checked(hiding(told, *places), sealed.key)[0] == 0


def test_a_name_is_published_only_with_an_event_that_holds_it(sealed: Sealed) -> None:
    told = json.loads(sealed.receipt)
    salt = "00" * 16
    made = "~" + b32encode(sha256(bytes.fromhex(salt) + b"eve").digest())[:26].decode()
    status, said = checked(changed(sealed, names={**told["names"], made: {"salt": salt, "text": "eve"}}), sealed.key)
    assert (status, said) == (1, "the receipt gives a name that is in none of the events")
    status, said = checked(
        changed(sealed, events=[{**told["events"][0], "line": None}, *told["events"][1:]]), sealed.key
    )
    assert (status, "is in none of the events shown: remove it" in said) == (2, True)


def test_a_match_file_uses_one_name_for_an_unknown_pseudonym(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger, Log(ledger) as log:
        match, seq, *_ = ledger.record(None, [ev.Open(game="ruff", players=("Annabella", "ben", "chloe"))], 0)
        ledger.record(match, [ev.Note(text="a chair broke")], seq, by="Annabella")
        (lines,) = ledger.export([match])
        untold, key = json.dumps({**receipt(log, match), "names": {}}), str(log.ring.verifier)
    status, said = checked(untold, key, lines)
    assert (status, "left out: 4; they cannot be checked" in said) == (0, True)
    assert checked(untold, key, lines.replace("Annabella", "eve"))[0] == 0
    assert checked(untold, key, lines.replace("Annabella", "eve", 1))[0] == 1


def test_a_match_file_with_the_match_once_proves_nothing_about_other_matches(sealed: Sealed) -> None:
    others = "".join(sealed.ledger.export(sealed.ledger.matches()))
    assert "other matches in the match file are not in the receipt" in checked(sealed.receipt, sealed.key, others)[1]
    forged = sealed.lines.replace('{"type":"open",', '{ "type": "open", ').replace("ana", "eve")
    for both in (sealed.lines + forged, forged + sealed.lines):
        assert checked(sealed.receipt, sealed.key, both) == (1, f"the match file holds match {sealed.match} twice")
    assert checked(sealed.receipt, sealed.key, others + '{"type":"open","type":"note"}\n')[0] == 2


def test_a_receipt_of_the_beginning_says_where_it_ends(sealed: Sealed) -> None:
    """A person with the salts of all events can leave out the last ones: that is a receipt of an earlier moment."""
    told = json.loads(sealed.receipt)
    events = told["events"][:4]
    path = sealed.log.tree.tiles.inclusions([event["index"] for event in events], sealed.log.latest().size)
    cut = hiding(changed(sealed, events=events, path=[*map(as_base64, path)]))
    status, said = checked(cut, sealed.key)
    assert (status, "its 4 events" in said) == (0, True)
    assert "whether more came after event 4, a receipt cannot tell" in said


@pytest.mark.parametrize(
    "parts",
    [
        {"receipt": "cardledger-receipt-9"}, {"receipt": "cardledger-receipt-2"}, {"receipt": []}, {"match": 7}, {"more": 1}, {"keys": []}, {"keys": [7]}, {"keys": ["a+b"]},
        {"events": []}, {"events": [7]}, {"events": [{"hash": "x", "line": None}]}, {"events": [{"hash": 7, "line": 7}]},
        {"events": {}}, {"proof": ""}, {"checkpoint": ""}, {"path": []}, {"path": [7]}, {"path": ["AAAA"]}, {"salt": "\ud800"},
        {"match": "\ud800"}, {"checkpoint": "\ud800"}, {"keys": ["\ud800+a+b"]}, {"names": {"~": {}}}, {"path": ["\ud800"]},
    ],
)  # fmt: skip
def test_a_file_that_is_not_a_receipt_is_refused_without_a_traceback(sealed: Sealed, parts: dict[str, Any]) -> None:
    assert checked(changed(sealed, **parts), None)[0] in (1, 2)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "7", "null", '{"a":1,"a":2}', "[" * 100_000, "\x00", "c2sp.org/tlog-proof"]
)
def test_other_input_is_refused_without_a_traceback(text: str) -> None:
    assert checked(text, None)[0] in (1, 2)


def test_a_match_file_is_compared_event_by_event(sealed: Sealed) -> None:
    lines = sealed.lines.splitlines(keepends=True)
    for place in range(6):
        edited = [*lines[:place], lines[place].replace('"by":"', '"by":"x'), *lines[place + 1 :]]
        said = f"event {place + 1} of the match file is not the one that was sealed"
        assert checked(sealed.receipt, sealed.key, "".join(edited)) == (1, said)
        if 0 < place < 5:
            assert checked(sealed.receipt, sealed.key, "".join([*lines[:place], *lines[place + 1 :]])) == (1, said)
    absent = (1, f"the match file does not hold match {sealed.match}")
    assert checked(sealed.receipt, sealed.key, "".join(lines[1:])) == checked(sealed.receipt, sealed.key, "") == absent
    for cut in range(1, 6):
        said = f"event {cut + 1} is missing from the match file: 6 were sealed"
        assert checked(sealed.receipt, sealed.key, "".join(lines[:cut])) == (1, said)
    others = "".join(sealed.ledger.export(sealed.ledger.matches()))
    assert checked(sealed.receipt, sealed.key, others)[0] == 0
    assert checked(sealed.receipt, sealed.key, others.replace("\n", "\r\n"))[0] == 0


def test_a_checkpoint_that_was_kept_is_compared(sealed: Sealed) -> None:
    ledger, log = sealed.ledger, sealed.log
    ours = log.latest()
    assert checked(sealed.receipt, sealed.key, None, ours.note)[0] == 0
    over(ledger, seed=9)
    later = log.seal()
    status, said = checked(sealed.receipt, sealed.key, None, later.note)
    assert (status, f"first={ours.size}&second={later.size}" in said) == (2, True)
    found = log.consistency(ours.size, later.size)
    proof = {"first": found.first, "second": found.second, "path": [as_base64(hash) for hash in found.path]}
    assert checked(sealed.receipt, sealed.key, None, later.note, json.dumps(proof))[0] == 0
    for wrong in ({**proof, "path": proof["path"][:-1]}, {**proof, "path": [*proof["path"], proof["path"][0]]}):
        assert checked(sealed.receipt, sealed.key, None, later.note, json.dumps(wrong))[0] == 1
    for wrong in ({}, [], {**proof, "first": 1}, {**proof, "path": 7}):
        assert checked(sealed.receipt, sealed.key, None, later.note, json.dumps(wrong))[0] == 2
    for size in (ours.size, later.size, 1):
        forked = sign(log.ring.origin, size, bytes(32), NOW, log.ring.signer)
        assert checked(sealed.receipt, sealed.key, None, forked.note, json.dumps(proof))[0] in (1, 2)


def test_a_receipt_across_a_change_of_keys_fits_both_keys(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger, Log(ledger) as log:
        match, _ = record_some(ledger)
        old = str(log.ring.verifier)
        log.rotate()
        told = json.dumps(receipt(log, match))
        new = str(log.ring.verifier)
        assert json.loads(told)["keys"] == [new, old]
        for key in (None, old, new):
            assert checked(told, key)[0] == 0


def test_a_receipt_from_before_a_change_of_keys_is_checked_with_the_key_of_then(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger, Log(ledger) as log:
        match, _ = record_some(ledger)
        told = json.dumps(receipt(log, match))
        proof = tlog_proof(log.inclusion(EventPlace(match, 1)))
        old = str(log.ring.verifier)
        log.rotate()
        over(ledger, seed=3)
        later = log.seal()
        new = str(log.ring.verifier)
        first, second = json.loads(told)["checkpoint"], later
        consistency = log.consistency(read(first).size, later.size)
    path = {
        "first": consistency.first,
        "second": consistency.second,
        "path": [as_base64(hash) for hash in consistency.path],
    }
    assert checked(told, [new, old])[0] == checked(told, [old])[0] == 0
    status, said = checked(told, [new])
    assert status == 2
    assert "another key of this ledger" in said
    assert "give each with --key" in said
    assert checked(proof, [new])[0] == 2
    assert checked(proof, [new, old])[0] == 0
    assert checked(told, [old], None, second.note, json.dumps(path))[0] == 2, "the later checkpoint has the new key"
    assert checked(told, [new, old], None, second.note, json.dumps(path))[0] == 0


def test_a_wrong_signature_stays_wrong_whatever_other_keys_are_given(sealed: Sealed) -> None:
    stranger = str(VerifierKey(sealed.log.ring.origin, Ed25519PrivateKey.generate().public_key().public_bytes_raw()))
    told = json.loads(sealed.receipt)
    head, _, below = told["checkpoint"].partition("\n\n")
    origin, size, root = head.split("\n")
    told["checkpoint"] = "\n".join([origin, str(int(size) + 1), root]) + f"\n\n{below}"
    for keys in ([sealed.key], [stranger, sealed.key], []):
        assert checked(json.dumps(told), keys)[0] == 1
    assert checked(sealed.receipt, [stranger])[0] == 2
    other = str(VerifierKey("cardledger/other", Ed25519PrivateKey.generate().public_key().public_bytes_raw()))
    assert checked(sealed.receipt, [other])[0] == 1, "of another ledger"


def test_a_receipt_is_as_of_now_and_covers_corrections(sealed: Sealed) -> None:
    ledger, log = sealed.ledger, sealed.log
    match = over(ledger, seed=12)
    before = as_file(receipt(log, match))
    seq = ledger.stream(match).seq
    ledger.record(match, [ev.Note(text="\u202e‮ “odd” \u0007 text")], seq)
    after = as_file(receipt(log, match))
    (lines,) = ledger.export([match])
    assert checked(after, sealed.key, lines)[0] == 0
    assert "but the 1 later ones" in checked(before, sealed.key, lines)[1]


# --- what a printed receipt says


def test_only_a_true_printed_receipt_is_confirmed(sealed: Sealed) -> None:
    log, place = sealed.log, EventPlace(sealed.match, 6)
    found = log.inclusion(place)
    size = found.checkpoint.size
    assert confirmed(log, place, found.hash, size).size == size
    for wrong, code in (
        ((EventPlace(sealed.match, 5), found.hash, size), "proofs.differs"),
        ((EventPlace(sealed.match, 7), found.hash, size), "proofs.differs"),
        ((EventPlace("x", 6), found.hash, size), "proofs.differs"),
        ((place, bytes(32), size), "proofs.differs"),
        ((place, found.hash, size + 1), "proofs.checkpoint"),
        ((place, found.hash, 1), "proofs.checkpoint"),
    ):
        with pytest.raises(ProofError) as caught:
            confirmed(log, *wrong)
        assert caught.value.code == code
