"""Webhooks of a ledger on PostgreSQL: as those of a file, for any number of servers, of which each may be killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import LedgerError
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger_api.hooks import delivering
from cardledger_api.hooks.delivering import Deliveries
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.http.streams import ALL, Filter
from tests.api.recording import match_of
from tests.api.test_shared_deals import deal, dealt
from tests.api.test_webhooks import Receiver, expected, look
from tests.waiting import wait_until
from tests.web.server import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.store.cluster import Cluster

ADDRESS = "https://example.org/"


def test_webhooks_are_stored_in_the_database_for_every_server(url: str) -> None:
    with closing(Hooks(url)) as one, closing(Hooks(url)) as other:
        assert one.all() == []
        with pytest.raises(LedgerError, match=r"webhook\.unknown"):
            one.get("a\0b")
        hook = one.add("board", ADDRESS, "reader", Filter("whist", frozenset({"open"}), None), 7)
        assert other.all() == [hook] == [other.get("board")]
        with pytest.raises(LedgerError, match=r"webhook\.name"):
            other.add("board", ADDRESS, "reader", ALL, 0)
        assert other.log(hook.id) == other.withheld(hook) == []
        assert other.remove("board") == hook
        assert one.all() == []


def test_a_ledger_whose_webhooks_an_earlier_version_made_gets_the_table_that_is_missing(
    url: str, cluster: Cluster
) -> None:
    with Ledger(url) as ledger, closing(Hooks(url)) as hooks:
        hooks.add("board", ADDRESS, "reader", ALL, 0)
        cluster.run("DROP TABLE cut", url=url)
        events, receiver = dealt(), Receiver()
        ledger.record(None, events[: deal(events, 1) + 1], 0)
        while look(Deliveries(ledger, hooks, send=receiver)) and len(receiver.requests) < 9:
            pass
        assert [one.cut for one in hooks.withheld(hooks.get("board"))] == [True]
        assert receiver.taken[-1]["hands"] is None


@pytest.mark.long
def test_many_servers_send_each_event_once_and_in_order(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "LOOK_SECONDS", 0.01)
    receiver = Receiver(*[500, 200] * 2)
    ledgers = [Ledger(url) for _ in range(3)]
    try:
        with closing(Hooks(url)) as hooks:
            hooks.add("board", ADDRESS, "scorer", ALL, 0)
        match = ledgers[0].record(None, match_of("diversity"), 0)
        for ledger in ledgers:
            Deliveries(ledger, Hooks(url), send=receiver).start()
        for number in range(20):
            match = ledgers[number % 3].record(match.match, [ev.Note(text=str(number))], match.seq)
            time.sleep(0.02)  # they begin to send meanwhile
        wait_until(lambda: len(receiver.taken) >= len(expected(ledgers[0])))
    finally:
        for ledger in ledgers:
            ledger.close()
    with Ledger(url) as ledger:
        assert receiver.taken == expected(ledger)


KILLED = """
import sys, time
from cardledger_api.hooks.delivering import Deliveries
from cardledger_api.hooks.hooks import Hooks
from cardledger.record.recording.ledger import Ledger

def send(*args, **how):
    print("sending", flush=True)
    time.sleep(600)

with Ledger(sys.argv[1]) as ledger:
    deliveries = Deliveries(ledger, Hooks(sys.argv[1]), send=send)
    deliveries.deliver(*deliveries.due())
"""


@pytest.mark.long
def test_what_a_killed_server_was_sending_is_sent_by_another_when_its_claim_is_over(url: str) -> None:
    with Ledger(url) as ledger, closing(Hooks(url)) as hooks:
        hooks.add("board", ADDRESS, "scorer", ALL, 0)
        ledger.record(None, match_of("diversity"), 0)
        with subprocess.Popen([sys.executable, "-c", KILLED, url], cwd=ROOT, stdout=subprocess.PIPE) as program:
            assert program.stdout is not None and program.stdout.readline() == b"sending\n"
            program.kill()
        receiver, late = Receiver(), [0.0]
        deliveries = Deliveries(ledger, hooks, lambda: hooks.store.clock() + late[0], receiver)
        assert not look(deliveries)
        late[0] = 61.0
        assert look(deliveries)
        assert receiver.taken == expected(ledger)


def test_a_role_that_may_only_add_events_can_send_them(url: str, cluster: Cluster, tmp_path: Path) -> None:
    schema = url.partition("search_path%3D")[2]
    with Ledger(url) as ledger, closing(Hooks(url)) as hooks:
        hooks.add("board", ADDRESS, "scorer", ALL, 0)
        ledger.record(None, match_of("diversity"), 0)
    tables, role = "hooks, deliveries, withheld, cut", f"sender_{schema}"
    cluster.run(
        f"CREATE ROLE {role} LOGIN", f"GRANT USAGE ON SCHEMA {schema} TO {role}",
        f"GRANT SELECT, INSERT ON events, names TO {role}", f"GRANT USAGE, SELECT ON positions TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {role}", url=url,
    )  # fmt: skip
    address, receiver = cluster.url(schema=schema, user=role), Receiver()
    with Ledger(address) as ledger, closing(Hooks(address)) as hooks:
        assert look(Deliveries(ledger, hooks, send=receiver))
        assert receiver.taken == expected(ledger)
        assert json.loads(receiver.requests[0][1])["type"] == "events"
        assert [one.status for one in hooks.log("board")] == [200]
