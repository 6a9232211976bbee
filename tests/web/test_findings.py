"""A server that has found its ledger changed says so where people look, and where machines do, until it is mended."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import StoreError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.sealer import AT_MOST_SECONDS, Sealer
from cardledger_web.app import access_of, create_app, findings_of, ledger_of
from tests.proofs.club import over, record_some, rehash, tampering
from tests.web.club import sign_in
from tests.web.test_pages import page
from tests.web.test_receipts import flat

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

SOUND = "all unchanged"


@pytest.fixture
def club(empty: Flask) -> tuple[Flask, Ledger, str, str]:
    """An application, its ledger, and two matches in it that are sealed."""
    ledger = ledger_of(empty)
    first, second = record_some(ledger)
    with Log(ledger) as log:
        log.seal()
    return empty, ledger, first, second


def changed(ledger: Ledger, match: str, *, hashes: bool = True) -> None:
    """Change an event, and recompute the hashes or not."""
    with tampering(ledger.store.file.path) as db:
        db.execute(
            'UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 3 AND match = ?', (match,)
        )
        if hashes:
            rehash(db)


def survey(app: Flask) -> Sealer:
    """Survey the ledger as a server does."""
    sealer = Sealer(ledger_of(app), findings_of(app).surveyed)
    sealer.look(0)
    return sealer


def metrics(client: FlaskClient) -> dict[str, float]:
    text = client.get("/metrics").text
    return {name: float(value) for name, value in re.findall(r"^(cardledger_integrity\S*) (\S+)$", text, re.MULTILINE)}


def test_a_healthy_ledger_is_reported_as_healthy(club) -> None:
    app, _, match, _ = club
    survey(app)
    client = app.test_client()
    assert SOUND in flat(client, f"/matches/{match}")
    assert "has been changed since it was recorded" not in page(client, "/")
    assert client.get("/health/ready").get_json()["checks"]["integrity"] == {"ok": True}
    assert metrics(client) == {"cardledger_integrity_findings": 0}


def test_findings_of_a_survey_appear_on_match_page_home_page_integrity_page_readiness_and_metrics(club) -> None:
    app, ledger, match, other = club
    changed(ledger, match)
    survey(app)
    client = app.test_client()
    said = f"event 3 of {match} is not the one that was sealed"
    shown = flat(client, f"/matches/{match}")
    assert "This match has been changed since it was recorded:" in shown
    assert said in shown
    assert SOUND not in shown
    shown = flat(client, f"/matches/{other}")
    assert "The ledger of this match has been changed since it was recorded:" in shown
    assert said in shown
    assert SOUND not in shown
    for path in ("/", "/integrity"):
        assert said in flat(client, path)
    ready = client.get("/health/ready")
    assert ready.status_code == 503
    assert ready.get_json()["checks"]["integrity"] == {"ok": False, "code": "proofs.differs"}
    found = metrics(client)
    assert found["cardledger_integrity_findings"] >= 1
    assert found['cardledger_integrity_found_total{code="proofs.differs"}'] >= 1


def test_the_home_page_shows_findings_to_admins_only(club) -> None:
    app, ledger, match, _ = club
    changed(ledger, match)
    survey(app)
    assert "has been changed since it was recorded" in page(app.test_client(), "/")
    for role in ("scorer", None):
        client = app.test_client()
        client.environ_base.pop("HTTP_AUTHORIZATION", None)
        headers = {"Authorization": f"Bearer {access_of(app).lend('ben', role)}"} if role else {}
        assert "has been changed since it was recorded" not in client.get("/", headers=headers).text


def test_the_page_of_a_match_detects_recomputed_hashes(club) -> None:
    app, ledger, match, other = club
    client = app.test_client()
    changed(ledger, match)
    assert "This match has been changed since it was recorded:" in flat(client, f"/matches/{match}")
    assert "proofs.differs" in flat(client, f"/matches/{other}"), "and then it is known"
    assert client.get("/health/ready").status_code == 503


def test_a_match_that_cannot_be_folded_any_more_says_why_on_its_page(club, tmp_path: Path) -> None:
    """Where nothing of it is at hand yet, as after a start."""
    _, ledger, match, _ = club
    changed(ledger, match, hashes=False)
    for path in ledger.store.file.path.parent.iterdir():
        copyfile(path, tmp_path / path.name)
    again = create_app(tmp_path / ledger.store.file.path.name)
    sign_in(again)
    client = again.test_client()
    shown = flat(client, f"/matches/{match}", 409)
    assert "This record has been changed" in shown
    assert f"event 3 of {match}: the event is not the stored one" in shown
    assert f"event 3 of {match}" in flat(client, "/")
    assert client.get("/health/ready").status_code == 503
    access_of(again).close()
    ledger_of(again).close()


def test_the_page_of_a_match_detects_a_missing_end(club) -> None:
    app, ledger, match, _ = club
    with tampering(ledger.store.file.path) as db:
        db.execute("DELETE FROM events WHERE match = ? AND seq > 4", (match,))
    shown = flat(app.test_client(), f"/matches/{match}")
    assert "proofs.missing" in shown
    assert SOUND not in shown


@pytest.mark.parametrize(
    "path", ["/matches/{}/receipt", "/api/v1/matches/{}/receipt", "/api/v1/matches/{}/proof?seq=3"]
)
def test_a_failed_answer_becomes_a_finding(club, path: str) -> None:
    app, ledger, match, _ = club
    client = app.test_client()
    changed(ledger, match)
    assert client.get(path.format(match)).status_code == 409
    assert client.get("/health/ready").get_json()["checks"]["integrity"] == {"ok": False, "code": "proofs.differs"}


def test_nobody_can_forge_a_finding(club) -> None:
    app, _, match, _ = club
    client = app.test_client()
    for ask in (
        lambda: client.get(f"/matches/{match}/receipt/check?seq=3&size=11&hash={'0' * 64}"),
        lambda: client.get("/api/v1/matches/nobody"),
        lambda: client.get(f"/api/v1/matches/{match}/proof?seq=99"),
        lambda: client.get("/api/v1/checkpoint/consistency?first=5&second=900"),
        lambda: client.post("/api/v1/import", data=b"{}", content_type="application/x-ndjson"),
    ):
        assert ask().status_code >= 200
    assert findings_of(app).all == []
    assert client.get("/health/ready").status_code == 200


def test_missing_names_are_reported_too(club) -> None:
    app, ledger, match, _ = club
    with closing(sqlite3.connect(ledger.store.file.path)) as db:
        db.execute("DELETE FROM names WHERE kind = 'player'")
        db.commit()
    survey(app)
    client = app.test_client()
    assert client.get("/health/ready").get_json()["checks"]["integrity"] == {"ok": False, "code": "store.name"}
    assert "no event erased a person" in flat(client, "/")
    assert SOUND not in flat(client, f"/matches/{match}")


def test_findings_of_a_check_are_shown_until_a_check_passes(club) -> None:
    app, ledger, match, _ = club
    client = app.test_client()
    with closing(sqlite3.connect(ledger.views.file.path)) as db:
        ((total,),) = db.execute("SELECT total FROM players LIMIT 1")
        db.execute("UPDATE players SET total = 99")
        db.commit()

    def check() -> None:
        client.post("/integrity")
        while "A check is under way" in flat(client, "/integrity"):
            pass

    check()
    assert "store.views" in flat(client, f"/matches/{match}")
    survey(app)
    assert "store.views" in flat(client, "/"), "a survey looks at no read models"
    with closing(sqlite3.connect(ledger.views.file.path)) as db:
        db.execute("UPDATE players SET total = ?", (total,))
        db.commit()
    check()
    assert client.get("/health/ready").status_code == 200


def test_a_repaired_ledger_is_healthy_after_the_next_survey(club, tmp_path: Path) -> None:
    app, ledger, match, _ = club
    with closing(sqlite3.connect(ledger.store.file.path)) as db, closing(sqlite3.connect(tmp_path / "kept.db")) as kept:
        db.backup(kept)
    changed(ledger, match)
    sealer = survey(app)
    client = app.test_client()
    assert client.get("/health/ready").status_code == 503
    with closing(sqlite3.connect(tmp_path / "kept.db")) as kept:
        rows = kept.execute("SELECT line, hash, position FROM events").fetchall()
    with tampering(ledger.store.file.path) as db:
        db.executemany("UPDATE events SET line = ?, hash = ? WHERE position = ?", rows)
    sealer.look(1_000_000)
    assert sealer.wrong is None
    assert findings_of(app).all == []
    assert SOUND in flat(client, f"/matches/{match}")


def test_a_change_is_found_while_nothing_is_recorded(club) -> None:
    app, ledger, match, _ = club
    sealer = survey(app)
    changed(ledger, match)
    sealer.look(1_000_000)
    assert sealer.wrong is not None
    assert [found.error.code for found in findings_of(app).all] == ["proofs.differs"]


def test_findings_stay_and_nothing_is_sealed_until_a_survey_passes(club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick look before a checkpoint sees only the end of the sealed events."""
    app, ledger, match, _ = club
    changed(ledger, match)
    monkeypatch.setattr("cardledger.record.proofs.sealer.SHARE", 1e9)
    sealer = survey(app)
    for seed in (2, 3):
        over(ledger, seed=seed)
        sealer.look(AT_MOST_SECONDS * seed)
        assert sealer.wrong is not None
        assert app.test_client().get("/health/ready").status_code == 503
        with Log(ledger) as log:
            assert log.checkpoints.last().size == 11


def test_an_unreadable_match_is_not_a_finding(club) -> None:
    findings = findings_of(club[0])
    findings.tell("answer", StoreError("store.lost", "the database does not answer"))
    findings.surveyed(StoreError("store.write", "the disk is full"), whole=False)
    assert findings.all == []


def test_a_server_that_starts_on_a_changed_ledger_finds_it_with_its_first_survey(club, tmp_path: Path) -> None:
    _, ledger, match, _ = club
    folder = ledger.store.file.path.parent
    changed(ledger, match)
    for path in folder.iterdir():
        copyfile(path, tmp_path / path.name)
    again = create_app(tmp_path / ledger.store.file.path.name)
    sign_in(again)
    survey(again)
    assert "proofs.differs" in flat(again.test_client(), "/")
    access_of(again).close()
    ledger_of(again).close()
