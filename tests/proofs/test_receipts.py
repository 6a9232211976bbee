"""Receipts, and the program that checks them: nothing of ours in it, and nothing gets past it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ledger import events as ev
from ledger.ledger import Ledger
from ledger.proofs import Place, ProofError
from ledger.proofs.log import Log
from ledger.proofs.notes import as_base64, sign
from ledger.proofs.receipts import as_file, confirmed, receipt, tlog_proof
from tests.proofs.club import NOW, over, record_some
from tests.proofs.verifier import FILE, verifier


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
        proof = tlog_proof(log.inclusion(Place(match, 4)))
        yield Sealed(ledger, log, match, as_file(receipt(log, match)), str(log.ring.verifier), lines, stored, proof)


def checked(*given: Any) -> tuple[int, str]:
    """Return exit status and text of a check within this process."""
    try:
        return 0, "\n".join(verifier.check(*given))
    except verifier.WrongError as error:
        return 1, str(error)
    except (verifier.UnusableError, UnicodeError) as error:
        return 2, str(error)


def changed(sealed: Sealed, **parts: Any) -> str:
    return json.dumps(json.loads(sealed.receipt) | parts)


# --- the program


def test_the_program_shares_nothing_with_ours_and_needs_nothing_else() -> None:
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


def test_the_program_runs_alone_and_says_in_words_what_it_found(sealed: Sealed, tmp_path: Path) -> None:
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
    assert "All of it is as it was sealed." in said
    (tmp_path / "receipt.json").write_text(sealed.receipt.replace("chloe", "cloe"))
    status, said = run("receipt.json", "--key", sealed.key)
    assert status == 1
    assert "WRONG, this is not what was sealed: the name told for ~" in said
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
    assert [*told] == ["receipt", "match", "keys", "salt", "proof", "names", "events"]
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
        "event 4 of the match file is lacking: 4 were sealed",
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
    assert flips(sealed, 1) > 15_000


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


def test_whoever_computes_all_hashes_anew_is_stopped_by_the_checkpoint(sealed: Sealed) -> None:
    events, before = json.loads(sealed.receipt)["events"], "00" * 32
    events[3]["line"] = events[3]["line"].replace('"by":"', '"by":"x')
    for event in events:
        before = event["hash"] = verifier.linked(before, event["line"])
    status, said = checked(changed(sealed, events=events), None)
    assert (status, "is not in the checkpoint" in said) == (1, True)


def test_a_receipt_that_somebody_else_signed_is_told_by_the_key(sealed: Sealed, tmp_path: Path) -> None:
    with Ledger(tmp_path / "forged.db") as ledger, Log(ledger) as forger:
        match, _ = record_some(ledger)
        forged = receipt(forger, match)
        # Under the name of the real ledger, and with its key beside the forger's.
        size, root = forger.latest().size, forger.latest().root
        note = sign(sealed.log.ring.origin, size, root, NOW, forger.ring.signer)
        public = forger.ring.verifier.public
        key = str(type(sealed.log.ring.verifier)(sealed.log.ring.origin, public))
        head = forged["proof"].partition("\n\n")[0]
        named = {**forged, "proof": f"{head}\n\n{note.note}"}
    assert checked(json.dumps(forged), None)[0] == 0
    assert checked(json.dumps(forged), sealed.key)[0] == 1
    assert checked(json.dumps({**named, "keys": [key]}), None)[0] == 0
    for keys in ([sealed.key, key], [key, sealed.key], [sealed.key]):
        assert checked(json.dumps({**named, "keys": keys}), None)[0] == 1
    assert checked(json.dumps({**named, "keys": [key]}), sealed.key) == (1, "the checkpoint is not signed by this key")


def test_events_that_are_not_shown_are_covered_all_the_same(sealed: Sealed) -> None:
    """So that a receipt can be given of a match in which a line is no longer to be read."""
    events = json.loads(sealed.receipt)["events"]
    for place in range(6):
        hidden = [{**event, "line": None} if at == place else event for at, event in enumerate(events)]
        status, said = checked(changed(sealed, events=hidden), sealed.key)
        assert (status, "1 of them are not shown" in said) == (0, True)
        wrong = [{**event, "hash": "ab" * 32} if at == place else event for at, event in enumerate(hidden)]
        assert checked(changed(sealed, events=wrong), sealed.key)[0] == 1


@pytest.mark.parametrize(
    "parts",
    [
        {"receipt": "cardledger-receipt-3"}, {"match": 7}, {"more": 1}, {"keys": []}, {"keys": [7]}, {"keys": ["a+b"]},
        {"events": []}, {"events": [7]}, {"events": [{"hash": "x", "line": None}]}, {"events": [{"hash": 7, "line": 7}]},
        {"events": {}}, {"proof": ""}, {"proof": "c2sp.org/tlog-proof@v1\nindex 1\n\n"}, {"salt": ""}, {"salt": "\ud800"},
        {"match": "\ud800"}, {"proof": "\ud800"}, {"keys": ["\ud800+a+b"]},
    ],
)  # fmt: skip
def test_what_is_no_receipt_is_refused_without_a_traceback(sealed: Sealed, parts: dict[str, Any]) -> None:
    assert checked(changed(sealed, **parts), None)[0] in (1, 2)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "7", "null", '{"a":1,"a":2}', "[" * 100_000, "\x00", "c2sp.org/tlog-proof"]
)
def test_anything_else_is_refused_without_a_traceback(text: str) -> None:
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
        said = f"event {cut + 1} of the match file is lacking: 6 were sealed"
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


def test_a_receipt_over_a_change_of_keys_fits_either(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger, Log(ledger) as log:
        match, _ = record_some(ledger)
        old = str(log.ring.verifier)
        log.rotate()
        told = json.dumps(receipt(log, match))
        new = str(log.ring.verifier)
        assert json.loads(told)["keys"] == [new, old]
        for key in (None, old, new):
            assert checked(told, key)[0] == 0


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


def test_a_printed_receipt_is_confirmed_and_nothing_else_is(sealed: Sealed) -> None:
    log, place = sealed.log, Place(sealed.match, 6)
    found = log.inclusion(place)
    size = found.checkpoint.size
    assert confirmed(log, place, found.hash, size).size == size
    for wrong, code in (
        ((Place(sealed.match, 5), found.hash, size), "proofs.differs"),
        ((Place(sealed.match, 7), found.hash, size), "proofs.differs"),
        ((Place("x", 6), found.hash, size), "proofs.differs"),
        ((place, bytes(32), size), "proofs.differs"),
        ((place, found.hash, size + 1), "proofs.checkpoint"),
        ((place, found.hash, 1), "proofs.checkpoint"),
    ):
        with pytest.raises(ProofError) as caught:
            confirmed(log, *wrong)
        assert caught.value.code == code
