"""A system that refuses every write (a quota, a full disk, a standby): the server says so, and goes on when it may write."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from cardledger.codes import CODES
from cardledger.errors import LedgerError, UnusableError
from cardledger.record.store import Append
from cardledger.record.store.postgres import PostgresStore
from cardledger_api.http import problems

_UNDER_A_QUOTA = """
import json, resource, signal, sys
from itertools import count
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_api.auth.limits import Limits
from cardledger_web.serving.health import Readiness
from tests.api.recording import OPENING
path = sys.argv[1]
app = create_app(path, limits=Limits.of(0))
ledger = ledger_of(app)
readiness = Readiness(ledger, path, count(0, 10).__next__)
head = {"Authorization": f"Bearer {access_of(app).lend('owner', 'admin')}"}
client = app.test_client()
def asked():
    answer = client.post("/api/v1/matches", json={"events": [OPENING]}, headers=head)
    store = readiness.now()["checks"]["store"]
    return [answer.status_code, (answer.get_json() or {}).get("code"), answer.headers.get("Retry-After"), store]
said = [asked()]
client.get("/api/v1/matches")
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
said += [asked(), asked()]
reads = client.get("/api/v1/matches").status_code
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
said += [[readiness.now()["checks"]["store"]], asked()]
print(json.dumps({"said": said, "reads": reads, "matches": len(ledger.matches())}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_under_a_quota_writes_are_refused_for_a_while_and_readiness_knows(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _UNDER_A_QUOTA, str(tmp_path / "club.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    first, refused, again, recovered, last = answer["said"]
    assert (first[0], first[3]) == (201, {"ok": True})
    for said in (refused, again):
        assert said == [503, "store.write", str(problems.LATER), {"ok": False, "code": "store.write"}]
    assert answer["reads"] == 200
    assert recovered == [{"ok": True}], "before anybody has written"
    assert (last[0], last[3], answer["matches"]) == (201, {"ok": True}, 2)


def test_a_database_that_only_reads_is_not_ready_until_it_writes(pg: PostgresStore) -> None:
    append = [Append("a", 0, [('{"type":"play"}', bytes(32))])]
    prepare = pg.server.prepare
    pg.server.prepare = lambda db: db.execute("SET default_transaction_read_only = on")
    pg.server.disconnect()
    for tried in (lambda: pg.append(append), pg.stuck, pg.stuck):
        with pytest.raises(UnusableError) as caught:
            tried()
        assert caught.value.code == "store.write"
    pg.server.prepare = prepare
    pg.server.disconnect()
    pg.stuck()
    assert not pg.server.refused
    assert [*pg.named("person")] == [], "what was written to try it is taken back"
    assert pg.append(append) == [1]


@pytest.mark.parametrize("code", CODES)
def test_every_answer_that_cannot_be_given_now_says_when_to_ask_again(code: str) -> None:
    with Flask(__name__).test_request_context("/api/v1/matches"):
        answer = problems.of_ledger(LedgerError(code, "so it is"))
    assert (answer.status_code == 503) == ("Retry-After" in answer.headers)
