"""The pages of receipts: a slip to print, a file to keep, and a check that says when something does not fit."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING

import pytest
import segno

from cardledger.record.proofs.sealer import Sealer
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import findings_of, ledger_of
from cardledger_web.engine.checking import checked as checked_here
from cardledger_web.engine.inside import Inside
from cardledger_web.pages.receipts import qr_code, qr_code_with
from tests.proofs.club import over, rehash, tampering
from tests.proofs.verifier import FILE, verifier
from tests.web.club import sign_in
from tests.web.test_integrity import checked
from tests.web.test_pages import page

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient


def flat(client: FlaskClient, path: str, status: int = 200) -> str:
    return " ".join(page(client, path, status).split())


def check_of(text: str) -> str:
    """Return the address of the check a receipt page leads to."""
    return unescape(re.findall(r'<a href="([^"]+)">check this receipt', text)[0])


def under_way(app: Flask) -> tuple[str, int]:
    events = [*simulate("diversity", 4, Random(3), ["random"], {"hands": 1}, max_hands=1)]
    match, seq, *_ = ledger_of(app).record(None, events[:5], 0)
    return match, seq


def test_a_receipt_names_players_game_and_sealed_events(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    text = flat(client, f"/matches/{match}/receipt")
    table = ledger.stream(match).table
    for player, total in zip(table.players, table.totals, strict=True):
        assert re.search(rf"<bdi[^>]*>{player}</bdi> <span class=\"points\">{total}\b", text)
    last = ledger.store.read(match)[-1]
    assert last.hash.hex() in text
    assert f"All {last.seq} events of this match are sealed" in text
    key = client.get("/api/v1/checkpoint/keys").json["keys"][0]["key"]
    note = client.get("/api/v1/checkpoint").json["note"]
    assert key in unescape(text)
    assert " ".join(note.split()) in unescape(text)
    assert f"/matches/{match}/receipt" in page(client, f"/matches/{match}")


def test_the_qr_code_links_to_the_check(empty: Flask) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    text = page(client, f"/matches/{match}/receipt")
    (digits,) = re.findall('/receipts/check#([0-9]+)"', text)
    drawn = segno.make([f"http://localhost{check_of(text)}#", digits], error="l", micro=False, boost_error=False)
    assert drawn.svg_inline(omitsize=True, border=4, light="#fff", lineclass=None, svgclass="code") in text
    assert "style" not in qr_code("x")
    said = flat(client, check_of(text))
    assert "This receipt fits." in said
    assert f"/matches/{match}/receipt" in said


def test_the_code_brings_the_proof_along_unless_it_would_be_too_fine_to_read(empty: Flask) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    (digits,) = re.findall('/receipts/check#([0-9]+)"', page(client, f"/matches/{match}/receipt"))
    key = client.get("/api/v1/checkpoint/keys").json["keys"][0]["key"]
    last = ledger_of(empty).store.read(match)[-1].seq
    told = checked_here(digits, [key])
    assert told["status"] == 0, told
    assert told["lines"][0] == f"ok  match {match}"
    assert told["lines"][1].startswith(f"ok  event {last} is number ")
    assert checked_here(digits, [])["status"] == 2, "no receipt vouches for its own key"
    assert checked_here(str(int(digits) + 1), [key])["status"] == 2
    for nothing in ("0", "7" * 4_000, "7" * 100_000, ""):
        assert checked_here(nothing, [key])["status"] == 2
    assert qr_code_with("https://club.example/#", "7" * 3_000) is None


def test_a_browser_checks_as_the_command_does(empty: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    receipt = client.get(f"/matches/{match}/receipt.json").text
    key = client.get("/api/v1/checkpoint/keys").json["keys"][0]["key"]
    path = tmp_path / "receipt.json"
    for text in (receipt, receipt.replace('"seq"', '"sea"', 1), receipt.replace("diversity", "Diversity", 1), "{}"):
        path.write_text(text)
        for keys in ([key], []):
            status = verifier.main([str(path), *(word for each in keys for word in ("--key", each))])
            told = json.loads(Inside().answer(json.dumps({"ask": "checked", "receipt": text, "keys": keys})))["told"]
            assert told == {"status": status, "lines": capsys.readouterr().out.splitlines()}


def test_the_page_that_checks_knows_nobody(empty: Flask) -> None:
    sign_in(empty, "scorer")
    scorer = page(empty.test_client(), "/receipts/check")
    sign_in(empty, "reader")
    assert page(empty.test_client(), "/receipts/check") == scorer


def test_the_published_checker_accepts_the_file(empty: Flask) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    answer = client.get(f"/matches/{match}/receipt.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{match}.receipt.json"'
    assert "follow one from the other" in "\n".join(verifier.check(answer.text, None))
    assert json.loads(answer.text) == client.get(f"/api/v1/matches/{match}/receipt").json


def test_everybody_can_download_the_checker(empty: Flask) -> None:
    with empty.test_client().get("/static/check_receipt.py") as answer:
        assert answer.data == FILE.read_bytes()
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_receipt_goes_on_fitting_while_the_ledger_grows(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    check = check_of(page(client, f"/matches/{match}/receipt"))
    ledger.record(match, [ev.Note(text="late")], ledger.stream(match).seq)
    page(client, f"/matches/{over(ledger, seed=2)}/receipt")
    said = flat(client, check)
    assert "This receipt fits." in said
    assert "continue it" in said
    assert "1 event of the match was recorded after the receipt" in said


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("seq=", "seq=1"), "proofs.differs"), (("hash=", "hash=" + "0" * 64 + "&x="), "proofs.differs"),
        (("size=", "size=9"), "proofs.checkpoint"),
    ],
)  # fmt: skip
def test_a_changed_receipt_does_not_fit(empty: Flask, change: tuple[str, str], code: str) -> None:
    client, match = empty.test_client(), over(ledger_of(empty))
    check = check_of(page(client, f"/matches/{match}/receipt")).replace(*change)
    said = flat(client, check, 409)
    assert "This receipt does not fit the ledger." in said
    assert code in said


@pytest.mark.parametrize(
    "query", ["", "seq=1&hash=zz&size=1", "seq=x&hash=" + "0" * 64 + "&size=1", "seq=1&hash=" + "0" * 64 + "&size=0"]
)
def test_an_address_that_is_not_a_receipt_gives_a_friendly_400(empty: Flask, query: str) -> None:
    match = over(ledger_of(empty))
    assert "does not make sense" in page(empty.test_client(), f"/matches/{match}/receipt/check?{query}", 400)


def test_a_missing_match_has_no_receipt(empty: Flask) -> None:
    for path in ("receipt", "receipt.json", f"receipt/check?seq=1&size=1&hash={'0' * 64}"):
        page(empty.test_client(), f"/matches/11111111-1111-4111-8111-111111111111/{path}", 404)


def test_a_ledger_that_was_changed_gives_no_receipt_and_the_pages_say_why(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    check = check_of(page(client, f"/matches/{match}/receipt"))
    with tampering(ledger.store.file.path) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 2')
        rehash(db)
    said = flat(client, f"/matches/{match}/receipt", 409)
    assert "this ledger has been changed since it was sealed" in said
    assert "proofs.differs" in said
    assert "does not fit the ledger" in flat(client, check, 409)
    assert "No further events can be sealed." in flat(client, "/integrity")
    page(client, f"/matches/{match}/receipt.json", 409)


def test_readers_get_no_receipt_for_a_hand_under_way_and_cannot_guess_its_hashes(empty: Flask) -> None:
    match, seq = under_way(empty)
    scorer = empty.test_client()
    text = page(scorer, f"/matches/{match}/receipt")
    right = check_of(text)
    (hash,) = re.findall("hash=([0-9a-f]{64})", right)
    assert "This receipt fits." in flat(scorer, right)
    sign_in(empty, "reader")
    reader = empty.test_client()
    shown = flat(reader, f"/matches/{match}/receipt")
    assert "A hand of this match is under way" in shown
    assert hash not in shown
    assert "receipt" not in page(reader, f"/matches/{match}").lower()
    page(reader, f"/matches/{match}/receipt.json", 403)
    answers = {flat(reader, right.replace(hash, tried), 403).replace(tried, "") for tried in (hash, "0" * 64)}
    assert len(answers) == 1
    ledger_of(empty).record(match, [ev.End()], seq)
    assert "This receipt fits." in flat(reader, right)


def test_integrity_shows_the_seals_and_their_keys(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    assert "Nothing is sealed yet." in page(client, "/integrity")
    match = over(ledger)
    page(client, f"/matches/{match}/receipt")
    text = flat(client, "/integrity")
    note = client.get("/api/v1/checkpoint").json["note"]
    assert " ".join(note.split()) in unescape(text)
    assert client.get("/api/v1/checkpoint/keys").json["keys"][0]["key"] in unescape(text)
    over(ledger, seed=2)
    assert re.search(r"; \d+ events came since", flat(client, "/integrity"))


def test_a_check_of_the_ledger_compares_it_with_its_seal(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    page(client, f"/matches/{match}/receipt")
    assert "match, and 1 checkpoint." in checked(client)
    with tampering(ledger.store.file.path) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 7')
        rehash(db)
    said = checked(client)
    assert f"Match <code>{match}</code>, event 7:" in said
    assert "proofs.differs" in said


def test_findings_of_the_sealer_are_on_the_page_of_integrity(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    sealer = Sealer(ledger, findings_of(empty).surveyed)
    sealer.look(0)
    with tampering(ledger.store.file.path) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 7')
        rehash(db)
    over(ledger, seed=2)
    sealer.look(1_000_000)
    assert f"event 7 of {match} is not the one that was sealed" in flat(client, "/integrity")


def test_a_changed_line_is_found_when_a_receipt_is_requested(empty: Flask) -> None:
    client, ledger = empty.test_client(), ledger_of(empty)
    match = over(ledger)
    check = check_of(page(client, f"/matches/{match}/receipt"))
    with tampering(ledger.store.file.path) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 2')
    for path in (f"/matches/{match}/receipt", check):
        assert "store.hash" in flat(client, path, 409)
