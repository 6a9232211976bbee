"""A lost tail: files beside a ledger go further than its events. Nothing is dropped, and nothing recorded, until an admin agrees."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.sealer import Sealer
from cardledger.record.proofs.survey import survey
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.lost_tail import reached
from cardledger.rules.engine import events as ev
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.backup.club import made
from tests.waiting import wait_until
from tests.web.club import sign_in

BESIDE = ("club.views.db", "club.proofs.db", "club.checkpoints", "club.luck.db")


def record(ledger: Ledger) -> str:
    """Record a match of one hand: three events."""
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"), options={"hands": 1})
    return ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))], 0).match


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A sealed ledger in place of which an older copy was put, without its last three events."""
    path = tmp_path / "club.db"
    made(path, 1)
    with Ledger(path) as ledger, Log(ledger) as log:
        log.seal()
    shutil.copy(path, tmp_path / "older")
    with Ledger(path) as ledger, Log(ledger) as log:
        record(ledger)
        log.seal()
    shutil.move(tmp_path / "older", path)
    return path


def kept(path: Path) -> dict[str, object]:
    """Return what the files beside a ledger say of the lost events."""
    said: dict[str, object] = {
        one.path.name: one.position for one in reached(path.with_name(BESIDE[2]), path.with_name(BESIDE[0]))
    }
    with closing(sqlite3.connect(path.with_name(BESIDE[0]))) as db:
        said["matches"] = db.execute("SELECT match, seq, hash FROM matches ORDER BY 1").fetchall()
    with closing(sqlite3.connect(path.with_name(BESIDE[1]))) as db:
        said["tiles"] = db.execute("SELECT * FROM tiles ORDER BY level, number").fetchall()
    return said | {"notes": path.with_name(BESIDE[2]).read_bytes()}


@pytest.mark.parametrize("only", ["club.views.db", "club.proofs.db", "club.checkpoints"])
def test_any_file_that_goes_further_shows_the_loss(cut: Path, only: str) -> None:
    for name in {*BESIDE} - {only}:
        cut.with_name(name).unlink(missing_ok=True)
    with Ledger(cut) as ledger:
        refusal = ledger.store.refusal
        assert refusal is not None
        assert (refusal.code, only in str(refusal)) == ("store.lost-tail", True)
        with pytest.raises(StoreError) as caught:
            record(ledger)
        assert caught.value is refusal


def test_a_lost_log_of_sqlite_is_noticed(tmp_path: Path) -> None:
    path, other = tmp_path / "club.db", tmp_path / "other"
    made(path, 1)
    other.mkdir()
    with Ledger(path) as ledger:
        record(ledger)
        ledger.views.catch_up()
        with ledger.views.file.writing():
            pass
        for file in tmp_path.glob("club*"):
            if file.name != "club.db-wal":
                shutil.copy(file, other / file.name)
    with Ledger(other / "club.db") as ledger:
        assert ledger.store.refusal is not None


def test_an_intact_ledger_may_be_recorded_in(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    made(path, 1)
    with Ledger(path) as ledger, Log(ledger) as log:
        log.seal()
        record(ledger)
    with Ledger(path) as ledger:
        assert ledger.store.refusal is None
        record(ledger)


def test_commands_and_a_server_drop_nothing_that_shows_the_loss(cut: Path) -> None:
    before = kept(cut)
    for words, status in (
        (["verify"], 2), (["rebuild"], 2), (["matches"], 0), (["checkpoint"], 2), (["stats", "players", "diversity"], 0),
    ):  # fmt: skip
        done = CliRunner().invoke(main, [*words, "--db", str(cut)])
        assert done.exit_code == status, (words, done.output)
        assert not status or "store.lost-tail" in done.stderr
    app = create_app(cut, limits=Limits.of(0))
    sign_in(app)
    client, ledger = app.test_client(), ledger_of(app)
    findings = app.extensions["cardledger.findings"]
    Sealer(ledger, findings.surveyed).look(1e9)
    assert [one.error.code for one in findings.all] == ["store.lost-tail"]
    for address in ("/", "/matches", "/integrity", "/evenings"):
        assert client.get(address).status_code == 200
    new = [{"type": "open", "game": "diversity", "players": [*"abcd"]}]
    refused = client.post("/api/v1/matches", json={"events": new})
    assert (refused.status_code, refused.json["code"]) == (503, "store.lost-tail")
    ready = client.get("/health/ready")
    assert ready.status_code == 503
    assert ready.json["checks"]["store"] == {"ok": False, "code": "store.lost-tail"}
    access_of(app).close()
    ledger.close()
    assert kept(cut) == before


def test_an_admin_agrees_and_what_showed_the_loss_is_kept(cut: Path) -> None:
    before = kept(cut)
    app = create_app(cut, limits=Limits.of(0))
    assert app.test_client().get("/health/ready").status_code == 503
    done = CliRunner().invoke(main, ["rebuild", "--accept-loss", "--db", str(cut)])
    assert done.exit_code == 0, done.output
    (folder,) = cut.parent.glob("club.lost-*")
    assert str(folder) in done.stderr
    assert kept(folder / "club.db") == before
    wait_until(lambda: app.test_client().get("/health/ready").json["checks"]["store"] == {"ok": True})
    access_of(app).close()
    ledger_of(app).close()
    with Ledger(cut) as ledger:
        assert ledger.store.refusal is None
        with Log(ledger) as log:
            assert survey(log).checkpoints >= 1
            record(ledger)
            log.seal()
            survey(log)
        assert [error for _, error in ledger.verify() if error] == []
    assert CliRunner().invoke(main, ["rebuild", "--accept-loss", "--db", str(cut)]).exit_code == 0


def test_the_events_can_be_brought_back_from_a_backup(cut: Path, tmp_path: Path) -> None:
    shutil.copy(cut, tmp_path / "backup.db")
    with Ledger(tmp_path / "backup.db") as backup:
        more = record(backup)
    done = CliRunner().invoke(main, ["copy", str(tmp_path / "backup.db"), str(cut)])
    assert done.exit_code == 0, done.output
    for name in BESIDE[1:]:
        cut.with_name(name).unlink(missing_ok=True)  # sealed were other events than those of this backup
    with Ledger(cut) as ledger:
        assert ledger.store.refusal is None
        assert more in ledger.matches()
