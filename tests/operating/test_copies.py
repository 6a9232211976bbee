"""A server says when a restore of its copies was last proven: to supervisors, to Prometheus, and to its admins."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from cardledger.errors import StoreError
from cardledger.record.backup.drills import Drill, add
from cardledger.record.backup.examine import Examined
from cardledger.record.backup.manifest import Manifest, note
from cardledger.sentence import Sentence
from cardledger_api.http.copies import Copies, add_copies
from cardledger_web.serving.health import Readiness
from cardledger_web.serving.metrics import state_of_copies
from tests.web.club import sign_in
from tests.web.test_languages import page as spoken
from tests.web.test_pages import page

if TYPE_CHECKING:
    from flask import Flask

NOW = datetime(2026, 11, 28, 9, tzinfo=UTC)
GOOD = Drill(at="2026-11-28T03:00:00Z", copy="/safe/copy.db", seconds=41.2, events=9)
BAD = Drill(at="2026-11-28T08:00:00Z", copy="/safe/copy.db", code="store.hash", error="event 3 <b>does</b> not fit")


@pytest.fixture
def copies(app: Flask) -> Copies:
    """The copies of a server's ledger, one of which was made an hour ago."""
    sign_in(app)
    found = add_copies(app, Copies(app.extensions["cardledger.copies"].family, clock=lambda: NOW))
    made = Manifest.of(Examined(), "club.db", 0, NOW.replace(hour=8))
    note(found.family, Path("/safe/copy.db"), made)
    return found


def metrics(copies: Copies) -> dict[str, float]:
    return {each.name: sample.value for each in state_of_copies(copies) for sample in each.samples}


def shown(app: Flask) -> str:
    return " ".join(page(app.test_client(), "/integrity").split())


def test_copies_that_were_never_restored_are_a_warning(app: Flask, copies: Copies) -> None:
    assert (copies.report()["state"], copies.report()["well"]) == ("never", False)
    assert metrics(copies) == {
        "cardledger_restore_well": 0, "cardledger_restore_drill_failed": 0, "cardledger_backup_age_seconds": 3600,
    }  # fmt: skip
    assert "No restore was ever proven." in shown(app)


def test_a_proven_restore_is_told_with_its_age_and_seconds(app: Flask, copies: Copies) -> None:
    add(copies.family, GOOD)
    assert copies.report() == {
        "well": True, "state": "proven", "proven": GOOD.at, "age": 6 * 3600, "seconds": 41.2, "code": None,
    }  # fmt: skip
    assert metrics(copies)["cardledger_restore_age_seconds"] == 6 * 3600
    assert metrics(copies)["cardledger_restore_duration_seconds"] == 41.2
    assert metrics(copies)["cardledger_restore_well"] == 1
    said = shown(app)
    assert "Last proven restore: " in said
    assert ", 41 seconds <span>(6 hours ago)</span>" in said
    assert "cardledger drill" not in said


def test_a_failed_drill_is_told_and_the_server_stays_ready(app: Flask, copies: Copies, tmp_path: Path) -> None:
    add(copies.family, GOOD)
    add(copies.family, BAD)
    ready = Readiness(app.extensions["cardledger"], tmp_path / "club.db", copies=copies).now()
    assert ready["ready"]
    assert (ready["restore"]["state"], ready["restore"]["code"]) == ("failed", "store.hash")
    assert BAD.copy not in str(ready)
    assert metrics(copies)["cardledger_restore_drill_failed"] == 1
    said = shown(app)
    assert "The last copy could not be restored." in said
    assert "event 3 &lt;b&gt;does&lt;/b&gt; not fit" in said
    assert "(6 hours ago)" in said


def test_what_a_failed_drill_found_is_said_in_the_language_of_the_page(app: Flask, copies: Copies) -> None:
    gone = Sentence("there is no copy at {path} now: find out where it is, or make one", path="/safe/copy.db")
    add(copies.family, replace(BAD, error=None).failed(StoreError("store.missing", gone)))
    client = app.test_client()
    assert f"<bdi>{gone}</bdi>" in spoken(client, "/integrity")
    assert "<bdi>unter /safe/copy.db ist jetzt keine Kopie" in spoken(client, "/integrity", "de")
    assert "<bdi>il n’y a plus de copie à /safe/copy.db" in spoken(client, "/integrity", "fr")
    add(copies.family, replace(BAD, said={"values": {}}))
    assert "event 3" in spoken(client, "/integrity", "de"), "a list that somebody changed has its text"


def test_an_old_proof_is_a_warning(app: Flask, copies: Copies) -> None:
    add(copies.family, GOOD)
    old = Copies(copies.family, 0.2, copies.clock)
    add_copies(app, old)
    assert (old.report()["state"], old.report()["well"]) == ("old", False)
    assert '<span class="warn">(6 hours ago)</span>' in shown(app)


def test_programs_read_the_same_and_only_admins_see_the_error(app: Flask, copies: Copies) -> None:
    add(copies.family, BAD)
    answer: dict[str, Any] = app.test_client().get("/api/v1/integrity").get_json()
    assert answer["restore"] == copies.report()
    assert "event 3" in shown(app)
    sign_in(app, "scorer")
    assert "could not be restored" not in shown(app)
    assert "event 3" not in shown(app)
