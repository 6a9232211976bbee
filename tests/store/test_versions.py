"""Versions: a ledger says which programs may record in it and which may show it; others refuse, and change nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record.people import people
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import needs
from cardledger.record.store.address import Address
from cardledger.record.store.needs import FORM, READABLE
from cardledger.record.store.postgres import PostgresStore
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import keys_of
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.lessons import lesson_events as lessons
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.store.cluster import Cluster
from tests.web.club import sign_in

DECLARED = {
    3: "bd31cb4c7e29e413",
    4: "7764f3a1dd422e00",
    5: "b6111ead902b5d57",
    6: "a9df7846c125eb75",
    7: "6d54e364548bc288",
    8: "bc99995e46dda34c",
    9: "96dcdd6051843dc5",
    10: "d0d51554ecfb5cc8",
    11: "742fc44f6ea3f4f4",
}
"""By form, a digest of the declarations of all events."""


def record(ledger: Ledger) -> str:
    """Record a match of one hand."""
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"), options={"hands": 1})
    return ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))], 0).match


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger in which this program has recorded."""
    with Ledger(tmp_path / "club.db") as ledger:
        record(ledger)
    return tmp_path / "club.db"


def needing(path: Path, writes: int, reads: int) -> None:
    """Let a later program have recorded in a ledger."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE needs SET writes = ?, reads = ?, program = '9.0'", (writes, reads))
        db.commit()


def without_words(declared: object) -> object:
    """Return declarations without what they say in words."""
    if isinstance(declared, dict):
        return {name: without_words(value) for name, value in declared.items() if name not in ("description", "title")}
    return [*map(without_words, declared)] if isinstance(declared, list) else declared


def test_what_events_may_be_changes_only_with_the_form() -> None:
    """A program before cannot fold what is new: raise FORM (READABLE too, if it cannot even be shown), and add the digest here."""
    everything = [*ev.OURS, *evenings.TYPES.values(), *lessons.TYPES.values(), *people.TYPES.values()]
    _, declared = msgspec.json.schema_components(everything)
    stored = {cls.__name__: {field: key.stored for field, key in keys_of(cls).items()} for cls in everything}
    said = json.dumps([without_words(declared), stored], sort_keys=True)
    digest = hashlib.sha256(said.encode()).hexdigest()[:16]
    assert DECLARED[FORM] == digest
    assert max(DECLARED) == FORM
    assert READABLE <= FORM


def test_recording_writes_down_what_a_ledger_needs(club: Path) -> None:
    with closing(sqlite3.connect(club)) as db:
        assert db.execute("SELECT writes, reads FROM needs").fetchall() == [(FORM, READABLE)]


def test_an_older_program_shows_the_ledger_and_changes_nothing(club: Path, tmp_path: Path) -> None:
    needing(club, FORM + 1, FORM)
    before = club.read_bytes()
    app = create_app(club, limits=Limits.of(0))
    sign_in(app)
    client = app.test_client()
    for address in ("/", "/matches", "/api/v1/matches"):
        assert client.get(address).status_code == 200
    new = {"events": [{"type": "open", "game": "diversity", "players": [*"abcd"]}]}
    refused = client.post("/api/v1/matches", json=new)
    assert (refused.status_code, refused.json["code"]) == (503, "store.version")
    assert "cardledger 9.0" in refused.json["detail"]
    assert client.get("/health/ready").json["checks"]["store"] == {"ok": False, "code": "store.version"}
    access_of(app).close()
    ledger_of(app).close()
    for words, status in ((["rebuild"], 2), (["verify"], 2), (["matches"], 0)):
        assert CliRunner().invoke(main, [*words, "--db", str(club)]).exit_code == status, words
    doctor = CliRunner().invoke(main, ["doctor", "--db", str(club)])
    assert doctor.exit_code == 1
    assert "store.version" in doctor.output
    assert club.read_bytes() == before


def test_an_older_program_keeps_the_tables_of_a_later_one(club: Path) -> None:
    needing(club, FORM + 1, FORM)
    views = club.with_name("club.views.db")
    with closing(sqlite3.connect(views)) as db:
        db.execute("PRAGMA user_version = 999")
    before = views.read_bytes()
    with pytest.raises(StoreError) as caught:
        Ledger(club)
    assert caught.value.code == "store.version"
    assert views.read_bytes() == before


def test_a_ledger_that_cannot_be_shown_is_refused_everywhere(club: Path, tmp_path: Path) -> None:
    needing(club, FORM + 1, FORM + 1)
    before = club.read_bytes()
    for words in (
        ["matches"],
        ["verify"],
        ["backup", str(tmp_path / "copy.db")],
        ["export"],
        ["restore", str(club), str(tmp_path / "new.db")],
    ):
        done = CliRunner().invoke(main, words if words[0] == "restore" else [*words, "--db", str(club)])
        assert (done.exit_code, "store.version" in done.stderr) == (2, True), (words, done.output)
    assert club.read_bytes() == before


def test_a_program_that_runs_notices_that_a_later_one_has_recorded(club: Path) -> None:
    with Ledger(club) as ledger:
        needing(club, FORM + 1, FORM)
        with pytest.raises(StoreError, match="form") as caught:
            record(ledger)
        assert caught.value.code == "store.version"


def test_a_later_program_raises_what_a_ledger_needs_with_its_first_event(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needs, "FORM", FORM + 1)
    with Ledger(club):
        pass
    assert stated(club) == (FORM, READABLE), "opening alone changes nothing"
    with Ledger(club) as ledger:
        record(ledger)
    assert stated(club) == (FORM + 1, READABLE)


def stated(path: Path) -> tuple[int, int]:
    """Return what a ledger needs."""
    with closing(sqlite3.connect(path)) as db:
        writes, reads = db.execute("SELECT writes, reads FROM needs").fetchone()
    return writes, reads


def test_postgresql_says_so_too(pg: PostgresStore, cluster: Cluster, url: str) -> None:
    with Ledger(Address(url)) as ledger:
        record(ledger)
    assert cluster.run("SELECT writes, reads FROM needs", url=url) == [(FORM, READABLE)]
    cluster.run(f"UPDATE needs SET writes = {FORM + 1}, program = '9.0'", url=url)
    with Ledger(Address(url)) as ledger, pytest.raises(StoreError, match=r"cardledger 9\.0"):
        record(ledger)
    cluster.run(f"UPDATE needs SET reads = {FORM + 1}", url=url)
    with pytest.raises(StoreError, match="to read it"):
        Ledger(Address(url))
